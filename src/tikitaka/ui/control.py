"""What a page may ask for. Every message is taken as hostile: what is not exactly right is nothing."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass

from tikitaka.ui.pacer import SPEEDS

MAX_BYTES = 256
PLAIN = ("pause", "play", "step")
LAST_TICK = 2**31


@dataclass(frozen=True, slots=True)
class Control:
    """One wish: pause, play, step, speed with its value, or seek with the tick of a recording."""

    do: str
    speed: float = 0.0
    tick: int = 0


def parse(text: str) -> Control | None:
    """Return the wish in a message, None where it is not one: ``{"do":"step"}``, ``{"do":"speed","value":2}``."""
    if len(text) > MAX_BYTES:
        return None
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict):
        return None
    return _plain(message) or _speed(message) or _seek(message)


class Allowance:
    """Messages that may still come: so many at once, and so many a second."""

    def __init__(self, burst: float, rate: float, clock: Callable[[], float]) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._left, self._since = burst, clock()

    def take(self) -> bool:
        """Return whether one more is allowed, and use it up."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._since) * self._rate)
        self._since = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


def _plain(message: dict[str, object]) -> Control | None:
    do = message.get("do")
    return Control(do) if message.keys() == {"do"} and isinstance(do, str) and do in PLAIN else None


def _speed(message: dict[str, object]) -> Control | None:
    if message.keys() != {"do", "value"} or message["do"] != "speed":
        return None
    value = message["value"]
    if value == "max":
        return Control("speed", math.inf)
    is_known = type(value) in {int, float} and value in SPEEDS and value != math.inf
    return Control("speed", float(str(value))) if is_known else None


def _seek(message: dict[str, object]) -> Control | None:
    if message.keys() != {"do", "value"} or message["do"] != "seek":
        return None
    value = message["value"]
    return Control("seek", tick=value) if type(value) is int and 0 <= value <= LAST_TICK else None
