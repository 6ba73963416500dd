"""What [MI20] does not print and needs: rows given to predictions, not to updated states; doubt after a collision."""

from dataclasses import replace

import numpy as np
import pytest
from mi20_boxes import HALF
from sightings import params_of, sight, standing, watch
from test_mi20_piling import DT, run

from tikitaka.estimate import Association
from tikitaka.estimate import belief as beliefs
from tikitaka.estimate.kernels.moving import doubt
from tikitaka.types import Floats

NOISE, TURN_NOISE = 1e-3, 1e-2  # [m], [rad] of a camera
SPEED = 1.0  # [m/s]
SLOW = 0.05  # [m/s] standard deviation of a track's velocity before the collision
GATE = 14.16  # chi-square of three numbers, one in 370 above


def prices(inflated: bool) -> Floats:
    """Return squared Mahalanobis distances of the truth, after head-on collisions of robots that are a little off."""
    rng, found = np.random.default_rng(1), list[float]()
    for _ in range(200):
        aside = rng.uniform(-1.5 * HALF, 1.5 * HALF)
        old = np.array(((-0.05, 0.0, 0.0), (0.05, aside, 0.0)))
        v = np.array(((1.2, 0.0, 0.0), (-1.2, 0.0, 0.0)))
        off = np.array((0.0, 0.004, 0.03)) * rng.normal(size=(2, 3))
        _, believed, shaken, _ = run(old, v)
        truth = run(old + off, v)[1]
        p = np.diag((*np.full(2, 0.004**2), 0.03**2, *np.full(2, SLOW**2), 1.0))
        p[:3, :3] += DT * DT * p[3:, 3:]
        if inflated:
            doubt(p, shaken[0, 0], shaken[0, 1], DT)
        away, spread = truth[0, :3] - believed[0, :3], p[:3, :3] + np.diag((NOISE**2, NOISE**2, TURN_NOISE**2))
        found.append(float(away @ np.linalg.solve(spread, away)))
    return np.array(found)


def test_without_doubt_after_a_collision_a_gate_turns_the_truth_away() -> None:
    assert np.mean(prices(inflated=False) > GATE) > 3.0 * np.mean(prices(inflated=True) > GATE)

    assert np.mean(prices(inflated=True) > GATE) < 0.02


def test_blows_that_undo_one_another_in_a_step_leave_no_doubt() -> None:
    """Three of theirs in a row: the outer ones drive at the one between them, which both strike at once."""
    params, (first, n) = params_of("mirosot-5v5"), (standing(params_of("mirosot-5v5")), params_of("mirosot-5v5").robots)
    first[n : n + 3] = (-2.0 * HALF - 0.01, 0.75, 0.0), (0.0, 0.75, 0.0), (2.0 * HALF + 0.01, 0.75, 0.0)
    tracks, _ = watch(params, [sight(0.0, first, placed=first)])
    tracks.robots.state[0, [n, n + 2], 3] = SPEED, -SPEED
    state, p = beliefs.moved(params, tracks.robots, tracks.told, tracks.told_time, DT, spread=True)
    assert np.abs(state[n : n + 3, 3]) == pytest.approx(0.0, abs=0.2 * SPEED)
    quiet = p[n + 3, 3, 3]  # of one that nobody touches
    assert p[[n, n + 2], 3, 3] - quiet == pytest.approx((0.5 * SPEED) ** 2, rel=0.2)
    assert p[n + 1, 3, 3] == pytest.approx(quiet, rel=0.05)


def test_rows_are_given_to_predictions_so_that_who_drives_behind_another_keeps_its_name() -> None:
    """Two of theirs in a row, 8 cm apart, 6 cm a picture: the nearest to where one was is the one behind it."""
    params = replace(params_of("mirosot-5v5"), association=Association.GREEDY, beliefs=1)
    first, n = standing(params), params.robots
    first[[n, n + 1], :2] = (-0.3, 0.75), (-0.22, 0.75)
    ways = 0.06 * np.cumsum(np.minimum(np.arange(14) / 6.0, 1.0))  # they speed up slowly enough to be told apart
    poses = [first, *(first.copy() for _ in ways)]
    for pose, way in zip(poses[1:], ways, strict=True):
        pose[[n, n + 1], 0] += way
    film = [sight(k * DT, pose, placed=first if k == 0 else None) for k, pose in enumerate(poses)]
    _, world = watch(params, film)
    np.testing.assert_allclose(world.theirs.pose[:2, 0], poses[-1][[n, n + 1], 0], atol=0.01)
    before, behind, now = poses[-2][n + 1, 0], poses[-1][n, 0], poses[-1][n + 1, 0]
    assert abs(behind - before) < abs(now - before)  # whom the last update is nearest to
