"""What is believed after one picture, and the one crossing into compiled code that a tick makes."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tikitaka.estimate.ball import BallTrack
from tikitaka.estimate.belief import Belief, Picture
from tikitaka.estimate.kernels.kicking import MEMORY, MOST_POINTS
from tikitaka.estimate.kernels.ticking import tick
from tikitaka.estimate.params import Params
from tikitaka.types import Commands, Detections, Floats

Kept = tuple[Floats, Floats, Floats]  # of `Tracks`: told, told_time, counts
Seen = tuple[Floats, Floats, tuple[float, ...]]  # robots (2n, 6) at now, their age (2n,); ball: x, y, vx, vy, z, age
Told = tuple[Floats, Floats, Floats]  # wheels, kick, lift

EMPTY = np.zeros(0)
SAID = (np.zeros((0, 0)), EMPTY, EMPTY)
NO_ROWS = Picture(-math.inf, np.zeros((0, 3)), np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros((0, 2)))


@dataclass(frozen=True, slots=True)
class Moment:
    """What was believed after one picture; None: everybody had just been put in place, or nothing was known."""

    picture: Picture | None
    robots: Belief
    ball: BallTrack

    @property
    def time(self) -> float:
        """When it was."""
        return self.robots.time


def first_look(
    params: Params, before: Moment, tick_before: float, old: Kept, new: Kept, commands: Commands, d: Detections
) -> tuple[Moment | None, Seen]:
    """Return the moment after a tick's detections, the one before if there are none, and what is seen at its now.

    None: they are not just one picture that is newer than the last. ``new`` is filled in any case.
    """
    told = (commands.wheels, commands.kick, EMPTY if commands.lift is None else commands.lift)
    picture = Picture(d.now, d.robot_pose, d.robot_team, d.robot_label, d.ball_xy)
    times = (d.robot_time, d.ball_time)
    return _cross(params, before, picture, old, new, (True, math.nan, d.now, tick_before), told, times)


def look_again(params: Params, before: Moment, picture: Picture, now: float, kept: Kept) -> tuple[Moment, Seen]:
    """Return the moment after one picture, which is counted in ``kept``, and what is seen at now."""
    after, seen = _cross(params, before, picture, kept, kept, (False, picture.time, now, now), SAID, (EMPTY, EMPTY))
    return after or before, seen


def _cross(
    params: Params, before: Moment, picture: Picture, old: Kept, new: Kept, way: tuple[bool, float, float, float],
    told: Told, times: tuple[Floats, Floats],
) -> tuple[Moment | None, Seen]:  # fmt: skip
    b, c, room, empty = before.robots, before.ball, params.room, np.empty
    n, h = room.n, room.h
    state, p, held, since, cost = empty((h, n, 6)), empty((h, n, 6, 6)), empty((h, n // 2)), empty((2, h, n)), empty(h)
    nis, tentative, prices, who = empty((n, 2)), empty(b.tentative.shape), empty((2, n)), empty((2, n), np.int64)
    ball = empty(9), empty((7, 7)), empty(MEMORY), empty((MOST_POINTS, 3))
    robots, age = empty((n, 6)), empty(n)
    pose = picture.pose
    arrays: tuple[Any, ...] = (
        *params.tables, *room.fixed, *room.rows(len(pose)), b.state, b.p, b.held, b.seen, b.trouble, b.cost, b.nis,
        b.tentative, c.mean, c.covariance, c.memory, c.path, *old, *told, *times, pose, picture.team, picture.label,
        picture.ball, *new, state, p, held, since, cost, nis, tentative, prices, who, *ball, robots, age,
    )  # fmt: skip
    how = (len(b.cost), h, int(params.association), int(params.collisions))
    time, kept, found, where = tick(*way, b.time, *how, *arrays)
    if not time > -math.inf:
        return (before if time == -math.inf else None), (robots, age, where)
    taken = Picture(time, pose, picture.team, picture.label, picture.ball)
    belief = Belief(
        time, state[:kept], p[:kept], held[:kept], since[0, :kept], since[1, :kept], cost[:kept], who[0], prices[0],
        prices[1], who[1], nis, tentative, found,
    )  # fmt: skip
    return Moment(taken, belief, BallTrack(*ball)), (robots, age, where)
