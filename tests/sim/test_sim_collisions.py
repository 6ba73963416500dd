"""Collisions against conservation laws, and jams that must not freeze."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pitch_judge import LEAGUES, chase, drive, faults, params_of, stop

from tikitaka import sim
from tikitaka.sim import scenes

SKIN_ENERGY = 2e-5  # [J] that touching bodies gain a tick while their skin grows back: measured 1.5e-5, see below


def adrift(league: str, bounce: float = 0.1) -> sim.Params:
    """Return a pitch of ice: no grip, no rolling friction."""
    params = params_of(league)
    robot = replace(params.robot, grip=0.0, spin=0.0)
    return replace(params, robot=robot, ball=replace(params.ball, rolling_deceleration=0.0), restitution_pair=bounce)


def energy(params: sim.Params, state: sim.State) -> float:
    r = params.robot
    turning = r.inertia * (state.velocity[:, 2] ** 2).sum()
    return float(
        0.5 * (r.mass * (state.velocity[:, :2] ** 2).sum() + turning + params.ball.mass * (state.ball[2:] ** 2).sum())
    )


def momentum(params: sim.Params, state: sim.State) -> tuple[float, float, float]:
    """Return linear momentum, and angular momentum about the centre of the pitch."""
    m, b = params.robot.mass, params.ball.mass
    px, py = m * state.velocity[:, :2].sum(axis=0) + b * state.ball[2:]
    spin = params.robot.inertia * state.velocity[:, 2].sum()
    orbit = m * (state.pose[:, 0] * state.velocity[:, 1] - state.pose[:, 1] * state.velocity[:, 0]).sum()
    x, y, vx, vy = state.ball
    return px, py, spin + orbit + b * (x * vy - y * vx)


def flung(state: sim.State, seed: int, speed: float) -> sim.State:
    rng = np.random.default_rng(seed)
    velocity = rng.uniform(-speed, speed, state.velocity.shape)
    return replace(state, velocity=velocity, ball=np.r_[state.ball[:2], rng.uniform(-speed, speed, 2)])


@pytest.mark.parametrize("bounce", [0.1, 1.0])
@pytest.mark.parametrize("league", LEAGUES)
def test_without_wheels_kinetic_energy_never_grows(league: str, bounce: float) -> None:
    params = adrift(league, bounce)
    for seed, start in enumerate((scenes.corner_pile(params), scenes.crowd(params, 3), scenes.squeezed(params))):
        for speed in (0.0, 0.05, 2.0):
            state = flung(start, seed, speed)
            for _ in range(60):
                before, state = energy(params, state), sim.step(params, state, stop(params))
                assert energy(params, state) <= before * (1.0 + 5e-5) + SKIN_ENERGY


@settings(deadline=None, max_examples=40)
@given(
    league=st.sampled_from(LEAGUES),
    heading=st.floats(-math.pi, math.pi),
    spin=st.floats(-5.0, 5.0),
    aside=st.floats(-0.05, 0.05),
    speed=st.floats(0.3, 3.0),
    bounce=st.sampled_from([0.0, 0.5, 1.0]),
)
def test_two_robots_on_ice_keep_their_momentum(
    league: str, heading: float, spin: float, aside: float, speed: float, bounce: float
) -> None:
    params = adrift(league, bounce)
    state = scenes.corner_pile(params)
    pose, velocity = state.pose.copy(), state.velocity.copy()
    pose[:2] = (-0.5, 0.0, heading), (-0.1, aside, 0.3)
    velocity[:2] = (speed, 0.0, spin), (0.0, 0.0, 0.0)
    state = replace(state, pose=pose, velocity=velocity)
    before = momentum(params, state)
    for _ in range(math.ceil(0.35 / speed / params.dt)):
        state = sim.step(params, state, stop(params))
    scale = params.robot.mass * speed
    assert state.velocity[1, 0] > 0.0  # they have met
    assert momentum(params, state) == pytest.approx(before, abs=1e-3 * scale)


@settings(deadline=None, max_examples=40)
@given(league=st.sampled_from(LEAGUES), heading=st.floats(-math.pi, math.pi), speed=st.floats(0.3, 6.0))
def test_a_ball_that_meets_a_robot_on_ice_keeps_momentum_and_gets_its_restitution(
    league: str, heading: float, speed: float
) -> None:
    params = adrift(league)
    state = scenes.corner_pile(params)
    pose = state.pose.copy()
    pose[0] = -0.1, 0.0, heading
    state = replace(state, pose=pose, ball=np.array((-0.4, 0.0, speed, 0.0)))
    before = momentum(params, state)
    while state.toucher != 0:
        last, state = state, sim.step(params, state, stop(params))
    assert momentum(params, state) == pytest.approx(before, abs=1e-9)
    normal = (state.ball[2:] - last.ball[2:]) / np.linalg.norm(state.ball[2:] - last.ball[2:])
    lever = state.velocity[0, 2] * params.robot.inertia / params.ball.mass
    lever /= np.linalg.norm(state.ball[2:] - last.ball[2:])  # r x n, signed against the robot's spin
    after = (state.ball[2:] - state.velocity[0, :2]) @ normal + state.velocity[0, 2] * lever
    assert after == pytest.approx(-params.ball.restitution_robot * last.ball[2:] @ normal, rel=1e-6)


@pytest.mark.parametrize("league", LEAGUES)
def test_equal_robots_head_on_without_loss_change_places(league: str) -> None:
    params = adrift(league, 1.0)
    state = scenes.corner_pile(params)
    pose, velocity = state.pose.copy(), state.velocity.copy()
    pose[:2], velocity[0] = ((-0.6, 0.0, 0.0), (-0.2, 0.0, 0.0)), (2.0, 0.0, 0.0)
    state = replace(state, pose=pose, velocity=velocity)
    for _ in range(math.ceil(0.4 / 2.0 / params.dt)):
        state = sim.step(params, state, stop(params))
    assert state.velocity[:2, 0] == pytest.approx((0.0, 2.0), abs=1e-3)


def pushers(league: str) -> tuple[sim.Params, sim.State]:
    """Return two robots right behind a third."""
    params = params_of(league)
    r, state = params.robot, scenes.line_up(params)
    pose = state.pose.copy()
    back = 2.0 * r.half_length + 1e-3 if r.box else math.sqrt(3.0) * r.half_length + 1e-3
    aside = r.half_width + 1e-3
    pose[:3] = (-0.1, 0.0, 0.0), (-0.1 - back, aside, 0.0), (-0.1 - back, -aside, 0.0)
    return params, replace(state, pose=pose, ball=np.array((0.3, 0.4, 0.0, 0.0)))


@pytest.mark.parametrize("league", ["mirosot-5v5", "vsss-3v3", "ssl-b"])
def test_two_robots_push_a_third_whose_motors_are_off(league: str) -> None:
    params, state = pushers(league)
    assert faults(params, state) == []
    body, start = np.zeros((params.robots, 3)), state.pose[0, 0]
    body[1:3, 0] = 0.8
    for _ in range(int(1.0 / params.dt)):
        body[0] = state.velocity[0] * (1.0, 0.0, 0.0)  # its wheels roll along
        state = sim.step(params, state, drive(params, body))
    assert state.pose[0, 0] - start > 0.3


@pytest.mark.parametrize("league", LEAGUES)
@pytest.mark.parametrize("angle_deg", [10.0, 30.0, 45.0])
def test_a_robot_that_pushes_into_a_wall_at_an_angle_slides_along_it(league: str, angle_deg: float) -> None:
    params = params_of(league)
    state, angle = scenes.line_up(params), math.radians(angle_deg)
    f, pose = params.field, state.pose.copy()
    r = math.sqrt(2.0) * params.robot.half_length if params.robot.box else params.robot.half_length
    pose[0] = -0.5 * f.half_length, f.half_width + f.margin_y - r - 0.001, angle
    state, body = replace(state, pose=pose), np.zeros((params.robots, 3))
    body[0, 0] = 1.0
    for _ in range(int(0.5 / params.dt)):
        state = sim.step(params, state, drive(params, body))
    assert state.pose[0, 0] - pose[0, 0] > 0.5 * 0.5 * math.cos(angle)


@pytest.mark.parametrize("league", LEAGUES)
def test_a_pile_in_the_corner_dissolves_when_all_want_away(league: str) -> None:
    params = params_of(league)
    f, state = params.field, scenes.corner_pile(params)
    for _ in range(int(1.0 / params.dt)):
        state = sim.step(params, state, chase(params, state, f.half_length, f.half_width, 2.0))
    jammed = state.pose[:, :2]
    for _ in range(int(2.5 / params.dt)):
        state = sim.step(params, state, chase(params, state, 0.0, 0.0, 2.0))
    assert np.linalg.norm(state.pose[:, :2] - jammed, axis=1).min() > 0.3


@pytest.mark.parametrize("league", LEAGUES)
@pytest.mark.parametrize("scene", ["squeezed", "walled"])
def test_a_squeezed_ball_stays_put_and_comes_free_when_the_robots_back_off(league: str, scene: str) -> None:
    params = params_of(league)
    state, n = getattr(scenes, scene)(params), params.robots // 2
    body, ball = np.zeros((params.robots, 3)), state.ball[:2]
    pressing = [n - 1, 2 * n - 1] if scene == "squeezed" else [n - 1]
    body[pressing, 0] = 0.5
    for _ in range(int(0.5 / params.dt)):
        state = sim.step(params, state, drive(params, body))
    assert state.toucher in pressing
    assert np.linalg.norm(state.ball[:2] - ball) < 0.05
    for _ in range(int(0.5 / params.dt)):
        state = sim.step(params, state, drive(params, -body))
    away = np.linalg.norm(state.pose[pressing, :2] - state.ball[:2], axis=1)
    assert (away > 0.15).all()
