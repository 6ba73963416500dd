"""The referee: goals, clock, halves, kick-off, free balls, and who plays first."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from referee_scenes import PLAYING, kinds, look, marked, rules

from tikitaka import referee
from tikitaka.league import names
from tikitaka.referee.restarts import KICK_SECONDS
from tikitaka.types import BLUE, YELLOW, Event, EventKind, Phase

LEAGUES = sorted(names())
WALLED, OPEN = "mirosot-5v5", "ssl-b"


def seen(params: referee.Params, x: float, y: float) -> list[EventKind]:
    view = look(params, 10, (x, y))
    return kinds(referee.step(params, marked(view), view)[1])


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("name", LEAGUES)
def test_a_goal_is_a_ball_wholly_over_the_line_between_the_posts(name: str, side: float) -> None:
    params = rules(name)
    line, r, post = params.field.half_length, params.ball_radius, 0.5 * params.field.goal_width
    in_goal = side * (line + r + 1e-6)
    for y in (0.0, post - r, r - post):
        whistle, events, placed = referee.step(params, PLAYING, look(params, 10, (in_goal, y), toucher=1))
        scorer = BLUE if side > 0.0 else YELLOW
        assert [(e.kind, e.team) for e in events] == [(EventKind.GOAL, scorer), (EventKind.KICK_OFF, 1 - scorer)]
        assert (events[0].x, events[0].y, events[0].robots) == (in_goal, y, (1,))
        assert whistle.score == ((1, 0) if scorer == BLUE else (0, 1))
        assert whistle.owner == 1 - scorer
        assert whistle.phase == (Phase.STOP if params.walk else Phase.KICK_OFF)
        assert placed is not None
    assert seen(params, side * line, 0.0) == []
    assert seen(params, side * (line + r - 1e-6), 0.0) == []
    assert EventKind.GOAL not in seen(params, in_goal, post + r)
    assert EventKind.GOAL not in seen(params, in_goal, -post - r)


@settings(deadline=None)
@given(st.floats(0.0, 2.0), st.floats(0.0, 2.0), st.sampled_from(LEAGUES))
def test_all_four_quarters_of_the_field_are_judged_alike(part_x: float, part_y: float, name: str) -> None:
    params = rules(name)
    x, y = 1e-6 + part_x * params.field.half_length, part_y * params.field.half_width
    assert seen(params, x, y) == seen(params, x, -y)
    assert seen(params, -x, y) == seen(params, -x, -y)


@pytest.mark.parametrize("name", LEAGUES)
def test_a_ball_that_gets_nowhere_is_free_after_the_configured_time_and_not_earlier(name: str) -> None:
    params = rules(name, 1000.0)
    whistle, tick = referee.Whistle(Phase.PLAY, mark=(0.2, 0.1)), 0
    events: tuple[Event, ...] = ()
    while not events:
        tick += 1
        ball = (0.2 + 0.29 * params.free_ball_after * params.hull * (1.0 + math.sin(tick)), 0.1)
        whistle, events, placed = referee.step(params, whistle, look(params, tick, ball))
    assert tick == math.floor(params.free_ball_after * params.rate) + 1
    assert [(e.kind, e.cause, e.team) for e in events] == [(EventKind.FREE_BALL, EventKind.NO_PROGRESS, -1)]
    assert (placed is None) == params.walk  # the ball lies well


@pytest.mark.parametrize("quarter", [(1, 1), (-1, 1), (-1, -1), (1, -1)])
@pytest.mark.parametrize("name", ["mirosot-5v5", "vsss-3v3", "vsss-5v5", "mirosot-11v11"])
def test_a_free_ball_lies_on_the_mark_of_its_quarter_with_one_robot_of_each_team_beside_it(
    name: str, quarter: tuple[int, int]
) -> None:
    params = rules(name)
    marks = {"vsss-3v3": (0.375, 0.4), "mirosot-11v11": (1.0, 0.93)}
    x, y = (q * 0.3 * side for q, side in zip(quarter, (params.field.length, params.field.width), strict=True))
    late = int(params.free_ball_after * params.rate) + 1
    whistle, _, placed = referee.step(params, replace(PLAYING, mark=(x, y)), look(params, late, (x, y)))
    mark = [q * m for q, m in zip(quarter, marks.get(name, (0.55, 0.6)), strict=True)]
    assert (whistle.phase, whistle.owner, whistle.ready) == (Phase.FREE_BALL, -1, True)
    assert placed is not None
    assert placed[-1, :2].tolist() == list(whistle.spot) == mark
    off = placed[:-1, :2] - mark
    near = np.hypot(*off.T) < 0.25
    (blue,), (yellow,) = (np.flatnonzero(half) for half in (near[: params.robots], near[params.robots :]))
    assert off[blue].tolist() == pytest.approx([-0.2, 0.0])
    assert off[params.robots + yellow].tolist() == pytest.approx([0.2, 0.0])
    inside = np.sign(placed[:-1, :2]) == quarter
    assert inside.all(axis=1).sum() <= 2 + 2  # the two, and keepers


def test_a_ball_that_moves_on_is_never_stuck() -> None:
    params = rules(WALLED, 1000.0)
    whistle = PLAYING
    for tick in range(1, 20 * int(params.rate)):
        x = 0.05 * tick / params.rate - 0.5
        whistle, events, _ = referee.step(params, whistle, look(params, tick, (x, 0.0)))
        assert events == ()


@pytest.mark.parametrize("seconds", [1.0, 0.999, 1.001, 2.5, 1.0 / 3.0, 10.01, 0.1 + 0.2])
@pytest.mark.parametrize("name", [WALLED, OPEN])
def test_full_time_is_the_first_tick_that_is_not_before_it(name: str, seconds: float) -> None:
    params = replace(rules(name), seconds=seconds)
    whistle, _, _ = referee.begin(params)
    tick, events = 0, tuple[Event, ...]()
    while EventKind.FULL_TIME not in kinds(events):
        tick += 1
        whistle, events, placed = referee.step(params, whistle, look(params, tick, (0.001 * tick, 0.0)))
    assert (tick - 1) / params.rate < seconds - 1e-9 < tick / params.rate
    assert (whistle.phase, whistle.ready) == (Phase.HALT, True)
    assert placed is None


@pytest.mark.parametrize("name", LEAGUES)
def test_yellow_kicks_off_the_second_half_and_there_is_no_third(name: str) -> None:
    params = rules(name, 10.0)
    whistle, first, _ = referee.begin(params)
    assert (first.kind, first.team, whistle.half) == (EventKind.KICK_OFF, BLUE, 1)
    found = []
    for tick in range(1, int(10.0 * params.rate) + 1):
        whistle, events, placed = referee.step(params, whistle, look(params, tick, (0.01, 0.0)))
        found += [(e.time, e.kind, e.team) for e in events if e.kind in (EventKind.HALF_TIME, EventKind.KICK_OFF)]
        if EventKind.HALF_TIME in kinds(events):
            assert placed is not None
            assert np.isfinite(placed).all()
            assert (whistle.half, whistle.phase, whistle.ready) == (2, Phase.KICK_OFF, True)
    assert found == [(5.0, EventKind.HALF_TIME, -1), (5.0, EventKind.KICK_OFF, YELLOW)]
    whole = replace(params, halves=1)
    assert referee.step(whole, PLAYING, look(whole, int(5.0 * params.rate), (0.01, 0.0)))[1] == ()


def test_a_ball_that_crosses_the_line_at_full_time_is_no_goal() -> None:
    params = rules(WALLED, 1.0)
    view = look(params, 30, (params.field.half_length + 0.1, 0.0))
    whistle, events, _ = referee.step(params, PLAYING, view)
    assert kinds(events) == [EventKind.FULL_TIME]
    assert whistle.score == (0, 0)


@pytest.mark.parametrize("name", LEAGUES)
def test_a_kick_off_ends_when_the_ball_has_moved_or_nobody_comes(name: str) -> None:
    params = rules(name)
    whistle, event, _ = referee.begin(params)
    assert (event.kind, event.team, whistle.phase) == (EventKind.KICK_OFF, BLUE, Phase.KICK_OFF)
    assert referee.step(params, whistle, look(params, 1, (0.029, 0.0)))[0].phase == Phase.KICK_OFF
    assert referee.step(params, whistle, look(params, 1, (0.031, 0.0)))[0].phase == Phase.PLAY
    waited = int(KICK_SECONDS * params.rate)
    assert referee.step(params, whistle, look(params, waited))[0].phase == Phase.KICK_OFF
    late, events, _ = referee.step(params, whistle, look(params, waited + 1))
    assert late.phase == Phase.PLAY
    assert kinds(events) == [EventKind.KICK_TIMEOUT]


def test_both_teams_hear_the_same_word_each_from_its_own_side() -> None:
    params = rules(WALLED, 60.0)
    whistle = referee.Whistle(Phase.GOAL_KICK, score=(2, 1), owner=YELLOW, spot=(0.9, -0.1), ready=False, half=2)
    ours, theirs = (referee.game(params, whistle, 30, team) for team in (BLUE, YELLOW))
    assert (ours.goals_ours, ours.goals_theirs) == (theirs.goals_theirs, theirs.goals_ours) == (2, 1)
    assert (ours.ours, theirs.ours) == (False, True)
    assert (ours.spot, theirs.spot) == ((0.9, -0.1), (-0.9, 0.1))
    assert (ours.ready, ours.half, ours.phase) == (False, 2, Phase.GOAL_KICK)
    assert ours.time_left == theirs.time_left == 59.0
    assert referee.game(params, whistle, 10_000, BLUE).time_left == 0.0
    free = replace(whistle, phase=Phase.FREE_BALL, owner=-1)
    assert all(referee.game(params, free, 30, team).ours for team in (BLUE, YELLOW))
