"""The same work for many seeds, on all cores."""

import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context
from os import cpu_count
from typing import TypeVar

_T = TypeVar("_T")
_W = TypeVar("_W")


def each(work: Callable[[_W], _T], pieces: Sequence[_W], progress: Callable[[int], None]) -> list[_T]:
    """Return what ``work`` makes of every piece, in their order; it must be a module's function."""
    if len(pieces) < 2 or (cpu_count() or 1) == 1:
        found = list[_T]()
        for k, piece in enumerate(pieces):
            found.append(work(piece))
            progress(k + 1)
        return found
    workers = min(len(pieces), cpu_count() or 1)
    with ProcessPoolExecutor(workers, mp_context=get_context("forkserver"), initializer=_leave_ctrl_c) as pool:
        try:
            jobs = [pool.submit(work, piece) for piece in pieces]
            for k, job in enumerate(as_completed(jobs)):
                job.result()  # fails at once
                progress(k + 1)
            return [job.result() for job in jobs]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in active_children():  # or Ctrl-C would wait for the pieces that they are at
                worker.terminate()
            raise


def _leave_ctrl_c() -> None:
    """Leave Ctrl-C to the process that shares out the work: a worker that compiles would print a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
