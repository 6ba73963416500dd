"""Who goes where: keeper, attacker, and the others at their posts.

goal   the middle of the goal that we attack, (gx, 0)
reach  distance between the centres of ball and robot when they touch
hull   distance that a robot keeps from the walls
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, norm, unit

Floats = NDArray[np.float64]

LOYALTY = 0.15  # [m] another robot must be nearer by this to take over the attack
AIM_COSINE = 0.94  # about 20 degrees: behind the ball well enough to push it
OUTSIDE = 1.8  # of the reach: room left when driving around the ball
BRAKE_AHEAD = 0.25  # [s] the ball is met where it will be by then, at the most


@kernel
def ball_ahead(bx: float, by: float, vx: float, vy: float, distance: float, v_max: float) -> tuple[float, float]:
    """Return where the ball will be when a robot that far away can be there."""
    t = min(BRAKE_AHEAD, distance / v_max)
    return bx + vx * t, by + vy * t


@kernel
def choose_attacker(pose: Floats, bx: float, by: float, gx: float, last: int) -> int:
    """Return the robot that is soonest behind the ball; the last one keeps the job while nobody is clearly better."""
    best, cost = 0, math.inf
    dx, dy = unit(gx - bx, -by)
    for i in range(1, pose.shape[0]):
        ahead = (pose[i, 0] - bx) * dx + (pose[i, 1] - by) * dy
        c = norm(pose[i, 0] - bx, pose[i, 1] - by) + max(0.0, ahead)
        c -= LOYALTY if i == last else 0.0
        if c < cost:
            best, cost = i, c
    return best


@kernel
def inside(x: float, y: float, half_x: float, half_y: float, hull: float) -> tuple[float, float]:
    """Return the nearest point at which a robot has room."""
    return clamp(x, hull - half_x, half_x - hull), clamp(y, hull - half_y, half_y - hull)


@kernel
def attack(
    x: float, y: float, bx: float, by: float, gx: float, half_gap: float, reach: float, half_x: float, half_y: float, hull: float
) -> tuple[float, float, float, bool]:
    """Return target, heading, and whether to drive through the ball: first get behind it, then at the goal."""
    aim_y = clamp(by, -0.6 * half_gap, 0.6 * half_gap)
    dx, dy = unit(gx - bx, aim_y - by)
    heading = math.atan2(dy, dx)
    rx, ry = x - bx, y - by
    along, across = rx * dx + ry * dy, ry * dx - rx * dy
    d = norm(rx, ry)
    if along < 0.0 and -along > AIM_COSINE * d and d < 4.0 * reach:
        return bx + 3.0 * reach * dx, by + 3.0 * reach * dy, heading, True
    side = 1.0 if across >= 0.0 else -1.0
    wide = OUTSIDE * reach if along > -reach else 0.0  # beside or before the ball: around it, not through it
    tx = bx - OUTSIDE * reach * dx - side * wide * dy
    ty = by - OUTSIDE * reach * dy + side * wide * dx
    tx, ty = inside(tx, ty, half_x, half_y, hull)
    return tx, ty, heading, False


@kernel
def keep(
    bx: float, by: float, vx: float, vy: float, half_x: float, half_gap: float, out: float
) -> tuple[float, float]:
    """Return the keeper's place: on a line before our goal, where the ball will cross it or stands opposite."""
    x = -half_x + out
    y = by * clamp(half_gap / max(0.1, bx + half_x), 0.3, 1.0)
    if vx < -0.2 and bx > x:
        cross = by + vy * (bx - x) / -vx
        if abs(cross) < 2.0 * half_gap:
            y = cross
    return x, clamp(y, -half_gap, half_gap)


@kernel
def post(k: int, m: int, bx: float, by: float, half_x: float, half_y: float) -> tuple[float, float]:
    """Return the k-th of m places for those who neither keep nor attack: in rows behind the ball, spread out."""
    row, slot = k // 3, k % 3
    width = min(3, m - 3 * row)
    y = half_y * (0.8 * (slot - 0.5 * (width - 1)) if width > 1 else 0.0)
    back = 0.55 + 0.5 * row
    x = bx - back * 0.6 * half_x + (0.25 * half_x if slot == 1 and width == 3 else 0.0)
    return clamp(x, -0.75 * half_x + 0.12 * slot * half_x, 0.7 * half_x), 0.75 * y + 0.25 * by


@kernel
def nearest_free(pose: Floats, busy: NDArray[np.bool_], x: float, y: float) -> int:
    """Return the robot nearest to a place among those without a job, -1: none."""
    best, found = math.inf, -1
    for i in range(pose.shape[0]):
        d = norm(pose[i, 0] - x, pose[i, 1] - y)
        if not busy[i] and d < best:
            best, found = d, i
    return found


@kernel
def rookie(
    pose: Floats, ball: Floats, last: int, may_touch: bool, kick: float, sizes: Floats,
    v_max: float, busy: NDArray[np.bool_], target: Floats, end_speed: Floats, kicks: Floats,
) -> int:  # fmt: skip
    """Fill every robot's wish and return the attacker; ``sizes``: half field x, y, half goal, reach, hull, circle."""
    n = pose.shape[0]
    half_x, half_y, half_gap, reach, hull, circle = sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5]
    bx, by, vx, vy = ball[0], ball[1], ball[2], ball[3]
    attacker = choose_attacker(pose, bx, by, half_x, last)
    target[0, 0], target[0, 1] = keep(bx, by, vx, vy, half_x, half_gap, 1.3 * hull)
    target[0, 2] = 0.5 * math.pi if kick <= 0.0 else math.atan2(by - pose[0, 1], bx - pose[0, 0])
    busy[0] = True
    if may_touch:
        x, y = pose[attacker, 0], pose[attacker, 1]
        mx, my = ball_ahead(bx, by, vx, vy, norm(x - bx, y - by), v_max)
        tx, ty, heading, through = attack(x, y, mx, my, half_x, half_gap, reach, half_x, half_y, hull)
        target[attacker, 0], target[attacker, 1] = tx, ty
        target[attacker, 2] = heading
        end_speed[attacker] = v_max if through else 0.0
        kicks[attacker] = kick if through else 0.0
        busy[attacker] = True
    rest = n - 1 - int(may_touch and attacker > 0)
    for k in range(rest):
        px, py = post(k, rest, bx, by, half_x, half_y)
        if not may_touch:
            px = min(px, -circle - hull)
        i = nearest_free(pose, busy, px, py)
        target[i, 0], target[i, 1] = inside(px, py, half_x, half_y, hull)
        target[i, 2] = math.nan if kick <= 0.0 else math.atan2(by - pose[i, 1], bx - pose[i, 0])
        busy[i] = True
    return attacker
