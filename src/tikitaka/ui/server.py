"""The live page on a port, from the first request to Ctrl-C. One event loop, no threads."""

import asyncio
import contextlib
import errno
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

import uvicorn

from tikitaka.errors import ServeError
from tikitaka.loop.snapshot import Watchable
from tikitaka.ui.app import make_app
from tikitaka.ui.live import Live

NEXT_PORTS = 20  # tried after the one asked for
GRACE = 0.5  # [s] that connections have to end
MAX_MESSAGE = 1024  # bytes of a WebSocket message; beyond, the connection is closed
SEND_BUFFER = 1 << 16  # bytes; a small one keeps a slow page close to the present


def serve(
    match: Watchable,
    listener: socket.socket,
    *,
    host: str = "127.0.0.1",
    speed: float = 1.0,
    stay: bool = True,
    on_ready: Callable[[str], None],
    on_full_time: Callable[[], None],
) -> None:
    """Return after Ctrl-C or SIGTERM, or at full time unless the page is to ``stay``; ``on_ready`` gets its address.

    ``listener`` comes from `bind`, before anything is begun that a port in use would spoil.
    """
    with listener:
        asyncio.run(_play(match, listener, host, speed, stay, on_ready, on_full_time))


def bind(host: str, port: int, *, strict: bool) -> socket.socket:
    """Return a listening socket on the port, or unless ``strict`` on one of the next ones that is free."""
    if not 0 <= port <= 65535:
        raise ServeError(f"port must be in [0, 65535]; got {port}")
    last = port if strict or port == 0 else min(port + NEXT_PORTS, 65535)
    family = _family(host)
    for candidate in range(port, last + 1):
        try:
            return _listen(family, host, candidate)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise ServeError(_cannot_bind(host, candidate, error)) from error
    tried = f"port {port} is" if last == port else f"ports {port} to {last} are all"
    raise ServeError(f"{tried} in use on {host}; stop the other program or choose another with --port")


def url_of(listener: socket.socket, host: str) -> str:
    """Return the address to type into a browser on this machine."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  compared, not bound
    return f"http://{f'[{shown}]' if ':' in shown else shown}:{listener.getsockname()[1]}/"


class Server(uvicorn.Server):
    """uvicorn's server, less its signals: ours end it and are not raised again afterwards."""

    def __init__(self, config: uvicorn.Config, on_started: Callable[[], None]) -> None:
        super().__init__(config)
        self._on_started = on_started

    def capture_signals(self) -> AbstractContextManager[None]:  # type: ignore[override]
        """Return a context that does nothing."""
        return contextlib.nullcontext()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections, then tell."""
        await super().startup(sockets)
        self._on_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all connections, those that do not read included."""
        cut = asyncio.get_running_loop().call_later(GRACE, self._cut)
        await super().shutdown(sockets)
        cut.cancel()

    def _cut(self) -> None:
        for connection in list(self.server_state.connections):
            connection.transport.abort()

    def stop(self) -> None:
        """End soon; asked twice, at once."""
        self.force_exit = self.should_exit
        self.should_exit = True


def make_server(live: Live, host: str, on_started: Callable[[], None]) -> Server:
    """Return the server of one live match, not yet started."""
    config = uvicorn.Config(
        make_app(live, host),
        http="h11",
        ws="websockets-sansio",
        loop="asyncio",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        ws_max_size=MAX_MESSAGE,
        ws_per_message_deflate=False,
    )
    return Server(config, on_started)


async def run_live(live: Live, server: Server, listener: socket.socket) -> None:
    """Return when the server has been stopped; what the match raises stops it and is raised here."""
    playing = asyncio.create_task(live.run())
    playing.add_done_callback(lambda _: server.stop())
    await server.serve([listener])
    playing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await playing


async def _play(
    match: Watchable,
    listener: socket.socket,
    host: str,
    speed: float,
    stay: bool,
    on_ready: Callable[[str], None],
    on_full_time: Callable[[], None],
) -> None:
    def ended() -> None:
        on_full_time()
        if not stay:
            server.stop()

    live = Live(match, speed, ended)
    server = make_server(live, host, lambda: on_ready(url_of(listener, host)))
    asyncio.get_running_loop().set_exception_handler(_unless_interrupted)
    with _signals(server.stop):
        await run_live(live, server, listener)


def _unless_interrupted(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report what a task left behind, but not that Ctrl-C ended it."""
    if not isinstance(context.get("exception"), KeyboardInterrupt):
        loop.default_exception_handler(context)


@contextlib.contextmanager
def _signals(stop: Callable[[], None]) -> Iterator[None]:
    """Call ``stop`` on Ctrl-C and SIGTERM; a third one interrupts whatever hangs, a team that never returns say."""
    before, asked = {}, 0

    def note(*_: object) -> None:
        nonlocal asked
        asked += 1
        if asked > 2:
            raise KeyboardInterrupt
        stop()

    with contextlib.suppress(ValueError):  # not the main thread: whoever owns the signals keeps them
        for number in (signal.SIGINT, signal.SIGTERM):
            before[number] = signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _family(host: str) -> socket.AddressFamily:
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise ServeError(f"host {host!r} is not known here; use 127.0.0.1 or an address of this machine") from error
    return min(entry[0] for entry in found)  # IPv4 before IPv6


def _listen(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        listener.bind((host, port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener


def _cannot_bind(host: str, port: int, error: OSError) -> str:
    if error.errno in {errno.EACCES, errno.EPERM}:
        return f"port {port} is not open to you; use one above 1023 with --port"
    return f"cannot serve on {host} port {port}: {error.strerror}; use --host 127.0.0.1 or an address of this machine"
