"""Compiling the kernels before a match, so that the first tick is as quick as the others.

The first time that takes a while, so a second process compiles pitch, planner and what drives while this one compiles
the rest of what a team thinks with, which takes about as long; both leave their work in the cache.
"""

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tikitaka import league as leagues
from tikitaka import plan, referee, sim
from tikitaka.geom.jit import cache_dir
from tikitaka.league import League
from tikitaka.loop import statistics
from tikitaka.loop.build import Setup, build, plan_params
from tikitaka.loop.match import Match, begin
from tikitaka.loop.tick import tick
from tikitaka.loop.truth import known
from tikitaka.types import BLUE, OURS, THEIRS, UNLABELLED, YELLOW, Commands, Detections, Intents, Plans, World

Tell = Callable[[int, str], None]  # how many kernels have been compiled, and of which stages the last ones are

PACKAGE = Path(__file__).resolve().parent.parent
COMPILING = "compiling kernels, the first time only: one to two minutes ..."
KERNELS = 650  # about so many are compiled for a first match
EVERY = 0.25  # [s] between two looks at what has been compiled
TICKS = 4  # enough for a picture to arrive and a command to be followed
AWHILE = 40.0  # [s] chosen: where any kernel was new, play goes on, for there are some that are seldom called
PITCH = "from tikitaka.loop.warm import warm_pitch; warm_pitch()"
ESTIMATOR = "from tikitaka.loop.warm import warm_estimator; warm_estimator()"


def warm_up(league: League, tell: Tell = lambda _compiled, _stage: None, *, counts: bool = False) -> float:
    """Return the seconds that compiling or loading all kernels took; ``tell`` hears of it only where any is compiled.

    ``counts``: what `tikitaka match` counts with, too.
    """
    began, before = time.perf_counter(), len(_compiled())
    with watched(tell):
        if is_cold():
            tell(0, "all stages")
            with _beside(PITCH):
                warm_team(league)
        match, counted = Match(build(league, 0, AWHILE, "tikitaka", "rookie")), statistics.start(league)
        for ticks in (TICKS + int(league.camera.latency * league.camera.rate), AWHILE * match.rate):
            while match.moment.state.tick < ticks and not match.done:
                events = match.step()
                if counts:
                    statistics.follow(counted, match.moment.state, events)
            if len(_compiled()) == before:
                break
    with contextlib.suppress(OSError):
        _stamp().touch()
    return time.perf_counter() - began


def warm_pitch() -> None:
    """Compile what moves the pitch and looks at it, plans and drives, and the other team's wits; for every league."""
    setup = build(leagues.load(), 0, None, "tikitaka", "rookie")
    n, wheels, state = setup.pitch.robots, setup.league.robot.wheels, begin(setup)[0].state
    sim.expose(setup.camera, sim.step(setup.pitch, state, Commands.stop(n, wheels)), state)
    plan.warm(plan_params(setup.league))
    side, stop = setup.sides[BLUE], Commands.stop(n // 2, wheels)
    _, world = known(setup.league.field.geometry(), state, BLUE, side.start().tracks, _kick_off(setup), stop)
    side.stack.control(world, _straight(setup)(None, world, Intents.blank(n // 2))[1])
    other = setup.sides[YELLOW]
    other.stack.decide(other.start().roles, world)
    sim.radio.step(setup.radio, sim.radio.start(setup.radio, n, wheels), 0, Commands.stop(n, wheels))


def warm_team(league: League) -> None:
    """Compile what one team thinks with, and nothing of the pitch, of its planner or of what drives."""
    setup = build(league, 0, None, "tikitaka", "rookie")
    side, stop = setup.sides[BLUE], Commands.stop(league.team.robots, league.robot.wheels)
    tick(replace(side.stack, plan=_straight(setup), control=lambda *_: stop), side.start(), _kick_off(setup))


def warm_estimator() -> None:
    """Compile what one team believes by; for every league."""
    setup = build(leagues.load(), 0, None, "tikitaka", "rookie")
    side, stop = setup.sides[BLUE], Commands.stop(setup.league.team.robots, setup.league.robot.wheels)
    side.stack.estimate(side.start().tracks, _kick_off(setup), stop)


@contextlib.contextmanager
def estimator_beside() -> Iterator[None]:
    """Compile the estimator in another process meanwhile, where nothing of it has been compiled yet."""
    known = any(cache_dir("estimate").rglob("*.nbc"))
    with contextlib.nullcontext() if known else _beside(ESTIMATOR):
        yield


def _kick_off(setup: Setup) -> Detections:
    """Return what a camera sees before the first whistle."""
    whistle, _, placed = referee.begin(setup.rules)
    n = setup.league.team.robots
    rows = (np.zeros(2 * n), placed[:-1].copy(), np.repeat((OURS, THEIRS), n), np.full(2 * n, UNLABELLED))
    return Detections(
        0.0, np.zeros(1), placed[-1:, :2].copy(), *rows, referee.game(setup.rules, whistle, 0, BLUE), placed
    )


def _straight(setup: Setup) -> Callable[[Any, World, Intents], tuple[Any, Plans]]:
    """Return a planner that compiles next to nothing."""
    return partial(plan.step, replace(plan_params(setup.league), planner=plan.Planner.STRAIGHT))


def is_cold() -> bool:
    """Say whether not everything has been compiled yet from these sources."""
    return not _stamp().exists()


@contextlib.contextmanager
def watched(tell: Tell) -> Iterator[None]:
    """Tell now and then how many kernels were compiled since the beginning, by whatever process."""
    known, ended = _compiled(), threading.Event()
    before = len(known)

    def watch() -> None:
        nonlocal known
        while not ended.wait(EVERY):
            now = _compiled()
            if stages := {path.parent.parent.name.rpartition("-")[0] for path in now - known}:
                tell(len(now) - before, ", ".join(sorted(stages)))
            known = now

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _compiled() -> set[Path]:
    """Return the files of all kernels that have been compiled from these sources."""
    stages = {path.relative_to(PACKAGE).parts[0] for path in PACKAGE.glob("*/kernels*")} | {"geom"}
    return {path for stage in stages for path in cache_dir(stage).rglob("*.nbc")}


@contextlib.contextmanager
def _beside(program: str) -> Iterator[None]:
    """Run a program in another process meanwhile, where there is a processor for it; what fails there is done here."""
    if (os.cpu_count() or 1) < 2:
        yield
        return
    quiet = subprocess.DEVNULL
    with subprocess.Popen([sys.executable, "-c", program], stdout=quiet, stderr=quiet) as other:  # noqa: S603
        try:
            yield
        except BaseException:
            other.kill()
            raise


def _stamp() -> Path:
    return cache_dir() / "warm"
