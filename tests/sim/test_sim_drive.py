"""A robot alone against closed forms: lines, circles, ramps; and laws that hold for every step."""

import math
from dataclasses import replace

import numpy as np
import pytest
from free_bodies import centre_velocity
from hypothesis import given, settings
from hypothesis import strategies as st
from pitch_judge import LEAGUES, chase, drive, params_of

from tikitaka import sim
from tikitaka.sim import scenes
from tikitaka.sim.drive import GRAVITY
from tikitaka.types import Commands, Floats

OMNI = ["byu-2v2", "ssl-b"]
UNDER_HALF_A_TURN = np.array((-1.0, -1.0, -1.0, -1.0, 1.0, 1.0, -1.0, -1.0))  # what becomes of the ball's columns


def lonely(league: str) -> tuple[sim.Params, sim.State]:
    """Return a boundless pitch, robot 0 at its centre and all others far away."""
    params = params_of(league)
    vast = replace(params, field=replace(params.field, length=90.0, width=90.0, corner=0.0))
    state = scenes.line_up(vast)
    pose = state.pose.copy()
    pose[0] = 1.0, 2.0, 0.4
    return vast, replace(state, pose=pose)


def ordered(params: sim.Params, vx: float, vy: float, omega: float) -> Commands:
    return drive(params, np.array([(vx, vy, omega)] + [(0.0, 0.0, 0.0)] * (params.robots - 1)))


def run(params: sim.Params, state: sim.State, commands: Commands, ticks: int) -> list[sim.State]:
    states = [state]
    for _ in range(ticks):
        states.append(sim.step(params, states[-1], commands))
    return states


@pytest.mark.parametrize("league", LEAGUES)
def test_speed_rises_to_the_one_ordered_straight_ahead_and_then_stays(league: str) -> None:
    params, state = lonely(league)
    heading, speeds = np.array((math.cos(0.4), math.sin(0.4))), []
    for moment in run(params, state, ordered(params, 1.0, 0.0, 0.0), math.ceil(1.5 / params.dt)):
        speeds.append(float(moment.velocity[0, :2] @ heading))
        assert moment.velocity[0, :2] == pytest.approx(speeds[-1] * heading, abs=1e-12)
        assert moment.pose[0, 2] == pytest.approx(0.4, abs=1e-12)
    assert np.diff(speeds).min() > -1e-12
    assert speeds[-1] == pytest.approx(1.0, abs=1e-9)


@settings(deadline=None, max_examples=20)
@given(league=st.sampled_from(LEAGUES), speed=st.floats(0.1, 1.0), omega=st.floats(-2.0, 2.0))
def test_a_robot_drives_the_circle_that_its_wheels_say(league: str, speed: float, omega: float) -> None:
    """Of radius speed / omega, as fast as its wheels turn; omni wheels lag by what pulls them inward."""
    params, state = lonely(league)
    states = run(params, state, ordered(params, speed, 0.0, omega), math.ceil(4.0 / params.dt))
    states = states[math.ceil(2.0 / params.dt) :]
    vx, vy, turn = states[0].velocity[0]
    x, y, theta = states[0].pose[0]
    lag = 0.0 if params.robot.drive.tyres else 0.08 * abs(omega) * speed
    ahead = math.cos(theta) * vx + math.sin(theta) * vy
    assert (ahead, turn) == pytest.approx((speed, omega), abs=1e-9 + lag)
    for moment in states:
        t = (moment.tick - states[0].tick) * params.dt
        along, across = t * _sinc(turn * t), 0.5 * turn * t * t * _sinc(0.5 * turn * t) ** 2
        expected = (x + vx * along - vy * across, y + vy * along + vx * across)
        assert moment.pose[0, :2] == pytest.approx(expected, abs=1e-8)
        assert math.remainder(moment.pose[0, 2] - theta - turn * t, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-8)


def _sinc(a: float) -> float:
    return math.sin(a) / a if abs(a) > 1e-9 else 1.0


@settings(deadline=None, max_examples=20)
@given(speed=st.floats(0.2, 2.0), omega=st.floats(-4.0, 4.0))
def test_a_differential_robot_does_not_slide_sideways_while_its_tyres_hold(speed: float, omega: float) -> None:
    params, state = lonely("mirosot-5v5")
    for moment in run(params, state, ordered(params, speed, 0.0, omega), 60):
        theta = moment.pose[0, 2]
        sideways = moment.velocity[0, 1] * math.cos(theta) - moment.velocity[0, 0] * math.sin(theta)
        assert sideways == pytest.approx(0.0, abs=1e-9)


