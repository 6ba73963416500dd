"""With kickers: a pass over who stands in its way, and a wall before a free kick of theirs."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenario_stage import parked, staged, ticks
from test_decide_named import load, scene

from tikitaka.decide import squad
from tikitaka.decide.facts import table
from tikitaka.decide.kernels import chipping, kicking, minding, obeying, rolling
from tikitaka.decide.kernels.table import BALL, HALF_X, HULL, KEEP_OFF
from tikitaka.loop.build import facts_of
from tikitaka.types import Ball, EventKind, Floats, Phase, World

NAME = "ssl-b"
FACTS = facts_of(load(NAME))
P = table(FACTS, load(NAME).field.geometry())
BX, BY = -1.0, 0.0
MATE = (1.0, 0.0)


@settings(deadline=None)
@given(st.floats(1.0, 5.0))
def test_a_chip_is_as_high_as_a_robot_where_it_is_said_to_pass_over_it(d: float) -> None:
    speed, up = chipping.chip_for(d, P)
    for x in chipping.flies(speed, up, P):
        t = x / speed
        assert up * t - 0.5 * chipping.GRAVITY * t * t == pytest.approx(chipping.TALL + P[BALL])
    assert chipping.flies(speed, 1.0, P) == (0.0, 0.0), "5 cm high"


def plan_with(blocker: tuple[float, float]) -> Floats:
    """Return what our robot 1 makes of a ball before it: its one mate is free, their robots far away but one."""
    ours, theirs = np.zeros((6, 3)), np.zeros((6, 3))
    ours[:, :2] = (-4.3, 0.0), (BX - 0.12, BY), MATE, (-3.0, -2.8), (-3.3, -2.8), (-3.6, -2.8)
    theirs[:, :2] = (4.4, 0.0), blocker, (3.5, 2.6), (3.5, -2.6), (3.9, 2.6), (3.9, -2.6)
    plan, old, still = np.zeros(minding.PLANS), np.zeros(minding.PLANS), np.zeros((6, 3))
    onward = False
    best = minding.best_pass(1, BX, BY, ours, still, theirs, still, P, plan, old, onward, 0.0)
    assert best > 0.0 or plan[minding.KIND] != minding.PASS
    return plan


def test_a_blocker_halfway_is_chipped_over_and_a_free_pass_stays_flat() -> None:
    over, free = plan_with((BX + 0.5, BY)), plan_with((-2.0, 2.0))
    assert (over[minding.KIND], over[minding.MATE]) == (minding.PASS, 2.0)
    assert over[minding.LIFT_OUT] > 0.0
    assert (free[minding.KIND], free[minding.LIFT_OUT]) == (minding.PASS, 0.0)


def test_a_pass_over_somebody_flies_too_where_it_is_played_on_at_once() -> None:
    plan, pose, kick, lift = plan_with((BX + 0.5, BY)), np.zeros((6, 3)), np.zeros(6), np.zeros(6)
    pose[1, :2], ball = (BX, BY), np.array((BX + 1.5, BY + 0.5, -3.0, -1.0))  # it comes from where it is to go
    way = ball[:2] + rolling.STEP * np.arange(rolling.STEPS)[:, None] * ball[2:]
    kicking.receive(1, 10, pose, ball, way, plan, P, np.zeros((6, 3)), kick, lift, np.zeros(6, np.bool_))
    assert (kick[1], lift[1]) == (plan[minding.SPEED_OUT], plan[minding.LIFT_OUT])
    assert lift[1] > 0.0


def test_who_stands_at_the_ball_or_at_the_mate_is_not_chipped_over() -> None:
    for blocker in ((BX + 0.13, BY), (MATE[0] - 0.15, MATE[1])):
        plan = plan_with(blocker)
        assert plan[minding.KIND] != minding.PASS or plan[minding.AIM_Y] != 0.0 or plan[minding.LIFT_OUT] == 0.0


def free_kick_of_theirs(seed: int, x: float, y: float, phase: Phase) -> World:
    return replace(scene(NAME, seed, phase, ours=False), ball=Ball(x, y, 0.0, 0.0, 0.0))


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 10**6), st.floats(-0.5, -0.05), st.floats(-0.7, 0.7), st.sampled_from(squad.WALLED))
def test_a_free_kick_of_theirs_in_our_half_has_a_wall_before_it(seed: int, x: float, y: float, phase: Phase) -> None:
    world = free_kick_of_theirs(seed, x * P[HALF_X], 3.0 * y, phase)
    memory, _ = squad.decide(FACTS, squad.TIKITAKA, squad.start(), world)
    assert sum(role > 1 for role in memory.roles) == 5
    bx, by = world.ball.x, world.ball.y
    at_goal = math.atan2(-by, -P[HALF_X] - bx)
    near = off = 0
    wish = walled_targets(world)
    for tx, ty in wish:
        far, bearing = math.hypot(tx - bx, ty - by), math.atan2(ty - by, tx - bx)
        if far < obeying.off_ball(P) + 1.0 * P[HULL] and abs(math.remainder(bearing - at_goal, 2 * math.pi)) < 0.35:
            near += 1
        off += far < P[KEEP_OFF] + P[HULL]
    assert near >= 2
    assert off == 0


def walled_targets(world: World) -> list[list[float]]:
    """Return where our robots are to stand, once they are there: on the way they drive around the ball."""
    memory = squad.start()
    for _ in range(12):
        memory, wish = squad.decide(FACTS, squad.TIKITAKA, memory, world)
        pose = world.ours.pose.copy()
        pose[:, :2] = wish.target[:, :2]
        world = replace(world, ours=replace(world.ours, pose=pose), time=world.time + 0.1)
    return [[float(a), float(b)] for a, b, _ in wish.target[1:]]


def test_their_free_kick_far_from_our_goal_has_no_wall() -> None:
    world = free_kick_of_theirs(3, 2.0, 0.5, Phase.FREE_KICK)
    assert sum(math.hypot(x - 2.0, y - 0.5) < obeying.off_ball(P) + P[HULL] for x, y in walled_targets(world)) < 2


@pytest.mark.parametrize("ball", [(2.0, -3.25), (-3.0, 3.25), (4.75, 2.5), (1.0, -2.0)])
def test_a_team_brings_the_ball_to_its_spot_also_from_a_wall(ball: tuple[float, float]) -> None:
    blue, spot = parked(NAME, -1.0), (ball[0] * 0.85, ball[1] * 0.85)
    blue[1] = (0.7 * ball[0], 0.6 * ball[1], 0.0)
    match = staged(NAME, 1, blue, (*ball, 0.0, 0.0), "tikitaka")
    placing = replace(match.moment.whistle, phase=Phase.PLACEMENT, owner=0, spot=spot, then=Phase.FREE_KICK)
    match.moment = replace(match.moment, whistle=placing)
    kinds = list[EventKind]()
    for m in ticks(match, 14.5):
        kinds += [e.kind for e in m.record.events] if m.record is not None else []
        if m.moment.whistle.phase != Phase.PLACEMENT:
            break
    assert EventKind.BALL_PLACED in kinds
