"""The walls stand where the league says, for every league; and commands that do not fit are refused."""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from free_bodies import ice, rolling
from pitch_judge import faults, params_of, pitch, stop

from tikitaka import league as leagues
from tikitaka import sim
from tikitaka.errors import ContractError
from tikitaka.loop import build, match
from tikitaka.sim import scenes
from tikitaka.sim.drive import rows
from tikitaka.types import Commands, Outline


def margins(league: str, margin_x: float, margin_y: float, corner: float) -> sim.Params:
    """Return a pitch of ice whose walls stand elsewhere and whose ball loses no speed."""
    params = ice(league, 1.0, robots=1)
    wall = max(params.field.goal_wall, 0.02) if margin_x > 0.0 else 0.0
    field = replace(params.field, margin_x=margin_x, margin_y=margin_y, corner=corner, goal_wall=wall)
    return replace(params, field=field)


def test_a_sixtieth_of_a_second_is_one_substep_and_three_where_robots_kick_or_dribble() -> None:
    plain, geared = (replace(params_of(name), dt=1.0 / 60.0) for name in ("mirosot-5v5", "ssl-b"))
    assert (plain.substeps, replace(plain, dt=1.0 / 30.0).substeps, replace(plain, dt=0.02).substeps) == (1, 2, 2)
    for part in ("kicker", "dribbler"):
        assert replace(plain, **{part: getattr(geared, part)}).substeps == 3


@pytest.mark.parametrize("league", ["mirosot-5v5", "ssl-b"])
@pytest.mark.parametrize(
    ("margin_x", "margin_y", "corner"),
    [(0.0, 0.0, 0.3), (0.0, 3.0, 0.0), (0.0, 3.0, 0.4), (0.4, 0.3, 0.0), (0.4, 0.3, 0.5)],
)
def test_a_ball_reaches_all_walls_and_none_beyond(league: str, margin_x: float, margin_y: float, corner: float) -> None:
    """A ball rolls out from the centre in 40 directions: as near to the first wall as its radius, and no nearer."""
    params = margins(league, margin_x, margin_y, corner)
    walls = pitch(params.field).boundary
    for angle in np.linspace(0.05, 2.0 * math.pi, 40):
        away = np.array([[math.copysign(0.8 * params.field.half_length, -math.cos(angle)), 0.0, 0.0]])
        ball = rolling(0.0, 0.0, 3.0 * math.cos(angle), 3.0 * math.sin(angle))
        state, nearest = replace(sim.start(params), pose=away, ball=ball), math.inf
        while (state.ball[2:4] == ball[2:4]).all():
            state = sim.step(params, state, stop(params))
            assert faults(params, state) == []
            nearest = min(nearest, walls.distance(shapely.Point(*state.ball[:2])))
        assert nearest < params.ball.radius + 3.0 * params.dt


@pytest.mark.parametrize("league", ["mirosot-5v5", "ssl-b"])
@pytest.mark.parametrize("rows", [1, -1])
def test_commands_of_another_shape_are_refused(league: str, rows: int) -> None:
    params = params_of(league)
    n, w = params.robots, len(params.robot.drive.xy)
    state = scenes.line_up(params)
    for commands, words in (
        (Commands.stop(n + rows, w), f"commands.wheels must be {(n, w)}; got {(n + rows, w)}"),
        (Commands.stop(n, w + rows), f"commands.wheels must be {(n, w)}; got {(n, w + rows)}"),
        (replace(stop(params), kick=np.zeros(n + rows)), f"commands.kick must be {(n,)}; got {(n + rows,)}"),
    ):
        with pytest.raises(ContractError) as caught:
            sim.step(params, state, commands)
        assert str(caught.value) == words


@pytest.mark.parametrize(
    ("name", "part", "words"),
    [
        ("ball", np.zeros(4), "(8,) of float64; got (4,) of float64"),
        ("pose", np.zeros((9, 3)), "(10, 3) of float64; got (9, 3) of float64"),
        ("velocity", np.zeros((10, 2)), "(10, 3) of float64; got (10, 2) of float64"),
        ("spin", np.zeros((10, 3)), "(10, 2) of float64; got (10, 3) of float64"),
        ("charge", np.zeros((10, 1)), "(10,) of float64; got (10, 1) of float64"),
        ("pose", np.zeros((10, 3), np.float32), "(10, 3) of float64; got (10, 3) of float32"),
        ("pose", [[0.0, 0.0, 0.0]] * 10, "(10, 3) of float64; got list"),
    ],
)
def test_states_of_another_shape_or_kind_are_refused(name: str, part: object, words: str) -> None:
    """They would be read and written beyond their ends."""
    params = params_of("mirosot-5v5")
    state = replace(scenes.line_up(params), **{name: part})  # type: ignore[arg-type]
    with pytest.raises(ContractError) as stepped:
        sim.step(params, state, stop(params))
    with pytest.raises(ContractError) as checked:
        sim.check(params, state)
    assert str(stepped.value) == str(checked.value) == f"state.{name} must be {words}"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"wheels": [[0.0, 0.0]] * 10}, "commands.wheels must be an array (10, 2); got list"),
        ({"wheels": np.full((10, 2), "1")}, "commands.wheels must be numbers; got (10, 2) of <U1"),
        ({"kick": None}, "commands.kick must be an array (10,); got NoneType"),
        ({"lift": [0.0] * 10}, "commands.lift must be an array (10,); got list"),
        ({"dribble": [False] * 10}, "commands.dribble must be an array (10,); got list"),
        ({"dribble": np.full(10, -1)}, "commands.dribble must be True or False, or 1 or 0; got -1"),
        ({"dribble": np.full(10, np.nan)}, "commands.dribble must be True or False, or 1 or 0; got nan"),
    ],
)
def test_commands_that_are_no_arrays_of_numbers_are_refused(changes: dict[str, object], words: str) -> None:
    params = params_of("mirosot-5v5")
    commands = replace(stop(params), **changes)  # type: ignore[arg-type]
    with pytest.raises(ContractError) as stepped:
        sim.step(params, scenes.line_up(params), commands)
    air = sim.RadioParams(params.dt, (0, 0))
    with pytest.raises(ContractError) as sent:
        sim.radio.step(air, sim.radio.start(air, 10, 2), 0, commands)
    assert str(stepped.value) == str(sent.value) == words


