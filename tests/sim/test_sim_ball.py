"""The ball alone against closed forms: rolling, walls, goals, kicks."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pitch_judge import LEAGUES, params_of, stop

from tikitaka import sim
from tikitaka.sim import scenes


def alone(params: sim.Params, x: float, y: float, vx: float, vy: float) -> sim.State:
    """Return a moment with the ball far from all robots, which are piled up in a corner."""
    return replace(scenes.corner_pile(params), ball=np.array((x, y, vx, vy)))


def after(params: sim.Params, state: sim.State, ticks: int) -> sim.State:
    for _ in range(ticks):
        state = sim.step(params, state, stop(params))
    return state


@settings(deadline=None, max_examples=30)
@given(league=st.sampled_from(LEAGUES), angle=st.floats(-math.pi, math.pi), part=st.floats(0.05, 0.95))
def test_a_free_ball_rolls_v2_over_2a_and_rests(league: str, angle: float, part: float) -> None:
    params = params_of(league)
    a, h = params.ball.rolling_deceleration, params.dt / params.substeps
    speed = math.sqrt(2.0 * a * part * 0.3)  # rests within 0.3 m
    state = alone(params, 0.0, -0.2, speed * math.cos(angle), speed * math.sin(angle))
    end = after(params, state, math.ceil(speed / a / params.dt) + 1)
    assert (end.ball[2:] == 0.0).all()
    rolled = end.ball[:2] - state.ball[:2]
    assert np.linalg.norm(rolled) == pytest.approx(speed**2 / (2.0 * a), abs=0.51 * speed * h)
    assert rolled @ (-math.sin(angle), math.cos(angle)) == pytest.approx(0.0, abs=1e-12)


@settings(deadline=None, max_examples=30)
@given(
    league=st.sampled_from(LEAGUES),
    speed=st.floats(0.3, 6.0),
    angle=st.floats(0.1, math.pi - 0.1),
    side=st.sampled_from([1.0, -1.0]),
)
def test_a_wall_gives_back_its_part_of_the_normal_speed(league: str, speed: float, angle: float, side: float) -> None:
    rolling = params_of(league)
    params = replace(rolling, ball=replace(rolling.ball, rolling_deceleration=0.0))
    f, r = params.field, params.ball.radius
    vx, vy = speed * math.cos(angle), side * speed * math.sin(angle)
    start = alone(params, -0.3 * f.half_length, side * (f.half_width + f.margin_y - r - 0.01), vx, vy)
    end = after(params, start, math.ceil(0.02 / abs(vy) / params.dt) + 1)
    assert end.ball[2] == pytest.approx(vx, abs=1e-12)
    expected = -params.ball.restitution_wall * vy if abs(vy) > 0.05 else 0.0
    assert end.ball[3] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("league", LEAGUES)
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_ball_through_the_mouth_of_a_goal_stays_in_it(league: str, side: float) -> None:
    params = params_of(league)
    f, r = params.field, params.ball.radius
    for y in np.linspace(-0.5 * f.goal_width + 1.5 * r, 0.5 * f.goal_width - 1.5 * r, 5):
        start = alone(params, side * (f.half_length - 0.2), y, side * 3.0, 0.0)
        path = [start.ball]
        for _ in range(60):
            start = sim.step(params, start, stop(params))
            path.append(start.ball)
        deepest = max(side * ball[0] for ball in path)
        assert f.half_length + r < deepest <= f.half_length + f.goal_depth - r + 1e-6


@pytest.mark.parametrize("league", LEAGUES)
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_ball_beside_the_mouth_comes_back_or_passes_the_goal(league: str, side: float) -> None:
    params = params_of(league)
    f, r = params.field, params.ball.radius
    y = 0.5 * f.goal_width + 0.5 * f.goal_wall
    state = alone(params, side * (f.half_length - 0.1), -y, side * 6.0, 0.0)
    reached = 0.0
    for _ in range(30):
        state = sim.step(params, state, stop(params))
        reached = max(reached, side * state.ball[0])
    assert reached <= f.half_length - 0.5 * r  # the rim meets the front of the post


@pytest.mark.parametrize("league", ["ssl-a", "ssl-b"])
@pytest.mark.parametrize("speed", [0.5, 2.0, 6.5, 10.0])
def test_a_free_standing_goal_lets_no_ball_in_through_back_or_side(league: str, speed: float) -> None:
    params = params_of(league)
    f, r = params.field, params.ball.radius
    inside = (f.half_length, f.half_length + f.goal_depth, 0.5 * f.goal_width)
    behind = alone(params, -(f.half_length + f.goal_depth + f.goal_wall + r + 0.002), 0.1, speed, 0.0)
    beside = alone(params, -(f.half_length + 0.1), -(0.5 * f.goal_width + f.goal_wall + 0.1), 0.0, speed)
    for state in (behind, beside):
        moment = state
        for _ in range(30):
            moment = sim.step(params, moment, stop(params))
            x, y = -moment.ball[0], moment.ball[1]
            assert not (inside[0] < x < inside[1] and abs(y) < inside[2])


def kicked(league: str, strength: float, theta: float, ahead: float, aside: float) -> tuple[sim.Params, sim.State]:
    params = params_of(league)
    state = scenes.corner_pile(params)
    pose, reach = state.pose.copy(), params.robot.mouth + params.ball.radius + ahead
    pose[0] = -0.5, -0.5, theta
    x, y = pose[0, :2] + (
        reach * math.cos(theta) - aside * math.sin(theta),
        reach * math.sin(theta) + aside * math.cos(theta),
    )
    commands = stop(params)
    commands.kick[0] = strength
    return params, sim.step(params, replace(state, pose=pose, ball=np.array((x, y, 0.0, 0.0))), commands)


@settings(deadline=None, max_examples=20)
@given(strength=st.floats(0.5, 20.0), theta=st.floats(-math.pi, math.pi), aside=st.floats(-0.03, 0.03))
def test_a_kick_sends_the_ball_along_the_heading_at_the_speed_asked_up_to_the_limit(
    strength: float, theta: float, aside: float
) -> None:
    params, state = kicked("ssl-b", strength, theta, 1e-3, aside)
    rolled = params.ball.rolling_deceleration * params.dt
    assert np.linalg.norm(state.ball[2:]) == pytest.approx(min(strength, params.ball.kick_max), abs=rolled)
    assert math.atan2(state.ball[3], state.ball[2]) == pytest.approx(theta, abs=1e-9)
    assert state.toucher == 0


@pytest.mark.parametrize(("ahead", "aside"), [(0.02, 0.0), (0.001, 0.05), (-0.3, 0.0)])
def test_a_ball_out_of_the_mouth_is_not_kicked(ahead: float, aside: float) -> None:
    assert (kicked("ssl-b", 5.0, 0.3, ahead, aside)[1].ball[2:] == 0.0).all()
