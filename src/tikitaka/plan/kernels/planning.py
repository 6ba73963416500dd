"""The plans of a whole team, robot by robot.

i           a robot of ours
corners     (n, K, 2), corner_count (n,) last tick's corners, replaced by the new ones
cache       (n, C, 2), cached (n,) waypoints of earlier paths; a ring, the oldest are overwritten
numbers     (n, 6), ends (n, 4) what was found, see `finding`
out         xy (n, W, 2), time (n, W): the plans
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm
from tikitaka.plan.kernels.errt import STEP
from tikitaka.plan.kernels.finding import CUT, EXACT, NONE, STRAIGHT, find, robot_key
from tikitaka.plan.kernels.gathering import gather, may_touch
from tikitaka.plan.kernels.pacing import pace
from tikitaka.plan.kernels.shapes import depth

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

LONGEST = 64  # waypoints that one path adds to the cache, at most


@kernel
def feed(path: Floats, n: int, step: float, cache: Floats, cached: int) -> int:
    """Put a path into the cache, a point every step of the way; return how many were ever put there.

    Straight paths, too: the first search after somebody has stepped into the way then starts from them
    [ERForce, sec. 3.2].
    """
    room, put, ahead = cache.shape[0], 0, step
    if room == 0:
        return cached
    for k in range(1, n):
        dx, dy = path[k, 0] - path[k - 1, 0], path[k, 1] - path[k - 1, 1]
        d = norm(dx, dy)
        while ahead <= d and put < LONGEST:
            at = cached % room
            cache[at, 0], cache[at, 1] = path[k - 1, 0] + dx * ahead / d, path[k - 1, 1] + dy * ahead / d
            cached, put, ahead = cached + 1, put + 1, ahead + step
        ahead -= d
    return cached


@kernel
def lean(field: Floats, tx: float, ty: float, out: Floats, n: int) -> int:
    """Let a path end at a target behind a wall: who may touch may lean on walls, too; return its waypoints."""
    if depth(field, tx, ty) <= 0.0:
        return n
    n = max(n, 2)
    out[n - 1, 0], out[n - 1, 1] = tx, ty
    return n


@kernel
def plan_errt(
    active: Flags, ours: Floats, our_velocity: Floats, theirs: Floats, their_velocity: Floats, bx: float, by: float,
    target: Floats, use: Ints, contact: Flags, keeper: Flags, facts: Floats, fixed: Floats, settings: Floats,
    attempts: int, budget: int, k0: int, k1: int, tick: int,
    corners: Floats, corner_count: Ints, cache: Floats, cached: Ints,
    rows: Floats, xy: Floats, parent: Ints, size: Ints, path: Floats, best: Floats, spare: Floats, raw: Floats,
    near: Ints, ends: Floats, numbers: Ints, out: Floats,
) -> None:  # fmt: skip
    """Fill every robot's path by ERRT, and what was found."""
    for i in range(ours.shape[0]):
        out[i, 0, 0], out[i, 0, 1] = ours[i, 0], ours[i, 1]
        if not active[i]:
            numbers[i, 0], numbers[i, 1], numbers[i, 2], numbers[i, 4], corner_count[i] = NONE, 0, 1, 0, 0
            continue
        tx, ty = target[i, 0], target[i, 1]
        m = gather(
            i, ours, our_velocity, theirs, their_velocity, bx, by, tx, ty, target[i, 2], use[i], contact[i], keeper[i],
            facts, fixed, rows,
        )  # fmt: skip
        c0, c1 = robot_key(k0, k1, tick, i)
        find(
            rows, m, ours[i, 0], ours[i, 1], tx, ty, settings, attempts, cache[i], min(cached[i], cache.shape[1]),
            corners[i], corner_count[i], c0, c1, budget, xy, parent, size, path, best, spare, raw, near, ends[i],
            numbers[i],
        )  # fmt: skip
        corner_count[i] = numbers[i, 4]
        n = min(numbers[i, 2], out.shape[1])
        cached[i] = feed(path, n, settings[STEP], cache[i], cached[i])
        for k in range(n):
            out[i, k, 0], out[i, k, 1] = path[k, 0], path[k, 1]
        if numbers[i, 0] == CUT and may_touch(contact[i], use[i], tx, ty, bx, by, facts):
            n = lean(fixed[0], tx, ty, out[i], n)
        numbers[i, 2] = n


@kernel
def find_all(
    starts: Floats, targets: Floats, obstacles: Floats, settings: Floats, attempts: int, budget: int, k0: int, k1: int,
    old: Floats, cache: Floats, xy: Floats, parent: Ints, size: Ints, path: Floats, best: Floats, spare: Floats,
    raw: Floats, near: Ints, ends: Floats, numbers: Ints, out: Floats,
) -> None:  # fmt: skip
    """Fill the paths of many scenes that have nothing to do with each other."""
    for i in range(starts.shape[0]):
        c0, c1 = robot_key(k0, k1, i, 0)
        find(
            obstacles[i], obstacles.shape[1], starts[i, 0], starts[i, 1], targets[i, 0], targets[i, 1], settings,
            attempts, cache, 0, old, 0, c0, c1, budget, xy, parent, size, path, best, spare, raw, near, ends[i],
            numbers[i],
        )  # fmt: skip
        numbers[i, 2] = min(numbers[i, 2], out.shape[1])
        for k in range(numbers[i, 2]):
            out[i, k, 0], out[i, k, 1] = path[k, 0], path[k, 1]


@kernel
def plan_straight(active: Flags, ours: Floats, target: Floats, numbers: Ints, out: Floats) -> None:
    """Fill two waypoints a robot, here and the target; nobody is seen."""
    for i in range(ours.shape[0]):
        out[i, 0, 0], out[i, 0, 1], out[i, 1, 0], out[i, 1, 1] = ours[i, 0], ours[i, 1], target[i, 0], target[i, 1]
        numbers[i, 0], numbers[i, 1], numbers[i, 2] = EXACT * active[i], STRAIGHT * active[i], 2


@kernel
def pace_all(
    ours: Floats, velocity: Floats, end_speed: Floats, max_speed: Floats, differential: bool, two_faced: bool,
    limits: Floats, now: float, numbers: Ints, out: Floats, speed: Floats, time: Floats,
) -> None:  # fmt: skip
    """Fill the times of all waypoints; as far as the longest path goes the others repeat their last one."""
    most = 2
    for i in range(ours.shape[0]):
        most = max(most, numbers[i, 2])
    for i in range(ours.shape[0]):
        n = numbers[i, 2]
        pace(
            out[i], n, velocity[i], ours[i, 2], end_speed[i], max_speed[i], differential, two_faced, limits, now,
            speed, time[i],
        )  # fmt: skip
        for k in range(n, most):
            out[i, k, 0], out[i, k, 1], time[i, k] = out[i, n - 1, 0], out[i, n - 1, 1], time[i, n - 1]
