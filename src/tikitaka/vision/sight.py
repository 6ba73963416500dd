"""Pictures of the whole pitch -> one team's Detections: merged, and turned so that we attack +x."""

from collections.abc import Sequence

import numpy as np

from tikitaka.types import BLUE, UNLABELLED, Detections, Floats, Frame, Game
from tikitaka.vision import kernels


def see(frames: Sequence[Frame], team: int, now: float, game: Game, placed: Floats | None) -> Detections:
    """Return what a team (BLUE or YELLOW) makes of the frames that have arrived."""
    seen = _merge(frames)
    turned = team != BLUE
    return Detections(
        now=now,
        ball_time=_times(frames, [len(f.ball_xy) for f in frames]),
        ball_xy=-seen.ball_xy if turned else seen.ball_xy,
        robot_time=_times(frames, [len(f.robot_pose) for f in frames]),
        robot_pose=turn(seen.robot_pose) if turned else seen.robot_pose,
        robot_team=1 - seen.robot_team if turned else seen.robot_team,
        robot_label=seen.robot_label,
        game=game,
        placed=placed,
    )


def turn(pose: Floats) -> Floats:
    """Return the poses (n, 3) as seen from the other side: half a turn about the centre."""
    turned = np.empty((len(pose), 3))
    kernels.turn(pose, turned)
    return turned


def _times(frames: Sequence[Frame], rows: list[int]) -> Floats:
    if len(frames) == 1:
        times = np.empty(rows[0])
        times.fill(frames[0].captured)
        return times
    return np.array([f.captured for f, n in zip(frames, rows, strict=True) for _ in range(n)])


def _merge(frames: Sequence[Frame]) -> Frame:
    if len(frames) == 1:
        return frames[0]
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
