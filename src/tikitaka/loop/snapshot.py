"""One moment of a match, for whoever looks on."""

from dataclasses import dataclass
from typing import Protocol

from tikitaka.league import League
from tikitaka.types import Event, Floats, Phase


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Truth and belief in the frame in which blue attacks +x; blue's robots are the first rows."""

    tick: int
    time: float
    time_left: float
    phase: Phase
    score: tuple[int, int]  # blue, yellow
    ball: Floats  # (2,)
    robots: Floats  # (n, 3) where they are
    belief: Floats  # (n, 3) where their own team believes them to be
    targets: Floats  # (n, 2) where they want to be; NaN: nowhere
    faults: tuple[int, int]
    collisions: int
    swaps: int
    owner: int = -1  # team that has the ball where the phase gives it to one
    ready: bool = True  # False: robots walk to their places


class Watchable(Protocol):
    """A match that can be looked at: under way, or played back from its log."""

    @property
    def league(self) -> League:
        """The league that is played."""

    @property
    def seed(self) -> int:
        """Seed of all noise."""

    @property
    def seconds(self) -> float:
        """Length of the match."""

    @property
    def rate(self) -> float:
        """Ticks a simulated second."""

    @property
    def names(self) -> tuple[str, str]:
        """Names of the teams, blue and yellow."""

    @property
    def done(self) -> bool:
        """Nothing comes after this moment."""

    @property
    def events(self) -> list[Event]:
        """All events so far."""

    @property
    def fault_messages(self) -> list[str]:
        """Every different fault of either team so far."""

    def step(self) -> tuple[Event, ...]:
        """Go on by one tick and return its events."""

    def snapshot(self) -> Snapshot:
        """Return this moment."""
