"""Impulses between robots against conservation laws; each erratum of the paper beside its printed formula."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from mi20_boxes import HALF, INERTIA, MASS, outline
from shapely.geometry import Point

from tikitaka.estimate.kernels.response import (
    Motion,
    Touch,
    Weights,
    box_touch,
    closing,
    disc_box_touch,
    disc_touch,
    inertia,
    respond,
)

ROBOTS: Weights = (1.0 / MASS, 1.0 / INERTIA, 1.0 / MASS, 1.0 / INERTIA)
WALL: Weights = (1.0 / MASS, 1.0 / INERTIA, 0.0, 0.0)
STILL: Motion = (0.0, 0.0, 0.0)
angle = st.floats(-math.pi, math.pi)
speed = st.floats(-3.0, 3.0)
motion = st.tuples(speed, speed, st.floats(-20.0, 20.0))
bounce = st.floats(0.0, 1.0)


def touching(ta: float, tb: float, bearing: float) -> tuple[Touch, float, float]:
    """Return how two robots touch that were moved together along a bearing, and d."""
    far = 1.0
    for _ in range(60):  # until the gap is none
        dx, dy = far * math.cos(bearing), far * math.sin(bearing)
        touch = touch_at(dx, dy, ta, tb)
        far -= touch[0]
    return touch, dx, dy


def touch_at(dx: float, dy: float, ta: float, tb: float) -> Touch:
    return box_touch(dx, dy, math.cos(ta), math.sin(ta), HALF, HALF, math.cos(tb), math.sin(tb), HALF, HALF)


def energy(va: Motion, vb: Motion) -> float:
    return 0.5 * sum(MASS * (v[0] ** 2 + v[1] ** 2) + INERTIA * v[2] ** 2 for v in (va, vb))


def momentum(va: Motion, vb: Motion, dx: float, dy: float) -> tuple[float, float, float]:
    """Return both components, and the angular momentum about the centre of a."""
    turning = INERTIA * (va[2] + vb[2]) + MASS * (dx * vb[1] - dy * vb[0])
    return MASS * (va[0] + vb[0]), MASS * (va[1] + vb[1]), turning


def speeds(va: Motion, vb: Motion, touch: Touch, dx: float, dy: float) -> list[float]:
    """Return the closing speeds at the points of contact."""
    _, nx, ny, count, x1, y1, x2, y2 = touch
    return [closing(va, vb, nx, ny, x, y, dx, dy) for x, y in ((x1, y1), (x2, y2))[:count]]


@given(motion, motion, angle, angle, angle, bounce, st.sampled_from((0.0, 0.3)))
def test_momentum_stays_and_energy_never_grows(
    va: Motion, vb: Motion, ta: float, tb: float, bearing: float, e: float, mu: float
) -> None:
    touch, dx, dy = touching(ta, tb, bearing)
    after_a, after_b, _ = respond(va, vb, ROBOTS, touch, dx, dy, e, mu)
    assert momentum(after_a, after_b, dx, dy) == pytest.approx(momentum(va, vb, dx, dy), abs=1e-12)
    assert energy(after_a, after_b) <= energy(va, vb) * (1.0 + 1e-12) + 1e-15
    if e == 1.0 and mu == 0.0:
        assert energy(after_a, after_b) == pytest.approx(energy(va, vb), rel=1e-9)


@given(motion, motion, angle, angle, angle, bounce)
def test_a_corner_parts_from_an_edge_with_its_share_of_the_closing_speed(
    va: Motion, vb: Motion, ta: float, tb: float, bearing: float, e: float
) -> None:
    touch, dx, dy = touching(ta, tb, bearing)
    assume(touch[3] == 1)
    [before] = speeds(va, vb, touch, dx, dy)
    after_a, after_b, told = respond(va, vb, ROBOTS, touch, dx, dy, e, 0.0)
    assert told == before
    if before > 0.0:  # [MI20, Eq. 9]
        assert speeds(after_a, after_b, touch, dx, dy)[0] == pytest.approx(-e * before, abs=1e-9)
    else:  # the paper has no such check; half of the overlaps that noise makes are separating
        assert (after_a, after_b) == (va, vb)


@given(angle, angle, angle)
def test_the_normal_points_from_a_to_b_and_the_points_lie_on_both_outlines(
    ta: float, tb: float, bearing: float
) -> None:
    touch, dx, dy = touching(ta, tb, bearing)
    gap, nx, ny, count, *points = touch
    assert gap == pytest.approx(0.0, abs=1e-9)
    assert math.hypot(nx, ny) == pytest.approx(1.0)
    assert dx * nx + dy * ny > 0.0
    edges = [outline(0.0, 0.0, ta, HALF, HALF).exterior, outline(dx, dy, tb, HALF, HALF).exterior]
    for x, y in (points[:2], points[2:])[:count]:
        assert all(edge.distance(Point(x, y)) < 6e-4 for edge in edges)  # SKIN


@given(st.floats(-0.07, 0.07), speed.filter(lambda v: v > 0.01), bounce, angle)
def test_edge_on_edge_touches_at_two_points_and_both_stop(aside: float, v: float, e: float, theta: float) -> None:
    c, s = math.cos(theta), math.sin(theta)
    dx, dy = 2.0 * HALF * c - aside * s, 2.0 * HALF * s + aside * c
    touch = touch_at(dx, dy, theta, theta)
    assert touch[3] == 2
    va: Motion = (v * c, v * s, 0.0)
    after_a, after_b, _ = respond(va, STILL, ROBOTS, touch, dx, dy, e, 0.0)
    assert speeds(after_a, after_b, touch, dx, dy) == pytest.approx([-e * v] * 2, abs=1e-9)
    assert after_a[2] == pytest.approx(after_b[2], abs=1e-9)  # they turn together
    assert momentum(after_a, after_b, dx, dy) == pytest.approx(momentum(va, STILL, dx, dy), abs=1e-12)


def test_equal_robots_head_on_exchange_their_velocities_if_nothing_is_lost() -> None:
    touch = touch_at(2.0 * HALF, 0.0, 0.0, math.pi)
    after_a, after_b, told = respond((1.5, 0.0, 0.0), (-0.5, 0.0, 0.0), ROBOTS, touch, 2.0 * HALF, 0.0, 1.0, 0.2)
    assert told == pytest.approx(2.0)
    assert (*after_a, *after_b) == pytest.approx((-0.5, 0.0, 0.0, 1.5, 0.0, 0.0), abs=1e-12)


@given(motion, angle, st.floats(0.0, 0.5), bounce)
def test_at_a_wall_the_corner_stops_or_bounces(va: Motion, theta: float, mu: float, e: float) -> None:
    reach = HALF * (abs(math.cos(theta)) + abs(math.sin(theta)))
    dx, wall = reach + 1.0, (1.0, 0.0, 1.0, 5.0)  # two metres thick
    touch = box_touch(dx, 0.3, math.cos(theta), math.sin(theta), HALF, HALF, *wall)
    assert touch[1:3] == pytest.approx((1.0, 0.0), abs=1e-9)
    before = speeds(va, STILL, touch, dx, 0.3)
    after, stands, _ = respond(va, STILL, WALL, touch, dx, 0.3, e, 0.0)
    assert stands == STILL
    if max(before) > 0.0 and touch[3] == 1:
        assert speeds(after, STILL, touch, dx, 0.3)[0] == pytest.approx(-e * before[0], abs=1e-9)
    rubbed, _, _ = respond(va, STILL, WALL, touch, dx, 0.3, e, mu)
    assert energy(rubbed, STILL) <= energy(va, STILL) * (1.0 + 1e-12)


@given(angle, speed, speed, bounce)
def test_discs_keep_what_moves_along_the_tangent(bearing: float, vx: float, vy: float, e: float) -> None:
    r, c, s = 0.09, math.cos(bearing), math.sin(bearing)
    dx, dy = 2.0 * r * c, 2.0 * r * s
    touch = disc_touch(dx, dy, r, r)
    after_a, after_b, _ = respond((vx, vy, 5.0), STILL, ROBOTS, touch, dx, dy, e, 0.0)
    assert vy * c - vx * s == pytest.approx(after_a[1] * c - after_a[0] * s, abs=1e-12)
    normal = vx * c + vy * s
    expected = 0.5 * (1.0 + e) * max(0.0, normal)
    assert after_b[0] * c + after_b[1] * s == pytest.approx(expected, abs=1e-12)
    assert (after_a[2], after_b[2]) == pytest.approx((5.0, 0.0), abs=1e-9)


def test_a_disc_touches_a_box_at_its_nearest_point() -> None:
    gap, nx, ny, count, x, y, *_ = disc_box_touch(0.2, 0.0, 0.05, 1.0, 0.0, 0.1, 0.1)
    assert (gap, nx, ny, count) == pytest.approx((0.05, 1.0, 0.0, 1))
    assert (x, y) == pytest.approx((0.05, 0.0))


def test_friction_stops_the_slip_where_it_is_strong_and_takes_its_share_where_it_is_not() -> None:
    touch = touch_at(2.0 * HALF, 0.0, 0.0, 0.0)
    va: Motion = (1.0, 2.0, 0.0)
    weak, other, _ = respond(va, STILL, ROBOTS, touch, 2.0 * HALF, 0.0, 0.0, 0.1)
    assert MASS * other[1] == pytest.approx(0.1 * MASS * other[0])  # Coulomb's share of the impulse
    assert weak[1] < 2.0
    strong, other, _ = respond(va, STILL, ROBOTS, touch, 2.0 * HALF, 0.0, 0.0, 100.0)
    slip = strong[1] + strong[2] * HALF - other[1] + other[2] * HALF
    assert slip == pytest.approx(0.0, abs=1e-9)


# what the paper prints, and what comes of it

LONG, SLIM = 0.06, 0.02  # [m] half sizes of a robot that is no square
LONG_INERTIA = inertia(MASS, LONG, SLIM)


def slim_touch(dx: float, dy: float, ta: float, tb: float) -> Touch:
    return box_touch(dx, dy, math.cos(ta), math.sin(ta), LONG, SLIM, math.cos(tb), math.sin(tb), LONG, SLIM)


def printed_impulse(va: Motion, vb: Motion, touch: Touch, dx: float, dy: float, e: float, along: bool) -> float:
    """Return j of [MI20, Eq. 16] between equal robots; ``along``: with r . n as printed, else with r_perp . n."""
    _, nx, ny, _, x, y, *_ = touch
    c = closing(va, vb, nx, ny, x, y, dx, dy)
    arm_a = x * nx + y * ny if along else x * ny - y * nx
    arm_b = (x - dx) * nx + (y - dy) * ny if along else (x - dx) * ny - (y - dy) * nx
    return (1.0 + e) * c / (2.0 / MASS + (arm_a**2 + arm_b**2) / LONG_INERTIA)


def pushed(va: Motion, vb: Motion, touch: Touch, dx: float, dy: float, j: float) -> tuple[Motion, Motion]:
    _, nx, ny, _, x, y, *_ = touch
    arm_a, arm_b = x * ny - y * nx, (x - dx) * ny - (y - dy) * nx
    return (
        (va[0] - j * nx / MASS, va[1] - j * ny / MASS, va[2] - j * arm_a / LONG_INERTIA),
        (vb[0] + j * nx / MASS, vb[1] + j * ny / MASS, vb[2] + j * arm_b / LONG_INERTIA),
    )


def contacts(count: int) -> list[tuple[Motion, Motion, Touch, float, float]]:
    """Return corner contacts of slim robots that come together."""
    rng, found = np.random.default_rng(0), list[tuple[Motion, Motion, Touch, float, float]]()
    while len(found) < count:
        ta, tb, bearing = rng.uniform(-math.pi, math.pi, 3)
        far = 1.0
        for _ in range(60):
            dx, dy = far * math.cos(bearing), far * math.sin(bearing)
            touch = slim_touch(dx, dy, ta, tb)
            far -= touch[0]
        va, vb = (tuple(rng.normal(0.0, (1.0, 1.0, 5.0)).tolist()) for _ in range(2))
        if touch[3] == 1 and speeds(va, vb, touch, dx, dy)[0] > 0.0:
            found.append((va, vb, touch, dx, dy))
    return found


@pytest.mark.parametrize("along", [False, True])
def test_eq_16_as_printed_makes_energy_and_with_r_perp_does_not(along: bool) -> None:
    made, missed, cases = 0, 0.0, contacts(400)
    slim: Weights = (1.0 / MASS, 1.0 / LONG_INERTIA, 1.0 / MASS, 1.0 / LONG_INERTIA)
    for va, vb, touch, dx, dy in cases:
        j = printed_impulse(va, vb, touch, dx, dy, 0.9, along)
        after = pushed(va, vb, touch, dx, dy, j)
        made += slim_energy(*after) > slim_energy(va, vb) * (1.0 + 1e-9)
        before = speeds(va, vb, touch, dx, dy)[0]
        missed = max(missed, abs(speeds(*after, touch, dx, dy)[0] + 0.9 * before))
        if not along:
            assert after[0] == pytest.approx(respond(va, vb, slim, touch, dx, dy, 0.9, 0.0)[0])
    assert (made > 0.05 * len(cases)) == along
    assert (missed > 0.1) == along


def slim_energy(va: Motion, vb: Motion) -> float:
    return 0.5 * sum(MASS * (v[0] ** 2 + v[1] ** 2) + LONG_INERTIA * v[2] ** 2 for v in (va, vb))


def test_eq_15_as_printed_takes_the_wrong_sign_of_omega_b() -> None:
    """With a plus before omega_B a turning robot's edge that leaves seems to come."""
    touch = touch_at(2.0 * HALF, 0.02, 0.0, 0.3)
    _, nx, ny, _, x, y, *_ = touch
    turning: Motion = (0.0, 0.0, 3.0)
    rx, ry = x - 2.0 * HALF, y - 0.02
    plus = -(turning[0] * nx + turning[1] * ny) + turning[2] * (-ry * nx + rx * ny)  # as printed, v_A = 0
    true = closing(STILL, turning, nx, ny, x, y, 2.0 * HALF, 0.02)
    step = 1e-7  # the gap says who is right
    rate = (touch_at(2.0 * HALF, 0.02, 0.0, 0.3 + 3.0 * step)[0] - touch[0]) / step
    assert -rate == pytest.approx(true, abs=1e-4)
    assert plus == pytest.approx(-true)


