"""What this machine has and lacks for a match: every check with its state and its fix.

``fail`` stops ``tikitaka play``; ``warn`` takes something else away (a test, a league's protocol, the GPU).
Looks only: nothing is installed, no port stays bound, no file is left behind.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from importlib import metadata
from json import dumps
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

PACKAGE = Path(__file__).resolve().parent
PAGE_PORT = 8080
LEAGUE_UDP = {
    10002: "FIRASim vision",
    10003: "referee",
    10004: "VSSS placement",
    10005: "SSL vision of 2010",
    10006: "SSL vision",
    10010: "tracked vision",
    10020: "SSL vision of simulators",
    10300: "simulation control",
    10301: "robot control blue",
    10302: "robot control yellow",
    20011: "grSim and FIRASim commands",
    30011: "grSim status blue",
    30012: "grSim status yellow",
}
LEAGUE_TCP = {
    8081: "game controller page",
    10007: "auto-referee",
    10008: "team to game controller",
    10009: "game controller CI",
    10011: "remote control",
    10013: "auto-referee CI",
}
OLDEST_PYTHON = (3, 11)
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
LEAST_FREE = 100e6  # [bytes] below it a match's log may not fit
LITTLE_FREE = 1e9  # [bytes] below it a day of matches may not fit
PATIENCE = 30  # [s] for another program to answer

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True)
class Check:
    """One thing looked at; ``fix`` is empty when there is nothing to do."""

    name: str
    state: State
    detail: str
    fix: str = ""


def examine(runs: Path, port: int) -> list[Check]:
    """Return all checks, in the order in which a person would mend them."""
    return [
        check_python(),
        check_packages(_required()),
        check_cores(),
        check_cache(),
        check_runs(runs),
        check_page_port(port),
        check_league_ports("league ports, UDP", socket.SOCK_DGRAM, LEAGUE_UDP),
        check_league_ports("league ports, TCP", socket.SOCK_STREAM, LEAGUE_TCP),
        check_browser(BROWSERS),
        check_gpu(),
    ]


def main(json: bool, runs: Path = Path("runs"), port: int = PAGE_PORT) -> int:
    """Return the exit code: 1 when something stops a match; prints a table, or one JSON object."""
    checks = examine(runs, port)
    if json:
        sys.stdout.write(dumps({"checks": [asdict(check) for check in checks]}) + "\n")
    else:
        Console().print(report(checks))
    return int(any(check.state == "fail" for check in checks))


def report(checks: Iterable[Check]) -> Table:
    """Return the checks as a table, the fix under what is wrong."""
    table = Table(box=None, show_header=False, pad_edge=False)
    colours = {"ok": "green", "warn": "yellow", "fail": "bold red"}
    for check in checks:
        fix = f"\n-> {check.fix}" if check.fix else ""
        table.add_row(Text(check.state, colours[check.state]), Text(check.name), Text(check.detail + fix))
    return table


def check_python(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> Check:
    """Return whether this Python is new enough."""
    found = ".".join(map(str, version))
    if version >= OLDEST_PYTHON:
        return Check("python", "ok", f"{found} in {sys.prefix}")
    return Check("python", "fail", found, "install Python 3.11 or newer, then: make clean setup PYTHON=python3.11")


def check_packages(required: Iterable[str]) -> Check:
    """Return whether every ``name>=version`` is installed and new enough."""
    found = [_installed(requirement) for requirement in required]
    wrong = [text for good, text in found if not good]
    if wrong:
        return Check("packages", "fail", "; ".join(wrong), "make setup")
    return Check("packages", "ok", ", ".join(text for _, text in found))


def check_cores() -> Check:
    """Return how many cores this process may use."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return Check("cores", "ok", f"{usable} of {os.cpu_count()}")


def check_cache() -> Check:
    """Return whether compiled kernels can be kept, and how many are."""
    try:
        from tikitaka.geom.jit import cache_dir  # noqa: PLC0415  (numba takes a second to import)

        folder = cache_dir()
        with tempfile.TemporaryFile(dir=folder):
            pass
        stages = {path.relative_to(PACKAGE).parts[0] for path in PACKAGE.glob("*/kernels*")} | {"geom"}
        folders = [cache_dir(stage) for stage in stages]
    except (ImportError, OSError) as error:
        return Check("kernel cache", "fail", str(error), "set XDG_CACHE_HOME to a folder that you may write to")
    sizes = {path: path.stat().st_size for stage in folders for path in stage.rglob("*.nb[ci]")}
    compiled = sum(path.name.endswith(".nbi") and ".part" not in path.name for path in sizes)
    note = "" if compiled else "; the first match compiles them"
    return Check(
        "kernel cache", "ok", f"{compiled} kernels, {sum(sizes.values()) / 1e6:.1f} MB in {folder.parent}{note}"
    )


