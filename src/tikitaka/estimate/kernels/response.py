"""What two bodies that touch do to each other's velocities: edge and corner, edge on edge, and a board that stands.

[MI20, sec. VI] A normal impulse at the point of contact with restitution e; friction may be added. An edge that lies on
an edge touches at two points, the ends of the common part.

d         (dx, dy) from the centre of a to that of b
n         unit normal from a to b. The paper's points from the edge's owner to the corner's owner: n or -n
va, vb    velocities (vx, vy, omega)
ma, mb    inverse masses [1/kg], ia, ib inverse moments of inertia [1/(kg m^2)]; 0 for what stands like a wall
ra, rb    from a centre to a contact point
j         impulse [N s] along n: b gets j, a gets -j
Touch     gap, nx, ny, number of points, then the points from the centre of a: x1, y1, x2, y2
"""

import math

from tikitaka.estimate.kernels.sweeping import separation
from tikitaka.geom.boxes import disc_box_cs, disc_disc
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross

Motion = tuple[float, float, float]
Weights = tuple[float, float, float, float]  # ma, ia, mb, ib
Touch = tuple[float, float, float, int, float, float, float, float]

SKIN = 5e-4  # [m] chosen: corners that are so near to an edge lie on it; half of a camera's noise


@kernel
def inertia(mass: float, h: float, w: float) -> float:
    """Return the moment of inertia of a uniform box with half length h and half width w [MI20, Eq. 13]."""
    return mass * (h * h + w * w) / 3.0  # erratum: M / 12 (l^2 + w^2) is meant with full sizes l, w


@kernel
def box_touch(
    dx: float, dy: float, ca: float, sa: float, la: float, wa: float, cb: float, sb: float, lb: float, wb: float
) -> Touch:
    """Return how two boxes touch, or nearly so; those that overlap touch along the shortest way out."""
    gap, nx, ny, of_b = separation(dx, dy, ca, sa, la, wa, cb, sb, lb, wb)
    if of_b:
        half = wb if abs(nx * cb + ny * sb) > 0.5 else lb
        count, x1, y1, x2, y2 = points_on_face(-dx, -dy, nx, ny, half, ca, sa, la, wa)
        return gap, -nx, -ny, count, x1 + dx, y1 + dy, x2 + dx, y2 + dy
    half = wa if abs(nx * ca + ny * sa) > 0.5 else la
    count, x1, y1, x2, y2 = points_on_face(dx, dy, nx, ny, half, cb, sb, lb, wb)
    return gap, nx, ny, count, x1, y1, x2, y2


@kernel
def points_on_face(
    dx: float, dy: float, nx: float, ny: float, half: float, c: float, s: float, h: float, w: float
) -> tuple[int, float, float, float, float]:
    """Return how many points of a box at d touch a face, and two of them, from the centre of the face's owner.

    The face has the outward normal n and reaches ``half`` to both sides. First comes the box's deepest corner, then the
    other end of its edge that faces n; what hangs over the end of the face is cut off.
    """
    p, q = nx * c + ny * s, ny * c - nx * s
    u, v = math.copysign(h, -p), math.copysign(w, -q)
    x1, y1 = dx + u * c - v * s, dy + u * s + v * c
    if abs(p) > abs(q):
        rise, ex, ey = 2.0 * w * abs(q), 2.0 * v * s, -2.0 * v * c
    else:
        rise, ex, ey = 2.0 * h * abs(p), -2.0 * u * c, -2.0 * u * s
    at, end = cross(nx, ny, x1, y1), cross(nx, ny, x1 + ex, y1 + ey)
    first, last = cut_off(at, end, half), 1.0 - cut_off(end, at, half)
    count = 2 if last > first and rise * (last - first) <= SKIN else 1
    return count, x1 + first * ex, y1 + first * ey, x1 + last * ex, y1 + last * ey


@kernel
def cut_off(at: float, end: float, half: float) -> float:
    """Return the part of an edge, from ``at`` to ``end`` along a face, that hangs over at its beginning."""
    if abs(at) <= half or at == end:
        return 0.0
    return clamp((math.copysign(half, at) - at) / (end - at), 0.0, 1.0)


@kernel
def disc_touch(dx: float, dy: float, ra: float, rb: float) -> Touch:
    """Return how two discs touch."""
    gap, nx, ny = disc_disc(0.0, 0.0, ra, dx, dy, rb)
    return gap, nx, ny, 1, ra * nx, ra * ny, ra * nx, ra * ny


@kernel
def disc_box_touch(dx: float, dy: float, r: float, c: float, s: float, h: float, w: float) -> Touch:
    """Return how a disc and a box at d touch; the disc is a."""
    gap, nx, ny = disc_box_cs(0.0, 0.0, r, dx, dy, c, s, h, w)
    return gap, -nx, -ny, 1, -r * nx, -r * ny, -r * nx, -r * ny


