"""The cameras: what they add is noise, gaps and ghosts of the size they say, and nothing that tells who is who."""

import math
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from pitch_judge import params_of
from scipy import stats

from tikitaka import league, sim
from tikitaka.geom.random import key
from tikitaka.loop.build import camera_params
from tikitaka.sim import scenes
from tikitaka.sim.cameras import grid
from tikitaka.sim.kernels import hiding, instants, seeing
from tikitaka.types import UNLABELLED, Floats, Frame

FIELD = league.load("mirosot-5v5").field.geometry()
CLEAR = sim.CameraParams(FIELD, 1.0 / 30.0, key(11, 0), labels=False, latency=0.05)
NOISY = replace(CLEAR, noise_xy=0.002, noise_theta=0.03, dropout=0.1)
TICKS = 1500


def spread_out() -> sim.State:
    """Return robots whose order in x cannot change by noise."""
    state = scenes.line_up(params_of("mirosot-5v5"))
    n = len(state.pose)
    pose = np.stack((0.2 * np.arange(n) - 1.0, np.zeros(n), np.linspace(-math.pi, 3.0, n)), axis=1)
    return replace(state, pose=pose, ball=with_ball(state, 0.05, 0.3))


def with_ball(state: sim.State, *values: float) -> Floats:
    """Return a ball of as many columns as the state's."""
    ball = np.zeros_like(state.ball)
    ball[: len(values)] = values
    return ball


def pictures(camera: sim.CameraParams, ticks: int = TICKS, state: sim.State | None = None) -> list[Frame]:
    state = spread_out() if state is None else state
    return [f for tick in range(ticks) for f in sim.expose(camera, replace(state, tick=tick))]


def is_normal(draws: Floats, sigma: Floats | float) -> None:
    scaled = (draws / sigma).ravel()
    assert abs(scaled.mean()) < 4.0 / math.sqrt(scaled.size)
    low, high = stats.chi2.ppf((1e-4, 1.0 - 1e-4), scaled.size)
    assert low < (scaled**2).sum() < high
    assert stats.kstest(scaled, "norm").pvalue > 1e-3


@pytest.mark.parametrize("growth", [0.0, 2.0])
def test_noise_is_normal_with_a_deviation_that_grows_from_the_middle_as_it_says(growth: float) -> None:
    truth, frames = spread_out(), pictures(replace(NOISY, dropout=0.0, noise_growth=growth))
    error = np.stack([f.robot_pose - truth.pose for f in frames])
    error[..., 2] = (error[..., 2] + math.pi) % (2.0 * math.pi) - math.pi
    corner = math.hypot(1.1 + 0.15, 0.9)  # of the pitch, goals included
    scale = 1.0 + growth * (truth.pose[:, 0] ** 2 + truth.pose[:, 1] ** 2) / corner**2
    for axis, sigma in enumerate((0.002, 0.002, 0.03)):
        is_normal(error[..., axis], sigma * scale)
    is_normal(np.stack([f.ball_xy[0] for f in frames]) - truth.ball[:2], 0.002 * (1.0 + growth * 0.0925 / corner**2))


def test_errors_of_different_robots_axes_ticks_and_cameras_are_unrelated() -> None:
    truth, frames = spread_out(), pictures(replace(NOISY, dropout=0.0, count=2, overlap=10.0))
    error = np.stack([(f.robot_pose - truth.pose)[:, :2].ravel() for f in frames]).reshape(TICKS, -1)
    assert error.shape == (TICKS, 2 * 20)
    related = np.corrcoef(error.T) - np.eye(error.shape[1])
    assert np.abs(related).max() < 5.0 / math.sqrt(TICKS)
    assert abs(np.corrcoef(error[:-1].ravel(), error[1:].ravel())[0, 1]) < 4.0 / math.sqrt(error.size)


def test_objects_are_missed_at_the_rate_that_it_says() -> None:
    frames = pictures(NOISY)
    robots = sum(len(f.robot_pose) for f in frames)
    balls = sum(len(f.ball_xy) for f in frames)
    assert stats.binomtest(robots, 10 * TICKS, 0.9).pvalue > 1e-3
    assert stats.binomtest(balls, TICKS, 0.9).pvalue > 1e-3


