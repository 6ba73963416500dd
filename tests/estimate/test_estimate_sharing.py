"""Trouble is a robot's and not a name's: whoever is seen in a row has the same in every belief."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sightings import DT, params_of, placed, sight, standing, still

from tikitaka import estimate
from tikitaka.estimate.kernels.guessing import taken
from tikitaka.estimate.kernels.sharing import pair_up, share_trouble
from tikitaka.types import Floats, Ints

PARAMS = params_of("mirosot-5v5")
OWN = np.arange(3)  # the same robots, by the names that the best belief has for them
NOISE = 1e-3  # [m], [rad] of the camera


def shared(trouble: Floats, same: Ints, cost: tuple[float, ...]) -> Floats:
    found = trouble.copy()
    share_trouble(len(cost), 2, np.array(cost), same, found, np.empty(3))
    return found


def test_what_an_unlikely_guess_says_of_our_trouble_counts_little_and_of_theirs_as_much_as_any() -> None:
    trouble = np.array(((1.0, 0.0, 2.0), (1.0, 30.0, 9.0), (4.0, 0.0, 2.0)))
    found = shared(trouble, np.tile(OWN, (3, 1)), (0.0, 12.0, 0.0))
    assert found == pytest.approx(np.tile((2.5, 0.0, 9.0), (3, 1)), abs=0.05)
    assert (found == found[0]).all()


def test_a_belief_that_has_two_names_exchanged_takes_each_ones_trouble_with_the_row() -> None:
    trouble, same = np.array(((4.0, 0.0, 1.0), (0.0, 4.0, 1.0))), np.array((OWN, (1, 0, 2)))
    assert shared(trouble, same, (0.0, 3.0)).tolist() == trouble.tolist()


@given(st.integers(0, 10**6))
def test_each_track_is_some_robot_of_its_team_by_its_row_or_else_by_its_name(seed: int) -> None:
    rng, n, ours, m, kept = np.random.default_rng(seed), 7, 3, 6, 4
    partner, offers = np.full((2, n), -1), np.zeros((kept, 4))
    for h in range(2):  # rows 0 to 2 are of ours
        partner[h, rng.permutation(ours)[:2]] = rng.permutation(3)[:2]
        partner[h, ours + rng.permutation(n - ours)[:3]] = 3 + rng.permutation(3)
    offers[:, 0], offers[:, 1:3] = rng.integers(0, 2, kept), -1
    offers[1, 1:3], offers[2, 1:3] = rng.permutation(ours)[:2], ours + rng.permutation(n - ours)[:2]
    same, owner = np.full((kept, n), 99), np.full(m, 99)
    pair_up(kept, ours, offers, partner, owner, same)
    assert same[0].tolist() == list(range(n))
    for k in range(kept):
        assert sorted(same[k]) == list(range(n))
        assert (same[k, :ours] < ours).all()
        for i in range(n):
            row, there = taken(offers, k, i, partner), [taken(offers, 0, j, partner) for j in range(n)]
            if row in there and row >= 0:
                assert same[k, i] == there.index(row)
            elif row < 0 and there[i] < 0:
                assert same[k, i] == i


def one_gone(seed: int) -> Floats:
    """Return where two opponents are believed to be (2, 2), less where they are or were last: one is taken away.

    The other one goes back and forth 20 cm beside its place for 1.5 s, and turns round when nobody expects it.
    """
    rng, n = np.random.default_rng(seed), PARAMS.robots
    poses = standing(PARAMS)
    poses[n], poses[n + 1] = (0.4, 0.0, 0.0), (0.4, 0.2, 0.0)
    tracks, v = placed(PARAMS, poses), 0.8
    for k in range(1, 46):
        v = -v if rng.uniform() < 0.15 or abs(poses[n + 1, 0] + DT * v - 0.4) > 0.15 else v
        poses[n + 1, 0] += DT * v
        seen = poses + NOISE * rng.normal(size=poses.shape)
        tracks, world = estimate.step(PARAMS, tracks, sight(k * DT, seen, missing=(n,) if k > 3 else ()), still(PARAMS))
    return world.theirs.pose[:2, :2] - poses[n : n + 2, :2]


def test_one_that_drives_beside_where_another_was_seen_last_is_not_taken_for_it() -> None:
    off = np.array([one_gone(seed) for seed in range(20)])
    assert np.hypot(*off[:, 1].T).max() < 0.05
    assert math.isfinite(off.sum())
