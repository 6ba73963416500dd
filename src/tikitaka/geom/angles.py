"""Angles, counter-clockwise, in [-pi, pi)."""

import math

from tikitaka.geom.jit import kernel

TWO_PI = 2.0 * math.pi


@kernel
def wrap(a: float) -> float:
    """Return the angle in [-pi, pi); an angle that is already there comes back unchanged, one not finite as NaN."""
    if -math.pi <= a < math.pi:
        return a
    r = abs(a) % TWO_PI  # exact, and so are the sums below: no border is missed by rounding
    if a < 0.0:
        r = -r
    if r >= math.pi:
        return r - TWO_PI
    return r + TWO_PI if r < -math.pi else r


@kernel
def turn(a: float, b: float) -> float:
    """Return the shortest turn that leads from heading b to heading a."""
    return wrap(a - b)
