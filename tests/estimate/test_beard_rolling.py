"""The rolling, sliding, flying ball: closed forms against integration, Jacobians against finite differences."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from tikitaka.estimate.kernels import flight, rolling
from tikitaka.types import Floats

COULOMB, VISCOUS = rolling.COULOMB, rolling.VISCOUS
SPEED = st.floats(0.05, 6.0)
ANGLE = st.floats(-math.pi, math.pi)
TIME = st.floats(0.001, 3.0)
KIND = st.sampled_from([COULOMB, VISCOUS])


def law(kind: float, slide: float = 0.0) -> Floats:
    return np.array((kind, slide, 9.81, 0.0, 0.0, 0.0, 10.0))


def ball(speed: float, angle: float, mu: float, spin: tuple[float, float] | None = None) -> Floats:
    v = speed * math.cos(angle), speed * math.sin(angle)
    return np.array((0.3, -0.2, *v, mu, 0.0, 0.0, *(v if spin is None else spin)))


def moved(x: Floats, t: float, rule: Floats) -> Floats:
    x = x.copy()
    rolling.move(x, t, rule)
    return x


def differences(x: Floats, t: float, rule: Floats, rolls: bool) -> Floats:
    """Return the (5, 5) Jacobian of moving by central differences; a ball that rolls does so at any velocity."""
    columns = []
    for j in range(5):
        h = 1e-6
        ends = []
        for sign in (1.0, -1.0):
            y = x.copy()
            y[j] += sign * h
            if rolls:
                y[7:] = y[2:4]
            ends.append(moved(y, t, rule)[:5])
        columns.append((ends[0] - ends[1]) / (2.0 * h))
    return np.stack(columns, axis=1)


@given(SPEED, ANGLE, st.floats(0.05, 2.0), TIME, KIND)
def test_a_rolling_ball_is_the_integral_of_its_friction_and_stops(
    speed: float, angle: float, mu: float, t: float, kind: float
) -> None:
    x = ball(speed, angle, mu)
    stop = speed / mu if kind == COULOMB else math.inf
    end = moved(x, t, law(kind))
    way = solve_ivp(
        lambda _, y: (y[1], -mu if kind == COULOMB else -mu * y[1]),
        (0.0, min(t, stop)),
        (0.0, speed),
        rtol=1e-10,
        atol=1e-12,
    ).y
    assert math.hypot(*(end[:2] - x[:2])) == pytest.approx(way[0, -1], rel=1e-6, abs=2e-4 if kind == VISCOUS else 1e-8)
    if t >= stop:
        assert (end[2:4] == 0.0).all()
    elif way[1, -1] > 2e-4:
        assert math.hypot(*end[2:4]) == pytest.approx(way[1, -1], rel=1e-6)


@given(SPEED, ANGLE, st.floats(0.05, 2.0), TIME, KIND)
def test_the_jacobian_of_rolling_is_that_of_finite_differences_also_past_the_stop(
    speed: float, angle: float, mu: float, t: float, kind: float
) -> None:
    x, rule = ball(speed, angle, mu), law(kind)
    if kind == COULOMB:
        assume(abs(t - speed / mu) > 1e-4)
    else:
        assume(abs(speed * math.exp(-mu * t) - rolling.LEAST_SPEED) > 1e-5)
    f, g = np.empty((7, 7)), np.empty((7, 7))
    rolling.jacobian(x, t, rule, 0.0, f, g)
    assert f[:5, :5] == pytest.approx(differences(x, t, rule, rolls=True), abs=2e-5)


@given(SPEED, ANGLE, st.floats(0.05, 1.0), st.floats(0.01, 2.0), KIND, st.floats(-2.0, 2.0), st.floats(-2.0, 2.0))
def test_the_jacobian_of_sliding_and_then_rolling_is_that_of_finite_differences(
    speed: float, angle: float, mu: float, t: float, kind: float, rx: float, ry: float
) -> None:
    x, rule = ball(speed, angle, mu, (rx, ry)), law(kind, 3.0)
    slip = math.hypot(x[2] - rx, x[3] - ry)
    assume(slip > 0.05 and abs(t - rolling.slide_time(x, rule)) > 1e-4)
    left = math.hypot(*moved(x, t, rule)[2:4])
    assume(left > 1e-2)
    f, g = np.empty((7, 7)), np.empty((7, 7))
    rolling.jacobian(x, t, rule, 0.0, f, g)
    assert f[:5, :5] == pytest.approx(differences(x, t, rule, rolls=False), abs=2e-4)


@given(SPEED, ANGLE, st.floats(0.0, 1.0), st.floats(0.01, 1.0), st.floats(0.01, 1.0), KIND)
def test_two_steps_are_one(speed: float, angle: float, mu: float, t: float, u: float, kind: float) -> None:
    x, rule = ball(speed, angle, mu, (0.4, -0.3)), law(kind, 3.0)
    assert moved(moved(x, t, rule), u, rule) == pytest.approx(moved(x, t + u, rule), abs=1e-9)


def test_a_kicked_ball_rolls_at_five_sevenths() -> None:
    x, rule = ball(3.5, 0.0, 0.0, (0.0, 0.0)), law(COULOMB, 2.5)
    slides = rolling.slide_time(x, rule)
    assert slides == pytest.approx(3.5 / (3.5 * 2.5))
    assert moved(x, slides, rule)[2:4] == pytest.approx((2.5, 0.0))


def test_the_printed_friction_column_has_the_wrong_sign() -> None:
    """Erratum to sec. 3.2: d v' / d mu = -v; printed is +v, and more friction would speed the ball up."""
    x, t = ball(1.0, 0.3, 0.5), 1e-4
    f, g = np.empty((7, 7)), np.empty((7, 7))
    rolling.jacobian(x, t, law(VISCOUS), 0.0, f, g)
    slope = differences(x, t, law(VISCOUS), rolls=True)[2:4, 4] / t
    assert f[2:4, 4] / t == pytest.approx(slope, rel=1e-3)
    assert slope == pytest.approx(-x[2:4], rel=1e-3)


