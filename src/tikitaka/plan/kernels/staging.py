"""Random scenes for planners: robots all over a pitch, and a start and a target of a given kind.

Rows of a scene: n robots, the ball, then what never moves, the FIELD last. A draw is (key of the scene, attempt,
stream), so each scene can be had alone.

o        obstacles (m, 6) of one scene, see shapes.py; what never moves is there already
n        robots; `mates` of them are ours
f        numbers of the pitch: FACTS names them
k0, k1   key of the scene
a        attempt: a whole scene is thrown away where no ends of its kind are found
g        gaps of a ring of robots [m]: negative where their obstacles overlap
rho      radius of that ring [m]
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.random import key, uniform
from tikitaka.geom.vectors import norm
from tikitaka.plan.kernels.shapes import BOX, CIRCLE, clear, depth, inside

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FREE, BLOCKED, START_INSIDE, TARGET_INSIDE, OUTSIDE, NARROW, UNSOLVABLE, RANDOM = 0, 1, 2, 3, 4, 5, 6, 7
HALF_LENGTH, HALF_WIDTH, BODY, BALL, STOP, OWN_MARGIN, OTHER_MARGIN = 0, 1, 2, 3, 4, 5, 6  # places in f
FACTS = 7
UNKNOWN, NO, YES = -1, 0, 1  # whether there is a path, as far as the way of staging tells

TRIES = 64  # of one place or one pair of ends, before all is thrown away; chosen
FASTEST = 2.0  # [m/s] relative speeds are 0 to this; chosen
FULL = 1.0  # [m/s] from this speed on a margin is full [ERForce, sec. 3]
STOPPED = 0.25  # [1] part of the scenes in which the game is stopped and the ball is kept clear of; chosen
SMALLEST, LARGEST = (
    1e-4,
    2e-2,
)  # [m] gaps of a ring, open or closed; chosen: a tenth of a millimetre to a camera's error
FEWEST, MOST = 5, 9  # robots of a ring; chosen: with fewer nobody has room inside
ASTRAY = 0.5  # [m] how far outside the field a start may lie; chosen


@kernel
def stage_all(seed: int, kind: int, n: int, mates: int, f: Floats, o: Floats, ends: Floats, solvable: Ints) -> None:
    """Fill scenes of one kind: rows of robots and ball in o (count, m, 6), start and target in ends (count, 2, 2)."""
    for i in range(o.shape[0]):
        k0, k1 = key(seed, i)
        a = 0
        while not _stage(k0, k1, a, kind, n, mates, f, o[i], ends[i]):
            a += 1
        solvable[i] = _known(k0, k1, kind)


@kernel
def _known(k0: int, k1: int, kind: int) -> int:
    """Return what is known of a scene because of how it was made."""
    if kind == UNSOLVABLE or (kind == NARROW and not _is_open(k0, k1, kind)):
        return NO
    return YES if kind == FREE else UNKNOWN


@kernel
def _is_open(k0: int, k1: int, kind: int) -> bool:
    """Say whether a ring has a gap: half of those of NARROW scenes have."""
    return kind == NARROW and uniform(k0, k1, 0, 7) < 0.5


@kernel
def _stage(k0: int, k1: int, a: int, kind: int, n: int, mates: int, f: Floats, o: Floats, ends: Floats) -> bool:
    """Draw one scene; say whether it is of its kind."""
    stopped = uniform(k0, k1, a, 8) < STOPPED
    for i in range(n):
        limit = f[OWN_MARGIN] if i < mates else f[OTHER_MARGIN]
        speed = FASTEST * uniform(k0, k1, a, 16 + i)
        o[i, 4], o[i, 5] = 2.0 * f[BODY] + limit * min(speed / FULL, 1.0), CIRCLE
    o[n, 4], o[n, 5] = f[BODY] + (f[STOP] if stopped and f[STOP] > 0.0 else f[BALL]), CIRCLE
    first = 0
    ends[0, 0], ends[0, 1], reach = math.inf, math.inf, 0.0
    if kind in (NARROW, UNSOLVABLE):
        first = min(n, FEWEST + int(uniform(k0, k1, a, 9) * (MOST + 1 - FEWEST)))
        reach = _ring(k0, k1, a, kind, first, f, o, ends)
    for i in range(first, n + 1):
        if not _place(k0, k1, a, i, n, f, o, ends):
            return False
    if kind in (NARROW, UNSOLVABLE):
        return inside(o, o.shape[0], ends[0, 0], ends[0, 1]) < 0 and _other_end(k0, k1, a, reach, o, ends)
    return _ends(k0, k1, a, kind, o, ends)


@kernel
def _ring(k0: int, k1: int, a: int, kind: int, count: int, f: Floats, o: Floats, ends: Floats) -> float:
    """Put the first robots around a point, which is made the start; return how far the ring reaches from it."""
    closed = -(SMALLEST + (LARGEST - SMALLEST) * uniform(k0, k1, a, 10) ** 3)
    g = SMALLEST + (LARGEST - SMALLEST) * uniform(k0, k1, a, 11) ** 3 if _is_open(k0, k1, kind) else closed
    widest = 0.0
    for i in range(count):
        widest = max(widest, o[i, 4])
    low, high = widest + g, float(count) * (widest + LARGEST)
    for _ in range(60):
        rho = 0.5 * (low + high)
        if _turned(count, o, rho, closed, g) > 2.0 * math.pi:
            low = rho
        else:
            high = rho
    rho = 0.5 * (low + high)
    cx = (f[HALF_LENGTH] - rho - widest) * (2.0 * uniform(k0, k1, a, 12) - 1.0)
    cy = (f[HALF_WIDTH] - rho - widest) * (2.0 * uniform(k0, k1, a, 13) - 1.0)
    angle = 2.0 * math.pi * uniform(k0, k1, a, 14)
    for i in range(count):
        _put(o, i, cx + rho * math.cos(angle), cy + rho * math.sin(angle))
        angle += _step(count, o, i, rho, closed, g)
    ends[0, 0], ends[0, 1] = cx, cy
    return rho + widest


@kernel
def _turned(count: int, o: Floats, rho: float, closed: float, g: float) -> float:
    """Return the angle that the robots of a ring take."""
    angle = 0.0
    for i in range(count):
        angle += _step(count, o, i, rho, closed, g)
    return angle


@kernel
def _step(count: int, o: Floats, i: int, rho: float, closed: float, g: float) -> float:
    """Return the angle from robot i of a ring to the next; the last gap may differ."""
    chord = o[i, 4] + o[(i + 1) % count, 4] + (g if i == count - 1 else closed)
    return 2.0 * math.asin(min(1.0, 0.5 * chord / rho))


@kernel
def _place(k0: int, k1: int, a: int, i: int, n: int, f: Floats, o: Floats, ends: Floats) -> bool:
    """Put robot i, or the ball, somewhere: bodies apart, and not over a start that is chosen already."""
    size = f[BODY] if i < n else f[BALL]
    for t in range(TRIES):
        x = (f[HALF_LENGTH] - size) * (2.0 * uniform(k0, k1, a * TRIES + t, 64 + 2 * i) - 1.0)
        y = (f[HALF_WIDTH] - size) * (2.0 * uniform(k0, k1, a * TRIES + t, 65 + 2 * i) - 1.0)
        apart = norm(x - ends[0, 0], y - ends[0, 1]) > o[i, 4]
        for j in range(i):
            apart = apart and norm(x - o[j, 0], y - o[j, 1]) > f[BODY] + size
        if apart:
            _put(o, i, x, y)
            return True
    return False


@kernel
def _put(o: Floats, i: int, x: float, y: float) -> None:
    o[i, 0], o[i, 1], o[i, 2], o[i, 3] = x, y, x, y


@kernel
def _other_end(k0: int, k1: int, a: int, reach: float, o: Floats, ends: Floats) -> bool:
    """Draw the end outside of the ring; which of the two is the start is a matter of luck."""
    cx, cy = ends[0, 0], ends[0, 1]
    for t in range(TRIES):
        x, y = _anywhere(k0, k1, a * TRIES + t, 1, 0.0, o)
        if norm(x - cx, y - cy) > reach and inside(o, o.shape[0], x, y) < 0:
            inner = 0 if uniform(k0, k1, a, 15) < 0.5 else 1
            ends[inner, 0], ends[inner, 1] = cx, cy
            ends[1 - inner, 0], ends[1 - inner, 1] = x, y
            return True
    return False


@kernel
def _ends(k0: int, k1: int, a: int, kind: int, o: Floats, ends: Floats) -> bool:
    """Draw start and target until they are of their kind; say whether they came to be."""
    m = o.shape[0]
    for t in range(TRIES):
        s = a * TRIES + t
        for e in range(2):
            if (kind == START_INSIDE and e == 0) or (kind == TARGET_INSIDE and e == 1):
                ends[e, 0], ends[e, 1] = _within(k0, k1, s, o)
            else:
                away = ASTRAY if kind == RANDOM or (kind == OUTSIDE and e == 0) else 0.0
                ends[e, 0], ends[e, 1] = _anywhere(k0, k1, s, e, away, o)
        if _is_kind(kind, m, o, ends[0, 0], ends[0, 1], ends[1, 0], ends[1, 1]):
            return True
    return False


@kernel
def _is_kind(kind: int, m: int, o: Floats, sx: float, sy: float, tx: float, ty: float) -> bool:
    """Say whether a start and a target make a scene of a kind."""
    if kind == RANDOM:
        return True
    out, held, bad = depth(o[m - 1], sx, sy) > 0.0, inside(o, m, sx, sy) >= 0, inside(o, m, tx, ty) >= 0
    if kind == OUTSIDE:
        return out and not bad
    if kind == START_INSIDE:
        return held and not out and not bad
    if kind == TARGET_INSIDE:
        return bad and not held and depth(o[m - 1], tx, ty) <= 0.0
    return not held and not bad and clear(o, m, sx, sy, tx, ty) == (kind == FREE)


@kernel
def _anywhere(k0: int, k1: int, s: int, end: int, away: float, o: Floats) -> tuple[float, float]:
    """Return a point of the field, or up to `away` outside of it."""
    box = o[o.shape[0] - 1]
    u, v = uniform(k0, k1, s, 2 * end), uniform(k0, k1, s, 2 * end + 1)
    return box[0] - away + u * (box[2] - box[0] + 2.0 * away), box[1] - away + v * (box[3] - box[1] + 2.0 * away)


@kernel
def _within(k0: int, k1: int, s: int, o: Floats) -> tuple[float, float]:
    """Return a point inside one of the obstacles: within r of some point of its core."""
    row = o[int(uniform(k0, k1, s, 4) * float(o.shape[0] - 1))]
    away, angle = row[4] * math.sqrt(uniform(k0, k1, s, 5)), 2.0 * math.pi * uniform(k0, k1, s, 6)
    u, v = uniform(k0, k1, s, 2), uniform(k0, k1, s, 3)
    if row[5] != BOX:  # the core of all but a box is a segment
        v = u
    x, y = row[0] + u * (row[2] - row[0]), row[1] + v * (row[3] - row[1])
    return x + away * math.cos(angle), y + away * math.sin(angle)
