"""The referee's word, as a team hears it."""

from dataclasses import dataclass
from enum import IntEnum


class Phase(IntEnum):
    """What the game is doing. In all but `PLAY`, `Game.ours` says whose ball it is and `Game.spot` where it lies."""

    HALT = 0  # nobody moves: before the start and after full time
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
    """What the referee saw or called; `tikitaka.referee.book` has the rule behind each."""

    KICK_OFF = 1
    GOAL = 2
    FREE_BALL = 3
    FULL_TIME = 4
    HALF_TIME = 5
    FREE_KICK = 6
    GOAL_KICK = 7
    CORNER_KICK = 8
    THROW_IN = 9
    PENALTY = 10
    BALL_OUT = 11
    NO_PROGRESS = 12
    BALL_HELD = 13
    CROWDED_DEFENCE = 14
    CROWDED_ATTACK = 15
    DEFENDER_IN_AREA = 16
    ATTACKER_IN_AREA = 17
    CRASH = 18
    PUSHING = 19
    BALL_TOO_FAST = 20
    TOO_FAST_IN_STOP = 21
    STUCK_ROBOT = 22
    MOVED = 23
    BALL_PLACED = 24
    PLACEMENT_FAILED = 25
    KICK_TIMEOUT = 26
    CRASH_DRAWN = 27


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened; team 0 is blue, 1 is yellow, -1 nobody.

    A restart names the team that has the ball, and what led to it; an offence by itself the team at fault.
    """

    kind: EventKind
    tick: int
    time: float
    team: int
    x: float  # where it happened
    y: float
    robots: tuple[int, ...] = ()  # involved, the one at fault first; rows of both teams, blue's first
    cause: EventKind | None = None  # why play was stopped
    value: float = 0.0  # [m/s], [m] or [s]: how fast, how far or how long
