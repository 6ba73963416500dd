"""How a robot with a kicker plays the ball: receive it, get behind it, aim, kick.

d       unit vector in which the ball is to be played
plan    (PLANS,) what the robot has made up its mind to do with the ball: see the names below
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.lanes import chance, lane, opening, scores
from tikitaka.decide.kernels.rolling import STEP, at, kick_for
from tikitaka.decide.kernels.table import APPROACH, BALL, GAP, HALF_X, HALF_Y, HULL, KICK, LIFT, PLAY, REACH
from tikitaka.decide.kernels.timing import to_place
from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross, dot, norm, unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

KIND, AIM_X, AIM_Y, SPEED_OUT, LIFT_OUT, MATE, WORTH = range(7)
PLANS = 7
NOTHING, SHOOT, PASS, CLEARANCE, CARRY = 0.0, 1.0, 2.0, 3.0, 4.0

SHOT_SHARE = 0.985  # of the fastest kick: the limit of the rules is never passed
SHOT_MEAN = 4.5  # [m/s] chosen: a shot's speed on average, it slides at first
PASS_ARRIVES = 2.0  # [m/s] chosen: a pass that can be stopped
PASS_MEAN = 2.7  # [m/s] and its speed on average
LOYAL = 0.08  # chosen: another plan must be better by this
FAST = 0.7  # [m/s] chosen: a faster ball is received, not approached
NEAREST, FARTHEST = 0.9, 5.0  # [m] chosen: lengths of passes
POOR = 0.12  # chosen: a chance below which the ball is rather carried
GOOD = 0.25  # chosen: a chance to score that is always taken


@kernel
def best_shot(bx: float, by: float, theirs: Floats, their_v: Floats, p: Floats, plan: Floats) -> float:
    """Fill the plan of a shot at the open part of their goal, and return its worth."""
    aim_y, _ = opening(bx, by, SHOT_MEAN, theirs, their_v, p)
    plan[KIND], plan[AIM_X], plan[AIM_Y] = SHOOT, p[HALF_X], aim_y
    plan[SPEED_OUT], plan[LIFT_OUT], plan[MATE] = SHOT_SHARE * p[KICK], 0.0, -1.0
    return scores(bx, by, SHOT_MEAN, theirs, their_v, p)


@kernel
def pass_worth(
    bx: float, by: float, x: float, y: float, theirs: Floats, their_v: Floats, p: Floats
) -> tuple[float, float]:
    """Return what a pass from b to a place is worth, and how likely it gets there."""
    far = norm(x - bx, y - by)
    if not NEAREST < far < FARTHEST or abs(x) > p[HALF_X] - 0.2 or abs(y) > p[HALF_Y] - 0.2:
        return 0.0, 0.0
    through = chance(lane(bx, by, x, y, PASS_MEAN, theirs, their_v, -1, p) - 0.05)
    if through <= 0.0:
        return 0.0, 0.0
    forward = clamp(0.5 + 0.5 * (x - bx) / p[HALF_X], 0.0, 1.0)
    return through * (0.75 * scores(x, y, SHOT_MEAN, theirs, their_v, p) + 0.25 * forward), through


@kernel
def best_pass(
    i: int, bx: float, by: float, pose: Floats, v: Floats, theirs: Floats, their_v: Floats, p: Floats, plan: Floats,
    old: Floats,
) -> float:  # fmt: skip
    """Fill the plan of the best pass to a mate, where he is or a step ahead of him, and return its worth."""
    best = 0.0
    for k in range(1, pose.shape[0]):
        if k == i:
            continue
        for s in range(3):
            x, y = pose[k, 0] + 0.25 * v[k, 0] + 0.35 * s, pose[k, 1] + 0.25 * v[k, 1]
            worth, through = pass_worth(bx, by, x, y, theirs, their_v, p)
            if through < 0.45:
                continue
            if old[KIND] == PASS and old[MATE] == k:
                worth += LOYAL
            if worth > best:
                best = worth
                plan[KIND], plan[AIM_X], plan[AIM_Y], plan[MATE], plan[LIFT_OUT] = PASS, x, y, float(k), 0.0
                plan[SPEED_OUT] = min(kick_for(norm(x - bx, y - by), PASS_ARRIVES, p), 0.9 * p[KICK])
    return best


@kernel
def clear_away(bx: float, by: float, theirs: Floats, their_v: Floats, p: Floats, plan: Floats) -> float:
    """Fill the plan of a ball played forward where most room is; over a blocker's head where robots can chip."""
    best = -math.inf
    gx, gy = unit(p[HALF_X] - bx, -by)
    for k in range(-4, 5):
        c, s = math.cos(0.25 * k), math.sin(0.25 * k)
        dx, dy = c * gx - s * gy, s * gx + c * gy
        x, y = bx + 1.5 * dx, by + 1.5 * dy
        if abs(x) > p[HALF_X] - 0.3 or abs(y) > p[HALF_Y] - 0.3:
            continue
        worth = chance(lane(bx, by, x, y, PASS_MEAN, theirs, their_v, -1, p)) - 0.05 * abs(k)
        if worth > best:
            best, plan[AIM_X], plan[AIM_Y] = worth, x, y
    plan[KIND], plan[MATE], plan[LIFT_OUT] = CARRY, -1.0, 0.0
    plan[SPEED_OUT] = 0.0
    if best < 0.3 and p[LIFT] > 0.0:
        plan[KIND], plan[AIM_X], plan[AIM_Y] = CLEARANCE, bx + 2.0 * gx, by + 2.0 * gy
        plan[SPEED_OUT], plan[LIFT_OUT] = 2.5, 2.2  # lands after 0.45 s and 1.1 m, over robots 15 cm high
    return 0.05


