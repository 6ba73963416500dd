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


@dataclass(frozen=True, slots=True)
class Plans:
    """Waypoints with the time at which each is reached; the first one is where the robot is now."""

    intents: Intents  # what the plans serve; carries heading, kick and dribbler through to control
    count: Ints  # (n,) waypoints used of k
    xy: Floats  # (n, k, 2)
    time: Floats  # (n, k) absolute
    status: Ints  # (n,) PlanStatus

    def __len__(self) -> int:
        return len(self.count)
