"""Robots on ice and a ball without friction: nothing but contacts acts, so what contacts keep is kept."""

from dataclasses import replace
from functools import cache

import numpy as np
from pitch_judge import params_of, stop

from tikitaka import sim
from tikitaka.sim import scenes
from tikitaka.types import Floats, Outline

SOLID = 0.4  # J / (m r^2) of the ball


def iced(params: sim.Params) -> sim.Params:
    """Return the pitch without grip and without friction under the ball."""
    robot = replace(params.robot, drive=replace(params.robot.drive, traction=0.0))
    ball = replace(params.ball, rolling_deceleration=0.0, rolling_damping=0.0, sliding_friction=0.0)
    return replace(params, robot=robot, ball=ball)


@cache
def ice(league: str, bounce: float, rub: float = 0.2, robots: int = 0) -> sim.Params:
    """Return a league's pitch on ice; everything bounces alike, robots rub alike, and there are so many of them."""
    params = iced(params_of(league))
    contact = sim.ContactParams(bounce, bounce, rub, rub)
    ball = replace(params.ball, restitution_wall=bounce, restitution_robot=bounce)
    return replace(params, ball=ball, contact=contact, robots=robots or params.robots)


@cache
def shaped(outline: Outline, bounce: float, robots: int = 1) -> sim.Params:
    """Return a pitch on ice without friction whose robots have this outline."""
    params = ice("mirosot-5v5", bounce, 0.0, robots)
    return replace(params, robot=replace(params.robot, outline=outline, front=outline.front))


def rolling(x: float, y: float, vx: float, vy: float) -> Floats:
    """Return a ball that rolls."""
    return np.array((x, y, vx, vy, 0.0, 0.0, vx, vy))


def alone(params: sim.Params, *poses: tuple[float, float, float]) -> sim.State:
    """Return a moment with the first robots at these poses, the others piled up in a corner, all at rest."""
    state = scenes.corner_pile(params)
    pose = state.pose.copy()
    pose[: len(poses)] = poses
    return replace(state, pose=pose)


def after(params: sim.Params, state: sim.State, ticks: int) -> sim.State:
    """Return the moment so many ticks later, the motors ordered to stop."""
    for _ in range(ticks):
        state = sim.step(params, state, stop(params))
    return state


def energy(params: sim.Params, state: sim.State) -> float:
    """Return the kinetic energy of robots and ball, their turning included, the wheels' not."""
    d, b = params.robot.drive, state.ball
    ball = (b[2:4] ** 2).sum() + b[5] ** 2 + SOLID * (b[6:] ** 2).sum()
    robots = d.mass * (centre_velocity(params, state) ** 2).sum() + d.inertia * (state.velocity[:, 2] ** 2).sum()
    return float(0.5 * (robots + params.ball.mass * ball))


def momentum(params: sim.Params, state: sim.State) -> Floats:
    """Return linear momentum, and angular momentum about the centre of the pitch without the ball's spin."""
    d, m, b = params.robot.drive, params.ball.mass, state.ball
    heading = np.stack((np.cos(state.pose[:, 2]), np.sin(state.pose[:, 2])), axis=1)
    place, v = state.pose[:, :2] + d.offset * heading, centre_velocity(params, state)
    orbit = d.mass * (place[:, 0] * v[:, 1] - place[:, 1] * v[:, 0]).sum() + m * (b[0] * b[3] - b[1] * b[2])
    linear = d.mass * v.sum(axis=0) + m * b[2:4]
    return np.array((*linear, orbit + d.inertia * state.velocity[:, 2].sum()))


def centre_velocity(params: sim.Params, state: sim.State) -> Floats:
    """Return the velocity (n, 2) of the robots' mass centres."""
    across = np.stack((-np.sin(state.pose[:, 2]), np.cos(state.pose[:, 2])), axis=1)
    return np.asarray(state.velocity[:, :2] + params.robot.drive.offset * state.velocity[:, 2:] * across)
