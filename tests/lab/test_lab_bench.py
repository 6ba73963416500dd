"""The benchmark's rows and the budgets they are held against."""

import pytest

from tikitaka import league
from tikitaka.lab import benching, first_light
from tikitaka.loop.budget import BUDGET_US
from tikitaka.loop.build import build


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
