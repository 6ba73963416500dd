"""What a test shows to the estimator: pictures of known poses, on a pitch without robots of its own."""

from functools import cache

import numpy as np

from tikitaka import estimate, league
from tikitaka.loop.believed import estimate_params
from tikitaka.types import OURS, THEIRS, UNLABELLED, Commands, Detections, Floats, Game, Phase, World

GAME = Game(Phase.PLAY, 60.0, 0, 0, ours=True)
DT = 1.0 / 30.0


@cache
def params_of(name: str) -> estimate.Params:
    return estimate_params(league.load(name))


def standing(params: estimate.Params) -> Floats:
    """Return poses (2n + 1, 3) of robots far apart, ours on the left, and of the ball."""
    n = params.robots
    x = np.repeat((-0.6, 0.6), n)
    y = np.tile(0.3 * (np.arange(n) - 0.5 * (n - 1)), 2)
    return np.vstack((np.stack((x, y, np.zeros(2 * n)), axis=1), (0.0, 0.1, 0.0)))


def sight(
    now: float, poses: Floats | None = None, captured: float | None = None, labelled: bool = False,
    placed: Floats | None = None, missing: tuple[int, ...] = (),
) -> Detections:  # fmt: skip
    """Return one picture of poses (2n + 1, 3), its rows sorted by x; None: no picture."""
    rows = np.zeros((1, 3)) if poses is None else poses
    n, time = len(rows) // 2, now if captured is None else captured
    who = np.array([i for i in np.argsort(rows[:-1, 0], kind="stable") if i not in missing], np.int64)
    return Detections(
        now=now,
        ball_time=np.full(0 if poses is None else 1, time),
        ball_xy=rows[-1:, :2] if poses is not None else np.empty((0, 2)),
        robot_time=np.full(len(who), time),
        robot_pose=rows[who],
        robot_team=np.where(who < n, OURS, THEIRS),
        robot_label=who % max(n, 1) if labelled else np.full(len(who), UNLABELLED),
        game=GAME,
        placed=placed,
    )


def still(params: estimate.Params) -> Commands:
    return Commands.stop(params.robots, params.body_from_wheels.shape[1])


def placed(params: estimate.Params, poses: Floats) -> estimate.Tracks:
    """Return the tracks at time 0, right after the referee has put everybody in place."""
    return estimate.step(params, estimate.start(params), sight(0.0, placed=poses), still(params))[0]


def watch(params: estimate.Params, film: list[Detections]) -> tuple[estimate.Tracks, World]:
    """Return what is believed after a film; the first picture tells the placement."""
    tracks = estimate.start(params)
    for picture in film:
        tracks, world = estimate.step(params, tracks, picture, still(params))
    return tracks, world


def poses_of(world: World) -> Floats:
    return np.concatenate((world.ours.pose, world.theirs.pose))
