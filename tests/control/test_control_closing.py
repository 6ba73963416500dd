"""Closing in: the largest speed from which a robot still stops in time, tick by tick."""

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tikitaka.control.kernels.closing import closing_speed, room_for, speed_for, turning_rate, turning_time

begins = st.sampled_from((0.0, 0.5))
ticks = st.floats(0.005, 0.05)
brakes = st.floats(0.5, 10.0)


def moved(d: float, u: float, p: float, h: float, dt: float) -> float:
    return d - (h * u + (1.0 - h) * p) * dt


@settings(deadline=None)
@given(st.floats(0.0, 5.0), brakes, ticks)
def test_room_and_speed_are_each_others_inverse(left: float, b: float, dt: float) -> None:
    assert room_for(speed_for(left, b, dt), b, dt) == pytest.approx(left, abs=1e-12)


@settings(deadline=None)
@given(st.floats(0.0, 5.0), brakes, begins, ticks)
def test_a_robot_stops_at_the_target_without_braking_harder_than_allowed(
    d: float, b: float, h: float, dt: float
) -> None:
    """From a speed that the law allows; each tick is driven at exactly what it says."""
    u = speed_for(d, b, dt)
    d += h * u * dt
    for _ in range(3000):
        p = closing_speed(d, u, 0.0, b, h, dt, dt)
        assert u - p <= b * dt * (1.0 + 1e-9) + 1e-12
        d, u = moved(d, u, p, h, dt), p
        assert d >= -1e-9
    assert abs(d) < 1e-6
    assert abs(u) < 1e-6


@settings(deadline=None)
@given(st.floats(0.0, 5.0), st.floats(0.05, 3.0), brakes, begins, ticks)
def test_a_robot_passes_the_target_at_its_end_speed(d: float, e: float, b: float, h: float, dt: float) -> None:
    u = speed_for(d + room_for(e, b, dt), b, dt)
    for _ in range(3000):
        p = closing_speed(d, u, e, b, h, dt, dt)
        assert p >= e * (1.0 - 1e-9)
        d, u = moved(d, u, p, h, dt), p
        if d <= 0.0:
            break
    assert d <= 0.0
    assert u <= e + b * dt


@settings(deadline=None)
@given(st.floats(-3.0, 3.0), st.floats(-20.0, 20.0), begins, ticks)
def test_left_and_right_turns_are_alike_and_end(angle: float, w: float, h: float, dt: float) -> None:
    assert turning_rate(-angle, -w, 30.0, 200.0, h, dt, dt) == -turning_rate(angle, w, 30.0, 200.0, h, dt, dt)
    for _ in range(1000):
        p = max(min(turning_rate(angle, w, 30.0, 200.0, h, dt, dt), w + 200.0 * dt), w - 200.0 * dt)
        angle, w = moved(angle, w, p, h, dt), p
    assert abs(angle) < 1e-6
    assert abs(w) < 1e-6


@settings(deadline=None)
@given(st.floats(-3.0, 3.0), st.floats(-20.0, 20.0), st.floats(5.0, 200.0))
def test_turning_time_is_that_of_the_two_or_three_ramps(angle: float, w: float, a: float) -> None:
    """The slow twin: full acceleration one way, a cruise, full acceleration the other way, in tiny steps."""
    most, dt, t = 25.0, 1e-4, turning_time(angle, w, 25.0, a)
    assume(t < 3.0)
    side = math.copysign(1.0, angle - 0.5 * w * abs(w) / a)
    x, u, spent = side * angle, side * w, 0.0
    while (x > 0.5 * u * abs(u) / a or u < 0.0) and spent < 4.0:
        p = min(u + a * dt, max(most, u - a * dt))
        x, u, spent = x - 0.5 * (u + p) * dt, p, spent + dt
    assert spent + u / a == pytest.approx(t, abs=0.02 * t + 2e-3)
