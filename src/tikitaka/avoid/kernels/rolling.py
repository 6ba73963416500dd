"""Where a robot will be: its drive along a plan, rolled out in short steps, as the fast law of `control` drives it.

It turns towards a point ahead, leaves its path by no more than SWING while it turns, and brakes in time; turned around
where back and front are alike and that takes less time. On a detour it turns in arcs, and does not slow down.

limits   (7,)  speed, acceleration, turn rate, turn acceleration, 1 for omni wheels, 1 if two-faced, step [s]
option   (7,)  1 if there is a point to go by, its x, y, the largest speed, until when that holds [s], 1 to turn in
               arcs; of a robot's last one also: for how long it has stood with a way to go [s]
way      (k, 2) waypoints of a plan
u, w     speed along the heading and turn rate; omni robots have vx, vy
phi      angle from the travelling face to where the robot goes
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import wrap
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, clip_norm, dot, norm, unit

Floats = NDArray[np.float64]

SPEED, ACCELERATION, TURN_RATE, TURN_ACCELERATION, OMNI, TWO_FACED, STEP = 0, 1, 2, 3, 4, 5, 6
LIMITS = 7
BY, BY_X, BY_Y, CAP, UNTIL, ARCS, WAITED = 0, 1, 2, 3, 4, 5, 6
OPTION = 7
PASSED = 0.06  # [m] chosen: a waypoint is passed so near to it,
PASSED_TIME = 0.08  # [s] chosen: or at the way that is driven in this time
THERE = 0.03  # [m] chosen: nearer than this a robot has arrived
BRAKES = 0.88  # of `control`: share of the acceleration that braking is planned with
SWING, CIRCLES = 0.01, 0.25  # [m, 1] of `control`: how far a robot that turns may leave its path
LOOK = 0.08  # [s] of `control`: twice the time in which a robot turns to where it goes
ASIDE = 0.7  # of `control`: share of the grip that steering takes
AROUND = 0.5  # chosen: share of the motors' torque that all of the turn acceleration takes
STEERS, STRAIGHT = 0.15, 0.05  # [1, rad] of `control`: share of the torque that is left to turn for who brakes
SHARP = 0.8  # [rad] chosen: larger angles are turned as without a detour
SLOW = 0.2  # [m/s] chosen: a slower robot turns in arcs as at this speed
SERIES = 0.3  # chosen: tangent up to which an angle is a series


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
def angle_to(dx: float, dy: float, c: float, s: float) -> float:
    """Return the angle from the heading (c, s) to the direction (dx, dy); small ones by a series, good to 1e-3 rad."""
    along, aside = c * dx + s * dy, c * dy - s * dx
    if not abs(aside) < SERIES * along:
        return math.atan2(aside, along)
    x = aside / along
    return x * (1.0 - x * x / 3.0)


@kernel
def turning(phi: float, w: float, a: float) -> float:
    """Return the least time to turn by an angle and stop there, from turn rate w."""
    side = 1.0 if phi >= 0.5 * w * abs(w) / a else -1.0
    return (2.0 * math.sqrt(max(side * a * phi + 0.5 * w * w, 0.0)) - side * w) / a


@kernel
def travels(phi: float, u: float, w: float, limits: Floats) -> tuple[float, float]:
    """Return phi of the face that the robot travels with, and -1 where that is its back."""
    if limits[TWO_FACED] == 0.0 or (abs(phi) < SHARP and u >= 0.0):
        return phi, 1.0
    a, turns, other = limits[ACCELERATION], limits[TURN_ACCELERATION], wrap(phi + math.pi)
    if turning(other, w, turns) + max(u, 0.0) / a < turning(phi, w, turns) + max(-u, 0.0) / a:
        return other, -1.0
    return phi, 1.0


@kernel
def on_arc(phi: float, u: float, turns: float) -> float:
    """Return the angle to turn by at once without slowing down: (SWING sqrt(turns) / u)^(2/3)."""
    off = abs(phi)
    if off > SHARP:
        return phi
    k = SWING * math.sqrt(turns) / max(abs(u), SLOW)
    if off * off * off <= k * k:
        return phi
    return math.copysign(math.exp(2.0 / 3.0 * math.log(k)), phi)


@kernel
def steer(phi: float, speed: float, left: float, u: float, w: float, limits: Floats) -> tuple[float, float]:
    """Return the speed along the face and the turn rate after a step; ``u`` is along the face too."""
    dt, a, turns = limits[STEP], limits[ACCELERATION], limits[TURN_ACCELERATION]
    off = abs(phi)
    if off >= 0.5 * math.pi:
        speed = 0.0
    elif off > 1e-3:
        speed = min(speed, min(SWING, CIRCLES * left) * math.sqrt(turns / off) / off)
    gain = 2.0 / LOOK
    rate = gain * (phi - 0.5 * w * dt) / (1.0 + 0.5 * gain * dt)
    most = min(limits[TURN_RATE], braked(off, 0.0, BRAKES * turns, dt), ASIDE * a / max(abs(u), 1e-6))
    du, dw = clamp(speed - u, -a * dt, a * dt), turns * dt
    if du * u < 0.0:  # who brakes, brakes first
        du = clamp(du, (STEERS - 1.0) * a * dt, (1.0 - STEERS) * a * dt) if off > STRAIGHT else du
        dw *= min((1.0 - abs(du) / (a * dt)) / AROUND, 1.0)
    dw = clamp(clamp(rate, -most, most) - w, -dw, dw)
    if du * u >= 0.0:
        more = a * dt - AROUND * abs(dw) * a / turns
        du = clamp(du, -more, more)
    return u + du, w + dw


@kernel
def asked(left: float, end: float, top: float, t: float, option: Floats, a: float, dt: float) -> float:
    """Return the speed that an option asks for with so much of the way left."""
    if left < THERE:
        return 0.0
    speed = min(top, braked(left, end, BRAKES * a, dt))
    return min(speed, option[CAP]) if t < option[UNTIL] else speed


@kernel
def turned(c: float, s: float, angle: float) -> tuple[float, float]:
    """Return a heading (c, s) turned by less than a radian; by a series, good to 1e-3."""
    e = angle * angle
    ca, sa = 1.0 - e * (0.5 - e / 24.0), angle * (1.0 - e / 6.0)
    return c * ca - s * sa, s * ca + c * sa


@kernel
def passed(d: float, v: float) -> bool:
    """Say whether a waypoint at a distance counts as passed at a speed."""
    return d < max(PASSED, PASSED_TIME * v)


@kernel
def glide(vx: float, vy: float, dx: float, dy: float, speed: float, most: float) -> tuple[float, float]:
    """Return the velocity of a robot on omni wheels after a step along (dx, dy), changed by so much at most."""
    ux, uy = unit(dx, dy)
    ax, ay = clip_norm(speed * ux - vx, speed * uy - vy, most)
    return vx + ax, vy + ay


@kernel
def roll(
    pose: Floats, velocity: Floats, way: Floats, count: int, end: float, top: float, option: Floats, limits: Floats,
    track: Floats,
) -> float:  # fmt: skip
    """Fill where the robot is after each step (s, 2), the first row being now; return the time until it has arrived."""
    dt, a, omni, arcs = limits[STEP], limits[ACCELERATION], limits[OMNI] != 0.0, option[ARCS] != 0.0
    x, y, w, vx, vy = pose[0], pose[1], velocity[2], velocity[0], velocity[1]
    c, s = math.cos(pose[2]), math.sin(pose[2])
    u, k, by, after, spent = vx * c + vy * s, 1, option[BY] != 0.0, left_of(way, count), 0.0
    for step in range(track.shape[0]):
        track[step, 0], track[step, 1] = x, y
        dx, dy = way[min(k, count - 1), 0] - x, way[min(k, count - 1), 1] - y
        d = norm(dx, dy)
        left = d + after
        if by:
            dx, dy = option[BY_X] - x, option[BY_Y] - y
            d = norm(dx, dy)
            left = max(left, d)
        if (by or k + 1 < count) and passed(d, norm(vx, vy)):
            if not by:
                k += 1
                after -= norm(way[k, 0] - way[k - 1, 0], way[k, 1] - way[k - 1, 1])
            by = False
        speed = asked(left, end, top, step * dt, option, a, dt)
        spent += dt if left >= THERE else 0.0
        ox, oy = vx, vy
        if omni:
            vx, vy = glide(vx, vy, dx, dy, speed, a * dt)
        else:
            phi, face = travels(angle_to(dx, dy, c, s), u, w, limits)
            phi, old = on_arc(phi, u, limits[TURN_ACCELERATION]) if arcs else phi, w
            u, w = steer(phi, speed, left, face * u, w, limits)
            u *= face
            c, s = turned(c, s, clamp(0.5 * (old + w) * dt, -1.0, 1.0))
            vx, vy = u * c, u * s
        x, y = x + 0.5 * (ox + vx) * dt, y + 0.5 * (oy + vy) * dt
    along = dot(vx, vy, dx, dy) / d if d > 0.0 else 0.0
    left += norm(way[min(k, count - 1), 0] - option[BY_X], way[min(k, count - 1), 1] - option[BY_Y]) if by else 0.0
    return spent + (time_to_go(left, along, max(top, 0.05), a) if left >= THERE else 0.0)


@kernel
def coast(pose: Floats, velocity: Floats, dt: float, track: Floats) -> None:
    """Fill where a robot is that goes on as it does."""
    for s in range(track.shape[0]):
        track[s, 0], track[s, 1] = pose[0] + s * dt * velocity[0], pose[1] + s * dt * velocity[1]
