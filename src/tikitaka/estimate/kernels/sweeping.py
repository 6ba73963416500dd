"""When two oriented boxes, or two discs, that move and turn evenly come to touch: a swept separating-axis test.

A box has half length h (la, lb where there are two) and half width w. All is seen from the centre of a; times run from
0 to ``end``.

d       (dx, dy) from the centre of a to that of b
u       (ux, uy) velocity of b less that of a
c, s    cosine and sine of a heading, o its rate
n       unit normal of a box's face, from its owner to the other
gap     separation along n: the largest over the four axes; negative where the boxes overlap, then it is the depth
level   gap at which they are said to touch: 0, or less where they overlap already
"""

import math

from tikitaka.geom.angles import turn
from tikitaka.geom.boxes import disc_box_cs
from tikitaka.geom.jit import kernel

NEVER = math.inf
REACHED = 1e-11  # [m] above the level: there
QUARTER = 0.5 * math.pi
STILL = 1e-12  # [rad/s] what turns more slowly does not turn
FLUSH = 1e-7  # [rad] an edge that is so near to parallel with a face is so
ROUNDS = 400  # a pair that is not settled then turns past each other within a hair's breadth


@kernel
def separation(
    dx: float, dy: float, ca: float, sa: float, la: float, wa: float, cb: float, sb: float, lb: float, wb: float
) -> tuple[float, float, float, bool]:
    """Return the gap, the normal from its owner to the other, and whether b is the owner [MI20, sec. IV]."""
    cos, sin = abs(ca * cb + sa * sb), abs(sa * cb - ca * sb)
    ax, ay = dx * ca + dy * sa, dy * ca - dx * sa
    bx, by = dx * cb + dy * sb, dy * cb - dx * sb
    side = math.copysign(1.0, ax)
    gap, nx, ny, of_b = abs(ax) - la - lb * cos - wb * sin, side * ca, side * sa, False
    other = abs(ay) - wa - lb * sin - wb * cos
    if other > gap:
        side = math.copysign(1.0, ay)
        gap, nx, ny = other, -side * sa, side * ca
    other = abs(bx) - lb - la * cos - wa * sin
    if other > gap:
        side = math.copysign(1.0, bx)
        gap, nx, ny, of_b = other, -side * cb, -side * sb, True
    other = abs(by) - wb - la * sin - wa * cos
    if other > gap:
        side = math.copysign(1.0, by)
        gap, nx, ny, of_b = other, side * sb, -side * cb, True
    return gap, nx, ny, of_b


@kernel
def stride(
    room: float, dx: float, dy: float, ux: float, uy: float, nx: float, ny: float, o: float,
    c: float, s: float, h: float, w: float, turning: float, left: float,
) -> float:  # fmt: skip
    """Return a time for which the gap stays above the level, as long as can be said; room is how far it is above.

    d and u lead from the owner of n, which turns at o and n with it, to a box (c, s, h, w) that turns at ``turning``
    against it. The gap's rate is exact and its second derivative bounded, so that this is Newton's step from the safe
    side; it ends where another corner of the box comes to be the nearest.
    """
    p, q = nx * c + ny * s, ny * c - nx * s  # n in the frame of the box; its reach along n is h |p| + w |q|
    rate, most = nx * ux + ny * uy + o * (nx * dy - ny * dx), NEVER
    if abs(turning) > STILL:
        p_sign, p_soon = _course(p, q * turning, abs(turning))
        q_sign, q_soon = _course(q, -p * turning, abs(turning))
        rate -= turning * (h * p_sign * q - w * q_sign * p)
        most = min(p_soon, q_soon)
    speed, far = math.sqrt(ux * ux + uy * uy), math.sqrt(dx * dx + dy * dy)
    bend = abs(o) * (2.0 * speed + abs(o) * (far + speed * left)) + turning * turning * math.sqrt(h * h + w * w)
    if bend == 0.0:
        return min(most, room / -rate) if rate < 0.0 else most
    root = math.sqrt(rate * rate + 2.0 * bend * room)
    return min(most, 2.0 * room / (root - rate) if rate < 0.0 else (root + rate) / bend)


