"""The ball: where it is, how fast, how it brakes, and where it will be, through bounces off walls and robots.

`step` once a picture, `predict` to any time, `intercept` for who can get it when; `start` and `put` begin. A track is
small arrays and never changes; bad input is counted on it and changes nothing else.
"""

import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.estimate.ball_params import TALLEST, BallParams, Friction
from tikitaka.estimate.kernels import following, kicking, travelling
from tikitaka.estimate.kernels.counting import FARTHEST
from tikitaka.estimate.kernels.rolling import HORIZON, MU
from tikitaka.types import Field, Floats
from tikitaka.types.limits import rows_of

__all__ = [
    "FARTHEST",
    "HORIZON",
    "LATEST",
    "NOBODY",
    "NO_KICKS",
    "TALLEST",
    "BallParams",
    "BallTrack",
    "Friction",
    "Mode",
    "edges_of",
    "intercept",
    "predict",
    "put",
    "start",
    "step",
]  # fmt: skip

NOBODY = np.zeros((0, 6))
NO_KICKS = np.zeros((0, 2))
LATEST = 1e12  # [s] chosen: two pictures so long after a clock's zero could not be told apart by 0.1 ms


class Mode(IntEnum):
    """What the ball is doing."""

    UNKNOWN = 0  # never seen
    MOVING = 1
    RESTING = 2  # exactly still


@dataclass(frozen=True, slots=True)
class BallTrack:
    """What is remembered of the ball; made by `start`, `put` and `step`."""

    mean: Floats  # (9,) x, y, vx, vy, mu, z, vz, and the velocity of pure rolling
    covariance: Floats  # (7, 7) of the first seven
    memory: Floats  # (24,) times, mode, counters: the properties below
    path: Floats  # (24, 3) time and place of detections since a kick

    @property
    def time(self) -> float:
        """When the newest picture was taken; -inf before the first."""
        return float(self.memory[kicking.TIME])

    @property
    def seen(self) -> float:
        """When the ball was last seen where it is believed to be."""
        return float(self.memory[kicking.SEEN])

    @property
    def mode(self) -> Mode:
        """What the ball is doing."""
        return Mode(int(self.memory[kicking.MODE]))

    @property
    def friction(self) -> float:
        """The estimated mu."""
        return float(self.mean[MU])

    @property
    def flying(self) -> bool:
        """Whether it is above the ground."""
        return bool(self.mean[5] > 0.0 or self.mean[6] != 0.0)

    @property
    def nis(self) -> tuple[float, int]:
        """Sum and number of the normalised innovations squared; the mean of a consistent filter is 2."""
        return float(self.memory[kicking.NIS_SUM]), int(self.memory[kicking.NIS_COUNT])

    @property
    def counts(self) -> dict[str, int]:
        """How many detections were rejected, or no places; pictures late; kicks, bounces, restarts noticed."""
        names = {"rejected": kicking.REJECTED, "bad": kicking.BAD, "late": kicking.LATE, "kicks": kicking.KICKS}
        names |= {"bounces": kicking.BOUNCES, "restarts": kicking.RESTARTS}
        return {name: int(self.memory[k]) for name, k in names.items()}


def start(params: BallParams) -> BallTrack:
    """Return a track that has seen nothing."""
    memory = np.zeros(kicking.MEMORY)
    memory[[kicking.TIME, kicking.SEEN, kicking.KICKED, kicking.ELSE_TIME]] = -math.inf
    memory[kicking.STRAIN], memory[kicking.STILL_X] = 2.0, math.inf
    mean, covariance = np.zeros(9), np.diag((1.0, 1.0, 1.0, 1.0, params.friction_spread**2, 0.0, 0.0))
    mean[MU] = params.friction_mean
    return BallTrack(mean, covariance, memory, np.zeros((kicking.MOST_POINTS, 3)))


def put(params: BallParams, track: BallTrack, time: float, x: float, y: float) -> BallTrack:
    """Return the track of a ball that the referee has put down, at rest; what was learnt of friction stays."""
    for name, value in (("x", x), ("y", y)):
        if not abs(value) <= FARTHEST:
            raise ContractError(f"{name} must be in [{-FARTHEST:g}, {FARTHEST:g}]; got {value}")
    if not time < math.inf:
        raise ContractError(f"time must be a time; got {time}")
    new = BallTrack(*(a.copy() for a in (track.mean, track.covariance, track.memory, track.path)))
    kicking.settle(new.mean, new.covariance, x, y, 0.0, 0.0, params.noise**2, 0.0)
    m = new.memory
    m[kicking.TIME], m[kicking.SEEN], m[kicking.MODE], m[kicking.STRAIN] = time, time, Mode.RESTING, 2.0
    m[[kicking.MISSES, kicking.ELSE_COUNT, kicking.QUIET, kicking.POINTS]] = 0.0
    m[[kicking.KICKED, kicking.ELSE_TIME]] = -math.inf
    return new


