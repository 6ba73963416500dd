"""Whatever a team wishes, no wish breaks a rule of the moment."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_decide_named import LEAGUES, load, scene

from tikitaka import decide
from tikitaka.decide.facts import table
from tikitaka.decide.kernels import obeying
from tikitaka.decide.rules import lawful, may_play
from tikitaka.loop.build import facts_of
from tikitaka.types import Intents, Phase, World

TEAMS = [team for team in decide.TEAMS if team != "idle"]
BARRED = [name for name in LEAGUES if load(name).match.areas_barred]
seeds = st.integers(0, 10**6)
LEAST = 1e-9


def wishes(team: str, name: str, world: World) -> Intents:
    start, step = decide.named(team, {}, facts_of(load(name)))
    return step(start(), world)[1]


def in_area(name: str, x: float, y: float, end: float) -> bool:
    f, hull = load(name).field.geometry(), facts_of(load(name)).hull
    return end * x > f.half_length - f.area_length - hull + LEAST and abs(y) < 0.5 * f.area_width + hull - LEAST


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("name", BARRED)
@settings(deadline=None, max_examples=40)
@given(seeds, st.sampled_from(Phase), st.booleans())
def test_nobody_but_the_keeper_is_sent_into_an_area_that_is_barred(
    name: str, team: str, seed: int, phase: Phase, ours: bool
) -> None:
    wish = wishes(team, name, scene(name, seed, phase, ours=ours))
    for i in range(1, len(wish)):
        x, y, _ = wish.target[i]
        assert not in_area(name, x, y, -1.0)
        assert not in_area(name, x, y, 1.0)


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("name", BARRED)
@pytest.mark.parametrize("phase", [Phase.STOP, Phase.FREE_KICK, Phase.GOAL_KICK, Phase.KICK_OFF])
@settings(deadline=None, max_examples=30)
@given(seeds)
def test_everybody_keeps_off_a_ball_that_is_not_ours(name: str, phase: Phase, team: str, seed: int) -> None:
    world, facts = scene(name, seed, phase), facts_of(load(name))
    wish, ball = wishes(team, name, world), (world.ball.x, world.ball.y)
    assert not wish.kick.any()
    f = world.field
    assume(abs(ball[0]) < f.half_length - 1.2 * f.area_length - 1.0)  # no room is taken by an area
    assume(abs(ball[1]) < f.half_width - 0.5)  # nor by the wall
    for x, y, _ in wish.target:
        assert math.dist((x, y), ball) >= facts.hull + facts.keep_off - LEAST


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("name", BARRED)
@settings(deadline=None, max_examples=20)
@given(seeds, st.sampled_from([Phase.STOP, Phase.PLACEMENT]), st.booleans())
def test_everybody_drives_slowly_while_the_game_is_stopped(
    name: str, team: str, seed: int, phase: Phase, ours: bool
) -> None:
    assert (wishes(team, name, scene(name, seed, phase, ours=ours)).max_speed <= 1.5).all()


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=20)
@given(seeds, st.booleans(), st.booleans())
def test_at_kick_off_all_but_one_are_sent_into_their_own_half(
    name: str, team: str, seed: int, ours: bool, ready: bool
) -> None:
    world = scene(name, seed, Phase.KICK_OFF, ours=ours, ready=ready)
    wish = wishes(team, name, world)
    beyond = int((wish.target[:, 0] > -LEAST).sum())
    assert beyond <= (1 if ours and ready else 0)


@pytest.mark.parametrize("name", BARRED)
@pytest.mark.parametrize("taker", [-1, 2])
@settings(deadline=None, max_examples=20)
@given(seeds)
def test_at_a_penalty_both_teams_wait_behind_the_mark_and_everybody_apart(name: str, taker: int, seed: int) -> None:
    world, facts, mark = scene(name, seed, Phase.PENALTY), facts_of(load(name)), -1.5
    p, places = table(facts, world.field), []
    for ours, ball in ((True, mark), (False, -mark)):
        pose, target = (world.ours if ours else world.theirs).pose, np.zeros((len(world.ours), 3))
        obeying.line_up(ours, taker if ours else -1, ball, pose, p, target)
        wait = target[[i for i in range(1, len(pose)) if i != taker or not ours], :2]
        order = np.argsort(pose[[i for i in range(1, len(pose)) if i != taker or not ours], 1])
        assert (np.diff(wait[order, 1]) > 0.0).all(), "nobody has to pass another"
        places.append(wait if ours else -wait)
    both = np.concatenate(places)
    assert (mark - both[:, 0]).min() > 1.0 + facts.hull
    assert abs(both[:, 1]).max() < world.field.half_width
    away = np.hypot(*(both[:, None] - both).transpose(2, 0, 1)) + 9.0 * np.eye(len(both))
    assert away.min() > 3.9 * facts.hull


def test_who_may_play_the_ball() -> None:
    for phase in Phase:
        both = [may_play(scene("ssl-b", 1, phase, ours=ours)) for ours in (True, False)]
        taken = phase in (Phase.KICK_OFF, Phase.FREE_KICK, Phase.GOAL_KICK, Phase.PENALTY)
        free = phase in (Phase.PLAY, Phase.FREE_BALL)
        assert both == [taken or free, free]
        assert not may_play(scene("ssl-b", 1, phase, ours=True, ready=False))


numbers = st.floats(-3.0, 3.0)


@settings(deadline=None, max_examples=300)
@given(numbers, numbers, numbers, numbers)
def test_a_robot_drives_around_the_ball_and_arrives(px: float, py: float, tx: float, ty: float) -> None:
    """Step by step towards the wish that comes back, nobody who was outside comes in, and all get there."""
    r, x, y = 0.64, px, py
    assume(math.hypot(px, py) > r and math.hypot(tx, ty) > r + 0.01)
    for _ in range(400):
        wx, wy = obeying.off_circle(x, y, tx, ty, 0.0, 0.0, r)
        d = math.hypot(wx - x, wy - y)
        if d < 1e-9:
            break
        x, y = x + min(1.0, 0.05 / d) * (wx - x), y + min(1.0, 0.05 / d) * (wy - y)
        assert math.hypot(x, y) > r - obeying.MORE - 0.01
    assert math.dist((x, y), (tx, ty)) < 1e-6


def test_wishes_are_left_alone_in_play() -> None:
    world = scene("mirosot-5v5", 5, Phase.PLAY)
    wish = Intents.blank(5)
    wish.target[:, :2], wish.end_speed[:] = (0.3, 0.2), 1.0
    assert lawful(facts_of(load("mirosot-5v5")), world, wish).target == pytest.approx(np.tile((0.3, 0.2, 0.0), (5, 1)))
