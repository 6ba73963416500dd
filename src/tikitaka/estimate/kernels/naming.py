"""Names of own robots that were unseen: those that come back may be each other.

Where each of them is tells who it is only as far as it did as it was told while nobody looked. What it does afterwards
tells in any case. So for a while exchanged names go on as beliefs of their own, however far off they seem: a few pairs
in each picture, and those that what was seen speaks for stay.

since   (3, h, n) when each was seen last, its trouble, and when it came back after it had been lost
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.guessing import PARENT, SAME
from tikitaka.estimate.kernels.moving import TROUBLED
from tikitaka.estimate.kernels.robots import NEVER
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Pair = tuple[float, int, int]  # squared distance of two robots, and who they are

SEEN, TROUBLE, BACK = range(3)
LATELY = 0.3  # [s] chosen: for so long one that came back may have been taken for another
EXCHANGED = 12.0  # chosen: that two have each other's names is less likely by 400 (2 log)
SOON = 0.005  # [s] chosen: between two pictures, at least
GOLDEN = 0.618034  # steps of this share of a round soon come near everything
NO_PAIR = (-1.0, -1, -1)


@kernel
def labelled(team: Ints, label: Ints) -> bool:
    """Say whether any row of ours tells its name: then nothing else has to."""
    told = False
    for j in range(team.shape[0]):
        told = told or (team[j] == 0 and label[j] >= 0)
    return told


@kernel
def welcome(kept: int, ours: int, t: float, lost: float, offers: Floats, since: Floats, since1: Floats) -> bool:
    """Fill in when everybody came back, and say whether any of ours did lately in the best belief."""
    lately = False
    for k in range(kept):
        h = int(offers[k, PARENT])
        for i in range(since.shape[2]):
            before = since[SEEN, h, i]
            back = since1[SEEN, k, i] == t and t - before > lost and before > NEVER
            since1[BACK, k, i] = t if back else since[BACK, h, i]
            lately = lately or (k == 0 and i < ours and t - since1[BACK, k, i] <= LATELY)
    return lately


@kernel
def next_pair(state: Floats, since: Floats, ours: int, t: float, last: Pair) -> Pair:
    """Return the pair after the last one of those that may be each other, the nearest first; NO_PAIR: there is none.

    One came back lately, the other did so too, or was seen far from where it should be.
    """
    best, first, second = math.inf, -1, -1
    for i in range(ours):
        if t - since[BACK, i] > LATELY:
            continue
        for j in range(ours):
            may = j > i if t - since[BACK, j] <= LATELY else since[TROUBLE, j] > TROUBLED
            d = (state[i, 0] - state[j, 0]) ** 2 + (state[i, 1] - state[j, 1]) ** 2
            if may and d < best and (d, i, j) > last:
                best, first, second = d, i, j
    return (best, first, second) if first >= 0 else NO_PAIR


@kernel
def count_pairs(state: Floats, since: Floats, ours: int, t: float) -> int:
    """Return how many pairs may be each other."""
    pairs, pair = 0, next_pair(state, since, ours, t, NO_PAIR)
    while pair[1] >= 0:
        pairs, pair = pairs + 1, next_pair(state, since, ours, t, pair)
    return pairs


@kernel
def believed(kept: int, state: Floats, i: int, j: int) -> bool:
    """Say whether one of the beliefs has these two where the first one has the other."""
    there = False
    for h in range(1, kept):
        there = there or (near(state[h, i], state[0, j]) and near(state[h, j], state[0, i]))
    return there


@kernel
def near(a: Floats, b: Floats) -> bool:
    """Say whether two robots, of two beliefs, are at one place."""
    there: bool = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 <= SAME * SAME
    return there


@kernel
def drive_alike(a: Floats, b: Floats) -> None:
    """Give robot b the velocity that robot a has in its own frame."""
    c, s = math.cos(b[2] - a[2]), math.sin(b[2] - a[2])
    b[3], b[4], b[5] = c * a[3] - s * a[4], s * a[3] + c * a[4], a[5]


@kernel
def rename(k: int, i: int, j: int, t: float, state: Floats, p: Floats, held: Floats, since: Floats) -> None:
    """Fill belief k with the first one, in which two have each other's names.

    Two that came back just now, at t, have been seen once: how fast they are is only what they should be, each its own.
    """
    for a in range(state.shape[1]):
        b = j if a == i else i if a == j else a
        for q in range(6):
            state[k, a, q] = state[0, b, q]
            for r in range(6):
                p[k, a, q, r] = p[0, b, q, r]
        if a != b and since[BACK, 0, a] == t == since[BACK, 0, b]:
            drive_alike(state[0, a], state[k, a])
        for q in range(3):
            since[q, k, a] = since[q, 0, b]
    for a in range(held.shape[1]):
        held[k, a] = 0.0 if a in (i, j) else held[0, a]


@kernel
def turn_of(since: Floats, ours: int, before: float, t: float, pairs: int) -> int:
    """Return with which of the pairs a picture begins: each in its turn, and the last picture with the nearest."""
    latest = -math.inf
    for i in range(ours):
        latest = max(latest, since[BACK, i])
    left = round((latest + LATELY - t) / max(t - before, SOON))  # pictures
    return int(left * GOLDEN % 1.0 * pairs)


@kernel
def exchange(
    kept: int, most: int, before: float, t: float, state: Floats, p: Floats, held: Floats, since: Floats, cost: Floats
) -> int:
    """Add beliefs in which two have each other's names, and return how many beliefs there are.

    Those that cost as much make room: there are more pairs than beliefs, and each gets its turn. ``before`` is the time
    of the last picture.
    """
    ours = held.shape[1]
    while kept > 1 and cost[kept - 1] >= cost[0] + EXCHANGED:
        kept -= 1
    pairs, pair = count_pairs(state[0], since[:, 0], ours, t), NO_PAIR
    begin = turn_of(since[:, 0], ours, before, t, pairs)
    for q in range(begin + pairs):
        pair = next_pair(state[0], since[:, 0], ours, t, pair)
        if pair[1] < 0:
            pair = next_pair(state[0], since[:, 0], ours, t, pair)
        if q >= begin and kept < most and not believed(kept, state, pair[1], pair[2]):
            rename(kept, pair[1], pair[2], t, state, p, held, since)
            cost[kept] = cost[0] + EXCHANGED
            kept += 1
    return kept
