"""The stage as a team meets it: what is driven around, what is remembered, and how fast a path is driven."""

import math
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka import plan
from tikitaka.league import load
from tikitaka.loop.build import plan_params
from tikitaka.plan import Params, Planner
from tikitaka.plan.kernels import gathering, pacing, shapes
from tikitaka.plan.obstacles import round_area
from tikitaka.plan.planner import facts_of
from tikitaka.types import (
    Ball,
    BallUse,
    Floats,
    Game,
    Intents,
    Phase,
    PlanReason,
    Plans,
    PlanStatus,
    Robots,
    World,
)

PLAY = Game(Phase.PLAY, 1.0, 0, 0, ours=True)
THEIR_KICK_OFF = Game(Phase.KICK_OFF, 1.0, 0, 0, ours=False)
SEARCHING = (Planner.ERRT, Planner.TANGENTS)
Place = tuple[float, float]


@cache
def params(name: str, planner: Planner = Planner.ERRT) -> Params:
    return replace(plan_params(load(name)), planner=planner)


def world(
    name: str, ours: list[Place], theirs: list[Place], ball: Place = (9.0, 9.0), game: Game = PLAY, time: float = 0.0
) -> World:
    teams = [
        Robots(np.array([(*p, 0.0) for p in team]).reshape(-1, 3), np.zeros((len(team), 3)), np.zeros(len(team)))
        for team in (ours, theirs)
    ]
    return World(time, params(name).field, Ball(*ball, 0.0, 0.0, 0.0), teams[0], teams[1], game)


def wishes(targets: list[Place], theta: float = math.nan, **flags: object) -> Intents:
    wish = Intents.blank(len(targets))
    wish.target[:, :2], wish.target[:, 2] = targets, theta
    for name, value in flags.items():
        getattr(wish, name)[:] = value
    return wish


def planned(p: Params, seen: World, wish: Intents) -> Plans:
    return plan.step(p, plan.start(p, len(wish)), seen, wish)[1]


def way(plans: Plans, i: int = 0) -> Floats:
    return plans.xy[i, : plans.count[i]]


def gap(xy: Floats, point: Place) -> float:
    """Return how near a path comes to a point."""
    fine = np.concatenate([np.linspace(a, b, 200) for a, b in pairwise(xy)])
    return float(np.linalg.norm(fine - point, axis=1).min())


@pytest.mark.parametrize("planner", SEARCHING)
@pytest.mark.parametrize("name", ["ssl-b", "mirosot-5v5"])
def test_robots_are_driven_around_with_their_margin(name: str, planner: Planner) -> None:
    p, scale = params(name, planner), load(name).field.length / 9.0
    mate, other = (0.0, 0.01 * scale), (1.0 * scale, -0.01 * scale)
    plans = planned(p, world(name, [(-2.0 * scale, 0.0), mate], [other]), wishes([(2.0 * scale, 0.0), mate]))
    hull, more = p.body.hull, p.body.others_more
    assert plans.status[0] == PlanStatus.EXACT
    assert 2.0 * hull - 1e-9 <= gap(way(plans), mate) <= 2.0 * hull + 0.02 * scale
    assert 2.0 * hull + more - 1e-9 <= gap(way(plans), other) <= 2.0 * hull + more + 0.02 * scale


def test_the_margin_grows_with_the_relative_speed_up_to_its_most() -> None:
    facts = facts_of(params("ssl-b"), world("ssl-b", [(0.0, 0.0)], []))
    margins = [gathering.margin(facts, np.array((v, 0.0, 0.0)), np.zeros(3)) for v in (0.0, 0.5, 1.0, 3.0)]
    assert margins == pytest.approx([0.0, 0.025, 0.05, 0.05])  # [ERForce, sec. 3.1] bound(0, |dv| * 0.05, 0.05)
    same = gathering.margin(facts, np.array((2.0, 1.0, 0.0)), np.array((2.0, 1.0, 5.0)))
    assert same == 0.0  # side by side, as near as can be


