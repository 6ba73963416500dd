"""The configuration diagram against brute force, and the pre-collision point against bisection."""

import math
from typing import Any

import numpy as np
import pytest
from mi20_boxes import contact_by_bisection, gap, outline, ways
from shapely.geometry import Point, Polygon

from tikitaka.estimate.kernels import diagram
from tikitaka.estimate.kernels.diagram import cut
from tikitaka.estimate.kernels.sweeping import NEVER
from tikitaka.types import Floats

octagon: Any = diagram.octagon  # these are handed whole arrays of sizes
zonotope: Any = diagram.zonotope
before_collision: Any = diagram.before_collision
SIZES = np.array((0.04, 0.03, 0.05, 0.035))
ANGLES = np.radians((3.0, 20.0, 45.0, 70.0, 90.0, 110.0, 120.0, 150.0, 177.0))


def printed_octagon(gamma: float, li: float, wi: float, lj: float, wj: float) -> Floats:
    """Return the corners as the paper prints them [MI20, sec. V]."""
    cos, sin = math.cos(gamma), math.sin(gamma)
    ri, rj = (wj + wi * cos) / sin, (wi + wj * cos) / sin
    qi, qj = (wj - wi * cos) / sin, (wi - wj * cos) / sin
    half = [(-ri - li, -rj - lj), (-ri + li, -rj - lj), (qi + li, -qj - lj), (ri + li, rj - lj)]
    return np.array(half + [(-x, -y) for x, y in half])


def ours(gamma: float) -> Polygon:
    corners = np.empty((8, 2))
    octagon(gamma, *SIZES, corners)
    return Polygon(corners)


def wrongly_placed(region: Polygon, gamma: float, ti: float, tj: float) -> int:
    """Return how many of some configurations lie in the region but do not overlap, or the other way round."""
    rng, wrong = np.random.default_rng(0), 0
    x0, y0, x1, y1 = region.bounds
    for si, sj in rng.uniform((1.2 * x0, 1.2 * y0), (1.2 * x1, 1.2 * y1), (150, 2)):
        at = Point(si, sj)
        if region.exterior.distance(at) > 1e-9:
            i = outline(si, 0.0, ti, *SIZES[:2])
            j = outline(sj * math.cos(gamma), sj * math.sin(gamma), tj, *SIZES[2:])
            wrong += i.intersects(j) != region.contains(at)
    return wrong


@pytest.mark.parametrize("gamma", ANGLES)
def test_the_octagon_holds_exactly_the_configurations_that_overlap(gamma: float) -> None:
    region = ours(gamma)
    assert region.exterior.is_ccw
    assert wrongly_placed(region, gamma, 0.0, gamma) == 0
    assert wrongly_placed(region, -gamma, 0.0, -gamma) == 0  # gamma is unsigned


@pytest.mark.parametrize("gamma", ANGLES)
def test_the_printed_corners_hold_up_to_90_degrees_only(gamma: float) -> None:
    printed = Polygon(printed_octagon(gamma, *SIZES)).buffer(0)
    off = printed.symmetric_difference(ours(gamma)).area / ours(gamma).area
    assert (off < 1e-9) == (gamma <= math.radians(90.0) + 1e-9)


def test_of_squares_at_120_degrees_the_printed_corners_miss_42_percent() -> None:
    corners = np.empty((8, 2))
    octagon(math.radians(120.0), 1.0, 1.0, 1.0, 1.0, corners)
    region, printed = Polygon(corners), Polygon(printed_octagon(math.radians(120.0), 1.0, 1.0, 1.0, 1.0)).buffer(0)
    assert printed.symmetric_difference(region).area / region.area == pytest.approx(0.42, abs=0.01)


@pytest.mark.parametrize("gamma", ANGLES)
@pytest.mark.parametrize("slips", [(0.0, 0.0), (0.3, 0.0), (-1.2, 0.7), (0.5 * math.pi, 2.0)])
def test_the_zonotope_holds_exactly_the_configurations_that_overlap(gamma: float, slips: tuple[float, float]) -> None:
    corners = np.empty((8, 2))
    ti, tj = slips[0], gamma + slips[1]
    zonotope(1.0, 0.0, ti, *SIZES[:2], math.cos(gamma), math.sin(gamma), tj, *SIZES[2:], corners)
    assert Polygon(corners).exterior.is_ccw
    assert wrongly_placed(Polygon(corners), gamma, ti, tj) == 0


