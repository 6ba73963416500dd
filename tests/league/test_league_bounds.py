"""Every bound has a value that breaks it, and the complaint names file, key, rule and value."""

from collections.abc import Callable
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from tikitaka.errors import LeagueError
from tikitaka.league import League, RobotModel, load
from tikitaka.league.report import shown

Complain = Callable[..., str]
SSL = "ssl-b"
BYU = "byu-2v2"


@pytest.fixture
def complain(tmp_path: Path) -> Complain:
    """Return a function that writes a user's TOML over a preset, loads it and returns the complaint."""

    def of(text: str, base: str = "mirosot-5v5") -> str:
        path = tmp_path / "my.toml"
        path.write_text((f'extends = "{base}"\n' if base else "") + text, encoding="utf-8")
        with pytest.raises(LeagueError) as caught:
            load(path)
        return str(caught.value).replace(f"{tmp_path}/", "")

    return of


def every_number(model: type[BaseModel] = League, prefix: str = "") -> list[str]:
    """Return the dotted keys of all numbers of a league."""
    keys: list[str] = []
    for name, info in model.model_fields.items():
        inner = [t for t in (info.annotation, *get_args(info.annotation)) if isinstance(t, type)]
        tables = [t for t in inner if issubclass(t, BaseModel)]
        if tables:
            keys += every_number(tables[0], f"{prefix}{name}.")
        elif {float, int} & set(inner):
            keys.append(prefix + name)
    return keys


NUMBERS = every_number()


def over(key: str, value: str) -> str:
    return f"{key} = {value}\n"


def base_of(key: str) -> str:
    has = key.rpartition(".")[2]
    return SSL if "kicker" in key or has in {"radius", "mouth", "wheel_distance"} else "mirosot-5v5"


def test_all_numbers_are_seen_by_the_tests_below() -> None:
    assert {"field.length", "ball.mass", "robot.kicker.reach", "team.robots", "match.seconds"} <= set(NUMBERS)
    assert len(NUMBERS) == 11 + 8 + 28 + 4 + 5 + 1 + 14 + 4 + 7  # robot 28, motor 4, kicker 5, camera 14, radio 4


@pytest.mark.parametrize("key", NUMBERS)
@pytest.mark.parametrize("bad", ["-1", "1e9", "nan", "inf", "-inf", "'1'", "true", "[1.0]", "{}", "1979-05-27"])
def test_no_number_may_be_negative_huge_infinite_or_of_another_kind(key: str, bad: str, complain: Complain) -> None:
    message = complain(over(key, bad), base_of(key))
    assert message.startswith(f"my.toml: {key} must be ")
    assert "; got " in message


@pytest.mark.parametrize("key", [k for k in NUMBERS if k.startswith(("field.", "ball.radius", "robot.radius"))])
def test_millimetres_given_as_metres_are_caught(key: str, complain: Complain) -> None:
    part, _, name = key.partition(".")
    metres = float(getattr(getattr(load(base_of(key)), part), name)) or 0.02
    assert f"my.toml: {key} must be at most " in complain(over(key, repr(metres * 1000.0)), base_of(key))


