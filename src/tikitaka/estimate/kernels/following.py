"""The ball's track over one picture: moved on, matched, corrected, opened for kicks, laid to rest or started afresh.

Symbols as in `kicking`.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels import kicking as at
from tikitaka.estimate.kernels.bouncing import RADIUS, nearest_robot
from tikitaka.estimate.kernels.flight import fit
from tikitaka.estimate.kernels.kicking import (
    absorb,
    begin_path,
    best_of,
    hold_in,
    keep_point,
    kicked,
    noise_at,
    open_up,
    settle,
)
from tikitaka.estimate.kernels.rolling import GRAVITY, MU, RX, RY, TINY, VX, VY, VZ, X, Y, Z, is_flying
from tikitaka.estimate.kernels.travelling import NEAR, travel
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]

STAYS = 3.0  # standard deviations of a detection within which a ball that rests is seen
FRESH = 1.0  # [m/s] chosen: standard deviation of the velocity of a ball that nobody knows anything about
NEXT = 4.0  # chosen: standard deviations by which the second sighting elsewhere may be farther than the fastest ball
BRAKED = 0.01  # [m^2/s^2] chosen: variance of a velocity from two sightings, for what happened in between
FITS = 3.0  # chosen: times its variance that a path which fits leaves a number, on average
HIGHER = 1.2  # chosen: times the league's largest lift that a ball may seem to be lifted with
LEAST_HEIGHT = 0.02  # [m] chosen: lower it may as well roll
FLOWN = 4.0  # chosen: variances of a detection, of the place that a fitted flight gives
FLOWN_V, FLOWN_Z, FLOWN_VZ = 0.04, 0.0025, 0.09  # [m^2/s^2], [m^2], [m^2/s^2] chosen: variances after such a fit


@kernel
def take(
    x: Floats, p: Floats, memory: Floats, path: Floats, t: float, zx: float, zy: float, nis: float, law: Floats,
    boards: Floats, robots: Floats, body: Floats, skin: Floats, tune: Floats, camera: Floats, work: Floats,
) -> None:  # fmt: skip
    """Take in a detection at t that fits, judge how well, and let the ball rest where it does."""
    absorb(x, p, zx, zy, tune, camera, law, work)
    memory[at.SEEN], memory[at.MISSES], memory[at.ELSE_COUNT], memory[at.NIS] = t, 0.0, 0.0, nis
    memory[at.NIS_SUM] += nis
    memory[at.NIS_COUNT] += 1.0
    memory[at.STRAIN] = at.MEMORY_NIS * memory[at.STRAIN] + (1.0 - at.MEMORY_NIS) * nis
    keep_point(memory, path, t, zx, zy)
    if is_flying(x):
        return
    hold_in(x, boards, skin[RADIUS])
    if memory[at.STRAIN] > at.STRAINED:
        open_up(p, at.NUDGE)
        memory[at.STRAIN], memory[at.QUIET], memory[at.MODE] = 2.0, 0.0, at.MOVING
    _, gap = nearest_robot(x[X], x[Y], 0.0, robots, body, skin[RADIUS])
    r = noise_at(x[X], x[Y], tune, camera)
    if (is_still(memory, t, zx, zy, r, tune) and gap > skin[NEAR]) or memory[at.MODE] == at.RESTING:
        rest(x, p, memory, r)


@kernel
def is_still(memory: Floats, t: float, zx: float, zy: float, r: float, tune: Floats) -> bool:
    """Say whether detections have stayed within their noise for longer than a ball at the slow speed would."""
    away = (zx - memory[at.STILL_X]) ** 2 + (zy - memory[at.STILL_Y]) ** 2
    if not away < 2.0 * STAYS * STAYS * r:
        memory[at.STILL_X], memory[at.STILL_Y], memory[at.STILL_TIME], memory[at.QUIET] = zx, zy, t, 0.0
        return False
    memory[at.QUIET] += 1.0
    long = tune[at.SLOW] * (t - memory[at.STILL_TIME]) > 2.0 * STAYS * math.sqrt(r)
    return bool(memory[at.QUIET] >= tune[at.REST] and long)


@kernel
def rest(x: Floats, p: Floats, memory: Floats, r: float) -> None:
    """Let the ball lie exactly still; its place stays open to a quarter of a detection's deviation."""
    least = r / 16.0
    px, py = max(p[X, X], least), max(p[Y, Y], least)
    settle(x, p, x[X], x[Y], 0.0, 0.0, 0.0, 0.0)
    p[X, X], p[Y, Y], memory[at.MODE] = px, py, at.RESTING


