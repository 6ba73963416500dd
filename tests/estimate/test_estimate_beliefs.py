"""Several beliefs about who is who: kept while it is open, settled by commands; and every decision can be looked at."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from sightings import DT, params_of, placed, sight, standing, still

from tikitaka import estimate
from tikitaka.estimate import belief as beliefs
from tikitaka.estimate.kernels.matching import MOST_TURN
from tikitaka.types import Commands, Floats, Ints

PARAMS = params_of("mirosot-5v5")
UNSEEN = 6  # pictures in which nobody sees how the two part
SPEED = 0.6  # [m/s] of what they are told then: one ahead, the other one back
SLOW = 0.3  # [m/s] at which they meet
UP, ASIDE, LEAN = 0.5 * math.pi, 0.05, 0.004  # heading of both; [m] where they are seen again


def told(v: float) -> Commands:
    """Return commands that drive our first robot ahead and our second one back."""
    wheels = np.zeros((PARAMS.robots, 2))
    one = np.linalg.lstsq(PARAMS.body_from_wheels, np.array((v, 0.0, 0.0)), rcond=None)[0]
    wheels[0], wheels[1] = one, -one
    return replace(still(PARAMS), wheels=wheels)


def scene(count: int, crossed: bool, pictures: int) -> list[tuple[estimate.Tracks, Floats]]:
    """Return tracks and truth after each picture since two robots that met are seen again, side by side.

    One came from below and one from above; left and right are alike to both, but for a few millimetres, which speak
    against those that have crossed. Only what they do when they are told to go tells who is who.
    """
    params, half = replace(PARAMS, beliefs=count), PARAMS.body.half_length
    poses = standing(params)
    poses[0], poses[1] = (0.0, -half - 5 * SLOW * DT, UP), (0.0, half + 5 * SLOW * DT, UP)
    tracks, found = placed(params, poses), []
    for k in range(1, 6):
        poses[0, 1], poses[1, 1] = -half - (5 - k) * SLOW * DT, half + (5 - k) * SLOW * DT
        tracks, _ = estimate.step(params, tracks, sight(k * DT, poses), told(SLOW))
    for k in range(6, 6 + UNSEEN):
        tracks, _ = estimate.step(params, tracks, sight(k * DT, poses, missing=(0, 1)), still(params))
    side = ASIDE if crossed else -ASIDE
    lean = LEAN if crossed else -LEAN
    poses[0], poses[1] = (side, lean, UP), (-side, -lean, UP)
    for j in range(pictures):
        moved, way = poses.copy(), SPEED * max(0.0, j - 1) * DT
        moved[0, 1], moved[1, 1] = poses[0, 1] + way, poses[1, 1] - way
        k = 6 + UNSEEN + j
        tracks, _ = estimate.step(params, tracks, sight(k * DT, moved), told(SPEED) if j > 0 else still(params))
        found.append((tracks, moved))
    return found


def right(tracks: estimate.Tracks, truth: Floats) -> bool:
    return bool(np.hypot(*(tracks.robots.state[0, :2, :2] - truth[:2, :2]).T).max() < 0.02)


def test_both_beliefs_live_while_nothing_tells_who_is_who() -> None:
    tracks, _ = scene(6, crossed=True, pictures=1)[-1]
    robots = tracks.robots
    assert robots.guesses > 1
    first, second = robots.state[0, :2, 0], robots.state[1, :2, 0]
    assert first == pytest.approx(second[::-1], abs=0.01)  # the same places, excrossed names
    assert robots.cost[0] == 0.0
    assert 0.0 < robots.cost[1] < 14.0


@pytest.mark.parametrize("crossed", [True, False])
def test_the_belief_that_the_commands_explain_wins(crossed: bool) -> None:
    assert right(*scene(6, crossed, pictures=25)[-1])


def test_one_belief_alone_decides_at_once_and_stays_wrong() -> None:
    film = scene(1, crossed=True, pictures=25)
    assert {tracks.robots.guesses for tracks, _ in film} == {1}
    assert not right(*film[0])
    assert not right(*film[-1])
    assert right(*scene(1, crossed=False, pictures=25)[-1])


@pytest.mark.parametrize("crossed", [True, False])
def test_one_belief_is_left_when_it_is_settled(crossed: bool) -> None:
    guesses = [tracks.robots.guesses for tracks, _ in scene(6, crossed, pictures=40)]
    assert guesses[0] > 1
    assert guesses[-1] == 1


@pytest.mark.parametrize(("missed", "open_still"), [(1, True), (3, True), (9, False)])
def test_opponents_that_were_unseen_for_long_are_named_at_once(missed: int, open_still: bool) -> None:
    poses, first = standing(PARAMS), PARAMS.robots
    poses[first], poses[first + 1] = (-0.06, 0.0, UP), (0.06, 0.0, UP)
    tracks, hidden = placed(PARAMS, poses), (first, first + 1)
    for k in range(1, missed + 1):
        tracks, _ = estimate.step(PARAMS, tracks, sight(k * DT, poses, missing=hidden), still(PARAMS))
    poses[first] = (0.001, 0.0, UP)  # one of them, or the other: between their places
    tracks, _ = estimate.step(PARAMS, tracks, sight((missed + 1) * DT, poses, missing=hidden[1:]), still(PARAMS))
    assert (tracks.robots.guesses > 1) == open_still


def prices(params: estimate.Params, state: Floats, p: Floats, pose: Floats, team: Ints) -> Floats:
    """Return -2 log of the likelihood of each detection (m,) by each track (n,), less that of a perfect one."""
    n, found = len(state), np.full((len(state), len(pose)), np.inf)
    r = np.diag((params.noise_xy**2, params.noise_xy**2))
    for i in range(n):
        s, turn = p[i, :2, :2] + r, p[i, 2, 2] + params.noise_theta**2
        for j in np.flatnonzero(team == (0 if i < n // 2 else 1)):
            off, angle = pose[j, :2] - state[i, :2], np.angle(np.exp(1j * (pose[j, 2] - state[i, 2])))
            place = off @ np.linalg.inv(s) @ off + math.log(np.linalg.det(s) / np.linalg.det(r))
            heading = min(MOST_TURN, angle**2 / turn) + math.log(turn / params.noise_theta**2)
            found[i, j] = place + heading
    return found


def cheapest(price: Floats, gate: float) -> Ints:
    """Return the detection of each track, -1: none, so that all together are likeliest."""
    n, m = price.shape
    table = np.hstack((np.minimum(price, 1e9), np.full((n, n), gate)))
    rows, columns = linear_sum_assignment(table)
    taken = np.full(n, -1)
    taken[rows] = np.where(columns < m, columns, -1)
    return taken


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), near=st.floats(0.08, 0.3), missing=st.sets(st.integers(0, 9), max_size=2))
def test_partner_price_and_rival_are_those_of_plain_sums(seed: int, near: float, missing: set[int]) -> None:
    rng, poses = np.random.default_rng(seed), standing(PARAMS)
    params = replace(PARAMS, beliefs=1)
    poses[:-1, :2] *= near / 0.3
    before, commands = placed(params, poses), told(1.0)
    shifted = poses + rng.normal(0.0, 0.02, poses.shape) * np.array((1.0, 1.0, 3.0))
    seen = sight(DT, shifted, missing=tuple(missing))
    after, _ = estimate.step(params, before, seen, commands)
    state, p = beliefs.moved(params, before.robots, after.told, after.told_time, DT, spread=True)
    price = prices(params, state, p, seen.robot_pose, seen.robot_team)
    robots, taken = after.robots, cheapest(price, params.gate)
    for i in range(10):
        a, others = int(robots.partner[i]), np.delete(price[i], taken[i]) if taken[i] >= 0 else price[i]
        assert a == taken[i]
        assert robots.price[i] == pytest.approx(price[i, a] if a >= 0 else params.gate)
        assert robots.rival[i] == pytest.approx(min(params.gate, others.min(initial=math.inf)))
