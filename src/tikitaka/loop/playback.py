"""A recorded match, looked at again: what the log says, tick by tick, without computing any of it."""

from pathlib import Path

import numpy as np

from tikitaka import vision
from tikitaka.errors import RunError
from tikitaka.league import League
from tikitaka.loop import run
from tikitaka.loop.log import LoggedTick, contents, decode, ticks
from tikitaka.loop.snapshot import Snapshot
from tikitaka.types import Event, EventKind, Floats, Phase


class Playback:
    """A match from its log, for the page."""

    def __init__(self, folder: Path) -> None:
        self._fixture = run.load(folder)
        self._now: LoggedTick
        self._next: LoggedTick | None
        self._log = folder / "log.mcap"
        self._contents = contents(self._log)
        self._go_to(0)
        self._faults: list[str] = []
        self._events = _events(self._now.events)

    @property
    def league(self) -> League:
        """The league that was played."""
        return self._fixture.league

    @property
    def seed(self) -> int:
        """Seed of all noise."""
        return self._fixture.seed

    @property
    def seconds(self) -> float:
        """Length of the match."""
        return self._fixture.seconds or self.league.match.seconds

    @property
    def rate(self) -> float:
        """Ticks a simulated second."""
        return self.league.camera.rate

    @property
    def names(self) -> tuple[str, str]:
        """Names of the teams, blue and yellow."""
        return Path(self._fixture.blue).stem, Path(self._fixture.yellow).stem

    @property
    def done(self) -> bool:
        """The log ends here."""
        return self._next is None

    @property
    def events(self) -> list[Event]:
        """All events so far."""
        return self._events

    @property
    def fault_messages(self) -> list[str]:
        """Every different fault so far."""
        return self._faults

    @property
    def last(self) -> int | None:
        """The last tick that `seek` can go to; None: the log was cut off, so it has no index."""
        return None if self._contents is None else max(0, round(self._contents.end_ns * self.rate / 1e9) - 1)

    @property
    def goals(self) -> list[tuple[int, int]]:
        """Tick and team of all goals, as far as there is an index."""
        events = _events(self._contents.events) if self._contents else []
        return [(event.tick, event.team) for event in events if event.kind == EventKind.GOAL]

    def seek(self, tick: int) -> None:
        """Go to a tick, or to the last one."""
        if self._contents is None or self.last is None:
            raise RunError(f"{self._log} was cut off and has no index; it can be shown from its beginning only")
        self._go_to(min(tick, self.last))
        now = self._now.tick
        self._events = [event for event in _events(self._contents.events) if event.tick <= now]
        faults = [decode("/faults", data) for data in self._contents.faults]
        self._faults = [fault.text for fault in faults if fault.tick <= now]

    def step(self) -> tuple[Event, ...]:
        """Go on by one tick and return its events."""
        if self._next is None:
            return ()
        if not self._next.whole:  # only the events that ended the match
            events, self._next = _events(self._next.events), None
            self._events += events
            return tuple(events)
        self._now, self._next = self._next, next(self._ticks, None)
        self._faults += [decode("/faults", data).text for data in self._now.faults]
        events = _events(self._now.events)
        self._events += events
        return tuple(events)

    def snapshot(self) -> Snapshot:
        """Return this moment."""
        truth, word, counts = self._read("/truth"), self._read("/referee"), self._read("/tally")
        blue, yellow = (self._thoughts(colour) for colour in ("blue", "yellow"))
        return Snapshot(
            tick=truth.tick,
            time=truth.tick / self.rate,
            time_left=max(0.0, self.seconds - truth.tick / self.rate),
            phase=Phase.HALT if self.done else Phase(word.phase),
            score=(word.blue, word.yellow),
            ball=np.array(truth.ball[:2]),
            robots=np.array(truth.pose).reshape(-1, 3),
            belief=np.concatenate((blue[0], vision.turn(yellow[0]))),
            targets=np.concatenate((blue[1], -yellow[1])),
            faults=(counts.faults_blue, counts.faults_yellow),
            collisions=counts.collisions,
            swaps=counts.swaps,
            owner=word.owner,
            ready=word.ready,
        )

    def _go_to(self, tick: int) -> None:
        self._ticks = ticks(self._log, round(tick * 1e9 / self.rate))
        first = next(self._ticks, None)
        if first is None or not first.whole:
            raise RunError(f"{self._log} holds no whole tick; was the match stopped at once?")
        self._now, self._next = first, next(self._ticks, None)

    def _thoughts(self, colour: str) -> tuple[Floats, Floats]:
        """Return one team's belief (n, 3) of itself and its targets (n, 2), NaN where it stands still."""
        pose = np.array(self._read(f"/{colour}/estimate").ours_pose).reshape(-1, 3)
        intents = self._read(f"/{colour}/intents")
        target = np.array(intents.target).reshape(-1, 3)[:, :2]
        return pose, np.where(np.array(intents.active, np.bool_)[:, None], target, np.nan)

    def _read(self, topic: str):  # type: ignore[no-untyped-def]  # noqa: ANN202  the classes are made at run time
        return decode(topic, self._now.data[topic])


def _events(messages: list[bytes]) -> list[Event]:
    rows = [decode("/events", data) for data in messages]
    return [
        Event(
            kind=EventKind(e.kind),
            tick=e.tick,
            time=e.time,
            team=e.team,
            x=e.x,
            y=e.y,
            robots=tuple(e.robots),
            cause=EventKind(e.cause) if e.cause else None,
            value=e.value,
        )
        for e in rows
    ]
