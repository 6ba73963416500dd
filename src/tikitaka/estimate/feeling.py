"""What robots tell of themselves: how their wheels turned, who has the ball, and where it is when no camera sees it."""

import math
from dataclasses import replace

import numpy as np

from tikitaka.types import Ball, Barrier, Bools, Commands, Feedback, Floats, Robots

NEAR = 0.02  # [m] chosen: a ball so near to the middle of a mouth is in it, where the barrier cannot tell
HIDDEN = 0.05  # [s] chosen: a ball unseen for so long is believed to be where a barrier says


def turned(commands: Commands, told: Floats, most: float) -> Commands:
    """Return the commands with the wheel rates that came of them; a robot that tells nonsense is believed to obey.

    No wheel turns faster than ``most``.
    """
    if told.shape != commands.wheels.shape:
        return commands
    sane = np.asarray((np.abs(told) <= most).all(axis=1), np.bool_)
    return replace(commands, wheels=told if sane.all() else np.where(sane[:, None], told, commands.wheels))


def felt(mouth: float, ball: Ball, ours: Robots, feedback: Feedback | None) -> tuple[Ball, Bools | None]:
    """Return the ball, and which of ours hold it (n,); None where there are no barriers.

    ``mouth`` is how far from a robot's centre a ball in its mouth is. A barrier that does not work is replaced by where
    the ball is believed to be.
    """
    if feedback is None or feedback.barrier is None:
        return ball, None
    said = feedback.barrier
    holding = np.asarray(said == Barrier.BALL, np.bool_)
    for i in np.flatnonzero(said == Barrier.MALFUNCTION).tolist():
        x, y, theta = ours.pose[i].tolist()
        holding[i] = math.dist((x + mouth * math.cos(theta), y + mouth * math.sin(theta)), (ball.x, ball.y)) < NEAR
    if ball.age > HIDDEN and said.tolist().count(Barrier.BALL) == 1:
        ball = _in_mouth(mouth, ball, ours, int(np.argmax(said == Barrier.BALL)))
    return ball, holding


def _in_mouth(mouth: float, ball: Ball, ours: Robots, i: int) -> Ball:
    """Return the ball in the mouth of robot i, moving with it."""
    (x, y, theta), (vx, vy, omega) = ours.pose[i].tolist(), ours.velocity[i].tolist()
    ahead, left = mouth * math.cos(theta), mouth * math.sin(theta)
    return Ball(x + ahead, y + left, vx - omega * left, vy + omega * ahead, ball.age)
