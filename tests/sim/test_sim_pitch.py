"""The walls stand where the league says, for every league; and commands that do not fit are refused."""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from pitch_judge import faults, params_of, pitch, stop

from tikitaka import sim
from tikitaka.errors import ContractError
from tikitaka.sim import scenes
from tikitaka.sim.kernels.gaps import ball_gap
from tikitaka.types import Commands


def margins(league: str, margin_x: float, margin_y: float, corner: float) -> sim.Params:
    """Return a pitch of ice whose walls stand elsewhere and whose ball loses no speed."""
    params = params_of(league)
    wall = max(params.field.goal_wall, 0.02) if margin_x > 0.0 else 0.0
    field = replace(params.field, margin_x=margin_x, margin_y=margin_y, corner=corner, goal_wall=wall)
    return replace(params, field=field, ball=replace(params.ball, rolling_deceleration=0.0, restitution_wall=1.0))


@pytest.mark.parametrize("league", ["mirosot-5v5", "ssl-b"])
@pytest.mark.parametrize(
    ("margin_x", "margin_y", "corner"),
    [(0.0, 0.0, 0.3), (0.0, 3.0, 0.0), (0.0, 3.0, 0.4), (0.4, 0.3, 0.0), (0.4, 0.3, 0.5)],
)
def test_a_ball_reaches_all_walls_and_none_beyond(league: str, margin_x: float, margin_y: float, corner: float) -> None:
    """A ball rolls out from the centre in 40 directions: as near to the first wall as its radius, and no nearer."""
    params = replace(margins(league, margin_x, margin_y, corner), robots=1)
    walls = pitch(params.field).boundary
    for angle in np.linspace(0.05, 2.0 * math.pi, 40):
        away = np.array([[math.copysign(0.8 * params.field.half_length, -math.cos(angle)), 0.0, 0.0]])
        ball = np.array((0.0, 0.0, 3.0 * math.cos(angle), 3.0 * math.sin(angle)))
        state, nearest = replace(sim.start(params), pose=away, ball=ball), math.inf
        while state.ball[2:] == pytest.approx(ball[2:]):
            state = sim.step(params, state, stop(params))
            assert faults(params, state) == []
            nearest = min(nearest, walls.distance(shapely.Point(*state.ball[:2])))
        assert nearest < params.ball.radius + 3.0 * params.dt


@pytest.mark.parametrize("league", ["mirosot-5v5", "ssl-b"])
@pytest.mark.parametrize("rows", [1, -1])
def test_commands_of_another_shape_are_refused(league: str, rows: int) -> None:
    params = params_of(league)
    n, w = params.robots, params.robot.body_from_wheels.shape[1]
    state = scenes.line_up(params)
    for commands, words in (
        (Commands.stop(n + rows, w), f"commands.wheels must be {(n, w)}; got {(n + rows, w)}"),
        (Commands.stop(n, w + rows), f"commands.wheels must be {(n, w)}; got {(n, w + rows)}"),
        (replace(stop(params), kick=np.zeros(n + rows)), f"commands.kick must be {(n,)}; got {(n + rows,)}"),
    ):
        with pytest.raises(ContractError) as caught:
            sim.step(params, state, commands)
        assert str(caught.value) == words


def test_a_normal_has_length_one_however_near_the_ball_is_to_the_edge_of_a_front() -> None:
    body = np.array((0.0, 1e-150, 1e-150, 0.0, 1.0, 1.0, 0.0, 0.0))
    edge = math.nextafter(1e-150, 1.0)
    _, nx, ny = ball_gap(1e-170, edge, 0.0, 0.0, 0.0, 0.0, body)
    assert math.hypot(nx, ny) == pytest.approx(1.0)


@pytest.mark.parametrize("speed", [4.0, 20.0])
@pytest.mark.parametrize("league", ["mirosot-5v5", "ssl-b"])
@pytest.mark.parametrize("late", [0.0, 0.13, 0.37, 0.5, 0.71, 0.93])
def test_robots_head_on_at_full_speed_meet_and_bounce(league: str, speed: float, late: float) -> None:
    """At whatever part of a substep they meet: nobody passes, the speeds after are those before, times restitution."""
    slow = params_of(league)
    wheel = speed / np.abs(slow.robot.body_from_wheels[0]).sum()
    robot = replace(slow.robot, grip=0.0, spin=0.0, max_wheel_speed=wheel)
    params = replace(slow, robot=robot, restitution_pair=0.5)
    state = scenes.corner_pile(params)
    pose, velocity = state.pose.copy(), np.zeros_like(state.velocity)
    start = 0.3 + late * speed * params.dt / params.substeps
    pose[:2], velocity[:2, 0] = ((-start, 0.0, 0.0), (start, 0.0, 0.0)), (speed, -speed)
    state = replace(state, pose=pose, velocity=velocity)
    while state.velocity[0, 0] > 0.0 and state.tick < 100:
        before, state = state, sim.step(params, state, stop(params))
        assert state.pose[0, 0] < state.pose[1, 0], "they passed through each other"
        assert faults(params, state) == []
    assert state.velocity[:2, 0] == pytest.approx((-0.5 * speed, 0.5 * speed), rel=1e-6)
    assert state.touched[0, 1] == 1
    reach = 2.0 * params.robot.half_length
    free = before.pose[1, 0] - before.pose[0, 0] - reach
    hit = free / (2.0 * speed)  # after the last tick without a touch
    expected = reach + speed * (params.dt - hit)
    assert state.pose[1, 0] - state.pose[0, 0] == pytest.approx(expected, abs=3.0 * speed * 0.004)
