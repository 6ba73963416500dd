"""The set-up heals, is done once, and lets nothing of another environment in. No network: uv is a stand-in."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

UV = """#!/bin/sh
test -e .venv/bin/uv || cp "$(dirname "$0")/uv" .venv/bin/uv
test "$1" = --version && exit
test -z "$VIRTUAL_ENV$PYTHONPATH$PYTHONHOME$PIP_TARGET" || exit 7
! test -e broken || { echo 'the network is away'; exit 1; }
echo "$@" >>asked
"""

OLD_PYTHON = f"""#!/bin/sh
exec '{sys.executable}' -c 'import sys; sys.version_info = (3, 10, 9); exec(sys.argv[2])' "$@"
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "a clone"
    folder.mkdir()
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(ROOT / name, folder)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "uv").write_text(UV)
    (tmp_path / "bin" / "uv").chmod(0o755)
    return folder


def make(clone: Path, *words: str, ok: bool = True, leaks: tuple[str, ...] = ()) -> tuple[str, str]:
    """Return what make said, and what it asked of uv."""
    (clone / "asked").write_text("")
    path = f"{clone.parent / 'bin'}:{os.environ['PATH']}"
    env = {"PATH": path, "HOME": str(clone.parent), **dict.fromkeys(leaks, "/nowhere")}
    done = subprocess.run(["make", *words], cwd=clone, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == ok, done.stdout + done.stderr
    return done.stdout + done.stderr, (clone / "asked").read_text()


def change(clone: Path, name: str) -> None:
    """Let one file alone be newer than all stamps."""
    for path in (*clone.iterdir(), *(clone / ".venv").iterdir()):
        os.utime(path, (1e9, 1e9))
    (clone / name).touch()


def test_the_second_set_up_does_and_says_nothing(clone: Path) -> None:
    said, asked = make(clone, "setup")
    assert [line.split("  ")[1] for line in said.splitlines()][1:] == [
        "uv, which installs the rest",
        "packages to play",
        "tikitaka itself",
    ]
    assert asked.count("--require-hashes") == 2
    assert make(clone, "setup") == ("", "")


def test_everything_but_the_package_itself_is_installed_by_hash(clone: Path) -> None:
    _, asked = make(clone, "setup-dev")
    unhashed = [line for line in asked.splitlines() if "--require-hashes" not in line]
    assert [line.partition("--no-build-isolation ")[2] for line in unhashed] == ["--no-deps --editable ."]
    uv_alone = (clone / ".venv" / "uv.txt").read_text()
    assert uv_alone.startswith("uv==")
    assert uv_alone.count("==") == 1
    assert uv_alone.splitlines()[-1] in (clone / "requirements.lock").read_text()


@pytest.mark.parametrize("changed", ["requirements.lock", "pyproject.toml"])
def test_a_changed_lock_or_project_is_installed_without_a_new_venv(clone: Path, changed: str) -> None:
    make(clone, "setup")
    change(clone, changed)
    said, asked = make(clone, "setup")
    assert "new .venv" not in said
    assert "-r requirements.lock" in asked


def test_a_venv_cut_short_is_made_anew(clone: Path) -> None:
    (clone / ".venv" / "bin").mkdir(parents=True)
    (clone / ".venv" / "bin" / "python").write_text("half a file")
    (clone / ".venv" / ".run").touch()
    said, _ = make(clone, "setup")
    assert "new .venv" in said
    assert make(clone, "setup") == ("", "")


def test_a_filling_cut_short_makes_the_venv_anew_unless_it_still_goes_on(clone: Path) -> None:
    make(clone, "setup")
    (clone / ".venv" / ".filling").write_text(str(os.getpid()))
    assert make(clone, "setup") == ("", "")
    ended = subprocess.Popen(["true"])
    ended.wait()
    (clone / ".venv" / ".filling").write_text(str(ended.pid))
    assert "new .venv" in make(clone, "setup")[0]
    assert not (clone / ".venv" / ".filling").exists()


def test_a_venv_whose_python_is_gone_is_made_anew(clone: Path) -> None:
    make(clone, "setup")
    (clone / ".venv" / "bin" / "python").unlink()
    assert "new .venv" in make(clone, "setup")[0]


def test_a_moved_clone_makes_its_venv_anew(clone: Path) -> None:
    make(clone, "setup")
    moved = clone.rename(clone.parent / "moved")
    assert "new .venv" in make(moved, "setup")[0]


def test_a_failed_step_shows_its_output_and_what_to_do_and_is_tried_again(clone: Path) -> None:
    make(clone, "setup")
    change(clone, "requirements.lock")
    (clone / "broken").touch()
    said, _ = make(clone, "setup", ok=False)
    assert "FAILED\nthe network is away\nmake: if the network or a proxy is in the way" in said
    (clone / "broken").unlink()
    assert "packages to play" in make(clone, "setup")[0]


def test_another_active_environment_does_not_leak_in(clone: Path) -> None:
    leaks = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "PIP_TARGET")
    make(clone, "setup", leaks=leaks)
    assert make(clone, "setup", leaks=leaks) == ("", "")


def test_a_python_that_is_too_old_is_named_as_the_cause(clone: Path) -> None:
    for name in ("python3", *(f"python3.{minor}" for minor in range(11, 15))):
        (clone.parent / "bin" / name).write_text(OLD_PYTHON)
        (clone.parent / "bin" / name).chmod(0o755)
    assert "needs Python 3.11 or newer" in make(clone, "setup", ok=False)[0]


def test_plain_make_prints_the_targets_and_touches_nothing(clone: Path) -> None:
    before = sorted(clone.iterdir())
    assert "make play" in make(clone)[0]
    assert sorted(clone.iterdir()) == sorted([*before, clone / "asked"])
