"""All numbers of one moment in one array, which is made in one go: what is believed of robots and ball, and why.

numbers     (room_for(h, n),)  of h guesses and n robots, ours the first half
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.kicking import MEMORY, MOST_POINTS
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Several = tuple[Floats, ...]

TENTATIVE = 32  # chosen: sightings that nobody took are kept, so many


def room_for(h: int, n: int) -> int:
    """Return how many numbers there are."""
    return h * (45 * n + n // 2 + 1) + 4 * n + 6 * TENTATIVE + 9 + 49 + MEMORY + 3 * MOST_POINTS


def parts_of(numbers: Floats, h: int, n: int) -> Several:
    """Return the parts, none copied, in the order of `ticking`: seven of a belief, four of a ball, and prices."""
    p, held = h * n * 6, h * n * 42
    since = held + h * (n // 2)
    cost = since + 3 * h * n
    nis = cost + h
    tentative = nis + 2 * n
    mean = tentative + 6 * TENTATIVE
    covariance, memory = mean + 9, mean + 58
    path = memory + MEMORY
    prices = path + 3 * MOST_POINTS
    return (
        numbers[:p].reshape((h, n, 6)), numbers[p:held].reshape((h, n, 6, 6)),
        numbers[held:since].reshape((h, n // 2)), numbers[since:cost].reshape((3, h, n)), numbers[cost:nis],
        numbers[nis:tentative].reshape((n, 2)), numbers[tentative:mean].reshape((TENTATIVE, 6)),
        numbers[mean:covariance], numbers[covariance:memory].reshape((7, 7)), numbers[memory:path],
        numbers[path:prices].reshape((MOST_POINTS, 3)), numbers[prices : prices + 2 * n].reshape((2, n)),
    )  # fmt: skip


unpack = kernel(parts_of)
