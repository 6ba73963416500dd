"""The free ball against closed forms, SciPy's integrator and conservation laws."""

import inspect
import itertools
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

import tikitaka
from tikitaka.sim.kernels import rolling
from tikitaka.sim.kernels.rolling import LEAST_BOUNCE, LEAST_SPEED, RX, RY, VX, VY, VZ, X, Y, Z

Ball = tuple[float, float, float, float, float, float, float, float]
Floats = NDArray[np.float64]
G = 9.81
MU, A, E = 0.4, 0.35, 0.55
SPIN = 0.4  # J / (m r^2) of a solid sphere
SCRIPT = Path(__file__).with_name("ball_hash.py")

speeds = st.floats(-8.0, 8.0)
balls = st.tuples(
    st.floats(-5.0, 5.0), st.floats(-5.0, 5.0), speeds, speeds, st.floats(0.0, 1.0), speeds, speeds, speeds
)
on_the_ground = balls.map(lambda b: (*b[:4], 0.0, 0.0, *b[6:]))
grounds = st.builds(
    lambda mu, a, c, e: ground(mu=mu, a=a, c=c, e=e),
    st.floats(0.05, 1.0),
    st.sampled_from([0.0, 0.05, 0.35, 2.0]),
    st.sampled_from([0.0, 1e-9, 0.01, 0.3, 5.0]),
    st.floats(0.0, 0.9),
)


def ground(*, mu: float = MU, a: float = A, c: float = 0.0, e: float = E) -> Floats:
    return np.array((mu, a, c, G, e))


def glide(ball: Ball, t: float, on: Floats) -> Ball:
    return rolling.glide(*ball, t, on)


def rolls(vx: float, vy: float = 0.0) -> Ball:
    return (0.0, 0.0, vx, vy, 0.0, 0.0, vx, vy)


def energy(ball: Ball) -> float:
    """Return kinetic and potential energy over the mass."""
    linear = ball[VX] ** 2 + ball[VY] ** 2 + ball[VZ] ** 2
    return 0.5 * (linear + SPIN * (ball[RX] ** 2 + ball[RY] ** 2)) + G * ball[Z]


def turned(ball: Ball, angle: float) -> Ball:
    c, s = math.cos(angle), math.sin(angle)
    pairs = [(ball[i], ball[i + 1]) for i in (X, VX, RX)]
    (x, y), (vx, vy), (rx, ry) = [(c * p - s * q, s * p + c * q) for p, q in pairs]
    return (x, y, vx, vy, ball[Z], ball[VZ], rx, ry)


@given(x=st.floats(0.0, 800.0))
@example(x=0.5)
@example(x=math.nextafter(0.5, 1.0))
@settings(deadline=None)
def test_own_exponential_and_its_integrals_have_all_digits(x: float) -> None:
    keep, p, q = rolling.relax(x)
    assert keep == pytest.approx(math.exp(-x), rel=2e-15, abs=1e-300)
    assert p == pytest.approx(-math.expm1(-x) / x if x > 1e-300 else 1.0, rel=2e-15)
    exact = (x + math.expm1(-x)) / x**2 if x > 0.05 else 0.5 - x / 6 + x**2 / 24 - x**3 / 120 + x**4 / 720 - x**5 / 5040
    assert q == pytest.approx(exact, rel=1e-12)


@given(y=st.floats(0.0, 1e12))
@settings(deadline=None)
def test_own_logarithm_has_all_digits(y: float) -> None:
    assert rolling.log1p(y) == pytest.approx(math.log1p(y), rel=1e-15)


@given(v=st.floats(0.01, 8.0), a=st.floats(0.01, 5.0), part=st.floats(0.0, 1.0))
@settings(deadline=None)
def test_coulomb_friction_takes_speed_evenly_and_stops_after_v2_over_2a(v: float, a: float, part: float) -> None:
    t = part * v / a
    during, after = glide(rolls(v), t, ground(a=a)), glide(rolls(v), v / a * (1.0 + 1e-12), ground(a=a))
    assert during[VX] == pytest.approx(v - a * t, abs=1e-14)
    assert during[X] == pytest.approx(v * t - 0.5 * a * t * t, rel=1e-13)
    assert after[X] == pytest.approx(v * v / (2.0 * a), rel=1e-14)
    assert after[VX:] == (0.0,) * 6


