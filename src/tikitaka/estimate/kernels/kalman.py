"""The continuous-discrete Kalman filter on small arrays, in place; scratch is handed in, nothing is allocated.

Not checked: sizes. A number that is not finite in a measurement leaves the state as it was; variances must be > 0.

x     (n,)    state, n <= 6
p     (n, n)  covariance of its error; comes back symmetric to the last bit
f     (n, n)  Jacobian of the motion over the step
q     (n, n)  covariance Q_d of the noise gathered over the step; in `advance` its density per second
a, u  (n, n), (n,)  x' = a x + u
h     (n,)    Jacobian of one measured number; (m, n) of several
nu    what was measured less what was expected; wrap it first where it is an angle [Beard, Eq. 16], erratum: y - h(x)
r     variance of a measured number; (m, m) of several
work  scratch, as large as the docstring says
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]

TERMS = 24.0  # chosen: of a series whose terms shrink like 2^k / k!: the last is below 1e-16
LONGEST = 1.0  # chosen: |a| dt of one part; longer parts are halved


@kernel
def propagate(p: Floats, f: Floats, q: Floats, work: Floats) -> None:
    """Replace p by f p f' + q; work (n, n). [Beard, Eq. 25] differs: exact, so p stays positive definite."""
    carry(p, f, work)
    n = p.shape[0]
    for i in range(n):
        for j in range(n):
            p[i, j] += q[i, j]


@kernel
def carry(p: Floats, f: Floats, work: Floats) -> None:
    """Replace p by f p f'; work (n, n)."""
    n = p.shape[0]
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += f[i, k] * p[k, j]
            work[i, j] = total
    for i in range(n):
        for j in range(i, n):
            total = 0.0
            for k in range(n):
                total += work[i, k] * f[j, k]
            p[i, j] = total
            p[j, i] = total


@kernel
def carry_six(p: Floats, f: Floats, work: Floats) -> None:
    """Replace p by f p f' like `carry`; of a size that the compiler knows, in less time."""
    for i in range(6):
        for j in range(6):
            total = 0.0
            for k in range(6):
                total += f[i, k] * p[k, j]
            work[i, j] = total
    for i in range(6):
        for j in range(i, 6):
            total = 0.0
            for k in range(6):
                total += work[i, k] * f[j, k]
            p[i, j] = total
            p[j, i] = total


@kernel
def carry_five(p: Floats, f: Floats, work: Floats) -> None:
    """Replace the first five rows and columns of p by f p f' like `carry`; the others stay."""
    for i in range(5):
        for j in range(5):
            total = 0.0
            for k in range(5):
                total += f[i, k] * p[k, j]
            work[i, j] = total
    for i in range(5):
        for j in range(i, 5):
            total = 0.0
            for k in range(5):
                total += work[i, k] * f[j, k]
            p[i, j] = total
            p[j, i] = total


@kernel
def drift(x: Floats, p: Floats, dt: float) -> None:
    """Move on at constant velocity: the second half of x is the velocity of the first; p becomes f p f'."""
    half = x.shape[0] // 2
    for i in range(half):
        x[i] += dt * x[i + half]
    for i in range(half):
        for j in range(i, half):
            p[i, j] += dt * (p[i, j + half] + p[i + half, j] + dt * p[i + half, j + half])
            p[j, i] = p[i, j]
    for i in range(half):
        for j in range(half):
            p[i, j + half] += dt * p[i + half, j + half]
            p[j + half, i] = p[i, j + half]


@kernel
def shake(p: Floats, i: int, j: int, q: float, dt: float) -> None:
    """Add the exact Q_d of white acceleration with density q over dt on place i and its velocity j."""
    p[i, i] += q * dt * dt * dt / 3.0
    p[i, j] += 0.5 * q * dt * dt
    p[j, i] = p[i, j]
    p[j, j] += q * dt


@kernel
def update(x: Floats, p: Floats, h: Floats, nu: float, r: float, work: Floats) -> float:
    """Take in one number and return its NIS, -1 where it was not taken; work (2, n). Joseph's form."""
    n = x.shape[0]
    s = r
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += p[i, j] * h[j]
        work[0, i] = total
        s += h[i] * total
    if not (s > 0.0 and abs(nu) < math.inf):
        return -1.0
    for i in range(n):
        work[1, i] = work[0, i] / s  # gain [Beard, Eq. 16]
        x[i] += work[1, i] * nu
    for i in range(n):  # p becomes w = (1 - k h) p
        for j in range(n):
            p[i, j] -= work[1, i] * work[0, j]
    for i in range(n):
        total = 0.0
        for j in range(n):
            total += p[i, j] * h[j]
        work[0, i] = total
    _finish(p, r, work)
    return nu * nu / s


@kernel
def update_at(x: Floats, p: Floats, i: int, nu: float, r: float, work: Floats) -> float:
    """Take in a measurement of the state's component i itself, as `update`; work (2, n)."""
    n = x.shape[0]
    s: float = r + p[i, i]
    if not (s > 0.0 and abs(nu) < math.inf):
        return -1.0
    for j in range(n):
        work[0, j] = p[j, i]
        work[1, j] = p[j, i] / s
        x[j] += work[1, j] * nu
    own = work[0, i]
    for j in range(n):
        left = work[0, j] - work[1, j] * own  # of (1 - k h) p, the column that h takes
        for k in range(j, n):
            total = p[j, k] - work[1, j] * work[0, k] - left * work[1, k] + r * work[1, j] * work[1, k]
            p[j, k] = total
            p[k, j] = total
    return nu * nu / s


