"""Teams as people write them, and what can be asked of a team file."""

from pathlib import Path

import pytest

from tikitaka import decide, league
from tikitaka.errors import TeamError
from tikitaka.loop.build import side

FILE = """
OPTIONS = {"press": "mid", "line": 0.4, "wide": True, "men": 2}

def decide(world, memory):
    return {}
"""


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("tikitaka", "tikitaka", {}),
        ("tikitaka:press=high", "tikitaka", {"press": "high"}),
        ("tikitaka:press=high,passes=off", "tikitaka", {"press": "high", "passes": "off"}),
        ("teams/my_team.py", "teams/my_team.py", {}),
        ("my_team.py:line=0.5", "my_team.py", {"line": "0.5"}),
        ("my.package:brain", "my.package:brain", {}),
        ("my.package:brain:press=low", "my.package:brain", {"press": "low"}),
    ],
)
def test_a_text_is_a_name_and_options_and_back(text: str, name: str, options: dict[str, str]) -> None:
    spec = decide.parse(text)
    assert (spec.name, spec.options, str(spec)) == (name, options, text)


@pytest.mark.parametrize("text", ["tikitaka:press=", "tikitaka:=high", "a:x=1,x=2", "a:x=1,,y=2"])
def test_an_option_that_is_none_is_named(text: str) -> None:
    with pytest.raises(TeamError, match="option"):
        decide.parse(text)


def load(tmp_path: Path, options: str) -> dict[str, object]:
    file = tmp_path / "mine.py"
    file.write_text(FILE)
    return dict(decide.file_start(decide.load(decide.parse(f"{file}{options}"))).own["options"])


def test_options_of_a_file_have_the_types_that_it_gives_them(tmp_path: Path) -> None:
    assert load(tmp_path, "") == {"press": "mid", "line": 0.4, "wide": True, "men": 2}
    asked = load(tmp_path, ":press=high,line=1,wide=off,men=3")
    assert asked == {"press": "high", "line": 1.0, "wide": False, "men": 3}
    assert [type(value) for value in asked.values()] == [str, float, bool, int]


@pytest.mark.parametrize(
    ("option", "said"),
    [("pres=1", "no option 'pres'"), ("men=x", "men must be a whole number"), ("wide=2", "wide must be on or off")],
)
def test_a_wrong_option_is_named(tmp_path: Path, option: str, said: str) -> None:
    with pytest.raises(TeamError, match=said):
        load(tmp_path, f":{option}")


def test_a_team_may_be_an_object_of_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "our_brains.py").write_text(FILE.replace("def decide", "def second"))
    monkeypatch.chdir(tmp_path)
    assert decide.load(decide.parse("our_brains:second")).file == tmp_path / "our_brains.py"
    with pytest.raises(TeamError, match="no function 'third'"):
        decide.load(decide.parse("our_brains:third"))
    with pytest.raises(TeamError, match="cannot import the team 'nowhere:decide'"):
        decide.load(decide.parse("nowhere:decide"))


def test_a_league_that_a_file_cannot_play_is_named(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FILE + 'LEAGUES = ["ssl-b", "ssl-a"]\n')
    side(league.load("ssl-b"), str(file))
    with pytest.raises(TeamError, match=r"plays ssl-b, ssl-a \(its LEAGUES\), not vsss-3v3; add --league ssl-b, or"):
        side(league.load("vsss-3v3"), str(file))
    for wrong in ("'ssl-b'", "5", "None", "{'ssl-b': 1}", "[1]"):
        file.write_text(FILE + f"LEAGUES = {wrong}\n")
        with pytest.raises(TeamError, match="LEAGUES must be a list of names"):
            side(league.load("ssl-b"), str(file))