@pytest.mark.parametrize("rate", [0.05, 1.0])
@pytest.mark.parametrize("labels", [False, True])
def test_ghosts_are_poisson_many_and_anywhere_in_the_view(rate: float, labels: bool) -> None:
    camera = replace(CLEAR, false_robots=rate, false_balls=rate, labels=labels)
    frames = pictures(camera)
    for many in ([len(f.robot_pose) - 10 for f in frames], [len(f.ball_xy) - 1 for f in frames]):
        expected = TICKS * stats.poisson.pmf(np.arange(3), rate)
        seen = [*np.bincount(many, minlength=3)[:3], sum(k > 2 for k in many)]
        assert stats.chisquare(seen, [*expected, TICKS - expected.sum()]).pvalue > 1e-3
    rows = np.concatenate([f.robot_pose for f in frames])
    teams, numbers = np.concatenate([f.robot_team for f in frames]), np.concatenate([f.robot_label for f in frames])
    ghosts = np.abs(rows[:, 1]) > 1e-12  # the real ones stand on the x axis
    x0, x1, y0, y1 = camera.views[0, :4]
    for values, low, high in ((rows[:, 0], x0, x1), (rows[:, 1], y0, y1), (rows[:, 2], -math.pi, math.pi)):
        assert stats.kstest((values[ghosts] - low) / (high - low), "uniform").pvalue > 1e-3
    assert stats.binomtest(int(teams[ghosts].sum()), int(ghosts.sum()), 0.5).pvalue > 1e-3
    assert set(numbers[ghosts].tolist()) == (set(range(5)) if labels else {UNLABELLED})


def test_robots_that_look_alike_may_change_places_and_the_picture_stays_the_same() -> None:
    state = scenes.crowd(params_of("mirosot-5v5"), 4)
    swapped = replace(state, pose=state.pose[[3, 2, 4, 0, 1, 9, 5, 6, 8, 7]])
    (first,), (second,) = sim.expose(CLEAR, state), sim.expose(CLEAR, swapped)
    assert (first.robot_pose == second.robot_pose).all()
    assert (first.robot_team == second.robot_team).all()
    assert (first.robot_label == UNLABELLED).all()
    assert (np.diff(first.robot_pose[:, 0]) >= 0.0).all()


def test_labels_and_teams_belong_to_their_poses() -> None:
    state = scenes.crowd(params_of("vsss-5v5"), 4)
    (frame,) = sim.expose(replace(CLEAR, labels=True), state)
    rows = frame.robot_team * 5 + frame.robot_label
    assert sorted(rows.tolist()) == list(range(10))
    assert frame.robot_pose == pytest.approx(state.pose[rows], abs=1e-15)


def test_the_same_seed_and_tick_give_the_same_picture_and_no_other_does() -> None:
    state = scenes.crowd(params_of("mirosot-5v5"), 4)
    camera = replace(NOISY, dropout=0.0)
    (first,), (again,) = sim.expose(camera, state), sim.expose(camera, state)
    assert (first.robot_pose == again.robot_pose).all()
    assert (first.ball_xy == again.ball_xy).all()
    for (other,) in (
        sim.expose(camera, replace(state, tick=1)),
        sim.expose(replace(camera, key=key(12, 0)), state),
        sim.expose(replace(camera, key=key(11, 1)), state),
    ):
        assert (other.robot_pose != first.robot_pose).all()


@pytest.mark.parametrize("tick", [0, 1, 1234])
def test_a_picture_is_stamped_with_the_middle_of_its_exposure_and_arrives_after_its_end_and_the_latency(
    tick: int,
) -> None:
    (frame,) = sim.expose(replace(CLEAR, exposure=0.01), replace(spread_out(), tick=tick))
    assert frame.captured == pytest.approx(tick / 30.0)
    assert frame.arrives - frame.captured == pytest.approx(0.05 + 0.005)


def test_the_delay_is_the_latency_and_an_exponential_rest_so_pictures_overtake_one_another() -> None:
    frames = pictures(replace(CLEAR, jitter=0.02))
    rest = np.array([f.arrives - f.captured for f in frames]) - 0.05
    assert stats.kstest(rest, "expon", (0.0, 0.02)).pvalue > 1e-3
    overtaken = np.mean(np.diff([f.arrives for f in frames]) < 0.0)
    assert overtaken == pytest.approx(0.5 * math.exp(-(1.0 / 30.0) / 0.02), abs=0.03)  # a difference of two is Laplace


