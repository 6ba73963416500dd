"""The match in the terminal: one line that moves, and a line for whatever happens."""

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.live import Live
from rich.text import Text

from tikitaka.loop.match import Match
from tikitaka.referee import describe
from tikitaka.types import Event, EventKind

REFRESH = 0.1  # [s] of wall time between two updates

people = Console(stderr=True, highlight=False)  # all that is not a result is told here


class Scoreboard:
    """Shows a match on a console; ``quiet`` shows nothing."""

    def __init__(self, console: Console, match: Match, *, quiet: bool) -> None:
        self._console, self._match, self._quiet = console, match, quiet
        self._live = Live(console=console, auto_refresh=False, transient=True)
        self._next = 0.0

    def __enter__(self) -> Self:
        if not self._quiet and self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def show(self, events: tuple[Event, ...]) -> None:
        """Print what happened, and now and then the score."""
        if self._quiet:
            return
        for event in events:
            if event.kind != EventKind.KICK_OFF:
                self._console.print(line(event, self._match.score, self._match.league.team.robots), markup=False)
        if self._live.is_started and time.perf_counter() >= self._next:
            self._live.update(self._line(), refresh=True)
            self._next = time.perf_counter() + REFRESH

    def _line(self) -> Text:
        match, (blue, yellow) = self._match, self._match.names
        played = f"{clock(match.moment.state.tick / match.rate)} / {clock(match.seconds)}  "
        score = f" {match.score[0]} : {match.score[1]} "
        return Text.assemble(played, (blue, "bold blue"), score, (yellow, "bold yellow"))


def line(event: Event, score: tuple[int, int], robots: int) -> str:
    """Return an event as a line for people; ``robots`` a team."""
    result = f"  {score[0]} : {score[1]}" if event.kind == EventKind.GOAL else ""
    return f"{clock(event.time)}  {describe(event, robots)}{result}"


def clock(seconds: float) -> str:
    """Return minutes and seconds."""
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02d}"
