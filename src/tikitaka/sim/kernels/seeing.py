"""A camera picture: who is seen, and with what error.

picture  (m + 1, 6)  seen (0 or 1), x, y, theta, team, label; the last row is the ball
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import wrap
from tikitaka.geom.jit import kernel
from tikitaka.geom.random import normal, uniform

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def expose(
    k0: int, k1: int, step: int, pose: Floats, ball: Floats,
    sigma_xy: float, sigma_theta: float, dropout: float, labels: bool, picture: Floats,
) -> None:  # fmt: skip
    """Fill the picture; every number comes from its own stream, so that one robot's draw moves no other's."""
    n = pose.shape[0]
    for i in range(n + 1):
        stream = 8 * i
        x, y = (pose[i, 0], pose[i, 1]) if i < n else (ball[0], ball[1])
        picture[i, 0] = 0.0 if uniform(k0, k1, step, stream) < dropout else 1.0
        picture[i, 1] = x + sigma_xy * normal(k0, k1, step, stream + 1)
        picture[i, 2] = y + sigma_xy * normal(k0, k1, step, stream + 2)
        if i < n:
            picture[i, 3] = wrap(pose[i, 2] + sigma_theta * normal(k0, k1, step, stream + 3))
            picture[i, 4] = 0.0 if 2 * i < n else 1.0
            picture[i, 5] = float(i % (n // 2)) if labels else -1.0


@kernel
def develop(picture: Floats, pose: Floats, team: Ints, label: Ints) -> int:
    """Return how many robots are seen; their rows are sorted by x, so that the order tells nothing."""
    count = 0
    for i in range(picture.shape[0] - 1):
        if picture[i, 0] == 0.0:
            continue
        k = count
        while k > 0 and pose[k - 1, 0] > picture[i, 1]:
            for q in range(3):
                pose[k, q] = pose[k - 1, q]
            team[k], label[k] = team[k - 1], label[k - 1]
            k -= 1
        for q in range(3):
            pose[k, q] = picture[i, 1 + q]
        team[k], label[k] = int(picture[i, 4]), int(picture[i, 5])
        count += 1
    return count
