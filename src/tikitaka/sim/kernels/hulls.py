"""Robots against robots, posts and walls: where convex hulls touch. For ``hull``, d, c, s and m see `separations`.

manifold  (s, 2, 5)  gap, point, unit normal from a to b
t                    a place along an edge
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp
from tikitaka.sim.kernels.separations import (
    AX,
    AY,
    CORNER_A,
    CX,
    CY,
    DISC,
    FACE_A,
    FACE_B,
    FAN,
    NX,
    NY,
    S0,
    S1,
    SHAPE,
    SHORT,
    D,
    R,
    best_axis,
    facing_edge,
    relative,
    support,
)

Floats = NDArray[np.float64]


@kernel
def hull_gap(
    xa: float, ya: float, ca: float, sa: float, hull_a: Floats,
    xb: float, yb: float, cb: float, sb: float, hull_b: Floats,
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Return gap, unit normal from a to b, and contact point, halfway between the two."""
    dx, dy, c, s = relative(xa, ya, ca, sa, xb, yb, cb, sb)
    gap, nx, ny, kind, i, j = best_axis(dx, dy, c, s, hull_a, hull_b)
    if kind == FACE_B:
        ex, ey = -dx * c - dy * s, dx * s - dy * c
        qx, qy = _one_point(gap, ex, ey, c, -s, hull_b, j, hull_a, i)
        qx, qy = dx + c * qx - s * qy, dy + s * qx + c * qy
    elif kind == FACE_A:
        qx, qy = _one_point(gap, dx, dy, c, s, hull_a, i, hull_b, j)
    else:
        qx, qy = _at_corner(gap, nx, ny, kind, i, j, dx, dy, c, s, hull_a, hull_b)
    return gap, nx * ca - ny * sa, nx * sa + ny * ca, xa + qx * ca - qy * sa, ya + qx * sa + qy * ca


@kernel
def hull_contacts(
    xa: float, ya: float, ca: float, sa: float, hull_a: Floats,
    xb: float, yb: float, cb: float, sb: float, hull_b: Floats, manifold: Floats, row: int,
) -> int:  # fmt: skip
    """Return how many contacts were written: 1, or 2 where edges face each other; points are halfway between them."""
    dx, dy, c, s = relative(xa, ya, ca, sa, xb, yb, cb, sb)
    gap, nx, ny, kind, i, j = best_axis(dx, dy, c, s, hull_a, hull_b)
    wx, wy = nx * ca - ny * sa, nx * sa + ny * ca
    if kind == FACE_A:
        count, g1, t1, g2, t2 = _common(gap, dx, dy, c, s, hull_a, i, hull_b, j)
        _put_face(manifold, row, 0, g1, t1, hull_a, i, xa, ya, ca, sa, wx, wy)
        if count > 1:
            _put_face(manifold, row, 1, g2, t2, hull_a, i, xa, ya, ca, sa, wx, wy)
        return count
    if kind == FACE_B:
        count, g1, t1, g2, t2 = _common(gap, -dx * c - dy * s, dx * s - dy * c, c, -s, hull_b, j, hull_a, i)
        _put_face(manifold, row, 0, g1, t1, hull_b, j, xb, yb, cb, sb, wx, wy)
        if count > 1:
            _put_face(manifold, row, 1, g2, t2, hull_b, j, xb, yb, cb, sb, wx, wy)
        return count
    qx, qy = _at_corner(gap, nx, ny, kind, i, j, dx, dy, c, s, hull_a, hull_b)
    _put(manifold, row, 0, gap, xa + qx * ca - qy * sa, ya + qx * sa + qy * ca, wx, wy)
    return 1


@kernel
def hull_wall(
    x: float, y: float, c: float, s: float, hull: Floats,
    nx: float, ny: float, d: float, manifold: Floats, row: int,
) -> int:  # fmt: skip
    """Return how many contacts with the wall around nx x + ny y <= d were written; normals point off the wall."""
    found, gap, px, py, gap2, qx, qy = wall_points(x, y, c, s, hull, nx, ny, d)
    _put(manifold, row, 0, gap, px, py, -nx, -ny)
    if found > 1:
        _put(manifold, row, 1, gap2, qx, qy, -nx, -ny)
    return found


