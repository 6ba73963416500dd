"""The ball at the limits: absurd times, places, shapes and parameters neither hang, nor poison, nor pass unnoticed."""

import dataclasses
import math
import re
from dataclasses import replace

import numpy as np
import pytest
import sightings
from hypothesis import example, given
from hypothesis import strategies as st

from tikitaka import estimate
from tikitaka.errors import ContractError
from tikitaka.estimate import ball
from tikitaka.estimate.ball_params import RULES
from tikitaka.estimate.kernels import kicking, rolling, travelling
from tikitaka.types import Field, Floats

FIELD = Field(2.2, 1.8, 0.0, 0.0, 0.07, 0.4, 0.15, 0.0, 0.15, 0.5, 0.25)
PARAMS = ball.BallParams(ball.edges_of(FIELD), sliding=2.5)
FOREVER = replace(PARAMS, restitution_wall=1.0, friction_mean=0.0)  # nothing ever stops this ball
DT = 1.0 / 30.0
ABSURD = [1e4, 1e9, 1e15, 1e18, 1.7e18, 1e100, 1e300, 1.7e308]
HERE = np.array(((0.2, 0.1),))
ROBOT = np.array(((0.5, 0.3, 0.0, 0.1, 0.0, 1.0),))


def is_finite(track: ball.BallTrack) -> bool:
    return bool(np.isfinite(track.mean).all() and np.isfinite(track.covariance).all())


def moving(params: ball.BallParams, vx: float = 0.5, vz: float = 0.0) -> ball.BallTrack:
    """Return the track of a ball at time 1 that rolls, or flies."""
    begun = ball.put(params, ball.start(params), 1.0, 0.1, 0.1)
    mean, memory = begun.mean.copy(), begun.memory.copy()
    mean[2], mean[6], mean[7], memory[kicking.MODE] = vx, vz, vx, ball.Mode.MOVING
    return ball.BallTrack(mean, np.diag((1e-6, 1e-6, 1e-2, 1e-2, 1e-2, 0.0, vz * 1e-2)), memory, begun.path)


@pytest.mark.parametrize("later", ABSURD)
@pytest.mark.parametrize("friction", [ball.Friction.COULOMB, ball.Friction.VISCOUS])
@pytest.mark.parametrize(("params", "vz"), [(PARAMS, 0.0), (PARAMS, 2.0), (FOREVER, 0.0)])
def test_after_so_long_a_ball_is_as_it_was_at_the_longest_time_that_counts(
    params: ball.BallParams, vz: float, friction: ball.Friction, later: float
) -> None:
    params = replace(params, friction=friction)
    track = moving(params, vz=vz)
    for robots in (ball.NOBODY, ROBOT):
        mean, covariance = ball.predict(params, track, later, robots)
        last = ball.predict(params, track, 1.0 + ball.HORIZON, robots)
        assert (mean == last[0]).all()
        assert (covariance == last[1]).all()
        assert np.isfinite(mean).all()
        assert np.isfinite(covariance).all()
        assert np.linalg.eigvalsh(covariance).min() > -1e-9 * covariance.max()


@pytest.mark.parametrize("dt", [*ABSURD, math.inf])
def test_no_kernel_counts_an_absurd_time_away(dt: float) -> None:
    track = moving(PARAMS)
    law, skin, _, body, _, boards = PARAMS.tables
    mean, covariance = track.mean.copy(), track.covariance.copy()
    args = (law, boards, ball.NOBODY, body, skin, np.empty((3, 7, 7)))
    travelling.travel(mean, covariance, dt, 0.0, *args, spread=True)
    assert np.isfinite(mean).all()
    assert np.isfinite(covariance).all()
    assert (mean[2:4] == 0.0).all()


