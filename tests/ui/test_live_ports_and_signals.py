"""`serve` as the command calls it: ports, signals, and its end."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest
from live_serving import TIMEOUT, next_frame
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from tikitaka.errors import ServeError
from tikitaka.ui.server import NEXT_PORTS, bind, url_of

PROGRAM = """
from live_matches import make_match
from tikitaka.ui.server import bind, serve
listener = bind("127.0.0.1", 0, strict=True)
serve(
    make_match(),
    listener,
    speed=float("inf"),
    on_ready=lambda url: print(url, flush=True),
    on_full_time=lambda: None,
)
print("returned")
"""


@contextlib.contextmanager
def taken_port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        yield holder.getsockname()[1]


def test_a_taken_port_is_refused_with_its_number_and_what_to_do() -> None:
    with taken_port() as port, pytest.raises(ServeError, match=rf"port {port} is in use .*--port"):
        bind("127.0.0.1", port, strict=True)


def test_without_strict_one_of_the_next_ports_is_taken() -> None:
    with taken_port() as port, bind("127.0.0.1", port, strict=False) as listener:
        assert port < listener.getsockname()[1] <= port + NEXT_PORTS


@pytest.mark.parametrize("host", ["192.0.2.1", "no.such.host.invalid", "\ud800"])
def test_a_host_that_is_not_ours_is_refused_with_what_to_use(host: str) -> None:
    with pytest.raises(ServeError, match=r"127\.0\.0\.1"):
        bind(host, 0, strict=True)


@pytest.mark.parametrize("port", [-1, 65536])
def test_a_port_that_cannot_be_is_refused_with_its_value(port: int) -> None:
    with pytest.raises(ServeError, match=f"got {port}"):
        bind("127.0.0.1", port, strict=True)


def test_the_address_shown_can_be_typed_into_a_browser() -> None:
    with bind("127.0.0.1", 0, strict=True) as listener:
        port = listener.getsockname()[1]
        assert url_of(listener, "0.0.0.0") == f"http://127.0.0.1:{port}/"  # noqa: S104
        assert url_of(listener, "::1") == f"http://[::1]:{port}/"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_quietly_with_pages_open_one_of_which_does_not_read(number: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as program:
        assert program.stdout
        url = program.stdout.readline().strip()
        asyncio.run(_watch_then(program, url.replace("http", "ws") + "live", number))
        out, err = program.communicate(timeout=TIMEOUT)
    assert (program.returncode, out, err) == (0, "returned\n", "")


async def _watch_then(program: "subprocess.Popen[str]", url: str, number: signal.Signals) -> None:
    async with connect(url) as reading, connect(url, max_queue=1, close_timeout=0.1):
        await next_frame(reading)
        program.send_signal(number)
        with pytest.raises(ConnectionClosed):
            await next_frame(reading, lambda *_: False)
