"""Who does not play the ball stays out of the way of who does.

(x, y)  the player, who drives to t
u       unit vector of that way
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.table import HULL, SPEED
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross, dot, norm, unit

Floats = NDArray[np.float64]

IN_WAY = 2.4  # chosen: hulls between the centres: a mate so near to the player's way is in it
ASIDE = 3.2  # chosen: hulls beside it: he goes there
AHEAD = 12.0  # chosen: hulls: what is farther on the way has time
APART = 2.1  # chosen: hulls between two places
SOON = 0.4  # [s] chosen: a robot at 4 m/s that brakes at 10 m/s^2 stands by then
MEET = 2.3  # chosen: hulls between the centres: who comes so near touches
SLOWS = 0.1  # chosen: of the top speed: who lets another one pass


@kernel
def is_free(i: int, taker: int, x: float, y: float, p: Floats, target: Floats) -> bool:
    """Say whether no mate but ``taker`` has his place where i would have his."""
    for j in range(1, target.shape[0]):
        if j not in (i, taker) and norm(target[j, 0] - x, target[j, 1] - y) < APART * p[HULL]:
            return False
    return True


@kernel
def give_way(pose: Floats, taker: int, p: Floats, target: Floats, max_speed: Floats) -> None:
    """Send mates aside who stand in the way on which ``taker`` drives, or whose places are on it; if there is room."""
    x, y = pose[taker, 0], pose[taker, 1]
    ux, uy = unit(target[taker, 0] - x, target[taker, 1] - y)
    length = min(norm(target[taker, 0] - x, target[taker, 1] - y), AHEAD * p[HULL])
    if length < p[HULL]:
        return
    for i in range(1, pose.shape[0]):
        if i == taker:
            continue
        along, across = dot(pose[i, 0] - x, pose[i, 1] - y, ux, uy), cross(ux, uy, pose[i, 0] - x, pose[i, 1] - y)
        there = cross(ux, uy, target[i, 0] - x, target[i, 1] - y)
        ends = dot(target[i, 0] - x, target[i, 1] - y, ux, uy)
        if 0.0 < along < length + IN_WAY * p[HULL] and abs(across) < IN_WAY * p[HULL]:
            side, far, pace = math.copysign(ASIDE * p[HULL], across), clamp(along, 0.0, length), p[SPEED]
        elif 0.0 < ends < length and abs(there) < IN_WAY * p[HULL]:
            side, far, pace = math.copysign(ASIDE * p[HULL], across), ends, max_speed[i]
        else:
            continue
        ax, ay = x + far * ux - side * uy, y + far * uy + side * ux
        if is_free(i, taker, ax, ay, p, target):
            target[i, 0], target[i, 1], max_speed[i] = ax, ay, pace


@kernel
def meet(pose: Floats, v: Floats, i: int, j: int, p: Floats) -> bool:
    """Say whether i and j will touch soon as they drive now, with j ahead of i."""
    rx, ry, wx, wy = pose[j, 0] - pose[i, 0], pose[j, 1] - pose[i, 1], v[j, 0] - v[i, 0], v[j, 1] - v[i, 1]
    closing = -dot(rx, ry, wx, wy)
    if closing <= 0.0 or dot(v[i, 0], v[i, 1], rx, ry) <= 0.0:
        return False
    t = min(SOON, closing / (wx * wx + wy * wy))
    return bool(norm(rx + wx * t, ry + wy * t) < MEET * p[HULL])


@kernel
def let_pass(pose: Floats, v: Floats, taker: int, p: Floats, max_speed: Floats) -> None:
    """Slow down who would run into a mate; of two who would meet head-on one, and never ``taker``."""
    for i in range(1, pose.shape[0]):
        for j in range(1, pose.shape[0]):
            first = j == taker or j < i or not meet(pose, v, j, i, p)
            if i not in (j, taker) and first and meet(pose, v, i, j, p):
                max_speed[i] = min(max_speed[i], SLOWS * p[SPEED])
