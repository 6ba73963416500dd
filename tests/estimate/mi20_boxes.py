"""Boxes for the tests of collisions: outlines for shapely, random ways, and slow twins of the kernels."""

import math
from collections.abc import Iterator

import numpy as np
from shapely.geometry import Polygon

from tikitaka.estimate.kernels.sweeping import separation
from tikitaka.types import Floats

HALF = 0.0375  # [m] of a MiroSot robot
MASS, INERTIA = 0.6, 5.625e-4


def outline(x: float, y: float, theta: float, h: float, w: float) -> Polygon:
    c, s = math.cos(theta), math.sin(theta)
    signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    return Polygon([(x + c * p * h - s * q * w, y + s * p * h + c * q * w) for p, q in signs])


def gap(a: Floats, b: Floats, sizes: Floats) -> float:
    """Return the gap of two boxes; ``sizes`` are h and w of a, then of b."""
    ca, sa, cb, sb = math.cos(a[2]), math.sin(a[2]), math.cos(b[2]), math.sin(b[2])
    return separation(b[0] - a[0], b[1] - a[1], ca, sa, sizes[0], sizes[1], cb, sb, sizes[2], sizes[3])[0]


def contact_by_bisection(a: Floats, a1: Floats, b: Floats, b1: Floats, sizes: Floats, steps: int) -> float | None:
    """Return the part of their ways after which two boxes first overlap at one of the steps; None: they do not."""
    low = 0.0
    for step in np.linspace(0.0, 1.0, steps + 1):
        high = step
        if gap(a + high * (a1 - a), b + high * (b1 - b), sizes) <= 0.0:
            for _ in range(50):
                middle = 0.5 * (low + high)
                if gap(a + middle * (a1 - a), b + middle * (b1 - b), sizes) <= 0.0:
                    high = middle
                else:
                    low = middle
            return float(low)
        low = step
    return None


def ways(seed: int, turn: float) -> Iterator[tuple[Floats, Floats, Floats, Floats, Floats]]:
    """Yield beginnings and ends of the ways of two boxes that are apart at first, and their sizes."""
    rng = np.random.default_rng(seed)
    while True:
        sizes = rng.uniform(0.02, 0.06, 4)
        a, b = (np.array((*rng.uniform(-0.15, 0.15, 2), rng.uniform(-3.0, 3.0))) for _ in range(2))
        a1, b1 = (p + rng.uniform(-1.0, 1.0, 3) * (0.1, 0.1, turn) for p in (a, b))
        a1[:2] += 0.4 * (b - a)[:2]  # more of them meet
        b1[:2] += 0.4 * (a - b)[:2]
        if gap(a, b, sizes) > 1e-6:
            yield a, a1, b, b1, sizes
