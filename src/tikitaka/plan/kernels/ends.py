"""What a timed plan may do at its two ends: how deep it may go where it starts inside, and where it ends if it cannot.

held    how deep in each obstacle the plan may go, see encounters
tau     time at which the robot would arrive if nothing stood in its way
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm
from tikitaka.plan.kernels.bangbang import NEVER, brake, state
from tikitaka.plan.kernels.chords import deepest
from tikitaka.plan.kernels.encounters import Mates, at_time, place
from tikitaka.plan.kernels.shapes import FIELD, depth, inside, way_out

Floats = NDArray[np.float64]

_SLACK = 1e-6  # [m] a depth that grows by less does not grow
_ALLOWANCE = 1e-3  # [m] the same in what moves, where the braking is looked at in a few moments only
_MOMENTS = 12  # chosen: of a braking
_REACTION = 0.3  # [s] chosen: what moves into a robot that stands so long was not to be kept out
_SLOW = 0.2  # [m/s] chosen: what is no faster stays where it will be on arrival
_STEPS = 64  # back from a target that is not free, then
_HALVINGS = 30
_PUSHES = 8  # out of obstacles, one after another


@kernel
def allowances(
    o: Floats, moving: Floats, mates: Mates, now: float, x: float, y: float, vx: float, vy: float, a: float,
    free: float, rows: Floats, held: Floats,
) -> bool:  # fmt: skip
    """Fill `held`, and say whether any obstacle holds the start.

    Who brakes with all he has may get deeper on the way: so deep everybody may go, no deeper [ERForce, Eq. 4]. From a
    depth of `free` on nothing is forbidden [ERForce, Eq. 3]; outside the field, going further away always is.
    """
    found = False
    n = brake(rows, 0, 0.0, x, y, vx, vy, a)
    stop_x, stop_y, _, _ = state(rows, n, NEVER) if n > 0 else (x, y, 0.0, 0.0)
    for i in range(held.shape[0]):
        held[i] = -1.0
    m, k = o.shape[0], moving.shape[0]
    for i in range(m):
        deep = depth(o[i], x, y)
        if deep > 0.0:
            found = True
            kept = deep < free or o[i, 5] == FIELD
            held[i] = deepest(o[i], x, y, stop_x, stop_y) + _SLACK if kept else NEVER
    for i in range(k + mates[0].shape[0]):
        deep = depth_at(moving, mates, i, now, 0.0, x, y)
        if deep > 0.0:
            found = True
            for j in range(_MOMENTS):
                t = (norm(vx, vy) / a + _REACTION) * (j + 1) / _MOMENTS
                px, py, _, _ = state(rows, n, t) if n > 0 else (x, y, 0.0, 0.0)
                deep = max(deep, depth_at(moving, mates, i, now, t, px, py))
            held[m + i] = NEVER if deep >= free else deep + _ALLOWANCE
    return found


@kernel
def depth_at(moving: Floats, mates: Mates, i: int, now: float, t: float, x: float, y: float) -> float:
    """Return how deep a point is at t in the i-th of what moves: obstacles, then mates."""
    k = moving.shape[0]
    if i < k:
        bx, by = place(moving[i], t)
        r: float = moving[i, 5] + moving[i, 6] * t
        return r - norm(x - bx, y - by)
    if mates[2][i - k] < 1:
        return -NEVER
    bx, by = at_time(mates, i - k, now + t)
    r = mates[3][i - k]
    return r - norm(x - bx, y - by)


@kernel
def last_free(
    o: Floats, moving: Floats, mates: Mates, now: float, tau: float, x: float, y: float, to_x: float, to_y: float
) -> tuple[float, float, bool]:
    """Return the target, and that it is not cut; one that is not free is cut to the last free point of the line to it.

    Where no point of the line is free, the target is pushed out of what holds it.
    """
    if not covered(o, moving, mates, now, tau, to_x, to_y):
        return to_x, to_y, False
    for j in range(1, _STEPS + 1):
        low, high = 1.0 - j / _STEPS, 1.0 - (j - 1) / _STEPS
        if not covered(o, moving, mates, now, tau, x + low * (to_x - x), y + low * (to_y - y)):
            for _ in range(_HALVINGS):
                s = 0.5 * (low + high)
                if covered(o, moving, mates, now, tau, x + s * (to_x - x), y + s * (to_y - y)):
                    high = s
                else:
                    low = s
            return x + low * (to_x - x), y + low * (to_y - y), True
    for _ in range(_PUSHES):
        i = inside(o, o.shape[0], to_x, to_y)
        if i < 0:
            break
        nx, ny = way_out(o[i], to_x, to_y)
        deep = depth(o[i], to_x, to_y) + _SLACK
        to_x, to_y = to_x + deep * nx, to_y + deep * ny
    return to_x, to_y, True


@kernel
def covered(o: Floats, moving: Floats, mates: Mates, now: float, tau: float, x: float, y: float) -> bool:
    """Say whether a point is in a standing obstacle, or will be in one that has come to rest by tau."""
    if inside(o, o.shape[0], x, y) >= 0:
        return True
    k = moving.shape[0]
    for i in range(k + mates[0].shape[0]):
        if i < k:
            rests = norm(moving[i, 2], moving[i, 3]) - max(moving[i, 4], 0.0) * tau < _SLOW
        else:
            count = mates[2][i - k]
            rests = count > 0 and mates[1][i - k, max(count - 1, 0)] <= now + tau
        if rests and depth_at(moving, mates, i, now, tau, x, y) > 0.0:
            return True
    return False
