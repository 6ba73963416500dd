"""Ctrl-C while compiled code runs Python, as LLVM does while kernels are compiled.

Python drops what is raised there and prints it; what was being compiled is then missing, and that fails in its own way.
"""

import contextlib
import sys
import threading
from _thread import interrupt_main
from collections.abc import Iterator

AGAIN = 0.05  # [s] chosen: after this long a Ctrl-C that was dropped comes again, and ends what goes on unharmed


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """Raise KeyboardInterrupt for a Ctrl-C that was dropped, whatever else went wrong because of it."""
    before, dropped = sys.unraisablehook, list[threading.Timer]()

    def hook(found: "sys.UnraisableHookArgs") -> None:
        if not issubclass(found.exc_type, KeyboardInterrupt):
            before(found)
            return
        dropped.append(threading.Timer(AGAIN, interrupt_main))
        dropped[-1].start()

    sys.unraisablehook = hook
    try:
        yield
        if dropped:
            raise KeyboardInterrupt
    except Exception:
        if dropped:
            raise KeyboardInterrupt from None
        raise
    finally:
        sys.unraisablehook = before
        for timer in dropped:
            timer.cancel()
            timer.join()
