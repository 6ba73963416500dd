"""A limit on how long a team's code may load, and think in one tick.

A timer of the process interrupts it, so this works in the main thread of a system that has such timers (not Windows);
elsewhere nothing is limited. Code that catches even this, again and again, cannot be stopped.
"""

import contextlib
import signal
import threading
from collections.abc import Iterator

from tikitaka.errors import OutOfTimeError

LOADING_SECONDS = 20.0  # chosen: large libraries are imported then
SECONDS = 0.2  # chosen: six ticks of MiroSot; a plain team file takes 0.1 ms, one that waits for something is seen
FIRST_SECONDS = 10.0  # chosen: the first call may import and compile
AGAIN = 0.05  # [s] after which code that goes on is interrupted again


def within(first: bool) -> contextlib.AbstractContextManager[None]:
    """Return a limit on one call of decide()."""
    return _limited(FIRST_SECONDS if first else SECONDS, "decide()")


def loading() -> contextlib.AbstractContextManager[None]:
    """Return a limit on loading a team's file."""
    return _limited(LOADING_SECONDS, "loading it")


@contextlib.contextmanager
def _limited(limit: float, what: str) -> Iterator[None]:
    """Raise OutOfTimeError in the body when it takes too long."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    answered = False

    def ring(*_: object) -> None:
        if not answered:
            raise OutOfTimeError(f"{what} took longer than {limit:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, limit, AGAIN)
    try:
        try:
            yield
        finally:
            answered = True  # should it ring here, what follows still ends the timer
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
