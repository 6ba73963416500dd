"""How the ball moves over the ground: it slides, rolls and rests; mean and Jacobian in closed form, to the exact stop.

x     (9,)    x, y, vx, vy, mu, z, vz, rx, ry: see the names below
f     (7, 7)  derivative of the first seven after the motion by those before it; the ground uses the first five
mu    friction: COULOMB [m/s^2], the deceleration mu/m [Beard, sec. 2.4], or VISCOUS [1/s], v' = -mu v [sec. 3.2];
      erratum: one symbol for two models there
r     velocity that pure rolling at the present spin would have; u = v - r slips. Known from before a kick, no estimate
law   (7,)    the named numbers below
s     speed
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.kalman import shake
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]

X, Y, VX, VY, MU, Z, VZ, RX, RY = range(9)
KIND, SLIDE, GRAVITY, Q, Q_NEAR, Q_MU, MU_MOST = range(7)  # of law: SLIDE [m/s^2] decelerates a sliding ball, 0: none
COULOMB, VISCOUS = 0.0, 1.0
LEAST_SPEED = 1e-4  # [m/s] chosen: with viscous friction alone a ball never stops by itself; slower than this it rests
TINY = 1e-12
# [s] chosen: by then a ball of 10 m/s that 0.1 m/s^2 brakes rests, and nobody knows where any other is. A longer piece
# of its way counts as this long, so that at no time is the ball, or its covariance, infinitely far off
HORIZON = 100.0


@kernel
def is_flying(x: Floats) -> bool:
    """Say whether the ball is above the ground."""
    return bool(x[Z] > 0.0 or x[VZ] != 0.0)


@kernel
def slide_time(x: Floats, law: Floats) -> float:
    """Return how long the ball slides until it rolls: slip falls at 7/2 of the deceleration."""
    if not law[SLIDE] > 0.0 or is_flying(x):
        return 0.0
    return float(norm(x[VX] - x[RX], x[VY] - x[RY]) / (3.5 * law[SLIDE]))


@kernel
def rolled(s: float, mu: float, kind: float, t: float) -> tuple[float, float]:
    """Return how far a ball of speed s rolls in t, and its speed then; it stops, it does not turn back."""
    if s <= 0.0:
        return 0.0, 0.0
    if kind == VISCOUS:
        left = s * math.exp(-mu * t)
        if left <= LEAST_SPEED and mu > TINY:
            return max(0.0, s - LEAST_SPEED) / mu, 0.0
        return (-s * math.expm1(-mu * t) / mu if mu * t > TINY else s * t), left
    left = s - mu * t
    if left > 0.0:
        return 0.5 * (s + left) * t, left
    return 0.5 * s * s / mu, 0.0


@kernel
def at(x: Floats, t: float, law: Floats) -> tuple[float, float, float, float]:
    """Return place and velocity after t, nothing in the way; a ball that flies is not looked at beyond its landing."""
    if is_flying(x):
        return x[X] + t * x[VX], x[Y] + t * x[VY], x[VX], x[VY]
    px, py, vx, vy, t1 = x[X], x[Y], x[VX], x[VY], slide_time(x, law)
    if t1 > 0.0:
        ux, uy = (vx - x[RX]) / (3.5 * t1), (vy - x[RY]) / (3.5 * t1)  # deceleration
        t1 = min(t1, t)
        px, py, vx, vy = px + t1 * (vx - 0.5 * t1 * ux), py + t1 * (vy - 0.5 * t1 * uy), vx - t1 * ux, vy - t1 * uy
    s = norm(vx, vy)
    if s == 0.0 or t <= t1:
        return px, py, vx, vy
    way, left = rolled(s, x[MU], law[KIND], t - t1)
    return px + way / s * vx, py + way / s * vy, left / s * vx, left / s * vy


@kernel
def move(x: Floats, t: float, law: Floats) -> None:
    """Move the ball over the ground by t, nothing in the way."""
    t, t1 = min(t, HORIZON), slide_time(x, law)
    if t < t1:
        k = 2.5 * t / (3.5 * t1)
        rx, ry = x[RX] + k * (x[VX] - x[RX]), x[RY] + k * (x[VY] - x[RY])
        x[X], x[Y], x[VX], x[VY] = at(x, t, law)
        x[RX], x[RY] = rx, ry
    else:
        x[X], x[Y], x[VX], x[VY] = at(x, t, law)
        x[RX], x[RY] = x[VX], x[VY]


@kernel
def identity(f: Floats) -> None:
    """Fill in ones on the diagonal."""
    for i in range(f.shape[0]):
        for j in range(f.shape[1]):
            f[i, j] = 1.0 if i == j else 0.0


@kernel
def roll_jacobian(vx: float, vy: float, mu: float, kind: float, t: float, doubt: float, f: Floats) -> None:
    """Fill in the Jacobian of rolling for t; ``doubt`` [m^2/s^2], the velocity's variance, keeps it sane near rest."""
    identity(f)
    s = math.sqrt(vx * vx + vy * vy + doubt)
    if kind == VISCOUS:
        keep = math.exp(-mu * t)
        way = -math.expm1(-mu * t) / mu if mu * t > TINY else t
        by_mu = (t * keep - way) / mu if mu * t > 1e-5 else -0.5 * t * t
        if s * keep <= LEAST_SPEED and mu > TINY:
            keep, way, by_mu = 0.0, 1.0 / mu, -1.0 / (mu * mu)
        # [Beard, sec. 3.2] erratum: the friction column is (-bx', -by'); printed is plus
        for i in range(2):
            f[i, i + 2], f[i + 2, i + 2] = way, keep
        f[0, 4], f[1, 4], f[2, 4], f[3, 4] = by_mu * vx, by_mu * vy, -t * keep * vx, -t * keep * vy
        return
    if s <= TINY:
        f[2, 2], f[3, 3] = 0.0, 0.0
        return
    cx, cy = vx / s, vy / s
    if mu * t < s:  # [Beard, Eq. 22] integrated
        along, across, by_mu, left = t, t - 0.5 * mu * t * t / s, -0.5 * t * t, 1.0 - mu * t / s
        full, slow = 1.0, -t
    else:  # it has stopped on the way, s / mu later
        along, across, by_mu, left = s / mu, 0.5 * s / mu, -0.5 * s * s / (mu * mu), 0.0
        full, slow = 0.0, 0.0
    _along(f, 0, cx, cy, along, across)
    _along(f, 2, cx, cy, full, left)
    f[0, 4], f[1, 4], f[2, 4], f[3, 4] = by_mu * cx, by_mu * cy, slow * cx, slow * cy


