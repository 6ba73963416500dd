"""Passes over opponents: the ball flies over who stands between, lands before the mate and rolls to him.

h       height of the ball's middle at which it passes over a robot
t       time after the kick
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.lanes import FAR, REACTION, chance
from tikitaka.decide.kernels.mapping import ball_worth, loss
from tikitaka.decide.kernels.table import ACCEL, BALL, HALF_X, HALF_Y, HULL, KICK, LIFT, SPEED
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, dot, norm, unit

Floats = NDArray[np.float64]

GRAVITY = 9.81  # [m/s^2]
TALL = 0.15  # [m] SSL rules: no robot is taller
LIFTS = 3.0  # [m/s] chosen: the ball rises to 0.46 m and is in the air for 0.6 s
LANDS = 0.65  # chosen: of the way, there the ball comes down
CLEARS = 5.5  # [m] chosen: a ball before our goal is chipped so far, at nearly the fastest
VEERS = 0.3  # [rad] chosen: from one way out to the next
AROUND = 0.15  # chosen: what a radian around the ball costs who is in a hurry
OUT = 0.3  # chosen: what it costs that the ball goes out of the field
CHIPPED = 0.7  # chosen: how much a ball that bounces is worth of one that rolls


@kernel
def chip_for(d: float, p: Floats) -> tuple[float, float]:
    """Return the speed along the ground and upwards of a chip whose ball rolls to a mate at distance d."""
    up = min(LIFTS, p[LIFT])
    return min(LANDS * d * GRAVITY / (2.0 * up), 0.9 * p[KICK]), up


@kernel
def flies(speed: float, up: float, p: Floats) -> tuple[float, float]:
    """Return from where to where on its way a chipped ball is above all robots; both 0: nowhere."""
    h = TALL + p[BALL]
    room = up * up - 2.0 * GRAVITY * h
    if room <= 0.0:
        return 0.0, 0.0
    return speed * (up - math.sqrt(room)) / GRAVITY, speed * (up + math.sqrt(room)) / GRAVITY


@kernel
def over(bx: float, by: float, tx: float, ty: float, theirs: Floats, p: Floats) -> tuple[bool, float]:
    """Return whether a chip from b to t passes over somebody, and the margin to the nearest who is not passed over."""
    ux, uy = unit(tx - bx, ty - by)
    length, best, passes = norm(tx - bx, ty - by), FAR, False
    speed, up = chip_for(length, p)
    rises, falls = flies(speed, up, p)
    for j in range(theirs.shape[0]):
        rx, ry = theirs[j, 0] - bx, theirs[j, 1] - by
        along, across = rx * ux + ry * uy, abs(ux * ry - uy * rx)
        if along < -p[HULL] or along > length + 2.0 * p[HULL]:
            continue
        if rises + p[HULL] < along < falls - p[HULL]:
            passes = passes or across < p[HULL] + p[BALL]
            continue
        t = max(0.0, max(0.0, along) / speed - REACTION)
        moves = min(0.5 * p[ACCEL] * t * t, p[SPEED] * t)
        best = min(best, across - p[HULL] - p[BALL] - moves)
    return passes, best


@kernel
def chip_worth(
    bx: float, by: float, x: float, y: float, theirs: Floats, their_v: Floats, p: Floats
) -> tuple[float, float]:
    """Return what a pass over somebody from b to a place is worth, and how likely it gets there."""
    passes, margin = over(bx, by, x, y, theirs, p)
    through = CHIPPED * chance(margin) if passes else 0.0
    if through <= 0.0:
        return 0.0, 0.0
    return through * ball_worth(x, y, theirs, their_v, p) - (1.0 - through) * loss(bx, by, x, y, p), through


@kernel
def way_out(me: Floats, bx: float, by: float, theirs: Floats, p: Floats) -> tuple[float, float]:
    """Return where a robot best chips a ball at b that must get away from our goal: over them, soon, and not out."""
    ax, ay = unit(bx + p[HALF_X], by)
    ax, ay = unit(ax + 1.0, ay)
    ux, uy = unit(bx - me[0], by - me[1])
    best, tx, ty = -math.inf, bx, by
    for k in range(-4, 5):
        c, s = math.cos(VEERS * k), math.sin(VEERS * k)
        dx, dy = c * ax - s * ay, s * ax + c * ay
        x, y = bx + CLEARS * dx, by + CLEARS * dy
        worth = chance(over(bx, by, x, y, theirs, p)[1]) - (OUT if abs(y) > p[HALF_Y] else 0.0)
        worth -= AROUND * math.acos(clamp(dot(ux, uy, dx, dy), -1.0, 1.0))
        if worth > best:
            best, tx, ty = worth, x, y
    return tx, ty
