"""What is done about a collision: who dodges to which side, who waits, and who is left alone."""

import math
from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from avoid_scenes import Row, aside, changed, found, straight, with_contact, world
from hypothesis import given
from hypothesis import strategies as st

from tikitaka import avoid
from tikitaka.avoid import CollisionKind, Method, Params, Thesis
from tikitaka.errors import ContractError, UnknownNameError
from tikitaka.types import PlanReason, PlanStatus

AUTO, MENDED, PRINTED = Method.AUTO_AVOID, Method.COLLISION_AVOID, Method.COLLISION_AVOID_PRINTED
UP = 0.5 * math.pi
HEAD_ON: list[Row] = [(-0.3, 0.0, 0.0, 1.0), (0.3, 0.0, math.pi, 1.0)]
CROSSING: list[Row] = [(-0.6, 0.0, 0.0, 1.0), (0.0, -0.6, UP, 1.0)]


def test_without_a_method_plans_come_back_as_they_are() -> None:
    seen = world(HEAD_ON)
    plans = straight(seen)
    assert changed(seen, Method.NONE, plans) is plans


@pytest.mark.parametrize("method", [AUTO, MENDED, PRINTED])
def test_the_plans_given_are_not_touched(method: Method) -> None:
    seen = world([*HEAD_ON, (0.0, -0.6, UP, 2.0)])
    plans, same = straight(seen), straight(seen)
    assert (changed(seen, method, plans).xy != plans.xy).any()
    for name in ("xy", "time", "count", "status", "reason"):
        assert getattr(plans, name).tolist() == getattr(same, name).tolist()


@given(st.floats(-0.04, 0.04), st.floats(-0.4, 0.4), st.floats(0.5, 3.0), st.floats(0.5, 3.0))
def test_face_to_face_both_dodge_to_the_same_hand(y: float, turned: float, v: float, u: float) -> None:
    seen = world([(0.0, 0.0, 0.0, v), (0.25 * (v + u), y, math.pi + turned, u)])
    plans, both = changed(seen), bool(found(seen).kind.all())
    assert aside(seen, plans, 0) * aside(seen, plans, 1) > (0.0 if both else -1e-9)
    assert both or abs(turned) > 0.01


def test_face_to_face_both_dodge_right_and_the_printed_program_left() -> None:
    """Erratum: the text says right, from_right = y < 0.1 makes it left."""
    seen = world(HEAD_ON)
    mended, printed = changed(seen), changed(seen, PRINTED)
    assert [aside(seen, mended, i) for i in (0, 1)] == pytest.approx([-0.2, -0.2])
    assert [aside(seen, printed, i) for i in (0, 1)] == pytest.approx([0.2, 0.2])


def test_who_surely_passes_on_the_right_is_dodged_to_the_left() -> None:
    seen = world([(-0.3, 0.0, 0.0, 1.0), (0.3, -0.08, math.pi, 1.0)])
    assert min(aside(seen, changed(seen), i) for i in (0, 1)) > 0.0


@given(st.floats(0.2, 4.0), st.floats(0.2, 4.0))
def test_the_dodge_grows_with_both_speeds_between_its_limits(v: float, u: float) -> None:
    seen = world([(-0.9, 0.0, 0.0, v), (-0.9 + 0.5 * (v + u), 0.0, math.pi, u)])
    plans, way = changed(seen), min(max(0.1 * (v + u), 0.1), 0.5)
    assert -aside(seen, plans, 0) == pytest.approx(way)
    assert plans.xy[0, 1, 0] == pytest.approx(max(0.5 * v - way, 0.2) - 0.9)
    assert plans.status[0] == PlanStatus.PARTIAL


def test_where_courses_cross_who_comes_from_the_left_brakes_and_the_other_goes_on() -> None:
    seen = world(CROSSING)
    plans = changed(seen)
    assert plans.status.tolist() == [PlanStatus.NONE, PlanStatus.EXACT]
    assert plans.reason[0] == PlanReason.BLOCKED
    assert (plans.xy[1] == straight(seen).xy[1]).all()


def test_the_printed_program_stops_by_going_to_where_it_is() -> None:
    seen = world(CROSSING)
    plans = changed(seen, PRINTED)
    assert plans.status[0] == PlanStatus.PARTIAL
    assert (plans.xy[0, :2] == seen.ours.pose[0, :2]).all()


@given(st.floats(-math.pi, math.pi), st.floats(0.8, 1.5))
def test_of_four_that_wait_for_one_another_in_a_circle_the_first_goes(angle: float, v: float) -> None:
    """Everybody crosses first the way of the one from its right, 10 cm before the middle."""
    turns = [angle + k * UP for k in range(4)]
    rows = [
        (-0.5 * math.cos(a) - 0.1 * math.sin(a), -0.5 * math.sin(a) + 0.1 * math.cos(a), a, v)
        for a in turns
    ]  # fmt: skip
    c = found(world(rows))
    assert c.partner.tolist() == [1, 2, 3, 0]
    assert c.from_right.all()
    assert changed(world(rows)).status.tolist() == [PlanStatus.EXACT] + [PlanStatus.NONE] * 3


