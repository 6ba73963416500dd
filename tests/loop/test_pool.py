"""Work that is shared among processes: in its order, and nobody works on when nobody waits."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tikitaka.loop import pool

BUSY = """
import os, sys, time
from tikitaka.loop.pool import each
if __name__ == "__main__":
    from pool_work import report_and_wait
    each(report_and_wait, [sys.argv[1]] * 2, lambda done: None)
"""


def test_pieces_come_back_in_their_order() -> None:
    told = list[int]()
    assert pool.each(abs, [-3, -1, -2, 4], told.append) == [3, 1, 2, 4]
    assert told == [1, 2, 3, 4]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked at in /proc")
@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one core: there are no workers")
def test_workers_leave_when_the_process_that_shares_out_the_work_is_killed(tmp_path: Path) -> None:
    script = tmp_path / "busy.py"
    script.write_text(BUSY)
    path = os.pathsep.join((str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")))
    boss = subprocess.Popen([sys.executable, str(script), str(tmp_path)], env={**os.environ, "PYTHONPATH": path})
    workers = waited_for(lambda: [int(p.name) for p in tmp_path.iterdir() if p.name.isdigit()], 2)
    boss.send_signal(signal.SIGKILL)
    boss.wait()
    assert len(workers) == 2
    assert waited_for(lambda: [pid for pid in workers if not lives(pid)], 2) == workers


def waited_for(look: Callable[[], list[int]], many: int, seconds: float = 30.0) -> list[int]:
    """Return what is seen when so many are, or at the end of the time."""
    for _ in range(round(seconds / 0.1)):
        if len(found := sorted(look())) >= many:
            return found
        time.sleep(0.1)
    return sorted(look())


def lives(pid: int) -> bool:
    """Say whether a process runs; one that has ended may still wait to be asked how."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
