"""Who may talk to the live page: this machine's own pages, not a stranger's page that runs in the same browser.

A page elsewhere can point its own name at 127.0.0.1 (DNS rebinding) or open a WebSocket across sites; browsers then
send that page's name as Host or as Origin. An address made of digits cannot be pointed anywhere.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Turns strangers away with 403, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._names = {"localhost", host.lower(), socket.gethostname().lower()}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or WebSocket."""
        if self._is_welcome(HTTPConnection(scope).headers):
            await self._app(scope, receive, _with_headers(send))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close"})  # before it is accepted: the peer gets 403
        else:
            reason = "This page answers only under its own address: Host or Origin is another one.\n"
            await PlainTextResponse(reason, status_code=403)(scope, receive, _with_headers(send))

    def _is_welcome(self, headers: Headers) -> bool:
        host, origins = headers.getlist("host"), headers.getlist("origin")
        if len(host) != 1 or not self._is_ours(host[0]):
            return False
        return all(_netloc(origin) == host[0].lower() for origin in origins)

    def _is_ours(self, netloc: str) -> bool:
        try:
            name = urlsplit(f"//{netloc}").hostname or ""
        except ValueError:
            return False
        return name in self._names or _is_address(name)


def _netloc(origin: str) -> str:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return ""
    return parts.netloc.lower() if parts.scheme in {"http", "https"} else ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _with_headers(send: Send) -> Send:
    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            MutableHeaders(scope=message).update(SECURITY_HEADERS)
        await send(message)

    return send_with_headers
