import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka.geom import field_from_body, rotate, to_body, to_field

number = st.floats(-20.0, 20.0)
angle = st.floats(-7.0, 7.0)


def test_a_point_ahead_of_a_robot_that_looks_left_lies_to_the_left() -> None:
    assert to_field(0.5, 0.0, 2.0, 1.0, math.pi / 2) == pytest.approx((2.0, 1.5))
    assert to_body(2.0, 1.5, 2.0, 1.0, math.pi / 2) == pytest.approx((0.5, 0.0))


@settings(deadline=None)
@given(number, number, number, number, angle)
def test_to_body_undoes_to_field(px: float, py: float, x: float, y: float, theta: float) -> None:
    qx, qy = to_field(px, py, x, y, theta)
    assert to_body(qx, qy, x, y, theta) == pytest.approx((px, py), abs=1e-13)


@settings(deadline=None)
@given(number, number, angle)
def test_rotation_is_multiplication_by_a_complex_unit(px: float, py: float, theta: float) -> None:
    z = complex(px, py) * complex(math.cos(theta), math.sin(theta))
    assert rotate(px, py, theta) == pytest.approx((z.real, z.imag), abs=1e-13)


@settings(deadline=None)
@given(number, number, number, number, angle)
def test_the_matrix_says_the_same_as_the_kernel(px: float, py: float, x: float, y: float, theta: float) -> None:
    p_body = np.array([px, py, 1.0])
    p_field = field_from_body(x, y, theta) @ p_body
    assert p_field == pytest.approx((*to_field(px, py, x, y, theta), 1.0), abs=1e-13)
