"""First contact of moving and turning boxes against bisection, and of discs against closed forms."""

import math
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mi20_boxes import HALF, contact_by_bisection, gap, outline, ways
from shapely.geometry import Point

from tikitaka.estimate.kernels.sweeping import (
    NEVER,
    disc_box_meeting,
    disc_meeting,
    first_contact,
    separation,
)

angle = st.floats(-3.1, 3.1)
size = st.floats(0.01, 0.1)
place = st.floats(-0.3, 0.3)


@given(place, place, angle, angle, size, size, size, size)
def test_a_gap_is_positive_exactly_where_shapely_sees_two_boxes_apart(
    x: float, y: float, ta: float, tb: float, la: float, wa: float, lb: float, wb: float
) -> None:
    found = gap(np.array((0.0, 0.0, ta)), np.array((x, y, tb)), np.array((la, wa, lb, wb)))
    one, other = outline(0.0, 0.0, ta, la, wa), outline(x, y, tb, lb, wb)
    assert found <= one.distance(other) + 1e-12
    if abs(found) > 1e-9:
        assert (found > 0.0) == (not one.intersects(other))


@given(place, place, angle, angle, size, size)
def test_two_boxes_that_are_moved_apart_by_their_depth_along_the_normal_touch(
    x: float, y: float, ta: float, tb: float, h: float, w: float
) -> None:
    ca, sa, cb, sb = math.cos(ta), math.sin(ta), math.cos(tb), math.sin(tb)
    depth, nx, ny, of_b = separation(x, y, ca, sa, h, w, cb, sb, w, h)
    side = -1.0 if of_b else 1.0
    apart, *_ = separation(x - side * depth * nx, y - side * depth * ny, ca, sa, h, w, cb, sb, w, h)
    assert apart == pytest.approx(0.0, abs=1e-9) or depth > 0.0


@pytest.mark.parametrize(("turn", "pairs", "steps"), [(0.0, 1500, 60), (1.5, 700, 300), (3.0, 300, 400)])
def test_first_contact_is_that_of_bisection(turn: float, pairs: int, steps: int) -> None:
    met = 0
    for a, a1, b, b1, sizes in islice(ways(1, turn), pairs):
        found, slow = first_contact(*a, *a1, *b, *b1, *sizes), contact_by_bisection(a, a1, b, b1, sizes, steps)
        met += slow is not None
        if found < NEVER:  # they touch there, and not before
            assert gap(a + found * (a1 - a), b + found * (b1 - b), sizes) == pytest.approx(0.0, abs=1e-9)
        if slow is not None:
            assert found <= slow + 1e-9
            assert found == pytest.approx(slow, abs=1e-9) or found < slow - 0.5 / steps  # grazed between two steps
    assert met > 0.1 * pairs


def test_two_boxes_that_pass_through_each_other_between_two_pictures_are_found() -> None:
    """At 2.5 m/s each they change places in a frame; a test at the predicted poses alone sees nothing."""
    step = 5.0 / 30.0
    found = first_contact(0.0, 0.0, 0.3, step, 0.0, 0.3, step, 0.0, 0.0, 0.0, 0.0, 0.0, HALF, HALF, HALF, HALF)
    reach = HALF * (1.0 + math.cos(0.3) + math.sin(0.3))
    assert found == pytest.approx(0.5 * (step - reach) / step)
    end = np.array((step, 0.0, 0.3)), np.array((0.0, 0.0, 0.0))
    assert gap(*end, np.full(4, HALF)) > 0.0


@given(angle, angle)
def test_boxes_that_overlap_to_begin_with_touch_at_once(ta: float, tb: float) -> None:
    assert first_contact(0.0, 0.0, ta, 0.1, 0.0, 2.0, 0.0, 0.0, tb, -0.1, 0.3, 1.0, HALF, HALF, HALF, HALF) == 0.0


@given(place, place, place, place, st.floats(0.01, 0.2))
def test_discs_meet_where_the_distance_is_their_reach(x: float, y: float, ux: float, uy: float, reach: float) -> None:
    t = disc_meeting(x, y, ux, uy, reach, 1.0)
    times = np.linspace(0.0, 1.0, 201)
    nearest = np.hypot(x + ux * times, y + uy * times).min()
    if t < NEVER:
        assert math.hypot(x + t * ux, y + t * uy) == pytest.approx(reach, abs=1e-9) or t == 0.0
    else:
        assert nearest >= reach - 1e-12


@given(place, place, place, place, angle, size, size)
def test_a_disc_meets_a_box_where_shapely_says_that_their_distance_is_its_radius(
    x: float, y: float, ux: float, uy: float, theta: float, h: float, w: float
) -> None:
    r, box = 0.05, outline(0.0, 0.0, theta, h, w)
    t = disc_box_meeting(x, y, ux, uy, r, math.cos(theta), math.sin(theta), h, w, 0.0, 1.0)
    steps = np.linspace(0.0, 1.0, 21)
    if t == NEVER:
        assert min(box.distance(Point(x + s * ux, y + s * uy)) for s in steps) >= r - 1e-9
    elif t > 0.0:
        assert box.distance(Point(x + t * ux, y + t * uy)) == pytest.approx(r, abs=1e-9)
        assert min(box.distance(Point(x + s * t * ux, y + s * t * uy)) for s in steps) >= r - 1e-9
    else:
        assert box.distance(Point(x, y)) <= r + 1e-9
