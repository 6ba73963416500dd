"""Obstacles of one robot: exact depths and exact tests of straight moves, at the same cost for any length.

The robot is a point: its radius and the margin are part of `r`. One obstacle is a row of six numbers
  CIRCLE   x, y, x, y, r           all within r of a point
  CAPSULE  ax, ay, bx, by, r       all within r of a segment
  BOX      x0, y0, x1, y1, r       all within r of an axis-aligned box
  FIELD    x0, y0, x1, y1, 0       all *outside* of an axis-aligned box: the rest of the world
and the sixth tells which. Touching is free; the depth of a point is how far it is inside, negative outside.

Distance to a convex set is convex along a line, so the depth in a CIRCLE, CAPSULE or BOX is concave: who does not go
deeper at first never does. The depth in the FIELD's outside is convex: its largest value is at one end of a move.
That makes [ERForce, Eqs. 3-4] exact where the paper samples every 2 mm.

o        obstacles (m, 6)
p, q     start and end of a straight move
free     depth at which an obstacle no longer asks which way is out [ERForce, Eq. 3: two robot radii]
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.segments import closest_on_segment, segment_distance
from tikitaka.geom.vectors import clamp, norm

Floats = NDArray[np.float64]

CIRCLE, CAPSULE, BOX, FIELD = 0.0, 1.0, 2.0, 3.0
ROUNDING = 1e-12  # [m] a depth that grows less than this along a move does not grow


@kernel
def depth(o: Floats, px: float, py: float) -> float:
    """Return how deep a point lies inside one obstacle, negative where it is outside."""
    kind: float = o[5]
    r: float = o[4]
    if kind == CIRCLE:
        return r - norm(px - o[0], py - o[1])
    if kind == CAPSULE:
        qx, qy, _ = closest_on_segment(px, py, o[0], o[1], o[2], o[3])
        return r - norm(px - qx, py - qy)
    gap = box_gap(o, px, py)
    return gap if kind == FIELD else r - gap


@kernel
def box_gap(o: Floats, px: float, py: float) -> float:
    """Return the distance to the box of a row; inside it, minus the distance to the nearest side."""
    ex: float = max(o[0] - px, px - o[2])
    ey: float = max(o[1] - py, py - o[3])
    return norm(ex, ey) if ex > 0.0 and ey > 0.0 else max(ex, ey)


@kernel
def way_out(o: Floats, px: float, py: float) -> tuple[float, float]:
    """Return the unit direction in which the depth falls fastest; (1, 0) where all are alike."""
    kind = o[5]
    if kind < BOX:
        qx, qy, _ = closest_on_segment(px, py, o[0], o[1], o[2], o[3])
        d = norm(px - qx, py - qy)
        if d > 0.0:
            return (px - qx) / d, (py - qy) / d
        ux, uy = o[3] - o[1], o[0] - o[2]
        d = norm(ux, uy)
        return (ux / d, uy / d) if d > 0.0 else (1.0, 0.0)
    nx, ny = _from_box(o, px, py)
    return (-nx, -ny) if kind == FIELD else (nx, ny)


@kernel
def _from_box(o: Floats, px: float, py: float) -> tuple[float, float]:
    """Return the unit direction away from a box."""
    ex, ey = max(o[0] - px, px - o[2]), max(o[1] - py, py - o[3])
    sx, sy = -1.0 if o[0] - px > px - o[2] else 1.0, -1.0 if o[1] - py > py - o[3] else 1.0
    if ex > 0.0 and ey > 0.0:
        d = norm(ex, ey)
        return sx * ex / d, sy * ey / d
    return (sx, 0.0) if ex >= ey else (0.0, sy)


@kernel
def touches(o: Floats, px: float, py: float, qx: float, qy: float) -> bool:
    """Say whether a straight move has a point inside one obstacle."""
    kind: float = o[5]
    r: float = o[4]
    if kind == FIELD:
        return box_gap(o, px, py) > 0.0 or box_gap(o, qx, qy) > 0.0
    if max(px, qx) <= min(o[0], o[2]) - r or min(px, qx) >= max(o[0], o[2]) + r:
        return False
    if max(py, qy) <= min(o[1], o[3]) - r or min(py, qy) >= max(o[1], o[3]) + r:
        return False
    if kind == CIRCLE:
        cx, cy, _ = closest_on_segment(o[0], o[1], px, py, qx, qy)
        return norm(o[0] - cx, o[1] - cy) < r
    if kind == CAPSULE:
        return segment_distance(px, py, qx, qy, o[0], o[1], o[2], o[3]) < r
    return _near_box(o, px, py, qx, qy, r)


@kernel
def _near_box(o: Floats, px: float, py: float, qx: float, qy: float, r: float) -> bool:
    """Say whether a segment comes nearer to a box than r, or into it."""
    if _crosses_box(o, px, py, qx, qy):
        return True
    if r <= 0.0:
        return False
    near = min(box_gap(o, px, py), box_gap(o, qx, qy))
    for x in (o[0], o[2]):
        for y in (o[1], o[3]):
            cx, cy, _ = closest_on_segment(x, y, px, py, qx, qy)
            near = min(near, norm(x - cx, y - cy))
    return near < r


@kernel
def _crosses_box(o: Floats, px: float, py: float, qx: float, qy: float) -> bool:
    """Say whether a segment has a point strictly inside a box (clipped to each pair of sides in turn)."""
    low, high = 0.0, 1.0
    for axis in range(2):
        p, d = (px, qx - px) if axis == 0 else (py, qy - py)
        lower, upper = o[axis], o[axis + 2]
        if d == 0.0:
            if p <= lower or p >= upper:
                return False
        else:
            s, t = (lower - p) / d, (upper - p) / d
            low, high = max(low, min(s, t)), min(high, max(s, t))
    return low < high


@kernel
def deepens(o: Floats, px: float, py: float, qx: float, qy: float, free: float) -> bool:
    """Say whether a straight move goes deeper into one obstacle than it starts [ERForce, Eq. 4].

    erratum: per obstacle, and clamped to [0, free], so that leaving one does not pay for entering another; the whole
    move is tested, not its end alone.
    """
    start = depth(o, px, py)
    if start <= 0.0:
        return touches(o, px, py, qx, qy)
    if o[5] == FIELD:
        return depth(o, qx, qy) > start + ROUNDING
    return start < free and slope(o, px, py, qx - px, qy - py) > ROUNDING * norm(qx - px, qy - py)


@kernel
def slope(o: Floats, px: float, py: float, ux: float, uy: float) -> float:
    """Return how fast the depth in a CIRCLE, CAPSULE or BOX grows at p in the direction u, per length of u."""
    if o[5] < BOX:
        qx, qy, _ = closest_on_segment(px, py, o[0], o[1], o[2], o[3])
        d = norm(px - qx, py - qy)
        return -((px - qx) * ux + (py - qy) * uy) / d if d > ROUNDING else 0.0
    ex: float = max(o[0] - px, px - o[2])
    ey: float = max(o[1] - py, py - o[3])
    sx, sy = -ux if o[0] - px > px - o[2] else ux, -uy if o[1] - py > py - o[3] else uy
    if ex > 0.0 and ey > 0.0:
        return -(ex * sx + ey * sy) / norm(ex, ey)
    if abs(ex - ey) <= ROUNDING:  # two sides are as near
        return -max(sx, sy)
    return -sx if ex > ey else -sy


@kernel
def clear(o: Floats, m: int, px: float, py: float, qx: float, qy: float) -> bool:
    """Say whether a straight move touches none of the first m obstacles."""
    x0, x1, y0, y1 = min(px, qx), max(px, qx), min(py, qy), max(py, qy)
    for k in range(m):
        if not apart(o, k, x0, x1, y0, y1) and touches(o[k], px, py, qx, qy):
            return False
    return True


@kernel
def apart(o: Floats, k: int, x0: float, x1: float, y0: float, y1: float) -> bool:
    """Say whether nothing of a box can be inside obstacle k, by its bounding box: most are told so, and soon."""
    r = o[k, 4]
    if o[k, 5] == FIELD:
        return False
    if x1 <= min(o[k, 0], o[k, 2]) - r or x0 >= max(o[k, 0], o[k, 2]) + r:
        return True
    above: bool = y1 <= min(o[k, 1], o[k, 3]) - r or y0 >= max(o[k, 1], o[k, 3]) + r
    return above


@kernel
def allowed(o: Floats, m: int, px: float, py: float, qx: float, qy: float, free: float) -> bool:
    """Say whether a straight move enters none of the first m obstacles, and goes no deeper into those that hold p."""
    x0, x1, y0, y1 = min(px, qx), max(px, qx), min(py, qy), max(py, qy)
    for k in range(m):
        if not apart(o, k, x0, x1, y0, y1) and deepens(o[k], px, py, qx, qy, free):
            return False
    return True


@kernel
def inside(o: Floats, m: int, px: float, py: float) -> int:
    """Return the first of m obstacles that holds a point, -1 if none does."""
    for k in range(m):
        if not apart(o, k, px, px, py, py) and depth(o[k], px, py) > 0.0:
            return k
    return -1


@kernel
def finite(px: float, py: float) -> bool:
    """Say whether a point can be planned with."""
    return math.isfinite(px) and math.isfinite(py)


@kernel
def into(o: Floats, px: float, py: float) -> tuple[float, float]:
    """Return the point of the FIELD's box nearest to p."""
    return clamp(px, o[0], o[2]), clamp(py, o[1], o[3])
