"""Teams with roles: everybody has one job, jobs are kept, both sides are alike, and kicks are taken once."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_decide_named import LEAGUES, load, scene

from tikitaka.decide import squad
from tikitaka.decide.kernels import leaving, minding, playing, pushing, running
from tikitaka.loop.build import facts_of
from tikitaka.types import Ball, BallUse, Intents, Phase, World

STYLES = {"classic": squad.CLASSIC, "tikitaka": squad.TIKITAKA}
seeds = st.integers(0, 10**6)


def decide(name: str, style: str, world: World, memory: squad.Memory | None = None) -> tuple[squad.Memory, Intents]:
    return squad.decide(facts_of(load(name)), STYLES[style], memory or squad.start(), world)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=20)
@given(seeds)
def test_everybody_has_a_job_of_his_own(name: str, style: str, seed: int) -> None:
    memory, wish = decide(name, style, scene(name, seed, Phase.PLAY))
    n = len(wish)
    assert sorted(memory.roles.tolist()) == list(range(n))
    assert memory.roles[0] == 0
    assert wish.keeper.tolist() == [True, *(n - 1) * [False]]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=10)
@given(seeds)
def test_jobs_are_kept_while_little_changes(name: str, style: str, seed: int) -> None:
    world = scene(name, seed, Phase.PLAY)
    memory, _ = decide(name, style, world)
    memory, _ = decide(name, style, world, memory)
    moved = replace(world.ours, pose=world.ours.pose + 1e-4)
    again, _ = decide(name, style, replace(world, ours=moved), memory)
    assert np.array_equal(again.roles, memory.roles)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=40)
@given(seeds)
def test_places_of_mates_are_apart(name: str, style: str, seed: int) -> None:
    memory, wish = decide(name, style, scene(name, seed, Phase.PLAY))
    others = wish.target[(memory.roles > 1) & (wish.ball == BallUse.AVOID), :2]
    far = [np.hypot(*(a - b)) for k, a in enumerate(others) for b in others[:k]]
    assert min(far, default=9.0) > 2.0 * facts_of(load(name)).hull


def test_who_took_a_free_kick_leaves_the_ball_to_others() -> None:
    dead, facts = scene("ssl-b", 3, Phase.FREE_KICK, ours=True), facts_of(load("ssl-b"))
    ours = dead.ours.pose.copy()
    ours[1, :2] = dead.ball.x - 0.11, dead.ball.y
    far = replace(dead.theirs, pose=dead.theirs.pose * 0.01 + (-3.0, -2.0, 0.0))
    dead = replace(dead, ours=replace(dead.ours, pose=ours), theirs=far)
    memory, _ = squad.decide(facts, squad.CLASSIC, squad.start(), dead)
    assert memory.notes[playing.TAKER] == 1
    live = replace(dead, game=replace(dead.game, phase=Phase.PLAY), time=dead.time + 0.1)
    live = replace(live, ball=Ball(live.ball.x + 0.1, live.ball.y, 0.5, 0.0, 0.0))
    assert squad.decide(facts, squad.CLASSIC, memory, live)[0].notes[playing.ATTACKER] != 1
    late = replace(live, time=live.time + playing.LEFT)
    assert squad.decide(facts, squad.CLASSIC, memory, late)[0].notes[playing.ATTACKER] == 1


@settings(deadline=None, max_examples=30)
@given(seeds)
def test_without_passes_nobody_passes_and_a_dead_ball_is_never_carried(seed: int) -> None:
    for phase in (Phase.PLAY, Phase.FREE_KICK):
        world = scene("ssl-b", seed, phase, ours=True)
        for style, plan in ((s, decide("ssl-b", s, world)[0].plan) for s in STYLES):
            assert style == "tikitaka" or plan[minding.KIND] != minding.PASS
            assert phase == Phase.PLAY or plan[minding.KIND] != minding.CARRY


def test_a_ball_that_is_ours_to_place_is_brought_to_the_spot() -> None:
    world = scene("ssl-b", 5, Phase.PLACEMENT, ours=True)
    memory, wish = decide("ssl-b", "classic", world)
    player = int(memory.notes[playing.ATTACKER])
    assert wish.dribble[player]
    assert wish.ball[player] == BallUse.PLAY
    assert not wish.kick.any()


def test_notes_have_their_places_by_name_everywhere() -> None:
    shared = {"STRIKING": pushing, "CROWD_SINCE": leaving, "RUN_SINCE": running, "RUN_Y": running, "RUNNING": running}
    for name, module in shared.items():
        assert getattr(module, name) == getattr(playing, name)
    assert len(squad.start().notes) == playing.NOTES
