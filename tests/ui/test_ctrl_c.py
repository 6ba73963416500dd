"""A Ctrl-C that arrives while compiled code runs Python."""

import ctypes
import signal
import time

import pytest

from tikitaka.ui import ctrl_c


def drop() -> None:
    """Let a Ctrl-C arrive in Python that C code has called, where it cannot be raised."""
    ctypes.CFUNCTYPE(None)(lambda: signal.raise_signal(signal.SIGINT))()


def drop_and_fail() -> None:
    drop()
    raise RuntimeError("no compiled object yet")


def drop_and_go_on(seconds: float) -> None:
    drop()
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        pass


def test_what_fails_after_a_dropped_ctrl_c_is_the_ctrl_c(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt), ctrl_c.kept():
        drop_and_fail()
    assert capsys.readouterr().err == ""


def test_a_dropped_ctrl_c_ends_what_goes_on_unharmed() -> None:
    with pytest.raises(KeyboardInterrupt), ctrl_c.kept():
        drop_and_go_on(20.0)


def test_a_dropped_ctrl_c_is_not_lost_where_all_ends_well() -> None:
    with pytest.raises(KeyboardInterrupt), ctrl_c.kept():
        drop()


def test_what_fails_by_itself_is_told_as_it_is() -> None:
    with pytest.raises(RuntimeError), ctrl_c.kept():
        raise RuntimeError("no compiled object yet")
