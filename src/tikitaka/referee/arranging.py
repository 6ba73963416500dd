"""Putting robots and ball down for a restart: who stands well stays, the others go to the nearest free place."""

import math
from dataclasses import replace
from functools import cache

import numpy as np

from tikitaka.referee.params import Params, Point, Rules, Whistle
from tikitaka.referee.placement import GAP, kick_off
from tikitaka.referee.spots import forward
from tikitaka.referee.zones import forbidden, kickers
from tikitaka.types import Floats, Phase

APART = 2.1  # [hulls] chosen: between the centres of two robots
ROOM = 1.05  # [hulls] chosen: from a centre to the walls
FREE_BALL_APART = 0.2  # [m] FIRA: 20 to 25 cm from the ball to either robot at a free ball
LIFTED = 4.0  # [hulls] chosen: how far a stuck robot is carried
RINGS, GROWTH, ANGLES = 70, 1.04, 24  # chosen: of the places that are tried around the one that is wished for


def put_all(params: Params, whistle: Whistle, pose: Floats) -> Floats | None:
    """Return poses (2n + 1, 3) of everybody and the ball at a restart; None: there is no room, but for a kick-off."""
    p, w, n = params, whistle, params.robots
    start = kick_off(p.field, n, p.hull, p.reach, w.owner)
    if w.phase == Phase.KICK_OFF:
        return start
    wish = np.where(np.isfinite(pose.sum(axis=1, keepdims=True)), pose, start[:-1])
    who = kickers(p, w, wish)
    for i in who:
        wish[i] = _at_the_ball(p, w, i // n)
    if w.phase == Phase.PENALTY:
        wish[(1 - w.owner) * n] = start[(1 - w.owner) * n]
    placed = _settle(p, w, wish, _in_turn(p, w, wish, who), who, ())
    return None if placed is None else np.concatenate((placed, ((*w.spot, 0.0),)))


def put_some(
    params: Params, whistle: Whistle, pose: Floats, moved: list[int], ball: Point, *, lay: bool
) -> Floats | None:
    """Return poses (2n + 1, 3), NaN but for the robots that are moved and, where it is laid there, for the ball.

    Nobody stands where the ball is laid: who does is moved, too. None: there is no room.
    """
    p, w = params, replace(whistle, spot=ball)
    known = np.isfinite(pose[:, 0] + pose[:, 1])
    if lay:
        off = np.hypot(pose[:, 0] - ball[0], pose[:, 1] - ball[1]) < p.hull + p.ball_radius + GAP
        moved = sorted({*moved, *np.flatnonzero(off).tolist()})
    placed = np.full((len(pose) + 1, 3), math.nan)
    stay = tuple(i for i in range(len(pose)) if known[i] and i not in moved)
    if moved:
        wish = np.nan_to_num(pose, posinf=0.0, neginf=0.0)
        settled = _settle(p, w, wish, _in_turn(p, w, wish, tuple(moved), only=True), (), stay)
        if settled is None:
            return None
        placed[moved] = settled[moved]
    if lay:
        placed[-1] = (*ball, 0.0)
    return placed


def lift(params: Params, whistle: Whistle, pose: Floats, robots: list[int], ball: Point) -> Floats | None:
    """Return poses (2n + 1, 3), NaN but for these robots, which are put down nearer to the centre and free."""
    wish = pose.copy()
    for i in robots:
        x, y, _ = pose[i].tolist()
        away = max(math.hypot(x, y), 1e-9)
        step = min(LIFTED * params.hull, away) / away
        wish[i, :2] = x - step * x, y - step * y
    return put_some(params, whistle, wish, robots, ball, lay=False)


def _in_turn(p: Params, w: Whistle, wish: Floats, who: tuple[int, ...], only: bool = False) -> list[int]:
    """Return the robots in the order in which they are put down: kickers, then from the ball outwards."""
    away = np.hypot(wish[:, 0] - w.spot[0], wish[:, 1] - w.spot[1]).tolist()
    rows = who if only else range(len(wish))
    first = max(w.owner, 0) * p.robots
    return sorted(rows, key=lambda i: (not only and i not in who, away[i], (i - first) % len(wish)))


def _settle(
    p: Params, w: Whistle, wish: Floats, turn: list[int], free: tuple[int, ...], stay: tuple[int, ...]
) -> Floats | None:
    """Return the poses with the robots of ``turn`` put down one by one; ``free`` ones may stand anywhere."""
    placed = wish.copy()
    taken = [(float(wish[i, 0]), float(wish[i, 1])) for i in stay]
    for i in turn:
        found = _nearest_place(p, w, i, (float(wish[i, 0]), float(wish[i, 1])), taken, i in free)
        if found is None:
            return None
        placed[i, :2] = found
        taken.append(found)
    return placed


def _nearest_place(p: Params, w: Whistle, i: int, wish: Point, taken: list[Point], free: bool) -> Point | None:
    s = forward(i // p.robots)
    for dx, dy in _around(p.hull):
        x, y = wish[0] + s * dx, wish[1] + s * dy
        if not _inside(p, x, y) or math.hypot(x - w.spot[0], y - w.spot[1]) < p.hull + p.ball_radius + 0.5 * GAP:
            continue
        if not free and forbidden(p, w, i, x, y, w.spot, 0.0):
            continue
        if all(math.hypot(x - a, y - b) >= APART * p.hull for a, b in taken):
            return x, y
    return None


@cache
def _around(hull: float) -> tuple[Point, ...]:
    """Return steps to places around one, the nearest first, for a team that attacks +x."""
    found, r = [(0.0, 0.0)], 0.0
    for ring in range(RINGS):
        r = 0.5 * hull + GROWTH * r
        turn = 0.5 * (ring % 2)
        angles = [2.0 * math.pi * (k + turn) / ANGLES for k in range(ANGLES)]
        found += [(-r * math.cos(a), r * math.sin(a)) for a in angles]
    return tuple(found)


def _inside(p: Params, x: float, y: float) -> bool:
    f, room = p.field, ROOM * p.hull
    corner = max(0.0, f.corner - f.margin_x - f.margin_y)
    beside = f.half_length + f.half_width - corner - math.sqrt(2.0) * room
    fits = abs(x) <= f.half_length - room and abs(y) <= f.half_width - room
    return fits and (corner == 0.0 or abs(x) + abs(y) <= beside)


def _at_the_ball(p: Params, w: Whistle, team: int) -> tuple[float, float, float]:
    """Return where a kicker waits, with its front to the ball."""
    (x, y), s = w.spot, forward(team)
    near = max(p.reach + 0.6 * p.hull, p.hull + GAP + p.ball_radius)
    if w.phase == Phase.FREE_BALL and p.rules != Rules.SSL:
        near = max(FREE_BALL_APART, near)
    ux, uy = s, 0.0
    if w.phase == Phase.GOAL_KICK:  # from the middle of the goal outwards
        ux, uy = x + s * p.field.half_length, y
        ux, uy = ux / max(math.hypot(ux, uy), 1e-9), uy / max(math.hypot(ux, uy), 1e-9)
    return x - near * ux, y - near * uy, math.atan2(uy, ux) if uy != 0.0 or ux > 0.0 else -math.pi
