import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka.errors import LeagueError, TikitakaError, UnknownNameError
from tikitaka.league import League, load, names
from tikitaka.league.load import MAX_BYTES


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_a_file_changes_what_it_says_and_keeps_the_rest(tmp_path: Path) -> None:
    mine = load(write(tmp_path / "my.toml", 'extends = "mirosot-5v5"\nball.mass = 0.05\n[robot]\nmax_speed = 3\n'))
    base = load("mirosot-5v5")
    assert mine.ball == base.ball.model_copy(update={"mass": 0.05})
    assert mine.robot == base.robot.model_copy(update={"max_speed": 3.0})
    assert (mine.field, mine.team, mine.camera, mine.match) == (base.field, base.team, base.camera, base.match)


def test_name_and_title_are_not_inherited(tmp_path: Path) -> None:
    mine = load(write(tmp_path / "my.toml", 'extends = "ssl-b"'))
    assert (mine.name, mine.title) == ("my", "my")
    named = load(write(tmp_path / "my.toml", 'extends = "ssl-b"\nname = "hall"\ntitle = "Our hall"'))
    assert (named.name, named.title) == ("hall", "Our hall")


def test_another_shape_and_drive_drop_the_keys_of_the_old_ones(tmp_path: Path) -> None:
    text = (
        'extends = "mirosot-5v5"\n[robot]\nshape = "disc"\nradius = 0.05\ninertia = 1e-3\ndrive = "omni"\n'
        "wheel_distance = 0.04\nwheel_angles_deg = [60, 180, 300]"
    )
    robot = load(write(tmp_path / "my.toml", text)).robot
    assert (robot.length, robot.width, robot.half_track, robot.mouth) == (None, None, None, None)
    assert (robot.radius, robot.wheels, robot.mass) == (0.05, 3, 0.6)


def test_a_disc_becomes_a_box_and_loses_its_mouth(tmp_path: Path) -> None:
    text = 'extends = "ssl-b"\n[robot]\nshape = "box"\nlength = 0.16\nwidth = 0.16'
    robot = load(write(tmp_path / "my.toml", text)).robot
    assert (robot.radius, robot.mouth, robot.length) == (None, None, 0.16)


def test_none_takes_the_kicker_away(tmp_path: Path) -> None:
    assert load("ssl-b").robot.kicker is not None
    assert load(write(tmp_path / "my.toml", 'extends = "ssl-b"\nrobot.kicker = "none"')).robot.kicker is None


