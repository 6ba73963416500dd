"""What answers on the port: the page's files, the state for machines, and one WebSocket a page."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from tikitaka.ui import control, frames
from tikitaka.ui.guard import Guard
from tikitaka.ui.live import Live
from tikitaka.ui.mailbox import Mailbox
from tikitaka.ui.maps import maps

PAGE = Path(__file__).parent / "page"
MEDIA_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
WISHES_AT_ONCE, WISHES_A_SECOND = 60, 60  # a key held down asks about 30 times a second
TOO_MANY_MESSAGES, TRY_AGAIN_LATER = 1008, 1013  # WebSocket close codes


def make_app(live: Live, host: str) -> Starlette:
    """Return the application that shows one live match under one host."""
    routes: list[BaseRoute] = [
        *_page_routes(),
        Route("/healthz", _json(lambda: {"status": "ok"})),
        Route("/state.json", _json(live.state)),
        Route("/maps.json", _json(lambda: maps(live.match))),
        WebSocketRoute("/live", _Socket(live).serve),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard, host=host)])


class _Socket:
    """The WebSocket's two halves: frames out, wishes in."""

    def __init__(self, live: Live) -> None:
        self._live = live

    async def serve(self, websocket: WebSocket) -> None:
        """Serve one page until either side ends."""
        try:
            await websocket.accept()
            box = self._live.hub.join()
            if box is None:
                await self._refuse(websocket)
            else:
                await self._attend(websocket, box)
        except WebSocketDisconnect:
            pass

    async def _refuse(self, websocket: WebSocket) -> None:
        room = self._live.hub.room
        await websocket.send_text(frames.refusal(f"{room} pages are watching already. Close one, then reload."))
        await websocket.close(TRY_AGAIN_LATER, "no room")

    async def _attend(self, websocket: WebSocket, box: Mailbox) -> None:
        self._live.welcome(box)
        sending = asyncio.create_task(self._send(websocket, box))
        listening = asyncio.create_task(self._listen(websocket))
        try:
            done, _ = await asyncio.wait({sending, listening}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._live.hub.leave(box)
            sending.cancel()
            listening.cancel()
            await asyncio.gather(sending, listening, return_exceptions=True)
        if listening in done and listening.result():
            await websocket.close(TOO_MANY_MESSAGES, "too many messages")
        elif sending in done:
            sending.result()

    async def _send(self, websocket: WebSocket, box: Mailbox) -> None:
        while True:
            post = await box.take()
            await (websocket.send_text(post) if isinstance(post, str) else websocket.send_bytes(post))

    async def _listen(self, websocket: WebSocket) -> bool:
        """Return True once the page has sent too many messages, False when it has gone."""
        allowance = control.Allowance(WISHES_AT_ONCE, WISHES_A_SECOND, time.perf_counter)
        while (message := await websocket.receive())["type"] != "websocket.disconnect":
            if not allowance.take():
                return True
            wish = control.parse(message.get("text") or "")
            if wish:
                self._live.obey(wish)
        return False


def _page_routes() -> list[Route]:
    """Return one route a file of the page, read once; no path of a request ever reaches the disk."""
    files = {f"/{path.name}": path for path in PAGE.iterdir() if path.suffix in MEDIA_TYPES}
    files["/"] = PAGE / "index.html"
    return [Route(url, _file(path)) for url, path in sorted(files.items())]


def _file(path: Path) -> Callable[[Request], Awaitable[Response]]:
    content, media_type = path.read_bytes(), MEDIA_TYPES[path.suffix]

    async def answer(_: Request) -> Response:
        return Response(content, media_type=media_type)

    return answer


def _json(content: Callable[[], dict[str, object]]) -> Callable[[Request], Awaitable[Response]]:
    async def answer(_: Request) -> Response:
        return JSONResponse(content())

    return answer
