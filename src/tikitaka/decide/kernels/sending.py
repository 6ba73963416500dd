"""The wishes of a whole team, robot by robot."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.places import (
    AREA_X,
    CIRCLE,
    CLEAR,
    HALF_GAP,
    HALF_X,
    HULL,
    in_our_area,
    inside,
    keep,
    nearest_free,
    out_of_the_way,
    post,
)
from tikitaka.decide.kernels.striking import (
    LEAD,
    PATIENCE,
    RING,
    aim,
    attack,
    ball_ahead,
    choose_attacker,
    lane_clear,
    meet,
    room_to_turn,
    set_free,
)
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm, unit

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

SLOW = 0.4  # [m/s] a slower ball in the goal area is cleared by the keeper


@kernel
def send_keeper(
    pose: Floats, ball: Floats, reach: float, kick: float, v_max: float, pitch: Floats,
    target: Floats, end_speed: Floats, kicks: Floats,
) -> None:  # fmt: skip
    """Fill the keeper's wish: on its line, or through a slow ball in its area."""
    bx, by, x, y, theta = ball[0], ball[1], pose[0, 0], pose[0, 1], pose[0, 2]
    target[0, 0], target[0, 1] = keep(bx, by, ball[2], ball[3], pitch)
    target[0, 2] = 0.5 * math.pi if kick <= 0.0 else math.atan2(by - y, max(bx - x, reach))
    if kick > 0.0 and math.cos(theta) > 0.5:
        kicks[0] = 0.25 * kick
    if in_our_area(bx - RING * reach, by, pitch) and norm(ball[2], ball[3]) < SLOW and bx > x:
        dx, dy = unit(bx - x, by - y)
        target[0, 0], target[0, 1] = bx + reach * dx, by + reach * dy
        end_speed[0] = 0.5 * v_max


@kernel
def send_attacker(
    i: int, pose: Floats, theirs: Floats, ball: Floats, still: float, reach: float, kick: float, v_max: float,
    pitch: Floats, target: Floats, end_speed: Floats, kicks: Floats,
) -> None:  # fmt: skip
    """Fill the attacker's wish; a ball in our area is left to the keeper."""
    x, y, theta = pose[i, 0], pose[i, 1], pose[i, 2]
    distance = norm(x - ball[0], y - ball[1])
    bx, by = ball_ahead(ball[0], ball[1], ball[2], ball[3], distance, v_max)
    dx, dy = aim(theirs, x, y, bx, by, reach, pitch)
    target[i, 2] = math.atan2(dy, dx)
    if i > 0 and in_our_area(bx - RING * reach, by, pitch):
        target[i, 0] = pitch[AREA_X] - pitch[HALF_X] + 2.0 * pitch[HULL]
        target[i, 1] = by - math.copysign((CLEAR + 1.0) * pitch[HULL], by)
        return
    if still > PATIENCE and distance < 1.3 * reach:
        tx, ty, target[i, 2] = set_free(x, y, theta, bx, by, dx, dy, still, reach)
        target[i, 0], target[i, 1] = inside(tx, ty, pitch)
        return
    can_meet, tx, ty = meet(x, y, ball, dx, dy, v_max)
    if can_meet and distance > 4.0 * reach:
        target[i, 0], target[i, 1] = inside(tx, ty, pitch)
        target[i, 2] = math.atan2(-ball[3], -ball[2])
        return
    tx, ty, stage = attack(x, y, theta, bx, by, dx, dy, reach, kick > 0.0, pitch)
    target[i, 0], target[i, 1] = room_to_turn(x, y, theta, tx, ty, pitch)
    shot = abs(by + math.tan(theta) * (pitch[HALF_X] - bx)) < 0.8 * pitch[HALF_GAP] and bx > -0.2 * pitch[HALF_X]
    if stage == 2:
        end_speed[i] = v_max if shot or kick <= 0.0 else 0.35 * v_max
        kicks[i] = kick if shot and lane_clear(theirs, bx, by, dx, dy, reach, pitch) else 0.2 * kick
    elif stage == 1:
        end_speed[i] = 0.4 * v_max


@kernel
def send_others(
    pose: Floats, ball: Floats, m: int, back: bool, kick: float, pitch: Floats, busy: Flags, target: Floats
) -> None:
    """Fill the wishes of the m robots without a job: each post gets the nearest; ``back``: behind the circle."""
    bx, by = ball[0], ball[1]
    for k in range(m):
        px, py = post(k, m, bx, by, pitch)
        px, py = out_of_the_way(px, py, bx, by, pitch)
        if back:
            px = min(px, -pitch[CIRCLE] - pitch[HULL])
        i = nearest_free(pose, busy, px, py)
        target[i, 0], target[i, 1] = inside(px, py, pitch)
        target[i, 2] = math.nan if kick <= 0.0 else math.atan2(by - pose[i, 1], bx - pose[i, 0])
        busy[i] = True


@kernel
def rookie(
    pose: Floats, theirs: Floats, ball: Floats, last: int, still: float, may_touch: bool, reach: float,
    kick: float, v_max: float, pitch: Floats, busy: Flags, target: Floats, end_speed: Floats, kicks: Floats,
) -> int:  # fmt: skip
    """Fill every robot's wish and return the attacker; the ball has lain for ``still`` seconds."""
    n = pose.shape[0]
    attacker = choose_attacker(pose, ball[0] + LEAD * ball[2], ball[1] + LEAD * ball[3], pitch[HALF_X], last)
    send_keeper(pose, ball, reach, kick, v_max, pitch, target, end_speed, kicks)
    busy[0] = True
    if may_touch:
        send_attacker(attacker, pose, theirs, ball, still, reach, kick, v_max, pitch, target, end_speed, kicks)
        busy[attacker] = True
    send_others(pose, ball, n - 1 - int(may_touch and attacker > 0), not may_touch, kick, pitch, busy, target)
    return attacker