@pytest.mark.parametrize("gamma", np.linspace(0.02, 3.12, 63))
def test_octagon_and_zonotope_are_the_same_region_without_slip(gamma: float) -> None:
    corners = np.empty((8, 2))
    zonotope(1.0, 0.0, 0.0, *SIZES[:2], math.cos(gamma), math.sin(gamma), gamma, *SIZES[2:], corners)
    assert Polygon(corners).hausdorff_distance(ours(gamma)) < 1e-12


def test_the_joint_line_is_cut_where_it_enters_not_where_it_leaves() -> None:
    square = np.array(((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)))
    assert cut(square, -2.0, 0.0, 2.0, 0.0) == pytest.approx(0.25)
    assert cut(square, 2.0, 0.0, -2.0, 0.0) == pytest.approx(0.25)
    assert cut(square, -2.0, 0.0, -1.5, 0.0) == NEVER
    assert cut(square, -2.0, 3.0, 2.0, 3.0) == NEVER
    assert cut(square, 0.5, 0.0, 9.0, 0.0) == 0.0


def test_the_point_before_a_collision_is_that_of_bisection_in_10000_contacts() -> None:
    corners, met, worst = np.empty((8, 2)), 0, 0.0
    for number, (a, a1, b, b1, sizes) in enumerate(ways(7, 0.0)):
        kind = number % 4
        if kind == 1:  # along the headings, forwards or backwards
            a[2] = a1[2] = math.atan2(a1[1] - a[1], a1[0] - a[0])
            b[2] = b1[2] = math.atan2(b[1] - b1[1], b[0] - b1[0])
        elif kind == 2:  # parallel paths
            b1[:2] = b[:2] + (number % 3 - 1) * (a1[:2] - a[:2])
        if gap(a, b, sizes) <= 1e-6:
            continue
        part = before_collision(*a, *a1[:2], *b, *b1[:2], *sizes, corners)
        deep = min(gap(a + s * (a1 - a), b + s * (b1 - b), sizes) for s in (0.25, 0.5, 0.75, 1.0))
        if part == NEVER:
            assert deep > 0.0  # no contact is without an answer
            continue
        touching = gap(a + part * (a1 - a), b + part * (b1 - b), sizes)
        assert touching == pytest.approx(0.0, abs=1e-9)
        if met % 10 == 0:
            slow = contact_by_bisection(a, a1, b, b1, sizes, 50)
            way = max(np.hypot(*(a1 - a)[:2]), np.hypot(*(b1 - b)[:2]))
            worst = max(worst, way * abs(part - slow) if slow is not None else 0.0)
        met += 1
        if met == 10_000:
            break
    assert worst < 1e-6


def test_of_contacts_at_2_5_metres_a_second_a_sixth_would_tunnel_without_the_sweep() -> None:
    """SAT at the predicted poses alone, as the paper has it, sees robots only that still overlap there."""
    rng, met, unseen = np.random.default_rng(3), 0, 0
    sizes, corners = np.full(4, 0.0375), np.empty((8, 2))
    while met < 1500:
        ta, tb = rng.uniform(-math.pi, math.pi, 2)
        a, b = np.array((0.0, 0.0, ta)), np.array((*rng.uniform(-0.25, 0.25, 2), tb))
        a1 = a + 2.5 / 30.0 * np.array((math.cos(ta), math.sin(ta), 0.0))
        b1 = b + 2.5 / 30.0 * np.array((math.cos(tb), math.sin(tb), 0.0))
        if gap(a, b, sizes) <= 0.0:
            continue
        if before_collision(*a, *a1[:2], *b, *b1[:2], *sizes, corners) < NEVER:
            met += 1
            unseen += gap(a1, b1, sizes) > 0.0
    assert 0.10 < unseen / met < 0.25
