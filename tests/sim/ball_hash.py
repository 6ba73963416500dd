"""Print one hash over the results of the ball's kernels; run compiled and interpreted to compare to the last bit."""

import hashlib
import sys

import numpy as np

from tikitaka import geom
from tikitaka.sim.kernels import rolling

ROUNDS = 1500


def numbers(i: int, n: int) -> list[float]:
    """Return n numbers in [-1, 1); every third is 0 in every fourth round."""
    k = geom.key(5, i)
    return [0.0 if i % 4 == 0 and j % 3 == 0 else 2.0 * geom.uniform(*k, i, j) - 1.0 for j in range(n)]


def glides(i: int) -> list[float]:
    """Return a ball after some time, flying or not, on one of four kinds of ground."""
    u = numbers(i, 11)
    ground = np.array((0.5 + 0.45 * u[8], 0.4 if i % 2 else 0.0, 0.7 if i % 3 else 0.0, 9.81, abs(u[9])))
    up = (max(0.0, u[4]), 5.0 * u[5]) if i % 5 else (0.0, 0.0)
    ball = (u[0], u[1], 5.0 * u[2], 5.0 * u[3], *up, 5.0 * u[6], 5.0 * u[7])
    return list(rolling.glide(*ball, 2.0 * abs(u[10]), ground))


if __name__ == "__main__":
    digest = hashlib.sha256()
    for i in range(ROUNDS):
        digest.update(np.array(glides(i)).tobytes())
    sys.stdout.write(digest.hexdigest())