def test_eq_13_is_meant_with_full_sizes() -> None:
    xs = (np.arange(400) + 0.5) / 400 * 2.0 * HALF - HALF
    x, y = np.meshgrid(xs, 0.5 * xs)
    assert inertia(MASS, HALF, 0.5 * HALF) == pytest.approx(MASS * np.mean(x * x + y * y), rel=1e-4)
    printed = MASS / 12.0 * (HALF**2 + HALF**2)  # with l and w as sec. V defines them
    assert printed == pytest.approx(0.25 * inertia(MASS, HALF, HALF))
    assert inertia(MASS, HALF, HALF) == pytest.approx(INERTIA)


def test_with_the_normal_of_the_wrong_owner_robots_that_collide_are_drawn_into_each_other() -> None:
    va, vb, touch, dx, dy = contacts(1)[0]
    wrong: Touch = (touch[0], -touch[1], -touch[2], *touch[3:])
    assert speeds(va, vb, wrong, dx, dy)[0] < 0.0  # seems to part
    j = printed_impulse(va, vb, wrong, dx, dy, 0.0, along=False)
    assert j < 0.0  # the print has no check: an impulse that pulls


def test_half_of_the_overlaps_that_noise_makes_are_separating() -> None:
    rng, parting, met = np.random.default_rng(2), 0, 0
    for _ in range(3000):
        ta, tb, bearing = rng.uniform(-math.pi, math.pi, 3)
        _, dx, dy = touching(ta, tb, bearing)
        noisy = touch_at(dx + rng.normal(0.0, 1e-3), dy + rng.normal(0.0, 1e-3), ta, tb)
        if noisy[0] < 0.0:
            met += 1
            va, vb = ((*rng.normal(0.0, 1.0, 2).tolist(), 0.0) for _ in range(2))
            parting += speeds(va, vb, noisy, dx, dy)[0] < 0.0
    assert 0.4 < parting / met < 0.6
