"""`tikitaka bench`: microseconds a stage in a match under way, with the inputs that the stage really gets.

What counts is this thread's processor time: a tick during which the system let somebody else run is no longer for it.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from rich.console import Console
from rich.table import Table

from tikitaka import league as leagues
from tikitaka import referee, sim, vision
from tikitaka.lab import bench_avoiders, bench_peers
from tikitaka.lab.report import Report, machine, publish
from tikitaka.loop import encode, match
from tikitaka.loop.budget import BUDGET_US
from tikitaka.loop.build import Setup, build
from tikitaka.loop.warm import warm_up
from tikitaka.types import BLUE, YELLOW, Commands, Detections

LEAGUES = ("mirosot-5v5", "mirosot-11v11", "ssl-a")
TEAMS = ("classic", "tikitaka")  # as `play` has them; the second is timed stage by stage
TICKS = 900  # of each league: half a minute at 30 Hz
COLD = "from tikitaka.league import load; from tikitaka.loop.warm import warm_up; print(warm_up(load()))"

people = Console(stderr=True, highlight=False)
_T = TypeVar("_T")
Samples = dict[str, list[float]]


def main(names: list[str], seed: int, out: Path | None, json: bool, cold: bool) -> int:
    """Measure, print and keep; returns the exit code."""
    began = time.perf_counter()
    rows: list[dict[str, Any]] = []
    loaded = [leagues.load(name) for name in names]
    for league in loaded:
        people.print(f"{league.name} ...", markup=False)
        warm_up(league)
        peers = bench_peers.peers() if 2 * league.team.robots == bench_peers.ROBOTS else {}
        samples = measure(build(league, seed, None, *TEAMS), TICKS, peers)
        rows += [row(f"{stage}/{league.name}", values) for stage, values in samples.items()]
    compile_s = _compile_seconds() if cold else None
    report = Report("bench", time.perf_counter() - began, rows, {"compile_s": compile_s})
    publish(report, out, json)
    if not json:
        Console().print(_table(rows, compile_s))
    return 0


def measure(setup: Setup, ticks: int, peers: bench_peers.Peers = MappingProxyType({})) -> Samples:
    """Return seconds of every stage at every tick of a match; each stage is called again with the inputs it got.

    Peers of the estimator are asked in between, so that they are timed on the same machine at the same load.
    """
    samples: Samples = {}
    moment, _ = match.begin(setup)
    many = 2 * setup.league.team.robots == bench_avoiders.ROBOTS and not setup.league.robot.kicker
    avoiders = bench_avoiders.avoiders(setup.league) if many else {}
    for tick in range(ticks):
        before = moment
        moment, record = _timed(samples, "match", lambda m=before: match.advance(setup, m))  # type: ignore[misc]
        detections = _time_stages(samples, setup, before, record)
        _time_avoiders(samples, avoiders, setup, before, record)
        for name, (every, peer) in peers.items():
            if tick % every == 0 and len(detections.robot_time):
                _timed(samples, f"estimate by {name}", lambda d=detections, p=peer: p(d))  # type: ignore[misc]
    return samples


def row(name: str, seconds: list[float]) -> dict[str, Any]:
    """Return one row of the result."""
    us = 1e6 * np.array(seconds)
    median, p99 = float(np.median(us)), float(np.percentile(us, 99))
    shown = {"name": name, "median_us": median, "p99_us": p99, "min_us": float(us.min()), "n": len(us)}
    return {**shown, "budget_us": BUDGET_US.get(name)}


def _time_stages(samples: Samples, setup: Setup, before: match.Moment, record: match.Record) -> Detections:
    now = record.state.tick / setup.rate
    frames, _ = match.arrived((*before.flying, *record.frames), now)
    game = referee.game(setup.rules, before.whistle, record.state.tick, YELLOW)
    placed = None if before.placed is None else match.other_side(before.placed)
    stack, memory, thoughts = setup.sides[YELLOW].stack, before.teams[YELLOW], record.thoughts[YELLOW]
    detections = _timed(samples, "vision", lambda: vision.see(frames, YELLOW, now, game, placed))
    world, intents, plans = thoughts.world, thoughts.intents, thoughts.plans
    both = Commands.join(record.thoughts[BLUE].commands, thoughts.commands)
    _timed(samples, "camera", lambda: sim.expose(setup.camera, record.state, before.before))
    _timed(samples, "estimate", lambda: stack.estimate(memory.tracks, detections, memory.sent[0]))
    _timed(samples, "decide", lambda: stack.decide(memory.roles, world))
    _, planned = _timed(samples, "plan", lambda: stack.plan(memory.paths, world, intents))
    _timed(samples, "avoid", lambda: stack.avoid(memory.dodges, world, planned))
    _timed(samples, "control", lambda: stack.control(world, plans))
    _timed(samples, "tick", lambda: [match.think(setup, before, team, frames, now) for team in (BLUE, YELLOW)])
    _timed(samples, "sim", lambda: sim.step(setup.pitch, record.state, both))
    _timed(samples, "encode", lambda: encode.record(record))
    return detections


def _time_avoiders(
    samples: Samples, avoiders: Mapping[str, bench_avoiders.Avoider], setup: Setup, before: match.Moment,
    record: match.Record,
) -> None:  # fmt: skip
    """Time all ways to avoid with yellow's plans before they were made safe; the first call, which compiles, is not."""
    if not avoiders:
        return
    thoughts, paths = record.thoughts[YELLOW], before.teams[YELLOW].paths
    _, plans = setup.sides[YELLOW].stack.plan(paths, thoughts.world, thoughts.intents)
    for name, call in avoiders.items():
        if f"avoid by {name}" not in samples:
            call(thoughts.world, plans)
        _timed(samples, f"avoid by {name}", lambda c=call: c(thoughts.world, plans))  # type: ignore[misc]


def _timed(samples: Samples, name: str, call: Callable[[], _T]) -> _T:
    began = time.thread_time()
    result = call()
    samples.setdefault(name, []).append(time.thread_time() - began)
    return result


def _compile_seconds() -> float | None:
    """Return how long a process takes to compile all kernels into an empty cache."""
    people.print("compile time, in a process with an empty cache ...")
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_CACHE_HOME": folder}
        words = [sys.executable, "-c", COLD]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    return float(done.stdout) if done.returncode == 0 else None


def _table(rows: list[dict[str, Any]], compile_s: float | None) -> Table:
    caption = "" if compile_s is None else f"compiling all kernels once: {compile_s:.1f} s"
    table = Table("stage", title=machine(), caption=caption)
    for heading in ("median us", "p99 us", "budget us", "n"):
        table.add_column(heading, justify="right")
    for r in rows:
        budget = "" if r["budget_us"] is None else f"{r['budget_us']:.0f}"
        colour = "" if r["budget_us"] is None else "[green]" if r["p99_us"] <= r["budget_us"] else "[red]"
        table.add_row(r["name"], f"{r['median_us']:.1f}", f"{colour}{r['p99_us']:.1f}", budget, str(r["n"]))
    return table
