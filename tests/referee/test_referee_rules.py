"""The referee: goals, clock, free balls, out of field, and who plays first."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka import referee
from tikitaka.league import load, names
from tikitaka.loop.build import rules_params
from tikitaka.referee.rules import KICK_OFF_SECONDS
from tikitaka.types import BLUE, YELLOW, Event, EventKind, Phase

LEAGUES = sorted(names())
WALLED, OPEN = "mirosot-5v5", "ssl-b"
PLAYING = referee.Whistle(phase=Phase.PLAY)


@cache
def rules(name: str, seconds: float = 60.0) -> referee.Params:
    return rules_params(load(name), seconds)


def kinds(params: referee.Params, x: float, y: float) -> list[EventKind]:
    return [event.kind for event in referee.step(params, PLAYING, 10, x, y)[1]]


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("name", LEAGUES)
def test_a_goal_is_a_ball_wholly_over_the_line_between_the_posts(name: str, side: float) -> None:
    params = rules(name)
    line, r, post = params.field.half_length, params.ball_radius, 0.5 * params.field.goal_width
    in_goal = side * (line + r + 1e-6)
    for y in (0.0, post - r, r - post):
        whistle, events, placed = referee.step(params, PLAYING, 10, in_goal, y)
        scorer = BLUE if side > 0.0 else YELLOW
        assert [(e.kind, e.team) for e in events] == [(EventKind.GOAL, scorer), (EventKind.KICK_OFF, 1 - scorer)]
        assert (events[0].x, events[0].y) == (in_goal, y)
        assert whistle.score == ((1, 0) if scorer == BLUE else (0, 1))
        assert (whistle.phase, whistle.kicks_off) == (Phase.KICK_OFF, 1 - scorer)
        assert placed is not None
    assert kinds(params, side * line, 0.0) == []
    assert kinds(params, side * (line + r - 1e-6), 0.0) == []
    assert EventKind.GOAL not in kinds(params, in_goal, post + r)
    assert EventKind.GOAL not in kinds(params, in_goal, -post - r)


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("name", [name for name in LEAGUES if rules(name).field.margin_x > 0.0])
def test_a_ball_behind_the_goal_is_out_and_no_goal(name: str, side: float) -> None:
    params = rules(name)
    behind = params.field.half_length + params.field.goal_depth + params.field.goal_wall + params.ball_radius
    assert kinds(params, side * behind, 0.0) == [EventKind.FREE_BALL]


@settings(deadline=None)
@given(st.floats(0.0, 2.0), st.floats(0.0, 2.0), st.sampled_from(LEAGUES))
def test_all_four_quarters_of_the_field_are_judged_alike(part_x: float, part_y: float, name: str) -> None:
    params = rules(name)
    x, y = 1e-6 + part_x * params.field.half_length, part_y * params.field.half_width
    assert kinds(params, x, y) == kinds(params, x, -y) == kinds(params, -x, y) == kinds(params, -x, -y)


def test_out_of_field_is_a_free_ball_only_where_there_is_room_beside_the_lines() -> None:
    for name, expected in ((OPEN, [EventKind.FREE_BALL]), (WALLED, [])):
        params = rules(name)
        beside = params.field.half_width + params.ball_radius
        assert kinds(params, 0.3, beside + 1e-6) == kinds(params, 0.3, -beside - 1e-6) == expected
        assert kinds(params, 0.3, beside - 1e-6) == []
    params = rules(OPEN)
    over = params.field.half_length + params.ball_radius + 1e-6
    assert kinds(params, over, 1.0) == kinds(params, -over, 1.0) == [EventKind.FREE_BALL]


@pytest.mark.parametrize(("x", "owner"), [(-0.5, BLUE), (0.5, YELLOW)])
def test_a_free_ball_is_played_from_the_centre_by_the_team_in_whose_half_it_was_lost(x: float, owner: int) -> None:
    params = rules(OPEN)
    whistle, events, placed = referee.step(params, PLAYING, 10, x, params.field.half_width + 0.1)
    assert [(e.kind, e.team) for e in events] == [(EventKind.FREE_BALL, owner)]
    assert (whistle.phase, whistle.kicks_off, whistle.score) == (Phase.KICK_OFF, owner, (0, 0))
    assert placed is not None
    assert np.array_equal(placed, referee.kick_off(params.field, params.robots, params.hull, params.reach, owner))


@pytest.mark.parametrize("name", LEAGUES)
def test_a_ball_that_lies_is_free_after_the_configured_time_and_not_earlier(name: str) -> None:
    params = rules(name, 1000.0)
    whistle, tick = referee.Whistle(Phase.PLAY, mark=(0.2, 0.1)), 0
    events: tuple[Event, ...] = ()
    while not events:
        tick += 1
        whistle, events, _ = referee.step(params, whistle, tick, 0.2 + 0.9 * params.hull * math.sin(tick), 0.1)
    assert tick == math.floor(params.free_ball_after * params.rate) + 1


def test_a_ball_that_moves_on_is_never_stuck() -> None:
    params = rules(WALLED, 1000.0)
    whistle = PLAYING
    for tick in range(1, 20 * int(params.rate)):
        x = 0.05 * tick / params.rate - 0.5
        whistle, events, _ = referee.step(params, whistle, tick, x, 0.0)
        assert events == ()


@pytest.mark.parametrize("seconds", [1.0, 0.999, 1.001, 2.5, 1.0 / 3.0, 10.01, 0.1 + 0.2])
@pytest.mark.parametrize("name", [WALLED, OPEN])
def test_full_time_is_the_first_tick_that_is_not_before_it(name: str, seconds: float) -> None:
    params = replace(rules(name), seconds=seconds)
    whistle, _, _ = referee.begin(params)
    tick, events = 0, tuple[Event, ...]()
    while not any(e.kind == EventKind.FULL_TIME for e in events):
        tick += 1
        whistle, events, placed = referee.step(params, whistle, tick, 0.001 * tick, 0.0)
    assert (tick - 1) / params.rate < seconds - 1e-9 < tick / params.rate
    assert whistle.phase == Phase.HALT
    assert placed is None


def test_a_ball_that_crosses_the_line_at_full_time_is_no_goal() -> None:
    params = rules(WALLED, 1.0)
    whistle, events, _ = referee.step(params, PLAYING, 30, params.field.half_length + 0.1, 0.0)
    assert [e.kind for e in events] == [EventKind.FULL_TIME]
    assert whistle.score == (0, 0)


def test_kick_off_ends_when_the_ball_has_moved_or_nobody_comes() -> None:
    params = rules(WALLED)
    whistle, event, _ = referee.begin(params)
    assert (event.kind, event.team, whistle.phase) == (EventKind.KICK_OFF, BLUE, Phase.KICK_OFF)
    assert referee.step(params, whistle, 1, 0.029, 0.0)[0].phase == Phase.KICK_OFF
    assert referee.step(params, whistle, 1, 0.031, 0.0)[0].phase == Phase.PLAY
    waited = int(KICK_OFF_SECONDS * params.rate)
    assert referee.step(params, whistle, waited, 0.0, 0.0)[0].phase == Phase.KICK_OFF
    assert referee.step(params, whistle, waited + 1, 0.0, 0.0)[0].phase == Phase.PLAY


def test_a_ball_that_nobody_plays_goes_to_the_other_team() -> None:
    params = rules("vsss-3v3", 1000.0)
    whistle, _, _ = referee.begin(params)
    owners = []
    for tick in range(1, 61 * int(params.rate)):
        whistle, events, _ = referee.step(params, whistle, tick, 0.0, 0.0)
        owners += [(event.kind, event.team) for event in events]
    each = KICK_OFF_SECONDS + params.free_ball_after
    assert len(owners) == int(60.0 / each)
    assert owners == [(EventKind.FREE_BALL, (YELLOW, BLUE)[k % 2]) for k in range(len(owners))]


def test_both_teams_hear_the_same_word_from_their_own_side() -> None:
    params = rules(WALLED, 60.0)
    whistle = referee.Whistle(Phase.KICK_OFF, score=(2, 1), kicks_off=YELLOW)
    ours, theirs = (referee.game(params, whistle, 30, team) for team in (BLUE, YELLOW))
    assert (ours.goals_ours, ours.goals_theirs) == (theirs.goals_theirs, theirs.goals_ours) == (2, 1)
    assert (ours.ours, theirs.ours) == (False, True)
    assert ours.time_left == theirs.time_left == 59.0
    assert referee.game(params, whistle, 10_000, BLUE).time_left == 0.0
