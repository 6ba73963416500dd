"""The direction in which two convex hulls are farthest apart, or least deep in each other.

The signed gap of two hulls is the largest separation n (b - a) - h_a(n) - h_b(-n) over all directions n, h being how
far a hull reaches. It is largest at the normal of an edge of one of them, or where the line through the centres of
two corners lies in both corners' fans of normals; all of these are tried. A corner is an arc, of radius 0 where it
is sharp. Two boxes leave the corners out, as `geom.boxes` does: apart, their gap is then a lower bound.

hull  (1 + k, 8)  row 0: half sizes CX, CY of a box, or radius R of a disc that may be cut, with the middle AX, AY of
                  its arc and the least cosine FAN to it; then SHAPE and REACH, the radius of the circle around it.
                  Then counter-clockwise, a corner a row: centre CX, CY and radius R, and the edge behind it: normal
                  NX, NY, distance D, and where it begins and ends, S0, S1, along (-NY, NX). A box starts at (+, +).
d                 from the origin of hull a to that of b;  c, s: cosine and sine of b's turn against a; frame of a
m                 -n in the frame of b
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Best = tuple[float, float, float, int, int, int]

CX, CY, R, NX, NY, D, S0, S1 = range(8)
AX, AY, FAN, SHAPE, REACH = range(3, 8)
GENERAL, BOX, DISC = 0.0, 1.0, 2.0
FACE_A, FACE_B, CORNER_A, CORNER_B = range(4)  # what the contact is measured from
FACING = 0.3  # [rad] edges closer to parallel than this touch at both ends, each with its own gap
SHALLOW = 0.04  # of the radius: overlap up to which the short way of discs is the right one
NONE = 1e9  # [m] no gap is so large
SHORT = 1e-9  # [m] an edge shorter than this is none


@kernel
def relative(
    xa: float, ya: float, ca: float, sa: float, xb: float, yb: float, cb: float, sb: float
) -> tuple[float, float, float, float]:
    """Return d, c, s: where b is, and how it is turned, as a sees it."""
    dx, dy = xb - xa, yb - ya
    return dx * ca + dy * sa, dy * ca - dx * sa, ca * cb + sa * sb, ca * sb - sa * cb


@kernel
def best_axis(dx: float, dy: float, c: float, s: float, a: Floats, b: Floats) -> Best:
    """Return gap and normal of the best separation, what it is measured from, and the rows of a and b that meet."""
    if a[0, SHAPE] == BOX and b[0, SHAPE] == BOX:
        return _boxes(dx, dy, c, s, a, b)
    if a[0, SHAPE] == DISC:
        gap, nx, ny = _disc(dx, dy, c, s, a, b)
        mx, my = -nx * c - ny * s, nx * s - ny * c
        fits = b[0, SHAPE] == BOX or mx * b[0, AX] + my * b[0, AY] >= b[0, FAN]
        if gap > -SHALLOW * a[0, R] and fits and nx * a[0, AX] + ny * a[0, AY] >= a[0, FAN]:
            return gap, nx, ny, CORNER_A, 0, 0
    elif a[0, SHAPE] == BOX and b[0, SHAPE] == DISC:
        gap, mx, my = _disc(-dx * c - dy * s, dx * s - dy * c, c, -s, b, a)
        if gap > -SHALLOW * b[0, R] and mx * b[0, AX] + my * b[0, AY] >= b[0, FAN]:
            return gap, -mx * c + my * s, -mx * s - my * c, CORNER_B, 0, 0
    return _general(dx, dy, c, s, a, b)


@kernel
def support(hull: Floats, nx: float, ny: float) -> int:
    """Return the corner that reaches farthest in a direction: the one whose fan of normals holds it."""
    if hull[0, SHAPE] == BOX:
        if ny >= 0.0:
            return 1 if nx >= 0.0 else 2
        return 3 if nx < 0.0 else 4
    k = hull.shape[0] - 1
    before = hull[k, NX] * ny - hull[k, NY] * nx
    for i in range(1, k + 1):
        after = hull[i, NX] * ny - hull[i, NY] * nx
        if before >= 0.0 >= after:
            return i
        before = after
    return 1


@kernel
def facing_edge(hull: Floats, i: int, nx: float, ny: float) -> int:
    """Return the edge at corner i that faces a direction within FACING, 0: neither does."""
    k = i - 1 if i > 1 else hull.shape[0] - 1
    if hull[i, NX] * nx + hull[i, NY] * ny >= hull[k, NX] * nx + hull[k, NY] * ny:
        k = i
    if hull[k, S1] - hull[k, S0] < SHORT or abs(hull[k, NX] * ny - hull[k, NY] * nx) > FACING:
        return 0
    return k


@kernel
def _disc(dx: float, dy: float, c: float, s: float, a: Floats, b: Floats) -> tuple[float, float, float]:
    """Return gap and normal from a, taken as a whole disc, to a box or another disc; -NONE if b is neither."""
    if b[0, SHAPE] == BOX:
        x, y = -dx * c - dy * s, dx * s - dy * c  # the disc as the box sees it
        ex, ey = abs(x) - b[0, CX], abs(y) - b[0, CY]
        if ex > 0.0 and ey > 0.0:
            far = math.sqrt(ex * ex + ey * ey)
            ux, uy, gap = ex / far, ey / far, far
        elif ex >= ey:
            ux, uy, gap = 1.0, 0.0, ex
        else:
            ux, uy, gap = 0.0, 1.0, ey
        ux, uy = math.copysign(ux, -x), math.copysign(uy, -y)
        return gap - a[0, R], ux * c - uy * s, ux * s + uy * c
    if b[0, SHAPE] != DISC:
        return -NONE, 1.0, 0.0
    far = math.sqrt(dx * dx + dy * dy)
    if far == 0.0:
        return -a[0, R] - b[0, R], 1.0, 0.0
    return far - a[0, R] - b[0, R], dx / far, dy / far


@kernel
def _boxes(dx: float, dy: float, c: float, s: float, a: Floats, b: Floats) -> Best:
    """Return the best separation of two boxes over their four axes."""
    cos, sin = abs(c), abs(s)
    ax, ay, bx, by = a[0, CX], a[0, CY], b[0, CX], b[0, CY]
    ex, ey = dx * c + dy * s, dy * c - dx * s
    gx, gy = abs(dx) - ax - (bx * cos + by * sin), abs(dy) - ay - (bx * sin + by * cos)
    hx, hy = abs(ex) - bx - (ax * cos + ay * sin), abs(ey) - by - (ax * sin + ay * cos)
    if max(gx, gy) >= max(hx, hy):
        if gx >= gy:
            nx, ny, gap, i = (1.0 if dx >= 0.0 else -1.0), 0.0, gx, (4 if dx >= 0.0 else 2)
        else:
            nx, ny, gap, i = 0.0, (1.0 if dy >= 0.0 else -1.0), gy, (1 if dy >= 0.0 else 3)
        return gap, nx, ny, FACE_A, i, support(b, -nx * c - ny * s, nx * s - ny * c)
    if hx >= hy:
        mx, my, gap, j = (-1.0 if ex >= 0.0 else 1.0), 0.0, hx, (2 if ex >= 0.0 else 4)
    else:
        mx, my, gap, j = 0.0, (-1.0 if ey >= 0.0 else 1.0), hy, (3 if ey >= 0.0 else 1)
    nx, ny = -mx * c + my * s, -mx * s - my * c
    return gap, nx, ny, FACE_B, support(a, nx, ny), j


@kernel
def _general(dx: float, dy: float, c: float, s: float, a: Floats, b: Floats) -> Best:
    """Return the best separation of two hulls of any kind."""
    gap, nx, ny, kind, p, q = -NONE, 1.0, 0.0, FACE_A, 1, 1
    for i in range(1, a.shape[0]):
        ux, uy = a[i, NX], a[i, NY]
        ahead = ux * dx + uy * dy - a[i, D]
        if ahead <= gap or a[i, S1] - a[i, S0] < SHORT:  # b reaches beyond its own origin
            continue
        mx, my = -ux * c - uy * s, ux * s - uy * c
        j = support(b, mx, my)
        g = ahead - b[j, CX] * mx - b[j, CY] * my - b[j, R]
        if g > gap:
            gap, nx, ny, kind, p, q = g, ux, uy, FACE_A, i, j
    for j in range(1, b.shape[0]):
        ux, uy = -b[j, NX] * c + b[j, NY] * s, -b[j, NX] * s - b[j, NY] * c
        ahead = ux * dx + uy * dy - b[j, D]
        if ahead <= gap or b[j, S1] - b[j, S0] < SHORT:
            continue
        i = support(a, ux, uy)
        g = ahead - a[i, CX] * ux - a[i, CY] * uy - a[i, R]
        if g > gap:
            gap, nx, ny, kind, p, q = g, ux, uy, FACE_B, i, j
    for j in range(1, b.shape[0]):
        bx, by = dx + b[j, CX] * c - b[j, CY] * s, dy + b[j, CX] * s + b[j, CY] * c
        for i in range(1, a.shape[0]):
            zx, zy = bx - a[i, CX], by - a[i, CY]
            if _in_fan(a, i, zx, zy) and _in_fan(b, j, -zx * c - zy * s, zx * s - zy * c):
                far = math.sqrt(zx * zx + zy * zy)
                if far - a[i, R] - b[j, R] > gap and far > 0.0:
                    gap, nx, ny, kind, p, q = far - a[i, R] - b[j, R], zx / far, zy / far, CORNER_A, i, j
    if gap == -NONE:  # two whole discs with one centre
        return -a[0, R] - b[0, R], 1.0, 0.0, CORNER_A, 0, 0
    return gap, nx, ny, kind, p, q


@kernel
def _in_fan(hull: Floats, i: int, nx: float, ny: float) -> bool:
    """Say whether a direction lies between the normals of the edges at a corner."""
    k = i - 1 if i > 1 else hull.shape[0] - 1
    return bool(hull[k, NX] * ny >= hull[k, NY] * nx and hull[i, NX] * ny <= hull[i, NY] * nx)
