"""Goal areas between walls, where two of one team beside the ball are too many: a penalty, or their goal kick.

end     1: their goal, -1: ours
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.rolling import at
from tikitaka.decide.kernels.table import AREA_X, AREA_Y, HALF_X, HULL, REACH, SPEED
from tikitaka.decide.kernels.yielding import APART, is_free
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp

Floats = NDArray[np.float64]

CROWD_SINCE = 17  # its place in the notes, see `playing`
STAY = 0.15  # [s] chosen: the referee gives half a second
EDGE = 0.025  # [m] chosen: so far off the area's line a robot's centre stays
WAIT = 1.5  # chosen: hulls before our area, where they wait for the ball to come out
GAPS = 4.2  # chosen: hulls between the centres of two who wait
SOON = 0.2  # [s] chosen: a ball that will be in the area by then counts as in it


@kernel
def in_area(x: float, y: float, end: float, more: float, p: Floats) -> bool:
    """Say whether a point is in the goal area at ``end``, grown by ``more``."""
    return bool(end * x > p[HALF_X] - p[AREA_X] - more and abs(y) < p[AREA_Y] + more)


@kernel
def ball_in(end: float, ball: Floats, way: Floats, p: Floats) -> bool:
    """Say whether the ball is in the area at ``end``, or soon will be."""
    x, y = at(way, SOON)
    return bool(in_area(ball[0], ball[1], end, p[REACH], p) or in_area(x, y, end, 0.0, p))


@kernel
def crowded(pose: Floats, ball: Floats, time: float, notes: Floats, p: Floats) -> bool:
    """Say whether two of us have been in our area with the ball for so long that one has to leave it."""
    inside = 0
    for i in range(pose.shape[0]):
        inside += in_area(pose[i, 0], pose[i, 1], -1.0, 0.0, p)
    if inside < 2 or not in_area(ball[0], ball[1], -1.0, 0.0, p):
        notes[CROWD_SINCE] = time
    return bool(time - notes[CROWD_SINCE] > STAY)


@kernel
def beside(x: float, y: float, end: float, p: Floats) -> tuple[float, float]:
    """Return the nearest point outside the area at ``end``: before it, or at its side."""
    deep, wide = p[HALF_X] - p[AREA_X] - EDGE, p[AREA_Y] + EDGE
    if end * x - deep < wide - abs(y) or end * x > p[HALF_X]:
        return end * deep, y
    return x, math.copysign(wide, y)


@kernel
def out(i: int, taker: int, x: float, y: float, end: float, p: Floats, target: Floats) -> tuple[float, float]:
    """Return where i waits who is to leave (x, y): beside the area, farther from its middle while mates are there."""
    ax, ay = beside(x, y, end, p)
    before = abs(ay) < p[AREA_Y] + EDGE
    for _ in range(target.shape[0]):
        if is_free(i, taker, ax, ay, p, target):
            break
        if before:
            ay += math.copysign(APART * p[HULL], y)
        else:
            ax -= end * APART * p[HULL]
    return ax, ay


@kernel
def wall(i: int, pose: Floats, by: float, p: Floats) -> tuple[float, float]:
    """Return the i-th robot's place in a row before our area, around the ball's y: nobody has to pass another."""
    n, rank = pose.shape[0], 0
    for k in range(1, n):
        rank += pose[k, 1] < pose[i, 1] or (pose[k, 1] == pose[i, 1] and k < i)
    most = max(0.0, p[AREA_Y] - 0.5 * (n - 2) * GAPS * p[HULL])
    y = clamp(by, -most, most) + (rank - 0.5 * (n - 2)) * GAPS * p[HULL]
    return p[AREA_X] - p[HALF_X] + WAIT * p[HULL], y


@kernel
def leave_areas(
    pose: Floats, ball: Floats, way: Floats, taker: int, walled: bool, p: Floats, target: Floats,
    end_speed: Floats, max_speed: Floats,
) -> None:  # fmt: skip
    """Send all but the keeper out of our area while the ball is there, all but ``taker`` out of theirs.

    ``walled``: out of ours they wait in a row before it.
    """
    for side in range(2):
        end = 2.0 * side - 1.0
        if not ball_in(end, ball, way, p):
            continue
        for i in range(1, pose.shape[0]):
            if i == taker and side == 1:
                continue
            if side == 0 and walled:
                target[i, 0], target[i, 1] = wall(i, pose, ball[1], p)
                end_speed[i] = 0.0
            if in_area(target[i, 0], target[i, 1], end, EDGE, p):
                target[i, 0], target[i, 1] = out(i, taker, target[i, 0], target[i, 1], end, p, target)
                end_speed[i] = 0.0
            if in_area(pose[i, 0], pose[i, 1], end, 0.0, p):
                target[i, 0], target[i, 1] = out(i, taker, pose[i, 0], pose[i, 1], end, p, target)
                end_speed[i], max_speed[i] = 0.0, p[SPEED]