def test_a_longer_piece_of_the_way_counts_as_the_longest() -> None:
    for kind in (rolling.COULOMB, rolling.VISCOUS):
        law, ends = np.array((kind, 0.0, 9.81, 0.02, 5.0, 1e-4, 1.0)), []
        for t in (rolling.HORIZON, 1e300):
            x, f, g, p = np.array((0.3, -0.2, 2.0, 1.0, 1e-3, 0.0, 0.0, 2.0, 1.0)), *np.zeros((3, 7, 7))
            rolling.jacobian(x, t, law, 1e-4, f, g)
            rolling.move(x, t, law)
            rolling.scatter(p, 1e-3, kind, 0.02, 1e-4, t)
            ends.append((*x, *f.ravel(), *p.ravel()))
        assert np.isfinite(ends[0]).all()
        assert ends[0] == ends[1]


@given(st.floats(0.0, 1e-6), st.floats(0.0, 1e-2), st.floats(0.0, 100.0))
def test_hardly_any_friction_leaves_the_jacobian_finite(mu: float, speed: float, t: float) -> None:
    x, f, g = np.array((0.0, 0.0, speed, 0.0, mu, 0.0, 0.0, speed, 0.0)), np.empty((7, 7)), np.empty((7, 7))
    for kind in (rolling.COULOMB, rolling.VISCOUS):
        rolling.jacobian(x, t, np.array((kind, 0.0, 9.81, 0.0, 0.0, 0.0, 1.0)), 0.0, f, g)
        assert np.isfinite(f).all()


@pytest.mark.parametrize("gap", [200.0, 1e6, 1e11, 1e12 - 2.0])
@pytest.mark.parametrize("params", [PARAMS, FOREVER])
def test_a_picture_long_after_finds_the_ball_again(params: ball.BallParams, gap: float) -> None:
    track = ball.step(params, moving(params), 1.0 + gap, HERE)
    assert is_finite(track)
    assert track.time == 1.0 + gap
    for k in range(1, 10):
        track = ball.step(params, track, 1.0 + gap + k * max(DT, gap * 1e-15), HERE)
    assert track.mean[:2] == pytest.approx(HERE[0], abs=0.01)


@pytest.mark.parametrize("time", [2e12, -2e12, 1.7e18, 1e300, math.inf, -math.inf, math.nan])
def test_a_time_that_no_clock_tells_is_counted_as_late_and_changes_nothing_else(time: float) -> None:
    for track in (moving(PARAMS), ball.start(PARAMS)):
        after = ball.step(PARAMS, track, time, HERE)
        assert after.counts == {**track.counts, "late": 1}
        assert (after.mean == track.mean).all()
        assert after.time == track.time
        assert ball.step(PARAMS, after, 1.1, HERE).time == 1.1


@pytest.mark.filterwarnings("ignore:invalid value")  # inf - inf, where kernels are interpreted
def test_a_ball_put_down_before_the_first_picture_is_followed_from_there() -> None:
    track = ball.step(PARAMS, ball.put(PARAMS, ball.start(PARAMS), -math.inf, 0.2, 0.1), 5.0, HERE)
    assert is_finite(track)
    assert (track.mode, track.time) == (ball.Mode.RESTING, 5.0)
    params = sightings.params_of("mirosot-5v5")
    placed = np.full((2 * params.robots + 1, 3), math.nan)
    placed[-1] = 0.2, 0.1, 0.0
    film = [sightings.sight(1.0, placed=placed), sightings.sight(1.1, sightings.standing(params))]
    tracks, command = estimate.start(params), sightings.still(params)
    for picture in film:
        tracks, world = estimate.step(params, tracks, picture, command)
    assert math.isfinite(world.ball.x)