@pytest.mark.parametrize(
    ("key", "bad", "words"),
    [
        ("robot.mass", "-1", "robot.mass must be at least 0.001 kg; got -1"),
        ("robot.mass", "600", "robot.mass must be at most 50 kg; got 600"),
        ("ball.mass", "46", "ball.mass must be at most 1 kg; got 46"),
        ("ball.restitution_wall", "1.1", "ball.restitution_wall must be at most 1; got 1.1"),
        ("ball.rolling_deceleration", "-0.3", "must be at least 0 m/s^2; got -0.3"),
        ("ball.sliding_friction", "0", "ball.sliding_friction must be greater than 0; got 0"),
        ("ball.restitution_ground", "1", "ball.restitution_ground must be at most 0.95; got 1"),
        ("robot.max_turn_rate", "1000", "must be at most 200 rad/s; got 1000"),
        ("robot.motor.gain", "1e-9", "robot.motor.gain must be at least 1e-05 N m s; got 1e-09"),
        ("robot.inertia", "0", "must be at least 1e-09 kg m^2; got 0"),
        ("robot.shape", "'ball'", "robot.shape must be 'box', 'disc' or 'outline'; got 'ball'"),
        ("robot.drive", "'tracks'", "robot.drive must be 'differential' or 'omni'; got 'tracks'"),
        ("robot.dribbler", "1", "robot.dribbler must be true or false; got 1"),
        ("robot", "3", "robot must be a table; got 3"),
        ("team.robots", "12", "team.robots must be at most 11; got 12"),
        ("team.robots", "0", "team.robots must be at least 1; got 0"),
        ("team.robots", "5.5", "team.robots must be a whole number; got 5.5"),
        ("camera.rate", "0", "camera.rate must be at least 1 Hz; got 0"),
        ("camera.rate", "0.01", "camera.rate must be at least 1 Hz; got 0.01"),
        ("camera.latency", "50", "camera.latency must be at most 1 s; got 50"),
        ("camera.dropout", "1", "camera.dropout must be at most 0.99; got 1"),
        ("realism", "'none'", "realism must be 'ideal', 'friendly' or 'realistic'; got 'none'"),
        ("realism", "7", "realism must be 'ideal', 'friendly' or 'realistic'; got 7"),
        ("radio.loss", "1", "radio.loss must be at most 0.99; got 1"),
        ("radio.timeout", "0", "radio.timeout must be at least 0.001 s; got 0"),
        ("camera.labels", "'no'", "camera.labels must be true or false; got 'no'"),
        ("camera.noise_theta_deg", "90", "must be at most 45 deg; got 90"),
        ("name", "''", "name must be a text of 1 to 60 characters; got ''"),
        ("name", "'a/b'", "name must be printable, without slashes; got 'a/b'"),
        ("title", '"a\\nb"', "title must be printable; got 'a\\nb'"),
        ("title", "7", "title must be a text; got 7"),
        ("match.seconds", "nan", "match.seconds must be a finite number; got nan"),
    ],
)
def test_complaints_name_rule_unit_and_value(key: str, bad: str, words: str, complain: Complain) -> None:
    message = complain(over(key, bad))
    assert message.startswith("my.toml: ")
    assert words in message


