"""Range and bearing from a robot to points around it.

sensor   (6,)     see the names below
targets  (e, k, 2)
found    (e, k, 3)  seen (0 or 1), range, bearing: counter-clockwise from the robot's heading; NaN where it is not seen

phi  heading of the robot
rho  vector from the robot to the target
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import wrap
from tikitaka.geom.jit import kernel
from tikitaka.geom.random import normal, uniform
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]

HALF_VIEW, LEAST, MOST, NOISE_RANGE, NOISE_BEARING, DROPOUT = range(6)
FIRST_STREAM = 1 << 20  # beyond those of cameras and radio
STREAMS = 4 << 10  # of one robot
MOST_TARGETS = STREAMS // 4


@kernel
def measure(
    e: int, i: int, k0: int, k1: int, step: int, pose: Floats, targets: Floats, sensor: Floats, found: Floats
) -> None:
    """Fill in what robot i sees of the targets; every number comes from its own stream."""
    x, y, phi = pose[e, i, 0], pose[e, i, 1], pose[e, i, 2]
    for j in range(targets.shape[1]):
        stream = FIRST_STREAM + STREAMS * i + 4 * j
        rho_x, rho_y = targets[e, j, 0] - x, targets[e, j, 1] - y
        away = norm(rho_x, rho_y)  # [Beard, sec. 3.1, range]
        # [Beard, sec. 3.1, bearing]; erratum: the arcsine printed there folds what is behind the robot to its front
        bearing = wrap(math.atan2(rho_y, rho_x) - phi)
        found[e, j, 0], found[e, j, 1], found[e, j, 2] = 0.0, math.nan, math.nan
        in_view = abs(bearing) <= sensor[HALF_VIEW] and sensor[LEAST] <= away <= sensor[MOST]
        if in_view and uniform(k0, k1, step, stream) >= sensor[DROPOUT]:
            found[e, j, 0] = 1.0
            found[e, j, 1] = max(0.0, away + sensor[NOISE_RANGE] * normal(k0, k1, step, stream + 1))
            found[e, j, 2] = wrap(bearing + sensor[NOISE_BEARING] * normal(k0, k1, step, stream + 2))
