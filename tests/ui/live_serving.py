"""A live page on a free port of 127.0.0.1, in the event loop of the test."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any

import httpx
from test_live_frames import decode
from websockets.asyncio.client import ClientConnection

from tikitaka.loop.snapshot import Snapshot, Watchable
from tikitaka.ui.frames import Pace
from tikitaka.ui.live import Live
from tikitaka.ui.server import bind, make_server, run_live, url_of

TIMEOUT = 30.0  # [s] after which whatever is waited for has failed


@dataclass(frozen=True)
class Served:
    """The page's address and what is behind it."""

    url: str
    live: Live

    @property
    def socket(self) -> str:
        return self.url.replace("http", "ws") + "live"


@contextlib.asynccontextmanager
async def serving(
    match: Watchable, speed: float = 1.0, on_full_time: Callable[[], None] = lambda: None, port: int = 0
) -> AsyncIterator[Served]:
    """Give a served match; the server ends with the context."""
    started = asyncio.Event()
    with bind("127.0.0.1", port, strict=True) as listener:
        live = Live(match, speed, on_full_time)
        server = make_server(live, "127.0.0.1", started.set)
        running = asyncio.create_task(run_live(live, server, listener))
        try:
            async with asyncio.timeout(TIMEOUT):
                await started.wait()
            yield Served(url_of(listener, "127.0.0.1"), live)
        finally:
            server.stop()
            async with asyncio.timeout(TIMEOUT):
                await running


async def get(served: Served, path: str, **headers: str) -> httpx.Response:
    """Return the answer to one request."""
    async with httpx.AsyncClient(trust_env=False, timeout=TIMEOUT) as client:
        return await client.get(served.url + path, headers=headers)


async def next_message(client: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the next JSON message of a kind."""
    async with asyncio.timeout(TIMEOUT):
        while True:
            post = await client.recv()
            if isinstance(post, str) and (message := json.loads(post))["type"] == kind:
                return dict(message)


async def next_frame(
    client: ClientConnection, wanted: Callable[[Snapshot, Pace], bool] = lambda *_: True
) -> tuple[Snapshot, Pace]:
    """Return the next frame that is as wanted."""
    async with asyncio.timeout(TIMEOUT):
        while True:
            post = await client.recv()
            if isinstance(post, bytes) and wanted(*(moment := decode(post))):
                return moment