def test_the_ball_is_an_obstacle_unless_it_is_chased() -> None:
    seen, p = world("ssl-b", [(-1.0, 0.0)], [], ball=(0.0, 0.0)), params("ssl-b")
    avoided = planned(p, seen, wishes([(1.0, 0.0)], ball=BallUse.AVOID))
    chased = planned(p, seen, wishes([(1.0, 0.0)], ball=BallUse.PLAY))
    assert gap(way(avoided), (0.0, 0.0)) >= p.body.hull + p.body.ball - 1e-9
    assert len(way(chased)) == 2


@settings(deadline=None, max_examples=60)
@given(st.floats(-math.pi, math.pi), st.floats(-math.pi, math.pi))
def test_a_ball_is_approached_from_behind_only(theta: float, side: float) -> None:
    p, reach = params("ssl-b"), params("ssl-b").body.reach
    behind = (-(reach + 1e-3) * math.cos(theta), -(reach + 1e-3) * math.sin(theta))
    start = (0.8 * math.cos(side), 0.8 * math.sin(side))
    plans = planned(p, world("ssl-b", [start], [], ball=(0.0, 0.0)), wishes([behind], theta, ball=BallUse.APPROACH))
    assert plans.status[0] == PlanStatus.EXACT
    fine = np.concatenate([np.linspace(a, b, 300) for a, b in pairwise(way(plans))])
    near = np.linalg.norm(fine, axis=1) < p.body.hull + p.body.ball - 1e-9  # nearer than the round hull could be
    ahead = fine @ (math.cos(theta), math.sin(theta))
    assert np.any(near)
    assert np.all(ahead[near] <= -reach + 1e-9)  # only with the flat mouth between robot and ball


def test_our_keeper_alone_enters_our_area_and_nobody_theirs() -> None:
    p = params("ssl-b")
    f = p.field
    home, away = (-f.half_length + 0.5, 0.0), (f.half_length - 0.5, 0.0)
    seen = world("ssl-b", [(0.0, 0.0), (0.0, 0.5)], [])
    wish = wishes([home, home])
    wish.keeper[0] = True
    assert planned(p, seen, wish).status.tolist() == [PlanStatus.EXACT, PlanStatus.CUT]
    assert planned(p, seen, replace(wish, target=wishes([away, away]).target)).status.tolist() == [PlanStatus.CUT] * 2
    assert planned(params("mirosot-5v5"), world("mirosot-5v5", [(0.0, 0.0)], []), wishes([(-1.0, 0.0)])).status[0] == 1


def test_before_their_kick_off_we_keep_off_the_ball() -> None:
    p = params("ssl-b")
    plans = planned(p, world("ssl-b", [(-2.0, 0.0)], [], (0.0, 0.0), THEIR_KICK_OFF), wishes([(0.0, 0.0)]))
    assert plans.status[0] == PlanStatus.CUT
    assert np.linalg.norm(way(plans)[-1]) == pytest.approx(0.5 + p.body.hull, abs=1e-4)  # SSL rules: 0.5 m


def test_who_may_touch_gets_to_a_target_that_an_opponent_stands_at() -> None:
    p, seen = params("mirosot-5v5"), world("mirosot-5v5", [(-0.5, 0.0)], [(0.3, 0.02)])
    shy, bold = (planned(p, seen, wishes([(0.3, 0.0)], ball=BallUse.AVOID, contact=c)) for c in (False, True))
    assert shy.status[0] == PlanStatus.CUT
    assert bold.status[0] == PlanStatus.EXACT
    at_ball = planned(p, world("mirosot-5v5", [(-0.5, 0.0)], [(0.3, 0.02)], (0.28, 0.0)), wishes([(0.3, 0.0)]))
    assert at_ball.status[0] == PlanStatus.EXACT  # whoever goes for the ball may


