"""A robot on two wheels with tyres: each motor pulls its own rim to what it was told, the tyres hold it across.

The forces have limits, so the motion is stepped. Where the centripetal force of a turn is more than the tyres' grip,
the robot slides outwards.

bx, by, w   velocity along and across the body, turn rate
drive       (7,) acceleration for each m/s that a rim misses: of the body, of its turning; the most of it that counts;
            grip across; time in which the tyres stop a slide; half the track; 0
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp

Floats = NDArray[np.float64]

PARTS = 4  # of a step of `driving.STEP`: 4 ms, a third of the controllers' time constant


@kernel
def approach(b: float, u: float, a: float, tau: float, dt: float, slow: float) -> tuple[float, float]:
    """Return b after dt and the way: db/dt = clip((u - b) / tau, -a, a).

    slow    exp(-dt / tau), which is the same for many
    """
    miss = u - b
    full = max(0.0, abs(miss) / a - tau)  # as long it accelerates fully
    push = math.copysign(a, miss)
    if full >= dt:
        return b + push * dt, (b + 0.5 * push * dt) * dt
    left = miss - push * full
    fade = slow if full == 0.0 else math.exp(-(dt - full) / tau)
    return u - left * fade, (b + 0.5 * push * full) * full + u * (dt - full) - left * tau * (1.0 - fade)


@kernel
def pull(bx: float, w: float, ux: float, uw: float, drive: Floats) -> tuple[float, float]:
    """Return accelerations along the body and of turning."""
    b, most = drive[5], drive[2]
    right, left = clamp(ux + b * uw - bx - b * w, -most, most), clamp(ux - b * uw - bx + b * w, -most, most)
    return drive[0] * (right + left), drive[1] * (right - left)


@kernel
def slide(by: float, aside: float, drive: Floats, dt: float, slow: float) -> tuple[float, float]:
    """Return the speed across after dt, and the way.

    aside   acceleration across that the turn gives, as seen from the robot
    """
    if abs(aside) > drive[3]:  # more than the tyres hold
        out = (aside - math.copysign(drive[3], aside)) * dt
        return by + out, (by + 0.5 * out) * dt
    return approach(by, 0.0, drive[3], drive[4], dt, slow)


@kernel
def roll(
    bx: float, by: float, w: float, ux: float, uw: float, drive: Floats, dt: float
) -> tuple[float, float, float, float, float, float]:
    """Return body velocity after dt, way and turn."""
    dx, dy, turned, h = 0.0, 0.0, 0.0, dt / PARTS
    slow = math.exp(-h / drive[4])
    for _ in range(PARTS):
        a, t = pull(bx, w, ux, uw, drive)
        mb, mw = bx + 0.5 * h * a, w + 0.5 * h * t
        a, t = pull(mb, mw, ux, uw, drive)
        by, way = slide(by, -mw * mb, drive, h, slow)
        dx, dy, turned = dx + h * mb, dy + way, turned + h * mw
        bx, w = bx + h * a, w + h * t
    return bx, by, w, dx, dy, turned
