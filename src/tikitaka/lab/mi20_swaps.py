"""Who is who after a staged collision: what each way to follow robots makes of the same stream.

All of them begin with true poses and velocities, see detections without names and know what is commanded; a public
tracker learns velocities by itself and cannot be told the commands. A swap: at the end, when everybody has been told to
stop for STOP frames, a track is nearer to another robot than to the one that it began at. A run with one swap or more
counts once. A public tracker's track that is gone then has lost its robot, which counts too.
"""

import importlib
import importlib.util
import math
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from tikitaka import estimate
from tikitaka import league as leagues
from tikitaka.estimate import Association, Collisions
from tikitaka.estimate.belief import put
from tikitaka.estimate.moment import moment_of
from tikitaka.lab.mi20_scenes import BASELINE, CASES, RATE, Stream, commands, staged
from tikitaka.loop.believed import estimate_params
from tikitaka.types import OURS, UNLABELLED, Detections, Floats, Game, Phase

SIGMA = 0.8e-3  # [m] camera, as in Tables III and IV
AWAY = 50.0  # [m] where the other team is: nobody plays against these robots
GAME = Game(Phase.PLAY, 60.0, 0, 0, ours=True)
MOTPY = "motpy"
# Chosen with seeds 10,000 to 10,059 for fewest swaps, as UNAWARE is. Units mm, s: boxes must overlap to match.
MOTPY_BOX = 250.0
MOTPY_MODEL = {"q_var_pos": 1e8, "r_var_pos": 1.0, "q_var_size": 1e-4, "r_var_size": 1.0, "p_cov_p0": 1e7}


@dataclass(frozen=True, slots=True)
class Scene:
    """What happens, and what the camera gives."""

    case: int
    speed: float
    dropout: float  # share of the detections of robots that touch which are missing
    heading: bool


@dataclass(frozen=True, slots=True)
class Method:
    """A way to follow robots."""

    association: Association
    collisions: Collisions
    beliefs: int = 1
    noise: float | None = None  # [m^2/s^3] that commands do not explain; None: the estimator's own
    turning: float | None = None  # [rad^2/s^3] the same of headings


# Without collisions in the prediction noise must stand for them: of 2 to 512 m^2/s^3 and 200 to 25,000 rad^2/s^3 these
# have fewest swaps with GNN + Mahalanobis; greedy and GNN do not care.
UNAWARE, UNAWARE_TURNING = 32.0, 1000.0
METHODS: dict[str, Method | None] = {  # None: the public tracker of that name
    "greedy": Method(Association.GREEDY, Collisions.OFF, 1, UNAWARE, UNAWARE_TURNING),
    "GNN": Method(Association.NEAREST, Collisions.OFF, 1, UNAWARE, UNAWARE_TURNING),
    "GNN + Mahalanobis": Method(Association.LIKELIEST, Collisions.OFF, 1, UNAWARE, UNAWARE_TURNING),
    MOTPY: None,
    "one belief": Method(Association.LIKELIEST, Collisions.FULL),
    "ours": Method(Association.LIKELIEST, Collisions.FULL, beliefs=6),
}


def present() -> dict[str, Method | None]:
    """Return the methods that can be run here: a public tracker may not be installed."""
    return {name: m for name, m in METHODS.items() if m is not None or importlib.util.find_spec(name) is not None}


def outcome(scene: Scene, seed: int, methods: tuple[Method | None, ...]) -> list[bool]:
    """Return whether each of some methods swaps robots in one collision; None: motpy."""
    stream = staged(scene.case, seed, scene.speed, SIGMA, scene.dropout, scene.heading)
    return [
        confused(stream, by_motpy(stream) if m is None else followed(params_of(scene.case, scene.heading, m), stream))
        for m in methods
    ]


def confused(stream: Stream, at: Floats) -> bool:
    """Say whether a track (n, 2) is nearer to another robot than its own at the end, or nowhere (NaN)."""
    away = np.linalg.norm(at[:, None] - stream.pose[-1, None, :, :2], axis=2)
    return bool(np.isnan(away).any() or (away.argmin(axis=1) != np.arange(len(at))).any())


@cache
def params_of(case: int, heading: bool, method: Method) -> estimate.Params:
    """Return an estimator that knows a case's league and the camera."""
    params = estimate_params(leagues.load(CASES[case].league))
    own, held = (params.own_noise, params.held_noise) if method.noise is None else (method.noise, method.noise)
    return replace(
        params,
        robots=CASES[case].robots,
        noise_xy=SIGMA,
        noise_theta=SIGMA / BASELINE,
        headings=heading,
        association=method.association,
        collisions=method.collisions,
        beliefs=method.beliefs,
        own_noise=own,
        held_noise=held,
        turn_noise=params.turn_noise if method.turning is None else method.turning,
    )


def followed(params: estimate.Params, stream: Stream) -> Floats:
    """Return where the tracks (n, 2) of the robots are at the end of a stream."""
    tracks = begun(params, stream)
    for k, (t, rows) in enumerate(zip(stream.time.tolist(), stream.seen, strict=True)):
        tracks, world = estimate.step(params, tracks, sighted(t, rows), commands(stream, max(0, k - 1)))
    return world.ours.pose[:, :2]


def begun(params: estimate.Params, stream: Stream) -> estimate.Tracks:
    """Return the tracks of robots that are under way, as at a stream's first frame."""
    n, tracks = stream.robots, estimate.start(params)
    theirs = np.stack((np.full(n, AWAY), np.arange(n), np.zeros(n)), axis=1)
    robots = put(params, np.vstack((stream.pose[0], theirs)), float(stream.time[0]))
    robots.state[0, :n, 3:] = stream.velocity[0]
    return replace(tracks, moments=(moment_of(robots, tracks.moments[0].ball),))


def sighted(now: float, rows: Floats) -> Detections:
    """Return a picture of our robots (m, 3), which bear no names."""
    m = len(rows)
    return Detections(
        now=now,
        ball_time=np.empty(0),
        ball_xy=np.empty((0, 2)),
        robot_time=np.full(m, now),
        robot_pose=rows,
        robot_team=np.full(m, OURS),
        robot_label=np.full(m, UNLABELLED),
        game=GAME,
        placed=None,
    )


def by_motpy(stream: Stream) -> Floats:
    """Return where motpy's tracks (n, 2) are at the end, NaN where one is gone; it sees no headings."""
    motpy: Any = importlib.import_module(MOTPY)
    spec = {"order_pos": 1, "dim_pos": 2, "order_size": 0, "dim_size": 2, **MOTPY_MODEL}
    tracker = motpy.MultiObjectTracker(dt=1.0 / RATE, model_spec=spec, matching_fn_kwargs={"min_iou": 0.01})
    names, half = list[str](), np.array((-0.5, -0.5, 0.5, 0.5)) * MOTPY_BOX
    for k, rows in enumerate(stream.seen):
        centres = 1e3 * (stream.pose[0] if k == 0 else rows)[:, (0, 1, 0, 1)]
        tracks = tracker.step([motpy.Detection(box) for box in centres + half])
        names = names or [track.id for track in tracks]
    at = {track.id: 0.5e-3 * (track.box[:2] + track.box[2:]) for track in tracks}
    return np.array([at.get(name, (math.nan, math.nan)) for name in names])