@kernel
def wall_points(
    x: float, y: float, c: float, s: float, hull: Floats, nx: float, ny: float, d: float
) -> tuple[int, float, float, float, float, float, float]:
    """Return how many points of a hull meet a wall, and gap and place of each.

    They are the lowest point and, where an edge faces the wall, that edge's other end.
    """
    bx, by = nx * c + ny * s, ny * c - nx * s
    room = d - nx * x - ny * y
    i = 0
    if hull[0, SHAPE] != DISC or bx * hull[0, AX] + by * hull[0, AY] < hull[0, FAN]:
        i = support(hull, bx, by)
    px, py = _centre(hull, i)
    px, py = px + hull[i, R] * bx, py + hull[i, R] * by
    gap, lx, ly = room - bx * px - by * py, x + px * c - py * s, y + px * s + py * c
    k = facing_edge(hull, i, bx, by) if i > 0 else 0
    if k == 0:
        return 1, gap, lx, ly, gap, lx, ly
    t = hull[k, S1] if k == i else hull[k, S0]
    px, py = hull[k, D] * hull[k, NX] - t * hull[k, NY], hull[k, D] * hull[k, NY] + t * hull[k, NX]
    return 2, gap, lx, ly, room - bx * px - by * py, x + px * c - py * s, y + px * s + py * c


@kernel
def _common(
    gap: float, dx: float, dy: float, c: float, s: float, a: Floats, i: int, b: Floats, j: int
) -> tuple[int, float, float, float, float]:
    """Return how many points edge i of a shares with b, whose corner j is lowest; gap and place t of each."""
    nx, ny = a[i, NX], a[i, NY]
    mx, my = -nx * c - ny * s, nx * s - ny * c
    lx, ly = b[j, CX] + b[j, R] * mx, b[j, CY] + b[j, R] * my
    t1 = nx * (dy + lx * s + ly * c) - ny * (dx + lx * c - ly * s)
    k = facing_edge(b, j, mx, my)
    if k == 0:
        return 1, gap, t1, gap, t1
    e = b[k, S1] if k == j else b[k, S0]
    lx, ly = b[k, D] * b[k, NX] - e * b[k, NY], b[k, D] * b[k, NY] + e * b[k, NX]
    px, py = dx + lx * c - ly * s, dy + lx * s + ly * c
    t2, rise = nx * py - ny * px, nx * px + ny * py - a[i, D] - gap
    e1, e2 = clamp(t1, a[i, S0], a[i, S1]), clamp(t2, a[i, S0], a[i, S1])
    if abs(e2 - e1) < SHORT:
        return 1, gap, t1, gap, t1
    slope = rise / (t2 - t1)
    return 2, gap + slope * (e1 - t1), e1, gap + slope * (e2 - t1), e2


@kernel
def _one_point(
    gap: float, dx: float, dy: float, c: float, s: float, a: Floats, i: int, b: Floats, j: int
) -> tuple[float, float]:
    """Return the contact point between edge i of a and corner j of b."""
    _, _, t, _, _ = _common(gap, dx, dy, c, s, a, i, b, j)
    d = a[i, D] + 0.5 * gap
    return d * a[i, NX] - t * a[i, NY], d * a[i, NY] + t * a[i, NX]


@kernel
def _at_corner(
    gap: float, nx: float, ny: float, kind: int, i: int, j: int,
    dx: float, dy: float, c: float, s: float, a: Floats, b: Floats,
) -> tuple[float, float]:  # fmt: skip
    """Return the point halfway between a corner and what it meets."""
    if kind == CORNER_A:
        x, y = _centre(a, i)
        r = a[i, R] + 0.5 * gap
        return x + r * nx, y + r * ny
    x, y = _centre(b, j)
    r = b[j, R] + 0.5 * gap
    return dx + x * c - y * s - r * nx, dy + x * s + y * c - r * ny


@kernel
def _centre(hull: Floats, k: int) -> tuple[float, float]:
    """Return the centre of a corner; row 0 is the whole disc."""
    if k == 0:
        return 0.0, 0.0
    return hull[k, CX], hull[k, CY]


@kernel
def _put_face(
    manifold: Floats, row: int, k: int, gap: float, t: float, hull: Floats, i: int,
    x: float, y: float, c: float, s: float, nx: float, ny: float,
) -> None:  # fmt: skip
    """Write a contact half its gap before an edge, t along it."""
    d = hull[i, D] + 0.5 * gap
    px, py = d * hull[i, NX] - t * hull[i, NY], d * hull[i, NY] + t * hull[i, NX]
    _put(manifold, row, k, gap, x + px * c - py * s, y + px * s + py * c, nx, ny)


@kernel
def _put(manifold: Floats, row: int, k: int, gap: float, x: float, y: float, nx: float, ny: float) -> None:
    manifold[row, k, 0] = gap
    manifold[row, k, 1] = x
    manifold[row, k, 2] = y
    manifold[row, k, 3] = nx
    manifold[row, k, 4] = ny
