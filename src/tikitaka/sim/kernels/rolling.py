"""The free ball: it flies, bounces, slides, rolls and rests; every phase in closed form, so any time is one step away.

A solid sphere, J = 2/5 m r^2. Not modelled: spin about the vertical, drag in the air, rolling friction of a ball that
slides.

x, y, z      place; z is the height of the lowest point above the ground
vx, vy, vz   velocity of the centre
rx, ry       velocity that pure rolling at the present spin would have; slip u = (vx - rx, vy - ry)
a            Coulomb deceleration of a rolling ball [m/s^2] [Beard, sec. 2.4]
c            viscous damping of a rolling ball [1/s]: f_D / (7/5 m) [Klancar, Eq. 16]
b            deceleration of a sliding ball: mu g [m/s^2]
e            restitution of the ground
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]

X, Y, VX, VY, Z, VZ, RX, RY = range(8)  # columns of the ball
# ground: friction of a ball that slides or bounces, a, c, g > 0, e
MU_SLIDE, ROLLING, DAMPING, GRAVITY, BOUNCE_GROUND = range(5)

LEAST_BOUNCE = 0.05  # [m/s] chosen: a slower rebound (0.13 mm, 10 ms) is none; so in t there are <= 1 + t g / 0.1
LEAST_SPEED = 1e-4  # [m/s] chosen: with damping alone a ball never stops by itself; slower than this it rests
LEAST_ROLLING = 1e-9  # [m/s^2] chosen: less Coulomb friction is none
_LN2, _LN2_HIGH, _LN2_LOW = math.log(2.0), 0.6931471803691238, 1.9082149292705877e-10  # ln 2 in two parts


@kernel
def relax(x: float) -> tuple[float, float, float]:
    """Return exp(-x), p = (1 - exp(-x)) / x and q = (1 - p) / x for x >= 0, without loss of digits near 0."""
    y = min(x, 750.0)  # exp(-750) is 0
    k = 0.0
    if y > 0.5:
        while k + 1.0 <= y / _LN2 + 0.5:
            k += 1.0
    f = (y - k * _LN2_HIGH) - k * _LN2_LOW
    q = 1.0 - f / 15.0 * (1.0 - f / 16.0)  # from here up: 2 q = 1 - f/3 (1 - f/4 (1 - f/5 (...)))
    q = 1.0 - f / 11.0 * (1.0 - f / 12.0 * (1.0 - f / 13.0 * (1.0 - f / 14.0 * q)))
    q = 1.0 - f / 7.0 * (1.0 - f / 8.0 * (1.0 - f / 9.0 * (1.0 - f / 10.0 * q)))
    q = 0.5 * (1.0 - f / 3.0 * (1.0 - f / 4.0 * (1.0 - f / 5.0 * (1.0 - f / 6.0 * q))))
    p = 1.0 - f * q
    left = 1.0 - f * p
    if k == 0.0:
        return left, p, q
    while k > 0.0 and left > 0.0:
        left *= 0.5
        k -= 1.0
    p = (1.0 - left) / x
    return left, p, (1.0 - p) / x


@kernel
def log1p(y: float) -> float:
    """Return ln(1 + y) for finite y >= 0."""
    z, halvings, w = y / (2.0 + y), 0.0, 1.0 + y
    if y > 0.5:
        while w > 1.5:
            w *= 0.5
            halvings += 1.0
        z = (w - 1.0) / (w + 1.0)
    total, k = 0.0, 27.0  # atanh(z) = z + z^3 / 3 + ...; |z| <= 1/5, so what is left out is below 1e-19
    while k > 0.0:
        total = total * z * z + 1.0 / k
        k -= 2.0
    return 2.0 * z * total + halvings * _LN2


@kernel
def coast(speed: float, t: float, a: float, c: float) -> tuple[float, float]:
    """Return how far a ball rolls in t, and its speed then: v' = -a - c v until it rests."""
    if c <= 0.0:
        left = speed - a * t
        if left > 0.0:
            return 0.5 * (speed + left) * t, left
        return (0.5 * speed * speed / a if speed > 0.0 else 0.0), 0.0  # [Beard, sec. 2.4]
    least = 0.0 if a >= LEAST_ROLLING else LEAST_SPEED
    keep, p, q = relax(c * t)
    left = speed * keep - a * t * p  # [Klancar, Eq. 16]
    if left > least:
        return t * (speed * p - a * t * q), left
    if speed <= least:
        return 0.0, 0.0
    t = min(t, log1p(c * speed / a if least == 0.0 else speed / least - 1.0) / c)
    keep, p, q = relax(c * t)
    return t * (speed * p - a * t * q), 0.0


