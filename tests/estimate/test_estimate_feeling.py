"""What robots tell of themselves, and what becomes of it."""

import math

import numpy as np
import pytest

from tikitaka import league
from tikitaka.estimate.feeling import HIDDEN, felt, turned
from tikitaka.loop.build import build
from tikitaka.loop.match import Match
from tikitaka.types import Ball, Barrier, Commands, Feedback, Robots

OURS = Robots(
    np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 0.5 * math.pi]]), np.array([[0.0, 0.0, 0.0], [0.5, 0.0, 2.0]]), np.zeros(2)
)
NO, YES, BROKEN = Barrier.NO_BALL, Barrier.BALL, Barrier.MALFUNCTION


def says(*barriers: Barrier) -> Feedback:
    return Feedback(np.array(barriers, np.int64), None)


def test_a_ball_that_no_camera_sees_is_in_the_mouth_that_has_it_and_moves_with_it() -> None:
    ball, holding = felt(0.1, Ball(3.0, 3.0, 0.0, 0.0, 2.0 * HIDDEN), OURS, says(NO, YES))
    assert holding is not None
    assert holding.tolist() == [False, True]
    assert (ball.x, ball.y, ball.vx, ball.vy) == pytest.approx((1.0, 1.1, 0.5 - 0.2, 0.0))
    seen = Ball(3.0, 3.0, 0.0, 0.0, 0.0)
    assert felt(0.1, seen, OURS, says(NO, YES))[0] is seen, "a camera is believed before a barrier"


def test_a_barrier_that_is_broken_is_replaced_by_where_the_ball_is_believed_to_be() -> None:
    for ball, there in ((Ball(0.11, 0.0, 0.0, 0.0, 0.0), True), (Ball(0.2, 0.0, 0.0, 0.0, 0.0), False)):
        holding = felt(0.1, ball, OURS, says(BROKEN, NO))[1]
        assert holding is not None
        assert holding.tolist() == [there, False]


def test_without_barriers_nobody_knows() -> None:
    assert felt(0.1, Ball(0.1, 0.0, 0.0, 0.0, 1.0), OURS, None)[1] is None


def test_wheels_that_tell_nonsense_are_believed_to_obey() -> None:
    commands = Commands(np.ones((2, 4)), np.zeros(2), np.zeros(2, np.bool_))
    told = np.full((2, 4), 3.0)
    told[1, 2] = np.nan
    assert turned(commands, told, 50.0).wheels.tolist() == [[3.0] * 4, [1.0] * 4]
    assert turned(commands, np.full((2, 4), 51.0), 50.0).wheels.tolist() == [[1.0] * 4, [1.0] * 4]
    assert turned(commands, np.zeros((1, 4)), 50.0) is commands


def test_wheels_that_tell_make_the_estimate_of_ones_own_robots_better() -> None:
    told = league.load("ssl-b", "realistic")
    mute = told.model_copy(update={"robot": told.robot.model_copy(update={"encoder": None})})
    assert 2.0 * error(told) < error(mute)


def error(which: league.League) -> float:
    """Return the root mean square of blue's error [m] of its own places over four seconds."""
    match, squares = Match(build(which, 3, 10.0, "rookie", "rookie")), list[float]()
    for _ in range(240):
        truth = match.moment.state.pose[:6, :2]
        match.step()
        assert match.record is not None
        squares.append(float(np.mean((match.record.thoughts[0].world.ours.pose[:, :2] - truth) ** 2)))
    return math.sqrt(float(np.mean(squares)))
