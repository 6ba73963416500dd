"""Ratings from a table of results: the likeliest ones, on Elo's scale [Elo1978; BradleyTerry1952].

A team that is rated 400 points above another is expected to take ten points of eleven; a draw is half a point each.
Every team has also drawn once against an average one, so that a team which won everything still has a number.
"""

import math

import numpy as np

from tikitaka.loop.games import Z95
from tikitaka.types import Floats

SCALE = 400.0 / math.log(10.0)  # points a unit of the logistic curve
AVERAGE = 1500.0
ROUNDS = 50  # of Newton's method; it is there after fewer than ten


def ratings(points: Floats) -> tuple[Floats, Floats]:
    """Return ratings (n,) and half of their 95 % intervals; ``points[i, j]`` is what i took from j."""
    n = len(points)
    games, strength = points + points.T, np.zeros(n)
    for _ in range(ROUNDS):
        slope, curve = _likelihood(points, games, strength)
        strength = strength + np.linalg.solve(curve, slope)
    spread = np.sqrt(np.diag(np.linalg.inv(_likelihood(points, games, strength)[1])))
    return AVERAGE + SCALE * (strength - strength.mean()), Z95 * SCALE * spread


def _likelihood(points: Floats, games: Floats, strength: Floats) -> tuple[Floats, Floats]:
    """Return slope (n,) and curvature (n, n) of the likelihood's logarithm, the draws with the average included."""
    expected = 1.0 / (1.0 + np.exp(strength[None] - strength[:, None]))
    alone = 1.0 / (1.0 + np.exp(-strength))
    slope = np.sum(points - games * expected, axis=1) + 0.5 - alone
    weight = games * expected * (1.0 - expected)
    curve = np.diag(weight.sum(axis=1) + alone * (1.0 - alone)) - weight
    return slope, curve