@pytest.mark.parametrize("far", [1e300, -1e300, 2e3, math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("axis", [0, 1])
def test_a_ball_that_is_absurdly_far_is_counted_and_not_taken(far: float, axis: int) -> None:
    xy = np.array(((0.1, 0.1),))
    xy[0, axis] = far
    first = ball.step(PARAMS, ball.start(PARAMS), 0.0, xy)
    assert (first.mode, first.counts["bad"]) == (ball.Mode.UNKNOWN, 1)
    found = ball.step(PARAMS, first, DT, np.concatenate((xy, HERE)))
    assert (found.mean[:2] == HERE[0]).all()
    assert found.counts["bad"] == 2
    later = ball.step(PARAMS, found, 2.0 * DT, np.concatenate((HERE, xy)))
    assert (later.counts["bad"], later.counts["rejected"]) == (3, 0)
    assert is_finite(later)


NUMBER = st.sampled_from([math.nan, math.inf, -math.inf, 0.0, 0.1, 3.0, 1e100, 1e300, -1e300])


@given(st.tuples(*(NUMBER,) * 4), st.tuples(NUMBER, NUMBER), st.booleans())
@example(robot=(0.0, 1e200, 0.0, 0.0), kick=(0.0, 0.0), alone=False)  # it runs into the ball
def test_absurd_robots_and_kicks_do_not_poison_the_track(
    robot: tuple[float, ...], kick: tuple[float, ...], alone: bool
) -> None:
    params = replace(PARAMS, kick_reach=math.inf) if alone else PARAMS
    robots, kicks = np.array(((0.02, 0.1, *robot), (*robot[:2], 0.0, 0.0, 0.0, 0.0))), np.array((kick, kick, kick))
    track = moving(params)
    for k in range(1, 4):
        mean, covariance = ball.predict(params, track, track.time + 0.1, robots)
        assert np.isfinite(mean).all()
        assert np.isfinite(covariance).all()
        track = ball.step(params, track, 1.0 + k * DT, np.array(((0.4 + 0.1 * k, 0.3),)), robots, kicks)
        assert is_finite(track)


NAMES = [name for _, _, names in RULES for name in names] + ["patience", "rest_after"]
UNBOUNDED = [name for _, most, names in RULES for name in names if most == math.inf]


def test_every_number_of_the_parameters_has_a_rule() -> None:
    fields = {f.name for f in dataclasses.fields(ball.BallParams) if f.init}
    assert sorted(NAMES) == sorted(fields - {"boards", "friction", "camera", "body"})


@pytest.mark.parametrize("value", [math.nan, -1.0, -math.inf, "x", None, [1.0]])
@pytest.mark.parametrize("name", NAMES)
def test_a_number_that_can_never_work_raises_by_its_name(name: str, value: object) -> None:
    with pytest.raises(ContractError, match=rf"^{name} must be .*; got {re.escape(repr(value))}$"):
        replace(PARAMS, **{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
def test_a_number_is_infinite_only_where_that_says_something(name: str) -> None:
    if name in UNBOUNDED:
        params = replace(PARAMS, **{name: math.inf})  # type: ignore[arg-type]
        track = moving(params)
        for k in range(1, 9):
            track = ball.step(params, track, 1.0 + k * DT, HERE, ROBOT)
            assert is_finite(track)
    else:
        with pytest.raises(ContractError, match=f"^{name} must be"):
            replace(PARAMS, **{name: math.inf})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("restitution_wall", 1.1), ("noise", 0.0), ("noise", 1e-200), ("noise", 1e200), ("robot_mass", 0.0),
        ("patience", 2.5), ("rest_after", True), ("friction", 1), ("friction", math.nan),
        ("boards", [[0.0, 0.0, 1.0, 0.0]]), ("boards", np.zeros(4)), ("boards", np.zeros((2, 3))), ("boards", math.nan),
        ("boards", np.full((1, 4), math.nan)), ("boards", np.array([["a"] * 4])),
        ("camera", math.nan), ("camera", (0.0, 0.0, 4.0)), ("camera", (0.0, math.nan, 4.0, 1.0)),
        ("camera", (0.0, 0.0, math.inf, 1.0)), ("camera", (0.0, 0.0, 4.0, 0.0)), ("camera", tuple("abcd")),
        ("body", -1.0), ("body", (0.1, -0.1, 0.1, 0.1)), ("body", (-0.1, 0.1, 0.0, 0.1)),
        ("body", (-0.1, 0.1, 0.1, math.nan)),
    ],
)  # fmt: skip
def test_what_else_can_never_work_raises_by_its_name(name: str, value: object) -> None:
    with pytest.raises(ContractError, match=f"^{name} must "):
        replace(PARAMS, **{name: value})  # type: ignore[arg-type]


def test_numbers_of_other_kinds_are_numbers_too() -> None:
    params = replace(PARAMS, forces=0, noise=np.float32(0.01), gravity=np.int64(9), patience=np.int64(1))  # type: ignore[arg-type]
    assert params.tables[0][2:4].tolist() == [9.0, 0.0]


@pytest.mark.parametrize(
    "rows", [np.zeros(2), np.zeros((1, 1)), np.zeros((1, 3)), np.zeros((1, 1, 2)), [[0.0, 0.0]], np.array([["a", "b"]])]
)
@pytest.mark.parametrize("name", ["xy", "robots", "kicks"])
def test_rows_of_another_shape_raise_by_their_name_and_shape(name: str, rows: Floats) -> None:
    track = moving(PARAMS)
    given_rows = {"xy": HERE, "robots": ROBOT, "kicks": ball.NO_KICKS, name: rows}
    got = re.escape(str(rows.shape) if isinstance(rows, np.ndarray) else "list")
    with pytest.raises(
        ContractError, match=rf"^{name} must be an array \(k, {6 if name == 'robots' else 2}\).*got {got}"
    ):
        ball.step(PARAMS, track, 1.1, **given_rows)
    if name == "robots":
        with pytest.raises(ContractError, match=r"^robots must be an array \(k, 6\)"):
            ball.predict(PARAMS, track, 1.1, rows)


@pytest.mark.parametrize(("name", "value"), [("time", math.nan), ("time", math.inf), ("x", math.nan), ("y", 1e300)])
def test_a_ball_is_put_down_nowhere_but_on_earth(name: str, value: float) -> None:
    where = {"time": 1.0, "x": 0.1, "y": 0.2, name: value}
    with pytest.raises(ContractError, match=f"^{name} must be"):
        ball.put(PARAMS, ball.start(PARAMS), **where)


@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf])
@pytest.mark.parametrize("name", ["max_speed", "max_acceleration"])
def test_nobody_intercepts_without_a_speed(name: str, value: float) -> None:
    able = {"max_speed": 2.0, "max_acceleration": 5.0, name: value}
    with pytest.raises(ContractError, match=f"^{name} must be above 0 and finite; got {value}$"):
        ball.intercept(PARAMS, moving(PARAMS), 1.0, 0.5, 0.5, **able)


@pytest.mark.parametrize(
    ("name", "value"), [("now", math.nan), ("x", math.nan), ("y", math.inf), ("reach", math.nan), ("horizon", math.nan)]
)
def test_an_interception_is_of_numbers(name: str, value: float) -> None:
    asked = {"now": 1.0, "x": 0.5, "y": 0.5, "max_speed": 2.0, "max_acceleration": 5.0, name: value}
    with pytest.raises(ContractError, match=f"^{name} must be"):
        ball.intercept(PARAMS, moving(PARAMS), **asked)


@pytest.mark.parametrize("horizon", [1e18, math.inf])
def test_an_interception_is_looked_for_no_longer_than_the_longest_time(horizon: float) -> None:
    never = ball.intercept(FOREVER, moving(FOREVER), 1.0, 900.0, 0.0, 1e-3, 1.0, horizon=horizon)
    assert never[0] == math.inf
    assert ball.intercept(FOREVER, moving(FOREVER), 1e18, 0.5, 0.5, 2.0, 5.0, horizon=horizon)[0] >= 1e18
