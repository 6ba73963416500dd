"""The shortest path among obstacles, exact: what other planners are measured by, and a planner of its own."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from tikitaka.plan.kernels.corners import CIRCLES, EDGES, PER_CIRCLE, PER_EDGE
from tikitaka.plan.kernels.tangents import NO_PATH, NO_ROOM, NOT_FREE, SOLVED, shortest
from tikitaka.plan.kernels.tracing import trace
from tikitaka.types import Floats, Ints

STATES = 1 << 16  # chosen: several times what the hardest scenes take


class Search(IntEnum):
    """How a search ended."""

    SOLVED = SOLVED
    NO_PATH = NO_PATH  # proven
    NOT_FREE = NOT_FREE  # start or target lie inside an obstacle, or are no points
    NO_ROOM = NO_ROOM  # more states needed than there are


@dataclass(frozen=True, slots=True)
class Work:
    """Arrays that a search writes on: see plan/kernels/tangents.py. Made once, used by one thread."""

    tested: Floats
    circles: Floats
    edges: Floats
    states: Floats
    links: Ints
    keys: Floats
    heap: Ints
    heads: Ints

    @classmethod
    def of(cls, obstacles: int, states: int = STATES) -> "Work":
        """Return room for so many obstacles."""
        n = CIRCLES * obstacles
        return cls(
            np.empty((obstacles, 6)),
            np.empty((n, PER_CIRCLE)),
            np.empty((EDGES * obstacles, PER_EDGE)),
            np.empty((states, 6)),
            np.empty((states, 3), np.int64),
            np.empty(states),
            np.empty(states, np.int64),
            np.empty(2 * n + 1, np.int64),
        )


@dataclass(frozen=True, slots=True)
class Path:
    """A shortest path."""

    status: Search
    length: float  # of the path with round turns; inf where there is none
    xy: Floats  # (k, 2) waypoints, free of all obstacles; none where there is no path, or too few were asked for


def shortest_path(
    obstacles: Floats, start: Floats, target: Floats, waypoints: int = 256, work: Work | None = None
) -> Path:
    """Return the shortest path among rows (m, 6) of plan/kernels/shapes.py."""
    m, k = len(obstacles), Work.of(len(obstacles)) if work is None else work
    sx, sy, tx, ty = float(start[0]), float(start[1]), float(target[0]), float(target[1])
    status, length, last, back = shortest(
        obstacles, m, sx, sy, tx, ty, k.tested, k.circles, k.edges, k.states, k.links, k.keys, k.heap, k.heads
    )
    if status != SOLVED:
        return Path(Search(status), np.inf, np.empty((0, 2)))
    xy = np.empty((waypoints, 2))
    count = trace(last, back, m, sx, sy, tx, ty, k.tested, k.circles, k.states, k.links, xy)
    return Path(Search.SOLVED, length, xy[:count])
