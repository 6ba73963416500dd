"""The referee puts down some of the robots, or the ball alone: pitch and teams know, and the others drive on."""

from dataclasses import replace

import numpy as np
import pytest
from match_helpers import play

from tikitaka.loop.match import Moment, advance, put
from tikitaka.types import BLUE, YELLOW, Floats


def some(name: str) -> tuple[Moment, Floats, Floats]:
    """Return a moment in which robot 3 and the ball were put elsewhere, the placement, and the truth before."""
    match = play(name, ticks=40)
    moment, field = match.moment, match.setup.pitch.field
    placed = np.full((2 * match.league.team.robots + 1, 3), np.nan)
    placed[3] = -0.5 * field.half_length, 0.9 * field.half_width, 1.0
    placed[-1] = 0.3 * field.half_length, -0.8 * field.half_width, 0.0
    state = put(moment.state, placed)
    return replace(moment, state=state, before=None, flying=(), placed=placed), placed, moment.state.velocity


@pytest.mark.parametrize("name", ["mirosot-5v5", "ssl-b"])
def test_who_is_put_down_rests_there_and_the_others_are_left_alone(name: str) -> None:
    match = play(name, ticks=40)
    moment, placed, velocity = some(name)
    state, others = moment.state, np.arange(len(placed) - 1) != 3
    assert state.pose[3].tolist() == placed[3].tolist()
    assert not state.velocity[3].any()
    assert not state.spin[3].any()
    assert state.ball.tolist() == [*placed[-1, :2].tolist(), *[0.0] * 6]
    assert state.toucher == -1
    assert np.array_equal(state.pose[others], match.moment.state.pose[others])
    assert np.array_equal(state.velocity[others], velocity[others])
    assert np.abs(velocity[others]).max() > 0.1
    alone = placed.copy()
    alone[-1] = np.nan
    assert put(match.moment.state, alone).ball.tolist() == match.moment.state.ball.tolist()


@pytest.mark.parametrize("name", ["mirosot-5v5", "ssl-b"])
def test_both_teams_know_at_once_and_do_not_forget_how_the_others_move(name: str) -> None:
    setup = play(name, ticks=0).setup
    moment, placed, _ = some(name)
    n = setup.league.team.robots
    for _ in range(12):
        before = moment.state
        moment, record = advance(setup, moment)
        blue, yellow = record.thoughts[BLUE].world, record.thoughts[YELLOW].world
        assert blue.ours.pose[3, :2] == pytest.approx(before.pose[3, :2], abs=0.06)
        assert -yellow.theirs.pose[3, :2] == pytest.approx(before.pose[3, :2], abs=0.06)
        assert (blue.ball.x, blue.ball.y) == pytest.approx(before.ball[:2].tolist(), abs=0.02)
        assert (-yellow.ball.x, -yellow.ball.y) == pytest.approx(before.ball[:2].tolist(), abs=0.02)
    assert blue.ours.pose[:, :2] == pytest.approx(before.pose[:n, :2], abs=0.06)
    first = advance(setup, some(name)[0])[1].thoughts[BLUE].world
    assert first.ours.pose[3].tolist() == pytest.approx(placed[3].tolist())
    assert not first.ours.velocity[3].any()
    moving = np.hypot(*some(name)[2][:n, :2].T) > 0.1
    moving[3] = False
    assert moving.any()
    assert np.hypot(*first.ours.velocity[moving, :2].T).min() > 0.03
