"""Names of own robots that were unseen: those that come back may be each other.

Where each of them is tells who it is only as far as it did as it was told while nobody looked. What it does afterwards
tells in any case. So for a while exchanged names go on as beliefs of their own, however far off they seem.

since   (3, h, n) when each was seen last, its trouble, and when it came back after it had been lost
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.guessing import PARENT
from tikitaka.estimate.kernels.moving import TROUBLED
from tikitaka.estimate.kernels.weighing import NEVER
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]

SEEN, TROUBLE, BACK = range(3)
LATELY = 0.3  # [s] chosen: for so long one that came back may have been taken for another
EXCHANGED = 12.0  # chosen: that two have each other's names is less likely by 400 (2 log)


@kernel
def welcome(kept: int, t: float, lost: float, offers: Floats, since: Floats, since1: Floats) -> bool:
    """Fill in when everybody came back, and say whether anybody of the best belief did lately."""
    lately = False
    for k in range(kept):
        h = int(offers[k, PARENT])
        for i in range(since.shape[2]):
            before = since[SEEN, h, i]
            back = since1[SEEN, k, i] == t and t - before > lost and before > NEVER
            since1[BACK, k, i] = t if back else since[BACK, h, i]
            lately = lately or (k == 0 and t - since1[BACK, k, i] <= LATELY)
    return lately


@kernel
def nearest_pair(state: Floats, since: Floats, ours: int, t: float, beyond: float) -> tuple[int, int, float]:
    """Return the next two of ours that may be each other, -1: none, and their squared distance, which is above that.

    One came back lately, the other did so too, or was seen far from where it should be.
    """
    best, first, second = math.inf, -1, -1
    for i in range(ours):
        if t - since[BACK, i] > LATELY:
            continue
        for j in range(ours):
            may = j > i if t - since[BACK, j] <= LATELY else since[TROUBLE, j] > TROUBLED
            d = (state[i, 0] - state[j, 0]) ** 2 + (state[i, 1] - state[j, 1]) ** 2
            if may and beyond < d < best:
                best, first, second = d, i, j
    return first, second, best


@kernel
def exchange(
    kept: int, most: int, t: float, state: Floats, p: Floats, held: Floats, since: Floats, cost: Floats
) -> int:
    """Add beliefs in which two have each other's names, the nearest first, and return how many beliefs there are."""
    beyond = -1.0
    while kept < most:
        i, j, beyond = nearest_pair(state[0], since[:, 0], held.shape[1], t, beyond)
        if i < 0:
            return kept
        for a in range(state.shape[1]):
            b = j if a == i else i if a == j else a
            for q in range(6):
                state[kept, a, q] = state[0, b, q]
                for r in range(6):
                    p[kept, a, q, r] = p[0, b, q, r]
            for q in range(3):
                since[q, kept, a] = since[q, 0, b]
        for a in range(held.shape[1]):
            held[kept, a] = 0.0 if a in (i, j) else held[0, a]
        cost[kept] = cost[0] + EXCHANGED
        kept += 1
    return kept
