import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka import league, sim, vision
from tikitaka.loop.build import camera_params, pitch_params
from tikitaka.types import BLUE, OURS, THEIRS, YELLOW, Detections, Floats, Frame, Game, Phase

GAME = Game(Phase.PLAY, 60.0, 1, 0, ours=False)
pose = st.tuples(st.floats(-6.0, 6.0), st.floats(-4.5, 4.5), st.floats(-math.pi, math.pi, exclude_max=True))


def frame(captured: float, seed: int, robots: int = 4, balls: int = 1) -> Frame:
    rng = np.random.default_rng(seed)
    return Frame(
        captured=captured,
        arrives=captured + 0.05,
        ball_xy=rng.uniform(-1.0, 1.0, (balls, 2)),
        robot_pose=rng.uniform(-1.0, 1.0, (robots, 3)),
        robot_team=rng.integers(0, 2, robots),
        robot_label=rng.integers(0, 11, robots),
    )


@settings(deadline=None)
@given(poses=st.lists(pose, min_size=1, max_size=6))
def test_turning_twice_is_no_turn_and_headings_stay_in_range(poses: list[tuple[float, float, float]]) -> None:
    before = np.array(poses)
    once = vision.turn(before)
    assert ((once[:, 2] >= -math.pi) & (once[:, 2] < math.pi)).all()
    assert np.cos(once[:, 2]) == pytest.approx(-np.cos(before[:, 2]), abs=1e-12)
    assert np.sin(once[:, 2]) == pytest.approx(-np.sin(before[:, 2]), abs=1e-12)
    assert (once[:, :2] == -before[:, :2]).all()
    assert vision.turn(once) == pytest.approx(before, abs=1e-12)


def test_blue_sees_the_field_as_it_is() -> None:
    one = frame(1.0, 3)
    seen = vision.see([one], BLUE, 1.1, GAME, None)
    assert (seen.robot_pose == one.robot_pose).all()
    assert (seen.ball_xy == one.ball_xy).all()
    assert ((seen.robot_team == OURS) == (one.robot_team == BLUE)).all()


def test_yellow_sees_it_turned_and_itself_as_ours() -> None:
    one = frame(1.0, 3)
    seen = vision.see([one], YELLOW, 1.1, GAME, None)
    assert (seen.robot_pose == vision.turn(one.robot_pose)).all()
    assert (seen.ball_xy == -one.ball_xy).all()
    assert ((seen.robot_team == OURS) == (one.robot_team == YELLOW)).all()
    assert ((seen.robot_team == THEIRS) == (one.robot_team == BLUE)).all()
    assert (seen.robot_label == one.robot_label).all()


@pytest.mark.parametrize("team", [BLUE, YELLOW])
def test_several_frames_are_merged_row_by_row_each_with_its_time(team: int) -> None:
    frames = [frame(1.0, 3), frame(1.1, 4, robots=2, balls=0), frame(1.2, 5, robots=0, balls=2)]
    merged = vision.see(frames, team, 1.3, GAME, None)
    alone = [vision.see([f], team, 1.3, GAME, None) for f in frames]
    for name in ("ball_time", "ball_xy", "robot_time", "robot_pose", "robot_team", "robot_label"):
        assert (getattr(merged, name) == np.concatenate([getattr(one, name) for one in alone])).all()
    assert merged.robot_time.tolist() == [1.0] * 4 + [1.1] * 2
    assert merged.ball_time.tolist() == [1.0, 1.2, 1.2]


@pytest.mark.parametrize("team", [BLUE, YELLOW])
def test_no_frame_is_no_rows_of_the_right_shape(team: int) -> None:
    seen = vision.see([], team, 2.0, GAME, None)
    assert (seen.ball_xy.shape, seen.robot_pose.shape, seen.robot_time.shape) == ((0, 2), (0, 3), (0,))
    assert (seen.robot_team.shape, seen.robot_label.shape) == ((0,), (0,))


def test_game_time_and_placement_pass_through() -> None:
    placed: Floats = np.ones((9, 3))
    seen = vision.see([frame(1.0, 3)], YELLOW, 1.25, GAME, placed)
    assert seen.now == 1.25
    assert seen.game is GAME
    assert seen.placed is placed


