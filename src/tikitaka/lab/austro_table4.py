"""Austro, Table 4.4: a static obstacle of two robots, three speeds, every method."""

from collections.abc import Callable
from dataclasses import dataclass

from tikitaka.lab.austro_tables import table
from tikitaka.lab.austro_traffic import LEAGUE
from tikitaka.lab.report import Found

TABLE = 4


@dataclass(frozen=True, slots=True)
class Args:
    """How many seeds; the league is the thesis' own."""

    league: str = LEAGUE
    seed: int = 0
    seeds: int = 1


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return the printed numbers beside ours, and the ways that the robots took."""
    return table(TABLE, args.seed, args.seeds, progress)
