"""Half a turn about the centre: what one side sees, as the other side sees it."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]


@kernel
def turn(pose: Floats, turned: Floats) -> None:
    """Fill ``turned`` with the poses (n, 3) seen from the other side; headings stay in [-pi, pi)."""
    for i in range(pose.shape[0]):
        theta = pose[i, 2]
        turned[i, 0], turned[i, 1] = -pose[i, 0], -pose[i, 1]
        turned[i, 2] = theta - math.pi if theta >= 0.0 else theta + math.pi
        if turned[i, 2] >= math.pi:  # the sum was rounded up
            turned[i, 2] = -math.pi
