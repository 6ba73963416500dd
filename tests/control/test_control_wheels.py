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
from tikitaka.control.kernels.wheels import (
    aim,
    fill,
    outdo,
    overdrive,
    part_of,
    saturate,
    share_differential,
    share_omni,
    strain,
)
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
@given(pushes, pushes, turns)
@pytest.mark.parametrize("name", ["ssl-b", "byu-2v2"])
def test_on_omni_wheels_a_share_keeps_the_direction(name: str, ax: float, ay: float, aw: float) -> None:
    p = control_params(league(name))
    bx, by, bw = share_omni(ax, ay, aw, p.effort, p.bounds, p.limits)
    tense = strain(bx, by, bw, p.effort)
    assert np.abs(p.effort @ (bx, by, bw, tense)).max() <= 1.0 + 1e-9
    assert math.hypot(bx, by) <= p.limits[ACCELERATION] * (1.0 + 1e-12)
    assert ax * by - ay * bx == pytest.approx(0.0, abs=1e-9 * (1.0 + math.hypot(ax, ay)) ** 2)
    assert bx * ax + by * ay >= 0.0
    assert bw * aw >= 0.0
    small = math.hypot(ax, ay) < p.limits[ACCELERATION] and abs(aw) < p.limits[TURN_ACCELERATION]
    if small and np.abs(p.effort[:, :3] @ (ax, ay, aw)).max() < 1.0:
        assert tense == 0.0
        assert (bx, by, bw) == pytest.approx((ax, ay, aw), rel=1e-12)


def test_torques_against_each_other_move_nothing() -> None:
    p = control_params(league("ssl-b"))
    assert np.abs(p.effort[:, 3]).min() > 0.1
    assert p.wheels_from_body.T @ p.effort[:, 3] == pytest.approx(np.zeros(3), abs=1e-12)


@settings(deadline=None, max_examples=60)
@given(st.floats(0.0, 2.0 * math.pi), st.floats(-40.0, 40.0))
@pytest.mark.parametrize("name", ["ssl-b", "byu-2v2"])
def test_motors_give_as_much_beside_a_turn_as_a_linear_programme_finds(name: str, way: float, aw: float) -> None:
    optimize = pytest.importorskip("scipy.optimize")
    effort, bounds = control_params(league(name)).effort, control_params(league(name)).bounds
    aw *= min(1.0, 0.9 / max(np.abs(effort[:, 2] * aw).max(), 1e-9))
    push = np.array((20.0 * math.cos(way), 20.0 * math.sin(way), 0.0))
    loads, have = np.column_stack((effort[:, :3] @ push, effort[:, 3])), effort[:, 2] * aw
    rows, room = np.vstack((loads, -loads)), np.concatenate((1.0 - have, 1.0 + have))
    most = optimize.linprog((-1.0, 0.0), rows, room, bounds=((0.0, 1.0), (None, None))).x[0]
    assert part_of(push[0], push[1], 0.0, 0.0, 0.0, aw, bounds) == pytest.approx(most, abs=1e-7)


@pytest.mark.parametrize("have", [-1.0 - 1e-12, -1.0, 0.0, 1.0, 1.0 + 1e-12])
def test_a_motor_at_its_most_can_be_asked_for_nothing_more(have: float) -> None:
    assert fill(0.0, have) == fill(-0.0, have) == 1.0


@settings(deadline=None)
@given(st.floats(-1.0, 1.0), st.floats(-8.0, 8.0))
def test_over_a_sweep_a_motor_gives_on_average_what_was_asked_for(share: float, sweep: float) -> None:
    """The slow twin: the mean of an error that runs evenly from one end of the sweep to the other, cut to the knee."""
    knee, runs = 2.2, np.linspace(-sweep, sweep, 4001)
    given = np.clip(outdo(share * knee, sweep, knee) + runs, -knee, knee).mean() / knee
    assert given == pytest.approx(share, abs=0.2)
    if abs(share) in (0.0, 1.0):
        assert given == pytest.approx(share, abs=1e-3)
    assert outdo(share * knee, 0.0, knee) == share * knee
    assert outdo(share, sweep, math.inf) == share


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
        aim(vx, vy, w, a[0], a[1], a[2], 0.0, p.effort, p.wheels_from_body, p.response.lead, p.limits, p.dt, wheels[0])
        state = sim.step(pitch, state, Commands(wheels, np.zeros(1), np.zeros(1, np.bool_)))
        assert state.velocity[0, 0] == pytest.approx((k + 1) * a[0] * p.dt, rel=0.04)


@pytest.mark.parametrize("way_deg", [0.0, 20.0, 45.0, 70.0, 135.0])
@pytest.mark.parametrize("aw", [-25.0, 0.0, 25.0])
def test_motors_that_work_against_each_other_gain_what_was_asked_for(way_deg: float, aw: float) -> None:
    """All that the motors have, while the robot turns; along the way of mid-tick."""
    p, pitch = control_params(league("ssl-b")), replace(pitch_params(league("ssl-b")), robots=1)
    wheels, state = np.empty((1, 4)), sim.start(pitch)
    state = sim.place(state, np.zeros((1, 3)), np.array((pitch.field.half_length + 0.1, 0.0)))
    way, before = math.radians(way_deg), 0.0
    for _ in range(4):
        (vx, vy, w), mid = state.velocity[0], state.pose[0, 2] + 0.5 * state.velocity[0, 2] * p.dt
        c, s, turned = math.cos(mid), math.sin(mid), way - mid
        ux, uy = c * vx + s * vy, c * vy - s * vx
        ax, ay, bw = share_omni(9.0 * math.cos(turned), 9.0 * math.sin(turned), aw, p.effort, p.bounds, p.limits)
        tense = strain(ax, ay, bw, p.effort)
        aim(ux, uy, w, ax, ay, bw, tense, p.effort, p.wheels_from_body, p.response.lead, p.limits, p.dt, wheels[0])
        state = sim.step(pitch, state, Commands(wheels, np.zeros(1), np.zeros(1, np.bool_)))
        speed = state.velocity[0, 0] * math.cos(way) + state.velocity[0, 1] * math.sin(way)
        assert speed - before == pytest.approx(math.hypot(ax, ay) * p.dt, rel=0.06)
        assert state.velocity[0, 2] - w == pytest.approx(bw * p.dt, abs=0.06)
        before = speed
