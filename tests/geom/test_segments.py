import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point
from shapely.geometry.base import BaseGeometry

from tikitaka.geom import closest_on_segment, point_segment_distance, segment_distance, segments_cross

Pair = tuple[float, float]
number = st.floats(-10.0, 10.0).map(lambda v: round(v, 9))  # shapely fails at 1e-300
point = st.tuples(number, number)
knot = st.tuples(
    st.integers(-4, 4).map(float), st.integers(-4, 4).map(float)
)  # exact: touching and collinear are common


def line(a: Pair, b: Pair) -> BaseGeometry:
    return Point(a) if a == b else LineString([a, b])


@settings(deadline=None)
@given(point, point, point)
def test_distance_to_a_segment_agrees_with_shapely(p: Pair, a: Pair, b: Pair) -> None:
    assert point_segment_distance(*p, *a, *b) == pytest.approx(Point(p).distance(line(a, b)), abs=1e-12)


@settings(deadline=None)
@given(point, point, point)
def test_the_closest_point_lies_on_the_segment_where_s_says(p: Pair, a: Pair, b: Pair) -> None:
    qx, qy, s = closest_on_segment(*p, *a, *b)
    assert 0.0 <= s <= 1.0
    assert (qx, qy) == pytest.approx((a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])), abs=1e-13)


def test_the_closest_point_beyond_an_end_is_that_end_exactly() -> None:
    assert closest_on_segment(9.0, 9.0, 0.1, 0.1, 0.7, 0.3) == (0.7, 0.3, 1.0)
    assert closest_on_segment(-9.0, -9.0, 0.1, 0.1, 0.7, 0.3) == (0.1, 0.1, 0.0)


@settings(deadline=None, max_examples=1000)
@given(knot, knot, knot, knot)
def test_crossing_agrees_with_shapely_on_a_grid_where_touching_is_common(a: Pair, b: Pair, c: Pair, d: Pair) -> None:
    assert segments_cross(*a, *b, *c, *d) == line(a, b).intersects(line(c, d))


@pytest.mark.parametrize(
    ("c", "d", "expected"),
    [
        ((1.0, 0.0), (3.0, 0.0), True),  # overlap on one line
        ((2.0, 0.0), (3.0, 0.0), True),  # end to end
        ((2.5, 0.0), (3.0, 0.0), False),  # on one line, apart
        ((1.0, 0.0), (1.0, 5.0), True),  # a T
        ((1.0, 0.1), (1.0, 5.0), False),
        ((0.0, 0.1), (2.0, 0.1), False),  # parallel
        ((1.0, 0.0), (1.0, 0.0), True),  # a point
    ],
)
def test_touching_counts_as_crossing(c: Pair, d: Pair, expected: bool) -> None:
    assert segments_cross(0.0, 0.0, 2.0, 0.0, *c, *d) is expected
    assert segments_cross(*c, *d, 0.0, 0.0, 2.0, 0.0) is expected


@settings(deadline=None, max_examples=300)
@given(st.one_of(st.tuples(point, point, point, point), st.tuples(knot, knot, knot, knot)))
def test_distance_between_segments_agrees_with_shapely(ends: tuple[Pair, Pair, Pair, Pair]) -> None:
    a, b, c, d = ends
    assert segment_distance(*a, *b, *c, *d) == pytest.approx(line(a, b).distance(line(c, d)), abs=1e-9)
