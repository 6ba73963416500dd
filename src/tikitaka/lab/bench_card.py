"""`tikitaka bench --card`: steps a second of many worlds on a graphics card.

Worlds begin at random places and are driven as in `lab sim-speed`. A launch is all steps that commands are held; it is
timed by the clock until the card has done it, from one simulated second on: what compiles and settles comes before.
"""

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from tikitaka.lab.report import Report, publish
from tikitaka.lab.sim_speed import DRIVING, DT, HOLD, pace, top_rate
from tikitaka.lab.staging import params_of
from tikitaka.sim import Params
from tikitaka.sim.batch import Batch
from tikitaka.sim.card import card_name, check_card
from tikitaka.sim.cuda import CudaBatch

LEAGUES = ("vsss-3v3", "mirosot-5v5", "mirosot-11v11")
KINDS = ("float32", "float64")
WORLDS = 1048576  # in float32; half as many in float64, and half of that where robots are many
MANY = 12  # robots
SETTLING = 2  # commands before the clock starts: one second
LAUNCHES, TICKS = 6, HOLD  # timed, and steps of a launch


def main(names: list[str], seed: int, out: Path | None, json: bool) -> int:
    """Measure, print and keep; returns the exit code. Where there is no card, an error says so."""
    check_card()
    began, notes = time.perf_counter(), {"card": card_name(), "steps_a_launch": TICKS}
    rows = [row for name in names for row in measure(name, seed)]
    publish(Report("bench-card", time.perf_counter() - began, rows, notes), out, json)
    if not json:
        Console().print(_table(rows))
    return 0


def measure(league: str, seed: int) -> Iterator[dict[str, Any]]:
    """Yield a row for each kind of numbers and of driving."""
    params = params_of(league, DT)
    for kind in KINDS:
        worlds = worlds_of(params, kind)
        for driving in DRIVING:
            name = f"{league}, {kind}, {driving}"
            sys.stderr.write(f"{name}, {worlds} worlds ...\n")
            batch = CudaBatch(params, worlds, seed, kind)
            found = row(name, worlds, rates(batch, driving, batch.wait, time.perf_counter))
            yield {**found, "waves_ms": batch.profile(TICKS)}


def worlds_of(params: Params, kind: str) -> int:
    """Return how many worlds are stepped: enough to keep a card busy."""
    return WORLDS // (2 if kind == "float64" else 1) // (2 if params.robots >= MANY else 1)


def rates(batch: Batch, driving: str, wait: Callable[[], None], clock: Callable[[], float]) -> list[float]:
    """Return the steps a second of every launch; wheels get new speeds before each, untimed."""
    batch.scatter()
    pace(batch, driving, SETTLING, clock)
    found = list[float]()
    for _ in range(LAUNCHES):
        batch.wander(top_rate(batch.params, driving))
        wait()
        began = clock()
        batch.step(ticks=TICKS)
        wait()
        found.append(batch.worlds * TICKS / (clock() - began))
    return found


def row(name: str, worlds: int, found: list[float]) -> dict[str, Any]:
    """Return one row of the result."""
    least, median, most = (float(np.percentile(found, part)) for part in (0, 50, 100))
    numbers = {"median_steps_s": median, "least_steps_s": least, "most_steps_s": most}
    return {"name": name, "worlds": worlds, **numbers, "n": len(found)}


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table("million steps of 1/60 s a second", title=card_name())
    for heading in ("worlds", "median", "least", "most"):
        table.add_column(heading, justify="right")
    table.add_column("waves, while all worlds are awake")
    for r in rows:
        numbers = (f"{1e-6 * r[key]:.1f}" for key in ("median_steps_s", "least_steps_s", "most_steps_s"))
        longest = sorted(r["waves_ms"].items(), key=lambda wave: -wave[1])
        shares = (f"{name} {100.0 * ms / sum(r['waves_ms'].values()):.0f} %" for name, ms in longest)
        table.add_row(r["name"], f"{r['worlds']:,}", *numbers, ", ".join(shares))
    return table
