"""Other simulators, run in environments of their own under runs/peers, made on demand; absent ones say why."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[3] / "bench" / "peers"  # in a checkout only
FOLDER = Path("runs/peers")
RSIM = ("rc-robosim==1.2", "numpy<2")


def rsim(driving: str, seconds: float, seed: int) -> float | str:
    """Return how many simulated seconds rSim makes in a second of one core, or why it cannot be run."""
    script, python = SCRIPTS / "rsim.py", FOLDER / "rsim" / "bin" / "python"
    if not script.exists():
        return "bench/peers is only in a checkout"
    if not _imports(python, "robosim"):
        failed = _make(python.parents[1], "3.10", RSIM)
        if failed:
            return failed
    done = _run([str(python), str(script), driving, str(seconds), str(seed)])
    return float(json.loads(done.stdout)["factor"]) if done.returncode == 0 else _last(done.stderr)


def _make(folder: Path, version: str, packages: tuple[str, ...]) -> str | None:
    """Make an environment; return why that failed."""
    uv, base = _uv(), _python(version)
    if uv is None:
        return "no uv here"
    if base is None:
        return f"no Python {version} here"
    environment = [uv, "venv", "--quiet", "--no-project", "--clear", "--python", base, str(folder)]
    install = [uv, "pip", "install", "--quiet", "--python", str(folder / "bin" / "python"), *packages]
    for words in (environment, install):
        done = _run(words)
        if done.returncode != 0:
            return _last(done.stderr)
    return None


def _uv() -> str | None:
    beside = Path(sys.executable).parent / "uv"
    return str(beside) if beside.exists() else shutil.which("uv")


def _python(version: str) -> str | None:
    """Return an interpreter that runs: on the path, or one of pyenv's or uv's."""
    home, name = Path.home(), f"python{version}"
    kept = [*home.glob(f".pyenv/versions/{version}.*/bin/{name}"), *home.glob(f".local/share/uv/python/*/bin/{name}")]
    found = [path for path in (shutil.which(name), *map(str, kept)) if path]
    return next((path for path in found if _run([path, "-c", ""]).returncode == 0), None)


def _imports(python: Path, module: str) -> bool:
    return python.exists() and _run([str(python), "-c", f"import {module}"]).returncode == 0


def _run(words: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603


def _last(text: str) -> str:
    return (text.strip().splitlines() or ["it failed without a word"])[-1]
