"""The next collision of a robot exactly as [Austro, App. A, NextCollision()] prints it, with all its errors.

What is wrong with it is mended in `meeting`, line by line. R is the own robot, H another one; x, y are of H as seen
from R, with x towards R's target, while angles are between headings: two frames. Only team mates are seen.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.avoid.kernels.facts import (
    ANGULAR,
    FRONTAL,
    HORIZON,
    KIND,
    LATE,
    MARGIN,
    NONE,
    PARTNER,
    PERPENDICULAR,
    SPREAD,
    STILL,
    TIME,
)
from tikitaka.avoid.kernels.meeting import note
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import cross, dot, norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SIXTH = math.pi / 6.0
AHEAD = 1.0  # [s] the past-check looks so far ahead


@kernel
def full_turn(a: float) -> float:
    """Return the angle in [0, 2 pi), as the thesis' program has them."""
    return a % (2.0 * math.pi)


@kernel
def is_frontal(diff: float) -> bool:
    """Say whether headings that differ so much are opposite."""
    return abs(diff - math.pi) < SIXTH


@kernel
def crossing(x: float, y: float, rel: float, diff: float, vx: float, vy: float) -> tuple[float, float, float]:
    """Return the point of collision, and a sign: -1 where H, of velocity (vx, vy), is held to be past it."""
    if is_frontal(diff):
        return 0.5 * x, 0.5 * y, -1.0 if x < 0.0 else 1.0
    if rel > math.pi:
        rel -= math.pi
    slope = abs(math.sin(rel))
    if slope == 0.0:
        return np.nan, 0.0, 1.0  # parallel headings: printed divides by nothing
    to_go = -y / slope
    cx = x + to_go * math.cos(rel)
    now, later = norm(cx - x, y), norm(cx - x - AHEAD * vx, y + AHEAD * vy)
    return cx, 0.0, -1.0 if now < later else 1.0


@kernel
def kind_of(x: float, y: float, diff: float, u: float, t_me: float, t_other: float, facts: Floats) -> int:
    """Return the type that is set at the end of the loop, NONE where none is."""
    if is_frontal(diff) or u <= facts[STILL]:
        return FRONTAL if x > 0.0 and abs(y) < facts[MARGIN] else NONE
    if t_me < facts[HORIZON] and abs(t_me - t_other) < facts[SPREAD]:
        right_angle = abs(diff - 0.5 * math.pi) < SIXTH or abs(diff - 1.5 * math.pi) < SIXTH
        return PERPENDICULAR if right_angle else ANGULAR
    return NONE


@kernel
def next_printed(
    i: int, mates: int, pose: Floats, velocity: Floats, aim: Floats, facts: Floats, numbers: Floats, counts: Ints
) -> None:
    """Write the collision that the printed program finds for robot i among the first ``mates`` robots into row i."""
    counts[i, KIND], counts[i, PARTNER], numbers[i, TIME] = NONE, -1, np.inf
    angle = math.atan2(aim[i, 1] - pose[i, 1], aim[i, 0] - pose[i, 0])
    c, s = math.cos(angle), math.sin(angle)
    v = max(norm(velocity[i, 0], velocity[i, 1]), facts[STILL])
    for j in range(mates):
        if j == i:
            continue
        dx, dy = pose[j, 0] - pose[i, 0], pose[j, 1] - pose[i, 1]
        x, y = dot(c, s, dx, dy), cross(c, s, dx, dy)
        wx, wy = dot(c, s, velocity[j, 0], velocity[j, 1]), cross(c, s, velocity[j, 0], velocity[j, 1])
        rel = full_turn(pose[j, 2] - pose[i, 2])
        diff = abs(full_turn(pose[j, 2]) - full_turn(pose[i, 2]))
        u = norm(velocity[j, 0], velocity[j, 1])
        cx, cy, sign = crossing(x, y, rel, diff, wx, wy)
        t_me = cx / v
        if not math.isfinite(t_me):
            continue  # parallel headings, or a robot of nowhere
        if counts[i, KIND] != NONE and t_me > numbers[i, TIME]:
            continue
        t_other = t_me if abs(y) < facts[MARGIN] else -1.0
        if u > facts[STILL]:
            t_other = sign * norm(x - cx, y - cy) / u
        if t_me < 0.0 or t_other < -facts[LATE]:
            continue
        kind = kind_of(x, y, diff, u, t_me, t_other, facts)
        kind = kind if kind != NONE else counts[i, KIND]  # the old type stays, with the new robot's numbers
        note(i, j, kind, t_me, cx, v, u, c, s, y < facts[MARGIN], pose, numbers, counts)
