"""The fast law of omni robots: which heading to have on the way, and when to turn to the one that is asked for.

Motors drive an omni robot harder in some directions of its body than in others. So on a long way it first turns to a
heading in which they are strong, keeps it, and turns to the one to face just before the end. Every tick it weighs
headings, that to face among them, by the time that is left if it goes by way of them.

s       a heading to go by way of; first and second: the times of the turns to it and from it to the one to face
p       acceleration at it; slow and weak: the least ones during these turns
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.control.kernels.closing import BRAKES, closing_speed, turning_time
from tikitaka.control.kernels.fast import ARRIVED, CLOSE, LOOK, NEAREST, SLOWLY, turn_to, within
from tikitaka.control.kernels.table import (
    ACCELERATION,
    BEGIN,
    CALM,
    DOUBT,
    GRIP,
    KNEE,
    SPEED,
    TURN_ACCELERATION,
    TURN_RATE,
    WHEEL,
)
from tikitaka.control.kernels.ways import ahead_on, corner_speed, length, look, path_speed
from tikitaka.control.kernels.wheels import HOLDS, IDLE, part_of
from tikitaka.geom.angles import turn
from tikitaka.geom.frames import rotate
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross, dot, norm

Floats = NDArray[np.float64]

STOPS = 0.985  # chosen: share of the motors' torque that is planned with; the rest is for errors
HARD = 0.5  # chosen: share of the turn acceleration that is planned with; `wheels.TURNS` keeps the torque for it
TIMELY = 6.0  # chosen: who has no time to spare turns harder; all of it needs 4 angles over its square
SPARE = 1.1  # chosen: a turn takes so much longer than at best, for the ticks
COSTS = 0.3  # chosen: share of the speed missed during a first turn that counts as time lost
COURSES = 12  # headings that are weighed
STRONGER = 1.02  # chosen: to be weighed, one must be so much stronger than the one to face
SAMPLES = 4  # parts of a turn, between which the motors are asked what they can give
ALIGNED = 0.1  # [rad] chosen: a smaller turn takes less of the motors
CREEP = 0.1  # [m/s] slower than this any turn rate will do
LATER = 0.7  # chosen: speed during the last turn, as a share of that at its begin
SOME = 0.3  # chosen: share of the acceleration that a robot keeps along its way while it gets back to it


@kernel
def beyond(x: float, near: float) -> float:
    """Return by how much x is more than near, either way: what is less is not worth an answer."""
    return math.copysign(max(abs(x) - near, 0.0), x)


@kernel
def pull(dx: float, dy: float, theta: float, aw: float, bounds: Floats, limits: Floats) -> float:
    """Return the acceleration that omni wheels can give along a direction of the field, beside a turn acceleration."""
    most, d = min(limits[ACCELERATION], HOLDS * limits[GRIP]), norm(dx, dy)
    if d == 0.0:
        return float(most)
    bx, by = rotate(dx * most / (STOPS * d), dy * most / (STOPS * d), -theta)
    return float(most * part_of(bx, by, 0.0, 0.0, 0.0, aw, bounds))


@kernel
def weakest(dx: float, dy: float, theta: float, angle: float, hard: float, bounds: Floats, limits: Floats) -> float:
    """Return the least acceleration along a direction of the field while a robot turns by an angle."""
    hard, a = math.copysign(min(1.0, abs(angle) / ALIGNED) * hard, angle), np.inf
    for k in range(SAMPLES + 1):
        part = float(k) / SAMPLES
        if part <= 0.5:
            a = min(a, pull(dx, dy, theta + part * angle, hard, bounds, limits))
        if part >= 0.5:
            a = min(a, pull(dx, dy, theta + part * angle, -hard, bounds, limits))
    return a


@kernel
def fastest(dx: float, dy: float, theta: float, matrix: Floats, limits: Floats) -> float:
    """Return the speed that omni wheels can have along a direction of the field."""
    d = norm(dx, dy)
    bx, by = rotate(dx, dy, -theta)
    most = d / limits[SPEED]
    for k in range(matrix.shape[0]):
        most = max(most, abs(matrix[k, 0] * bx + matrix[k, 1] * by) / limits[WHEEL])
    return float(d / most if d > 0.0 else limits[SPEED])


@kernel
def time_left(left: float, along: float, end_speed: float, top: float, a: float) -> float:
    """Return the least time to drive so far and end so fast: that of a longer way to rest, less its end."""
    return turning_time(left + 0.5 * end_speed * end_speed / a, along, top, a) - end_speed / a


@kernel
def calm_rate(speed: float, matrix: Floats, limits: Floats, dt: float) -> float:
    """Return how fast a robot may turn that drives so fast: within a tick its wheels' rates sweep by two knees."""
    rate = 2.0 * limits[KNEE] / (dt * norm(matrix[0, 0], matrix[0, 1]) * max(speed, CREEP))
    return float(min(limits[TURN_RATE], rate))


@kernel
def by_way_of(
    s: float, p: float, best: float, dx: float, dy: float, theta: float, w: float, rate: float, facing: float,
    along: float, left: float, end_speed: float, top: float, bounds: Floats, matrix: Floats, limits: Floats, dt: float,
) -> tuple[float, float, float, float]:  # fmt: skip
    """Return time, accelerations before and during the last turn, and how long that takes; inf: not below ``best``."""
    hard, one, two = HARD * limits[TURN_ACCELERATION], turn(s, theta), turn(facing, s)
    first, second = turning_time(one, w, rate, hard), turning_time(two, 0.0, limits[TURN_RATE], hard)
    if first + second >= best:
        return np.inf, 0.0, 0.0, 0.0
    weak = weakest(dx, dy, s, two, hard, bounds, limits)
    slow = min(p, weakest(dx, dy, theta, one, hard, bounds, limits))
    weak = weak if two != 0.0 else slow
    later = calm_rate(LATER * (end_speed + weak * second), matrix, limits, dt)
    second = SPARE * turning_time(two, 0.0, later, hard)
    before = left - second * (end_speed + 0.5 * weak * second)
    if before <= 0.0:
        return np.inf, slow, weak, second
    top = min(top, fastest(dx, dy, s, matrix, limits))
    time = time_left(before, along, end_speed + weak * second, top, p)
    if time <= first:
        return np.inf, slow, weak, second
    return time + second + COSTS * first * (1.0 - slow / p), slow, weak, second


