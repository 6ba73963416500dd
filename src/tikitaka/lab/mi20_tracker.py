"""The estimator of this package in the place of the small filters of `mi20_errors`: the same errors and frames."""

from dataclasses import replace
from functools import cache

import numpy as np

from tikitaka import estimate
from tikitaka import league as leagues
from tikitaka.estimate import Collisions
from tikitaka.estimate.belief import moved
from tikitaka.lab.mi20_errors import MOVED, Errors
from tikitaka.lab.mi20_scenes import BASELINE, Stream, commands
from tikitaka.loop.believed import estimate_params
from tikitaka.types import OURS, Detections, Floats, Game, Phase

AWAY = 50.0  # [m] where the other team stands: nobody meets it
GAME = Game(Phase.PLAY, 60.0, 0, 0, ours=True)


@cache
def params_of(league: str, robots: int, sigma: float, mode: int) -> estimate.Params:
    """Return what the estimator knows about a league, with so many robots, a camera's noise and one of the modes."""
    known = estimate_params(leagues.load(league))
    return replace(
        known, robots=robots, noise_xy=sigma, noise_theta=sigma / BASELINE, collisions=Collisions(mode), beliefs=1
    )


def track(stream: Stream, sigma: float, mode: int) -> Errors:
    """Return the errors of the estimator over a stream, its robots labelled; it begins with true velocities."""
    n, frames = stream.robots, len(stream.time)
    params = {m: params_of(stream.league, n, sigma, int(m)) for m in Collisions}
    memory = _begin(params[Collisions(mode)], stream)
    errors, tracks = np.full((2, frames, n), np.nan), np.zeros((3, frames, n, 6))
    touched = np.zeros((frames, n), np.bool_)
    tracks[:, 0] = np.hstack((stream.pose[0], stream.velocity[0]))
    for k in range(1, frames):
        at, told = stream.time[k], commands(stream, k - 1)
        memory, _ = estimate.step(params[Collisions(mode)], memory, _seen(stream, k, at, rows=False), told)
        for q, m in enumerate((Collisions.OFF, Collisions.FULL)):
            tracks[1 + q, k] = moved(params[m], memory.robots, memory.told, memory.told_time, at, spread=False)[0][:n]
        for i, seen in zip(stream.origin[k], stream.seen[k], strict=True):
            errors[:, k, i] = np.hypot(*(tracks[1:, k, i, :2] - seen[:2]).T)
        memory, _ = estimate.step(params[Collisions(mode)], memory, _seen(stream, k, at, rows=True), told)
        tracks[0, k] = memory.robots.state[0, :n]
        touched[k] = np.hypot(*(tracks[2, k] - tracks[1, k])[:, :2].T) > 0.0
    far = np.hypot(*(tracks[2] - tracks[1])[..., :2].transpose(2, 0, 1)) >= MOVED
    return Errors(errors[0], errors[1], touched, touched & far, *tracks)


def _begin(params: estimate.Params, stream: Stream) -> estimate.Tracks:
    """Return tracks right after everybody was put in place, already under way."""
    n = stream.robots
    others = np.stack((np.full(n, AWAY), np.arange(n), np.zeros(n)), axis=1)
    placed = np.vstack((stream.pose[0], others, (0.0, AWAY, 0.0)))
    memory, _ = estimate.step(
        params, estimate.start(params), _seen(stream, 0, 0.0, rows=False, placed=placed), commands(stream, 0)
    )
    memory.robots.state[0, :n, 3:] = stream.velocity[0]
    return memory


def _seen(stream: Stream, frame: int, at: float, rows: bool, placed: Floats | None = None) -> Detections:
    """Return the detections of a frame, or none."""
    who = np.array(stream.origin[frame] if rows else (), np.int64)
    return Detections(
        now=at,
        ball_time=np.empty(0),
        ball_xy=np.empty((0, 2)),
        robot_time=np.full(len(who), at),
        robot_pose=stream.seen[frame][: len(who)] if rows else np.empty((0, 3)),
        robot_team=np.full(len(who), OURS),
        robot_label=who,
        game=GAME,
        placed=placed,
    )