@kernel
def _finish(p: Floats, r: float, work: Floats) -> None:
    """Replace w by w - (w h') k' + k r k', which is (1 - k h) p (1 - k h)' + k r k'."""
    n = p.shape[0]
    for i in range(n):
        for j in range(i, n):
            total = p[i, j] - work[0, i] * work[1, j] + r * work[1, i] * work[1, j]
            p[i, j] = total
            p[j, i] = total


@kernel
def update_block(x: Floats, p: Floats, h: Floats, nu: Floats, r: Floats, work: Floats) -> float:
    """Take in m numbers at once and return their NIS, -1 where they were not taken; work (2, n); h, nu, r are used up.

    Each is freed of what its noise shares with those before it: then one after the other is the same as all at once.
    """
    m, n = h.shape[0], x.shape[0]
    nis = 0.0
    for i in range(m):
        if not abs(nu[i]) < math.inf:
            return -1.0
    for i in range(m):
        for k in range(i + 1, m):
            shared = r[k, i] / r[i, i] if r[i, i] > 0.0 else 0.0
            nu[k] -= shared * nu[i]
            for j in range(n):
                h[k, j] -= shared * h[i, j]
            for j in range(i + 1, m):
                r[k, j] -= shared * r[i, j]
        nis += update(x, p, h[i], nu[i], max(0.0, r[i, i]), work)
        for k in range(i + 1, m):
            for j in range(n):
                nu[k] -= h[k, j] * work[1, j] * nu[i]  # x has moved
    return nis


@kernel
def distance_xy(p: Floats, dx: float, dy: float, rx: float, ry: float) -> tuple[float, float]:
    """Return the squared Mahalanobis distance of a place (state 0, 1) that was measured, and det S."""
    a, b, c = p[0, 0] + rx, p[0, 1], p[1, 1] + ry
    det = a * c - b * b
    return (c * dx * dx - 2.0 * b * dx * dy + a * dy * dy) / det, det


@kernel
def distance_pose(
    p: Floats, dx: float, dy: float, da: float, r_xy: float, r_theta: float
) -> tuple[float, float, float]:
    """Return the squared Mahalanobis distance of a pose (state 0, 1, 2; da wrapped), the place's part, and det S."""
    a, b, c = p[0, 0] + r_xy, p[0, 1], p[1, 1] + r_xy
    det = a * c - b * b
    place = (c * dx * dx - 2.0 * b * dx * dy + a * dy * dy) / det
    u, v = p[2, 0], p[2, 1]  # heading given the place
    gx, gy = (c * u - b * v) / det, (a * v - b * u) / det
    s = p[2, 2] + r_theta - gx * u - gy * v
    left = da - gx * dx - gy * dy
    return place + left * left / s, place, det * s


@kernel
def advance(x: Floats, p: Floats, a: Floats, u: Floats, q: Floats, dt: float, steps: float, work: Floats) -> None:
    """Move x and p on by dt in ``steps`` equal parts (any number gives the same); work (2, n, n). [Beard, Eq. 12]

    Exact: p' = a p + p a' + q and x' = a x + u as power series of dt, TERMS of each.
    """
    n = x.shape[0]
    size = 0.0
    for i in range(n):
        row = 0.0
        for j in range(n):
            row += abs(a[i, j])
        size = max(size, row)
    h, parts = dt / steps, steps
    while size * h > LONGEST:
        h, parts = 0.5 * h, 2.0 * parts
    while parts > 0.0:
        _series_p(p, a, q, h, work)
        _series_x(x, a, u, h, work)
        parts -= 1.0


@kernel
def _series_p(p: Floats, a: Floats, q: Floats, h: float, work: Floats) -> None:
    """Add to p the series of its derivatives: m_1 = a p + p a' + q, m_k+1 = a m_k + m_k a'."""
    n = p.shape[0]
    for i in range(n):
        for j in range(n):
            work[0, i, j] = p[i, j]
    k = 1.0
    while k <= TERMS:
        for i in range(n):
            for j in range(i, n):
                total = q[i, j] if k == 1.0 else 0.0
                for m in range(n):
                    total += a[i, m] * work[0, m, j] + work[0, i, m] * a[j, m]  # erratum: [Beard, Eq. 18] prints P A
                work[1, i, j] = total * h / k
                work[1, j, i] = work[1, i, j]
        for i in range(n):
            for j in range(n):
                work[0, i, j] = work[1, i, j]
                p[i, j] += work[1, i, j]
        k += 1.0


@kernel
def _series_x(x: Floats, a: Floats, u: Floats, h: float, work: Floats) -> None:
    """Add to x the series of its derivatives: d_1 = a x + u, d_k+1 = a d_k."""
    n = x.shape[0]
    for i in range(n):
        work[0, 0, i] = x[i]
    k = 1.0
    while k <= TERMS:
        for i in range(n):
            total = u[i] if k == 1.0 else 0.0
            for m in range(n):
                total += a[i, m] * work[0, 0, m]
            work[1, 0, i] = total * h / k
        for i in range(n):
            work[0, 0, i] = work[1, 0, i]
            x[i] += work[1, 0, i]
        k += 1.0
