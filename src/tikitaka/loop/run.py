"""The run folder: what was played, with what, how it went, and the log from which it can be played again.

league.toml    the resolved league
match.json     seed, seconds, teams
versions.json  what computed it
blue/ yellow/  a copy of a user's team file
log.mcap       the whole match
summary.json   score and counts; missing while the match is under way
"""

import hashlib
import importlib.metadata
import json
import platform
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tikitaka import __version__
from tikitaka import league as leagues
from tikitaka.decide import parse
from tikitaka.errors import RunError
from tikitaka.loop.build import Setup, build
from tikitaka.loop.match import Match
from tikitaka.loop.record import Recorder
from tikitaka.types import Event

PACKAGES = ("numpy", "numba", "llvmlite", "mcap", "protobuf", "pydantic", "zstandard")


@dataclass(frozen=True, slots=True)
class Fixture:
    """What is to be played."""

    league: leagues.League
    seed: int
    seconds: float | None  # None: the league's length
    blue: str
    yellow: str
    truth: tuple[bool, bool] = (False, False)  # who is told the truth

    def setup(self) -> Setup:
        """Return the match that this describes."""
        return build(self.league, self.seed, self.seconds, self.blue, self.yellow, self.truth)


class RecordedMatch(Match):
    """A match that writes itself down; when the disk fails it plays on and keeps the reason."""

    def __init__(self, setup: Setup, log: Path) -> None:
        super().__init__(setup)
        self.log = log
        self.log_error = ""
        self.on_trouble: Callable[[str], None] = lambda _: None  # told once of each fault, and when the log fails
        self._told = 0
        self._closed = False
        self._known: set[str] = set()
        self._recorder = Recorder(log, self)

    def step(self) -> tuple[Event, ...]:
        """Play and record one tick."""
        if self.done:
            return ()
        events, record = super().step(), self.record
        assert record is not None  # noqa: S101  it has just been played
        faulty = sum(record.faults) > self._told
        if not self.log_error and not self._closed:
            try:
                self._recorder.write(record, self.fault_messages if faulty else [])
            except RunError as error:
                self._give_up(error)
        if faulty:
            self._tell_faults()
        return events

    def close(self) -> None:
        """Finish the log; the match may end here. A second call does nothing."""
        if not self.log_error and not self._closed:
            self._closed = True
            try:
                self._recorder.close()
            except RunError as error:
                self._give_up(error)

    def _give_up(self, error: RunError) -> None:
        """Play on without a log."""
        self.log_error = str(error)
        self._recorder.abandon()
        self.on_trouble(self.log_error)

    def _tell_faults(self) -> None:
        for text in self.fault_messages:
            if text not in self._known:
                self.on_trouble(f"fault: {text}")
                self._known.add(text)
        self._told = sum(self.faults)


def create(folder: Path, fixture: Fixture) -> tuple[Path, RecordedMatch]:
    """Return the run folder and its match; a folder that already holds a run is left alone and a number added."""
    folder = _free(folder)
    setup = fixture.setup()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        teams = {"blue": _keep(folder, "blue", fixture.blue), "yellow": _keep(folder, "yellow", fixture.yellow)}
        (folder / "league.toml").write_text(leagues.dump(fixture.league), encoding="utf-8")
        match = {"seed": fixture.seed, "seconds": setup.seconds, **teams, "truth": list(fixture.truth)}
        _write_json(folder / "match.json", match)
        _write_json(folder / "versions.json", versions())
    except OSError as error:
        why = "it is a file" if folder.is_file() else error.strerror or str(error)
        raise RunError(f"cannot write the run folder {folder}: {why}; choose another one with --out") from None
    return folder, RecordedMatch(setup, folder / "log.mcap")


def load(folder: Path) -> Fixture:
    """Return what was played in a run folder."""
    try:
        match = json.loads((folder / "match.json").read_text())
        seed, seconds = int(match["seed"]), float(match["seconds"])
        blue, yellow = (_kept(folder, colour, match[colour]) for colour in ("blue", "yellow"))
        told_blue, told_yellow = (told is True for told in match.get("truth", (False, False)))
        return Fixture(leagues.load(folder / "league.toml"), seed, seconds, blue, yellow, (told_blue, told_yellow))
    except OSError as error:
        raise RunError(f"{folder} is not a run folder: {error.strerror}: {error.filename}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise RunError(f"{folder / 'match.json'} is broken: {type(error).__name__} {error}") from None


def summary(match: RecordedMatch, wall_s: float, warmup_s: float) -> dict[str, Any]:
    """Return the result of a match, as `play --json` prints it."""
    ticks = match.moment.state.tick
    seconds = ticks / match.rate
    return {
        "league": match.league.name,
        "realism": match.league.realism,
        "seed": match.seed,
        "teams": list(match.names),
        "score": list(match.score),
        "seconds": seconds,
        "ticks": ticks,
        "wall_s": wall_s,
        "realtime": seconds / wall_s if wall_s > 0.0 else None,
        "warmup_s": warmup_s,
        "full_time": match.done,
        "log": str(match.log),
        "log_sha256": None if match.log_error else sha256(match.log),
        "log_error": match.log_error or None,
        "faults": sum(match.faults),
        "fault_messages": match.fault_messages,
        "collisions": match.moment.tally.collisions,
        "swaps": match.moment.tally.swaps,
        "stopped": match.moment.tally.stopped,
        "mended": match.moment.state.mended,
        "radio_lost": match.moment.radio.lost,
        "radio_silent": match.moment.radio.silent,
    }


def save_summary(folder: Path, result: dict[str, Any]) -> None:
    """Write the result into the run folder."""
    try:
        _write_json(folder / "summary.json", result)
    except OSError as error:
        raise RunError(f"cannot write {folder / 'summary.json'}: {error.strerror}") from None


def versions() -> dict[str, str]:
    """Return what computes here: tikitaka, Python, packages and machine."""
    found = {name: importlib.metadata.version(name) for name in PACKAGES}
    machine = f"{platform.system()} {platform.machine()}"
    return {"tikitaka": __version__, "python": platform.python_version(), "machine": machine, **found}


def sha256(path: Path) -> str | None:
    """Return the hash of a file, None when it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def _free(folder: Path) -> Path:
    """Return the folder, or the next one with a number, that holds no run yet."""
    candidate, number = folder, 1
    while (candidate / "log.mcap").exists() or (candidate / "match.json").exists():
        number += 1
        candidate = folder.with_name(f"{folder.name}-{number}")
    return candidate


def _keep(folder: Path, colour: str, team: str) -> str:
    """Return a team as it was named, or with the copy of its file in the run folder."""
    spec = parse(team)
    if not spec.is_file:
        return team
    (folder / colour).mkdir()
    shutil.copyfile(spec.name, folder / colour / Path(spec.name).name)
    return str(replace(spec, name=f"{colour}/{Path(spec.name).name}"))


def _kept(folder: Path, colour: str, team: object) -> str:
    spec = parse(team) if isinstance(team, str) else None
    if spec is None or (spec.is_file and spec.name != f"{colour}/{Path(spec.name).name}"):
        raise RunError(f"{folder / 'match.json'}: {colour} must be a name or a file in {colour}/; got {team!r}")
    return str(replace(spec, name=str(folder / spec.name))) if spec.is_file else str(spec)


def _write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
