"""A user's team file: what it does wrong stops its robots for a tick, is told once with file and line, and counted."""

import math
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tikitaka import decide
from tikitaka.decide.team import TOLD, NonsenseError, read
from tikitaka.errors import TeamError
from tikitaka.league import load
from tikitaka.types import Ball, Game, Intent, Intents, Phase, Robots, World

N = 3


def world() -> World:
    pose, velocity, age = np.zeros((N, 3)), np.zeros((N, 3)), np.zeros(N)
    for array in (pose, velocity, age):
        array.flags.writeable = False
    robots = Robots(pose, velocity, age)
    game = Game(Phase.PLAY, 1.0, 0, 0, ours=True)
    return World(0.0, load("vsss-3v3").field.geometry(), Ball(0.1, 0.2, 0.0, 0.0, 0.0), robots, robots, game)


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.py"
    path.write_text(textwrap.dedent(text))
    return path


def play(path: Path, ticks: int = 1) -> tuple[decide.TeamMemory, Intents]:
    brain, memory, intents = decide.load(decide.Spec(str(path))), decide.TeamMemory(), Intents.stop(N)
    for _ in range(ticks):
        memory, intents = decide.file_team(brain, decide.forever, memory, world())
    return memory, intents


def fault(folder: Path, body: str) -> str:
    """Return what is told of a team whose ``decide`` has this body; it must be told once and counted each time."""
    path = write(folder, "def decide(world, memory):\n" + textwrap.indent(textwrap.dedent(body), "    "))
    memory, intents = play(path, ticks=3)
    assert not intents.active.any()
    assert memory.faults == 3
    assert len(memory.told) == 1
    assert str(folder) not in memory.told[0]
    return memory.told[0]


FAULTS = {
    "raise ValueError('no idea')": "mine.py, line 2: ValueError: no idea",
    "x = 1\nreturn 1 / 0": "mine.py, line 3: ZeroDivisionError: division by zero",
    "import sys\nsys.exit('bye')": "mine.py, line 3: SystemExit: bye",
    "raise BaseException('odd')": "mine.py, line 2: BaseException: odd",
    "return world.bal": "mine.py, line 2: AttributeError: 'World' object has no attribute 'bal'",
    "world.ours.pose[0, 0] = 1.0": "mine.py, line 2: ValueError: assignment destination is read-only",
    "world.theirs.velocity[:] = 0.0": "mine.py, line 2: ValueError: assignment destination is read-only",
    "world.ball.x = 1.0": "mine.py, line 2: FrozenInstanceError: cannot assign to field 'x'",
    "def deeper():\n    raise KeyError('a')\ndeeper()": "mine.py, line 3: KeyError: 'a'",
    "assert world.ball.x > 9.0": "mine.py, line 2: AssertionError in `assert world.ball.x > 9.0`",
    "open(__file__ + '.missing')": "No such file or directory: 'mine.py.missing'",
    "def again():\n    return again()\nreturn again()": "RecursionError",
    "class E(Exception):\n    def __str__(self):\n        raise self\nraise E": "line 5: E: (it cannot say what)",
    "pass": "mine.py, line 2: decide() must return a dict of robot number: Intent; got None",
    "return [(0, 1)]": "must return a dict of robot number: Intent; got [(0, 1)]",
    "return {-1: (0, 0)}": "names an unknown robot -1; known: 0 to 2",
    "if world.time < 0:\n    return {}\nreturn {9: (0, 0)}": "mine.py, line 3 or 4: decide() names an unknown robot 9",
    "return {3: (0, 0)}": "names an unknown robot 3; known: 0 to 2",
    "return {'a': (0, 0)}": "names an unknown robot 'a'; known: 0 to 2",
    "return {True: (0, 0)}": "names an unknown robot True; known: 0 to 2",
    "return {1.0: (0, 0)}": "names an unknown robot 1.0; known: 0 to 2",
    "return {0: None}": "robot 0: must be an Intent(x, y) or (x, y); got None",
    "return {0: 'ab'}": "robot 0: must be an Intent(x, y) or (x, y); got 'ab'",
    "return {0: b'ab'}": "robot 0: must be an Intent(x, y) or (x, y); got b'ab'",
    "return {0: (1, 2, 3, 4)}": "robot 0: must be an Intent(x, y) or (x, y); got (1, 2, 3, 4)",
    "return {0: (1,)}": "robot 0: must be an Intent(x, y) or (x, y); got (1,)",
    "import numpy\nreturn {0: numpy.zeros((2, 2))}": "robot 0: x must be a number; got [0.0, 0.0]",
    "import numpy\nreturn {0: numpy.float64(1)}": "robot 0: must be an Intent(x, y) or (x, y); got np.float64(1.0)",
    "import numpy\nreturn {0: numpy.array(1)}": "robot 0: must be an Intent(x, y) or (x, y); got 1",
    "return {2: ('1', 2)}": "robot 2: x must be a number; got '1'",
    "return {2: (1, 2j)}": "robot 2: y must be a number; got 2j",
    "return {1: (float('nan'), 0)}": "robot 1: x must be finite; got nan",
    "return {1: (0, float('inf'))}": "robot 1: y must be finite; got inf",
    "return {1: (0, 10 ** 400)}": "robot 1: y must be a number; got 1000",
    "return {1: (0, -1e200)}": "robot 1: y must be within 1000 m of the centre; got -1e+200",
    "return {1: (0, 0, float('inf'))}": "robot 1: theta must be finite; got inf",
    "from tikitaka.types import Intent\nreturn {0: Intent('left', 0)}": "robot 0: x must be a number; got 'left'",
    "from tikitaka.types import Intent\nreturn {0: Intent(0, 0, kick='hard')}": "kick must be a number; got 'hard'",
    "from tikitaka.types import Intent\nreturn {0: Intent(0, 0, dribble='no')}": "dribble must be a number; got 'no'",
    "from tikitaka.types import Intent\nreturn {0: Intent(0, 0, end_speed=float('nan'))}": "end_speed must be finite",
    "from tikitaka.types import Intent\nreturn {0: Intent(0, 0, max_speed=float('nan'))}": "max_speed must be finite",
    "class R:\n    def __repr__(self):\n        raise OSError\nreturn R()": "of robot number: Intent; got R",
    "class R:\n    def __repr__(self):\n        raise OSError\nreturn {R(): (0, 0)}": "names an unknown robot R",
    "return {0: (0, 0), 1: 'x' * 500}": "got 'xxxxxx",
}  # fmt: skip


