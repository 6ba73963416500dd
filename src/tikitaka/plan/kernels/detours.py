"""Where a timed plan may go first: sub-destinations around what blocks the way, around the best one so far, anywhere.

A detour is a sub-destination, and when the robot turns from it to its target: at `part` of the time that it would take
to come to rest there; above 1, it waits there `part - 1` seconds.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.random import uniform
from tikitaka.geom.vectors import norm, unit
from tikitaka.plan.kernels.encounters import Mates, at_time, place
from tikitaka.plan.kernels.shapes import FIELD

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_DRAWS = 3  # random numbers a detour
_PERIOD = 8  # detours in turn: four around the blocker, one anywhere, one near the start
_WIDE = 0.3  # [m] chosen: detours lie this far from a blocker without size, and as much around start and target
_SHRINK = 0.85  # chosen: each try around the best detour is so much nearer to it
_LONGEST_WAIT = 1.2  # [s] chosen: a robot at 1 m/s has crossed our way by then


@kernel
def blocker(
    o: Floats, moving: Floats, mates: Mates, now: float, which: int, t: float, x: float, y: float
) -> tuple[float, float, float]:
    """Return centre and radius of what is met at time t; the FIELD's edge is where it is met: at (x, y)."""
    m, k = o.shape[0], moving.shape[0]
    if which < 0:
        return x, y, 0.0
    if which < m:
        row = o[which]
        if row[5] == FIELD:
            return x, y, 0.0
        half = 0.5 * norm(row[2] - row[0], row[3] - row[1])
        return 0.5 * (row[0] + row[2]), 0.5 * (row[1] + row[3]), half + row[4]
    if which < m + k:
        bx, by = place(moving[which - m], t)
        return bx, by, moving[which - m, 5] + moving[which - m, 6] * t
    bx, by = at_time(mates, which - m - k, now + t)
    return bx, by, mates[3][which - m - k]


@kernel
def detour(
    k0: int, k1: int, step: int, stream: int, i: int, nth: int, x: float, y: float, to_x: float, to_y: float,
    bx: float, by: float, br: float,
) -> tuple[float, float, float]:  # fmt: skip
    """Return the i-th detour on the way from (x, y) past a blocker: sub-destination and part."""
    u = uniform(k0, k1, step, stream + _DRAWS * i)
    w = uniform(k0, k1, step, stream + _DRAWS * i + 1)
    part = uniform(k0, k1, step, stream + _DRAWS * i + 2)
    turn, far = nth % _PERIOD, norm(to_x - x, to_y - y)
    if turn < 4:
        ux, uy = unit(bx - x, by - y)
        if ux == 0.0 and uy == 0.0:  # nothing blocks: the robot only wants to get out of where it is
            ux, uy = math.cos(2.0 * math.pi * w), math.sin(2.0 * math.pi * w)
        side = 1.0 if turn % 2 == 0 else -1.0
        aside, along = side * (br + _WIDE * 0.1) * (1.0 + 1.5 * u * u), (br + _WIDE) * (2.0 * w - 0.7)
        return bx - uy * aside + ux * along, by + ux * aside + uy * along, 0.3 + 0.7 * part
    angle = 2.0 * math.pi * u
    cx, cy, reach = 0.5 * (x + to_x), 0.5 * (y + to_y), (0.7 * far + _WIDE) * math.sqrt(w)
    if turn == 5:
        cx, cy, reach = x, y, (0.2 * far + _WIDE) * w
        part = 1.0 + _LONGEST_WAIT * part
    return cx + reach * math.cos(angle), cy + reach * math.sin(angle), part


@kernel
def refined(
    k0: int, k1: int, step: int, stream: int, i: int, tries: float, far: float, sx: float, sy: float, switch: float
) -> tuple[float, float, float]:
    """Return a detour near the best one: the sub-destination, and the time of the turn in seconds."""
    u = uniform(k0, k1, step, stream + _DRAWS * i)
    w = uniform(k0, k1, step, stream + _DRAWS * i + 1)
    v = uniform(k0, k1, step, stream + _DRAWS * i + 2)
    scale = _SHRINK**tries
    reach = scale * (0.4 * far + _WIDE)
    return sx + reach * (2.0 * u - 1.0), sy + reach * (2.0 * w - 1.0), switch * (1.0 + scale * (1.2 * v - 0.7))
