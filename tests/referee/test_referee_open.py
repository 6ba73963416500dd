"""The Small Size League: ball out, areas, crashes, pushing, speed; each is called in its scene and in no milder one."""

import math
from dataclasses import replace

import numpy as np
import pytest
from referee_scenes import PLAYING, kinds, look, marked, rules

from tikitaka import referee
from tikitaka.referee import Touch, spots
from tikitaka.types import BLUE, YELLOW, Event, EventKind, Phase

LEAGUES = ["ssl-b", "ssl-a"]


def told(params: referee.Params, view: referee.View, whistle: referee.Whistle = PLAYING) -> tuple[Event, ...]:
    return referee.step(params, marked(view, whistle), view)[1]


def called(params: referee.Params, view: referee.View) -> tuple[EventKind, EventKind | None, int, tuple[float, float]]:
    whistle, (event,), _ = referee.step(params, marked(view), view)
    assert whistle.phase == Phase.STOP
    assert whistle.owner == event.team
    return event.kind, event.cause, event.team, whistle.spot


@pytest.mark.parametrize("last", [BLUE, YELLOW])
@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("name", LEAGUES)
def test_a_ball_over_the_touch_line_is_a_throw_in_of_the_team_that_did_not_touch_it(
    name: str, side: float, last: int
) -> None:
    params = rules(name)
    f, toucher = params.field, last * params.robots + 3
    view = look(params, 10, (0.7, side * (f.half_width + params.ball_radius + 1e-6)), toucher)
    want = (EventKind.THROW_IN, EventKind.BALL_OUT, 1 - last, (0.7, side * (f.half_width - 0.2)))
    assert called(params, view) == want
    assert told(params, view)[0].robots == (toucher,)
    assert told(params, look(params, 10, (0.7, side * (f.half_width + params.ball_radius - 1e-6)), toucher)) == ()


@pytest.mark.parametrize("first", [BLUE, YELLOW])
@pytest.mark.parametrize("name", LEAGUES)
def test_a_ball_that_two_squeeze_out_was_his_who_had_it_first_whatever_his_colour(name: str, first: int) -> None:
    params = rules(name)
    n, out = params.robots, params.field.half_width + params.ball_radius + 1e-6
    one, other, whistle = first * n + 1, (1 - first) * n + 2, PLAYING
    for y, toucher in ((out - 0.1, one), (out - 0.1, other), (out, other)):
        view = look(params, 10, (0.0, y), toucher)
        view.pose[one, :2], view.pose[other, :2] = (-params.reach, y), (params.reach, y)
        whistle, events, _ = referee.step(params, marked(view, whistle), view)
    assert [(event.kind, event.team, event.robots) for event in events] == [(EventKind.THROW_IN, 1 - first, (one,))]
    view.pose[one, 0] = -1.0  # he has left it before
    assert told(params, view, replace(PLAYING, holder=one))[0].team == first


@pytest.mark.parametrize("last", [BLUE, YELLOW])
@pytest.mark.parametrize("name", LEAGUES)
def test_a_ball_over_a_goal_line_is_a_goal_kick_or_a_corner_kick(name: str, last: int) -> None:
    params = rules(name)
    f = params.field
    over = f.half_length + params.ball_radius + 1e-6
    view = look(params, 10, (over, -1.2), last * params.robots + 2)  # behind yellow's goal line
    kind = EventKind.GOAL_KICK if last == BLUE else EventKind.CORNER_KICK
    x = f.half_length - (1.0 if last == BLUE else 0.2)
    assert called(params, view) == (kind, EventKind.BALL_OUT, 1 - last, (x, 0.2 - f.half_width))


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("name", LEAGUES)
def test_a_ball_behind_the_goal_is_out_and_no_goal(name: str, side: float) -> None:
    params = rules(name)
    behind = params.field.half_length + params.field.goal_depth + params.field.goal_wall + params.ball_radius
    assert called(params, look(params, 10, (side * behind, 0.0), 1))[1] == EventKind.BALL_OUT


@pytest.mark.parametrize("name", LEAGUES)
def test_a_ball_that_nobody_touched_since_the_kick_off_was_played_by_the_kicking_team(name: str) -> None:
    params = rules(name)
    view = look(params, 10, (0.0, params.field.half_width + 0.1))
    for owner in (BLUE, YELLOW):
        assert told(params, view, replace(PLAYING, owner=owner))[0].team == 1 - owner


