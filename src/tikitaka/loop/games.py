"""Many games between two teams: each played without a log, sides changed from game to game, and what they add up to."""

import contextlib
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tikitaka.loop import statistics
from tikitaka.loop.match import Match
from tikitaka.loop.pool import each
from tikitaka.loop.run import Fixture
from tikitaka.loop.statistics import Statistics
from tikitaka.types import BLUE, YELLOW

LOADING = 20  # ticks at the beginning that are not timed: kernels are loaded then
Pair = tuple[float, float]  # the first team's, the second team's
STUCK = 20.0  # [s] a game in which the ball lies for longer is stuck
Z95 = 1.959964  # standard deviations of a two-sided 95 % interval


@dataclass(frozen=True, slots=True)
class Played:
    """One game; pairs are in the order in which the teams were named, whatever they wore."""

    seed: int
    first_is_blue: bool
    seconds: float
    goals: tuple[int, int]
    possession: Pair
    passes: tuple[int, int]
    shots: tuple[int, int]
    saves: tuple[int, int]
    own_collisions: tuple[int, int]
    faults: tuple[int, int]
    fault_messages: tuple[str, ...]
    collisions: int  # all of them
    swaps: int
    stands: Pair  # [s] the longest of any robot
    ball_stands: float  # [s] the longest of the ball
    tick_us: float  # mean time of a tick, both teams and the pitch; NaN: the game was too short


@dataclass(frozen=True, slots=True)
class Result:
    """What a series of games adds up to, from the first team's point of view."""

    wins: int
    draws: int
    losses: int
    goals: tuple[int, int]
    win_rate: float  # of the decided games; NaN: none was
    interval: Pair  # of that, Wilson, 95 %
    minutes: float
    games: tuple[Played, ...]

    def per_minute(self, name: str) -> Pair:
        """Return a pair of counts a minute of play."""
        first, second = np.sum([getattr(game, name) for game in self.games], axis=0).tolist()
        return first / self.minutes, second / self.minutes

    def mean(self, name: str) -> Pair:
        """Return the mean of a pair over the games."""
        first, second = np.mean([getattr(game, name) for game in self.games], axis=0).tolist()
        return first, second

    @property
    def stands(self) -> Pair:
        """Return the longest stand [s] of any robot in any game."""
        return max(game.stands[0] for game in self.games), max(game.stands[1] for game in self.games)

    @property
    def ball_stands(self) -> float:
        """Return the longest stand [s] of the ball in any game."""
        return max(game.ball_stands for game in self.games)

    @property
    def stuck(self) -> int:
        """Return in how many games the ball lay for longer than `STUCK`."""
        return sum(game.ball_stands > STUCK for game in self.games)


def play(fixture: Fixture, first_is_blue: bool) -> Played:
    """Return one game; a team's own prints go to standard error."""
    with contextlib.redirect_stdout(sys.stderr):
        match = Match(fixture.setup())
        counts, began = statistics.start(match.league), 0.0
        while not match.done:
            if match.moment.state.tick == LOADING:
                began = time.perf_counter()
            events = match.step()
            statistics.follow(counts, match.moment.state, events)
    timed = match.moment.state.tick - LOADING
    tick_us = 1e6 * (time.perf_counter() - began) / timed if timed > 0 else math.nan
    return _played(match, counts, first_is_blue, tick_us)


def series(first: str, second: str, what: Fixture, games: int, progress: Callable[[int], None]) -> Result:
    """Return so many games of ``what``, whose teams are replaced; the first team is blue in every other one."""
    return add_up(each(partial(_nth, first, second, what), range(games), progress))


def add_up(games: Sequence[Played]) -> Result:
    """Return what games add up to."""
    margins = [game.goals[0] - game.goals[1] for game in games]
    wins, losses = sum(m > 0 for m in margins), sum(m < 0 for m in margins)
    goals = (sum(game.goals[0] for game in games), sum(game.goals[1] for game in games))
    decided = wins + losses
    rate = wins / decided if decided else math.nan
    minutes = sum(game.seconds for game in games) / 60.0
    return Result(wins, len(games) - decided, losses, goals, rate, wilson(wins, decided), minutes, tuple(games))


def wilson(hits: int, n: int) -> Pair:
    """Return the 95 % interval of a share [Wilson1927]; of nothing it is all that there is."""
    if n == 0:
        return 0.0, 1.0
    share, z2 = hits / n, Z95 * Z95
    middle = (share + 0.5 * z2 / n) / (1.0 + z2 / n)
    half = Z95 * math.sqrt(share * (1.0 - share) / n + 0.25 * z2 / (n * n)) / (1.0 + z2 / n)
    return 0.0 if hits == 0 else middle - half, 1.0 if hits == n else middle + half


def _nth(first: str, second: str, what: Fixture, k: int) -> Played:
    """Return the k-th game of a series."""
    even = k % 2 == 0
    blue, yellow = (first, second) if even else (second, first)
    truth = what.truth if even else (what.truth[1], what.truth[0])
    return play(replace(what, seed=what.seed + k, blue=blue, yellow=yellow, truth=truth), even)


def _played(match: Match, counts: Statistics, first_is_blue: bool, tick_us: float) -> Played:
    one, two = (BLUE, YELLOW) if first_is_blue else (YELLOW, BLUE)
    state, tally = match.moment.state, match.moment.tally
    stands = counts.stands(match.rate)
    return Played(
        seed=match.seed,
        first_is_blue=first_is_blue,
        seconds=state.tick / match.rate,
        goals=(match.score[one], match.score[two]),
        possession=(counts.possession[one], counts.possession[two]),
        passes=(counts.passes[one], counts.passes[two]),
        shots=(counts.shots[one], counts.shots[two]),
        saves=(counts.saves[one], counts.saves[two]),
        own_collisions=(tally.own[one], tally.own[two]),
        faults=(match.faults[one], match.faults[two]),
        fault_messages=tuple(match.fault_messages),
        collisions=tally.collisions,
        swaps=tally.swaps,
        stands=(stands[one], stands[two]),
        ball_stands=stands[2],
        tick_us=tick_us,
    )
