"""From a path to wheel speeds, one robot at a time.

limits  (5,)  speed, acceleration, turn rate, turn acceleration, wheel speed [rad/s]
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import turn, wrap
from tikitaka.geom.drive import wheels_from_body
from tikitaka.geom.frames import rotate
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, clip_norm, dot, norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

ARRIVED = 0.004  # [m] nearer than this a robot stays where it is
LEAD = 2.5  # wheels follow late: asked for no more than a tick's worth, they would never accelerate fully
AHEAD = 0.15  # [s] chosen: of the way at this speed the robot looks ahead on its path
NEAREST = 0.02  # [m] chosen: and at least so far
DERATE = 0.7  # of the acceleration is planned with when braking, the rest is for errors


@kernel
def braking_speed(distance: float, end_speed: float, a: float, dt: float) -> float:
    """Return the largest speed from which a robot still ends at end_speed, one tick's delay included."""
    b = DERATE * a
    return math.sqrt(b * b * dt * dt / 4.0 + 2.0 * b * distance + end_speed * end_speed) - b * dt / 2.0


@kernel
def turn_speed(angle: float, w_max: float, a: float, dt: float) -> float:
    """Return the turn rate towards an angle that brakes in time."""
    return math.copysign(min(w_max, braking_speed(abs(angle), 0.0, a, dt)), angle)


@kernel
def steer_differential(
    dx: float, dy: float, speed: float, facing: float, theta: float, two_faced: bool, limits: Floats, dt: float
) -> tuple[float, float, float]:
    """Return body velocity towards (dx, dy) of a robot that cannot move sideways; backwards where that is shorter."""
    if norm(dx, dy) <= ARRIVED:
        error = turn(facing, theta) if math.isfinite(facing) else 0.0
        if two_faced and abs(error) > 0.5 * math.pi:
            error = wrap(error + math.pi)
        return 0.0, 0.0, turn_speed(error, limits[2], limits[3], dt)
    error = turn(math.atan2(dy, dx), theta)
    sign = 1.0
    if two_faced and abs(error) > 0.5 * math.pi:
        error, sign = wrap(error + math.pi), -1.0
    ahead = max(0.0, math.cos(error))
    return sign * speed * ahead * ahead, 0.0, turn_speed(error, limits[2], limits[3], dt)


@kernel
def steer_omni(
    dx: float, dy: float, speed: float, facing: float, theta: float, limits: Floats, dt: float
) -> tuple[float, float, float]:
    """Return body velocity towards (dx, dy) of a robot that moves in all directions, turning to face on the way."""
    d = norm(dx, dy)
    vx, vy = rotate(speed * dx / d, speed * dy / d, -theta) if d > ARRIVED else (0.0, 0.0)
    error = turn(facing, theta) if math.isfinite(facing) else 0.0
    return vx, vy, turn_speed(error, limits[2], limits[3], dt)


@kernel
def ease(
    vx: float, vy: float, w: float, theta: float, velocity: Floats, limits: Floats, dt: float
) -> tuple[float, float, float]:
    """Return the body velocity nearest to the wanted one that LEAD ticks of acceleration can reach."""
    nx, ny = rotate(velocity[0], velocity[1], -theta)
    dx, dy = clip_norm(vx - nx, vy - ny, LEAD * limits[1] * dt)
    dw = clamp(w - velocity[2], -LEAD * limits[3] * dt, LEAD * limits[3] * dt)
    ex, ey = clip_norm(nx + dx, ny + dy, limits[0])
    return ex, ey, clamp(velocity[2] + dw, -limits[2], limits[2])


@kernel
def ahead_on(xy: Floats, count: int, x: float, y: float, ahead: float) -> tuple[float, float]:
    """Return the way from (x, y) to the point of a path that lies so far ahead, or to its end."""
    for k in range(1, count):
        dx, dy = xy[k, 0] - xy[k - 1, 0], xy[k, 1] - xy[k - 1, 1]
        d = norm(dx, dy)
        if ahead < d:
            return xy[k - 1, 0] + dx * ahead / d - x, xy[k - 1, 1] + dy * ahead / d - y
        ahead -= d
    return xy[count - 1, 0] - x, xy[count - 1, 1] - y


