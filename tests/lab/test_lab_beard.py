"""Beard's experiments: ours is better than the paper's filter mended, that one better than printed."""

import gzip
from pathlib import Path
from types import ModuleType

import pytest

from tikitaka.lab import beard_ball, beard_localise, beard_robot, spreads


@pytest.fixture(autouse=True)
def _no_recordings(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.setenv("TIKITAKA_RECORDINGS", str(tmp_path_factory.mktemp("none")))


def found(module: ModuleType, seeds: int) -> dict[str, float]:
    done = list[int]()
    result = module.run(module.Args(seeds=seeds), done.append)
    assert done == list(range(1, seeds + 1))
    assert all(svg.startswith("<svg") and svg.endswith("</svg>\n") for svg in result.pictures.values())
    return {row.label: row.ours for row in result.rows}


def test_a_robots_filter_beats_the_papers_and_finite_differences() -> None:
    rows = found(beard_robot, 1)
    for what in ("place", "heading", "velocity", "place 130 ms later", "heading 130 ms later"):
        assert rows[f"ours: {what}"] < rows[f"paper's Euler: {what}"] < rows[f"paper's, printed: {what}"]
        assert rows[f"ours: {what}"] < rows[f"finite differences: {what}"]


def test_a_balls_filter_beats_the_papers_and_constant_velocity() -> None:
    rows = found(beard_ball, 1)
    for ahead in (100, 300, 500):
        ours, mended, printed, straight = (rows[f"{name}: {ahead} ms ahead, median"] for name in beard_ball.NAMES)
        assert ours < mended < printed
        assert ours < 0.7 * straight
    assert rows["ours: error of friction after a roll"] < 0.05
    assert rows["sec. 3.2, friction column mended: mu (noted: 0.5)"] == pytest.approx(0.5, abs=0.05)
    assert rows["sec. 3.2, friction column printed: mu (noted: -4.65)"] < 0.0


def test_a_localiser_is_as_good_as_the_paper_mended_and_errata_cost_it_its_way() -> None:
    rows = found(beard_localise, 1)
    assert rows["ours: place"] < 2.0
    assert rows["ours: place"] < 1.1 * rows["paper's, mended: place"]
    assert rows["paper's, asin: place (noted: 46 cm)"] > 20.0
    assert rows["paper's, no wrap: place (noted: 110 cm)"] > 3.0 * rows["paper's, mended: place"]
    assert rows["paper's, R = pi/180: place"] > 1.1 * rows["paper's, mended: place"]
    nis = "ball seen from the robot{}: NIS, 2 is right"
    assert rows[nis.format("")] < rows[nis.format(", own pose taken as exact")]


def test_recorded_robots_that_move_are_told_apart_from_those_that_rest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "byu").mkdir()
    with gzip.open(tmp_path / "byu" / "ally01.csv.gz", "wt") as file:  # 6 s at rest, but for noise, 1.5 s at 1 m/s
        file.write("time,x,y,heading\n")
        for k in range(240):
            file.write(f"{k / 32.0},{max(0.0, k / 32.0 - 6.0) + 1e-4 * (k % 2)},0.5,{k % 2}\n")
    monkeypatch.setenv("TIKITAKA_RECORDINGS", str(tmp_path))
    rows = {label: ours for label, ours in found(beard_robot, 1).items() if label.startswith("recorded ally01")}
    assert [label.rpartition("median, ")[2] for label in rows] == [
        f"{which}: {what}"
        for which in ("all (229)", "moving (46)")
        for what in ("ours", "constant velocity", "stands still")
    ]
    still, moving = (label for label in rows if label.endswith("stands still"))
    assert rows[still] < 0.2
    assert rows[moving] == pytest.approx(312.5, abs=0.2)


def test_a_spread_is_students_interval() -> None:
    row = spreads.spread("x", [1.0, 2.0, 3.0], "m", 4.0)
    assert (row.ours, row.verdict) == (2.0, "-50.0 %")
    assert row.low == pytest.approx(2.0 - 4.30 / 3.0**0.5)
    assert spreads.spread("x", [1.0], "m").low is None
