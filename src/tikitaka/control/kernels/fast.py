"""The fast law: as fast along the path as wheels, tyres and motors allow, and there at once.

A law returns the velocity that is wanted at the end of the tick. Along the path it is the largest from which corners
and end can still be taken; across it the robot aims at a point that it reaches after LOOK ticks.

u, w    forward speed and turn rate now
phi     angle from the robot's travelling face to the point that it aims at
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.control.kernels.closing import turning_rate, turning_time
from tikitaka.control.kernels.table import ACCELERATION, BEGIN, GRIP, SPEED, TURN_ACCELERATION, TURN_RATE
from tikitaka.control.kernels.ways import ahead_on, length, path_speed
from tikitaka.control.kernels.wheels import STEERS
from tikitaka.geom.angles import turn, wrap
from tikitaka.geom.frames import rotate
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, dot, norm

Floats = NDArray[np.float64]

ARRIVED = 0.004  # [m] chosen: nearer than this a robot stays where it is
NEAR = 0.03  # [m] chosen: so near every robot may drive backwards
LOOK = 3.0  # ticks that the point aimed at lies ahead
NEAREST = 0.02  # [m] chosen: and at least so far
ALONG = 1e-6  # [rad] who is so little off its way need not turn
SWING = 0.012  # [m] chosen: a robot that turns to its path while it drives leaves it by so much, at most
CIRCLES = 0.25  # chosen: and by no more than this share of what is left, or it would circle around its target
ASIDE = 0.7  # chosen: share of the grip that steering takes; as much is left for braking
TIMELY = 6.0  # chosen: a turn that takes all the time of the drive needs 4 angles over its square
GENTLY = 0.1  # chosen: share of the turn acceleration that is used even so
HEADINGS = 4  # on the way to the one to face, at which the motors are asked what they can give
ALIGNED = 0.1  # [rad] chosen: nearer to it the motors need not keep their share for turning


@kernel
def face(phi: float, u: float, w: float, limits: Floats) -> bool:
    """Say whether it takes less time to travel backwards: to turn, and to change the speed that one has."""
    rate, a = limits[TURN_RATE], limits[TURN_ACCELERATION]
    fore = turning_time(phi, w, rate, a) + max(-u, 0.0) / limits[ACCELERATION]
    back = turning_time(wrap(phi + math.pi), w, rate, a) + max(u, 0.0) / limits[ACCELERATION]
    return bool(back < fore)


@kernel
def spin_at(theta: float, facing: float, w: float, two_faced: bool, limits: Floats, dt: float) -> float:
    """Return the turn rate of a robot that has arrived; a NaN to face means any heading."""
    if not math.isfinite(facing):
        return 0.0
    angle = turn(facing, theta)
    if two_faced and abs(angle) > 0.5 * math.pi:
        angle = wrap(angle + math.pi)
    return turning_rate(angle, w, limits[TURN_RATE], limits[TURN_ACCELERATION], limits[BEGIN], dt)


@kernel
def steer(phi: float, u: float, w: float, limits: Floats, dt: float) -> float:
    """Return the turn rate that brings the point aimed at ahead in half of LOOK, and brakes in time."""
    h, gain = limits[BEGIN], 2.0 / (LOOK * dt)
    rate = gain * (phi - h * w * dt) / (1.0 + gain * (1.0 - h) * dt)
    most = abs(turning_rate(phi, w, limits[TURN_RATE], limits[TURN_ACCELERATION], h, dt))
    most = min(most, ASIDE * limits[GRIP] / max(abs(u), 1e-6))
    return clamp(rate, -most, most)


@kernel
def drive_differential(
    pose: Floats, velocity: Floats, xy: Floats, n: int, facing: float, end_speed: float, top: float, two_faced: bool,
    limits: Floats, dt: float,
) -> tuple[float, float]:  # fmt: skip
    """Return the forward speed and turn rate to have at the end of the tick."""
    x, y, theta, w = pose[0], pose[1], pose[2], velocity[2]
    u = dot(velocity[0], velocity[1], math.cos(theta), math.sin(theta))
    left = norm(xy[n - 1, 0] - x, xy[n - 1, 1] - y)
    if end_speed <= 0.0 and left <= ARRIVED and length(xy, n) <= 2.0 * ARRIVED:
        return 0.0, spin_at(theta, facing, w, two_faced, limits, dt)
    dx, dy = ahead_on(xy, n, x, y, max(NEAREST, LOOK * dt * abs(u)))
    phi, sign = turn(math.atan2(dy, dx), theta), 1.0
    if (two_faced or left < NEAR) and face(phi, u, w, limits):
        phi, sign = wrap(phi + math.pi), -1.0
    speed = path_speed(xy, n, sign * u, end_speed, limits[ACCELERATION], limits[TURN_ACCELERATION], limits, dt)
    speed = min(limits[SPEED], top, speed)
    if abs(phi) >= 0.5 * math.pi:
        speed = 0.0
    elif abs(phi) > ALONG:  # a turn takes 2 sqrt(phi / a), half of phi off the way on average
        speed = min(speed, min(SWING, CIRCLES * left) * math.sqrt(limits[TURN_ACCELERATION] / abs(phi)) / abs(phi))
    return sign * speed, steer(phi, u, w, limits, dt)


@kernel
def pull(dx: float, dy: float, theta: float, effort: Floats, limits: Floats) -> float:
    """Return the acceleration that omni wheels can give along a direction of the field."""
    d = norm(dx, dy)
    bx, by = rotate(dx, dy, -theta)
    most = d / limits[ACCELERATION]
    for k in range(effort.shape[0]):
        most = max(most, abs(effort[k, 0] * bx + effort[k, 1] * by))
    return float(d / most if d > 0.0 else limits[ACCELERATION])


@kernel
def turn_on_the_way(
    dx: float, dy: float, theta: float, w: float, facing: float, along: float, left: float, effort: Floats,
    limits: Floats, dt: float,
) -> tuple[float, float]:  # fmt: skip
    """Return the turn rate of an omni robot, and the acceleration that it has along its way while it turns.

    It turns no harder than it must to be done before the end: motors that turn cannot drive.
    """
    a = pull(dx, dy, theta, effort, limits)
    if not math.isfinite(facing):
        return 0.0, a
    angle, most = turn(facing, theta), limits[TURN_ACCELERATION]
    for k in range(1, HEADINGS + 1):
        a = min(a, pull(dx, dy, theta + k * angle / HEADINGS, effort, limits))
    time = turning_time(left, along, limits[SPEED], a)
    hard = clamp(TIMELY * abs(angle) / max(time * time, 1e-6), GENTLY * most, most)
    turns = min(1.0, max(abs(angle) / ALIGNED, abs(w)))
    return turning_rate(angle, w, limits[TURN_RATE], hard, limits[BEGIN], dt), a * (1.0 - STEERS * turns)


@kernel
def drive_omni(
    pose: Floats, velocity: Floats, xy: Floats, n: int, facing: float, end_speed: float, top: float, limits: Floats,
    effort: Floats, dt: float,
) -> tuple[float, float, float]:  # fmt: skip
    """Return the velocity, in the field frame, and the turn rate to have at the end of the tick."""
    vx, vy, h, left = velocity[0], velocity[1], limits[BEGIN], length(xy, n)
    dx, dy = ahead_on(xy, n, pose[0], pose[1], max(NEAREST, LOOK * dt * norm(vx, vy)))
    ex, ey = dx - h * dt * vx, dy - h * dt * vy  # from where the robot drifts to anyway
    d, e = norm(dx, dy), norm(ex, ey)
    along = dot(vx, vy, dx, dy) / d if d > 0.0 else 0.0
    spin, a = turn_on_the_way(dx, dy, pose[2], velocity[2], facing, along, left, effort, limits, dt)
    if d == 0.0 or e == 0.0 or (end_speed <= 0.0 and left <= ARRIVED):
        return 0.0, 0.0, spin
    speed = min(limits[SPEED], top, path_speed(xy, n, along, end_speed, a, np.inf, limits, dt))
    if speed < 0.0:  # beyond the end, or as good as
        return speed * dx / d, speed * dy / d, spin
    return speed * ex / e, speed * ey / e, spin
