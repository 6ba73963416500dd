"""The ball alone against closed forms: rolling, walls, goals, kicks."""

import math
from dataclasses import replace

import numpy as np
import pytest
from free_bodies import after, alone, ice, rolling
from hypothesis import given, settings
from hypothesis import strategies as st
from pitch_judge import LEAGUES, params_of, stop

from tikitaka import sim
from tikitaka.sim import scenes


def lonely(params: sim.Params, x: float, y: float, vx: float, vy: float) -> sim.State:
    """Return a moment with the ball rolling far from all robots, which are piled up in a corner."""
    return replace(scenes.corner_pile(params), ball=rolling(x, y, vx, vy))


@settings(deadline=None, max_examples=30)
@given(league=st.sampled_from(LEAGUES), angle=st.floats(-math.pi, math.pi), part=st.floats(0.05, 0.95))
def test_a_free_ball_rolls_v2_over_2a_and_rests(league: str, angle: float, part: float) -> None:
    params = params_of(league)
    a = params.ball.rolling_deceleration
    speed = math.sqrt(2.0 * a * part * 0.3)  # rests within 0.3 m
    state = lonely(params, 0.0, -0.2, speed * math.cos(angle), speed * math.sin(angle))
    end = after(params, state, math.ceil(speed / a / params.dt) + 1)
    assert (end.ball[2:] == 0.0).all()
    way = speed**2 / (2.0 * a)
    assert end.ball[:2] == pytest.approx((way * math.cos(angle), way * math.sin(angle) - 0.2), abs=1e-12)


@settings(deadline=None, max_examples=20)
@given(league=st.sampled_from(LEAGUES), speed=st.floats(0.5, 6.0), angle=st.floats(-math.pi, math.pi))
def test_a_ball_that_slides_rolls_at_five_sevenths_of_its_speed(league: str, speed: float, angle: float) -> None:
    """A ball without spin slides for 2 v / (7 mu g), 12 v^2 / (49 mu g) far."""
    params = params_of(league)
    params = replace(params, field=replace(params.field, length=60.0, width=60.0, corner=0.0))
    b, c, s = params.ball.sliding_friction * params.ball.gravity, math.cos(angle), math.sin(angle)
    state = replace(scenes.line_up(params), ball=np.array((5.0, 12.0, speed * c, speed * s, 0.0, 0.0, 0.0, 0.0)))
    ticks = math.ceil(2.0 * speed / (7.0 * b) / params.dt)
    end = after(params, state, ticks)
    rolled = ticks * params.dt - 2.0 * speed / (7.0 * b)
    left = 5.0 / 7.0 * speed - params.ball.rolling_deceleration * rolled
    way = 12.0 * speed**2 / (49.0 * b) + 0.5 * (5.0 / 7.0 * speed + left) * rolled
    assert end.ball[:2] == pytest.approx((5.0 + way * c, 12.0 + way * s), abs=1e-11)
    assert end.ball[2:4] == pytest.approx((left * c, left * s), abs=1e-11)
    assert (end.ball[6:] == end.ball[2:4]).all()


@settings(deadline=None, max_examples=30)
@given(
    league=st.sampled_from(LEAGUES),
    speed=st.floats(0.3, 6.0),
    angle=st.floats(0.1, math.pi - 0.1),
    side=st.sampled_from([1.0, -1.0]),
)
def test_a_wall_gives_back_its_part_of_the_normal_speed(league: str, speed: float, angle: float, side: float) -> None:
    """Place and velocity after the bounce are exact: the ball turns around where its rim meets the wall."""
    params = ice(league, params_of(league).ball.restitution_wall)
    f, e = params.field, params.ball.restitution_wall
    vx, vy = speed * math.cos(angle), side * speed * math.sin(angle)
    x, wall = -0.3 * f.half_length, f.half_width + f.margin_y - params.ball.radius
    ticks = math.ceil(0.02 / abs(vy) / params.dt)
    end = after(params, lonely(params, x, side * (wall - 0.01), vx, vy), ticks)
    back = -e * vy if abs(vy) > 0.02 else 0.0
    late = ticks * params.dt - 0.01 / abs(vy)
    assert end.ball[2:4] == pytest.approx((vx, back), abs=1e-12)
    assert end.ball[:2] == pytest.approx((x + vx * ticks * params.dt, side * wall + back * late), abs=1e-10)
    assert end.ball[6:] == pytest.approx(end.ball[2:4], abs=1e-12)  # what rolled rolls on


