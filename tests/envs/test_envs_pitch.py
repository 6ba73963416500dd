"""A league's pitch by its name, and its worlds' arrays in other libraries."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tikitaka import envs, sim
from tikitaka import league as leagues
from tikitaka.errors import UnknownNameError
from tikitaka.loop.build import pitch_params


@pytest.mark.parametrize("name", leagues.names())
def test_the_pitch_of_a_league_is_the_one_that_is_played_on(name: str) -> None:
    ours, played = envs.pitch_of(name), pitch_params(leagues.load(name))
    assert (ours.field, ours.ball, ours.robots, ours.dt) == (played.field, played.ball, played.robots, played.dt)
    assert all(np.array_equal(a, b) for a, b in zip(ours.fixed, played.fixed, strict=True))


def test_robots_and_ticks_may_be_others_and_a_file_is_as_good_as_a_name(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    file.write_text('extends = "vsss-3v3"\n[ball]\nmass = 0.05\n', encoding="utf-8")
    mine = envs.pitch_of(file, robots=2, dt=0.01)
    assert (mine.robots, mine.dt, mine.ball.mass) == (2, 0.01, 0.05)


def test_an_unknown_league_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown league 'vsss'; .*known: 'mirosot-5v5'"):
        envs.pitch_of("vsss")


def test_torch_has_the_same_memory() -> None:
    torch: Any = pytest.importorskip("torch")
    worlds = sim.Batch(envs.pitch_of("vsss-3v3"), 3, threads=1)
    wheels, pose = torch.from_numpy(worlds.wheels), torch.from_numpy(worlds.pose)
    worlds.scatter()
    before = pose.clone()
    wheels[:] = 20.0
    worlds.step()
    assert (pose != before).any()
