"""Shapes of robots in league files: notches and outlines of one's own."""

from pathlib import Path

import pytest

from tikitaka.errors import LeagueError
from tikitaka.league import League, dump, load
from tikitaka.types import Outline

KITE = "[[0.06, 0.0, 0.2], [0.0, 0.05], [-0.05, 0.0, -0.3], [0.0, -0.05]]"


def league(folder: Path, robot: str, base: str = "mirosot-5v5") -> League:
    path = folder / "my.toml"
    path.write_text(f'extends = "{base}"\n[robot]\n{robot}\n', encoding="utf-8")
    return load(path)


def complaint(folder: Path, robot: str, base: str = "mirosot-5v5") -> str:
    with pytest.raises(LeagueError) as caught:
        league(folder, robot, base)
    return str(caught.value).partition("my.toml: ")[2]


def test_the_presets_have_the_outlines_of_their_robots() -> None:
    assert load("mirosot-11v11").robot.geometry() == Outline.box(0.075, 0.075, 0.008, 0.03)
    assert load("vsss-3v3").robot.geometry() == Outline.box(0.075, 0.075)
    assert load("ssl-a").robot.geometry() == Outline.disc(0.09, 0.0794)
    assert load("byu-2v2").robot.geometry() == Outline.disc(0.1)


@pytest.mark.parametrize("name", ["mirosot-5v5", "vsss-5v5", "ssl-b", "byu-2v2"])
def test_radius_and_front_are_those_of_the_outline(name: str) -> None:
    robot = load(name).robot
    assert robot.bounding_radius == pytest.approx(robot.geometry().radius)
    assert robot.front == pytest.approx(robot.geometry().front)


def test_an_outline_takes_the_place_of_the_base_shape_and_survives_a_dump(tmp_path: Path) -> None:
    mine = league(tmp_path, f'shape = "outline"\noutline = {KITE}')
    assert mine.robot.length is mine.robot.notch_depth is None
    assert mine.robot.geometry().corners[0] == (0.06, 0.0, 0.2)
    assert mine.robot.bounding_radius == mine.robot.front == pytest.approx(0.06)
    copy = tmp_path / "copy.toml"
    copy.write_text(dump(mine), encoding="utf-8")
    assert load(copy) == mine


@pytest.mark.parametrize(
    ("robot", "told"),
    [
        ('shape = "outline"', "robot.outline is missing: shape 'outline' needs it"),
        (f"outline = {KITE}", "robot.outline belongs to shape 'outline'; shape is 'box'"),
        ('shape = "outline"\noutline = []', "robot.outline must have at least 3 points; got 0"),
        (
            'shape = "outline"\noutline = [[0.1, 0.0], [0.0, -0.1], [-0.1, 0.0], [0.0, 0.1]]',
            "robot.outline must run counter-clockwise; it runs clockwise: turn the list of points around",
        ),
        (
            'shape = "outline"\noutline = [[60, -60], [60, 60], [-60, 60], [-60, -60]]',
            "robot.outline must stay within 0.4 m of the centre; it reaches 84.85",
        ),
        (
            'shape = "outline"\noutline = [[0.05, -0.05, 1e9], [0.05, 0.05, 1e12], [-0.05, 0.0]]',
            "robot.outline point 1 must have a radius of at most 100 m; got 1e+09: leave it out for an edge",
        ),
        (
            f'shape = "outline"\noutline = {[[0.001 * k, 0.05] for k in range(65)]}',
            "robot.outline must have at most 64 points; got 65: leave some out, or join them by arcs",
        ),
        (
            'shape = "outline"\noutline = [[0.001, -0.001], [0.001, 0.001], [-0.001, 0.0]]',
            "robot.outline must reach at least 0.005 m from the centre; it reaches 0.00141",
        ),
        (
            "notch_width = 0.074999999",
            "robot.shape must have an outline that can be, its numbers farther from their bounds: outline points",
        ),
        ('shape = "outline"\noutline = [[0.1, "x"]]', "robot.outline[0][1] must be a number; got 'x'"),
        ('shape = "outline"\noutline = [[0.1, nan]]', "robot.outline[0][1] must be a finite number; got nan"),
        ('shape = "outline"\noutline = 3', "robot.outline must be a list of numbers; got 3"),
        ('notch_depth = "none"', "robot.notch_depth is missing: a notch has both"),
        ("notch_width = 0.075", "robot.notch_width must be less than width, 0.075 m; got 0.075"),
        (
            "notch_depth = 0.016",
            "robot.notch_depth must be at most half of notch_width, and end before the centre, 0.015 m; got 0.016",
        ),
        (
            "length = 0.016",
            "robot.notch_depth must be at most half of notch_width, and end before the centre, 0.007 m; got 0.008",
        ),
    ],
)
def test_an_impossible_shape_is_refused_with_key_rule_and_value(tmp_path: Path, robot: str, told: str) -> None:
    assert complaint(tmp_path, robot).startswith(told)


def test_a_notch_does_not_belong_to_a_disc(tmp_path: Path) -> None:
    told = complaint(tmp_path, "notch_depth = 0.01\nnotch_width = 0.03", "ssl-b")
    assert "robot.notch_depth belongs to shape 'box'; shape is 'disc'; got 0.01" in told