@kernel
def path_speed(xy: Floats, count: int, end_speed: float, limits: Floats, dt: float) -> float:
    """Return the largest speed from which all corners of a path and its end are taken as slowly as they must be."""
    left, speed = 0.0, np.inf
    for k in range(1, count):
        dx, dy = xy[k, 0] - xy[k - 1, 0], xy[k, 1] - xy[k - 1, 1]
        d = norm(dx, dy)
        left += d
        if k + 1 < count:
            ex, ey = xy[k + 1, 0] - xy[k, 0], xy[k + 1, 1] - xy[k, 1]
            e = norm(ex, ey)
            cos = dot(dx, dy, ex, ey) / (d * e) if d * e > 0.0 else 1.0
            if cos < 1.0 - 1e-9:  # a circle touches both legs at half of the shorter one
                radius = 0.5 * min(d, e) * math.sqrt(max(1.0 + cos, 0.0) / (1.0 - cos))
                slow = min(math.sqrt(limits[1] * radius), limits[2] * radius)
                speed = min(speed, braking_speed(left, slow, limits[1], dt))
    return min(speed, braking_speed(left, end_speed, limits[1], dt))


@kernel
def saturate(wheels: Floats, limit: float) -> None:
    """Scale all wheels of a robot so that none is above the limit: slower, in the same direction."""
    top = 0.0
    for k in range(wheels.shape[0]):
        top = max(top, abs(wheels[k]))
    if top > limit:
        for k in range(wheels.shape[0]):
            wheels[k] *= limit / top


@kernel
def makes_sense(
    pose: Floats, velocity: Floats, dx: float, dy: float, end_speed: float, top: float, kick: float
) -> bool:
    """Say whether all numbers of a robot and its plan can be driven with; ``top`` may be infinite."""
    here = math.isfinite(pose[0]) and math.isfinite(pose[1]) and math.isfinite(pose[2])
    moves = math.isfinite(velocity[0]) and math.isfinite(velocity[1]) and math.isfinite(velocity[2])
    asks = math.isfinite(dx) and math.isfinite(dy) and math.isfinite(end_speed) and math.isfinite(kick)
    return here and moves and asks and not math.isnan(top)


@kernel
def follow(
    pose: Floats, velocity: Floats, status: Ints, xy: Floats, count: Ints, facing: Floats, end_speed: Floats,
    max_speed: Floats, kick: Floats, omni: bool, two_faced: bool, limits: Floats, matrix: Floats, dt: float,
    wheels: Floats, kicks: Floats,
) -> int:  # fmt: skip
    """Fill wheel speeds and kicks of all robots; return how many made no sense and were stopped instead."""
    bad = 0
    for i in range(pose.shape[0]):
        vx, vy, w, dx, dy = 0.0, 0.0, 0.0, 0.0, 0.0
        theta, plans = pose[i, 2], status[i] > 0 and count[i] > 0
        if plans:
            ahead = max(NEAREST, AHEAD * norm(velocity[i, 0], velocity[i, 1]))
            dx, dy = ahead_on(xy[i], count[i], pose[i, 0], pose[i, 1], ahead)
        sound = makes_sense(pose[i], velocity[i], dx, dy, end_speed[i], max_speed[i], kick[i])
        if sound and plans:
            speed = min(limits[0], max_speed[i], path_speed(xy[i], count[i], end_speed[i], limits, dt))
            if omni:
                vx, vy, w = steer_omni(dx, dy, speed, facing[i], theta, limits, dt)
            else:
                vx, vy, w = steer_differential(dx, dy, speed, facing[i], theta, two_faced, limits, dt)
        if sound:
            vx, vy, w = ease(vx, vy, w, theta, velocity[i], limits, dt)
        bad += not sound
        kicks[i] = kick[i] if sound else 0.0
        wheels_from_body(matrix, vx, 0.0 if not omni else vy, w, wheels[i])
        saturate(wheels[i], limits[4])
    return bad
