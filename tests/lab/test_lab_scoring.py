"""Scores of tracks: cases counted by hand, SciPy's assignment, and two public packages where they are installed."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from tikitaka.lab.scoring import ALPHAS, assign, distances, errors, higher_order, identity, idf1, swaps
from tikitaka.types import Floats

REACH = 0.1


def lanes(frames: int, n: int) -> Floats:
    """Return robots that drive side by side, a metre apart."""
    xy = np.zeros((frames, n, 2))
    xy[..., 0], xy[..., 1] = 0.1 * np.arange(frames)[:, None], np.arange(n)
    return xy


def exchanged(tracks: Floats, begin: int) -> Floats:
    """Return the tracks with the first two in each other's place from a frame on."""
    tracks = tracks.copy()
    tracks[begin:, [0, 1]] = tracks[begin:, [1, 0]]
    return tracks


def test_perfect_tracks_have_perfect_scores_whatever_their_order() -> None:
    truth = lanes(20, 3)
    for order in ((0, 1, 2), (2, 0, 1)):
        found = identity(truth, truth[:, order], REACH)
        assert (found.swaps, found.idf1, found.hota, found.deta, found.assa) == (0, 1.0, 1.0, 1.0, 1.0)


def test_one_exchange_in_the_middle_is_two_switches_and_halves_what_can_be() -> None:
    truth = lanes(20, 2)
    found = identity(truth, exchanged(truth, 10), REACH)
    assert found.swaps == 2  # both robots have another track
    assert found.idf1 == pytest.approx(0.5)
    assert found.deta == 1.0
    assert found.assa == pytest.approx(1.0 / 3.0)  # 10 frames together, 10 of each alone
    assert found.hota == pytest.approx(math.sqrt(1.0 / 3.0))


def test_an_exchange_that_is_undone_counts_again() -> None:
    truth = lanes(20, 2)
    there_and_back = exchanged(exchanged(truth, 5), 15)
    assert identity(truth, there_and_back, REACH).swaps == 4
    assert identity(truth, there_and_back, REACH).idf1 == pytest.approx(0.5)


def test_missing_and_false_tracks_lower_detection_not_association() -> None:
    truth = lanes(10, 2)
    gaps = truth.copy()
    gaps[:5, 1] = np.nan
    found = identity(truth, gaps, REACH)
    assert found.swaps == 0
    assert found.deta == pytest.approx(15 / 20)
    assert found.idf1 == pytest.approx(2 * 15 / 35)
    ghost = np.concatenate((truth, truth[:, :1] + 50.0), axis=1)
    assert identity(truth, ghost, REACH).deta == pytest.approx(20 / 30)
    assert identity(truth, np.full_like(truth, np.nan), REACH) == identity(truth, truth + 99.0, REACH)


def test_similarity_falls_with_distance() -> None:
    truth = lanes(10, 2)
    found = identity(truth, truth + np.array((0.0, 0.52 * REACH)), REACH)
    share = (ALPHAS <= 0.48).mean()
    assert found.deta == pytest.approx(share)
    assert found.hota == pytest.approx(share)  # association is perfect wherever there is any
    assert identity(truth, truth + np.array((0.0, 1.01 * REACH)), REACH).hota == 0.0


def test_a_track_within_reach_is_kept_though_another_one_is_nearer() -> None:
    truth = np.zeros((3, 1, 2))
    tracks = np.full((3, 2, 2), np.nan)
    tracks[:, 0] = (0.0, 0.05)
    tracks[1:, 1] = (0.0, 0.01)
    assert identity(truth, tracks, REACH).swaps == 0


