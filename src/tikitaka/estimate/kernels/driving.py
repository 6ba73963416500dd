"""How robots move between two pictures: ours as they were told, theirs straight on, both with their covariance.

A robot's state is (x, y, theta, vx, vy, omega) in the field frame [MI20, Eq. 1; Beard, sec. 2.1]. Ours drive in their
own frame. Omni wheels: each axis of the body's velocity goes to what it was told, as fast as the motors can and not at
once; they hold no course while the body turns, so that they lag behind by tau omega x b. Two wheels on tyres: `tyres`.

Motors and tyres have limits, which the noise of one step crosses: derivatives at the mean would tell of a robot that is
known not to slide. So body velocities are followed from six places of the Gaussian that is believed, and the straight
line through what comes of them is taken, with what it leaves unexplained [Arasaratnam2009]; differs: about the way of
the mean, so that the state moves as it does without a covariance.

b, u    velocity in the body frame (bx, by, w), and what it was told to be (ux, uy, uw)
c, s    cosine and sine of the heading; with an m halfway, with a 1 after the step
way     (bx', by', w', dx, dy, turn) body velocity after dt, way in the body frame, turn
h, g, k what motors limit: bx + h w and g bx + k w
L       (3, 3) lower, L L' the covariance of these two numbers and of by; l00, l10, ... l22 are its entries
fan     (6, 6) columns of ways: first of slopes by b, then of what is left
F       slopes of the state after by the state before, (6, 6)
small   (3, 6, 6) scratch: F, fan, and what `carry_six` needs
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.kalman import carry_six
from tikitaka.estimate.kernels.tyres import approach, roll
from tikitaka.geom.angles import wrap
from tikitaka.geom.drive import body_from_wheels
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Way = tuple[float, float, float, float, float, float]

STEP = 0.017  # [s] chosen: within it a robot's turn is taken as one about its middle heading
OUT = math.sqrt(3.0)  # standard deviations at which a Gaussian of three numbers is followed [Arasaratnam2009]
SHARE = 0.5 / OUT  # of what two places on either side differ by: the change for one standard deviation


@kernel
def glide(bx: float, by: float, w: float, ux: float, uy: float, uw: float, drive: Floats, dt: float) -> Way:
    """Return the way of a robot on omni wheels.

    drive   a of x, y and turning, tau of each
    """
    kx, ky = drive[3] * w, drive[4] * w  # what a turn takes away: tau omega x b
    bx1, dx = approach(bx, ux + kx * by, drive[0], drive[3], dt, math.exp(-dt / drive[3]))
    by1, dy = approach(by, uy - ky * bx, drive[1], drive[4], dt, math.exp(-dt / drive[4]))
    w1, turned = approach(w, uw, drive[2], drive[5], dt, math.exp(-dt / drive[5]))
    return bx1, by1, w1, dx, dy, turned


@kernel
def go(bx: float, by: float, w: float, ux: float, uy: float, uw: float, drive: Floats, dt: float) -> Way:
    """Return the way of a robot: see `glide` where the last of drive (7,) is 1, `tyres.roll` where it is 0."""
    if drive[6] != 0.0:
        return glide(bx, by, w, ux, uy, uw, drive, dt)
    return roll(bx, by, w, ux, uw, drive, dt)


@kernel
def limited(drive: Floats) -> tuple[float, float, float]:
    """Return h, g, k: of two wheels those of both rims, of omni wheels those of bx and w."""
    if drive[6] != 0.0:
        return 0.0, 0.0, 1.0
    return drive[5], 1.0, -drive[5]


@kernel
def root(p: Floats, c: float, s: float, bx: float, by: float, h: float, g: float, k: float) -> Way:
    """Return L, its lower half row by row, of a robot with heading (c, s); 0 where nothing is unsure."""
    x2, y2 = by * p[2, 2] + c * p[3, 2] + s * p[4, 2], c * p[4, 2] - s * p[3, 2] - bx * p[2, 2]
    x3, y3 = by * p[2, 3] + c * p[3, 3] + s * p[4, 3], c * p[4, 3] - s * p[3, 3] - bx * p[2, 3]
    x4, y4 = by * p[2, 4] + c * p[3, 4] + s * p[4, 4], c * p[4, 4] - s * p[3, 4] - bx * p[2, 4]
    xw, yw, ww = by * p[2, 5] + c * p[3, 5] + s * p[4, 5], c * p[4, 5] - s * p[3, 5] - bx * p[2, 5], p[5, 5]
    xx, xy, yy = by * x2 + c * x3 + s * x4, c * x4 - s * x3 - bx * x2, c * y4 - s * y3 - bx * y2
    l00 = math.sqrt(max(0.0, xx + 2.0 * h * xw + h * h * ww))
    l10, l20 = over(g * xx + (k + h * g) * xw + h * k * ww, l00), over(xy + h * yw, l00)
    l11 = math.sqrt(max(0.0, g * g * xx + 2.0 * g * k * xw + k * k * ww - l10 * l10))
    l21 = over(g * xy + k * yw - l20 * l10, l11)
    return l00, l10, l11, l20, l21, math.sqrt(max(0.0, yy - l20 * l20 - l21 * l21))


@kernel
def over(a: float, b: float) -> float:
    """Return a / b; 0 where b is."""
    return a / b if b > 0.0 else 0.0


@kernel
def fan_out(
    p: Floats, c: float, s: float, bx: float, by: float, w: float, ux: float, uy: float, uw: float, drive: Floats,
    dt: float, way: Way, fan: Floats,
) -> None:  # fmt: skip
    """Fill fan from the ways that begin at OUT standard deviations to either side of b; that of b itself is given."""
    h, g, k = limited(drive)
    l00, l10, l11, l20, l21, l22 = root(p, c, s, bx, by, h, g, k)
    most = OUT / (k - h * g)
    for q in range(3):
        first, second, y = 0.0, 0.0, OUT * l22
        if q == 0:
            first, second, y = most * l00, most * l10, OUT * l20
        elif q == 1:
            second, y = most * l11, OUT * l21
        x, z = k * first - h * second, second - g * first
        there = go(bx + x, by + y, w + z, ux, uy, uw, drive, dt)
        here = go(bx - x, by - y, w - z, ux, uy, uw, drive, dt)
        for row in range(6):
            fan[row, q] = SHARE * (there[row] - here[row])
            fan[row, q + 3] = SHARE * (there[row] + here[row] - 2.0 * way[row])
    r00, r11, r22 = over(1.0, l00), over(1.0, l11), over(1.0, l22)
    for row in range(6):  # slopes by standard deviations, over L: by what is limited, and by b
        across = r22 * fan[row, 2]
        second = r11 * (fan[row, 1] - across * l21)
        first = r00 * (fan[row, 0] - second * l10 - across * l20)
        fan[row, 0], fan[row, 1], fan[row, 2] = first + g * second, across, h * first + k * second


@kernel
def obey(
    state: Floats, p: Floats, ux: float, uy: float, uw: float, drive: Floats, dt: float, small: Floats, spread: bool
) -> None:
    """Move our robot on under one command, and its covariance, where that is asked for."""
    th, vx, vy, w = state[2], state[3], state[4], state[5]
    c, s = math.cos(th), math.sin(th)
    bx, by = c * vx + s * vy, c * vy - s * vx
    way = go(bx, by, w, ux, uy, uw, drive, dt)
    if spread:
        fan_out(p, c, s, bx, by, w, ux, uy, uw, drive, dt, way, small[1])
    bx1, by1, w1, dx, dy, turned = way
    cm, sm = math.cos(th + 0.5 * turned), math.sin(th + 0.5 * turned)
    c1, s1 = math.cos(th + turned), math.sin(th + turned)
    mx, my, ex, ey = cm * dx - sm * dy, sm * dx + cm * dy, c1 * bx1 - s1 * by1, s1 * bx1 + c1 * by1
    state[0], state[1], state[2] = state[0] + mx, state[1] + my, wrap(th + turned)
    state[3], state[4], state[5] = ex, ey, w1
    if spread:
        turn_out(small[0], small[1], (c, s, bx, by), (cm, sm, mx, my), (c1, s1, ex, ey))
        carry_six(p, small[0], small[2])
        leave(p, small[1])


@kernel
def turn_out(
    f: Floats, fan: Floats, begin: tuple[float, float, float, float], middle: tuple[float, float, float, float],
    end: tuple[float, float, float, float],
) -> None:  # fmt: skip
    """Fill F, and turn what is left in fan into the field.

    begin, middle, end  cosine and sine of the heading; velocity in the body, way and velocity in the field
    """
    c, s, bx, by = begin
    cm, sm, mx, my = middle
    c1, s1, ex, ey = end
    for row in range(6):
        f[row, 0], f[row, 1] = 0.0, 0.0
    f[0, 0], f[1, 1] = 1.0, 1.0
    for q in range(2, 9):  # by heading, vx, vy, omega: first of bx, by, w; then what is left
        jx, jy, jw, own, into, at = c, -s, 0.0, 0.0, f, q
        if q == 2:
            jx, jy, own = by, -bx, 1.0
        elif q == 4:
            jx, jy = s, c
        elif q == 5:
            jx, jy, jw = 0.0, 0.0, 1.0
        elif q > 5:
            into, at = fan, q - 3
        dbx, dby, dw = along(fan, 0, q, jx, jy, jw), along(fan, 1, q, jx, jy, jw), along(fan, 2, q, jx, jy, jw)
        ddx, ddy, dturn = along(fan, 3, q, jx, jy, jw), along(fan, 4, q, jx, jy, jw), along(fan, 5, q, jx, jy, jw)
        into[0, at] = cm * ddx - sm * ddy - my * (own + 0.5 * dturn)
        into[1, at] = sm * ddx + cm * ddy + mx * (own + 0.5 * dturn)
        into[2, at], into[5, at] = own + dturn, dw
        into[3, at], into[4, at] = c1 * dbx - s1 * dby - ey * (own + dturn), s1 * dbx + c1 * dby + ex * (own + dturn)


@kernel
def along(fan: Floats, row: int, q: int, jx: float, jy: float, jw: float) -> float:
    """Return how one number of the way changes along a direction, or what is left of it."""
    left: float = fan[row, q - 3] if q > 5 else fan[row, 0] * jx + fan[row, 1] * jy + fan[row, 2] * jw
    return left


@kernel
def leave(p: Floats, fan: Floats) -> None:
    """Add to p what the slopes do not explain."""
    for i in range(6):
        for j in range(i, 6):
            p[i, j] += fan[i, 3] * fan[j, 3] + fan[i, 4] * fan[j, 4] + fan[i, 5] * fan[j, 5]
            p[j, i] = p[i, j]


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
