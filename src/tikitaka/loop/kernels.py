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
def new_swaps(belief: Floats, truth: Floats, holds: Ints, hull: float) -> int:
    """Return how many tracks of one team have gone over to another robot; ``holds`` keeps whom each one follows."""
    count = 0
    for i in range(belief.shape[0]):
        best, found = math.inf, -1
        for j in range(truth.shape[0]):
            d = norm(belief[i, 0] - truth[j, 0], belief[i, 1] - truth[j, 1])
            if d < best:
                best, found = d, j
        own = holds[i]
        away = norm(belief[i, 0] - truth[own, 0], belief[i, 1] - truth[own, 1])
        if found != own and best < 0.5 * hull and away > hull:
            holds[i] = found
            count += 1
    return count