@given(st.floats(0.0, 3.0), st.floats(0.001, 1.5), st.floats(0.1, 10.0))
def test_noise_of_a_viscous_ball_is_van_loans(mu: float, t: float, q: float) -> None:
    a = np.array(((0.0, 1.0), (0.0, -mu)))
    block = expm(np.block([[-a, np.diag((0.0, q))], [np.zeros((2, 2)), a.T]]) * t)
    want = block[2:, 2:].T @ block[:2, 2:]
    p = np.zeros((7, 7))
    rolling.scatter(p, mu, VISCOUS, q, 0.3, t)
    assert p[0::2, 0::2][:2, :2] == pytest.approx(want, rel=1e-5)
    assert p[1:4:2, 1:4:2] == pytest.approx(want, rel=1e-5)
    assert p[4, 4] == pytest.approx(0.3 * t)


def test_doubt_about_the_velocity_keeps_the_jacobian_near_rest_that_of_a_moving_ball() -> None:
    x = ball(0.0, 0.0, 0.5)
    f, g = np.empty((7, 7)), np.empty((7, 7))
    rolling.jacobian(x, 0.03, law(COULOMB), 1.0, f, g)
    assert f[2, 2] == pytest.approx(1.0, abs=0.02)
    assert f[0, 2] == pytest.approx(0.03, rel=0.02)
    rolling.jacobian(x, 0.03, law(COULOMB), 0.0, f, g)
    assert f[2, 2] == 0.0  # one that rests rests


CAMERA = np.array((0.4, -0.3, 4.0, 5.0))


def flown(x: Floats, t: float, e: float) -> Floats:
    """Return the state after t, with one landing on the way where there is one."""
    x, f, rule = x.copy(), np.empty((7, 7)), law(COULOMB)
    down = flight.landing(x, rule)
    if down > t:
        flight.fly(x, t, rule, f)
    else:
        flight.fly(x, down, rule, f)
        flight.land(x, e, rule, f)
        flight.fly(x, t - down, rule, f)
    return x


@given(st.floats(0.5, 4.0), ANGLE, st.floats(1.0, 4.0), st.floats(0.05, 0.95), st.booleans())
def test_the_jacobian_of_flight_and_landing_is_that_of_finite_differences(
    speed: float, angle: float, lift: float, share: float, lands: bool
) -> None:
    x, e, rule = ball(speed, angle, 0.3, (0.0, 0.0)), 0.6, law(COULOMB)
    x[5], x[6] = 0.05, lift
    down = flight.landing(x, rule)
    t = down * share if not lands else down + share * 2.0 * e * lift / 9.81 * 0.8
    f, g, k = np.empty((7, 7)), np.empty((7, 7)), np.empty((7, 7))
    y = x.copy()
    flight.fly(y, min(t, down), rule, f)
    if lands:
        flight.land(y, e, rule, g)
        flight.fly(y, t - down, rule, k)
        f = k @ g @ f
    h = 1e-6
    steps = [np.eye(9)[j] * h for j in range(7)]
    want = np.stack([(flown(x + d, t, e) - flown(x - d, t, e))[:7] / (2.0 * h) for d in steps], axis=1)
    assert f == pytest.approx(want, abs=1e-5)


@given(st.floats(-2.0, 2.0), st.floats(-2.0, 2.0), st.floats(0.0, 2.0))
def test_a_flying_ball_is_seen_on_the_line_from_the_camera(x: float, y: float, z: float) -> None:
    state = np.array((x, y, 1.0, 0.0, 0.3, z, 1.0, 0.0, 0.0))
    h = np.empty((2, 7))
    gx, gy = flight.sight_rows(state, CAMERA, h)
    up, eye = np.array((x, y, z)), CAMERA[:3]
    assert np.cross(up - eye, np.array((gx, gy, 0.0)) - eye) == pytest.approx(np.zeros(3), abs=1e-9)
    for j in (0, 1, 5):
        d = np.eye(9)[j] * 1e-6
        tried = [state + d, state - d]
        ends = np.array([flight.apparent(s[0], s[1], s[5], CAMERA)[:2] for s in tried])
        if z > 1e-5:
            assert h[:, j] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-6)


@given(st.floats(1.5, 4.5), ANGLE, st.floats(1.0, 4.0), st.integers(0, 1000))
def test_a_fit_finds_the_flight_that_the_camera_saw(lift: float, angle: float, speed: float, seed: int) -> None:
    rng, path, a = np.random.default_rng(seed), np.zeros((10, 3)), np.empty((6, 6))
    v = speed * math.cos(angle), speed * math.sin(angle)
    for k in range(10):
        t = 0.016 * (k + 0.5)
        seen = flight.apparent(0.5 + v[0] * t, 0.2 + v[1] * t, lift * t - 4.905 * t * t, CAMERA)[:2]
        path[k] = (1.0 + t, *(np.array(seen) + 1e-9 * rng.normal(size=2)))
    left = flight.fit(path, 10, 1.0, 9.81, 1.0, CAMERA, a)
    assert 0.0 <= left < 1e-12
    assert a[:5, 5] == pytest.approx((0.5, 0.2, *v, lift), abs=2e-3)
