"""Compiling the kernels before a match, so that the first tick is as quick as the others.

The first time that takes a while, so a second process compiles the pitch while this one compiles what a team thinks
with, which takes about as long; both leave their work in the cache.
"""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tikitaka import league as leagues
from tikitaka import sim
from tikitaka.geom.jit import cache_dir
from tikitaka.league import League
from tikitaka.loop.build import build
from tikitaka.loop.match import Match, begin, think
from tikitaka.types import BLUE, Commands

TICKS = 4  # enough for a picture to arrive and a command to be followed
PITCH = "from tikitaka.loop.warm import warm_pitch; warm_pitch()"


def warm_up(league: League, on_cold: Callable[[], None] = lambda: None) -> float:
    """Return the seconds that compiling or loading all kernels took; ``on_cold`` is told before compiling."""
    began = time.perf_counter()
    if is_cold():
        on_cold()
        with _beside(PITCH):
            warm_team(league)
    match = Match(build(league, 0, None, "rookie", "rookie"))
    for _ in range(TICKS + int(league.camera.latency * league.camera.rate)):
        match.step()
    with contextlib.suppress(OSError):
        _stamp().touch()
    return time.perf_counter() - began


def warm_pitch() -> None:
    """Compile what moves the pitch; its kernels are the same for every league."""
    setup = build(leagues.load(), 0, None, "rookie", "rookie")
    n, wheels = setup.pitch.robots, setup.league.robot.wheels
    sim.step(setup.pitch, begin(setup)[0].state, Commands.stop(n, wheels))


def warm_team(league: League) -> None:
    """Compile what one team thinks with, camera included."""
    setup = build(league, 0, None, "rookie", "rookie")
    moment, _ = begin(setup)
    think(setup, moment, BLUE, sim.expose(setup.camera, moment.state), 0.0)


def is_cold() -> bool:
    """Say whether not everything has been compiled yet from these sources."""
    return not _stamp().exists()


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
