"""The referee's word, as a team hears it."""

from dataclasses import dataclass
from enum import IntEnum


class Phase(IntEnum):
    """What the game is doing. In all but `PLAY`, `Game.ours` says whose ball it is and `Game.spot` where it lies."""

    HALT = 0  # nobody moves: before the start, at half time and after full time
    KICK_OFF = 1  # at the centre, everybody in their own half
    PLAY = 2
    STOP = 3  # everybody keeps off the ball and drives slowly until the next word
    FREE_KICK = 4  # one team plays the ball from the spot, the other keeps off it
    GOAL_KICK = 5  # a free kick from the area before one's own goal
    PENALTY = 6  # one attacker against the keeper; all others stay behind the ball
    FREE_BALL = 7  # a ball that nobody owns: one robot of each team at equal distance, both may play it
    PLACEMENT = 8  # one team brings the ball to the spot, the other keeps off ball and spot


@dataclass(frozen=True, slots=True)
class Game:
    """Score, clock and phase from one team's point of view."""

    phase: Phase
    time_left: float
    goals_ours: int
    goals_theirs: int
    ours: bool  # the ball is ours to play, or to place; in a free ball both teams are told so
    spot: tuple[float, float] = (0.0, 0.0)  # where the ball is played from, or is to be brought
    ready: bool = True  # False: robots still walk to their places and nobody may touch the ball
    half: int = 1


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
