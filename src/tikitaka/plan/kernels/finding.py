"""One robot's path, from the straight line to the last resort.

1. Nonsense is refused; a target inside an obstacle moves to the next open place; a start inside one gets out first.
2. The straight line, where it is free; else with corners added where it is not.
3. ERRT a few times over, each shortened, the best of them; last tick's path instead, while it is not much longer.
4. Nothing found within the budget: as near to the goal as the search came. (The stage then asks the tangent graph.)

path, best, spare   (P, 2) work space; the result is in path
old                 (K, 2) last tick's corners, of which `count` are used; the new ones are written there
raw                 (P, 2) the path as the trees gave it
found               (6,) status, reason, points, iterations used, corners, points of the raw path: filled
ends                (4,) where the search begins, in the open where there is a way out, and where it is to end: filled
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.random import threefry
from tikitaka.geom.vectors import norm
from tikitaka.plan.kernels.errt import FREE, START, nearest, search, trace
from tikitaka.plan.kernels.keeping import keep, mend
from tikitaka.plan.kernels.leaving import leave, next_to
from tikitaka.plan.kernels.shapes import allowed, finite, inside
from tikitaka.plan.kernels.smoothing import length, shorten, smooth

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NONE, EXACT, CUT, PARTIAL = 0, 1, 2, 3  # types.PlanStatus
STRAIGHT, SEARCHED, KEPT, EXACT_SEARCH, OUT_OF_BUDGET = 1, 2, 3, 4, 5  # types.PlanReason
CLOSED_IN, NO_OPEN_PLACE, NOT_FINITE, ARRIVED = 6, 7, 8, 9
GOOD = 1.01  # a path at most this much longer than the straight line is not searched again
HERE = 1e-9  # [m] nearer than this one has arrived
SPAN = 100.0  # [m] longer than any pitch: how far rays are followed
REST = 3  # bits of a robot's random key that must be 0 for it to look around while it has a path: every fourth tick
TURNS = 1 << 20  # random numbers set apart for one search
STICKY = 5  # place in settings: how much longer than a new path the old one may be


@kernel
def robot_key(k0: int, k1: int, tick: int, i: int) -> tuple[int, int]:
    """Return the key of robot i's random numbers at a tick."""
    return threefry(k0, k1, tick & 0xFFFFFFFF, i)


@kernel
def copy(n: int, source: Floats, to: Floats) -> None:
    """Copy the first n points."""
    for k in range(n):
        to[k, 0], to[k, 1] = source[k, 0], source[k, 1]


@kernel
def aim(
    o: Floats, m: int, sx: float, sy: float, tx: float, ty: float, free: float, ends: Floats, found: Ints
) -> tuple[bool, bool]:
    """Fill the ends of the search, the status that reaching them would have, and what stands against it.

    Return whether the search begins where a way out of an obstacle ends, and whether there is no straight way out.
    """
    found[0], found[1], found[2], found[3], found[4], found[5] = NONE, NOT_FINITE, 1, 0, 0, 0
    ends[0], ends[1], ends[2], ends[3] = sx, sy, tx, ty
    if not (finite(sx, sy) and finite(tx, ty)):
        return False, False
    found[0], found[1] = EXACT, 0
    if inside(o, m, tx, ty) >= 0:
        ends[2], ends[3], fine = next_to(o, m, tx, ty, sx, sy, SPAN)
        found[0] = CUT
        if not fine:
            found[0], found[1] = NONE, NO_OPEN_PLACE
            return False, False
    gx, gy = ends[2], ends[3]
    if norm(gx - sx, gy - sy) <= HERE:
        found[1] = ARRIVED
    elif allowed(o, m, sx, sy, gx, gy, free):
        found[1] = STRAIGHT
    elif inside(o, m, sx, sy) >= 0:
        ends[0], ends[1], out = leave(o, m, sx, sy, gx, gy, free, SPAN)
        if out and allowed(o, m, ends[0], ends[1], gx, gy, free):
            found[1] = STRAIGHT
        return out, not out
    return False, False


@kernel
def detours(o: Floats, m: int, free: float, ends: Floats, path: Floats, best: Floats, near: Ints) -> int:
    """Fill the shortest straight line with corners where something is in the way: next to it, all left, all right.

    Return its points, 0 if none of the three is free.
    """
    n_best, shortest = 0, np.inf
    for side in range(-1, 2):
        path[0, 0], path[0, 1], path[1, 0], path[1, 1] = ends[0], ends[1], ends[2], ends[3]
        n = mend(o, m, free, path, 2, side)
        if n > 0:
            n = shorten(o, m, free, path, n, near)
            d = length(path, n)
            if d < shortest:
                n_best, shortest = n, d
                copy(n, path, best)
    return n_best


