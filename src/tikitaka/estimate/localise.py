"""Where a robot is by what it sees itself: range and bearing to known markers, and its odometry [Beard, sec. 3].

`start` with a pose or without one, `step` with every odometry or sighting; `see` follows a ball or another robot from
the moving robot. Misread markers are gated out; what odometry and ranges are off by is learnt on the way. A pose that
most sightings speak against, as when somebody carries the robot off, is given up and found anew.
"""

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.estimate.ball import NOBODY, BallParams, BallTrack, Mode
from tikitaka.estimate.kernels import kicking, ranging, travelling
from tikitaka.types import Floats
from tikitaka.types.limits import expect_number, expect_whole, rows_of

MOST_KEPT = 40  # sightings kept to find an unknown pose
NOTHING = np.zeros((0, 3))
GAINS = np.array((1.0, 1.0, 1.0, 0.0))  # of driving, turning, ranges; added to ranges: as long as nothing is learnt
APART = 0.3  # [m] chosen: of two markers that tell a heading
UNSURE = 0.5  # [m] chosen: standard deviation at which a place is not taken yet: markers far off and close together
AGREES = 0.35  # [m] chosen: a sighting this far from its marker belongs to the same pose
NUMBER = int | float | np.integer | np.floating
LATEST = 1e12  # [s] chosen: two sightings so long after a clock's zero could not be told apart by 0.1 ms
STRAY = 3.0  # chosen: standard deviations by which what was learnt may be off and is still believed of a lost robot
LEAST, MOST = 1e-6, 1e9  # in SI units, chosen: of what is divided by, and of all: squares stay far from overflow
ABOVE_ZERO = ("noise_range", "noise_bearing", "gate", "fastest", "fastest_turn", "farthest")


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
    patience: int = 20  # chosen: sightings outside the gate, less 0.7 for each within, at which the pose is given up
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
    fastest: float = 10.0  # [m/s] chosen: odometry that says more is wrong; MiroSot's robots, the fastest, drive 4
    fastest_turn: float = 200.0  # [rad/s] chosen: the same; those turn 114, wheels against each other, slipping apart
    farthest: float = 100.0  # [m] chosen: a range that says more is wrong; a pitch of 12 m has no marker so far off
    tables: tuple[Floats, ...] = dataclasses.field(init=False, repr=False, compare=False)  # the kernels' order

    def __post_init__(self) -> None:
        _check(self)
        slip = (self.slip_way, self.slip_way_share, self.slip_turn, self.slip_turn_share)
        errors = (self.noise_range, self.noise_range_share, self.noise_bearing, self.coherence)
        tables = (
            np.array((*slip, self.gain_wander, self.slip_side_share, self.fastest, self.fastest_turn), np.float64),
            np.array((*errors, self.gate, self.patience, self.depth, self.farthest), np.float64),
            np.ascontiguousarray(self.markers, np.float64),
            np.array((self.gain_drive, self.gain_turn, self.gain_range, self.added_range), np.float64),
        )
        object.__setattr__(self, "tables", tables)


@dataclass(frozen=True, slots=True)
class Pose:
    """What a robot knows of itself."""

    mean: Floats  # (7,) x, y, heading; gains of driving, turning and ranges; added to ranges
    covariance: Floats  # (7, 7)
    seen: Floats  # (k,) when each marker was seen last
    memory: Floats  # (10,) time, whether it is known, counters: see `kernels.ranging`
    kept: Floats  # (m, 3) of an unknown pose: marker, and where it seemed to be as seen from the start of odometry

    @property
    def time(self) -> float:
        """When it was so."""
        return float(self.memory[ranging.TIME])

    @property
    def known(self) -> bool:
        """Whether x, y and heading are in the field frame; else they count from where it began to look for itself."""
        return bool(self.memory[ranging.KNOWN])

    @property
    def nis(self) -> tuple[float, int]:
        """Sum and number of the normalised innovations squared; the mean of a consistent filter is 2."""
        return float(self.memory[ranging.NIS_SUM]), int(self.memory[ranging.NIS_COUNT])

    @property
    def counts(self) -> dict[str, int]:
        """How many sightings were rejected, sightings or odometry bad, steps late; how often the pose was given up."""
        names = {"rejected": ranging.REJECTED, "bad": ranging.BAD, "late": ranging.LATE, "lost": ranging.LOST}
        return {name: int(self.memory[k]) for name, k in names.items()}


