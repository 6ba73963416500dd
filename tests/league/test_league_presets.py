import math
import pickle
import tomllib
from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

import tikitaka.league as package
from tikitaka.league import DEFAULT, League, dump, load, names

DOCS = Path(__file__).parents[2] / "docs" / "leagues.md"
PRESETS = Path(package.__file__).parent / "presets"


def test_the_default_comes_first_and_all_eight_are_there() -> None:
    assert names()[0] == DEFAULT == "mirosot-5v5"
    assert set(names()) == {
        *("mirosot-5v5", "mirosot-7v7", "mirosot-11v11", "vsss-3v3"),
        *("vsss-5v5", "ssl-b", "ssl-a", "byu-2v2"),
    }


@pytest.mark.parametrize("name", names())
def test_a_preset_bears_the_name_of_its_file_and_a_title_of_its_own(name: str) -> None:
    league = load(name)
    assert league.name == name
    assert league.title not in {name, *(load(n).title for n in names() if n != name)}


@pytest.mark.parametrize("name", names())
def test_a_preset_survives_dump_and_load(name: str, tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    path.write_text(dump(load(name)), encoding="utf-8")
    assert load(path) == load(name)
    assert dump(load(path)) == dump(load(name))


@pytest.mark.parametrize("name", names())
def test_a_preset_survives_a_trip_to_another_process(name: str) -> None:
    assert pickle.loads(pickle.dumps(load(name))) == load(name)  # noqa: S301


@pytest.mark.parametrize("name", names())
def test_a_league_is_frozen_in_all_its_parts(name: str) -> None:
    league = load(name)
    for part in (
        league,
        league.field,
        league.ball,
        league.robot,
        league.team,
        league.camera,
        league.radio,
        league.match,
    ):
        for key in type(part).model_fields:
            with pytest.raises(ValidationError, match="frozen"):
                setattr(part, key, 1.0)


@pytest.mark.parametrize("path", sorted(PRESETS.glob("*.toml")), ids=lambda p: p.stem)
def test_every_number_of_a_preset_has_a_comment_with_unit_and_source(path: Path) -> None:
    bare = [
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if "." in line.partition("#")[0] and "=" in line.partition("#")[0] and not line.lstrip().startswith("extends")
        if line.partition("=")[2].strip()[:1] in "0123456789[" and "# [" not in line
    ]
    assert bare == []


@pytest.mark.parametrize("name", names())
def test_wheel_matrix_moves_all_that_the_drive_can_move(name: str) -> None:
    robot = load(name).robot
    matrix = robot.wheel_matrix()
    assert matrix.shape == (robot.wheels, 3)
    assert np.linalg.matrix_rank(matrix) == (2 if robot.drive == "differential" else 3)


def test_wheels_of_a_three_wheeled_robot_turn_by_distance_over_radius_when_it_spins() -> None:
    robot = load("byu-2v2").robot
    assert robot.wheel_matrix() @ [0.0, 0.0, 1.0] == pytest.approx([0.09 / 0.03] * 3)


def test_forward_wheels_of_a_differential_robot_turn_by_speed_over_radius() -> None:
    assert load().robot.wheel_matrix() @ [1.0, 0.0, 0.0] == pytest.approx([50.0, 50.0])


@pytest.mark.parametrize(
    ("name", "radius"), [("mirosot-5v5", 0.075 / math.sqrt(2.0)), ("ssl-a", 0.09), ("byu-2v2", 0.1)]
)
def test_bounding_radius_reaches_the_farthest_point_of_the_outline(name: str, radius: float) -> None:
    assert load(name).robot.bounding_radius == pytest.approx(radius)


@pytest.mark.parametrize(
    ("name", "length", "width", "goal", "robots", "labels"),
    [
        ("mirosot-5v5", 2.2, 1.8, 0.4, 5, False),
        ("mirosot-7v7", 2.8, 2.2, 0.4, 7, False),
        ("mirosot-11v11", 4.0, 2.8, 0.6, 11, False),
        ("vsss-3v3", 1.5, 1.3, 0.4, 3, True),
        ("vsss-5v5", 2.2, 1.8, 0.4, 5, True),
        ("ssl-b", 9.0, 6.0, 1.0, 6, True),
        ("ssl-a", 12.0, 9.0, 1.8, 11, True),
        ("byu-2v2", 3.7, 2.6, 0.6, 2, True),
    ],
)
def test_presets_have_the_sizes_of_their_rules(
    name: str, length: float, width: float, goal: float, robots: int, labels: bool
) -> None:
    league = load(name)
    geometry = league.field.geometry()
    assert (geometry.length, geometry.width, geometry.goal_width) == (length, width, goal)
    assert (league.team.robots, league.camera.labels) == (robots, labels)


@pytest.mark.parametrize("name", names())
def test_geometry_is_the_field_of_the_file(name: str) -> None:
    league = load(name)
    written = tomllib.loads(dump(league))["field"]
    assert {key: getattr(league.field.geometry(), key) for key in written} == written


def test_noise_of_the_heading_is_given_in_degrees_and_used_in_radians() -> None:
    camera = load().camera
    assert camera.noise_theta == pytest.approx(camera.noise_theta_deg * math.pi / 180.0)


def test_the_table_in_the_docs_has_the_numbers_of_the_files() -> None:
    text = DOCS.read_text(encoding="utf-8").partition("## How real")[0]
    rows = [line.strip("| ").split("|") for line in text.splitlines() if line[:1] == "|"]
    heads = [cell.strip() for cell in rows[0][2:]]
    assert set(heads) == set(names())
    for row in rows[2:]:
        for name, cell in zip(heads, row[2:], strict=False):
            assert cell.strip().rpartition(" ")[0] == told(load(name), row[0].strip(" `")), (name, row[0])


def told(league: League, key: str) -> str:
    """Return a value as the docs have it."""
    value: object = league
    for name in key.split("."):
        value = getattr(value, name, None)
    if isinstance(value, tuple):
        return " ".join(f"{v:g}" for v in value)
    if value is None or isinstance(value, bool):
        return "" if value is None else str(value).lower()
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def test_public_names_are_all_there() -> None:
    assert all(hasattr(package, name) for name in package.__all__)
    assert League.__module__ == "tikitaka.league.model"
