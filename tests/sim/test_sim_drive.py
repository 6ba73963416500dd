"""A robot alone against closed forms: lines, circles, ramps; and laws that hold for every step."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pitch_judge import LEAGUES, chase, drive, params_of

from tikitaka import sim
from tikitaka.sim import scenes
from tikitaka.types import Commands, Floats

OMNI = ["byu-2v2", "ssl-b"]


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
def test_speed_rises_by_grip_times_time_and_then_stays(league: str) -> None:
    params, state = lonely(league)
    grip, speed = params.robot.grip, 1.0
    for moment in run(params, state, ordered(params, speed, 0.0, 0.0), 60):
        expected = min(speed, grip * moment.tick * params.dt)
        assert np.linalg.norm(moment.velocity[0, :2]) == pytest.approx(expected, abs=1e-9)
        assert moment.pose[0, 2] == pytest.approx(0.4, abs=1e-12)


@settings(deadline=None, max_examples=20)
@given(league=st.sampled_from(LEAGUES), speed=st.floats(0.1, 1.0), omega=st.floats(-2.0, 2.0))
def test_a_robot_drives_the_circle_that_its_wheels_say(league: str, speed: float, omega: float) -> None:
    params, state = lonely(league)
    states = run(params, state, ordered(params, speed, 0.0, omega), 200)[120:]
    radius, pose = speed / omega if omega else math.inf, states[0].pose[0]
    for moment in states:
        turned = omega * (moment.tick - states[0].tick) * params.dt
        if abs(omega) < 1e-6:
            reach = np.array((speed * (moment.tick - states[0].tick) * params.dt, 0.0))
        else:
            reach = radius * np.array((math.sin(turned), 1.0 - math.cos(turned)))
        course = pose[2] - 0.5 * omega * params.dt / params.substeps  # the velocity is turned once a substep
        c, s = math.cos(course), math.sin(course)
        expected = (pose[0] + c * reach[0] - s * reach[1], pose[1] + s * reach[0] + c * reach[1])
        assert moment.pose[0, :2] == pytest.approx(expected, abs=1e-5)
        assert math.remainder(moment.pose[0, 2] - pose[2] - turned, 2 * math.pi) == pytest.approx(0.0, abs=1e-9)


@settings(deadline=None, max_examples=20)
@given(speed=st.floats(0.2, 2.0), omega=st.floats(-4.0, 4.0))
def test_a_differential_robot_does_not_slide_sideways_while_its_tyres_hold(speed: float, omega: float) -> None:
    params, state = lonely("mirosot-5v5")
    h = params.dt / params.substeps
    for moment in run(params, state, ordered(params, speed, 0.0, omega), 60)[20:]:
        theta = moment.pose[0, 2] - moment.velocity[0, 2] * h  # where the last substep took its direction from
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
    h, states = params.dt / params.substeps, [state]
    for _ in range(90):  # its commands are turned against its heading at every tick
        aim = course - states[-1].pose[0, 2] - 0.5 * omega * (params.dt - h)
        states.append(
            sim.step(params, states[-1], ordered(params, speed * math.cos(aim), speed * math.sin(aim), omega))
        )
    way = states[-1].pose[0, :2] - states[45].pose[0, :2]
    length = speed * 45 * params.dt
    assert way == pytest.approx((length * math.cos(course), length * math.sin(course)), abs=1e-2 * length)
    assert states[-1].velocity[0, 2] == pytest.approx(omega)


@settings(deadline=None, max_examples=20)
@given(league=st.sampled_from(LEAGUES), orders=st.lists(st.floats(-1.0, 1.0), min_size=12, max_size=12))
def test_a_free_robot_never_accelerates_beyond_its_tyres(league: str, orders: list[float]) -> None:
    params, state = lonely(league)
    r, wheels = params.robot, params.robot.body_from_wheels.shape[1]
    for k in range(12):
        commands = Commands(np.zeros((params.robots, wheels)), np.zeros(params.robots), np.zeros(params.robots, bool))
        commands.wheels[0] = 1e3 * np.roll(orders, k)[:wheels]
        after = sim.step(params, state, commands)
        change = (after.velocity - state.velocity)[0]
        assert np.linalg.norm(change[:2]) <= r.grip * params.dt * (1.0 + 1e-9)
        assert abs(change[2]) <= r.spin * params.dt * (1.0 + 1e-9)
        state = after


def turned(state: sim.State) -> sim.State:
    pose = np.column_stack(
        (-state.pose[:, :2], np.where(state.pose[:, 2] >= 0.0, state.pose[:, 2] - math.pi, state.pose[:, 2] + math.pi))
    )
    return replace(state, pose=pose, velocity=state.velocity * (-1.0, -1.0, 1.0), ball=-state.ball)


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
        assert other.ball == pytest.approx(-state.ball, abs=1e-6)
        assert (other.touched == state.touched).all()


@pytest.mark.parametrize("league", LEAGUES)
def test_a_step_touches_nothing_and_gives_the_same_twice(league: str) -> None:
    params = params_of(league)
    state = scenes.corner_pile(params)
    commands = chase(params, state, 0.0, 0.0, 50.0)
    commands.wheels[0, 0], commands.kick[0] = np.nan, 99.0
    inputs: list[Floats] = [state.pose, state.velocity, state.ball, commands.wheels, commands.kick]
    before = [array.copy() for array in inputs]
    first, second = sim.step(params, state, commands), sim.step(params, state, commands)
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(before, inputs, strict=True))
    assert (first.pose == second.pose).all()
    assert (first.velocity == second.velocity).all()
    assert (first.ball == second.ball).all()
    assert first.toucher == second.toucher
