"""Where a robot will be: its drive along a plan, rolled out in short steps.

It turns towards a point ahead, drives as fast as its heading allows and brakes in time, like a law of `control`; turned
around where back and front are alike and that is shorter.

limits   (7,)  speed, acceleration, turn rate, turn acceleration, 1 for omni wheels, 1 if two-faced, step [s]
option   (5,)  1 if there is a point to go by, its x, y, the largest speed, and until when that holds [s]
way      (k, 2) waypoints of a plan
v, w     speed along the heading and turn rate; omni robots have vx, vy
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import turn, wrap
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, clip_norm, dot, norm

Floats = NDArray[np.float64]

SPEED, ACCELERATION, TURN_RATE, TURN_ACCELERATION, OMNI, TWO_FACED, STEP = 0, 1, 2, 3, 4, 5, 6
LIMITS = 7
BY, BY_X, BY_Y, CAP, UNTIL = 0, 1, 2, 3, 4
OPTION = 5
PASSED = 0.06  # [m] chosen: a waypoint is passed so near to it,
PASSED_TIME = 0.08  # [s] chosen: or at the way that is driven in this time
THERE = 0.03  # [m] chosen: nearer than this a robot has arrived


@kernel
def braked(distance: float, end: float, a: float, dt: float) -> float:
    """Return the largest speed from which a robot still comes to ``end`` within the distance, a step late."""
    return math.sqrt(0.25 * a * a * dt * dt + 2.0 * a * distance + end * end) - 0.5 * a * dt


@kernel
def time_to_go(distance: float, along: float, v_max: float, a: float) -> float:
    """Return the least time to rest at a distance, at the speed ``along`` towards it now."""
    away = max(-along, 0.0)
    distance += 0.5 * away * away / a
    v = clamp(along, 0.0, v_max)
    peak = min(v_max, math.sqrt(a * distance + 0.5 * v * v))
    if peak < v:
        return (away + v) / a
    ramps = (2.0 * peak * peak - v * v) / (2.0 * a)
    return (away + 2.0 * peak - v) / a + max(distance - ramps, 0.0) / max(peak, 1e-9)


@kernel
def left_of(way: Floats, count: int) -> float:
    """Return the length of a path behind its second waypoint."""
    far = 0.0
    for k in range(2, count):
        far += norm(way[k, 0] - way[k - 1, 0], way[k, 1] - way[k - 1, 1])
    return far


@kernel
def steer(dx: float, dy: float, speed: float, theta: float, v: float, w: float, limits: Floats) -> tuple[float, float]:
    """Return speed along the heading and turn rate after a step towards (dx, dy) at most so fast."""
    dt, a = limits[STEP], limits[ACCELERATION]
    error, sign = turn(math.atan2(dy, dx), theta), 1.0
    if limits[TWO_FACED] != 0.0 and abs(error) > 0.5 * math.pi:
        error, sign = wrap(error + math.pi), -1.0
    c = max(0.0, math.cos(error))
    wanted = sign * speed * c * c
    rate = math.copysign(min(limits[TURN_RATE], braked(abs(error), 0.0, limits[TURN_ACCELERATION], dt)), error)
    v = clamp(wanted, v - a * dt, v + a * dt)
    return v, clamp(rate, w - limits[TURN_ACCELERATION] * dt, w + limits[TURN_ACCELERATION] * dt)


@kernel
def asked(left: float, end: float, top: float, t: float, option: Floats, a: float, dt: float) -> float:
    """Return the speed that an option asks for with so much of the way left."""
    if left < THERE:
        return 0.0
    speed = min(top, braked(left, end, a, dt))
    return min(speed, option[CAP]) if t < option[UNTIL] else speed


@kernel
def roll(
    pose: Floats, velocity: Floats, way: Floats, count: int, end: float, top: float, option: Floats, limits: Floats,
    track: Floats,
) -> float:  # fmt: skip
    """Fill where the robot is after each step (s, 2), the first row being now; return the time until it has arrived."""
    dt, a, steps = limits[STEP], limits[ACCELERATION], track.shape[0]
    x, y, theta, w = pose[0], pose[1], pose[2], velocity[2]
    vx, vy = velocity[0], velocity[1]
    v = vx * math.cos(theta) + vy * math.sin(theta)
    k, by, after, spent = 1, option[BY] != 0.0, left_of(way, count), 0.0
    for s in range(steps):
        track[s, 0], track[s, 1] = x, y
        gx, gy = way[min(k, count - 1), 0], way[min(k, count - 1), 1]
        far = after
        if by:
            far += norm(gx - option[BY_X], gy - option[BY_Y])
            gx, gy = option[BY_X], option[BY_Y]
        dx, dy = gx - x, gy - y
        d = norm(dx, dy)
        if d < max(PASSED, PASSED_TIME * norm(vx, vy)):
            if by:
                by = False
            elif k + 1 < count:
                k += 1
                after -= norm(way[k, 0] - way[k - 1, 0], way[k, 1] - way[k - 1, 1])
        speed = asked(d + far, end, top, s * dt, option, a, dt)
        spent += dt if d + far >= THERE else 0.0
        if limits[OMNI] != 0.0:
            wx, wy = (speed * dx / d, speed * dy / d) if d > 0.0 else (0.0, 0.0)
            ax, ay = clip_norm(wx - vx, wy - vy, a * dt)
            vx, vy = vx + ax, vy + ay
        else:
            v, w = steer(dx, dy, speed, theta, v, w, limits)
            theta += w * dt
            vx, vy = v * math.cos(theta), v * math.sin(theta)
        x, y = x + vx * dt, y + vy * dt
    along = dot(vx, vy, dx, dy) / d if d > 0.0 else 0.0
    return spent + (time_to_go(d + far, along, max(top, 0.05), a) if d + far >= THERE else 0.0)


@kernel
def coast(pose: Floats, velocity: Floats, dt: float, track: Floats) -> None:
    """Fill where a robot is that goes on as it does."""
    for s in range(track.shape[0]):
        track[s, 0], track[s, 1] = pose[0] + s * dt * velocity[0], pose[1] + s * dt * velocity[1]
