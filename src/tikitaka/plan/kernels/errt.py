"""Bidirectional ERRT with RRT-Connect: two trees of straight moves, one from the start and one from the goal.

Every tick the trees grow towards a random place: the other tree's root, a waypoint of an earlier path (the cache that
makes it an *E*RRT [ERForce, sec. 3.2]) or anywhere; after each new node the other tree tries to connect to it.
A test of a straight move costs the same at any length, so the other tree tries the whole way first, then a few steps.

The moves have a direction, from start to goal: inside an obstacle only the way out is allowed, see `shapes`.

o, m            obstacles, and how many of them there are
xy, parent      (2, N, 2), (2, N) the nodes of both trees; the root is node 0, its parent -1
size            (2,) nodes of each tree
loose           start or goal lie inside an obstacle: the directed test is needed, else the quicker one does
settings        (5,) step [m], connect steps, goal bias, cache bias, depth at which obstacles are left freely [m]
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.random import uniform
from tikitaka.geom.vectors import norm
from tikitaka.plan.kernels.shapes import FIELD, allowed, clear

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

START, GOAL = 0, 1  # the two trees
STEP, CONNECTS, GOAL_BIAS, CACHE_BIAS, FREE = 0, 1, 2, 3, 4  # places in settings
STREAMS = 4  # random numbers an iteration


@kernel
def bounds(o: Floats, m: int, sx: float, sy: float, gx: float, gy: float) -> tuple[float, float, float, float]:
    """Return the box in which places are drawn: the field, else one about all obstacles and both ends."""
    x0, y0, x1, y1 = min(sx, gx), min(sy, gy), max(sx, gx), max(sy, gy)
    for k in range(m):
        if o[k, 5] == FIELD:
            return o[k, 0], o[k, 1], o[k, 2], o[k, 3]
        r = 2.0 * o[k, 4]
        x0, y0 = min(x0, o[k, 0] - r, o[k, 2] - r), min(y0, o[k, 1] - r, o[k, 3] - r)
        x1, y1 = max(x1, o[k, 0] + r, o[k, 2] + r), max(y1, o[k, 1] + r, o[k, 3] + r)
    return x0, y0, x1, y1


@kernel
def nearest(nodes: Floats, size: int, x: float, y: float) -> int:
    """Return the node nearest to a place, one by one: below 300 nodes no kD-tree is quicker (docs/planner.md)."""
    best, at = np.inf, 0
    for k in range(size):
        dx, dy = nodes[k, 0] - x, nodes[k, 1] - y
        d = dx * dx + dy * dy
        if d < best:
            best, at = d, k
    return at


@kernel
def may_move(
    o: Floats, m: int, tree: int, loose: bool, free: float, px: float, py: float, qx: float, qy: float
) -> bool:
    """Say whether a tree may grow from p to q; the goal's tree is driven the other way round."""
    if not loose:
        return clear(o, m, px, py, qx, qy)
    return allowed(o, m, px, py, qx, qy, free) if tree == START else allowed(o, m, qx, qy, px, py, free)


@kernel
def add(xy: Floats, parent: Ints, size: Ints, tree: int, x: float, y: float, of: int) -> int:
    """Return the number of a new node; -1 where the tree is full."""
    k: int = size[tree]
    if k >= xy.shape[1]:
        return -1
    xy[tree, k, 0], xy[tree, k, 1], parent[tree, k] = x, y, of
    size[tree] = k + 1
    return k


@kernel
def extend(
    o: Floats, m: int, xy: Floats, parent: Ints, size: Ints, tree: int, loose: bool, settings: Floats,
    x: float, y: float, at: int, steps: int,
) -> tuple[int, bool]:  # fmt: skip
    """Return the last node of up to so many steps from a node towards a place, and whether it is there; -1: none."""
    last = -1
    for _ in range(steps):
        px, py = xy[tree, at, 0], xy[tree, at, 1]
        d, there = norm(x - px, y - py), True
        qx, qy = x, y
        if d > settings[STEP]:
            there, s = False, settings[STEP] / d
            qx, qy = px + s * (x - px), py + s * (y - py)
        if d == 0.0 or not may_move(o, m, tree, loose, settings[FREE], px, py, qx, qy):
            return last, False
        at = add(xy, parent, size, tree, qx, qy, at)
        if at < 0:
            return last, False
        last = at
        if there:
            return last, True
    return last, False


