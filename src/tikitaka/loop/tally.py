"""What is counted during a match, from the truth: no team ever sees it."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tikitaka.loop import kernels
from tikitaka.types import Floats, Ints

APART_SECONDS = 0.5  # a pair that was apart for less is still in the same collision [Austro, how to count]
LASTING_SECONDS = 0.2  # a prediction that overshoots and comes back is no swap


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts so far, and what is needed to count on."""

    collisions: int
    swaps: int
    own: tuple[int, int]  # of the collisions, those among blue's robots and among yellow's
    stopped: int  # commands that were not finite and became a stop
    last: Ints  # (2n, 2n) tick at which each pair touched
    holds: Ints  # (2, n) robot that each team's tracks follow
    astray: Ints  # (2, n) ticks for which a track has been with another robot


def start(robots: int) -> Tally:
    """Return the tally before the first tick; ``robots`` a team."""
    return Tally(0, 0, (0, 0), 0, np.full((2 * robots, 2 * robots), -(10**9)), _own(robots), 0 * _own(robots))


def placed(tally: Tally) -> Tally:
    """Return the tally after the referee has put everybody in place: all identities are known again."""
    return replace(tally, holds=_own(tally.holds.shape[1]), astray=0 * tally.astray)


def count_collisions(tally: Tally, touched: NDArray[np.uint8], tick: int, rate: float, stopped: int) -> Tally:
    """Return the tally after one step of the pitch; ``stopped`` robots had commands that made no sense."""
    last = tally.last.copy()
    blue, yellow, mixed = kernels.new_collisions(touched, last, tick, int(APART_SECONDS * rate))
    total, own = tally.collisions + blue + yellow + mixed, (tally.own[0] + blue, tally.own[1] + yellow)
    return Tally(total, tally.swaps, own, tally.stopped + stopped, last, tally.holds, tally.astray)


def count(
    tally: Tally, blue: Floats, yellow: Floats, truth: Floats, touched: NDArray[np.uint8], tick: int, hull: float,
    rate: float, stopped: int,
) -> Tally:  # fmt: skip
    """Return the tally after both teams have looked (see `count_swaps`) and the pitch has moved on to ``tick``."""
    last, holds, astray = tally.last.copy(), tally.holds.copy(), tally.astray.copy()
    swaps = kernels.new_swaps(blue, yellow, truth, holds, astray, hull, math.ceil(LASTING_SECONDS * rate))
    of_blue, of_yellow, mixed = kernels.new_collisions(touched, last, tick, int(APART_SECONDS * rate))
    total, own = tally.collisions + of_blue + of_yellow + mixed, (tally.own[0] + of_blue, tally.own[1] + of_yellow)
    return Tally(total, tally.swaps + int(swaps), own, tally.stopped + stopped, last, holds, astray)


def count_swaps(tally: Tally, blue: Floats, yellow: Floats, truth: Floats, hull: float, rate: float) -> Tally:
    """Return the tally after both teams have looked: each one's belief (n, 3) of itself, and the truth (2n, 3)."""
    holds, astray = tally.holds.copy(), tally.astray.copy()
    new = kernels.new_swaps(blue, yellow, truth, holds, astray, hull, math.ceil(LASTING_SECONDS * rate))
    return Tally(tally.collisions, tally.swaps + int(new), tally.own, tally.stopped, tally.last, holds, astray)


def _own(robots: int) -> Ints:
    return np.tile(np.arange(robots), (2, 1))
