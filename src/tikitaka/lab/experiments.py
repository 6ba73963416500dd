"""`tikitaka lab`: the experiments by name, run with progress and reported in one form."""

import json as jsons
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tikitaka.errors import TikitakaError, UnknownNameError
from tikitaka.lab import first_light
from tikitaka.lab.report import Report, Row, publish, rows_of

EXPERIMENTS = {"first-light": first_light}


def main(name: str, seeds: int | None, seed: int, league: str, out: Path | None, json: bool) -> int:
    """Run an experiment, print and keep its rows; without a name list what there is."""
    if not name:
        return _list(json)
    if name not in EXPERIMENTS:
        raise UnknownNameError("experiment", name, EXPERIMENTS)
    module = EXPERIMENTS[name]
    count = module.Args().seeds if seeds is None else seeds
    if count < 1:
        raise TikitakaError(f"--seeds must be at least 1; got {count}")
    began = time.perf_counter()
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=json or not console.is_terminal) as bar:
        task = bar.add_task(name, total=count)
        rows = module.run(module.Args(league, seed, count), lambda done: bar.update(task, completed=done))
    publish(Report(name, time.perf_counter() - began, rows_of(rows), {"seeds": count, "league": league}), out, json)
    if not json:
        Console().print(_table(name, count, rows))
    return 0


def _list(json: bool) -> int:
    about = {name: (module.__doc__ or "").splitlines()[0] for name, module in EXPERIMENTS.items()}
    lines = [f"{name:<14} {text}" for name, text in about.items()]
    sys.stdout.write((jsons.dumps({"experiments": about}) if json else "\n".join(lines)) + "\n")
    return 0


def _table(name: str, seeds: int, rows: list[Row]) -> Table:
    table = Table("what", title=f"{name}, {seeds} seeds, 95 % interval of the mean")
    for heading in ("paper", "ours", "low", "high"):
        table.add_column(heading, justify="right")
    table.add_column("unit")
    table.add_column("verdict")
    for r in rows:
        paper = "-" if r.paper is None else f"{r.paper:g}"
        table.add_row(r.label, paper, f"{r.ours:.3g}", _number(r.low), _number(r.high), r.unit, r.verdict)
    return table


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3g}"
