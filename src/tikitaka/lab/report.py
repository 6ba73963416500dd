"""What every experiment and benchmark reports: one object, the same for people and machines."""

import json as jsons
import platform
import subprocess
import sys
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from tikitaka.errors import RunError

NO_PAPER = "no printed value"
PICTURES = Path("runs/pictures")  # where they go when no folder is given


@dataclass(frozen=True, slots=True)
class Row:
    """One number of an experiment: ours with its interval, the paper's beside it where one is printed."""

    label: str
    paper: float | None
    ours: float
    low: float | None  # None: one seed has no spread
    high: float | None
    unit: str
    verdict: str = NO_PAPER


@dataclass(frozen=True, slots=True)
class Found:
    """What an experiment gives: its rows, and pictures (SVG) by the name of their file."""

    rows: list[Row]
    pictures: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Report:
    """The rows of one command, with where and when they were made."""

    name: str
    seconds: float
    rows: list[dict[str, Any]]
    notes: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """Return the object that --json prints."""
        head = {"name": self.name, "commit": commit(), "machine": machine(), "seconds": self.seconds}
        return {**head, **self.notes, "rows": self.rows}


def compared(label: str, paper: float | None, ours: float, unit: str) -> Row:
    """Return the row of one number without spread; its verdict says how far off the paper's it is."""
    verdict = NO_PAPER if paper is None else f"{100.0 * (ours / paper - 1.0):+.1f} %"
    return Row(label, paper, ours, None, None, unit, verdict)


def publish(report: Report, out: Path | None, json: bool) -> None:
    """Print the report as JSON where asked for, and keep it as a file where a folder is given."""
    result = report.as_dict()
    if out is not None:
        sys.stderr.write(f"kept in {_keep(result, out)}\n")
    if json:
        sys.stdout.write(jsons.dumps(result) + "\n")


def keep_pictures(pictures: dict[str, str], out: Path | None) -> list[str]:
    """Write pictures into a folder, say where, and return their paths."""
    folder = PICTURES if out is None else out
    paths = [folder / name for name in pictures]
    for path, svg in zip(paths, pictures.values(), strict=True):
        _write(path, svg)
        sys.stderr.write(f"drawn: {path}\n")
    return [str(path) for path in paths]


def rows_of(rows: list[Row]) -> list[dict[str, Any]]:
    """Return rows as plain values."""
    return [asdict(row) for row in rows]


def commit() -> str | None:
    """Return the commit of the checkout that this runs from, None where it is no checkout; + where files differ."""
    here = Path(__file__).resolve().parent
    ours = _git(here, "ls-files", "--error-unmatch", Path(__file__).name)
    head = _git(here, "rev-parse", "--short=12", "HEAD") if ours else ""
    return head + "+" * bool(_git(here, "status", "--porcelain", "--untracked-files=no")) if head else None


def machine() -> str:
    """Return processor, number of cores, system and Python in one line."""
    return f"{_processor()}, {platform.system()} {platform.machine()}, Python {platform.python_version()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(names)} x {names[0]}" if names else "unknown processor"


def _git(where: Path, *words: str) -> str:
    try:
        done = subprocess.run(["git", "-C", str(where), *words], capture_output=True, text=True, timeout=10, check=True)  # noqa: S603, S607
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.strip()


def _keep(result: dict[str, Any], out: Path) -> Path:
    day = datetime.now().astimezone().strftime("%Y-%m-%d")
    path = out / f"{result['name']}-{day}-{result['commit'] or 'unknown'}.json"
    _write(path, jsons.dumps(result, indent=2) + "\n")
    return path


def _write(path: Path, words: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(words)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}; choose another folder with --out") from None
