"""How fast the simulator is: one world on one core, threads, cost against robots and worlds, and rSim beside it.

Robots get new random wheel speeds every half second: ``gentle`` up to 1 m/s, ``wild`` up to all that the motors give.
Worlds begin at random places and are driven for a while before they are timed. One core: this process is held on one,
and its processor time is what counts, so that others on the machine matter little. Threads are timed by the clock.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from tikitaka.errors import RunError
from tikitaka.lab import peers
from tikitaka.lab.plot import BLUE, GREEN, RED, Axis, Band, Dots, Line, Mark, Panel, chart, page
from tikitaka.lab.report import Found, Row
from tikitaka.lab.staging import params_of
from tikitaka.sim import Params, step
from tikitaka.sim.batch import Batch
from tikitaka.types import Commands, Floats

SPREAD = "median, least and most"
DT, HOLD = 1.0 / 60.0, 30  # [s] a step; [steps] that commands are held
GENTLE = 1.0  # [m/s]
DRIVING = {"gentle": BLUE, "wild": RED}
SEASON = 10  # commands before the clock starts
TRIES = 3  # at a point of the curve over worlds
TURNS = 9  # of one thread and two, one after the other
FEW = 64  # worlds that are really different
RSIM_LEAGUE = "vsss-5v5"  # what rSim plays
CROWDED = "mirosot-11v11"  # has room for 22 robots


@dataclass(frozen=True, slots=True)
class Args:
    """How much is measured; rSim is compared in the league that it plays."""

    league: str = "mirosot-5v5"
    seed: int = 0
    seeds: int = 7  # rounds, each in other worlds
    seconds: float = 60.0  # simulated, of one world in a round
    robots: tuple[int, ...] = (2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22)
    worlds: tuple[int, ...] = (1, 4, 16, 64, 256, 1024, 4096, 16384, 65536)
    steps: int = 30000  # of all worlds together, for a point of the curve over worlds
    shared: int = 4096  # worlds that two threads share
    peers: bool = True


Samples = dict[str, list[float]]


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return real-time factors, ratios and costs, median with the least and the most of all rounds; one picture."""
    samples, compare = Samples(), args.peers and _has_rsim()
    crowds = {driving: np.zeros((args.seeds, len(args.robots))) for driving in DRIVING}
    _warm(args)
    for k in range(args.seeds):
        seed = args.seed + k
        with pinned():
            for driving in DRIVING:
                factor = _factor(args.league, driving, args.seconds, seed)
                _note(samples, f"{args.league}, {driving} [x real time]", factor)
                called = _called(args.league, driving, 0.2 * args.seconds, seed)
                _note(samples, f"{args.league}, {driving}, a call of sim.step each [x real time]", called)
                if compare:
                    _beside_rsim(samples, driving, args.seconds, seed)
                crowds[driving][k] = [_cost(n, driving, seed) for n in args.robots]
        _note(samples, f"{args.shared} worlds: two threads over one", _two_threads(args, seed))
        progress(k + 1)
    rates = {worlds: _rates(args, worlds) for worlds in args.worlds}
    for i, n in enumerate(args.robots):
        samples[f"{n} robots, gentle [us/step]"] = crowds["gentle"][:, i].tolist()
    for worlds, found in rates.items():
        samples |= {f"worlds: {worlds:,}, threads: {t} [steps/s]": [rate] for t, rate in found.items()}
    about = "Cost of a step against robots, and steps a second against worlds"
    picture = page([[_robots_panel(args, crowds), _worlds_panel(args, rates)]], about)
    return Found([_row(label, values) for label, values in samples.items()], {"sim-speed.svg": picture})


def pace(batch: Batch, driving: str, commands: int, clock: Callable[[], float], ticks: int = HOLD) -> float:
    """Return the seconds that a step of one world takes, over so many commands, each held for so many ticks."""
    began = clock()
    for _ in range(commands):
        batch.wander(top_rate(batch.params, driving))
        batch.step(ticks=ticks)
    return (clock() - began) / (commands * ticks * batch.worlds)


def under_way(params: Params, worlds: int, driving: str, seed: int, threads: int = 1) -> Batch:
    """Return worlds that have been driven for a while; beyond FEW they are copies of so many."""
    few = Batch(params, min(worlds, FEW), seed, threads)
    few.scatter()
    pace(few, driving, SEASON, time.perf_counter)
    if worlds <= FEW:
        return few
    batch = Batch(params, worlds, seed, threads)
    for name in ("pose", "velocity", "spin", "ball", "wheels"):
        array = getattr(few, name)
        getattr(batch, name)[...] = np.resize(array, (worlds, *array.shape[1:]))
    return batch


def top_rate(params: Params, driving: str) -> float | None:
    """Return how fast wheels are told to turn at most [rad/s]; None: as fast as motors can."""
    return GENTLE / params.robot.drive.wheel_radius if driving == "gentle" else None


