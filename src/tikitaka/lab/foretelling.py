"""Held-out prediction of what an overhead camera recorded: foretold some time ahead, judged by the later sample."""

import math

import numpy as np

from tikitaka.estimate import ball
from tikitaka.lab.recordings import Watched
from tikitaka.types import Field, Floats

LATE = 0.02  # [s] a sample this much later than asked for still counts
MOVED = 0.05  # [m] an object that gets further than this is moving


def ball_params(field: Field) -> ball.BallParams:
    """Return what is believed of a recorded ball: carpet brakes it, nobody tells where the robots are."""
    return ball.BallParams(
        ball.edges_of(field), friction=ball.Friction.VISCOUS, friction_mean=0.5, friction_spread=0.2,
        restitution_wall=0.7, noise=0.003, forces=1.0, patience=1,
    )  # fmt: skip


def robot_params() -> ball.BallParams:
    """Return what is believed of a recorded robot: no walls, a velocity that fades, a will of its own.

    [Beard, sec. 3.3] differs: not constant velocity; one that stops and goes is better foretold to slow down.
    """
    return ball.BallParams(
        np.zeros((0, 4)), friction=ball.Friction.VISCOUS, friction_mean=4.0, friction_spread=1e-6, friction_wander=0.0,
        noise=0.002, forces=20.0, slow=0.05, kick_reach=math.inf,
    )  # fmt: skip


def foretold(seen: Watched, params: ball.BallParams, ahead: float) -> tuple[Floats, Floats, Floats, ball.BallTrack]:
    """Return errors [m] of our prediction and of constant velocity by two samples, how far it got, and the track."""
    track, rows, t = ball.start(params), [], seen.time
    for k in range(len(t)):
        track = ball.step(params, track, float(t[k]), seen.xy[k : k + 1])
        j = int(np.searchsorted(t, t[k] + ahead))
        if k == 0 or j >= len(t) or t[j] > t[k] + ahead + LATE:
            continue
        mean, _ = ball.predict(params, track, float(t[j]))
        straight = seen.xy[k] + (seen.xy[k] - seen.xy[k - 1]) * (t[j] - t[k]) / (t[k] - t[k - 1])
        later = seen.xy[j]
        rows.append([math.hypot(*(place - later)) for place in (mean[:2], straight, seen.xy[k])])
    ours, straight_on, way = np.array(rows).reshape(-1, 3).T
    return ours, straight_on, way, track
