"""Scratch for the kernels, made once for a pitch: what it holds means nothing between two ticks."""

from functools import cache
from typing import Any

import numpy as np

from tikitaka.avoid.kernels import facts
from tikitaka.avoid.kernels.options import OPTIONS
from tikitaka.avoid.kernels.rolling import LIMITS, OPTION
from tikitaka.avoid.kernels.weighing import BOX, PARTS
from tikitaka.types import Bools, Field, Floats

POSTS = 3  # chosen: discs that stand for a side wall of a goal


class Room:
    """Arrays for n of our robots, m bodies in all and roll-outs of so many steps; see `kernels.gathering`."""

    __slots__ = ("aim", "bodies", "choices", "counts", "courses", "field", "free", "lines", "numbers", "stand", "table")

    def __init__(self, n: int, others: int, steps: int, field: Field) -> None:
        self.field, self.stand = field, posts(field)
        m = n + others + 1 + len(self.stand)
        self.bodies = m
        self.table: tuple[Floats, Floats, Floats, Bools] = (
            np.empty((m, 3)), np.empty((m, 3)), np.empty(m), np.empty((n, m), np.bool_),
        )  # fmt: skip
        self.free, self.aim = np.empty(n, np.bool_), np.empty((n, 2))
        self.courses, self.lines = np.empty((m, 2)), np.empty((m + 4, 4))
        self.numbers, self.counts = np.empty((n, facts.NUMBERS)), np.empty((n, facts.COUNTS), np.int64)
        self.choices: tuple[Any, ...] = (
            np.empty(n), np.empty((n + 1, LIMITS)), np.empty((n, OPTIONS, OPTION)),
            np.empty((m, OPTIONS, steps + 1, 2)), np.empty((m, OPTIONS)), np.empty((m, OPTIONS, PARTS, BOX)),
            np.empty((n, OPTIONS, m)), np.empty((n, OPTIONS, m), np.int64),
            np.empty((n, OPTIONS)), np.empty(OPTIONS), np.empty((n, m)), np.empty(m, np.int64), self.lines,
        )  # fmt: skip


class Rooms:
    """A room for each number of robots that was met."""

    __slots__ = ("_known", "_steps")

    def __init__(self, steps: int) -> None:
        self._steps, self._known = steps, dict[tuple[int, int], Room]()

    def room(self, n: int, others: int, field: Field) -> Room:
        """Return scratch for n of our robots and so many others."""
        found = self._known.get((n, others))
        if found is None or found.field is not field:
            found = self._known[n, others] = Room(n, others, self._steps, field)
        return found


@cache
def posts(field: Field) -> Floats:
    """Return discs (k, 3) along the side walls of goals that stand free; where goals are part of the walls, none."""
    if field.margin_x <= 0.0 or field.goal_wall <= 0.0:
        return np.empty((0, 3))
    y = 0.5 * (field.goal_width + field.goal_wall)
    x = field.half_length + np.linspace(0.0, field.goal_depth, POSTS)
    return np.array([(s * d, t * y, field.goal_wall) for s in (-1, 1) for t in (-1, 1) for d in x.tolist()])
