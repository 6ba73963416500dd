"""The keeper: between ball and goal, before a shot where it will pass, and out to a ball that lies before it."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.kicking import behind
from tikitaka.decide.kernels.places import outmost
from tikitaka.decide.kernels.rolling import STEP
from tikitaka.decide.kernels.table import (
    AREA_X,
    AREA_Y,
    BALL,
    BARRED,
    GAP,
    HALF_X,
    HALF_Y,
    HULL,
    KICK,
    LIFT,
    OMNI,
    REACH,
    SPEED,
)
from tikitaka.decide.kernels.timing import to_ball, to_place
from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, dot, norm, unit

Floats = NDArray[np.float64]

LINE = 0.78  # hulls before the goal line: a box that drives up and down there leaves no room behind it
FACE = 0.71  # hulls from the middle of a box to its side, where the ball is met
GOES = 0.2  # chosen: of the ball's y, so far a keeper goes to its side while it is at their goal line: to the post
ARC = 0.7  # of half the goal: so far out a keeper stands that moves in all directions
FOLLOWS = 0.6  # chosen: of half the goal: so much farther it comes out while the ball goes to their goal line
SHOT = 0.25  # [m/s] chosen: a ball that comes at less is no shot
WIDE = 1.25  # of half the goal: what passes there is taken for a shot at it
LAZY = 0.5  # [m/s] chosen: a slower ball in the area is cleared
BEHIND = 0.5  # chosen: cosine of the angle at the ball between keeper and goal; then it drives the ball away from there
SOONER = 0.1  # [s] chosen: by which the keeper must be sooner at the ball than any opponent, to come out


@kernel
def lean(bx: float, by: float, p: Floats) -> float:
    """Return how much farther to the side a keeper stands the nearer the ball is to their goal line."""
    return GOES * clamp(bx / p[HALF_X], 0.0, 1.0) * by


@kernel
def stand(bx: float, by: float, p: Floats) -> tuple[float, float]:
    """Return the place on line or arc from which both posts are equally far: on the bisector of the goal's angle."""
    gx, edge = -p[HALF_X], p[GAP]
    bx = max(bx, gx + 0.02)
    ax, ay = unit(gx - bx, edge - by)
    cx, cy = unit(gx - bx, -edge - by)
    ux, uy = unit(ax + cx, ay + cy)
    if p[OMNI] > 0.0:
        out = (ARC + FOLLOWS * clamp(bx / p[HALF_X], 0.0, 1.0)) * edge
        mx, my = gx, by + uy * (gx - bx) / min(ux, -1e-3)
        my = clamp(my, -0.6 * edge, 0.6 * edge)
        vx, vy = unit(bx - mx, by - my)
        return gx + max(p[HULL], out * vx), my + out * vy
    x = gx + LINE * p[HULL]
    y = by + uy * (x - bx) / min(ux, -1e-3) + lean(bx, by, p)
    most = outmost(bx, by, edge, p[HALF_X], p[HALF_Y])
    return x, clamp(y, -most, most)


@kernel
def crossing(way: Floats, x: float) -> tuple[int, float]:
    """Return the step at which the ball passes x towards our goal, and its y there; -1: it does not."""
    for k in range(1, way.shape[0]):
        if way[k, 0] < x <= way[k - 1, 0]:
            f = (way[k - 1, 0] - x) / (way[k - 1, 0] - way[k, 0])
            return k, way[k - 1, 1] + f * (way[k, 1] - way[k - 1, 1])
    return -1, 0.0


@kernel
def block(pose: Floats, v: Floats, way: Floats, last: int, p: Floats) -> tuple[float, float]:
    """Return the place on the ball's way, until the step ``last``, where the keeper is soonest before it."""
    best, x, y = -math.inf, pose[0], pose[1]
    for k in range(last + 1):
        if way[k, 0] < p[HULL] - p[HALF_X] or way[k, 0] > 1.2 * p[AREA_X] - p[HALF_X]:
            continue
        spare = k * STEP - to_place(pose, v, way[k, 0], way[k, 1], 0.5, p)
        if spare > best:
            best, x, y = spare, way[k, 0], way[k, 1]
        if spare > SOONER:
            break
    return x, y


