"""Post to the pages that look on: the newest frame only, and a short queue of messages.

A page that reads slowly skips frames; it never slows the match down and never makes memory grow.
"""

import asyncio
from collections import deque

MAX_CLIENTS = 32
MAX_TEXTS = 64


class Mailbox:
    """What waits for one page."""

    def __init__(self) -> None:
        self._frame: bytes | None = None
        self._texts: deque[str] = deque(maxlen=MAX_TEXTS)
        self._ready = asyncio.Event()

    def put(self, post: str | bytes) -> None:
        """Put a message in the queue, or a frame in place of the one that still waits."""
        if isinstance(post, str):
            self._texts.append(post)
        else:
            self._frame = post
        self._ready.set()

    async def take(self) -> str | bytes:
        """Return the oldest message, else the newest frame, once there is one."""
        while True:
            if self._texts:
                return self._texts.popleft()
            if self._frame is not None:
                frame, self._frame = self._frame, None
                return frame
            self._ready.clear()
            await self._ready.wait()


class Hub:
    """All mailboxes; there is room for so many and no more."""

    def __init__(self, room: int = MAX_CLIENTS) -> None:
        self.room = room
        self._boxes: set[Mailbox] = set()

    def __len__(self) -> int:
        return len(self._boxes)

    def join(self) -> Mailbox | None:
        """Return a new mailbox, None when there is no room."""
        if len(self._boxes) >= self.room:
            return None
        box = Mailbox()
        self._boxes.add(box)
        return box

    def leave(self, box: Mailbox) -> None:
        """Throw a mailbox away."""
        self._boxes.discard(box)

    def post(self, post: str | bytes) -> None:
        """Put a message or a frame into every mailbox."""
        for box in self._boxes:
            box.put(post)
