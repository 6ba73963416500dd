"""Driving: poses are reached in the simulator in little time, limits hold, and nonsense stops one robot alone."""

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tikitaka import control, plan, sim
from tikitaka.control import Law
from tikitaka.control.kernels import following
from tikitaka.errors import ContractError
from tikitaka.geom.drive import body_matrix
from tikitaka.lab import drives
from tikitaka.league import League, load
from tikitaka.loop.build import control_params, pitch_params, plan_params
from tikitaka.types import Ball, Commands, Floats, Game, Intents, Phase, Plans, Robots, World

DRIVES = ("mirosot-5v5", "vsss-5v5", "ssl-b", "byu-2v2")
SECONDS = 6.0
LATE = {  # times the bound, on average: of places and of poses
    "mirosot-5v5": (1.05, 1.05),
    "vsss-5v5": (1.0, 1.0),
    "ssl-b": (1.08, 1.055),
    "byu-2v2": (1.06, 1.06),
}

angles = st.floats(-math.pi, math.pi)
parts = st.floats(-0.7, 0.7)  # of half the field
speeds = st.floats(-1.5, 1.5)


@cache
def league(name: str) -> League:
    return load(name, realism="ideal")  # where a robot is, is known to the last bit


def world(name: str, pose: Floats, velocity: Floats) -> World:
    robots = Robots(pose, velocity, np.zeros(len(pose)))
    field = league(name).field.geometry()
    return World(0.0, field, Ball(0.0, 0.0, 0.0, 0.0, 0.0), robots, robots, Game(Phase.PLAY, 1.0, 0, 0, ours=True))


def wish(target: Floats, end_speed: float = 0.0, max_speed: float = math.inf) -> Intents:
    n = len(target)
    speeds = {"end_speed": np.full(n, end_speed), "max_speed": np.full(n, max_speed)}
    return replace(Intents.blank(n), target=target, **speeds)


def command(name: str, pose: Floats, velocity: Floats, intents: Intents, law: Law = Law.FAST) -> Commands:
    params = replace(plan_params(league(name)), planner=plan.Planner.STRAIGHT)
    seen = world(name, pose, velocity)
    plans = plan.step(params, plan.start(params, len(intents)), seen, intents)[1]
    return control.step(replace(control_params(league(name)), law=law), seen, plans)


def body(name: str, sent: Commands) -> Floats:
    return np.asarray(body_matrix(league(name).robot.wheel_matrix()) @ sent.wheels[0])


@pytest.mark.parametrize("heading", [False, True])
@pytest.mark.parametrize("name", DRIVES)
def test_two_hundred_targets_are_reached_soon_exactly_and_for_good(name: str, heading: bool) -> None:
    ours, (start, target) = league(name), drives.scattered(league(name), 200, seed=11, heading=heading)
    found = drives.drive(ours, start, target, SECONDS)
    times = drives.arrivals(ours, found)
    assert np.isfinite(times).all()
    assert (times / drives.bounds(ours, start, target)).mean() < LATE[name][heading]
    assert drives.overshoot(found).max() < 0.01
    assert np.isfinite(found.wheels).all()
    assert np.abs(found.wheels).max() <= control_params(ours).max_wheel_speed * (1.0 + 1e-12)
    assert found.speed.max() <= ours.robot.max_speed * 1.002  # motors settle from above by as little
    assert found.off[-1].max() < 0.006
    assert np.abs(found.velocity[-30:]).max() < 0.01
    if heading:
        assert drives.misaligned(ours, found)[-1].max() < drives.ALIGNED


def test_an_omni_robot_goes_by_way_of_a_strong_heading_and_is_sooner_there_than_with_its_own() -> None:
    """At 50 degrees to the way its motors are weakest; it turns away from there and back, and gains by that."""
    ours, askew = league("ssl-b"), math.radians(50.0)
    start, target = np.array([(-2.0, 0.5, askew)]), np.array([(2.0, 0.5, askew)])
    found = drives.drive(ours, start, target, SECONDS)
    assert drives.arrivals(ours, found)[0] < 0.95 * drives.motor_bounds(ours, start, target)[0]
    assert np.abs(found.pose[:, 0, 2] - askew).max() > 0.5
    assert np.abs(found.pose[:, 0, 1] - 0.5).max() < 0.01  # and keeps to its way
    short = drives.drive(ours, start, start + np.array((0.1, 0.0, 0.0)), SECONDS)
    assert np.abs(short.pose[:, 0, 2] - askew).max() < 0.05  # but not where there is no time for it


