"""What a tick leaves behind: who touched whom, and impacts.

marks   charge; touched (e, n, n); hits (e, h, 4) impacts of this tick: time since its beginning, the two bodies, speed
        at which they closed; counts (e, 3) number of hits, robot that touched the ball last, command values so far
        that were mended
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.tables import CLOSING, GAP, PUSH, REST_SPEED, A, B, Floats, Ints

Flags = NDArray[np.uint8]
Marks = tuple[Floats, Flags, Floats, Ints]

NO_TIME = -1.0


@kernel
def note_touch(e: int, a: int, b: int, touched: Flags) -> None:
    """Note that two robots touch each other."""
    touched[e, a, b], touched[e, b, a] = 1, 1


@kernel
def note(e: int, s: int, found: int, time: float, n: int, rows: Floats, marks: Marks) -> None:
    """Note who touched whom: in lasting contacts (no time), or in impacts, whose time and speed are kept."""
    _, touched, hits, counts = marks
    column = PUSH if time < 0.0 else GAP
    for k in range(found):
        if rows[s, k, column] <= 0.0:
            continue
        a, b = int(rows[s, k, A]), int(rows[s, k, B])
        if b == n and a >= 0:
            counts[e, 1] = a
        elif a >= 0:
            note_touch(e, a, b, touched)
        if time >= 0.0 and rows[s, k, CLOSING] > REST_SPEED and counts[e, 0] < hits.shape[1]:
            h = counts[e, 0]
            hits[e, h, 0], hits[e, h, 1], hits[e, h, 2], hits[e, h, 3] = time, a, b, rows[s, k, CLOSING]
            counts[e, 0] = h + 1
