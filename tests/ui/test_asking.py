"""Command lines that cannot be understood: each is told with what is wrong, what was given and what to type instead."""

from pathlib import Path

import pytest

from tikitaka import cli
from tikitaka.ui import asking

LINES = {
    "play --headless --seconds 1 --seed 1.5": "--seed must be a whole number; got '1.5'; write --seed 3",
    "match rookie rookie --seconds 1 --games 2.5": "--games must be a whole number; got '2.5'",
    "replay run --film a.svg --goal 1.5": "--goal must be a whole number; got '1.5'",
    "play --seconds abc": "--seconds must be a number; got 'abc'",
    "play --json=maybe": "--json must be yes or no; got 'maybe'; write --json=yes",
    "play --headless --speed -1": "--speed must be above 0 (1: real time, inf: as fast as possible); got -1",
    "play --headless --speed nan": "--speed must be above 0",
    "play --seed": "`tikitaka play` needs a value after --seed",
    "play --sed 3": "`tikitaka play` has no option --sed; did you mean '--seed'?",
    "play my_team.py": "`tikitaka play` has no use for 'my_team.py'; for example: tikitaka play --blue my_team.py",
    "doctor x": "`tikitaka doctor` has no use for 'x'",
    "match my_team.py": "`tikitaka match` needs SECOND, its opponent; for example: tikitaka match my_team.py rookie",
    "plau": "there is no command 'plau'; did you mean 'play'? known: play, match,",
    "replay": "`tikitaka replay` needs RUN, the folder of a match; the newest one here: `tikitaka replay runs/b`",
    "replay --json": "`tikitaka replay` needs RUN",
    "replay nix": "nix is not a run folder: there is no such folder; the newest one here",
    "replay runs": "runs is not a run folder: it has no match.json; the newest one here",
    "replay runs/a --json": "--json prints the verdict of --verify; give --verify, too",
    "new nodir/x.py": "cannot write nodir/x.py: there is no folder nodir; make it first",
    "new team.txt": "a team file must end in .py; say `tikitaka new team.py`",
    "play --league ssl_b": "unknown league 'ssl_b'; did you mean 'ssl-b'? known: ",
    "play --headless --blue my_team": "unknown team 'my_team'; did you mean 'my_team.py'? known: ",
    "play --headless --blue tikitak": "unknown team 'tikitak'; did you mean 'tikitaka'? known: ",
    "play --headless --blue tikitaka:pres=low": "unknown option 'pres'; did you mean 'press'? known: 'press', 'passes'",
    "play --headless --blue tikitaka:press": "an option must be name=value; got 'press'; write tikitaka:press=high or",
    "play --headless --blue random:seed": "write random:seed=0 or just random",
    "play --headless --blue rookie:x": "an option must be name=value; got 'x'; write just rookie",
    "play --headless --blue my_team.py:foo": "got 'foo'; write my_team.py:press=high for an OPTION of the file",
    "play --headless --blue my_team.py:pres=1": "has no option 'pres'; did you mean 'press'? its OPTIONS: 'press'",
    "play --headless --blue json:loads": "json:loads: loads must take two arguments; write `def loads(world, memory):`",
}


def test_there_is_an_example_of_every_command() -> None:
    assert sorted(asking.EXAMPLES) == sorted(command.__name__ for command in cli.COMMANDS)


@pytest.mark.parametrize(("line", "said"), LINES.items(), ids=LINES)
def test_a_line_that_cannot_be_understood_is_answered_with_what_to_type(
    line: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for run in ("a", "b"):
        (tmp_path / "runs" / run).mkdir(parents=True)
        (tmp_path / "runs" / run / "match.json").write_text("{}")
    (tmp_path / "my_team.py").write_text('OPTIONS = {"press": "mid"}\ndef decide(world, memory):\n    return {}\n')
    monkeypatch.chdir(tmp_path)
    assert cli.run(line.split()) == cli.USER_ERROR
    told = capsys.readouterr()
    assert said in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""
