"""The configuration diagram of two robots on straight paths, and the point of it just before they collide.

[MI20, sec. V] (s_i, s_j) says how far the robots are past the point where their paths cross; the pairs at which they
overlap fill a convex region around (0, 0). The joint line leads from where they were to where they are predicted; where
it first cuts the region's border they touch.

l, w    half length and half width of a robot
a, b    its axes, forward and to the left
d       unit direction of travel, which need not be a
gamma   angle between the directions of travel, unsigned
r, q    coordinates of the octagon's corners [MI20, sec. V]
g       generators of the zonotope (s_i, s_j)
corners (8, 2)  of the region, counter-clockwise
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.sweeping import NEVER, first_contact
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import cross, dot, norm

Floats = NDArray[np.float64]

PARALLEL = 0.02  # [1] sine of gamma below which the region is metres long (r = 3.8 m) and the boxes are swept instead
SLIPS = 1e-9  # [rad] travel and heading that differ by less are one


@kernel
def octagon(gamma: float, li: float, wi: float, lj: float, wj: float, corners: Floats) -> None:
    """Fill in the region of robots that travel along their headings; 0 < gamma < pi."""
    cos, sin = math.cos(gamma), math.sin(gamma)
    ri, rj = (wj + wi * cos) / sin, (wi + wj * cos) / sin
    qi, qj = (wj - wi * cos) / sin, (wi - wj * cos) / sin
    set_pair(corners, 0, -ri - li, -rj - lj)
    set_pair(corners, 2, qi + li, -qj - lj)
    if cos >= 0.0:
        set_pair(corners, 1, -ri + li, -rj - lj)
        set_pair(corners, 3, ri + li, rj - lj)
    else:  # erratum: the print has the corners above for these angles too
        set_pair(corners, 1, qi - li, -qj - lj)
        set_pair(corners, 3, qi + li, -qj + lj)
    for k in range(4):
        corners[k + 4, 0], corners[k + 4, 1] = -corners[k, 0], -corners[k, 1]


@kernel
def set_pair(corners: Floats, k: int, x: float, y: float) -> None:
    """Set one corner."""
    corners[k, 0], corners[k, 1] = x, y


@kernel
def zonotope(
    dix: float, diy: float, ti: float, li: float, wi: float,
    djx: float, djy: float, tj: float, lj: float, wj: float, corners: Floats,
) -> None:  # fmt: skip
    """Fill in the region of robots with headings t that travel along d, at any slip; the paths are not parallel."""
    ci, si, cj, sj = math.cos(ti), math.sin(ti), math.cos(tj), math.sin(tj)
    put_generator(corners, 0, li * ci, li * si, dix, diy, djx, djy)
    put_generator(corners, 1, -wi * si, wi * ci, dix, diy, djx, djy)
    put_generator(corners, 2, lj * cj, lj * sj, dix, diy, djx, djy)
    put_generator(corners, 3, -wj * sj, wj * cj, dix, diy, djx, djy)
    for k in range(1, 4):  # by their angle
        for m in range(k, 0, -1):
            if cross(corners[m - 1, 0], corners[m - 1, 1], corners[m, 0], corners[m, 1]) < 0.0:
                for q in range(2):
                    corners[m - 1, q], corners[m, q] = corners[m, q], corners[m - 1, q]
    walk_round(corners)


@kernel
def put_generator(corners: Floats, k: int, x: float, y: float, dix: float, diy: float, djx: float, djy: float) -> None:
    """Set generator k to what a half axis (x, y) is in the diagram, turned to point upwards."""
    area = -cross(dix, diy, djx, djy)  # of the columns d_i and -d_j
    gi, gj = -cross(x, y, djx, djy) / area, cross(dix, diy, x, y) / area
    if gj < 0.0 or (gj == 0.0 and gi < 0.0):
        gi, gj = -gi, -gj
    corners[k, 0], corners[k, 1] = gi, gj


@kernel
def walk_round(corners: Floats) -> None:
    """Turn four generators in the order of their angle into the eight corners that their sums have."""
    x, y = 0.0, 0.0
    for k in range(4):
        x, y = x - corners[k, 0], y - corners[k, 1]
    for k in range(4):
        gi, gj = corners[k, 0], corners[k, 1]
        corners[k, 0], corners[k, 1] = x, y
        corners[k + 4, 0], corners[k + 4, 1] = -x, -y
        x, y = x + 2.0 * gi, y + 2.0 * gj


@kernel
def cut(corners: Floats, xi: float, xj: float, yi: float, yj: float) -> float:
    """Return the smallest part in [0, 1] of the way from x to y that lies in the region, NEVER where none does.

    The line cuts the border twice; the paper does not say which cut is meant.
    """
    enters, leaves = 0.0, 1.0
    for k in range(corners.shape[0]):
        m = k + 1 if k + 1 < corners.shape[0] else 0
        ei, ej = corners[m, 0] - corners[k, 0], corners[m, 1] - corners[k, 1]
        inside, along = cross(ei, ej, xi - corners[k, 0], xj - corners[k, 1]), cross(ei, ej, yi - xi, yj - xj)
        if along > 0.0:
            enters = max(enters, -inside / along)
        elif along < 0.0:
            leaves = min(leaves, -inside / along)
        elif inside < 0.0:
            return NEVER
    return enters if enters <= leaves else NEVER


@kernel
def before_collision(
    xi: float, yi: float, ti: float, xi1: float, yi1: float,
    xj: float, yj: float, tj: float, xj1: float, yj1: float,
    li: float, wi: float, lj: float, wj: float, corners: Floats,
) -> float:  # fmt: skip
    """Return the part of their ways (x, y) to (x1, y1) after which two robots touch, NEVER where they do not.

    Headings stay. Parallel paths, and robots that stand, are swept.
    """
    pix, piy, pjx, pjy = xi1 - xi, yi1 - yi, xj1 - xj, yj1 - yj
    way_i, way_j = norm(pix, piy), norm(pjx, pjy)
    if way_i == 0.0 or way_j == 0.0 or not abs(cross(pix, piy, pjx, pjy)) > PARALLEL * way_i * way_j:
        return first_contact(xi, yi, ti, xi1, yi1, ti, xj, yj, tj, xj1, yj1, tj, li, wi, lj, wj)
    dix, diy, djx, djy = pix / way_i, piy / way_i, pjx / way_j, pjy / way_j
    if slip(dix, diy, ti) < SLIPS and slip(djx, djy, tj) < SLIPS:
        octagon(math.acos(dot(dix, diy, djx, djy)), li, wi, lj, wj, corners)
    else:
        zonotope(dix, diy, ti, li, wi, djx, djy, tj, lj, wj, corners)
    area = cross(dix, diy, djx, djy)
    si, sj = -cross(xj - xi, yj - yi, djx, djy) / area, -cross(xj - xi, yj - yi, dix, diy) / area  # lines, not segments
    return cut(corners, si, sj, si + way_i, sj + way_j)


@kernel
def slip(dx: float, dy: float, t: float) -> float:
    """Return the sine between travel and heading, unsigned: 0 also for a robot that drives backwards."""
    return abs(cross(dx, dy, math.cos(t), math.sin(t)))