@pytest.mark.parametrize(
    ("base", "text", "words"),
    [
        ("", "field.goal_width = 1.9", "field.goal_width must be at most the field's width, 1.8 m; got 1.9"),
        ("", "field.area_width = 1.9", "field.area_width must be at most the field's width, 1.8 m; got 1.9"),
        ("", "field.area_length = 1.2", "field.area_length must be at most half the field's length, 1.1 m; got 1.2"),
        ("", "field.circle_radius = 1", "circle_radius must be at most half the field's shorter side, 0.9 m; got 1"),
        ("", "field.corner = 0.71", "field.corner must be at most what the goal leaves free, 0.7 m; got 0.71"),
        ("", "field.goal_wall = 0.02", "field.goal_wall must be 0 m where margin_x is 0"),
        (
            SSL,
            "field.goal_wall = 0",
            "field.goal_wall must be at least 0.001 m where margin_x is greater than 0",
        ),
        (SSL, "field.margin_x = 0.19", "margin_x must be 0 or at least goal_depth + goal_wall, 0.2 m; got 0.19"),
        ("", "ball.radius = 0.04", "ball.radius must be at most half the robot's size, 0.0375 m; got 0.04"),
        ("", "field.goal_width = 0.04", "ball.radius must be at most half the goal's width, 0.02 m"),
        ("", "field.goal_width = 0.07", "field.goal_width must be at least the robot's width, 0.075 m; got 0.07"),
        ("", "robot.length = 0.5\nrobot.width = 0.4", "team.robots must be at most 1, as many as can line up in half"),
        ("", "field.circle_radius = 0.9", "circle_radius must be at most what 5 robots leave free when they line up"),
        ("", "field.goal_depth = 0.0427", "field.goal_depth must be at least 1 mm more than the ball's diameter"),
        ("", "camera.height = 0.07", "camera.height must be greater than the robot's height, 0.075 m; got 0.07"),
        ("", "robot.radius = 0.05", "robot.radius belongs to shape 'disc'; shape is 'box'; got 0.05"),
        ("", "robot.mouth = 0.05", "robot.mouth belongs to shape 'disc'"),
        ("", "robot.shape = 'disc'", "robot.radius is missing: shape 'disc' needs it"),
        ("", "robot.length = 'none'", "robot.length is missing: shape 'box' needs it"),
        ("", "robot.drive = 'omni'", "robot.wheel_distance is missing: drive 'omni' needs it"),
        ("", "robot.wheel_distance = 0.03", "robot.wheel_distance belongs to drive 'omni'"),
        (SSL, "robot.half_track = 0.03", "robot.half_track belongs to drive 'differential'"),
        (SSL, "robot.mouth = 0.09", "robot.mouth must be less than radius, 0.09 m; got 0.09"),
        (SSL, "robot.mouth = 'none'", "robot.mouth is missing: a disc with a kicker needs a flat front"),
        (SSL, "robot.kicker.width = 0.09", "robot.kicker.width must be at most the robot's front, 0.08475 m; got 0.09"),
        (SSL, "robot.kicker.max_lift = 7", "robot.kicker.max_lift must be at most max_speed, 6.5 m/s; got 7"),
        (SSL, "robot.dribbler_width = 0.09", "dribbler_width must be at most the robot's front, 0.08475 m; got 0.09"),
        (SSL, "robot.dribbler_force = 'none'", "robot.dribbler_force is missing: a dribbler needs it"),
        (BYU, "robot.dribbler = true", "robot.mouth is missing: a disc with a dribbler needs a flat front"),
        (SSL, "robot.inertia = 0.03", "robot.inertia must be at most 0.0227 kg m^2, all the mass at the rim; got 0.03"),
        (SSL, "robot.wheel_distance = 0.1", "wheel_distance must be at most the robot's own radius, 0.09 m; got 0.1"),
        (
            "",
            "robot.inertia = 1e-6",
            "inertia must be at least 1.69e-06 kg m^2, all the mass within a thirtieth",
        ),
        (
            "",
            "[robot]\nmass = 0.001\ninertia = 1e-7\nwheel_inertia = 1e-10\nmotor.gain = 1.0",
            "robot.motor.gain must be at most 0.00149 N m s here, or wheels settle within 1e-05 s; make mass, inertia",
        ),
        (
            "",
            "[robot]\nmass = 0.001\ninertia = 1e-7\nwheel_inertia = 1e-10\nmotor = { stall_torque = 20, gain = 1e-4 }",
            "robot.motor.stall_torque must be at most 0.00149 N m a rad/s of no_load_speed, or wheels settle",
        ),
        ("", "robot.mass_offset = 0.06", "robot.mass_offset must be at most the robot's own radius"),
        ("", "robot.motor.torque_limit = 0.3", "motor.torque_limit must be at most stall_torque, 0.26 N m; got 0.3"),
        ("", "robot.max_speed = 4.5", "motor.no_load_speed must let the wheels reach 225 rad/s, which max_speed needs"),
        ("", "robot.half_track = 0.06", "robot.half_track must be at most the robot's own radius"),
        ("", "robot.wheel_radius = 0.06", "robot.wheel_radius must be at most the robot's own radius"),
        (BYU, "robot.wheel_angles_deg = [0, 120]", "wheel_angles_deg must be a list of 3 or 4 numbers; got [0, 120]"),
        (BYU, "robot.wheel_angles_deg = [0, 1, 2, 3, 4]", "wheel_angles_deg must be a list of 3 or 4 numbers"),
        (BYU, "robot.wheel_angles_deg = 60", "robot.wheel_angles_deg must be a list of numbers; got 60"),
        (BYU, "robot.wheel_angles_deg = [0, 'x', 3]", "robot.wheel_angles_deg[1] must be a number; got 'x'"),
        (BYU, "robot.wheel_angles_deg = [0, 400, 3]", "robot.wheel_angles_deg[1] must be at most 360 deg; got 400"),
        (BYU, "robot.wheel_angles_deg = [0, 120, 120]", "wheel_angles_deg must lie at least 20 deg apart"),
        (BYU, "robot.wheel_angles_deg = [-175, 60, 180]", "wheel_angles_deg must lie at least 20 deg apart"),
        (BYU, "robot.wheel_angles_deg = [-350, 5, 180]", "wheel_angles_deg must lie at least 20 deg apart"),
        (BYU, "robot.wheel_angles_deg = [5, 180, 355]", "wheel_angles_deg must lie at least 20 deg apart"),
        (
            SSL,
            "[field]\nwidth = 1.2\narea_width = 1.0\ncorner = 0.49",  # 0.1 m behind the goal, 0.38 m beside it
            "field.corner must be at most what the goal leaves free, 0.48 m; got 0.49",
        ),
    ],
)
def test_impossible_geometry_is_refused(base: str, text: str, words: str, complain: Complain) -> None:
    message = complain(text, base or "mirosot-5v5")
    assert message.startswith("my.toml: ")
    assert words in message


