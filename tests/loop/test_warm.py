"""What is told while kernels are compiled."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tikitaka.loop import warm


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(warm, "EVERY", 0.001)
    monkeypatch.setattr(warm, "cache_dir", lambda stage: tmp_path / f"{stage}-1234")
    for stage in ("plan", "estimate"):
        (tmp_path / f"{stage}-1234" / "kernels_5").mkdir(parents=True)
    (tmp_path / "plan-1234" / "kernels_5" / "old.nbc").touch()
    return tmp_path


def wait_until(true: Callable[[], bool]) -> None:
    end = time.perf_counter() + 30.0
    while not true():
        assert time.perf_counter() < end, "waited in vain"
        time.sleep(0.001)


def test_kernels_that_are_compiled_meanwhile_are_counted_with_their_stage(cache: Path) -> None:
    told = list[tuple[int, str]]()
    with warm.watched(lambda *word: told.append(word)):
        for done, (stage, name) in enumerate((("estimate", "a"), ("plan", "b"), ("plan", "c"))):
            (cache / f"{stage}-1234" / "kernels_5" / f"{name}.nbc").touch()
            wait_until(lambda done=done: len(told) > done)  # type: ignore[misc]
    assert told == [(1, "estimate"), (2, "plan"), (3, "plan")]


@pytest.mark.usefixtures("cache")
def test_nothing_is_told_where_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    told, looks, look = list[object](), list[int](), warm._compiled

    def counted() -> set[Path]:
        looks.append(1)
        return look()

    monkeypatch.setattr(warm, "_compiled", counted)
    with warm.watched(lambda *word: told.append(word)):
        wait_until(lambda: len(looks) > 5)
    assert told == []


def test_about_as_many_kernels_are_expected_as_the_sources_have() -> None:
    texts = [path.read_text() for path in warm.PACKAGE.glob("*/**/*.py")]
    written = sum(len(re.findall(r"^@kernel$", text, re.MULTILINE)) for text in texts)
    assert 0.6 * written < warm.KERNELS < 1.2 * written


@pytest.mark.skipif(os.cpu_count() == 1, reason="another process would only take turns with this one")
def test_the_estimator_is_compiled_beside_only_where_nothing_of_it_has_been(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(warm, "ESTIMATOR", f"import pathlib; pathlib.Path({str(cache)!r}, 'asked').touch()")
    for known, asked in ((False, True), (True, False)):
        (cache / "asked").unlink(missing_ok=True)
        if known:
            (cache / "estimate-1234" / "kernels_5" / "a.nbc").touch()
        with warm.estimator_beside():
            pass
        assert (cache / "asked").exists() == asked


def test_what_is_compiled_for_the_estimator_is_all_that_it_calls() -> None:
    program = (
        "from tikitaka.estimate.kernels import ticking\n"
        "from tikitaka.loop.warm import warm_estimator\n"
        "from tikitaka.league import load; from tikitaka.loop.build import build\n"
        "from tikitaka.loop.match import Match\n"
        "warm_estimator(); print(len(ticking.tick.signatures))\n"
        "match = Match(build(load(), 0, 1.0, 'tikitaka', 'rookie'))\n"
        "for _ in range(5): match.step()\n"
        "print(len(ticking.tick.signatures))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1", "1"]