def test_errors_wrap_headings_and_leave_out_what_is_not_there() -> None:
    truth, believed = np.zeros((4, 2, 6)), np.zeros((4, 2, 6))
    truth[..., 2], believed[..., 2] = math.pi - 0.05, -math.pi + 0.05
    believed[:, 0, :2], believed[:, 1, 3:5] = (0.03, 0.04), (0.6, 0.8)
    believed[3] = np.nan
    found = errors(truth, believed)
    assert found.position == pytest.approx(0.05 / math.sqrt(2.0))
    assert found.heading == pytest.approx(0.1)
    assert found.velocity == pytest.approx(1.0 / math.sqrt(2.0))
    assert math.isnan(errors(truth[..., :3], believed[..., :3]).velocity)


@given(st.integers(0, 10**6), st.integers(0, 6), st.integers(0, 6), st.booleans())
def test_an_assignment_is_worth_as_much_as_scipys(seed: int, n: int, m: int, ties: bool) -> None:
    worth = np.random.default_rng(seed).random((n, m))
    worth = np.round(3.0 * worth) if ties else worth
    found = assign(worth)
    used = [j for j in found.tolist() if j >= 0]
    assert len(used) == len(set(used))
    best = worth[linear_sum_assignment(worth, maximize=True)].sum() if n and m else 0.0
    assert sum(worth[i, j] for i, j in enumerate(found.tolist()) if j >= 0) == pytest.approx(best)


def messy(seed: int) -> tuple[Floats, Floats]:
    """Return robots that wander close together, and tracks with noise, gaps, exchanges and a ghost."""
    rng = np.random.default_rng(seed)
    truth = 0.15 * rng.random((1, 4, 2)) + np.cumsum(rng.normal(0.0, 0.01, (40, 4, 2)), axis=0)
    tracks = np.concatenate((truth + rng.normal(0.0, 0.02, truth.shape), rng.random((40, 1, 2))), axis=1)
    for begin in rng.integers(0, 40, 3):
        a, b = rng.choice(5, 2, replace=False)
        tracks[begin:, [a, b]] = tracks[begin:, [b, a]]
    tracks[rng.random(tracks.shape[:2]) < 0.1] = np.nan
    truth[rng.random(truth.shape[:2]) < 0.05] = np.nan
    return truth, tracks


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore")
def test_swaps_and_idf1_are_those_of_motmetrics(seed: int) -> None:
    mm = pytest.importorskip("motmetrics")
    truth, tracks = messy(seed)
    apart, events = distances(truth, tracks), mm.MOTAccumulator(auto_id=True)
    for away, there, tracked in zip(apart.away, apart.there, apart.tracked, strict=True):
        near = np.where(away <= REACH, away, np.nan)[np.ix_(there, tracked)]
        events.update(np.nonzero(there)[0], np.nonzero(tracked)[0], near)
    theirs = mm.metrics.create().compute(events, metrics=["num_switches", "idf1"], name="x")
    assert idf1(apart, REACH) == pytest.approx(float(theirs["idf1"].iloc[0]))
    assert swaps(apart, REACH) == int(theirs["num_switches"].iloc[0])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.filterwarnings("ignore")
def test_hota_is_that_of_trackeval(seed: int) -> None:
    trackeval: Any = pytest.importorskip("trackeval")
    truth, tracks = messy(seed)
    apart = distances(truth, tracks)
    alike = np.clip(1.0 - apart.away / REACH, 0.0, None)
    data = {
        "num_gt_dets": int(apart.there.sum()),
        "num_tracker_dets": int(apart.tracked.sum()),
        "num_gt_ids": truth.shape[1],
        "num_tracker_ids": tracks.shape[1],
        "gt_ids": [np.nonzero(row)[0] for row in apart.there],
        "tracker_ids": [np.nonzero(row)[0] for row in apart.tracked],
        "similarity_scores": [
            s[np.ix_(a, b)] for s, a, b in zip(alike, apart.there, apart.tracked, strict=True)
        ],
    }  # fmt: skip
    theirs = trackeval.metrics.HOTA().eval_sequence(data)
    ours = higher_order(apart, REACH)
    assert ours == pytest.approx([float(np.mean(theirs[name])) for name in ("HOTA", "DetA", "AssA")], abs=1e-9)
