"""Wishes made lawful: what the phase of the game forbids is taken out of them.

p       facts and pitch, see `table`
taker   the robot that may touch the ball though the others keep off it, -1: nobody
(sx, sy)  the referee's spot
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.table import (
    AREA_X,
    AREA_Y,
    AVOID,
    BARRED,
    CIRCLE,
    FREE_BALL,
    HALF_X,
    HULL,
    IN_PLAY,
    KEEP_OFF,
    KICK_OFF,
    PENALTY,
    PLACEMENT,
    ROOM_X,
    ROOM_Y,
    STOP,
)
from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross, dot, norm, unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

MORE = 0.05  # [m] chosen: on top of the distance to the ball that the rules ask for
SLOW = 1.4  # [m/s] SSL rules: below 1.5 while the game is stopped
BACK = 1.0  # [m] SSL rules: so far behind the ball the others wait at a penalty
CREEP = 0.02  # [m] chosen: beside a barred area
STEP = 0.8  # [rad] chosen: around the ball, from one wish to the next
LINED, ROWS = 6.0, 4.0  # chosen: hulls between those who wait side by side at a penalty, and from row to row


@kernel
def off_ball(p: Floats) -> float:
    """Return how far a robot's centre keeps off a ball that it may not play."""
    far: float = p[HULL] + max(p[KEEP_OFF] + MORE, 2.0 * p[HULL])
    return far


@kernel
def keeps_off(phase: int, ours: bool, ready: bool) -> bool:
    """Say whether nobody of ours but a taker may be near the ball."""
    if phase in (IN_PLAY, FREE_BALL):
        return not ready
    return phase in (STOP, PLACEMENT) or not ready or not ours


@kernel
def inside(x: float, y: float, p: Floats) -> tuple[float, float]:
    """Return the nearest point at which a robot has room between the walls."""
    rx, ry = p[ROOM_X] - p[HULL], p[ROOM_Y] - p[HULL]
    return clamp(x, -rx, rx), clamp(y, -ry, ry)


@kernel
def off_area(x: float, y: float, end: float, p: Floats) -> tuple[float, float]:
    """Return the nearest point out of the goal area at ``end`` (1: theirs, -1: ours) where a robot has room."""
    deep, wide = p[HALF_X] - p[AREA_X] - p[HULL] - CREEP, p[AREA_Y] + p[HULL] + CREEP
    along = end * x
    if along <= deep or abs(y) >= wide:
        return x, y
    if along - deep < wide - abs(y) or along > p[HALF_X]:
        return end * deep, y
    return x, math.copysign(wide, y)


@kernel
def off_circle(px: float, py: float, tx: float, ty: float, cx: float, cy: float, r: float) -> tuple[float, float]:
    """Return where a robot at p drives that wants to t and stays out of a circle: out, around it, or straight."""
    ux, uy = unit(px - cx, py - cy)
    if ux == 0.0 and uy == 0.0:
        ux = -1.0
    d, away = norm(px - cx, py - cy), norm(tx - cx, ty - cy)
    if away < r:
        if away < 1e-6:
            tx, ty = cx + ux * r, cy + uy * r
        else:
            tx, ty = cx + (tx - cx) * r / away, cy + (ty - cy) * r / away
    if d < r - 0.5 * MORE:
        return cx + ux * r, cy + uy * r
    vx, vy = unit(tx - px, ty - py)
    ahead = dot(cx - px, cy - py, vx, vy)
    if ahead <= 0.0 or ahead >= norm(tx - px, ty - py) or abs(cross(cx - px, cy - py, vx, vy)) >= r - MORE:
        return tx, ty
    now, then = math.atan2(uy, ux), math.atan2(ty - cy, tx - cx)
    bearing, far = now + clamp(turn(then, now), -STEP, STEP), 1.1 * r
    return cx + far * math.cos(bearing), cy + far * math.sin(bearing)


