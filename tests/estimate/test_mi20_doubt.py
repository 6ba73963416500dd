"""What [MI20] does not print and needs: doubt after a corrected collision."""

import numpy as np
from mi20_boxes import HALF
from test_mi20_piling import DT, run

from tikitaka.estimate.kernels.moving import doubt
from tikitaka.types import Floats

NOISE, TURN_NOISE = 1e-3, 1e-2  # [m], [rad] of a camera
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
