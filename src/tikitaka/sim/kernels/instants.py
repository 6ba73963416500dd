"""Moments between two ticks, and delays.

old_pose, old_velocity, old_ball are of the tick before. ``age`` is the share of a tick by which a moment lies before
its end: 0 is now, 1 the tick before.
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import turn, wrap
from tikitaka.geom.jit import kernel
from tikitaka.geom.random import log_unit, uniform

Floats = NDArray[np.float64]

X, Y, VX, VY, Z, VZ = range(6)  # of the ball


@kernel
def delay(k0: int, k1: int, step: int, stream: int, latency: float, jitter: float) -> float:
    """Return the latency and an exponentially distributed rest of mean ``jitter``."""
    if jitter == 0.0:
        return latency
    return latency - jitter * log_unit(1.0 - uniform(k0, k1, step, stream))


@kernel
def at_age(p0: float, v0: float, p1: float, v1: float, dt: float, age: float) -> float:
    """Return where something was a share ``age`` of a tick before its end: the cubic through both ends."""
    u = 1.0 - age
    ends = p0 + (p1 - p0) * u * u * (3.0 - 2.0 * u)
    return ends + dt * u * age * (v0 * age - v1 * u)


@kernel
def pose_at(
    e: int, i: int, dt: float, age: float, old_pose: Floats, old_velocity: Floats, pose: Floats, velocity: Floats
) -> tuple[float, float, float]:
    """Return the pose of robot i a share ``age`` of a tick before its end."""
    x, y, theta = pose[e, i, 0], pose[e, i, 1], pose[e, i, 2]
    if age == 0.0:
        return x, y, theta
    x = at_age(old_pose[e, i, 0], old_velocity[e, i, 0], x, velocity[e, i, 0], dt, age)
    y = at_age(old_pose[e, i, 1], old_velocity[e, i, 1], y, velocity[e, i, 1], dt, age)
    start = theta - turn(theta, old_pose[e, i, 2])
    return x, y, wrap(at_age(start, old_velocity[e, i, 2], theta, velocity[e, i, 2], dt, age))


@kernel
def ball_at(e: int, dt: float, age: float, old: Floats, ball: Floats) -> tuple[float, float, float]:
    """Return place and height of the ball a share ``age`` of a tick before its end."""
    x, y, z = ball[e, X], ball[e, Y], 0.0
    flies = ball.shape[1] > VZ
    if flies:
        z = ball[e, Z]
    if age > 0.0:
        x = at_age(old[e, X], old[e, VX], x, ball[e, VX], dt, age)
        y = at_age(old[e, Y], old[e, VY], y, ball[e, VY], dt, age)
        if flies:
            z = max(0.0, at_age(old[e, Z], old[e, VZ], z, ball[e, VZ], dt, age))
    return x, y, z
