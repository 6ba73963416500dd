"""Long runs: nothing breaks, nobody overlaps, nobody shakes, a squeezed ball comes free; the hour is in the lab."""

import math
from dataclasses import replace

import numpy as np
import pytest
from free_bodies import rolling
from pitch_judge import LEAGUES, drive, faults, params_of, stop
from test_sim_impacts import rim_distance

from tikitaka import sim
from tikitaka.lab import sim_hour
from tikitaka.sim import scenes
from tikitaka.types import Commands

SECONDS = 20.0
JUDGED = 40  # [ticks] between two looks of the judge
ROUNDING = 1e-12  # [m]


def ball_gap(params: sim.Params, state: sim.State) -> float:
    """Return the gap between ball and nearest robot, from the exact distance; negative once the ball cuts a rim."""
    least, b = math.inf, state.ball
    if b[4] > 0.0:
        return least  # it flies, perhaps over a robot
    for x, y, theta in state.pose:
        dx, dy, c, s = b[0] - x, b[1] - y, math.cos(theta), math.sin(theta)
        if math.hypot(dx, dy) < params.robot.outline.radius + 2.0 * params.ball.radius:
            away = rim_distance(params.robot.outline, c * dx + s * dy, c * dy - s * dx)
            least = min(least, away - params.ball.radius)
    return least


@pytest.mark.parametrize("mode", sim_hour.MODES)
@pytest.mark.parametrize("league", LEAGUES)
def test_for_long_nothing_overlaps_and_the_ball_enters_nothing(league: str, mode: str) -> None:
    params, rng = params_of(league), np.random.default_rng(1)
    state = scenes.crowd(params, 1)
    commands = stop(params)
    for tick in range(math.ceil((SECONDS if params.robots <= 10 else 5.0) / params.dt)):
        if mode == "corner":
            commands = sim_hour.chase(params, state)
        elif tick % sim_hour.HOLD == 0:
            commands = sim_hour.anything(params, rng)
        state = sim.step(params, state, commands)
        assert ball_gap(params, state) > -ROUNDING, tick
        if tick % JUDGED == 0:
            assert faults(params, state) == [], tick
            assert sim.closest(params, state)[2] > -ROUNDING, tick


def ram(params: sim.Params, speed: float) -> Commands:
    body = np.zeros((params.robots, 3))
    body[[0, 1], 0] = speed
    return drive(params, body)


def face_to_face(params: sim.Params) -> sim.State:
    """Return robots 0 and 1 front to front, the others lined up elsewhere, the ball away."""
    state = scenes.line_up(params)
    pose, reach = state.pose.copy(), params.robot.outline.front + 1e-3
    pose[0], pose[1] = (-reach, 0.0, 0.0), (reach, 0.0, -math.pi)
    return sim.check(params, replace(state, pose=pose, ball=rolling(0.0, 0.8 * params.field.half_width, 0.0, 0.0)))


def pushed(params: sim.Params, seconds: float) -> list[sim.State]:
    """Return all moments, from the second second on, of robots 0 and 1 that push each other."""
    moments = [face_to_face(params)]
    for _ in range(math.ceil(seconds / params.dt)):
        moments.append(sim.step(params, moments[-1], ram(params, 0.5)))
    return moments[math.ceil(1.0 / params.dt) :]


@pytest.mark.parametrize("league", ["mirosot-5v5", "vsss-3v3", "ssl-b"])
def test_robots_that_push_each_other_for_a_minute_do_not_shake(league: str) -> None:
    """Shaking is a velocity that changes from tick to tick; a slow drift is another matter, see below."""
    params = params_of(league)
    moments = pushed(params, 60.0)
    jumps = np.diff([moment.velocity[:2] for moment in moments], axis=0)
    rms = np.sqrt((jumps**2).mean(axis=(0, 1)))
    assert rms[:2].max() < 1e-4
    assert rms[2] < 1e-3
    assert faults(params, moments[-1]) == []


@pytest.mark.parametrize("league", ["mirosot-5v5", "vsss-3v3"])
def test_robots_that_push_each_other_alike_stay_where_they_are(league: str) -> None:
    """Half a turn maps each onto the other, so their middle has nowhere to go.

    differs: on omni wheels, which hold nothing sideways, a pair creeps off together by 3 mm/s; docs/limits.md says so.
    """
    moments = pushed(params_of(league), 20.0)
    middles = np.array([moment.pose[:2, :2].mean(axis=0) for moment in moments])
    assert np.abs(middles).max() < 1e-3


@pytest.mark.parametrize("league", ["mirosot-5v5", "vsss-3v3", "ssl-b"])
def test_a_ball_squeezed_for_long_comes_free_when_the_squeeze_ends(league: str) -> None:
    params, n = params_of(league), params_of(league).robots // 2
    state, body = scenes.squeezed(params), np.zeros((params_of(league).robots, 3))
    body[[n - 1, 2 * n - 1], 0] = 0.3
    for _ in range(math.ceil(10.0 / params.dt)):
        state = sim.step(params, state, drive(params, body))
        assert ball_gap(params, state) > -ROUNDING
    for _ in range(math.ceil(1.0 / params.dt)):
        state = sim.step(params, state, drive(params, -body))
    assert ball_gap(params, state) > 0.02


@pytest.mark.parametrize("league", ["mirosot-5v5", "ssl-b"])
@pytest.mark.parametrize("nonsense", [np.nan, np.inf, -np.inf, 1e308])
def test_bad_commands_are_counted_one_by_one(league: str, nonsense: float) -> None:
    params = params_of(league)
    state, commands = scenes.line_up(params), stop(params)
    commands.wheels[1, 0] = commands.wheels[2, 1] = commands.kick[0] = nonsense
    for tick in range(1, 4):
        state = sim.step(params, state, commands)
        assert state.mended == 3 * tick
    assert faults(params, state) == []


def test_the_experiment_finds_no_fault_in_a_few_seconds() -> None:
    found = sim_hour.run(sim_hour.Args("vsss-3v3", 3, 2, 2.0), lambda _: None)
    values = {row.label: row.ours for row in found.rows}
    assert values["simulated"] == pytest.approx(8.0 / 60.0, rel=0.02)
    assert [row.ours for row in found.rows[1:5]] == [0.0, 0.0, 0.0, 0.0]
    assert min(row.ours for row in found.rows[5:]) > 0.0
