"""Scratch for the kernels, made once for a pitch: what it holds means nothing between two crossings."""

import numpy as np

from tikitaka.estimate.kernels.packing import room_for
from tikitaka.estimate.kernels.piling import pairs_room
from tikitaka.estimate.kernels.recalling import NUMBERS, STEPS
from tikitaka.types import Floats, Ints

MOST_OFFERS = 96  # chosen: ways to exchange robots that are weighed in one picture


class Room:
    """Arrays in the order of `kernels.ticking.tick`, for all robots n, guesses h and boards."""

    __slots__ = ("_by_rows", "fixed", "h", "n", "numbers", "teams")

    def __init__(self, n: int, h: int, boards: int) -> None:
        self.n, self.h, self.numbers = n, h, room_for(h, n)  # how many numbers a moment has
        halves = (slice(0, n // 2), slice(n // 2, n))
        self.teams = tuple(
            ((rows, slice(0, 3)), (rows, slice(3, 6)), rows) for rows in halves
        )  # poses, velocities, ages
        self.fixed: tuple[Floats | Ints, ...] = (
            np.empty((3, h, n, 6)), np.empty((h, n, 6, 6)), np.empty((2, n, 7)), np.empty((MOST_OFFERS, 4)),
            np.empty((pairs_room(n, boards), 4)), np.empty((4, 6, 6)), np.empty((3, h, n), np.int64),
            np.empty((3, 8, 9)), np.empty((6, 7, 7)), np.empty((2, STEPS, n // 2, NUMBERS)),
        )  # fmt: skip
        self._by_rows = dict[int, tuple[Floats | Ints, ...]]()

    def rows(self, m: int) -> tuple[Floats | Ints, ...]:
        """Return what a picture of m robots needs beside."""
        found = self._by_rows.get(m)
        if found is None:
            n, h = self.n, self.h
            found = self._by_rows[m] = (
                np.empty((h, n, m)), np.empty((4, n + m + 1)), np.empty((h + 1, m), np.int64),
                np.empty((2, n + m + 1), np.int64),
            )  # fmt: skip
        return found
