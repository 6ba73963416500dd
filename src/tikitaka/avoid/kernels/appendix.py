"""The next collision of a robot as [Austro, App. A, NextCollision()] prints it, each of its errata mended or not.

With none mended it is the printed program, with all of them it finds what `meeting` finds. R is the own robot, H
another one; x, y are of H as seen from R. Printed, x is towards R's target, while angles are between headings: two
frames.

rel    H's course less R's, in [-pi, pi); printed: of headings
v, u   own and other speed
mended   a set of errata, the bits of `facts`
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.avoid.kernels.facts import (
    ANGULAR,
    FRAMES,
    FRONTAL,
    HEAD_ON,
    HORIZON,
    KIND,
    LATE,
    MARGIN,
    NONE,
    OTHERS,
    PARTNER,
    PAST,
    PERPENDICULAR,
    REAR_END,
    RIGHT,
    SPREAD,
    STALE,
    STANDING,
    STATIC,
    STILL,
    TIME,
)
from tikitaka.avoid.kernels.meeting import AHEAD, ALL, classify, course_of, note, passes_right
from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import cross, dot, norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

LATER = 1.0  # [s] the printed past-check looks so far ahead


@kernel
def kind_of(rel: float, u: float, mended: int, facts: Floats) -> int:
    """Return how R and H would meet; printed there is neither rear-end nor static."""
    if u <= facts[STILL]:
        return STATIC if mended & STANDING else FRONTAL
    kind = classify(rel)
    return ANGULAR if kind == REAR_END and not mended & HEAD_ON else kind


@kernel
def crossing(x: float, y: float, rel: float, vx: float, vy: float) -> tuple[float, float, float]:
    """Return the printed point of collision, and a sign: -1 where H, of velocity (vx, vy), is held to be past it."""
    if classify(rel) == FRONTAL:
        return 0.5 * x, 0.5 * y, -1.0 if x < 0.0 else 1.0
    rel = rel % (2.0 * math.pi)  # the thesis' program has angles in [0, 2 pi)
    if rel > math.pi:
        rel -= math.pi
    slope = abs(math.sin(rel))
    if slope == 0.0:
        return np.nan, 0.0, 1.0  # parallel headings: printed divides by nothing
    to_go = -y / slope
    cx = x + to_go * math.cos(rel)
    now, later = norm(cx - x, y), norm(cx - x - LATER * vx, y + LATER * vy)
    return cx, 0.0, -1.0 if now < later else 1.0


@kernel
def times_printed(
    x: float, y: float, rel: float, vx: float, vy: float, v: float, u: float, facts: Floats
) -> tuple[float, float, float]:
    """Return R's time and way to the printed point of collision, and H's time."""
    cx, cy, sign = crossing(x, y, rel, vx, vy)
    t_me = cx / v
    if u > facts[STILL]:
        return t_me, cx, sign * norm(x - cx, y - cy) / u
    return t_me, cx, t_me if abs(y) < facts[MARGIN] else -1.0


@kernel
def times_mended(kind: int, x: float, y: float, rel: float, v: float, u: float) -> tuple[float, float, float]:
    """Return the same, as `meeting.foresee` has them; -1 is never."""
    if kind in (PERPENDICULAR, ANGULAR):
        way = x - y * math.cos(rel) / math.sin(rel)
        return way / v, way, -y / (u * math.sin(rel))
    closing = v if kind == STATIC else v - u * math.cos(rel)
    t = x / closing if closing > 0.0 else -1.0
    return t, v * t, t


@kernel
def is_mended(kind: int, mended: int) -> bool:
    """Say whether the times of such a collision are mended."""
    if kind in (PERPENDICULAR, ANGULAR):
        return mended & PAST != 0
    return mended & (STANDING if kind == STATIC else HEAD_ON) != 0


@kernel
def comes_from_right(
    kind: int, y: float, rel: float, u: float, mended: int, dx: float, dy: float, own: Floats, other: Floats,
    facts: Floats,
) -> bool:  # fmt: skip
    """Say whether H comes from the right, or passes on the right; velocities are (3,)."""
    if not mended & RIGHT:
        return bool(y < facts[MARGIN])
    if kind in (PERPENDICULAR, ANGULAR):
        return rel > 0.0
    if kind == FRONTAL and u > facts[STILL]:
        return passes_right(dx, dy, own, other, 0.5 * facts[MARGIN])
    return y < 0.0


@kernel
def look_printed(
    i: int, cx: float, cy: float, v: float, who: int, mended: int, pose: Floats, velocity: Floats, courses: Floats,
    sees: Bools, reach: Floats, facts: Floats, numbers: Floats, counts: Ints,
) -> None:  # fmt: skip
    """Write the collision of robot i into row i, seen along (cx, cy); as `meeting.look`."""
    course, stale = math.atan2(cy, cx), who == ALL and not mended & STALE
    for j in range(pose.shape[0] if mended & OTHERS else counts.shape[0]):
        if not sees[i, j]:
            continue
        dx, dy = pose[j, 0] - pose[i, 0], pose[j, 1] - pose[i, 1]
        x, y = dot(cx, cy, dx, dy), cross(cx, cy, dx, dy)
        rel = turn(courses[j, 1], course) if mended & FRAMES else turn(pose[j, 2], pose[i, 2])
        u = courses[j, 0]
        kind = kind_of(rel, u, mended, facts)
        crosses = kind in (PERPENDICULAR, ANGULAR)
        if crosses and who == AHEAD:
            continue
        if is_mended(kind, mended):
            t_me, way, t_other = times_mended(kind, x, y, rel, v, u)
        else:
            wx, wy = dot(cx, cy, velocity[j, 0], velocity[j, 1]), cross(cx, cy, velocity[j, 0], velocity[j, 1])
            t_me, way, t_other = times_printed(x, y, rel, wx, wy, v, u, facts)
        if not math.isfinite(t_me) or t_me < 0.0 or t_other < -facts[LATE]:
            continue
        best = numbers[i, TIME]
        if counts[i, KIND] != NONE and (t_me > best or (t_me == best and not stale)):
            continue
        if crosses:
            hit = t_me < facts[HORIZON] and abs(t_me - t_other) < facts[SPREAD]
        else:
            hit = x > 0.0 and abs(y) < reach[j] / reach[i] * facts[MARGIN]
        right = comes_from_right(kind, y, rel, u, mended, dx, dy, velocity[i], velocity[j], facts)
        if hit or stale:  # printed the old type stays, with the new robot's numbers
            note(i, j, kind if hit else counts[i, KIND], t_me, way, v, u, cx, cy, right, pose, numbers, counts)


@kernel
def next_printed(
    i: int, mended: int, pose: Floats, velocity: Floats, courses: Floats, sees: Bools, reach: Floats, aim: Floats,
    facts: Floats, numbers: Floats, counts: Ints,
) -> None:  # fmt: skip
    """Write the collision that the printed program finds for robot i into row i."""
    counts[i, KIND], counts[i, PARTNER], numbers[i, TIME] = NONE, -1, np.inf
    ax, ay = aim[i, 0] - pose[i, 0], aim[i, 1] - pose[i, 1]
    cx, cy, v = course_of(velocity[i, 0], velocity[i, 1], ax, ay, facts[STILL])
    v, angle = max(v, facts[STILL]), math.atan2(ay, ax)
    given = (mended, pose, velocity, courses, sees, reach, facts, numbers, counts)
    if not mended & FRAMES:
        look_printed(i, math.cos(angle), math.sin(angle), v, ALL, *given)
        return
    look_printed(i, cx, cy, v, ALL, *given)
    bx, by, _ = course_of(0.0, 0.0, ax, ay, facts[STILL])
    look_printed(i, bx, by, v, AHEAD, *given)
