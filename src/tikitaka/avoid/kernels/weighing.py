"""What it costs that two motions come too near, or that one leaves the pitch.

a, b    (s, 2)  places of two robots, a step apart; the first row is now
box     (PARTS, BOX)  of each part of such a motion, its ends included: least and greatest x, y, and the greatest speed
        |vx| + |vy|
touch   distance of the centres at which they may touch
rules   (9,)    columns below
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, dot, norm

Floats = NDArray[np.float64]

ROOM, FAST, GROW, GROW_OTHERS, NEAR, PART, KEEP, EDGE_X, EDGE_Y = 0, 1, 2, 3, 4, 5, 6, 7, 8  # of rules
HIT = 10.0  # [s] chosen: what a collision costs; one at the end of the horizon half of it
GIVE, START = 0.004, 0.25  # [m, s] chosen: robots that touch may press so much, and part so much later
WIDEST = 6.0  # [m/s] chosen: faster robots need no more room
OUT = 5.0  # [s] chosen: what leaving the pitch costs
PARTS = 5  # chosen: of a motion; those of two motions that are far apart are not looked at step by step
BOX = 5
HAIR = 1e-9  # [m] more than rounding


@kernel
def nearest_pass(ax: float, ay: float, bx: float, by: float) -> float:
    """Return how near the origin a point comes that goes from a to b."""
    dx, dy = bx - ax, by - ay
    d = dot(dx, dy, dx, dy)
    s = clamp(-dot(ax, ay, dx, dy) / d, 0.0, 1.0) if d > 0.0 else 0.0
    return norm(ax + s * dx, ay + s * dy)


@kernel
def fill_boxes(track: Floats, dt: float, box: Floats) -> None:
    """Fill where each part of a motion is at most, and how fast."""
    size = (track.shape[0] + PARTS - 2) // PARTS
    for p in range(PARTS):
        begin = min(p * size, track.shape[0] - 1)
        x, y, hop = track[begin, 0], track[begin, 1], 0.0
        low_x, high_x, low_y, high_y = x, x, y, y
        for s in range(begin + 1, min(begin + size, track.shape[0] - 1) + 1):
            hop = max(hop, abs(track[s, 0] - x) + abs(track[s, 1] - y))
            x, y = track[s, 0], track[s, 1]
            low_x, high_x, low_y, high_y = min(low_x, x), max(high_x, x), min(low_y, y), max(high_y, y)
        box[p, 0], box[p, 1], box[p, 2], box[p, 3], box[p, 4] = low_x, high_x, low_y, high_y, hop / dt


@kernel
def are_apart(a: Floats, b: Floats, p: int, wide: float) -> bool:
    """Say whether two motions are farther apart than that in part p, by their boxes."""
    aside: bool = a[p, 0] - b[p, 1] > wide or b[p, 0] - a[p, 1] > wide
    above: bool = a[p, 2] - b[p, 3] > wide or b[p, 2] - a[p, 3] > wide
    return aside or above


@kernel
def clash(
    a: Floats, b: Floats, box_a: Floats, box_b: Floats, spans: float, touch: float, rules: Floats, grow: float,
    dt: float,
) -> tuple[float, float]:  # fmt: skip
    """Return what two motions cost for coming too near, and when they touch, or else come nearest; infinity: never.

    ``spans`` is how far both get from where they are. Robots that are too near now are only asked to part, at PART.
    """
    steps = a.shape[0]
    now, most = norm(b[0, 0] - a[0, 0], b[0, 1] - a[0, 1]), touch + rules[ROOM]
    worst, first, hit, wide = 0.0, np.inf, False, most + rules[FAST] * WIDEST + grow * dt * steps
    if not now < spans + wide:
        return worst, first
    size, slack = (steps + PARTS - 2) // PARTS, now - GIVE if now < wide else np.inf
    for part in range(PARTS):
        begin, end = min(part * size, steps - 1), min(part * size + size, steps - 1)
        speed = box_a[part, 4] + box_b[part, 4]
        wide = most + grow * (end * dt) + rules[FAST] * min(speed, WIDEST)
        wide = min(wide, slack + rules[PART] * max(end * dt - START, 0.0)) + HAIR
        if are_apart(box_a, box_b, part, wide):
            continue
        far = wide + speed * dt
        for s in range(begin + 1, end + 1):
            px, py = b[s, 0] - a[s, 0], b[s, 1] - a[s, 1]
            if px * px + py * py > far * far:
                continue
            x, y = b[s - 1, 0] - a[s - 1, 0], b[s - 1, 1] - a[s - 1, 1]
            cost, touches = too_near(x, y, px, py, s * dt, 1.0 - 0.5 * s / steps, slack, most, touch, rules, grow, dt)
            if cost > worst:
                worst = cost
                first = first if hit else s * dt
            hit = hit or touches
    return worst, first


@kernel
def too_near(
    x: float, y: float, px: float, py: float, t: float, late: float, slack: float, most: float, touch: float,
    rules: Floats, grow: float, dt: float,
) -> tuple[float, bool]:  # fmt: skip
    """Return what it costs that one robot passes another from (x, y) to (px, py) until t, and whether they touch.

    late    1 now, and less for later
    slack   room that is asked for now; infinity: all of it
    """
    hop = abs(px - x) + abs(py - y)
    room, limit = most + grow * t + rules[FAST] * min(hop / dt, WIDEST), touch
    slack += rules[PART] * max(t - START, 0.0)
    room, limit = min(room, slack), min(limit, slack)
    hop += room
    if not px * px + py * py < hop * hop:
        return 0.0, False
    d = nearest_pass(x, y, px, py)
    if d >= room:
        return 0.0, False
    if d < limit:
        return HIT * late * (1.0 + (1.0 - d / touch)), True
    lacks = (room - d) / (room - limit)
    return rules[NEAR] * late * lacks * lacks, False


@kernel
def outside(track: Floats, rules: Floats) -> float:
    """Return what it costs that a motion leaves the pitch, or goes farther out than it is."""
    far_x, far_y = max(rules[EDGE_X], abs(track[0, 0])), max(rules[EDGE_Y], abs(track[0, 1]))
    for s in range(1, track.shape[0]):
        if abs(track[s, 0]) > far_x or abs(track[s, 1]) > far_y:
            return OUT
    return 0.0


@kernel
def span(track: Floats) -> float:
    """Return how far from its first place a motion gets."""
    far = 0.0
    for s in range(1, track.shape[0]):
        x, y = track[s, 0] - track[0, 0], track[s, 1] - track[0, 1]
        far = max(far, x * x + y * y)
    return math.sqrt(far)
