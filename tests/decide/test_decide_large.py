"""Large teams with kickers: a keeper that steps into shots, and when they shoot, pass and clear."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenario_stage import always, field, parked, staged, ticks
from test_decide_kernels import known

from tikitaka.decide.kernels import chipping, guarding, minding
from tikitaka.decide.kernels.table import HALF_X, HULL, KICK, SPEED
from tikitaka.types import Floats

LARGE = "ssl-a"
REST = np.zeros(3)


@settings(deadline=None, max_examples=100)
@given(st.floats(2.0, 6.0), st.floats(-2.0, 2.0), st.floats(-0.8, 0.8), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_the_place_of_a_save_is_the_nearest_on_the_shots_line_and_stays(
    far: float, by: float, at: float, driven: float, rolled: float
) -> None:
    p = known(LARGE)
    pose, u = np.array((0.6 - p[HALF_X], 0.0, 0.0)), np.array((-far, at - by)) / math.hypot(far, at - by)
    ball = np.array((far - p[HALF_X], by, *(5.0 * u)))
    x, y, _ = guarding.step_into(pose, REST, ball, p)
    assert (x - ball[0]) * u[1] == pytest.approx((y - ball[1]) * u[0], abs=1e-9)
    low = x <= p[HULL] - p[HALF_X] + 1e-9  # it does not go behind its line
    assert low or (x - pose[0]) * u[0] + (y - pose[1]) * u[1] == pytest.approx(0.0, abs=1e-9)
    on = rolled * (np.array((x, y)) - ball[:2])
    later, there = np.concatenate((ball[:2] + on, ball[2:])), pose + driven * (np.array((x, y, 0.0)) - pose)
    assert low or guarding.step_into(there, REST, later, p)[:2] == pytest.approx((x, y), abs=1e-9)


def test_a_keeper_brakes_before_a_slow_shot_and_not_before_one_that_it_would_miss() -> None:
    p, pose = known(LARGE), np.array((0.6 - known(LARGE)[HALF_X], 0.0, 0.0))
    slow, fast = (np.array((4.0 - p[HALF_X], 0.6, -v, 0.0)) for v in (1.0, 6.0))
    assert guarding.step_into(pose, REST, slow, p)[2] == 0.0
    assert guarding.step_into(pose, REST, fast, p)[2] == p[SPEED]


def saves(team: str, seed: int) -> bool:
    """Say whether the keeper stops a shot at 5 m/s from 4.5 m; its mates are far away."""
    rng, end = np.random.default_rng(seed), -field(LARGE).half_length
    blue, bearing, at = parked(LARGE, -1.0), rng.uniform(-0.6, 0.6), rng.uniform(-0.85, 0.85)
    blue[0] = (end + 0.63, 0.0, 0.0)
    start = (end + 4.5 * math.cos(bearing), 4.5 * math.sin(bearing))
    match, way = staged(LARGE, seed, blue, (*start, 0.0, 0.0), team), math.dist(start, (end, at))
    for _ in range(3):
        match.step()
    ball = match.moment.state.ball.copy()
    ball[2:4] = ball[6:8] = 5.0 * (end - start[0]) / way, 5.0 * (at - start[1]) / way
    match.moment = replace(match.moment, state=replace(match.moment.state, ball=ball))
    return always(ticks(match, 1.6), lambda m: m.score[1] == 0)


def test_the_keeper_of_a_large_team_saves_more_than_one_that_waits_where_it_has_most_time() -> None:
    stepped, waited = (sum(saves(team, seed) for seed in range(12)) for team in ("tikitaka", "classic"))
    assert stepped >= waited + 2


def mind(robots: int, ahead: float, passes: bool, bx: float = 0.0, dead: bool = True) -> Floats:
    """Return what a team of so many does with a ball at (bx, 0) whose way to the goal is shut, a mate is free."""
    p, plan, old = known(LARGE), np.zeros(minding.PLANS), np.zeros(minding.PLANS)
    pose = np.zeros((robots, 3))
    pose[:, 0], pose[:, 1] = -p[HALF_X], np.linspace(-4.0, 4.0, robots)
    pose[1], pose[2] = (bx - 0.11, 0.0, 0.0), (bx + ahead, 3.0, 0.0)
    theirs = np.array([(bx + (2.2 if bx < 1.0 else 1.2), 0.1 * k, 0.0) for k in range(-5, 6)])
    still = np.zeros_like(theirs)
    minding.make_up_mind(1, bx, 0.0, pose, np.zeros_like(pose), theirs, still, passes, dead, p, plan, old)
    return plan


def test_a_large_team_kicks_on_where_others_pass_back_and_passes_forward_as_they_do() -> None:
    assert mind(minding.MANY, -2.0, passes=True)[minding.KIND] == minding.PASS
    assert mind(minding.MANY + 1, -2.0, passes=True)[minding.KIND] == minding.SHOOT
    assert mind(minding.MANY + 1, 1.0, passes=True)[minding.KIND] == minding.PASS


@settings(deadline=None, max_examples=100)
@given(st.floats(-6.0, 6.0), st.floats(-6.0, 6.0), st.floats(0.0, 3.0))
def test_the_farther_back_a_pass_goes_the_more_it_costs_until_half_a_metre_either_way(
    bx: float, x: float, more: float
) -> None:
    assert 0.0 <= minding.back_pass(bx, x) <= minding.back_pass(bx, x - more) <= minding.GROUND
    assert minding.back_pass(bx, bx + minding.GAINS + 0.001) == 0.0
    assert minding.back_pass(bx, bx - minding.GAINS - 0.001) == minding.GROUND


def test_a_team_that_does_not_pass_minds_the_same_in_any_number() -> None:
    assert np.array_equal(mind(minding.MANY, -2.0, passes=False), mind(minding.MANY + 1, -2.0, passes=False))


def test_a_large_team_shoots_at_no_wall_and_passes_a_free_kick_back_rather_than_into_it() -> None:
    assert mind(minding.MANY, -1.0, passes=False, bx=3.0, dead=False)[minding.KIND] == minding.SHOOT
    assert mind(minding.MANY + 1, -1.0, passes=True, bx=3.0, dead=False)[minding.KIND] != minding.SHOOT
    assert mind(minding.MANY + 1, -1.0, passes=True, bx=3.0)[minding.KIND] == minding.PASS


def test_before_its_goal_a_large_team_chips_the_ball_away_though_a_mate_is_free() -> None:
    p = known(LARGE)
    assert mind(minding.MANY, 1.0, passes=True, bx=-3.0)[minding.KIND] == minding.PASS
    plan = mind(minding.MANY + 1, 1.0, passes=True, bx=-3.0)
    assert (plan[minding.KIND], plan[minding.LIFT_OUT]) == (minding.CLEAR, chipping.LIFTS)
    assert plan[minding.AIM_X] > -3.0
    assert plan[minding.SPEED_OUT] <= 0.9 * p[KICK]
    assert mind(minding.MANY + 1, 1.0, passes=True, bx=(minding.DEEP - 1.0) * p[HALF_X] + 0.01)[minding.LIFT_OUT] == 0.0


@settings(deadline=None, max_examples=100)
@given(st.floats(-5.8, -2.0), st.floats(-4.0, 4.0), st.floats(-math.pi, math.pi))
def test_a_way_out_leads_away_from_our_goal_and_not_through_who_stands_before_the_ball(
    bx: float, by: float, bearing: float
) -> None:
    p, me = known(LARGE), np.array((bx - 0.11, by, 0.0))
    theirs = np.array([(bx + 0.25 * math.cos(bearing), by + 0.25 * math.sin(bearing), math.pi)])
    x, y = chipping.way_out(me, bx, by, theirs, p)
    assert math.hypot(x + p[HALF_X], y) > math.hypot(bx + p[HALF_X], by)
    assert chipping.over(bx, by, x, y, theirs, p)[1] > 0.0
