"""The maps of the page: whose they are, and that they lie the right way round."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tikitaka import league
from tikitaka.loop.build import build
from tikitaka.loop.match import Match
from tikitaka.loop.snapshot import Snapshot
from tikitaka.ui.maps import maps


class Still:
    """A match that stands still, its ball somewhere."""

    def __init__(self, ball: tuple[float, float], nearest: int) -> None:
        match = Match(build(league.load("ssl-b"), 0, 10.0, "idle", "idle"))
        self.league, moment = match.league, match.snapshot()
        robots = moment.robots.copy()
        robots[nearest, :2] = ball[0] + 0.05, ball[1]
        self._moment = replace(moment, ball=np.array(ball), robots=robots)

    def snapshot(self) -> Snapshot:
        return self._moment


def grid(found: dict[str, Any], name: str) -> np.ndarray:
    return np.array(found[name]).reshape(found["rows"], found["columns"])


@pytest.mark.parametrize("team", [0, 1])
def test_chances_are_those_of_the_team_on_the_ball_and_best_before_the_goal_it_attacks(team: int) -> None:
    found: dict[str, Any] = maps(Still((0.5, 0.5), nearest=6 * team + 3))  # type: ignore[arg-type]
    assert found["team"] == team
    chances = grid(found, "chances")
    assert chances.min() >= 0
    assert chances.max() <= 255
    left, right = chances[:, : found["columns"] // 4].mean(), chances[:, -(found["columns"] // 4) :].mean()
    assert (right > left) if team == 0 else (left > right)


def test_a_pass_to_where_the_ball_lies_is_surer_than_one_across_the_pitch() -> None:
    found: dict[str, Any] = maps(Still((3.5, 2.5), nearest=2))  # type: ignore[arg-type]
    passes = grid(found, "passes")
    near, far = passes[-found["rows"] // 4 :, -found["columns"] // 4 :].mean(), passes[:5, :8].mean()
    assert near > far
