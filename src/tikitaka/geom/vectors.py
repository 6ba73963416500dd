"""Vectors of the plane, as pairs of floats."""

import math

from tikitaka.geom.jit import kernel

_TINY = 1e-15  # below this a vector is made longer first: the square of a small number loses digits, soonest in float32


@kernel
def dot(ax: float, ay: float, bx: float, by: float) -> float:
    """Return the scalar product."""
    return ax * bx + ay * by


@kernel
def cross(ax: float, ay: float, bx: float, by: float) -> float:
    """Return the z component of a x b: positive when b is counter-clockwise of a."""
    return ax * by - ay * bx


@kernel
def norm(x: float, y: float) -> float:
    """Return the length."""
    return math.sqrt(x * x + y * y)


@kernel
def unit(x: float, y: float) -> tuple[float, float]:
    """Return the vector scaled to length 1; (0, 0) for the zero vector."""
    d = norm(x, y)
    if d < _TINY:
        largest = max(abs(x), abs(y))
        if largest == 0.0:
            return 0.0, 0.0
        x, y = x / largest, y / largest
        d = norm(x, y)
    return x / d, y / d


@kernel
def clip_norm(x: float, y: float, limit: float) -> tuple[float, float]:
    """Return the vector, shortened to length ``limit`` (>= 0) where it is longer."""
    d = norm(x, y)
    if d <= limit:
        return x, y
    return x / d * limit, y / d * limit


@kernel
def clamp(x: float, low: float, high: float) -> float:
    """Return x, or the bound that it exceeds; NaN stays NaN."""
    if x < low:
        return low
    return high if x > high else x
