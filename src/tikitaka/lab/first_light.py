"""How well the first thin stack plays and sees: the baseline for every later stage. No paper prints these."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tikitaka import league as leagues
from tikitaka.lab.report import Found, Row
from tikitaka.loop.build import build
from tikitaka.loop.match import Match
from tikitaka.types import EventKind

# two-sided 95 % of Student's t for 1, 2, ... degrees of freedom; 2.1 beyond
T95 = (12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11)


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
    return Found([_row(label, unit, np.array([r[label] for r in results])) for label, unit in UNITS.items()])


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


def _row(label: str, unit: str, values: np.ndarray) -> Row:
    mean, n = float(values.mean()), len(values)
    if n == 1:
        return Row(label, None, mean, None, None, unit)
    t = T95[n - 2] if n - 2 < len(T95) else 2.1
    spread = t * float(values.std(ddof=1)) / math.sqrt(n)
    return Row(label, None, mean, mean - spread, mean + spread, unit)
