"""Which detection belongs to which track: against SciPy's assignment, and on scenes that greed gets wrong."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from sightings import DT, params_of, sight, standing, watch

from tikitaka.estimate.kernels import matching
from tikitaka.types import Floats, Ints

GATE = 60.0
costs = st.one_of(st.floats(0.0, 2.0 * GATE), st.just(matching.FAR))


@st.composite
def tables(draw: st.DrawFn) -> Floats:
    rows, columns = draw(st.integers(1, 8)), draw(st.integers(0, 8))
    drawn = draw(st.lists(costs, min_size=rows * columns, max_size=rows * columns))
    return np.array(drawn, np.float64).reshape(rows, columns)


def pair(way: int, cost: Floats) -> tuple[Ints, Ints]:
    (n, m), wide = cost.shape, sum(cost.shape) + 1
    partner, owner = np.empty(n, np.int64), np.empty(m, np.int64)
    matching.associate(way, cost, GATE, partner, owner, np.empty((4, wide)), np.empty((2, wide), np.int64))
    return partner, owner


def total(cost: Floats, partner: Ints) -> float:
    return sum(GATE if j < 0 else float(cost[i, j]) for i, j in enumerate(partner))


@settings(deadline=None)
@given(cost=tables(), way=st.sampled_from([matching.IN_TURN, matching.GREEDY, matching.NEAREST, matching.LIKELIEST]))
def test_pairs_are_one_to_one_and_below_the_gate(cost: Floats, way: int) -> None:
    partner, owner = pair(way, cost)
    used = partner[partner >= 0]
    assert len(set(used.tolist())) == len(used) == (owner >= 0).sum()
    assert all(owner[j] == i and cost[i, j] < GATE for i, j in enumerate(partner) if j >= 0)


@settings(deadline=None, max_examples=300)
@given(cost=tables())
def test_the_assignment_is_scipys_with_the_gate_for_going_without(cost: Floats) -> None:
    n = len(cost)
    whole = np.hstack((cost, np.full((n, n), GATE)))
    best = whole[linear_sum_assignment(whole)].sum()
    assert total(cost, pair(matching.LIKELIEST, cost)[0]) == pytest.approx(best)
    assert total(cost, pair(matching.GREEDY, cost)[0]) >= best - 1e-9


def test_a_number_that_is_none_is_nobodys_distance() -> None:
    cost = np.array([[np.nan, 3.0], [np.nan, 1.0], [np.nan, np.nan]])
    assert pair(matching.LIKELIEST, cost)[0].tolist() == [-1, 1, -1]


def test_in_turn_the_first_track_takes_what_the_second_would_need() -> None:
    cost = np.array([[2.0, 3.0], [1.0, 50.0]])
    assert pair(matching.IN_TURN, cost)[0].tolist() == [0, 1]
    assert pair(matching.LIKELIEST, cost)[0].tolist() == [1, 0]


def test_a_train_that_is_stopped_dead_keeps_its_names() -> None:
    """Two of theirs drive nose to tail and stop: the rear one is expected nearer to the front one's place."""
    params = params_of("mirosot-5v5")
    poses = standing(params)
    poses[5, :2], poses[6, :2] = (-0.5, 0.15), (-0.42, 0.15)
    film, moved = [sight(0.0, poses, placed=poses)], poses
    for k in range(1, 12):
        moved = poses.copy()
        moved[5:7, 0] += 0.045 * min(k, 8)
        film.append(sight(k * DT, moved))
    _, world = watch(params, film)
    assert world.theirs.pose[:2, 0] == pytest.approx(moved[5:7, 0], abs=0.03)
