"""Print one hash over the results of all geom kernels; run compiled and interpreted to compare to the last bit."""

import hashlib
import math
import struct
import sys
from collections.abc import Iterable

import numpy as np

from tikitaka import geom

ROUNDS = 300
ANGLES = [0.0, math.pi / 2, math.pi, -math.pi / 2, math.pi / 4]
PLACES = [0.0, -0.0, 0.5, 1.0, -1.0]


def results(i: int) -> Iterable[object]:
    """Yield what every kernel makes of the i-th set of numbers; every fourth set is full of special cases."""
    k = geom.key(11, i)
    u = [4.0 * geom.uniform(*k, i, j) - 2.0 for j in range(12)]
    if i % 4 == 0:
        u = [PLACES[int(abs(v) * 100) % 5] for v in u]
    a, b = (u[0], u[1], 2.0 * u[2], abs(u[3]), abs(u[4])), (u[5], u[6], 2.0 * u[7], abs(u[8]), abs(u[9]))
    if i % 2 == 0:
        a, b = (*a[:2], ANGLES[i % 5], *a[3:]), (*b[:2], ANGLES[i // 2 % 5], *b[3:])
    yield from (geom.wrap(9.0 * u[0]), geom.wrap(1e6 * u[1]), geom.turn(3.0 * u[2], 3.0 * u[3]))
    yield from (geom.dot(*u[:4]), geom.cross(*u[:4]), geom.norm(*u[:2]), geom.unit(*u[:2]), geom.clamp(*u[:3]))
    yield from (geom.clip_norm(u[0], u[1], abs(u[2])), geom.rotate(*u[:3]), geom.to_field(*u[:5]), geom.to_body(*u[:5]))
    yield from (geom.closest_on_segment(*u[:6]), geom.point_segment_distance(*u[:6]))
    yield from (geom.segments_cross(*u[:8]), geom.segment_distance(*u[:8]))
    yield from (geom.disc_disc(*u[:6]), geom.disc_box(u[10], u[11], 0.1, *a), geom.box_box(*a, *b))
    yield from (geom.boxes_overlap(*a, *b), geom.box_extent(*a[2:], *geom.unit(u[10], u[11])))
    yield from (k, geom.uniform(*k, i, 3), geom.uniform(*k, i + 2**40, 3), geom.normal(*k, 2**40 + i, 4))
    yield from (geom.normal(*k, j, 2**31 - 1) for j in range(20))
    yield from (geom.inverse_normal(2.0 ** -(1 + i % 53)), drive(u))


def drive(u: list[float]) -> list[float]:
    """Return wheel speeds and body velocity through a matrix that holds the numbers."""
    matrix, wheels = np.array(u).reshape(4, 3), np.zeros(4)
    geom.wheels_from_body(matrix, u[0], u[1], u[2], wheels)
    return [*wheels.tolist(), *geom.body_from_wheels(matrix.T.copy(), wheels)]


def pack(value: object) -> bytes:
    """Return the bytes of a number, or of a tuple or list of them."""
    if isinstance(value, tuple | list):
        return b"".join(map(pack, value))
    return struct.pack("<d", value) if isinstance(value, float) else struct.pack("<q", value)


if __name__ == "__main__":
    digest = hashlib.sha256()
    for i in range(ROUNDS):
        for value in results(i):
            digest.update(pack(value))
    sys.stdout.write(digest.hexdigest())
