"""The team that ships: keeper, attacker and posts, in every league."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka import control, decide, plan, sim, vision
from tikitaka.league import League, load, names
from tikitaka.loop.build import control_params, facts_of, pitch_params, plan_params
from tikitaka.loop.match import other_side
from tikitaka.types import Ball, Floats, Game, Intents, Phase, Robots, World

LEAGUES = sorted(names())
PLAY = Game(Phase.PLAY, 60.0, 0, 0, ours=False)

parts = st.floats(-0.98, 0.98)  # of half the field
seeds = st.integers(0, 2**32)


@cache
def league(name: str) -> League:
    return load(name)


@cache
def params(name: str) -> decide.Facts:
    return facts_of(league(name))


def scattered(name: str, seed: int, n: int) -> Floats:
    f, rng = league(name).field.geometry(), np.random.default_rng(seed)
    half = (0.9 * f.half_length, 0.9 * f.half_width, math.pi)
    return rng.uniform(-1.0, 1.0, (n, 3)) * half


def robots(pose: Floats) -> Robots:
    return Robots(pose, np.zeros_like(pose), np.zeros(len(pose)))


def seen(name: str, ours: Floats, theirs: Floats, ball: tuple[float, ...], game: Game = PLAY) -> World:
    x, y, vx, vy = (*ball, 0.0, 0.0)[:4]
    return World(1.0, league(name).field.geometry(), Ball(x, y, vx, vy, 0.0), robots(ours), robots(theirs), game)


def moving(ball: tuple[float, ...]) -> decide.Roles:
    """Return the memory of a team that has just seen the ball move."""
    return decide.Roles(1, (ball[0], ball[1]), 1.0)


def wishes(name: str, world: World, last: int = 1) -> tuple[int, Intents]:
    roles = replace(moving((world.ball.x, world.ball.y)), attacker=last)
    roles, intents = decide.rookie_team(params(name), roles, world)
    return roles.attacker, intents


def scene(name: str, seed: int, x: float, y: float) -> tuple[Floats, Floats, tuple[float, float]]:
    f, n = league(name).field.geometry(), league(name).team.robots
    pose = scattered(name, seed, 2 * n)
    return pose[:n], pose[n:], (x * f.half_length, y * f.half_width)


@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=30)
@given(seeds, parts, parts)
def test_a_wish_can_always_be_driven(name: str, seed: int, x: float, y: float) -> None:
    attacker, intents = wishes(name, seen(name, *scene(name, seed, x, y)))
    f = league(name).field
    assert intents.active.all()
    assert 0 < attacker < len(intents)
    assert np.isfinite(intents.target[:, :2]).all()
    room = (0.5 * f.length + f.margin_x, 0.5 * f.width + f.margin_y)
    ball = params(name).reach * 3.0  # the attacker may aim past a ball at the wall
    assert (np.abs(intents.target[:, :2]) <= np.array(room) + ball).all()


@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=50)
@given(seeds, parts, parts)
def test_the_others_keep_apart_from_each_other_the_area_and_the_balls_way(
    name: str, seed: int, x: float, y: float
) -> None:
    ours, theirs, ball = scene(name, seed, x, y)
    attacker, intents = wishes(name, seen(name, ours, theirs, ball))
    f, hull = league(name).field.geometry(), params(name).hull
    others = [intents.target[i, :2] for i in range(1, len(intents)) if i != attacker]
    wide = league(name).robot.width or 2.0 * hull
    assert min((math.dist(a, b) for k, a in enumerate(others) for b in others[:k]), default=9.0) >= 2.0 * wide - 1e-9
    for px, py in others:
        assert px >= -f.half_length + f.area_length + hull or abs(py) >= 0.5 * f.area_width + hull
        assert math.dist((px, py), ball) >= 3.0 * hull


@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=30)
@given(seeds, parts, parts)
def test_the_keeper_stands_on_its_line_between_the_ball_and_the_goal(name: str, seed: int, x: float, y: float) -> None:
    f, hull = league(name).field.geometry(), params(name).hull
    ours, theirs, ball = scene(name, seed, max(x, -0.3), y)
    kx, ky, _ = wishes(name, seen(name, ours, theirs, ball))[1].target[0]
    assert -f.half_length + hull < kx < -f.half_length + 2.0 * hull
    assert abs(ky) <= min(abs(ball[1]), 0.5 * f.goal_width) + 1e-12
    assert ky * ball[1] >= 0.0


@pytest.mark.parametrize("name", ["mirosot-5v5", "vsss-3v3"])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_the_keeper_goes_with_a_ball_along_a_touch_line_and_out_of_our_corner(name: str, side: float) -> None:
    f, (ours, theirs, _) = league(name).field.geometry(), scene(name, 1, 0.0, 0.0)

    def at(x: float, y: float) -> float:
        """Return how far to the ball's side the keeper stands."""
        world = seen(name, ours, theirs, (x * f.half_length, side * y * f.half_width))
        return side * float(wishes(name, world)[1].target[0, 1])

    along = [at(x, 0.95) for x in (0.0, -0.2, -0.4, -0.6)]
    assert np.diff(along).min() > 0.005
    assert at(-0.98, 0.7) - at(-0.98, 0.95) > 0.02
    assert at(0.95, 0.95) - at(0.95, 0.7) > 0.02


