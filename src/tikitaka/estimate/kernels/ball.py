"""The ball's track, picture by picture."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.axis import spread
from tikitaka.estimate.kernels.pictures import picture_end
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def roll(ball: Floats, rolling: float, dt: float) -> None:
    """Predict the ball over dt under Coulomb friction; it stops, it does not turn back [Beard, sec. 2.4]."""
    if dt <= 0.0:
        return
    speed = norm(ball[2], ball[3])
    if speed > 0.0:
        moving = min(dt, speed / rolling) if rolling > 0.0 else dt
        reach = moving * (1.0 - 0.5 * rolling * moving / speed)
        left = 1.0 - rolling * moving / speed
        ball[0] += ball[2] * reach
        ball[1] += ball[3] * reach
        ball[2] *= left
        ball[3] *= left


@kernel
def see_ball(ball: Floats, p: Floats, misses: int, x: float, y: float, r: float, gate: float, patience: int) -> int:
    """Return how many detections in a row lay outside the gate; too many and the track starts afresh there."""
    dx, dy = x - ball[0], y - ball[1]
    s = p[0] + r
    if dx * dx + dy * dy > gate * s and misses < patience:
        return misses + 1
    if dx * dx + dy * dy > gate * s:
        ball[0], ball[1], ball[2], ball[3] = x, y, 0.0, 0.0
        p[0], p[1], p[2] = r, 0.0, 4.0
        return 0
    gain, gain_v = p[0] / s, p[1] / s
    ball[0] += gain * dx
    ball[1] += gain * dy
    ball[2] += gain_v * dx
    ball[3] += gain_v * dy
    p[2] -= gain_v * p[1]
    p[1] -= gain * p[1]
    p[0] -= gain * p[0]
    return 0


@kernel
def nearest(ball: Floats, xy: Floats) -> int:
    """Return the ball detection nearest to the track, -1: none is finite."""
    best, found = math.inf, -1
    for j in range(xy.shape[0]):
        d = (xy[j, 0] - ball[0]) ** 2 + (xy[j, 1] - ball[1]) ** 2
        if d < best:
            best, found = d, j
    return found


@kernel
def follow_ball(
    ball: Floats, p: Floats, last: Floats, misses: Ints, t: float, time: Floats, xy: Floats,
    r: float, rolling: float, q: float, gate: float, patience: int, now: float,
) -> float:  # fmt: skip
    """Return the time of the ball's track after all frames newer than t."""
    first = 0
    while first < time.shape[0]:
        end = picture_end(time, first)
        if t < time[first] <= now:
            if t > -math.inf:  # else this is the first picture ever
                roll(ball, rolling, time[first] - t)
                spread(p, q, time[first] - t)
            t = time[first]
            j = nearest(ball, xy[first:end])
            if j >= 0:
                misses[0] = see_ball(ball, p, misses[0], xy[first + j, 0], xy[first + j, 1], r, gate, patience)
                last[0] = t
        first = end
    return t
