"""Who goes where: keeper, attacker, and the others at their posts. We attack +x.

d      unit vector in which the ball is to be played
reach  distance between the centres of ball and robot when they touch
hull   radius of the circle around a robot
pitch  (9,)  half length and width, half goal, room to the walls in x and y, goal area in x and half of it in y,
             circle, hull
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import turn
from tikitaka.geom.frames import rotate
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross, dot, norm, unit

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LOYALTY = 0.15  # [m] another robot must be nearer by this to take over the attack
LEAD = 0.6  # [s] the ball is met where it will be by then, at the most
RING = 2.0  # of the reach: a robot drives around the ball at this distance
NARROW, WIDE = 0.35, 0.2  # of the reach when near, of the distance when far: off the line and still behind the ball
LANE = 8.0  # of the reach: so far ahead the ball's way should be clear of opponents
SWING = 0.2  # [rad] by steps of this the ball is played past them
BLOCKED = 0.5  # [rad] that the ball is rather played past an opponent
FACING = 0.25  # [rad] a robot with a kicker looks so well at the goal before it goes at the ball
PATIENCE = 0.5  # [s] a ball that lies for so long at the attacker's rim is set free by turning on the spot
TURN = 1.4  # [rad] ahead of the own heading: turns on the spot
FAST = 0.7  # [m/s] a faster ball is stopped before it is played
SLOW = 0.4  # [m/s] a slower ball in the goal area is cleared by the keeper
CLEAR = 4.0  # of the hull: room that the others leave to the ball and its way to the goal

HALF_X, HALF_Y, HALF_GAP, ROOM_X, ROOM_Y, AREA_X, AREA_Y, CIRCLE, HULL = 0, 1, 2, 3, 4, 5, 6, 7, 8


@kernel
def ball_ahead(bx: float, by: float, vx: float, vy: float, distance: float, v_max: float) -> tuple[float, float]:
    """Return where the ball will be when a robot that far away can be there."""
    t = min(LEAD, distance / (0.6 * v_max))
    return bx + vx * t, by + vy * t


@kernel
def inside(x: float, y: float, pitch: Floats) -> tuple[float, float]:
    """Return the nearest point at which a robot has room between the walls."""
    rx, ry = pitch[ROOM_X] - pitch[HULL], pitch[ROOM_Y] - pitch[HULL]
    return clamp(x, -rx, rx), clamp(y, -ry, ry)


@kernel
def in_our_area(x: float, y: float, pitch: Floats) -> bool:
    """Say whether a point is in the goal area that our keeper has for itself."""
    return x < pitch[AREA_X] - pitch[HALF_X] and abs(y) < pitch[AREA_Y]


@kernel
def choose_attacker(pose: Floats, bx: float, by: float, gx: float, last: int) -> int:
    """Return the robot that is soonest behind the ball; the last one keeps the job while nobody is clearly better."""
    best, cost = 0, math.inf
    dx, dy = unit(gx - bx, -by)
    for i in range(1, pose.shape[0]):
        ahead = dot(pose[i, 0] - bx, pose[i, 1] - by, dx, dy)
        c = norm(pose[i, 0] - bx, pose[i, 1] - by) + max(0.0, ahead)
        c -= LOYALTY if i == last else 0.0
        if c < cost:
            best, cost = i, c
    return best


@kernel
def lane_clear(theirs: Floats, bx: float, by: float, dx: float, dy: float, reach: float, pitch: Floats) -> bool:
    """Say whether the ball can roll along d for a while: past their field players, and not over a touch line."""
    length = LANE * reach
    if abs(by + length * dy) > pitch[HALF_Y]:
        return False
    for j in range(theirs.shape[0]):
        rx, ry = theirs[j, 0] - bx, theirs[j, 1] - by
        keeps = in_our_area(-theirs[j, 0], -theirs[j, 1], pitch)
        if not keeps and 0.0 < dot(rx, ry, dx, dy) < length and abs(cross(rx, ry, dx, dy)) < 1.2 * reach:
            return False
    return True


@kernel
def aim(
    theirs: Floats, x: float, y: float, bx: float, by: float, reach: float, pitch: Floats
) -> tuple[float, float]:
    """Return d for a robot at (x, y): at the far side of their goal, or past who stands there; out of our corners."""
    aim_y = -clamp(by, -0.5 * pitch[HALF_GAP], 0.5 * pitch[HALF_GAP])
    gx, gy = unit(pitch[HALF_X] + reach - bx, aim_y - by)
    if bx < 3.0 * reach - pitch[HALF_X]:
        gx, gy = unit(0.5, math.copysign(1.0, by))
    best, dx, dy = math.inf, gx, gy
    for k in range(-3, 4):
        sx, sy = rotate(gx, gy, SWING * k)
        cost = SWING * abs(k) + 0.5 * abs(math.atan2(cross(bx - x, by - y, sx, sy), dot(bx - x, by - y, sx, sy)))
        if not lane_clear(theirs, bx, by, sx, sy, reach, pitch):
            cost += BLOCKED
        if cost < best:
            best, dx, dy = cost, sx, sy
    px, py = inside(bx - RING * reach * dx, by - RING * reach * dy, pitch)
    return unit(bx - px, by - py)  # along the wall where the ball lies at one


@kernel
def way_round(rx: float, ry: float, bx: float, by: float, dx: float, dy: float, ring: float, pitch: Floats) -> float:
    """Return the turn around the ball from bearing r to behind it: the shorter one that no wall blocks."""
    angle = math.atan2(-cross(rx, ry, dx, dy), -dot(rx, ry, dx, dy))
    wx = bx if abs(bx) > pitch[ROOM_X] - ring else 0.0
    wy = by if abs(by) > pitch[ROOM_Y] - ring else 0.0
    if wx == 0.0 and wy == 0.0:
        return angle
    wall = turn(math.atan2(wy, wx), math.atan2(ry, rx))
    if wall * angle > 0.0 and abs(wall) < abs(angle):
        return angle - math.copysign(2.0 * math.pi, angle)
    return angle


@kernel
def attack(
    x: float, y: float, theta: float, bx: float, by: float, dx: float, dy: float,
    reach: float, kicks: bool, pitch: Floats,
) -> tuple[float, float, int]:  # fmt: skip
    """Return target and stage: 2 through the ball, 1 around it, 0 to the place behind it."""
    rx, ry = x - bx, y - by
    distance, along, across = norm(rx, ry), dot(rx, ry, dx, dy), abs(cross(rx, ry, dx, dy))
    off = NARROW * reach + WIDE * max(0.0, distance - RING * reach)
    faces = not kicks or abs(turn(math.atan2(dy, dx), theta)) < FACING
    if along < 0.0 and across < off and faces:
        return bx + 1.5 * reach * dx, by + 1.5 * reach * dy, 2
    ring = RING * reach
    angle = way_round(rx, ry, bx, by, dx, dy, ring + pitch[HULL], pitch)
    step = 0.6 + (math.acos(ring / distance) if distance > ring else 0.0)
    bearing = math.atan2(ry, rx) + clamp(angle, -step, step)
    tx, ty = inside(bx + ring * math.cos(bearing), by + ring * math.sin(bearing), pitch)
    return tx, ty, 1 if abs(angle) > step else 0


@kernel
def meet(x: float, y: float, ball: Floats, dx: float, dy: float, v_max: float) -> tuple[bool, float, float]:
    """Return whether a fast ball that does not run along d can be stopped, and where: the nearest point of its way."""
    speed = norm(ball[2], ball[3])
    ux, uy = unit(ball[2], ball[3])
    ahead = dot(x - ball[0], y - ball[1], ux, uy)
    aside = abs(cross(x - ball[0], y - ball[1], ux, uy))
    in_time = speed > FAST and ahead > 0.0 and aside / (0.5 * v_max) < ahead / speed
    return in_time and dot(ux, uy, dx, dy) < 0.8, ball[0] + ahead * ux, ball[1] + ahead * uy


@kernel
def keep(bx: float, by: float, vx: float, vy: float, pitch: Floats) -> tuple[float, float]:
    """Return the keeper's place: on a line before our goal, where the ball will cross it or stands opposite."""
    x, edge = 1.3 * pitch[HULL] - pitch[HALF_X], pitch[HALF_GAP]
    y = by * clamp(edge / max(0.1, bx + pitch[HALF_X]), 0.3, 1.0)
    if vx < -0.2 and bx > x:
        cross_y = by + vy * (bx - x) / -vx
        if abs(cross_y) < 2.0 * edge:
            y = cross_y
    return x, clamp(y, -edge, edge)


