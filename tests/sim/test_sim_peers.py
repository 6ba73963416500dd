"""Impacts beside pymunk (Chipmunk): the same bodies 0.1 us before they meet, and their velocities just after.

The same in both: impulses at the contact points on mass and inertia about the mass centre, restitution of the normal
speed, Coulomb friction. What is left, below 1e-6, is pymunk's: it sees an impact up to a step (1 ns) late, bodies then
overlap by nanometres and levers are off by as much. Its slop is 0 here, and its bias pushes bodies apart without
touching their velocities. It has no impacts between steps, which is why it is given such short ones. Bodies that stop
each other go on to lean on each other, which we settle to 1e-6 m/s: 3e-5 rad/s at the lever of a cube.

Different: friction and restitution together. Newton's restitution (pymunk) sends every contact point back at a part of
its own closing speed, and friction rubs on the whole impulse. Ours (Poisson's, energy kept in bounds) gives back
a part of the impulse that stopped the bodies, and rubs only while they are being stopped. So a point that slides is
dragged 1 + e times as much by pymunk, and a robot that falls flat on a wall, with more weight on its leading corner, is
turned by ours and not by pymunk. The leagues' robots hardly bounce (0.1 off each other, 0 off walls).
"""

import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pymunk
import pytest
from free_bodies import ice, rolling
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pitch_judge import stop

from tikitaka import sim
from tikitaka.types import Floats

TOLERANCE = 1e-6  # [m/s], [rad/s] after a bounce
LEANT = 3e-5  # [m/s], [rad/s] after a stop
TICKS = (1e-3, 1e-5, 1e-7)  # [s] ours, ever shorter as the impact comes near
STEP = 1e-9  # [s] of pymunk
HALF = 0.0375  # [m] of the cube
WALL = 0.9  # [m] y of the upper wall
AWAY = (-0.8, -0.5, 0.0)  # a pose where nobody comes

Pose = tuple[float, float, float]


@dataclass(frozen=True)
class Scene:
    """Two robots and a ball."""

    poses: tuple[Pose, Pose]
    velocities: tuple[Pose, Pose]
    ball: tuple[float, float, float, float] = (0.9, -0.7, 0.0, 0.0)


SCENES = {
    "ball, wall": Scene((AWAY, (-0.5, -0.5, 0.0)), ((0, 0, 0), (0, 0, 0)), (0.3, WALL - 0.03, 0.5, 1.0)),
    "ball, robot head-on": Scene(((0, 0, 0), AWAY), ((0, 0, 0), (0, 0, 0)), (0.07, 0.0, -1.0, 0.0)),
    "ball, robot oblique": Scene(((0, 0, 0), AWAY), ((0.2, 0, 1.0), (0, 0, 0)), (0.012, 0.07, 0.4, -1.0)),
    "ball, corner": Scene(((0, 0, 0.2), AWAY), ((0, 0, 0), (0, 0, 0)), (0.046, 0.07, 0.0, -1.0)),
    "robots, edge": Scene(((0, 0, 0), (0.08, 0.02, 0)), ((1, 0.3, 0), (0, 0, 0))),
    "robots, short edge": Scene(((0, 0, 0), (0.08, 0.05, 0)), ((1, 0.3, 0), (0, 0, 0))),
    "robots, corner": Scene(((0, 0, 0.5), (0.095, 0.01, 0)), ((1, 0.2, 2.0), (-0.3, 0, -1))),
    "robot, wall, one corner": Scene(((0, WALL - 0.053, 0.3), AWAY), ((0.3, 1.0, 0), (0, 0, 0))),
    "robot, wall, two corners": Scene(((0, WALL - 0.0385, 0), AWAY), ((0.3, 1.0, 0), (0, 0, 0))),
}


@cache
def cubes(bounce: float, rub: float, offset: float, tick: float) -> sim.Params:
    """Return two cubes on ice, their mass centres ahead of their middles."""
    params = ice("vsss-5v5", bounce, rub, 2)
    drive = replace(params.robot.drive, offset=offset)
    return replace(params, robot=replace(params.robot, drive=drive), dt=tick)


def set_up(params: sim.Params, scene: Scene) -> sim.State:
    state = sim.place(sim.start(params), np.array(scene.poses, np.float64), np.zeros(2))
    return replace(state, velocity=np.array(scene.velocities, np.float64), ball=rolling(*scene.ball))


def met(scene: Scene, bounce: float, rub: float, offset: float) -> tuple[sim.State, sim.State]:
    """Return our moments just before and just after the first impact."""
    state = set_up(cubes(bounce, rub, offset, TICKS[0]), scene)
    for tick in TICKS:
        params = cubes(bounce, rub, offset, tick)
        for _ in range(300):
            after = sim.step(params, state, stop(params))
            if len(after.hits) > 0:
                break
            state = after
    assert len(after.hits) > 0
    return state, after


def pymunk_space(params: sim.Params, state: sim.State, bounce: float, rub: float) -> pymunk.Space:
    """Return the same moment; elasticity and friction of a contact are products of those of its two shapes."""
    space = pymunk.Space()
    space.iterations, space.collision_slop = 500, 0.0
    drive, e, mu = params.robot.drive, math.sqrt(bounce), math.sqrt(rub)
    for (x, y, theta), (vx, vy, omega) in zip(state.pose.tolist(), state.velocity.tolist(), strict=True):
        body, ox, oy = pymunk.Body(drive.mass, drive.inertia), math.cos(theta), math.sin(theta)
        body.position, body.angle = (x + drive.offset * ox, y + drive.offset * oy), theta
        body.velocity, body.angular_velocity = (vx - omega * drive.offset * oy, vy + omega * drive.offset * ox), omega
        hull = pymunk.Poly(body, [(px - drive.offset, py) for px, py, _ in params.robot.outline.corners])
        hull.elasticity, hull.friction = e, mu
        space.add(body, hull)
    ball, (x, y, vx, vy) = pymunk.Body(params.ball.mass, 1e-5), state.ball[:4].tolist()
    ball.position, ball.velocity = (x, y), (vx, vy)
    rim = pymunk.Circle(ball, params.ball.radius)
    rim.elasticity, rim.friction = e, 0.0
    wall = pymunk.Segment(space.static_body, (-9.0, WALL + 1.0), (9.0, WALL + 1.0), 1.0)
    wall.elasticity, wall.friction = e, mu
    space.add(ball, rim, wall)
    return space


