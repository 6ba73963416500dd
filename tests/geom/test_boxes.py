import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import MultiPoint, Point, Polygon

from tikitaka.geom import box_box, box_box_cs, box_extent, boxes_overlap, disc_box, disc_box_cs, disc_disc
from tikitaka.geom.boxes import FLUSH

Box = tuple[float, float, float, float, float]

place = st.floats(-2.0, 2.0).map(lambda v: round(v, 6)) | st.sampled_from([0.0, 0.5, 1.0])
heading = st.floats(-4.0, 4.0) | st.sampled_from([0.0, math.pi / 4, math.pi / 2, math.pi, -math.pi / 2])
half = st.floats(0.05, 1.5) | st.sampled_from([0.25, 0.5, 1.0])
box = st.tuples(place, place, heading, half, half)
radius = st.floats(0.0, 1.0)


def corners(b: Box) -> np.ndarray:
    x, y, theta, hx, hy = b
    c, s = math.cos(theta), math.sin(theta)
    signs = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    return np.array([(x + i * hx * c - j * hy * s, y + i * hx * s + j * hy * c) for i, j in signs])


def signed_distance(p: tuple[float, float], shape: Polygon) -> float:
    d = Point(p).distance(shape.exterior)
    return float(-d if shape.contains(Point(p)) else d)


def minkowski(a: Box, b: Box) -> Polygon:
    """Return b - a: the origin lies in it when the boxes overlap, as deep as they do."""
    return MultiPoint((corners(b)[:, None] - corners(a)[None]).reshape(-1, 2)).convex_hull


@settings(deadline=None, max_examples=300)
@given(place, place, radius, box)
def test_gap_of_a_disc_to_a_box_agrees_with_shapely_inside_and_outside(px: float, py: float, r: float, b: Box) -> None:
    expected = signed_distance((px, py), Polygon(corners(b))) - r
    assert disc_box(px, py, r, *b)[0] == pytest.approx(expected, abs=1e-12)


@settings(deadline=None, max_examples=300)
@given(place, place, radius, box)
def test_a_disc_moved_by_its_gap_along_the_normal_just_touches(px: float, py: float, r: float, b: Box) -> None:
    gap, nx, ny = disc_box(px, py, r, *b)
    assert math.hypot(nx, ny) == pytest.approx(1.0, abs=1e-14)
    assert disc_box(px - gap * nx, py - gap * ny, r, *b)[0] == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("theta", [0.0, 0.3, math.pi / 2])
def test_a_disc_on_the_centre_of_a_box_leaves_by_the_nearer_face(theta: float) -> None:
    gap, nx, ny = disc_box(1.0, 2.0, 0.1, 1.0, 2.0, theta, 0.5, 0.2)
    assert gap == pytest.approx(-0.3)
    assert abs(nx * math.cos(theta) + ny * math.sin(theta)) < 1e-15


def test_a_point_on_the_corner_touches_with_a_defined_normal() -> None:
    gap, nx, ny = disc_box(0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5)
    assert gap == 0.0
    assert math.hypot(nx, ny) == 1.0


@settings(deadline=None, max_examples=300)
@given(box, box)
def test_depth_of_overlapping_boxes_is_that_of_the_minkowski_difference(a: Box, b: Box) -> None:
    gap = box_box(*a, *b)[0]
    expected = signed_distance((0.0, 0.0), minkowski(a, b))
    if expected <= 0.0:
        assert gap == pytest.approx(expected, abs=1e-12)
    else:
        assert expected / math.sqrt(2.0) - 1e-12 <= gap <= expected + 1e-12  # an axis lies within 45 deg of the way


@settings(deadline=None, max_examples=300)
@given(box, box)
def test_boxes_overlap_exactly_when_shapely_says_so(a: Box, b: Box) -> None:
    depth = signed_distance((0.0, 0.0), minkowski(a, b))
    assume(abs(depth) > 1e-9)
    assert boxes_overlap(*a, *b) is (Polygon(corners(a)).intersection(Polygon(corners(b))).area > 0.0)


def test_a_gap_beside_a_face_is_the_distance() -> None:
    gap, nx, ny, *_ = box_box(0.0, 0.0, 0.0, 1.0, 0.5, 2.0, 0.1, math.pi / 4, 0.5, 0.5)
    assert (gap, nx, ny) == pytest.approx((1.0 - math.sqrt(0.5), 1.0, 0.0))


@settings(deadline=None, max_examples=300)
@given(box, box)
def test_swapping_the_boxes_keeps_the_gap_and_turns_the_normal(a: Box, b: Box) -> None:
    gap, nx, ny, *_ = box_box(*a, *b)
    swapped, mx, my, *_ = box_box(*b, *a)
    assert swapped == gap
    assume(not tied(a, b))
    assert (mx, my) == pytest.approx((-nx, -ny), abs=1e-12)


