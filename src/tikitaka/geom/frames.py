"""Points and directions between the field and a body at pose (x, y, theta)."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel


@kernel
def rotate(px: float, py: float, theta: float) -> tuple[float, float]:
    """Return the vector turned counter-clockwise by theta."""
    c, s = math.cos(theta), math.sin(theta)
    return c * px - s * py, s * px + c * py


@kernel
def to_field(px: float, py: float, x: float, y: float, theta: float) -> tuple[float, float]:
    """Return in the field frame a point that is given in the body frame."""
    qx, qy = rotate(px, py, theta)
    return x + qx, y + qy


@kernel
def to_body(px: float, py: float, x: float, y: float, theta: float) -> tuple[float, float]:
    """Return in the body frame a point that is given in the field frame."""
    return rotate(px - x, py - y, -theta)


def field_from_body(x: float, y: float, theta: float) -> NDArray[np.float64]:
    """Return the (3, 3) homogeneous transform with ``p_field = field_from_body @ p_body``, points as (x, y, 1)."""
    c, s = math.cos(theta), math.sin(theta)
    return np.array([[c, -s, x], [s, c, y], [0.0, 0.0, 1.0]])
