"""Obstacles against shapely and against slow twins that sample."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point, box
from shapely.geometry.base import BaseGeometry

from tikitaka.plan.kernels import leaving, shapes
from tikitaka.plan.kernels.shapes import BOX, CAPSULE, CIRCLE, FIELD
from tikitaka.types import Floats

numbers = st.integers(-20000, 20000).map(lambda k: 1e-4 * k)  # shapely fails at subnormal lengths
places = st.tuples(numbers, numbers)
sizes = st.floats(0.05, 1.0)
radii = st.floats(0.01, 0.6)
Place = tuple[float, float]


@st.composite
def obstacles(draw: st.DrawFn) -> Floats:
    kind, (x, y), r = draw(st.sampled_from((CIRCLE, CAPSULE, BOX))), draw(places), draw(radii)
    if kind == CIRCLE:
        return np.array((x, y, x, y, r, kind))
    if kind == CAPSULE:
        return np.array((x, y, *draw(places), r, kind))
    return np.array((x, y, x + draw(sizes), y + draw(sizes), r, kind))


def core(o: Floats) -> BaseGeometry:
    """Return what an obstacle is all points within r of."""
    if o[5] == CIRCLE:
        return Point(o[0], o[1])
    return LineString([o[:2], o[2:4]]) if o[5] == CAPSULE else box(*o[:4])


def along(p: Place, q: Place, count: int = 400) -> list[Place]:
    return [(p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])) for s in np.linspace(0.0, 1.0, count)]


@settings(deadline=None, max_examples=400)
@given(obstacles(), places)
def test_outside_the_core_the_depth_is_the_radius_less_the_distance(o: Floats, p: Place) -> None:
    distance = core(o).distance(Point(p))
    if distance > 0.0:
        assert shapes.depth(o, *p) == pytest.approx(o[4] - distance, abs=1e-12)
    else:
        assert shapes.depth(o, *p) >= o[4] - 1e-12


@settings(deadline=None, max_examples=200)
@given(places, sizes, sizes, radii, st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_inside_a_box_the_depth_counts_from_the_nearest_side(
    corner: Place, w: float, h: float, r: float, s: float, t: float
) -> None:
    o = np.array((*corner, corner[0] + w, corner[1] + h, r, BOX))
    p = corner[0] + s * w, corner[1] + t * h
    assert shapes.depth(o, *p) == pytest.approx(r + core(o).exterior.distance(Point(p)), abs=1e-9)


@settings(deadline=None, max_examples=600)
@given(obstacles(), places, places)
def test_a_move_touches_what_comes_nearer_than_the_radius(o: Floats, p: Place, q: Place) -> None:
    gap = core(o).distance(LineString([p, q])) - o[4]
    if abs(gap) > 1e-9:
        assert shapes.touches(o, *p, *q) == (gap < 0.0)


@settings(deadline=None, max_examples=300)
@given(places, places)
def test_the_field_holds_those_outside(p: Place, q: Place) -> None:
    o = np.array((-1.0, -0.5, 1.0, 0.5, 0.0, FIELD))
    within = box(-1.0, -0.5, 1.0, 0.5)
    assert shapes.depth(o, *p) == pytest.approx(
        within.distance(Point(p)) if not within.contains(Point(p)) else -within.exterior.distance(Point(p)), abs=1e-12
    )
    assert shapes.touches(o, *p, *q) == (max(shapes.depth(o, *p), shapes.depth(o, *q)) > 0.0)


@settings(deadline=None, max_examples=600)
@given(obstacles(), st.floats(0.0, 1.0), st.floats(-math.pi, math.pi), places)
def test_a_move_deepens_where_any_of_its_points_is_deeper_than_the_first(
    o: Floats, share: float, angle: float, q: Place
) -> None:
    cx, cy = 0.5 * (o[0] + o[2]), 0.5 * (o[1] + o[3])
    p = cx + share * o[4] * math.cos(angle), cy + share * o[4] * math.sin(angle)
    depths = [shapes.depth(o, *at) for at in along(p, q)]
    if depths[0] <= 0.0:
        return
    rise = max(depths) - depths[0]
    if shapes.deepens(o, *p, *q, math.inf):
        assert rise > -1e-12  # a rise that begins and ends between two samples is not seen
        assert shapes.slope(o, *p, q[0] - p[0], q[1] - p[1]) > 0.0
    else:
        assert rise <= 1e-9
    assert not shapes.deepens(o, *p, *q, depths[0])  # deep enough: any way is free


@settings(deadline=None, max_examples=200)
@given(obstacles(), places, st.floats(-math.pi, math.pi))
def test_the_slope_is_that_of_finite_differences(o: Floats, p: Place, angle: float) -> None:
    ux, uy, h = math.cos(angle), math.sin(angle), 1e-6
    before, after = (shapes.depth(o, p[0] + s * h * ux, p[1] + s * h * uy) for s in (-1.0, 1.0))
    here = shapes.depth(o, *p)
    if abs(before - 2.0 * here + after) < 1e-11 and shapes.depth(o, *p) < o[4] - 1e-3:  # smooth here
        assert shapes.slope(o, *p, ux, uy) == pytest.approx((after - before) / (2.0 * h), abs=1e-3)


@settings(deadline=None, max_examples=200)
@given(obstacles(), places)
def test_the_way_out_is_the_steepest(o: Floats, p: Place) -> None:
    nx, ny = shapes.way_out(o, *p)
    assert math.hypot(nx, ny) == pytest.approx(1.0)
    for angle in np.linspace(0.0, 2.0 * math.pi, 32):
        assert shapes.slope(o, *p, nx, ny) <= shapes.slope(o, *p, math.cos(angle), math.sin(angle)) + 1e-9


def test_erratum_leaving_one_obstacle_does_not_pay_for_entering_another() -> None:
    """[ERForce, Eq. 3] as printed adds the depths of all obstacles, and goes negative once one of them is left."""
    two = np.array(((0.0, 0.0, 0.0, 0.0, 0.3, CIRCLE), (0.8, 0.0, 0.8, 0.0, 0.5, CIRCLE)))
    p, q = (0.29, 0.0), (0.45, 0.0)  # in both; on to the right, out of the first and deeper into the second
    printed = [sum(shapes.depth(o, *at) for o in two) for at in (p, q)]
    assert printed[1] <= printed[0] + 1e-12
    assert not shapes.allowed(two, 2, *p, *q, 1.0)


def test_erratum_the_whole_move_counts_not_its_end_alone() -> None:
    """[ERForce, Eq. 4] as printed tests other obstacles at the end of a move: it would jump across one."""
    wall = np.array(((0.0, -1.0, 0.0, 1.0, 0.05, CAPSULE),))
    assert shapes.depth(wall[0], 0.5, 0.0) < 0.0
    assert not shapes.allowed(wall, 1, -0.5, 0.0, 0.5, 0.0, 1.0)


@settings(deadline=None, max_examples=400)
@given(obstacles(), places, places)
def test_what_is_apart_by_its_box_is_touched_by_no_move(o: Floats, p: Place, q: Place) -> None:
    (x0, x1), (y0, y1) = sorted((p[0], q[0])), sorted((p[1], q[1]))
    if shapes.apart(o[None], 0, x0, x1, y0, y1):
        assert not shapes.touches(o, *p, *q)
        assert max(shapes.depth(o, *p), shapes.depth(o, *q)) < 1e-12


@settings(deadline=None)
@given(places, radii, st.floats(0.0, 0.999), st.floats(-math.pi, math.pi), st.floats(-math.pi, math.pi))
def test_a_ray_leaves_a_circle_at_its_rim(centre: Place, r: float, share: float, at: float, angle: float) -> None:
    o = np.array((*centre, *centre, r, CIRCLE))
    x, y = centre[0] + share * r * math.cos(at), centre[1] + share * r * math.sin(at)
    s = leaving.leaves_one(o, x, y, math.cos(angle), math.sin(angle), 100.0)
    assert s >= 0.0
    assert shapes.depth(o, x + s * math.cos(angle), y + s * math.sin(angle)) == pytest.approx(0.0, abs=1e-12)
    assert leaving.leaves_one(o, x, y, math.cos(angle), math.sin(angle), 0.5 * s) == 0.5 * s
