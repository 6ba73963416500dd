"""The same work for many seeds, on all cores."""

import os
import signal
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context, parent_process
from typing import TypeVar

_T = TypeVar("_T")
_W = TypeVar("_W")


def each(work: Callable[[_W], _T], pieces: Sequence[_W], progress: Callable[[int], None]) -> list[_T]:
    """Return what ``work`` makes of every piece, in their order; it must be a module's function."""
    if len(pieces) < 2 or (os.cpu_count() or 1) == 1:
        found = list[_T]()
        for k, piece in enumerate(pieces):
            found.append(work(piece))
            progress(k + 1)
        return found
    workers, context = min(len(pieces), os.cpu_count() or 1), get_context("forkserver")
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_serve) as pool:
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


def _serve() -> None:
    """Leave Ctrl-C to the process that shares out the work, as a worker that compiles would print a traceback."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End this process when the one that shares out the work is gone: killed, it cannot say so."""
    if (boss := parent_process()) is not None:
        boss.join()
        os._exit(1)
