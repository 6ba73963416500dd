"""Counting what happens in a match: collisions between robots, and identities that were swapped."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def new_collisions(touched: NDArray[np.uint8], last: Ints, tick: int, apart: int) -> int:
    """Return how many pairs touch that had been apart for so many ticks; ``last`` keeps when each pair touched."""
    count = 0
    for i in range(touched.shape[0]):
        for j in range(i + 1, touched.shape[0]):
            if touched[i, j] != 0:
                count += tick - last[i, j] > apart
                last[i, j] = tick
    return count


@kernel
def new_swaps(blue: Floats, yellow: Floats, truth: Floats, holds: Ints, astray: Ints, hull: float, lasting: int) -> int:
    """Return how many tracks have gone over to another robot for good.

    ``holds`` keeps whom each one follows, ``astray`` for how many ticks it has been with another. Yellow's belief is in
    its own frame, half a turn from that of the truth.
    """
    count, n = 0, blue.shape[0]
    for team in range(2):
        for i in range(n):
            x, y = (blue[i, 0], blue[i, 1]) if team == 0 else (-yellow[i, 0], -yellow[i, 1])
            best, found, own = math.inf, -1, holds[team, i]
            for j in range(n):
                d = norm(x - truth[team * n + j, 0], y - truth[team * n + j, 1])
                if d < best:
                    best, found = d, j
            away = norm(x - truth[team * n + own, 0], y - truth[team * n + own, 1])
            astray[team, i] = astray[team, i] + 1 if found != own and best < 0.5 * hull and away > hull else 0
            if astray[team, i] >= lasting:
                holds[team, i], astray[team, i] = found, 0
                count += 1
    return count
