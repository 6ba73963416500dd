"""The referee's word, as a team hears it."""

from dataclasses import dataclass
from enum import IntEnum


class Phase(IntEnum):
    """What the game is doing."""

    HALT = 0  # nobody moves: before the start and after full time
    KICK_OFF = 1  # everybody has been placed; `Game.kick_off_ours` says who plays the ball first
    PLAY = 2


@dataclass(frozen=True, slots=True)
class Game:
    """Score, clock and phase from one team's point of view."""

    phase: Phase
    time_left: float
    goals_ours: int
    goals_theirs: int
    kick_off_ours: bool


class EventKind(IntEnum):
    """What the referee saw."""

    KICK_OFF = 1
    GOAL = 2
    FREE_BALL = 3
    FULL_TIME = 4


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened; team 0 is blue, 1 is yellow, -1 nobody."""

    kind: EventKind
    tick: int
    time: float
    team: int
    x: float
    y: float
