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
from tikitaka.control.kernels.table import (
    ACCELERATION,
    BEGIN,
    CALM,
    DOUBT,
    DOUBT_ANGLE,
    GRIP,
    SPEED,
    TURN_ACCELERATION,
    TURN_RATE,
)
from tikitaka.control.kernels.ways import ahead_on, length, look, path_speed
from tikitaka.control.kernels.wheels import IDLE, STILL
from tikitaka.geom.angles import turn, wrap
from tikitaka.geom.frames import rotate
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, dot, norm

Floats = NDArray[np.float64]

ARRIVED = 0.004  # [m] chosen: nearer than this a robot has arrived
CLOSE, BESIDE, ASKEW = 15.0, 12.0, 8.0  # chosen: who rests within so many standard deviations of where it should be, to
# the side where it cannot drive sideways, and of its heading, gets there slowly
SLOWLY = 5.0  # [1/s] chosen: by this share of what is left; a camera's noise is driven after no faster
SPINS, HASTE = 3.0, 3.0  # [1/s] chosen: the same for turning, and how much more where ASKEW is left
NEAR = 0.03  # [m] chosen: so near every robot may drive backwards
LOOK = 0.08  # [s] chosen: the point aimed at lies so far ahead; less, and a camera's noise would be steered after
NEAREST = 0.04  # [m] chosen: and at least so far; nearer to its end a robot steers less
ALONG = 1e-6  # [rad] who is so little off its way need not turn
SWING = 0.01  # [m] chosen: a robot that turns to its path while it drives leaves it by so much, at most
CIRCLES = 0.25  # chosen: and by no more than this share of what is left, or it would circle around its target
ASIDE = 0.7  # chosen: share of the grip that steering takes; as much is left for braking


@kernel
def face(phi: float, u: float, w: float, limits: Floats) -> bool:
    """Say whether it takes less time to travel backwards: to turn, and to change the speed that one has."""
    rate, a = limits[TURN_RATE], limits[TURN_ACCELERATION]
    fore = turning_time(phi, w, rate, a) + max(-u, 0.0) / limits[ACCELERATION]
    back = turning_time(wrap(phi + math.pi), w, rate, a) + max(u, 0.0) / limits[ACCELERATION]
    return bool(back < fore)


@kernel
def within(xy: Floats, n: int, x: float, y: float, near: float) -> bool:
    """Say whether a robot is so near to the end of its path."""
    return bool(norm(xy[n - 1, 0] - x, xy[n - 1, 1] - y) <= near and length(xy, n) <= 2.0 * near)


@kernel
def turn_to(angle: float, w: float, a: float, limits: Floats, dt: float) -> float:
    """Return the turn rate that leads to an angle and ends there; slow where little is left and the robot is still."""
    askew = ASKEW * limits[DOUBT_ANGLE]
    if abs(w) < STILL and abs(angle) < askew:
        return float((SPINS + HASTE * abs(angle) / askew) * angle)
    return turning_rate(angle, w, limits[TURN_RATE], a, limits[BEGIN], dt, limits[CALM])


@kernel
def spin_at(theta: float, facing: float, w: float, two_faced: bool, limits: Floats, dt: float) -> float:
    """Return the turn rate of a robot that has arrived; a NaN to face means any heading."""
    if not math.isfinite(facing):
        return 0.0
    angle = turn(facing, theta)
    if two_faced and abs(angle) > 0.5 * math.pi:
        angle = wrap(angle + math.pi)
    return turn_to(angle, w, limits[TURN_ACCELERATION], limits, dt)


@kernel
def steer(phi: float, time: float, u: float, w: float, limits: Floats, dt: float) -> float:
    """Return the turn rate of the arc to the point aimed at, so many seconds ahead; it brakes in time."""
    h, gain = limits[BEGIN], 2.0 / time
    rate = gain * (phi - h * w * dt) / (1.0 + gain * (1.0 - h) * dt)
    most = abs(turning_rate(phi, w, limits[TURN_RATE], limits[TURN_ACCELERATION], h, dt, limits[CALM]))
    most = min(most, ASIDE * limits[GRIP] / max(abs(u), 1e-6))
    return clamp(rate, -most, most)


@kernel
def swinging_speed(phi: float, left: float, limits: Floats) -> float:
    """Return how fast a robot may be that has to turn by so much to its way."""
    if abs(phi) >= 0.5 * math.pi:
        return 0.0
    # a turn takes 2 sqrt(phi / a), half of phi off the way on average
    return min(SWING, CIRCLES * left) * math.sqrt(limits[TURN_ACCELERATION] / abs(phi)) / abs(phi)


@kernel
def drive_differential(
    pose: Floats, velocity: Floats, xy: Floats, n: int, facing: float, end_speed: float, top: float, two_faced: bool,
    limits: Floats, dt: float,
) -> tuple[float, float]:  # fmt: skip
    """Return the forward speed and turn rate to have at the end of the tick."""
    x, y, theta, w = pose[0], pose[1], pose[2], velocity[2]
    u = dot(velocity[0], velocity[1], math.cos(theta), math.sin(theta))
    left = norm(xy[n - 1, 0] - x, xy[n - 1, 1] - y)
    if end_speed <= 0.0 and within(xy, n, x, y, ARRIVED):
        return 0.0, spin_at(theta, facing, w, two_faced, limits, dt)
    if end_speed <= 0.0 and abs(u) < IDLE and within(xy, n, x, y, CLOSE * limits[DOUBT]):
        ahead, aside = rotate(xy[n - 1, 0] - x, xy[n - 1, 1] - y, -theta)
        if abs(aside) < BESIDE * limits[DOUBT]:
            return SLOWLY * ahead, spin_at(theta, facing, w, two_faced, limits, dt)
    near = max(NEAREST, LOOK * abs(u))
    dx, dy = ahead_on(xy, n, x, y, near)
    phi, sign = turn(math.atan2(dy, dx), theta), 1.0
    if (two_faced or left < NEAR) and face(phi, u, w, limits):
        phi, sign = wrap(phi + math.pi), -1.0
    speed = path_speed(xy, n, sign * u, end_speed, limits[ACCELERATION], limits[TURN_ACCELERATION], limits, dt)
    speed = min(limits[SPEED], top, speed)
    if abs(phi) > ALONG:  # who brakes to turn may not brake so hard that its wheels cannot turn it
        speed = min(speed, max(swinging_speed(phi, left, limits), sign * u - limits[ACCELERATION] * dt))
    rate = steer(phi, LOOK, u, w, limits, dt)
    if end_speed <= 0.0 and abs(u) > IDLE:
        rate *= min(1.0, left / NEAREST)
    far = look(xy, n, near, limits[TURN_ACCELERATION], limits)
    if far > near:
        dx, dy = ahead_on(xy, n, x, y, far)
        early = steer(turn(math.atan2(sign * dy, sign * dx), theta), LOOK * far / near, u, w, limits, dt)
        rate = early if abs(early) > abs(rate) else rate
    return sign * speed, rate
