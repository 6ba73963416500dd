"""Compiling the kernels before a match, so that the first tick is as quick as the others."""

import contextlib
import time
from collections.abc import Callable
from pathlib import Path

from tikitaka.geom.jit import cache_dir
from tikitaka.league import League
from tikitaka.loop.build import build
from tikitaka.loop.match import Match

TICKS = 4  # enough for a picture to arrive and a command to be followed


def warm_up(league: League, on_cold: Callable[[], None] = lambda: None) -> float:
    """Return the seconds that compiling or loading all kernels took; ``on_cold`` is told before compiling."""
    if is_cold():
        on_cold()
    began = time.perf_counter()
    match = Match(build(league, 0, None, "rookie", "rookie"))
    for _ in range(TICKS + int(league.camera.latency * league.camera.rate)):
        match.step()
    with contextlib.suppress(OSError):
        _stamp().touch()
    return time.perf_counter() - began


def is_cold() -> bool:
    """Say whether not everything has been compiled yet from these sources."""
    return not _stamp().exists()


def _stamp() -> Path:
    return cache_dir() / "warm"
