"""`tikitaka replay`: a recorded match on the page again, or every tick of it computed again and compared."""

import contextlib
import json as jsons
import sys
from pathlib import Path

from rich.progress import Progress

from tikitaka.errors import RunError, TikitakaError
from tikitaka.loop import replay, run
from tikitaka.loop.playback import Playback
from tikitaka.ui.playing import RUNS, announce, listen
from tikitaka.ui.scoreboard import people


def check(goal: int | None, film: Path | None, json: bool, verify: bool) -> None:
    """Raise where an option is given that means something only beside another one."""
    if goal is not None and film is None:
        raise RunError(f"--goal {goal} says which goal a film shows; give --film FILE.svg, too")
    if json and not verify:
        raise RunError("--json prints the verdict of --verify; give --verify, too")


def folder_of(run: Path | None) -> Path:
    """Return the run folder that is meant; its log may be named, too."""
    if run is None:
        raise RunError(f"`tikitaka replay` needs RUN, the folder of a match; {_newest()}")
    folder = run.parent if run.suffix == ".mcap" else run
    if not (folder / "match.json").is_file():
        why = "it has no match.json" if folder.is_dir() else "there is no such folder"
        raise RunError(f"{run} is not a run folder: {why}; {_newest()}")
    return folder


def verify(folder: Path, json: bool) -> int:
    """Return 0 when every tick comes out again to the last bit, 1 when not."""
    fixture = run.load(folder)
    total = (fixture.seconds or fixture.league.match.seconds) * fixture.league.camera.rate
    with (
        Progress(console=people, transient=True, disable=json or not people.is_terminal) as bar,
        contextlib.redirect_stdout(sys.stderr),
    ):
        task = bar.add_task("verifying", total=total)
        verdict = replay.verify(folder, lambda tick: bar.update(task, completed=tick) if tick % 100 == 0 else None)
    sys.stdout.write((_json(verdict) if json else _line(verdict)) + "\n")
    return 0 if verdict.difference is None else 1


def show(folder: Path, speed: float, host: str, port: int | None, browser: bool) -> int:
    """Play a log on the page until Ctrl-C."""
    from tikitaka.ui.server import serve  # noqa: PLC0415

    match = Playback(folder)
    listener = listen(host, port, speed)
    ended = lambda: people.print("the log ends here; the page stays until Ctrl-C")  # noqa: E731
    serve(match, listener, host=host, speed=speed, on_ready=announce(browser, "replay"), on_full_time=ended)
    return 0


def film(folder: Path, file: Path, goal: int | None) -> int:
    """Write a film of a goal."""
    from tikitaka.ui.film import write  # noqa: PLC0415

    if file.suffix != ".svg":
        raise TikitakaError(f"--film must be a file that ends in .svg; got {file}")
    sys.stdout.write(write(folder, file, goal) + "\n")
    return 0


def _newest() -> str:
    """Return what can be replayed from here; folders are named by their time."""
    known = sorted(path.parent for path in RUNS.glob("*/match.json"))
    return f"the newest one here: `tikitaka replay {known[-1]}`" if known else "`tikitaka play` makes one under runs/"


def _json(verdict: replay.Verdict) -> str:
    same = verdict.difference is None
    counts = {"ticks": verdict.ticks, "messages": verdict.messages, "finished": verdict.finished}
    return jsons.dumps({**counts, "identical": same, "difference": None if same else str(verdict.difference)})


def _line(verdict: replay.Verdict) -> str:
    if verdict.difference is not None:
        return f"not the same: {verdict.difference}"
    cut = "" if verdict.finished else "; the log was cut off after them"
    return f"{verdict.ticks} ticks come out again: {verdict.messages} messages, identical to the last bit{cut}"
