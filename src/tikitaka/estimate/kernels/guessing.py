"""Several beliefs about who is who: the best ones are kept until what follows tells which was right.

A belief holds all tracks. In every picture each one offers its best association, and the same with one pair of tracks
exchanged, or with one track at a detection that was left over. The cheapest offers become the beliefs of the next
picture; of those that put everybody at the same places only the cheapest is kept. So there is one belief for each way
to name the robots that can still be true, with the likeliest past that leads to it.

h       belief
offers  (c, 4) belief, the two tracks that exchange (-1, -1: none; i, -1 - j: track i takes detection j), cost in all
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PARENT, FIRST, SECOND, COST = range(4)
SAME = 0.03  # [m] chosen: robots are at least 7.5 cm wide, so two of them are never this near
BRANCH = 14.0  # chosen: an exchange that is less likely by 1000 (2 log) is not thought of
PRUNE = 20.0  # chosen: a belief that is less likely by 22,000 is given up


@kernel
def offer(offers: Floats, found: int, h: int, i: int, j: int, cost: float) -> int:
    """Append an offer while there is room, and return how many there are."""
    if found < offers.shape[0]:
        offers[found, PARENT], offers[found, FIRST], offers[found, SECOND], offers[found, COST] = h, i, j, cost
        return found + 1
    return found


@kernel
def offer_exchanges(
    offers: Floats, found: int, h: int, ours: int, cost: Floats, gate: float, partner: Ints, owner: Ints, total: float,
    seen: Floats, since: float,
) -> int:  # fmt: skip
    """Append what belief h can offer beside its best association, and return how many offers there are.

    Opponents that nobody has seen since a time are named at once: nothing that follows could tell them apart.
    """
    n, m = cost.shape
    for i in range(n):
        a = partner[i]
        at_a = cost[i, a] if a >= 0 else gate
        for j in range(i + 1, n if i >= ours else ours):
            b = partner[j]
            if (a < 0 and b < 0) or (i >= ours and seen[i] < since and seen[j] < since):
                continue
            now = at_a + (cost[j, b] if b >= 0 else gate)
            then = (cost[i, b] if b >= 0 else gate) + (cost[j, a] if a >= 0 else gate)
            if then - now < BRANCH:
                found = offer(offers, found, h, i, j, total + then - now)
        for b in range(m):
            if owner[b] < 0 and cost[i, b] < gate and cost[i, b] - at_a < BRANCH:
                found = offer(offers, found, h, i, -1 - b, total + cost[i, b] - at_a)
    return found


@kernel
def taken(offers: Floats, k: int, i: int, partner: Ints) -> int:
    """Return the detection that track i has under offer k, -1: none."""
    h, first, second = int(offers[k, PARENT]), int(offers[k, FIRST]), int(offers[k, SECOND])
    if i == first and second < 0:
        return -1 - second
    if i == first:
        return int(partner[h, second])
    return int(partner[h, first]) if i == second and first >= 0 else int(partner[h, i])


@kernel
def alike(offers: Floats, k: int, q: int, partner: Ints, state: Floats, pose: Floats) -> bool:
    """Say whether two offers put every robot at the same place."""
    for i in range(state.shape[1]):
        a, b = taken(offers, k, i, partner), taken(offers, q, i, partner)
        if a == b and a >= 0:
            continue
        hk, hq = int(offers[k, PARENT]), int(offers[q, PARENT])
        xa, ya = (pose[a, 0], pose[a, 1]) if a >= 0 else (state[hk, i, 0], state[hk, i, 1])
        xb, yb = (pose[b, 0], pose[b, 1]) if b >= 0 else (state[hq, i, 0], state[hq, i, 1])
        if (xa - xb) * (xa - xb) + (ya - yb) * (ya - yb) > SAME * SAME:
            return False
    return True


@kernel
def choose(offers: Floats, found: int, most: int, partner: Ints, state: Floats, pose: Floats) -> int:
    """Move the cheapest offers that differ to the front, cheapest first, and return how many there are."""
    kept = 0
    while kept < most:
        best, at = math.inf, -1
        for k in range(kept, found):
            if offers[k, COST] < best:
                best, at = offers[k, COST], k
        if at < 0 or (kept > 0 and best > offers[0, COST] + PRUNE):
            return kept
        for q in range(4):
            offers[kept, q], offers[at, q] = offers[at, q], offers[kept, q]
        new = True
        for k in range(kept):
            if alike(offers, k, kept, partner, state, pose):
                new = False
        if new:
            kept += 1
        else:
            offers[kept, COST] = math.inf
    return kept