def test_an_opponent_has_the_right_of_way_from_either_side_and_is_dodged_twice_as_far() -> None:
    for side in (-1.0, 1.0):
        seen = world([(0.0, 0.0, 0.0, 1.0)], [(0.6, side * 0.6, -side * UP, 1.0)])
        assert changed(seen).status[0] == PlanStatus.NONE
    seen = world(HEAD_ON[:1], HEAD_ON[1:])
    assert aside(seen, changed(seen), 0) == pytest.approx(-0.4)


def test_who_is_out_for_contact_is_left_alone_and_gives_no_way() -> None:
    seen = world(CROSSING)
    for i in (0, 1):
        plans = with_contact(straight(seen), i)
        after = changed(seen, MENDED, plans)
        assert (after.xy[i] == plans.xy[i]).all()
        assert after.status[i] == PlanStatus.EXACT
        assert after.status[1 - i] == PlanStatus.NONE  # also the one that comes from the right


@pytest.mark.parametrize("method", [AUTO, MENDED, PRINTED])
def test_it_is_switched_off_for_one_and_for_all(method: Method) -> None:
    seen = world(HEAD_ON)
    plans, params, memory = straight(seen), Params(method), avoid.start(2)
    assert avoid.step(params, avoid.switch(memory, on=False), seen, plans)[1] is plans
    one = avoid.step(params, avoid.switch(memory, on=False, robot=0), seen, plans)[1]
    assert (one.xy[0] == plans.xy[0]).all()
    assert (one.xy[1] != plans.xy[1]).any()
    back = avoid.switch(avoid.switch(memory, on=False), on=True)
    assert avoid.step(params, back, seen, plans)[1].xy.tolist() == changed(seen, method).xy.tolist()


def test_the_method_may_change_from_tick_to_tick() -> None:
    seen, memory = world(HEAD_ON), avoid.start(2)
    for method in (Method.OURS, AUTO, Method.ORCA, MENDED, PRINTED, Method.OURS):
        memory, plans = avoid.step(Params(method), memory, seen, straight(seen))
        assert (plans.status == PlanStatus.PARTIAL).any() or method is Method.OURS
        assert np.isfinite(plans.xy).all()


def test_auto_avoid_goes_to_the_left_of_the_last_one_between_robot_and_target() -> None:
    seen = world([(0.0, 0.0, 0.0, 0.0)], [(0.3, 0.05, 0.0, 0.0), (0.6, -0.1, 0.0, 0.0)])
    plans = changed(seen, AUTO)
    assert plans.xy[0, 1] == pytest.approx((0.6, 0.05))
    beyond = world([(0.0, 0.0, 0.0, 0.0)], [(1.2, 0.0, 0.0, 0.0), (0.5, 0.16, 0.0, 0.0), (-0.1, 0.0, 0.0, 0.0)])
    assert changed(beyond, AUTO).status[0] == PlanStatus.EXACT


def test_a_dodge_is_timed_at_the_pace_of_the_plan() -> None:
    seen = world(HEAD_ON)
    plans = changed(seen)
    way = np.linalg.norm(plans.xy[0, 1] - plans.xy[0, 0])
    assert plans.time[0] == pytest.approx([0.0, way])  # the plan was 1 m in 1 s


def test_printed_nobody_is_avoided_close_to_the_target_and_mended_all_are() -> None:
    seen = world(HEAD_ON)
    near = straight(seen, 0.08)
    assert changed(seen, PRINTED, near).status.tolist() == [PlanStatus.EXACT] * 2
    assert changed(seen, MENDED, near).status.tolist() == [PlanStatus.PARTIAL] * 2


def test_the_margins_of_the_text_can_be_had() -> None:
    seen = world([(0.0, 0.0, 0.0, 0.3), (0.3, 0.0, math.pi, 0.3)])
    text = Params(MENDED, Thesis(dodge_least=0.2, dodge_most=0.8))
    plans = avoid.step(text, avoid.start(2), seen, straight(seen))[1]
    assert aside(seen, plans, 0) == pytest.approx(-0.2)


def test_what_cannot_work_is_refused() -> None:
    seen = world(HEAD_ON)
    with pytest.raises(UnknownNameError, match=r"unknown method 'orka'; did you mean 'orca'\?"):
        Params(cast("Method", "orka"))
    assert Params(cast("Method", "orca")).method is Method.ORCA
    with pytest.raises(ContractError, match=r"horizon must be above 0 and finite; got -1"):
        Params(MENDED, Thesis(horizon=-1.0))
    with pytest.raises(ContractError, match=r"robot must be in \[0, 2\); got 5"):
        avoid.switch(avoid.start(2), on=True, robot=5)
    with pytest.raises(ContractError, match=r"world.ours must have 3 rows, one a robot; got 2"):
        avoid.step(Params(MENDED), avoid.start(3), seen, straight(seen))
    broken = replace(straight(seen), count=np.full(2, 7))
    with pytest.raises(ContractError, match=r"plans.count must be at most 2"):
        avoid.step(Params(MENDED), avoid.start(2), seen, broken)


def test_a_robot_of_nowhere_is_no_reason_to_fail() -> None:
    nan = float("nan")
    seen = world([*HEAD_ON, (nan, nan, nan, nan)])
    for method in Method:
        plans = changed(seen, method)
        assert np.isfinite(plans.xy[:2]).all()
        assert found(seen, MENDED).kind[2] == CollisionKind.NONE
