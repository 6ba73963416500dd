"""The Euler form that the paper prints, in the signatures of `kalman`: kept to show what it costs, not to be used.

Its covariance loses positive definiteness with few sub-steps, and diverges with one [Beard, Algorithm 2], erratum.
Symbols as in `kalman`.
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.rolling import VISCOUS
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]


@kernel
def advance(x: Floats, p: Floats, a: Floats, u: Floats, q: Floats, dt: float, steps: float, work: Floats) -> None:
    """Move x and p on by dt in ``steps`` sub-steps; work (1, n, n). [Beard, Algorithm 2, lines 4-8; Eqs. 23-25]"""
    h, left = dt / steps, steps
    while left > 0.0:
        _step_x(x, a, u, h, work)
        _step_p(p, a, a, q, h, work)
        left -= 1.0


@kernel
def advance_printed(
    x: Floats, p: Floats, a: Floats, at: Floats, u: Floats, q: Floats, dt: float, steps: float, work: Floats
) -> None:
    """Move on as `advance`, but with P A where P A' is right [Beard, Eq. 18], erratum; ``at`` is the transpose of a."""
    h, left = dt / steps, steps
    while left > 0.0:
        _step_x(x, a, u, h, work)
        _step_p(p, a, at, q, h, work)
        left -= 1.0


@kernel
def update(x: Floats, p: Floats, h: Floats, nu: float, r: float, work: Floats) -> float:
    """Take in one number and return its NIS; p becomes (1 - k h) p; work (2, n). [Beard, Algorithm 2, lines 10-13]"""
    n = x.shape[0]
    s = r
    for i in range(n):
        total, other = 0.0, 0.0
        for j in range(n):
            total += p[i, j] * h[j]
            other += h[j] * p[j, i]
        work[0, i] = total
        work[1, i] = other
        s += h[i] * total
    for i in range(n):
        gain = work[0, i] / s
        x[i] += gain * nu
        for j in range(n):
            p[i, j] -= gain * work[1, j]
    return nu * nu / s


@kernel
def _step_x(x: Floats, a: Floats, u: Floats, h: float, work: Floats) -> None:
    n = x.shape[0]
    for i in range(n):
        total = u[i]
        for j in range(n):
            total += a[i, j] * x[j]
        work[0, 0, i] = total
    for i in range(n):
        x[i] += h * work[0, 0, i]


@kernel
def _step_p(p: Floats, a: Floats, b: Floats, q: Floats, h: float, work: Floats) -> None:
    """Add h (a p + p b' + q)."""
    n = p.shape[0]
    for i in range(n):
        for j in range(n):
            total = q[i, j]
            for m in range(n):
                total += a[i, m] * p[m, j] + p[i, m] * b[j, m]
            work[0, i, j] = total
    for i in range(n):
        for j in range(n):
            p[i, j] += h * work[0, i, j]


@kernel
def advance_ball(
    x: Floats, p: Floats, kind: float, q: float, dt: float, steps: float, sign: float, work: Floats
) -> None:
    """Move the ball x, y, vx, vy, mu and p on by dt in sub-steps; work (3, 5, 5). [Beard, Eqs. 22-25; sec. 3.2]

    ``sign`` is that of the friction column in sec. 3.2: -1, or +1 as printed, erratum. Nothing stops at zero.
    """
    h, left = dt / steps, steps
    a, noise = work[1], work[2]
    for i in range(5):
        for j in range(5):
            noise[i, j] = q if i == j and 2 <= i < 4 else 0.0
    while left > 0.0:
        s = norm(x[2], x[3])
        brake = x[4] if kind == VISCOUS else x[4] / s if s > 0.0 else 0.0
        dvx, dvy = -brake * x[2], -brake * x[3]
        x[0] += h * x[2]
        x[1] += h * x[3]
        x[2] += h * dvx
        x[3] += h * dvy
        ball_jacobian(x, kind, sign, a)
        _step_p(p, a, a, noise, h, work)
        left -= 1.0


@kernel
def ball_jacobian(x: Floats, kind: float, sign: float, a: Floats) -> None:
    """Fill in df/dx (5, 5) of the ball [Beard, secs. 2.4.1 and 3.2]."""
    for i in range(5):
        for j in range(5):
            a[i, j] = 0.0
    a[0, 2], a[1, 3] = 1.0, 1.0
    vx, vy, mu = x[2], x[3], x[4]
    if kind == VISCOUS:
        a[2, 2], a[3, 3], a[2, 4], a[3, 4] = -mu, -mu, sign * vx, sign * vy
        return
    s = norm(vx, vy)
    if s > 0.0:
        k = mu / (s * s * s)
        a[2, 2], a[2, 3], a[3, 2], a[3, 3] = -k * vy * vy, k * vx * vy, k * vx * vy, -k * vx * vx
        a[2, 4], a[3, 4] = -vx / s, -vy / s
