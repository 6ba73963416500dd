"""MiroSot and VSSS: goal kicks, penalties, robots that are stuck; each is called in time and not a tick earlier."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from referee_scenes import PLAYING, kinds, look, rules

from tikitaka import referee
from tikitaka.referee.mirosot import CROWD_SECONDS
from tikitaka.referee.restarts import KICK_SECONDS
from tikitaka.referee.resting import STUCK_SECONDS
from tikitaka.types import BLUE, YELLOW, Event, EventKind, Phase

LEAGUES = ["mirosot-5v5", "mirosot-7v7", "mirosot-11v11", "vsss-3v3", "vsss-5v5", "byu-2v2"]
Scene = Callable[[int], referee.View]


def watched(
    params: referee.Params, scene: Scene, most: float
) -> tuple[int, referee.Whistle, tuple[Event, ...], np.ndarray | None]:
    """Return when the referee first says something, and what."""
    whistle = replace(PLAYING, mark=scene(1).ball[:2])
    for tick in range(1, int(most * params.rate) + 2):
        whistle, events, placed = referee.step(params, whistle, scene(tick))
        if events:
            return tick, whistle, events, placed
    return -1, whistle, (), None


def in_area(params: referee.Params, team: int, part: float = 0.5, y: float = 0.0) -> tuple[float, float]:
    f, side = params.field, -1.0 if team == BLUE else 1.0
    return side * (f.half_length - part * f.area_length), side * y


@pytest.mark.parametrize("team", [BLUE, YELLOW])
@pytest.mark.parametrize("name", LEAGUES)
def test_two_defenders_in_their_area_with_the_ball_are_a_penalty_after_half_a_second(name: str, team: int) -> None:
    params = rules(name)
    n, wide = params.robots, 0.4 * params.field.area_width
    at = {team * n: in_area(params, team, y=wide), team * n + 1: in_area(params, team, y=-wide)}
    scene = lambda tick: look(params, tick, in_area(params, team, 0.9), at=at)  # noqa: E731
    tick, whistle, events, placed = watched(params, scene, 2.0)
    assert tick == 1 + math.ceil(CROWD_SECONDS * params.rate)
    assert [(e.kind, e.cause, e.team) for e in events] == [(EventKind.PENALTY, EventKind.CROWDED_DEFENCE, 1 - team)]
    assert events[0].robots == (team * n, team * n + 1)
    assert (whistle.phase, whistle.owner) == (Phase.PENALTY, 1 - team)
    assert abs(whistle.spot[0]) == pytest.approx(params.field.half_length - params.penalty_distance)
    assert placed is not None
    toward = 1.0 if team == YELLOW else -1.0
    others = [i for i in range(2 * n) if i != team * n]
    nearer = [i for i in others if toward * placed[i, 0] > -params.hull + 1e-9]
    assert len(nearer) == 1  # the kicker
    assert toward * (whistle.spot[0] - placed[nearer[0], 0]) > 0.0  # behind the ball
    assert toward * placed[team * n, 0] > params.field.half_length - 2.0 * params.hull


@pytest.mark.parametrize("name", LEAGUES)
def test_one_defender_alone_or_two_without_the_ball_are_none(name: str) -> None:
    params = rules(name)
    wide = 0.48 * params.field.area_width
    alone = {0: in_area(params, BLUE, y=wide)}
    both = {**alone, 1: in_area(params, BLUE, y=-wide)}
    assert watched(params, lambda t: look(params, t, in_area(params, BLUE), at=alone), 2.0)[0] == -1
    assert watched(params, lambda t: look(params, t, (0.0, 0.3), at=both), 2.0)[0] == -1
    brief = lambda t: look(params, t, in_area(params, BLUE), at=both if t % 10 else alone)  # noqa: E731
    assert watched(params, brief, 2.0)[0] == -1


@pytest.mark.parametrize("name", LEAGUES)
def test_two_attackers_in_the_area_with_the_ball_are_a_goal_kick(name: str) -> None:
    params = rules(name)
    n, wide = params.robots, 0.4 * params.field.area_width
    at = {n: in_area(params, BLUE, y=wide), n + 1: in_area(params, BLUE, y=-wide)}
    tick, whistle, events, placed = watched(params, lambda t: look(params, t, in_area(params, BLUE), at=at), 2.0)
    assert tick == 1 + math.ceil(CROWD_SECONDS * params.rate)
    assert [(e.kind, e.cause, e.team) for e in events] == [(EventKind.GOAL_KICK, EventKind.CROWDED_ATTACK, BLUE)]
    assert whistle.phase == Phase.GOAL_KICK
    assert placed is not None
    assert (placed[n:-1, 0] >= params.hull - 1e-9).all()
    f = params.field
    inside = (placed[:n, 0] < f.area_length - f.half_length) & (abs(placed[:n, 1]) < 0.5 * f.area_width)
    assert np.flatnonzero(inside).tolist() == [0]
    assert referee.game(params, whistle, tick, BLUE).ours
    assert not referee.game(params, whistle, tick, YELLOW).ours


@pytest.mark.parametrize("name", LEAGUES)
def test_a_ball_that_rolls_about_in_a_goal_area_is_a_goal_kick_in_the_end(name: str) -> None:
    params = rules(name)
    wide = 0.48 * params.field.area_width
    scene = lambda t: look(params, t, in_area(params, YELLOW, y=wide * math.cos(2.0 * t / params.rate)))  # noqa: E731
    tick, _, events, _ = watched(params, scene, 2.0 * params.free_ball_after)
    assert tick == 2 + math.floor(params.free_ball_after * params.rate)
    assert [(e.kind, e.cause, e.team) for e in events] == [(EventKind.GOAL_KICK, EventKind.BALL_HELD, YELLOW)]


def test_a_robot_that_is_pinned_to_another_is_lifted_and_one_that_merely_stands_is_not() -> None:
    params = rules("mirosot-5v5")
    at = {2: (0.5, 0.5), 7: (0.5 + 1.9 * params.hull, 0.5)}
    scene = lambda t: look(params, t, (0.3 * math.sin(0.1 * t), -0.5), at=at)  # noqa: E731
    tick, whistle, events, placed = watched(params, scene, 30.0)
    assert STUCK_SECONDS * params.rate <= tick <= (STUCK_SECONDS + 1.0) * params.rate
    assert [(e.kind, e.team, e.robots) for e in events] == [
        (EventKind.STUCK_ROBOT, BLUE, (2,)),
        (EventKind.STUCK_ROBOT, YELLOW, (7,)),
    ]
    assert whistle.phase == Phase.PLAY
    assert placed is not None
    assert np.flatnonzero(np.isfinite(placed[:, 0])).tolist() == [2, 7]
    assert math.dist(placed[2, :2], placed[7, :2]) >= 2.1 * params.hull - 1e-9
    assert watched(params, lambda t: look(params, t, (0.3 * math.sin(0.1 * t), -0.5)), 30.0)[0] == -1


def test_the_game_is_never_stuck_though_nobody_moves() -> None:
    params = rules("vsss-3v3")
    whistle, _, placed = referee.begin(params)
    found = []
    for tick in range(1, 200 * int(params.rate)):
        ball = tuple(placed[-1, :2].tolist())
        view = referee.View(tick, placed[:-1], np.zeros((6, 3)), (*ball, 0.0, 0.0, 0.0))
        whistle, events, put = referee.step(params, whistle, view)
        placed = placed if put is None else np.where(np.isfinite(put), put, placed)
        found += kinds(events)
    round_trip = KICK_SECONDS + params.free_ball_after + 2.0 / params.rate
    assert found.count(EventKind.FREE_BALL) == int(200.0 / round_trip)
    assert found.count(EventKind.KICK_TIMEOUT) == int(200.0 / round_trip) + 1
