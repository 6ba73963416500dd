"""How one robot plays the ball: where to, on which way round it, and what to do when it is stuck."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.places import HALF_GAP, HALF_X, HALF_Y, HULL, ROOM_X, ROOM_Y, TIGHT, in_our_area, inside
from tikitaka.geom.angles import turn
from tikitaka.geom.frames import rotate
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross, dot, norm, unit

Floats = NDArray[np.float64]

LOYALTY = 0.15  # [m] another robot must be nearer by this to take over the attack
LEAD = 0.6  # [s] the ball is met where it will be by then, at the most
RING = 2.3  # of the reach: a robot drives around the ball at this distance
NARROW, WIDE = 0.35, 0.15  # of the reach when near, of the distance when far: off the line and still behind the ball
LANE = 8.0  # of the reach: so far ahead the ball's way should be clear of opponents
SWING = 0.2  # [rad] by steps of this the ball is played past them
BLOCKED = 0.5  # [rad] that the ball is rather played past an opponent
FACING = 0.25  # [rad] a robot with a kicker looks so well at the goal before it goes at the ball
PATIENCE = 0.5  # [s] a ball that lies for so long at the attacker's rim is set free by turning on the spot
TURN = 1.4  # [rad] ahead of the own heading: turns on the spot
ASKEW = 0.3  # chosen: sine of the turn for which a robot at a wall needs room
FAST = 0.7  # [m/s] a faster ball is stopped before it is played


@kernel
def ball_ahead(bx: float, by: float, vx: float, vy: float, distance: float, v_max: float) -> tuple[float, float]:
    """Return where the ball will be when a robot that far away can be there."""
    t = min(LEAD, distance / (0.6 * v_max))
    return bx + vx * t, by + vy * t


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
    if abs(by + 2.0 * length * dy) > pitch[HALF_Y]:
        return False
    for j in range(theirs.shape[0]):
        rx, ry = theirs[j, 0] - bx, theirs[j, 1] - by
        keeps = in_our_area(-theirs[j, 0], -theirs[j, 1], pitch)
        if not keeps and 0.0 < dot(rx, ry, dx, dy) < length and abs(cross(rx, ry, dx, dy)) < 1.2 * reach:
            return False
    return True


@kernel
def with_room_behind(bx: float, by: float, dx: float, dy: float, ring: float, pitch: Floats) -> tuple[float, float]:
    """Return d, turned so far along the walls that a robot has room behind the ball."""
    rx, ry = pitch[ROOM_X] - pitch[HULL], pitch[ROOM_Y] - pitch[HULL]
    if abs(by - ring * dy) > ry:
        dy = clamp(dy, (by - ry) / ring, (by + ry) / ring)
        dx = math.copysign(math.sqrt(max(0.0, 1.0 - dy * dy)), dx)
    if abs(bx - ring * dx) > rx:
        dx = clamp(dx, (bx - rx) / ring, (bx + rx) / ring)
        dy = math.copysign(math.sqrt(max(0.0, 1.0 - dx * dx)), dy)
    return dx, dy


@kernel
def aim(theirs: Floats, x: float, y: float, bx: float, by: float, reach: float, pitch: Floats) -> tuple[float, float]:
    """Return d for a robot at (x, y): at the far side of their goal, or past who stands there; out of our corners."""
    aim_y = -clamp(by, -0.5 * pitch[HALF_GAP], 0.5 * pitch[HALF_GAP])
    gx, gy = unit(pitch[HALF_X] + reach - bx, aim_y - by)
    if bx < 3.0 * reach - pitch[HALF_X]:
        gx, gy = unit(0.5, math.copysign(1.0, by))
    best, dx, dy = math.inf, gx, gy
    for k in range(-3, 4):
        sx, sy = rotate(gx, gy, SWING * k)
        cost = SWING * abs(k) + 0.45 * abs(math.atan2(cross(bx - x, by - y, sx, sy), dot(bx - x, by - y, sx, sy)))
        if not lane_clear(theirs, bx, by, sx, sy, reach, pitch):
            cost += BLOCKED
        if cost < best:
            best, dx, dy = cost, sx, sy
    return with_room_behind(bx, by, dx, dy, RING * reach, pitch)


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
    off = NARROW * reach + WIDE * (distance - reach)
    faces = not kicks or abs(turn(math.atan2(dy, dx), theta)) < FACING
    if along < 0.0 and across < off and faces:
        room_x, room_y = pitch[ROOM_X] - TIGHT * pitch[HULL], pitch[ROOM_Y] - TIGHT * pitch[HULL]
        tx, ty = bx + 1.5 * reach * dx, by + 1.5 * reach * dy
        return clamp(tx, -room_x, room_x) if abs(by) > pitch[HALF_GAP] else tx, clamp(ty, -room_y, room_y), 2
    ring = RING * reach
    angle = way_round(rx, ry, bx, by, dx, dy, ring + pitch[HULL], pitch)
    step = 0.6 + (math.acos(ring / distance) if distance > ring else 0.0)
    bearing = math.atan2(ry, rx) + clamp(angle, -step, step)
    tx, ty = inside(bx + ring * math.cos(bearing), by + ring * math.sin(bearing), pitch)
    return tx, ty, 1 if abs(angle) > step else 0


@kernel
def room_to_turn(x: float, y: float, theta: float, tx: float, ty: float, pitch: Floats) -> tuple[float, float]:
    """Return t, or where a robot goes first that has no room to turn to it at a wall: straight ahead or back."""
    fx, fy = inside(x, y, pitch)
    hx, hy = math.cos(theta), math.sin(theta)
    ux, uy = unit(tx - x, ty - y)
    out, straight = norm(fx - x, fy - y), dot(fx - x, fy - y, hx, hy)
    if abs(cross(hx, hy, ux, uy)) < ASKEW or abs(straight) <= 0.5 * out:
        return tx, ty
    step = out * out / straight
    return x + step * hx, y + step * hy


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