def start(params: LocaliseParams, time: float, pose: Sequence[float] | None = None, spread: float = 0.1) -> Pose:
    """Return a robot that stands at a pose x, y, heading, known to ``spread`` (m and rad); None: it finds out."""
    x, y, phi = (0.0, 0.0, 0.0) if pose is None else _three("pose", pose)
    expect_number("spread", spread, 0.0, MOST)
    for name, value, most in (("time", time, LATEST), ("x", x, MOST), ("y", y, MOST), ("heading", phi, MOST)):
        expect_number(name, value, -most, most)
    place = 0.0 if pose is None else spread
    covariance = np.diag(np.array((place, place, place, *params.tables[3])) ** 2)
    memory = np.zeros(ranging.MEMORY)
    memory[ranging.TIME], memory[ranging.KNOWN], memory[ranging.ELSEWHERE] = time, float(pose is not None), math.nan
    mean = np.array((x, y, phi, *GAINS))
    return Pose(mean, covariance, np.full(len(params.markers), -math.inf), memory, NOTHING)


def step(
    params: LocaliseParams, pose: Pose, time: float, velocity: Sequence[float], sightings: Floats = NOTHING
) -> Pose:
    """Return the pose at ``time``: driven there at a body velocity vx, vy, omega, then corrected by sightings (k, 3).

    A row is marker, range, bearing. Rows and velocities that cannot be are counted as bad; of such a velocity only the
    time is believed. A step back in time, or ahead by more than a minute, is counted as late and changes nothing; by
    more than a minute and twice in a row it is a new clock, and nobody knows where the robot is.
    """
    vx, vy, omega = _three("velocity", velocity)
    sightings = rows_of("sightings", sightings, 3)
    _fits("pose", pose, mean=(7,), covariance=(7, 7), seen=params.markers.shape[:1], memory=(ranging.MEMORY,))
    if not 0.0 <= time - pose.time <= ranging.LONGEST:
        return _untimely(params, pose, time)
    new = Pose(pose.mean.copy(), pose.covariance.copy(), pose.seen.copy(), pose.memory.copy(), pose.kept)
    new.memory[ranging.ELSEWHERE] = math.nan
    slip, sensor, markers, _ = params.tables
    told = ranging.follow(
        new.mean, new.covariance, new.seen, new.memory, time, vx, vy, omega, sightings, markers, slip, sensor,
        np.empty((4, 7, 7)),
    )  # fmt: skip
    if pose.known and not new.known:
        new = _lost(params, new, time)
    if not (told or new.known) and time > pose.time:
        new = replace(new, kept=NOTHING)  # nobody knows how it has moved since
    if not new.known and len(sightings):
        return _find(params, _keep(params, new, sightings))
    return new


def see(
    params: LocaliseParams, motion: BallParams, track: BallTrack, time: float, pose: Pose, away: float, bearing: float
) -> BallTrack:
    """Return the track of a ball or another robot after a sighting from a robot at ``pose``. [Beard, secs. 3.2, 3.3]

    ``motion`` says how the target moves: a ball as it is; a robot without friction, with large forces and no boards.
    What cannot be a sighting from there and then is counted as bad; one older than the track as late.
    """
    _fits("pose", pose, mean=(7,), covariance=(7, 7), seen=params.markers.shape[:1], memory=(ranging.MEMORY,))
    _fits("track", track, mean=(9,), covariance=(7, 7), memory=(kicking.MEMORY,))
    if not pose.known:
        return track
    sensor, gap = params.tables[1], time - track.time
    d = ranging.length(away, bearing, pose.mean, sensor)
    mean, covariance, memory = track.mean.copy(), track.covariance.copy(), track.memory.copy()
    timely, polar = abs(time - pose.time) <= ranging.LONGEST, ranging.is_polar(away, bearing, sensor)
    if not (timely and polar and abs(d) <= MOST) or -ranging.LONGEST <= gap < 0.0:
        memory[kicking.LATE if timely and polar and gap < 0.0 else kicking.BAD] += 1.0
        return replace(track, memory=memory)
    law, skin, _, body, _, boards = motion.tables
    work = np.empty((4, 7, 7))
    lost = memory[kicking.MISSES] > motion.patience or abs(gap) > ranging.LONGEST
    if lost or track.mode == Mode.UNKNOWN:  # new, or it is somewhere else
        c, s = math.cos(pose.mean[2] + bearing), math.sin(pose.mean[2] + bearing)
        kicking.settle(mean, covariance, pose.mean[0] + c * d, pose.mean[1] + s * d, 0.0, 0.0, 1.0, 1.0)
        memory[kicking.MODE], memory[kicking.MISSES] = Mode.MOVING, 0.0
    elif gap > 0.0:
        travelling.travel(mean, covariance, gap, 0.0, law, boards, NOBODY, body, skin, work[:3], spread=True)
    ranging.take_target(mean, covariance, memory, time, pose.mean, pose.covariance, away, bearing, law[6], sensor, work)
    return BallTrack(mean, covariance, memory, track.path)