@kernel
def _along(f: Floats, i: int, cx: float, cy: float, along: float, across: float) -> None:
    """Fill rows i, i + 1 by velocity: one factor along the direction (cx, cy), another across."""
    f[i, 2] = across + (along - across) * cx * cx
    f[i, 3] = (along - across) * cx * cy
    f[i + 1, 2] = f[i, 3]
    f[i + 1, 3] = across + (along - across) * cy * cy


@kernel
def slide_jacobian(x: Floats, t: float, law: Floats, f: Floats) -> None:
    """Fill in the Jacobian of sliding for t, at most until it rolls."""
    identity(f)
    ux, uy = x[VX] - x[RX], x[VY] - x[RY]
    s, b, t1 = norm(ux, uy), law[SLIDE], slide_time(x, law)
    if t < t1:
        _along(f, 0, ux / s, uy / s, t, t - 0.5 * b * t * t / s)
        _along(f, 2, ux / s, uy / s, 1.0, 1.0 - b * t / s)
        return
    for i in range(2):  # v becomes (5 v + 2 r) / 7 after t1 = |u| / 3.5 b; half of both velocities is the way
        mean = (x[VX + i] + (5.0 * x[VX + i] + 2.0 * x[RX + i]) / 7.0) / 2.0
        f[i, 2], f[i, 3] = mean * ux / (3.5 * b * s), mean * uy / (3.5 * b * s)
        f[i, 2 + i] += 6.0 / 7.0 * t1
        f[2 + i, 2 + i] = 5.0 / 7.0


@kernel
def jacobian(x: Floats, t: float, law: Floats, doubt: float, f: Floats, g: Floats) -> None:
    """Fill f with the Jacobian of moving for t; g is scratch like f."""
    t, t1 = min(t, HORIZON), slide_time(x, law)
    slides = t1 > 0.0
    if slides:
        slide_jacobian(x, min(t, t1), law, f)
        if t <= t1:
            return
    vx, vy = x[VX], x[VY]
    if slides:
        vx, vy = (5.0 * vx + 2.0 * x[RX]) / 7.0, (5.0 * vy + 2.0 * x[RY]) / 7.0
    roll_jacobian(vx, vy, x[MU], law[KIND], t - t1, doubt, g if slides else f)
    if slides:
        _chain(x, t, law, f, g)


@kernel
def _chain(x: Floats, t: float, law: Floats, f: Floats, g: Floats) -> None:
    """Let f, of sliding, be followed by g, of rolling; the longer it slides, the shorter it rolls."""
    ux, uy, b = x[VX] - x[RX], x[VY] - x[RY], law[SLIDE]
    s = norm(ux, uy)
    for j in range(2, 4):
        a, c, d, e = f[0, j], f[1, j], f[2, j], f[3, j]
        for i in range(4):
            f[i, j] = g[i, 0] * a + g[i, 1] * c + g[i, 2] * d + g[i, 3] * e
    for i in range(4):
        f[i, 4] = g[i, 4]
    _, _, wx, wy = at(x, t, law)
    w = norm(wx, wy)
    brake = 0.0 if w == 0.0 else x[MU] / w if law[KIND] == COULOMB else x[MU]
    for j in range(2):
        later = (ux if j == 0 else uy) / (3.5 * b * s)
        f[0, 2 + j] -= wx * later
        f[1, 2 + j] -= wy * later
        f[2, 2 + j] += brake * wx * later
        f[3, 2 + j] += brake * wy * later


@kernel
def scatter(p: Floats, mu: float, kind: float, q: float, q_mu: float, t: float) -> None:
    """Add the exact Q_d of white acceleration of density q over t; friction wanders by q_mu a second."""
    t = min(t, HORIZON)
    c = mu * t
    if kind == COULOMB or c < 1e-9:
        shake(p, X, VX, q, t)
        shake(p, Y, VY, q, t)
    else:
        if c < 1e-3:
            a, b, d = t * t * t * (1.0 / 3.0 - c / 4.0), 0.5 * t * t * (1.0 - c), t * (1.0 - c + c * c * 2.0 / 3.0)
        else:
            lost, lost2 = -math.expm1(-c), -math.expm1(-2.0 * c)
            a, b, d = (t - (2.0 * lost - 0.5 * lost2) / mu) / (mu * mu), 0.5 * lost * lost / (mu * mu), 0.5 * lost2 / mu
        for i in range(2):
            p[i, i] += q * a
            p[i, i + 2] += q * b
            p[i + 2, i] = p[i, i + 2]
            p[i + 2, i + 2] += q * d
    p[MU, MU] += q_mu * t
