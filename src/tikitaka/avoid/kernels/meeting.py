"""The next collision of a robot, with the errata of [Austro, sec. 3.2 and Alg. 2] mended.

Both robots go on along the course of their velocity. All is seen from the own robot: x ahead, y to its left.

x, y   the other robot
rel    its course less the own one, in [-pi, pi)
v, u   own and other speed
t_me, t_other   until either centre is where the courses cross
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.avoid.kernels.facts import (
    ANGULAR,
    COURSE,
    DISTANCE,
    FROM_RIGHT,
    FRONTAL,
    HORIZON,
    KIND,
    LATE,
    MARGIN,
    MY_SPEED,
    NONE,
    OTHER_SPEED,
    PARTNER,
    PERPENDICULAR,
    PLACE_X,
    PLACE_Y,
    REAR_END,
    SPREAD,
    STATIC,
    STILL,
    TIME,
)
from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import cross, dot, norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

HEAD_ON = math.radians(30.0)  # [Austro, Table 3.1]: within this of straight ahead, or of straight towards us
ALL, AHEAD = 0, 1
ACROSS = math.radians(30.0)  # [Austro, Table 3.1]: within this of a right angle


@kernel
def classify(rel: float) -> int:
    """Return the kind of a collision of two robots that move."""
    if abs(rel) >= math.pi - HEAD_ON:
        return FRONTAL  # erratum: [Austro, Table 3.1] prints it for 0-30 and 330-360 deg
    if abs(rel) <= HEAD_ON:
        return REAR_END
    if abs(abs(rel) - 0.5 * math.pi) <= ACROSS:
        return PERPENDICULAR
    return ANGULAR


@kernel
def foresee(
    kind: int, x: float, y: float, rel: float, v: float, u: float, wide: float, facts: Floats
) -> tuple[float, float]:
    """Return time and own way to a collision of a kind with one robot; infinity where none is within the horizon.

    ``wide`` is how wide it is, in robots.
    """
    if kind in (PERPENDICULAR, ANGULAR):
        t_other = -y / (u * math.sin(rel))  # erratum: its sign tells past from future; printed: 1 s ahead is farther
        way = x - y * math.cos(rel) / math.sin(rel)
        t_me = way / v
        meets = t_me >= 0.0 and t_other >= -facts[LATE] and abs(t_me - t_other) < facts[SPREAD]
    else:
        if not (x > 0.0 and abs(y) < wide * facts[MARGIN]):
            return np.inf, 0.0
        closing = v if kind == STATIC else v - u * math.cos(rel)  # erratum: printed for none; own time to the middle
        t_me = x / closing if closing > 0.0 else -1.0
        way = v * t_me  # erratum: a static robot is met at (x, 0)
        meets = t_me > 0.0
    return (t_me, way) if meets and t_me <= facts[HORIZON] else (np.inf, 0.0)


@kernel
def course_of(vx: float, vy: float, ax: float, ay: float, still: float) -> tuple[float, float, float]:
    """Return the direction in which a robot goes, and its speed; one that stands will go along (ax, ay)."""
    v = norm(vx, vy)
    if v > still:
        return vx / v, vy / v, v
    a = norm(ax, ay)
    return (ax / a, ay / a, v) if a > 0.0 else (1.0, 0.0, v)


@kernel
def passes_right(x: float, y: float, own: Floats, other: Floats, least: float) -> bool:
    """Say whether the other robot will surely pass on our right: by more than ``least`` if nobody changes course.

    (x, y) is where it is from us; own and other velocity are (3,). Both robots get the same answer.
    """
    dx, dy = other[0] - own[0], other[1] - own[1]
    return cross(x, y, dx, dy) < -least * norm(dx, dy)


@kernel
def note(
    i: int, j: int, kind: int, t: float, way: float, v: float, u: float, cx: float, cy: float, right: bool,
    pose: Floats, numbers: Floats, counts: Ints,
) -> None:  # fmt: skip
    """Write a collision into row i."""
    numbers[i, TIME], numbers[i, DISTANCE], numbers[i, MY_SPEED], numbers[i, OTHER_SPEED] = t, way, v, u
    numbers[i, COURSE] = math.atan2(cy, cx)
    numbers[i, PLACE_X], numbers[i, PLACE_Y] = pose[i, 0] + way * cx, pose[i, 1] + way * cy
    counts[i, KIND], counts[i, PARTNER], counts[i, FROM_RIGHT] = kind, j, right


@kernel
def fill_courses(velocity: Floats, facts: Floats, courses: Floats) -> None:
    """Fill the speed of everybody, and the angle of the course of those that move, (m, 2)."""
    for j in range(velocity.shape[0]):
        ux, uy, u = course_of(velocity[j, 0], velocity[j, 1], 1.0, 0.0, facts[STILL])
        courses[j, 0], courses[j, 1] = u, math.atan2(uy, ux) if u > facts[STILL] else 0.0


@kernel
def look(
    i: int, cx: float, cy: float, v: float, who: int, pose: Floats, velocity: Floats, courses: Floats, sees: Bools,
    reach: Floats, facts: Floats, numbers: Floats, counts: Ints,
) -> None:  # fmt: skip
    """Write the earliest collision of robot i on course (cx, cy) into row i, where it is earlier than the one there.

    (m, 3) poses and velocities, (m,) reaches as in `gathering`; ``who`` counts: ALL, or only those AHEAD and not those
    that cross.
    """
    course = math.atan2(cy, cx)
    for j in range(pose.shape[0]):  # erratum: printed for home robots only
        if not sees[i, j]:
            continue
        dx, dy = pose[j, 0] - pose[i, 0], pose[j, 1] - pose[i, 1]
        x, y = dot(cx, cy, dx, dy), cross(cx, cy, dx, dy)  # erratum: one frame for places and courses
        u, rel = courses[j, 0], turn(courses[j, 1], course)
        kind = STATIC if u <= facts[STILL] else classify(rel)
        crosses = kind in (PERPENDICULAR, ANGULAR)
        if crosses and who == AHEAD:
            continue
        t, way = foresee(kind, x, y, rel, v, u, reach[j] / reach[i], facts)
        if t >= numbers[i, TIME]:
            continue  # erratum: nothing is written where nothing is hit
        if crosses:
            right = rel > 0.0  # erratum: y < 0.1 lets both yield; who crosses to the left comes from the right
        elif kind == FRONTAL:
            right = passes_right(dx, dy, velocity[i], velocity[j], 0.5 * facts[MARGIN])
        else:
            right = y < 0.0
        note(i, j, kind, t, way, v, u, cx, cy, right, pose, numbers, counts)


@kernel
def next_collision(
    i: int, pose: Floats, velocity: Floats, courses: Floats, sees: Bools, reach: Floats, aim: Floats, facts: Floats,
    numbers: Floats, counts: Ints,
) -> None:  # fmt: skip
    """Write the earliest collision of robot i into row i: on its course, or head-on on the way to where it aims.

    [Austro, App. A] A robot dodges until the way is free to the original target, not only the way that it now goes.
    """
    counts[i, KIND], counts[i, PARTNER], numbers[i, TIME] = NONE, -1, np.inf
    ax, ay = aim[i, 0] - pose[i, 0], aim[i, 1] - pose[i, 1]
    cx, cy, v = course_of(velocity[i, 0], velocity[i, 1], ax, ay, facts[STILL])
    v = max(v, facts[STILL])
    look(i, cx, cy, v, ALL, pose, velocity, courses, sees, reach, facts, numbers, counts)
    bx, by, _ = course_of(0.0, 0.0, ax, ay, facts[STILL])
    look(i, bx, by, v, AHEAD, pose, velocity, courses, sees, reach, facts, numbers, counts)
