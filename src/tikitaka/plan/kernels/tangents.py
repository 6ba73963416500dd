"""The shortest path of a point among obstacles: A* over tangents of corner circles, exact.

A state is a tangent that ends on an oriented circle (node 2 i to the left, 2 i + 1 to the right) or at the target
(node 2 n). Whether a tangent is free is asked only when it is the best one left. All nodes of the free space's part
around the start are reached in the end, so no path among tangents is no path at all.

f        states (k, 6): length so far, t, arrival x and y, free turn from there; c, e, w, t, s, turns: see corners.py
links    states (k, 3): node, state before (-1: the start), the last state that arrived at the same node (-1: none)
keys     of a heap, smallest first: length so far and straight on to the target
heap     the states that they are of
heads    last state that arrived at a node, -1: none
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm
from tikitaka.plan.kernels.corners import ASIDE, angle, free_turn, on_rim, take_apart, tangent, turns
from tikitaka.plan.kernels.shapes import clear, finite

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SOLVED, NO_PATH, NOT_FREE, NO_ROOM = 1, 0, -1, -2
FEW, SOME = (
    48,
    400,
)  # arrivals after which the search is begun from the other end, and then from the first again; chosen
SAME = 1e-13  # [m] a way that is longer by less is no longer; chosen: rounding of a sum of a few lengths


@kernel
def shortest(
    o: Floats, m: int, sx: float, sy: float, tx: float, ty: float,
    w: Floats, c: Floats, e: Floats, f: Floats, links: Ints, keys: Floats, heap: Ints, heads: Ints,
) -> tuple[int, float, int, bool]:  # fmt: skip
    """Return status, length, last state (-1: straight on) and whether the states lead from target to start.

    NO_PATH is a proof. NOT_FREE: start or target lie inside an obstacle, or are no points. NO_ROOM: too few states.
    """
    if not (finite(sx, sy) and finite(tx, ty)):
        return NOT_FREE, 0.0, -1, False
    n, ledges = take_apart(o, m, sx, sy, tx, ty, w, c, e)
    if n < 0:
        return NOT_FREE, 0.0, -1, False
    if clear(w, m, sx, sy, tx, ty):
        return SOLVED, norm(tx - sx, ty - sy), -1, False
    last, back = -2, False
    for most, turned in ((FEW, False), (SOME, True), (f.shape[0], False)):  # an end that is walled in is soon known
        ax, ay, bx, by = (tx, ty, sx, sy) if turned else (sx, sy, tx, ty)
        last, back = _search(n, ledges, m, most, ax, ay, bx, by, w, c, e, f, links, keys, heap, heads), turned
        if last > -2:
            break
    if last < 0:
        return (NO_PATH if last == -1 else NO_ROOM), 0.0, -1, back
    return SOLVED, f[last, 0] - _grown(last, c, f, links), last, back


@kernel
def _grown(last: int, c: Floats, f: Floats, links: Ints) -> float:
    """Return how much longer a path is because obstacles are grown: by that, times the angle turned, for each."""
    extra, k = 0.0, links[last, 1]
    while k >= 0:
        i, s = links[k, 0] >> 1, 1.0 - 2.0 * float(links[k, 0] & 1)
        extra += c[i, 3] * angle(f[k, 1], f[k, 2], f[last, 1], f[last, 2], s)
        last, k = k, links[k, 1]
    return extra


@kernel
def _search(
    n: int, ledges: int, m: int, most: int, sx: float, sy: float, tx: float, ty: float,
    w: Floats, c: Floats, e: Floats, f: Floats, links: Ints, keys: Floats, heap: Ints, heads: Ints,
) -> int:  # fmt: skip
    """Return the state that arrived at the target; -1: there is no way, -2: none within `most` arrivals or the room."""
    for i in range(2 * n + 1):
        heads[i] = -1
    size, used = _expand(-1, 0, 0, n, sx, sy, tx, ty, c, f, links, keys, heap)
    arrived = 0
    while size > 0 and used >= 0:
        k: int = heap[0]
        size = _pop(size, keys, heap)
        node = links[k, 0]
        if node < 2 * n and _is_known(k, heads[node], c, f, links):
            continue
        px, py = _departure(k, sx, sy, c, f, links)
        if not clear(w, m, px, py, f[k, 3], f[k, 4]):
            continue
        if node == 2 * n:
            return k
        i, s = node >> 1, 1.0 - 2.0 * float(node & 1)
        f[k, 5] = free_turn(c, n, e, ledges, i, s, s * f[k, 1], s * f[k, 2])
        links[k, 2], heads[node] = heads[node], k
        arrived += 1
        if arrived > most:
            return -2
        size, used = _expand(k, size, used, n, sx, sy, tx, ty, c, f, links, keys, heap)
    return -1 if used >= 0 else -2


@kernel
def _is_known(k: int, other: int, c: Floats, f: Floats, links: Ints) -> bool:
    """Say whether a state is where another one, or one before that, gets along the same circle, and no later."""
    i, s = links[k, 0] >> 1, 1.0 - 2.0 * float(links[k, 0] & 1)
    while other >= 0:
        turn = turns(f[other, 1], f[other, 2], f[k, 1], f[k, 2], s)
        if turn <= f[other, 5] or turn >= 4.0 - ASIDE:
            turned = angle(f[other, 1], f[other, 2], f[k, 1], f[k, 2], s)
            if f[other, 0] + c[i, 2] * turned <= f[k, 0] + SAME:
                return True
        other = links[other, 2]
    return False


@kernel
def _departure(k: int, sx: float, sy: float, c: Floats, f: Floats, links: Ints) -> tuple[float, float]:
    """Return where the tangent of a state begins."""
    before = links[k, 1]
    if before < 0:
        return sx, sy
    i = links[before, 0] >> 1
    rho = c[i, 2] * (1.0 - 2.0 * float(links[before, 0] & 1))
    return c[i, 0] + rho * f[k, 1], c[i, 1] + rho * f[k, 2]


@kernel
def _expand(
    k: int, size: int, used: int, n: int, sx: float, sy: float, tx: float, ty: float,
    c: Floats, f: Floats, links: Ints, keys: Floats, heap: Ints,
) -> tuple[int, int]:  # fmt: skip
    """Add the tangents that leave state k's circle (-1: the start); return sizes of heap and states (-1: no room)."""
    if used + 2 * n + 1 > f.shape[0]:
        return size, -1
    x, y, big, s, own = sx, sy, 0.0, 1.0, -1
    if k >= 0:
        own, s = links[k, 0] >> 1, 1.0 - 2.0 * float(links[k, 0] & 1)
        x, y, big = c[own, 0], c[own, 1], c[own, 2]
    for j in range(n):
        if j == own:
            continue
        dx, dy = c[j, 0] - x, c[j, 1] - y
        for side in range(2):
            o = 1.0 - 2.0 * float(side)
            rho = o * c[j, 2]
            ux, uy, length = tangent(dx, dy, s * big - rho)
            if length < 0.0 or not on_rim(c[j], o * ux, o * uy) or not _leaves(k, s, ux, uy, f):
                continue
            f[used, 3], f[used, 4] = c[j, 0] + rho * ux, c[j, 1] + rho * uy
            size = _push(used, 2 * j + side, k, s, big, ux, uy, length, size, tx, ty, f, links, keys, heap)
            used += 1
    ux, uy, length = tangent(tx - x, ty - y, s * big)
    if length >= 0.0 and _leaves(k, s, ux, uy, f):
        f[used, 3], f[used, 4] = tx, ty
        size = _push(used, 2 * n, k, s, big, ux, uy, length, size, tx, ty, f, links, keys, heap)
        used += 1
    return size, used