@kernel
def slide(
    x: float, y: float, vx: float, vy: float, rx: float, ry: float, t: float, b: float
) -> tuple[float, float, float, float, float, float, float]:
    """Return x, y, vx, vy, rx, ry when the ball begins to roll, at the latest after t, and the time that is left."""
    ux, uy = vx - rx, vy - ry
    slip = norm(ux, uy)
    if 3.5 * b * t < slip:  # slip falls at 7/2 mu g: mu g from the centre, 5/2 mu g from the spin
        k = b * t / slip
        wx, wy = vx - k * ux, vy - k * uy
        return x + 0.5 * t * (vx + wx), y + 0.5 * t * (vy + wy), wx, wy, rx + 2.5 * k * ux, ry + 2.5 * k * uy, 0.0
    used = slip / (3.5 * b) if slip > 0.0 else 0.0
    wx, wy = (5.0 * vx + 2.0 * rx) / 7.0, (5.0 * vy + 2.0 * ry) / 7.0
    return x + 0.5 * used * (vx + wx), y + 0.5 * used * (vy + wy), wx, wy, wx, wy, t - used


@kernel
def fly(
    x: float, y: float, vx: float, vy: float, z: float, vz: float, rx: float, ry: float, t: float, ground: Floats
) -> tuple[float, float, float, float, float, float, float, float, float]:
    """Return the ball when it stays on the ground, at the latest after t, and the time that is left."""
    g, e = ground[GRAVITY], ground[BOUNCE_GROUND]
    while z > 0.0 or vz != 0.0:
        w = math.sqrt(max(0.0, vz * vz + 2.0 * g * z))  # speed at the ground
        fall = (vz + w) / g if vz > 0.0 else max(0.0, 2.0 * z / (w - vz))
        if t < fall:
            return x + vx * t, y + vy * t, vx, vy, max(0.0, z + t * (vz - 0.5 * g * t)), vz - g * t, rx, ry, 0.0
        x, y, z, t, vz = x + vx * fall, y + vy * fall, 0.0, t - fall, e * w
        if vz < LEAST_BOUNCE:
            vz = 0.0
        ux, uy = vx - rx, vy - ry
        slip, most = norm(ux, uy), ground[MU_SLIDE] * (w + vz)  # the ground's impulse over the ball's mass
        k = most / slip if 3.5 * most < slip else 2.0 / 7.0
        vx, vy, rx, ry = vx - k * ux, vy - k * uy, rx + 2.5 * k * ux, ry + 2.5 * k * uy
        if 3.5 * most >= slip:
            rx, ry = vx, vy
    return x, y, vx, vy, 0.0, 0.0, rx, ry, t


@kernel
def glide(
    x: float, y: float, vx: float, vy: float, z: float, vz: float, rx: float, ry: float, t: float, ground: Floats
) -> tuple[float, float, float, float, float, float, float, float]:
    """Return the ball's eight numbers, in the order of its columns, after t >= 0 in which it meets only the ground."""
    if z > 0.0 or vz != 0.0:
        x, y, vx, vy, z, vz, rx, ry, t = fly(x, y, vx, vy, z, vz, rx, ry, t, ground)
        if z > 0.0 or vz != 0.0:
            return x, y, vx, vy, z, vz, rx, ry
    if vx != rx or vy != ry:
        x, y, vx, vy, rx, ry, t = slide(x, y, vx, vy, rx, ry, t, ground[MU_SLIDE] * ground[GRAVITY])
        if vx != rx or vy != ry:
            return x, y, vx, vy, 0.0, 0.0, rx, ry
    speed = norm(vx, vy)
    if speed == 0.0:
        return x, y, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    way, left = coast(speed, t, ground[ROLLING], ground[DAMPING])
    way, left = way / speed, left / speed
    x, y, vx, vy = x + way * vx, y + way * vy, left * vx, left * vy
    return x, y, vx, vy, 0.0, 0.0, vx, vy
