"""Sides and colours make no difference: what blue sees and does, yellow sees and does on the pitch turned by half."""

from dataclasses import replace

import numpy as np
import pytest

from tikitaka import league, sim, vision
from tikitaka.loop.build import build
from tikitaka.loop.match import Match
from tikitaka.loop.tick import tick
from tikitaka.loop.truth import known
from tikitaka.types import BLUE, YELLOW, Frame


def turned(state: sim.State) -> sim.State:
    """Return the moment turned by half, with the colours changed."""
    n = len(state.pose) // 2
    other = np.roll(np.arange(2 * n), n)
    ball = state.ball * (-1.0, -1.0, -1.0, -1.0, 1.0, 1.0, -1.0, -1.0)
    velocity = (state.velocity * (-1.0, -1.0, 1.0))[other]
    return replace(state, pose=vision.turn(state.pose)[other], velocity=velocity, spin=state.spin[other], ball=ball)


def turned_frame(frame: Frame) -> Frame:
    pose = vision.turn(frame.robot_pose)
    return replace(frame, ball_xy=-frame.ball_xy, robot_pose=pose, robot_team=1 - frame.robot_team)


@pytest.mark.parametrize("name", ["mirosot-5v5", "ssl-b"])
@pytest.mark.parametrize("team", ["rookie", "classic", "tikitaka"])
def test_yellow_thinks_as_blue_does_on_the_pitch_turned_by_half(name: str, team: str) -> None:
    setup = build(league.load(name), 4, 20.0, team, team)
    match = Match(setup)
    yellow = setup.sides[YELLOW]
    memory = yellow.start()
    for _ in range(60):
        moment = match.moment
        match.step()
        assert match.record is not None
        thoughts = match.record.thoughts[BLUE]
        game, now = thoughts.world.game, moment.state.tick / setup.rate
        arrived = tuple(f for f in (*moment.flying, *match.record.frames) if f.arrives <= now + 1e-9)
        placed = moment.placed
        told = sim.feel(setup.onboard, turned(moment.state), moment.before and turned(moment.before), YELLOW)
        seen = vision.see([turned_frame(f) for f in arrived], YELLOW, now, game, placed, told)
        memory, same = tick(yellow.stack, memory, seen)
        assert np.allclose(same.intents.target, thoughts.intents.target, atol=1e-6, equal_nan=True)  # half a turn and
        assert np.allclose(same.commands.wheels, thoughts.commands.wheels, atol=1e-3)  # another are not exactly none
        assert np.allclose(same.commands.kick, thoughts.commands.kick, atol=1e-6)


def test_the_truth_turned_by_half_is_the_same_to_yellow() -> None:
    match = Match(build(league.load("mirosot-5v5"), 1, 20.0, "rookie", "rookie"))
    for _ in range(50):
        match.step()
    assert match.record is not None
    state, thoughts = match.moment.state, match.record.thoughts[BLUE]
    seen = vision.see((), BLUE, 0.0, thoughts.world.game, None)
    tracks, field = match.moment.teams[BLUE].tracks, match.setup.rules.field
    one = known(field, state, BLUE, tracks, seen, thoughts.commands)[1]
    two = known(field, turned(state), YELLOW, tracks, seen, thoughts.commands)[1]
    for a, b in ((one.ours, two.ours), (one.theirs, two.theirs)):
        assert np.allclose(a.pose, b.pose, atol=1e-12)
        assert np.array_equal(a.velocity, b.velocity)
    assert one.ball == two.ball
