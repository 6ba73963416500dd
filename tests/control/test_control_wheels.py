"""Wheel commands: within the limits, in the wanted direction, and answered as reckoned."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka import sim
from tikitaka.control.kernels.table import ACCELERATION, GRIP, TURN_ACCELERATION
from tikitaka.control.kernels.wheels import aim, overdrive, saturate, share_differential, share_omni
from tikitaka.geom.drive import body_matrix
from tikitaka.league import League, load
from tikitaka.loop.build import control_params, pitch_params
from tikitaka.types import Commands

pushes = st.floats(-40.0, 40.0)
turns = st.floats(-400.0, 400.0)
speeds = st.floats(-3.0, 3.0)


@cache
def league(name: str) -> League:
    return load(name)


@settings(deadline=None)
@given(st.lists(st.floats(-300.0, 300.0), min_size=3, max_size=3), st.floats(1.0, 200.0))
def test_saturation_keeps_the_direction(body: list[float], limit: float) -> None:
    matrix = league("ssl-b").robot.wheel_matrix()
    wheels = matrix @ np.array(body)
    slower = wheels.copy()
    saturate(slower, limit)
    assert np.abs(slower).max() <= limit * (1.0 + 1e-12)
    scale = min(1.0, limit / max(np.abs(wheels).max(), 1e-300))
    assert body_matrix(matrix) @ slower == pytest.approx(np.array(body) * scale, abs=1e-6)


@settings(deadline=None)
@given(pushes, turns, speeds, st.floats(-20.0, 20.0))
def test_on_tyres_no_share_asks_more_of_a_motor_or_a_tyre_than_it_has(ax: float, aw: float, u: float, w: float) -> None:
    p = control_params(league("mirosot-5v5"))
    bx, bw = share_differential(ax, aw, u, w, p.response.effort, p.limits)
    assert np.abs(p.response.effort @ (bx, 0.0, bw)).max() <= 1.0 + 1e-9
    assert abs(bx) <= min(abs(ax), p.limits[ACCELERATION])
    assert abs(bw) <= min(abs(aw), p.limits[TURN_ACCELERATION])
    assert bx * ax >= 0.0
    assert bw * aw >= 0.0
    if abs(u * w) < 0.9 * p.limits[GRIP]:
        assert math.hypot(bx, u * w) <= p.limits[GRIP]


@settings(deadline=None)
@given(pushes, pushes, turns, speeds, speeds)
def test_on_omni_wheels_a_share_keeps_the_direction(ax: float, ay: float, aw: float, u: float, v: float) -> None:
    p = control_params(league("ssl-b"))
    bx, by, bw = share_omni(ax, ay, aw, u, v, p.response.effort, p.limits)
    assert np.abs(p.response.effort @ (bx, by, bw)).max() <= 1.0 + 1e-9
    assert math.hypot(bx, by) <= p.limits[ACCELERATION] * (1.0 + 1e-12)
    assert ax * by - ay * bx == pytest.approx(0.0, abs=1e-9 * (1.0 + math.hypot(ax, ay)) ** 2)
    assert bx * ax + by * ay >= 0.0
    assert bw * aw >= 0.0
    if math.hypot(ax, ay) < 2.0 and abs(aw) < 10.0:
        assert (bx, by, bw) == pytest.approx((ax, ay, aw), rel=1e-12)


@settings(deadline=None)
@given(st.floats(-20.0, 20.0))
def test_an_overdriven_motor_makes_good_what_a_linear_one_would(error: float) -> None:
    """The motor that gives at most a knee's worth, stepped finely, against the closed form of the linear one."""
    limits = control_params(league("ssl-b")).limits
    settle, knee, n = float(limits[7]), float(limits[8]), 20_000
    wanted = -error * math.expm1(-settle)
    if abs(wanted) > 0.98 * knee * settle:
        return  # more than the motor has
    left = overdrive(error, limits)
    begun = left
    for _ in range(n):
        left -= max(min(left, knee), -knee) * settle / n
    assert begun - left == pytest.approx(wanted, rel=2e-3, abs=1e-6)


@pytest.mark.parametrize("name", ["mirosot-5v5", "ssl-b", "byu-2v2"])
@pytest.mark.parametrize("part", [0.3, 0.7, 0.95])
def test_the_simulated_robot_gains_in_a_tick_what_was_asked_for(name: str, part: float) -> None:
    p, pitch = control_params(league(name)), replace(pitch_params(league(name)), robots=1)
    a = np.array((part * p.max_acceleration, 0.0, 0.0))
    a /= max(1.0, np.abs(p.response.effort @ a).max() / part)
    wheels, state = np.empty((1, len(p.wheels_from_body))), sim.start(pitch)
    state = sim.place(state, np.zeros((1, 3)), np.array((pitch.field.half_length + 0.1, 0.0)))
    for k in range(4):
        vx, vy, w = state.velocity[0]
        aim(vx, vy, w, a[0], a[1], a[2], p.wheels_from_body, p.response.lead, p.limits, p.dt, wheels[0])
        state = sim.step(pitch, state, Commands(wheels, np.zeros(1), np.zeros(1, np.bool_)))
        assert state.velocity[0, 0] == pytest.approx((k + 1) * a[0] * p.dt, rel=0.04)
