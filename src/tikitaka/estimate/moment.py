"""What is believed after one picture, and the one crossing into compiled code that a tick makes."""

import math
from typing import Any, NamedTuple

import numpy as np

from tikitaka.estimate.ball import BallTrack
from tikitaka.estimate.belief import Belief, Picture
from tikitaka.estimate.kernels import kicking
from tikitaka.estimate.kernels.driving import remember
from tikitaka.estimate.kernels.finding import WHEN
from tikitaka.estimate.kernels.packing import parts_of, room_for
from tikitaka.estimate.kernels.robots import NEVER
from tikitaka.estimate.kernels.ticking import tick
from tikitaka.estimate.params import Params
from tikitaka.types import Commands, Detections, Floats, Ints

Rows = tuple[Floats, Ints, Ints, Floats]  # pose, team, label, ball of a picture
Kept = tuple[Floats, Floats, Floats]  # of `Tracks`: told, told_time, counts
Seen = tuple[Floats, Floats, tuple[float, ...]]  # robots (2n, 6) at now, their age (2n,); ball: x, y, vx, vy, z, age
News = tuple[Floats, Floats, Floats, Floats, Floats]  # wheels, kick, lift; when robots and balls were seen

BALL_TIMES = [kicking.TIME, kicking.SEEN, kicking.ELSE_TIME, kicking.KICKED, kicking.STILL_TIME]

FLAT = np.zeros(0)
NOT_SEEN: Seen = (np.zeros((0, 6)), FLAT, ())
NO_NEWS = (np.zeros((0, 0)), FLAT, FLAT, FLAT, FLAT)
NO_ROWS = Picture(-math.inf, np.zeros((0, 3)), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 2)))


class Moment(NamedTuple):
    """What was believed after one picture, as the kernels have it; `robots` and `ball` give it names."""

    time: float
    rows: Rows | None  # None: everybody had just been put in place, or nothing was known
    guesses: int
    many: int  # guesses that there is room for
    numbers: Floats  # all of them, see `kernels.packing`
    who: Ints  # (2, n) partner, touched
    found: int

    @property
    def picture(self) -> Picture | None:
        """What was seen."""
        return None if self.rows is None else Picture(self.time, *self.rows)

    @property
    def robots(self) -> Belief:
        """What is believed of the robots."""
        h, (partner, touched) = self.guesses, self.who
        state, p, held, since, cost, nis, tentative, *_, prices = parts_of(self.numbers, self.many, len(partner))
        return Belief(
            self.time, state[:h], p[:h], held[:h], since[0, :h], since[1, :h], since[2, :h], cost[:h], partner,
            prices[0], prices[1], touched, nis, tentative, self.found,
        )  # fmt: skip

    @property
    def ball(self) -> BallTrack:
        """What is believed of the ball."""
        return BallTrack(*parts_of(self.numbers, self.many, self.who.shape[1])[7:11])


def moment_of(b: Belief, c: BallTrack, rows: Rows | None = None) -> Moment:
    """Return the moment at which this is believed, after a picture with these rows."""
    n = len(b.partner)
    numbers = np.empty(room_for(b.guesses, n))
    since, prices = np.stack((b.seen, b.trouble, b.back)), np.stack((b.price, b.rival))
    given = (b.state, b.p, b.held, since, b.cost, b.nis, b.tentative, c.mean, c.covariance, c.memory, c.path, prices)
    for part, values in zip(parts_of(numbers, b.guesses, n), given, strict=True):
        part[...] = values
    return Moment(b.time, rows, b.guesses, b.guesses, numbers, np.stack((b.partner, b.touched)), b.found)


def shifted(moment: Moment, by: float) -> Moment:
    """Return the moment as if all of it had been so much later."""
    numbers = moment.numbers.copy()
    _, _, _, since, _, _, tentative, _, _, memory, path, _ = parts_of(numbers, moment.many, moment.who.shape[1])
    known = since[::2, : moment.guesses]  # when each was seen, and came back
    known += np.where(known > NEVER, by, 0.0)
    tentative[:, WHEN] += by
    memory[BALL_TIMES] += by
    path[:, 0] += by
    return moment._replace(time=moment.time + by, numbers=numbers)


def first_look(
    params: Params, before: Moment, tick_before: float, old: Kept, new: Kept, commands: Commands, d: Detections
) -> tuple[Moment | None, Seen]:
    """Return the moment after a tick's detections, the one before if there are none, and what is seen at its now.

    None: they are not just one picture that is newer than the last. ``new`` is filled in any case.
    """
    lift, seen = FLAT if commands.lift is None else commands.lift, d.robot_time
    if len(seen) > 1 and seen[0] != seen[-1]:  # of several cameras
        told = (commands.wheels, commands.kick, lift, tick_before)
        remember(old[0], old[1], new[0], new[1], params.body_from_wheels, *told)
        new[2][:] = old[2]
        return None, NOT_SEEN
    news = (commands.wheels, commands.kick, lift, d.robot_time, d.ball_time)
    rows = (d.robot_pose, d.robot_team, d.robot_label, d.ball_xy)
    return _cross(params, before, rows, old, new, (True, math.nan, d.now, tick_before), news)


def look_again(
    params: Params, before: Moment, picture: Picture, now: float, kept: Kept, until: float
) -> tuple[Moment, Seen]:
    """Return the moment after one picture, which is counted in ``kept``, and what is seen at ``until``."""
    rows = (picture.pose, picture.team, picture.label, picture.ball)
    after, seen = _cross(params, before, rows, kept, kept, (False, picture.time, now, until), NO_NEWS)
    return after or before, seen


def _cross(
    params: Params, before: Moment, rows: Rows, old: Kept, new: Kept, when: tuple[bool, float, float, float], news: News
) -> tuple[Moment | None, Seen]:
    room, empty = params.room, np.empty
    n, numbers, who = room.n, empty(room.numbers), empty((2, room.n), np.int64)
    robots, age = empty((n, 6)), empty(n)
    arrays: tuple[Any, ...] = (
        *params.tables, *room.rows(len(rows[0])), before.numbers, *old, *news, *rows, *new, numbers, who, robots, age
    )  # fmt: skip
    time, kept, found, ball = tick(*when, before.time, before.guesses, before.many, *params.ways, *arrays)
    seen = (robots, age, ball)
    if time > -math.inf:
        return Moment(time, rows, kept, room.h, numbers, who, found), seen
    return (before if time == -math.inf else None), seen
