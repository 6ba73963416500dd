"""Maps of the pitch: how likely a shot from a place scores, and how well a pass reaches it; and places taken from them.

spots   (SPOTS, 2)  places of the supporters, remembered from tick to tick
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.lanes import chance, lane, scores
from tikitaka.decide.kernels.table import AREA_X, AREA_Y, BARRED, CAREFUL, HALF_X, HALF_Y, HULL, OMNI, SPEED
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, norm

Floats = NDArray[np.float64]

SPOTS = 3  # supporters who look for a place
ALONG, ACROSS = 6, 5  # cells of the grid that they look at
NEAR, FAR = 10.0, 55.0  # hulls: lengths of a good pass
STAY = 0.06  # chosen: another place must be better by this
SHOT, ROLL = 0.7, 0.45  # chosen: mean speed of a shot and of a pass without kickers, of the robots' top speed
KICKED, PASSED = 4.5, 2.7  # [m/s] chosen: mean speed of a shot and of a pass with kickers
HELD, AHEAD, GOAL = 0.06, 0.12, 0.6  # chosen: worth of having the ball, of having it before their goal, of a chance
LOSS = 0.08  # chosen: what a lost ball costs
DANGER, NEAR_GOAL = 0.3, 4.5  # chosen: and what more at our goal, less with every metre [m] from it


@kernel
def shot_speed(p: Floats) -> float:
    """Return the mean speed of a shot."""
    return float(KICKED if p[OMNI] > 0.0 else SHOT * p[SPEED])


@kernel
def pass_speed(p: Floats) -> float:
    """Return the mean speed of a pass."""
    return float(PASSED if p[OMNI] > 0.0 else ROLL * p[SPEED])


@kernel
def ball_worth(x: float, y: float, theirs: Floats, their_v: Floats, p: Floats) -> float:
    """Return what it is worth to have the ball at a place."""
    forward = clamp(0.5 + 0.5 * x / p[HALF_X], 0.0, 1.0)
    return HELD + AHEAD * forward + GOAL * scores(x, y, shot_speed(p), theirs, their_v, p)


@kernel
def loss(bx: float, by: float, x: float, y: float, p: Floats) -> float:
    """Return what it costs to lose a ball on its way from b to a place: a careful team fears for its goal."""
    if p[CAREFUL] <= 0.0:
        return LOSS
    near = clamp(1.0 - norm(bx + p[HALF_X], by) / NEAR_GOAL, 0.0, 1.0)
    near += clamp(1.0 - norm(x + p[HALF_X], y) / NEAR_GOAL, 0.0, 1.0)
    return LOSS + 0.5 * DANGER * near


@kernel
def may_go(x: float, y: float, far: float, p: Floats) -> bool:
    """Say whether a pass may go to a place that is so far away: neither too short nor too long, and nowhere barred."""
    hull = p[HULL]
    if not NEAR * hull < far < FAR * hull or abs(x) > p[HALF_X] - 2.0 * hull or abs(y) > p[HALF_Y] - 2.0 * hull:
        return False
    barred = p[BARRED] > 0.0 and abs(x) > p[HALF_X] - p[AREA_X] - hull and abs(y) < p[AREA_Y] + hull
    return not barred


@kernel
def pass_worth(
    bx: float, by: float, x: float, y: float, theirs: Floats, their_v: Floats, p: Floats
) -> tuple[float, float]:
    """Return what a pass from b to a place is worth, and how likely it gets there."""
    if not may_go(x, y, norm(x - bx, y - by), p):
        return 0.0, 0.0
    through = chance(lane(bx, by, x, y, pass_speed(p), theirs, their_v, -1, p) - 0.5 * p[HULL])
    if through <= 0.0:
        return 0.0, 0.0
    return through * ball_worth(x, y, theirs, their_v, p) - (1.0 - through) * loss(bx, by, x, y, p), through


@kernel
def room_at(x: float, y: float, k: int, spots: Floats, p: Floats) -> float:
    """Return what is taken off a place that is near to the places of the supporters before the k-th."""
    less = 0.0
    for j in range(k):
        less += clamp(1.0 - norm(x - spots[j, 0], y - spots[j, 1]) / (20.0 * p[HULL]), 0.0, 1.0)
    return less


@kernel
def look_for_places(
    bx: float, by: float, m: int, theirs: Floats, their_v: Floats, p: Floats, spots: Floats
) -> None:  # fmt: skip
    """Move the first m spots to where a pass from b is worth most, each apart from those before it."""
    low, high = max(bx - 0.35 * p[HALF_X], -0.6 * p[HALF_X]), p[HALF_X] - (p[AREA_X] + 3.0 * p[HULL]) * 0.9
    low = min(low, high - 0.5 * p[HALF_X])
    for k in range(m):
        x, y = spots[k, 0], spots[k, 1]
        best = pass_worth(bx, by, x, y, theirs, their_v, p)[0] + STAY - 0.3 * room_at(x, y, k, spots, p)
        for c in range(ALONG * ACROSS):
            cx = low + (high - low) * ((c // ACROSS) + 0.5) / ALONG
            cy = 1.6 * p[HALF_Y] * ((c % ACROSS + 0.5) / ACROSS - 0.5)
            less = 0.3 * room_at(cx, cy, k, spots, p)
            if less >= 0.3:
                continue
            worth = pass_worth(bx, by, cx, cy, theirs, their_v, p)[0] - less
            if worth > best:
                best, spots[k, 0], spots[k, 1] = worth, cx, cy


@kernel
def fill_maps(
    bx: float, by: float, theirs: Floats, their_v: Floats, p: Floats, goals: Floats, passes: Floats
) -> None:  # fmt: skip
    """Fill both maps (rows along y, columns along x, cells of equal size over the whole pitch)."""
    rows, columns = goals.shape
    for r in range(rows):
        y = p[HALF_Y] * (2.0 * (r + 0.5) / rows - 1.0)
        for c in range(columns):
            x = p[HALF_X] * (2.0 * (c + 0.5) / columns - 1.0)
            goals[r, c] = scores(x, y, shot_speed(p), theirs, their_v, p)
            passes[r, c] = chance(lane(bx, by, x, y, pass_speed(p), theirs, their_v, -1, p) - 0.5 * p[HULL])
            if math.isnan(goals[r, c]):
                goals[r, c] = 0.0
