"""Whatever the referee sees: it never fails, no phase lasts, what it places is legal, and sides are alike."""

import math
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst
from referee_scenes import PLAYING, lined_up, look, marked, other, rules, turned

from tikitaka import referee
from tikitaka.league import load, names
from tikitaka.loop.build import pitch_params
from tikitaka.loop.match import put
from tikitaka.referee import spots
from tikitaka.referee.arranging import put_all
from tikitaka.referee.restarts import PLACE_MOST
from tikitaka.referee.zones import offenders
from tikitaka.sim import check, start
from tikitaka.types import BLUE, YELLOW, Ball, Event, EventKind, Field, Floats, Game, Phase, Robots, World

LEAGUES = sorted(names())
number = st.one_of(st.floats(-6.0, 6.0), st.sampled_from((math.nan, math.inf, -math.inf, 0.0, -0.0)))
KINDS = (Phase.KICK_OFF, Phase.FREE_KICK, Phase.GOAL_KICK, Phase.PENALTY, Phase.FREE_BALL)
placing = st.sampled_from(((False, False), (True, False), (True, True)))


def params_of(name: str, how: tuple[bool, bool]) -> referee.Params:
    return replace(rules(name), walk=how[0], teams_place=how[1])


@st.composite
def whistles(draw: st.DrawFn, params: referee.Params) -> referee.Whistle:
    x, y = draw(st.floats(-1.0, 1.0)), draw(st.floats(-1.0, 1.0))
    f = params.field
    return referee.Whistle(
        phase=draw(st.sampled_from([p for p in Phase if p != Phase.HALT])),
        owner=draw(st.sampled_from((0, 1))),
        since=draw(st.integers(0, 600)),
        spot=(x * (f.half_length - 0.3), y * (f.half_width - 0.3)),
        ready=draw(st.booleans()),
        then=draw(st.sampled_from((Phase.KICK_OFF, Phase.FREE_KICK, Phase.PENALTY, Phase.FREE_BALL))),
        mark=(0.1, 0.2),
        mark_tick=draw(st.integers(0, 600)),
        held=draw(st.sampled_from((-1, 0, 500))),
        crowd=draw(st.sampled_from((-1, 0, 500))),
    )


@st.composite
def views(draw: st.DrawFn, params: referee.Params, numbers: st.SearchStrategy[float] = number) -> referee.View:
    n = 2 * params.robots
    table = draw(npst.arrays(np.float64, (n + 2, 6), elements=numbers))
    ball, touch = tuple(table[n, :5].tolist()), table[n + 1, :3].tolist()
    b = draw(st.integers(1, n - 1))
    touches = (referee.Touch(draw(st.integers(0, b - 1)), b, *touch),)
    who = draw(st.integers(-1, n - 1))
    return referee.View(draw(st.integers(600, 700)), table[:n, :3], table[:n, 3:], ball, who, touches)


@settings(deadline=None, max_examples=100)
@given(st.data(), st.sampled_from(("vsss-3v3", "byu-2v2", "ssl-b")), placing)
def test_no_view_makes_the_referee_fail_and_what_it_puts_down_are_places(
    data: st.DataObject, name: str, how: tuple[bool, bool]
) -> None:
    params = params_of(name, how)
    whistle = data.draw(whistles(params))
    for k in range(3):
        view = replace(data.draw(views(params)), tick=700 + k)
        whistle, events, placed = referee.step(params, whistle, view)
        assert all(isinstance(referee.describe(e, params.robots), str) for e in events)
        if placed is not None:
            assert placed.shape == (2 * params.robots + 1, 3)
            whole = np.isfinite(placed).all(axis=1)
            assert (whole | np.isnan(placed).all(axis=1)).all()
            assert whole.any()


@settings(deadline=None, max_examples=25)
@given(st.data(), st.sampled_from(("vsss-3v3", "ssl-b")), placing)
def test_no_phase_outlasts_its_time_whatever_is_seen(data: st.DataObject, name: str, how: tuple[bool, bool]) -> None:
    params = replace(params_of(name, how), rate=8.0)
    whistle, view = data.draw(whistles(params)), data.draw(views(params))
    whistle, last = replace(whistle, since=600, mark_tick=600), 600
    longest = int((max(params.free_ball_after, PLACE_MOST) + 1.0) * params.rate)
    for tick in range(600, 600 + 3 * longest):
        before = whistle
        whistle, events, _ = referee.step(params, whistle, replace(view, tick=tick))
        if events or (whistle.phase, whistle.ready) != (before.phase, before.ready):
            last = tick
        assert tick - last <= longest