@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=30)
@given(seeds, st.floats(-0.9, 0.9), st.floats(0.5, 3.0))
def test_the_keeper_waits_where_a_shot_will_cross_its_line(name: str, seed: int, part: float, speed: float) -> None:
    f, (ours, theirs, _) = league(name).field.geometry(), scene(name, seed, 0.0, 0.0)
    line = -f.half_length + 1.3 * params(name).hull
    at = part * 0.5 * f.goal_width
    dx, dy = line - 0.0, at - 0.3 * f.half_width
    d = math.hypot(dx, dy)
    world = seen(name, ours, theirs, (0.0, 0.3 * f.half_width, speed * dx / d, speed * dy / d))
    if world.ball.vx < -0.2:
        assert wishes(name, world)[1].target[0, :2] == pytest.approx([line, at], abs=1e-9)


@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=20)
@given(seeds, parts, parts)
def test_both_colours_play_the_same_game(name: str, seed: int, x: float, y: float) -> None:
    """Yellow, on the field turned and with the colours swapped, wants what blue wants."""
    ours, theirs, (bx, by) = scene(name, seed, x, y)
    n, still = len(ours), np.array((bx, by, 0.0))
    swapped = vision.turn(np.concatenate((theirs, ours, still[None])))
    own, other, ball = np.split(other_side(swapped), (n, 2 * n))
    blue = wishes(name, seen(name, ours, theirs, (bx, by)))
    yellow = wishes(name, seen(name, own, other, (ball[0, 0], ball[0, 1])))
    assert blue[0] == yellow[0]
    assert yellow[1].target == pytest.approx(blue[1].target, abs=1e-6, nan_ok=True)
    assert np.array_equal(yellow[1].kick, blue[1].kick)


@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=30)
@given(seeds, parts, parts)
def test_left_and_right_are_alike_for_keeper_and_attacker(name: str, seed: int, x: float, y: float) -> None:
    ours, theirs, (bx, by) = scene(name, seed, x, y if abs(y) > 0.01 else 0.01)
    mirror = np.array((1.0, -1.0, -1.0))
    a, there = wishes(name, seen(name, ours, theirs, (bx, by)))
    b, back = wishes(name, seen(name, ours * mirror, theirs * mirror, (bx, -by)))
    assert a == b
    assert back.target[[0, a], :2] == pytest.approx(there.target[[0, a], :2] * mirror[:2], abs=1e-6)
    assert back.target[a, 2] == pytest.approx(-there.target[a, 2], abs=1e-6)
    assert np.array_equal(back.end_speed[[0, a]], there.end_speed[[0, a]])
    assert np.array_equal(back.kick[[0, a]], there.kick[[0, a]])


@pytest.mark.parametrize("name", LEAGUES)
def test_the_team_without_kick_off_stays_behind_the_circle_and_nobody_moves_at_halt(name: str) -> None:
    ours, theirs, _ = scene(name, 3, 0.0, 0.0)
    waiting = replace(PLAY, phase=Phase.KICK_OFF)
    intents = wishes(name, seen(name, ours, theirs, (0.0, 0.0), waiting))[1]
    f, hull = league(name).field.geometry(), params(name).hull
    assert (intents.target[1:, 0] <= -f.circle_radius - hull).all()
    assert not intents.kick[1:].any()
    halted = replace(PLAY, phase=Phase.HALT)
    assert not wishes(name, seen(name, ours, theirs, (0.0, 0.0), halted))[1].active.any()