@kernel
def best_of(
    o: Floats, m: int, ends: Floats, loose: bool, settings: Floats, attempts: int,
    cache: Floats, cached: int, k0: int, k1: int, budget: int, xy: Floats, parent: Ints, size: Ints,
    path: Floats, best: Floats, spare: Floats, raw: Floats, near: Ints, found: Ints,
) -> int:  # fmt: skip
    """Fill ``best`` with the shortest of a mended straight line and a few searches; return its points, 0 if none."""
    sx, sy, gx, gy, straight = ends[0], ends[1], ends[2], ends[3], norm(ends[2] - ends[0], ends[3] - ends[1])
    n_best = detours(o, m, settings[FREE], ends, path, best, near) if budget > 0 else 0
    shortest = length(best, n_best) if n_best > 0 else np.inf
    for k in range(attempts):
        if shortest <= GOOD * straight or found[3] >= budget:
            break
        share = (budget - found[3]) // (attempts - k)
        a, b, turns = search(
            o, m, sx, sy, gx, gy, loose, settings, cache, cached, k0, k1, k * TURNS, share, xy, parent, size
        )
        found[3] += turns
        if a < 0:
            continue
        jagged = trace(xy, parent, a, b, path)
        copy(jagged, path, spare)
        n = shorten(o, m, settings[FREE], path, jagged, near)
        d = length(path, n)
        if d < shortest:
            n_best, shortest, found[5] = n, d, jagged
            copy(n, path, best)
            copy(jagged, spare, raw)
    return n_best


@kernel
def kept_of(o: Floats, m: int, free: float, old: Floats, count: int, ends: Floats, path: Floats, near: Ints) -> int:
    """Fill ``path`` with last tick's path as it is now; return its points, 0 where it is not free."""
    kept = keep(o, m, free, old, count, ends[0], ends[1], ends[2], ends[3], path)
    return shorten(o, m, free, path, kept, near) if kept > 0 else 0


@kernel
def around(
    o: Floats, m: int, ends: Floats, loose: bool, settings: Floats, attempts: int,
    cache: Floats, cached: int, old: Floats, count: int, k0: int, k1: int, budget: int,
    xy: Floats, parent: Ints, size: Ints, path: Floats, best: Floats, spare: Floats, raw: Floats, near: Ints,
    found: Ints,
) -> int:  # fmt: skip
    """Fill ``path`` with the way around what stands between the ends, and the reason; return its points.

    While last tick's path can be kept, others are looked for in every fourth tick.
    """
    kept = kept_of(o, m, settings[FREE], old, count, ends, path, near)
    if kept > 0 and k0 & REST != 0:
        found[1] = KEPT
        return kept
    n = best_of(
        o, m, ends, loose, settings, attempts, cache, cached, k0, k1, budget,
        xy, parent, size, path, best, spare, raw, near, found,
    )  # fmt: skip
    fresh = length(best, n) if n > 0 else np.inf
    if kept > 0:
        kept = kept_of(o, m, settings[FREE], old, count, ends, path, near)
        if length(path, kept) <= settings[STICKY] * fresh:
            found[1] = KEPT
            return kept
    if n > 0:
        found[1] = SEARCHED
        copy(n, best, path)
        return n
    found[0], found[1] = PARTIAL, OUT_OF_BUDGET
    if size[START] == 0:
        path[0, 0], path[0, 1] = ends[0], ends[1]
        return 1
    a = nearest(xy[START], size[START], ends[2], ends[3])
    return shorten(o, m, settings[FREE], path, trace(xy, parent, a, -1, path), near)


@kernel
def find(
    o: Floats, m: int, sx: float, sy: float, tx: float, ty: float, settings: Floats, attempts: int,
    cache: Floats, cached: int, old: Floats, count: int, k0: int, k1: int, budget: int,
    xy: Floats, parent: Ints, size: Ints, path: Floats, best: Floats, spare: Floats, raw: Floats, near: Ints,
    ends: Floats, found: Ints,
) -> None:  # fmt: skip
    """Fill the smoothed path from s towards t, the old corners by the new ones, and what was found."""
    size[0], size[1], n = 0, 0, 1
    path[0, 0], path[0, 1] = sx, sy
    lead, loose = aim(o, m, sx, sy, tx, ty, settings[FREE], ends, found)
    if found[1] == STRAIGHT:
        path[0, 0], path[0, 1], path[1, 0], path[1, 1], n = ends[0], ends[1], ends[2], ends[3], 2
    elif found[1] == 0:
        n = around(
            o, m, ends, loose, settings, attempts, cache, cached, old, count, k0, k1, budget,
            xy, parent, size, path, best, spare, raw, near, found,
        )  # fmt: skip
    finish(o, m, settings[FREE], path, n, lead, sx, sy, old, spare, near, found)


@kernel
def finish(
    o: Floats, m: int, free: float, path: Floats, n: int, lead: bool, sx: float, sy: float, old: Floats,
    spare: Floats, near: Ints, found: Ints,
) -> None:  # fmt: skip
    """Remember the corners, smooth them, put the way out of an obstacle before them; fill how many points there are."""
    found[4] = min(n, old.shape[0])
    copy(found[4], path, old)
    n = smooth(o, m, free, path, n, spare, near)
    if lead:
        for k in range(n, 0, -1):
            path[k, 0], path[k, 1] = path[k - 1, 0], path[k - 1, 1]
        path[0, 0], path[0, 1], n = sx, sy, n + 1
    found[2] = n
    if found[0] == PARTIAL and n < 2:
        found[0] = NONE
