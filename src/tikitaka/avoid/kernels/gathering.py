"""Everybody and everything that may be in the way, in one table: both teams, the ball, what stands on the pitch.

pose, velocity   (m, 3)
sees             (n, m)  whom each of our robots minds: not itself, nobody of nowhere, the ball where it is to
reach            (m,)    distance from the centre of one of ours at which they touch
blocks           (k, 3)  discs that stand: x, y, radius
ball             (4,)    place and velocity
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross, dot

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

PLAY, AVOID, APPROACH = 0, 1, 2  # types.BallUse
BEHIND = 0.7  # of the reach: chosen, who is no farther beside the line through ball and heading is behind the ball


@kernel
def minds_ball(use: int, pose: Floats, ball: Floats, theta: float, reach: float) -> bool:
    """Say whether the ball is in a robot's way; who comes from behind it may touch it."""
    if use != APPROACH or not math.isfinite(theta):
        return use != PLAY
    dx, dy, c, s = ball[0] - pose[0], ball[1] - pose[1], math.cos(theta), math.sin(theta)
    return not (dot(dx, dy, c, s) > 0.0 and abs(cross(c, s, dx, dy)) < BEHIND * reach)


@kernel
def known(pose: Floats, velocity: Floats) -> bool:
    """Say whether place and velocity are numbers."""
    return math.isfinite(pose[0] + pose[1] + pose[2] + velocity[0] + velocity[1] + velocity[2])


@kernel
def gather(
    ours: Floats, ours_velocity: Floats, theirs: Floats, theirs_velocity: Floats, ball: Floats, blocks: Floats,
    use: Ints, target: Floats, touch: float, ball_radius: float, pose: Floats, velocity: Floats, reach: Floats,
    sees: Bools,
) -> None:  # fmt: skip
    """Fill the table from its parts."""
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
            pose[j, 0], pose[j, 1], velocity[j, 0], velocity[j, 1] = ball[0], ball[1], ball[2], ball[3]
            pose[j, 2], reach[j] = math.atan2(ball[3], ball[2]), 0.5 * touch + ball_radius
        elif j > both:
            b = j - both - 1
            pose[j, 0], pose[j, 1], reach[j] = blocks[b, 0], blocks[b, 1], 0.5 * touch + blocks[b, 2]
        there = known(pose[j], velocity[j])
        for i in range(n):
            sees[i, j] = i != j and there
    for i in range(n):
        sees[i, both] = sees[i, both] and minds_ball(use[i], pose[i], ball, target[i, 2], reach[both])


@kernel
def within(x: float, y: float, pose: Floats, edge_x: float, edge_y: float) -> tuple[float, float]:
    """Return the point, or the nearest to it between the walls; who is farther out than that may stay there."""
    far_x, far_y = max(edge_x, abs(pose[0])), max(edge_y, abs(pose[1]))
    return clamp(x, -far_x, far_x), clamp(y, -far_y, far_y)
