"""`tikitaka lab`: the experiments by name, run with progress and reported in one form."""

import json as jsons
import sys
import time
from contextlib import nullcontext
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tikitaka.errors import TikitakaError, UnknownNameError
from tikitaka.lab import (
    austro_all,
    austro_errata,
    austro_faults,
    austro_many,
    austro_table1,
    austro_table2,
    austro_table3,
    austro_table4,
    austro_table5,
    austro_table6,
    beard_ball,
    beard_localise,
    beard_robot,
    control_drives,
    erforce_paths,
    first_light,
    mi20_table1,
    mi20_table2,
    mi20_table3,
    mi20_table4,
    plan_costs,
    plan_drives,
    plan_flips,
    plan_peers,
    plan_safe,
    sim_hour,
    sim_pile,
    sim_roll,
    sim_speed,
    sim_squeeze,
    sim_wheels,
    track_faults,
    track_matches,
)
from tikitaka.lab.report import NO_PAPER, Report, Row, keep_pictures, publish, rows_of
from tikitaka.loop.build import MAX_SEED
from tikitaka.loop.warm import estimator_beside, watched

EXPERIMENTS = {
    "first-light": first_light,
    "sim-wheels": sim_wheels,
    "sim-roll": sim_roll,
    "sim-squeeze": sim_squeeze,
    "sim-pile": sim_pile,
    "sim-speed": sim_speed,
    "sim-hour": sim_hour,
    "mi20-table1": mi20_table1,
    "mi20-table2": mi20_table2,
    "mi20-table3": mi20_table3,
    "mi20-table4": mi20_table4,
    "beard-robot": beard_robot,
    "beard-ball": beard_ball,
    "beard-localise": beard_localise,
    "austro": austro_all,
    "austro-4.1": austro_table1,
    "austro-4.2": austro_table2,
    "austro-4.3": austro_table3,
    "austro-4.4": austro_table4,
    "austro-4.5": austro_table5,
    "austro-4.6": austro_table6,
    "austro-errata": austro_errata,
    "austro-faults": austro_faults,
    "austro-traffic": austro_many,
    "control-drives": control_drives,
    "track-matches": track_matches,
    "track-faults": track_faults,
    "erforce-paths": erforce_paths,
    "plan-peers": plan_peers,
    "plan-safe": plan_safe,
    "plan-flips": plan_flips,
    "plan-drives": plan_drives,
    "plan-costs": plan_costs,
}


MAX_SEEDS = 1_000_000  # chosen: more would take weeks
FIXED = ("mi20-", "beard-", "austro")  # always played in the paper's own leagues
ESTIMATES = ("mi20-", "beard-", "track-")  # simulate and estimate: half of the time before the first result each


def main(name: str, seeds: int | None, seed: int, league: str | None, out: Path | None, json: bool) -> int:
    """Run an experiment, print and keep its rows and pictures; without a name list what there is."""
    if not name:
        return _list(json)
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    module = EXPERIMENTS[name]
    count = module.Args().seeds if seeds is None else seeds
    if not 1 <= count <= MAX_SEEDS:
        raise TikitakaError(f"--seeds must be in [1, {MAX_SEEDS}]; got {count}")
    if not 0 <= seed <= MAX_SEED - count:
        raise TikitakaError(f"--seed must be in [0, {MAX_SEED - count}]; got {seed}")
    if out is not None and out.exists() and not out.is_dir():
        raise TikitakaError(f"--out must be a folder; {out} is a file")
    own = module.Args().league
    if league not in (None, own) and name.startswith(FIXED):
        raise TikitakaError(f"--league: {name} is played in leagues of its own; leave it out; got {league}")
    league = league or own
    began = time.perf_counter()
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=json or not console.is_terminal) as bar:
        task = bar.add_task(name, total=count)
        beside = estimator_beside() if name.startswith(ESTIMATES) else nullcontext()
        with beside, watched(lambda _, stage: bar.update(task, description=f"{name}, compiling kernels of {stage}")):
            found = module.run(
                module.Args(league, seed, count), lambda done: bar.update(task, completed=done, description=name)
            )
    notes = {"seeds": count, "league": league, "pictures": keep_pictures(found.pictures, out)}
    publish(Report(name, time.perf_counter() - began, rows_of(found.rows), notes), out, json)
    if not json:
        spread = getattr(module, "SPREAD", "95 % interval of the mean")
        Console().print(_table(name if count == 1 else f"{name}, {count} seeds, {spread}", found.rows))
    return 0


def _list(json: bool) -> int:
    about = {name: (module.__doc__ or "").splitlines()[0] for name, module in EXPERIMENTS.items()}
    lines = [f"{name:<14} {text}" for name, text in about.items()]
    sys.stdout.write((jsons.dumps({"experiments": about}) if json else "\n".join(lines)) + "\n")
    return 0


def _table(title: str, rows: list[Row]) -> Table:
    """Return the rows as a table, without the columns that are empty."""
    columns = {
        "paper": [_number(r.paper) for r in rows],
        "ours": [_number(r.ours) for r in rows],
        "low": [_number(r.low) for r in rows],
        "high": [_number(r.high) for r in rows],
        "unit": [r.unit for r in rows],
        "verdict": ["-" if r.verdict == NO_PAPER else r.verdict for r in rows],
    }
    shown = {heading: cells for heading, cells in columns.items() if set(cells) != {"-"}}
    table = Table("what", title=title)
    for heading in shown:
        table.add_column(heading, justify="left" if heading in ("unit", "verdict") else "right")
    for row, *cells in zip(rows, *shown.values(), strict=True):
        table.add_row(row.label, *cells)
    return table


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"
