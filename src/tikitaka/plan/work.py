"""Work space of the planner's kernels, which allocate nothing."""

from dataclasses import dataclass

import numpy as np

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

    @classmethod
    def of(cls, m: int) -> "Work":
        """Return work space for so many obstacles."""
        path, best, spare, raw = np.empty((4, ROOM, 2))
        tree = (np.empty((2, NODES, 2)), np.empty((2, NODES), np.int64), np.zeros(2, np.int64))
        return cls(np.empty((m, 6)), *tree, path, best, spare, raw, np.empty(m, np.int64))