@kernel
def closing(va: Motion, vb: Motion, ux: float, uy: float, rx: float, ry: float, dx: float, dy: float) -> float:
    """Return how fast the bodies' material comes together along the unit direction u at a point r from a's centre."""
    ax, ay = va[0] - va[2] * ry, va[1] + va[2] * rx  # [MI20, Eq. 6]
    bx, by = vb[0] - vb[2] * (ry - dy), vb[1] + vb[2] * (rx - dx)
    return (ax - bx) * ux + (ay - by) * uy  # [MI20, Eq. 15] erratum: minus before omega_B


@kernel
def give(
    va: Motion, vb: Motion, weights: Weights, j: float, ux: float, uy: float, rx: float, ry: float, dx: float, dy: float
) -> tuple[Motion, Motion]:
    """Return the velocities after an impulse j along u at a point r from a's centre [MI20, Eqs. 11-12]."""
    ma, ia, mb, ib = weights
    after_a = (va[0] - j * ma * ux, va[1] - j * ma * uy, va[2] - j * ia * cross(rx, ry, ux, uy))
    after_b = (vb[0] + j * mb * ux, vb[1] + j * mb * uy, vb[2] + j * ib * cross(rx - dx, ry - dy, ux, uy))
    return after_a, after_b


@kernel
def yielding(
    weights: Weights, ux: float, uy: float, rx: float, ry: float, qx: float, qy: float, dx: float, dy: float
) -> float:
    """Return by how much a unit impulse along u at q changes the closing speed at r [1/kg]."""
    ma, ia, mb, ib = weights
    of_a = cross(rx, ry, ux, uy) * cross(qx, qy, ux, uy)  # [MI20, Eq. 16] erratum: r_perp . n, not r . n
    of_b = cross(rx - dx, ry - dy, ux, uy) * cross(qx - dx, qy - dy, ux, uy)
    return ma + mb + ia * of_a + ib * of_b


@kernel
def impulses(va: Motion, vb: Motion, weights: Weights, touch: Touch, dx: float, dy: float, e: float) -> Motion:
    """Return the normal impulses at both points, none where nothing comes together there, and the closing speed.

    Both points push only if both close: to stop one that opens could make energy.
    """
    _, nx, ny, count, x1, y1, x2, y2 = touch
    c1 = closing(va, vb, nx, ny, x1, y1, dx, dy)
    k1 = yielding(weights, nx, ny, x1, y1, x1, y1, dx, dy)
    if count < 2:
        return max(0.0, (1.0 + e) * c1 / k1), 0.0, c1  # [MI20, Eq. 16] differs: no impulse between what parts
    c2 = closing(va, vb, nx, ny, x2, y2, dx, dy)
    k2 = yielding(weights, nx, ny, x2, y2, x2, y2, dx, dy)
    if c1 > 0.0 and c2 > 0.0:
        k = yielding(weights, nx, ny, x1, y1, x2, y2, dx, dy)
        det = k1 * k2 - k * k
        j1, j2 = (1.0 + e) * (k2 * c1 - k * c2), (1.0 + e) * (k1 * c2 - k * c1)
        if det > 1e-9 * k1 * k2 and j1 > 0.0 and j2 > 0.0:
            return j1 / det, j2 / det, max(c1, c2)
    if c1 / k1 >= c2 / k2:
        return max(0.0, (1.0 + e) * c1 / k1), 0.0, c1
    return 0.0, max(0.0, (1.0 + e) * c2 / k2), c2


@kernel
def rub(
    va: Motion,
    vb: Motion,
    weights: Weights,
    most: float,
    tx: float,
    ty: float,
    rx: float,
    ry: float,
    dx: float,
    dy: float,
) -> tuple[Motion, Motion]:
    """Return the velocities after friction along t at r that stops the slip, or gives its most on the way there."""
    slip = closing(va, vb, tx, ty, rx, ry, dx, dy)
    j = clamp(slip / yielding(weights, tx, ty, rx, ry, rx, ry, dx, dy), -most, most)
    return give(va, vb, weights, j, tx, ty, rx, ry, dx, dy)


@kernel
def respond(
    va: Motion, vb: Motion, weights: Weights, touch: Touch, dx: float, dy: float, e: float, mu: float
) -> tuple[Motion, Motion, float]:
    """Return the velocities after the impact, and how fast they came together (<= 0: nothing has changed).

    mu is Coulomb's friction; the paper has none. Kinetic energy never grows for 0 <= e <= 1.
    """
    _, nx, ny, _, x1, y1, x2, y2 = touch
    j1, j2, speed = impulses(va, vb, weights, touch, dx, dy, e)
    if j1 > 0.0:
        va, vb = give(va, vb, weights, j1, nx, ny, x1, y1, dx, dy)
    if j2 > 0.0:
        va, vb = give(va, vb, weights, j2, nx, ny, x2, y2, dx, dy)
    if mu > 0.0:
        va, vb = rub(va, vb, weights, mu * j1, -ny, nx, x1, y1, dx, dy)
        va, vb = rub(va, vb, weights, mu * j2, -ny, nx, x2, y2, dx, dy)
    return va, vb, speed
