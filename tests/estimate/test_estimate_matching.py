"""Which detection belongs to which track: against SciPy's assignment, and on a scene that greed gets wrong."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from sightings import DT, params_of, sight, standing, watch

from tikitaka.estimate.kernels import matching
from tikitaka.types import Floats, Ints

GATE = 60.0
costs = st.floats(0.0, 2.0 * GATE)


def pair(cost: Floats) -> tuple[Ints, Ints]:
    partner, owner = np.full(cost.shape[0], -1), np.full(cost.shape[1], -1)
    matching.match(cost, GATE, partner, owner)
    matching.relay(cost, GATE, partner, owner)
    matching.exchange(cost, partner, owner)
    return partner, owner


def total(cost: Floats, partner: Ints) -> float:
    return sum(GATE if j < 0 else float(cost[i, j]) for i, j in enumerate(partner))


@settings(deadline=None)
@given(rows=st.integers(1, 6), columns=st.integers(1, 6), data=st.data())
def test_pairs_are_one_to_one_below_the_gate_and_cheaper_than_greed(
    rows: int, columns: int, data: st.DataObject
) -> None:
    cost = np.array(data.draw(st.lists(costs, min_size=rows * columns, max_size=rows * columns))).reshape(rows, columns)
    partner, owner = pair(cost)
    used = partner[partner >= 0]
    assert len(set(used.tolist())) == len(used)
    assert all(owner[j] == i for i, j in enumerate(partner) if j >= 0)
    assert (owner >= 0).sum() == len(used)
    greedy, left = np.full(rows, -1), np.full(columns, -1)
    matching.match(cost, GATE, greedy, left)
    assert total(cost, partner) <= total(cost, greedy) + 1e-9


@settings(deadline=None)
@given(values=st.lists(st.floats(0.0, 29.0), min_size=4, max_size=4))
def test_two_tracks_and_two_detections_are_paired_as_well_as_can_be(values: list[float]) -> None:
    cost = np.array(values).reshape(2, 2)
    rows, columns = linear_sum_assignment(cost)
    assert total(cost, pair(cost)[0]) == pytest.approx(cost[rows, columns].sum())


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