@pytest.mark.parametrize("name", DRIVES)
def test_the_thesis_law_arrives_too_and_later(name: str) -> None:
    ours, (start, target) = league(name), drives.scattered(league(name), 50, seed=12, heading=True)
    slow = drives.drive(ours, start, target, 2.0 * SECONDS, law=Law.SUPER_POSITION)
    quick = drives.drive(ours, start, target, SECONDS)
    assert (slow.off[-1] < 0.02).all()
    assert (drives.misaligned(ours, slow)[-1] < 0.05).all()
    assert drives.arrivals(ours, quick).mean() < drives.arrivals(ours, slow).clip(max=2.0 * SECONDS).mean()


@pytest.mark.parametrize("name", DRIVES)
@pytest.mark.parametrize("law", Law)
def test_a_target_is_passed_at_the_end_speed(name: str, law: Law) -> None:
    ours, (start, target) = league(name), drives.scattered(league(name), 60, seed=13, heading=False)
    way = target[:, :2] - start[:, :2]
    start, target = start[(d := np.hypot(*way.T) > 0.6)], target[d]
    start[:, 2] = np.arctan2(way[d, 1], way[d, 0])
    end = 0.3 * ours.robot.max_speed
    found = drives.drive(ours, start, target, SECONDS, law=law, end_speed=end)
    way = (target - start)[:, :2] / np.hypot(*(target - start)[:, :2].T)[:, None]
    short = ((target[:, :2] - found.pose[..., :2]) * way).sum(axis=-1)
    k, row = np.argmax(short <= 0.0, axis=0), np.arange(len(start))
    part = short[k - 1, row] / (short[k - 1, row] - short[k, row])
    passing = (1.0 - part) * found.speed[k - 1, row] + part * found.speed[k, row]
    assert passing == pytest.approx(end, rel=0.1)
    assert found.off.min(axis=0).max() < end * found.dt


def begun(torque: float, strength: float | None) -> tuple[float, float]:
    """Return speed and heading after 5 ticks of a robot with a share of its torque, believed to have another."""
    ours, pitch = league("mirosot-5v5"), pitch_params(league("mirosot-5v5"))
    motor = replace(pitch.robot.drive.motor, torque_limit=torque * pitch.robot.drive.motor.torque_limit)
    pitch = replace(pitch, robot=replace(pitch.robot, drive=replace(pitch.robot.drive, motor=motor)))
    target, share = np.array([(0.7, 0.15, math.nan)]), None if strength is None else np.full(1, strength)
    state = sim.start(pitch)
    pose = state.pose.copy()
    pose[0] = (0.0, 0.1, 0.0)
    state = sim.place(state, pose, np.array((-1.0, 0.8)))
    for _ in range(5):
        way = np.stack((state.pose[:1, :2], target[:, :2]), axis=1)
        plans = Plans(
            wish(target), np.full(1, 2), way, np.zeros((1, 2)), np.ones(1, np.int64), np.ones(1, np.int64), share
        )
        sent = control.step(control_params(ours), world("mirosot-5v5", state.pose[:1], state.velocity[:1]), plans)
        state = sim.step(pitch, state, Commands.join(sent, Commands.stop(pitch.robots - 1, 2)))
    return float(state.velocity[0, 0]), float(state.pose[0, 2])


def test_a_weak_robot_turns_while_it_speeds_up_only_if_its_strength_is_known() -> None:
    """Asked for more than it has, both of its motors give their most, and nothing is left for turning."""
    (fast, turned), (slower, still_turned), (_, hardly) = begun(1.0, None), begun(0.7, 0.7), begun(0.7, None)
    assert slower == pytest.approx(0.7 * fast, rel=0.05)
    assert still_turned == pytest.approx(turned, rel=0.05)
    assert hardly < 0.5 * turned
    assert begun(1.0, 1.0) == (fast, turned)


@pytest.mark.parametrize("law", Law)
@pytest.mark.parametrize("name", DRIVES)
def test_a_robot_at_its_target_stays_there(name: str, law: Law) -> None:
    pose = np.array([[0.1, -0.2, 0.5]])
    assert not command(name, pose, np.zeros((1, 3)), wish(pose), law).wheels.any()


@pytest.mark.parametrize("name", DRIVES)
@settings(deadline=None, max_examples=60)
@given(st.tuples(parts, parts, angles), st.tuples(parts, parts, angles), speeds, st.floats(-8.0, 8.0), st.booleans())
def test_left_and_right_are_alike(
    name: str, at: tuple[float, ...], to: tuple[float, ...], u: float, w: float, thesis: bool
) -> None:
    flip, law = np.array((1.0, -1.0, -1.0)), Law.SUPER_POSITION if thesis else Law.FAST
    pose, target = np.array([at]), np.array([to])
    assume(abs(math.remainder(to[2] - at[2], 2.0 * math.pi)) < 3.14)  # half a turn may go either way
    velocity = np.array([(u * math.cos(at[2]), u * math.sin(at[2]), w)])
    one = body(name, command(name, pose, velocity, wish(target), law))
    two = body(name, command(name, pose * flip, velocity * flip, wish(target * flip), law))
    assert two == pytest.approx(one * flip, abs=1e-6)


