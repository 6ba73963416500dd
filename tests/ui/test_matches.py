"""What people are told while and after many games are played."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tikitaka.loop import games
from tikitaka.loop.games import Played
from tikitaka.ui.matches import _tell_faults, time_left

COUNTS = dict.fromkeys(("passes", "shots", "saves", "own_collisions"), (3, 1))
GAME = Played(
    seed=0, first_is_blue=True, seconds=60.0, goals=(1, 0), possession=(0.6, 0.4), **COUNTS, faults=(0, 0),
    fault_messages=(), collisions=4, swaps=0, stands=(3.0, 2.0), ball_stands=9.0, tick_us=500.0,
)  # fmt: skip
ENDS = 30.0  # [s] in which everything must be over


def test_the_time_left_comes_from_the_games_that_are_finished() -> None:
    assert time_left(0, 20, 0.0, 3.0) is None
    assert time_left(2, 20, 10.0, 10.0) == 90.0  # two at once in ten seconds: nine pairs to go
    assert time_left(2, 20, 10.0, 14.0) == 86.0
    assert time_left(19, 20, 95.0, 110.0) == 0.0


def test_a_fault_is_told_once_whatever_the_team_wore_and_the_total_once_a_team(
    capsys: pytest.CaptureFixture[str],
) -> None:
    one = replace(GAME, faults=(3, 0), fault_messages=("blue: mine.py, line 2: KeyError: 'a'",))
    two = replace(
        GAME, faults=(4, 0), fault_messages=("yellow: mine.py, line 2: KeyError: 'a'", "yellow: mine.py, odd")
    )
    _tell_faults(("mine.py", "rookie"), games.add_up([one, two]))
    told = capsys.readouterr().err.splitlines()
    assert told == [
        "fault: mine.py, line 2: KeyError: 'a'",
        "fault: mine.py, odd",
        "mine.py: its code failed at 7 ticks; its robots stood still at these",
    ]


@pytest.mark.skipif(not Path("/proc/self/stat").exists() or (os.cpu_count() or 1) < 2, reason="looks at processes")
@pytest.mark.parametrize("send", [os.kill, os.killpg])  # to the command alone, and as a terminal does to all of them
def test_ctrl_c_ends_a_series_and_all_its_workers(send: Callable[[int, int], None], tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "from pathlib import Path\n\n"
        "def decide(world, memory):\n    Path(__file__).with_name('asked').touch()\n    return {}\n"
    )
    words = ("match", "slow.py", "idle", "--league", "vsss-3v3", "--games", "4", "--seconds", "36000")
    with subprocess.Popen(
        [sys.executable, "-m", "tikitaka", *words], cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True
    ) as process:
        try:
            wait_until(lambda: (tmp_path / "asked").exists() and len(of_session(process.pid)) > 2, 10 * ENDS)
            send(process.pid, signal.SIGINT)
            _, told = process.communicate(timeout=ENDS)
            assert process.returncode == 130
            assert "Traceback" not in told.decode()
            wait_until(lambda: not of_session(process.pid), ENDS)
        finally:
            for left in of_session(process.pid):
                os.kill(left, signal.SIGKILL)


def of_session(leader: int) -> list[int]:
    """Return the processes of a session that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, _, session = path.read_text().rpartition(")")[2].split()[:4]
        except OSError:  # it has just ended
            continue
        if int(session) == leader and state != "Z":
            found.append(int(path.parent.name))
    return found


def wait_until(true: Callable[[], bool], seconds: float) -> None:
    end = time.perf_counter() + seconds
    while not true():
        assert time.perf_counter() < end, "waited in vain"
        time.sleep(0.05)