@kernel
def _course(p: float, rate: float, turning: float) -> tuple[float, float]:
    """Return the sign that p has from now on, and for how long it surely keeps it."""
    if abs(p) < FLUSH:
        return math.copysign(1.0, rate), QUARTER / turning
    if p * rate >= 0.0:
        return math.copysign(1.0, p), QUARTER / turning
    return math.copysign(1.0, p), abs(p) / turning


@kernel
def meeting(
    dx: float, dy: float, ta: float, tb: float, ux: float, uy: float, oa: float, ob: float,
    la: float, wa: float, lb: float, wb: float, level: float, end: float,
) -> float:  # fmt: skip
    """Return when the gap between two boxes is down at the level, NEVER if not until the end."""
    t, ca, sa, cb, sb = 0.0, math.cos(ta), math.sin(ta), math.cos(tb), math.sin(tb)
    for _ in range(ROUNDS):
        x, y = dx + ux * t, dy + uy * t
        gap, nx, ny, of_b = separation(x, y, ca, sa, la, wa, cb, sb, lb, wb)
        room = gap - level
        if room <= REACHED:
            return t
        if of_b:
            t += stride(room, -x, -y, -ux, -uy, nx, ny, ob, ca, sa, la, wa, oa - ob, end - t)
        else:
            t += stride(room, x, y, ux, uy, nx, ny, oa, cb, sb, lb, wb, ob - oa, end - t)
        if not t <= end:
            return NEVER
        if oa != 0.0:
            ca, sa = math.cos(ta + oa * t), math.sin(ta + oa * t)
        if ob != 0.0:
            cb, sb = math.cos(tb + ob * t), math.sin(tb + ob * t)
    return NEVER


@kernel
def disc_meeting(dx: float, dy: float, ux: float, uy: float, reach: float, end: float) -> float:
    """Return when two discs' centres are down at the distance ``reach``, NEVER if not until the end."""
    closing, square = -(dx * ux + dy * uy), ux * ux + uy * uy
    room = dx * dx + dy * dy - reach * reach
    if room <= 0.0:
        return 0.0
    under = closing * closing - square * room
    if closing <= 0.0 or under < 0.0:
        return NEVER
    t = room / (closing + math.sqrt(under))
    return t if t <= end else NEVER


@kernel
def disc_box_meeting(
    dx: float, dy: float, ux: float, uy: float, r: float, c: float, s: float, h: float, w: float,
    level: float, end: float,
) -> float:  # fmt: skip
    """Return when a disc, d from a box that stands still, is down at the level, NEVER if not until the end."""
    t = 0.0
    for _ in range(ROUNDS):
        gap, nx, ny = disc_box_cs(dx + ux * t, dy + uy * t, r, 0.0, 0.0, c, s, h, w)
        rate = nx * ux + ny * uy
        if gap - level <= REACHED:
            return t
        if not rate < 0.0:
            return NEVER
        t += (level - gap) / rate  # the gap is convex in time: never too far
        if not t <= end:
            return NEVER
    return NEVER


@kernel
def first_contact(
    xa: float, ya: float, ta: float, xa1: float, ya1: float, ta1: float,
    xb: float, yb: float, tb: float, xb1: float, yb1: float, tb1: float,
    la: float, wa: float, lb: float, wb: float,
) -> float:  # fmt: skip
    """Return the part of their ways, in [0, 1], after which two boxes first touch; NEVER where they do not.

    They move and turn evenly from (x, y, t) to (x1, y1, t1), the shorter way round; 0 where they overlap to begin with.
    """
    ux, uy = xb1 - xb - xa1 + xa, yb1 - yb - ya1 + ya
    return meeting(xb - xa, yb - ya, ta, tb, ux, uy, turn(ta1, ta), turn(tb1, tb), la, wa, lb, wb, 0.0, 1.0)
