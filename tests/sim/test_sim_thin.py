"""Long, thin robots, and perfect wheels: what nobody may jump over, and what must not keep others from bouncing."""

import math
from dataclasses import replace

import numpy as np
import pytest
from free_bodies import iced, rolling
from pitch_judge import drive, params_of, stop

from tikitaka import sim
from tikitaka.sim.params import MAX_SUBSTEP
from tikitaka.types import Outline

PLANK = Outline.box(0.5, 0.02)


def planks(robots: int) -> sim.Params:
    """Return a large MiroSot pitch whose robots are long and thin."""
    params = replace(params_of("mirosot-5v5"), dt=MAX_SUBSTEP, robots=robots)
    robot = replace(params.robot, outline=PLANK, front=PLANK.front)
    return replace(params, robot=robot, field=replace(params.field, length=4.0, width=3.0))


def test_a_ball_does_not_jump_over_a_thin_robot_that_spins() -> None:
    """The step that its fastest corner allows was taken half as far again: over all of the robot."""
    params = iced(planks(1))
    params = replace(params, ball=replace(params.ball, restitution_robot=0.6))
    start = sim.place(sim.start(params), np.array(((-0.91476639, 0.60813637, -2.81690922),)), np.array((1.0, 1.0)))
    velocity = np.array(((-1.11996133, -1.02090995, 90.10672614),))
    state = replace(start, velocity=velocity, ball=rolling(-0.92386055, 0.25449497, -4.74275894, 6.839294))
    state = sim.step(params, sim.check(params, state), stop(params))
    assert state.toucher == 0
    assert state.hits[0, 0] == pytest.approx(0.0111146, abs=1e-7)  # by sampling the outlines' distance


def test_a_thin_robot_that_rubs_along_a_wall_does_not_keep_a_ball_from_bouncing_elsewhere() -> None:
    """Push and friction undid one another in every sweep: it was struck by nothing, sixty times."""
    params = planks(1)
    y, theta = 1.5 - 0.24672494978758852 - 1e-9, math.atan2(0.24672495, 0.04155477) - math.atan2(0.01, 0.25)
    start = sim.place(sim.start(params), np.array(((-1.0, y, theta),)), np.array((0.5, 0.0)))
    down = rolling(0.5, -(1.5 - params.ball.radius - 0.01), 0.0, -2.0)
    state = replace(start, velocity=np.array(((0.519, -0.1474, 4.942),)), ball=down)
    state = sim.step(params, sim.check(params, state), stop(params))
    assert state.ball[3] == pytest.approx(2.0 * params.ball.restitution_wall, rel=0.05)


def test_perfect_wheels_that_press_do_not_keep_a_ball_from_bouncing_elsewhere() -> None:
    """They had the speed that they were told at once, met again at the same moment, and used all rounds up."""
    params = replace(params_of("ssl-b"), dt=MAX_SUBSTEP, robots=2)
    params = replace(params, robot=replace(params.robot, drive=replace(params.robot.drive, kinematic=True)))
    near, f = params.robot.front + 5e-4, params.field
    at_wall = f.half_width + f.margin_y - params.ball.radius - 0.12
    pose, body = np.array(((-near, 0.0, 0.0), (near, 0.0, math.pi))), np.array(((0.5, 0.0, 0.0),) * 2)
    state = sim.place(sim.start(params), pose, np.array((0.5 * f.half_length, at_wall)))
    state = replace(state, ball=rolling(0.5 * f.half_length, at_wall, 0.0, 3.0))
    for _ in range(6):
        state = sim.step(params, state, drive(params, body))
    assert state.ball[3] == pytest.approx(-3.0 * params.ball.restitution_wall, rel=0.05)
