"""What two robots do together: one calls the other for a pass, or comes to help where the ball is fought for."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.kicking import behind, rival
from tikitaka.decide.kernels.minding import AIM_X, AIM_Y, KIND, MATE, PASS
from tikitaka.decide.kernels.obeying import inside
from tikitaka.decide.kernels.table import HALF_X, HALF_Y, HULL, KICK, PLAY, REACH, SPEED
from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import cross, dot, norm, unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

CALLS = 0.5  # [m] chosen: so near to the ball the one who passes calls his mate
FIGHT = 0.3  # [s] chosen: after which a second robot comes to help
HELPS = 17.0  # hulls from the ball: who is farther stays where he is
POKE = 0.45  # of the fastest kick: a ball that is fought for is played out of it


@kernel
def call_mate(
    pose: Floats, ball: Floats, taker: int, plan: Floats, p: Floats, target: Floats, max_speed: Floats
) -> int:
    """Send the mate who is to have a pass to where it will arrive, and return him; -1: nobody is called yet."""
    mate = int(plan[MATE])
    if taker < 1 or p[KICK] <= 0.0 or plan[KIND] != PASS or mate < 1 or mate == taker:
        return -1
    if norm(pose[taker, 0] - ball[0], pose[taker, 1] - ball[1]) > CALLS:
        return -1
    target[mate, 0], target[mate, 1], max_speed[mate] = plan[AIM_X], plan[AIM_Y], p[SPEED]
    target[mate, 2] = math.atan2(ball[1] - pose[mate, 1], ball[0] - pose[mate, 0])
    return mate


@kernel
def fought_for(pose: Floats, theirs: Floats, ball: Floats, taker: int, p: Floats) -> bool:
    """Say whether our player and an opponent are both at the ball."""
    mine = norm(pose[taker, 0] - ball[0], pose[taker, 1] - ball[1])
    return mine < 2.0 * p[REACH] and rival(ball[0], ball[1], theirs, p) >= 0


@kernel
def side_way(pose: Floats, ball: Floats, taker: int, p: Floats) -> tuple[float, float]:
    """Return the way out of a fight: across our player's line, forward, but not over a touch line."""
    ux, uy = unit(ball[0] - pose[taker, 0], ball[1] - pose[taker, 1])
    dx, dy = -uy, ux
    if dx < 0.0 or (abs(ball[1] + 12.0 * p[HULL] * dy) > p[HALF_Y] and dy * ball[1] > 0.0):
        dx, dy = -dx, -dy
    return unit(dx + 0.3, dy)


@kernel
def help_out(
    pose: Floats, ball: Floats, taker: int, p: Floats, target: Floats, end_speed: Floats, max_speed: Floats,
    kick: Floats, dribble: Flags, use: Ints, contact: Flags,
) -> None:  # fmt: skip
    """Send the nearest free robot through a ball that is fought for, from the side."""
    best, found = HELPS * p[HULL], -1
    for i in range(1, pose.shape[0]):
        d = norm(pose[i, 0] - ball[0], pose[i, 1] - ball[1])
        if i != taker and d < best:
            best, found = d, i
    if found < 0 or ball[0] < -0.75 * p[HALF_X]:
        return
    x, y, theta = pose[found, 0], pose[found, 1], pose[found, 2]
    dx, dy = side_way(pose, ball, taker, p)
    rx, ry = x - ball[0], y - ball[1]
    facing = math.atan2(dy, dx)
    target[found, 2], max_speed[found], use[found] = facing, p[SPEED], PLAY
    if dot(rx, ry, dx, dy) < 0.0 and abs(cross(rx, ry, dx, dy)) < 0.35 * p[REACH] + 0.2 * norm(rx, ry):
        target[found, 0], target[found, 1] = ball[0] + p[REACH] * dx, ball[1] + p[REACH] * dy
        end_speed[found], contact[found], dribble[found] = min(1.2, 0.5 * p[SPEED]), True, True
        if p[KICK] > 0.0 and abs(turn(facing, theta)) < 0.5:
            kick[found] = POKE * p[KICK]
        return
    tx, ty = behind(x, y, ball[0], ball[1], dx, dy, p)
    target[found, 0], target[found, 1] = inside(tx, ty, p)
