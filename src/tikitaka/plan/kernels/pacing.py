"""A path becomes a plan in time: as fast as speed, acceleration and the corners allow.

At a corner the robot may be as fast as on the circle that touches both legs at half of the shorter one; the speed
rises and falls along the path with the acceleration, forwards from the start and backwards from the end.

limits      (5,) speed, acceleration, acceleration across the path, turn rate, turn acceleration
speed       (K,) work space: speeds at the waypoints
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import dot, norm
from tikitaka.plan.kernels.straight import trapezoid_time

Floats = NDArray[np.float64]

SPEED, ACCELERATION, ACROSS, TURN_RATE, TURN_ACCELERATION = range(5)  # places in limits
SLOWEST = 0.05  # [m/s] chosen: even around the sharpest corner


@kernel
def corner_speed(
    ax: float, ay: float, bx: float, by: float, cx: float, cy: float, across: float, turn_rate: float
) -> float:
    """Return how fast the corner a-b-c may be taken; infinite where it is straight."""
    p, q = norm(bx - ax, by - ay), norm(cx - bx, cy - by)
    if p == 0.0 or q == 0.0:
        return np.inf
    cos = dot(bx - ax, by - ay, cx - bx, cy - by) / (p * q)
    if cos >= 1.0 - 1e-12:
        return np.inf
    tan_half = math.sqrt((1.0 - cos) / max(1.0 + cos, 1e-12))
    radius = 0.5 * min(p, q) / tan_half
    return max(min(math.sqrt(across * radius), turn_rate * radius), SLOWEST)


@kernel
def time_to_turn(angle: float, rate: float, acceleration: float) -> float:
    """Return the least time to turn by an angle, from rest to rest."""
    angle = abs(angle)
    return trapezoid_time(angle, 0.0, 0.0, rate, acceleration)


@kernel
def pace(
    path: Floats, n: int, velocity: Floats, theta: float, end_speed: float, limit: float, differential: bool,
    two_faced: bool, limits: Floats, now: float, speed: Floats, time: Floats,
) -> None:  # fmt: skip
    """Fill the times at which the n waypoints are reached; the first one is now."""
    time[0] = now
    if n < 2:
        return
    v_max, a = max(min(limit, limits[SPEED]), 1e-3), limits[ACCELERATION]
    dx, dy = path[1, 0] - path[0, 0], path[1, 1] - path[0, 1]
    d = norm(dx, dy)
    along = dot(velocity[0], velocity[1], dx, dy) / d if d > 0.0 else 0.0
    speed[0], speed[n - 1] = min(max(along, 0.0), v_max), min(max(end_speed, 0.0), v_max)
    for k in range(1, n - 1):
        at = corner_speed(
            path[k - 1, 0], path[k - 1, 1], path[k, 0], path[k, 1], path[k + 1, 0], path[k + 1, 1],
            limits[ACROSS], limits[TURN_RATE],
        )  # fmt: skip
        speed[k] = min(v_max, at)
    for k in range(1, n):
        d = norm(path[k, 0] - path[k - 1, 0], path[k, 1] - path[k - 1, 1])
        speed[k] = min(speed[k], math.sqrt(speed[k - 1] * speed[k - 1] + 2.0 * a * d))
    for k in range(n - 2, 0, -1):
        d = norm(path[k + 1, 0] - path[k, 0], path[k + 1, 1] - path[k, 1])
        speed[k] = min(speed[k], math.sqrt(speed[k + 1] * speed[k + 1] + 2.0 * a * d))
    for k in range(1, n):
        d = norm(path[k, 0] - path[k - 1, 0], path[k, 1] - path[k - 1, 1])
        v = along if k == 1 else speed[k - 1]
        time[k] = time[k - 1] + trapezoid_time(d, v, speed[k], v_max, a)
    if differential:
        delay(path, n, theta, two_faced, limits, time)


@kernel
def delay(path: Floats, n: int, theta: float, two_faced: bool, limits: Floats, time: Floats) -> None:
    """Add the time in which a robot that cannot move sideways turns to its path."""
    angle = abs(turn(math.atan2(path[1, 1] - path[0, 1], path[1, 0] - path[0, 0]), theta))
    if two_faced:
        angle = min(angle, math.pi - angle)
    wait = time_to_turn(angle, limits[TURN_RATE], limits[TURN_ACCELERATION])
    for k in range(1, n):
        time[k] += wait