@kernel
def post(k: int, m: int, bx: float, by: float, pitch: Floats) -> tuple[float, float]:
    """Return the k-th of m places for the others: rows of three behind the ball, none before our area."""
    row, slot, rows = k // 3, k % 3, (m + 2) // 3
    width = min(3, m - 3 * row)
    low = pitch[AREA_X] - pitch[HALF_X] + 2.0 * pitch[HULL]
    front = max(clamp(bx, -pitch[HALF_X], 0.9 * pitch[HALF_X]) - 0.3 * pitch[HALF_X], low + 3.0 * rows * pitch[HULL])
    x = front - (front - low) * row / rows
    y = 0.5 * pitch[HALF_Y] * (slot - 0.5 * (width - 1))
    return x, y + 0.2 * clamp(by, -pitch[HALF_Y], pitch[HALF_Y])


@kernel
def out_of_the_way(x: float, y: float, bx: float, by: float, pitch: Floats) -> tuple[float, float]:
    """Return the place moved sideways so that the ball and its way to their goal stay clear."""
    dx, dy = unit(pitch[HALF_X] - bx, -by)
    room = CLEAR * pitch[HULL]
    along, across = dot(x - bx, y - by, dx, dy), cross(dx, dy, x - bx, y - by)
    if along < -room or abs(across) >= room:
        return x, y
    shift = math.copysign(room, across) - across
    return x - shift * dy, y + shift * dx


