"""The speed experiment measures what it says; how fast it is, is not asserted."""

import os

import numpy as np
import pytest

from tikitaka.lab import peers, sim_speed
from tikitaka.lab.sim_speed import DT, Args, pace, pinned, under_way
from tikitaka.lab.staging import params_of


def test_a_small_run_has_a_row_for_every_number_and_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sim_speed, "SEASON", 1)
    args = Args(seeds=2, seconds=1.0, robots=(2, 6), worlds=(1, 80), steps=100, shared=4, peers=False)
    found = sim_speed.run(args, lambda _: None)
    rows = {row.label: row for row in found.rows}
    assert {"mirosot-5v5, gentle", "mirosot-5v5, wild", "4 worlds: two threads over one"} <= set(rows)
    assert {"2 robots, gentle", "worlds: 80, threads: 1"} <= set(rows)
    assert all(row.ours > 0.0 and (row.low is None or row.low <= row.ours <= (row.high or 0.0)) for row in found.rows)
    assert list(found.pictures) == ["sim-speed.svg"]


def test_pace_is_per_step_and_world() -> None:
    batch, ticks = under_way(params_of("mirosot-5v5", DT, 4), 3, "gentle", 0), []
    before = batch.tick.copy()

    def clock() -> float:
        ticks.append(int(batch.tick[0]))
        return 6.0 * len(ticks)

    assert pace(batch, "wild", 2, clock, 5) == pytest.approx(6.0 / (2 * 5 * 3))
    assert (batch.tick - before == 10).all()
    assert np.abs(batch.wheels).max() > 1.0 / batch.params.robot.drive.wheel_radius


def test_gentle_wheels_are_within_a_metre_a_second() -> None:
    batch = under_way(params_of("mirosot-5v5", DT, 4), 8, "gentle", 1)
    rim = np.abs(batch.wheels) * batch.params.robot.drive.wheel_radius
    assert 0.8 < rim.max() <= 1.0


def test_many_worlds_are_copies_of_a_few_that_move() -> None:
    batch = under_way(params_of("mirosot-5v5", DT, 4), 2 * sim_speed.FEW, "gentle", 2)
    assert (batch.pose[: sim_speed.FEW] == batch.pose[sim_speed.FEW :]).all()
    assert len(np.unique(batch.pose[:, 0, 0])) == sim_speed.FEW
    assert np.abs(batch.velocity).max() > 0.1


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system has no affinity")
def test_pinned_holds_one_core_and_lets_go() -> None:
    before = os.sched_getaffinity(0)
    with pinned():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_a_peer_that_cannot_be_run_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr(peers, "FOLDER", tmp_path)
    monkeypatch.setattr(peers, "_python", lambda _: None)
    assert peers.rsim("gentle", 1.0, 0) == "no Python 3.10 here"
    monkeypatch.setattr(peers, "_uv", lambda: None)
    assert peers.rsim("gentle", 1.0, 0) == "no uv here"
