"""The ball: where it is, how fast, how it brakes, and where it will be, through bounces off walls and robots.

`step` once a picture, `predict` to any time, `intercept` for who can get it when; `start` and `put` begin. A track is
small arrays and never changes; bad input is counted on it and changes nothing else.
"""

import dataclasses
import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.estimate.kernels import following, kicking, travelling
from tikitaka.estimate.kernels.rolling import COULOMB, MU, VISCOUS
from tikitaka.types import Field, Floats

NOBODY = np.zeros((0, 6))
NO_KICKS = np.zeros((0, 2))
TALLEST = 1e3  # [m] a camera so high sees a flying ball where it is


class Friction(IntEnum):
    """What brakes a rolling ball."""

    COULOMB = 0  # mu is a deceleration [m/s^2] [Beard, sec. 2.4]
    VISCOUS = 1  # mu is a rate [1/s]: v' = -mu v [Beard, sec. 3.2]


class Mode(IntEnum):
    """What the ball is doing."""

    UNKNOWN = 0  # never seen
    MOVING = 1
    RESTING = 2  # exactly still


@dataclass(frozen=True, slots=True)
class BallParams:
    """What is believed of the ball, of what it meets, and of the camera."""

    boards: Floats  # (k, 4) segments ax, ay, bx, by, the pitch on their left; see `edges_of`
    radius: float = 0.02135
    friction: Friction = Friction.COULOMB
    friction_mean: float = 0.3  # of mu: the league's rolling_deceleration or rolling_damping
    friction_spread: float = 0.1  # standard deviation of that
    friction_wander: float = 0.01  # by how much mu may change, a square root of a second
    sliding: float = 0.0  # [m/s^2] deceleration of a ball that slides after a kick; 0: it rolls at once
    restitution_wall: float = 0.5
    restitution_robot: float = 0.5
    restitution_ground: float = 0.5
    robot_mass: float = math.inf  # in masses of the ball: a light robot is pushed back
    noise: float = 0.001  # standard deviation of a detection at the middle of the picture
    noise_growth: float = 0.0  # added share of it at the picture's edge, with the square of the distance
    camera: tuple[float, float, float, float] = (0.0, 0.0, TALLEST, 1.0)  # x, y, height, reach of its picture
    body: tuple[float, float, float, float] = (-0.0375, 0.0375, 0.0375, 0.054)  # x from, x to, half width, radius
    robot_height: float = 0.075  # a ball flies over what is lower
    wall_height: float = 0.05
    forces: float = 0.02  # [m^2/s^3] chosen: density of unknown accelerations of a ball that rolls freely
    forces_near: float = 5.0  # [m^2/s^3] chosen: and of one near a robot
    near: float = 0.03  # [m] chosen: gap below which it counts as near
    kick_reach: float = 0.15  # [m] chosen: gap below which a robot may have kicked; inf: it moves by itself
    kick_spread: float = 3.0  # [m/s] chosen: standard deviation of a kick's velocity
    fastest: float = 10.0  # [m/s] chosen: no ball is faster
    wall_doubt: float = 0.05  # chosen: of the closing speed, what is unknown after a bounce
    robot_doubt: float = 0.2  # chosen
    rim_doubt: float = 0.1  # [m/s] chosen: standard deviation of the velocity of a robot's rim
    gate: float = 16.0  # squared Mahalanobis distance; chi^2 of two numbers is above once in 3000
    patience: int = 2  # chosen: detections elsewhere, one after the other, before the ball is believed to be there
    slow: float = 0.03  # [m/s] chosen: seen in one place as no ball of this speed would be, it rests
    rest_after: int = 5
    max_lift: float = 0.0  # [m/s] of the league's chip kicks; 0: no ball is ever taken for flying
    lost_after: float = 1.0  # [s] chosen: unseen for so long it may be anywhere
    gravity: float = 9.81
    tables: tuple[Floats, ...] = dataclasses.field(init=False, repr=False, compare=False)  # the kernels' order

    def __post_init__(self) -> None:
        if self.boards.ndim != 2 or self.boards.shape[1] < 4:
            raise ContractError(f"boards must be (k, 4); got {self.boards.shape}")
        for name in ("radius", "noise", "gate", "fastest", "lost_after", "gravity"):
            if not getattr(self, name) > 0.0:
                raise ContractError(f"{name} must be above 0; got {getattr(self, name)}")
        object.__setattr__(self, "tables", _tables(self))


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
        """How many detections were rejected, not finite; pictures late; kicks, bounces, restarts noticed."""
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
    mean, covariance, memory = track.mean.copy(), track.covariance.copy(), track.memory.copy()
    path = track.path.copy()
    work, old = np.empty((6, 7, 7)), np.empty((2, 8, 9))
    following.follow(
        mean, covariance, memory, path, time, xy, robots, kicks, law, boards, body, skin, tune, camera, old, work
    )
    return BallTrack(mean, covariance, memory, path)


def predict(
    params: BallParams, track: BallTrack, time: float, robots: Floats = NOBODY, robots_time: float | None = None
) -> tuple[Floats, Floats]:
    """Return mean (9,) and covariance (7, 7) at a time, through bounces; before the track's time: the track's own.

    ``robots`` go on at constant velocity from where they are at ``robots_time``, the track's time unless given.
    """
    law, skin, _, body, _, boards = params.tables
    mean, covariance = track.mean.copy(), track.covariance.copy()
    dt = time - track.time
    if 0.0 < dt < math.inf:
        begin = 0.0 if robots_time is None else track.time - robots_time
        work = np.empty((3, 7, 7))
        travelling.travel(mean, covariance, dt, begin, law, boards, robots, body, skin, work, spread=True)
    return mean, covariance


def intercept(
    params: BallParams, track: BallTrack, now: float, x: float, y: float, max_speed: float, max_acceleration: float,
    reach: float = 0.0, horizon: float = 5.0,
) -> tuple[float, float, float]:  # fmt: skip
    """Return when (absolute), and where, a robot that stands at (x, y) now first has the ball within reach.

    inf: not within the horizon; the place then is where the ball comes to lie, or is at the horizon.
    """
    mean, covariance = predict(params, track, now)
    law, skin, _, body, _, boards = params.tables
    t, bx, by = travelling.foresee(
        mean, horizon, 0.0, law, boards, NOBODY, body, skin, covariance, np.empty((3, 7, 7)),
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


def _tables(p: BallParams) -> tuple[Floats, ...]:
    kind = COULOMB if p.friction == Friction.COULOMB else VISCOUS
    most = p.friction_mean + 10.0 * p.friction_spread
    robot = (1.0 + p.restitution_robot) / (1.0 + 1.0 / p.robot_mass) - 1.0
    law = (kind, p.sliding, p.gravity, p.forces, p.forces_near, p.friction_wander**2, most)
    skin = (
        p.radius, p.restitution_wall, robot, p.wall_doubt, p.robot_doubt, p.rim_doubt, p.wall_height, p.robot_height,
        p.near, p.restitution_ground,
    )  # fmt: skip
    tune = (
        p.noise**2, p.noise_growth, p.gate, p.patience, p.kick_spread, p.fastest, p.slow, p.rest_after, p.lost_after,
        p.kick_reach, p.friction_mean, p.friction_spread**2, p.max_lift,
    )  # fmt: skip
    boards = np.ascontiguousarray(p.boards[:, :4], np.float64)
    return (*(np.array(row, np.float64) for row in (law, skin, tune, p.body, p.camera)), boards)
