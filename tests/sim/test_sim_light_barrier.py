"""The light barrier: its truth table, its geometry, and that it never lies."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pitch_judge import params_of

from tikitaka.errors import ContractError
from tikitaka.sim import light_barrier, scenes
from tikitaka.sim.light_barrier import BarrierParams, Cause, Fault
from tikitaka.types import Barrier

STATE = scenes.line_up(params_of("ssl-b"))
PARAMS = BarrierParams(mouth=0.0794, ball_radius=0.0215)
AT = (0.4, -0.3, 2.0)  # pose of the robot
TOUCH = 0.0794 + 0.0215  # ball at the front
NONE, CENTRE, LEFT, RIGHT = (0.5, 0.0), (TOUCH, 0.0), (TOUCH, 0.034), (TOUCH, -0.034)
MALFUNCTION, BALL, NO_BALL = Barrier.MALFUNCTION, Barrier.BALL, Barrier.NO_BALL


def seen(bx: float, by: float, fault: Fault = Fault.NONE, z: float = 0.0) -> light_barrier.Reading:
    """Return what robot 3 says of a ball at (bx, by) in its own frame."""
    c, s = math.cos(AT[2]), math.sin(AT[2])
    pose, ball = STATE.pose.copy(), np.zeros(8)
    pose[3] = AT
    ball[0], ball[1], ball[4] = AT[0] + c * bx - s * by, AT[1] + s * bx + c * by, z
    return light_barrier.sense(PARAMS, replace(STATE, pose=pose, ball=ball), 3, fault)


@pytest.mark.parametrize(
    ("fault", "none", "centre", "left", "right"),
    [
        (Fault.NONE, (NO_BALL, 0), (BALL, 0), (BALL, 0), (BALL, 0)),
        (Fault.LEFT_BROKEN, (MALFUNCTION, 1), (BALL, 1), (MALFUNCTION, 1), (BALL, 1)),
        (Fault.RIGHT_BROKEN, (MALFUNCTION, 2), (BALL, 2), (BALL, 2), (MALFUNCTION, 2)),
        (Fault.LEFT_BROKEN | Fault.RIGHT_BROKEN, *[(MALFUNCTION, 3)] * 4),
        (Fault.RECEIVER_BROKEN, *[(MALFUNCTION, 3)] * 4),
        (Fault.DIRTY, (MALFUNCTION, 3), (BALL, 0), (BALL, 2), (BALL, 1)),
        (Fault.AMBIENT, *[(MALFUNCTION, 4)] * 4),
        (Fault.AMBIENT | Fault.DIRTY, *[(MALFUNCTION, 4)] * 4),
    ],
)
def test_the_truth_table(
    fault: Fault, none: tuple[int, int], centre: tuple[int, int], left: tuple[int, int], right: tuple[int, int]
) -> None:
    for place, (output, cause) in zip((NONE, CENTRE, LEFT, RIGHT), (none, centre, left, right), strict=True):
        assert seen(*place, fault) == light_barrier.Reading(Barrier(output), Cause(cause)), place


@settings(deadline=None, max_examples=200)
@given(
    bx=st.floats(0.0, 0.2),
    by=st.floats(-0.1, 0.1),
    z=st.floats(0.0, 0.1),
    fault=st.integers(0, 31).map(Fault),
)
def test_whatever_is_broken_it_never_says_ball_without_one_nor_no_ball_before_one(
    bx: float, by: float, z: float, fault: Fault
) -> None:
    healthy, broken = seen(bx, by, z=z), seen(bx, by, fault, z)
    assert healthy.cause == Cause.NONE
    assert healthy.output != MALFUNCTION
    assert broken.output in (healthy.output, MALFUNCTION)


def test_every_single_fault_shows_while_no_ball_is_there() -> None:
    causes = {fault: seen(*NONE, fault).cause for fault in Fault}
    assert all(causes.values())
    assert {f for f, c in causes.items() if c == Cause.BOTH_DARK} == {Fault.RECEIVER_BROKEN, Fault.DIRTY}


@pytest.mark.parametrize(("gap", "output"), [(0.0, BALL), (0.006, BALL), (0.012, NO_BALL), (0.1, NO_BALL)])
def test_a_ball_is_seen_within_reach_of_the_emitters(gap: float, output: Barrier) -> None:
    """At the middle each emitter is 0.035 m behind the front and 0.03 m aside, and reaches 0.05 m to the ball's rim."""
    from_emitter = math.hypot(0.035 + gap + 0.0215, 0.03) - math.sqrt(0.0215**2 - 0.0015**2)
    assert (from_emitter <= 0.05) == (output == BALL)
    assert seen(TOUCH + gap, 0.0).output == output


@pytest.mark.parametrize(("z", "output"), [(0.0, BALL), (0.015, BALL), (0.021, NO_BALL)])
def test_a_ball_that_flies_above_the_beams_is_not_seen(z: float, output: Barrier) -> None:
    assert seen(TOUCH - 0.02, 0.0, z=z).output == output


def test_a_ball_behind_or_beside_the_robot_is_not_seen() -> None:
    assert seen(-TOUCH, 0.0).output == NO_BALL
    assert seen(0.0, TOUCH).output == NO_BALL


def test_mirrored_balls_and_faults_give_mirrored_readings() -> None:
    assert seen(TOUCH, 0.034, Fault.DIRTY).cause == Cause.RIGHT_DARK
    assert seen(TOUCH, -0.034, Fault.DIRTY).cause == Cause.LEFT_DARK


def test_a_ball_of_four_columns_lies_on_the_ground() -> None:
    state = replace(STATE, pose=np.zeros_like(STATE.pose), ball=np.array((TOUCH, 0.0, 0.0, 0.0)))
    assert light_barrier.sense(PARAMS, state, 0).output == BALL


def test_a_robot_that_is_not_there_is_refused() -> None:
    with pytest.raises(ContractError, match=r"robot must be in \[0, 12\); got -1"):
        light_barrier.sense(PARAMS, STATE, -1)
