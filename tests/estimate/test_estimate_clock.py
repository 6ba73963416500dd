"""Clocks that are set while a match runs: what is believed goes on from there, and nothing hangs."""

import math

import numpy as np
import pytest
from sightings import DT, params_of, placed, poses_of, sight, standing, still

from tikitaka import estimate
from tikitaka.types import World

PARAMS = params_of("mirosot-5v5")
POSES = standing(PARAMS)
SWAY = 0.1  # [m]


def swayed(k: int) -> np.ndarray:
    poses = POSES.copy()
    poses[:, 0] += SWAY * math.sin(0.5 * k * DT)
    return poses


def followed(nows: list[float]) -> tuple[estimate.Tracks, World]:
    """Return tracks and World after pictures at these times, of robots and a ball that sway, tick after tick."""
    tracks = placed(PARAMS, POSES)
    for k, now in enumerate(nows):
        tracks, world = estimate.step(PARAMS, tracks, sight(now, swayed(k)), still(PARAMS))
    return tracks, world


def right(nows: list[float]) -> bool:
    """Say whether everybody is where they are, and was just seen, at the last of these times."""
    tracks, world = followed(nows)
    truth = swayed(len(nows) - 1)
    near = np.abs(poses_of(world)[:, :2] - truth[:-1, :2]).max() < 0.03
    seen = max(world.ours.age.max(), world.theirs.age.max(), world.ball.age) < 0.1
    ball = math.hypot(world.ball.x - truth[-1, 0], world.ball.y - truth[-1, 1]) < 0.03
    return bool(near and seen and ball and np.isfinite(estimate.health(PARAMS, tracks).quality).all())


def regular(first: float, ticks: int) -> list[float]:
    return [first + k * DT for k in range(ticks)]


@pytest.mark.parametrize("by", [1.0, 10.0, 1000.0, 1e6])
def test_a_clock_that_is_set_back_for_good_is_followed_at_once(by: float) -> None:
    nows = regular(DT, 30) + regular(31 * DT - by, 10)
    assert right(nows)
    assert estimate.health(PARAMS, followed(nows)[0]).jumps == 1


@pytest.mark.parametrize("by", [1000.0, 1e9, 1e12])
def test_a_clock_that_is_set_far_ahead_is_followed(by: float) -> None:
    nows = regular(DT, 30) + regular(31 * DT + by, 20)
    assert right(nows)
    assert estimate.health(PARAMS, followed(nows)[0]).jumps == 1


@pytest.mark.parametrize("by", [1000.0, 1e9, 1e15, 1e18, 1e300])
def test_one_tick_of_another_time_is_forgotten(by: float) -> None:
    assert right([*regular(DT, 30), 31 * DT + by, *regular(32 * DT, 20)])


@pytest.mark.parametrize("by", [0.5, 1000.0])
def test_one_tick_of_the_past_changes_nothing(by: float) -> None:
    nows = [*regular(DT, 30), 31 * DT - by, *regular(32 * DT, 5)]
    assert right(nows)
    assert estimate.health(PARAMS, followed(nows)[0]).jumps == 0


def test_nobody_is_younger_than_now() -> None:
    _, world = followed([*regular(DT, 30), 31 * DT + 1000.0, 32 * DT])
    assert min(world.ours.age.min(), world.theirs.age.min(), world.ball.age) >= 0.0


def test_times_in_nanoseconds_end_in_no_hang() -> None:
    tracks, world = followed([1.76e18 + 1e9 * k * DT for k in range(20)])
    assert np.isfinite(poses_of(world)).all()
    assert np.isfinite(estimate.health(PARAMS, tracks).quality).all()


def test_a_pause_of_ten_seconds_is_no_jump() -> None:
    nows = regular(DT, 30) + regular(10.0 + 31 * DT, 20)
    assert right(nows)
    assert estimate.health(PARAMS, followed(nows)[0]).jumps == 0
