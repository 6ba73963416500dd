"""Our goal area between walls is the keeper's: who plays the ball near it works from outside.

d       unit vector in which the ball is to be played
ring    how far behind the ball a robot gets ready
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.guarding import FACE, LINE
from tikitaka.decide.kernels.leaving import EDGE, in_area
from tikitaka.decide.kernels.table import AREA_X, AREA_Y, BALL, GAP, HALF_X, HULL, REACH, SPEED
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, dot

Floats = NDArray[np.float64]

BESIDE = 2.5  # chosen: hulls beside the goal area, so far the keeper sweeps
SWEEPS = 0.5  # chosen: share of the top speed at which it does
LANE = 0.6  # chosen: reaches: a ball so far off the keeper's line is still met by its front
POST = 2.2  # chosen: hulls beside the goal, where a field player stands clear of a keeper at the post
ASIDE = 4.0  # chosen: hulls that a robot leaves to a ball that is the keeper's
FREE = 5.0  # chosen: hulls of its way in which the keeper wants nobody of ours
MIDDLE = 2.0  # chosen: hulls off the middle, from there on the ball is played to its own side


@kernel
def in_lane(bx: float, p: Floats) -> bool:
    """Say whether a ball lies so near to our goal line that it is met by a keeper who drives along it."""
    return bool(bx < (LINE + FACE) * p[HULL] + LANE * p[BALL] - p[HALF_X])


@kernel
def is_keepers(bx: float, by: float, p: Floats) -> bool:
    """Say whether a ball is left to the keeper: in our area, or on the goal line beside it."""
    if in_area(bx, by, -1.0, 0.0, p):
        return True
    return bool(in_lane(bx, p) and abs(by) < p[AREA_Y] + BESIDE * p[HULL])


@kernel
def from_outside(y: float, bx: float, by: float, dx: float, dy: float, ring: float, p: Floats) -> tuple[float, float]:
    """Return d for a robot at y, turned so far that behind the ball it is not in our goal area.

    Before the area that is to the side; beside it to the side or forward, whichever is nearer to d.
    """
    front, wide = p[AREA_X] + EDGE - p[HALF_X], p[AREA_Y] + EDGE
    if bx - ring * dx >= front or abs(by - ring * dy) >= wide:
        return dx, dy
    beside = bx < front
    side = math.copysign(1.0, by if beside or abs(by) > MIDDLE * p[HULL] else by - y)
    back = clamp((bx - front) / ring, -1.0, 1.0)
    ox, oy = back, side * math.sqrt(1.0 - back * back)
    out = clamp((abs(by) - wide) / ring, -1.0, 1.0)
    fx, fy = math.sqrt(1.0 - out * out), side * out
    return (fx, fy) if beside and dot(dx, dy, fx, fy) > dot(dx, dy, ox, oy) else (ox, oy)


@kernel
def goes_home(bx: float, by: float, ux: float, uy: float, p: Floats) -> bool:
    """Say whether a robot that plays a ball from b along u drives it into our goal area."""
    x, y = bx + 2.0 * p[REACH] * ux, by + 2.0 * p[REACH] * uy
    return in_area(x, y, -1.0, 0.0, p)


@kernel
def stay_out(i: int, p: Floats, target: Floats) -> None:
    """Move robot i's place out of our goal area, and so far to the side that a keeper at the post has room."""
    x, y = target[i, 0] + p[HALF_X], target[i, 1]
    deep, wide = p[AREA_X] + EDGE, max(p[AREA_Y] + EDGE, p[GAP] + POST * p[HULL])
    if x >= deep or abs(y) >= wide:
        return
    if deep - x < wide - abs(y):
        target[i, 0] = deep - p[HALF_X]
    else:
        target[i, 1] = math.copysign(wide, y)


@kernel
def stand_by(i: int, y: float, by: float, p: Floats, target: Floats) -> None:
    """Fill the place where a robot at y waits for a ball that is the keeper's: before the area, aside, where it is."""
    target[i, 0] = p[AREA_X] - p[HALF_X] + 2.0 * p[HULL]
    target[i, 1] = by + math.copysign(max(ASIDE * p[HULL], min(abs(y - by), 2.0 * ASIDE * p[HULL])), y - by)


@kernel
def mate_before(pose: Floats, side: float, p: Floats) -> bool:
    """Say whether a mate is in the way of a keeper who drives along our goal line to ``side``."""
    mates = 0
    for i in range(1, pose.shape[0]):
        near = pose[i, 0] - pose[0, 0] < 2.0 * p[HULL]
        mates += near and 0.0 < side * (pose[i, 1] - pose[0, 1]) < FREE * p[HULL]
    return mates > 0


@kernel
def sweep(pose: Floats, ball: Floats, p: Floats, target: Floats, end_speed: Floats) -> bool:
    """Fill the keeper's wish to push a ball on the goal line outwards, and say whether there is one.

    It has to be between the ball and the middle of the goal already.
    """
    bx, by, side = ball[0], ball[1], math.copysign(1.0, ball[1])
    ahead = side * (by - pose[0, 1])
    if not in_lane(bx, p) or abs(by) > p[AREA_Y] + BESIDE * p[HULL] or ahead < 0.5 * p[REACH]:
        return False
    if side * ball[3] > 0.5 * SWEEPS * p[SPEED] or mate_before(pose, side, p):
        return False
    target[0, 0], target[0, 1] = LINE * p[HULL] - p[HALF_X], by + side * p[REACH]
    target[0, 2], end_speed[0] = 0.5 * math.pi, SWEEPS * p[SPEED]
    return True