@kernel
def make_up_mind(
    i: int, bx: float, by: float, pose: Floats, v: Floats, theirs: Floats, their_v: Floats, passes: bool, p: Floats,
    plan: Floats, old: Floats,
) -> None:  # fmt: skip
    """Fill what to do with a ball at b; ``old`` is the plan of the last tick, and is written to."""
    for c in range(PLANS):
        old[c] = plan[c]
    shot = best_shot(bx, by, theirs, their_v, p, plan) + (LOYAL if old[KIND] == SHOOT else 0.0)
    plan[WORTH] = shot
    if shot > GOOD:
        return
    shot_y = plan[AIM_Y]
    worth = best_pass(i, bx, by, pose, v, theirs, their_v, p, plan, old) if passes else 0.0
    if worth > max(shot, POOR):
        plan[WORTH] = worth
        return
    if shot > POOR:
        best_shot(bx, by, theirs, their_v, p, plan)
        plan[AIM_Y] = shot_y
        return
    plan[WORTH] = clear_away(bx, by, theirs, their_v, p, plan)


@kernel
def tolerance(bx: float, by: float, plan: Floats, p: Floats) -> float:
    """Return how far off [rad] a heading may be for this plan."""
    far = norm(plan[AIM_X] - bx, plan[AIM_Y] - by)
    if plan[KIND] == SHOOT:
        return clamp(0.25 * p[GAP] / max(far, 0.1), 0.03, 0.15)
    return 0.07 if plan[KIND] == PASS else 0.25


@kernel
def receive(i: int, pose: Floats, v: Floats, ball: Floats, way: Floats, p: Floats, target: Floats) -> bool:
    """Fill the wish to stop a rolling ball with the mouth, and return whether that can be done in time."""
    ux, uy = unit(ball[2], ball[3])
    for k in range(way.shape[0]):
        x, y = way[k, 0] + p[REACH] * ux, way[k, 1] + p[REACH] * uy
        if abs(way[k, 0]) > p[HALF_X] - 0.05 or abs(way[k, 1]) > p[HALF_Y] - 0.02:
            return False
        if to_place(pose[i], v[i], x, y, 0.3, p) <= k * STEP - 0.05:
            target[i, 0], target[i, 1], target[i, 2] = x, y, math.atan2(-uy, -ux)
            return True
    return False


