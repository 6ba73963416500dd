"""A ball between robots, and those who are not there: what contacts and paths owe each other within a tick."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pitch_judge import drive, params_of

from tikitaka import sim
from tikitaka.sim import scenes
from tikitaka.sim.kernels.impulses import three
from tikitaka.types import Commands, Floats

PARAMS = params_of("mirosot-5v5")
N = PARAMS.robots
SQUEEZERS = (N // 2 - 1, N - 1)  # of `scenes.squeezed`
NOTCH = 2  # contacts that the ball can have with one robot


def driven(wheels: Floats) -> Commands:
    return Commands(wheels, np.zeros(N), np.zeros(N, np.bool_))


@given(st.lists(st.floats(-1.0, 1.0), min_size=12, max_size=12))
def test_three_contacts_are_solved_as_by_numpy(numbers: list[float]) -> None:
    rows = np.array(numbers[:9]).reshape(3, 3)
    g, w = rows @ rows.T + 0.1 * np.eye(3), np.array(numbers[9:])
    found = three(g[0, 0], g[1, 1], g[2, 2], g[0, 1], g[0, 2], g[1, 2], *w)
    np.testing.assert_allclose(found, np.linalg.solve(g, w), rtol=1e-9, atol=1e-9)


def test_three_contacts_of_which_one_says_nothing_new_are_left_alone() -> None:
    assert three(2.0, 2.0, 1.0, 2.0, 0.0, 0.0, 1.0, 1.0, 0.0) == (0.0, 0.0, 0.0)
    assert three(1.0, 1.0, 2.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0) == (0.0, 0.0, 0.0)


def test_who_pushes_from_behind_does_not_make_two_meet_again_and_again_in_no_time() -> None:
    """Up to 11 impacts fell on one moment before, and the motors pushed anew after each."""
    most = 0
    for seed in range(10):
        state, random = scenes.squeezed(PARAMS), np.random.default_rng(seed)
        for tick in range(100):
            if tick % 5 == 0:
                wheels = np.zeros((N, 2))
                wheels[SQUEEZERS, :] = random.uniform(6.0, 30.0, (2, 1)) + random.uniform(-3.0, 3.0, (2, 2))
            state = sim.step(PARAMS, state, driven(wheels))
            most = max(most, *Counter(map(tuple, state.hits[:, :3].tolist())).values(), 0)
    assert 0 < most <= NOTCH


@pytest.mark.parametrize("league", ["mirosot-5v5", "vsss-3v3", "ssl-b"])
def test_who_presses_the_ball_against_a_wall_stands_and_says_so(league: str) -> None:
    """Where nothing moved velocities of 5 cm/s and two impacts a tick were told, to and fro within each tick."""
    params = params_of(league)
    state, body = scenes.walled(params), np.zeros((params.robots, 3))
    body[params.robots // 2 - 1, 0] = 0.5
    for _ in range(int(2.0 / params.dt)):
        state = sim.step(params, state, drive(params, body))
    hits, fastest = 0, 0.0
    for _ in range(int(1.0 / params.dt)):
        state = sim.step(params, state, drive(params, body))
        hits += len(state.hits)
        fastest = max(fastest, float(np.abs(state.velocity[:, :2]).max()))
    assert hits == 0
    assert fastest < 1e-3


def test_who_is_far_from_an_impact_drives_as_if_there_were_none() -> None:
    """Its path is foreseen once a substep, not anew after every impact of others."""
    params = replace(PARAMS, ball=replace(PARAMS.ball, restitution_robot=1.0))
    wheels = np.linspace(5.0, 40.0, 2 * N).reshape(N, 2)
    wheels[SQUEEZERS, :] = 0.0
    state = scenes.squeezed(params)
    apart = replace(state, ball=np.array((0.0, 0.6, *state.ball[2:])))
    state.ball[[2, 6]] = 5.0  # to and fro between the two
    hits = 0
    for _ in range(6):
        state, apart = sim.step(params, state, driven(wheels)), sim.step(params, apart, driven(wheels))
        hits += len(state.hits)
    others = [i for i in range(N) if i not in SQUEEZERS]
    assert hits > 5
    np.testing.assert_allclose(state.pose[others], apart.pose[others], rtol=0.0, atol=1e-14)


def test_a_robot_on_which_the_ball_lands_is_pushed_by_it() -> None:
    """Though it makes no contact among the rows: its path is foreseen anew, too."""
    params = params_of("ssl-b")
    state = scenes.line_up(params)
    x, y, _ = state.pose[0]
    ball = np.array((x + 0.04, y, 0.0, 0.0, params.robot.height + params.ball.radius + 1e-3, -4.0, 0.0, 0.0))
    after = sim.step(params, replace(state, ball=ball), Commands.stop(params.robots, state.spin.shape[1]))
    assert after.ball[5] > 0.0
    assert np.abs(after.pose[0] - state.pose[0]).max() > 1e-7
