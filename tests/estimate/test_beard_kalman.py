"""The continuous-discrete Kalman filter: FilterPy, the textbook in NumPy, matrix exponentials, and Euler's loss."""

import math
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from filterpy.kalman import KalmanFilter
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.linalg import expm

from tikitaka.estimate.kernels import euler, kalman
from tikitaka.types import Floats

Singles = NDArray[np.float32]

SIZES = st.integers(2, 6)
SEEDS = st.integers(0, 2**32 - 1)


def covariance(rng: np.random.Generator, n: int, spread: float = 0.0) -> Floats:
    """Return a random covariance whose variances differ by 10^spread."""
    a = rng.normal(size=(n, n))
    scale = 10.0 ** (0.5 * spread * rng.uniform(-1.0, 1.0, n))
    p: Floats = (a @ a.T + 0.1 * np.eye(n)) * np.outer(scale, scale)
    return p


def exact(a: Floats, q: Floats, dt: float) -> tuple[Floats, Floats]:
    """Return F and Q_d by Van Loan's block exponential."""
    n = len(a)
    block = expm(np.block([[-a, q], [np.zeros((n, n)), a.T]]) * dt)
    f = block[n:, n:].T
    return f, f @ block[:n, n:]


def smallest(p: Floats) -> float:
    """Return the least eigenvalue of p scaled to a unit diagonal."""
    d = np.sqrt(np.diag(p))
    return float(np.linalg.eigvalsh(p / np.outer(d, d)).min())


