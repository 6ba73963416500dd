"""How robots move between two pictures: ours as they were told, theirs straight on."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.axis import spread
from tikitaka.geom.angles import wrap
from tikitaka.geom.drive import body_from_wheels
from tikitaka.geom.frames import rotate
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, clip_norm, cross, dot, unit

Floats = NDArray[np.float64]

STEP = 0.0085  # [s] of integration: a robot turns by little within it


@kernel
def coast(track: Floats, i: int, dt: float) -> None:
    """Move robot i on at constant velocity."""
    for axis in range(3):
        track[i, axis] += track[i, axis + 3] * dt
    track[i, 2] = wrap(track[i, 2])


@kernel
def obey(track: Floats, i: int, told: Floats, k: int, grip: float, spin: float, dt: float) -> None:
    """Move our robot i on under command k: its velocity goes towards what it was told, as fast as the tyres grip."""
    steps = math.ceil(dt / STEP)
    h = dt / steps
    for _ in range(steps):
        ux, uy = rotate(told[k, i, 0], told[k, i, 1], track[i, 2] + 0.5 * h * track[i, 5])
        dx, dy = clip_norm(ux - track[i, 3], uy - track[i, 4], grip * h)
        dw = clamp(told[k, i, 2] - track[i, 5], -spin * h, spin * h)
        track[i, 0] += (track[i, 3] + 0.5 * dx) * h
        track[i, 1] += (track[i, 4] + 0.5 * dy) * h
        track[i, 2] += (track[i, 5] + 0.5 * dw) * h
        track[i, 3] += dx
        track[i, 4] += dy
        track[i, 5] += dw
    track[i, 2] = wrap(track[i, 2])


@kernel
def obey_until(
    track: Floats, i: int, told: Floats, told_time: Floats, grip: float, spin: float, t: float, end: float
) -> None:
    """Move our robot i from t to end under the commands that acted then."""
    h = told_time.shape[0]
    for k in range(h):
        stop = min(end, told_time[k + 1]) if k + 1 < h else end
        if stop > t:
            obey(track, i, told, k, grip, spin, stop - t)
            t = stop


@kernel
def shove(track: Floats, old: Floats, i: int, j: int, width: float) -> None:
    """Let robots i and j push each other instead of passing through, as bodies of equal mass that do not bounce."""
    nx, ny = unit(old[j, 0] - old[i, 0], old[j, 1] - old[i, 1])
    dx, dy = track[j, 0] - track[i, 0], track[j, 1] - track[i, 1]
    across, along = cross(nx, ny, dx, dy), dot(nx, ny, dx, dy)
    if abs(across) >= width or (along * along + across * across >= width * width and along > 0.0):
        return
    half = 0.5 * (math.sqrt(width * width - across * across) - along)
    track[i, 0] -= half * nx
    track[i, 1] -= half * ny
    track[j, 0] += half * nx
    track[j, 1] += half * ny
    closing = 0.5 * min(0.0, dot(nx, ny, track[j, 3] - track[i, 3], track[j, 4] - track[i, 4]))
    track[i, 3] += closing * nx
    track[i, 4] += closing * ny
    track[j, 3] -= closing * nx
    track[j, 4] -= closing * ny


@kernel
def predict(
    track: Floats, held: Floats, told: Floats, told_time: Floats, grip: float, spin: float, width: float,
    max_speed: float, t: float, end: float, old: Floats,
) -> None:  # fmt: skip
    """Move all robots on from t to end; ours (the first rows, as many as ``held`` has) obey unless they are held.

    Robots that are further apart than ``max_speed`` bridges are not checked for pushing.
    """
    n = track.shape[0]
    for i in range(n):
        old[i, 0], old[i, 1] = track[i, 0], track[i, 1]
        if i < held.shape[0] and held[i] == 0.0:
            obey_until(track, i, told, told_time, grip, spin, t, end)
        else:
            coast(track, i, end - t)
    reach = width + 2.0 * max_speed * (end - t)
    for i in range(n):
        for j in range(i + 1, n):
            if abs(old[j, 0] - old[i, 0]) < reach and abs(old[j, 1] - old[i, 1]) < reach:
                shove(track, old, i, j, width)


@kernel
def predict_other(
    track: Floats, held: Floats, told: Floats, told_time: Floats, grip: float, spin: float, t: float, end: float,
    other: Floats,
) -> None:  # fmt: skip
    """Fill ``other`` with what our robots do if those that obey are held, and those that are held obey."""
    for i in range(held.shape[0]):
        for axis in range(6):
            other[i, axis] = track[i, axis]
        if held[i] != 0.0:
            obey_until(other, i, told, told_time, grip, spin, t, end)
        else:
            coast(other, i, end - t)


@kernel
def spread_all(p: Floats, ours: int, q: Floats, dt: float) -> None:
    """Let all uncertainties grow over dt; q holds the noise of our and of their motion, then of turning."""
    for i in range(p.shape[0]):
        noise = q[0] if i < ours else q[1]
        spread(p[i, 0], noise, dt)
        spread(p[i, 1], noise, dt)
        spread(p[i, 2], q[2], dt)


@kernel
def remember(told: Floats, told_time: Floats, inverse: Floats, wheels: Floats, t: float) -> None:
    """Append what our robots were told at t; the oldest entry goes."""
    h = told_time.shape[0]
    for k in range(h - 1):
        told_time[k] = told_time[k + 1]
        for i in range(wheels.shape[0]):
            for q in range(3):
                told[k, i, q] = told[k + 1, i, q]
    told_time[h - 1] = t
    for i in range(wheels.shape[0]):
        told[h - 1, i, 0], told[h - 1, i, 1], told[h - 1, i, 2] = body_from_wheels(inverse, wheels[i])
