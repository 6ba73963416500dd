"""Small scenes for the referee: everybody far from everything, but for what a test says."""

from dataclasses import replace
from functools import cache

import numpy as np

from tikitaka import referee
from tikitaka.league import load
from tikitaka.loop.build import rules_params
from tikitaka.types import Event, EventKind, Floats, Phase

PLAYING = referee.Whistle(phase=Phase.PLAY)


@cache
def rules(name: str, seconds: float = 600.0) -> referee.Params:
    return rules_params(load(name), seconds)


def lined_up(params: referee.Params) -> Floats:
    """Return everybody at the places of a kick-off that nobody has."""
    return referee.kick_off(params.field, params.robots, params.hull, params.reach, -1)[:-1]


def look(
    params: referee.Params, tick: int, ball: tuple[float, ...] = (0.0, 0.0), toucher: int = -1,
    at: dict[int, tuple[float, float]] | None = None, touches: tuple[referee.Touch, ...] = (),
) -> referee.View:  # fmt: skip
    """Return a view; ``at`` puts robots elsewhere."""
    pose = lined_up(params)
    for i, xy in (at or {}).items():
        pose[i, :2] = xy
    x, y, vx, vy = (*ball, 0.0, 0.0)[:4]
    return referee.View(tick, pose, np.zeros_like(pose), (x, y, vx, vy, 0.0), toucher, touches)


def kinds(events: tuple[Event, ...]) -> list[EventKind]:
    return [event.kind for event in events]


def marked(view: referee.View, whistle: referee.Whistle = PLAYING) -> referee.Whistle:
    """Return the memory of a referee who saw the ball there just now."""
    return replace(whistle, mark=view.ball[:2], mark_tick=view.tick)


def turned(params: referee.Params, view: referee.View) -> referee.View:
    """Return the view with sides and colours exchanged."""
    n = params.robots
    order = np.r_[n : 2 * n, 0:n]
    pose, velocity = view.pose[order] * (-1.0, -1.0, 1.0), view.velocity[order] * (-1.0, -1.0, 1.0)
    pose[:, 2] = np.remainder(pose[:, 2], 2.0 * np.pi) - np.pi
    x, y, vx, vy, z = view.ball
    touches = tuple(t._replace(a=other(n, t.a), b=other(n, t.b)) for t in view.touches)
    return referee.View(view.tick, pose, velocity, (-x, -y, -vx, -vy, z), other(n, view.toucher), touches)


def other(n: int, robot: int) -> int:
    """Return the robot of the other team with the same number."""
    return robot if robot < 0 else (robot + n) % (2 * n)