def test_what_is_no_state_and_what_are_no_commands_is_refused() -> None:
    params = params_of("mirosot-5v5")
    with pytest.raises(ContractError, match="commands must be Commands; got NoneType"):
        sim.step(params, scenes.line_up(params), None)  # type: ignore[arg-type]
    with pytest.raises(ContractError, match="state must be State; got ndarray"):
        sim.step(params, np.zeros(3), stop(params))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8, np.float32, np.float64])
@pytest.mark.parametrize("robot", [0, 1, 5])
def test_numbers_switch_the_same_dribblers_as_true_and_false(kind: type, robot: int) -> None:
    """Their bytes were read as switches: robot 1 was off, and robot 8 on, where the numbers have eight bytes."""
    params = params_of("ssl-b")
    pose, reach = scenes.line_up(params).pose, params.robot.front + params.ball.radius + 0.002
    pose[robot] = 0.0
    start = sim.place(sim.start(params), pose, np.array((reach, 0.0)))
    back = replace(stop(params), dribble=np.arange(params.robots) == robot)
    drive = params.robot.drive
    back.wheels[robot] = rows(drive) @ (-0.3, 0.0, 0.0) / drive.wheel_radius
    ends = []
    for commands in (back, replace(back, dribble=back.dribble.astype(kind))):
        state = start
        for _ in range(30):
            state = sim.step(params, state, commands)
        ends.append(state)
    assert ends[0].ball[0] < 0.5 * reach
    assert np.array_equal(ends[0].ball, ends[1].ball)
    assert np.array_equal(ends[0].pose, ends[1].pose)


@pytest.mark.parametrize("kind", [np.int64, np.float32])
def test_commands_in_other_numbers_do_the_same(kind: type) -> None:
    params = params_of("mirosot-5v5")
    given = Commands(np.full((10, 2), 50.0), np.zeros(10), np.zeros(10, np.bool_), lift=np.zeros(10))
    other = replace(given, wheels=given.wheels.astype(kind), kick=given.kick.astype(kind), lift=np.zeros(10, kind))
    one, two = (sim.step(params, scenes.line_up(params), commands) for commands in (given, other))
    assert np.array_equal(one.pose, two.pose)


def test_a_ball_below_the_ground_and_a_charge_that_is_no_number_are_refused() -> None:
    params = params_of("mirosot-5v5")
    state = scenes.line_up(params)
    ball, charge = state.ball.copy(), state.charge.copy()
    ball[4], charge[3] = -0.1, np.nan
    with pytest.raises(ContractError, match=r"the ball's z, column 4, must be at least 0 m.*; got -0.1"):
        sim.check(params, replace(state, ball=ball))
    with pytest.raises(ContractError, match="charge must be finite; got"):
        sim.check(params, replace(state, charge=charge))


def test_a_match_whose_robots_do_not_fit_their_places_is_refused() -> None:
    setup = build.build(leagues.load("mirosot-5v5"), 0, 60.0, "rookie", "rookie")
    wide = replace(setup.pitch.robot, outline=Outline.box(0.6, 0.6))
    with pytest.raises(ContractError, match=r"robot \d must not overlap .*; got an overlap of .* mm"):
        match.begin(replace(setup, pitch=replace(setup.pitch, robot=wide)))


@pytest.mark.parametrize("speed", [4.0, 20.0])
@pytest.mark.parametrize("league", ["mirosot-5v5", "ssl-b"])
@pytest.mark.parametrize("late", [0.0, 0.13, 0.37, 0.5, 0.71, 0.93])
def test_robots_head_on_at_full_speed_meet_and_bounce(league: str, speed: float, late: float) -> None:
    """At whatever part of a substep they meet: nobody passes, the speeds after are those before, times restitution."""
    params = ice(league, 0.5)
    state = scenes.corner_pile(params)
    pose, velocity = state.pose.copy(), np.zeros_like(state.velocity)
    away = 0.3 + late * speed * params.dt / params.substeps
    pose[:2], velocity[:2, 0] = ((-away, 0.0, 0.0), (away, 0.0, -math.pi)), (speed, -speed)
    state = replace(state, pose=pose, velocity=velocity)
    while state.velocity[0, 0] > 0.0 and state.tick < 100:
        state = sim.step(params, state, stop(params))
        assert state.pose[0, 0] < state.pose[1, 0], "they passed through each other"
        assert faults(params, state) == []
    front = params.robot.outline.front
    hit = (away - front) / speed
    assert state.hits[0, 0] + (state.tick - 1) * params.dt == pytest.approx(hit, abs=1e-11)
    assert state.velocity[:2, 0] == pytest.approx((-0.5 * speed, 0.5 * speed), rel=1e-11)
    assert state.touched[0, 1] == 1
    expected = front + 0.5 * speed * (state.tick * params.dt - hit)
    assert state.pose[:2, 0] == pytest.approx((-expected, expected), abs=1e-11)