@given(v=st.floats(0.01, 8.0), c=st.floats(0.01, 5.0), t=st.floats(0.0, 9.0))
@example(v=0.00025, c=0.5, t=3.0)
@settings(deadline=None)
def test_klancar_eq16_damping_alone_decays_exponentially(v: float, c: float, t: float) -> None:
    ball = glide(rolls(v), t, ground(a=0.0, c=c))
    if v * math.exp(-c * t) > 1.001 * LEAST_SPEED:
        assert ball[VX] == pytest.approx(v * math.exp(-c * t), rel=1e-13)
        assert ball[X] == pytest.approx(v * -math.expm1(-c * t) / c, rel=1e-13)
    elif v * math.exp(-c * t) < 0.999 * LEAST_SPEED:
        assert ball[VX] == 0.0
        assert ball[X] == pytest.approx((v - LEAST_SPEED) / c, rel=1e-9)


def test_klancar_eq16_coefficient_divides_by_seven_fifths_of_the_mass() -> None:
    f_d, m = 0.02, 0.046
    c = f_d / (1.4 * m)
    done = solve_ivp(lambda _, s: (s[1], -s[1] * f_d / (m + SPIN * m)), (0.0, 1.5), (0.0, 2.0), rtol=1e-11, atol=1e-13)
    ball = glide(rolls(2.0), 1.5, ground(a=0.0, c=c))
    assert (ball[X], ball[VX]) == pytest.approx(tuple(done.y[:, -1]), rel=1e-9)


@given(v=st.floats(0.01, 8.0), a=st.floats(0.01, 5.0), c=st.floats(1e-6, 5.0))
@settings(deadline=None)
def test_both_frictions_stop_the_ball_at_the_time_and_place_of_the_closed_form(v: float, a: float, c: float) -> None:
    y = c * v / a
    stop, way = math.log1p(y) / c, (y - math.log1p(y)) * a / c**2 if y > 1e-3 else (0.5 - y / 3 + y * y / 4) * v * v / a
    before, after = glide(rolls(v), stop * (1.0 - 1e-9), ground(a=a, c=c)), glide(rolls(v), 1e3, ground(a=a, c=c))
    assert 0.0 < before[VX] < 2e-9 * (v + a * stop)
    assert after[VX:] == (0.0,) * 6
    assert after[X] == pytest.approx(way, rel=1e-9)


@pytest.mark.parametrize("t", [0.1, 0.7, 1.9])
@pytest.mark.parametrize(("a", "c"), [(0.35, 0.0), (0.0, 0.6), (0.35, 0.6), (1.5, 0.01)])
def test_rolling_agrees_with_scipy(t: float, a: float, c: float) -> None:
    def slope(_: float, s: Floats) -> list[float]:
        speed = math.hypot(s[2], s[3])
        return [s[2], s[3], -c * s[2] - a * s[2] / speed, -c * s[3] - a * s[3] / speed]

    done = solve_ivp(slope, (0.0, t), (0.0, 0.0, 3.0, -2.0), method="DOP853", rtol=1e-12, atol=1e-13)
    assert glide(rolls(3.0, -2.0), t, ground(a=a, c=c))[:4] == pytest.approx(tuple(done.y[:, -1]), rel=1e-10)


@given(v=st.floats(0.1, 10.0), mu=st.floats(0.05, 1.0))
@settings(deadline=None)
def test_a_kicked_ball_rolls_at_five_sevenths_of_its_speed_after_the_closed_time_and_way(v: float, mu: float) -> None:
    kicked, on = (0.0, 0.0, v, 0.0, 0.0, 0.0, 0.0, 0.0), ground(mu=mu)
    t = 2.0 * v / (7.0 * mu * G)
    before, after = glide(kicked, t * (1.0 - 1e-9), on), glide(kicked, t * (1.0 + 1e-12), on)
    assert before[VX] - before[RX] == pytest.approx(1e-9 * v, rel=1e-5)
    assert after[VX] == after[RX] == pytest.approx(5.0 / 7.0 * v, rel=1e-11)
    assert after[X] == pytest.approx(12.0 / 49.0 * v * v / (mu * G), rel=1e-11)