def step(
    params: BallParams,
    track: BallTrack,
    time: float,
    xy: Floats,
    robots: Floats = NOBODY,
    kicks: Floats = NO_KICKS,
) -> BallTrack:
    """Return the track after one picture's ball detections (k, 2), any number of them.

    ``robots`` (n, 6) x, y, theta, vx, vy, omega at ``time``; ``kicks`` (m, 2) speed and lift that the first m of them
    have been told to kick with now. A picture not newer than the track is counted as late and changes nothing.
    """
    law, skin, tune, body, camera, boards = params.tables
    xy, robots, kicks = _rows("xy", xy, 2), _rows("robots", robots, 6), _rows("kicks", kicks, 2)
    kicks = kicks[: len(robots)]  # of others nobody knows where they are
    mean, covariance, memory = track.mean.copy(), track.covariance.copy(), track.memory.copy()
    path = track.path.copy()
    if not abs(time) <= LATEST:
        time = math.nan  # counted as late
    elif memory[kicking.MODE] != kicking.UNKNOWN:
        memory[kicking.TIME] = max(track.time, time - HORIZON)
    work, old = np.empty((6, 7, 7)), np.empty((2, 8, 9))
    following.follow(
        mean, covariance, memory, path, time, xy, robots, kicks, law, boards, body, skin, tune, camera, old, work
    )
    return BallTrack(mean, covariance, memory, path)


def predict(
    params: BallParams, track: BallTrack, time: float, robots: Floats = NOBODY, robots_time: float | None = None
) -> tuple[Floats, Floats]:
    """Return mean (9,) and covariance (7, 7) at a time, through bounces; before the track's time: the track's own.

    ``robots`` go on at constant velocity from where they are at ``robots_time``, the track's time unless given. Later
    than `HORIZON` it is as it was then.
    """
    law, skin, _, body, _, boards = params.tables
    robots = _rows("robots", robots, 6)
    mean, covariance = track.mean.copy(), track.covariance.copy()
    dt = time - track.time
    if 0.0 < dt < math.inf:
        begin = 0.0 if robots_time is None else track.time - robots_time
        work = np.empty((3, 7, 7))
        travelling.travel(mean, covariance, min(dt, HORIZON), begin, law, boards, robots, body, skin, work, spread=True)
    return mean, covariance


def intercept(
    params: BallParams, track: BallTrack, now: float, x: float, y: float, max_speed: float, max_acceleration: float,
    reach: float = 0.0, horizon: float = 5.0,
) -> tuple[float, float, float]:  # fmt: skip
    """Return when (absolute), and where, a robot that stands at (x, y) now first has the ball within reach.

    inf: not within the horizon, `HORIZON` at most; the place then is where the ball comes to lie, or is at the horizon.
    """
    for name, value in (("max_speed", max_speed), ("max_acceleration", max_acceleration)):
        if not 0.0 < value < math.inf:
            raise ContractError(f"{name} must be above 0 and finite; got {value}")
    for name, value in (("now", now), ("x", x), ("y", y), ("reach", reach)):
        if not math.isfinite(value):
            raise ContractError(f"{name} must be finite; got {value}")
    if math.isnan(horizon):
        raise ContractError(f"horizon must be a time; got {horizon}")
    mean, covariance = predict(params, track, now)
    law, skin, _, body, _, boards = params.tables
    t, bx, by = travelling.foresee(
        mean, min(horizon, HORIZON), 0.0, law, boards, NOBODY, body, skin, covariance, np.empty((3, 7, 7)),
        x, y, reach, max_speed, max_acceleration,
    )  # fmt: skip
    return now + t, bx, by


def edges_of(field: Field) -> Floats:
    """Return the boards (k, 4) around a pitch, its goals and corners included, the pitch on their left."""
    x, y, c = field.half_length + field.margin_x, field.half_width + field.margin_y, field.corner
    gx, gy, t = field.half_length + field.goal_depth, 0.5 * field.goal_width, field.goal_wall
    side = [(x, c - y), (x, y - c), (x - c, y)]
    if field.margin_x == 0.0:
        side[1:1] = [(x, -gy), (gx, -gy), (gx, gy), (x, gy)]
    ring = [*side, *((-px, -py) for px, py in side)]
    if c > 0.0:
        ring = [*side, (c - x, y), *((-px, -py) for px, py in side), (x - c, -y)]
    rings = [ring]
    if field.margin_x > 0.0:
        boxes = [
            (field.half_length, gy, gx + t, gy + t),
            (gx, -gy, gx + t, gy),
            (field.half_length, -gy - t, gx + t, -gy),
        ]
        for x0, y0, x1, y1 in boxes:
            rings += [[(s * x0, s * y0), (s * x0, s * y1), (s * x1, s * y1), (s * x1, s * y0)] for s in (1.0, -1.0)]
    pairs = [(*a, *b) for ring in rings for a, b in zip(ring, ring[1:] + ring[:1], strict=True)]
    return np.array([pair for pair in pairs if pair[:2] != pair[2:]])


def _rows(name: str, rows: Floats, wide: int) -> Floats:
    """Return the rows with NaN, which kernels pass over, for absurd numbers; raise where these are none."""
    rows = rows_of(name, rows, wide)
    if np.vdot(rows, rows) <= FARTHEST**2:  # so is none; this takes a third of the time
        return rows
    return np.where(np.abs(rows) <= FARTHEST, rows, math.nan)
