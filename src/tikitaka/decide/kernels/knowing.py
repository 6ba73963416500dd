"""What is known of the robots: whether all places are numbers, and who has the ball in the mouth.

pose    (n, 3)  x, y, theta         v     (n, 3) velocities
b       the ball's place
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

PLAY = 0.012  # [m] chosen: a ball so far before the front is still held
ASIDE = 0.4  # [hulls] chosen: and so far to the side


@kernel
def all_known(pose: Floats, v: Floats, their_pose: Floats, their_v: Floats) -> bool:
    """Say whether everybody's place and velocity are numbers."""
    total = 0.0
    for i in range(pose.shape[0]):
        total += pose[i, 0] + pose[i, 1] + pose[i, 2] + v[i, 0] + v[i, 1]
    for i in range(their_pose.shape[0]):
        total += their_pose[i, 0] + their_pose[i, 1] + their_pose[i, 2] + their_v[i, 0] + their_v[i, 1]
    return math.isfinite(total)


@kernel
def fill_held(pose: Floats, bx: float, by: float, reach: float, hull: float, held: Bools) -> None:
    """Fill who sees the ball in the mouth."""
    for i in range(pose.shape[0]):
        c, s, dx, dy = math.cos(pose[i, 2]), math.sin(pose[i, 2]), bx - pose[i, 0], by - pose[i, 1]
        ahead, aside = c * dx + s * dy, c * dy - s * dx
        held[i] = 0.0 < ahead < reach + PLAY and abs(aside) < ASIDE * hull