@kernel
def _leaves(k: int, s: float, ux: float, uy: float, f: Floats) -> bool:
    """Say whether a tangent leaves the circle of state k where one gets to by turning along it."""
    if k < 0:
        return True
    turn = turns(f[k, 1], f[k, 2], ux, uy, s)
    return turn <= f[k, 5] + ASIDE or turn >= 4.0 - ASIDE


@kernel
def _push(
    i: int, node: int, k: int, s: float, big: float, ux: float, uy: float, length: float, size: int,
    tx: float, ty: float, f: Floats, links: Ints, keys: Floats, heap: Ints,
) -> int:  # fmt: skip
    """Make state i, a tangent t = u from state k, and put it into the heap; return the heap's new size."""
    so_far = length
    if k >= 0:
        so_far += f[k, 0] + big * angle(f[k, 1], f[k, 2], ux, uy, s)
    f[i, 0], f[i, 1], f[i, 2], f[i, 5] = so_far, ux, uy, 0.0
    links[i, 0], links[i, 1], links[i, 2] = node, k, -1
    key, at = so_far + norm(tx - f[i, 3], ty - f[i, 4]), size
    while at > 0 and keys[(at - 1) >> 1] > key:
        above = (at - 1) >> 1
        keys[at], heap[at] = keys[above], heap[above]
        at = above
    keys[at], heap[at] = key, i
    return size + 1


@kernel
def _pop(size: int, keys: Floats, heap: Ints) -> int:
    """Take the first out of the heap; return the heap's new size."""
    size -= 1
    key, i, at, below = keys[size], heap[size], 0, 1
    while below < size:
        if below + 1 < size and keys[below + 1] < keys[below]:
            below += 1
        if key <= keys[below]:
            break
        keys[at], heap[at] = keys[below], heap[below]
        at, below = below, 2 * below + 1
    keys[at], heap[at] = key, i
    return size
