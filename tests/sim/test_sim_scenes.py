import numpy as np
import pytest
from pitch_judge import LEAGUES, params_of

from tikitaka.sim import scenes


@pytest.mark.parametrize("league", LEAGUES)
def test_a_crowd_is_its_seed(league: str) -> None:
    params = params_of(league)
    first, again, other = (scenes.crowd(params, seed) for seed in (7, 7, 8))
    assert (first.pose == again.pose).all()
    assert (first.ball == again.ball).all()
    assert np.abs(first.pose - other.pose).min() > 0.0


@pytest.mark.parametrize("league", LEAGUES)
def test_the_line_up_is_the_same_from_both_sides(league: str) -> None:
    state = scenes.line_up(params_of(league))
    n = len(state.pose) // 2
    assert state.pose[n:, :2] == pytest.approx(-state.pose[:n, :2])
    assert (state.pose[:n, 0] < 0.0).all()


@pytest.mark.parametrize("league", LEAGUES)
def test_the_pile_is_as_tight_as_it_can_be(league: str) -> None:
    params = params_of(league)
    pose = scenes.corner_pile(params).pose
    width = np.ptp(np.array(params.robot.outline.polygon())[:, 1])
    away = np.linalg.norm(pose[:, None, :2] - pose[None, :, :2], axis=2) + np.eye(len(pose))
    assert away.min(axis=1).max() == pytest.approx(width, abs=3.0 * scenes.GAP)