@kernel
def nearest_free(pose: Floats, busy: Flags, x: float, y: float) -> int:
    """Return the robot nearest to a place among those without a job, -1: none."""
    best, found = math.inf, -1
    for i in range(pose.shape[0]):
        d = norm(pose[i, 0] - x, pose[i, 1] - y)
        if not busy[i] and d < best:
            best, found = d, i
    return found


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
def set_free(
    x: float, y: float, theta: float, bx: float, by: float, dx: float, dy: float, still: float, reach: float
) -> tuple[float, float, float]:
    """Return the pose to ask for where the ball is stuck: turn on the spot, turn the other way, back off, again."""
    turn_no = int(still / PATIENCE) % 3
    if turn_no == 0:
        ux, uy = unit(x - bx, y - by)
        return bx + 3.0 * reach * ux, by + 3.0 * reach * uy, theta
    way = math.copysign(TURN, cross(bx - x, by - y, dx, dy))
    return x, y, theta + (way if turn_no == 1 else -way)


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
    if can_meet:
        target[i, 0], target[i, 1] = inside(tx, ty, pitch)
        target[i, 2] = math.atan2(-ball[3], -ball[2])
        return
    target[i, 0], target[i, 1], stage = attack(x, y, theta, bx, by, dx, dy, reach, kick > 0.0, pitch)
    shot = abs(by + math.tan(theta) * (pitch[HALF_X] - bx)) < 0.8 * pitch[HALF_GAP] and bx > -0.2 * pitch[HALF_X]
    if stage == 2:
        end_speed[i] = v_max if shot or kick <= 0.0 else 0.35 * v_max
        kicks[i] = kick if shot and lane_clear(theirs, bx, by, dx, dy, reach, pitch) else 0.2 * kick
    elif stage == 1:
        end_speed[i] = 0.5 * v_max


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