@pytest.mark.parametrize(
    ("name", "cells"), [("mirosot-5v5", (1, 1)), ("mirosot-11v11", (2, 1)), ("ssl-a", (2, 2)), ("ssl-b", (1, 1))]
)
def test_cameras_share_the_pitch_as_a_grid(name: str, cells: tuple[int, int]) -> None:
    one = league.load(name)
    assert grid(one.camera.count, one.field.length / one.field.width) == cells


@settings(deadline=None, max_examples=60)
@given(count=st.integers(1, 16), overlap=st.floats(0.0, 1.0), x=st.floats(-1.25, 1.25), y=st.floats(-0.9, 0.9))
def test_every_place_is_seen_and_seen_by_as_many_cameras_as_overlap_there(
    count: int, overlap: float, x: float, y: float
) -> None:
    camera = replace(CLEAR, count=count, overlap=overlap)
    state = spread_out()
    frames = sim.expose(camera, replace(state, ball=with_ball(state, x, y)))
    assert [f.camera for f in frames] == list(range(count))
    columns, rows = grid(count, 1.25 / 0.9)

    def watchers(slack: float) -> int:
        reach = 0.5 * overlap + slack
        across = sum(abs(x - 1.25 * ((2 * k + 1) / columns - 1.0)) <= 1.25 / columns + reach for k in range(columns))
        along = sum(abs(y - 0.9 * ((2 * k + 1) / rows - 1.0)) <= 0.9 / rows + reach for k in range(rows))
        return across * along

    seen = sum(len(f.ball_xy) for f in frames)
    assert seen >= 1
    assert watchers(-1e-12) <= seen <= watchers(1e-12)


def test_cameras_out_of_step_see_a_robot_where_it_was_at_the_time_that_they_say() -> None:
    camera, state = replace(CLEAR, count=4, overlap=10.0, phase=1.0), spread_out()

    def moment(t: float) -> sim.State:  # speeds up along a line and turns through half a turn
        pose = np.tile((0.3 * t + 2.0 * t * t, 0.2 * t, (math.pi - 0.5 + 6.0 * t) % (2 * math.pi)), (10, 1))
        pose[:, 2] -= 2.0 * math.pi * (pose[:, 2] >= math.pi)
        velocity = np.tile((0.3 + 4.0 * t, 0.2, 6.0), (10, 1))
        return replace(
            state, tick=round(30 * t), pose=pose, velocity=velocity, ball=with_ball(state, t, 0.1 * t * t, 1.0, 0.2 * t)
        )

    frames = sim.expose(camera, moment(3 / 30), moment(2 / 30))
    for c, frame in enumerate(frames):
        t = (3.0 - 0.25 * c) / 30.0
        assert frame.captured == pytest.approx(t, abs=1e-12)
        assert frame.robot_pose == pytest.approx(moment(t).pose, abs=1e-12)  # a cubic keeps constant accelerations
        assert frame.ball_xy[0] == pytest.approx(moment(t).ball[:2], abs=1e-12)


def test_after_a_placement_all_pictures_are_of_now() -> None:
    camera, state = replace(CLEAR, count=4, overlap=10.0, phase=1.0), replace(spread_out(), tick=7)
    for frame in sim.expose(camera, state, None):
        assert frame.captured == pytest.approx(7 / 30.0)
        assert (frame.robot_pose == state.pose).all()


def outline(name: str) -> shapely.Polygon:
    robot = league.load(name).robot
    if robot.length and robot.width:
        return shapely.box(-0.5 * robot.length, -0.5 * robot.width, 0.5 * robot.length, 0.5 * robot.width)
    disc = shapely.Point(0.0, 0.0).buffer(robot.bounding_radius, quad_segs=720)
    return shapely.intersection(disc, shapely.box(-1.0, -1.0, robot.mouth or 1.0, 1.0))


place = st.integers(-250, 250).map(lambda mm: 1e-3 * mm)


