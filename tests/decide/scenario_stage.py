"""Moments of a match that are set up by hand, and what is said of how they go on."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from tikitaka import sim
from tikitaka.league import League, load
from tikitaka.loop.build import build
from tikitaka.loop.match import Match
from tikitaka.types import Field, Floats, Phase

Test = Callable[[Match], bool]


@cache
def league(name: str) -> League:
    return load(name)


def field(name: str) -> Field:
    return league(name).field.geometry()


def parked(name: str, side: float) -> Floats:
    """Return poses (n, 3) of a team that stands at the middle of a touch line, at ``side`` (1 or -1) of the pitch."""
    n, f, hull = league(name).team.robots, field(name), league(name).robot.bounding_radius
    x = np.linspace(-0.4, 0.4, n) * f.half_length
    return np.stack((x, np.full(n, side * (f.half_width - 2.0 * hull)), np.zeros(n)), axis=1)


def staged(
    name: str, seed: int, blue: Floats, ball: tuple[float, ...], team: str, yellow: Floats | None = None
) -> Match:
    """Return a match in play: blue where it is put, yellow idle at the touch line, a ball (x, y, vx, vy) that rolls."""
    match = Match(build(league(name), seed, 600.0, team, "idle"))
    pose = np.concatenate((blue, parked(name, 1.0) if yellow is None else yellow))
    placed = np.concatenate((pose, [(ball[0], ball[1], 0.0)]))
    state = sim.place(match.moment.state, pose, placed[-1])
    rolling = state.ball.copy()
    rolling[2:4] = ball[2:4]
    rolling[6:8] = ball[2:4]  # spin as of a ball that rolls
    state = sim.check(match.setup.pitch, replace(state, ball=rolling))
    whistle = replace(match.moment.whistle, phase=Phase.PLAY, mark=(ball[0], ball[1]))
    match.moment = replace(match.moment, state=state, whistle=whistle, placed=placed)
    return match


def ticks(match: Match, seconds: float) -> Iterator[Match]:
    """Play on for so long; a goal ends it."""
    score = match.score
    for _ in range(math.ceil(seconds * match.rate)):
        match.step()
        yield match
        if match.score != score:
            return


def within(moments: Iterable[Match], test: Test) -> bool:
    return any(test(m) for m in moments)


def always(moments: Iterable[Match], test: Test) -> bool:
    return all(test(m) for m in moments)