@kernel
def turn_on_the_way(
    dx: float, dy: float, theta: float, w: float, rate: float, facing: float, along: float, left: float,
    end_speed: float, top: float, bounds: Floats, matrix: Floats, limits: Floats, dt: float,
) -> tuple[float, float, float, float]:  # fmt: skip
    """Return the turn rate, the accelerations along the way before and during the last turn, and how long that takes.

    rate    the fastest turn at the speed that the robot has
    """
    if not math.isfinite(facing):
        a = pull(dx, dy, theta, 0.0, bounds, limits)
        return 0.0, a, a, 0.0
    angle, course, hard = turn(facing, theta), math.atan2(dy, dx), HARD * limits[TURN_ACCELERATION]
    end = weakest(dx, dy, theta, angle, hard, bounds, limits)
    least = STRONGER * pull(dx, dy, facing, 0.0, bounds, limits)
    best, by, a, weak, last = np.inf, angle, end, end, 0.0
    for k in range(COURSES + 1):
        s = course + 2.0 * math.pi * k / COURSES if k > 0 else facing
        p = pull(dx, dy, s, 0.0, bounds, limits)
        if k == 0 or (p >= least and time_left(left, along, end_speed, top, p) < best):  # at best it takes so long
            time, before, during, second = by_way_of(
                s, p, best, dx, dy, theta, w, rate, facing, along, left, end_speed, top, bounds, matrix, limits, dt
            )  # fmt: skip
            if time < best:
                best, by, a, weak, last = time, turn(s, theta), before, during, second
    if best == np.inf:
        time = max(time_left(left, along, end_speed, min(top, limits[SPEED]), end), dt)
        hard = clamp(TIMELY * abs(angle) / (time * time), hard, limits[TURN_ACCELERATION])
    spin = clamp(turn_to(by, w, hard, limits, dt), -rate, rate)
    return clamp(spin, w - hard * dt, w + hard * dt), a, weak, last


@kernel
def way_speed(
    xy: Floats, n: int, left: float, along: float, end_speed: float, a: float, weak: float, last: float,
    limits: Floats, dt: float,
) -> float:  # fmt: skip
    """Return the largest speed at the end of this tick from which corners and end can be taken, the last turn too."""
    speed = path_speed(xy, n, along, end_speed, weak / BRAKES, np.inf, limits, dt)  # STOPS is in them already
    before = left - last * (end_speed + 0.5 * weak * last)
    if last <= 0.0 or before <= 0.0:
        return speed
    quick = closing_speed(before, along, end_speed + weak * last, a, limits[BEGIN], dt, limits[CALM])
    return max(speed, min(quick, corner_speed(xy, n, along, a / BRAKES, np.inf, limits, dt)))


@kernel
def drive_omni(
    pose: Floats, velocity: Floats, xy: Floats, n: int, facing: float, end_speed: float, top: float, limits: Floats,
    bounds: Floats, matrix: Floats, dt: float,
) -> tuple[float, float, float]:  # fmt: skip
    """Return the velocity, in the field frame, and the turn rate to have at the end of the tick."""
    vx, vy, h, left = velocity[0], velocity[1], limits[BEGIN], length(xy, n)
    dx, dy = ahead_on(xy, n, pose[0], pose[1], look(xy, n, max(NEAREST, LOOK * norm(vx, vy)), np.inf, limits))
    ex, ey = dx - h * dt * vx, dy - h * dt * vy  # from where the robot drifts to anyway
    d, e = norm(dx, dy), norm(ex, ey)
    along = dot(vx, vy, dx, dy) / d if d > 0.0 else 0.0
    rate = calm_rate(norm(vx, vy), matrix, limits, dt)
    spin, a, weak, last = turn_on_the_way(
        dx, dy, pose[2], velocity[2], rate, facing, along, left, end_speed, top, bounds, matrix, limits, dt
    )  # fmt: skip
    if d == 0.0 or e == 0.0 or (end_speed <= 0.0 and within(xy, n, pose[0], pose[1], ARRIVED)):
        return 0.0, 0.0, spin
    if end_speed <= 0.0 and norm(vx, vy) < IDLE and left < CLOSE * limits[DOUBT]:
        return SLOWLY * dx, SLOWLY * dy, spin
    speed = min(limits[SPEED], top, way_speed(xy, n, left, along, end_speed, a, weak, last, limits, dt))
    if speed < 0.0:  # beyond the end, or as good as
        return speed * dx / d, speed * dy / d, spin
    ex, ey, more = ex / e, ey / e, limits[ACCELERATION] * dt
    along, aside = dot(vx, vy, ex, ey), cross(ex, ey, vx, vy)
    if speed < along:  # first brake
        less = min(along - speed, more)
        rest = max(math.sqrt(more * more - less * less), SOME * more)
        aside = beyond(aside, rest)
        return speed * ex - aside * ey, speed * ey + aside * ex, spin
    straighter = clamp(aside, -more, more)  # first to the way, then along it
    speed = min(speed, along + max(math.sqrt(more * more - straighter * straighter), SOME * more))
    return speed * ex, speed * ey, spin
