"""What was chosen, written into the plans: a point ahead to drive through, a lower speed, or a brake.

A detour is not a corner of the plan, which would be driven slowly: the plan ends straight ahead at a point, at the
speed that the rest of the way allows, and is another one at the next tick.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.avoid.kernels.dodging import BLOCKED, PARTIAL
from tikitaka.avoid.kernels.options import GO_ON
from tikitaka.avoid.kernels.rolling import (
    ACCELERATION,
    ARCS,
    BRAKES,
    BY,
    BY_X,
    BY_Y,
    CAP,
    OMNI,
    OPTION,
    STEP,
    TURN_ACCELERATION,
    UNTIL,
    WAITED,
    angle_to,
    braked,
    left_of,
    on_arc,
    passed,
    travels,
    turned,
)
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

STILL, AWAY = 0.1, 0.1  # [m/s, m] chosen: a slower robot that has farther to go waits


@kernel
def ahead(pose: Floats, velocity: Floats, x: float, y: float, arcs: bool, limits: Floats) -> tuple[float, float, float]:
    """Return the direction in which to drive to (x, y), and by how much it differs from straight there."""
    dx, dy = x - pose[0], y - pose[1]
    d = norm(dx, dy)
    if d == 0.0:
        return 1.0, 0.0, 0.0
    if limits[OMNI] != 0.0 or not arcs:
        return dx / d, dy / d, 0.0
    c, s = math.cos(pose[2]), math.sin(pose[2])
    u = velocity[0] * c + velocity[1] * s
    phi = travels(angle_to(dx, dy, c, s), u, velocity[2], limits)[0]
    less = on_arc(phi, u, limits[TURN_ACCELERATION]) - phi
    ux, uy = turned(dx / d, dy / d, less)
    return ux, uy, abs(less)


@kernel
def drive_through(
    i: int, x: float, y: float, left: float, arcs: bool, pose: Floats, velocity: Floats, limits: Floats, xy: Floats,
    time: Floats, count: Ints, status: Ints, end: Floats,
) -> bool:  # fmt: skip
    """Let robot i drive towards (x, y) with so much of its own way left; say whether it still has to turn."""
    ux, uy, off = ahead(pose[i], velocity[i], x, y, arcs, limits)
    d = norm(x - pose[i, 0], y - pose[i, 1])
    time[i, 1] = time[i, min(1, count[i] - 1)]
    xy[i, 0, 0], xy[i, 0, 1] = pose[i, 0], pose[i, 1]
    xy[i, 1, 0], xy[i, 1, 1] = pose[i, 0] + d * ux, pose[i, 1] + d * uy
    if left > d:
        end[i] = braked(left - d, end[i], BRAKES * limits[ACCELERATION], limits[STEP])
    count[i], status[i] = 2, PARTIAL
    return off > 0.0


@kernel
def turn_back(
    i: int, pose: Floats, velocity: Floats, limits: Floats, kept: Floats, xy: Floats, time: Floats, count: Ints,
    status: Ints, end: Floats,
) -> None:  # fmt: skip
    """Let robot i, which goes on, come back from a detour in an arc; forget the detour when that is done."""
    x, y, arcs = xy[i, 1, 0], xy[i, 1, 1], kept[i, ARCS] != 0.0
    if count[i] < 2 or ahead(pose[i], velocity[i], x, y, arcs, limits)[2] == 0.0:
        kept[i, ARCS] = 0.0
    else:
        left = left_of(xy[i], count[i]) + norm(x - pose[i, 0], y - pose[i, 1])
        drive_through(i, x, y, left, arcs, pose, velocity, limits, xy, time, count, status, end)


@kernel
def apply(
    pose: Floats, velocity: Floats, free: Bools, chosen: Ints, options: Floats, limits: Floats, kept: Floats,
    dt: float, xy: Floats, time: Floats, count: Ints, status: Ints, reason: Ints, max_speed: Floats, end: Floats,
) -> None:  # fmt: skip
    """Write the chosen options into the plans, and remember them for the next tick, ``dt`` later."""
    for i in range(free.shape[0]):
        if not free[i]:
            for k in range(OPTION):
                kept[i, k] = 0.0
            continue
        far = norm(xy[i, count[i] - 1, 0] - pose[i, 0], xy[i, count[i] - 1, 1] - pose[i, 1])
        stands = norm(velocity[i, 0], velocity[i, 1]) < STILL and far > AWAY
        kept[i, WAITED] = kept[i, WAITED] + dt if stands else max(kept[i, WAITED] - dt, 0.0)
        if chosen[i] == GO_ON:
            kept[i, BY], kept[i, UNTIL] = 0.0, 0.0
            if kept[i, ARCS] != 0.0:
                turn_back(i, pose, velocity, limits[i], kept, xy, time, count, status, end)
            continue
        o = options[i, chosen[i]]
        if o[UNTIL] > 0.0:
            if o[CAP] <= 0.0:
                status[i], reason[i] = 0, BLOCKED
            max_speed[i] = min(max_speed[i], o[CAP])
        x, y, by, arcs = o[BY_X], o[BY_Y], o[BY] != 0.0, o[ARCS] != 0.0
        if by and status[i] != 0:
            k = min(1, count[i] - 1)
            left = left_of(xy[i], count[i]) + norm(xy[i, k, 0] - pose[i, 0], xy[i, k, 1] - pose[i, 1])
            drive_through(i, x, y, left, arcs, pose, velocity, limits[i], xy, time, count, status, end)
        over = not by or passed(norm(x - pose[i, 0], y - pose[i, 1]), norm(velocity[i, 0], velocity[i, 1]))
        kept[i, BY], kept[i, BY_X], kept[i, BY_Y] = 0.0 if over else 1.0, x, y
        kept[i, CAP], kept[i, UNTIL], kept[i, ARCS] = o[CAP], max(o[UNTIL] - dt, 0.0), o[ARCS]
