"""Those that lean, brought together: one behind another in arrays of one thread, and back.

On a graphics card the 32 threads of a warp lean in 32 worlds. Robots in contact have other numbers in each of them, so
that in the arrays of all worlds every number is fetched alone; here the first that leans is the first in every thread.

near, lines   as ``ahead`` and ``rows``, with the columns that `leaning.settle` works on; the ball stays the last, and
              MARK of robot i is where it stands now
"""

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.tables import (
    BOUNCE,
    CLOSING,
    COLUMNS,
    DRAG,
    FREE,
    GAP,
    LEANER,
    MARK,
    NUDGED,
    PUSH,
    SPEED,
    T_ACROSS,
    T_ALONG,
    TREAD,
    TREADS,
    A,
    B,
    Floats,
)  # fmt: skip


@kernel
def bring(s: int, i: int, q: int, last: int, ahead: Floats, near: Floats) -> None:
    """Copy the velocity of body i, and its columns up to ``last``, to place q."""
    for c in range(SPEED, SPEED + 3):
        near[s, q, c] = ahead[s, i, c]
    for c in range(TREADS, last):
        near[s, q, c] = ahead[s, i, c]
    near[s, i, MARK] = q


@kernel
def bring_bodies(s: int, wheels: int, ahead: Floats, near: Floats) -> None:
    """Bring those that lean, then those that the ball nudges, and the ball."""
    n = ahead.shape[1] - 1
    many = int(ahead[s, n, LEANER])
    near[s, n, LEANER] = many
    for q in range(many):
        near[s, q, LEANER] = q
        bring(s, int(ahead[s, q, LEANER]), q, TREADS + TREAD * wheels, ahead, near)
    if ahead[s, n, MARK] != FREE:
        for i in range(n):
            if ahead[s, i, MARK] == NUDGED:
                bring(s, i, many, TREADS, ahead, near)
                many += 1
    bring(s, n, n, TREADS, ahead, near)


@kernel
def place(s: int, who: float, near: Floats) -> float:
    """Return where a body stands now; the pitch is where it was."""
    return float(near[s, int(who), MARK]) if who >= 0.0 else who


@kernel
def bring_rows(s: int, found: int, rows: Floats, near: Floats, lines: Floats) -> None:
    """Bring the contacts."""
    for k in range(found):
        lines[s, k, A], lines[s, k, B] = place(s, rows[s, k, A], near), place(s, rows[s, k, B], near)
        for c in range(B + 1, COLUMNS):
            if c not in (GAP, BOUNCE, CLOSING):  # what leaning never asks for
                lines[s, k, c] = rows[s, k, c]


@kernel
def take_speed(s: int, i: int, ahead: Floats, near: Floats) -> int:
    """Copy back the velocity of body i, and return where it stood."""
    q = int(near[s, i, MARK])
    for c in range(SPEED, SPEED + 3):
        ahead[s, i, c] = near[s, q, c]
    return q


@kernel
def take_back(s: int, wheels: int, found: int, ahead: Floats, rows: Floats, near: Floats, lines: Floats) -> None:
    """Copy back what leaning found: velocities, and impulses of tyres and contacts."""
    n = ahead.shape[1] - 1
    for k in range(int(ahead[s, n, LEANER])):
        i = int(ahead[s, k, LEANER])
        q = take_speed(s, i, ahead, near)
        for at in range(TREADS, TREADS + TREAD * wheels, TREAD):
            ahead[s, i, at + T_ALONG] = near[s, q, at + T_ALONG]
            ahead[s, i, at + T_ACROSS] = near[s, q, at + T_ACROSS]
    if ahead[s, n, MARK] != FREE:
        take_speed(s, n, ahead, near)
        for i in range(n):
            if ahead[s, i, MARK] == NUDGED:
                take_speed(s, i, ahead, near)
    for k in range(found):
        rows[s, k, PUSH], rows[s, k, DRAG] = lines[s, k, PUSH], lines[s, k, DRAG]
