"""The chipped ball: how it flies, lands and hops, how a camera above sees it, and when it must be flying.

An overhead camera takes a ball at height z for one on the ground, further from the point below the camera.

camera  (4,)  x, y, height [m], and how far its picture reaches from there
path    (k, 3)  time and apparent place of the last detections since a kick, oldest first
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.rolling import GRAVITY, RX, RY, VX, VY, VZ, X, Y, Z, identity
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import unit

Floats = NDArray[np.float64]

LEAST_HOP = 0.15  # [m/s] chosen: a slower hop (2.3 mm high, 30 ms) is none
SLIP_LEFT = 5.0 / 7.0  # of its speed that a ball without spin keeps when it begins to roll
HIGHEST = 0.9  # of a camera's height


@kernel
def landing(x: Floats, law: Floats) -> float:
    """Return when a flying ball comes down."""
    g = law[GRAVITY]
    return float((x[VZ] + math.sqrt(max(0.0, x[VZ] * x[VZ] + 2.0 * g * max(0.0, x[Z])))) / g)


@kernel
def fly(x: Floats, t: float, law: Floats, f: Floats) -> None:
    """Move a flying ball by t, not beyond its landing, and fill in the Jacobian."""
    identity(f)
    f[X, VX], f[Y, VY], f[Z, VZ] = t, t, t
    x[X] += t * x[VX]
    x[Y] += t * x[VY]
    x[Z] = max(0.0, x[Z] + t * (x[VZ] - 0.5 * law[GRAVITY] * t))
    x[VZ] -= law[GRAVITY] * t


@kernel
def land(x: Floats, e: float, law: Floats, f: Floats) -> None:
    """Let the ball hop, or stay on the ground; f is the Jacobian, with what a landing sooner or later changes."""
    identity(f)
    w, keep = x[VZ], 1.0
    up = -e * w if -e * w >= LEAST_HOP else 0.0
    if x[RX] != x[VX] or x[RY] != x[VY]:  # it has no spin yet
        keep = SLIP_LEFT
    vx, vy = x[VX], x[VY]
    x[VX], x[VY], x[Z], x[VZ] = keep * vx, keep * vy, 0.0, up
    x[RX], x[RY] = x[VX], x[VY]
    f[VX, VX], f[VY, VY], f[Z, Z], f[VZ, VZ] = keep, keep, 0.0, 0.0
    if w < 0.0:  # it lands sooner where it is lower: (motion after - jump of the motion before) / speed of falling
        f[X, Z], f[Y, Z] = (keep - 1.0) * vx / w, (keep - 1.0) * vy / w
        if up > 0.0:
            f[Z, Z], f[VZ, VZ], f[VZ, Z] = -e, -e, -law[GRAVITY] * (1.0 + e) / w


@kernel
def apparent(x: float, y: float, z: float, camera: Floats) -> tuple[float, float, float]:
    """Return where the line from the camera through the ball meets the ground, and z / (height - z)."""
    z = min(z, HIGHEST * camera[2])
    k = z / (camera[2] - z)
    return x + k * (x - camera[0]), y + k * (y - camera[1]), k


@kernel
def sight_rows(x: Floats, camera: Floats, h: Floats) -> tuple[float, float]:
    """Return the apparent place of the ball, and fill in its Jacobian h (2, 7)."""
    gx, gy, k = apparent(x[X], x[Y], x[Z], camera)
    for i in range(h.shape[0]):
        for j in range(h.shape[1]):
            h[i, j] = 0.0
    h[0, X], h[1, Y] = 1.0 + k, 1.0 + k
    rise = camera[2] / ((camera[2] - x[Z]) * (camera[2] - x[Z])) if x[Z] < HIGHEST * camera[2] else 0.0
    h[0, Z], h[1, Z] = rise * (x[X] - camera[0]), rise * (x[Y] - camera[1])
    return gx, gy


@kernel
def fit(path: Floats, count: int, begin: float, g: float, lift: float, camera: Floats, a: Floats) -> float:
    """Return the sum of squares that a path from ``begin`` on leaves, its numbers x, y, vx, vy, vz in a[:, 5].

    Linear: the ball at height z seen at p is at p + (c - p) z / h with c the camera, and z = vz t - g t^2 / 2.
    A ``lift`` of 0 fits a ball on the ground instead, that brakes; its deceleration stands for vz.
    a (6, 6) holds the normal equations; -1: they cannot be solved.
    """
    for i in range(6):
        for j in range(6):
            a[i, j] = 0.0
    dx, dy = unit(path[count - 1, 1] - path[0, 1], path[count - 1, 2] - path[0, 2])
    for k in range(count):
        t = path[k, 0] - begin
        for axis in range(2):
            p, c = path[k, 1 + axis], camera[axis]
            if lift > 0.0:
                _add(a, axis, t, -(c - p) * t / camera[2], p - (c - p) * 0.5 * g * t * t / camera[2])
            else:
                _add(a, axis, t, -0.5 * t * t * (dx if axis == 0 else dy), p)
    return _solve(a)


@kernel
def _add(a: Floats, axis: int, t: float, rise: float, right: float) -> None:
    """Add one row (1 at axis, t at axis + 2, rise at 4 | right) to the normal equations."""
    a[axis, axis] += 1.0
    a[axis, axis + 2] += t
    a[axis + 2, axis] += t
    a[axis + 2, axis + 2] += t * t
    a[axis, 4] += rise
    a[4, axis] += rise
    a[axis + 2, 4] += t * rise
    a[4, axis + 2] += t * rise
    a[4, 4] += rise * rise
    a[axis, 5] += right
    a[axis + 2, 5] += t * right
    a[4, 5] += rise * right
    a[5, 5] += right * right
    a[5, axis] += right
    a[5, axis + 2] += t * right
    a[5, 4] += rise * right


@kernel
def _solve(a: Floats) -> float:
    """Eliminate; the solution comes to stand in column 5, and what is left of the squares is returned."""
    for k in range(5):
        if a[k, k] <= 1e-12:
            return -1.0
        for i in range(k + 1, 6):
            part = a[i, k] / a[k, k]
            for j in range(k, 6):
                a[i, j] -= part * a[k, j]
    for back in range(5):
        i = 4 - back
        for j in range(i + 1, 5):
            a[i, 5] -= a[i, j] * a[j, 5]
        a[i, 5] /= a[i, i]
    return float(max(0.0, a[5, 5]))
