"""All robots of a team: from plans to wheel speeds.

status, xy, count, facing, end_speed, max_speed, kick   the plans and their wishes, one row a robot
law                                                    FAST or SUPER_POSITION
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.control.kernels.fast import drive_differential
from tikitaka.control.kernels.omni import drive_omni
from tikitaka.control.kernels.table import ACCELERATION, BEGIN, GRIP, KNEE, TURN_ACCELERATION
from tikitaka.control.kernels.thesis import position_differential, position_omni
from tikitaka.control.kernels.wheels import (
    IDLE,
    INSISTS_OMNI,
    INSISTS_TYRES,
    ROLLS,
    STILL,
    aim,
    insist,
    share_differential,
    share_omni,
    strain,
)
from tikitaka.geom.angles import wrap
from tikitaka.geom.frames import rotate
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import dot, norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FAST, SUPER_POSITION = 0, 1
SOFTEST = 0.1  # [m/s] chosen: of a kick that is asked for of a robot which is as fast as that already


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
def rests(speed: float, w: float) -> bool:
    """Say whether a robot is as good as at rest: then it is told its speed, which motors hold better than we see."""
    return bool(speed < IDLE and abs(w) < STILL)


@kernel
def roll(
    pose: Floats, velocity: Floats, xy: Floats, n: int, facing: float, end_speed: float, top: float, law: int,
    two_faced: bool, limits: Floats, effort: Floats, dt: float,
) -> tuple[float, float, float, float, bool]:  # fmt: skip
    """Return forward speed and turn rate of a robot on tyres, their accelerations for a tick, and if it rests.

    n = 0: it brakes.
    """
    u, w, v1, w1 = dot(velocity[0], velocity[1], math.cos(pose[2]), math.sin(pose[2])), velocity[2], 0.0, 0.0
    if n > 0 and law == FAST:
        v1, w1 = drive_differential(pose, velocity, xy, n, facing, end_speed, top, two_faced, limits, dt)
    elif n > 0:
        v1, w1 = position_differential(pose, xy, n, facing, end_speed, top, two_faced, limits)
    ax, aw = share_differential((v1 - u) / dt, (w1 - w) / dt, u, w, effort, limits)
    if ax * u < 0.0 and abs(u * w) < ROLLS * limits[GRIP]:
        ax *= insist(abs(ax), abs(v1 - u) / dt, INSISTS_TYRES)
    return u, w, ax, aw, rests(abs(u), w) and rests(abs(v1), w1)


@kernel
def glide(
    pose: Floats, velocity: Floats, xy: Floats, n: int, facing: float, end_speed: float, top: float, law: int,
    limits: Floats, effort: Floats, bounds: Floats, matrix: Floats, dt: float,
) -> tuple[float, float, float, float, float, float, float, bool]:  # fmt: skip
    """Return body velocity ux, uy, w of an omni robot, the accelerations for a tick, and if it rests; n = 0: it brakes.

    The body frame is that of mid-tick: commands hold for all of it.
    """
    vx, vy, w, tx, ty, w1 = velocity[0], velocity[1], velocity[2], 0.0, 0.0, 0.0
    if n > 0 and law == FAST:
        tx, ty, w1 = drive_omni(pose, velocity, xy, n, facing, end_speed, top, limits, bounds, matrix, dt)
    elif n > 0:
        tx, ty, w1 = position_omni(pose, xy, n, facing, end_speed, top, limits)
    theta = pose[2] + limits[BEGIN] * w * dt
    ax, ay = rotate((tx - vx) / dt, (ty - vy) / dt, -theta)
    ux, uy = rotate(vx, vy, -theta)
    wanted = norm(ax, ay)
    ax, ay, aw = share_omni(ax, ay, (w1 - w) / dt, effort, bounds, limits)
    tense = strain(ax, ay, aw, effort)
    if dot(ax, ay, ux, uy) < 0.0:
        more = insist(norm(ax, ay), wanted, INSISTS_OMNI)
        ax, ay = ax * more, ay * more
    return (
        ux,
        uy,
        w,
        ax,
        ay,
        aw,
        tense,
        rests(norm(vx, vy), w) and rests(norm(tx, ty), w1) and wanted < 0.9 * limits[ACCELERATION],
    )


@kernel
def go_on(
    pose: Floats, velocity: Floats, xy: Floats, n: int, ux: float, uy: float, w: float, ax: float, ay: float, aw: float,
    limits: Floats, dt: float,
) -> int:  # fmt: skip
    """Move a robot on by a tick of these accelerations, with the begin of its path; return the waypoints left."""
    h = limits[BEGIN]
    vx, vy, w1 = ux + ax * dt, uy + ay * dt, w + aw * dt
    mid = pose[2] + 0.5 * (h * w + (1.0 - h) * w1) * dt
    dx, dy = rotate((h * ux + (1.0 - h) * vx) * dt, (h * uy + (1.0 - h) * vy) * dt, mid)
    pose[0], pose[1], pose[2] = pose[0] + dx, pose[1] + dy, wrap(pose[2] + (h * w + (1.0 - h) * w1) * dt)
    velocity[0], velocity[1] = rotate(vx, vy, pose[2])
    velocity[2] = w1
    if n > 2 and dot(xy[1, 0] - pose[0], xy[1, 1] - pose[1], xy[1, 0] - xy[0, 0], xy[1, 1] - xy[0, 1]) <= 0.0:
        n -= 1
        for k in range(1, n):
            xy[k, 0], xy[k, 1] = xy[k + 1, 0], xy[k + 1, 1]
    if n > 0:
        xy[0, 0], xy[0, 1] = pose[0], pose[1]
    return n


@kernel
def strength(kick: float, pose: Floats, velocity: Floats) -> float:
    """Return how hard to kick for a ball that leaves so fast: the robot's own speed is added to the kicker's."""
    ahead = velocity[0] * math.cos(pose[2]) + velocity[1] * math.sin(pose[2])
    return float(max(min(kick, SOFTEST), kick - max(0.0, ahead)))


@kernel
def weaken(strength: float, limits: Floats, effort: Floats, own_limits: Floats, own_effort: Floats) -> None:
    """Fill limits and efforts of a robot whose motors have this share of their torque."""
    for k in range(limits.shape[0]):
        own_limits[k] = limits[k]
    own_limits[ACCELERATION] *= strength
    own_limits[TURN_ACCELERATION] *= strength
    own_limits[KNEE] *= strength
    for k in range(effort.shape[0]):
        for axis in range(effort.shape[1]):
            own_effort[k, axis] = effort[k, axis] / strength


@kernel
def follow(
    pose: Floats, velocity: Floats, status: Ints, xy: Floats, count: Ints, facing: Floats, end_speed: Floats,
    max_speed: Floats, kick: Floats, omni: bool, two_faced: bool, law: int, sound: Floats, sound_effort: Floats,
    bounds: Floats, matrix: Floats, lead: Floats, dt: float, late: int, might: Floats, limits: Floats, effort: Floats,
    wheels: Floats, kicks: Floats,
) -> int:  # fmt: skip
    """Fill wheel speeds and kicks of all robots; return how many made no sense and were stopped instead.

    late    ticks after which commands act. What is on its way was found by the same law, so the robots are moved on
            as it says, in place with the begin of their paths, and driven from there.
    might   (n,) share of its torque that each robot has; sound, sound_effort are with all of it, limits, effort scratch
    """
    bad = 0
    for i in range(pose.shape[0]):
        n = count[i] if status[i] > 0 else 0
        if not makes_sense(pose[i], velocity[i], xy[i], n, end_speed[i], max_speed[i], kick[i]):
            bad, kicks[i] = bad + 1, 0.0
            for k in range(wheels.shape[1]):
                wheels[i, k] = 0.0
            continue
        kicks[i], end, top = strength(kick[i], pose[i], velocity[i]), max(end_speed[i], 0.0), max(max_speed[i], 0.0)
        weaken(might[i], sound, sound_effort, limits, effort)
        for tick in range(late + 1):
            if omni:
                ux, uy, w, ax, ay, aw, tense, still = glide(
                    pose[i], velocity[i], xy[i], n, facing[i], end, top, law, limits, effort, bounds, matrix, dt
                )  # fmt: skip
            else:
                ux, w, ax, aw, still = roll(
                    pose[i], velocity[i], xy[i], n, facing[i], end, top, law, two_faced, limits, effort, dt
                )  # fmt: skip
                uy, ay, tense = 0.0, 0.0, 0.0
            if tick < late:
                n = go_on(pose[i], velocity[i], xy[i], n, ux, uy, w, ax, ay, aw, limits, dt)
        if still:
            ux, uy, w, ax, ay, aw = ux + ax * dt, uy + ay * dt, w + aw * dt, 0.0, 0.0, 0.0
            tense = 0.0
        aim(ux, uy, w, ax, ay, aw, tense, effort, matrix, lead, limits, dt, wheels[i])
    return bad
