"""Print one hash over the results of the outline kernels; run compiled and interpreted to compare to the last bit."""

import hashlib
import math
import sys
from collections.abc import Iterator

import numpy as np
from outline_shapes import BALL, SHAPES

from tikitaka.geom.random import key, uniform
from tikitaka.sim.hull import hull_array
from tikitaka.sim.kernels import hulls, rims
from tikitaka.sim.outline import rim_arrays

ROUNDS = 15
TURNS = [0.0, 0.5 * math.pi, math.pi, 0.25 * math.pi, 1e-4]


def results() -> Iterator[tuple[float, ...]]:
    """Yield what the kernels make of poses at random, every third of them special."""
    tables = [rim_arrays(outline, BALL) for outline in SHAPES.values()]
    shapes = [hull_array(outline) for outline in SHAPES.values()]
    manifold = np.zeros((1, 2, 5))
    for i in range(ROUNDS):
        u = [0.3 * uniform(*key(3, i), 0, j) - 0.15 for j in range(4)]
        t = TURNS[i % 5] if i % 3 == 0 else 20.0 * u[2]
        yield from (rims.ball_gap(u[0], u[1], BALL, *table) for table in tables)
        for a in shapes:
            for b in shapes:
                pose = (math.cos(t), math.sin(t))
                manifold[:] = 0.0
                yield hulls.hull_gap(0.0, 0.0, 1.0, 0.0, a, u[0], u[3], *pose, b)
                yield (float(hulls.hull_contacts(0.0, 0.0, 1.0, 0.0, a, u[0], u[3], *pose, b, manifold, 0)),)
                yield tuple(manifold.ravel().tolist())
            yield (float(hulls.hull_wall(u[0], u[3], math.cos(t), math.sin(t), a, 0.0, 1.0, 0.1, manifold, 0)),)
            yield tuple(manifold.ravel().tolist())


if __name__ == "__main__":
    digest = hashlib.sha256()
    for found in results():
        digest.update(np.array(found).tobytes())
    sys.stdout.write(digest.hexdigest())
