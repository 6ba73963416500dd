"""Teams between walls: the keeper sweeps its line; in larger ones our goal area is its own, mates let each other go
first, one waits for a pass."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenario_stage import field, parked, staged, ticks, within
from test_decide_named import load, scene

from tikitaka.decide import squad
from tikitaka.decide.facts import table
from tikitaka.decide.kernels import posting, pushing, sparing, yielding
from tikitaka.decide.kernels.table import AREA_X, AREA_Y, HALF_X, HALF_Y, HULL, REACH
from tikitaka.loop.build import facts_of
from tikitaka.loop.match import Match
from tikitaka.types import Ball, Phase

NAME = "mirosot-5v5"
FACTS = facts_of(load(NAME))
FIELD = field(NAME)
P = table(FACTS, FIELD)
shares = st.floats(-0.98, 0.98)


def in_our_area(x: float, y: float) -> bool:
    return x < FIELD.area_length - FIELD.half_length and abs(y) < 0.5 * FIELD.area_width


@settings(deadline=None, max_examples=150)
@given(st.integers(0, 10**6), shares, shares, st.booleans())
def test_nobody_but_the_keeper_has_a_place_in_our_area(seed: int, x: float, y: float, near: bool) -> None:
    bx = x * P[HALF_X] if not near else (0.1 * abs(x) - 1.0) * P[HALF_X] + 0.02
    ball = Ball(bx, y * (P[AREA_Y] + 0.1 if near else P[HALF_Y]), 0.0, 0.0, 0.0)
    _, wish = squad.decide(FACTS, squad.TIKITAKA, squad.start(), replace(scene(NAME, seed, Phase.PLAY), ball=ball))
    assert not any(in_our_area(a, b) for a, b, _ in wish.target[1:].tolist())


@settings(deadline=None, max_examples=150)
@given(shares, shares, shares, st.floats(-math.pi, math.pi))
def test_behind_a_ball_before_our_area_there_is_room_outside_it(x: float, y: float, at: float, facing: float) -> None:
    bx, by, ring = P[AREA_X] - P[HALF_X] + 0.03 + 0.2 * abs(x), 0.4 * y, 2.3 * P[REACH]
    dx, dy = sparing.from_outside(at * P[HALF_Y], bx, by, math.cos(facing), math.sin(facing), ring, P)
    assert math.hypot(dx, dy) == pytest.approx(1.0)
    assert not in_our_area(bx - ring * dx, by - ring * dy)


@settings(deadline=None, max_examples=150)
@given(shares, shares, shares, st.floats(-math.pi, math.pi))
def test_behind_a_ball_beside_our_area_there_is_room_outside_it(x: float, y: float, at: float, facing: float) -> None:
    bx, by = 0.5 * P[AREA_X] * (1.0 + x) - P[HALF_X], math.copysign(P[AREA_Y] + 0.03 + 0.2 * abs(y), y)
    dx, dy = sparing.from_outside(at * P[HALF_Y], bx, by, math.cos(facing), math.sin(facing), 2.3 * P[REACH], P)
    assert math.hypot(dx, dy) == pytest.approx(1.0)
    assert not in_our_area(bx - 2.3 * P[REACH] * dx, by - 2.3 * P[REACH] * dy)


@pytest.mark.parametrize("name", [NAME, "vsss-3v3"])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_the_keeper_sweeps_a_ball_on_the_goal_line_away_from_the_goal(side: float, name: str) -> None:
    blue, line, hull = parked(name, -1.0), -field(name).half_length, facts_of(load(name)).hull
    blue[0] = (line + 0.78 * hull, 0.0, 0.5 * math.pi)
    match = staged(name, 1, blue, (line + 0.022, side * 0.27, 0.0, 0.0), "tikitaka")
    assert within(ticks(match, 2.0), lambda m: side * m.moment.state.ball[1] > 0.5)
    assert match.moment.state.toucher == 0


def cleared(seed: int, y: float) -> tuple[bool, Match]:
    """Return whether a ball at rest before our goal is driven away in 4 s, and the match then: mates are near, too."""
    blue = parked(NAME, -1.0)
    blue[0] = (-FIELD.half_length + 0.78 * P[HULL], 0.0, 0.5 * math.pi)
    blue[1:4] = (-0.6, 0.0, math.pi), (-0.85, -0.2, 0.0), (-0.5, 0.5, 0.0)
    match = staged(NAME, seed, blue, (-0.88, y, 0.0, 0.0), "tikitaka")
    away = [m.moment.state.ball[0] > -0.6 or abs(m.moment.state.ball[1]) > 0.5 for m in ticks(match, 4.0)]
    return any(away), match


def test_a_ball_before_our_goal_is_cleared_and_mates_spare_the_keeper() -> None:
    seen = [cleared(seed, y) for seed in (1, 2, 3) for y in (-0.3, -0.1, 0.0, 0.05, 0.1, 0.2, 0.3)]
    assert all(away for away, _ in seen)
    assert not any(match.score[1] for _, match in seen)
    touched = [match.moment.tally.last[0, 1:5].max() >= 0 for _, match in seen]
    assert sum(touched) <= 2  # of 21


@pytest.mark.parametrize("x", [-0.93, -0.95, -0.98])
def test_a_ball_beside_our_area_is_played_on(x: float) -> None:
    blue = parked(NAME, -1.0)
    blue[0], blue[1] = (-FIELD.half_length + 0.78 * P[HULL], 0.14, 0.5 * math.pi), (-0.93, 0.15, 1.0)
    match = staged(NAME, 1, blue, (x, 0.28, 0.0, 0.0), "tikitaka")
    assert within(ticks(match, 3.0), lambda m: m.moment.state.ball[1] > 0.5 or m.moment.state.ball[0] > -0.6)


def two(heading: float, away: float, speeds: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Return poses and velocities: robot 1 drives along +x from the centre, robot 2 so that they meet after 0.3 m."""
    ux, uy = math.cos(heading), math.sin(heading)
    pose = np.array(((-5.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.3 - away * ux, -away * uy, heading)))
    return pose, np.array(((0.0, 0.0, 0.0), (speeds[0], 0.0, 0.0), (speeds[1] * ux, speeds[1] * uy, 0.0)))