def check_runs(runs: Path) -> Check:
    """Return whether run folders can be written, and how much room there is."""
    home = next(folder for folder in (runs.absolute(), *runs.absolute().parents) if folder.exists())
    try:
        with tempfile.TemporaryDirectory(dir=home):
            free = shutil.disk_usage(home).free
    except OSError as error:
        return Check("run folder", "fail", f"{runs}: {error.strerror}", "say --out FOLDER, one that you may write to")
    detail = f"{runs.absolute()}: {free / 1e9:.1f} GB free"
    if free < LEAST_FREE:
        return Check("run folder", "fail", detail, "remove old runs, or say --out FOLDER on another disk")
    if free < LITTLE_FREE:
        return Check("run folder", "warn", detail, "remove old runs")
    return Check("run folder", "ok", detail)


def check_page_port(port: int) -> Check:
    """Return whether the live page can be served."""
    problem = _bind_problem(socket.SOCK_STREAM, port)
    if problem:
        fix = "stop the program that uses it, or say tikitaka play --port with another number"
        return Check("page port", "warn", f"127.0.0.1:{port}: {problem}; play takes the next free one", fix)
    return Check("page port", "ok", f"127.0.0.1:{port} is free")


def check_league_ports(name: str, kind: socket.SocketKind, ports: dict[int, str]) -> Check:
    """Return which of the leagues' ports another program holds."""
    problems = {port: _bind_problem(kind, port) for port in ports}
    taken = [f"{port} ({ports[port]}): {problem}" for port, problem in problems.items() if problem]
    if taken:
        fix = "stop the other simulator, tracker or game controller if tikitaka is to take its place"
        return Check(name, "warn", "; ".join(taken), fix)
    return Check(name, "ok", f"all {len(ports)} are free")


def check_browser(names: Iterable[str]) -> Check:
    """Return which Chromium the browser test would use."""
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        return Check("chromium", "warn", "not found; the browser test is skipped", "apt-get install chromium")
    good, answer = _ask(path, "--version")
    if not good:
        return Check("chromium", "warn", f"{path} does not start: {answer}", "apt-get install --reinstall chromium")
    return Check("chromium", "ok", f"{answer} at {path}")


def check_gpu() -> Check:
    """Return which GPU is there and whether kernels can run on it."""
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return Check("gpu", "ok", "none (no nvidia-smi); everything runs on the processor")
    good, card = _ask(tool, "--query-gpu=name,driver_version", "--format=csv,noheader")
    if not good:
        return Check("gpu", "warn", f"nvidia-smi: {card}", "install the NVIDIA driver that fits the running kernel")
    good, answer = _ask(sys.executable, "-W", "ignore", "-c", "from numba import cuda; print(cuda.is_available())")
    if good and answer == "True":
        return Check("gpu", "ok", f"{card}; numba-cuda sees it")
    fix = ".venv/bin/uv pip install --python .venv/bin/python 'numba-cuda[cu13]'"
    return Check("gpu", "warn", f"{card}; but kernels cannot use it: {answer}", fix)


def _required() -> list[str]:
    """Return what the installed package asks for, extras left out."""
    try:
        stated = metadata.requires("tikitaka") or []
    except metadata.PackageNotFoundError:
        return ["tikitaka"]
    return [requirement for requirement in stated if "extra ==" not in requirement]


def _installed(requirement: str) -> tuple[bool, str]:
    name, least = re.findall(r"^([\w.-]+)(?:\[.*?\])?(?:>=([\d.]+))?", requirement)[0]
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return False, f"{name} is not installed"
    if least and _numbers(version) < _numbers(least):
        return False, f"{name} {version} is older than {least}"
    return True, f"{name} {version}"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _bind_problem(kind: socket.SocketKind, port: int) -> str:
    """Return why the port cannot be bound on this machine alone, or nothing."""
    with socket.socket(socket.AF_INET, kind) as probe:
        if kind == socket.SOCK_STREAM:  # a server that has just ended leaves the port waiting, which is no harm
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            return (error.strerror or str(error)).lower()
    return ""


def _ask(*command: str) -> tuple[bool, str]:
    """Return whether the program ended well, and its last words on one line."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired) as error:
        return False, str(error)
    lines = (done.stdout.strip() or done.stderr.strip()).splitlines()
    return done.returncode == 0, lines[-1].strip() if lines else f"exit code {done.returncode}"
