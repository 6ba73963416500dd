"""Three robots between walls: nobody crowds a goal area, mates keep clear of each other, a penalty has a run-up."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_decide_named import load, scene

from tikitaka.decide import squad
from tikitaka.decide.facts import table
from tikitaka.decide.kernels import leaving, playing, posting, running, yielding
from tikitaka.decide.kernels.table import GAP, HALF_X, HALF_Y, HULL
from tikitaka.loop.build import facts_of
from tikitaka.types import Ball, Phase, World

NAME = "vsss-3v3"
FACTS = facts_of(load(NAME))
FIELD = load(NAME).field.geometry()
P = table(FACTS, FIELD)
seeds = st.integers(0, 10**6)
shares = st.floats(-0.98, 0.98)


def in_area(x: float, y: float, end: float) -> bool:
    return end * x > FIELD.half_length - FIELD.area_length and abs(y) < 0.5 * FIELD.area_width


def with_ball(seed: int, x: float, y: float) -> World:
    return replace(scene(NAME, seed, Phase.PLAY), ball=Ball(x, y, 0.0, 0.0, 0.0))


@settings(deadline=None, max_examples=60)
@given(seeds, st.floats(0.02, 0.98), shares)
def test_our_area_is_the_keepers_while_the_ball_is_in_it(seed: int, deep: float, wide: float) -> None:
    x, y = deep * FIELD.area_length - FIELD.half_length, 0.5 * wide * FIELD.area_width
    _, wish = squad.decide(FACTS, squad.TIKITAKA, squad.start(), with_ball(seed, x, y))
    assert not any(in_area(a, b, -1.0) for a, b, _ in wish.target[1:].tolist())


@settings(deadline=None, max_examples=60)
@given(seeds, st.floats(0.02, 0.98), shares)
def test_one_of_us_at_the_most_goes_into_their_area_with_the_ball(seed: int, deep: float, wide: float) -> None:
    x, y = FIELD.half_length - deep * FIELD.area_length, 0.5 * wide * FIELD.area_width
    _, wish = squad.decide(FACTS, squad.TIKITAKA, squad.start(), with_ball(seed, x, y))
    assert sum(in_area(a, b, 1.0) for a, b, _ in wish.target.tolist()) <= 1


@settings(deadline=None, max_examples=100)
@given(shares, shares, shares, shares)
def test_a_defender_keeps_clear_of_the_ball_and_of_who_plays_it(x: float, y: float, dx: float, dy: float) -> None:
    bx, by = x * P[HALF_X], y * P[HALF_Y]
    px, py = bx + 2.0 * P[HULL] * dx, by + 2.0 * P[HULL] * dy
    sx, sy = posting.far_side(*posting.shadow(0, 1, bx, by, P), bx, by, px, py, P)
    for other in ((bx, by), (px, py)):
        assert math.dist((sx, sy), other) >= posting.FREE * P[HULL] - 1e-9
    assert not in_area(sx, sy, -1.0)


@settings(deadline=None, max_examples=60)
@given(seeds, st.floats(0.02, 0.98), shares)
def test_who_waits_before_our_area_never_has_to_pass_a_mate(seed: int, deep: float, wide: float) -> None:
    y = 0.5 * wide * FIELD.area_width
    world = with_ball(seed, deep * FIELD.area_length - FIELD.half_length, y)
    pose = world.ours.pose
    places = [leaving.wall(i, pose, y, P) for i in (1, 2)]
    assert abs(places[0][1] - places[1][1]) == pytest.approx(leaving.GAPS * P[HULL])
    assert (places[0][1] < places[1][1]) == (pose[1, 1] < pose[2, 1])


@settings(deadline=None, max_examples=100)
@given(seeds, shares, shares)
def test_nobody_is_sent_into_the_way_of_who_plays_the_ball(seed: int, x: float, y: float) -> None:
    pose = scene("mirosot-5v5", seed, Phase.PLAY).ours.pose
    target, speeds = pose.copy(), np.zeros(len(pose))
    target[1, :2] = x * P[HALF_X], y * P[HALF_Y]
    yielding.give_way(pose, 1, P, target, speeds)
    ahead = target[1, :2] - pose[1, :2]
    length = min(float(np.hypot(*ahead)), yielding.AHEAD * P[HULL])
    ux, uy = ahead / np.hypot(*ahead)
    for tx, ty in (target[2:, :2] - pose[1, :2]).tolist():
        along, across = tx * ux + ty * uy, ux * ty - uy * tx
        free = abs(across) >= yielding.IN_WAY * P[HULL] - 1e-9 or not 0.0 < along < length
        assert free or length < P[HULL]


def test_in_our_area_with_the_ball_a_second_robot_has_to_go_in_time() -> None:
    pose = np.array(((-0.7, 0.0, 0.0), (-0.65, 0.2, 0.0), (0.0, 0.0, 0.0)))
    ball, notes = np.array((-0.65, 0.1, 0.0, 0.0)), np.zeros(playing.NOTES)
    notes[playing.CROWD_SINCE] = 5.0
    assert not leaving.crowded(pose, ball, 5.1, notes, P)
    assert leaving.crowded(pose, ball, 5.2, notes, P)
    assert not leaving.crowded(pose, np.array((-0.5, 0.1, 0.0, 0.0)), 5.3, notes, P)
    assert notes[playing.CROWD_SINCE] == 5.3


def penalty(pose: tuple[float, float, float], time: float) -> World:
    """Return a penalty of ours; our robot 1 is at ``pose``, their keeper left of the middle."""
    world = scene(NAME, 1, Phase.PENALTY, ours=True)
    ours, theirs = world.ours.pose.copy(), world.theirs.pose.copy()
    ours[1:] = pose, (-0.4, 0.3, 0.0)
    theirs[:] = (0.7, 0.03, 0.0), (-0.2, 0.4, 0.0), (-0.2, -0.4, 0.0)
    still = replace(world.ours, pose=ours, velocity=np.zeros_like(world.ours.velocity))
    them = replace(world.theirs, pose=theirs, velocity=np.zeros_like(world.theirs.velocity))
    return replace(world, ours=still, theirs=them, ball=Ball(0.375, 0.0, 0.0, 0.0, 0.0), time=time)


def test_a_penalty_is_run_up_to_and_aimed_at_the_open_corner() -> None:
    memory, wish = squad.decide(FACTS, squad.TIKITAKA, squad.start(), penalty((0.284, 0.0, 0.0), 5.0))
    back = wish.target[1]
    assert math.dist(back[:2], (0.375, 0.0)) == pytest.approx(running.RUN_UP * FACTS.reach)
    at_goal = math.tan(back[2]) * (FIELD.half_length + FACTS.ball_radius - 0.375)
    assert at_goal == pytest.approx(-running.CORNER * P[GAP])
    assert back[1] == pytest.approx(-math.tan(back[2]) * (0.375 - back[0]))
    memory, wish = squad.decide(FACTS, squad.TIKITAKA, memory, penalty((back[0], back[1], back[2]), 5.6))
    assert wish.target[1, 0] > 0.375
    assert wish.end_speed[1] == FACTS.max_speed
    after = replace(penalty((0.3, 0.03, back[2]), 5.9), game=replace(penalty((0, 0, 0), 0).game, phase=Phase.PLAY))
    assert squad.decide(FACTS, squad.TIKITAKA, memory, after)[0].notes[playing.RUN_SINCE] < 0.0


def test_a_penalty_is_taken_in_time_though_nobody_lines_up() -> None:
    memory, _ = squad.decide(FACTS, squad.TIKITAKA, squad.start(), penalty((0.284, 0.0, 1.0), 5.0))
    _, wish = squad.decide(FACTS, squad.TIKITAKA, memory, penalty((0.1, 0.2, 1.0), 5.1 + running.LATEST))
    assert wish.end_speed[1] == FACTS.max_speed
