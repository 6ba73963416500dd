"""Is the way free? For shots, passes and robots.

margin  [m] by which a ball passes the opponent that comes nearest to it; negative: he gets it
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.table import ACCEL, BALL, CAREFUL, GAP, HALF_X, HULL, OMNI, SPEED
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, norm, unit

Floats = NDArray[np.float64]

REACTION = 0.12  # [s] chosen: cameras, radio and wheels, before an opponent moves
EFFORT, AGILE = 0.5, 0.8  # chosen: share of what an opponent could do that is reckoned with; of an omni robot
POINTS = 9  # of the goal mouth that are looked at
FAR = 9.0  # [m] margin where nobody is
SURE = 0.25  # [m] chosen: a ball that passes by this is not reached; by minus this it is
POST = 0.1  # [m] chosen: a careful team aims so far inside the posts, shots miss their aim by about that
SHARP = 0.05  # [m] measured in ssl-a: of 23 shots with a margin 19 went in, of 147 below minus this 6


@kernel
def lane(
    bx: float, by: float, tx: float, ty: float, speed: float, theirs: Floats, their_v: Floats, skip: int, p: Floats
) -> float:
    """Return the margin of a ball that rolls from b to t at this speed; robot ``skip`` does not count."""
    ux, uy = unit(tx - bx, ty - by)
    length, best, effort = norm(tx - bx, ty - by), FAR, AGILE if p[OMNI] > 0.0 else EFFORT
    for j in range(theirs.shape[0]):
        rx, ry = theirs[j, 0] - bx, theirs[j, 1] - by
        along = rx * ux + ry * uy
        if j == skip or along < -p[HULL] or along > length + 2.0 * p[HULL]:
            continue
        along = clamp(along, 0.0, length)
        t = max(0.0, along / speed - REACTION)
        qx, qy = bx + along * ux, by + along * uy
        px, py = theirs[j, 0] + t * EFFORT * their_v[j, 0], theirs[j, 1] + t * EFFORT * their_v[j, 1]
        moves = effort * min(0.5 * p[ACCEL] * t * t, p[SPEED] * t)
        best = min(best, norm(px - qx, py - qy) - p[HULL] - p[BALL] - moves)
    return best


@kernel
def chance(margin: float) -> float:
    """Return how likely a ball of this margin gets through."""
    return clamp(0.5 + 0.5 * margin / SURE, 0.0, 1.0)


@kernel
def opening(bx: float, by: float, speed: float, theirs: Floats, their_v: Floats, p: Floats) -> tuple[float, float]:
    """Return where in their goal a shot from b goes in best, y, and by which margin."""
    best_y, best = 0.0, -FAR
    edge = p[GAP] - 1.5 * p[BALL]
    for k in range(POINTS):
        y = edge * (2.0 * k / (POINTS - 1.0) - 1.0)
        m = lane(bx, by, p[HALF_X] + p[BALL], y, speed, theirs, their_v, -1, p)
        m = min(m, 0.5 * (p[GAP] - abs(y)) + p[BALL])
        if p[CAREFUL] > 0.0:
            m -= max(0.0, POST - (p[GAP] - abs(y) - p[BALL]))
        if m > best + 1e-9:
            best_y, best = y, m
    return best_y, best


@kernel
def view(bx: float, by: float, p: Floats) -> float:
    """Return how good the angle is under which their goal is seen from b, from 0 to 1."""
    far, near = p[GAP] - by, -p[GAP] - by
    dx = max(p[HALF_X] - bx, 0.01)
    angle = math.atan2(far, dx) - math.atan2(near, dx)
    return clamp(angle / 0.6, 0.0, 1.0)  # chosen: 34 degrees and more are as good as can be


@kernel
def scores(bx: float, by: float, speed: float, theirs: Floats, their_v: Floats, p: Floats) -> float:
    """Return how likely a shot from b is a goal: the margin, the angle under which the goal is seen, the time."""
    return chance(opening(bx, by, speed, theirs, their_v, p)[1]) * view(bx, by, p)


@kernel
def crowd(x: float, y: float, tx: float, ty: float, pose: Floats, skip: int, other: Floats, p: Floats) -> float:
    """Return how many robots stand in the straight way from (x, y) to t, those half in it half."""
    n = 0.0
    ux, uy = unit(tx - x, ty - y)
    length = norm(tx - x, ty - y)
    for k in range(pose.shape[0] + other.shape[0]):
        if k == skip:
            continue
        ours = k < pose.shape[0]
        rx = (pose[k, 0] if ours else other[k - pose.shape[0], 0]) - x
        ry = (pose[k, 1] if ours else other[k - pose.shape[0], 1]) - y
        along = rx * ux + ry * uy
        if 0.0 < along < length:
            n += clamp(2.0 - abs(rx * uy - ry * ux) / (1.5 * p[HULL]), 0.0, 1.0)
    return n
