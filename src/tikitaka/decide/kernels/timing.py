"""How long a robot takes: to a place, and to the ball.

pose    (3,)  x, y, theta           v     (2,) or (3,) its velocity
t       [s], with SHARE of the acceleration
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.rolling import STEP
from tikitaka.decide.kernels.table import ACCEL, KICK, OMNI, SPEED, TURN_ACCEL
from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import cross, dot, unit

Floats = NDArray[np.float64]

SHARE = 0.8  # chosen: of the largest acceleration, which no robot has all the time


@kernel
def straight(d: float, u: float, v_end: float, top: float, a: float) -> float:
    """Return the time for a way of d from speed u along it, at most v_end at its end: full speed up, full brake."""
    t = 0.0
    if u < 0.0:
        t, d, u = -u / a, d + 0.5 * u * u / a, 0.0
    u, v_end = min(u, top), min(v_end, top)
    peak = math.sqrt(max(0.0, a * d + 0.5 * (u * u + v_end * v_end)))
    if peak <= max(u, v_end):  # no room to be at most v_end, or to get there
        if u > v_end:
            return t + 2.0 * d / (u + v_end)
        return t + (math.sqrt(u * u + 2.0 * a * d) - u) / a
    peak = min(peak, top)
    ramps = (2.0 * peak * peak - u * u - v_end * v_end) / (2.0 * a)
    return t + (2.0 * peak - u - v_end) / a + max(0.0, d - ramps) / peak


@kernel
def to_place(pose: Floats, v: Floats, x: float, y: float, v_end: float, p: Floats) -> float:
    """Return how long a robot takes to a place where it may have the speed v_end."""
    dx, dy = x - pose[0], y - pose[1]
    d, a = math.sqrt(dx * dx + dy * dy), SHARE * p[ACCEL]
    if d < 1e-6:
        return 0.0
    ux, uy = unit(dx, dy)
    t = straight(d, dot(v[0], v[1], ux, uy), v_end, p[SPEED], a)
    if p[OMNI] > 0.0:
        return float(t + 0.5 * abs(cross(v[0], v[1], ux, uy)) / a)
    phi = abs(turn(math.atan2(uy, ux), pose[2]))
    if p[KICK] <= 0.0 and phi > 0.5 * math.pi:
        phi = math.pi - phi  # back and front are alike
    return t + 2.0 * math.sqrt(phi / float(p[TURN_ACCEL]))


@kernel
def to_ball(pose: Floats, v: Floats, way: Floats, near: float, p: Floats) -> float:
    """Return when a robot first can be within ``near`` of the ball on its way; where never, when it is at its end."""
    last = way.shape[0] - 1
    for k in range(way.shape[0]):
        dx, dy = way[k, 0] - pose[0], way[k, 1] - pose[1]
        d = math.sqrt(dx * dx + dy * dy)
        if d <= near:
            return k * STEP
        part = (d - near) / d
        t = to_place(pose, v, pose[0] + part * dx, pose[1] + part * dy, p[SPEED], p)
        if t <= k * STEP:
            return k * STEP
        still = k < last and way[k + 1, 0] == way[k, 0] and way[k + 1, 1] == way[k, 1]
        if still or k == last:
            return float(max(t, k * STEP))
    return float(last * STEP)