@pytest.mark.parametrize("name", DRIVES)
@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=3), st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=3),
    st.lists(st.floats(-1e3, 1e3), min_size=3, max_size=3), st.floats(-10.0, 10.0), st.floats(-1.0, 10.0),
)  # fmt: skip
def test_whatever_is_finite_is_answered_within_the_limits(
    name: str, at: list[float], moves: list[float], to: list[float], end: float, top: float
) -> None:
    sent = command(name, np.array([at]), np.array([moves]), wish(np.array([to]), end, top))
    assert np.isfinite(sent.wheels).all()
    assert np.abs(sent.wheels).max() <= control_params(league(name)).max_wheel_speed * (1.0 + 1e-12)


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
    assert bad.kick.tolist() == [good.kick[0], 0.0, good.kick[2]]
    assert Commands.join(bad, bad).stopped == 2


@pytest.mark.parametrize("name", DRIVES)
def test_a_robot_without_a_plan_brakes_in_a_straight_line_as_hard_as_it_can(name: str) -> None:
    ours, pitch = league(name), replace(pitch_params(league(name)), robots=1)
    params, top = control_params(ours), 0.8 * min(ours.robot.max_speed, 2.5)
    ball = np.array((pitch.field.half_length + 0.1, 0.0))
    state = sim.place(sim.start(pitch), np.array([[-0.8, 0.3, 0.0]]), ball)
    while state.velocity[0, 0] < top:
        sent = command(name, state.pose, state.velocity, wish(np.array([[state.pose[0, 0] + 3.0, 0.3, np.nan]])))
        state = sim.step(pitch, state, sent)
    start, u, ticks = state.pose[0], state.velocity[0, 0], 0
    while np.abs(state.velocity).max() > 0.01:
        state = sim.step(pitch, state, command(name, state.pose, state.velocity, Intents.stop(1)))
        ticks += 1
    assert ticks * params.dt < 1.15 * u / ours.robot.max_acceleration + 2.0 * params.dt
    assert state.pose[0, 0] - start[0] < 1.15 * u * u / (2.0 * ours.robot.max_acceleration) + u * params.dt
    assert state.pose[0, 1:] == pytest.approx([0.3, 0.0], abs=1e-3)


@pytest.mark.parametrize("law", Law)
@pytest.mark.parametrize("name", DRIVES)
def test_own_speed_limit_holds(name: str, law: Law) -> None:
    pose, target = np.zeros((1, 3)), np.array([[0.6, 0.0, 0.0]])
    sent = command(name, pose, np.array([[0.2, 0.0, 0.0]]), wish(target, max_speed=0.2), law)
    assert body(name, sent) == pytest.approx([0.2, 0.0, 0.0], abs=1e-9)


def plans_for_two() -> Plans:
    return Plans(Intents.stop(2), np.full(2, 2), np.zeros((2, 2, 2)), np.zeros((2, 2)), *np.ones((2, 2), np.int64))


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        ({"count": np.array((2, 3))}, "plans.count must be at most 2, the waypoints that plans.xy holds; got 3"),
        ({"count": np.full(1, 2)}, "plans.count must have 2 rows, one a robot; got 1"),
        ({"xy": np.zeros((1, 2, 2))}, "plans.xy must have 2 rows, one a robot; got 1"),
        ({"status": np.ones(3, np.int64)}, "plans.status must have 2 rows, one a robot; got 3"),
        ({"strength": np.ones(1)}, "plans.strength must have 2 rows, one a robot; got 1"),
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


@pytest.mark.parametrize(
    ("kick", "ahead", "sent"), [(6.0, 2.0, 4.0), (6.0, -2.0, 6.0), (1.0, 2.0, 0.1), (0.0, 2.0, 0.0)]
)
def test_a_kick_is_weaker_by_the_speed_of_the_robot_so_that_the_ball_leaves_as_fast_as_asked(
    kick: float, ahead: float, sent: float
) -> None:
    pose = np.array([0.0, 0.0, 0.5 * np.pi])
    assert following.strength(kick, pose, np.array([3.0, ahead, 0.0])) == pytest.approx(sent)