@pytest.mark.parametrize("league", LEAGUES)
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_ball_through_the_mouth_of_a_goal_stays_in_it(league: str, side: float) -> None:
    params = params_of(league)
    f, r = params.field, params.ball.radius
    for y in np.linspace(-0.5 * f.goal_width + 1.5 * r, 0.5 * f.goal_width - 1.5 * r, 5):
        state = lonely(params, side * (f.half_length - 0.2), y, side * 3.0, 0.0)
        path = [state.ball]
        for _ in range(60):
            state = sim.step(params, state, stop(params))
            path.append(state.ball)
        deepest = max(side * ball[0] for ball in path)
        assert f.half_length + r < deepest <= f.half_length + f.goal_depth - r + 1e-12


@pytest.mark.parametrize("league", LEAGUES)
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_ball_beside_the_mouth_comes_back_or_passes_the_goal(league: str, side: float) -> None:
    params = params_of(league)
    f, r = params.field, params.ball.radius
    y = 0.5 * f.goal_width + 0.5 * f.goal_wall
    state = lonely(params, side * (f.half_length - 0.1), -y, side * 6.0, 0.0)
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
    behind = lonely(params, -(f.half_length + f.goal_depth + f.goal_wall + r + 0.002), 0.1, speed, 0.0)
    beside = lonely(params, -(f.half_length + 0.1), -(0.5 * f.goal_width + f.goal_wall + 0.1), 0.0, speed)
    for state in (behind, beside):
        moment = state
        for _ in range(30):
            moment = sim.step(params, moment, stop(params))
            x, y = -moment.ball[0], moment.ball[1]
            assert not (inside[0] < x < inside[1] and abs(y) < inside[2])


def kicked(
    strength: float, lift: float, theta: float, ahead: float, aside: float
) -> tuple[sim.Params, sim.State, sim.State]:
    """Return the moments before and after an order to kick a ball at (ahead, aside) of the middle of the mouth."""
    params = params_of("ssl-b")
    reach = params.robot.front + params.ball.radius + ahead
    c, s = math.cos(theta), math.sin(theta)
    x, y = -0.5 + reach * c - aside * s, -0.5 + reach * s + aside * c
    state = replace(alone(params, (-0.5, -0.5, theta)), ball=rolling(x, y, 0.0, 0.0))
    commands = stop(params)
    commands.kick[0] = strength
    commands = replace(commands, lift=np.r_[lift, np.zeros(params.robots - 1)])
    return params, state, sim.step(params, state, commands)


@settings(deadline=None, max_examples=20)
@given(strength=st.floats(1.0, 20.0), theta=st.floats(-math.pi, math.pi), aside=st.floats(-0.03, 0.03))
def test_a_kick_sends_the_ball_along_the_heading_at_the_speed_asked_up_to_the_limit(
    strength: float, theta: float, aside: float
) -> None:
    """It slides for the whole tick: v - mu g dt is left, and 5/2 mu g dt of spin has come."""
    params, before, state = kicked(strength, 0.0, theta, 1e-3, aside)
    b, t, v = params.ball.sliding_friction * params.ball.gravity, params.dt, min(strength, params.kicker.max_speed)
    heading = np.array((math.cos(theta), math.sin(theta)))
    assert state.ball[2:4] == pytest.approx((v - b * t) * heading, abs=1e-11)
    assert state.ball[6:] == pytest.approx(2.5 * b * t * heading, abs=1e-11)
    assert state.ball[:2] - before.ball[:2] == pytest.approx((v - 0.5 * b * t) * t * heading, abs=1e-11)
    assert state.toucher == 0
    assert state.charge[0] == pytest.approx(params.kicker.recharge - t * (1.0 - 1.0 / params.substeps))


def test_a_chip_flies_on_a_parabola_from_the_mouth() -> None:
    params, before, state = kicked(3.0, 2.0, 0.3, 1e-3, 0.0)
    t, heading = params.dt, np.array((math.cos(0.3), math.sin(0.3)))
    assert state.ball[:2] - before.ball[:2] == pytest.approx(3.0 * t * heading, abs=1e-12)
    assert state.ball[4:6] == pytest.approx((2.0 * t - 0.5 * 9.81 * t * t, 2.0 - 9.81 * t), abs=1e-12)


@pytest.mark.parametrize(("ahead", "aside"), [(0.02, 0.0), (0.001, 0.05), (-0.3, 0.0)])
def test_a_ball_out_of_the_mouth_is_not_kicked(ahead: float, aside: float) -> None:
    assert (kicked(5.0, 0.0, 0.3, ahead, aside)[2].ball[2:] == 0.0).all()
