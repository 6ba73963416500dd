"""A headless Chromium, driven over the DevTools protocol.

To look at the page: ``python tests/ui/chromium.py http://127.0.0.1:8080/ page.png --size 1280x800 --theme dark``.
"""

import argparse
import asyncio
import base64
import contextlib
import itertools
import json
import shutil
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)
TIMEOUT = 30.0  # [s] after which whatever is waited for has failed
CONDITION = """(async () => {
  while (!(CONDITION)) await new Promise(requestAnimationFrame);
})()"""


def find_chromium() -> str | None:
    """Return the path of a Chromium, None when there is none."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Page:
    """One tab, and what it logged and asked for."""

    def __init__(self, socket: ClientConnection) -> None:
        self.errors: list[str] = []
        self.requests: list[str] = []
        self._socket = socket
        self._session = ""
        self._ids = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def call(self, method: str, **params: object) -> dict[str, Any]:
        """Return the answer to one DevTools command."""
        number = next(self._ids)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        session = {"sessionId": self._session} if self._session else {}
        await self._socket.send(json.dumps({"id": number, "method": method, "params": params, **session}))
        async with asyncio.timeout(TIMEOUT):
            return await answer

    async def open(self, url: str) -> None:
        """Load an address in a tab of its own."""
        target = await self.call("Target.createTarget", url="about:blank")
        attached = await self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            await self.call(f"{domain}.enable")
        await self.call("Page.navigate", url=url)

    async def resize(self, width: int, height: int, ratio: float = 1.0) -> None:
        """Give the tab another size, in CSS pixels."""
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=False
        )

    async def media(self, **features: str) -> None:
        """Set media features: ``prefers_color_scheme="dark"``."""
        listed = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        await self.call("Emulation.setEmulatedMedia", features=listed)

    async def evaluate(self, expression: str) -> Any:  # noqa: ANN401  whatever JavaScript says
        """Return the value of an expression, awaited where it is a promise."""
        answer = await self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise AssertionError(answer["exceptionDetails"])
        return answer["result"].get("value")

    async def until(self, condition: str) -> None:
        """Return once a JavaScript condition holds."""
        try:
            await self.evaluate(CONDITION.replace("CONDITION", condition))
        except TimeoutError:
            raise AssertionError(f"never true on the page: {condition}") from None

    async def press(self, key: str) -> None:
        """Press and let go of one key."""
        text = {"text": key} if len(key) == 1 else {}
        await self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        await self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    async def screenshot(self, path: Path) -> None:
        """Write what is to be seen as PNG."""
        answer = await self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(answer["data"]))

    async def listen(self) -> None:
        """Take what the browser sends, until it ends."""
        async for text in self._socket:
            message = json.loads(text)
            if "id" in message:
                self._settle(self._answers.pop(message["id"]), message)
            else:
                self._note(message["method"], message["params"])

    def _settle(self, answer: "asyncio.Future[dict[str, Any]]", message: dict[str, Any]) -> None:
        if answer.done():
            return
        if "error" in message:
            answer.set_exception(AssertionError(message["error"]))
        else:
            answer.set_result(message["result"])

    def _note(self, method: str, params: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Network.webSocketCreated":
            self.requests.append(params["url"])
        elif method == "Runtime.exceptionThrown":
            self.errors.append(json.dumps(params["exceptionDetails"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in {"error", "warning"}:
            self.errors.append(json.dumps(params["entry"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in {"error", "warning", "assert"}:
            self.errors.append(json.dumps(params["args"]))


@contextlib.asynccontextmanager
async def browse(url: str, width: int = 1280, height: int = 800, ratio: float = 1.0) -> AsyncIterator[Page]:
    """Give a page on which the address is being loaded; the browser ends with the context."""
    async with _browser() as address, connect(address, max_size=None) as socket:
        page = Page(socket)
        listening = asyncio.create_task(page.listen())
        try:
            await page.open(url)
            await page.resize(width, height, ratio)
            yield page
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)


@contextlib.asynccontextmanager
async def _browser() -> AsyncIterator[str]:
    """Give the DevTools address of a fresh browser."""
    program = find_chromium()
    assert program
    with tempfile.TemporaryDirectory(prefix="tikitaka-chromium-", ignore_cleanup_errors=True) as folder:
        flags = (*FLAGS, f"--user-data-dir={folder}", "about:blank")
        pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(program, *flags, stdout=null, stderr=pipe)
        assert process.stderr
        try:
            async with asyncio.timeout(TIMEOUT):
                address = await _address(process.stderr)
            yield address
        finally:
            process.kill()
            await process.wait()


async def _address(stderr: asyncio.StreamReader) -> str:
    mark = "DevTools listening on "
    async for line in stderr:
        if mark in (text := line.decode(errors="replace")):
            return text.split(mark)[1].strip()
    raise AssertionError("Chromium ended before it listened")


async def shoot(url: str, path: Path, size: str, theme: str, ratio: float, after: int, script: str) -> None:
    """Write a screenshot of a running match once it has reached a tick."""
    width, height = map(int, size.split("x"))
    async with browse(url, width, height, ratio) as page:
        await page.media(prefers_color_scheme=theme)
        await page.until("document.body?.dataset.link === 'up'")
        await page.evaluate(script)
        await page.until(f"Number(document.body.dataset.tick) >= {after}")
        await page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        await page.screenshot(path)


def main() -> None:
    """Take a screenshot of a page that is being served."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("url")
    parser.add_argument("path", type=Path)
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--theme", default="dark", choices=("dark", "light"))
    parser.add_argument("--ratio", type=float, default=1.0, help="device pixels a CSS pixel")
    parser.add_argument("--after", type=int, default=1, help="tick to wait for")
    parser.add_argument("--script", default="0", help="JavaScript to run first")
    options = parser.parse_args()
    asyncio.run(shoot(**vars(options)))


if __name__ == "__main__":
    main()
