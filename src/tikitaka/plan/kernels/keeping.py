"""Last tick's path once more: shifted to where robot and goal are now, and mended where an obstacle has moved into it.

A fresh path of about the same length may lead around the other side; keeping the old one keeps the robot from
dithering [NOTES on ERForce: 7.6 flips a second without, 2.7 with a plain rule].
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import cross, norm
from tikitaka.plan.kernels.leaving import BEYOND
from tikitaka.plan.kernels.shapes import FIELD, allowed, clear, depth, touches, way_out

Floats = NDArray[np.float64]

MENDS = 8  # corners that are added to a path, at most
WIDER = 12  # steps by which a corner is moved away from what it is to pass
PUSHES = 4  # obstacles out of which a corner is pushed, one after the other


@kernel
def push_out(o: Floats, m: int, x: float, y: float) -> tuple[float, float, bool]:
    """Return a point pushed out of what holds it, the shortest way, and whether it is in the open then."""
    for _ in range(PUSHES):
        open_here = True
        for k in range(m):
            d = depth(o[k], x, y)
            if d > 0.0:
                nx, ny = way_out(o[k], x, y)
                x, y, open_here = x + (d + BEYOND) * nx, y + (d + BEYOND) * ny, False
        if open_here:
            return x, y, True
    return x, y, False


@kernel
def beside(o: Floats, px: float, py: float, qx: float, qy: float, side: int) -> tuple[float, float]:
    """Return a corner from which both ends of a move are seen past an obstacle, to the left (1) or right (-1) of it.

    With side 0, on the side on which the move passes its middle. The corner moves away from the obstacle until it sees
    both; shortening brings it back as far as it goes.
    """
    cx, cy, d = 0.5 * (o[0] + o[2]), 0.5 * (o[1] + o[3]), norm(qx - px, qy - py)
    if side == 0:
        side = 1 if cross(qx - px, qy - py, cx - px, cy - py) <= 0.0 else -1
    nx, ny = -side * (qy - py) / d, side * (qx - px) / d
    rim = o[4] + 0.5 * (abs(nx * (o[2] - o[0])) + abs(ny * (o[3] - o[1])))
    far = rim + BEYOND
    for _ in range(WIDER):
        x, y = cx + far * nx, cy + far * ny
        if not (touches(o, px, py, x, y) or touches(o, x, y, qx, qy)):
            return x, y
        far += 0.15 * rim
    return cx + far * nx, cy + far * ny


@kernel
def blocker(o: Floats, m: int, px: float, py: float, qx: float, qy: float) -> int:
    """Return the first obstacle that a move touches; -1 if there is none or the field's edge is in the way."""
    for k in range(m):
        if touches(o[k], px, py, qx, qy):
            return k if o[k, 5] != FIELD else -1
    return -1


@kernel
def keep(
    o: Floats, m: int, free: float, old: Floats, count: int, sx: float, sy: float, gx: float, gy: float, path: Floats
) -> int:
    """Fill the old path from here to the goal, mended where need be; return its points, 0 where that failed."""
    if count < 2 or count + MENDS >= path.shape[0]:
        return 0
    n, first = 1, 0
    path[0, 0], path[0, 1] = sx, sy
    for k in range(1, count - 1):  # the farthest corner that is seen from here; those before it lie behind
        x, y, fine = push_out(o, m, old[k, 0], old[k, 1])
        old[k, 0], old[k, 1] = x, y
        if not fine:
            return 0
        if allowed(o, m, sx, sy, x, y, free):
            first = k
    for k in range(max(first, 1), count - 1):  # where none is seen, all are still ahead
        path[n, 0], path[n, 1], n = old[k, 0], old[k, 1], n + 1
    path[n, 0], path[n, 1] = gx, gy
    return mend(o, m, free, path, n + 1, 0)


@kernel
def mend(o: Floats, m: int, free: float, path: Floats, n: int, side: int) -> int:
    """Add a corner wherever a move touches something, see `beside`; return its points, 0 where it is still not free."""
    k, added = 0, 0
    while k < n - 1:
        px, py, qx, qy = path[k, 0], path[k, 1], path[k + 1, 0], path[k + 1, 1]
        if allowed(o, m, px, py, qx, qy, free) if k == 0 else clear(o, m, px, py, qx, qy):
            k += 1
            continue
        hit = blocker(o, m, px, py, qx, qy)
        if hit < 0 or added >= MENDS or n + 1 >= path.shape[0]:
            return 0
        x, y = beside(o[hit], px, py, qx, qy, side)
        x, y, fine = push_out(o, m, x, y)
        if not fine or norm(x - px, y - py) <= BEYOND or norm(x - qx, y - qy) <= BEYOND:
            return 0
        for j in range(n, k + 1, -1):
            path[j, 0], path[j, 1] = path[j - 1, 0], path[j - 1, 1]
        path[k + 1, 0], path[k + 1, 1] = x, y
        n, added = n + 1, added + 1
    return n