@kernel
def step_into(pose: Floats, v: Floats, ball: Floats, p: Floats) -> tuple[float, float, float]:
    """Return the place on a shot's line that is nearest to the keeper, and how fast it may pass it: in a hurry, full.

    The place stays where it is while ball and keeper come to it, so that the keeper drives there without a turn.
    """
    speed, low = norm(ball[2], ball[3]), p[HULL] - p[HALF_X]
    ux, uy = ball[2] / speed, ball[3] / speed
    along = max(0.0, dot(pose[0] - ball[0], pose[1] - ball[1], ux, uy))
    if ball[0] + along * ux < low:
        along = max(0.0, (low - ball[0]) / ux)
    x, y = ball[0] + along * ux, ball[1] + along * uy
    return x, y, p[SPEED] if to_place(pose, v, x, y, 0.0, p) > along / speed else 0.0


@kernel
def may_come_out(
    pose: Floats, v: Floats, way: Floats, bx: float, by: float, speed: float, theirs: Floats, their_v: Floats,
    p: Floats,
) -> bool:  # fmt: skip
    """Say whether the keeper is the first at a slow ball in its area, and behind it; or nobody else may go there."""
    edge = p[AREA_X] - p[HALF_X]
    if bx - p[REACH] >= edge or abs(by) >= p[AREA_Y] or speed > LAZY:
        return False
    if p[BARRED] > 0.0 and bx < edge:
        return True
    if bx < pose[0] + 0.3 * p[REACH]:
        return False
    mine = to_ball(pose, v, way, p[REACH], p)
    rivals = 0
    for j in range(theirs.shape[0]):
        rivals += to_ball(theirs[j], their_v[j], way, p[REACH], p) < mine + SOONER
    return rivals == 0


@kernel
def clear(x: float, y: float, bx: float, by: float, p: Floats, target: Floats, end_speed: Floats) -> None:
    """Fill the keeper's wish to drive a ball at b away; one that nobody else may touch is first walked around."""
    dx, dy = unit(bx - x, by - y)
    ox, oy = unit(bx + p[HALF_X], by)
    if p[BARRED] > 0.0 and dot(dx, dy, ox, oy) < BEHIND:
        target[0, 0], target[0, 1] = behind(x, y, bx, by, ox, oy, p)
        target[0, 2] = math.atan2(oy, ox)
        return
    target[0, 0], target[0, 1] = bx + p[REACH] * dx, by + p[REACH] * dy
    target[0, 2], end_speed[0] = math.atan2(dy, dx), min(0.5 * p[SPEED], 1.5)


@kernel
def guard(
    pose: Floats, v: Floats, ball: Floats, way: Floats, theirs: Floats, their_v: Floats, steps: bool, p: Floats,
    target: Floats, end_speed: Floats, kick: Floats, lift: Floats,
) -> None:  # fmt: skip
    """Fill the keeper's wish, robot 0, who ``steps`` into a shot or waits where it has most time."""
    bx, by, x, y, theta = ball[0], ball[1], pose[0, 0], pose[0, 1], pose[0, 2]
    kicks = p[KICK] > 0.0
    target[0, 0], target[0, 1] = stand(bx, by, p)
    target[0, 2] = math.atan2(by - y, max(bx - x, p[REACH])) if p[OMNI] > 0.0 else 0.5 * math.pi
    line = -p[HALF_X] + ((LINE + FACE) * p[HULL] + p[BALL] if p[OMNI] <= 0.0 else 0.02)
    k, cross_y = crossing(way, line)
    if k > 0 and ball[2] < -SHOT and abs(cross_y) < WIDE * p[GAP]:
        if steps and p[OMNI] > 0.0:
            target[0, 0], target[0, 1], end_speed[0] = step_into(pose[0], v[0], ball, p)
            target[0, 2] = math.atan2(-ball[3], -ball[2])
        elif p[OMNI] > 0.0:
            target[0, 0], target[0, 1] = block(pose[0], v[0], way, k, p)
            target[0, 2] = math.atan2(by - y, bx - x)
        else:
            target[0, 1] = clamp(cross_y, -p[GAP], p[GAP])
    elif may_come_out(pose[0], v[0], way, bx, by, norm(ball[2], ball[3]), theirs, their_v, p):
        clear(x, y, bx, by, p, target, end_speed)
    if kicks and math.cos(theta) > 0.3 and abs(turn(math.atan2(by - y, bx - x), theta)) < 0.4:
        kick[0], lift[0] = 0.5 * p[KICK], 0.4 * p[LIFT]
