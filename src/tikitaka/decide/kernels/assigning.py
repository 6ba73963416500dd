"""Who takes which place: the assignment of the least cost in all, by augmenting paths with potentials.

cost    (m, m) of robot r at place c; who is nowhere (NaN) takes what is left
u, v    potentials of rows and columns: u[r] + v[c] <= cost[r, c], equal where assigned
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NOWHERE = 1e9  # chosen: costs more than anything


@kernel
def assign(cost: Floats, m: int, work: Floats, links: Ints) -> None:
    """Fill links[0, 1 + c] with the row, from 1 on, of column c. work (4, m + 1), links (2, m + 1) are written."""
    for r in range(m):
        for c in range(m):
            if not abs(cost[r, c]) < NOWHERE:
                cost[r, c] = NOWHERE
    for j in range(m + 1):
        work[0, j], work[1, j], links[0, j] = 0.0, 0.0, 0
    for r in range(1, m + 1):
        links[0, 0] = r
        free = _extend(cost, m, work, links)
        while free != 0:
            before = links[1, free]
            links[0, free] = links[0, before]
            free = before


@kernel
def _extend(cost: Floats, m: int, work: Floats, links: Ints) -> int:
    """Return the free column at the end of the shortest augmenting path from the row in links[0, 0]."""
    for j in range(m + 1):
        work[2, j], work[3, j] = math.inf, 0.0  # least slack so far; 1: the column is reached
    at = 0
    while True:
        work[3, at] = 1.0
        row, least, nearest = links[0, at], math.inf, 0
        for j in range(1, m + 1):
            if work[3, j] > 0.0:
                continue
            slack = cost[row - 1, j - 1] - work[0, row] - work[1, j]
            if slack < work[2, j]:
                work[2, j], links[1, j] = slack, at
            if work[2, j] < least:
                least, nearest = work[2, j], j
        for j in range(m + 1):
            if work[3, j] > 0.0:
                work[0, links[0, j]] += least
                work[1, j] -= least
            else:
                work[2, j] -= least
        at = nearest
        if links[0, at] == 0:
            return at
