"""One axis of a track: a constant-velocity Kalman filter, its uncertainty as three numbers."""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]


@kernel
def spread(p: Floats, q: float, dt: float) -> None:
    """Let the uncertainty of one axis grow over dt: white acceleration [Beard, Eq. 18 as F P F' + Q]."""
    p[0] += dt * (2.0 * p[1] + dt * p[2]) + q * dt * dt * dt / 3.0
    p[1] += dt * p[2] + q * dt * dt / 2.0
    p[2] += q * dt


@kernel
def correct(track: Floats, p: Floats, axis: int, innovation: float, r: float) -> None:
    """Pull one axis of a track towards a measurement."""
    s = p[0] + r
    gain, gain_v = p[0] / s, p[1] / s
    track[axis] += gain * innovation
    track[axis + 3] += gain_v * innovation
    p[2] -= gain_v * p[1]
    p[1] -= gain * p[1]
    p[0] -= gain * p[0]
