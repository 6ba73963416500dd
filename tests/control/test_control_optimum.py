"""The quickest drives that are found: closed forms where there are, never under a bound, and the law is not far off."""

import math

import numpy as np
import pytest

from tikitaka import league as leagues
from tikitaka.lab import drives
from tikitaka.lab.control_optimum import quickest

LEAGUE = leagues.load("ssl-b", realism="ideal")


def test_straight_ahead_the_quickest_drive_is_ramps() -> None:
    start, target = np.zeros((2, 3)), np.array([(1.0, 0.0, 0.0), (-2.0, 0.0, 0.0)])
    assert quickest(LEAGUE, start, target) == pytest.approx(drives.bounds(LEAGUE, start, target), rel=0.01)


def test_who_must_turn_takes_longer_and_who_may_use_a_better_heading_no_longer_than_without() -> None:
    start = np.array([(0.0, 0.0, 0.0), (0.0, 0.0, math.radians(50.0))])
    target = np.array([(1.5, 0.5, 2.8), (2.0, 0.0, math.radians(50.0))])
    found = quickest(LEAGUE, start, target)
    assert (found >= drives.bounds(LEAGUE, start, target)).all()
    assert found[1] <= 1.005 * drives.motor_bounds(LEAGUE, start, target)[1]