@pytest.mark.parametrize("planner", [*SEARCHING, Planner.TIMED])
def test_who_may_touch_an_opponent_still_spares_a_mate_but_for_the_keeper(planner: Planner) -> None:
    p, seen = params("mirosot-5v5", planner), world("mirosot-5v5", [(-0.5, 0.0), (0.3, 0.02)], [])
    wish = wishes([(0.3, 0.0), (0.3, 0.02)], ball=BallUse.AVOID, contact=True)
    assert np.linalg.norm(way(planned(p, seen, wish))[-1] - (0.3, 0.02)) >= 2.0 * p.body.hull - 1e-6
    wish.keeper[0] = True
    assert way(planned(p, seen, wish))[-1] == pytest.approx((0.3, 0.0), abs=1e-3)


def test_who_may_touch_leans_on_walls() -> None:
    p, target = params("mirosot-5v5"), (0.4, 1.2)
    shy, bold = (planned(p, world("mirosot-5v5", [(0.0, 0.0)], []), wishes([target], contact=c)) for c in (False, True))
    assert way(shy)[-1] == pytest.approx((0.4, p.field.half_width - p.body.wall))
    assert way(bold)[-1] == pytest.approx(target)


def test_last_ticks_path_is_kept_while_a_new_one_is_not_much_shorter() -> None:
    p = params("ssl-b")
    wish, seen = wishes([(2.0, 0.0)]), world("ssl-b", [(-2.0, 0.0)], [(0.0, 0.03)])
    memory, first = plan.step(p, plan.start(p, 1), seen, wish)
    below = way(first)[:, 1].min() < -0.1
    moved = world("ssl-b", [(-2.0, 0.0)], [(0.0, -0.03)])  # the other side is a little shorter now
    _, kept = plan.step(p, memory, moved, wish)
    fresh = planned(p, moved, wish)
    assert below
    assert kept.reason[0] == PlanReason.KEPT
    assert way(kept)[:, 1].min() < -0.1
    assert way(fresh)[:, 1].max() > 0.1
    far = world(
        "ssl-b",
        [(-2.0, 0.0)],
        [(0.0, -1.2), (0.0, -1.0), (0.0, -0.8), (0.0, -0.6), (0.0, -0.4), (0.0, -0.2), (0.0, 0.0)],
    )
    _, dropped = plan.step(p, memory, far, wish)
    assert way(dropped)[:, 1].max() > 0.1  # the way below would be longer by far


@pytest.mark.parametrize("planner", Planner)
def test_a_step_touches_nothing_that_it_was_given_and_gives_the_same_again(planner: Planner) -> None:
    p = params("mirosot-5v5", planner)
    rng = np.random.default_rng(4)
    ours, theirs = ([tuple(v) for v in rng.uniform((-1.0, -0.8), (1.0, 0.8), (5, 2))] for _ in range(2))
    seen, wish = world("mirosot-5v5", ours, theirs), wishes([tuple(v) for v in rng.uniform(-0.8, 0.8, (5, 2))])
    memory, _ = plan.step(p, plan.start(p, 5), seen, wish)
    before = [a.copy() for a in (memory.corners, memory.corner_count, memory.cache, memory.cached)]
    (_, one), (_, two) = plan.step(p, memory, seen, wish), plan.step(p, memory, seen, wish)
    after = (memory.corners, memory.corner_count, memory.cache, memory.cached)
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))
    assert np.array_equal(one.xy, two.xy)
    assert np.array_equal(one.time, two.time)


def test_the_step_finds_what_a_look_shows() -> None:
    p = params("ssl-b")
    seen, wish = world("ssl-b", [(-2.0, 0.0), (0.0, 1.0)], [(0.0, 0.0)]), wishes([(2.0, 0.0), (0.0, -1.0)])
    memory, plans = plan.step(p, plan.start(p, 2), seen, wish)
    for i in range(2):
        assert np.array_equal(plan.look(p, plan.start(p, 2), seen, wish, i).xy, way(plans, i))
        assert memory.corner_count[i] == len(plan.look(p, plan.start(p, 2), seen, wish, i).corners)