@given(SIZES, SEEDS)
def test_propagated_covariance_is_f_p_ft_plus_q_and_symmetric_to_the_last_bit(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    p, f, q = covariance(rng, n), rng.normal(size=(n, n)), covariance(rng, n)
    want = f @ p @ f.T + q
    kalman.propagate(p, f, q, np.empty((n, n)))
    assert p == pytest.approx(want, rel=1e-12, abs=1e-12)
    assert (p == p.T).all()


@given(st.integers(1, 3), SEEDS, st.floats(0.0, 2.0))
def test_drifting_is_the_constant_velocity_model(half: int, seed: int, dt: float) -> None:
    rng = np.random.default_rng(seed)
    n = 2 * half
    x, p = rng.normal(size=n), covariance(rng, n)
    f = np.eye(n) + dt * np.eye(n, k=half)
    want_x, want_p = f @ x, f @ p @ f.T
    kalman.drift(x, p, dt)
    assert x == pytest.approx(want_x)
    assert p == pytest.approx(want_p, rel=1e-12, abs=1e-12)
    assert (p == p.T).all()


@given(SEEDS)
def test_sizes_that_the_compiler_knows_change_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for size, used, carry in ((6, 6, kalman.carry_six), (7, 5, kalman.carry_five)):
        p, f, work = covariance(rng, size), rng.normal(size=(size, size)), np.empty((size, size))
        want = p.copy()
        kalman.carry(want[:used, :used], f[:used, :used], work)
        carry(p, f, work)
        assert (p == want).all()


@given(st.floats(1e-3, 2.0), st.floats(0.01, 10.0))
def test_noise_of_white_acceleration_is_van_loans(dt: float, density: float) -> None:
    a, q = np.zeros((4, 4)), np.zeros((4, 4))
    a[1, 3], q[3, 3] = 1.0, density
    p = np.zeros((4, 4))
    kalman.shake(p, 1, 3, density, dt)
    assert p == pytest.approx(exact(a, q, dt)[1], rel=1e-9, abs=1e-15)


@given(SIZES, SEEDS)
def test_taking_in_a_number_is_the_textbook(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, p, h, nu, r = rng.normal(size=n), covariance(rng, n), rng.normal(size=n), rng.normal(), rng.uniform(0.1, 2.0)
    s = h @ p @ h + r
    gain = p @ h / s
    want_x, want_p = x + gain * nu, p - np.outer(gain, h @ p)
    nis = kalman.update(x, p, h, nu, r, np.empty((2, n)))
    assert nis == pytest.approx(nu * nu / s)
    assert x == pytest.approx(want_x)
    assert p == pytest.approx(want_p, rel=1e-9, abs=1e-9)
    assert (p == p.T).all()


@given(SIZES, SEEDS)
def test_taking_in_a_component_is_taking_in_its_unit_row(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, p, i, nu, r = rng.normal(size=n), covariance(rng, n), int(rng.integers(n)), rng.normal(), rng.uniform(0.1, 2.0)
    other_x, other_p = x.copy(), p.copy()
    nis = kalman.update_at(x, p, i, nu, r, np.empty((2, n)))
    assert nis == kalman.update(other_x, other_p, np.eye(n)[i], nu, r, np.empty((2, n)))
    assert x == pytest.approx(other_x, rel=1e-14)
    assert p == pytest.approx(other_p, rel=1e-14, abs=1e-14)


@given(SIZES, st.integers(1, 3), SEEDS)
def test_taking_in_a_block_is_the_textbook_and_returns_nis(n: int, m: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, p, h, nu, r = (
        rng.normal(size=n),
        covariance(rng, n),
        rng.normal(size=(m, n)),
        rng.normal(size=m),
        covariance(rng, m),
    )
    s = h @ p @ h.T + r
    gain = p @ h.T @ np.linalg.inv(s)
    want_x, want_p, want = x + gain @ nu, p - gain @ h @ p, nu @ np.linalg.solve(s, nu)
    nis = kalman.update_block(x, p, h.copy(), nu.copy(), r.copy(), np.empty((2, n)))
    assert nis == pytest.approx(want, rel=1e-8)
    assert x == pytest.approx(want_x, rel=1e-8, abs=1e-9)
    assert p == pytest.approx(want_p, rel=1e-8, abs=1e-9)


@given(SEEDS, st.floats(1e-6, 1.0), st.floats(1e-6, 1.0))
def test_distances_are_mahalanobis(seed: int, r_xy: float, r_theta: float) -> None:
    rng = np.random.default_rng(seed)
    p, d = covariance(rng, 6), rng.normal(size=3)
    s = p[:3, :3] + np.diag((r_xy, r_xy, r_theta))
    pose, place, det = kalman.distance_pose(p, d[0], d[1], d[2], r_xy, r_theta)
    assert pose == pytest.approx(d @ np.linalg.solve(s, d), rel=1e-8)
    assert place == pytest.approx(d[:2] @ np.linalg.solve(s[:2, :2], d[:2]), rel=1e-8)
    assert det == pytest.approx(np.linalg.det(s), rel=1e-8)
    near, det = kalman.distance_xy(p, d[0], d[1], r_xy, 2.0 * r_xy)
    s[1, 1] += r_xy
    assert near == pytest.approx(d[:2] @ np.linalg.solve(s[:2, :2], d[:2]), rel=1e-8)
    assert det == pytest.approx(np.linalg.det(s[:2, :2]), rel=1e-8)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_number_that_is_not_finite_is_not_taken(bad: float) -> None:
    rng = np.random.default_rng(1)
    x, p, work = rng.normal(size=4), covariance(rng, 4), np.empty((2, 4))
    before = x.copy(), p.copy()
    assert kalman.update(x, p, np.ones(4), bad, 0.1, work) == -1.0
    assert kalman.update_at(x, p, 2, bad, 0.1, work) == -1.0
    assert kalman.update_block(x, p, np.ones((2, 4)), np.array((0.1, bad)), np.eye(2), work) == -1.0
    assert (x == before[0]).all()
    assert (p == before[1]).all()


@given(SIZES, SEEDS, st.floats(0.0, 3.0), st.sampled_from([1.0, 2.0, 7.0]))
def test_advancing_is_the_matrix_exponential_in_any_number_of_steps(n: int, seed: int, dt: float, steps: float) -> None:
    rng = np.random.default_rng(seed)
    a, u, q = rng.normal(size=(n, n)), rng.normal(size=n), covariance(rng, n)
    x, p = rng.normal(size=n), covariance(rng, n)
    f, q_d = exact(a, q, dt)
    affine = expm(np.block([[a, u[:, None]], [np.zeros((1, n + 1))]]) * dt)
    want_x, want_p = affine[:n, :n] @ x + affine[:n, n], f @ p @ f.T + q_d
    kalman.advance(x, p, a, u, q, dt, steps, np.empty((2, n, n)))
    assert x == pytest.approx(want_x, rel=1e-8, abs=1e-8 * np.abs(affine).max())
    assert p == pytest.approx(want_p, rel=1e-6, abs=1e-9 * np.abs(want_p).max())
    assert (p == p.T).all()


def test_a_linear_track_equals_filterpy() -> None:
    """A position and a velocity, irregular times, two sensors: the same numbers as FilterPy's."""
    rng = np.random.default_rng(7)
    x, p = np.array((0.0, 1.0)), np.diag((0.5, 2.0))
    theirs: Any = KalmanFilter(2, 1)
    theirs.x, theirs.P = x[:, None].copy(), p.copy()
    work = np.empty((2, 2))
    for k in range(200):
        dt, r = rng.uniform(0.001, 0.1), (0.01, 0.2)[k % 2]
        h = np.array(((1.0, 0.0), (0.3, 1.0))[k % 2])
        noise = np.zeros((2, 2))
        kalman.shake(noise, 0, 1, 3.0, dt)
        theirs.predict(F=np.array(((1.0, dt), (0.0, 1.0))), Q=noise)
        z = rng.normal()
        theirs.update(z, R=r, H=h[None])
        kalman.drift(x, p, dt)
        kalman.shake(p, 0, 1, 3.0, dt)
        nis = kalman.update(x, p, h, z - h @ x, r, work)
        assert nis == pytest.approx(float(theirs.mahalanobis) ** 2, rel=1e-9)
    assert x == pytest.approx(theirs.x[:, 0], rel=1e-10)
    assert p == pytest.approx(theirs.P, rel=1e-10)


@given(SEEDS, st.integers(2, 6), st.floats(-8.0, 4.0))
def test_covariance_stays_positive_definite_whatever_is_measured(seed: int, n: int, log_r: float) -> None:
    rng = np.random.default_rng(seed)
    x, p = np.zeros(n), covariance(rng, n, 3.0)
    f, q = rng.normal(size=(n, n)) / math.sqrt(n), 1e-4 * np.eye(n)
    for _ in range(50):
        kalman.propagate(p, f, q, np.empty((n, n)))
        kalman.update(x, p, rng.normal(size=n), rng.normal(), 10.0**log_r, np.empty((2, n)))
        assert smallest(p) > 0.0


def ball_model() -> tuple[Floats, Floats]:
    """Return A and G Q G' of a ball: viscous friction, forces of 1 m^2/s^3."""
    a, q = np.zeros((4, 4)), np.zeros((4, 4))
    for i in range(2):
        a[i, i + 2], a[i + 2, i + 2], q[i + 2, i + 2] = 1.0, -0.5, 1.0
    return a, q


def followed(form: ModuleType, steps: float) -> tuple[float, float]:
    """Return the least scaled eigenvalue that a form's covariance ever had, and the last error of place [m].

    A ball passes at 1 m/s, seen 30 times a second to 1 mm; at first its place is known so well, its velocity is not.
    """
    a, q = ball_model()
    x, p, least, rng = np.zeros(4), np.diag((1e-6, 1e-6, 1.0, 1.0)), math.inf, np.random.default_rng(0)
    for k in range(1, 31):
        form.advance(x, p, a, np.zeros(4), q, 1.0 / 30.0, steps, np.empty((2, 4, 4)))
        passed = np.array((-math.expm1(-0.5 * k / 30.0) / 0.5, 0.0))
        least = min(least, smallest(p)) if (np.diag(p) > 0.0).all() else -math.inf
        for i in range(2):
            form.update(x, p, np.eye(4)[i], passed[i] + 1e-3 * rng.normal() - x[i], 1e-6, np.empty((2, 4)))
        least = min(least, smallest(p)) if (np.diag(p) > 0.0).all() else -math.inf
    return least, float(np.hypot(*(x[:2] - passed)))


@pytest.mark.parametrize("steps", [1.0, 10.0])
def test_euler_loses_definiteness_where_the_exact_form_keeps_it(steps: float) -> None:
    """Erratum to Algorithm 2: with 10 sub-steps p is no covariance any more; with one the estimate runs away."""
    least, off = followed(kalman, steps)
    assert least > 1e-4
    assert off < 4e-3
    least, off = followed(euler, steps)
    assert least < 0.0
    if steps == 1.0:
        assert not off < 1.0  # NaN: it has overflowed


def test_with_many_sub_steps_euler_comes_to_the_exact_form() -> None:
    a, q = ball_model()
    rng = np.random.default_rng(3)
    x, p, u = rng.normal(size=4), covariance(rng, 4), rng.normal(size=4)
    want_x, want_p = x.copy(), p.copy()
    kalman.advance(want_x, want_p, a, u, q, 0.1, 1.0, np.empty((2, 4, 4)))
    far = []
    for steps in (10.0, 1000.0):
        y, s = x.copy(), p.copy()
        euler.advance(y, s, a, u, q, 0.1, steps, np.empty((1, 4, 4)))
        far.append(max(np.abs(y - want_x).max(), np.abs(s - want_p).max()))
    assert far[1] < 0.02 * far[0]
    assert far[1] < 1e-3


def test_eq_18_as_printed_gives_no_covariance() -> None:
    """Erratum: P A where P A' is right; the printed one is not even symmetric."""
    a, q = ball_model()
    x, p = np.zeros(4), np.eye(4)
    euler.advance_printed(x, p, a, a.T.copy(), np.zeros(4), q, 0.1, 100.0, np.empty((1, 4, 4)))
    assert np.abs(p - p.T).max() > 0.05
    right = np.eye(4)
    euler.advance(x, right, a, np.zeros(4), q, 0.1, 100.0, np.empty((1, 4, 4)))
    assert right == pytest.approx(right.T, abs=1e-15)


def test_the_printed_densities_do_not_sum_to_one() -> None:
    """Errata: sigma^2 for 2 sigma^2 in the exponent, and 2 pi for (2 pi)^n under the root."""
    x = np.linspace(-9.0, 9.0, 91)
    p = np.zeros((6, 6))
    p[:2, :2] = (1.0, 0.3), (0.3, 0.6)
    wide = np.stack(np.meshgrid(x, x), axis=-1).reshape(-1, 2)
    off, det = (
        np.array(column)
        for column in zip(*(kalman.distance_xy(p, dx, dy, 0.1, 0.1) for dx, dy in wide.tolist()), strict=True)
    )
    volume, printed = np.exp(-0.5 * off).sum() * 0.2**2, np.exp(-off).sum() * 0.2**2
    assert volume / np.sqrt((2.0 * math.pi) ** 2 * det[0]) == pytest.approx(1.0, abs=1e-6)
    assert volume / np.sqrt(2.0 * math.pi * det[0]) > 2.0
    assert printed / np.sqrt((2.0 * math.pi) ** 2 * det[0]) == pytest.approx(0.5, abs=1e-6)


@given(SIZES, SEEDS)
def test_the_printed_sign_after_eq_9_makes_a_measurement_cost_knowledge(n: int, seed: int) -> None:
    """Erratum: + S C' (..)^-1 C S in the first line for -; what follows there is right."""
    rng = np.random.default_rng(seed)
    s, c, r = covariance(rng, n), rng.normal(size=n), 0.5
    x, p = np.zeros(n), s.copy()
    kalman.update(x, p, c, 1.0, r, np.empty((2, n)))
    gained = np.outer(s @ c, c @ s) / (r + c @ s @ c)
    assert p == pytest.approx(s - gained - gained + gained, rel=1e-7, abs=1e-9)
    assert np.trace(s + gained - gained + gained) > np.trace(s) > np.trace(p)


def test_an_innovation_is_y_less_h_of_x_and_not_less_c_x() -> None:
    """Erratum to Eq. 16, by the range to a marker: C x is another number than h(x), and the printed one drives off."""
    marker, true = np.array((3.0, 0.0)), np.array((0.5, 0.2))
    ends = []
    for printed in (False, True):
        x, p = np.zeros(2), 0.25 * np.eye(2)
        for _ in range(20):
            for beacon in (marker, marker[::-1]):
                off = x - beacon
                c = off / np.linalg.norm(off)
                said = c @ x if printed else np.linalg.norm(off)
                kalman.update(x, p, c, float(np.linalg.norm(true - beacon) - said), 1e-4, np.empty((2, 2)))
        ends.append(float(np.linalg.norm(x - true)))
    assert ends[0] < 1e-3
    assert ends[1] > 1.0


def test_our_filter_stays_definite_where_single_precision_does_not_even_in_josephs_form() -> None:
    """Why filters are kept in float64: a velocity known to 100 m/s, a place then seen to 0.1 mm."""
    dt, r = 1.0 / 30.0, 1e-8
    f, c = np.array(((1.0, dt), (0.0, 1.0))), np.array((1.0, 0.0))
    q = 1e-4 * np.array(((dt**3 / 3.0, dt**2 / 2.0), (dt**2 / 2.0, dt)))
    ours, single, least, least_single = np.diag((1.0, 1e4)), np.diag((1.0, 1e4)).astype(np.float32), math.inf, math.inf
    for _ in range(60):
        kalman.propagate(ours, f, q, np.empty((2, 2)))
        kalman.update(np.zeros(2), ours, c, 0.0, r, np.empty((2, 2)))
        single = josephs(single, f.astype(np.float32), q.astype(np.float32), c.astype(np.float32), np.float32(r))
        least, least_single = min(least, smallest(ours)), min(least_single, smallest(single.astype(np.float64)))
    assert least > 0.0 > least_single


def josephs(p: Singles, f: Singles, q: Singles, c: Singles, r: np.float32) -> Singles:
    """Return the covariance a step later, in single precision."""
    p = (f @ p @ f.T + q).astype(np.float32)
    gain = (p @ c / (c @ p @ c + r)).astype(np.float32)
    keep = np.eye(2, dtype=np.float32) - np.outer(gain, c).astype(np.float32)
    p = (keep @ p @ keep.T + r * np.outer(gain, gain)).astype(np.float32)
    return (0.5 * (p + p.T)).astype(np.float32)
