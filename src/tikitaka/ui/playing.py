"""`tikitaka play`: a match in the terminal or on the page."""

import contextlib
import gc
import json as jsons
import os
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from tikitaka import league as leagues
from tikitaka.errors import TikitakaError
from tikitaka.loop import run
from tikitaka.loop.run import Fixture, RecordedMatch
from tikitaka.ui.scoreboard import Scoreboard, clock, people
from tikitaka.ui.warming import warm

DEFAULT_PORT = 8080
RUNS = Path("runs")  # where new run folders go
_CALLED = {"stopped": "commands stopped", "mended": "commands mended"}  # as people read it
INTERRUPTED = 130  # exit code after Ctrl-C, as shells have it


def fixture(
    league: str, seed: int, seconds: float | None, blue: str, yellow: str, realism: str | None, truth: bool = False
) -> Fixture:
    """Return what is to be played; ``truth``: blue is told it."""
    return Fixture(leagues.load(league, realism), seed, seconds, blue, yellow, (truth, False))


def headless(what: Fixture, out: Path | None, json: bool) -> int:
    """Play as fast as possible and return the exit code."""
    with contextlib.redirect_stdout(sys.stderr):  # a team's own prints must not spoil the result
        folder, match = _begin(what, out)
        warmup_s = warm(what.league)
        began = time.perf_counter()
        with (
            contextlib.closing(match),
            _rare_collections(),
            _interruptible() as interrupted,
            Scoreboard(people, match, quiet=json) as board,
        ):
            while not match.done and not interrupted:
                board.show(match.step())
        wall_s = time.perf_counter() - began
    return _finish(folder, match, wall_s, warmup_s, json) or (INTERRUPTED if interrupted else 0)


def on_page(
    what: Fixture, out: Path | None, json: bool, speed: float, host: str, port: int | None, browser: bool
) -> int:
    """Play on the live page until Ctrl-C and return the exit code."""
    from tikitaka.ui.server import serve  # noqa: PLC0415  the server is not needed in the terminal

    with contextlib.redirect_stdout(sys.stderr), listen(host, port, speed) as listener:
        folder, match = _begin(what, out)
        warmup_s = warm(what.league)
        began, ended = time.perf_counter(), 0.0

        def full_time() -> None:
            nonlocal ended
            match.close()
            ended = time.perf_counter()
            if not json:
                line = _line(match, run.summary(match, ended - began, warmup_s))
                again = f"the page stays until Ctrl-C; to see it again: tikitaka replay {folder}"
                people.print(f"{line}\n{again}", markup=False, soft_wrap=True)

        with contextlib.closing(match), _rare_collections():
            tell = announce(browser)
            serve(match, listener, host=host, speed=speed, stay=not json, on_ready=tell, on_full_time=full_time)
    wall_s = (ended or time.perf_counter()) - began
    return _finish(folder, match, wall_s, warmup_s, json, told=bool(ended) and not json)


def check_speed(speed: float) -> None:
    """Raise for a speed at which nothing can be played."""
    if not speed > 0.0:
        raise TikitakaError(f"--speed must be above 0 (1: real time, inf: as fast as possible); got {speed:g}")


def listen(host: str, port: int | None, speed: float) -> socket.socket:
    """Return the socket of the page; what can never work is refused before anything begins."""
    from tikitaka.ui.server import bind  # noqa: PLC0415

    check_speed(speed)
    return bind(host, DEFAULT_PORT if port is None else port, strict=port is not None)


def announce(browser: bool, what: str = "match") -> Callable[[str], None]:
    """Return what tells people the page's address, and opens it where there is a desktop."""

    def ready(url: str) -> None:
        people.print(f"the {what} is on:  [bold]{url}[/]   (Ctrl-C ends it)", soft_wrap=True)
        if browser and _has_desktop():
            threading.Thread(target=webbrowser.open, args=(url,), daemon=True).start()

    return ready


def _begin(what: Fixture, out: Path | None) -> tuple[Path, RecordedMatch]:
    folder, match = run.create(out or _new_folder(what), what)
    if out is not None and folder != out:
        people.print(f"{out} holds a run already: this one goes to {folder}", markup=False, soft_wrap=True)
    match.on_trouble = lambda text: people.print(text, style="red", markup=False, soft_wrap=True)
    return folder, match


def _finish(folder: Path, match: RecordedMatch, wall_s: float, warmup_s: float, json: bool, told: bool = False) -> int:
    result = run.summary(match, wall_s, warmup_s)
    if not told:
        sys.stdout.write((jsons.dumps(result) if json else _line(match, result)) + "\n")
    if match.log_error:
        return 1
    run.save_summary(folder, result)
    return 0


def _line(match: RecordedMatch, result: dict[str, Any]) -> str:
    blue, yellow = match.names
    end = "full time" if match.done else "stopped"
    pace = f"{result['realtime']:.0f}x real time" if result["realtime"] else "-"
    named = ("collisions", "swaps", *(name for name in ("stopped", "mended") if result[name]))
    counts = "  ".join(f"{_CALLED.get(name, name)} {result[name]}" for name in named)
    counts += "  faults " + ("blue {}, yellow {}".format(*match.faults) if result["faults"] else "0")
    score = f"{blue} {match.score[0]} : {match.score[1]} {yellow}"
    return f"{end} {clock(result['seconds'])}  {score}  {counts}  {pace}  {match.log.parent}"


def _new_folder(what: Fixture) -> Path:
    """Return a new folder under runs/, named by the time of day; only its name knows that time."""
    stamp = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    return RUNS / f"{stamp}-{what.league.name}-seed{what.seed}"


@contextlib.contextmanager
def _rare_collections() -> Iterator[None]:
    """Let Python look for garbage in cycles seldom: a tick makes none, and a team's own code few."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


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
