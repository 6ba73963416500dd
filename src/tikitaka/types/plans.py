"""Paths in time, one a robot."""

from dataclasses import dataclass
from enum import IntEnum

from tikitaka.types.arrays import Floats, Ints
from tikitaka.types.intents import Intents


class PlanStatus(IntEnum):
    """How far a plan reaches."""

    NONE = 0  # no plan: the robot stops
    EXACT = 1  # ends at the target
    CUT = 2  # ends at the last point before an obstacle that holds the target
    PARTIAL = 3  # ends where the search ran out of budget


class PlanReason(IntEnum):
    """How a plan came about, or why there is none."""

    NO_WISH = 0  # the robot is to stand still
    STRAIGHT = 1  # nothing is in the way
    SEARCHED = 2  # a way around
    KEPT = 3  # last tick's way around
    EXACT_SEARCH = 4  # the tangent graph found what the search had not
    OUT_OF_BUDGET = 5  # the search has not found a way
    CLOSED_IN = 6  # there is no way: start or target is closed in
    NO_OPEN_PLACE = 7  # obstacles cover everything
    NOT_FINITE = 8  # robot or target is NaN or infinite
    ARRIVED = 9  # the robot is there
    BLOCKED = 10  # every timed way meets somebody


@dataclass(frozen=True, slots=True)
class Plans:
    """Waypoints with the time at which each is reached; the first one is where the robot is now."""

    intents: Intents  # what the plans serve; carries heading, kick and dribbler through to control
    count: Ints  # (n,) waypoints used of k
    xy: Floats  # (n, k, 2)
    time: Floats  # (n, k) absolute
    status: Ints  # (n,) PlanStatus
    reason: Ints  # (n,) PlanReason
    strength: Floats | None = None  # (n,) share of its acceleration that each robot has; None: all of it

    def __len__(self) -> int:
        return len(self.count)
