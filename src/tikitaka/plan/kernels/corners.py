"""What shortest paths among obstacles are made of: corner circles, straight edges, tangents, free turns.

The rim of an obstacle is corner circles (CIRCLE 1, CAPSULE 2, BOX 4) joined by straight edges. A shortest path is
straight between circles and turns along them, so it is a chain of *oriented* circles: s = 1 turns to the left, the
centre on the left hand. Two oriented circles have one tangent from the first to the second, or none.

Obstacles are grown by a hair, so that a path along them is free by more than rounding; as far as start and target
allow, which may touch. What is tested is less grown than what is driven along, again by more than rounding.

c        corner circles (n, 13): x, y, R, R - r, owner, then the half planes that the normals of its own part of the
         rim lie in (two vectors, 0 for a whole circle), then that part's last normals: turning left, turning right
e        straight edges (l, 8): direction, from and to along it, normal towards the free side, offset, owner
w        rows to test moves against (m, 6), as in shapes.py
n        normal: unit vector from a circle's centre to a point of its rim
t        right-hand normal of a tangent: the normals at its ends are s t
rho      signed radius s R
turns    an angle without trigonometry, 0 to 4 for a whole turn, rising with the angle
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import cross, dot, norm
from tikitaka.plan.kernels.shapes import BOX, CAPSULE, CIRCLE, FIELD, depth

Floats = NDArray[np.float64]

GROWN = 1e-10  # [m] chosen: less than any measure of success, more than TESTED
TESTED = 1e-12  # [m] chosen: a hundred times the rounding of positions on a pitch
ASIDE = 1e-10  # [1] directions that differ less are the same; chosen: worth 1e-11 m on a robot's circle
ENTERED = (
    1e-6  # [turns] who is so little inside is so by rounding; chosen: the root of the rounding of a cosine, and more
)
ROUNDED = 1e-15  # [1] circles that touch may miss each other by so much of the square of their distance
CIRCLES, EDGES, PER_CIRCLE, PER_EDGE = 4, 4, 13, 8  # at most of one obstacle; numbers of each


@kernel
def take_apart(
    o: Floats, m: int, sx: float, sy: float, tx: float, ty: float, w: Floats, c: Floats, e: Floats
) -> tuple[int, int]:
    """Fill w, c and e for a start and a target; return how many circles (-1: an end is not free) and edges."""
    n, ledges = 0, 0
    for k in range(m):
        room = min(-depth(o[k], sx, sy), -depth(o[k], tx, ty))
        if not room >= 0.0:
            return -1, 0
        grown = min(room, GROWN)
        for i in range(6):
            w[k, i] = o[k, i]
        if o[k, 5] == FIELD:
            ledges = _field(w[k], grown, e, ledges, k)
            continue
        kind = _plain(o[k])
        if kind != BOX and o[k, 4] <= 0.0:
            continue  # nothing lies inside a line
        w[k, 4] = o[k, 4] + grown - TESTED
        if kind == BOX:
            n, ledges = _box(o[k], grown, c, n, e, ledges, k)
        elif kind == CAPSULE:
            n, ledges = _capsule(o[k], grown, c, n, e, ledges, k)
        else:
            n = _circle(c, n, o[k, 0], o[k, 1], o[k, 4], grown, k)
    return n, ledges


@kernel
def _plain(o: Floats) -> float:
    """Return the kind of an obstacle; a box without a side is a capsule, a capsule without length a circle."""
    kind: float = o[5]
    if kind == BOX and (o[0] == o[2] or o[1] == o[3]):
        kind = CAPSULE
    return CIRCLE if kind == CAPSULE and o[0] == o[2] and o[1] == o[3] else kind


@kernel
def _circle(c: Floats, n: int, x: float, y: float, r: float, grown: float, k: int) -> int:
    """Append a whole circle."""
    for i in range(PER_CIRCLE):
        c[n, i] = 0.0
    c[n, 0], c[n, 1], c[n, 2], c[n, 3], c[n, 4] = x, y, max(r + grown, 0.0), grown, float(k)
    return n + 1


@kernel
def _part(c: Floats, ax: float, ay: float, bx: float, by: float, lx: float, ly: float, rx: float, ry: float) -> None:
    """Make a circle a part of a rim: normals in the half planes a and b, the last to the left l, to the right r."""
    c[5], c[6], c[7], c[8], c[9], c[10], c[11], c[12] = ax, ay, bx, by, lx, ly, rx, ry


@kernel
def _capsule(o: Floats, grown: float, c: Floats, n: int, e: Floats, ledges: int, k: int) -> tuple[int, int]:
    """Append the two ends and the two sides of a capsule."""
    dx, dy = o[2] - o[0], o[3] - o[1]
    d = norm(dx, dy)
    ux, uy = dx / d, dy / d
    reach = o[4] + grown - TESTED
    for i in range(2):
        s = 2.0 * i - 1.0  # the first end looks back
        _circle(c, n, o[2 * i], o[2 * i + 1], o[4], grown, k)
        _part(c[n], s * ux, s * uy, s * ux, s * uy, -s * uy, s * ux, s * uy, -s * ux)
        n += 1
        a = dot(o[0], o[1], ux, uy)
        offset = dot(o[0], o[1], -s * uy, s * ux) + reach
        ledges = _edge(e, ledges, ux, uy, a, a + d, -s * uy, s * ux, offset, k)
    return n, ledges


@kernel
def _box(o: Floats, grown: float, c: Floats, n: int, e: Floats, ledges: int, k: int) -> tuple[int, int]:
    """Append the four corners and the four sides of a box."""
    reach = o[4] + grown - TESTED
    for i in range(4):
        vx, vy = -1.0 if i in (0, 3) else 1.0, -1.0 if i < 2 else 1.0  # corners in turn, to the left
        _circle(c, n, o[0] if vx < 0.0 else o[2], o[1] if vy < 0.0 else o[3], o[4], grown, k)
        if vx * vy > 0.0:
            _part(c[n], vx, 0.0, 0.0, vy, 0.0, vy, vx, 0.0)
        else:
            _part(c[n], vx, 0.0, 0.0, vy, vx, 0.0, 0.0, vy)
        n += 1
    for s in (-1.0, 1.0):
        right, upper = o[2] if s > 0.0 else o[0], o[3] if s > 0.0 else o[1]
        ledges = _edge(e, ledges, 0.0, 1.0, o[1], o[3], s, 0.0, s * right + reach, k)
        ledges = _edge(e, ledges, 1.0, 0.0, o[0], o[2], 0.0, s, s * upper + reach, k)
    return n, ledges


@kernel
def _field(w: Floats, grown: float, e: Floats, ledges: int, k: int) -> int:
    """Append the sides of the field, and make its row a hair smaller."""
    slack = grown - TESTED
    w[0], w[1], w[2], w[3] = w[0] + slack, w[1] + slack, w[2] - slack, w[3] - slack
    ledges = _edge(e, ledges, 0.0, 1.0, -math.inf, math.inf, 1.0, 0.0, w[0], k)
    ledges = _edge(e, ledges, 0.0, 1.0, -math.inf, math.inf, -1.0, 0.0, -w[2], k)
    ledges = _edge(e, ledges, 1.0, 0.0, -math.inf, math.inf, 0.0, 1.0, w[1], k)
    return _edge(e, ledges, 1.0, 0.0, -math.inf, math.inf, 0.0, -1.0, -w[3], k)


@kernel
def _edge(
    e: Floats, i: int, ux: float, uy: float, a: float, b: float, nx: float, ny: float, offset: float, k: int
) -> int:
    e[i, 0], e[i, 1], e[i, 2], e[i, 3], e[i, 4], e[i, 5], e[i, 6], e[i, 7] = ux, uy, a, b, nx, ny, offset, float(k)
    return i + 1


@kernel
def tangent(dx: float, dy: float, q: float) -> tuple[float, float, float]:
    """Return t and the length of the tangent between centres d apart with q = rho_i - rho_j; length -1: there is none.

    d = length v + q t with v along the tangent, t to the right of it; so v = (length d + q turned d) / |d|^2.
    """
    d2 = dx * dx + dy * dy
    left = d2 - q * q
    if not left >= -ROUNDED * d2 or d2 == 0.0:
        return 0.0, 0.0, -1.0
    length = math.sqrt(max(left, 0.0))
    return (length * dy + q * dx) / d2, (q * dy - length * dx) / d2, length


@kernel
def on_rim(c: Floats, nx: float, ny: float) -> bool:
    """Say whether a normal belongs to the part of its obstacle's rim that a circle is."""
    return dot(c[5], c[6], nx, ny) >= -ASIDE and dot(c[7], c[8], nx, ny) >= -ASIDE


