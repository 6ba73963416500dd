"""Ways of own robots that beliefs share, which are followed once: most have the same past in all beliefs.

ways    (2, s, n, 45)  of the first belief's robots in each step: what went in (state, covariance, whether it obeys,
                       trouble, when it was seen), and what came out (state, covariance)
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]

FORGET, NOTE, RECALL = range(3)  # what to do about the ways
NUMBERS = 45
STEPS = 4  # chosen: of a picture that are noted; at 30 Hz it has two


@kernel
def note(way: Floats, state: Floats, p: Floats) -> None:
    """Write down a robot's state and covariance."""
    for i in range(6):
        way[i] = state[i]
        for j in range(6):
            way[6 + 6 * i + j] = p[i, j]


@kernel
def is_noted(way: Floats, state: Floats, p: Floats, off: float, trouble: float, seen: float) -> bool:
    """Say whether exactly this went in."""
    if way[42] != off or way[43] != trouble or way[44] != seen:
        return False
    for i in range(6):
        if way[i] != state[i]:
            return False
    for i in range(6):
        for j in range(6):
            if way[6 + 6 * i + j] != p[i, j]:
                return False
    return True


@kernel
def recall(way: Floats, state: Floats, p: Floats) -> None:
    """Fill a robot's state and covariance."""
    for i in range(6):
        state[i] = way[i]
        for j in range(6):
            p[i, j] = way[6 + 6 * i + j]
