"""Where the ball will be: it rolls, brakes, comes back from the walls, and stays in a goal.

way     (K, 2)  its places, one every STEP seconds from now on
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.table import BALL, BOUNCE, BRAKE, DAMP, GAP, HALF_X, ROOM_X, ROOM_Y, SLIDE
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]

STEP = 0.05  # [s] chosen: a fast ball rolls 15 cm
STEPS = 50  # so far ahead: 2.5 s
ROLLS = 5.0 / 7.0  # of a kick's speed is left when the ball rolls: a solid sphere [Klancar, Eq. 16]


@kernel
def roll_out(x: float, y: float, vx: float, vy: float, p: Floats, way: Floats) -> None:
    """Fill the ball's way."""
    wall_x, wall_y = p[ROOM_X] - p[BALL], p[ROOM_Y] - p[BALL]
    for k in range(way.shape[0]):
        way[k, 0], way[k, 1] = x, y
        s = norm(vx, vy)
        if s <= 0.0:
            continue
        left = max(0.0, s - (p[BRAKE] + p[DAMP] * s) * STEP)
        mean = 0.5 * (s + left) / s * STEP
        x, y, vx, vy = x + mean * vx, y + mean * vy, vx * left / s, vy * left / s
        if abs(x) > p[HALF_X] and abs(y) < p[GAP]:
            vx, vy = 0.0, 0.0
        elif abs(x) > wall_x:
            x, vx = math.copysign(2.0 * wall_x - abs(x), x), -p[BOUNCE] * vx
        if abs(y) > wall_y:
            y, vy = math.copysign(2.0 * wall_y - abs(y), y), -p[BOUNCE] * vy


@kernel
def at(way: Floats, t: float) -> tuple[float, float]:
    """Return where the ball is in t seconds; its last known place after that."""
    s = max(0.0, t / STEP)
    k = min(int(s), way.shape[0] - 2)
    f = min(1.0, s - k)
    return way[k, 0] + f * (way[k + 1, 0] - way[k, 0]), way[k, 1] + f * (way[k + 1, 1] - way[k, 1])


@kernel
def kick_for(d: float, arrives: float, p: Floats) -> float:
    """Return the speed of a flat kick after which the ball arrives at distance d with this speed: it slides, rolls.

    r = 5/7 of the kick v is left when it rolls, after (v^2 - r^2) / 2 SLIDE; from there r^2 - arrives^2 = 2 BRAKE way.
    """
    brake = p[BRAKE] + p[DAMP] * arrives
    slid = 0.5 * (1.0 - ROLLS * ROLLS) / p[SLIDE]
    return math.sqrt((arrives * arrives + 2.0 * brake * d) / (ROLLS * ROLLS + 2.0 * brake * slid))


@kernel
def travel(d: float, v: float, p: Floats) -> float:
    """Return the time in which a ball kicked at v covers d; infinite where it stops before."""
    slid_t, slid = (1.0 - ROLLS) * v / p[SLIDE], 0.5 * (1.0 - ROLLS * ROLLS) * v * v / p[SLIDE]
    if d <= slid:
        return float((v - math.sqrt(max(0.0, v * v - 2.0 * p[SLIDE] * d))) / p[SLIDE])
    r, brake = ROLLS * v, p[BRAKE] + 0.5 * p[DAMP] * ROLLS * v
    room = r * r - 2.0 * brake * (d - slid)
    if room < 0.0:
        return math.inf
    return float(slid_t + ((d - slid) / r if brake <= 0.0 else (r - math.sqrt(room)) / brake))
