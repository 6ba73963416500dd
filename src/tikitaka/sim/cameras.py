"""The overhead camera: State in, pictures out, late, noisy and without names where robots look alike."""

from dataclasses import dataclass

import numpy as np

from tikitaka.sim.kernels import seeing
from tikitaka.sim.pitch import State
from tikitaka.types import Frame


@dataclass(frozen=True, slots=True)
class CameraParams:
    """One camera that takes a picture at every tick."""

    dt: float  # between two pictures
    latency: float  # from the picture to the tick that hears of it
    noise_xy: float  # standard deviation
    noise_theta: float
    dropout: float  # probability that one object is missed
    labels: bool
    key: tuple[int, int]  # of the counter-based generator


def expose(params: CameraParams, state: State) -> Frame:
    """Return the picture of this moment, its rows sorted by x so that their order tells nothing."""
    picture = np.zeros((len(state.pose) + 1, 6))
    seeing.expose(
        params.key[0], params.key[1], state.tick, state.pose, state.ball,
        params.noise_xy, params.noise_theta, params.dropout, params.labels, picture,
    )  # fmt: skip
    n = len(state.pose)
    pose, team, label = np.empty((n, 3)), np.empty(n, np.int64), np.empty(n, np.int64)
    seen = seeing.develop(picture, pose, team, label)
    captured = state.tick * params.dt
    return Frame(
        captured=captured,
        arrives=captured + params.latency,
        ball_xy=picture[-1:, 1:3] if picture[-1, 0] > 0.0 else np.empty((0, 2)),
        robot_pose=pose[:seen],
        robot_team=team[:seen],
        robot_label=label[:seen],
    )