def test_frames_are_not_touched() -> None:
    one = frame(1.0, 3)
    copies = [one.ball_xy.copy(), one.robot_pose.copy(), one.robot_team.copy()]
    vision.see([one, one], YELLOW, 1.1, GAME, None)
    vision.see([one], YELLOW, 1.1, GAME, None)
    assert all((a == b).all() for a, b in zip(copies, (one.ball_xy, one.robot_pose, one.robot_team), strict=True))


def test_frames_that_arrive_together_are_handed_on_oldest_first() -> None:
    frames = [frame(1.2, 3), frame(1.0, 4), frame(1.1, 5)]
    seen = vision.see(frames, BLUE, 1.3, GAME, None)
    assert seen.robot_time.tolist() == [1.0] * 4 + [1.1] * 4 + [1.2] * 4
    assert (seen.robot_pose[:4] == frames[1].robot_pose).all()
    assert seen.ball_time.tolist() == [1.0, 1.1, 1.2]


def overlapping(labels: bool, phase: float, noise: float) -> tuple[sim.State, tuple[Frame, ...], Detections]:
    """Return a scene, the pictures of four cameras that all see all of it, and what blue makes of them."""
    one = league.load("ssl-a", "ideal")
    everything = replace(camera_params(one, 1), overlap=30.0, labels=labels, phase=phase, noise_xy=noise)
    state = sim.scenes.crowd(pitch_params(one), 3)
    frames = sim.expose(everything, state, state)
    return state, frames, vision.see(frames, BLUE, 0.1, GAME, None)


@pytest.mark.parametrize("labels", [True, False])
def test_what_four_cameras_see_at_the_same_time_is_there_once_at_the_mean(labels: bool) -> None:
    state, frames, seen = overlapping(labels, 0.0, 0.003)
    assert [len(f.robot_pose) for f in frames] == [22] * 4
    assert seen.robot_pose.shape == (22, 3)
    assert seen.ball_xy.shape == (1, 2)
    assert seen.ball_xy[0] == pytest.approx(np.mean([f.ball_xy[0] for f in frames], axis=0), abs=1e-12)
    away = np.linalg.norm(seen.robot_pose[:, None, :2] - state.pose[None, :, :2], axis=2)
    assert sorted(away.argmin(axis=1)) == list(range(22))
    error = seen.robot_pose[:, :2] - state.pose[away.argmin(axis=1), :2]
    assert error.std() == pytest.approx(0.003 / 2.0, rel=0.3)  # a mean of four
    turned = seen.robot_pose[:, 2] - state.pose[away.argmin(axis=1), 2]
    assert np.abs(np.sin(turned)).max() < 1e-9


def test_headings_on_both_sides_of_half_a_turn_have_their_mean_between_them() -> None:
    one = frame(1.0, 3, robots=1)
    one, two = (replace(one, robot_pose=np.array([(0.5, 0.1, a)])) for a in (math.pi - 0.1, -math.pi + 0.3))
    seen = vision.see([one, replace(two, camera=1)], BLUE, 1.1, GAME, None)
    assert seen.robot_pose == pytest.approx(np.array([(0.5, 0.1, -math.pi + 0.1)]))


def test_pictures_of_different_times_are_no_twins() -> None:
    _, _, seen = overlapping(labels=True, phase=1.0, noise=0.0)
    assert len(seen.robot_pose) == 4 * 22
    assert len(set(seen.robot_time.tolist())) == 4
    one = frame(1.0, 3)
    seen = vision.see([one, replace(one, camera=1), replace(one, camera=2, captured=1.01)], BLUE, 1.1, GAME, None)
    assert seen.robot_time.tolist() == [1.0] * 4 + [1.01] * 4
    assert seen.ball_time.tolist() == [1.0, 1.01]


def test_robots_side_by_side_and_other_numbers_or_teams_stay_apart() -> None:
    one = frame(1.0, 3, robots=1)
    pose = one.robot_pose[0]
    others = [
        replace(one, camera=1, robot_pose=np.array([pose + np.array((0.075, 0.0, 0.0))])),
        replace(one, camera=2, robot_team=1 - one.robot_team),
        replace(one, camera=3, robot_label=one.robot_label + 1),
    ]
    assert len(vision.see([one, *others], BLUE, 1.1, GAME, None).robot_pose) == 4
    assert len(vision.see([one, *others], BLUE, 1.1, GAME, None).ball_xy) == 1
