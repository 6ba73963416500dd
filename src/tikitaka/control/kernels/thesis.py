"""SuperPosition: to a point with an end speed and a maximum speed, the way robots were driven in the thesis.

The thesis prints neither law nor constants [Austro, sec. 2.2]. Ours is a usual one of its time: the speed falls evenly
to the end speed, the turn rate is in proportion to the angle, a robot that has to turn is slower, and none drives
backwards. SLOWS and TURNS were chosen so that robots between random points of its grid are about as fast on average as
its Table 4.6 says: .74, .91 and .97 m/s for .64, .86 and 1.02, at 1, 2 and 3 m/s; theirs also collided.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.control.kernels.table import ACCELERATION, SPEED, TURN_RATE
from tikitaka.control.kernels.ways import ahead_on, length
from tikitaka.geom.angles import turn, wrap
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, norm

Floats = NDArray[np.float64]

SLOWS = 0.25  # share of the acceleration that it brakes with
TURNS = 4.0  # [1/s] turn rate for each radian
AHEAD = 0.1  # [m] of the path that the robot looks ahead
STAYS = 0.01  # [m] nearer than this a robot stays where it is


@kernel
def approach(left: float, end_speed: float, top: float, limits: Floats) -> float:
    """Return the speed with so much left."""
    brakes = 2.0 * SLOWS * limits[ACCELERATION] * left
    return float(min(limits[SPEED], top, math.sqrt(end_speed * end_speed + brakes)))


@kernel
def position_differential(
    pose: Floats, xy: Floats, n: int, facing: float, end_speed: float, top: float, two_faced: bool, limits: Floats
) -> tuple[float, float]:
    """Return forward speed and turn rate towards the point of the path that lies AHEAD."""
    left = length(xy, n)
    if left <= STAYS and end_speed <= 0.0:
        angle = turn(facing, pose[2]) if math.isfinite(facing) else 0.0
        angle = wrap(angle + math.pi) if two_faced and abs(angle) > 0.5 * math.pi else angle
        return 0.0, clamp(TURNS * angle, -limits[TURN_RATE], limits[TURN_RATE])
    dx, dy = ahead_on(xy, n, pose[0], pose[1], AHEAD)
    angle = turn(math.atan2(dy, dx), pose[2])
    speed = approach(left, end_speed, top, limits) * max(math.cos(angle), 0.0)
    return speed, clamp(TURNS * angle, -limits[TURN_RATE], limits[TURN_RATE])


@kernel
def position_omni(
    pose: Floats, xy: Floats, n: int, facing: float, end_speed: float, top: float, limits: Floats
) -> tuple[float, float, float]:
    """Return velocity, in the field frame, and turn rate towards the point of the path that lies AHEAD."""
    left, angle = length(xy, n), turn(facing, pose[2]) if math.isfinite(facing) else 0.0
    spin = clamp(TURNS * angle, -limits[TURN_RATE], limits[TURN_RATE])
    dx, dy = ahead_on(xy, n, pose[0], pose[1], AHEAD)
    d = norm(dx, dy)
    if d == 0.0 or (left <= STAYS and end_speed <= 0.0):
        return 0.0, 0.0, spin
    speed = approach(left, end_speed, top, limits)
    return speed * dx / d, speed * dy / d, spin
