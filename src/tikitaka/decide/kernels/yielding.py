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


@kernel
def give_way(pose: Floats, taker: int, p: Floats, target: Floats, max_speed: Floats) -> None:
    """Send mates aside who stand in the way on which ``taker`` drives, or whose places are on it."""
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
            side, far = math.copysign(ASIDE * p[HULL], across), clamp(along, 0.0, length)
            max_speed[i] = p[SPEED]
        elif 0.0 < ends < length and abs(there) < IN_WAY * p[HULL]:
            side, far = math.copysign(ASIDE * p[HULL], across), ends
        else:
            continue
        target[i, 0], target[i, 1] = x + far * ux - side * uy, y + far * uy + side * ux
