"""Half a turn about the centre: what one side sees, as the other side sees it. And one thing seen twice, made one."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import turn as turned_by
from tikitaka.geom.angles import wrap
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def turn(pose: Floats, turned: Floats) -> None:
    """Fill ``turned`` with the poses (n, 3) seen from the other side; headings stay in [-pi, pi)."""
    for i in range(pose.shape[0]):
        theta = pose[i, 2]
        turned[i, 0], turned[i, 1] = -pose[i, 0], -pose[i, 1]
        turned[i, 2] = theta - math.pi if theta >= 0.0 else theta + math.pi
        if turned[i, 2] >= math.pi:  # the sum was rounded up
            turned[i, 2] = -math.pi


@kernel
def change_sides(pose: Floats, team: Ints, ball: Floats, pose1: Floats, team1: Ints, ball1: Floats) -> None:
    """Fill robots' poses (n, 3) and teams (n,) and balls (k, 2) as seen from the other side."""
    turn(pose, pose1)
    for i in range(team.shape[0]):
        team1[i] = 1 - team[i]
    for i in range(ball.shape[0]):
        ball1[i, 0], ball1[i, 1] = -ball[i, 0], -ball[i, 1]


@kernel
def twin(i: int, kept: int, time: Floats, xy: Floats, team: Ints, label: Ints, near: float) -> int:
    """Return which of the kept rows shows the same thing at the same time as row i, -1: none."""
    for j in range(kept):
        if time[j] == time[i] and team[j] == team[i] and label[j] == label[i]:
            dx, dy = xy[i, 0] - xy[j, 0], xy[i, 1] - xy[j, 1]
            if dx * dx + dy * dy < near * near:
                return j
    return -1


@kernel
def unite(time: Floats, xy: Floats, team: Ints, label: Ints, times: Ints, near: float) -> int:
    """Return how many rows are left when those that show the same thing at the same time are made one: their mean.

    xy (k, 2) or (k, 3) with a heading; ``times`` is scratch: how often a row was seen.
    """
    kept = 0
    for i in range(time.shape[0]):
        j = twin(i, kept, time, xy, team, label, near)
        if j < 0:
            j, times[kept] = kept, 0
            kept += 1
            time[j], team[j], label[j] = time[i], team[i], label[i]
            for q in range(xy.shape[1]):
                xy[j, q] = xy[i, q]
        times[j] += 1
        for q in range(xy.shape[1]):
            more = xy[i, q] - xy[j, q] if q < 2 else turned_by(xy[i, q], xy[j, q])
            xy[j, q] += more / times[j]
        if xy.shape[1] > 2:
            xy[j, 2] = wrap(xy[j, 2])
    return kept
