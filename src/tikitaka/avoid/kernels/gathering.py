"""Everybody and everything that may be in the way, in one table: both teams, the ball, what stands on the pitch.

pose, velocity   (m, 3)
sees             (n, m)  whom each of our robots minds: not itself, nobody of nowhere, the ball where it is to
reach            (m,)    distance from the centre of one of ours at which they touch
free             (n,)    whose plan may be changed: on, active, with a plan, not out for contact, and somewhere
aim              (n, 2)  where each goes next
blocks           (k, 3)  discs that stand: x, y, radius
bx, by, bvx, bvy         place and velocity of the ball
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross, dot, norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

PLAY, AVOID, APPROACH = 0, 1, 2  # types.BallUse
BEHIND = 0.7  # of the reach: chosen, who is no farther beside the line through ball and heading is behind the ball


@kernel
def minds_ball(use: int, pose: Floats, bx: float, by: float, theta: float, reach: float) -> bool:
    """Say whether the ball is in a robot's way; who comes from behind it may touch it."""
    if use != APPROACH or not math.isfinite(theta):
        return use != PLAY
    dx, dy, c, s = bx - pose[0], by - pose[1], math.cos(theta), math.sin(theta)
    return not (dot(dx, dy, c, s) > 0.0 and abs(cross(c, s, dx, dy)) < BEHIND * reach)


@kernel
def known(pose: Floats, velocity: Floats) -> bool:
    """Say whether place and velocity are numbers."""
    return math.isfinite(pose[0] + pose[1] + pose[2] + velocity[0] + velocity[1] + velocity[2])


@kernel
def fill_table(
    ours: Floats, ours_velocity: Floats, theirs: Floats, theirs_velocity: Floats, bx: float, by: float, bvx: float,
    bvy: float, blocks: Floats, touch: float, ball_radius: float, pose: Floats, velocity: Floats, reach: Floats,
    sees: Bools,
) -> None:  # fmt: skip
    """Fill the table from its parts; everybody sees everybody else who is somewhere."""
    n, both = ours.shape[0], ours.shape[0] + theirs.shape[0]
    for j in range(pose.shape[0]):
        reach[j] = touch
        for k in range(3):
            if j < n:
                pose[j, k], velocity[j, k] = ours[j, k], ours_velocity[j, k]
            elif j < both:
                pose[j, k], velocity[j, k] = theirs[j - n, k], theirs_velocity[j - n, k]
            else:
                pose[j, k], velocity[j, k] = 0.0, 0.0
        if j == both:
            pose[j, 0], pose[j, 1], velocity[j, 0], velocity[j, 1] = bx, by, bvx, bvy
            pose[j, 2], reach[j] = math.atan2(bvy, bvx), 0.5 * touch + ball_radius
        elif j > both:
            b = j - both - 1
            pose[j, 0], pose[j, 1], reach[j] = blocks[b, 0], blocks[b, 1], 0.5 * touch + blocks[b, 2]
        there = known(pose[j], velocity[j])
        for i in range(n):
            sees[i, j] = i != j and there


@kernel
def find_aim(i: int, pose: Floats, xy: Floats, count: Ints, near: float, aim: Floats) -> None:
    """Fill where robot i goes next: the first waypoint that is not near, or the last one."""
    aim[i, 0], aim[i, 1] = pose[i, 0], pose[i, 1]
    for k in range(count[i]):
        aim[i, 0], aim[i, 1] = xy[i, k, 0], xy[i, k, 1]
        if norm(xy[i, k, 0] - pose[i, 0], xy[i, k, 1] - pose[i, 1]) >= near:
            break


@kernel
def youngest(age: Floats) -> float:
    """Return the least age; infinity: nobody has one, NaN: somebody's is no number."""
    least = np.inf
    for i in range(age.shape[0]):
        if not age[i] >= least and not math.isnan(least):
            least = age[i]
    return least


@kernel
def gather(
    on: Bools, active: Bools, contact: Bools, use: Ints, target: Floats, status: Ints, count: Ints, xy: Floats,
    ours: Floats, ours_velocity: Floats, age: Floats, theirs: Floats, theirs_velocity: Floats, bx: float, by: float,
    bvx: float, bvy: float, blocks: Floats, touch: float, ball_radius: float, near: float, pose: Floats,
    velocity: Floats, reach: Floats, sees: Bools, free: Bools, aim: Floats,
) -> tuple[int, float]:  # fmt: skip
    """Fill the table, who is free and the aims; return the most waypoints of a plan and the least age of ours.

    Plans of more waypoints than ``xy`` holds are not read.
    """
    ball, most = ours.shape[0] + theirs.shape[0], min(ours.shape[0], 0)
    for i in range(count.shape[0]):
        most = max(most, count[i])
    if most > xy.shape[1]:
        return most, 0.0
    parts = (ours, ours_velocity, theirs, theirs_velocity, bx, by, bvx, bvy, blocks, touch, ball_radius)
    fill_table(*parts, pose, velocity, reach, sees)
    for i in range(ours.shape[0]):
        sees[i, ball] = sees[i, ball] and minds_ball(use[i], pose[i], bx, by, target[i, 2], reach[ball])
        free[i] = on[i] and active[i] and not contact[i] and status[i] != 0 and count[i] > 0
        free[i] = free[i] and known(pose[i], velocity[i])
        find_aim(i, pose, xy, count, near, aim)
    return most, youngest(age)


@kernel
def within(x: float, y: float, pose: Floats, edge_x: float, edge_y: float) -> tuple[float, float]:
    """Return the point, or the nearest to it between the walls; who is farther out than that may stay there."""
    far_x, far_y = max(edge_x, abs(pose[0])), max(edge_y, abs(pose[1]))
    return clamp(x, -far_x, far_x), clamp(y, -far_y, far_y)
