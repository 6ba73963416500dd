"""Trouble that is the same in all beliefs: none becomes likelier only by being surer of itself.

Two beliefs that have each other's names for two robots see the same robots. So trouble goes by the row that was taken
and not by the name: else whoever got the name of one that never surprised is foreseen more surely, and wins by it
picture after picture.

h       belief, n tracks, m rows
same    (h, n)  the track of the best belief that is the same robot
owner   (m,)    the best belief's track at each row
shared  (n,)    trouble of each robot, by its track in the best belief
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.guessing import taken
from tikitaka.estimate.kernels.piling import NOBODY
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def pair_up(kept: int, ours: int, offers: Floats, partner: Ints, owner: Ints, same: Ints) -> None:
    """Fill ``same``: who took the same row; of the others who is unseen by the same name, and then in their order."""
    n, best = partner.shape[1], min(kept, 0)
    for j in range(owner.shape[0]):
        owner[j] = NOBODY
    for i in range(n):
        a = taken(offers, best, i, partner)
        if a >= 0:
            owner[a] = i
    for k in range(kept):
        for i in range(n):
            a = taken(offers, k, i, partner)
            if a >= 0:
                same[k, i] = owner[a]
            else:
                same[k, i] = i if taken(offers, best, i, partner) < 0 else NOBODY
        pair_rest(same[k], ours)


@kernel
def pair_rest(same: Ints, ours: int) -> None:
    """Give the tracks of one belief that are nobody yet the best one's of their team that are left, in order."""
    for i in range(same.shape[0]):
        if same[i] != NOBODY:
            continue
        free = 0 if i < ours else ours
        while free < same.shape[0] and is_in(free, same):
            free += 1
        same[i] = free


@kernel
def is_in(value: int, row: Ints) -> bool:
    """Say whether a row holds a value."""
    found = False
    for i in range(row.shape[0]):
        found = found or row[i] == value
    return found


@kernel
def share_trouble(kept: int, ours: int, cost: Floats, same: Ints, trouble: Floats, shared: Floats) -> None:
    """Give each robot the same trouble in all beliefs.

    Of ours it is what they expect, since many beliefs about them are only begun to be tested; of theirs the most.
    """
    weights, n = 0.0, trouble.shape[1]
    for i in range(n):
        shared[i] = 0.0
    for k in range(kept):
        weight = math.exp(-0.5 * cost[k])
        weights += weight
        for i in range(n):
            c = same[k, i]
            shared[c] = shared[c] + weight * trouble[k, i] if i < ours else max(shared[c], trouble[k, i])
    for k in range(kept):
        for i in range(n):
            trouble[k, i] = shared[same[k, i]] / weights if i < ours else shared[same[k, i]]
