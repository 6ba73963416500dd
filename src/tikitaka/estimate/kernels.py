"""Tracks of robots and ball: predicted, matched with detections, corrected.

track  (n, 6)  x, y, theta, vx, vy, omega in the field frame
p      (n, 3, 3)  for each of x, y, theta: variance of position, covariance, variance of velocity
q      spectral density of the acceleration noise [m^2/s^3]
r      variance of a measurement
told   (h, n, 3)  body velocities that our robots were told, newest last; told_time (h,) when each began to act
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import turn, wrap
from tikitaka.geom.drive import body_from_wheels
from tikitaka.geom.frames import rotate
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, clip_norm, norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FAR = 1e12  # cost of a pair that must not be matched


@kernel
def spread(p: Floats, q: float, dt: float) -> None:
    """Let the uncertainty of one axis grow over dt: white acceleration [Beard, Eq. 18 as F P F' + Q]."""
    p[0] += dt * (2.0 * p[1] + dt * p[2]) + q * dt * dt * dt / 3.0
    p[1] += dt * p[2] + q * dt * dt / 2.0
    p[2] += q * dt


@kernel
def correct(track: Floats, p: Floats, axis: int, innovation: float, r: float) -> None:
    """Pull one axis of a track towards a measurement."""
    s = p[0] + r
    gain, gain_v = p[0] / s, p[1] / s
    track[axis] += gain * innovation
    track[axis + 3] += gain_v * innovation
    p[2] -= gain_v * p[1]
    p[1] -= gain * p[1]
    p[0] -= gain * p[0]


@kernel
def coast(track: Floats, dt: float) -> None:
    """Move a track on at constant velocity."""
    for axis in range(3):
        track[axis] += track[axis + 3] * dt
    track[2] = wrap(track[2])


@kernel
def obey(track: Floats, told: Floats, grip: float, spin: float, dt: float) -> None:
    """Move a track of our own on: its velocity goes towards what it was told, as fast as the tyres grip."""
    ux, uy = rotate(told[0], told[1], track[2])
    dx, dy = clip_norm(ux - track[3], uy - track[4], grip * dt)
    dw = clamp(told[2] - track[5], -spin * dt, spin * dt)
    for axis, dv in ((0, dx), (1, dy), (2, dw)):
        track[axis] += (track[axis + 3] + 0.5 * dv) * dt
        track[axis + 3] += dv
    track[2] = wrap(track[2])


@kernel
def obey_until(
    track: Floats, i: int, told: Floats, told_time: Floats, grip: float, spin: float, t: float, end: float
) -> None:
    """Move a track of our own from t to end under the commands that acted then."""
    h = told_time.shape[0]
    for k in range(h):
        stop = min(end, told_time[k + 1]) if k + 1 < h else end
        if stop > t:
            obey(track, told[k, i], grip, spin, stop - t)
            t = stop


@kernel
def advance(
    track: Floats, p: Floats, ours: int, told: Floats, told_time: Floats,
    grip: float, spin: float, q: Floats, t: float, end: float,
) -> None:  # fmt: skip
    """Predict all robots from t to end; q holds the noise of our and of their motion, then of turning."""
    if end <= t:
        return
    for i in range(track.shape[0]):
        if i < ours:
            obey_until(track[i], i, told, told_time, grip, spin, t, end)
        else:
            coast(track[i], end - t)
        noise = q[0] if i < ours else q[1]
        spread(p[i, 0], noise, end - t)
        spread(p[i, 1], noise, end - t)
        spread(p[i, 2], q[2], end - t)


@kernel
def distance2(track: Floats, p: Floats, seen: Floats, r_xy: float, r_theta: float) -> float:
    """Return the squared Mahalanobis distance between a track and a detection, heading included."""
    dx, dy, da = seen[0] - track[0], seen[1] - track[1], turn(seen[2], track[2])
    return dx * dx / (p[0, 0] + r_xy) + dy * dy / (p[1, 0] + r_xy) + da * da / (p[2, 0] + r_theta)


@kernel
def match(cost: Floats, gate: float, partner: Ints) -> None:
    """Pair rows with columns, cheapest first, none above the gate; ``partner`` gets each row's column or -1."""
    for i in range(cost.shape[0]):
        partner[i] = -1
    while True:
        best, row, column = gate, -1, -1
        for i in range(cost.shape[0]):
            for j in range(cost.shape[1]):
                if cost[i, j] < best:
                    best, row, column = cost[i, j], i, j
        if row < 0:
            return
        partner[row] = column
        for i in range(cost.shape[0]):
            cost[i, column] = FAR
        for j in range(cost.shape[1]):
            cost[row, j] = FAR


@kernel
def fill_costs(
    track: Floats, p: Floats, ours: int, pose: Floats, team: Ints, label: Ints, r_xy: float, r_theta: float, cost: Floats
) -> None:
    """Fill the cost of every track-detection pair; colours and readable numbers forbid the others."""
    for i in range(track.shape[0]):
        side = 0 if i < ours else 1
        number = i - side * ours
        for j in range(pose.shape[0]):
            cost[i, j] = FAR
            if team[j] == side and (label[j] < 0 or label[j] == number):
                d = distance2(track[i], p[i], pose[j], r_xy, r_theta)
                cost[i, j] = d if math.isfinite(d) else FAR


@kernel
def absorb(track: Floats, p: Floats, seen: Floats, r_xy: float, r_theta: float) -> None:
    """Correct one robot's track by its detection."""
    correct(track, p[0], 0, seen[0] - track[0], r_xy)
    correct(track, p[1], 1, seen[1] - track[1], r_xy)
    correct(track, p[2], 2, turn(seen[2], track[2]), r_theta)
    track[2] = wrap(track[2])


@kernel
def settle(track: Floats, p: Floats, x: float, y: float, theta: float, r_xy: float, r_theta: float, v: float) -> None:
    """Start one robot's track afresh at a pose, with velocity variance v."""
    track[0], track[1], track[2] = x, y, theta
    track[3], track[4], track[5] = 0.0, 0.0, 0.0
    for axis in range(3):
        p[axis, 0], p[axis, 1], p[axis, 2] = r_theta if axis == 2 else r_xy, 0.0, v


@kernel
def see_robots(
    track: Floats, p: Floats, last: Floats, ours: int, t: float, pose: Floats, team: Ints, label: Ints,
    r_xy: float, r_theta: float, gate: float, lost_after: float, cost: Floats, partner: Ints,
) -> None:  # fmt: skip
    """Match one frame's detections with the tracks; what stays unmatched revives tracks that were lost."""
    fill_costs(track, p, ours, pose, team, label, r_xy, r_theta, cost)
    match(cost, gate, partner)
    lost = 0
    for i in range(track.shape[0]):
        if partner[i] >= 0:
            absorb(track[i], p[i], pose[partner[i]], r_xy, r_theta)
            last[i] = t
        elif t - last[i] > lost_after:
            lost += 1
    if lost > 0:  # matched rows and columns are FAR by now: what is left may revive the lost
        for i in range(track.shape[0]):
            for j in range(pose.shape[0]):
                cost[i, j] = cost[i, j] if t - last[i] > lost_after else FAR
        match(cost, FAR, partner)
        for i in range(track.shape[0]):
            if partner[i] >= 0:
                j = partner[i]
                settle(track[i], p[i], pose[j, 0], pose[j, 1], pose[j, 2], r_xy, r_theta, 1.0)
                last[i] = t


@kernel
def roll(ball: Floats, p: Floats, rolling: float, q: float, dt: float) -> None:
    """Predict the ball over dt under Coulomb friction; it stops, it does not turn back [Beard, sec. 2.4]."""
    if dt <= 0.0:
        return
    speed = norm(ball[2], ball[3])
    if speed > 0.0:
        moving = min(dt, speed / rolling) if rolling > 0.0 else dt
        reach = moving * (1.0 - 0.5 * rolling * moving / speed)
        left = 1.0 - rolling * moving / speed
        ball[0] += ball[2] * reach
        ball[1] += ball[3] * reach
        ball[2] *= left
        ball[3] *= left
    spread(p, q, dt)


@kernel
def see_ball(ball: Floats, p: Floats, misses: int, x: float, y: float, r: float, gate: float, patience: int) -> int:
    """Return how many detections in a row lay outside the gate; too many and the track starts afresh there."""
    dx, dy = x - ball[0], y - ball[1]
    s = p[0] + r
    if dx * dx + dy * dy > gate * s and misses < patience:
        return misses + 1
    if dx * dx + dy * dy > gate * s:
        ball[0], ball[1], ball[2], ball[3] = x, y, 0.0, 0.0
        p[0], p[1], p[2] = r, 0.0, 4.0
        return 0
    gain, gain_v = p[0] / s, p[1] / s
    ball[0] += gain * dx
    ball[1] += gain * dy
    ball[2] += gain_v * dx
    ball[3] += gain_v * dy
    p[2] -= gain_v * p[1]
    p[1] -= gain * p[1]
    p[0] -= gain * p[0]
    return 0


@kernel
def nearest(ball: Floats, xy: Floats) -> int:
    """Return the ball detection nearest to the track, -1: none is finite."""
    best, found = math.inf, -1
    for j in range(xy.shape[0]):
        d = (xy[j, 0] - ball[0]) ** 2 + (xy[j, 1] - ball[1]) ** 2
        if d < best:
            best, found = d, j
    return found


@kernel
def remember(told: Floats, told_time: Floats, inverse: Floats, wheels: Floats, t: float) -> None:
    """Append what our robots were told at t; the oldest entry goes."""
    h = told_time.shape[0]
    for k in range(h - 1):
        told_time[k] = told_time[k + 1]
        for i in range(wheels.shape[0]):
            for q in range(3):
                told[k, i, q] = told[k + 1, i, q]
    told_time[h - 1] = t
    for i in range(wheels.shape[0]):
        told[h - 1, i, 0], told[h - 1, i, 1], told[h - 1, i, 2] = body_from_wheels(inverse, wheels[i])


@kernel
def put(
    track: Floats, p: Floats, last: Floats, ball: Floats, ball_p: Floats, placed: Floats, now: float, r_xy: float, r_theta: float
) -> None:
    """Start all tracks afresh where the referee has put everybody."""
    n = track.shape[0]
    for i in range(n):
        settle(track[i], p[i], placed[i, 0], placed[i, 1], placed[i, 2], r_xy, r_theta, 0.01)
        last[i] = now
    ball[0], ball[1], ball[2], ball[3] = placed[n, 0], placed[n, 1], 0.0, 0.0
    ball_p[0], ball_p[1], ball_p[2] = r_xy, 0.0, 0.01


@kernel
def follow_robots(
    track: Floats, p: Floats, last: Floats, ours: int, t: float, told: Floats, told_time: Floats,
    time: Floats, pose: Floats, team: Ints, label: Ints, model: Floats, q: Floats, now: float, cost: Floats, partner: Ints,
) -> float:  # fmt: skip
    """Return the time of the tracks after all frames newer than t; rows of one frame stand together."""
    r_xy, r_theta, gate, lost_after, grip, spin = model[0], model[1], model[2], model[3], model[4], model[5]
    first = 0
    while first < time.shape[0]:
        end = first
        while end < time.shape[0] and time[end] == time[first]:
            end += 1
        if t < time[first] <= now:
            advance(track, p, ours, told, told_time, grip, spin, q, t, time[first])
            t = time[first]
            see_robots(
                track, p, last, ours, t, pose[first:end], team[first:end], label[first:end],
                r_xy, r_theta, gate, lost_after, cost[:, first:end], partner,
            )  # fmt: skip
        first = max(end, first + 1)
    return t


@kernel
def follow_ball(
    ball: Floats, p: Floats, last: Floats, misses: Ints, t: float, time: Floats, xy: Floats,
    r: float, rolling: float, q: float, gate: float, patience: int, now: float,
) -> float:  # fmt: skip
    """Return the time of the ball's track after all frames newer than t."""
    first = 0
    while first < time.shape[0]:
        end = first
        while end < time.shape[0] and time[end] == time[first]:
            end += 1
        if t < time[first] <= now:
            roll(ball, p, rolling, q, time[first] - t)
            t = time[first]
            j = nearest(ball, xy[first:end])
            if j >= 0:
                misses[0] = see_ball(ball, p, misses[0], xy[first + j, 0], xy[first + j, 1], r, gate, patience)
                last[0] = t
        first = max(end, first + 1)
    return t
