"""Simpler ways to foretell a ball from the same pictures: at constant velocity, and by the notes' Euler filter."""

import math

import numpy as np

from tikitaka.estimate.ball import BallParams
from tikitaka.estimate.kernels import euler
from tikitaka.estimate.kernels.rolling import COULOMB
from tikitaka.lab.watching import AHEAD, Film
from tikitaka.types import Field, Floats

STEPS = 10  # of the notes' filter between two pictures, N [Beard, Algorithm 2]
# [m^2/s^3] its Q: of 0.2, 0.5, 1, 2, 5 and 20 the best 500 ms ahead (rms), in minutes of seeds 1000 to 1003
FORCES = 1.0
FAR = 0.3  # [m] chosen: both take a detection farther off than this for somebody else's, unless it stays
LOST = 1.0  # [m] chosen: the notes' filter, which can diverge, begins anew when it is so far off
STAYS = 3  # chosen: pictures after which they believe it


class Follower:
    """Which detection is the ball: the nearest one, unless it is far away for only a few pictures."""

    def __init__(self) -> None:
        self.far = 0

    def pick(self, seen: Floats, x: float, y: float) -> tuple[float, float] | None:
        """Return the detection of a picture (k, 2) that is believed, given where the ball should be."""
        if not len(seen):
            return None
        away = np.hypot(seen[:, 0] - x, seen[:, 1] - y)
        best = int(away.argmin())
        self.far = self.far + 1 if away[best] > FAR else 0
        return None if 0 < self.far < STAYS else (float(seen[best, 0]), float(seen[best, 1]))


def straight(film: Film) -> Floats:
    """Return where the ball is foretold to be (T, AHEAD, 2) by its last two detections. [Beard, sec. 2.4]"""
    out, follower = np.full((len(film.ball), AHEAD, 2), math.nan), Follower()
    (x, y), v, t, since = film.ball[0, :2].tolist(), np.zeros(2), 0.0, 0
    for tick, seen in film.balls:
        now = tick * film.dt
        put = _last_placed(film, since, tick)
        if put is not None:
            (x, y), v, t = film.ball[put, :2].tolist(), np.zeros(2), put * film.dt
        since = tick
        found = follower.pick(seen, x + v[0] * (now - t), y + v[1] * (now - t))
        if found is not None and now > t:
            v, (x, y), t = np.array((found[0] - x, found[1] - y)) / (now - t), found, now
        ahead = now - t + film.dt * np.arange(1, AHEAD + 1)
        out[tick] = np.array((x, y)) + ahead[:, None] * v
    return out


def paper(film: Film, params: BallParams, field: Field) -> Floats:
    """Return the same of [Beard, Algorithm 3] with walls a radius before the boards that bounce as ours; no robots."""
    out, follower, work = np.full((len(film.ball), AHEAD, 2), math.nan), Follower(), np.empty((3, 5, 5))
    x, p, since, t = *_rest(params, film.ball[0]), 0, 0
    for tick, seen in film.balls:
        put = _last_placed(film, since, tick)
        if put is not None:
            x, p = _rest(params, film.ball[put])
            t = put
        since = tick
        for _ in range(tick - t):
            _step(x, p, film.dt, params, field, work)
        t = tick
        found = follower.pick(seen, x[0], x[1])
        if found is not None and not math.hypot(x[0] - found[0], x[1] - found[1]) < LOST:
            x, p = _rest(params, np.array(found))
        elif found is not None:
            for i in range(2):
                euler.update(x, p, np.eye(5)[i], found[i] - float(x[i]), params.noise**2, np.empty((2, 5)))
        y, q = x.copy(), p.copy()
        for k in range(AHEAD):
            _step(y, q, film.dt, params, field, work)
            out[tick, k] = y[:2]
    return out


def _last_placed(film: Film, after: int, until: int) -> int | None:
    """Return at which tick the referee last put everybody in place, None where nobody was moved."""
    placed = np.flatnonzero(film.placed[after + 1 : until + 1])
    return after + 1 + int(placed[-1]) if len(placed) else None


def _rest(params: BallParams, place: Floats) -> tuple[Floats, Floats]:
    x = np.array((place[0], place[1], 0.0, 0.0, params.friction_mean))
    return x, np.diag((params.noise**2, params.noise**2, 0.01, 0.01, params.friction_spread**2))


def _step(x: Floats, p: Floats, dt: float, params: BallParams, field: Field, work: Floats) -> None:
    """Move on by a picture in Euler's steps, mirrored at the walls after each."""
    edge, e = (field.half_length - params.radius, field.half_width - params.radius), params.restitution_wall
    for _ in range(STEPS):
        euler.advance_ball(x, p, COULOMB, FORCES, dt / STEPS, 1.0, -1.0, work)
        for i in range(2):
            off = abs(x[i]) - edge[i]
            if off > 0.0 and (i == 1 or abs(x[1]) > 0.5 * field.goal_width):
                x[i] = math.copysign(edge[i] - e * off, x[i])
                x[i + 2] = -e * abs(x[i + 2]) * math.copysign(1.0, x[i])
