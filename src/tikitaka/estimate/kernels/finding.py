"""Tracks that were lost, found again at sightings that nobody took: once they have stayed, for a ghost does not.

tentative  (k, 6)  x, y, heading, team, when it was seen last, in how many pictures
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.guessing import taken
from tikitaka.estimate.kernels.robots import LOST, R_THETA, R_XY, settle
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

TEAM, WHEN, TIMES = range(3, 6)
STAYS = 3.0  # chosen: pictures in which somebody must have been seen to be believed
NEAR = 0.12  # [m] chosen: from one picture to the next, 3.6 m/s at 30 Hz
SOON = 0.15  # [s] chosen: between two sightings


@kernel
def mark_taken(kept: int, offers: Floats, partner: Ints, free: Ints) -> int:
    """Fill free (m,) with 1 where no track of any belief took the detection, and return how many there are."""
    for j in range(free.shape[0]):
        free[j] = 1
    for k in range(kept):
        for i in range(partner.shape[1]):
            a = taken(offers, k, i, partner)
            if a >= 0:
                free[a] = 0
    left = min(kept, 0)
    for j in range(free.shape[0]):
        left += free[j]
    return left


@kernel
def note(tentative: Floats, x: float, y: float, theta: float, team: int, now: float) -> float:
    """Return in how many pictures somebody was seen here, this one included."""
    if not (math.isfinite(x) and math.isfinite(y)):
        return 0.0
    best, at, oldest = NEAR * NEAR, -1, 0
    for k in range(tentative.shape[0]):
        d = (tentative[k, 0] - x) ** 2 + (tentative[k, 1] - y) ** 2
        if tentative[k, TEAM] == team and 0.0 < now - tentative[k, WHEN] < SOON and d < best:
            best, at = d, k
        if tentative[k, WHEN] < tentative[oldest, WHEN]:
            oldest = k
    times = tentative[at, TIMES] + 1.0 if at >= 0 else 1.0
    at = at if at >= 0 else oldest
    tentative[at, 0], tentative[at, 1], tentative[at, 2] = x, y, theta
    tentative[at, TEAM], tentative[at, WHEN], tentative[at, TIMES] = team, now, times
    return times


@kernel
def find(
    kept: int, state: Floats, p: Floats, held: Floats, seen: Floats, pose: Floats, team: Ints, label: Ints,
    free: Ints, now: float, model: Floats, tentative: Floats,
) -> int:  # fmt: skip
    """Start lost tracks afresh at sightings that were left over, and return how many; one that never was, at once."""
    ours, found = held.shape[1], min(kept, 0)
    for j in range(pose.shape[0]):
        if free[j] == 0:
            continue
        times = min(kept, 0) - 1.0  # not noted yet
        for h in range(kept):
            who = nearest_lost(state[h], seen[h], ours, pose[j, 0], pose[j, 1], team[j], label[j], now - model[LOST])
            if who < 0:
                continue
            if times < 0.0:
                times = note(tentative, pose[j, 0], pose[j, 1], pose[j, 2], team[j], now)
            if times >= STAYS or (times > 0.0 and seen[h, who] == -math.inf):
                settle(state[h, who], p[h, who], pose[j, 0], pose[j, 1], pose[j, 2], model[R_XY], model[R_THETA], 1.0)
                seen[h, who] = now
                if h == 0:
                    found += 1
    return found


@kernel
def nearest_lost(
    state: Floats, seen: Floats, ours: int, x: float, y: float, team: int, label: int, since: float
) -> int:
    """Return the track nearest to a sighting of those that it may be and that were not seen since, -1: none."""
    best, who = math.inf, -1
    for i in range(state.shape[0]):
        side = 0 if i < ours else 1
        if side != team or (label >= 0 and label != i - side * ours) or seen[i] > since:
            continue
        d = (state[i, 0] - x) ** 2 + (state[i, 1] - y) ** 2
        if d < best:
            best, who = d, i
    return who
