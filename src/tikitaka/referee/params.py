"""The rules of one match, and what the referee remembers."""

from dataclasses import dataclass
from enum import StrEnum

from tikitaka.types import BLUE, EventKind, Field, Phase

Point = tuple[float, float]


class Rules(StrEnum):
    """Whose book of rules is played by; `tikitaka.referee.book` has both."""

    MIROSOT = "mirosot"
    VSSS = "vsss"
    SSL = "ssl"


@dataclass(frozen=True, slots=True)
class Params:
    """What does not change during a match. Robot 0 of each team is its keeper."""

    field: Field
    robots: int  # a team
    hull: float  # radius of the circle around a robot
    reach: float  # between the centres of robot and ball when they touch
    ball_radius: float
    seconds: float
    free_ball_after: float
    rate: float  # ticks a second
    rules: Rules = Rules.MIROSOT
    walk: bool = False  # robots drive to their places; False: they are put there
    teams_place: bool = False  # the team that has the ball brings it to its spot; False: the referee does
    halves: int = 2
    keep_off: float = 0.0  # [m] from the ball while it is not ours; 0: not asked for
    areas_barred: bool = False  # goal areas are for keepers only
    free_ball_mark: Point = (0.0, 0.0)  # in the quarter x > 0, y > 0; (0, 0): a free ball is played where it lies
    penalty_distance: float = 0.375  # [m] from the goal line to the mark

    def ticks(self, seconds: float) -> int:
        """Return how many ticks that is; the first tick that is not before it counts."""
        return int(-(-(seconds * self.rate - ROUNDING) // 1.0))


ROUNDING = 1e-6  # of a tick: 0.1 + 0.2 seconds are 9 ticks at 30 Hz


@dataclass(frozen=True, slots=True)
class Whistle:
    """What the referee remembers."""

    phase: Phase = Phase.HALT
    score: tuple[int, int] = (0, 0)
    owner: int = BLUE  # whose ball it is, or was at the last restart; -1: nobody's
    since: int = 0  # tick at which the phase began
    spot: Point = (0.0, 0.0)  # where the ball is played from
    ready: bool = True  # False: robots still walk to their places
    half: int = 1
    then: Phase = Phase.PLAY  # what STOP and PLACEMENT lead to
    mark: Point = (0.0, 0.0)  # where the ball last made progress
    mark_tick: int = 0
    held: int = -1  # tick since which the ball is in a goal area; -1: it is not
    crowd: int = -1  # tick since which one is crowded
    fouls: tuple[int, int] = (0, 0)  # that did not stop play; three are paid for with a free kick
    crashes: tuple[tuple[int, int, int], ...] = ()  # the last ones: who, whom, tick
    fast: bool = False  # the ball is too fast, and that was said
    hurried: tuple[bool, bool] = (False, False)  # who was told in this stop to drive slowly
    holder: int = -1  # who plays the ball: of two who have it between them he who had it first; -1: nobody
    push: tuple[float, ...] = ()  # a pair at the ball: who, whom, and where both were at first
    rest: tuple[tuple[float, ...], ...] = ()  # per robot: x, y, theta and the tick since which it stands there


@dataclass(frozen=True, slots=True)
class Call:
    """What the referee decides: who goes on, how and where, and why."""

    phase: Phase
    team: int  # whose ball; -1: nobody's
    spot: Point
    kind: EventKind  # as it is announced
    at: Point  # where it happened
    cause: EventKind | None = None
    robots: tuple[int, ...] = ()
    value: float = 0.0