@pytest.mark.parametrize("name", [name for name in LEAGUES if league(name).robot.kicker])
@settings(deadline=None, max_examples=50)
@given(st.floats(-math.pi, math.pi))
def test_a_full_kick_is_asked_for_only_when_the_heading_leads_into_the_goal(name: str, theta: float) -> None:
    f, n, ball = league(name).field.geometry(), league(name).team.robots, (0.5, 0.4)
    aim = math.atan2(-ball[1], f.half_length - ball[0])
    ours, far = scattered(name, 1, n) * 0.1 - (3.0, 0.0, 0.0), scattered(name, 2, n) * 0.1 - (3.0, 2.0, 0.0)
    reach = 1.1 * params(name).reach
    ours[1] = ball[0] - reach * math.cos(aim), ball[1] - reach * math.sin(aim), theta
    kick = wishes(name, seen(name, ours, far, ball))[1].kick[1]
    hits = ball[1] + math.tan(theta) * (f.half_length - ball[0])
    if kick == params(name).kick:
        assert math.cos(theta) > 0.0
        assert abs(hits) < 0.5 * f.goal_width
    elif abs(math.remainder(theta - aim, 2.0 * math.pi)) < 0.03:
        pytest.fail("straight behind the ball, before an open goal, and no kick")


@pytest.mark.parametrize("name", LEAGUES)
def test_the_attacker_keeps_its_job_while_nobody_is_clearly_nearer(name: str) -> None:
    n = league(name).team.robots
    if n < 3:
        return
    ours = np.zeros((n, 3))
    ours[:, 0] = -0.6
    ours[1, :2], ours[2, :2] = (-0.30, 0.05), (-0.25, -0.05)
    world = seen(name, ours, scattered(name, 1, n), (0.0, 0.0))
    assert wishes(name, world, last=1)[0] == 1
    assert wishes(name, world, last=2)[0] == 2


def play_alone(name: str, robot: tuple[float, float, float], ball: tuple[float, float], seconds: float) -> int:
    """Return 1 when keeper and attacker, alone on the pitch, score; -1 for an own goal; 0 when neither happens."""
    pitch, r = replace(pitch_params(league(name)), robots=2), league(name).robot
    f, drive, limits = pitch.field, control_params(league(name)), plan_params(league(name))
    keeper = (-f.half_length + 1.3 * r.bounding_radius, 0.0, 0.5 * math.pi)
    state, roles = sim.place(sim.start(pitch), np.array((keeper, robot)), np.array(ball)), decide.Roles()
    paths = plan.start(limits, 2)
    for k in range(int(seconds / pitch.dt)):
        ours, nobody = Robots(state.pose, state.velocity, np.zeros(2)), robots(np.zeros((0, 3)))
        bx, by, vx, vy = state.ball[:4].tolist()
        world = World(k * pitch.dt, f, Ball(bx, by, vx, vy, 0.0), ours, nobody, PLAY)
        roles, intents = decide.rookie_team(params(name), roles, world)
        paths, plans = plan.step(limits, paths, world, intents)
        state = sim.step(pitch, state, control.step(drive, world, plans))
        x, y = state.ball[:2]
        if abs(x) > f.half_length + pitch.ball.radius and abs(y) < 0.5 * f.goal_width:
            return 1 if x > 0.0 else -1
    return 0


PLACES = {
    "behind": (-0.4, 0.1, 0.0, 0.2, 0.1),
    "before": (0.6, 0.0, 0.0, -0.2, 0.05),
    "beside": (0.0, 0.5, 2.0, 0.0, -0.1),
    "at the left wall": (-0.5, 0.0, 1.0, 0.1, 0.95),
    "at the right wall": (0.5, 0.0, 1.0, 0.1, -0.95),
    "before our goal": (0.4, 0.2, 3.0, -0.6, 0.1),
    "near their goal": (0.2, -0.6, 1.5, 0.8, 0.2),
}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("name", ["mirosot-5v5", "vsss-3v3", "ssl-b", "byu-2v2"])
def test_the_attacker_scores_from_everywhere_and_never_into_its_own_goal(name: str, place: str) -> None:
    if name == "byu-2v2" and "wall" in place:
        pytest.skip("a round robot cannot bring the ball out of a corner")
    if (name, place) == ("ssl-b", "near their goal"):
        pytest.skip("the ball lies in their area, where attackers may not go")
    f, (x, y, theta, bx, by) = league(name).field.geometry(), PLACES[place]
    ball = bx * f.half_length, by * f.half_width
    goals = [play_alone(name, (x * f.half_length, y * f.half_width + d, theta), ball, 30.0) for d in (0.0, 0.01, -0.01)]
    assert min(goals) >= 0
    assert sum(goals) >= 2  # a ball that comes to rest in our own area is the keeper's, who leaves it to the referee
