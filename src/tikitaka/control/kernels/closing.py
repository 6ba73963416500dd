"""The fastest approach to something that is so far away, tick by tick.

A tick leads from speed u to speed p. Of its way, the share h is driven at u and the rest at p: with motors the speed is
a ramp (h = 1/2), with perfect wheels it jumps (h = 0). The ticks after it slow down by b dt each, the last one by what
is left; that takes p^2 / (2 b) + b dt^2 / 8 at most, less (1/2 - h) p dt where speeds jump, and h p dt where p is so
small that one tick is enough. Both with the tick itself: (p + b dt / 2)^2 / (2 b) or p dt must be what is left.

d   distance left, may be negative: passed
u   speed now, p speed at the end of the tick, e speed on arrival
b   deceleration that is reckoned with
"""

import math

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp

BRAKES = 0.88  # chosen: share of the acceleration that is planned with to brake; the rest is for errors


@kernel
def speed_for(left: float, b: float, dt: float) -> float:
    """Return the largest speed of a tick after which a robot stops in time, with so much left (>= 0)."""
    if left <= 0.5 * b * dt * dt:
        return left / dt
    return math.sqrt(2.0 * b * left) - 0.5 * b * dt


@kernel
def room_for(p: float, b: float, dt: float) -> float:
    """Return how much must be left for a speed: the inverse of `speed_for`."""
    if p <= 0.5 * b * dt:
        return p * dt
    k = p + 0.5 * b * dt
    return 0.5 * k * k / b


@kernel
def closing_speed(d: float, u: float, e: float, b: float, h: float, dt: float, calm: float) -> float:
    """Return the largest p from which a robot still ends at e; negative where it is to stop and has gone too far.

    calm    length of the ticks after this one, as they are reckoned with: a tick, or more where d is not known well
    """
    left = d - h * (u + e) * dt  # with an end speed, half a tick early: ticks do not end at the target
    if e > 0.0:
        return speed_for(left + room_for(e, b, calm), b, calm) if left > 0.0 else e
    return math.copysign(speed_for(abs(left), b, calm), left)


@kernel
def turning_rate(angle: float, w: float, most: float, a: float, h: float, dt: float, calm: float) -> float:
    """Return the turn rate of the end of the tick that leads to an angle in the least time and ends there."""
    return clamp(closing_speed(angle, w, 0.0, BRAKES * a, h, dt, calm), -most, most)


@kernel
def turning_time(angle: float, w: float, most: float, a: float) -> float:
    """Return the least time to turn by an angle and stop there, from turn rate w."""
    stops = 0.5 * w * abs(w) / a
    side = 1.0 if angle >= stops else -1.0
    d, w = side * angle, side * w
    peak = math.sqrt(max(a * d + 0.5 * w * w, 0.0))
    if peak <= most:
        return (2.0 * peak - w) / a
    return (2.0 * most - w) / a + (d - (most * most - 0.5 * w * w) / a) / most
