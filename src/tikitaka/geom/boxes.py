"""Discs and oriented boxes: signed gaps, normals, contact points.

A box is (x, y, theta, hx, hy) with half sizes hx, hy along its own axes. A gap is negative where the two overlap: then
it is the depth, the shortest way out along the normal. The ``_cs`` kernels take cosine and sine in the place of theta,
for callers that meet the same box many times in a step.

c, s    cosine and sine of a box's heading
d       from the centre of the reference box (the one whose face touches) to that of the other
n       outward normal of the reference face
t       direction of an edge
"""

import math

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, unit

FLUSH = 1e-3  # [rad] edges closer to parallel than this touch along their length, not at a corner


@kernel
def disc_disc(xa: float, ya: float, ra: float, xb: float, yb: float, rb: float) -> tuple[float, float, float]:
    """Return gap and unit normal from a to b; the normal is (1, 0) when the centres coincide."""
    dx, dy = xb - xa, yb - ya
    nx, ny = unit(dx, dy)
    if nx == 0.0 and ny == 0.0:
        nx = 1.0
    return dx * nx + dy * ny - ra - rb, nx, ny


@kernel
def disc_box(
    px: float, py: float, r: float, x: float, y: float, theta: float, hx: float, hy: float
) -> tuple[float, float, float]:
    """Return gap and unit normal from the box to the disc."""
    return disc_box_cs(px, py, r, x, y, math.cos(theta), math.sin(theta), hx, hy)


@kernel
def disc_box_cs(
    px: float, py: float, r: float, x: float, y: float, c: float, s: float, hx: float, hy: float
) -> tuple[float, float, float]:
    """Return gap and unit normal from the box to the disc."""
    dx, dy = px - x, py - y
    lx, ly = dx * c + dy * s, dy * c - dx * s
    ex, ey = abs(lx) - hx, abs(ly) - hy
    if ex > 0.0 and ey > 0.0:  # nearest to a corner
        ux, uy = unit(ex, ey)
        gap = ex * ux + ey * uy
    elif ex >= ey:
        ux, uy, gap = 1.0, 0.0, ex
    else:
        ux, uy, gap = 0.0, 1.0, ey
    ux, uy = math.copysign(ux, lx), math.copysign(uy, ly)
    return gap - r, ux * c - uy * s, ux * s + uy * c


@kernel
def box_box(
    xa: float, ya: float, ta: float, hxa: float, hya: float, xb: float, yb: float, tb: float, hxb: float, hyb: float
) -> tuple[float, float, float, float, float]:
    """Return gap, unit normal from a to b, and contact point (see ``box_box_cs``)."""
    ca, sa, cb, sb = math.cos(ta), math.sin(ta), math.cos(tb), math.sin(tb)
    return box_box_cs(xa, ya, ca, sa, hxa, hya, xb, yb, cb, sb, hxb, hyb)


@kernel
def box_box_cs(
    xa: float, ya: float, ca: float, sa: float, hxa: float, hya: float,
    xb: float, yb: float, cb: float, sb: float, hxb: float, hyb: float,
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Return gap, unit normal from a to b, and contact point.

    The gap is the largest separation over the four axes: exact where the boxes overlap, a lower bound of the distance
    where they do not. The contact point is the corner of the other box that is deepest behind the reference face, or
    the middle of the common part of two edges that lie flush.
    """
    dx, dy = xb - xa, yb - ya
    cos, sin = abs(ca * cb + sa * sb), abs(sa * cb - ca * sb)
    gap_a, nx, ny, half_a = _best_face(dx, dy, ca, sa, hxa, hya, hxb * cos + hyb * sin, hxb * sin + hyb * cos)
    gap_b, mx, my, half_b = _best_face(-dx, -dy, cb, sb, hxb, hyb, hxa * cos + hya * sin, hxa * sin + hya * cos)
    if gap_a >= gap_b:
        qx, qy = _deepest(dx, dy, cb, sb, hxb, hyb, nx, ny, half_a)
        return gap_a, nx, ny, xa + qx, ya + qy
    qx, qy = _deepest(-dx, -dy, ca, sa, hxa, hya, mx, my, half_b)
    return gap_b, -mx, -my, xb + qx, yb + qy


@kernel
def boxes_overlap(
    xa: float, ya: float, ta: float, hxa: float, hya: float, xb: float, yb: float, tb: float, hxb: float, hyb: float
) -> bool:
    """Return whether the boxes overlap; touching is not overlapping."""
    return box_box(xa, ya, ta, hxa, hya, xb, yb, tb, hxb, hyb)[0] < 0.0


@kernel
def box_extent(theta: float, hx: float, hy: float, nx: float, ny: float) -> float:
    """Return how far the box reaches from its centre along the unit direction n."""
    c, s = math.cos(theta), math.sin(theta)
    return hx * abs(nx * c + ny * s) + hy * abs(ny * c - nx * s)


@kernel
def _best_face(
    dx: float, dy: float, c: float, s: float, hx: float, hy: float, ox: float, oy: float
) -> tuple[float, float, float, float]:
    """Return separation, normal and half length of the face that separates best from a box of half extents ox, oy."""
    lx, ly = dx * c + dy * s, dy * c - dx * s
    gx, gy = abs(lx) - hx - ox, abs(ly) - hy - oy
    if gx >= gy:
        sign = math.copysign(1.0, lx)
        return gx, sign * c, sign * s, hy
    sign = math.copysign(1.0, ly)
    return gy, -sign * s, sign * c, hx


@kernel
def _deepest(
    dx: float, dy: float, c: float, s: float, hx: float, hy: float, nx: float, ny: float, half: float
) -> tuple[float, float]:
    """Return the contact point on the box at d, from the reference box's centre."""
    ux, uy = nx * c + ny * s, ny * c - nx * s
    vx, vy = math.copysign(hx, -ux), math.copysign(hy, -uy)
    if abs(uy) < FLUSH:
        vy = _middle(hy, half, dx * s - dy * c)
    elif abs(ux) < FLUSH:
        vx = _middle(hx, half, -dx * c - dy * s)
    return dx + vx * c - vy * s, dy + vx * s + vy * c


@kernel
def _middle(h: float, half: float, at: float) -> float:
    """Return the middle of what [-h, h] and [at - half, at + half] share; the nearer end where they share nothing."""
    return 0.5 * (clamp(at - half, -h, h) + clamp(at + half, -h, h))
