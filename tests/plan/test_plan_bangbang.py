"""The fastest motions: along an axis against envelopes of speed, in the plane against laws and a scan of all shares."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from tikitaka.plan.kernels import bangbang
from tikitaka.plan.kernels.bangbang import AX, AY, FROM, PIECES, UNTIL, VX, VY, WIDTH, X, Y
from tikitaka.types import Floats

places = st.floats(-4.0, 4.0)
speeds = st.floats(-3.0, 3.0)
limits = st.floats(0.5, 4.0)
Vector = tuple[float, float]


def move(
    start: Vector, velocity: Vector, target: Vector, end: Vector = (0.0, 0.0), v: float = 2.0, a: float = 3.0
) -> Floats:
    rows = np.full((2 * PIECES, WIDTH), np.nan)
    return rows[: bangbang.motion(rows, 0, 0.0, *start, *velocity, *target, *end, v, a)]


def duration(rows: Floats) -> float:
    return float(rows[-1, UNTIL]) if len(rows) else 0.0


def ends(rows: Floats) -> Floats:
    """Return place and velocity (n, 4) at the end of each piece."""
    h = (rows[:, UNTIL] - rows[:, FROM])[:, None]
    p, v, a = rows[:, [X, Y]], rows[:, [VX, VY]], rows[:, [AX, AY]]
    return np.hstack((p + h * v + 0.5 * h * h * a, v + h * a))


def farthest(t: float, u0: float, u1: float, v: float, a: float) -> float:
    """Return how far one gets in a time t, at every moment as fast as start, end and limit allow (trapezoid rule).

    Who starts above the limit has to brake down to it: that raises the limit at first.
    """
    s = np.linspace(0.0, t, 4001)
    limit = np.maximum(v, u0 - a * s)
    speed = np.minimum(np.minimum(u0 + a * s, u1 + a * (t - s)), limit)
    return float(np.trapezoid(speed, s))


@given(d=places, u0=speeds, u1=st.floats(-0.5, 0.5), v=limits, a=limits)
def test_an_axis_takes_the_least_time(d: float, u0: float, u1: float, v: float, a: float) -> None:
    """A time is enough if the way lies between the farthest back and forth; that of the ramps is, less is not."""
    t = bangbang.axis_time(d, u0, u1, v, a)

    def enough(t: float) -> bool:
        if t < abs(u1 - u0) / a - 1e-9:
            return False
        error = a * (t / 4000.0) ** 2 + 1e-8  # of the trapezoid rule, where the speed has corners
        return -farthest(t, -u0, -u1, v, a) - error <= d <= farthest(t, u0, u1, v, a) + error

    assert enough(t)
    assert not any(enough(t * (1.0 - part) - 0.01) for part in (0.0, 0.02, 0.1, 0.3, 0.6) if t > 0.011)


@given(d=places, u0=speeds, u1=st.floats(-0.5, 0.5), v=limits, a=limits)
def test_an_axis_arrives_and_obeys_its_limits(d: float, u0: float, u1: float, v: float, a: float) -> None:
    p, t1, t2, t3 = bangbang.ramps(d, u0, u1, v, a)
    assert min(t1, t2, t3) >= 0.0
    assert abs(p) <= v
    assert 0.5 * (u0 + p) * t1 + p * t2 + 0.5 * (p + u1) * t3 == pytest.approx(d, abs=2e-9)
    assert abs(p - u0) == pytest.approx(a * t1)
    assert abs(u1 - p) == pytest.approx(a * t3, abs=1e-9)


def test_an_axis_in_closed_forms() -> None:
    assert bangbang.axis_time(1.0, 0.0, 0.0, 9.0, 1.0) == pytest.approx(2.0)  # 2 sqrt(d / a)
    assert bangbang.axis_time(10.0, 0.0, 0.0, 2.0, 1.0) == pytest.approx(7.0)  # d / v + v / a
    assert bangbang.axis_time(0.0, 1.0, 0.0, 9.0, 1.0) == pytest.approx(1.0 + math.sqrt(2.0))  # there, and back again
    assert bangbang.axis_time(0.5, 1.0, 0.0, 9.0, 1.0) == pytest.approx(1.0)  # one braking
    assert bangbang.axis_time(0.0, 0.0, 0.0, 1.0, 1.0) == 0.0


@given(p=st.tuples(places, places), q=st.tuples(places, places), w=st.tuples(speeds, speeds), v=limits, a=limits)
def test_a_motion_arrives_hangs_together_and_obeys_its_limits(
    p: Vector, q: Vector, w: Vector, v: float, a: float
) -> None:
    rows = move(p, w, q, v=v, a=a)
    assume(len(rows) > 0)
    after = ends(rows)
    assert len(rows) <= PIECES
    assert rows[0, [X, Y, VX, VY]] == pytest.approx((*p, *w), abs=1e-9)
    assert after[-1] == pytest.approx((*q, 0.0, 0.0), abs=1e-8)
    assert after[:-1] == pytest.approx(rows[1:, [X, Y, VX, VY]], abs=1e-9)
    assert rows[:-1, UNTIL] == pytest.approx(rows[1:, FROM])
    assert (rows[:, UNTIL] > rows[:, FROM]).all()
    assert np.hypot(rows[:, AX], rows[:, AY]).max() <= a * (1.0 + 1e-9)
    speed = np.hypot(after[:, 2], after[:, 3])
    assert speed.max() <= max(v, math.hypot(*w)) * (1.0 + 1e-9)  # and between: speed is convex within a piece


@given(p=st.tuples(places, places), q=st.tuples(places, places), v=limits, a=limits)
def test_from_rest_it_is_the_straight_line_in_the_least_time(p: Vector, q: Vector, v: float, a: float) -> None:
    d = math.dist(p, q)
    assume(d > 1e-3)
    rows = move(p, (0.0, 0.0), q, v=v, a=a)
    assert duration(rows) == pytest.approx(bangbang.axis_time(d, 0.0, 0.0, v, a), abs=2e-4)
    across = np.array((p[1] - q[1], q[0] - p[0])) / d
    assert (ends(rows)[:, :2] - p) @ across == pytest.approx(0.0, abs=1e-3 * d)


@given(q=st.tuples(places, places), part=st.floats(0.05, 0.95))
def test_the_rest_of_a_motion_from_rest_is_the_motion_from_there(q: Vector, part: float) -> None:
    assume(math.hypot(*q) > 0.1)
    rows = move((0.0, 0.0), (0.0, 0.0), q)
    t, end = part * duration(rows), duration(rows)
    x, y, vx, vy = bangbang.state(rows, len(rows), t)
    assert duration(move((x, y), (vx, vy), q)) == pytest.approx(end - t, abs=1e-3)


def random_tasks(count: int, fastest: float) -> Iterator[tuple[Vector, Vector]]:
    """Return distances of up to 0.5 m and of up to 4 m, and velocities up to `fastest`."""
    rng = np.random.default_rng(1)
    for i in range(count):
        dx, dy = rng.uniform(-1.0, 1.0, 2) * (0.5 if i % 2 else 4.0)
        speed, course = fastest * math.sqrt(rng.uniform()), rng.uniform(-math.pi, math.pi)
        yield (dx, dy), (speed * math.cos(course), speed * math.sin(course))


def test_the_rest_of_a_motion_is_hardly_ever_slower_than_the_motion() -> None:
    """Two shares may let both axes arrive together, and the slower one be found."""
    late = []
    for q, w in random_tasks(1500, 2.0):
        rows = move((0.0, 0.0), w, q)
        end = duration(rows)
        for part in (0.1, 0.3, 0.6):
            x, y, vx, vy = bangbang.state(rows, len(rows), part * end)
            late.append((duration(move((x, y), (vx, vy), q)) + part * end) / end)
    assert np.quantile(late, 0.9) < 1.0005
    assert np.quantile(late, 0.99) < 1.01
    assert max(late) < 1.15


@given(q=st.tuples(places, places), w=st.tuples(speeds, speeds))
def test_mirrors_and_quarter_turns_hold(q: Vector, w: Vector) -> None:
    rows = move((0.0, 0.0), w, q)
    mirrored = move((0.0, 0.0), (-w[0], w[1]), (-q[0], q[1]))
    assert mirrored * [1, -1, 1, -1, 1, -1, 1, 1, 1] == pytest.approx(rows)
    turned = move((0.0, 0.0), (-w[1], w[0]), (-q[1], q[0]))
    assert duration(turned) == pytest.approx(duration(rows), abs=1e-3)


def test_hardly_ever_another_share_is_faster() -> None:
    """A fine scan of all shares is the judge; velocities are up to a fifth above the limit."""
    v, a = 2.0, 3.0
    late = []
    for q, w in random_tasks(600, 1.2 * v):
        best = math.inf
        for share in np.linspace(-0.9998, 0.9998, 300):
            tx, ty = bangbang._both_times(*q, *w, 0.0, 0.0, v, a, share)
            best = min(best, max(tx, ty) + bangbang.slowing(*w, v, a, share)[2])
        late.append(duration(move((0.0, 0.0), w, q)) / best)
    assert np.quantile(late, 0.9) < 1.001
    assert np.quantile(late, 0.99) < 1.015
    assert max(late) < 1.15


@given(q=st.tuples(places, places), w=st.tuples(speeds, speeds))
def test_no_motion_beats_one_axis_alone(q: Vector, w: Vector) -> None:
    assume(math.hypot(*w) <= 2.0 and math.hypot(*q) > 1e-6)
    t = duration(move((0.0, 0.0), w, q))
    for turn in (0.0, 0.3, 0.8, 1.2, 1.6, 2.5):
        c, s = math.cos(turn), math.sin(turn)
        alone = bangbang.axis_time(c * q[0] + s * q[1], c * w[0] + s * w[1], 0.0, 2.0, 3.0)
        assert t >= alone - 1e-6


def test_the_pieces_integrate_to_where_they_say() -> None:
    rows = move((0.3, -1.0), (1.5, -2.5), (-2.0, 1.0))

    def slope(t: float, s: Floats) -> list[float]:
        i = max(int(np.searchsorted(rows[:, FROM], t, side="right")) - 1, 0)
        return [s[2], s[3], rows[i, AX], rows[i, AY]]

    y0 = (0.3, -1.0, 1.5, -2.5)
    solved = solve_ivp(slope, (0.0, duration(rows)), y0, max_step=1e-3, rtol=1e-9, dense_output=True)
    for t in np.linspace(0.0, duration(rows), 23):
        assert bangbang.state(rows, len(rows), t) == pytest.approx(solved.sol(t), abs=2e-3)


@given(far=st.floats(0.5, 4.0), angle=st.floats(-3.1, 3.1), speed=st.floats(0.1, 2.0), along=st.floats(0.0, 1.0))
def test_who_drives_through_the_target_is_there_with_that_speed(
    far: float, angle: float, speed: float, along: float
) -> None:
    u = np.array((math.cos(angle), math.sin(angle)))
    assume(speed**2 <= (along * speed) ** 2 + 6.0 * far)
    rows = move((0.0, 0.0), tuple(along * speed * u), tuple(far * u), tuple(speed * u))
    least = 2e-4 * 2.0  # [m/s] what an axis gets at least; whose part of the end speed is less than that comes to rest
    assert ends(rows)[-1, :2] == pytest.approx(far * u, abs=1e-6)
    assert ends(rows)[-1, 2:] == pytest.approx(speed * u, abs=least)
    assert duration(rows) == pytest.approx(bangbang.axis_time(far, along * speed, speed, 2.0, 3.0), abs=1e-3)


@given(q=st.tuples(places, places), w=st.tuples(speeds, speeds), end=st.tuples(speeds, speeds))
def test_an_end_velocity_that_cannot_be_had_is_less_but_the_place_is_right(q: Vector, w: Vector, end: Vector) -> None:
    rows = move((0.0, 0.0), w, q, end)
    assume(len(rows) > 0)
    after = ends(rows)
    assert after[-1, :2] == pytest.approx(q, abs=1e-6)
    assert (after[-1, 2:] * end >= -1e-9).all()
    assert (np.abs(after[-1, 2:]) <= np.abs(end) + 1e-9).all()
    assert np.hypot(after[:, 2], after[:, 3]).max() <= max(2.0, math.hypot(*w)) * (1.0 + 1e-9)


def test_braking_waiting_and_cutting() -> None:
    rows = np.zeros((4, WIDTH))
    n = bangbang.brake(rows, 0, 1.0, 0.0, 0.0, 3.0, 4.0, 5.0)
    assert bangbang.state(rows, n, 2.0) == pytest.approx((1.5, 2.0, 0.0, 0.0))
    n = bangbang.wait(rows, n, 2.0, 3.0, 1.5, 2.0)
    assert (n, rows[1, UNTIL]) == (2, 3.0)
    assert bangbang.state(rows, n, 2.5) == pytest.approx((1.5, 2.0, 0.0, 0.0))
    n = bangbang.cut(rows, n, 1.5)
    assert (n, rows[0, UNTIL]) == (1, 1.5)
    assert bangbang.state(rows, n, 9.0) == pytest.approx((1.125, 1.5, 1.5, 2.0))
    assert bangbang.cut(rows, n, 1.0) == 0
