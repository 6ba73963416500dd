"""The truth in place of an estimate, so that the price of estimation can be measured."""

import numpy as np

from tikitaka import sim, vision
from tikitaka.estimate import Tracks
from tikitaka.types import BLUE, Ball, Barrier, Commands, Detections, Field, Robots, World


def known(
    field: Field, state: sim.State, team: int, tracks: Tracks, detections: Detections, _sent: Commands
) -> tuple[Tracks, World]:
    """Return the tracks untouched, and the world as it is; stands where the estimator stands."""
    n, pose, velocity, sign = len(state.pose) // 2, state.pose, state.velocity, 1.0
    if team != BLUE:
        pose, velocity, sign = vision.turn(pose), velocity * (-1.0, -1.0, 1.0), -1.0
    x, y, vx, vy, z = state.ball[:5].tolist()
    ball = Ball(sign * x, sign * y, sign * vx, sign * vy, 0.0, z)
    rows = (slice(team * n, (team + 1) * n), slice((1 - team) * n, (2 - team) * n))
    both, age = np.concatenate((pose, velocity), axis=1), np.zeros(n)
    # as the estimator's: slices of one array, not to be written to; for other kinds kernels would be compiled
    for array in (both, age):
        array.setflags(write=False)
    ours, theirs = (Robots(both[r, :3], both[r, 3:], age) for r in rows)
    told = detections.feedback
    holding = None if told is None or told.barrier is None else np.asarray(told.barrier == Barrier.BALL, np.bool_)
    return tracks, World(detections.now, field, ball, ours, theirs, detections.game, holding)
