"""How a robot without a kicker plays the ball: behind it, through it, along walls, out of corners.

d       unit vector in which the ball is to be played
still   seconds for which the ball has lain
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.lanes import chance, lane
from tikitaka.decide.kernels.places import TIGHT, in_our_area, inside
from tikitaka.decide.kernels.posting import on_wing, waits
from tikitaka.decide.kernels.rolling import STEP, at
from tikitaka.decide.kernels.sparing import from_outside, goes_home, is_keepers, stand_by, stay_out
from tikitaka.decide.kernels.striking import PATIENCE, RING, set_free, way_round, with_room_behind
from tikitaka.decide.kernels.table import AREA_X, BALL, GAP, HALF_X, HULL, REACH, ROOM_X, ROOM_Y, SPEED
from tikitaka.decide.kernels.timing import to_ball, to_place
from tikitaka.geom.frames import rotate
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross, dot, norm, unit

Floats = NDArray[np.float64]

HIT = 0.6  # chosen: share of the top speed at which a ball leaves that was pushed at full speed
FAN = 4  # directions to each side that are weighed
SWING = 0.15  # [rad] between them
DETOUR = 0.4  # chosen: cost of a radian that the robot has to go around the ball
BLOCKED = 0.8  # chosen: cost of a way that is surely blocked [rad]
EXACT, RUSHED = 0.25, 0.9  # [rad] chosen: off the wanted direction, alone and with an opponent at the ball
RIVAL = 2.2  # reaches from the ball: an opponent who is about to play it
KEEPS = 2.0  # chosen: so much farther off the direction a strike that has begun goes on
STRAIGHT = 2.0  # of the reach: nearer to the ball the robot drives straight on
ALIGNED = 0.9  # chosen: cosine of the angle off the ball at which it may
STRIKING = 13  # its place in the notes, see `playing`
THERE = 4.0  # chosen: hulls from his place at which a mate is ready for a pass
BEHIND = 0.6  # chosen: cosine between a robot's way to the ball and the pass: who would go around shoots instead
LEADS = 2.5  # chosen: hulls before him, where the pass goes
AHEAD = 0.8  # [m] chosen: so far ahead the way should be free


@kernel
def plain_aim(bx: float, by: float, p: Floats) -> tuple[float, float]:
    """Return the direction to the far side of their goal; out to the side beside our own goal line."""
    if bx < 3.0 * p[REACH] - p[HALF_X]:
        return unit(0.5, math.copysign(1.0, by))
    return unit(p[HALF_X] + p[REACH] - bx, -clamp(by, -0.5 * p[GAP], 0.5 * p[GAP]) - by)


@kernel
def across(
    i: int, bx: float, by: float, gx: float, gy: float, pose: Floats, theirs: Floats, their_v: Floats, p: Floats
) -> tuple[float, float]:
    """Return the direction of a pass before a mate who waits where it would score, or g where there is none [Austro].

    The ball is on a wing in their half, and its way past them is free.
    """
    if not on_wing(bx, by, p):
        return gx, gy
    wx, wy = waits(bx, by, p)
    mates = 0
    for k in range(1, pose.shape[0]):
        mates += k != i and norm(pose[k, 0] - wx, pose[k, 1] - wy) < THERE * p[HULL]
    tx = wx + LEADS * p[HULL]
    ux, uy = unit(bx - pose[i, 0], by - pose[i, 1])
    dx, dy = unit(tx - bx, wy - by)
    if mates == 0 or dot(ux, uy, dx, dy) < BEHIND:
        return gx, gy
    margin = lane(bx, by, tx, wy, HIT * p[SPEED], theirs, their_v, -1, p)
    return (dx, dy) if chance(4.0 * margin) > 0.5 else (gx, gy)


@kernel
def aim(
    i: int, bx: float, by: float, pose: Floats, theirs: Floats, their_v: Floats, spare: bool, crosses: bool, p: Floats,
    pitch: Floats,
) -> tuple[float, float]:  # fmt: skip
    """Return d for robot i: near the direction of the goal or of a mate, on a free way, not far to go around the ball.

    ``spare``: from outside our goal area; ``crosses``: to a mate who waits before their goal.
    """
    x, y = pose[i, 0], pose[i, 1]
    gx, gy = plain_aim(bx, by, p)
    if crosses:
        gx, gy = across(i, bx, by, gx, gy, pose, theirs, their_v, p)
    best, dx, dy = math.inf, gx, gy
    length = min(AHEAD, norm(p[HALF_X] - bx, by))
    for k in range(-FAN, FAN + 1):
        sx, sy = rotate(gx, gy, SWING * k)
        around = abs(math.atan2(cross(bx - x, by - y, sx, sy), dot(bx - x, by - y, sx, sy)))
        margin = lane(bx, by, bx + length * sx, by + length * sy, HIT * p[SPEED], theirs, their_v, -1, p)
        cost = SWING * abs(k) + DETOUR * around + BLOCKED * (1.0 - chance(4.0 * margin))
        if cost < best:
            best, dx, dy = cost, sx, sy
    if spare:
        dx, dy = from_outside(y, bx, by, dx, dy, RING * p[REACH], p)
    return with_room_behind(bx, by, dx, dy, RING * p[REACH], pitch)


@kernel
def where(pose: Floats, v: Floats, way: Floats, dx: float, dy: float, p: Floats) -> tuple[float, float]:
    """Return where the ball will be when the robot can be behind it."""
    for k in range(way.shape[0]):
        if k * STEP > 1.2:
            break
        bx, by = way[k, 0] - 1.2 * p[REACH] * dx, way[k, 1] - 1.2 * p[REACH] * dy
        if to_place(pose, v, bx, by, 0.5 * p[SPEED], p) <= k * STEP:
            return way[k, 0], way[k, 1]
    return at(way, 1.2)


@kernel
def hits(bx: float, by: float, ux: float, uy: float, p: Floats) -> bool:
    """Say whether a ball played from b along u goes between their posts."""
    return bool(ux > 0.1 and abs(by + uy / ux * (p[HALF_X] - bx)) < p[GAP] - 1.2 * p[BALL])


@kernel
def contested(bx: float, by: float, theirs: Floats, p: Floats) -> bool:
    """Say whether an opponent is about to play the ball."""
    rivals = 0
    for j in range(theirs.shape[0]):
        rivals += norm(theirs[j, 0] - bx, theirs[j, 1] - by) < RIVAL * p[REACH]
    return rivals > 0


@kernel
def good(
    bx: float, by: float, ux: float, uy: float, dx: float, dy: float, theirs: Floats, slack: float, bold: bool,
    p: Floats,
) -> bool:  # fmt: skip
    """Say whether the ball may be played along u, the line on which the robot stands, though d is wanted."""
    off = math.acos(clamp(dot(ux, uy, dx, dy), -1.0, 1.0))
    if hits(bx, by, ux, uy, p):
        return True
    return bool(off < (RUSHED if bold and contested(bx, by, theirs, p) else slack * EXACT))


@kernel
def around(
    x: float, y: float, bx: float, by: float, dx: float, dy: float, p: Floats, pitch: Floats
) -> tuple[float, float, bool]:
    """Return the next place on the way round the ball to behind it, and whether more turns follow."""
    rx, ry = x - bx, y - by
    distance, ring = norm(rx, ry), RING * p[REACH]
    angle = way_round(rx, ry, bx, by, dx, dy, ring + p[HULL], pitch)
    step = 0.6 + (math.acos(ring / distance) if distance > ring else 0.0)
    bearing = math.atan2(ry, rx) + clamp(angle, -step, step)
    tx, ty = inside(bx + ring * math.cos(bearing), by + ring * math.sin(bearing), pitch)
    return tx, ty, abs(angle) > step


@kernel
def strike(
    x: float, y: float, theta: float, cx: float, cy: float, ux: float, uy: float, p: Floats
) -> tuple[float, float]:
    """Return where a robot drives that plays the ball at c along u: through it, and straight on once it is near.

    A robot that still turns when it touches the ball throws it aside.
    """
    hx, hy = math.cos(theta), math.sin(theta)
    along = dot(hx, hy, ux, uy)
    if norm(cx - x, cy - y) < STRAIGHT * p[REACH] and abs(along) > ALIGNED:
        ux, uy = math.copysign(1.0, along) * hx, math.copysign(1.0, along) * hy
        cx, cy = x + p[REACH] * ux, y + p[REACH] * uy
    room_x, room_y = p[ROOM_X] - TIGHT * p[HULL], p[ROOM_Y] - TIGHT * p[HULL]
    tx, ty = cx + 2.0 * p[REACH] * ux, cy + 2.0 * p[REACH] * uy
    return clamp(tx, -room_x, room_x) if abs(cy) > p[GAP] else tx, clamp(ty, -room_y, room_y)


@kernel
def push(
    i: int, pose: Floats, v: Floats, theirs: Floats, their_v: Floats, ball: Floats, way: Floats, still: float,
    bold: bool, spare: bool, crosses: bool, p: Floats, pitch: Floats, notes: Floats, target: Floats, end_speed: Floats,
) -> None:  # fmt: skip
    """Fill the wish of the robot that plays the ball; ``bold``: in a fight any way forward will do.

    ``spare``: it stays out of our goal area.
    """
    x, y, theta, reach = pose[i, 0], pose[i, 1], pose[i, 2], p[REACH]
    distance = norm(x - ball[0], y - ball[1])
    cx, cy = at(way, to_ball(pose[i], v[i], way, reach, p))
    dx, dy = aim(i, cx, cy, pose, theirs, their_v, spare, crosses, p, pitch)
    target[i, 2] = math.atan2(dy, dx)
    if spare and is_keepers(ball[0], ball[1], p):
        stand_by(i, y, cy, p, target)
        return
    if in_our_area(cx - RING * reach, cy, pitch) and in_our_area(ball[0], ball[1], pitch):
        target[i, 0] = p[AREA_X] - p[HALF_X] + 2.0 * p[HULL]
        target[i, 1] = cy - math.copysign(5.0 * p[HULL], cy)
        return
    if still > PATIENCE and distance < 1.3 * reach:
        tx, ty, target[i, 2] = set_free(x, y, theta, ball[0], ball[1], dx, dy, still, reach)
        target[i, 0], target[i, 1] = inside(tx, ty, pitch)
        return
    ux, uy = unit(cx - x, cy - y)
    slack = KEEPS if notes[STRIKING] == i else 1.0
    notes[STRIKING] = 0.0
    if good(cx, cy, ux, uy, dx, dy, theirs, slack, bold, p) and not (spare and goes_home(cx, cy, ux, uy, p)):
        target[i, 0], target[i, 1] = strike(x, y, theta, cx, cy, ux, uy, p)
        end_speed[i], notes[STRIKING] = p[SPEED], float(i)
        return
    bx, by = where(pose[i], v[i], way, dx, dy, p)
    dx, dy = aim(i, bx, by, pose, theirs, their_v, spare, crosses, p, pitch)
    target[i, 0], target[i, 1], more = around(x, y, bx, by, dx, dy, p, pitch)
    if spare:
        stay_out(i, p, target)
    end_speed[i] = 0.4 * p[SPEED] if more else 0.0
