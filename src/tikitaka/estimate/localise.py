"""Where a robot is by what it sees itself: range and bearing to known markers, and its odometry [Beard, sec. 3].

`start` with a pose or without one, `step` with every odometry or sighting; `see` follows a ball or another robot from
the moving robot. Misread markers are gated out; what odometry and ranges are off by is learnt on the way.
"""

import dataclasses
import math
from dataclasses import dataclass, replace

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.estimate.ball import NOBODY, BallParams, BallTrack, Mode
from tikitaka.estimate.kernels import kicking, ranging, travelling
from tikitaka.types import Floats

MOST_KEPT = 40  # sightings kept to find an unknown pose
NOTHING = np.zeros((0, 3))
APART = 0.3  # [m] chosen: of two markers that tell a heading
UNSURE = 0.5  # [m] chosen: standard deviation at which a place is not taken yet: markers far off and close together
AGREES = 0.35  # [m] chosen: a sighting this far from its marker belongs to the same pose


@dataclass(frozen=True, slots=True)
class LocaliseParams:
    """What is believed of the markers, the sensor and the odometry."""

    markers: Floats  # (k, 2)
    noise_range: float = 0.02  # [m] chosen: standard deviation
    noise_range_share: float = 0.02  # chosen: of the range, on top
    noise_bearing: float = 0.02  # [rad] chosen
    coherence: float = 2.0  # [s] chosen: so long errors of one marker's sightings resemble each other; 0: they do not
    depth: bool = False  # ranges are depths along the line of sight
    gate: float = 16.0  # squared Mahalanobis distance
    patience: int = 10  # sightings in a row outside the gate before the pose is opened
    slip_way: float = 0.01  # [m] chosen: what odometry does not know of the way, after a second
    slip_way_share: float = 0.1  # chosen: on top, of the speed
    slip_side_share: float = 0.01  # chosen: sideways, of the speed
    slip_turn: float = 0.02  # [rad] chosen: and of the heading
    slip_turn_share: float = 0.1  # chosen: on top, of the turn rate
    gain_drive: float = 0.1  # chosen: standard deviation of the gains of driving, turning and ranges; 0: they are 1
    gain_turn: float = 0.05
    gain_range: float = 0.02
    added_range: float = 0.05  # [m] chosen: of what is added to ranges: a sensor that is not at the robot's centre
    gain_wander: float = 0.001  # chosen: of all these, after a second
    tables: tuple[Floats, ...] = dataclasses.field(init=False, repr=False, compare=False)  # the kernels' order

    def __post_init__(self) -> None:
        if self.markers.ndim != 2 or self.markers.shape[1] != 2:
            raise ContractError(f"markers must be (k, 2); got {self.markers.shape}")
        slip = (self.slip_way, self.slip_way_share, self.slip_turn, self.slip_turn_share)
        errors = (self.noise_range, self.noise_range_share, self.noise_bearing, self.coherence)
        tables = (
            np.array((*slip, self.gain_wander, self.slip_side_share)),
            np.array((*errors, self.gate, self.patience, self.depth), np.float64),
            np.ascontiguousarray(self.markers, np.float64),
        )
        object.__setattr__(self, "tables", tables)


@dataclass(frozen=True, slots=True)
class Pose:
    """What a robot knows of itself."""

    mean: Floats  # (7,) x, y, heading; gains of driving, turning and ranges; added to ranges
    covariance: Floats  # (7, 7)
    seen: Floats  # (k,) when each marker was seen last
    memory: Floats  # (10,) time, whether it is known, counters
    kept: Floats  # (m, 3) of an unknown pose: marker, and where it seemed to be as seen from the start of odometry

    @property
    def time(self) -> float:
        """When it was so."""
        return float(self.memory[ranging.TIME])

    @property
    def known(self) -> bool:
        """Whether x, y and heading are in the field frame; else they count from where odometry began."""
        return bool(self.memory[ranging.KNOWN])

    @property
    def nis(self) -> tuple[float, int]:
        """Sum and number of the normalised innovations squared; the mean of a consistent filter is 2."""
        return float(self.memory[ranging.NIS_SUM]), int(self.memory[ranging.NIS_COUNT])

    @property
    def counts(self) -> dict[str, int]:
        """How many sightings were rejected or bad, steps late, and how often the pose was opened."""
        names = {"rejected": ranging.REJECTED, "bad": ranging.BAD, "late": ranging.LATE, "opened": ranging.OPENED}
        return {name: int(self.memory[k]) for name, k in names.items()}