@settings(deadline=None, max_examples=120)
@given(st.data(), st.sampled_from(LEAGUES), st.sampled_from(KINDS))
def test_everybody_is_put_where_there_is_room(data: st.DataObject, name: str, phase: Phase) -> None:
    """The pitch finds no overlap of robots, ball and walls after any restart, though robots stood in heaps."""
    params, pitch = rules(name), pitch_params(load(name))
    f, n = params.field, params.robots
    part = st.floats(-0.97, 0.97)
    place = st.tuples(part, part, st.floats(-3.0, 3.0))
    pose = np.array([data.draw(place) for _ in range(2 * n)]) * (f.half_length, f.half_width, 1.0)
    heap = data.draw(place)
    pose[::2, :2] = 0.05 * pose[::2, :2] + 0.9 * np.array(heap[:2]) * (f.half_length, f.half_width)
    owner = data.draw(st.sampled_from((BLUE, YELLOW)))
    x, y, _ = data.draw(place)
    spot = {
        Phase.KICK_OFF: (0.0, 0.0),
        Phase.FREE_KICK: spots.free_kick(f, x * f.half_length, y * f.half_width),
        Phase.GOAL_KICK: spots.area_kick(params, owner, y),
        Phase.PENALTY: spots.penalty(params, owner),
        Phase.FREE_BALL: spots.free_ball(params, x, y),
    }[phase]
    whistle = referee.Whistle(phase, owner=-1 if phase == Phase.FREE_BALL else owner, spot=spot)
    placed = put_all(params, whistle, pose)
    assert placed is not None
    check(pitch, put(start(pitch), placed))
    assert placed[-1].tolist() == [*spot, 0.0]
    assert offenders(params, whistle, placed[:-1], spot) == []


@settings(deadline=None, max_examples=150)
@given(st.data(), st.sampled_from(("vsss-3v3", "byu-2v2", "ssl-b", "mirosot-5v5")), placing)
def test_sides_and_colours_make_no_difference(data: st.DataObject, name: str, how: tuple[bool, bool]) -> None:
    params = params_of(name, how)
    n, finite = params.robots, st.floats(-1.2, -1e-3) | st.floats(1e-3, 1.2)
    whistle, view = data.draw(whistles(params)), data.draw(views(params, finite))
    one = referee.step(params, whistle, view)
    x, y = whistle.spot
    mirror = replace(whistle, owner=1 - whistle.owner, spot=(-x, -y), mark=(-whistle.mark[0], -whistle.mark[1]))
    two = referee.step(params, mirror, turned(params, view))
    assert Counter(map(seen_by_others, one[1], [n] * 99)) == Counter(map(plain, two[1]))
    assert two[0].phase == one[0].phase
    assert two[0].spot == pytest.approx((-one[0].spot[0], -one[0].spot[1]))
    assert (one[2] is None) == (two[2] is None)
    if one[2] is not None and two[2] is not None:
        order = np.r_[n : 2 * n, 0:n, 2 * n]
        assert -two[2][order, :2] == pytest.approx(one[2][:, :2], abs=1e-9, nan_ok=True)


Told = tuple[object, ...]


def plain(e: Event) -> Told:
    """Return what an event says; in a crowd nobody is the first."""
    why = e.cause or e.kind
    robots = e.robots if why in (EventKind.CRASH, EventKind.PUSHING) else tuple(sorted(e.robots))
    return (e.kind, e.cause, e.team, round(e.x, 9) + 0.0, round(e.y, 9) + 0.0, robots, round(e.value, 9))


def seen_by_others(e: Event, n: int) -> Told:
    """Return the event as it would be with sides and colours exchanged."""
    team = e.team if e.team < 0 else 1 - e.team
    robots = tuple(other(n, i) for i in e.robots)
    return plain(replace(e, team=team, x=-e.x, y=-e.y, robots=robots))


def test_an_estimate_is_looked_at_like_the_truth() -> None:
    params = rules("ssl-b")
    pose, n = lined_up(params), params.robots
    pose[2, :2], pose[9, :2] = (1.0, 1.0), (1.0 + 2.0 * params.hull, 1.0)
    velocity = np.zeros_like(pose)
    velocity[2, 0] = 2.0
    world = world_of(params.field, pose, velocity, (1.0, 1.0 + params.reach), n)
    first = referee.view_of_world(world, 5, params.hull, params.reach)
    assert (first.toucher, first.touches) == (2, ())
    later = world_of(params.field, pose, 0.0 * velocity, (3.0, 2.0), n)
    second = referee.view_of_world(later, 6, params.hull, params.reach, first)
    assert second.toucher == 2  # nobody else since
    assert second.touches == (referee.Touch(2, 9, 2.0, 2.0, 0.0),)
    assert [e.robots for e in referee.step(params, marked(second, PLAYING), second)[1]] == [(2, 9)]
    nobody = referee.view_of_world(later, 6, params.hull, params.reach)
    assert (nobody.toucher, nobody.ball[:2]) == (-1, (3.0, 2.0))
    assert referee.step(params, marked(nobody), nobody)[1] == ()


def world_of(field: Field, pose: Floats, velocity: Floats, ball: tuple[float, float], n: int) -> World:
    ours, theirs = (Robots(pose[rows], velocity[rows], np.zeros(n)) for rows in (slice(0, n), slice(n, 2 * n)))
    game = Game(Phase.PLAY, 1.0, 0, 0, ours=True)
    return World(0.0, field, Ball(*ball, 0.0, 0.0, 0.0), ours, theirs, game)


def test_a_ball_that_nobody_sees_is_given_free_where_it_was_last_and_the_clock_runs() -> None:
    params = rules("mirosot-5v5")
    whistle = replace(PLAYING, mark=(0.4, -0.3), mark_tick=0)
    late = int(params.free_ball_after * params.rate)
    blind = look(params, late, (math.nan, math.nan))
    assert referee.step(params, whistle, blind)[1] == ()
    after, (event,), _ = referee.step(params, whistle, replace(blind, tick=late + 1))
    assert (after.phase, event.x, event.y) == (Phase.FREE_BALL, 0.4, -0.3)
    assert after.spot == (0.55, -0.6)
