"""A motion as waypoints in time, and when it meets what stands or moves.

The plan is the polyline itself: between two waypoints the robot moves straight and evenly. So does a moving obstacle
within a chord, and then the first time of contact is the root of a quadratic: nothing is sampled, nothing tunnels. The
waypoints lie on the motion; between them it is off the chord by a h^2 / 8 at most.

rows   pieces of a motion (n, 9), see bangbang
xy, t  waypoints (k, 2) and their times (k,)
p, w   place relative to a circle's centre at the begin of a chord, and how far it moves relative to it
r, g   radius at the begin of a chord, and by how much it grows
h      duration of a piece
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm
from tikitaka.plan.kernels.bangbang import AX, AY, FROM, NEVER, ROOT, UNTIL, VX, VY, X, Y
from tikitaka.plan.kernels.shapes import CIRCLE, FIELD, depth, slope, touches

Floats = NDArray[np.float64]

_BULGE = 0.001  # [m] chosen: as near to the chords as the motion is kept where there are waypoints enough
_COARSER = 1.15  # chosen: by so much the chords grow while there are too many
_HALVINGS = 10  # of a chord, until a contact with a straight side is found
_SEARCHES = 24  # ternary steps towards the deepest point of a chord


@kernel
def waypoints(rows: Floats, n: int, xy: Floats, t: Floats) -> int:
    """Fill the waypoints of a motion of n > 0 pieces; return how many there are, at most as many as there is room."""
    room = xy.shape[0] - 1
    total = 0.0
    for i in range(n):
        h = rows[i, UNTIL] - rows[i, FROM]
        rows[i, ROOT] = h * math.sqrt(0.125 * norm(rows[i, AX], rows[i, AY]))
        total += rows[i, ROOT]
    root = max(math.sqrt(_BULGE), total / room)
    while _count(rows, n, root) > room and root < NEVER:
        root *= _COARSER
    xy[0, 0], xy[0, 1], t[0] = rows[0, X], rows[0, Y], rows[0, FROM]
    k = 1
    for i in range(n):
        parts = _parts(rows, i, root)
        h = (rows[i, UNTIL] - rows[i, FROM]) / parts
        for j in range(parts):
            if k <= room:
                s = h * (j + 1)
                xy[k, 0] = rows[i, X] + s * (rows[i, VX] + 0.5 * s * rows[i, AX])
                xy[k, 1] = rows[i, Y] + s * (rows[i, VY] + 0.5 * s * rows[i, AY])
                t[k] = rows[i, FROM] + s
                k += 1
    return k


@kernel
def _parts(rows: Floats, i: int, root: float) -> int:
    parts: int = max(math.ceil(rows[i, ROOT] / root), 1)
    return parts


@kernel
def _count(rows: Floats, n: int, root: float) -> int:
    count = 0
    for i in range(n):
        count += _parts(rows, i, root)
    return count


@kernel
def extent(xy: Floats, k: int) -> tuple[float, float, float, float]:
    """Return the box around k waypoints: x0, y0, x1, y1."""
    x0, y0, x1, y1 = xy[0, 0], xy[0, 1], xy[0, 0], xy[0, 1]
    for i in range(1, k):
        x0, y0, x1, y1 = min(x0, xy[i, 0]), min(y0, xy[i, 1]), max(x1, xy[i, 0]), max(y1, xy[i, 1])
    return x0, y0, x1, y1


@kernel
def meeting(px: float, py: float, wx: float, wy: float, r: float, g: float) -> float:
    """Return the part of a chord, 0 to 1, after which it enters a circle; NEVER if it does not. It starts outside."""
    a, b, c = wx * wx + wy * wy - g * g, px * wx + py * wy - r * g, max(px * px + py * py - r * r, 0.0)
    root = b * b - a * c
    if root <= 0.0:
        return NEVER
    below = math.sqrt(root) - b
    if below <= 0.0:
        return NEVER
    s = c / below
    return s if s < 1.0 else NEVER


@kernel
def entering(o: Floats, px: float, py: float, qx: float, qy: float) -> float:
    """Return the part of a straight move, 0 to 1, after which it enters a standing obstacle; NEVER if it does not."""
    if o[5] == CIRCLE:
        return meeting(px - o[0], py - o[1], qx - px, qy - py, o[4], 0.0)
    if apart(o, min(px, qx), min(py, qy), max(px, qx), max(py, qy)) or not touches(o, px, py, qx, qy):
        return NEVER
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        s = 0.5 * (low + high)
        if touches(o, px, py, px + s * (qx - px), py + s * (qy - py)):
            high = s
        else:
            low = s
    return low


@kernel
def deepest(o: Floats, px: float, py: float, qx: float, qy: float) -> float:
    """Return the largest depth of a straight move in a standing obstacle: concave along it, in the FIELD convex."""
    ends = max(depth(o, px, py), depth(o, qx, qy))
    if o[5] == FIELD or slope(o, px, py, qx - px, qy - py) <= 0.0:
        return ends
    low, high = 0.0, 1.0
    for _ in range(_SEARCHES):
        s, t = low + (high - low) / 3.0, high - (high - low) / 3.0
        left = depth(o, px + s * (qx - px), py + s * (qy - py))
        if left < depth(o, px + t * (qx - px), py + t * (qy - py)):
            low = s
        else:
            high = t
    s = 0.5 * (low + high)
    return max(ends, depth(o, px + s * (qx - px), py + s * (qy - py)))


@kernel
def apart(o: Floats, x0: float, y0: float, x1: float, y1: float) -> bool:
    """Say whether a box around a path cannot touch a standing obstacle."""
    if o[5] == FIELD:
        return bool(x0 >= o[0] and y0 >= o[1] and x1 <= o[2] and y1 <= o[3])
    r = o[4]
    return bool(
        x1 <= min(o[0], o[2]) - r or x0 >= max(o[0], o[2]) + r or y1 <= min(o[1], o[3]) - r or y0 >= max(o[1], o[3]) + r
    )


@kernel
def standing(o: Floats, held: float, xy: Floats, t: Floats, k: int, until: float) -> tuple[float, float]:
    """Return when k waypoints first enter one standing obstacle, NEVER if not before `until`, and the time in it.

    held   how deep a robot that starts inside may go; below 0: it starts outside
    """
    within = 0.0
    i = 0
    while held >= 0.0 and i + 1 < k:
        if deepest(o, xy[i, 0], xy[i, 1], xy[i + 1, 0], xy[i + 1, 1]) > held:
            return t[i], t[i]
        within = t[i + 1]
        i += 1
        if depth(o, xy[i, 0], xy[i, 1]) <= 0.0:
            held = -1.0
    while i + 1 < k and t[i] < until:
        s = entering(o, xy[i, 0], xy[i, 1], xy[i + 1, 0], xy[i + 1, 1])
        if s <= 1.0:
            return t[i] + s * (t[i + 1] - t[i]), within
        i += 1
    return NEVER, within
