"""Ways out: from a start inside obstacles to the open, and from a target inside obstacles to the next open place.

Rays in all directions are followed to where they leave the last obstacle. For a start, only those count that go no
deeper into anything on the way [ERForce, Eq. 4]; the paper lets a robot that is fully covered wander freely, we ask a
price for every metre inside. For a target, the cut lies where the first ray gets out, so it does not jump about like
the paper's, which depends on where a random tree came in.

u       unit direction of a ray
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm
from tikitaka.plan.kernels.shapes import BOX, CIRCLE, FIELD, allowed, apart, depth, inside, into, way_out

Floats = NDArray[np.float64]

RAYS = 32  # directions that are tried
PRICE = 2.0  # a metre inside an obstacle counts like so many outside: chosen
BEYOND = 1e-6  # [m] the open begins so far behind the rim, so that rounding puts nobody back inside
HALVINGS = 30  # of the bisection for the rim
LEAPS = 64  # obstacles that a ray may leave one after the other, at most
MIDDLE = 0.9  # of its radius: who is so deep in an obstacle is about as near to all of its rim
GOLDEN = 12  # refinements of the direction in which a target is left


@kernel
def deepest(o: Floats, m: int, x: float, y: float) -> int:
    """Return the obstacle that holds a point deepest, -1 in the open."""
    most, found = 0.0, -1
    for k in range(m):
        d = depth(o[k], x, y)
        if d > most:
            most, found = d, k
    return found


@kernel
def at_rim(o: Floats, x: float, y: float) -> tuple[float, float, bool]:
    """Return the place outside of one obstacle nearest to a point in it, and whether no other is about as near."""
    d = depth(o, x, y)
    nx, ny = way_out(o, x, y)
    return x + (d + BEYOND) * nx, y + (d + BEYOND) * ny, o[5] < BOX and d < MIDDLE * o[4]


@kernel
def leaves_one(o: Floats, x: float, y: float, ux: float, uy: float, far: float) -> float:
    """Return how far a ray runs inside one obstacle that holds its start, by bisection but in a CIRCLE; <= ``far``."""
    if o[5] == FIELD:
        return comes_in(o, x, y, ux, uy, far)
    if o[5] == CIRCLE:
        dx, dy = x - o[0], y - o[1]
        along = dx * ux + dy * uy
        rim: float = math.sqrt(max(along * along - dx * dx - dy * dy + o[4] * o[4], 0.0)) - along
        return min(far, rim)
    low, high = 0.0, far
    if depth(o, x + far * ux, y + far * uy) > 0.0:
        return far
    for _ in range(HALVINGS):
        s = 0.5 * (low + high)
        if depth(o, x + s * ux, y + s * uy) > 0.0:
            low = s
        else:
            high = s
    return high


@kernel
def comes_in(o: Floats, x: float, y: float, ux: float, uy: float, far: float) -> float:
    """Return how far a ray from outside runs to the FIELD's box; ``far`` where it passes by."""
    low, high = 0.0, far
    for axis in range(2):
        p, d = (x, ux) if axis == 0 else (y, uy)
        lower, upper = o[axis], o[axis + 2]
        if d == 0.0:
            if p < lower or p > upper:
                return far
        else:
            s, t = (lower - p) / d, (upper - p) / d
            low, high = max(low, min(s, t)), min(high, max(s, t))
    return low if low < high else far


@kernel
def out_along(o: Floats, m: int, x: float, y: float, ux: float, uy: float, far: float) -> float:
    """Return how far the open is along a ray; infinite where it is farther than ``far``."""
    s = 0.0
    for _ in range(LEAPS):
        held = -1
        px, py = x + s * ux, y + s * uy
        for k in range(m):
            if not apart(o, k, px, px, py, py) and depth(o[k], px, py) > 0.0:
                held = k
        if held < 0:
            return s
        s += leaves_one(o[held], x + s * ux, y + s * uy, ux, uy, far) + BEYOND
        if s >= far:
            break
    return np.inf


@kernel
def leave(
    o: Floats, m: int, x: float, y: float, gx: float, gy: float, free: float, far: float
) -> tuple[float, float, bool]:
    """Return where a robot inside obstacles gets out on its way to g, and whether there is a straight way out."""
    best, ex, ey, found = np.inf, x, y, False
    for k in range(RAYS):
        angle = 2.0 * math.pi * k / RAYS + math.atan2(gy - y, gx - x)
        ux, uy = math.cos(angle), math.sin(angle)
        s = out_along(o, m, x, y, ux, uy, far)
        if s < np.inf:
            qx, qy = x + s * ux, y + s * uy
            cost = PRICE * s + norm(gx - qx, gy - qy)
            if cost < best and allowed(o, m, x, y, qx, qy, free):
                best, ex, ey, found = cost, qx, qy, True
    return ex, ey, found


@kernel
def next_to(o: Floats, m: int, gx: float, gy: float, x: float, y: float, far: float) -> tuple[float, float, bool]:
    """Return the open place nearest to a target g inside obstacles, on the side of (x, y) where many are as near."""
    for k in range(m):
        if o[k, 5] == FIELD:
            gx, gy = into(o[k], gx, gy)
    held = deepest(o, m, gx, gy)
    if held < 0:
        return gx, gy, True
    ex, ey, clear_cut = at_rim(o[held], gx, gy)
    if clear_cut and inside(o, m, ex, ey) < 0:
        return ex, ey, True  # nothing nearer is outside of this one obstacle
    towards, best, at = math.atan2(y - gy, x - gx), np.inf, 0.0
    for k in range(RAYS):
        angle = 2.0 * math.pi * k / RAYS
        s = out_along(o, m, gx, gy, math.cos(towards + angle), math.sin(towards + angle), far)
        s += 1e-3 * (1.0 - math.cos(angle)) * s  # of equal ones, the one on our side
        if s < best:
            best, at = s, towards + angle
    if best == np.inf:
        return gx, gy, False
    return refine(o, m, gx, gy, at, far)


@kernel
def refine(o: Floats, m: int, gx: float, gy: float, at: float, far: float) -> tuple[float, float, bool]:
    """Return the nearest open place in directions about ``at``: a search by golden sections."""
    low, high, ratio = at - 2.0 * math.pi / RAYS, at + 2.0 * math.pi / RAYS, 0.5 * (math.sqrt(5.0) - 1.0)
    best, angle = out_along(o, m, gx, gy, math.cos(at), math.sin(at), far), at
    for _ in range(GOLDEN):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        sa = out_along(o, m, gx, gy, math.cos(a), math.sin(a), far)
        sb = out_along(o, m, gx, gy, math.cos(b), math.sin(b), far)
        if min(sa, sb) < best:
            best, angle = (sa, a) if sa <= sb else (sb, b)
        low, high = (low, b) if sa <= sb else (a, high)
    return gx + best * math.cos(angle), gy + best * math.sin(angle), True
