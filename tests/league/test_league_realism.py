"""The three sets of numbers that say how real a match is, and how they go over a league's own."""

import tomllib
from pathlib import Path

import pytest

import tikitaka.league as package
from tikitaka.errors import UnknownNameError
from tikitaka.league import dump, load, names, realism

DOCS = Path(__file__).parents[2] / "docs" / "leagues.md"
FILE = Path(package.__file__).parent / "realism.toml"
SETS = tomllib.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("league", names())
@pytest.mark.parametrize("name", realism.names())
def test_a_set_changes_what_it_says_and_nothing_else(league: str, name: str) -> None:
    plain, real = load(league).model_dump(), load(league, name).model_dump()
    assert real.pop("realism") == name
    assert plain.pop("realism") == "friendly"
    for part in plain:
        said = SETS[name].get(part, {})
        assert real[part] == ({**plain[part], **said} if said else plain[part])


@pytest.mark.parametrize("league", names())
def test_friendly_is_the_league_itself(league: str) -> None:
    assert load(league, "friendly") == load(league)


@pytest.mark.parametrize("name", realism.names())
def test_a_file_may_choose_its_realism_and_the_caller_has_the_last_word(name: str, tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_text(f'extends = "ssl-a"\nrealism = "{name}"\n')
    assert load(path).camera == load("ssl-a", name).camera
    assert load(path).radio == load("ssl-a", name).radio
    assert load(path, "ideal").camera == load("ssl-a", "ideal").camera


@pytest.mark.parametrize("name", realism.names())
def test_a_league_that_was_made_real_survives_dump_and_load(name: str, tmp_path: Path) -> None:
    path = tmp_path / "run.toml"
    path.write_text(dump(load("mirosot-11v11", name)), encoding="utf-8")
    assert load(path) == load("mirosot-11v11", name)


def test_ideal_leaves_nothing_to_chance() -> None:
    camera, radio = load("ssl-a", "ideal").camera, load("ssl-a", "ideal").radio
    noises = (camera.noise_xy, camera.noise_theta, camera.dropout, camera.false_robots, camera.false_balls, radio.loss)
    assert (*noises, camera.latency, camera.jitter, radio.latency, radio.jitter) == (0.0,) * 10


def test_an_unknown_set_lists_the_known_ones() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown realism 'real'; did you mean 'realistic'\? known: 'ideal', "):
        load("ssl-b", "real")


def test_every_number_has_a_comment_with_its_unit() -> None:
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if "=" in line.partition("#")[0]]
    assert [line for line in lines if "# [" not in line and "occlusion" not in line] == []


def test_the_docs_have_the_numbers_of_the_file() -> None:
    section = DOCS.read_text(encoding="utf-8").partition("## How real")[2].partition("\n## ")[0]
    rows = [[cell.strip(" `") for cell in line[1:-1].split("|")] for line in section.splitlines() if line[:1] == "|"]
    assert tuple(rows[0][2:]) == realism.names()
    told = {(row[0], name): cell for row in rows[2:] for name, cell in zip(rows[0][2:], row[2:], strict=True) if cell}
    assert told == {
        (f"{part}.{key}", name): str(value).lower() if isinstance(value, bool) else f"{value:.10g}"
        for name, tables in SETS.items()
        for part, table in tables.items()
        for key, value in table.items()
    }
