"""Work space of the planner's kernels, which allocate nothing; a planner keeps its own from tick to tick."""

from dataclasses import dataclass

import numpy as np

from tikitaka.plan.kernels.smoothing import WAYPOINTS
from tikitaka.plan.shortest import Work as Tangents
from tikitaka.types import Floats, Ints

NODES = 512  # of each tree, at most
ROOM = 2 * NODES + 16  # points of a path between two leaves
CORNERS = 64  # of a path, that are remembered


@dataclass(frozen=True, slots=True)
class Work:
    """Nothing of it is remembered from tick to tick; the last robot's search can be looked at."""

    rows: Floats  # (m, 6) its obstacles
    xy: Floats  # (2, NODES, 2) both trees
    parent: Ints
    size: Ints
    path: Floats  # (ROOM, 2)
    best: Floats
    spare: Floats
    raw: Floats
    near: Ints  # (m,)
    tangents: Tangents

    @classmethod
    def of(cls, m: int) -> "Work":
        """Return work space for so many obstacles."""
        path, best, spare, raw = np.empty((4, ROOM, 2))
        tree = (np.empty((2, NODES, 2)), np.empty((2, NODES), np.int64), np.zeros(2, np.int64))
        return cls(np.empty((m, 6)), *tree, path, best, spare, raw, np.empty(m, np.int64), Tangents.of(m))


@dataclass(frozen=True, slots=True)
class Draft:
    """The plans of one tick in the making."""

    numbers: Ints  # (n, 6) see kernels.finding
    ends: Floats  # (n, 4)
    xy: Floats  # (n, WAYPOINTS, 2)
    time: Floats  # (n, WAYPOINTS)
    speed: Floats  # (WAYPOINTS,) of one robot

    @classmethod
    def of(cls, n: int) -> "Draft":
        """Return the draft of n robots."""
        paths = (np.empty((n, WAYPOINTS, 2)), np.empty((n, WAYPOINTS)), np.empty(WAYPOINTS))
        return cls(np.empty((n, 6), np.int64), np.empty((n, 4)), *paths)


class Room:
    """Work space made once for every number of obstacles or robots: what it holds means nothing between two plans."""

    __slots__ = ("_by_robots", "_by_rows")

    def __init__(self) -> None:
        self._by_rows, self._by_robots = dict[int, Work](), dict[int, Draft]()

    def rows(self, m: int) -> Work:
        """Return what a search among m obstacles needs."""
        if m not in self._by_rows:
            self._by_rows[m] = Work.of(m)
        return self._by_rows[m]

    def draft(self, n: int) -> Draft:
        """Return where the plans of n robots are made."""
        if n not in self._by_robots:
            self._by_robots[n] = Draft.of(n)
        return self._by_robots[n]