def tied(a: Box, b: Box) -> bool:
    """Return whether two axes separate equally well, so that either normal is right."""
    separations = []
    for axis in (t + quarter * math.pi / 2 for t in (a[2], b[2]) for quarter in range(4)):
        n = np.array([math.cos(axis), math.sin(axis)])
        separations.append((float((corners(b) @ n).min() - (corners(a) @ n).max()), *n.tolist()))
    best = max(separations)
    return any(abs(s[0] - best[0]) < 1e-9 and math.dist(s[1:], best[1:]) > 1e-6 for s in separations)


@settings(deadline=None, max_examples=300)
@given(box, box)
def test_moving_b_out_by_the_depth_just_separates(a: Box, b: Box) -> None:
    gap, nx, ny, *_ = box_box(*a, *b)
    assert math.hypot(nx, ny) == pytest.approx(1.0, abs=1e-14)
    assume(gap < 0.0)
    moved = (b[0] - gap * nx, b[1] - gap * ny, *b[2:])
    assert box_box(*a, *moved)[0] == pytest.approx(0.0, abs=1e-12)


@settings(deadline=None, max_examples=300)
@given(box, box)
def test_the_contact_point_is_the_deepest_point_of_one_box_behind_a_face_of_the_other(a: Box, b: Box) -> None:
    _, nx, ny, qx, qy = box_box(*a, *b)
    n = np.array([nx, ny])
    at, of_a, of_b = float(n @ [qx, qy]), corners(a) @ n, corners(b) @ n
    slack = 2.0 * FLUSH * 1.5 + 1e-12
    assert of_b.min() - 1e-12 <= at <= of_b.min() + slack or of_a.max() - slack <= at <= of_a.max() + 1e-12
    assert min(Polygon(corners(box)).exterior.distance(Point(qx, qy)) for box in (a, b)) < 1e-12


@settings(deadline=None)
@given(heading, st.floats(0.1, 0.9), st.floats(-0.6, 0.6), st.sampled_from([0.0, 1e-5, -1e-5]), st.integers(0, 3))
def test_flush_edges_meet_in_the_middle_of_their_common_part(
    theta: float, depth: float, offset: float, tilt: float, quarter: int
) -> None:
    c, s = math.cos(theta), math.sin(theta)
    forward = 1.0 + 0.3 - depth * 0.1
    hx, hy = (0.3, 0.4) if quarter % 2 == 0 else (0.4, 0.3)
    b = (forward * c - offset * s, forward * s + offset * c, theta + tilt + quarter * math.pi / 2, hx, hy)
    gap, nx, ny, qx, qy = box_box(0.0, 0.0, theta, 1.0, 0.5, *b)
    assert gap == pytest.approx(-0.1 * depth, abs=1e-4)
    assert (nx, ny) == pytest.approx((c, s), abs=1e-4)
    middle = 0.5 * (max(-0.5, offset - 0.4) + min(0.5, offset + 0.4))
    assert -s * qx + c * qy == pytest.approx(middle, abs=1e-4)


def test_a_corner_that_digs_into_a_face_is_the_contact() -> None:
    gap, nx, ny, qx, qy = box_box(0.0, 0.0, 0.0, 1.0, 1.0, 1.6, 0.2, math.pi / 4, 0.5, 0.5)
    reach = math.sqrt(0.5)
    assert (gap, nx, ny, qx, qy) == pytest.approx((1.6 - reach - 1.0, 1.0, 0.0, 1.6 - reach, 0.2))


@settings(deadline=None)
@given(place, place, radius, place, place, radius)
def test_gap_of_discs_is_the_distance_of_their_rims(
    xa: float, ya: float, ra: float, xb: float, yb: float, rb: float
) -> None:
    gap, nx, ny = disc_disc(xa, ya, ra, xb, yb, rb)
    d = math.hypot(xb - xa, yb - ya)
    assert gap == pytest.approx(d - ra - rb, abs=1e-14)
    assert (nx * d, ny * d) == pytest.approx((xb - xa, yb - ya), abs=1e-14)


def test_discs_on_one_another_part_along_x() -> None:
    assert disc_disc(1.0, 2.0, 0.25, 1.0, 2.0, 0.5) == (-0.75, 1.0, 0.0)


@settings(deadline=None)
@given(box, heading)
def test_extent_is_the_reach_of_the_farthest_corner(b: Box, direction: float) -> None:
    n = np.array([math.cos(direction), math.sin(direction)])
    farthest = float((corners((0.0, 0.0, *b[2:])) @ n).max())
    assert box_extent(*b[2:], *n.tolist()) == pytest.approx(farthest, abs=1e-14)


@settings(deadline=None)
@given(box, box)
def test_cosine_and_sine_in_the_place_of_the_heading_change_nothing(a: Box, b: Box) -> None:
    (xa, ya, ta, hxa, hya), (xb, yb, tb, hxb, hyb) = a, b
    ca, sa, cb, sb = math.cos(ta), math.sin(ta), math.cos(tb), math.sin(tb)
    assert box_box_cs(xa, ya, ca, sa, hxa, hya, xb, yb, cb, sb, hxb, hyb) == box_box(*a, *b)
    assert disc_box_cs(xa, ya, 0.1, xb, yb, cb, sb, hxb, hyb) == disc_box(xa, ya, 0.1, *b)
