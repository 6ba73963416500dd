"""The benchmark's rows and the budgets they are held against."""

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from tikitaka import league
from tikitaka.lab import bench_card, bench_peers, benching, first_light
from tikitaka.lab.sim_speed import DT
from tikitaka.lab.staging import params_of
from tikitaka.loop.budget import BUDGET_US
from tikitaka.loop.build import build
from tikitaka.sim.batch import Batch
from tikitaka.types import Detections, Game, Phase


def test_every_budget_is_for_a_row_that_bench_prints() -> None:
    for name in {key.partition("/")[2] for key in BUDGET_US}:
        assert name in benching.LEAGUES
        samples = benching.measure(build(league.load(name), 0, None, "rookie", "rookie"), 5)
        rows = [benching.row(f"{stage}/{name}", values) for stage, values in samples.items()]
        budgets = {row["name"]: row["budget_us"] for row in rows if row["budget_us"] is not None}
        assert budgets == {key: value for key, value in BUDGET_US.items() if key.endswith(f"/{name}")}


def test_a_row_has_median_and_p99_of_its_samples() -> None:
    row = benching.row("sim/x", [k * 1e-6 for k in range(1, 1001)])
    assert row["median_us"] == pytest.approx(500.5)
    assert row["p99_us"] == pytest.approx(990.01)
    assert (row["min_us"], row["n"]) == (pytest.approx(1.0), 1000)


def test_first_light_gives_an_interval_from_two_seeds_on() -> None:
    one = first_light.run(first_light.Args(seeds=1, seconds=2.0), lambda _: None).rows
    two = first_light.run(first_light.Args(seeds=2, seconds=2.0), lambda _: None).rows
    assert all(row.low is None and row.high is None for row in one)
    assert all(row.low is not None and row.high is not None and row.low <= row.ours <= row.high for row in two)


def test_peers_are_timed_on_the_same_frames_where_they_are_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = list[int]()
    setup = build(league.load("mirosot-5v5"), 0, None, "rookie", "rookie")
    samples = benching.measure(setup, 8, {"us": (2, lambda d: calls.append(len(d.robot_pose)))})
    assert len(samples["estimate by us"]) == len(calls) > 0
    assert max(calls) == 10
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert bench_peers.peers() == {}


def test_stone_soup_follows_what_it_is_given() -> None:
    pytest.importorskip("stonesoup")
    tracks = list[Any]()
    peer = bench_peers.stone_soup(tracks)
    for k in range(10):
        pose = np.array(((0.3 + 0.02 * k, 0.1, 0.0), (-0.4, 0.02 * k, 0.0)))[:: 1 if k % 2 else -1]
        rows = (np.full(2, k / 30.0), pose, np.zeros(2, np.int64), np.full(2, -1))
        game = Game(Phase.PLAY, 60.0, 0, 0, ours=False)
        peer(Detections(k / 30.0, np.zeros(0), np.zeros((0, 2)), *rows, game, None))
    ends = sorted(tuple(float(v) for v in track.state_vector[[0, 2], 0]) for track in tracks)
    assert ends == [pytest.approx((-0.4, 0.18), abs=5e-3), pytest.approx((0.48, 0.1), abs=5e-3)]


def test_a_launch_on_a_card_is_timed_until_it_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_card, "LAUNCHES", 7)
    batch, done, drawn = Batch(params_of("vsss-3v3", DT), 3, threads=1), [0], list[int]()

    def wait() -> None:
        done[0] = int(batch.tick[0])
        drawn.append(int(batch.drawn[0]))

    found = bench_card.rates(batch, "wild", wait, lambda: 0.5 * done[0])
    assert found == pytest.approx(7 * [3 / 0.5])
    assert batch.tick.tolist() == 3 * [(2 + 7) * 30]
    assert np.diff(drawn[::2]).tolist() == 6 * [1]  # new wheel speeds before each launch


def test_all_of_a_card_is_measured_in_the_simulator_too() -> None:
    script = (
        "from tikitaka.lab import bench_card as b; b.pace = lambda *_: 0.0; b.WORLDS, b.LAUNCHES, b.TICKS = 2, 1, 1; "
        "b.main(['vsss-3v3'], 0, None, True)"
    )
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    result = json.loads(done.stdout)
    kinds = [f"vsss-3v3, {kind}, {driving}" for kind in ("float32", "float64") for driving in ("gentle", "wild")]
    assert [row["name"] for row in result["rows"]] == kinds
    assert [row["worlds"] for row in result["rows"]] == [2, 2, 1, 1]
    assert result["card"] == "CUDA's simulator"


def test_a_row_of_a_card_has_the_least_and_the_most() -> None:
    row = bench_card.row("x", 8, [3.0, 1.0, 2.0, 10.0, 2.5])
    assert (row["least_steps_s"], row["median_steps_s"], row["most_steps_s"]) == (1.0, 2.5, 10.0)
    assert (row["worlds"], row["n"]) == (8, 5)
    assert bench_card.worlds_of(params_of("mirosot-11v11", DT), "float64") == 262144
