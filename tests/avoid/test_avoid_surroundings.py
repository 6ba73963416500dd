"""Walls, the ball and what stands on the pitch take part in every method; nonsense has defined answers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from avoid_scenes import FIELD, Row, changed, straight, world
from hypothesis import given
from hypothesis import strategies as st

from tikitaka import avoid
from tikitaka.avoid import Method, Params
from tikitaka.avoid.room import posts
from tikitaka.league import load
from tikitaka.types import Ball, BallUse, Plans, PlanStatus, World

MINDFUL = [Method.AUTO_AVOID, Method.COLLISION_AVOID, Method.ORCA, Method.OURS]
EVERY = [Method.COLLISION_AVOID_PRINTED, *MINDFUL]
NAN = float("nan")


def with_ball(seen: World, x: float, y: float, vx: float = 0.0, vy: float = 0.0) -> World:
    return replace(seen, ball=Ball(x, y, vx, vy, 0.0))


def minding(plans: Plans, use: BallUse, theta: float = NAN) -> Plans:
    wish, target = plans.intents, plans.intents.target.copy()
    target[:, 2] = theta
    return replace(plans, intents=replace(wish, ball=np.full(len(plans), int(use)), target=target))


def is_changed(seen: World, method: Method, plans: Plans) -> bool:
    after = changed(seen, method, plans)
    slower = (after.intents.max_speed < plans.intents.max_speed).any()
    return bool(slower or (after.status != plans.status).any() or (after.xy[:, :2] != plans.xy[:, :2]).any())


@pytest.mark.parametrize("method", MINDFUL)
def test_the_ball_is_in_the_way_only_of_those_who_are_to_mind_it(method: Method) -> None:
    seen = with_ball(world([(0.0, 0.0, 0.0, 1.0)]), 0.25, 0.01)
    assert not is_changed(seen, method, minding(straight(seen), BallUse.PLAY))
    assert is_changed(seen, method, minding(straight(seen), BallUse.AVOID))
    assert not is_changed(seen, method, minding(straight(seen), BallUse.APPROACH, 0.0))  # from behind
    assert is_changed(seen, method, minding(straight(seen), BallUse.APPROACH, math.pi))  # from the front


@pytest.mark.parametrize("method", MINDFUL)
def test_a_lost_ball_is_in_nobodys_way(method: Method) -> None:
    seen = with_ball(world([(0.0, 0.0, 0.0, 1.0)]), NAN, NAN, NAN, NAN)
    assert not is_changed(seen, method, minding(straight(seen), BallUse.AVOID))


@pytest.mark.parametrize("method", MINDFUL)
@given(side=st.sampled_from((-1.0, 1.0)), x=st.floats(-0.5, 0.3), off=st.floats(-0.04, 0.04), far=st.floats(0.2, 0.5))
def test_nobody_is_sent_into_a_wall(method: Method, side: float, x: float, off: float, far: float) -> None:
    y = side * (FIELD.half_width - 0.06)
    seen = world([(x, y, 0.0, 1.0)], [(x + far, y - side * 0.02 + off, 0.0, 0.0)])
    after = changed(seen, method)
    edge = max(Params(method).ours.edge_y, abs(y)) + 1e-9
    assert after.status[0] == PlanStatus.NONE or abs(after.xy[0, 1, 1]) <= edge


@pytest.mark.parametrize("method", MINDFUL)
def test_the_posts_of_a_goal_that_stands_free_are_in_the_way(method: Method) -> None:
    field = load("ssl-b").field.geometry()
    post = posts(field)[0]
    assert len(posts(FIELD)) == 0
    assert abs(post[:2]).tolist() == [field.half_length, 0.5 * (field.goal_width + field.goal_wall)]
    seen = replace(world([(post[0] + 0.4, post[1] + 0.01, math.pi, 1.0)]), field=field)
    p = Params(method)
    wide = replace(p, ours=replace(p.ours, touch=0.18, edge_x=4.7, edge_y=3.2))
    plans = straight(seen)
    after = avoid.step(wide, avoid.start(1), seen, plans)[1]
    assert (after.xy[0, :2] != plans.xy[0]).any() or after.status[0] == PlanStatus.NONE


@pytest.mark.parametrize("method", EVERY)
def test_nonsense_has_defined_answers(method: Method) -> None:
    same: list[Row] = [(0.0, 0.0, 0.0, 1.0)] * 3
    still: list[Row] = [(0.1 * k, 0.0, 0.0, 0.0) for k in range(4)]
    parallel: list[Row] = [(0.0, 0.1 * k, 0.0, 1.0) for k in range(4)]
    lost: list[Row] = [(0.0, 0.0, 0.0, 1.0), (0.3, 0.0, math.pi, 1.0), (NAN, NAN, NAN, NAN), (0.1, NAN, 0.0, 1.0)]
    many: list[Row] = [(0.01 * k, 0.3 * math.sin(k), 0.1 * k, 0.02 * k) for k in range(100)]
    for rows in (same, still, parallel, lost, many):
        seen = world(rows, rows[:2])
        after = changed(seen, method)
        known = np.isfinite(seen.ours.pose).all(axis=1)
        assert np.isfinite(after.xy[known]).all()
        assert np.isfinite(after.time[known]).all()
        assert np.isfinite(after.intents.end_speed).all()
        assert (after.xy[~known] == straight(seen).xy[~known]).sum() == np.isfinite(straight(seen).xy[~known]).sum()
        assert np.isin(after.status, list(PlanStatus)).all()


@pytest.mark.parametrize("method", EVERY)
@pytest.mark.parametrize("place", [(0.0, 0.0), (Params().ours.edge_x, Params().ours.edge_y)])
def test_robots_on_one_point_part_although_they_want_the_same(method: Method, place: tuple[float, float]) -> None:
    """Points that go where they are sent, half a metre a second, and nothing but avoidance between them."""
    n, dt = 5, 1.0 / 30.0
    rows: list[Row] = [(*place, 0.3, 0.0)] * n
    memory, params, gap = avoid.start(n), Params(method), 0.0
    for _ in range(60):
        seen = world(rows)
        memory, after = avoid.step(params, memory, seen, straight(seen, targets=np.zeros((n, 2)) - 0.3))
        way = after.xy[:, 1] - seen.ours.pose[:, :2]
        far = np.maximum(np.linalg.norm(way, axis=1), 1e-9)
        v = np.minimum(np.minimum(0.5, after.intents.max_speed), far / dt) * (after.status != PlanStatus.NONE)
        ahead = seen.ours.pose[:, :2] + dt * (v / far)[:, None] * way
        rows = [(x, y, math.atan2(b, a), u) for (x, y), (a, b), u in zip(ahead.tolist(), way.tolist(), v, strict=True)]
        gap = max(gap, min(math.dist(a[:2], b[:2]) for k, a in enumerate(rows) for b in rows[:k]))
    assert gap > 0.05


@pytest.mark.parametrize(("age", "dodges"), [(0.0, False), (0.06, False), (0.13, True), (9.0, True)])
def test_old_sights_ask_for_more_room(age: float, dodges: bool) -> None:
    seen = world([(-0.5, 0.0, 0.0, 1.0), (0.5, 0.22, math.pi, 1.0)])
    seen = replace(seen, ours=replace(seen.ours, age=np.full(2, age)))
    plans = straight(seen)
    after = changed(seen, Method.OURS, plans)
    kept = np.array_equal(after.xy, plans.xy) and np.array_equal(after.intents.max_speed, plans.intents.max_speed)
    assert kept != dodges


def test_one_hidden_robot_is_no_late_camera() -> None:
    seen = world([(-0.5, 0.0, 0.0, 1.0), (0.5, 0.22, math.pi, 1.0)])
    hidden = replace(seen, ours=replace(seen.ours, age=np.array((0.0, 0.13))))
    assert np.array_equal(changed(hidden, Method.OURS).xy, straight(seen).xy)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize(
    ("x", "y", "target", "led"),
    [
        (1.09, 0.12, (0.5, 0.8), True),  # through the side of the goal
        (1.09, 0.12, (0.0, 0.1), False),  # out of its mouth
        (1.09, 0.12, (1.12, -0.05), False),  # it is to stay
        (1.07, 0.50, (0.5, 0.8), False),  # at the wall beside the goal
    ],
)
def test_a_robot_in_a_goal_comes_out_by_the_middle_of_its_mouth(
    sign: float, x: float, y: float, target: tuple[float, float], led: bool
) -> None:
    seen = world([(sign * x, y, 0.0, 0.0)])
    plans = straight(seen, targets=np.array([(sign * target[0], target[1])]))
    after, edge = changed(seen, Method.OURS, plans), Params().ours.edge_x
    if led:
        assert after.xy[0, 1] * (sign, 1.0) == pytest.approx((edge - Params().ours.touch, 0.0))
        assert after.status[0] == PlanStatus.PARTIAL
    else:
        assert np.array_equal(after.xy, plans.xy)
