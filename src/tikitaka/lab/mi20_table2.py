"""MI20, Table II: errors of predictions through collisions, raw and corrected; three robots at the centre, 5 v 5."""

from collections.abc import Callable
from dataclasses import dataclass

from tikitaka.lab.mi20_scenes import CASES, TABLES
from tikitaka.lab.mi20_tables import table
from tikitaka.lab.report import Found

TABLE = 2
SPREAD = "95 % interval over collisions"


@dataclass(frozen=True, slots=True)
class Args:
    """How many collisions; the league is the table's own."""

    league: str = CASES[TABLES[TABLE].case].league
    seed: int = 0
    seeds: int = 100


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return the printed numbers beside ours, and the error over frames."""
    return table(TABLE, args.seed, args.seeds, progress)
