"""What it costs that two motions come too near, or that one leaves the pitch.

a, b    (s, 2)  places of two robots, a step apart; the first row is now
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


@kernel
def nearest_pass(ax: float, ay: float, bx: float, by: float) -> float:
    """Return how near the origin a point comes that goes from a to b."""
    dx, dy = bx - ax, by - ay
    d = dot(dx, dy, dx, dy)
    s = clamp(-dot(ax, ay, dx, dy) / d, 0.0, 1.0) if d > 0.0 else 0.0
    return norm(ax + s * dx, ay + s * dy)


@kernel
def clash(
    a: Floats, b: Floats, spans: float, touch: float, rules: Floats, grow: float, dt: float
) -> tuple[float, float]:
    """Return what two motions cost for coming too near, and when they touch, or else come nearest; infinity: never.

    ``spans`` is how far both get from where they are. Robots that are too near now are only asked to part, at PART.
    """
    steps = a.shape[0]
    x, y = b[0, 0] - a[0, 0], b[0, 1] - a[0, 1]
    now, most = norm(x, y), touch + rules[ROOM]
    worst, first, hit, wide = 0.0, np.inf, False, most + rules[FAST] * WIDEST + grow * dt * steps
    if not now < spans + wide:
        return worst, first
    near = now < wide
    for s in range(1, steps):
        px, py = b[s, 0] - a[s, 0], b[s, 1] - a[s, 1]
        t = s * dt
        hop = abs(px - x) + abs(py - y)
        room, limit = most + grow * t + rules[FAST] * min(hop / dt, WIDEST), touch
        if near:
            slack = now - GIVE + rules[PART] * max(t - START, 0.0)
            room, limit = min(room, slack), min(limit, slack)
        hop += room
        d = nearest_pass(x, y, px, py) if px * px + py * py < hop * hop else room
        x, y = px, py
        if d >= room:
            continue
        late = 1.0 - 0.5 * s / steps
        lacks = (room - d) / (room - limit) if d >= limit else 1.0 - d / touch
        cost = HIT * late * (1.0 + lacks) if d < limit else rules[NEAR] * late * lacks * lacks
        if cost > worst:
            worst = cost
            first = first if hit else t
        hit = hit or d < limit
    return worst, first


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