@kernel
def draw(
    box: tuple[float, float, float, float], cache: Floats, cached: int, settings: Floats, rx: float, ry: float,
    k0: int, k1: int, turn: int,
) -> tuple[float, float]:  # fmt: skip
    """Return where to grow to: the other root r, a cached waypoint, or anywhere in the box."""
    chance, first = uniform(k0, k1, turn, 0), uniform(k0, k1, turn, 1)
    if chance < settings[GOAL_BIAS]:
        return rx, ry
    if chance < settings[GOAL_BIAS] + settings[CACHE_BIAS] and cached > 0:
        k = min(int(first * cached), cached - 1)
        return cache[k, 0], cache[k, 1]
    second = uniform(k0, k1, turn, 2)
    return box[0] + first * (box[2] - box[0]), box[1] + second * (box[3] - box[1])


@kernel
def search(
    o: Floats, m: int, sx: float, sy: float, gx: float, gy: float, loose: bool, settings: Floats,
    cache: Floats, cached: int, k0: int, k1: int, turn: int, budget: int, xy: Floats, parent: Ints, size: Ints,
) -> tuple[int, int, int]:  # fmt: skip
    """Return where the trees meet, a node of each, and the iterations used; nodes -1 where they have not met."""
    box = bounds(o, m, sx, sy, gx, gy)
    size[START], size[GOAL] = 0, 0
    add(xy, parent, size, START, sx, sy, -1)
    add(xy, parent, size, GOAL, gx, gy, -1)
    for it in range(budget):
        tree = it & 1
        other = 1 - tree
        x, y = draw(box, cache, cached, settings, xy[other, 0, 0], xy[other, 0, 1], k0, k1, turn + it)
        at = nearest(xy[tree], size[tree], x, y)
        new, _ = extend(o, m, xy, parent, size, tree, loose, settings, x, y, at, 1)
        if new < 0:
            continue
        met = connect(o, m, xy, parent, size, other, loose, settings, xy[tree, new, 0], xy[tree, new, 1])
        if met >= 0:
            return (new, met, it + 1) if tree == START else (met, new, it + 1)
    return -1, -1, budget


@kernel
def connect(
    o: Floats, m: int, xy: Floats, parent: Ints, size: Ints, tree: int, loose: bool, settings: Floats,
    x: float, y: float,
) -> int:  # fmt: skip
    """Return the node of a tree that a straight move joins to a place of the other tree; -1 if there is none."""
    at = nearest(xy[tree], size[tree], x, y)
    if may_move(o, m, tree, loose, settings[FREE], xy[tree, at, 0], xy[tree, at, 1], x, y):
        return at
    last, there = extend(o, m, xy, parent, size, tree, loose, settings, x, y, at, int(settings[CONNECTS]))
    return last if there else -1


@kernel
def trace(xy: Floats, parent: Ints, a: int, b: int, path: Floats) -> int:
    """Fill the way from the start's root to its node a and on from the goal's node b to its root; return its points."""
    n, k = 0, a
    while k >= 0:
        n += 1
        k = parent[START, k]
    k, i = a, n - 1
    while k >= 0:
        path[i, 0], path[i, 1] = xy[START, k, 0], xy[START, k, 1]
        k, i = parent[START, k], i - 1
    k = b
    while k >= 0 and n < path.shape[0]:
        path[n, 0], path[n, 1] = xy[GOAL, k, 0], xy[GOAL, k, 1]
        k, n = parent[GOAL, k], n + 1
    return n