@pytest.mark.parametrize("name", LEAGUES)
def test_free_kicks_keep_off_lines_and_areas(name: str) -> None:
    params = rules(name)
    f = params.field
    for x in np.linspace(-f.half_length, f.half_length, 41):
        for y in np.linspace(-f.half_width, f.half_width, 31):
            sx, sy = spots.free_kick(f, float(x), float(y))
            assert abs(sx) <= f.half_length - 0.2 + 1e-9
            assert abs(sy) <= f.half_width - 0.2 + 1e-9
            out_x = f.half_length - f.area_length - abs(sx)
            out_y = abs(sy) - 0.5 * f.area_width
            assert max(out_x, out_y) >= 1.0 - 1e-9
            legal = max(f.half_length - f.area_length - abs(x), abs(y) - 0.5 * f.area_width) >= 1.0
            if legal and abs(x) <= f.half_length - 0.2 and abs(y) <= f.half_width - 0.2:
                assert (sx, sy) == (x, y)


def at_the_ball(params: referee.Params, team: int, depth: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ball and a robot that touches it, its centre so far inside the front line of a team's area."""
    side = -1.0 if team == BLUE else 1.0
    x = side * (params.field.half_length - params.field.area_length + depth)
    return (x - side * (params.hull + params.ball_radius + 0.005), 0.4), (x, 0.4)


@pytest.mark.parametrize("team", [BLUE, YELLOW])
@pytest.mark.parametrize("name", LEAGUES)
def test_an_attacker_who_plays_the_ball_with_a_part_of_it_in_the_area_gives_a_free_kick(name: str, team: int) -> None:
    params = rules(name)
    robot = (1 - team) * params.robots + 2
    for depth, wrong in ((-params.hull + 0.001, True), (-params.hull - 0.001, False)):
        ball, place = at_the_ball(params, team, depth)
        view = look(params, 10, ball, robot, {robot: place})
        if wrong:
            assert called(params, view)[:3] == (EventKind.FREE_KICK, EventKind.ATTACKER_IN_AREA, team)
        else:
            assert told(params, view) == ()
    ball, place = at_the_ball(params, team, 0.3)
    assert told(params, look(params, 10, (ball[0], ball[1] + 0.1), robot, {robot: place})) == ()  # not at the ball
    keeper = robot - 2  # far from home it is a robot like others
    assert told(params, look(params, 10, ball, keeper, {keeper: place}))[0].cause == EventKind.ATTACKER_IN_AREA


@pytest.mark.parametrize("team", [BLUE, YELLOW])
@pytest.mark.parametrize("name", LEAGUES)
def test_a_defender_who_plays_the_ball_wholly_in_its_area_gives_a_penalty_and_the_keeper_does_not(
    name: str, team: int
) -> None:
    params = rules(name)
    robot = team * params.robots + 2
    ball, place = at_the_ball(params, team, params.hull + 0.001)
    kind, cause, owner, spot = called(params, look(params, 10, ball, robot, {robot: place}))
    assert (kind, cause, owner) == (EventKind.PENALTY, EventKind.DEFENDER_IN_AREA, 1 - team)
    goal = -params.field.half_length if team == BLUE else params.field.half_length
    assert abs(goal - spot[0]) == params.penalty_distance
    ball, place = at_the_ball(params, team, params.hull - 0.001)
    assert told(params, look(params, 10, ball, robot, {robot: place})) == ()
    ball, place = at_the_ball(params, team, 0.3)
    assert told(params, look(params, 10, ball, robot - 2, {robot - 2: place})) == ()


@pytest.mark.parametrize("name", LEAGUES)
def test_a_keeper_may_hold_the_ball_in_its_area_for_the_configured_time(name: str) -> None:
    params = rules(name)
    f = params.field
    whistle, late = replace(PLAYING, mark=(0.0, 0.0)), int(params.free_ball_after * params.rate)
    for tick in range(1, late + 3):
        ball = (-f.half_length + 0.5 * f.area_length, 0.4 * f.area_width * math.sin(0.05 * tick))
        whistle, events, _ = referee.step(params, whistle, look(params, tick, ball, 0))
        assert (events == ()) == (tick < late + 2)
    assert [(e.kind, e.cause, e.team) for e in events] == [(EventKind.FREE_KICK, EventKind.BALL_HELD, YELLOW)]


def crash(closing: float, speed_a: float, speed_b: float, b: int = 8) -> Touch:
    return Touch(2, b, closing, speed_a, speed_b)


@pytest.mark.parametrize(
    ("touch", "want"),
    [
        (crash(1.51, 2.0, 0.5), [(EventKind.CRASH, BLUE, (2, 8))]),
        (crash(1.51, 0.5, 2.0), [(EventKind.CRASH, YELLOW, (8, 2))]),
        (crash(1.49, 2.0, 0.5), []),
        (crash(1.6, 1.0, 1.29), [(EventKind.CRASH_DRAWN, -1, (8, 2))]),
        (crash(1.6, 1.0, 1.31), [(EventKind.CRASH, YELLOW, (8, 2))]),
        (crash(3.0, 2.0, 0.5, b=3), []),  # their own
    ],
)
def test_the_faster_one_of_two_opponents_who_crash_is_at_fault(
    touch: Touch, want: list[tuple[EventKind, int, tuple[int, int]]]
) -> None:
    params = rules("ssl-b")
    view = look(params, 10, (1.0, 1.0), touches=(touch,))
    whistle, events, _ = referee.step(params, marked(view), view)
    assert [(e.kind, e.team, e.robots) for e in events] == want
    assert whistle.phase == Phase.PLAY
    assert all(e.value == touch.closing for e in events)


def test_every_third_foul_of_a_team_is_a_free_kick_where_it_happened_and_one_crash_counts_once() -> None:
    params = rules("ssl-b")
    whistle, found = PLAYING, []
    for k, tick in enumerate((60, 61, 120, 180)):
        at = {2: (1.0, 0.5 + 0.1 * k), 8: (1.1, 0.5 + 0.1 * k)}
        view = look(params, tick, (-1.0, 1.0), at=at, touches=(crash(2.0, 2.0, 0.1),))
        whistle, events, _ = referee.step(params, marked(view, whistle), view)
        found += [(e.kind, e.cause, e.team) for e in events]
    crashed = (EventKind.CRASH, None, BLUE)
    assert found == [crashed, crashed, (EventKind.FREE_KICK, EventKind.CRASH, YELLOW)]
    assert (whistle.phase, whistle.owner, whistle.fouls) == (Phase.STOP, YELLOW, (0, 0))
    assert whistle.spot == pytest.approx((1.05, 0.8))
    assert referee.describe(events[0], 6) == "free kick for yellow: blue 2 crashed into yellow 2 at 2.0 m/s"


def test_a_third_foul_is_seen_beside_a_crash_of_others_and_one_that_came_in_a_stop_is_not_forgotten() -> None:
    params, drawn = rules("ssl-b"), referee.Touch(3, 9, 2.0, 1.0, 1.0)
    for before, left in ((2, 0), (3, 1)):
        view = look(params, 60, (-1.0, 1.0), touches=(crash(2.0, 2.0, 0.1), drawn))
        whistle, events, _ = referee.step(params, marked(view, replace(PLAYING, fouls=(before, 2))), view)
        assert [e.kind for e in events] == [EventKind.CRASH_DRAWN, EventKind.FREE_KICK]
        assert (whistle.phase, whistle.owner, whistle.fouls) == (Phase.STOP, YELLOW, (left, 2))


def test_two_pairs_that_stay_in_touch_crash_once_each() -> None:
    params, whistle, found = rules("ssl-b"), PLAYING, 0
    for tick in range(60, 70):
        view = look(params, tick, (-1.0, 1.0), touches=(crash(2.0, 2.0, 0.1), referee.Touch(3, 9, 2.0, 2.0, 0.1)))
        whistle, events, _ = referee.step(params, marked(view, whistle), view)
        found += len(events)
    assert (found, whistle.fouls) == (2, (2, 0))


@pytest.mark.parametrize(("speed", "fast"), [(6.59, False), (6.61, True)])
def test_a_ball_above_the_limit_is_told_once_a_shot(speed: float, fast: bool) -> None:
    params = rules("ssl-b")
    whistle, found = PLAYING, []
    for tick, v in ((1, 1.0), (2, speed), (3, speed), (4, 1.0), (5, speed)):
        view = look(params, tick, (0.5, 0.5, v * math.cos(1.0), v * math.sin(1.0)), 4)
        whistle, events, _ = referee.step(params, marked(view, whistle), view)
        found += [(e.tick, e.kind, e.robots) for e in events]
    assert found == ([(2, EventKind.BALL_TOO_FAST, (4,)), (5, EventKind.BALL_TOO_FAST, (4,))] if fast else [])


@pytest.mark.parametrize(("length", "both", "pushed"), [(0.199, True, False), (0.201, True, True), (0.5, False, False)])
def test_who_drives_an_opponent_at_the_ball_back_by_more_than_the_length_pushes(
    length: float, both: bool, pushed: bool
) -> None:
    params = rules("ssl-b")
    gap, whistle = params.hull + params.ball_radius + 0.01, PLAYING
    found: list[Event] = []
    for tick, s in ((1, 0.0), (2, 0.5 * length), (3, length)):
        at = {3: (s - gap, 0.0), 9: (s + gap if both else 2.0, 0.0)}
        view = look(params, tick, (s, 0.0), 3, at)
        whistle, events, _ = referee.step(params, marked(view, whistle), view)
        found += events
    assert [(e.kind, e.cause, e.team, e.robots) for e in found] == (
        [(EventKind.FREE_KICK, EventKind.PUSHING, YELLOW, (3, 9))] if pushed else []
    )


def test_nothing_of_this_is_called_between_walls() -> None:
    params = rules("mirosot-5v5")
    view = look(params, 10, (0.5, 0.5, 9.0, 0.0), 3, touches=(Touch(2, 8, 3.0, 3.0, 0.0),))
    assert kinds(told(params, view)) == []