def theirs(params: sim.Params, state: sim.State, bounce: float, rub: float) -> tuple[Floats, Floats]:
    """Return pymunk's velocities of the robots' middles and of the ball, just after the first impact."""
    space = pymunk_space(params, state, bounce, rub)
    before = [(*b.velocity, b.angular_velocity) for b in space.bodies]
    for _ in range(round(2.0 * TICKS[-1] / STEP)):
        space.step(STEP)
        if [(*b.velocity, b.angular_velocity) for b in space.bodies] != before:
            break
    *robots, ball = space.bodies
    d = params.robot.drive.offset
    turned = [(b.angular_velocity, d * math.cos(b.angle), d * math.sin(b.angle)) for b in robots]
    rows = [
        (b.velocity.x + omega * oy, b.velocity.y - omega * ox, omega)
        for b, (omega, ox, oy) in zip(robots, turned, strict=True)
    ]
    return np.array(rows), np.array(tuple(ball.velocity))


def compare(scene: Scene, bounce: float, rub: float, offset: float) -> None:
    before, after = met(scene, bounce, rub, offset)
    robots, ball = theirs(cubes(bounce, rub, offset, TICKS[-1]), before, bounce, rub)
    within = TOLERANCE if bounce > 0.0 else LEANT
    assert after.velocity == pytest.approx(robots, abs=within)
    assert after.ball[2:4] == pytest.approx(ball, abs=TOLERANCE)
    assert abs(robots - before.velocity).max() + abs(ball - before.ball[2:4]).max() > 0.1  # something happened


@pytest.mark.parametrize("offset", [0.0, 0.01])
@pytest.mark.parametrize("bounce", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("name", SCENES)
def test_without_friction_impacts_are_those_of_pymunk(name: str, bounce: float, offset: float) -> None:
    compare(SCENES[name], bounce, 0.0, offset)


@pytest.mark.parametrize("offset", [0.0, 0.01])
@pytest.mark.parametrize("rub", [0.1, 0.3, 1.0])
@pytest.mark.parametrize("name", [name for name in SCENES if name.startswith("robot")])
def test_with_friction_stops_are_those_of_pymunk(name: str, rub: float, offset: float) -> None:
    compare(SCENES[name], 0.0, rub, offset)


@settings(deadline=None, max_examples=40)
@given(
    heading=st.floats(-3.1, 3.1),
    aside=st.floats(-0.04, 0.04),
    speed=st.floats(0.5, 3.0),
    spin=st.floats(-5.0, 5.0),
    bounce=st.sampled_from([0.0, 0.3, 1.0]),
    rub=st.sampled_from([0.0, 0.2, 0.6]),
    offset=st.floats(-0.01, 0.01),
)
def test_any_two_robots_meet_as_in_pymunk(
    heading: float, aside: float, speed: float, spin: float, bounce: float, rub: float, offset: float
) -> None:
    scene = Scene(((0, 0, heading), (0.12, aside, 0)), ((speed, 0.1, spin), (0, 0, 0)))
    rub = rub if bounce == 0.0 else 0.0
    before, _ = met(scene, bounce, rub, offset)
    off_square = abs(math.remainder(before.pose[0, 2] - before.pose[1, 2], 0.5 * math.pi))
    assume(off_square > 0.02)  # else both corners of an edge arrive within a step, and pymunk takes them for one
    compare(scene, bounce, rub, offset)


def test_a_point_that_slides_is_dragged_1_plus_e_times_as_much_by_pymunk() -> None:
    scene = SCENES["robot, wall, one corner"]
    for bounce in (0.25, 0.5):
        before, after = met(scene, bounce, 0.1, 0.0)
        robots, _ = theirs(cubes(bounce, 0.1, 0.0, TICKS[-1]), before, bounce, 0.1)
        ours, its = after.velocity[0] - before.velocity[0], robots[0] - before.velocity[0]
        assert its[0] == pytest.approx((1.0 + bounce) * ours[0], rel=1e-5)
        assert its[1] == pytest.approx(ours[1], rel=0.05)


def test_a_robot_that_falls_flat_on_a_wall_with_friction_is_turned_by_the_corner_that_bears_more() -> None:
    bounce, rub = 0.5, 0.6
    before, after = met(SCENES["robot, wall, two corners"], bounce, rub, 0.0)
    robots, _ = theirs(cubes(bounce, rub, 0.0, TICKS[-1]), before, bounce, rub)
    assert robots[0] == pytest.approx((0.0, -0.5, 0.0), abs=TOLERANCE)
    drive = cubes(bounce, rub, 0.0, TICKS[-1]).robot.drive
    turn = (
        bounce * drive.mass * 0.3 * HALF / drive.inertia
    )  # friction stops 0.3 m/s at the lever HALF; corners hold against it
    assert after.velocity[0] == pytest.approx((0.0, -0.5, -turn), abs=1e-4)