def test_a_sliding_ball_agrees_with_scipy_of_centre_and_spin() -> None:
    start = (0.0, 0.0, 3.0, -2.0, 0.0, 0.0, -1.0, 1.5)

    def slope(_: float, s: Floats) -> list[float]:
        ux, uy = s[2] - s[4], s[3] - s[5]
        bx, by = MU * G * ux / math.hypot(ux, uy), MU * G * uy / math.hypot(ux, uy)
        return [s[2], s[3], -bx, -by, bx / SPIN, by / SPIN]

    s0 = [start[i] for i in (X, Y, VX, VY, RX, RY)]
    done = solve_ivp(slope, (0.0, 0.3), s0, method="DOP853", rtol=1e-12, atol=1e-13)
    ball = glide(start, 0.3, ground())
    assert [ball[i] for i in (X, Y, VX, VY, RX, RY)] == pytest.approx(list(done.y[:, -1]), rel=1e-10)


@given(ball=on_the_ground, mu=st.floats(0.05, 1.0))
@settings(deadline=None)
def test_friction_on_the_ground_keeps_the_angular_momentum_about_the_contact(ball: Ball, mu: float) -> None:
    slip = math.hypot(ball[VX] - ball[RX], ball[VY] - ball[RY])
    after = glide(ball, 0.9 * slip / (3.5 * mu * G), ground(mu=mu))
    for v, r in ((VX, RX), (VY, RY)):
        assert after[v] + SPIN * after[r] == pytest.approx(ball[v] + SPIN * ball[r], abs=1e-13)


def test_a_ball_with_back_spin_comes_back() -> None:
    ball = glide((0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -4.0, 0.0), 10.0, ground(a=0.1))
    assert ball[X] < 0.0


def test_without_friction_a_sliding_ball_goes_straight_on() -> None:
    assert glide((0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 0.0), 2.0, ground(mu=0.0)) == (4.0, 2.0, 2.0, 1.0, 0, 0, 0, 0)


@given(vx=st.floats(0.0, 8.0), vz=st.floats(0.5, 8.0))
@settings(deadline=None)
def test_a_chip_has_the_apex_and_range_of_a_throw(vx: float, vz: float) -> None:
    chip = (0.0, 0.0, vx, 0.0, 0.0, vz, 0.0, 0.0)
    top, land = glide(chip, vz / G, ground()), glide(chip, 2.0 * vz / G * (1.0 - 1e-12), ground())
    assert top[Z] == pytest.approx(vz**2 / (2.0 * G), rel=1e-12)
    assert top[VZ] == pytest.approx(0.0, abs=1e-13)
    assert land[X] == pytest.approx(2.0 * vx * vz / G, rel=1e-11)
    assert land[Z] == pytest.approx(0.0, abs=1e-10)


@given(height=st.floats(0.2, 2.0), e=st.floats(0.3, 0.9))
@settings(deadline=None)
def test_bounces_fall_by_restitution_squared(height: float, e: float) -> None:
    fall, w = math.sqrt(2.0 * height / G), math.sqrt(2.0 * G * height)
    times = [fall + w * e / G, fall + 2.0 * w * e / G + w * e * e / G]
    tops = [glide((0.0, 0.0, 0.0, 0.0, height, 0.0, 0.0, 0.0), t, ground(e=e))[Z] for t in times]
    assert tops == pytest.approx([e**2 * height, e**4 * height], rel=1e-9)


@given(w=st.floats(0.0, 6.0), e=st.floats(0.0, 0.9), v=st.floats(-6.0, 6.0), r=st.floats(-6.0, 6.0))
@settings(deadline=None)
def test_a_bounce_turns_slip_into_rolling_as_far_as_friction_reaches(w: float, e: float, v: float, r: float) -> None:
    ball = glide((0.0, 0.0, v, 0.0, 0.0, -w, r, 0.0), 0.0, ground(e=e, mu=0.2, a=0.0))
    up = e * w if e * w >= LEAST_BOUNCE else 0.0
    assert ball[VZ] == pytest.approx(up)
    assert v + SPIN * r == pytest.approx(ball[VX] + SPIN * ball[RX], abs=1e-12)
    full, most = (v - r) * 2.0 / 7.0, 0.2 * (w + up)
    assert v - ball[VX] == pytest.approx(min(max(full, -most), most), abs=1e-12)


def test_er_force_loses_two_sevenths_at_the_first_hop_and_nothing_later() -> None:
    """Their measured factors: 0.715 at the first contact, 1 at later ones."""
    first = glide((0.0, 0.0, 4.0, 0.0, 0.0, 4.0, 0.0, 0.0), 8.0 / G + 1e-9, ground())
    second = glide(first, 2.0 * first[VZ] / G + 1e-9, ground())
    assert first[VX] / 4.0 == pytest.approx(0.715, abs=1e-3)
    assert second[VX] == first[VX]


