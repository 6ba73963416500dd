"""A rookie at a wall: it backs off before it turns, and aims where it fits."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tikitaka.decide.kernels.places import HALF_GAP, HALF_X, HALF_Y, HULL, ROOM_X, ROOM_Y, TIGHT, inside
from tikitaka.decide.kernels.striking import attack, room_to_turn
from tikitaka.types import Floats

REACH = 0.06  # [m] of the ball at a robot's front


def pitch() -> Floats:
    """Return MiroSot's pitch as the rookie knows it."""
    known = np.zeros(9)
    known[[HALF_X, HALF_Y, HALF_GAP, ROOM_X, ROOM_Y, HULL]] = 1.1, 0.9, 0.2, 1.1, 0.9, 0.053
    return known


@settings(deadline=None)
@given(
    beyond=st.floats(0.001, 0.015), theta=st.floats(-math.pi, math.pi), tx=st.floats(-1.0, 1.0), ty=st.floats(-0.8, 0.8)
)
def test_who_stands_too_near_to_a_wall_to_turn_goes_straight_off_it_first(
    beyond: float, theta: float, tx: float, ty: float
) -> None:
    x, y, known = 0.3, 0.9 - 0.053 + beyond, pitch()
    gx, gy = room_to_turn(x, y, theta, tx, ty, known)
    way = math.atan2(ty - y, tx - x)
    if abs(math.sin(way - theta)) < 0.299 or abs(math.sin(theta)) < 0.499:  # hardly turns, or stands along the wall
        assert (gx, gy) == (tx, ty)
        return
    assume(abs(math.sin(way - theta)) > 0.301 and abs(math.sin(theta)) > 0.501)
    assert math.sin(theta) * (gx - x) == pytest.approx(math.cos(theta) * (gy - y), abs=1e-12)
    assert inside(gx, gy, known) == pytest.approx((gx, gy), abs=1e-12)


def test_who_has_room_turns_where_it_is() -> None:
    assert room_to_turn(0.3, 0.5, 1.0, -0.7, 0.2, pitch()) == (-0.7, 0.2)


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_ball_at_a_wall_is_driven_through_no_farther_than_a_robot_fits(side: float) -> None:
    known, by = pitch(), side * (0.9 - 0.022)
    tx, ty, stage = attack(0.2, by - side * 0.05, 0.0, 0.3, by, 0.8, side * 0.6, REACH, False, known)  # noqa: FBT003
    assert stage == 2
    assert abs(ty) == pytest.approx(0.9 - TIGHT * 0.053)
    assert tx > 0.3
