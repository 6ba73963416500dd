"""The camera: what it adds is noise of the size it says, and nothing that tells who is who."""

import math
from dataclasses import replace

import numpy as np
import pytest
from pitch_judge import params_of
from scipy import stats

from tikitaka import sim
from tikitaka.geom.random import key
from tikitaka.sim import scenes
from tikitaka.types import UNLABELLED, Frame

CAMERA = sim.CameraParams(1.0 / 30.0, 0.05, 0.002, 0.03, 0.1, labels=False, key=key(11, 0))
TICKS = 1500


def spread_out() -> sim.State:
    """Return robots whose order in x cannot change by noise."""
    state = scenes.line_up(params_of("mirosot-5v5"))
    n = len(state.pose)
    pose = np.stack((0.2 * np.arange(n) - 1.0, np.zeros(n), np.linspace(-math.pi, 3.0, n)), axis=1)
    return replace(state, pose=pose, ball=np.array((0.05, 0.3, 1.0, 1.0)))


def pictures(camera: sim.CameraParams, ticks: int = TICKS) -> list[Frame]:
    state = spread_out()
    return [sim.expose(camera, replace(state, tick=tick)) for tick in range(ticks)]


def test_noise_is_normal_with_the_mean_and_deviation_that_it_says() -> None:
    truth, frames = spread_out(), pictures(replace(CAMERA, dropout=0.0))
    error = np.stack([f.robot_pose - truth.pose for f in frames])
    error[..., 2] = (error[..., 2] + math.pi) % (2.0 * math.pi) - math.pi
    ball = np.stack([f.ball_xy[0] - truth.ball[:2] for f in frames])
    for draws, sigma in ((error[..., 0], 0.002), (error[..., 1], 0.002), (error[..., 2], 0.03), (ball, 0.002)):
        scaled = draws.ravel() / sigma
        assert abs(scaled.mean()) < 4.0 / math.sqrt(scaled.size)
        low, high = stats.chi2.ppf((1e-4, 1.0 - 1e-4), scaled.size)
        assert low < (scaled**2).sum() < high
        assert stats.kstest(scaled, "norm").pvalue > 1e-3


def test_errors_of_different_robots_axes_and_ticks_are_unrelated() -> None:
    truth, frames = spread_out(), pictures(replace(CAMERA, dropout=0.0))
    error = np.stack([(f.robot_pose - truth.pose)[:, :2].ravel() for f in frames])
    related = np.corrcoef(error.T) - np.eye(error.shape[1])
    assert np.abs(related).max() < 5.0 / math.sqrt(TICKS)
    assert abs(np.corrcoef(error[:-1].ravel(), error[1:].ravel())[0, 1]) < 4.0 / math.sqrt(error.size)


def test_objects_are_missed_at_the_rate_that_it_says() -> None:
    frames = pictures(CAMERA)
    robots = sum(len(f.robot_pose) for f in frames)
    balls = sum(len(f.ball_xy) for f in frames)
    assert stats.binomtest(robots, 10 * TICKS, 0.9).pvalue > 1e-3
    assert stats.binomtest(balls, TICKS, 0.9).pvalue > 1e-3


def test_robots_that_look_alike_may_change_places_and_the_picture_stays_the_same() -> None:
    still = replace(CAMERA, noise_xy=0.0, noise_theta=0.0, dropout=0.0)
    state = scenes.crowd(params_of("mirosot-5v5"), 4)
    swapped = replace(state, pose=state.pose[[3, 2, 4, 0, 1, 9, 5, 6, 8, 7]])
    first, second = sim.expose(still, state), sim.expose(still, swapped)
    assert (first.robot_pose == second.robot_pose).all()
    assert (first.robot_team == second.robot_team).all()
    assert (first.robot_label == UNLABELLED).all()
    assert (np.diff(first.robot_pose[:, 0]) >= 0.0).all()


def test_labels_and_teams_belong_to_their_poses() -> None:
    labelled = replace(CAMERA, noise_xy=0.0, noise_theta=0.0, labels=True)
    state = scenes.crowd(params_of("vsss-5v5"), 4)
    frame = sim.expose(labelled, state)
    rows = frame.robot_team * 5 + frame.robot_label
    assert frame.robot_pose == pytest.approx(state.pose[rows], abs=1e-15)


def test_the_same_seed_and_tick_give_the_same_picture_and_no_other_does() -> None:
    state = scenes.crowd(params_of("mirosot-5v5"), 4)
    camera = replace(CAMERA, dropout=0.0)
    first, again = sim.expose(camera, state), sim.expose(camera, state)
    assert (first.robot_pose == again.robot_pose).all()
    assert (first.ball_xy == again.ball_xy).all()
    for other in (
        sim.expose(camera, replace(state, tick=1)),
        sim.expose(replace(camera, key=key(12, 0)), state),
        sim.expose(replace(camera, key=key(11, 1)), state),
    ):
        assert (other.robot_pose != first.robot_pose).all()


@pytest.mark.parametrize("tick", [0, 1, 1234])
def test_a_picture_is_stamped_with_its_tick_and_arrives_later_by_the_latency(tick: int) -> None:
    frame = sim.expose(CAMERA, replace(spread_out(), tick=tick))
    assert frame.captured == pytest.approx(tick / 30.0)
    assert frame.arrives - frame.captured == pytest.approx(0.05)
