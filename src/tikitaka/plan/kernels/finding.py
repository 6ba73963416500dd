"""One robot's path, from the straight line to the last resort.

1. Nonsense is refused; a target inside an obstacle moves to the next open place; a start inside one gets out first.
2. The straight line, where it is free.
3. ERRT a few times over, each shortened, the best of them; last tick's path instead, while it is not much longer.
4. Nothing found within the budget: as near to the goal as the search came.

path, best, spare   (P, 2) work space; the result is in path
old                 (K, 2) last tick's corners, of which `count` are used; the new ones are written there
raw                 (P, 2) the path as the trees gave it
found               (6,) status, reason, points, iterations used, corners, points of the raw path: filled
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.random import threefry
from tikitaka.geom.vectors import norm
from tikitaka.plan.kernels.errt import FREE, START, closest_to, search, trace
from tikitaka.plan.kernels.keeping import keep
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
def best_of(
    o: Floats, m: int, sx: float, sy: float, gx: float, gy: float, loose: bool, settings: Floats, attempts: int,
    cache: Floats, cached: int, k0: int, k1: int, turn: int, budget: int,
    xy: Floats, parent: Ints, size: Ints, path: Floats, best: Floats, spare: Floats, raw: Floats,
    near: Ints, found: Ints,
) -> tuple[int, int]:  # fmt: skip
    """Fill ``best`` with the shortest of a few searches; return its points, 0 if none, and the iterations used."""
    n_best, shortest, used = 0, np.inf, 0
    for k in range(attempts):
        a, b, turns = search(
            o, m, sx, sy, gx, gy, loose, settings, cache, cached, k0, k1, turn + k * TURNS, budget - used,
            xy, parent, size,
        )  # fmt: skip
        used += turns
        if a < 0:
            break
        jagged = trace(xy, parent, a, b, path)
        copy(jagged, path, spare)
        n = shorten(o, m, settings[FREE], path, jagged, near)
        d = length(path, n)
        if d < shortest:
            n_best, shortest, found[5] = n, d, jagged
            copy(n, path, best)
            copy(jagged, spare, raw)
        if shortest <= GOOD * norm(gx - sx, gy - sy):
            break
    return n_best, used


@kernel
def around(
    o: Floats, m: int, sx: float, sy: float, gx: float, gy: float, loose: bool, settings: Floats, attempts: int,
    cache: Floats, cached: int, old: Floats, count: int, k0: int, k1: int, turn: int, budget: int,
    xy: Floats, parent: Ints, size: Ints, path: Floats, best: Floats, spare: Floats, raw: Floats,
    near: Ints, found: Ints,
) -> tuple[int, int, int]:  # fmt: skip
    """Fill ``path`` with the way around what stands between s and g; return its points, the reason, the iterations."""
    n, used = best_of(
        o, m, sx, sy, gx, gy, loose, settings, attempts, cache, cached, k0, k1, turn, budget,
        xy, parent, size, path, best, spare, raw, near, found,
    )  # fmt: skip
    fresh = length(best, n) if n > 0 else np.inf
    kept = keep(o, m, settings[FREE], old, count, sx, sy, gx, gy, path)
    if kept > 0:
        kept = shorten(o, m, settings[FREE], path, kept, near)
        if length(path, kept) <= settings[STICKY] * fresh:
            return kept, KEPT, used
    if n > 0:
        copy(n, best, path)
        return n, SEARCHED, used
    a, gap = closest_to(xy, size, START, gx, gy)
    n = shorten(o, m, settings[FREE], path, trace(xy, parent, a, -1, path), near)
    return (n if gap < norm(gx - sx, gy - sy) else 1), OUT_OF_BUDGET, used


@kernel
def find(
    o: Floats, m: int, sx: float, sy: float, tx: float, ty: float, settings: Floats, attempts: int,
    cache: Floats, cached: int, old: Floats, count: int, k0: int, k1: int, turn: int, budget: int,
    xy: Floats, parent: Ints, size: Ints, path: Floats, best: Floats, spare: Floats, raw: Floats,
    near: Ints, found: Ints,
) -> None:  # fmt: skip
    """Fill the smoothed path from s towards t, the old corners by the new ones, and what was found."""
    size[0], size[1] = 0, 0
    path[0, 0], path[0, 1] = sx, sy
    found[0], found[1], found[2], found[3], found[4], found[5] = NONE, NOT_FINITE, 1, 0, 0, 0
    if not (finite(sx, sy) and finite(tx, ty)):
        return
    gx, gy, status, free = tx, ty, EXACT, settings[FREE]
    if inside(o, m, tx, ty) >= 0:
        gx, gy, fine = next_to(o, m, tx, ty, sx, sy, SPAN)
        status = CUT
        if not fine:
            found[1] = NO_OPEN_PLACE
            return
    lead, ax, ay, loose = 0, sx, sy, False
    if inside(o, m, sx, sy) >= 0 and not allowed(o, m, sx, sy, gx, gy, free):
        ax, ay, out = leave(o, m, sx, sy, gx, gy, free, SPAN)
        lead, loose = (1 if out else 0), not out
    if norm(gx - sx, gy - sy) <= HERE:
        n, reason, used = 1, ARRIVED, 0
    elif allowed(o, m, ax, ay, gx, gy, free):
        path[0, 0], path[0, 1], path[1, 0], path[1, 1] = ax, ay, gx, gy
        n, reason, used = 2, STRAIGHT, 0
    else:
        n, reason, used = around(
            o, m, ax, ay, gx, gy, loose, settings, attempts, cache, cached, old, count, k0, k1, turn, budget,
            xy, parent, size, path, best, spare, raw, near, found,
        )  # fmt: skip
        if reason == OUT_OF_BUDGET and lead:  # the nearest way out leads nowhere
            lead = 0
            n, reason, used = around(
                o, m, sx, sy, gx, gy, True, settings, 1, cache, cached, old, 0, k0, k1, turn, budget,
                xy, parent, size, path, best, spare, raw, near, found,
            )  # fmt: skip
    finish(o, m, free, path, n, lead, sx, sy, status, reason, used, old, spare, near, found)


@kernel
def finish(
    o: Floats, m: int, free: float, path: Floats, n: int, lead: int, sx: float, sy: float, status: int, reason: int,
    used: int, old: Floats, spare: Floats, near: Ints, found: Ints,
) -> None:  # fmt: skip
    """Remember the corners, smooth them, put the way out of an obstacle before them, and say what was found."""
    found[4] = min(n, old.shape[0])
    copy(found[4], path, old)
    n = smooth(o, m, free, path, n, spare, near)
    if lead:
        for k in range(n, 0, -1):
            path[k, 0], path[k, 1] = path[k - 1, 0], path[k - 1, 1]
        path[0, 0], path[0, 1], n = sx, sy, n + 1
    failed = reason == OUT_OF_BUDGET
    found[0] = (PARTIAL if n > 1 else NONE) if failed else status
    found[1], found[2], found[3] = reason, n, used
