"""How robots move between two pictures: ours as they were told, theirs straight on, both with their Jacobian.

A robot's state is (x, y, theta, vx, vy, omega) in the field frame [MI20, Eq. 1; Beard, sec. 2.1]. Ours drive in their
own frame: each axis of the body's velocity b goes to what it was told, as fast as its motors can and not at once,
db/dt = clip((u - b) / tau, -a, a), which has a closed form. Omni wheels hold no course while the body turns: what they
were told turns with it, and they lag behind by tau omega x b; tyres keep the speed along the body.

b, u    velocity in the body frame, and what it was told to be
d       way in the body frame
a, tau  largest acceleration, time constant of the wheels' controller
g, e    db'/db and dd/db of one axis; db'/du = 1 - g and dd/du = dt - e, since b and u may be shifted together
F       d(state after) / d(state before), (6, 6)
S       quarter turn: S (x, y) = (-y, x)
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import wrap
from tikitaka.geom.drive import body_from_wheels
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]

STEP = 0.017  # [s] chosen: within it a robot's turn is taken as one about its middle heading


@kernel
def approach(b: float, u: float, a: float, tau: float, dt: float) -> tuple[float, float, float, float]:
    """Return (b after dt, way, g, e) of one axis."""
    miss = u - b
    full = max(0.0, abs(miss) / a - tau)  # as long it accelerates fully
    if full >= dt:
        push = math.copysign(a, miss)
        return b + push * dt, (b + 0.5 * push * dt) * dt, 1.0, dt
    push = math.copysign(a, miss)
    left = miss - push * full
    fade = math.exp(-(dt - full) / tau)
    e = full + tau * (1.0 - fade)
    way = (b + 0.5 * push * full) * full + u * (dt - full) - left * tau * (1.0 - fade)
    return u - left * fade, way, fade, e


@kernel
def straight(state: Floats, f: Floats, dt: float) -> None:
    """Move a robot on at constant velocity, and write F [Beard, sec. 3.3]."""
    for i in range(6):
        for j in range(6):
            f[i, j] = 1.0 if i == j else 0.0
    for axis in range(3):
        state[axis] += state[axis + 3] * dt
        f[axis, axis + 3] = dt
    state[2] = wrap(state[2])


@kernel
def obey(state: Floats, f: Floats, ux: float, uy: float, uw: float, drive: Floats, dt: float) -> None:
    """Move our robot on under one command, and write F.

    drive   (7,) a of x, y and turning, tau of each, 1 where the wheels hold no course
    """
    th, vx, vy, w = state[2], state[3], state[4], state[5]
    c, s = math.cos(th), math.sin(th)
    bx, by = c * vx + s * vy, c * vy - s * vx
    kx, ky = drive[6] * drive[3] * w, drive[6] * drive[4] * w  # what a turn takes away: tau omega x b
    bx1, dx, gx, ex = approach(bx, ux + kx * by, drive[0], drive[3], dt)
    by1, dy, gy, ey = approach(by, uy - ky * bx, drive[1], drive[4], dt)
    w1, turned, gw, ew = approach(w, uw, drive[2], drive[5], dt)
    cm, sm = math.cos(th + 0.5 * turned), math.sin(th + 0.5 * turned)
    c1, s1 = math.cos(th + turned), math.sin(th + turned)
    mx, my, ux1, uy1 = cm * dx - sm * dy, sm * dx + cm * dy, c1 * bx1 - s1 * by1, s1 * bx1 + c1 * by1
    state[0], state[1], state[2] = state[0] + mx, state[1] + my, wrap(th + turned)
    state[3], state[4], state[5] = ux1, uy1, w1
    fx, fy, hx, hy = 1.0 - gx, 1.0 - gy, dt - ex, dt - ey
    lag_x, lag_y = drive[6] * drive[3] * by, -drive[6] * drive[4] * bx
    _block(f, 0, c, s, cm, sm, ex, hx * kx, -hy * ky, ey, bx, by)
    _block(f, 3, c, s, c1, s1, gx, fx * kx, -fy * ky, gy, bx, by)
    f[0, 2], f[1, 2] = f[0, 2] - my, f[1, 2] + mx
    f[3, 2], f[4, 2] = f[3, 2] - uy1, f[4, 2] + ux1
    f[0, 5] = -my * 0.5 * ew + cm * hx * lag_x - sm * hy * lag_y
    f[1, 5] = mx * 0.5 * ew + sm * hx * lag_x + cm * hy * lag_y
    f[3, 5] = -uy1 * ew + c1 * fx * lag_x - s1 * fy * lag_y
    f[4, 5] = ux1 * ew + s1 * fx * lag_x + c1 * fy * lag_y
    for axis in range(5):
        f[2, axis], f[5, axis] = 0.0, 0.0
        f[axis, 0], f[axis, 1] = 0.0, 0.0
    f[0, 0], f[1, 1], f[2, 2], f[2, 5], f[5, 5] = 1.0, 1.0, 1.0, ew, gw


@kernel
def _block(
    f: Floats, row: int, c: float, s: float, c1: float, s1: float,
    m00: float, m01: float, m10: float, m11: float, bx: float, by: float,
) -> None:  # fmt: skip
    """Write R1 M R(-theta) for the velocity and R1 M db/dtheta for the heading; M is given row by row."""
    a00, a01 = c1 * m00 - s1 * m10, c1 * m01 - s1 * m11
    a10, a11 = s1 * m00 + c1 * m10, s1 * m01 + c1 * m11
    f[row, 3], f[row, 4] = a00 * c - a01 * s, a00 * s + a01 * c
    f[row + 1, 3], f[row + 1, 4] = a10 * c - a11 * s, a10 * s + a11 * c
    f[row, 2], f[row + 1, 2] = a00 * by - a01 * bx, a10 * by - a11 * bx


@kernel
def remember(
    told: Floats, told_time: Floats, inverse: Floats, wheels: Floats, kick: Floats, lift: Floats, t: float
) -> None:
    """Append what our robots were told at t: body velocity, speed and lift of a kick; the oldest entry goes."""
    h = told_time.shape[0]
    for k in range(h - 1):
        told_time[k] = told_time[k + 1]
        for i in range(wheels.shape[0]):
            for q in range(told.shape[2]):
                told[k, i, q] = told[k + 1, i, q]
    told_time[h - 1] = t
    for i in range(wheels.shape[0]):
        told[h - 1, i, 0], told[h - 1, i, 1], told[h - 1, i, 2] = body_from_wheels(inverse, wheels[i])
        told[h - 1, i, 3], told[h - 1, i, 4] = kick[i], lift[i]
