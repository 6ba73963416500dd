"""Straight plans: the least time against a slow twin that adds up the speed limit along the way."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka import plan
from tikitaka.league import load
from tikitaka.plan.kernels.straight import trapezoid_time
from tikitaka.types import Ball, Floats, Game, Intents, Phase, Plans, PlanStatus, Robots, World

FIELD = load("mirosot-5v5").field.geometry()
LIMITS = plan.Limits(max_speed=2.0, max_acceleration=5.0)
PARAMS = plan.Params(FIELD, LIMITS, plan.Body(0.05, 0.04, 0.02, 0.06), plan.Planner.STRAIGHT)

distances = st.floats(0.001, 5.0)
speeds = st.floats(0.0, 4.0)
limits = st.floats(0.5, 4.0)
accelerations = st.floats(0.5, 10.0)


def slow_time(distance: float, v0: float, v1: float, v_max: float, a: float, cells: int = 20_000) -> float:
    """Return the time of the fastest drive: at each point as fast as start, end and limit allow."""
    v0, v1 = min(v0, v_max), min(v1, v_max)
    s = np.linspace(0.0, distance, cells)
    if v0 * v0 - 2.0 * a * distance > v1 * v1:  # cannot brake to v1
        v = np.sqrt(v0 * v0 - 2.0 * a * s)
    else:
        from_start, to_end = np.sqrt(v0 * v0 + 2.0 * a * s), np.sqrt(v1 * v1 + 2.0 * a * (distance - s))
        v = np.minimum(np.minimum(from_start, to_end), v_max)
    return float(np.sum(2.0 * np.diff(s) / (v[1:] + v[:-1])))  # exact where the acceleration is constant


@settings(deadline=None)
@given(distances, speeds, speeds, limits, accelerations)
def test_the_least_time_is_that_of_the_slow_twin(d: float, v0: float, v1: float, v_max: float, a: float) -> None:
    assert trapezoid_time(d, v0, v1, v_max, a) == pytest.approx(slow_time(d, v0, v1, v_max, a), rel=2e-3)


@settings(deadline=None)
@given(distances, speeds, speeds, limits, accelerations)
def test_there_and_back_take_the_same_time(d: float, v0: float, v1: float, v_max: float, a: float) -> None:
    if abs(v0 * v0 - v1 * v1) < 2.0 * a * d and max(v0, v1) <= v_max:  # both speeds can be had
        assert trapezoid_time(d, v0, v1, v_max, a) == pytest.approx(trapezoid_time(d, v1, v0, v_max, a))


@settings(deadline=None)
@given(distances, st.floats(0.0, 0.5), speeds, limits, accelerations)
def test_who_drives_away_brakes_first(d: float, back: float, v1: float, v_max: float, a: float) -> None:
    turned = back / a + trapezoid_time(d + 0.5 * back * back / a, 0.0, v1, v_max, a)
    assert trapezoid_time(d, -back, v1, v_max, a) == pytest.approx(turned)


@settings(deadline=None)
@given(distances, limits, accelerations)
def test_limits_of_the_least_time(d: float, v_max: float, a: float) -> None:
    assert trapezoid_time(d, 0.0, 0.0, 1e9, a) == pytest.approx(2.0 * math.sqrt(d / a))
    assert trapezoid_time(d, 0.0, 0.0, v_max, 1e12) == pytest.approx(d / v_max, rel=1e-4)
    assert trapezoid_time(d, v_max, v_max, v_max, a) == pytest.approx(d / v_max)


@given(speeds, speeds)
def test_no_way_takes_no_time(v0: float, v1: float) -> None:
    assert trapezoid_time(0.0, v0, v1, 2.0, 5.0) == 0.0


def world(pose: Floats, velocity: Floats) -> World:
    robots = Robots(pose, velocity, np.zeros(len(pose)))
    return World(3.0, FIELD, Ball(0.0, 0.0, 0.0, 0.0, 0.0), robots, robots, Game(Phase.PLAY, 1.0, 0, 0, ours=True))


def wish(target: Floats, active: bool = True) -> Intents:
    n = len(target)
    still = Intents.stop(n)
    return replace(still, active=np.full(n, active), target=target)


def planned(seen: World, intents: Intents) -> Plans:
    return plan.step(PARAMS, plan.start(PARAMS, len(intents)), seen, intents)[1]


def test_a_plan_leads_from_here_and_now_to_the_target() -> None:
    pose, target = np.array([[0.1, 0.2, 0.3], [0.5, -0.4, 1.0]]), np.array([[1.0, -0.2, 0.0], [0.5, -0.4, 0.0]])
    plans = planned(world(pose, np.zeros((2, 3))), wish(target))
    assert np.array_equal(plans.xy[:, 0], pose[:, :2])
    assert np.array_equal(plans.xy[:, 1], target[:, :2])
    way = math.dist((0.1, 0.2), (1.0, -0.2))
    assert plans.time[0].tolist() == pytest.approx([3.0, 3.0 + slow_time(way, 0.0, 0.0, 2.0, 5.0)], abs=1e-3)
    assert plans.time[1].tolist() == [3.0, 3.0]  # it is there already
    assert plans.status.tolist() == [PlanStatus.EXACT, PlanStatus.EXACT]


def test_a_robot_that_stands_still_has_no_plan() -> None:
    plans = planned(world(np.zeros((3, 3)), np.zeros((3, 3))), Intents.stop(3))
    assert plans.status.tolist() == [PlanStatus.NONE] * 3


def test_one_robot_that_makes_no_sense_leaves_the_others_plans_alone() -> None:
    pose, target = np.zeros((3, 3)), np.ones((3, 3))
    good = planned(world(pose, pose), wish(target))
    broken = target.copy()
    broken[1, 0] = math.nan
    bad = planned(world(pose, pose), wish(broken))
    assert np.array_equal(bad.xy[[0, 2]], good.xy[[0, 2]])
    assert np.array_equal(bad.time[[0, 2]], good.time[[0, 2]])