@kernel
def rival(bx: float, by: float, theirs: Floats, p: Floats) -> int:
    """Return the opponent that has the ball or is about to, -1: nobody."""
    best, found = p[HULL] + 2.0 * p[REACH] - p[BALL], -1
    for j in range(theirs.shape[0]):
        d = norm(theirs[j, 0] - bx, theirs[j, 1] - by)
        if d < best:
            best, found = d, j
    return found


@kernel
def tackle(
    i: int, pose: Floats, ball: Floats, way: Floats, p: Floats, target: Floats, end_speed: Floats, kick: Floats
) -> None:
    """Fill the wish to take the ball from an opponent: first between ball and our goal, then through the ball."""
    x, y, theta = pose[i, 0], pose[i, 1], pose[i, 2]
    bx, by = at(way, min(0.4, norm(x - ball[0], y - ball[1]) / 2.5))
    gx, gy = unit(-p[HALF_X] - bx, -by)
    rx, ry = unit(x - bx, y - by)
    if dot(rx, ry, gx, gy) < 0.3 and norm(x - bx, y - by) > p[REACH] + 0.02:
        target[i, 0], target[i, 1] = bx + 2.2 * p[REACH] * gx, by + 2.2 * p[REACH] * gy
        target[i, 2], end_speed[i] = math.atan2(by - y, bx - x), 0.5
        return
    target[i, 0], target[i, 1], target[i, 2] = bx - 0.05 * rx, by - 0.05 * ry, math.atan2(-ry, -rx)
    end_speed[i] = 1.0
    if math.cos(theta) > 0.0:
        kick[i] = 0.6 * p[KICK]


@kernel
def play_ball(
    i: int, pose: Floats, v: Floats, theirs: Floats, ball: Floats, way: Floats, held: bool, plan: Floats, p: Floats,
    target: Floats, end_speed: Floats, kick: Floats, lift: Floats, dribble: Flags, use: Ints,
) -> None:  # fmt: skip
    """Fill the wish of the robot that plays the ball as its plan says."""
    x, y, theta, reach = pose[i, 0], pose[i, 1], pose[i, 2], p[REACH]
    speed = norm(ball[2], ball[3])
    coming = dot(ball[2], ball[3], x - ball[0], y - ball[1]) > 0.3 * speed * norm(x - ball[0], y - ball[1])
    dribble[i] = norm(x - ball[0], y - ball[1]) < 4.0 * reach
    if speed > FAST and coming and not held and receive(i, pose, v, ball, way, p, target):
        return
    other = rival(ball[0], ball[1], theirs, p)
    if other >= 0 and not held:
        mine = norm(x - ball[0], y - ball[1])
        if norm(theirs[other, 0] - ball[0], theirs[other, 1] - ball[1]) < mine + 0.05:
            tackle(i, pose, ball, way, p, target, end_speed, kick)
            return
    lead = min(0.6, max(0.0, to_place(pose[i], v[i], ball[0], ball[1], 1.0, p) - 0.1))
    bx, by = at(way, lead) if speed > 0.1 and not held else (ball[0], ball[1])
    dx, dy = unit(plan[AIM_X] - bx, plan[AIM_Y] - by)
    facing = math.atan2(dy, dx)
    rx, ry = x - bx, y - by
    distance, along, across = norm(rx, ry), dot(rx, ry, dx, dy), abs(cross(rx, ry, dx, dy))
    off = abs(turn(facing, theta))
    target[i, 2] = facing
    if along < 0.0 and across < 0.025 + 0.12 * max(0.0, distance - reach) and off < 0.3:
        target[i, 0], target[i, 1] = bx + 0.05 * dx, by + 0.05 * dy
        end_speed[i] = clamp(0.8 + dot(ball[2], ball[3], dx, dy), 0.5, 2.0)
        if plan[KIND] == CARRY and distance < reach + 0.03:
            target[i, 0], target[i, 1], end_speed[i] = bx + 0.6 * dx, by + 0.6 * dy, 1.5
        if off < tolerance(bx, by, plan, p):
            kick[i], lift[i] = plan[SPEED_OUT], plan[LIFT_OUT]
        use[i] = PLAY
        return
    back = reach + 0.07
    target[i, 0], target[i, 1] = bx - back * dx, by - back * dy
    use[i] = APPROACH
