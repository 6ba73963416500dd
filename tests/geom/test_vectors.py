import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka.geom import clamp, clip_norm, cross, dot, norm, unit

number = st.floats(-100.0, 100.0)


@settings(deadline=None)
@given(number, number, number, number)
def test_dot_and_cross_are_the_complex_product(ax: float, ay: float, bx: float, by: float) -> None:
    z = complex(ax, -ay) * complex(bx, by)
    assert dot(ax, ay, bx, by) == pytest.approx(z.real, abs=1e-11)
    assert cross(ax, ay, bx, by) == pytest.approx(z.imag, abs=1e-11)


def test_a_quarter_turn_counter_clockwise_has_positive_cross() -> None:
    assert cross(1.0, 0.0, 0.0, 2.0) == 2.0


@settings(deadline=None)
@given(number, number)
def test_norm_agrees_with_hypot(x: float, y: float) -> None:
    assert norm(x, y) == pytest.approx(math.hypot(x, y), rel=1e-15, abs=1e-150)


@settings(deadline=None)
@given(st.floats(-math.pi, math.pi), st.sampled_from([5e-324, 1e-300, 1e-161, 1e-141, 1e-9, 1.0, 1e9, 1e150]))
def test_unit_has_length_one_and_keeps_the_direction_at_every_scale(theta: float, scale: float) -> None:
    x, y = scale * math.cos(theta), scale * math.sin(theta)
    ux, uy = unit(x, y)
    assert math.hypot(ux, uy) == pytest.approx(1.0, rel=1e-14)
    assert math.atan2(uy, ux) == pytest.approx(math.atan2(y, x), abs=1e-14)


def test_the_zero_vector_has_no_direction() -> None:
    assert unit(0.0, -0.0) == (0.0, 0.0)


@settings(deadline=None)
@given(number, number, st.just(0.0) | st.floats(1e-6, 200.0))
def test_clipped_vectors_keep_their_direction_and_short_ones_all(x: float, y: float, limit: float) -> None:
    cx, cy = clip_norm(x, y, limit)
    if norm(x, y) <= limit:
        assert (cx, cy) == (x, y)
    else:
        assert math.hypot(cx, cy) == pytest.approx(limit, rel=1e-14)
        assert dot(cx, cy, x, y) >= 0.0
        assert abs(cross(cx, cy, x, y)) <= 1e-14 * limit * norm(x, y)


@settings(deadline=None)
@given(number, number, number)
def test_clamp_is_the_middle_of_three(x: float, u: float, v: float) -> None:
    assert clamp(x, min(u, v), max(u, v)) == sorted([x, u, v])[1]


def test_clamp_lets_nan_through() -> None:
    assert math.isnan(clamp(math.nan, 0.0, 1.0))
