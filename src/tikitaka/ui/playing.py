"""`tikitaka play`: a match in the terminal or on the page."""

import contextlib
import json as jsons
import math
import os
import signal
import sys
import time
import webbrowser
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from rich.console import Console

from tikitaka import league as leagues
from tikitaka.errors import TikitakaError
from tikitaka.loop import run
from tikitaka.loop.run import Fixture, RecordedMatch
from tikitaka.loop.warm import warm_up
from tikitaka.ui.scoreboard import Scoreboard, clock

MAX_SEED = 2**63 - 1
DEFAULT_PORT = 8080

people = Console(stderr=True, highlight=False)


def fixture(league: str, seed: int, seconds: float | None, blue: str, yellow: str) -> Fixture:
    """Return what is to be played; values that can never work are refused here."""
    if not 0 <= seed <= MAX_SEED:
        raise TikitakaError(f"--seed must be in [0, {MAX_SEED}]; got {seed}")
    if seconds is not None and not (0.0 < seconds <= 36000.0):
        raise TikitakaError(f"--seconds must be in (0, 36000] s; got {seconds}")
    return Fixture(leagues.load(league), seed, seconds, blue, yellow)


def headless(what: Fixture, out: Path | None, json: bool) -> int:
    """Play as fast as possible and return the exit code."""
    folder, match = run.create(out or _new_folder(what), what)
    warmup_s = _warm(what)
    with _interruptible() as interrupted, contextlib.redirect_stdout(sys.stderr):
        began = time.perf_counter()
        with Scoreboard(people, match, quiet=json) as board:
            while not match.done and not interrupted:
                board.show(match.step())
        match.close()
        wall_s = time.perf_counter() - began
    return _finish(folder, match, wall_s, warmup_s, json)


def on_page(
    what: Fixture, out: Path | None, json: bool, speed: float, host: str, port: int | None, browser: bool
) -> int:
    """Play on the live page until Ctrl-C and return the exit code."""
    from tikitaka.ui.server import serve  # noqa: PLC0415  the server is not needed in the terminal

    if math.isnan(speed) or speed <= 0.0:
        raise TikitakaError(f"--speed must be above 0; got {speed}")
    folder, match = run.create(out or _new_folder(what), what)
    warmup_s = _warm(what)
    began, ended = time.perf_counter(), 0.0

    def ready(url: str) -> None:
        people.print(f"the match is on:  [bold]{url}[/]   (Ctrl-C ends it; run folder {folder})", soft_wrap=True)
        if browser and _has_desktop():
            webbrowser.open(url)

    def full_time() -> None:
        nonlocal ended
        match.close()
        ended = time.perf_counter()
        people.print("full time; the page stays until Ctrl-C")

    with contextlib.redirect_stdout(sys.stderr):
        try:
            serve(
                match,
                host=host,
                port=DEFAULT_PORT if port is None else port,
                strict_port=port is not None,
                speed=speed,
                on_ready=ready,
                on_full_time=full_time,
            )
        finally:
            if not ended:
                match.close()
    return _finish(folder, match, (ended or time.perf_counter()) - began, warmup_s, json)


def _finish(folder: Path, match: RecordedMatch, wall_s: float, warmup_s: float, json: bool) -> int:
    result = run.summary(match, wall_s, warmup_s)
    for text in match.fault_messages:
        people.print(f"fault: {text}", style="red", markup=False, soft_wrap=True)
    if match.log_error:
        people.print(match.log_error, style="red", markup=False, soft_wrap=True)
    else:
        run.save_summary(folder, result)
    sys.stdout.write((jsons.dumps(result) if json else _line(match, result)) + "\n")
    return 1 if match.log_error else 0


def _line(match: RecordedMatch, result: dict[str, Any]) -> str:
    blue, yellow = match.names
    end = "full time" if match.done else "stopped"
    pace = f"{result['realtime']:.0f}x real time" if result["realtime"] else "-"
    return (
        f"{end} {clock(result['seconds'])}  {blue} {match.score[0]} : {match.score[1]} {yellow}"
        f"  collisions {result['collisions']}  swaps {result['swaps']}  faults {result['faults']}  {pace}  {match.log.parent}"
    )


def _warm(what: Fixture) -> float:
    return warm_up(what.league, lambda: people.print("compiling kernels, the first time only (about 20 s) ..."))


def _new_folder(what: Fixture) -> Path:
    """Return a new folder under runs/, named by the time of day; only its name knows that time."""
    stamp = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    return Path("runs") / f"{stamp}-{what.league.name}-seed{what.seed}"


@contextlib.contextmanager
def _interruptible() -> Iterator[list[int]]:
    """Yield a list that is empty until Ctrl-C or a request to end; a second Ctrl-C ends at once."""
    caught: list[int] = []

    def note(number: int, _frame: object) -> None:
        if caught:
            raise KeyboardInterrupt
        caught.append(number)

    before = {s: signal.signal(s, note) for s in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield caught
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _has_desktop() -> bool:
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
