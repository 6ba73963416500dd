"""A shortest path as waypoints: turns become corners outside of the circle, on its tangents.

No leg cuts a circle, whatever the number of corners; a turn gets as many as it takes for its legs to be free of the
other obstacles too. Names as in tangents.py.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.plan.kernels.corners import angle
from tikitaka.plan.kernels.shapes import clear

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

AWAY = 5e-3  # [m] corners lie so far outside at most; chosen: a camera's error
FINEST = 4096  # corners of one turn, at most; chosen


@kernel
def trace(
    last: int, back: bool, m: int, sx: float, sy: float, tx: float, ty: float,
    w: Floats, c: Floats, f: Floats, links: Ints, xy: Floats,
) -> int:  # fmt: skip
    """Fill the waypoints of what `shortest` found; return their number, 0 where xy has no room for them."""
    if xy.shape[0] < 2:
        return 0
    xy[0, 0], xy[0, 1] = (tx, ty) if back else (sx, sy)
    count, k = 1, _turn_round(last, links)
    while k >= 0 and links[k, 2] >= 0:
        count = _corner(k, count, m, w, c, f, links, xy)
        if count == 0:
            return 0
        k = links[k, 2]
    xy[count, 0], xy[count, 1] = (sx, sy) if back else (tx, ty)
    if back:
        _reverse(xy, count + 1)
    return count + 1


@kernel
def _turn_round(last: int, links: Ints) -> int:
    """Let each state of a path name the one after it (-1: none) instead of arrivals; return the first."""
    after = -1
    while last >= 0:
        links[last, 2] = after
        after, last = last, links[last, 1]
    return after


@kernel
def _corner(k: int, count: int, m: int, w: Floats, c: Floats, f: Floats, links: Ints, xy: Floats) -> int:
    """Append the corners of the turn after state k; return the number of waypoints, 0: no room, one is kept free."""
    i, s, then = links[k, 0] >> 1, 1.0 - 2.0 * float(links[k, 0] & 1), links[k, 2]
    big, turned = c[i, 2], angle(f[k, 1], f[k, 2], f[then, 1], f[then, 2], s)
    widest = min(2.0 * math.acos(big / (big + AWAY)), 0.5 * math.pi)
    pieces = max(1, math.ceil(turned / widest))
    while count + pieces < xy.shape[0] and pieces <= FINEST:
        step = turned / float(pieces)
        far = s * big / math.cos(0.5 * step)
        px, py, free = f[k, 3], f[k, 4], True
        for j in range(pieces):
            a = s * (float(j) + 0.5) * step
            nx, ny = f[k, 1] * math.cos(a) - f[k, 2] * math.sin(a), f[k, 1] * math.sin(a) + f[k, 2] * math.cos(a)
            qx, qy = c[i, 0] + far * nx, c[i, 1] + far * ny
            free = free and clear(w, m, px, py, qx, qy)
            px, py = qx, qy
            xy[count + j, 0], xy[count + j, 1] = qx, qy
        ex, ey = c[i, 0] + s * big * f[then, 1], c[i, 1] + s * big * f[then, 2]
        if free and clear(w, m, px, py, ex, ey):
            return count + pieces
        pieces *= 2
    return 0


@kernel
def _reverse(xy: Floats, count: int) -> None:
    for i in range(count // 2):
        for j in range(2):
            xy[i, j], xy[count - 1 - i, j] = xy[count - 1 - i, j], xy[i, j]
