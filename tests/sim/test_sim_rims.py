"""The ball against a robot's outline: shapely measures the same gaps, also in notches and deep inside."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from outline_shapes import BALL, ERROR, SHAPES, polygon

from tikitaka.sim.kernels import rims
from tikitaka.sim.outline import rim_arrays, rim_distance

RIMS = {name: rim_arrays(outline, BALL) for name, outline in SHAPES.items()}
POLYGONS = {name: polygon(outline) for name, outline in SHAPES.items()}
BOUNDARIES = {name: shapely.LinearRing(p.exterior.coords) for name, p in POLYGONS.items()}
place = st.floats(-0.25, 0.25)
shape = st.sampled_from(sorted(SHAPES))


def gap(name: str, x: float, y: float) -> tuple[float, float, float, float, float, float]:
    return rims.ball_gap(x, y, BALL, *RIMS[name])


def gap_by_shapely(name: str, x: float, y: float) -> float:
    point = shapely.Point(x, y)
    away = float(BOUNDARIES[name].distance(point))
    return (-away if POLYGONS[name].contains(point) else away) - BALL


@pytest.mark.parametrize("name", SHAPES)
@settings(deadline=None, max_examples=150)
@given(x=place, y=place)
def test_the_gap_is_the_one_that_shapely_measures(name: str, x: float, y: float) -> None:
    assert gap(name, x, y)[0] == pytest.approx(gap_by_shapely(name, x, y), abs=1.01 * ERROR)


@settings(deadline=None, max_examples=300)
@given(name=shape, x=place, y=place)
def test_the_normal_leads_to_the_ball_from_where_the_outline_is_nearest(name: str, x: float, y: float) -> None:
    d, nx, ny, *_ = gap(name, x, y)
    assert math.hypot(nx, ny) == pytest.approx(1.0, abs=1e-12)
    foot = shapely.Point(x - (d + BALL) * nx, y - (d + BALL) * ny)
    assert BOUNDARIES[name].distance(foot) < 1.01 * ERROR


@settings(deadline=None, max_examples=500)
@given(name=shape, x=place, y=place)
def test_the_table_of_angles_forgets_no_feature(name: str, x: float, y: float) -> None:
    rim, bins = RIMS[name]
    seen = gap(name, x, y)
    all_features = rims.ball_gap(x, y, BALL, rim, bins[-1:])
    assert seen[:3] == all_features[:3]
    if all_features[3] < 0.049:
        assert seen == all_features


@settings(deadline=None, max_examples=300)
@given(name=shape, x=place, y=place, direction=st.floats(-3.2, 3.2), step=st.floats(0.0, 1e-3))
def test_the_gap_never_changes_by_more_than_the_ball_moves(
    name: str, x: float, y: float, direction: float, step: float
) -> None:
    moved = gap(name, x + step * math.cos(direction), y + step * math.sin(direction))
    assert abs(moved[0] - gap(name, x, y)[0]) <= step + 1e-15


@settings(deadline=None, max_examples=200)
@given(name=st.sampled_from(["cube", "notched", "ssl", "disc", "rounded", "bay"]), x=place, y=place)
def test_a_mirrored_ball_meets_the_mirrored_rim(name: str, x: float, y: float) -> None:
    left, right = gap(name, x, y), gap(name, x, -y)
    assert left[0] == pytest.approx(right[0], abs=1e-15)
    if abs(y) > 1e-9 and left[0] > -BALL:  # on the axis, and deep inside, two ways are equally near
        assert (left[1], left[2]) == pytest.approx((right[1], -right[2]), abs=1e-9)


def test_a_ball_in_the_notch_rests_on_both_lips() -> None:
    x = rim_distance(SHAPES["notched"], BALL, 0.0)
    d, nx, ny, d2, nx2, ny2 = gap("notched", x, 0.0)
    assert (d, d2) == pytest.approx((0.0, 0.0), abs=1e-15)
    assert (nx, ny) == pytest.approx((nx2, -ny2))
    assert (abs(ny), nx) == pytest.approx((0.015 / BALL, math.sqrt(1.0 - (0.015 / BALL) ** 2)))
    assert x == pytest.approx(0.0375 + math.sqrt(BALL**2 - 0.015**2))
    assert x - BALL > 0.0375 - 0.008  # above the floor


def test_a_ball_beside_the_middle_of_the_notch_meets_the_second_lip_later() -> None:
    d, _, ny, d2, _, ny2 = gap("notched", 0.058, 0.004)
    assert 0.0 < d < d2
    assert ny < 0.0 < ny2
    assert d2 == pytest.approx(math.hypot(0.058 - 0.0375, 0.004 + 0.015) - BALL)


@pytest.mark.parametrize("name", ["cube", "ssl", "disc", "rounded", "post"])
@settings(deadline=None, max_examples=200)
@given(x=place, y=place)
def test_a_ball_meets_a_convex_outline_at_one_place_only(name: str, x: float, y: float) -> None:
    assert gap(name, x, y)[3:] == (rims.NO_GAP, 1.0, 0.0)


def test_a_ball_rolls_in_a_bay_that_is_wider_than_it_and_never_meets_it_twice_inside() -> None:
    x = rim_distance(SHAPES["bay"], BALL, 0.0)
    assert x == pytest.approx(0.06 + 0.03 - (0.05 - BALL))  # arc of 5 cm whose centre lies 3 cm before the lips
    assert gap("bay", x, 0.0)[3] == rims.NO_GAP


def test_deep_inside_the_way_out_is_the_nearest_side() -> None:
    assert gap("cube", 0.03, 0.001)[:3] == pytest.approx((-0.0075 - BALL, 1.0, 0.0))
    assert gap("ssl", 0.0, 0.0)[0] == pytest.approx(-0.0794 - BALL)
    for name in SHAPES:
        d, nx, ny, *_ = gap(name, 0.0, 0.0)
        assert d < -BALL
        assert math.hypot(nx, ny) == pytest.approx(1.0)


def test_numbers_that_are_none_read_nothing_outside_the_tables() -> None:
    for x, y in ((math.nan, 0.0), (0.0, math.inf), (-math.inf, math.nan)):
        assert len(gap("notched", x, y)) == 6


@settings(deadline=None)
@given(x=st.floats(-1.0, 1.0), y=st.floats(-1.0, 1.0))
def test_bins_follow_the_angle(x: float, y: float) -> None:
    k = rims.bin_of(x, y, 64)
    assert 0 <= k < 64
    if math.hypot(x, y) > 1e-6:
        assert k // 16 == int(math.atan2(y, x) % (2.0 * math.pi) / (0.5 * math.pi)) % 4 or min(abs(x), abs(y)) < 1e-9


def test_bins_rise_with_the_angle() -> None:
    angles = np.linspace(0.0, 2.0 * math.pi, 1000, endpoint=False)
    found = [rims.bin_of(math.cos(a), math.sin(a), 64) for a in angles.tolist()]
    assert found == sorted(found)
    assert set(found) == set(range(64))
