"""A match that runs in wall time, and tells the pages about it. One coroutine; nothing else touches the match."""

import asyncio
import contextlib
import math
import time
from collections import deque
from collections.abc import Callable

from tikitaka.loop.playback import Playback
from tikitaka.loop.snapshot import Watchable
from tikitaka.types import EventKind
from tikitaka.ui import frames
from tikitaka.ui.control import Control
from tikitaka.ui.mailbox import Hub, Mailbox
from tikitaka.ui.pacer import Pacer

FRAME = 1.0 / 60.0  # [s] between published frames
BREATH = 0.001  # [s] for sockets when ticks could fill the whole day
KEPT = 50  # events and faults that a page is told about when it joins


class Live:
    """A match at its kick-off, its pacer and its audience."""

    def __init__(
        self,
        match: Watchable,
        speed: float = 1.0,
        on_full_time: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.match = match
        self.pacer = Pacer(match.rate, speed, clock)
        self.hub = Hub()
        self._on_full_time = on_full_time
        self._clock = clock
        self._events = deque[str](maxlen=KEPT)
        self._told: set[str] = set()
        self._look_back()
        self._next_frame = clock()
        self._stale = True
        self._wake = asyncio.Event()

    async def run(self) -> None:
        """Play the match for ever, or rather until cancelled; after full time nothing moves any more."""
        while True:
            if self.pacer.turn(self._tick):
                self._stale = True
            self._publish()
            await self._rest()

    def obey(self, control: Control) -> None:
        """Do what a page asks for; after full time there is nothing to play."""
        if control.do == "speed":
            self.pacer.set_speed(control.speed)
        elif control.do == "seek":
            self._seek(control.tick)
        elif not self.match.done:
            {"pause": self.pacer.pause, "play": self.pacer.play, "step": self.pacer.step}[control.do]()
        self._stale = True
        self._wake.set()

    def welcome(self, box: Mailbox) -> None:
        """Put all into a new mailbox that a page needs to begin."""
        self._tell_faults()
        box.put(frames.hello(self.match, list(self._events), self.match.fault_messages[-KEPT:]))
        box.put(frames.encode(self.match.snapshot(), self.pace()))

    def pace(self) -> frames.Pace:
        """Return how the match runs at this moment."""
        return frames.Pace(self.pacer.speed, self.pacer.realtime, self.pacer.paused, self.match.done)

    def state(self) -> dict[str, object]:
        """Return the moment for machines."""
        return {**frames.state(self.match.snapshot(), self.pace()), "clients": len(self.hub)}

    def _seek(self, tick: int) -> None:
        """Go to a tick of a recording and begin anew on every page; a match under way cannot."""
        if isinstance(self.match, Playback) and self.match.last is not None:
            self.match.seek(tick)
            self._look_back()
            self.hub.post(frames.hello(self.match, list(self._events), self.match.fault_messages[-KEPT:]))

    def _look_back(self) -> None:
        """Know again what happened up to now."""
        self._told = set(self.match.fault_messages)
        self._events.clear()
        score = [0, 0]
        for event in self.match.events:
            if event.kind == EventKind.GOAL:
                score[event.team] += 1
            self._events.append(frames.event_message(event, (score[0], score[1]), self.match.league.team.robots))

    def _tick(self) -> bool:
        for event in self.match.step():
            message = frames.event_message(event, self.match.snapshot().score, self.match.league.team.robots)
            self._events.append(message)
            self.hub.post(message)
        self._tell_faults()
        if self.match.done:
            self.pacer.pause()
            self._on_full_time()
        return not self.match.done

    def _tell_faults(self) -> None:
        for text in self.match.fault_messages:
            if text not in self._told:
                self._told.add(text)
                self.hub.post(frames.fault_message(text))

    def _publish(self) -> None:
        now = self._clock()
        if self._stale and len(self.hub) and now >= self._next_frame:
            self.hub.post(frames.encode(self.match.snapshot(), self.pace()))
            self._stale = False
            self._next_frame = max(self._next_frame + FRAME, now + 0.5 * FRAME)

    async def _rest(self) -> None:
        seconds = max(self.pacer.wait(), BREATH)
        if self._stale and len(self.hub):
            seconds = min(seconds, max(self._next_frame - self._clock(), BREATH))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds if math.isfinite(seconds) else None):
                await self._wake.wait()
        self._wake.clear()