@settings(deadline=None, max_examples=20)
@given(
    league=st.sampled_from(OMNI),
    course=st.floats(-math.pi, math.pi),
    speed=st.floats(0.1, 0.5),
    omega=st.floats(-3.0, 3.0),
)
def test_an_omni_robot_keeps_any_course_while_it_turns(league: str, course: float, speed: float, omega: float) -> None:
    params, state = lonely(league)
    states, half = [state], math.ceil(1.0 / params.dt)
    for _ in range(2 * half):  # its commands are turned against its heading at every tick
        aim = course - states[-1].pose[0, 2] - 0.5 * omega * params.dt
        states.append(
            sim.step(params, states[-1], ordered(params, speed * math.cos(aim), speed * math.sin(aim), omega))
        )
    way = states[-1].pose[0, :2] - states[half].pose[0, :2]
    length, lag = speed * half * params.dt, 0.03 * abs(omega)  # of the controller, which follows a command that turns
    assert np.linalg.norm(way) == pytest.approx(length, rel=0.01 + lag * lag)
    assert math.remainder(math.atan2(way[1], way[0]) - course, 2.0 * math.pi) == pytest.approx(0.0, abs=0.01 + lag)
    # wheels that do not stand at even angles turn it a little while they lag
    assert states[-1].velocity[0, 2] == pytest.approx(omega, abs=1e-9 + 0.14 * lag * speed)


@settings(deadline=None, max_examples=20)
@given(league=st.sampled_from(LEAGUES), orders=st.lists(st.floats(-1.0, 1.0), min_size=12, max_size=12))
def test_a_free_robot_never_accelerates_beyond_its_tyres(league: str, orders: list[float]) -> None:
    """Its mass centre gets mu g at most, by wheels alone."""
    params, state = lonely(league)
    drive, wheels = params.robot.drive, len(params.robot.drive.xy)
    for k in range(12):
        commands = Commands(np.zeros((params.robots, wheels)), np.zeros(params.robots), np.zeros(params.robots, bool))
        commands.wheels[0] = 1e3 * np.roll(orders, k)[:wheels]
        after = sim.step(params, state, commands)
        change = (centre_velocity(params, after) - centre_velocity(params, state))[0]
        assert np.linalg.norm(change) <= drive.traction * GRAVITY * params.dt * (1.0 + 1e-9)
        state = after


def turned(state: sim.State) -> sim.State:
    pose = np.column_stack(
        (-state.pose[:, :2], np.where(state.pose[:, 2] >= 0.0, state.pose[:, 2] - math.pi, state.pose[:, 2] + math.pi))
    )
    return replace(state, pose=pose, velocity=state.velocity * (-1.0, -1.0, 1.0), ball=state.ball * UNDER_HALF_A_TURN)


@pytest.mark.parametrize("league", LEAGUES)
@pytest.mark.parametrize("seed", [1, 2])
def test_half_a_turn_of_the_scene_turns_the_result(league: str, seed: int) -> None:
    params = params_of(league)
    state = scenes.crowd(params, seed)
    other = turned(state)
    for _ in range(12):  # collisions blow rounding up, so the scenes are compared while it is small
        commands = chase(params, state, state.ball[0], state.ball[1], 2.0)
        state, other = sim.step(params, state, commands), sim.step(params, other, commands)
        assert other.pose[:, :2] == pytest.approx(-state.pose[:, :2], abs=1e-7)
        assert other.ball == pytest.approx(state.ball * UNDER_HALF_A_TURN, abs=1e-6)
        assert (other.touched == state.touched).all()


@pytest.mark.parametrize("league", LEAGUES)
def test_a_step_touches_nothing_and_gives_the_same_twice(league: str) -> None:
    params = params_of(league)
    state = scenes.corner_pile(params)
    commands = chase(params, state, 0.0, 0.0, 50.0)
    commands.wheels[0, 0], commands.kick[0] = np.nan, 99.0
    inputs: list[Floats] = [state.pose, state.velocity, state.spin, state.ball, state.charge, commands.wheels]
    inputs += [commands.kick]
    before = [array.copy() for array in inputs]
    first, second = sim.step(params, state, commands), sim.step(params, state, commands)
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(before, inputs, strict=True))
    for name in ("pose", "velocity", "spin", "ball", "charge", "touched", "hits"):
        assert np.array_equal(getattr(first, name), getattr(second, name)), name
    mended = (~(np.abs(commands.wheels) <= params.robot.max_wheel_speed)).sum() + 1  # and a kick
    assert (first.toucher, first.mended) == (second.toucher, second.mended) == (second.toucher, mended)