def start(
    params: LocaliseParams, time: float, pose: tuple[float, float, float] | None = None, spread: float = 0.1
) -> Pose:
    """Return a robot that stands at a pose, known to ``spread`` (m and rad); None: it will find out by markers."""
    x, y, phi = pose or (0.0, 0.0, 0.0)
    place = spread**2 if pose else 0.0
    gains = (params.gain_drive, params.gain_turn, params.gain_range, params.added_range)
    covariance = np.diag((place, place, place, *(g**2 for g in gains)))
    memory = np.zeros(10)
    memory[ranging.TIME], memory[ranging.KNOWN] = time, float(pose is not None)
    mean = np.array((x, y, phi, 1.0, 1.0, 1.0, 0.0))
    return Pose(mean, covariance, np.full(len(params.markers), -math.inf), memory, np.zeros((0, 3)))


def step(
    params: LocaliseParams, pose: Pose, time: float, velocity: tuple[float, float, float], sightings: Floats = NOTHING
) -> Pose:
    """Return the pose at ``time``: driven there at a body velocity vx, vy, omega, then corrected by sightings (k, 3).

    A row is marker, range, bearing. Rows that are no numbers or name no marker are counted, a step back in time is too.
    """
    vx, vy, omega = velocity
    if not math.isfinite(time) or time < pose.time:
        memory = pose.memory.copy()
        memory[ranging.LATE] += 1.0
        return replace(pose, memory=memory)
    if not all(math.isfinite(v) for v in velocity):
        vx, vy, omega = 0.0, 0.0, 0.0
    new = Pose(pose.mean.copy(), pose.covariance.copy(), pose.seen.copy(), pose.memory.copy(), pose.kept)
    slip, sensor, markers = params.tables
    ranging.follow(
        new.mean, new.covariance, new.seen, new.memory, time, vx, vy, omega, sightings, markers, slip, sensor,
        np.empty((4, 7, 7)),
    )  # fmt: skip
    if not new.known and len(sightings):
        return _find(params, _keep(params, new, sightings))
    return new


def see(
    params: LocaliseParams, motion: BallParams, track: BallTrack, time: float, pose: Pose, away: float, bearing: float
) -> BallTrack:
    """Return the track of a ball or another robot after a sighting from a robot at ``pose``. [Beard, secs. 3.2, 3.3]

    ``motion`` says how the target moves: a ball as it is; a robot without friction, with large forces and no boards.
    """
    if not (math.isfinite(time) and math.isfinite(away) and math.isfinite(bearing) and away > 0.0 and pose.known):
        return track
    _, sensor, _ = params.tables
    law, skin, _, body, _, boards = motion.tables
    mean, covariance, memory = track.mean.copy(), track.covariance.copy(), track.memory.copy()
    work = np.empty((4, 7, 7))
    if track.mode == Mode.UNKNOWN or memory[kicking.MISSES] > motion.patience:  # new, or it is somewhere else
        d = (ranging.straight(away, bearing, sensor) - pose.mean[6]) / pose.mean[5]
        c, s = math.cos(pose.mean[2] + bearing), math.sin(pose.mean[2] + bearing)
        kicking.settle(mean, covariance, pose.mean[0] + c * d, pose.mean[1] + s * d, 0.0, 0.0, 1.0, 1.0)
        memory[kicking.MODE], memory[kicking.MISSES] = Mode.MOVING, 0.0
    elif time > track.time:
        travelling.travel(
            mean, covariance, time - track.time, 0.0, law, boards, NOBODY, body, skin, work[:3], spread=True
        )
    memory[kicking.TIME] = max(time, track.time)
    nis = ranging.sight_target(
        mean[:5], covariance[:5, :5], pose.mean, pose.covariance[:3, :3], away, bearing, sensor, work
    )
    memory[kicking.REJECTED] += nis < 0.0
    memory[kicking.MISSES] = memory[kicking.MISSES] + 1.0 if nis < 0.0 else 0.0
    memory[kicking.NIS_SUM] += max(0.0, nis)
    memory[kicking.NIS_COUNT] += nis >= 0.0
    memory[kicking.SEEN] = time if nis >= 0.0 else memory[kicking.SEEN]
    mean[4] = min(max(mean[4], 0.0), law[6])
    mean[7:] = mean[2:4]
    return BallTrack(mean, covariance, memory, track.path)


