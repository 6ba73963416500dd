"""The robots' tracks after a picture: each takes in what was seen of it.

A belief h holds state (n, 6), covariance p (n, 6, 6), held (ours,) 1: does not do as it was told, seen (n,) when each
was seen last, trouble (n,) how much farther off than foreseen each was, and cost: -2 log of its likelihood beside the
best one's. Our robots are the first rows.

model   (7,)  see the names below
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.guessing import COST, PARENT, taken
from tikitaka.estimate.kernels.kalman import distance_pose, distance_xy, update_at
from tikitaka.estimate.kernels.matching import MOST_TURN
from tikitaka.estimate.kernels.moving import FADE, MISSED, WORRY, move_one
from tikitaka.estimate.kernels.piling import NOBODY
from tikitaka.estimate.kernels.sharing import pair_up, share_trouble
from tikitaka.geom.angles import turn, wrap
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NEVER = -1e8  # [s] before this no track was seen, it was only said where it is
R_XY, R_THETA, GATE, REACH, GROWTH, TURN_RATE, LOST = range(7)
SPUN = 4.0 / 3.0  # of the turn rate that a robot has of itself: pushed robots turn faster, but not much
SURPRISE = 16.0  # squared Mahalanobis distance of a place: one in 3000
UNUSUAL = 25.0  # chosen: variances of a measurement by which a place must differ to be explained otherwise
MOST_TROUBLE = 30.0  # chosen
BRISK = 0.5  # [m/s] chosen: one that drives so fast may well be foreseen wrongly; one that stands is seen to be held
ASTRAY = 0.3  # [m/s] chosen: standard deviation of the velocity of one of ours that comes back, in its own frame
BETTER = 0.3  # chosen: share of that distance which another motion must leave to be believed


@kernel
def take_in(
    state: Floats, p: Floats, x: float, y: float, theta: float, model: Floats, work: Floats
) -> tuple[float, float]:
    """Correct one robot's track by where it was seen, and return the NIS and how many numbers it is of.

    What surprises has met something that nobody foresaw: then the track is less sure of itself than it thought.
    """
    dx, dy, da = x - state[0], y - state[1], turn(theta, state[2])
    measured = not math.isnan(theta)
    place = distance_xy(p, dx, dy, model[R_XY], model[R_XY])[0]
    nis = distance_pose(p, dx, dy, da, model[R_XY], model[R_THETA])[0] if measured else place
    if place > SURPRISE:
        for i in range(6):
            for j in range(6):
                p[i, j] *= place / SURPRISE
    if measured and da * da > MOST_TURN * (p[2, 2] + model[R_THETA]):
        p[2, 2] += da * da
        p[5, 5] += 0.25 * model[TURN_RATE] * model[TURN_RATE]
    for axis in range(3 if measured else 2):
        off = x - state[0] if axis == 0 else y - state[1] if axis == 1 else turn(theta, state[2])
        update_at(state, p, axis, off, model[R_THETA] if axis == 2 else model[R_XY], work)
    state[2] = wrap(state[2])
    state[5] = clamp(state[5], -SPUN * model[TURN_RATE], SPUN * model[TURN_RATE])
    return nis, 3.0 if measured else 2.0


@kernel
def settle(state: Floats, p: Floats, x: float, y: float, theta: float, r_xy: float, r_theta: float, v: float) -> None:
    """Start one robot's track afresh at a pose, with velocity variance v; a heading that is NaN is unknown."""
    for i in range(6):
        state[i] = 0.0
        for j in range(6):
            p[i, j] = 0.0
    known = not math.isnan(theta)
    state[0], state[1], state[2] = x, y, theta if known else 0.0
    p[0, 0], p[1, 1], p[2, 2] = r_xy, r_xy, r_theta if known else 10.0
    p[3, 3], p[4, 4], p[5, 5] = v, v, 100.0 * v


@kernel
def come_back(state: Floats, p: Floats, x: float, y: float, theta: float, model: Floats) -> None:
    """Start one of ours afresh where it is seen after a while unseen: as fast as it should be, whatever way it faces.

    It mostly is: places go wrong when somebody pushes it, but its wheels soon do again as they are told.
    """
    a, vx, vy, omega = theta - state[2], state[3], state[4], state[5]
    settle(state, p, x, y, theta, model[R_XY], model[R_THETA], ASTRAY * ASTRAY)
    c, s = math.cos(a), math.sin(a)
    state[3], state[4], state[5] = c * vx - s * vy, s * vx + c * vy, omega


@kernel
def unsure(before: Floats, p: Floats) -> float:
    """Return the variance of where a robot is foreseen to be, as far as it moves."""
    share = (before[3] * before[3] + before[4] * before[4]) / (BRISK * BRISK)
    return float(min(1.0, share) * 0.5 * (p[0, 0] + p[1, 1]))


