"""What is done about the next collision: a point beside it, or a brake [Austro, Algs. 1 and 3].

(n, k, 2) xy, (n, k) time, (n,) count, status and reason are plans, changed in place; a robot that is not `free` keeps
its own. `free` and the table of everybody are filled by `gathering`.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.avoid.kernels.appendix import next_printed
from tikitaka.avoid.kernels.facts import (
    ANGULAR,
    BRAKE,
    COURSE,
    DISTANCE,
    DODGE_AHEAD,
    DODGE_LEAST,
    DODGE_MOST,
    DODGE_TIME,
    EDGE_X,
    EDGE_Y,
    FROM_RIGHT,
    HORIZON,
    KIND,
    MY_SPEED,
    NEAR,
    NEAR_TARGET,
    NONE,
    OTHER_SPEED,
    OTHERS,
    PARTNER,
    PERPENDICULAR,
    RIGHT,
    SAFETY,
    TIME,
)
from tikitaka.avoid.kernels.gathering import within
from tikitaka.avoid.kernels.meeting import fill_courses, next_collision
from tikitaka.geom.frames import to_field
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross, dot, norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

INSIDE = 0.5  # of the touching distance: chosen, bodies cannot be nearer
OFF = 0.5  # of the half pitch: chosen, how far from the middle who is there is sent
ALONE = 2.0  # [Austro, sec. 3.3.1] who dodges alone does so with a larger margin; chosen: twice
PARTIAL, BLOCKED = 3, 10  # PlanStatus.PARTIAL, PlanReason.BLOCKED


@kernel
def go_to(i: int, x: float, y: float, pose: Floats, now: float, xy: Floats, time: Floats, count: Ints) -> None:
    """Let robot i go straight to (x, y), at the pace of its plan so far."""
    way = norm(xy[i, 0, 0] - pose[i, 0], xy[i, 0, 1] - pose[i, 1])
    for k in range(1, count[i]):
        way += norm(xy[i, k, 0] - xy[i, k - 1, 0], xy[i, k, 1] - xy[i, k - 1, 1])
    took = time[i, count[i] - 1] - now
    share = norm(x - pose[i, 0], y - pose[i, 1]) / way if way > 0.0 else 0.0
    xy[i, 0, 0], xy[i, 0, 1], xy[i, 1, 0], xy[i, 1, 1] = pose[i, 0], pose[i, 1], x, y
    time[i, 0], time[i, 1] = now, now + took * share
    count[i] = 2


@kernel
def at_target(i: int, pose: Floats, xy: Floats, count: Ints, near: float) -> bool:
    """Say whether robot i is near the end of its plan."""
    k = count[i] - 1
    return norm(xy[i, k, 0] - pose[i, 0], xy[i, k, 1] - pose[i, 1]) < near


@kernel
def leaves(
    i: int, pose: Floats, now: float, sees: Bools, reach: Floats, edge_x: float, edge_y: float, xy: Floats,
    time: Floats, count: Ints, status: Ints,
) -> bool:  # fmt: skip
    """Send robot i, if it is where another one is, to a point of its own around the middle; return whether it is."""
    for j in range(pose.shape[0]):
        if sees[i, j] and norm(pose[j, 0] - pose[i, 0], pose[j, 1] - pose[i, 1]) < INSIDE * reach[j]:
            angle = 2.0 * math.pi * i / sees.shape[0]
            go_to(i, OFF * edge_x * math.cos(angle), OFF * edge_y * math.sin(angle), pose, now, xy, time, count)
            status[i] = PARTIAL
            return True
    return False


@kernel
def auto_avoid(
    pose: Floats, now: float, free: Bools, sees: Bools, reach: Floats, aim: Floats, facts: Floats, xy: Floats,
    time: Floats, count: Ints, status: Ints,
) -> None:  # fmt: skip
    """Send every robot past whoever stands between it and its target, always on the left [Austro, Alg. 1]."""
    walls = (facts[EDGE_X], facts[EDGE_Y])
    for i in range(free.shape[0]):
        if not free[i] or leaves(i, pose, now, sees, reach, *walls, xy, time, count, status):
            continue
        ax, ay = aim[i, 0] - pose[i, 0], aim[i, 1] - pose[i, 1]
        far = norm(ax, ay)
        if far == 0.0:
            continue
        cx, cy, tx, ty, found = ax / far, ay / far, far, 0.0, False
        for j in range(pose.shape[0]):
            dx, dy = pose[j, 0] - pose[i, 0], pose[j, 1] - pose[i, 1]
            x, y, wide = dot(cx, cy, dx, dy), cross(cx, cy, dx, dy), facts[SAFETY] * reach[j] / reach[i]
            if sees[i, j] and x > 0.0 and x < far and abs(y) < wide:
                tx, ty, found = x, y + wide, True  # the last one counts, not the next
        if found:
            gx, gy = to_field(tx, ty, pose[i, 0], pose[i, 1], math.atan2(cy, cx))
            gx, gy = within(gx, gy, pose[i], *walls)
            go_to(i, gx, gy, pose, now, xy, time, count)
            status[i] = PARTIAL


@kernel
def dodge_point(
    i: int, scale: float, facts: Floats, pose: Floats, numbers: Floats, counts: Ints
) -> tuple[float, float]:
    """Return the point beside a head-on collision: on the left of an other that passes on the right, else the right."""
    speeds = numbers[i, MY_SPEED] + numbers[i, OTHER_SPEED]
    aside = clamp(facts[DODGE_TIME] * speeds, facts[DODGE_LEAST], facts[DODGE_MOST])
    ahead = max(numbers[i, DISTANCE] - aside, facts[DODGE_AHEAD])
    y = scale * (aside if counts[i, FROM_RIGHT] != 0 else -aside)
    return to_field(ahead, y, pose[i, 0], pose[i, 1], numbers[i, COURSE])


@kernel
def waits(i: int, free: Bools, counts: Ints) -> bool:
    """Say whether robot i is to give way: to the right, and to those that never do."""
    if not free[i] or counts[i, KIND] not in (PERPENDICULAR, ANGULAR):
        return False
    j = counts[i, PARTNER]
    return counts[i, FROM_RIGHT] != 0 or j >= free.shape[0] or not free[j]


@kernel
def goes_first(i: int, free: Bools, counts: Ints) -> bool:
    """Say whether robots wait for one another in a circle and i has the lowest number in it."""
    j = i
    for _ in range(free.shape[0]):
        j = counts[j, PARTNER]
        if j == i:
            return True
        if j < i or j >= free.shape[0] or not waits(j, free, counts):
            return False
    return False


@kernel
def avoid_mended(
    pose: Floats, velocity: Floats, now: float, free: Bools, sees: Bools, reach: Floats, aim: Floats, facts: Floats,
    courses: Floats, numbers: Floats, counts: Ints, xy: Floats, time: Floats, count: Ints, status: Ints, reason: Ints,
) -> None:  # fmt: skip
    """Change plans as [Austro, Alg. 3] means it; to stop is to brake, and of a circle that waits one goes first."""
    n, walls = free.shape[0], (facts[EDGE_X], facts[EDGE_Y])
    fill_courses(velocity, facts, courses)
    for i in range(n):
        next_collision(i, pose, velocity, courses, sees, reach, aim, facts, numbers, counts)
    for i in range(n):
        if not free[i] or leaves(i, pose, now, sees, reach, *walls, xy, time, count, status):
            continue
        if counts[i, KIND] == NONE:
            continue
        if counts[i, KIND] in (PERPENDICULAR, ANGULAR):
            if waits(i, free, counts) and not goes_first(i, free, counts):
                status[i], reason[i] = 0, BLOCKED  # erratum: an explicit brake
        else:
            j = counts[i, PARTNER]
            scale = 1.0 if j < n and free[j] else ALONE
            x, y = dodge_point(i, scale, facts, pose, numbers, counts)
            x, y = within(x, y, pose[i], *walls)
            go_to(i, x, y, pose, now, xy, time, count)
            status[i] = PARTIAL


@kernel
def gives_way(i: int, mended: int, free: Bools, counts: Ints) -> bool:
    """Say whether robot i stops for the one that crosses its course."""
    if mended & RIGHT:
        return waits(i, free, counts) and not goes_first(i, free, counts)
    return bool(counts[i, FROM_RIGHT] != 0)


@kernel
def avoid_printed(
    mended: int, pose: Floats, velocity: Floats, now: float, free: Bools, sees: Bools, reach: Floats, aim: Floats,
    facts: Floats, courses: Floats, numbers: Floats, counts: Ints, xy: Floats, time: Floats, count: Ints, status: Ints,
    reason: Ints,
) -> None:  # fmt: skip
    """Change plans as [Austro, App. A, CollisionAvoid()] prints it, but for the errata that are ``mended``."""
    n, walls = free.shape[0], (facts[EDGE_X], facts[EDGE_Y])
    fill_courses(velocity, facts, courses)
    for i in range(n):
        next_printed(i, mended, pose, velocity, courses, sees, reach, aim, facts, numbers, counts)
    for i in range(n):
        if not free[i] or leaves(i, pose, now, sees, reach, *walls, xy, time, count, status):
            continue
        if counts[i, KIND] == NONE or numbers[i, TIME] > facts[HORIZON]:
            continue
        if not mended & NEAR_TARGET and at_target(i, pose, xy, count, facts[NEAR]):
            continue
        x, y, j = pose[i, 0], pose[i, 1], counts[i, PARTNER]
        if counts[i, KIND] in (PERPENDICULAR, ANGULAR):
            if not gives_way(i, mended, free, counts):
                continue
            if mended & BRAKE:
                status[i], reason[i] = 0, BLOCKED
                continue
        elif mended & OTHERS:
            x, y = dodge_point(i, 1.0 if j < n and free[j] else ALONE, facts, pose, numbers, counts)
            x, y = within(x, y, pose[i], *walls)
        else:
            x, y = dodge_point(i, 1.0, facts, pose, numbers, counts)
        go_to(i, x, y, pose, now, xy, time, count)  # printed, to stop is to go to where one is
        status[i] = PARTIAL