@kernel
def nearest_on(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> tuple[float, float]:
    """Return the point of the segment a-b that is nearest to (x, y)."""
    dx, dy = bx - ax, by - ay
    d2 = dx * dx + dy * dy
    t = clamp(((x - ax) * dx + (y - ay) * dy) / d2, 0.0, 1.0) if d2 > 0.0 else 0.0
    return ax + t * dx, ay + t * dy


@kernel
def behind(p: Floats) -> float:
    """Return how far from the ball on an open field the centres of those stay who wait at a penalty."""
    far: float = BACK + p[HULL] + CREEP
    return far


@kernel
def own_side(i: int, x: float, y: float, phase: int, ours: bool, bx: float, p: Floats) -> tuple[float, float]:
    """Return the nearest point on the side where robot i has to be at a kick-off or a penalty."""
    if phase == KICK_OFF:
        return min(x, -p[HULL] - CREEP), y
    if phase != PENALTY:
        return x, y
    if ours:
        return min(x, bx - behind(p) if p[BARRED] > 0.0 else -p[HULL]), y
    if i == 0:
        return CREEP + p[HULL] - p[HALF_X], y
    return max(x, bx + behind(p) if p[BARRED] > 0.0 else p[HULL]), y


@kernel
def line_up(ours: bool, taker: int, bx: float, pose: Floats, p: Floats, target: Floats) -> None:
    """Fill where all but keeper and ``taker`` wait at a penalty: side by side, in the order in which they stand.

    The row of the kicker's team is behind the other one.
    """
    n, x = pose.shape[0], bx - behind(p) - ROWS * p[HULL] if ours else bx + behind(p)
    others = n - 1 - (1 if taker > 0 else 0)
    for i in range(1, n):
        rank = 0
        for k in range(1, n):
            rank += k != taker and (pose[k, 1] < pose[i, 1] or (pose[k, 1] == pose[i, 1] and k < i))
        if i != taker:
            target[i, 0], target[i, 1] = x, (rank - 0.5 * (others - 1)) * LINED * p[HULL]


@kernel
def hush(i: int, target: Floats, end_speed: Floats, kick: Floats, lift: Floats, use: Ints, contact: Flags) -> None:
    """Take from robot i's wish what touches the ball; the keeper, 0, may still touch its posts: it stands there."""
    end_speed[i], kick[i], lift[i], use[i], contact[i] = 0.0, 0.0, 0.0, AVOID, contact[i] and i == 0
    if not math.isfinite(target[i, 0] + target[i, 1]):
        target[i, 0], target[i, 1] = 0.0, 0.0


@kernel
def obey(
    phase: int, ours: bool, ready: bool, sx: float, sy: float, pose: Floats, bx: float, by: float, taker: int,
    p: Floats, target: Floats, end_speed: Floats, max_speed: Floats, kick: Floats, lift: Floats, use: Ints,
    contact: Flags,
) -> None:  # fmt: skip
    """Change the wishes so that they break no rule of this phase; robot 0 is the keeper."""
    quiet, barred = keeps_off(phase, ours, ready), p[BARRED] > 0.0
    if barred and phase == PENALTY:
        line_up(ours, taker, bx, pose, p, target)
    for i in range(pose.shape[0]):
        x, y, tx, ty = pose[i, 0], pose[i, 1], target[i, 0], target[i, 1]
        if i != taker:
            tx, ty = own_side(i, tx, ty, phase, ours, bx, p)
        if quiet and i != taker and (barred or i > 0):
            hush(i, target, end_speed, kick, lift, use, contact)
            cx, cy = bx, by
            if phase == PLACEMENT:
                cx, cy = nearest_on(x, y, bx, by, sx, sy)
            tx, ty = off_circle(x, y, tx, ty, cx, cy, off_ball(p))
            tx, ty = own_side(i, tx, ty, phase, ours, bx, p)
            if phase == KICK_OFF and not ours and norm(tx, ty) < p[CIRCLE] + p[HULL]:
                tx = min(tx, -p[CIRCLE] - p[HULL] - CREEP)
        if barred and (phase in (STOP, PLACEMENT) or not ready):
            max_speed[i] = min(max_speed[i], SLOW)
        if barred and i > 0:
            tx, ty = off_area(tx, ty, -1.0, p)
        if barred:
            tx, ty = off_area(tx, ty, 1.0, p)
        if end_speed[i] <= 0.0:
            tx, ty = inside(tx, ty, p)
        target[i, 0], target[i, 1] = tx, ty
