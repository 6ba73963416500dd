"""What the estimator counts about itself, as one array; `health` gives the numbers their names."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PICTURES, LATE, REFUSED, DUPLICATES, NONSENSE, FALSE, MISSED, FOUND, LATENCY, NIS, GUESSES, TIMELESS, JUMPS = range(13)
MANY = 13
FARTHEST = 1e3  # in SI units, chosen: nothing on a pitch is so far off, so fast or kicked so hard
SMOOTH = 0.05  # chosen: share of a new value in a running mean, about a second of pictures


@kernel
def bad_rows(rows: Floats, most: int) -> int:
    """Return how many rows are no places, or more than can be taken; a third column may be NaN, not infinite."""
    bad: int = max(0, rows.shape[0] - most)
    for i in range(min(rows.shape[0], most)):
        third = rows.shape[1] > 2 and math.isinf(rows[i, 2])
        if third or not (abs(rows[i, 0]) <= FARTHEST and abs(rows[i, 1]) <= FARTHEST):
            bad += 1
    return bad


@kernel
def count(counts: Floats, partner: Ints, nis: Floats, rows: int, found: int, guesses: int, age: float) -> None:
    """Add one picture that was taken in."""
    matched, numbers, total = 0.0, 0.0, 0.0
    for i in range(partner.shape[0]):
        if partner[i] >= 0:
            matched += 1.0
            total += nis[i, 0]
            numbers += nis[i, 1]
    first = counts[PICTURES] == 0.0
    counts[PICTURES] += 1.0
    counts[FALSE] += max(0.0, rows - matched - found)
    counts[MISSED] += max(0.0, partner.shape[0] - matched - found)
    counts[FOUND] += found
    counts[LATENCY] += (1.0 if first else SMOOTH) * (age - counts[LATENCY])
    if numbers > 0.0:
        counts[NIS] += SMOOTH * (total / numbers - counts[NIS])
    counts[GUESSES] = guesses
