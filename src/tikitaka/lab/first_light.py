"""How well the first thin stack plays and sees: the baseline for every later stage. No paper prints these."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tikitaka import league as leagues
from tikitaka.lab.report import Found
from tikitaka.lab.spreads import spread
from tikitaka.loop.build import build
from tikitaka.loop.match import Match
from tikitaka.types import EventKind


@dataclass(frozen=True, slots=True)
class Args:
    """What is played."""

    league: str = "mirosot-5v5"
    seed: int = 0
    seeds: int = 8
    seconds: float = 60.0


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return goals, free balls, collisions, swaps and errors of the estimate: mean and its 95 % interval over seeds."""
    league = leagues.load(args.league)
    results = []
    for k in range(args.seeds):
        results.append(_play(Match(build(league, args.seed + k, args.seconds, "rookie", "rookie"))))
        progress(k + 1)
    return Found([spread(label, [r[label] for r in results], unit) for label, unit in UNITS.items()])


UNITS = {
    "goals": "1/min",
    "free balls": "1/min",
    "collisions": "1/min",
    "identity swaps": "1/min",
    "own position error, rms": "mm",
    "own heading error, rms": "deg",
    "ball position error, rms": "mm",
}


def _play(match: Match) -> dict[str, float]:
    squares = np.zeros(3)  # position, heading, ball
    while not match.done:
        match.step()
        squares += _errors(match)
    ticks, minutes = match.moment.state.tick, match.seconds / 60.0
    kinds = [event.kind for event in match.events]
    rms = np.sqrt(squares / ticks)
    counts = (
        kinds.count(EventKind.GOAL),
        kinds.count(EventKind.FREE_BALL),
        match.moment.tally.collisions,
        match.moment.tally.swaps,
    )
    values = [count / minutes for count in counts] + [1e3 * rms[0], math.degrees(rms[1]), 1e3 * rms[2]]
    return dict(zip(UNITS, values, strict=True))


def _errors(match: Match) -> np.ndarray:
    """Return mean squared errors of blue's belief about itself and the ball at the last tick."""
    if match.record is None:
        return np.zeros(3)
    truth, world = match.record.state, match.record.thoughts[0].world
    off = world.ours.pose - truth.pose[: len(world.ours)]
    heading = (off[:, 2] + math.pi) % (2.0 * math.pi) - math.pi
    ball = (world.ball.x - truth.ball[0]) ** 2 + (world.ball.y - truth.ball[1]) ** 2
    return np.array(((off[:, :2] ** 2).sum(axis=1).mean(), (heading**2).mean(), ball))