@pytest.mark.parametrize("name", ["mirosot-5v5", "ssl-b", "byu-2v2"])
@settings(deadline=None, max_examples=150)
@given(ax=place, ay=place, bx=place, by=place)
def test_a_line_is_cut_by_a_body_as_shapely_says(name: str, ax: float, ay: float, bx: float, by: float) -> None:
    body, line = outline(name), shapely.LineString([(ax, ay), (bx, by)])
    cut = hiding.body_cuts(ax, ay, bx, by, np.array(camera_params(league.load(name), 0).hull))
    assert cut or not body.buffer(-1e-6).intersects(line)
    assert not cut or body.buffer(1e-6).intersects(line)


@pytest.mark.parametrize(("x", "hidden"), [(3.9, False), (4.1, True)])
def test_a_ball_behind_a_robot_is_hidden_from_where_the_shadow_reaches_it(x: float, hidden: bool) -> None:
    """The robot's top throws a shadow away from the camera; the ball's top, at its height, comes into it at x = 4."""
    one = league.load("ssl-b")
    camera = replace(camera_params(one, 1), noise_xy=0.0, dropout=0.0)
    state = scenes.line_up(params_of("ssl-b"))
    top, gap = 2.0 * one.ball.radius, 4.0 * (one.robot.height - 2.0 * one.ball.radius) / (one.camera.height - 0.043)
    pose = np.zeros_like(state.pose)
    pose[:, 1] = np.linspace(-2.5, 2.5, len(pose))  # all but one far away
    pose[0] = x - gap - one.robot.bounding_radius, 0.0, math.pi  # its round back towards the ball
    pose[1:, 0] = -1.0
    assert top == pytest.approx(0.043)
    (frame,) = sim.expose(camera, replace(state, pose=pose, ball=with_ball(state, x, 0.0)))
    assert len(frame.ball_xy) == (0 if hidden else 1)
    (clear,) = sim.expose(replace(camera, robot_height=0.0), replace(state, pose=pose, ball=with_ball(state, x, 0.0)))
    assert len(clear.ball_xy) == 1


def test_a_ball_under_a_robot_is_hidden_and_one_above_it_is_not() -> None:
    one, state = league.load("ssl-b"), scenes.line_up(params_of("ssl-b"))
    camera = replace(camera_params(one, 1), dropout=0.0)
    x, y = state.pose[0, :2]
    ball = np.zeros(8)
    ball[:2] = x, y
    assert len(sim.expose(camera, replace(state, ball=ball))[0].ball_xy) == 0
    ball[4] = one.robot.height
    assert len(sim.expose(camera, replace(state, ball=ball))[0].ball_xy) == 1


@settings(deadline=None, max_examples=50)
@given(x=st.floats(-0.9, 0.9), y=st.floats(-0.7, 0.7), z=st.floats(0.0, 0.3))
def test_a_flying_ball_is_seen_where_the_line_of_sight_meets_the_ground(x: float, y: float, z: float) -> None:
    state, ball = spread_out(), np.zeros(8)
    ball[0], ball[1], ball[4] = x, y, z
    (frame,) = sim.expose(replace(CLEAR, height=2.5), replace(state, ball=ball))
    above, seen = np.array((0.0, 0.0, 2.5)), np.array((*frame.ball_xy[0], 0.0))
    assert np.cross(seen - above, (x, y, z) - above) == pytest.approx(np.zeros(3), abs=1e-12)


@settings(deadline=None, max_examples=50)
@given(start=st.floats(0.0, 0.3), up=st.floats(0.0, 3.0), age=st.floats(0.0, 1.0))
def test_the_cubic_between_two_ticks_holds_a_throw_exactly(start: float, up: float, age: float) -> None:
    dt, g = 1.0 / 30.0, 9.81
    t = dt * (1.0 - age)
    end, down = start + up * dt - 0.5 * g * dt * dt, up - g * dt
    assert instants.at_age(start, up, end, down, dt, age) == pytest.approx(start + up * t - 0.5 * g * t * t, abs=1e-12)


def test_streams_of_cameras_and_their_objects_do_not_meet() -> None:
    objects, ghosts = 8 * (2 * 11) + 3, seeing.FALSE_STREAM + 8 * 2 * seeing.MOST_FALSE + 7
    assert objects < seeing.FALSE_STREAM < ghosts < seeing.DELAY_STREAM < seeing.STREAMS
    assert 16 * seeing.STREAMS <= 1 << 16  # where the radio's begin