@pytest.mark.parametrize(("body", "told"), FAULTS.items(), ids=range(len(FAULTS)))
def test_a_fault_stops_the_robots_and_is_told_once_with_file_and_line(tmp_path: Path, body: str, told: str) -> None:
    text = fault(tmp_path, body)
    assert told in text
    assert text.startswith("mine.py, line ")
    assert len(text) < 250


def test_faults_that_differ_are_each_told_and_all_are_counted(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        def decide(world, memory):
            memory["tick"] = memory.get("tick", 0) + 1
            if memory["tick"] % 2:
                raise ValueError("odd")
            return {0: (0.1, 0.2)} if memory["tick"] % 4 else None
        """,
    )
    memory, _ = play(path, ticks=8)
    assert memory.faults == 6
    assert [text[:16] for text in memory.told] == ["mine.py, line 5:", "mine.py, line 6:"]


def test_a_team_with_a_new_fault_each_tick_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = write(
        tmp_path, "def decide(world, memory):\n    memory[len(memory)] = 0\n    raise ValueError(len(memory))\n"
    )
    memory, _ = play(path, ticks=3 * TOLD)
    assert (memory.faults, len(memory.told)) == (3 * TOLD, TOLD)


def test_after_a_fault_the_team_plays_on(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        """
        def decide(world, memory):
            memory["n"] = memory.get("n", 0) + 1
            if memory["n"] == 2:
                raise ValueError
            return {1: (0.3, 0.4)}
        """,
    )
    memory, intents = play(path, ticks=3)
    assert memory.faults == 1
    assert intents.active.tolist() == [False, True, False]


def test_ctrl_c_inside_a_team_file_is_not_swallowed(tmp_path: Path) -> None:
    path = write(tmp_path, "def decide(world, memory):\n    raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        play(path)


@pytest.mark.parametrize(
    "wish", [(0.1, 0.2), [0.1, 0.2], np.array((0.1, 0.2)), Intent(0.1, 0.2), (np.float64(0.1), np.float32(0.2))]
)
@pytest.mark.parametrize("key", [1, np.int64(1), np.uint8(1)])
def test_a_place_may_be_said_in_many_ways(wish: object, key: object) -> None:
    intents = read({key: wish}, N)
    assert intents.active.tolist() == [False, True, False]
    assert intents.target[1, :2] == pytest.approx([0.1, 0.2])
    assert math.isnan(intents.target[1, 2])
    assert (intents.end_speed[1], intents.max_speed[1], intents.kick[1]) == (0.0, math.inf, 0.0)


def test_three_numbers_are_a_pose() -> None:
    assert read({0: (1, 2, 3)}, N).target[0].tolist() == [1.0, 2.0, 3.0]
    assert read({0: np.array((1, 2, 3))}, N).target[0].tolist() == [1.0, 2.0, 3.0]


def test_every_field_of_an_intent_arrives() -> None:
    wish = Intent(1.0, 2.0, theta=3.0, end_speed=0.4, max_speed=5.0, kick=6.0, dribble=True)
    intents = read({2: wish}, N)
    assert intents.target[2].tolist() == [1.0, 2.0, 3.0]
    rows = (intents.end_speed, intents.max_speed, intents.kick, intents.dribble)
    assert [float(row[2]) for row in rows] == [0.4, 5.0, 6.0, 1.0]
    assert [float(row[0]) for row in rows] == [0.0, math.inf, 0.0, 0.0]


number = st.one_of(st.floats(), st.integers(), st.text(max_size=3), st.none(), st.complex_numbers(), st.booleans())
wishes = st.one_of(number, st.tuples(number, number), st.lists(number, max_size=4), st.builds(Intent, *[number] * 6))


@given(st.one_of(number, st.dictionaries(st.one_of(st.integers(-1, N), st.text(max_size=1)), wishes)))
def test_any_answer_is_nonsense_or_can_be_driven(answer: object) -> None:
    try:
        intents = read(answer, N)
    except NonsenseError:
        return
    assert np.isfinite(intents.target[:, :2]).all()
    assert not np.isinf(intents.target[:, 2]).any()
    for row in (intents.end_speed, intents.kick):
        assert (np.isfinite(row) & (row >= 0.0)).all()
    assert (intents.max_speed >= 0.0).all()


UNLOADABLE = {
    "def decide(world, memory)\n    pass\n": "mine.py, line 1: SyntaxError: expected ':'",
    "x = (\n": "mine.py, line 1: SyntaxError: '(' was never closed",
    "\0": "mine.py: SyntaxError: source code string cannot contain null bytes",
    "import math\nimport no_such_module\n": "mine.py, line 2: ModuleNotFoundError: No module named 'no_such_module'",
    "\n\nraise RuntimeError('at once')\n": "mine.py, line 3: RuntimeError: at once",
    "import sys\nsys.exit(3)\n": "mine.py, line 2: SystemExit: 3",
    "def decid(world, memory):\n    pass\n": "has no function `decide(world, memory)`",
    "decide = 3\n": "has no function `decide(world, memory)`",
}


@pytest.mark.parametrize(("text", "told"), UNLOADABLE.items(), ids=range(len(UNLOADABLE)))
def test_a_file_that_cannot_be_loaded_says_why_and_where(tmp_path: Path, text: str, told: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(TeamError) as caught:
        decide.load(decide.Spec(str(path)))
    assert told in str(caught.value)


def test_a_missing_file_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(TeamError, match=r"no such team file; `tikitaka new gone\.py` writes one"):
        decide.load(decide.Spec(str(tmp_path / "gone.py")))


def test_a_folder_is_no_team_file(tmp_path: Path) -> None:
    (tmp_path / "mine.py").mkdir()
    with pytest.raises(TeamError, match=r"mine\.py: is a folder; a team is one file"):
        decide.load(decide.Spec(str(tmp_path / "mine.py")))


def test_loading_leaves_no_cache_folder_and_no_setting_behind(tmp_path: Path) -> None:
    before = sys.dont_write_bytecode
    decide.load(decide.Spec(str(write(tmp_path, "def decide(world, memory):\n    return {}\n"))))
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]
    assert sys.dont_write_bytecode == before


def test_a_team_file_may_hold_dataclasses_and_import_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "neighbour_of_the_team.py").write_text("X = 0.25\n")
    path = tmp_path / "team.py"
    path.write_text(
        "from __future__ import annotations\n"
        "from dataclasses import dataclass\n"
        "import neighbour_of_the_team\n"
        "@dataclass\n"
        "class Place:\n"
        "    x: float\n"
        "def decide(world, memory):\n"
        "    return {0: (Place(neighbour_of_the_team.X).x, 0.0)}\n"
    )
    memory, intents = play(path)
    assert memory.faults == 0
    assert intents.target[0, 0] == 0.25


def test_a_fault_with_text_that_cannot_be_written_is_cleaned_and_cut(tmp_path: Path) -> None:
    text = fault(tmp_path, "raise ValueError(chr(0xD800) + 5000 * 'x')")
    assert "ValueError: ?xxx" in text
    assert len(text.encode()) <= 500


@pytest.mark.parametrize("head", ["def decide(world):", "def decide():", "def decide(world, memory, more):"])
def test_a_decide_with_other_arguments_is_refused_at_once(tmp_path: Path, head: str) -> None:
    path = tmp_path / "team.py"
    path.write_text(f"{head}\n    return {{}}\n")
    with pytest.raises(TeamError, match=r"line 1: decide must take two arguments"):
        decide.load(decide.Spec(str(path)))
