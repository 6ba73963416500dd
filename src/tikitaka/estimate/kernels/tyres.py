"""A robot on two wheels with tyres: each motor pulls its own rim to what it was told, the tyres hold it across.

The forces have limits, so the motion is stepped, with its derivatives beside it. Where the centripetal force of a turn
is more than the tyres' grip, the robot slides outwards.

bx, by, w   velocity along and across the body, turn rate
e           what a rim's speed misses, as far as its motor can use it
drive       (7,) acceleration for each m/s that a rim misses: of the body, of its turning; the most of it that counts;
            grip across; time in which the tyres stop a slide; half the track; 0
jac         (6, 3) see `driving`
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp

Floats = NDArray[np.float64]

PARTS = 4  # of a step of `driving.STEP`: 4 ms, a third of the controllers' time constant


@kernel
def approach(b: float, u: float, a: float, tau: float, dt: float, slow: float) -> tuple[float, float, float, float]:
    """Return b after dt, the way, and their derivatives g and e by b: db/dt = clip((u - b) / tau, -a, a).

    slow    exp(-dt / tau), which is the same for many
    """
    miss = u - b
    full = max(0.0, abs(miss) / a - tau)  # as long it accelerates fully
    if full >= dt:
        push = math.copysign(a, miss)
        return b + push * dt, (b + 0.5 * push * dt) * dt, 1.0, dt
    push = math.copysign(a, miss)
    left = miss - push * full
    fade = slow if full == 0.0 else math.exp(-(dt - full) / tau)
    e = full + tau * (1.0 - fade)
    way = (b + 0.5 * push * full) * full + u * (dt - full) - left * tau * (1.0 - fade)
    return u - left * fade, way, fade, e


@kernel
def pull(bx: float, w: float, ux: float, uw: float, drive: Floats) -> tuple[float, float, float, float, float, float]:
    """Return accelerations along the body and of turning, and their derivatives by bx and w, row by row."""
    b, most = drive[5], drive[2]
    right, left = ux + b * uw - bx - b * w, ux - b * uw - bx + b * w
    r, k = -1.0 if abs(right) < most else 0.0, -1.0 if abs(left) < most else 0.0
    right, left = clamp(right, -most, most), clamp(left, -most, most)
    v, t = drive[0], drive[1]
    return v * (right + left), t * (right - left), v * (r + k), v * b * (r - k), t * (r - k), t * b * (r + k)


@kernel
def slide(by: float, aside: float, drive: Floats, dt: float, slow: float) -> tuple[float, float, float, float, float]:
    """Return the speed across after dt, the way, the derivatives of both by ``by``, and that of speed by ``aside``.

    aside   acceleration across that the turn gives, as seen from the robot
    """
    if abs(aside) > drive[3]:  # more than the tyres hold
        out = (aside - math.copysign(drive[3], aside)) * dt
        return by + out, (by + 0.5 * out) * dt, 1.0, dt, dt
    after, way, g, e = approach(by, 0.0, drive[3], drive[4], dt, slow)
    return after, way, g, e, 0.0


@kernel
def roll(
    bx: float, by: float, w: float, ux: float, uw: float, drive: Floats, dt: float, jac: Floats, spread: bool
) -> tuple[float, float, float, float, float, float]:
    """Return body velocity after dt, way and turn, and fill jac, where it is asked for."""
    for row in range(6 if spread else 0):
        for q in range(3):
            jac[row, q] = 1.0 if row == q else 0.0
    dx, dy, turned, h = 0.0, 0.0, 0.0, dt / PARTS
    slow = math.exp(-h / drive[4])
    for _ in range(PARTS):
        a, t, a_b, a_w, t_b, t_w = pull(bx, w, ux, uw, drive)
        mb, mw = bx + 0.5 * h * a, w + 0.5 * h * t
        a, t, a_mb, a_mw, t_mb, t_mw = pull(mb, mw, ux, uw, drive)
        across, way, keep, carry, thrown = slide(by, -mw * mb, drive, h, slow)
        for q in range(3 if spread else 0):
            jb, jy, jw = jac[0, q], jac[1, q], jac[2, q]
            half_b, half_w = jb + 0.5 * h * (a_b * jb + a_w * jw), jw + 0.5 * h * (t_b * jb + t_w * jw)
            outwards = -thrown * (half_w * mb + mw * half_b)
            jac[0, q], jac[2, q] = jb + h * (a_mb * half_b + a_mw * half_w), jw + h * (t_mb * half_b + t_mw * half_w)
            jac[1, q] = keep * jy + outwards
            jac[3, q] += h * half_b
            jac[4, q] += carry * jy + 0.5 * h * outwards
            jac[5, q] += h * half_w
        dx, dy, turned = dx + h * mb, dy + way, turned + h * mw
        bx, by, w = bx + h * a, across, w + h * t
    return bx, by, w, dx, dy, turned