def test_a_free_line_feeds_the_cache() -> None:
    p = params("ssl-b")
    memory, plans = plan.step(p, plan.start(p, 1), world("ssl-b", [(-2.0, 0.0)], []), wishes([(1.0, 0.0)]))
    assert plans.reason[0] == PlanReason.STRAIGHT
    assert memory.cached[0] == 10  # 3 m in steps of 0.3
    assert memory.cache[0, :10, 0] == pytest.approx(-2.0 + 0.3 * np.arange(1, 11))


def test_the_round_area_is_what_was_drawn_in_2015() -> None:
    f, hull = params("ssl-b").field, 0.09
    rows = np.array(round_area(f, hull))
    x, half, r = f.half_length, 0.5 * f.goal_width, 0.5 * (f.area_width - f.goal_width)
    for at, inside in (((x - r - 0.5 * hull, 0.0), True), ((x - r - 1.1 * hull, 0.0), False), ((x, half + r), True)):
        assert (shapes.inside(rows, len(rows), *at) >= 0) == inside
    assert shapes.inside(rows, len(rows), x - 0.8 * r - hull, half + 0.8 * r + hull) < 0  # its corners are round


LIMITS = np.array((2.0, 3.0, 3.0, 10.0, 50.0))


def paced(xy: Floats, end_speed: float = 0.0, start: Place = (0.0, 0.0), differential: bool = False) -> Floats:
    time = np.empty(len(xy))
    v = np.array((*start, 0.0))
    pacing.pace(
        xy, len(xy), v, 0.0, end_speed, math.inf, differential, not differential, LIMITS, 0.0, np.empty(len(xy)), time
    )
    return time


@settings(deadline=None, max_examples=100)
@given(st.lists(st.tuples(st.floats(-2.0, 2.0), st.floats(-2.0, 2.0)), min_size=2, max_size=8, unique=True))
def test_no_leg_is_driven_faster_than_the_limits_allow(points: list[Place]) -> None:
    xy = np.array(points)
    legs, times = np.linalg.norm(np.diff(xy, axis=0), axis=1), np.diff(paced(xy))
    assert np.all(legs <= LIMITS[0] * times + 1e-9)
    assert paced(xy)[-1] >= 2.0 * math.sqrt(legs.sum() / LIMITS[1]) - 1e-9 or legs.sum() > LIMITS[0] ** 2 / LIMITS[1]


def test_a_straight_path_takes_the_same_time_however_many_points_it_has() -> None:
    two, many = np.array(((0.0, 0.0), (3.0, 0.0))), np.stack((np.linspace(0.0, 3.0, 13), np.zeros(13)), axis=1)
    assert paced(many)[-1] == pytest.approx(paced(two)[-1])


def test_a_corner_costs_time_and_a_sharper_one_more() -> None:
    times = [
        paced(np.array(((0.0, 0.0), (1.0, 0.0), (1.0 + math.cos(a), math.sin(a)))))[-1] for a in (0.0, 1.0, 1.5, 2.0)
    ]
    assert all(a < b for a, b in pairwise(times))


def test_who_cannot_move_sideways_turns_first() -> None:
    across = np.array(((0.0, 0.0), (0.0, 1.0)))
    turning = pacing.time_to_turn(0.5 * math.pi, LIMITS[3], LIMITS[4])
    assert paced(across, differential=True)[-1] == pytest.approx(paced(across)[-1] + turning)


def test_unused_waypoints_stay_at_the_last_one() -> None:
    plans = planned(
        params("ssl-b"), world("ssl-b", [(-2.0, 0.0), (0.0, 2.0)], [(0.0, 0.0)]), wishes([(2.0, 0.0), (1.0, 2.0)])
    )
    assert plans.xy.shape[1] == plans.count.max()
    assert np.all(plans.xy[1, 2:] == plans.xy[1, 1])
    assert np.all(plans.time[1, 2:] == plans.time[1, 1])
