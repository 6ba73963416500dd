"""Scenes of a match, in temporal form: always, within so many seconds. The whole stack plays, from its estimates."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scenario_stage import always, field, league, parked, staged, ticks, within

from tikitaka.loop.build import build
from tikitaka.loop.match import Match
from tikitaka.types import BLUE, EventKind, Floats, Phase

TEAMS = ("classic", "tikitaka")
SEEDS = range(40)


def keeper_place(name: str) -> tuple[float, float, float]:
    f, hull = field(name), league(name).robot.bounding_radius
    return (-f.half_length + 1.3 * hull, 0.0, 0.5 * math.pi)


def saves(name: str, team: str, seed: int) -> bool:
    """Say whether the keeper, its mates far away, stops a straight shot at 2 m/s from anywhere before the goal."""
    f, rng = field(name), np.random.default_rng(seed)
    blue = parked(name, -1.0)
    if team != "idle":
        blue[0] = keeper_place(name)
    start = (rng.uniform(-0.3, 0.0) * f.half_length, rng.uniform(-0.5, 0.5) * f.half_width)
    at = (-f.half_length, rng.uniform(-0.9, 0.9) * (0.5 * f.goal_width - league(name).ball.radius))
    way = math.dist(start, at)
    shot = (*start, 2.0 * (at[0] - start[0]) / way, 2.0 * (at[1] - start[1]) / way)
    return always(ticks(staged(name, seed, blue, shot, team), 4.0), lambda m: m.score[1] == 0)


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("name", ["mirosot-5v5", "ssl-b"])
def test_the_keeper_saves_a_straight_shot_at_2_metres_a_second_in_9_of_10_seeds(name: str, team: str) -> None:
    assert sum(saves(name, team, seed) for seed in SEEDS) >= 0.9 * len(SEEDS)


@pytest.mark.parametrize("name", ["mirosot-5v5", "ssl-b"])
def test_without_a_keeper_each_of_these_shots_is_a_goal(name: str) -> None:
    assert not any(saves(name, "idle", seed) for seed in SEEDS)


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("name", ["mirosot-5v5", "vsss-3v3"])
@pytest.mark.parametrize("corner", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
def test_a_ball_in_the_corner_is_freed_within_10_seconds(name: str, team: str, corner: tuple[int, int]) -> None:
    f, blue = field(name), parked(name, -1.0)
    blue[0] = keeper_place(name)
    blue[1] = (0.3 * corner[0] * f.half_length, 0.3 * corner[1] * f.half_width, 0.0)
    room = league(name).ball.radius + 0.6 * f.corner + 0.005
    ball = (corner[0] * (f.half_length - room), corner[1] * (f.half_width - room), 0.0, 0.0)
    match = staged(name, 1, blue, ball, team)
    assert within(ticks(match, 10.0), lambda m: math.dist(m.moment.state.ball[:2], ball[:2]) > 0.3)


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("ball", [(0.89, -0.58), (0.98, 0.65), (0.05, 0.8), (0.1, -0.9), (0.12, 0.0)])
def test_the_keeper_clears_a_ball_at_rest_in_its_area_though_an_opponent_waits(
    team: str, ball: tuple[float, float]
) -> None:
    f, blue, yellow = field("ssl-b"), parked("ssl-b", -1.0), parked("ssl-b", 1.0)
    blue[0] = (-f.half_length + 0.31, 0.4 * ball[1], 0.0)
    yellow[1] = (-f.half_length + f.area_length + 0.11, ball[1], math.pi)
    match = staged("ssl-b", 1, blue, (ball[0] - f.half_length, ball[1], 0.0, 0.0), team, yellow)

    def out(m: Match) -> bool:
        x, y = m.moment.state.ball[:2]
        return bool(x > -f.half_length + f.area_length or abs(y) > 0.5 * f.area_width or x < -f.half_length)

    assert within(ticks(match, 5.0), out)
    assert match.score == (0, 0)


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("name", ["mirosot-5v5", "vsss-3v3", "ssl-b"])
def test_a_free_attacker_scores_within_8_seconds_in_5_of_6_seeds(name: str, team: str) -> None:
    assert sum(free_attacker_scores(name, team, seed) for seed in range(6)) >= 5


def free_attacker_scores(name: str, team: str, seed: int) -> bool:
    """Say whether a robot that nobody hinders scores in time."""
    f, rng, blue = field(name), np.random.default_rng(seed), parked(name, -1.0)
    blue[0] = keeper_place(name)
    blue[1] = (rng.uniform(-0.3, 0.0) * f.half_length, rng.uniform(-0.4, 0.4) * f.half_width, rng.uniform(-3.0, 3.0))
    ball = (rng.uniform(0.1, 0.5) * f.half_length, rng.uniform(-0.4, 0.4) * f.half_width, 0.0, 0.0)
    return within(ticks(staged(name, seed, blue, ball, team), 8.0), lambda m: m.score == (1, 0))


def none_in_an_area(match: Match) -> bool:
    """Say whether no centre of a field player of blue is in an area, but by the 2 cm that braking may take."""
    if match.moment.whistle.phase != Phase.PLAY:
        return True
    f, n = match.setup.pitch.field, match.league.team.robots
    xy: Floats = match.moment.state.pose[1:n, :2]
    inside = (np.abs(xy[:, 0]) > f.half_length - f.area_length + 0.02) & (np.abs(xy[:, 1]) < 0.5 * f.area_width - 0.02)
    return not inside.any()


@pytest.mark.parametrize("team", TEAMS)
def test_nobody_of_ours_enters_a_forbidden_area(team: str) -> None:
    match = Match(build(league("ssl-b"), 5, 600.0, team, "rookie"))
    for _ in range(15 * 60):
        match.step()
        assert none_in_an_area(match)


def fastest(match: Match) -> float:
    return float(np.hypot(*match.moment.state.velocity[:, :2].T).max())


@pytest.mark.parametrize("team", TEAMS)
@pytest.mark.parametrize("name", ["mirosot-5v5", "ssl-b"])
def test_after_halt_nobody_moves_within_2_seconds(name: str, team: str) -> None:
    match = Match(build(league(name), 2, 600.0, team, team))
    while match.moment.state.tick <= 4.0 * match.rate or (
        fastest(match) <= 0.3 and match.moment.state.tick < 10.0 * match.rate
    ):
        match.step()
    assert fastest(match) > 0.3
    began, rest = match.moment.state.tick, 0
    for _ in range(int(3.0 * match.rate)):
        match.moment = replace(match.moment, whistle=replace(match.moment.whistle, phase=Phase.HALT))
        match.step()
        if match.moment.state.tick > began + 2.0 * match.rate:
            rest += 1
            assert fastest(match) < 0.02
    assert rest > 0


@pytest.mark.parametrize("name", ["mirosot-5v5", "ssl-b"])
def test_nobody_does_nothing_for_20_seconds(name: str) -> None:
    match = Match(build(league(name), 3, 600.0, "tikitaka", "classic"))
    n, far = match.league.team.robots, np.zeros(2 * match.league.team.robots)
    for _ in range(int(20.0 * match.rate)):
        before = match.moment.state.pose[:, :2]
        match.step()
        if match.moment.placed is None:
            far += np.hypot(*(match.moment.state.pose[:, :2] - before).T)
    assert np.delete(far, (0, n)).min() > 0.1  # all but the keepers, who may have nothing to do


def put_at_penalty(name: str, seed: int) -> bool:
    """Say whether anybody had to be put in place at a penalty that is taken."""
    match = Match(build(league(name), seed, 600.0, *TEAMS))
    while match.moment.state.tick < 5.0 * match.rate:
        match.step()
    mark = replace(
        match.moment.whistle, phase=Phase.STOP, then=Phase.PENALTY, spot=(field(name).half_length - 6.0, 0.0)
    )
    match.moment = replace(match.moment, whistle=replace(mark, owner=BLUE, since=match.moment.state.tick))
    seen = len(match.events)
    assert within(ticks(match, 11.0), lambda m: m.moment.whistle.phase == Phase.PLAY)
    return EventKind.MOVED in [event.kind for event in match.events[seen:]]


@pytest.mark.parametrize("name", ["ssl-b", "ssl-a"])
def test_at_most_penalties_everybody_gets_to_their_place_and_nobody_is_put_there(name: str) -> None:
    """At every one somebody was put while both teams went to one line; in ssl-a two still block each other at times."""
    assert sum(put_at_penalty(name, seed) for seed in (4, 5, 6)) <= 1
