"""Series of games: what they add up to, and that neither sides nor the number of cores matter."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from tikitaka import league
from tikitaka.loop import elo, games
from tikitaka.loop.games import Played
from tikitaka.loop.run import Fixture

WHAT = Fixture(league.load("vsss-3v3"), 3, 4.0, "rookie", "rookie")
COUNTS = ((0.6, 0.4), (6, 2), (3, 1), (0, 2), (1, 0))
GAME = Played(0, True, 60.0, (1, 0), *COUNTS, (0, 0), (), 4, 0, (3.0, 2.0), 9.0, 500.0)  # noqa: FBT003


def test_wins_draws_and_losses_add_up() -> None:
    result = games.add_up([GAME, replace(GAME, goals=(2, 2)), replace(GAME, goals=(0, 3)), GAME])
    assert (result.wins, result.draws, result.losses, result.goals) == (2, 1, 1, (4, 5))
    assert result.win_rate == pytest.approx(2 / 3)
    assert result.minutes == 4.0
    assert result.per_minute("passes") == (6.0, 2.0)
    assert result.mean("possession") == (0.6, 0.4)


def test_the_longest_stand_of_all_games_is_told_and_a_game_with_a_ball_that_lies_is_stuck() -> None:
    result = games.add_up([GAME, replace(GAME, stands=(1.0, 25.0), ball_stands=games.STUCK + 1.0)])
    assert (result.stands, result.ball_stands, result.stuck) == ((3.0, 25.0), games.STUCK + 1.0, 1)


def test_no_decided_game_says_nothing_of_who_wins() -> None:
    result = games.add_up([replace(GAME, goals=(1, 1))])
    assert np.isnan(result.win_rate)
    assert result.interval == (0.0, 1.0)


def test_the_first_team_changes_colours_and_a_series_does_not_depend_on_how_it_is_shared_out(tmp_path: Path) -> None:
    team = tmp_path / "still.py"
    team.write_text("def decide(world, memory):\n    raise ValueError('no idea')\n")
    done = list[int]()
    result = games.series(str(team), "rookie", WHAT, 2, done.append)
    assert done == [1, 2]
    assert [game.first_is_blue for game in result.games] == [True, False]
    assert [game.seed for game in result.games] == [3, 4]
    assert all(game.faults[0] > 0 and game.faults[1] == 0 for game in result.games)
    alone = games.play(replace(WHAT, blue=str(team)), first_is_blue=True)
    assert replace(alone, tick_us=0.0) == replace(result.games[0], tick_us=0.0)


def test_ratings_are_the_likeliest_ones() -> None:
    points = np.array([[0.0, 7.0, 9.5], [3.0, 0.0, 6.0], [0.5, 4.0, 0.0]])

    def unlikely(strength: np.ndarray) -> float:
        taken = points * np.logaddexp(0.0, strength[None] - strength[:, None])
        average = 0.5 * (np.logaddexp(0.0, strength) + np.logaddexp(0.0, -strength))
        return float(taken.sum() + average.sum())

    best = minimize(unlikely, np.zeros(3), tol=1e-12).x
    rating, half = elo.ratings(points)
    assert rating == pytest.approx(elo.AVERAGE + elo.SCALE * (best - best.mean()), abs=0.01)
    assert (half > 0.0).all()
    assert rating.mean() == pytest.approx(elo.AVERAGE)


def test_a_team_that_won_everything_has_a_finite_rating_and_equals_are_equal() -> None:
    rating, _ = elo.ratings(np.array([[0.0, 20.0], [0.0, 0.0]]))
    assert np.isfinite(rating).all()
    assert rating[0] > rating[1]
    assert elo.ratings(np.full((3, 3), 2.0) - 2.0 * np.eye(3))[0] == pytest.approx([elo.AVERAGE] * 3)