@contextmanager
def pinned() -> Iterator[None]:
    """Hold this thread, and the processes that it starts, on one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _has_rsim() -> bool:
    found = peers.rsim("gentle", 0.5, 0)
    if isinstance(found, str):
        sys.stderr.write(f"rSim is left out: {found}\n")
    return not isinstance(found, str)


def _warm(args: Args) -> None:
    """Compile all that will be timed."""
    for league in dict.fromkeys((args.league, RSIM_LEAGUE, CROWDED)):
        under_way(params_of(league, DT), 2, "gentle", 0, 2)
    _called(args.league, "gentle", HOLD * DT, 0)


def _factor(league: str, driving: str, seconds: float, seed: int) -> float:
    """Return simulated seconds of one world in a second of one core."""
    batch = under_way(params_of(league, DT), 1, driving, seed)
    return DT / pace(batch, driving, round(seconds / (HOLD * DT)), time.thread_time)


def _called(league: str, driving: str, seconds: float, seed: int) -> float:
    """Return the same where every step is a call of the pure `sim.step`, which checks and copies."""
    params, spent = params_of(league, DT), 0.0
    batch = under_way(params, 1, driving, seed)
    state, commands = batch.state(0), max(1, round(seconds / (HOLD * DT)))
    none = Commands.stop(params.robots, batch.wheels.shape[2])
    for _ in range(commands):
        batch.wander(top_rate(params, driving))
        order = replace(none, wheels=batch.wheels[0].copy())
        began = time.thread_time()
        for _ in range(HOLD):
            state = step(params, state, order)
        spent += time.thread_time() - began
    return commands * HOLD * DT / spent


def _beside_rsim(samples: Samples, driving: str, seconds: float, seed: int) -> None:
    ours = _factor(RSIM_LEAGUE, driving, seconds, seed)
    theirs = peers.rsim(driving, 0.1 * seconds, seed)
    if isinstance(theirs, str):
        raise RunError(f"rSim stopped: {theirs}")
    _note(samples, f"{RSIM_LEAGUE}, {driving} [x real time]", ours)
    _note(samples, f"rSim, {driving} [x real time]", theirs)
    _note(samples, f"ours over rSim, {driving}", ours / theirs)


def _cost(robots: int, driving: str, seed: int) -> float:
    """Return the microseconds of a step with so many robots on a large pitch, the mean of a few worlds."""
    batch = under_way(params_of(CROWDED, DT, robots), 8, driving, seed)
    return 1e6 * pace(batch, driving, 4, time.thread_time)


def _two_threads(args: Args, seed: int) -> float:
    """Return how much faster two threads are than one, by the clock: the median of short turns, one after the other."""
    one, two = (under_way(params_of(args.league, DT), args.shared, "gentle", seed, threads) for threads in (1, 2))
    ratios = [
        pace(one, "gentle", 1, time.perf_counter, 4) / pace(two, "gentle", 1, time.perf_counter, 4)
        for _ in range(TURNS)
    ]
    return float(np.median(ratios))


def _rates(args: Args, worlds: int) -> dict[int, float]:
    """Return steps a second of so many worlds on one thread and on all cores, by the clock, in turns; medians."""
    pitch, counts = params_of(args.league, DT), sorted({1, _cores()})
    batches = {threads: under_way(pitch, worlds, "gentle", args.seed, threads) for threads in counts}
    ticks = max(2, min(HOLD, args.steps // worlds))
    commands, spent = max(1, args.steps // (worlds * ticks)), dict[int, list[float]]()
    for _ in range(TRIES):
        for threads, batch in batches.items():
            spent.setdefault(threads, []).append(pace(batch, "gentle", commands, time.perf_counter, ticks))
    return {threads: 1.0 / float(np.median(seconds)) for threads, seconds in spent.items()}


def _note(samples: Samples, label: str, value: float) -> None:
    samples.setdefault(label, []).append(value)


def _row(label: str, values: list[float]) -> Row:
    what, _, unit = label.partition(" [")
    low, high = (None, None) if len(values) == 1 else (min(values), max(values))
    return Row(what, None, float(np.median(values)), low, high, unit.rstrip("]") or "1")


def _robots_panel(args: Args, crowds: dict[str, Floats]) -> Panel:
    marks = list[Mark]()
    for driving, costs in crowds.items():
        colour = DRIVING[driving]
        marks.append(Band(args.robots, costs.min(axis=0), costs.max(axis=0), "", colour))
        marks += [
            Line(args.robots, np.median(costs, axis=0), driving, colour),
            Dots(args.robots, np.median(costs, axis=0), "", colour),
        ]
    x, y = Axis("robots on the pitch", 0.0, 24.0), Axis("a step of 1/60 s [us]", 0.0)
    return chart(f"{CROWDED}: one core", x, y, marks)


def _worlds_panel(args: Args, rates: dict[int, dict[int, float]]) -> Panel:
    marks = list[Mark]()
    for threads, colour in zip(rates[args.worlds[0]], (BLUE, GREEN), strict=False):
        values = [found[threads] for found in rates.values()]
        marks.append(Line(args.worlds, values, f"{threads} thread{'s' * (threads > 1)}", colour))
        marks.append(Dots(args.worlds, values, "", colour))
    top = 1.15 * max(max(found.values()) for found in rates.values())
    x, y = Axis("worlds", 1.0, None, log=True), Axis("steps of 1/60 s a second", 0.0, top)
    return chart(f"{args.league}: gentle", x, y, marks)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
