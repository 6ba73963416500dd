"""How a robot with a kicker plays the ball: receive it, get behind it, turn with it, kick, and take it from others.

d       unit vector in which the ball is to be played
plan    what is to be done with it, see `minding`
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.minding import (
    AIM_X,
    AIM_Y,
    CARRY,
    CLEAR,
    KIND,
    LIFT_OUT,
    PASS,
    SHOOT,
    SPEED_OUT,
    tolerance,
)
from tikitaka.decide.kernels.rolling import STEP, at
from tikitaka.decide.kernels.table import BALL, BRAKE, HALF_X, HALF_Y, HULL, KICK, PLAY, REACH, ROOM_X, ROOM_Y
from tikitaka.decide.kernels.timing import to_ball, to_place
from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross, dot, norm, unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

FAST = 0.7  # [m/s] chosen: a faster ball is received, not approached
SPARE = 0.1  # [s] chosen: by which a robot is at its place before the ball
LATE = 0.35  # [s] chosen: who is later than this does not try
MISSED = 4.0  # [m/s] chosen: what a second too late costs
HURRY = 0.5  # [m/s] chosen: what a second later costs
GLANCE = 1.0  # [rad] chosen: between the way that the ball comes and the heading that plays it on at once
OUTLET = 2.5  # [m] chosen: a tackled ball is kicked where it stays so far in the field
TWIST = 0.3  # [rad] chosen: so far ahead of its heading a robot with the ball turns; faster the bar loses it
BROUGHT = 0.1  # [m] chosen: from the spot; the rules allow 0.15
LEAVES = 0.7  # [m] chosen: so far the robot goes away from a ball that it has brought
BRINGS = 1.0  # [m/s] chosen: with the ball
PULLS = 0.4  # [m/s] chosen: with the ball, backwards
TURNS = 2.4  # [rad] chosen: it turns so far with the ball, and goes around it for more


@kernel
def meeting(pose: Floats, v: Floats, ball: Floats, way: Floats, p: Floats) -> int:
    """Return the step at which a robot best waits for a ball that rolls past: in time, near, and soon; -1: never."""
    speed = norm(ball[2], ball[3])
    ahead = dot(ball[2], ball[3], pose[0] - ball[0], pose[1] - ball[1])
    if speed < FAST or ahead < 0.2 * speed * norm(pose[0] - ball[0], pose[1] - ball[1]):
        return -1
    ux, uy = ball[2] / speed, ball[3] / speed
    best, found = math.inf, -1
    for k in range(way.shape[0]):
        x, y = way[k, 0] + p[REACH] * ux, way[k, 1] + p[REACH] * uy
        if abs(way[k, 0]) > p[HALF_X] - 0.05 or abs(way[k, 1]) > p[HALF_Y] - 0.02:
            break
        late = to_place(pose, v, x, y, 0.3, p) - k * STEP + SPARE
        if late > LATE:
            continue
        cost = norm(x - pose[0], y - pose[1]) + HURRY * k * STEP + MISSED * max(0.0, late)
        if cost < best:
            best, found = cost, k
    return found


@kernel
def one_touch(wx: float, wy: float, facing: float, out: float) -> float:
    """Return the heading at which a kick sends a ball that comes with w off towards ``facing`` at the speed ``out``.

    The kick sets the speed along the heading and leaves the one across it; the sum turns with the heading, so that it
    is found by halving.
    """
    low, high = facing - GLANCE, facing + GLANCE
    for _ in range(16):
        heading = 0.5 * (low + high)
        across = wy * math.cos(heading) - wx * math.sin(heading)
        if heading + math.atan2(across, out) > facing:
            high = heading
        else:
            low = heading
    return 0.5 * (low + high)


@kernel
def receive(
    i: int, k: int, pose: Floats, ball: Floats, way: Floats, plan: Floats, p: Floats, target: Floats, kick: Floats,
    lift: Floats, dribble: Flags,
) -> None:  # fmt: skip
    """Fill the wish to meet the ball at the step k of its way: played on at once where the plan allows, or stopped."""
    x, y = way[k, 0], way[k, 1]
    ux, uy = unit(ball[2], ball[3])
    slower = max(0.5, norm(ball[2], ball[3]) - p[BRAKE] * k * STEP)
    heading, trap = math.atan2(-uy, -ux), True
    if plan[KIND] == SHOOT or plan[KIND] == PASS or plan[KIND] == CLEAR:
        facing = math.atan2(plan[AIM_Y] - y, plan[AIM_X] - x)
        through = one_touch(slower * ux, slower * uy, facing, plan[SPEED_OUT])
        if abs(turn(through, heading)) < GLANCE:
            heading, trap = through, False
    target[i, 0], target[i, 1] = x - p[REACH] * math.cos(heading), y - p[REACH] * math.sin(heading)
    target[i, 2], dribble[i] = heading, trap
    if not trap and abs(turn(heading, pose[i, 2])) < 0.2:
        kick[i], lift[i] = plan[SPEED_OUT], plan[LIFT_OUT]


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
def _his(other: Floats, mine: Floats, ball: Floats) -> bool:
    """Say whether another one is as near to the ball as I am."""
    far = norm(mine[0] - ball[0], mine[1] - ball[1])
    return norm(other[0] - ball[0], other[1] - ball[1]) < far + 0.05


@kernel
def tackle(
    i: int, pose: Floats, v: Floats, ball: Floats, way: Floats, p: Floats, target: Floats, end_speed: Floats,
    kick: Floats,
) -> None:  # fmt: skip
    """Fill the wish to take the ball from an opponent: first between ball and our goal, then through the ball."""
    x, y, theta = pose[i, 0], pose[i, 1], pose[i, 2]
    bx, by = ball[0], ball[1]
    if norm(x - bx, y - by) > 2.0 * p[REACH]:
        bx, by = at(way, min(1.0, to_ball(pose[i], v[i], way, 2.0 * p[REACH], p)))
    gx, gy = unit(-p[HALF_X] - bx, -by)
    rx, ry = unit(x - bx, y - by)
    if dot(rx, ry, gx, gy) < 0.3 and norm(x - bx, y - by) > p[REACH] + 0.02:
        target[i, 0], target[i, 1] = bx + 2.2 * p[REACH] * gx, by + 2.2 * p[REACH] * gy
        target[i, 2], end_speed[i] = math.atan2(by - y, bx - x), 0.5
        return
    target[i, 0], target[i, 1], target[i, 2] = bx - 0.05 * rx, by - 0.05 * ry, math.atan2(-ry, -rx)
    end_speed[i] = 1.0
    ox, oy = bx + OUTLET * math.cos(theta), by + OUTLET * math.sin(theta)
    if math.cos(theta) > 0.0 and abs(ox) < p[HALF_X] and abs(oy) < p[HALF_Y]:
        kick[i] = 0.4 * p[KICK]


@kernel
def turn_with_ball(
    i: int, pose: Floats, off: float, dx: float, dy: float, plan: Floats, enough: float, target: Floats,
    end_speed: Floats,
) -> None:  # fmt: skip
    """Fill the wish to turn with the ball at the bar towards d, no faster than it holds; then to drive on."""
    x, y, theta = pose[i, 0], pose[i, 1], pose[i, 2]
    if abs(off) < enough:
        target[i, 0], target[i, 1], end_speed[i] = x + 0.6 * dx, y + 0.6 * dy, 1.5 if plan[KIND] == CARRY else 0.8
        return
    target[i, 0], target[i, 1] = x + 0.1 * math.cos(theta), y + 0.1 * math.sin(theta)
    target[i, 2], end_speed[i] = theta + clamp(off, -TWIST, TWIST), 0.4


@kernel
def behind(x: float, y: float, bx: float, by: float, dx: float, dy: float, p: Floats) -> tuple[float, float]:
    """Return the next place on the way round the ball to behind it: straight where the ball is not in the way."""
    rx, ry = x - bx, y - by
    distance, ring = norm(rx, ry), p[HULL] + p[BALL] + 0.04
    angle = math.atan2(-cross(rx, ry, dx, dy), -dot(rx, ry, dx, dy))
    step = 0.7 + (math.acos(ring / distance) if distance > ring else 0.0)
    if abs(angle) <= step:
        return bx - (p[REACH] + 0.05) * dx, by - (p[REACH] + 0.05) * dy
    bearing = math.atan2(ry, rx) + clamp(angle, -step, step)
    return bx + 1.15 * ring * math.cos(bearing), by + 1.15 * ring * math.sin(bearing)


@kernel
def play_ball(
    i: int, meets: int, pose: Floats, v: Floats, theirs: Floats, ball: Floats, way: Floats, held: bool,
    plan: Floats, p: Floats, target: Floats, end_speed: Floats, kick: Floats, lift: Floats, dribble: Flags, use: Ints,
) -> None:  # fmt: skip
    """Fill the wish of the robot that plays the ball as its plan says."""
    x, y, theta, reach = pose[i, 0], pose[i, 1], pose[i, 2], p[REACH]
    speed = norm(ball[2], ball[3])
    dribble[i] = norm(x - ball[0], y - ball[1]) < 4.0 * reach
    if meets >= 0 and not held:
        receive(i, meets, pose, ball, way, plan, p, target, kick, lift, dribble)
        return
    other = rival(ball[0], ball[1], theirs, p)
    if other >= 0 and not held and _his(theirs[other], pose[i], ball):
        tackle(i, pose, v, ball, way, p, target, end_speed, kick)
        return
    lead = min(0.6, max(0.15, to_place(pose[i], v[i], ball[0], ball[1], 1.0, p) - 0.1))
    bx, by = at(way, lead) if speed > 0.1 and not held else (ball[0], ball[1])
    dx, dy = unit(plan[AIM_X] - bx, plan[AIM_Y] - by)
    facing = math.atan2(dy, dx)
    rx, ry = x - bx, y - by
    distance, along, across = norm(rx, ry), dot(rx, ry, dx, dy), abs(cross(rx, ry, dx, dy))
    off = abs(turn(facing, theta))
    target[i, 2] = facing
    if held and off < TURNS:
        turn_with_ball(i, pose, turn(facing, theta), dx, dy, plan, tolerance(bx, by, plan, p), target, end_speed)
        if off < tolerance(bx, by, plan, p):
            kick[i], lift[i] = plan[SPEED_OUT], plan[LIFT_OUT]
        return
    if along < 0.0 and across < 0.025 + 0.12 * max(0.0, distance - reach) and off < 0.3:
        target[i, 0], target[i, 1] = bx + 0.05 * dx, by + 0.05 * dy
        end_speed[i] = clamp(0.8 + dot(ball[2], ball[3], dx, dy), 0.5, 2.0)
        if plan[KIND] == CARRY and distance < reach + 0.03:
            target[i, 0], target[i, 1], end_speed[i] = bx + 0.6 * dx, by + 0.6 * dy, 1.5
        if off < tolerance(bx, by, plan, p):
            kick[i], lift[i] = plan[SPEED_OUT], plan[LIFT_OUT]
        use[i] = PLAY
        return
    target[i, 0], target[i, 1] = behind(x, y, bx, by, dx, dy, p)
    end_speed[i] = min(0.8 * speed, 1.5) if speed > 0.15 else 0.0
    use[i] = PLAY


@kernel
def no_room_behind(bx: float, by: float, dx: float, dy: float, p: Floats) -> bool:
    """Say whether a wall is where a robot would stand that pushes the ball along d."""
    back = p[REACH] + 0.05
    return bool(abs(bx - back * dx) > p[ROOM_X] - p[HULL] or abs(by - back * dy) > p[ROOM_Y] - p[HULL])


@kernel
def pull(
    i: int, pose: Floats, bx: float, by: float, held: bool, dx: float, dy: float, p: Floats, target: Floats,
    max_speed: Floats,
) -> None:  # fmt: skip
    """Fill the wish to take a ball at a wall from the front and to drive backwards with it, along d."""
    x, y, facing = pose[i, 0], pose[i, 1], math.atan2(-dy, -dx)
    target[i, 2] = facing
    if held:
        target[i, 0], target[i, 1], target[i, 2], max_speed[i] = x + 0.5 * dx, y + 0.5 * dy, pose[i, 2], PULLS
    elif abs(turn(facing, pose[i, 2])) < 0.2 and dot(x - bx, y - by, dx, dy) > 0.95 * norm(x - bx, y - by):
        target[i, 0], target[i, 1], max_speed[i] = bx + 0.8 * p[REACH] * dx, by + 0.8 * p[REACH] * dy, PULLS
    else:
        target[i, 0], target[i, 1] = behind(x, y, bx, by, -dx, -dy, p)


@kernel
def bring(
    i: int, pose: Floats, ball: Floats, held: bool, sx: float, sy: float, p: Floats, target: Floats,
    end_speed: Floats, max_speed: Floats, dribble: Flags, use: Ints,
) -> None:  # fmt: skip
    """Fill the wish to bring the ball to the spot s, at the bar, and to leave it there."""
    x, y, bx, by = pose[i, 0], pose[i, 1], ball[0], ball[1]
    far, use[i] = norm(sx - bx, sy - by), PLAY
    if far < BROUGHT and norm(ball[2], ball[3]) < 0.3:
        ux, uy = unit(x - bx, y - by)
        target[i, 0], target[i, 1], target[i, 2] = bx + LEAVES * ux, by + LEAVES * uy, math.atan2(-uy, -ux)
        return
    dx, dy = unit(sx - bx, sy - by)
    dribble[i], target[i, 2] = True, math.atan2(dy, dx)
    if no_room_behind(bx, by, dx, dy, p):
        pull(i, pose, bx, by, held, dx, dy, p, target, max_speed)
        return
    off = turn(math.atan2(dy, dx), pose[i, 2])
    if held and abs(off) > 0.15:
        target[i, 0], target[i, 1], target[i, 2] = x, y, pose[i, 2] + clamp(off, -TWIST, TWIST)
    elif held or (abs(off) < 0.2 and -dot(x - bx, y - by, dx, dy) > 0.95 * norm(x - bx, y - by)):
        target[i, 0], target[i, 1] = sx - p[REACH] * dx, sy - p[REACH] * dy
        max_speed[i] = BRINGS if held else 0.5
    else:
        target[i, 0], target[i, 1] = behind(x, y, bx, by, dx, dy, p)
        end_speed[i] = 0.0
