"""Print one hash over the results of the ball's kernels; run compiled and interpreted to compare to the last bit."""

import hashlib
import sys

import numpy as np

from tikitaka import geom
from tikitaka.sim.kernels import kicking, rolling

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


def tools(i: int) -> list[float]:
    """Return robot, ball and charge after kick, dribble and roof."""
    u = numbers(i, 20)
    ground = np.array((0.4, 0.35, 0.0, 9.81, 0.5))
    gear = np.array((*ground, 0.08, 0.02, 22.0, 0.07, 0.01, 6.5, 4.6, 0.1, 0.3, 0.07, 0.01, 0.36, 88.0, 0.01, 0.15))
    pose, velocity = np.array([[[u[0], u[1], 3.0 * u[2]]]]), np.array([[[u[3], u[4], 5.0 * u[5]]]])
    ball, charge = np.array([[0.0, 0.0, *u[6:8], max(0.0, 0.05 * u[8]), u[9], *u[10:12]]]), np.zeros((1, 1))
    ball[0, 0], ball[0, 1] = geom.to_field(0.1 + 0.01 * u[12], 0.03 * u[13], *pose[0, 0])
    done = [float(kicking.dribble(0, 0, pose, velocity, ball, gear, 0.004))]
    done.append(kicking.kick(0, 0, pose, velocity, ball, charge, 8.0 * u[14], 4.0 * u[15], gear, 0.004))
    done.append(kicking.roof(0, 0, pose, velocity, ball, *geom.unit(u[16], u[17]), gear, ground))
    done.extend(kicking.top_gap(0.1 * u[18], 0.2 + 0.2 * u[19], gear[kicking.HEIGHT]))
    return [*done, charge[0, 0], *velocity[0, 0], *ball[0]]


if __name__ == "__main__":
    digest, results = hashlib.sha256(), tools if "kicking" in sys.argv else glides
    for i in range(ROUNDS):
        digest.update(np.array(results(i)).tobytes())
    sys.stdout.write(digest.hexdigest())
