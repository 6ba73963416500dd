"""Driving: poses are reached in the simulator, limits hold, and nonsense stops one robot alone."""

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka import control, plan, sim
from tikitaka.control.kernels import LEAD, braking_speed, ease, saturate, steer_differential, turn_speed
from tikitaka.errors import ContractError
from tikitaka.geom.drive import body_matrix
from tikitaka.league import League, load
from tikitaka.loop.build import control_params, pitch_params, plan_params
from tikitaka.types import Ball, Commands, Floats, Game, Intents, Phase, Plans, Robots, World

DRIVES = ("mirosot-5v5", "vsss-5v5", "ssl-b", "byu-2v2")
SECONDS = 6.0

angles = st.floats(-math.pi, math.pi)
parts = st.floats(-0.7, 0.7)  # of half the field
poses = st.tuples(parts, parts, angles)
small = st.floats(-8.0, 8.0)


@cache
def league(name: str) -> League:
    return load(name)


@cache
def alone(name: str) -> sim.Params:
    """Return a pitch with one robot."""
    return replace(pitch_params(league(name)), robots=1)


def world(name: str, pose: Floats, velocity: Floats) -> World:
    robots = Robots(pose, velocity, np.zeros(len(pose)))
    field = league(name).field.geometry()
    return World(
        0.0, field, Ball(0.0, 0.0, 0.0, 0.0, 0.0), robots, robots, Game(Phase.PLAY, 1.0, 0, 0, kick_off_ours=True)
    )


def wish(target: Floats, end_speed: float = 0.0, max_speed: float = math.inf) -> Intents:
    n = len(target)
    still = Intents.stop(n)
    speeds = {"end_speed": np.full(n, end_speed), "max_speed": np.full(n, max_speed)}
    return replace(still, active=np.ones(n, bool), target=target, **speeds)


def command(name: str, pose: Floats, velocity: Floats, intents: Intents) -> Commands:
    params = replace(plan_params(league(name)), planner=plan.Planner.STRAIGHT)
    seen = world(name, pose, velocity)
    return control.step(
        control_params(league(name)), seen, plan.step(params, plan.start(params, len(intents)), seen, intents)[1]
    )


def placed(name: str, part: tuple[float, float, float]) -> Floats:
    field = league(name).field.geometry()
    return np.array([[part[0] * field.half_length, part[1] * field.half_width, part[2]]])


def drive(name: str, start: Floats, target: Floats) -> list[sim.State]:
    pitch = alone(name)
    out_of_the_way = np.array((pitch.field.half_length - 0.1, pitch.field.half_width - 0.1))
    states = [sim.place(sim.start(pitch), start, out_of_the_way)]
    for _ in range(int(SECONDS / pitch.dt)):
        sent = command(name, states[-1].pose, states[-1].velocity, wish(target))
        assert np.abs(sent.wheels).max() <= pitch.robot.max_wheel_speed * (1.0 + 1e-12)
        states.append(sim.step(pitch, states[-1], sent))
    return states


@pytest.mark.parametrize("name", DRIVES)
@settings(deadline=None, max_examples=12)
@given(start=poses, end=poses)
def test_any_pose_is_reached_from_any_pose(
    name: str, start: tuple[float, float, float], end: tuple[float, float, float]
) -> None:
    target = placed(name, end)
    states = drive(name, placed(name, start), target)
    x, y, theta = states[-1].pose[0]
    assert math.dist((x, y), target[0, :2]) < 0.008
    period = math.pi if control_params(league(name)).two_faced and name != "byu-2v2" else 2.0 * math.pi
    assert abs(math.remainder(theta - end[2], period)) < 0.05
    assert np.abs(states[-1].velocity).max() < 0.1
    top = league(name).robot.max_speed
    assert max(math.hypot(*s.velocity[0, :2]) for s in states) <= top * (1.0 + 1e-9)


@pytest.mark.parametrize("name", DRIVES)
def test_a_robot_at_its_target_stays_there(name: str) -> None:
    pose = placed(name, (0.1, -0.2, 0.5))
    assert not command(name, pose, np.zeros((1, 3)), wish(pose)).wheels.any()


@settings(deadline=None)
@given(st.floats(0.0, 5.0), st.floats(0.0, 2.0), st.floats(0.5, 10.0), st.floats(0.005, 0.05))
def test_braking_speed_stops_in_time_without_braking_harder_than_allowed(
    d: float, end: float, a: float, dt: float
) -> None:
    """Each tick is driven at the speed allowed at its beginning: the worst that a late command can do."""
    speed = braking_speed(d, end, a, dt)
    for _ in range(2000):
        d -= speed * dt
        if d <= 0.0:
            break
        slower = braking_speed(d, end, a, dt)
        assert speed - slower <= a * dt * (1.0 + 1e-9)
        speed = slower
    assert speed <= end + a * dt or d > 0.0
    assert d > -max(end, a * dt) * dt