@kernel
def wonder(
    x: Floats, p: Floats, memory: Floats, path: Floats, t: float, xy: Floats, tune: Floats, camera: Floats
) -> None:
    """Nothing fits: keep the detection that follows the last such one; after PATIENCE of them the ball is there."""
    memory[at.MISSES] += 1.0
    age, best, j = t - memory[at.ELSE_TIME], math.inf, -1
    for k in range(xy.shape[0]):
        away = norm(xy[k, 0] - memory[at.ELSE_X], xy[k, 1] - memory[at.ELSE_Y])
        if memory[at.ELSE_COUNT] == 0.0:
            away = norm(xy[k, 0] - x[X], xy[k, 1] - x[Y])
        if away < best:
            best, j = away, k
    if j < 0:
        return
    zx, zy = xy[j, 0], xy[j, 1]
    follows = memory[at.ELSE_COUNT] > 0.0 and best <= tune[at.FASTEST] * age + NEXT * math.sqrt(tune[at.R])
    memory[at.ELSE_COUNT] = memory[at.ELSE_COUNT] + 1.0 if follows else 1.0
    if memory[at.ELSE_COUNT] > tune[at.PATIENCE] or t - memory[at.SEEN] > tune[at.LOST]:
        r = noise_at(zx, zy, tune, camera)
        if follows:
            vx, vy, rv = (zx - memory[at.ELSE_X]) / age, (zy - memory[at.ELSE_Y]) / age, 2.0 * r / (age * age) + BRAKED
            keep = min(1.0, tune[at.FASTEST] / max(norm(vx, vy), TINY))
            vx, vy = keep * vx, keep * vy
            settle(x, p, zx, zy, vx, vy, r, rv)
            p[X, VX], p[VX, X], p[Y, VY], p[VY, Y] = r / age, r / age, r / age, r / age
        else:
            settle(x, p, zx, zy, 0.0, 0.0, r, FRESH * FRESH)
        begin_path(memory, t)
        keep_point(memory, path, t, zx, zy)
        memory[at.SEEN], memory[at.MODE], memory[at.STRAIN], memory[at.QUIET] = t, at.MOVING, 2.0, 0.0
        memory[at.MISSES], memory[at.ELSE_COUNT] = 0.0, 0.0
        memory[at.RESTARTS] += 1.0
    memory[at.ELSE_X], memory[at.ELSE_Y], memory[at.ELSE_TIME] = zx, zy, t


@kernel
def look_up(x: Floats, p: Floats, memory: Floats, path: Floats, t: float, tune: Floats, law: Floats, camera: Floats,
            a: Floats) -> None:  # fmt: skip
    """Take the ball for flying where its way since a kick fits a flight and not the ground."""
    count = int(memory[at.POINTS])
    if tune[at.LIFT] <= 0.0 or count < 5 or is_flying(x) or path[count - 1, 0] < t:
        return
    r, g = tune[at.R], law[GRAVITY]
    flat, best, begin = 0.0, math.inf, path[0, 0]
    for k in range(5):  # on the ground; flying, kicked at three times; flying, at the best of them
        if k == 4 and not (best < FITS * (2.0 * count - 5.0) * r and flat - best > at.FLAT_WORSE * r):
            return
        start = begin if k == 4 else path[0, 0] - 0.5 * max(0, k - 1) * (path[1, 0] - path[0, 0])
        left = fit(path, count, start, g, 0.0 if k == 0 else 1.0, camera, a)
        if k == 0:
            flat = left
        elif 0.0 <= left < best:
            best, begin = left, start
    age, lift = t - begin, a[4, 5]
    if not at.LEAST_LIFT < lift < HIGHER * tune[at.LIFT] or lift * age - 0.5 * g * age * age < LEAST_HEIGHT:
        return
    settle(x, p, a[0, 5] + age * a[2, 5], a[1, 5] + age * a[3, 5], a[2, 5], a[3, 5], FLOWN * r, FLOWN_V)
    x[Z], x[VZ], x[RX], x[RY] = lift * age - 0.5 * g * age * age, lift - g * age, 0.0, 0.0
    p[Z, Z], p[VZ, VZ] = FLOWN_Z, FLOWN_VZ
    memory[at.MODE], memory[at.STRAIN] = at.MOVING, 2.0


@kernel
def begin(x: Floats, p: Floats, memory: Floats, t: float, xy: Floats, tune: Floats, camera: Floats) -> None:
    """Start at the first detection ever."""
    for j in range(xy.shape[0]):
        if abs(xy[j, 0]) < math.inf and abs(xy[j, 1]) < math.inf:
            x[MU], p[MU, MU] = tune[at.MU_MEAN], tune[at.MU_VAR]
            settle(x, p, xy[j, 0], xy[j, 1], 0.0, 0.0, noise_at(xy[j, 0], xy[j, 1], tune, camera), FRESH * FRESH)
            memory[at.TIME], memory[at.SEEN], memory[at.MODE], memory[at.STRAIN] = t, t, at.MOVING, 2.0
            return