@kernel
def judge(
    h: int, i: int, before: Floats, state: Floats, held: Floats, x: float, y: float, told: Floats,
    told_time: Floats, drive: Floats, noise: Floats, doubts: Floats, t: float, end: float, r: float, small: Floats,
) -> None:  # fmt: skip
    """Hold our robot i or let it go, and move it so, if it was seen where it should not be and that explains it.

    One that is held is also let go when it is seen where it would be had it done as it was told.
    """
    miss = (x - state[0]) ** 2 + (y - state[1]) ** 2
    if held[i] == 0.0 and miss < UNUSUAL * r:
        return
    other = small[3, 0]
    for q in range(6):
        other[q] = before[h, i, q]
    move_one(
        other, small[0], i, held.shape[0], held[i] == 0.0, told, told_time, drive, noise, doubts, 0.0, 0.0,
        t, end, small, spread=False,
    )  # fmt: skip
    left = (x - other[0]) ** 2 + (y - other[1]) ** 2
    if left < BETTER * miss or (held[i] != 0.0 and left < UNUSUAL * r):
        held[i] = 1.0 - held[i]
        for q in range(6):
            state[q] = other[q]


@kernel
def follow(
    k: int, t: float, end: float, offers: Floats, partner: Ints, pose: Floats, before: Floats, touched: Ints,
    state: Floats, p: Floats, held: Floats, seen: Floats, trouble: Floats,
    state1: Floats, p1: Floats, held1: Floats, seen1: Floats, trouble1: Floats,
    told: Floats, told_time: Floats, drive: Floats, noise: Floats, doubts: Floats, model: Floats, small: Floats,
    nis: Floats,
) -> None:  # fmt: skip
    """Fill belief k of those that follow (state1 ...) from the one that offered it, moved to the picture's time."""
    h, ours = int(offers[k, PARENT]), held.shape[1]
    for i in range(state.shape[1]):
        inherit(i, state[h], p[h], seen[h], state1[k], p1[k], seen1[k])
        a = taken(offers, k, i, partner)
        trouble1[k, i] = doubts[FADE] * trouble[h, i]
        if a < 0 and i < ours and touched[h, i] != NOBODY:  # where it touches somebody, that may be why
            trouble1[k, i] = max(trouble[h, i], doubts[MISSED])
        if i < ours:
            alone = a >= 0 and touched[h, i] == NOBODY  # unseen it mostly obeys, and a contact explains why it did not
            held1[k, i] = held[h, i] if alone else 0.0
        if a < 0:
            continue
        x, y, theta = pose[a, 0], pose[a, 1], pose[a, 2]
        if i < ours and touched[h, i] == NOBODY:
            judge(
                h, i, before, state1[k, i], held1[k], x, y, told, told_time, drive, noise, doubts, t, end,
                model[R_XY] + unsure(before[h, i], p1[k, i]), small,
            )  # fmt: skip
        away, seen1[k, i], value, numbers = end - seen[h, i], end, 0.0, 0.0
        if i < ours and model[LOST] < away < -NEVER and not math.isnan(theta):
            come_back(state1[k, i], p1[k, i], x, y, theta, model)
        else:
            value, numbers = take_in(state1[k, i], p1[k, i], x, y, theta, model, small[2])
        if away <= model[LOST]:  # a long way unseen says nothing about whether it obeys now
            trouble1[k, i] = min(MOST_TROUBLE, max(trouble1[k, i], doubts[WORRY] * (value / numbers - 1.0)))
        if k == 0:
            nis[i, 0], nis[i, 1] = value, numbers


@kernel
def follow_all(
    kept: int, t: float, end: float, offers: Floats, partner: Ints, pose: Floats, before: Floats, touched: Ints,
    state: Floats, p: Floats, held: Floats, seen: Floats, trouble: Floats,
    state1: Floats, p1: Floats, held1: Floats, seen1: Floats, trouble1: Floats, cost1: Floats,
    told: Floats, told_time: Floats, drive: Floats, noise: Floats, doubts: Floats, model: Floats, small: Floats,
    nis: Floats, same: Ints, owner: Ints, shared: Floats,
) -> None:  # fmt: skip
    """Fill the beliefs that follow; nis (n, 2) is that of the best one's tracks, and of how many numbers it is.

    same (h, n), owner (m,), shared (n,): see `sharing`
    """
    for k in range(kept):
        cost1[k] = offers[k, COST] - offers[0, COST]
        follow(
            k, t, end, offers, partner, pose, before, touched, state, p, held, seen, trouble,
            state1, p1, held1, seen1, trouble1, told, told_time, drive, noise, doubts, model, small, nis,
        )  # fmt: skip
    if kept > 1:
        pair_up(kept, held.shape[1], offers, partner, owner, same)
        share_trouble(kept, held.shape[1], cost1, same, trouble1, shared)


@kernel
def inherit(i: int, state: Floats, p: Floats, seen: Floats, state1: Floats, p1: Floats, seen1: Floats) -> None:
    """Copy track i from one belief to another."""
    seen1[i] = seen[i]
    for q in range(6):
        state1[i, q] = state[i, q]
        for j in range(6):
            p1[i, q, j] = p[i, q, j]
