"""The file that ``tikitaka new`` writes: short, plays in every league without a fault, and scores."""

from pathlib import Path

import pytest

from tikitaka.decide import TEMPLATE
from tikitaka.decide.template import write
from tikitaka.errors import TeamError
from tikitaka.league import load, names
from tikitaka.loop.build import build
from tikitaka.loop.games import series
from tikitaka.loop.match import Match
from tikitaka.loop.run import Fixture


def play(league: str, blue: Path, yellow: str, seconds: float) -> Match:
    match = Match(build(load(league), 5, seconds, str(blue), yellow))
    while not match.done:
        match.step()
    return match


def test_the_template_is_short() -> None:
    lines = TEMPLATE.splitlines()
    assert 30 <= len(lines) <= 45
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("league", sorted(names()))
def test_the_template_plays_in_every_league_without_a_fault(tmp_path: Path, league: str) -> None:
    path = tmp_path / "first.py"
    write(path)
    match = play(league, path, "rookie", 10.0)
    assert (match.faults, match.fault_messages, match.moment.state.mended) == ((0, 0), [], 0)
    assert match.names == ("first", "rookie")


def test_the_template_plays_alone(tmp_path: Path) -> None:
    path, lone = tmp_path / "first.py", tmp_path / "lone.toml"
    write(path)
    lone.write_text('extends = "byu-2v2"\nname = "lone"\n[team]\nrobots = 1\n')
    assert play(str(lone), path, "rookie", 5.0).faults == (0, 0)


@pytest.mark.parametrize("league", ["mirosot-5v5", "vsss-3v3", "ssl-b", "byu-2v2"])
def test_the_template_beats_a_team_that_stands_still(tmp_path: Path, league: str) -> None:
    path, idle = tmp_path / "first.py", tmp_path / "idle.py"
    write(path)
    idle.write_text("def decide(world, memory):\n    return {}\n")
    blue, yellow = play(league, path, str(idle), 120.0).score  # 2 to 5 goals in MiroSot; in 60 s none is no rarity
    assert blue > yellow


def test_the_template_is_no_weaker_than_rookie(tmp_path: Path) -> None:
    path = tmp_path / "first.py"
    write(path)
    ours, theirs = series(str(path), "rookie", Fixture(load("mirosot-5v5"), 100, 60.0, "", ""), 6, lambda _: None).goals
    assert ours >= theirs


def test_the_file_says_how_to_play_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    write(path)
    assert path.read_text().startswith(f'"""My team. Play it with:  tikitaka play --blue {path}')
    compile(path.read_text(), path.name, "exec")


def test_a_file_that_exists_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("precious")
    with pytest.raises(TeamError, match="exists already"):
        write(path)
    assert path.read_text() == "precious"


@pytest.mark.parametrize(("name", "rule"), [("mine.txt", r"must end in \.py"), ("no/such/folder.py", "cannot write")])
def test_a_file_that_cannot_be_written_says_why(tmp_path: Path, name: str, rule: str) -> None:
    with pytest.raises(TeamError, match=rule):
        write(tmp_path / name)