@kernel
def turns(nx: float, ny: float, ox: float, oy: float, s: float) -> float:
    """Return how far a circle turns from normal n to normal o in the direction s: 0 to 4."""
    along, aside = dot(nx, ny, ox, oy), s * cross(nx, ny, ox, oy)
    if aside >= 0.0:
        return aside / (along + aside) if along > 0.0 else 1.0 - along / (aside - along)
    return 2.0 + aside / (along + aside) if along < 0.0 else 3.0 + along / (along - aside)


@kernel
def angle(nx: float, ny: float, ox: float, oy: float, s: float) -> float:
    """Return the angle from normal n to normal o in the direction s: 0 to 2 pi, and 0 just before."""
    turned = math.atan2(s * cross(nx, ny, ox, oy), dot(nx, ny, ox, oy))
    if turned >= 0.0:
        return turned
    return 0.0 if turned > -2.0 * ASIDE else turned + 2.0 * math.pi


@kernel
def free_turn(c: Floats, n: int, e: Floats, ledges: int, i: int, s: float, nx: float, ny: float) -> float:
    """Return how far one may turn along circle i from normal n in the direction s, in turns; 4: all around."""
    x, y, big, owner = c[i, 0], c[i, 1], c[i, 2], c[i, 4]
    most = 4.0
    if c[i, 5] != 0.0 or c[i, 6] != 0.0:
        a = 9 if s > 0.0 else 11
        most = turns(nx, ny, c[i, a], c[i, a + 1], s)
        if most > 3.0:  # n is the last one, but for rounding
            most = 0.0
    for k in range(n):
        dx, dy, reach = c[k, 0] - x, c[k, 1] - y, c[k, 2] - TESTED
        d2 = dx * dx + dy * dy
        if c[k, 4] == owner or d2 >= (big + reach) * (big + reach) or reach <= 0.0:
            continue
        d = math.sqrt(d2)
        if d > abs(big - reach):  # who arrived is not on a circle that another one covers
            h = (big * big + d2 - reach * reach) / (2.0 * d)
            most = min(most, _enters(nx, ny, s, dx / d, dy / d, h / big))
    for k in range(ledges):
        h = e[k, 6] - x * e[k, 4] - y * e[k, 5]
        if e[k, 7] == owner or h <= -big:
            continue
        most = min(most, _enters_edge(e[k], x, y, big, h, nx, ny, s))
    return most


