"""The teams by name: each plays every league, says what it does not know, and remembers all in what it returns."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka import decide
from tikitaka.errors import TeamError, UnknownNameError
from tikitaka.league import League, names
from tikitaka.league import load as load_league
from tikitaka.loop.build import facts_of
from tikitaka.types import Ball, Game, Phase, Robots, World

LEAGUES = sorted(names())


@cache
def load(name: str) -> League:
    return load_league(name)


def scene(name: str, seed: int, phase: Phase, *, ours: bool = False, ready: bool = True) -> World:
    f, n, rng = load(name).field.geometry(), load(name).team.robots, np.random.default_rng(seed)
    pose = rng.uniform(-0.95, 0.95, (2 * n, 3)) * (f.half_length, f.half_width, math.pi)
    bx, by = rng.uniform(-0.95, 0.95, 2) * (f.half_length, f.half_width) * (phase != Phase.KICK_OFF)
    us, them = (Robots(p, np.zeros_like(p), np.zeros(n)) for p in (pose[:n], pose[n:]))
    game = Game(phase, 60.0, 0, 0, ours, (0.7 * bx, 0.7 * by), ready)
    return World(1.0, f, Ball(float(bx), float(by), 0.0, 0.0, 0.0), us, them, game)


@pytest.mark.parametrize("team", decide.TEAMS)
@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6), st.sampled_from(Phase), st.booleans(), st.booleans())
def test_every_team_has_a_wish_that_can_be_driven_in_every_phase(
    name: str, team: str, seed: int, phase: Phase, ours: bool, ready: bool
) -> None:
    start, step = decide.named(team, {}, facts_of(load(name)))
    world = scene(name, seed, phase, ours=ours, ready=ready)
    before = (world.ours.pose.copy(), world.theirs.pose.copy())
    _, wish = step(start(), world)
    assert np.array_equal(before[0], world.ours.pose)
    assert np.array_equal(before[1], world.theirs.pose)
    assert np.isfinite(wish.target[:, :2]).all()
    assert not wish.active.any() or (phase != Phase.HALT and team != "idle")
    for numbers in (wish.end_speed, wish.max_speed, wish.kick, wish.lift):
        assert (numbers >= 0.0).all()
    assert not wish.kick.any() or facts_of(load(name)).kick > 0.0


@pytest.mark.parametrize("team", decide.TEAMS)
@pytest.mark.parametrize("name", ["vsss-3v3", "ssl-b"])
@pytest.mark.parametrize("lost", ["ours", "theirs", "ball"])
def test_who_is_nowhere_leaves_the_others_a_wish_that_can_be_driven(name: str, team: str, lost: str) -> None:
    start, step = decide.named(team, {}, facts_of(load(name)))
    world = scene(name, 3, Phase.PLAY)
    if lost == "ball":
        world = replace(world, ball=Ball(math.nan, math.nan, math.nan, math.nan, 0.0))
    else:
        robots = getattr(world, lost)
        pose = robots.pose.copy()
        pose[1] = math.nan
        world = replace(world, **{lost: replace(robots, pose=pose)})
    memory, wish = step(start(), world)
    known = np.isfinite(world.ours.pose[:, 0])
    assert not (wish.active & ~known).any()
    assert np.isfinite(wish.target[wish.active, :2]).all()
    _, later = step(memory, scene(name, 3, Phase.PLAY))  # and it is forgotten
    assert np.isfinite(later.target[later.active, :2]).all()


@pytest.mark.parametrize("team", decide.TEAMS)
def test_the_same_memory_and_world_give_the_same_wish(team: str) -> None:
    start, step = decide.named(team, {}, facts_of(load("ssl-b")))
    world = scene("ssl-b", 3, Phase.PLAY)
    memory = start()
    for tick in range(5):
        world = replace(world, time=1.0 + tick / 60.0)
        memory, _ = step(memory, world)
    first, again = step(memory, world)[1], step(memory, world)[1]
    assert np.array_equal(first.target, again.target, equal_nan=True)
    assert np.array_equal(first.kick, again.kick)


def test_a_wrong_name_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown team 'rokie'; did you mean 'rookie'[?] known: .*'rookie'"):
        decide.named("rokie", {}, facts_of(load("ssl-b")))


WRONG = {
    ("rookie", "press", "high"): "team 'rookie': unknown option 'press'; known: none",
    (
        "tikitaka",
        "pres",
        "high",
    ): "team 'tikitaka': unknown option 'pres'; did you mean 'press'? known: 'press', 'passes'",
    ("tikitaka", "press", "hi"): "team 'tikitaka': press must be one of 'mid', 'low', 'high'; got 'hi'",
    ("random", "sed", "1"): "team 'random': unknown option 'sed'; did you mean 'seed'? known: 'seed'",
    ("random", "seed", "-1"): "team 'random': seed must be a whole number in [0, 9223372036854775807]; got '-1'",
    ("random", "seed", ""): "team 'random': seed must be a whole number in [0, 9223372036854775807]; got ''",
}


@pytest.mark.parametrize("given_", WRONG)
def test_a_wrong_option_is_named_with_the_known_ones(given_: tuple[str, str, str]) -> None:
    team, option, value = given_
    with pytest.raises(TeamError) as error:
        decide.named(team, {option: value}, facts_of(load("ssl-b")))
    assert str(error.value) == WRONG[given_]


def test_random_goes_by_its_seed_and_its_tick_alone() -> None:
    facts, world = facts_of(load("ssl-b")), scene("ssl-b", 3, Phase.PLAY)
    targets = [decide.named("random", o, facts)[1] for o in ({}, {"seed": "0"}, {"seed": "1"})]
    default, zero, one = (step(decide.named("random", {}, facts)[0](), world)[1].target for step in targets)
    assert np.array_equal(default, zero)
    assert not np.array_equal(default, one)
