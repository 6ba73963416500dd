"""How far predictions are from the next measurement while robots collide, without and with correction.

[MI20, sec. VII-B] The real position is never known: errors are distances to the measurement. Who is who is known, so
that an error is one of prediction alone. In every frame a state is predicted twice: every robot for itself, and all
together through their collisions. A filter goes on with one of the two. The paper's delta MP seems to be that of a
filter that is never corrected: the printed peaks are those of velocities that a collision has just made wrong.

Two small filters, for x, y and heading of every robot apart:
- PLAIN believes the last two measurements, and coasts. The printed typical errors are those of such a filter:
  sqrt(6) sigma sqrt(pi / 2) gives .1075, .2456 and .2364 cm at .35, .80 and .77 mm.
- LED is a Kalman filter that knows the commands, motors and tyres, and predicts a frame in parts: robots that push are
  driven all the while.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from tikitaka.estimate.boards import boxes_of, clear_of
from tikitaka.estimate.kernels.piling import FULL, OFF, collide, pairs_room
from tikitaka.estimate.kernels.skidding import skid
from tikitaka.lab.mi20_scenes import BASELINE, RATE, Stream
from tikitaka.lab.staging import params_of
from tikitaka.types import Bools, Floats, Ints

DT = 1.0 / RATE
MOVED = 1e-3  # [m] chosen: a correction by less, robots that rest on each other, is none; about the camera's noise
DOUBT = 0.5  # [1] chosen: an impact's change of velocity is known to so much of itself


@dataclass(frozen=True, slots=True)
class Filter:
    """How robots are predicted."""

    noise: tuple[float, float] | None  # [m^2/s^3], [rad^2/s^3] that nothing explains; None: what was seen is so
    led: bool  # by commands, motors and tyres; else they coast
    parts: int  # of a frame


PLAIN = Filter(None, led=False, parts=1)
LED = Filter((2.0, 200.0), led=True, parts=4)  # chosen


@dataclass(frozen=True, slots=True)
class Robots:
    """What the prediction knows about robots and pitch."""

    body: Floats
    boards: Floats
    drive: tuple[float, float, float, float]  # motor, grip, b, lever of `skidding`


@dataclass(frozen=True, slots=True)
class Errors:
    """Distances [m] of T frames and n robots; NaN where a robot was not seen, and in the first frame."""

    predicted: Floats  # (T, n) without correction
    corrected: Floats  # (T, n)
    touched: Bools  # (T, n) the prediction of this frame met another robot
    moved: Bools  # (T, n) and its correction moved it by MOVED or more
    believed: Floats  # (T, n, 6) the filter's state after each frame
    alone: Floats  # (T, n, 6) predictions without
    together: Floats  # (T, n, 6) and with correction


@cache
def robots_of(league: str, robots: int) -> Robots:
    """Return what is known about a league."""
    params = params_of(league, DT, robots)
    outline = np.abs(np.array(params.robot.outline.polygon()))
    half, contact, drive = outline.max(axis=0), params.contact, params.robot.drive
    pair, wall = (contact.restitution_pair, contact.friction_pair), (contact.restitution_wall, contact.friction_wall)
    clear = clear_of(params.field, float(np.hypot(*half)))
    body = np.array((*half, 0.0, drive.mass, drive.inertia, *pair, *wall, *clear))
    b = float(np.abs(drive.xy).max())
    motor = (
        2.0
        * drive.motor.torque_limit
        / drive.wheel_radius
        / (drive.mass + 2.0 * drive.wheel_inertia / drive.wheel_radius**2)
    )
    wheels = (motor, drive.traction * params.ball.gravity, b, drive.mass * b * b / drive.inertia)
    return Robots(body, boxes_of(params.field), wheels)


def predict(known: Robots, track: Floats, told: Floats, mode: int, by: Filter = LED) -> tuple[Floats, Floats, Ints]:
    """Return the tracks a frame later, by how much impacts have changed velocities, and who has touched whom."""
    n, track, dt = len(track), track.copy(), DT / by.parts
    shaken, partner, all_shaken, touched = np.empty((n, 2)), np.empty(n, np.int64), np.zeros((n, 2)), np.full(n, -1)
    work, pairs = np.empty((n, 7)), np.empty((pairs_room(n, len(known.boards)), 4))
    for _ in range(by.parts):
        old = track.copy()
        if by.led:
            for i in range(n):
                skid(track, i, told[i, 0], told[i, 2], dt, *known.drive)
        else:
            track[:, :3] += dt * track[:, 3:]
        collide(old, track, dt, known.body, known.boards, mode, work, pairs, shaken, partner)
        all_shaken += shaken
        touched = np.where(touched < 0, partner, touched)
    return track, all_shaken, touched


def follow(stream: Stream, sigma: float, by: Filter = LED, mode: int = FULL) -> Errors:
    """Return the errors of a filter that goes on with the predictions of a mode; it begins with true velocities."""
    known, (frames, n) = robots_of(stream.league, stream.robots), stream.pose.shape[:2]
    noise = np.array((sigma, sigma, sigma / BASELINE)) ** 2
    track, p = np.hstack((stream.pose[0], stream.velocity[0])), np.zeros((n, 3, 3))
    p[:, :, 0], p[:, :, 2] = noise, (0.02**2, 0.02**2, 0.2**2)
    errors = np.full((2, frames, n), np.nan)
    touched, tracks = np.zeros((frames, n), np.bool_), np.zeros((3, frames, n, 6))
    tracks[:, 0] = track
    for k in range(1, frames):
        alone, *_ = predict(known, track, stream.told[k - 1], OFF, by)
        together, shaken, partner = predict(known, track, stream.told[k - 1], FULL, by)
        track = (alone if mode == OFF else together).copy()
        tracks[1:, k] = alone, together
        touched[k] = partner >= 0
        if by.noise is not None:
            _spread(p, shaken if mode != OFF else 0.0 * shaken, np.array(by.noise)[[0, 0, 1]])
        for i, seen in zip(stream.origin[k], stream.seen[k], strict=True):
            errors[:, k, i] = [np.hypot(*(row[i, :2] - seen[:2])) for row in (alone, together)]
            _absorb(track[i], p[i], seen, noise, by)
        tracks[0, k] = track
    moved = touched & (np.hypot(*(tracks[2] - tracks[1])[..., :2].transpose(2, 0, 1)) >= MOVED)
    return Errors(errors[0], errors[1], touched, moved, *tracks)


def _spread(p: Floats, shaken: Floats, q: Floats) -> None:
    """Let the uncertainty grow over a frame, and more by what impacts have done at some time in it."""
    s = (DOUBT * shaken[:, (0, 0, 1)]) ** 2
    p[:, :, 0] += 2.0 * DT * p[:, :, 1] + DT**2 * p[:, :, 2] + q * DT**3 / 3.0 + s * DT**2 / 3.0
    p[:, :, 1] += DT * p[:, :, 2] + 0.5 * q * DT**2 + 0.5 * s * DT
    p[:, :, 2] += q * DT + s


def _absorb(track: Floats, p: Floats, seen: Floats, noise: Floats, by: Filter) -> None:
    """Correct one robot's track (6,) and covariances (3, 3) by where it was seen."""
    off = seen - track[:3]
    off[2] = (off[2] + np.pi) % (2.0 * np.pi) - np.pi
    off = np.where(np.isfinite(off), off, 0.0)
    if by.noise is None:
        track[:3] += off
        track[3:] += off / DT
        return
    gain, rate = p[:, 0] / (p[:, 0] + noise), p[:, 1] / (p[:, 0] + noise)
    track[:3] += gain * off
    track[3:] += rate * off
    p[:, 2] -= rate * p[:, 1]
    p[:, 1] *= 1.0 - gain
    p[:, 0] *= 1.0 - gain