@kernel
def _enters(nx: float, ny: float, s: float, mx: float, my: float, cosine: float) -> float:
    """Return the turn from n to where an interval of normals around m begins."""
    ax, ay = _first(s, mx, my, cosine)
    turn = turns(nx, ny, ax, ay, s)
    if turn > 4.0 - ENTERED and turns(ax, ay, nx, ny, s) < turns(ax, ay, mx, my, s):
        return 0.0
    return turn


@kernel
def _first(s: float, mx: float, my: float, cosine: float) -> tuple[float, float]:
    """Return the first normal, in the direction s, of the interval around m."""
    sine = s * math.sqrt(max(1.0 - cosine * cosine, 0.0))
    return cosine * mx + sine * my, cosine * my - sine * mx


@kernel
def _enters_edge(e: Floats, x: float, y: float, big: float, h: float, nx: float, ny: float, s: float) -> float:
    """Return the turn from n to where the circle goes in through an edge, h inside of which its centre lies."""
    mx, my, cosine = -e[4], -e[5], -h / big
    if cosine < -1.0:
        return 0.0 if e[2] == -math.inf else 4.0  # all beyond the side of the field; of others the corners know
    ax, ay = _first(s, mx, my, cosine)
    along = (x + big * ax) * e[0] + (y + big * ay) * e[1]
    return _enters(nx, ny, s, mx, my, cosine) if e[2] <= along <= e[3] else 4.0
