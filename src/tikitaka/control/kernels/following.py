"""All robots of a team: from plans to wheel speeds.

status, xy, count, facing, end_speed, max_speed, kick   the plans and their wishes, one row a robot
law                                                    FAST or SUPER_POSITION
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.control.kernels.fast import drive_differential, drive_omni
from tikitaka.control.kernels.table import BEGIN
from tikitaka.control.kernels.thesis import position_differential, position_omni
from tikitaka.control.kernels.wheels import aim, share_differential, share_omni
from tikitaka.geom.frames import rotate
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import dot

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FAST, SUPER_POSITION = 0, 1


@kernel
def makes_sense(pose: Floats, velocity: Floats, xy: Floats, n: int, end_speed: float, top: float, kick: float) -> bool:
    """Say whether all numbers of a robot and its plan can be driven with; ``top`` may be infinite."""
    here = math.isfinite(pose[0]) and math.isfinite(pose[1]) and math.isfinite(pose[2])
    moves = math.isfinite(velocity[0]) and math.isfinite(velocity[1]) and math.isfinite(velocity[2])
    asks = math.isfinite(end_speed) and math.isfinite(kick) and not math.isnan(top)
    for k in range(n):
        asks = asks and math.isfinite(xy[k, 0]) and math.isfinite(xy[k, 1])
    return here and moves and asks


@kernel
def roll(
    pose: Floats, velocity: Floats, xy: Floats, n: int, facing: float, end_speed: float, top: float, law: int,
    two_faced: bool, limits: Floats, effort: Floats, matrix: Floats, lead: Floats, dt: float, wheels: Floats,
) -> None:  # fmt: skip
    """Fill the wheel speeds of a robot on tyres; n = 0: it brakes."""
    u, w, v1, w1 = dot(velocity[0], velocity[1], math.cos(pose[2]), math.sin(pose[2])), velocity[2], 0.0, 0.0
    if n > 0 and law == FAST:
        v1, w1 = drive_differential(pose, velocity, xy, n, facing, end_speed, top, two_faced, limits, dt)
    elif n > 0:
        v1, w1 = position_differential(pose, xy, n, facing, end_speed, top, two_faced, limits)
    ax, aw = share_differential((v1 - u) / dt, (w1 - w) / dt, u, w, effort, limits)
    aim(u, 0.0, w, ax, 0.0, aw, matrix, lead, limits, dt, wheels)


@kernel
def glide(
    pose: Floats, velocity: Floats, xy: Floats, n: int, facing: float, end_speed: float, top: float, law: int,
    limits: Floats, effort: Floats, matrix: Floats, lead: Floats, dt: float, wheels: Floats,
) -> None:  # fmt: skip
    """Fill the wheel speeds of a robot on omni wheels; n = 0: it brakes."""
    vx, vy, w, tx, ty, w1 = velocity[0], velocity[1], velocity[2], 0.0, 0.0, 0.0
    if n > 0 and law == FAST:
        tx, ty, w1 = drive_omni(pose, velocity, xy, n, facing, end_speed, top, limits, effort, dt)
    elif n > 0:
        tx, ty, w1 = position_omni(pose, xy, n, facing, end_speed, top, limits)
    theta = pose[2] + limits[BEGIN] * w * dt  # the body frame of mid-tick: commands hold for all of it
    ax, ay = rotate((tx - vx) / dt, (ty - vy) / dt, -theta)
    ux, uy = rotate(vx, vy, -theta)
    ax, ay, aw = share_omni(ax, ay, (w1 - w) / dt, ux, uy, effort, limits)
    aim(ux, uy, w, ax, ay, aw, matrix, lead, limits, dt, wheels)


@kernel
def follow(
    pose: Floats, velocity: Floats, status: Ints, xy: Floats, count: Ints, facing: Floats, end_speed: Floats,
    max_speed: Floats, kick: Floats, omni: bool, two_faced: bool, law: int, limits: Floats, effort: Floats,
    matrix: Floats, lead: Floats, dt: float, wheels: Floats, kicks: Floats,
) -> int:  # fmt: skip
    """Fill wheel speeds and kicks of all robots; return how many made no sense and were stopped instead."""
    bad = 0
    for i in range(pose.shape[0]):
        n = count[i] if status[i] > 0 else 0
        if not makes_sense(pose[i], velocity[i], xy[i], n, end_speed[i], max_speed[i], kick[i]):
            bad, kicks[i] = bad + 1, 0.0
            for k in range(wheels.shape[1]):
                wheels[i, k] = 0.0
            continue
        kicks[i], end, top = kick[i], max(end_speed[i], 0.0), max(max_speed[i], 0.0)
        if omni:
            glide(
                pose[i], velocity[i], xy[i], n, facing[i], end, top, law, limits, effort, matrix,
                lead, dt, wheels[i],
            )  # fmt: skip
        else:
            roll(
                pose[i], velocity[i], xy[i], n, facing[i], end, top, law, two_faced, limits, effort,
                matrix, lead, dt, wheels[i],
            )  # fmt: skip
    return bad
