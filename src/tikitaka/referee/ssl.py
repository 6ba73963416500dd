"""The Small Size League: what is called while the ball is in play on an open field."""

import math
from dataclasses import replace

import numpy as np

from tikitaka.referee import spots
from tikitaka.referee.params import Call, Params, Point, Whistle
from tikitaka.referee.view import Touch, View
from tikitaka.types import EventKind, Phase

CRASH_SPEED = 1.5  # [m/s] SSL rules: along the line of centres
CRASH_BOTH = 0.3  # [m/s] SSL rules: less difference than this, and both are at fault
CRASH_AGAIN = 0.5  # [s] chosen: the same two within this are still in the same crash
PUSH_LENGTH = 0.2  # [m] SSL rules
BALL_MAX_SPEED = 6.5  # [m/s] SSL rules
BALL_DOUBT = 0.1  # [m/s] chosen: an estimate is no better
FOULS = 3  # differs: SSL rules show a yellow card for every third foul; here it is a free kick
TOUCH = 0.02  # [m] chosen: gap below which a robot is at the ball

Foul = tuple[EventKind, tuple[int, ...], Point, float]  # what, who (at fault first), where, how fast


def judge(params: Params, whistle: Whistle, view: View) -> tuple[Whistle, Call | None]:
    """Return memory and call: ball out, touches in the areas, a ball held in one, pushing."""
    whistle = _holds(params, whistle, view)
    call = _out(params, whistle, view) or _in_areas(params, view) or _held(params, whistle, view)
    if call is not None:
        return whistle, call
    return _pushing(params, whistle, view)


def fouls(params: Params, whistle: Whistle, view: View) -> tuple[Whistle, list[Foul]]:
    """Return memory and the fouls that by themselves do not stop play: crashes and balls that are too fast."""
    whistle, found = _too_fast(whistle, view)
    for touch in view.touches:
        if touch.closing > CRASH_SPEED and touch.a // params.robots != touch.b // params.robots:
            whistle, foul = _crash(params, whistle, view, touch)
            found += foul
    return whistle, found


def free_kick(params: Params, team: int, at: Point, why: EventKind, who: tuple[int, ...], value: float = 0.0) -> Call:
    """Return a free kick of a team as near as it may be to where it happened."""
    return Call(Phase.FREE_KICK, team, spots.free_kick(params.field, *at), EventKind.FREE_KICK, at, why, who, value)


def stuck(params: Params, view: View) -> Call:
    """Return the call for a ball that makes no progress: both may play it where it lies."""
    at, why, long = view.ball[:2], EventKind.NO_PROGRESS, params.free_ball_after
    return Call(Phase.FREE_BALL, -1, spots.free_ball(params, *at), EventKind.FREE_BALL, at, why, value=long)


def _holds(p: Params, w: Whistle, view: View) -> Whistle:
    """Return memory of who had the ball last; a ball that two teams have between them is still his who had it first."""
    old, new = w.holder, view.toucher
    if min(old, new) >= 0 and old // p.robots != new // p.robots and _at_ball(p, view, old):
        return w
    return w if new == old else replace(w, holder=new)


def _at_ball(p: Params, view: View, i: int) -> bool:
    return math.dist(view.pose[i, :2].tolist(), view.ball[:2]) <= p.hull + p.ball_radius + TOUCH


def _out(p: Params, w: Whistle, view: View) -> Call | None:
    """Return the call for a ball that has left the field: the team that did not have it last has it."""
    (x, y), f, r = view.ball[:2], p.field, p.ball_radius
    behind, beside = abs(x) > f.half_length + r, abs(y) > f.half_width + r
    if not (behind or beside):
        return None
    last = w.holder // p.robots if w.holder >= 0 else w.owner if w.owner >= 0 else int(x > 0.0)
    who, at = (w.holder,) if w.holder >= 0 else (), (x, y)
    team, home = 1 - last, int(x > 0.0)
    if not behind:
        kind, spot = EventKind.THROW_IN, spots.free_kick(f, x, y)
    elif home == team:
        kind, spot = EventKind.GOAL_KICK, spots.goal_kick(f, team, y)
    else:
        kind, spot = EventKind.CORNER_KICK, spots.corner_kick(f, team, y)
    return Call(Phase.FREE_KICK, team, spot, kind, at, EventKind.BALL_OUT, who)


