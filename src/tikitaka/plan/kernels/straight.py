"""Straight lines in time."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]


@kernel
def trapezoid_time(distance: float, v0: float, v1: float, v_max: float, a: float) -> float:
    """Return the least time for a distance from speed v0 to v1; speeds above v_max count as v_max.

    Who drives away (v0 < 0) brakes first. Where the way is too short for v1, it ends at the nearest speed possible.
    """
    back = min(max(-v0, 0.0), v_max)
    distance += 0.5 * back * back / a
    v0, v1 = min(max(v0, 0.0), v_max), min(max(v1, 0.0), v_max)
    if distance <= 0.0:
        return 0.0
    peak = min(v_max, math.sqrt(a * distance + 0.5 * (v0 * v0 + v1 * v1)))
    if peak < v1:  # too short to reach the end speed
        return (back + math.sqrt(v0 * v0 + 2.0 * a * distance) - v0) / a
    if peak < v0:  # too short to brake
        return (v0 - math.sqrt(v0 * v0 - 2.0 * a * distance)) / a
    ramps = (2.0 * peak * peak - v0 * v0 - v1 * v1) / (2.0 * a)
    return (back + 2.0 * peak - v0 - v1) / a + max(distance - ramps, 0.0) / peak


@kernel
def straight(
    pose: Floats, velocity: Floats, target: Floats, end_speed: Floats, max_speed: Floats,
    v_max: float, a_max: float, now: float, xy: Floats, time: Floats,
) -> None:  # fmt: skip
    """Fill two waypoints a robot: here and now, and the target at the time it can be reached."""
    for i in range(pose.shape[0]):
        dx, dy = target[i, 0] - pose[i, 0], target[i, 1] - pose[i, 1]
        d = norm(dx, dy)
        along = (velocity[i, 0] * dx + velocity[i, 1] * dy) / d if d > 0.0 else 0.0
        limit = max(min(max_speed[i], v_max), 1e-3)
        xy[i, 0, 0], xy[i, 0, 1], xy[i, 1, 0], xy[i, 1, 1] = pose[i, 0], pose[i, 1], target[i, 0], target[i, 1]
        time[i, 0], time[i, 1] = now, now + trapezoid_time(d, along, end_speed[i], limit, a_max)