def test_the_last_of_a_chain_wins_and_paths_start_at_the_file(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    write(tmp_path / "a.toml", 'extends = "ssl-a"\nball.mass = 0.01\nball.radius = 0.02\nmatch.seconds = 1')
    write(tmp_path / "deep" / "b.toml", 'extends = "../a.toml"\nball.mass = 0.02\nball.radius = 0.021')
    last = load(write(tmp_path / "c.toml", 'extends = "deep/b.toml"\nball.mass = 0.03'))
    assert (last.ball.mass, last.ball.radius, last.match.seconds, last.field.length) == (0.03, 0.021, 1.0, 12.0)


def test_the_complaint_names_the_file_of_the_chain_that_holds_the_value(tmp_path: Path) -> None:
    base = write(tmp_path / "base.toml", 'extends = "ssl-b"\nball.mass = -1\nball.radius = 0.02')
    mine = write(tmp_path / "mine.toml", 'extends = "base.toml"\nball.radius = -1')
    with pytest.raises(LeagueError) as caught:
        load(mine)
    assert str(caught.value).splitlines() == [
        f"{mine}: ball.radius must be at least 0.001 m; got -1",
        f"{base}: ball.mass must be at least 0.0001 kg; got -1",
    ]


@pytest.mark.parametrize("second", ["a.toml", "b.toml", "../{0}/a.toml"])
def test_a_circle_of_extends_is_refused(second: str, tmp_path: Path) -> None:
    write(tmp_path / "a.toml", 'extends = "b.toml"')
    write(tmp_path / "b.toml", f'extends = "{second.format(tmp_path.name)}"')
    with pytest.raises(LeagueError, match="extends must not lead back to itself"):
        load(tmp_path / "a.toml")


def test_an_endless_chain_is_refused(tmp_path: Path) -> None:
    for i in range(30):
        write(tmp_path / f"{i}.toml", f'extends = "{i + 1}.toml"')
    with pytest.raises(LeagueError, match="more than 16 files"):
        load(tmp_path / "0.toml")


@pytest.mark.parametrize(
    ("base", "words"),
    [
        ('"missing.toml"', "no such file"),
        ('"mirosot-6v6"', "my.toml: extends: unknown league 'mirosot-6v6'; did you mean 'mirosot-"),
        ("7", "my.toml: extends must be a preset's name or a path; got 7"),
        ("['ssl-a']", "my.toml: extends must be a preset's name or a path; got ['ssl-a']"),
        ('""', "my.toml: extends: unknown league ''"),
    ],
)
def test_a_base_that_is_not_there_is_named_with_the_file_that_wants_it(base: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(LeagueError) as caught:
        load(write(tmp_path / "my.toml", f"extends = {base}"))
    assert words in str(caught.value)
    assert f"{tmp_path}/my.toml: extends" in str(caught.value)


@pytest.mark.parametrize("name", ["mirosot", "", "5v5", "SSL-A", "\0", "x" * 5000, ".", "~"])
def test_a_wrong_name_lists_the_presets_and_says_that_a_path_works(name: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        load(name)
    assert all(repr(n) in str(caught.value) for n in names())
    assert "a path to a TOML file works as well" in str(caught.value)


def test_a_text_and_a_path_to_the_same_file_give_the_same_league(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "hall.toml", 'extends = "ssl-b"')
    monkeypatch.chdir(tmp_path)
    assert load(path) == load(str(path)) == load("hall.toml") == load("./hall.toml")


def test_a_file_without_a_suffix_is_found_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "hall", 'extends = "ssl-b"')
    monkeypatch.chdir(tmp_path)
    assert load("hall").name == "hall"


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(b'\xef\xbb\xbfextends = "ssl-b"\r\nball.mass = 0.03\r\n')
    assert load(path).ball.mass == 0.03


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"[robot\nmass = 1", ["broken TOML", "line 1, column 7"]),
        (b"a = 1\na = 2", ["broken TOML: Cannot overwrite a value", "line 2, column 6"]),
        (b"title = '\xff'", ["must be UTF-8 text", "byte 9"]),
        (b"a = " + b"[" * 100000, ["broken TOML"]),
        (b"a = " + b"9" * 5000, ["broken TOML"]),
        (b"#" * (MAX_BYTES + 1), [f"at most {MAX_BYTES} bytes"]),
        (b"", ["field is missing", "match is missing"]),
    ],
    ids=["bracket", "twice", "latin-1", "deep", "digits", "huge", "empty"],
)
def test_a_broken_file_is_named_with_what_is_wrong(data: bytes, words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "my.toml"
    path.write_bytes(data)
    with pytest.raises(LeagueError) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert all(word in str(caught.value) for word in words)


def test_what_is_no_plain_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.toml"
    os.mkfifo(pipe)
    for path, words in [
        (tmp_path, "it is a directory"),
        (pipe, "it is not a plain file"),
        (tmp_path / "missing.toml", "no such file; presets: mirosot-5v5, "),
        (tmp_path / ("x" * 300 + ".toml"), "cannot be read: File name too long"),
        (tmp_path / "a\0.toml", "cannot be read: .*embedded null"),
    ]:
        with pytest.raises(LeagueError, match=words):
            load(path)


KEYS = st.sampled_from(
    [*League.model_fields, "mass", "radius", "shape", "drive", "kicker", "wheel_angles_deg", "extends", "x y"]
)
LEAVES = st.one_of(
    *(st.sampled_from(['"none"', '"box"', '"disc"', '"omni"', '"ssl-b"', '"my.toml"', "nan", "-inf", "1979-05-27"]),),
    st.integers().map(str),
    st.integers(min_value=10**300, max_value=10**400).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(["true", "false", "07:32:00", "[]", "{}", "[[1], {a = 2}]"]),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda v: f"[{', '.join(v)}]"),
        st.dictionaries(KEYS, inner, max_size=4).map(
            lambda d: "{" + ", ".join(f'"{k}" = {v}' for k, v in d.items()) + "}"
        ),
    ),
    max_leaves=12,
)


def survives(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    try:
        load(path)
    except TikitakaError as error:
        assert str(error)  # noqa: PT017  anything else fails the test by itself


@settings(deadline=None, max_examples=300)
@given(table=st.dictionaries(KEYS, VALUES, max_size=6), base=st.sampled_from(["", *names()]))
def test_garbage_tables_raise_nothing_but_our_errors(
    table: dict[str, str], base: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    lines = [f'"{k}" = {v}' for k, v in table.items() if not (base and k == "extends")]
    head = [f'extends = "{base}"'] if base else []
    survives(tmp_path_factory.getbasetemp() / "my.toml", "\n".join([*head, *lines]).encode())


@settings(deadline=None, max_examples=200)
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda t: t.encode("utf-8", "replace"))))
def test_garbage_bytes_raise_nothing_but_our_errors(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    survives(tmp_path_factory.getbasetemp() / "my.toml", data)


@settings(deadline=None, max_examples=200)
@given(name=st.text(max_size=40).filter(lambda text: text not in names()))
def test_garbage_names_raise_nothing_but_our_errors(name: str) -> None:
    with pytest.raises(TikitakaError):
        load(name)
