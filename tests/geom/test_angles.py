import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka.geom import turn, wrap

angle = st.floats(-50.0, 50.0)


@pytest.mark.parametrize(
    ("given_angle", "expected"),
    [
        (math.pi, -math.pi),
        (-math.pi, -math.pi),
        (math.nextafter(math.pi, 0.0), math.nextafter(math.pi, 0.0)),
        (math.nextafter(-math.pi, -4.0), math.nextafter(math.pi, 0.0)),
        (-1e-300, -1e-300),
        (-1e-17, -1e-17),
        (2.0 * math.pi, 0.0),
        (-2.0 * math.pi, 0.0),
    ],
)
def test_borders_are_exact(given_angle: float, expected: float) -> None:
    assert wrap(given_angle) == expected


@settings(deadline=None)
@given(st.floats(-1e15, 1e15))
def test_a_wrapped_angle_is_in_range_and_is_the_same_direction(a: float) -> None:
    w = wrap(a)
    assert -math.pi <= w < math.pi
    k = round((a - w) / (2.0 * math.pi))
    assert a - w == pytest.approx(2.0 * math.pi * k, rel=1e-15, abs=1e-15)


@settings(deadline=None)
@given(angle, st.integers(-8, 8))
def test_whole_turns_change_nothing(a: float, k: int) -> None:
    assert abs(turn(a + 2.0 * math.pi * k, a)) < 1e-13
    assert abs(wrap(wrap(a + 2.0 * math.pi * k) - wrap(a))) < 1e-13


@settings(deadline=None)
@given(angle, angle)
def test_the_turn_leads_from_b_to_a_the_short_way(a: float, b: float) -> None:
    t = turn(a, b)
    assert abs(t) <= math.pi
    assert math.cos(b + t) == pytest.approx(math.cos(a), abs=1e-13)
    assert math.sin(b + t) == pytest.approx(math.sin(a), abs=1e-13)


@pytest.mark.parametrize("bad", [math.inf, -math.inf, math.nan])
def test_what_is_no_angle_stays_visible_as_nan(bad: float) -> None:
    assert math.isnan(wrap(bad))