@settings(deadline=None, max_examples=200)
@given(angles=st.lists(st.floats(-360.0, 360.0), min_size=3, max_size=4))
def test_wheels_that_are_let_through_can_move_the_robot_in_every_way(angles: list[float]) -> None:
    robot = load(BYU).robot.model_dump()
    try:
        kept = RobotModel.model_validate({**robot, "wheel_angles_deg": angles})
    except ValidationError:
        return
    assert np.linalg.matrix_rank(kept.wheel_matrix() * [0.03, 0.03, 0.03 / 0.09], tol=1e-2) == 3


def test_all_problems_of_a_file_come_at_once_one_a_line(complain: Complain) -> None:
    message = complain(
        "[field]\ngoal_width = 1.9\narea_width = 1.9\n[ball]\nmass = -1\n[robot]\nmas = 1\n[camera]\nrate = 'x'"
    )
    assert [line.split(" must")[0].split(";")[0] for line in message.splitlines()] == [
        "my.toml: field.goal_width",
        "my.toml: field.area_width",
        "my.toml: ball.mass",
        "my.toml: unknown key 'robot.mas'",
        "my.toml: camera.rate",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("robot.mas = 1", "unknown key 'robot.mas'; did you mean 'mass'? known: shape, length, width, notch_depth,"),
        ("robto.mass = 1", "unknown key 'robto'; did you mean 'robot'? known: name, title, realism, field,"),
        (
            "robot.kicker.sped = 1",
            "unknown key 'robot.kicker.sped'; did you mean 'max_speed'? known: max_speed, width, reach",
        ),
        (
            "qqqq = 1",
            "unknown key 'qqqq'; known: name, title, realism, field, ball, robot, team, camera, radio, match, extends",
        ),
    ],
)
def test_an_unknown_key_gets_the_nearest_known_one(text: str, words: str, complain: Complain) -> None:
    assert f"my.toml: {words}" in complain(text)


def test_a_file_that_extends_nothing_hears_all_that_is_missing(complain: Complain) -> None:
    message = complain("[robot]\nshape = 'box'\n", base="")
    assert "my.toml: field is missing" in message
    assert "my.toml: robot.mass is missing [kg]" in message


def test_a_long_value_is_cut() -> None:
    assert len(shown("x" * 1000)) == 60
    assert shown("x" * 1000).endswith("...")
