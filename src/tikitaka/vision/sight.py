"""Pictures of the whole pitch -> one team's Detections: merged, and turned so that we attack +x."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tikitaka.types import BLUE, UNLABELLED, Detections, Feedback, Floats, Frame, Game
from tikitaka.vision import kernels

SAME = 0.03  # [m] two sightings of one moment that are closer show one thing: robots are at least 7.5 cm wide


@dataclass(frozen=True, slots=True)
class Picture:
    """What the frames that have arrived show, oldest first; the same for both teams."""

    seen: Frame  # all rows
    ball_time: Floats  # (k,) when each row was captured
    robot_time: Floats  # (m,)


def see(
    frames: Sequence[Frame], team: int, now: float, game: Game, placed: Floats | None, feedback: Feedback | None = None
) -> Detections:
    """Return what a team (BLUE or YELLOW) makes of the frames that have arrived, oldest first.

    What several cameras saw at the same time is there once, at the mean of where they saw it.
    """
    return as_seen_by(team, unite(frames), now, game, placed, feedback)


def unite(frames: Sequence[Frame]) -> Picture:
    """Return the frames as one picture; what several cameras saw at the same time is there once, at its mean."""
    if len(frames) == 1:
        seen = frames[0]
        ball_time, robot_time = np.empty(len(seen.ball_xy)), np.empty(len(seen.robot_pose))
        ball_time.fill(seen.captured)
        robot_time.fill(seen.captured)
        return Picture(seen, ball_time, robot_time)
    frames = sorted(frames, key=lambda f: (f.captured, f.camera))
    balls, robots = [len(f.ball_xy) for f in frames], [len(f.robot_pose) for f in frames]
    picture = Picture(_merge(frames), _times(frames, balls), _times(frames, robots))
    return _united(picture) if len({f.captured for f in frames}) < len(frames) else picture


def as_seen_by(
    team: int, picture: Picture, now: float, game: Game, placed: Floats | None, feedback: Feedback | None = None
) -> Detections:
    """Return what a team (BLUE or YELLOW) makes of a picture: turned so that it attacks +x."""
    seen = picture.seen
    pose, side, ball = seen.robot_pose, seen.robot_team, seen.ball_xy
    if team != BLUE:
        pose, side, ball = np.empty((len(pose), 3)), np.empty(len(side), np.int64), np.empty((len(ball), 2))
        kernels.change_sides(seen.robot_pose, seen.robot_team, seen.ball_xy, pose, side, ball)
    rows = (picture.ball_time, ball, picture.robot_time, pose, side, seen.robot_label)
    return Detections(now, *rows, game, placed, feedback)


def turn(pose: Floats) -> Floats:
    """Return the poses (n, 3) as seen from the other side: half a turn about the centre."""
    turned = np.empty((len(pose), 3))
    kernels.turn(pose, turned)
    return turned


def _united(picture: Picture) -> Picture:
    """Return the picture without twins; its arrays are new ones, made by `_merge`, and are written to."""
    seen, ball_time, robot_time = picture.seen, picture.ball_time, picture.robot_time
    b, r = len(ball_time), len(robot_time)
    nobody, scratch = np.zeros(b, np.int64), np.empty(max(b, r), np.int64)
    b = kernels.unite(ball_time, seen.ball_xy, nobody, nobody.copy(), scratch, SAME)
    r = kernels.unite(robot_time, seen.robot_pose, seen.robot_team, seen.robot_label, scratch, SAME)
    left = Frame(
        captured=seen.captured,
        arrives=seen.arrives,
        ball_xy=seen.ball_xy[:b],
        robot_pose=seen.robot_pose[:r],
        robot_team=seen.robot_team[:r],
        robot_label=seen.robot_label[:r],
    )
    return Picture(left, ball_time[:b], robot_time[:r])


def _times(frames: Sequence[Frame], rows: list[int]) -> Floats:
    return np.array([f.captured for f, n in zip(frames, rows, strict=True) for _ in range(n)])


def _merge(frames: Sequence[Frame]) -> Frame:
    if not frames:
        return _DARK
    return Frame(
        captured=frames[-1].captured,
        arrives=frames[-1].arrives,
        ball_xy=np.concatenate([f.ball_xy for f in frames]),
        robot_pose=np.concatenate([f.robot_pose for f in frames]),
        robot_team=np.concatenate([f.robot_team for f in frames]),
        robot_label=np.concatenate([f.robot_label for f in frames]),
    )


_DARK = Frame(
    captured=0.0,
    arrives=0.0,
    ball_xy=np.empty((0, 2)),
    robot_pose=np.empty((0, 3)),
    robot_team=np.empty(0, np.int64),
    robot_label=np.full(0, UNLABELLED),
)
