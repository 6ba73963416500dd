"""Robots that do not do as they were told: they are held, and let go once they do."""

import math

import numpy as np
import pytest
from sightings import DT, params_of

from tikitaka.estimate.kernels.robots import judge

PARAMS = params_of("mirosot-5v5")


def judged(held: float, told: float, moved: float) -> float:
    """Return whether a robot at rest is held after it was told to drive and was seen moved."""
    before, small, holding = np.zeros((1, 1, 6)), np.zeros((4, 6, 6)), np.array([held])
    commands, since = np.zeros((1, 1, 5)), np.array([-math.inf])
    commands[0, 0, 0] = told
    judge(
        0, 0, before, np.zeros(6), holding, moved, 0.0, commands, since, PARAMS.driving, PARAMS.noise, PARAMS.doubts,
        0.0, DT, 1e-6, small,
    )  # fmt: skip
    return float(holding[0])


def test_a_held_robot_that_is_where_it_was_told_to_be_is_let_go() -> None:
    assert judged(held=1.0, told=0.0, moved=0.0) == 0.0
    assert judged(held=0.0, told=0.0, moved=0.0) == 0.0


@pytest.mark.parametrize("held", [0.0, 1.0])
def test_one_that_stays_where_it_was_told_to_leave_remains_as_it_was(held: float) -> None:
    assert judged(held, told=1.5, moved=0.0) == held
