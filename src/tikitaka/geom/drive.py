"""Wheel speeds and body velocity. The velocity (vx, vy, omega) is in the body frame, wheels turn in rad/s."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel


def wheel_matrix(angles: Sequence[float], distance: float, wheel_radius: float) -> NDArray[np.float64]:
    """Return the (w, 3) matrix with ``wheels = matrix @ (vx, vy, omega)`` for omni wheels.

    Wheel i stands at ``angles[i]`` from the body's x axis, at ``distance`` from its centre, and pushes along the
    tangent there, counter-clockwise.
    """
    a = np.asarray(angles, dtype=np.float64)
    return np.stack([-np.sin(a), np.cos(a), np.full_like(a, distance)], axis=1) / wheel_radius


def differential_matrix(half_track: float, wheel_radius: float) -> NDArray[np.float64]:
    """Return the (2, 3) matrix of two wheels that stand ``half_track`` to the left and to the right of the centre."""
    return np.array([[1.0, 0.0, -half_track], [1.0, 0.0, half_track]]) / wheel_radius


def body_matrix(wheel_matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the (3, w) pseudo-inverse: least squares over the wheels, zeros for what no wheel can do."""
    inverse = np.zeros(wheel_matrix.shape[::-1])
    driven = wheel_matrix.any(axis=0)
    inverse[driven] = np.linalg.pinv(wheel_matrix[:, driven])
    return inverse


@kernel
def wheels_from_body(matrix: NDArray[np.float64], vx: float, vy: float, omega: float, out: NDArray[np.float64]) -> None:
    """Write the wheel speeds of a body velocity to ``out``, (w,)."""
    for i in range(matrix.shape[0]):
        out[i] = matrix[i, 0] * vx + matrix[i, 1] * vy + matrix[i, 2] * omega


@kernel
def body_from_wheels(inverse: NDArray[np.float64], wheels: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the body velocity (vx, vy, omega) that the wheel speeds say."""
    vx, vy, omega = 0.0, 0.0, 0.0
    for i in range(inverse.shape[1]):
        vx += inverse[0, i] * wheels[i]
        vy += inverse[1, i] * wheels[i]
        omega += inverse[2, i] * wheels[i]
    return vx, vy, omega