@given(ball=balls, on=grounds, t=st.lists(st.floats(0.0, 3.0), min_size=2, max_size=5))
@settings(deadline=None, max_examples=300)
def test_energy_never_grows(ball: Ball, on: Floats, t: list[float]) -> None:
    energies = [energy(glide(ball, at, on)) for at in [0.0, *sorted(t)]]
    assert energies[0] <= energy(ball) * (1.0 + 1e-14)
    assert all(late <= early + 1e-13 * energy(ball) for early, late in itertools.pairwise(energies))


@given(ball=balls, on=grounds, first=st.floats(0.0, 2.0), second=st.floats(0.0, 2.0))
@settings(deadline=None, max_examples=300)
def test_two_steps_are_one_step(ball: Ball, on: Floats, first: float, second: float) -> None:
    twice, once = glide(glide(ball, first, on), second, on), glide(ball, first + second, on)
    same = [twice[i] == pytest.approx(once[i], abs=1e-9) for i in (X, Y, Z, RX, RY)]
    around = (first + second + 1e-9, max(0.0, first + second - 1e-9))
    at_a_bounce = max(abs(glide(ball, t, on)[VZ] - once[VZ]) for t in around) > 1e-3
    assert all(same) or at_a_bounce


@given(ball=balls, on=grounds, t=st.floats(0.0, 3.0))
@settings(deadline=None, max_examples=300)
def test_the_place_is_continuous_in_time(ball: Ball, on: Floats, t: float) -> None:
    a, b = glide(ball, t, on), glide(ball, t + 1e-9, on)
    assert math.dist((a[X], a[Y], a[Z]), (b[X], b[Y], b[Z])) < 25e-9


@given(ball=balls, on=grounds, t=st.floats(0.0, 3.0), angle=st.floats(-4.0, 4.0))
@settings(deadline=None)
def test_no_direction_is_special(ball: Ball, on: Floats, t: float, angle: float) -> None:
    assert glide(turned(ball, angle), t, on) == pytest.approx(turned(glide(ball, t, on), angle), abs=1e-9)


@given(ball=balls, on=grounds)
@settings(deadline=None)
def test_every_ball_comes_to_rest_exactly_and_stays(ball: Ball, on: Floats) -> None:
    if on[rolling.ROLLING] == 0.0:
        on[rolling.ROLLING] = 0.02
    rest = glide(ball, 2000.0, on)
    assert rest[VX:] == (0.0,) * 6
    assert glide(rest, 5.0, on) == rest


@given(ball=balls, on=grounds, t=st.floats(0.0, 5.0))
@settings(deadline=None)
def test_the_ball_is_never_under_the_ground(ball: Ball, on: Floats, t: float) -> None:
    assert glide(ball, t, on)[Z] >= 0.0


def test_the_last_moment_of_a_flight_is_not_under_the_ground() -> None:
    chips = [(0.0, 0.0, 0.0, 0.0, 0.1, 1.0 + 0.01 * i, 0.0, 0.0) for i in range(300)]
    falls = [math.nextafter((c[VZ] + math.sqrt(c[VZ] * c[VZ] + 2.0 * G * c[Z])) / G, 0.0) for c in chips]
    ends = [glide(chip, t, ground()) for chip, t in zip(chips, falls, strict=True)]
    assert all(0.0 <= end[Z] < 1e-14 and end[VZ] < 0.0 for end in ends)


def test_small_steps_over_a_whole_chip_end_where_one_step_ends() -> None:
    ball = chip = (0.0, 0.0, 3.0, 1.0, 0.0, 3.5, 0.0, 0.0)
    for _ in range(5 * 240):
        ball = glide(ball, 1.0 / 240.0, ground(c=0.05))
    assert ball == pytest.approx(glide(chip, 5.0, ground(c=0.05)), abs=1e-10)


def hash_of_results(disable_jit: str) -> str:
    source = str(Path(inspect.getfile(tikitaka)).parents[1])
    env = {**os.environ, "NUMBA_DISABLE_JIT": disable_jit, "PYTHONPATH": source}
    done = subprocess.run([sys.executable, str(SCRIPT)], env=env, capture_output=True, text=True, check=True)
    return done.stdout


def test_compiled_and_interpreted_balls_agree_to_the_last_bit() -> None:
    compiled = hash_of_results("0")
    assert len(compiled) == 64
    assert compiled == hash_of_results("1")
