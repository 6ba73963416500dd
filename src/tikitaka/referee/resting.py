"""Robots that are pinned: who touches something and has not moved for long is lifted and put down free."""

import math
from dataclasses import replace

from tikitaka.referee.arranging import lift
from tikitaka.referee.params import Params, Whistle
from tikitaka.referee.restarts import Word, event
from tikitaka.referee.view import View
from tikitaka.types import EventKind

STUCK_SECONDS = 10.0  # chosen: like a ball that gets nowhere
STUCK_WITHIN = 0.02  # [m] chosen
STUCK_TURN = 0.3  # [rad] chosen
TOUCHING = 0.005  # [m] chosen: gap below which a robot leans on another one or on a wall


def watch(params: Params, whistle: Whistle, view: View) -> Word:
    """Return memory, event and placement where a robot is stuck; looks once a second."""
    if view.tick % max(1, round(params.rate)):
        return whistle, (), None
    rows = view.pose.tolist()
    old = whistle.rest or tuple((*row, view.tick) for row in rows)
    rest = tuple(b if _same(a, b) else (*a, view.tick) for a, b in zip(rows, old, strict=True))
    whistle = replace(whistle, rest=rest)
    long = [(view.tick - row[3]) / params.rate for row in rest]
    who = [i for i, t in enumerate(long) if t >= STUCK_SECONDS and i % params.robots and _pinned(params, rows, i)]
    placed = lift(params, whistle, view.pose, who, view.ball[:2]) if who else None
    if placed is None:
        return whistle, (), None
    kind, n = EventKind.STUCK_ROBOT, params.robots
    told = [event(params, view.tick, kind, i // n, (rows[i][0], rows[i][1]), (i,), long[i]) for i in who]
    return replace(whistle, rest=()), tuple(told), placed


def _same(a: list[float], b: tuple[float, ...]) -> bool:
    turned = math.remainder(a[2] - b[2], 2.0 * math.pi) if math.isfinite(a[2] - b[2]) else math.inf
    return math.hypot(a[0] - b[0], a[1] - b[1]) < STUCK_WITHIN and abs(turned) < STUCK_TURN


def _pinned(p: Params, rows: list[list[float]], i: int) -> bool:
    """Say whether a robot touches another one or stands at a wall."""
    x, y = rows[i][:2]
    near = 2.0 * p.hull + TOUCHING
    if any(j != i and math.hypot(x - a, y - b) < near for j, (a, b, _) in enumerate(rows)):
        return True
    f, room = p.field, p.hull + TOUCHING
    return abs(x) > f.half_length + f.margin_x - room or abs(y) > f.half_width + f.margin_y - room