@pytest.mark.parametrize("heading", [0.5 * math.pi, -0.5 * math.pi, math.pi])
@pytest.mark.parametrize("player", [-1, 1, 2])
def test_of_two_whose_ways_meet_one_slows_down_and_never_who_plays_the_ball(heading: float, player: int) -> None:
    pose, v = two(heading, 0.3, (1.5, 1.5))
    most = np.full(3, 4.0)
    yielding.let_pass(pose, v, player, P, most)
    assert (most[1:] < 4.0).sum() == 1
    assert player < 0 or most[player] == 4.0


def test_who_drives_beside_ahead_or_away_is_let_be() -> None:
    up = 0.5 * math.pi
    for heading, away, speeds in ((0.0, 0.1, (1.0, 1.0)), (up, 1.5, (1.5, 1.5)), (up, 0.3, (1.5, 0.0))):
        pose, v = two(heading, away, speeds)
        most = np.full(3, 4.0)
        yielding.let_pass(pose, v, -1, P, most)
        assert (most == 4.0).all()
    pose, v = two(0.0, 0.15, (0.5, -1.0))  # robot 2 backs into robot 1, which drives on: robot 1 sees it ahead
    yielding.let_pass(pose, v, -1, P, most)
    assert (most < 4.0).any()


def test_a_ball_on_their_wing_is_passed_before_a_mate_who_waits_before_the_goal() -> None:
    world = scene(NAME, 1, Phase.PLAY)
    wx, wy = posting.waits(0.62, 0.6, P)
    ours, theirs = np.zeros_like(world.ours.pose), np.full_like(world.theirs.pose, -0.9)
    ours[:, :2] = (-1.05, 0.0), (0.6, 0.75), (wx, wy), (-0.4, 0.3), (-0.6, -0.3)
    still = np.zeros_like(ours)
    bx, by = 0.62, 0.6
    dx, dy = pushing.across(1, bx, by, 1.0, 0.0, ours, theirs, still, P)
    assert math.atan2(dy, dx) == pytest.approx(math.atan2(wy - by, wx + pushing.LEADS * P[HULL] - bx))
    theirs[0, :2] = 0.5 * (wx + bx), 0.5 * (wy + by)
    assert pushing.across(1, bx, by, 1.0, 0.0, ours, theirs, still, P) == (1.0, 0.0), "an opponent is in the way"
    assert pushing.across(1, bx, 0.1, 1.0, 0.0, ours, np.full_like(theirs, -0.9), still, P) == (1.0, 0.0), "it is shot"