@settings(deadline=None)
@given(small, small, st.floats(-40.0, 40.0), angles, small, small, st.floats(-40.0, 40.0))
def test_no_tick_asks_for_more_than_its_lead_of_acceleration(
    vx: float, vy: float, w: float, theta: float, now_x: float, now_y: float, now_w: float
) -> None:
    limits, dt = np.array((9.0, 4.0, 50.0, 60.0, 100.0)), 0.02
    ex, ey, ew = ease(vx, vy, w, theta, np.array((now_x, now_y, now_w)), limits, dt)
    c, s = math.cos(theta), math.sin(theta)
    body = (c * now_x + s * now_y, c * now_y - s * now_x)
    if math.hypot(now_x, now_y) <= 9.0:
        assert math.dist((ex, ey), body) <= LEAD * 4.0 * dt + 1e-9
    assert math.hypot(ex, ey) <= 9.0 + 1e-9
    assert abs(ew - now_w) <= LEAD * 60.0 * dt + 1e-9
    left = math.dist((ex, ey), (vx, vy))
    short = max(math.dist(body, (vx, vy)) - LEAD * 4.0 * dt, 0.0)
    assert left <= short + max(0.0, math.hypot(vx, vy) - 9.0) * 2.0 + 1e-6


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
@given(angles, angles)
def test_two_faces_turn_the_shorter_way(towards: float, theta: float) -> None:
    limits = np.array((2.0, 5.0, 30.0, 200.0, 1e9))
    dx, dy = math.cos(towards), math.sin(towards)
    v, _, w = steer_differential(dx, dy, 1.0, math.nan, theta, two_faced=True, limits=limits, dt=0.01)
    ahead = math.remainder(towards - theta, 2.0 * math.pi)
    behind = math.remainder(towards - theta + math.pi, 2.0 * math.pi)
    if abs(abs(ahead) - 0.5 * math.pi) > 1e-6:
        error = min(ahead, behind, key=abs)
        assert w == pytest.approx(turn_speed(error, 30.0, 200.0, 0.01), abs=1e-5)
        assert v == pytest.approx(math.copysign(math.cos(error) ** 2, math.cos(ahead)), abs=1e-6)
    one_faced, _, turning = steer_differential(dx, dy, 1.0, math.nan, theta, two_faced=False, limits=limits, dt=0.01)
    assert one_faced >= 0.0
    assert abs(turning) == pytest.approx(abs(turn_speed(ahead, 30.0, 200.0, 0.01)), abs=1e-5)


@pytest.mark.parametrize("name", DRIVES)
@pytest.mark.parametrize("spoil", ["target", "pose", "velocity", "end_speed", "max_speed", "kick"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_nonsense_stops_one_robot_alone_and_is_counted(name: str, spoil: str, value: float) -> None:
    if spoil == "max_speed" and math.isinf(value):
        return  # no limit of its own
    pose, velocity = np.array([[0.0, 0.0, 0.0], [0.3, 0.2, 1.0], [-0.3, 0.1, 2.0]]), np.full((3, 3), 0.1)
    intents = replace(wish(np.full((3, 3), 0.5)), kick=np.full(3, 2.0))
    good = command(name, pose, velocity, intents)
    rows = {"pose": pose, "velocity": velocity, "target": intents.target, "kick": intents.kick}
    row = rows[spoil] if spoil in rows else getattr(intents, spoil)
    row[1] = value
    bad = command(name, pose, velocity, intents)
    assert np.array_equal(bad.wheels[[0, 2]], good.wheels[[0, 2]])
    assert not bad.wheels[1].any()
    assert (good.stopped, bad.stopped) == (0, 1)
    assert bad.kick.tolist() == [2.0, 0.0, 2.0]
    assert Commands.join(bad, bad).stopped == 2


@pytest.mark.parametrize("name", DRIVES)
def test_a_robot_without_a_plan_brakes(name: str) -> None:
    velocity = np.array([[1.0, 0.0, 0.0]])
    sent = command(name, np.zeros((1, 3)), velocity, Intents.stop(1))
    left = body_matrix(league(name).robot.wheel_matrix()) @ sent.wheels[0]
    robot = league(name).robot
    assert left[0] == pytest.approx(1.0 - LEAD * robot.max_acceleration / league(name).camera.rate)


@pytest.mark.parametrize("name", DRIVES)
def test_own_speed_limit_holds(name: str) -> None:
    pose, target = np.zeros((1, 3)), np.array([[0.6, 0.0, 0.0]])
    sent = command(name, pose, np.array([[0.2, 0.0, 0.0]]), wish(target, max_speed=0.2))
    assert body_matrix(league(name).robot.wheel_matrix()) @ sent.wheels[0] == pytest.approx([0.2, 0.0, 0.0], abs=1e-9)


def plans_for_two() -> Plans:
    return Plans(Intents.stop(2), np.full(2, 2), np.zeros((2, 2, 2)), np.zeros((2, 2)), *np.ones((2, 2), np.int64))


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ({"count": np.array((2, 3))}, "plans.count must be at most 2, the waypoints that plans.xy holds; got 3"),
        ({"count": np.full(1, 2)}, "plans.count must have 2 rows, one a robot; got 1"),
        ({"xy": np.zeros((1, 2, 2))}, "plans.xy must have 2 rows, one a robot; got 1"),
        ({"status": np.ones(3, np.int64)}, "plans.status must have 2 rows, one a robot; got 3"),
        ({"intents": Intents.stop(1)}, "plans.intents.target must have 2 rows, one a robot; got 1"),
    ],
)
def test_plans_of_another_shape_are_refused(broken: dict[str, Any], words: str) -> None:
    seen = world("ssl-b", np.zeros((2, 3)), np.zeros((2, 3)))
    params = control_params(league("ssl-b"))
    assert len(control.step(params, seen, plans_for_two())) == 2
    with pytest.raises(ContractError) as caught:
        control.step(params, seen, replace(plans_for_two(), **broken))
    assert str(caught.value) == words
