"""From a jagged path to a smooth and short one: leaving points out, and cutting corners [ERForce, sec. 3.4].

path    (K, 2) waypoints, of which n are used
spare   (K, 2) work space
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm
from tikitaka.plan.kernels.shapes import FIELD, allowed, clear, touches

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ROUNDS = 3  # [ERForce, sec. 3.4]
HALVINGS = 12  # of the bisection for the largest cut: 1/4096 of a side
WAYPOINTS = 96  # of a plan, at most; chosen: through the narrowest of 10,000 gaps the exact path has 60
CUTS = 32  # no more corners are cut when there would be more waypoints than this
SAME = 1e-9  # [m] points nearer than this are one


@kernel
def length(path: Floats, n: int) -> float:
    """Return the length of a path."""
    total = 0.0
    for k in range(1, n):
        total += norm(path[k, 0] - path[k - 1, 0], path[k, 1] - path[k - 1, 1])
    return total


@kernel
def simplify(o: Floats, m: int, free: float, path: Floats, n: int) -> int:
    """Leave out all points that a straight move can skip, the farthest first; return how many are left."""
    kept, a = 1, 0
    while a < n - 1:
        b = n - 1
        while b > a + 1 and not skips(o, m, free, path, a, b):
            b -= 1
        path[kept, 0], path[kept, 1] = path[b, 0], path[b, 1]
        kept, a = kept + 1, b
    return kept


@kernel
def skips(o: Floats, m: int, free: float, path: Floats, a: int, b: int) -> bool:
    """Say whether the straight move from point a to point b is allowed; only the first point may be in an obstacle."""
    px, py, qx, qy = path[a, 0], path[a, 1], path[b, 0], path[b, 1]
    return allowed(o, m, px, py, qx, qy, free) if a == 0 else clear(o, m, px, py, qx, qy)


@kernel
def about(o: Floats, m: int, ax: float, ay: float, bx: float, by: float, cx: float, cy: float, near: Ints) -> int:
    """Fill the obstacles that may reach into the triangle a, b, c, by their bounding boxes; return how many."""
    x0, x1, y0, y1 = min(ax, bx, cx), max(ax, bx, cx), min(ay, by, cy), max(ay, by, cy)
    n = 0
    for k in range(m):
        r = o[k, 4]
        apart = min(o[k, 0], o[k, 2]) - r >= x1 or max(o[k, 0], o[k, 2]) + r <= x0
        apart = apart or min(o[k, 1], o[k, 3]) - r >= y1 or max(o[k, 1], o[k, 3]) + r <= y0
        if o[k, 5] != FIELD and not apart:
            near[n] = k
            n += 1
    return n


@kernel
def largest_cut(
    o: Floats, near: Ints, count: int, ax: float, ay: float, bx: float, by: float, cx: float, cy: float
) -> float:
    """Return the largest l up to half of the shorter side for which b + l towards a and towards c see each other."""
    p, q = norm(ax - bx, ay - by), norm(cx - bx, cy - by)
    ux, uy, vx, vy = (ax - bx) / p, (ay - by) / p, (cx - bx) / q, (cy - by) / q
    most = 0.5 * min(p, q)
    low, high = 0.0, most
    for turn in range(HALVINGS + 1):
        s = most if turn == 0 else 0.5 * (low + high)
        hit = False
        for k in range(count):
            hit = hit or touches(o[near[k]], bx + s * ux, by + s * uy, bx + s * vx, by + s * vy)
        if hit:
            high = s
        else:
            low = s
            if turn == 0:
                return most
    return low


@kernel
def slide(
    o: Floats, near: Ints, count: int, ax: float, ay: float, bx: float, by: float, cx: float, cy: float
) -> tuple[float, float]:
    """Return the point between b and a, nearest to a, that c still sees."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        s = 0.5 * (low + high)
        hit = False
        for k in range(count):
            hit = hit or touches(o[near[k]], bx + s * (ax - bx), by + s * (ay - by), cx, cy)
        if hit:
            high = s
        else:
            low = s
    return bx + low * (ax - bx), by + low * (ay - by)


@kernel
def tighten(o: Floats, m: int, path: Floats, n: int, near: Ints) -> None:
    """Slide every corner along its two legs until both are tangents of what is in the way: ours, not the paper's."""
    for k in range(1, n - 1):
        ax, ay, bx, by = path[k - 1, 0], path[k - 1, 1], path[k, 0], path[k, 1]
        cx, cy = path[k + 1, 0], path[k + 1, 1]
        count = about(o, m, ax, ay, bx, by, cx, cy, near)
        bx, by = slide(o, near, count, ax, ay, bx, by, cx, cy)
        path[k, 0], path[k, 1] = slide(o, near, count, cx, cy, bx, by, ax, ay)


@kernel
def cut_corners(o: Floats, m: int, path: Floats, n: int, spare: Floats, near: Ints) -> int:
    """Replace every corner by two points as far from it as can be, as far to both sides; return how many there are.

    All corners are cut by the path as it was, so the result does not depend on the direction of the path.
    """
    if n < 3 or 2 * n - 2 > CUTS:
        return n
    kept = 1
    spare[0, 0], spare[0, 1] = path[0, 0], path[0, 1]
    for k in range(1, n - 1):
        ax, ay, bx, by = path[k - 1, 0], path[k - 1, 1], path[k, 0], path[k, 1]
        cx, cy = path[k + 1, 0], path[k + 1, 1]
        count = about(o, m, ax, ay, bx, by, cx, cy, near)
        s = largest_cut(o, near, count, ax, ay, bx, by, cx, cy)
        p, q = norm(ax - bx, ay - by), norm(cx - bx, cy - by)
        kept = put(spare, kept, bx + s * (ax - bx) / p, by + s * (ay - by) / p)
        kept = put(spare, kept, bx + s * (cx - bx) / q, by + s * (cy - by) / q)
    kept = put(spare, kept, path[n - 1, 0], path[n - 1, 1])
    for k in range(kept):
        path[k, 0], path[k, 1] = spare[k, 0], spare[k, 1]
    return kept


@kernel
def put(path: Floats, n: int, x: float, y: float) -> int:
    """Add a point where it is not the last one again; return how many there are."""
    if norm(x - path[n - 1, 0], y - path[n - 1, 1]) <= SAME:
        return n
    path[n, 0], path[n, 1] = x, y
    return n + 1


@kernel
def shorten(o: Floats, m: int, free: float, path: Floats, n: int, near: Ints) -> int:
    """Simplify and tighten until no point falls away; return how many are left."""
    for _ in range(ROUNDS):
        before = n
        n = simplify(o, m, free, path, n)
        tighten(o, m, path, n, near)
        if n == before:
            return n
    return n


@kernel
def smooth(o: Floats, m: int, free: float, path: Floats, n: int, spare: Floats, near: Ints) -> int:
    """Simplify and cut corners three times, then simplify once more; return how many points there are."""
    for _ in range(ROUNDS):
        n = simplify(o, m, free, path, n)
        n = cut_corners(o, m, path, n, spare, near)
    return simplify(o, m, free, path, n)
