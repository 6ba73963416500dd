"""How robots move between two pictures: ours as they were told, theirs straight on, both with their Jacobian.

A robot's state is (x, y, theta, vx, vy, omega) in the field frame [MI20, Eq. 1; Beard, sec. 2.1]. Ours drive in their
own frame. Omni wheels: each axis of the body's velocity goes to what it was told, as fast as the motors can and not at
once; they hold no course while the body turns, so that they lag behind by tau omega x b. Two wheels on tyres: `tyres`.

b, u    velocity in the body frame, and what it was told to be
d       way in the body frame
a, tau, g, e  see `tyres.approach`; db'/du = 1 - g and dd/du = dt - e, since b and u may be shifted together
jac     (6, 3) d(bx', by', w', dx, dy, turn) / d(bx, by, w)
F       d(state after) / d(state before), (6, 6)
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.tyres import approach, roll
from tikitaka.geom.angles import wrap
from tikitaka.geom.drive import body_from_wheels
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]

STEP = 0.017  # [s] chosen: within it a robot's turn is taken as one about its middle heading


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
def glide(
    bx: float, by: float, w: float, ux: float, uy: float, uw: float, drive: Floats, dt: float, jac: Floats
) -> tuple[float, float, float, float, float, float]:
    """Return body velocity after dt, way and turn of a robot on omni wheels, and fill jac.

    drive   a of x, y and turning, tau of each
    """
    kx, ky = drive[3] * w, drive[4] * w  # what a turn takes away: tau omega x b
    bx1, dx, gx, ex = approach(bx, ux + kx * by, drive[0], drive[3], dt, math.exp(-dt / drive[3]))
    by1, dy, gy, ey = approach(by, uy - ky * bx, drive[1], drive[4], dt, math.exp(-dt / drive[4]))
    w1, turned, gw, ew = approach(w, uw, drive[2], drive[5], dt, math.exp(-dt / drive[5]))
    fx, fy, hx, hy = 1.0 - gx, 1.0 - gy, dt - ex, dt - ey
    jac[0, 0], jac[0, 1], jac[0, 2] = gx, fx * kx, fx * drive[3] * by
    jac[1, 0], jac[1, 1], jac[1, 2] = -fy * ky, gy, -fy * drive[4] * bx
    jac[2, 0], jac[2, 1], jac[2, 2] = 0.0, 0.0, gw
    jac[3, 0], jac[3, 1], jac[3, 2] = ex, hx * kx, hx * drive[3] * by
    jac[4, 0], jac[4, 1], jac[4, 2] = -hy * ky, ey, -hy * drive[4] * bx
    jac[5, 0], jac[5, 1], jac[5, 2] = 0.0, 0.0, ew
    return bx1, by1, w1, dx, dy, turned


@kernel
def obey(
    state: Floats, f: Floats, ux: float, uy: float, uw: float, drive: Floats, dt: float, jac: Floats, spread: bool
) -> None:
    """Move our robot on under one command, and write F, where it is asked for; jac (6, 3) is scratch.

    drive   (7,) see `glide` where the last is 1, `tyres.roll` where it is 0
    """
    th, vx, vy, w = state[2], state[3], state[4], state[5]
    c, s = math.cos(th), math.sin(th)
    bx, by = c * vx + s * vy, c * vy - s * vx
    if drive[6] != 0.0:
        bx1, by1, w1, dx, dy, turned = glide(bx, by, w, ux, uy, uw, drive, dt, jac)
    else:
        bx1, by1, w1, dx, dy, turned = roll(bx, by, w, ux, uw, drive, dt, jac, spread)
    cm, sm = math.cos(th + 0.5 * turned), math.sin(th + 0.5 * turned)
    c1, s1 = math.cos(th + turned), math.sin(th + turned)
    mx, my, ex, ey = cm * dx - sm * dy, sm * dx + cm * dy, c1 * bx1 - s1 * by1, s1 * bx1 + c1 * by1
    state[0], state[1], state[2] = state[0] + mx, state[1] + my, wrap(th + turned)
    state[3], state[4], state[5] = ex, ey, w1
    if not spread:
        return
    for q in range(2, 6):  # derivatives by heading, vx, vy, omega: first of bx, by, w
        jx, jy, jw, own = c, -s, 0.0, 0.0
        if q == 2:
            jx, jy, own = by, -bx, 1.0
        elif q == 4:
            jx, jy = s, c
        elif q == 5:
            jx, jy, jw = 0.0, 0.0, 1.0
        dbx, dby = along(jac, 0, jx, jy, jw), along(jac, 1, jx, jy, jw)
        ddx, ddy, dturn = along(jac, 3, jx, jy, jw), along(jac, 4, jx, jy, jw), along(jac, 5, jx, jy, jw)
        f[0, q] = cm * ddx - sm * ddy - my * (own + 0.5 * dturn)
        f[1, q] = sm * ddx + cm * ddy + mx * (own + 0.5 * dturn)
        f[2, q], f[5, q] = own + dturn, along(jac, 2, jx, jy, jw)
        f[3, q], f[4, q] = c1 * dbx - s1 * dby - ey * (own + dturn), s1 * dbx + c1 * dby + ex * (own + dturn)
    for row in range(6):
        f[row, 0], f[row, 1] = 0.0, 0.0
    f[0, 0], f[1, 1] = 1.0, 1.0


@kernel
def along(jac: Floats, row: int, jx: float, jy: float, jw: float) -> float:
    """Return how one row of jac changes along a direction."""
    total: float = jac[row, 0] * jx + jac[row, 1] * jy + jac[row, 2] * jw
    return total


@kernel
def remember(
    told: Floats, told_time: Floats, told1: Floats, told_time1: Floats, inverse: Floats, wheels: Floats, kick: Floats,
    lift: Floats, t: float,
) -> None:  # fmt: skip
    """Fill told1 with told, less its oldest, and what our robots were told at t: body velocity, speed and lift of kick.

    lift    (n,), or (0,): all kick flat
    """
    h = told_time.shape[0] - 1
    for k in range(h):
        told_time1[k] = told_time[k + 1]
        for i in range(told.shape[1]):
            for q in range(told.shape[2]):
                told1[k, i, q] = told[k + 1, i, q]
    told_time1[h] = t
    for i in range(told.shape[1]):
        told1[h, i, 0], told1[h, i, 1], told1[h, i, 2] = body_from_wheels(inverse, wheels[i])
        told1[h, i, 3], told1[h, i, 4] = kick[i], lift[i] if lift.shape[0] > 0 else 0.0
        for q in range(told.shape[2]):
            if not math.isfinite(told1[h, i, q]):  # what is no number tells nothing
                told1[h, i, q] = 0.0