def _untimely(params: LocaliseParams, pose: Pose, time: float) -> Pose:
    """Return the pose after a step at a time that cannot be; the second in a row on another clock is believed."""
    memory = pose.memory.copy()
    memory[ranging.LATE] += 1.0
    if abs(time) <= LATEST and abs(time - pose.time) > ranging.LONGEST:
        if 0.0 <= time - memory[ranging.ELSEWHERE] <= ranging.LONGEST:
            return _lost(params, replace(pose, memory=memory), time)
        memory[ranging.ELSEWHERE] = time
    return replace(pose, memory=memory)


def _lost(params: LocaliseParams, pose: Pose, time: float) -> Pose:
    """Return a robot that must find itself anew, from what it sees from now on.

    What it has learnt of its odometry and ranges stays where it can be so, as unsure as at the start.
    """
    new, stray = start(params, time), STRAY * params.tables[3]
    new.mean[3:] = np.clip(pose.mean[3:], GAINS - stray, GAINS + stray)
    memory = pose.memory.copy()
    memory[[ranging.TIME, ranging.KNOWN, ranging.EXCESS, ranging.ELSEWHERE]] = time, 0.0, 0.0, math.nan
    memory[ranging.LOST] += 1.0
    return replace(new, memory=memory)


def _keep(params: LocaliseParams, pose: Pose, sightings: Floats) -> Pose:
    """Return the pose with sightings kept as points, as seen from where it began to look for itself."""
    sensor, many = params.tables[1], len(params.markers)
    good = [
        (j, ranging.length(away, bearing, pose.mean, sensor), bearing)
        for j, away, bearing in sightings.tolist()
        if ranging.is_sighting(j, away, bearing, many, sensor)
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
    """Return the pose at which points, as seen from where its search began, lie best on their markers, if sure."""
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


def _check(p: LocaliseParams) -> None:
    """Raise where a value can never work."""
    for field in dataclasses.fields(p):
        if field.type is float:
            expect_number(field.name, getattr(p, field.name), LEAST if field.name in ABOVE_ZERO else 0.0, MOST)
    expect_whole("patience", p.patience, 1, MOST)
    if not isinstance(p.depth, bool):
        raise ContractError(f"depth must be True or False; got {p.depth!r}")
    if not (np.abs(rows_of("markers", p.markers, 2)) <= MOST).all():
        raise ContractError(f"markers must be in [{-MOST:g}, {MOST:g}]; got {p.markers.tolist()}")


def _three(name: str, values: Sequence[float]) -> tuple[float, float, float]:
    row = tuple(values) if isinstance(values, tuple | list | np.ndarray) else ()
    if len(row) != 3 or not all(isinstance(v, NUMBER) for v in row):
        raise ContractError(f"{name} must be 3 numbers; got {values!r}")
    return float(row[0]), float(row[1]), float(row[2])


def _fits(name: str, value: Pose | BallTrack, **shapes: tuple[int, ...]) -> None:
    for field, shape in shapes.items():
        if np.shape(getattr(value, field)) != shape:
            raise ContractError(f"{field} of {name} must be {shape}; got {np.shape(getattr(value, field))}")