def _keep(params: LocaliseParams, pose: Pose, sightings: Floats) -> Pose:
    """Return the pose with sightings kept as points, as seen from where odometry began."""
    good = [
        (j, ranging.straight(away, bearing, params.tables[1]), bearing)
        for j, away, bearing in sightings.tolist()
        if 0 <= j < len(params.markers) and 0.0 < away < math.inf and math.isfinite(bearing)
    ]
    x, y, phi = pose.mean[:3]
    points = [(j, x + d * math.cos(phi + b), y + d * math.sin(phi + b)) for j, d, b in good]
    kept = np.concatenate((pose.kept, np.array(points).reshape(-1, 3)))[-MOST_KEPT:]
    return replace(pose, kept=kept)


def _find(params: LocaliseParams, pose: Pose) -> Pose:
    """Return the pose in the field frame, if three sightings of two markers or more agree on one."""
    best = np.zeros(0, np.bool_)
    points, there = pose.kept[:, 1:], params.markers[pose.kept[:, 0].astype(np.int64)]
    for i in range(len(points)):
        for j in range(i):
            seen, true = points[i] - points[j], there[i] - there[j]
            if np.hypot(*true) < APART or abs(np.hypot(*seen) - np.hypot(*true)) > AGREES:
                continue
            turn = math.atan2(true[1], true[0]) - math.atan2(seen[1], seen[0])
            off = there - there[i] - (points - points[i]) @ _rotation(turn).T
            fits = np.hypot(off[:, 0], off[:, 1]) < AGREES
            best = fits if fits.sum() > best.sum() else best
    if best.sum() < 3 or len(np.unique(pose.kept[best, 0])) < 2:
        return pose
    return _placed(pose, points[best], there[best])


def _placed(pose: Pose, points: Floats, there: Floats) -> Pose:
    """Return the pose at which points, as seen from where odometry began, lie best on their markers, if sure."""
    a, b = points - points.mean(axis=0), there - there.mean(axis=0)
    turn = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    mean, covariance, memory = pose.mean.copy(), pose.covariance.copy(), pose.memory.copy()
    mean[:2] = there.mean(axis=0) + _rotation(turn) @ (mean[:2] - points.mean(axis=0))
    mean[2] = (mean[2] + turn + math.pi) % (2.0 * math.pi) - math.pi
    spread = 0.1 + 0.1 / math.sqrt(len(points))
    wide = spread / max(1e-3, math.sqrt(float((b * b).sum() / len(b))))
    doubt = math.hypot(spread, wide * float(np.hypot(*(mean[:2] - there.mean(axis=0)))))
    if doubt > UNSURE:
        return pose
    covariance[:3, :] = covariance[:, :3] = 0.0
    covariance[0, 0] = covariance[1, 1] = doubt**2
    covariance[2, 2] = wide**2
    memory[ranging.KNOWN] = 1.0
    return Pose(mean, covariance, pose.seen, memory, np.zeros((0, 3)))


def _rotation(turn: float) -> Floats:
    c, s = math.cos(turn), math.sin(turn)
    return np.array(((c, -s), (s, c)))
