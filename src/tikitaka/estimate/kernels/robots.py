"""The robots' tracks, picture by picture."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.axis import correct
from tikitaka.estimate.kernels.matching import FAR, exchange, fill_costs, match, relay
from tikitaka.estimate.kernels.motion import predict, predict_other, spread_all
from tikitaka.estimate.kernels.pictures import picture_end
from tikitaka.geom.angles import turn, wrap
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SPUN = 4.0 / 3.0  # of the turn rate that a robot has of itself: pushed robots turn faster, but not much
MARGIN = 4.0  # variances of a measurement by which the other motion must fit better


@kernel
def absorb(track: Floats, p: Floats, seen: Floats, r_xy: float, r_theta: float, max_turn_rate: float) -> None:
    """Correct one robot's track by its detection; more than SPUN is a turn read the wrong way round."""
    correct(track, p[0], 0, seen[0] - track[0], r_xy)
    correct(track, p[1], 1, seen[1] - track[1], r_xy)
    correct(track, p[2], 2, turn(seen[2], track[2]), r_theta)
    track[2] = wrap(track[2])
    track[5] = clamp(track[5], -SPUN * max_turn_rate, SPUN * max_turn_rate)


@kernel
def settle(track: Floats, p: Floats, x: float, y: float, theta: float, r_xy: float, r_theta: float, v: float) -> None:
    """Start one robot's track afresh at a pose, with velocity variance v."""
    track[0], track[1], track[2] = x, y, theta
    track[3], track[4], track[5] = 0.0, 0.0, 0.0
    for axis in range(3):
        p[axis, 0], p[axis, 1], p[axis, 2] = r_theta if axis == 2 else r_xy, 0.0, v


@kernel
def judge(track: Floats, other: Floats, held: Floats, i: int, x: float, y: float, margin: float) -> None:
    """Hold our robot i or let it go, if that explains where it was seen clearly better."""
    miss = (x - track[i, 0]) ** 2 + (y - track[i, 1]) ** 2
    if (x - other[i, 0]) ** 2 + (y - other[i, 1]) ** 2 + margin < miss:
        held[i] = 1.0 - held[i]


@kernel
def revive(
    track: Floats, p: Floats, last: Floats, t: float, pose: Floats,
    r_xy: float, r_theta: float, lost_after: float, cost: Floats, partner: Ints, owner: Ints,
) -> None:  # fmt: skip
    """Start lost tracks afresh at detections that nobody took."""
    for i in range(track.shape[0]):
        for j in range(pose.shape[0]):
            cost[i, j] = cost[i, j] if t - last[i] > lost_after else FAR
    match(cost, FAR, partner, owner)
    for i in range(track.shape[0]):
        j = partner[i]
        if j >= 0 and last[i] < t:
            settle(track[i], p[i], pose[j, 0], pose[j, 1], pose[j, 2], r_xy, r_theta, 1.0)
            last[i] = t


@kernel
def see_robots(
    track: Floats, p: Floats, last: Floats, held: Floats, other: Floats, t: float, pose: Floats, team: Ints,
    label: Ints, r_xy: float, r_theta: float, gate: float, lost_after: float, max_turn_rate: float,
    cost: Floats, partner: Ints, owner: Ints,
) -> None:  # fmt: skip
    """Match one frame's detections with the tracks; what stays unmatched revives tracks that were lost."""
    fill_costs(track, p, held.shape[0], pose, team, label, r_xy, r_theta, cost)
    for i in range(track.shape[0]):
        partner[i] = -1
    for j in range(pose.shape[0]):
        owner[j] = -1
    match(cost, gate, partner, owner)
    relay(cost, gate, partner, owner)
    exchange(cost, partner, owner)
    lost = 0
    for i in range(track.shape[0]):
        j = partner[i]
        if j >= 0:
            if i < held.shape[0]:
                judge(track, other, held, i, pose[j, 0], pose[j, 1], MARGIN * r_xy)
            absorb(track[i], p[i], pose[j], r_xy, r_theta, max_turn_rate)
            last[i] = t
        elif t - last[i] > lost_after:
            lost += 1
    if lost > 0:
        revive(track, p, last, t, pose, r_xy, r_theta, lost_after, cost, partner, owner)


@kernel
def follow_robots(
    track: Floats, p: Floats, last: Floats, held: Floats, t: float, told: Floats, told_time: Floats,
    time: Floats, pose: Floats, team: Ints, label: Ints, model: Floats, q: Floats, now: float,
    other: Floats, old: Floats, cost: Floats, partner: Ints, owner: Ints,
) -> float:  # fmt: skip
    """Return the time of the tracks after all frames newer than t; ``other`` holds the tracks as they are."""
    r_xy, r_theta, gate, lost_after, grip, spin = model[0], model[1], model[2], model[3], model[4], model[5]
    first = 0
    while first < time.shape[0]:
        end = picture_end(time, first)
        if t < time[first] <= now:
            if t > -math.inf:  # else this is the first picture ever
                predict_other(track, held, told, told_time, grip, spin, t, time[first], other)
                predict(track, held, told, told_time, grip, spin, model[6], model[7], t, time[first], old)
                spread_all(p, held.shape[0], q, time[first] - t)
            t = time[first]
            see_robots(
                track, p, last, held, other, t, pose[first:end], team[first:end], label[first:end],
                r_xy, r_theta, gate, lost_after, model[8], cost[:, first:end], partner, owner,
            )  # fmt: skip
        first = end
    return t


@kernel
def put(track: Floats, p: Floats, last: Floats, placed: Floats, now: float, r_xy: float, r_theta: float) -> None:
    """Start all tracks afresh where the referee has put everybody."""
    for i in range(track.shape[0]):
        settle(track[i], p[i], placed[i, 0], placed[i, 1], placed[i, 2], r_xy, r_theta, 0.01)
        last[i] = now