@kernel
def suspect(x: Floats, dt: float, old: Floats, robots: Floats, body: Floats, skin: Floats, tune: Floats) -> int:
    """Return the robot that may have kicked the ball since the picture before, -1: none was near."""
    best, found = tune[at.REACH], -1
    for k in range(2):  # where it was, and where it should be
        px, py, t = (old[0, 0], old[0, 1], -dt) if k == 0 else (x[X], x[Y], 0.0)
        i, gap = nearest_robot(px, py, t, robots, body, skin[RADIUS])
        if i >= 0 and gap < best:
            best, found = gap, i
    if found < 0 and best == math.inf:
        return int(robots.shape[0])  # it moves by itself
    return found


@kernel
def expect(
    x: Floats, p: Floats, memory: Floats, t: float, xy: Floats, robots: Floats, kicks: Floats, law: Floats,
    boards: Floats, body: Floats, skin: Floats, tune: Floats, camera: Floats, old: Floats, work: Floats,
) -> tuple[int, float]:  # fmt: skip
    """Move the ball on to t and return the detection that fits best (-1: there is none) and its squared distance.

    Two hypotheses part at the picture before: it moved on, or, where that fits nothing, a robot near it kicked it.
    """
    dt, j, nis, other, less = t - memory[at.TIME], -1, 0.0, -1, 0.0
    _keep(x, p, old[0])
    for kick in range(2):
        bounces = travel(x, p, dt, -dt, law, boards, robots, body, skin, work, spread=True)
        other, less = best_of(x, p, xy, tune, camera, work)
        if kick == 0:
            j, nis = other, less
            who = suspect(x, dt, old[0], robots, body, skin, tune)
            if bounces > 0:
                memory[at.MODE], memory[at.QUIET] = at.MOVING, 0.0
                memory[at.BOUNCES] += bounces
            if j < 0 or nis <= tune[at.GATE] or who < 0:
                return j, nis
            _keep(x, p, old[1])
            _restore(x, p, old[0])
            kicked(x, p, who, robots, kicks, tune, law)
    if less > tune[at.GATE]:
        _restore(x, p, old[1])
        return j, nis
    memory[at.KICKS] += 1.0
    memory[at.MODE], memory[at.QUIET], memory[at.STRAIN] = at.MOVING, 0.0, 2.0
    begin_path(memory, t)
    return other, less


@kernel
def follow(
    x: Floats, p: Floats, memory: Floats, path: Floats, t: float, xy: Floats, robots: Floats, kicks: Floats,
    law: Floats, boards: Floats, body: Floats, skin: Floats, tune: Floats, camera: Floats, old: Floats, work: Floats,
) -> None:  # fmt: skip
    """Take in one picture of time t; robots as they are then; old (2, 8, 9) is scratch."""
    if not abs(t) < math.inf or t <= memory[at.TIME]:
        memory[at.LATE] += 1.0
        return
    finite = 0.0
    for j in range(xy.shape[0]):
        finite += 1.0 if abs(xy[j, 0]) < math.inf and abs(xy[j, 1]) < math.inf else 0.0
    memory[at.BAD] += xy.shape[0] - finite
    if memory[at.MODE] == at.UNKNOWN:
        begin(x, p, memory, t, xy, tune, camera)
        return
    kicks_before = memory[at.KICKS]
    j, nis = expect(x, p, memory, t, xy, robots, kicks, law, boards, body, skin, tune, camera, old, work)
    memory[at.TIME] = t
    if j < 0:
        return
    memory[at.REJECTED] += finite - 1.0
    if nis <= tune[at.GATE]:
        take(x, p, memory, path, t, xy[j, 0], xy[j, 1], nis, law, boards, robots, body, skin, tune, camera, work)
        if memory[at.KICKS] > kicks_before:
            open_up(p, norm(x[VX], x[VY]))  # nobody knows when between the pictures it was
    else:
        memory[at.REJECTED] += 1.0
        keep_point(memory, path, t, xy[j, 0], xy[j, 1])
        wonder(x, p, memory, path, t, xy, tune, camera)
    look_up(x, p, memory, path, t, tune, law, camera, work[0])


@kernel
def _keep(x: Floats, p: Floats, old: Floats) -> None:
    for i in range(9):
        old[0, i] = x[i]
    for i in range(7):
        for j in range(7):
            old[1 + i, j] = p[i, j]


@kernel
def _restore(x: Floats, p: Floats, old: Floats) -> None:
    for i in range(9):
        x[i] = old[0, i]
    for i in range(7):
        for j in range(7):
            p[i, j] = old[1 + i, j]