def _in_areas(p: Params, view: View) -> Call | None:
    """Return the call for the robot at the ball, where it is in an area in which it may not play."""
    i = view.toucher
    if not p.areas_barred or i < 0:
        return None
    (x, y), at, team = view.pose[i, :2].tolist(), view.ball[:2], i // p.robots
    if not _at_ball(p, view, i):
        return None
    if spots.in_area(p.field, x, y, p.hull) == 1 - team:
        return free_kick(p, 1 - team, at, EventKind.ATTACKER_IN_AREA, (i,))
    if i % p.robots and spots.in_area(p.field, x, y, -p.hull) == team:
        why = EventKind.DEFENDER_IN_AREA
        return Call(Phase.PENALTY, 1 - team, spots.penalty(p, 1 - team), EventKind.PENALTY, at, why, (i,))
    return None


def _held(p: Params, w: Whistle, view: View) -> Call | None:
    at = view.ball[:2]
    home = spots.in_area(p.field, *at)
    if not p.areas_barred or home < 0 or not 0 <= w.held < view.tick - p.free_ball_after * p.rate:
        return None
    return free_kick(p, 1 - home, at, EventKind.BALL_HELD, (home * p.robots,), p.free_ball_after)


def _pushing(p: Params, w: Whistle, view: View) -> tuple[Whistle, Call | None]:
    """Return memory and call where a robot at the ball drives an opponent who is at it too before it."""
    off = view.pose[:, :2] - np.array(view.ball[:2])
    near = np.flatnonzero((off * off).sum(axis=1) < (p.hull + p.ball_radius + TOUCH) ** 2).tolist()
    if len(near) != 2 or near[0] // p.robots == near[1] // p.robots:
        return (w, None) if not w.push else (replace(w, push=()), None)
    a, b = near
    if w.push[:2] != (a, b):
        return replace(w, push=(a, b, *view.pose[a, :2].tolist(), *view.pose[b, :2].tolist())), None
    ax, ay, bx, by = w.push[2:]
    d = max(math.dist((ax, ay), (bx, by)), 1e-9)
    ux, uy = (bx - ax) / d, (by - ay) / d  # from the one to the other, at first
    first, second = _along(view, a, ax, ay, ux, uy), _along(view, b, bx, by, ux, uy)
    moved = min(first, second, key=abs)
    if abs(moved) <= PUSH_LENGTH or first * second < 0.0:
        return w, None
    who = (a, b) if moved > 0.0 else (b, a)
    return w, free_kick(p, who[1] // p.robots, view.ball[:2], EventKind.PUSHING, who, abs(moved))


def _along(view: View, i: int, x: float, y: float, ux: float, uy: float) -> float:
    return float((view.pose[i, 0] - x) * ux + (view.pose[i, 1] - y) * uy)


def _too_fast(w: Whistle, view: View) -> tuple[Whistle, list[Foul]]:
    x, y, vx, vy, _ = view.ball
    speed = math.sqrt(vx * vx + vy * vy)
    fast = speed > BALL_MAX_SPEED + BALL_DOUBT
    if fast == w.fast:
        return w, []
    told = fast and view.toucher >= 0
    return replace(w, fast=fast), [(EventKind.BALL_TOO_FAST, (view.toucher,), (x, y), speed)] if told else []


def _crash(p: Params, w: Whistle, view: View, touch: Touch) -> tuple[Whistle, list[Foul]]:
    """Return memory and foul; the faster one is at fault, without much difference both are."""
    recent = tuple(crash for crash in w.crashes if view.tick - crash[2] < CRASH_AGAIN * p.rate)
    if any(crash[:2] == (touch.a, touch.b) for crash in recent):
        return w, []
    w = replace(w, crashes=(*recent, (touch.a, touch.b, view.tick)))
    more, xy = touch.speed_a - touch.speed_b, view.pose[:, :2]
    who = (touch.a, touch.b) if more > 0.0 else (touch.b, touch.a)
    x, y = (0.5 * (xy[touch.a] + xy[touch.b])).tolist()
    kind = EventKind.CRASH if abs(more) >= CRASH_BOTH else EventKind.CRASH_DRAWN
    return w, [(kind, who, (x, y), touch.closing)]
