import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka.geom import body_from_wheels, body_matrix, differential_matrix, wheel_matrix, wheels_from_body

number = st.floats(-5.0, 5.0)
SSL = np.radians([45.0, 120.0, -120.0, -45.0])
BYU = np.radians([60.0, 180.0, -60.0])


def test_an_omni_wheel_rolls_with_the_floor_under_its_place() -> None:
    matrix = wheel_matrix([0.0, math.pi / 2], distance=0.08, wheel_radius=0.02)
    assert matrix @ [0.0, 1.0, 0.0] == pytest.approx([50.0, 0.0])  # the front wheel pushes to the left
    assert matrix @ [1.0, 0.0, 0.0] == pytest.approx([0.0, -50.0])  # the left one backwards
    assert matrix @ [0.0, 0.0, 1.0] == pytest.approx([4.0, 4.0])


def test_left_wheel_first_and_slower_in_a_left_turn() -> None:
    matrix = differential_matrix(half_track=0.03, wheel_radius=0.02)
    assert matrix @ [1.0, 0.0, 0.0] == pytest.approx([50.0, 50.0])
    assert matrix @ [0.0, 0.0, 2.0] == pytest.approx([-3.0, 3.0])


@pytest.mark.parametrize("angles", [SSL, BYU], ids=["four", "three"])
def test_omni_wheels_control_all_three_directions(angles: np.ndarray) -> None:
    matrix = wheel_matrix(list(angles), 0.08, 0.027)
    assert body_matrix(matrix) @ matrix == pytest.approx(np.eye(3), abs=1e-13)


def test_a_differential_drive_controls_all_but_sideways() -> None:
    matrix = differential_matrix(0.035, 0.02)
    inverse = body_matrix(matrix)
    assert inverse @ matrix == pytest.approx(np.diag([1.0, 0.0, 1.0]), abs=1e-14)
    assert (inverse[1] == 0.0).all()


@settings(deadline=None)
@given(number, number, number)
def test_the_kernels_are_the_matrix_products(vx: float, vy: float, omega: float) -> None:
    matrix = wheel_matrix(list(SSL), 0.08, 0.027)
    wheels = np.full(4, np.nan)
    wheels_from_body(matrix, vx, vy, omega, wheels)
    assert wheels == pytest.approx(matrix @ [vx, vy, omega], abs=1e-11)
    assert body_from_wheels(body_matrix(matrix), wheels) == pytest.approx((vx, vy, omega), abs=1e-12)


def test_one_slipping_wheel_is_averaged_out_in_the_least_squares_sense() -> None:
    matrix = wheel_matrix(list(SSL), 0.08, 0.027)
    wheels = np.array([10.0, -3.0, 4.0, 1.0])
    expected = np.linalg.lstsq(matrix, wheels, rcond=None)[0]
    assert body_from_wheels(body_matrix(matrix), wheels) == pytest.approx(tuple(expected), abs=1e-13)
