"""What the referee looks at: the truth in a simulation, an estimate on a real pitch."""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tikitaka.types import Floats, World

NEAR = 0.01  # [m] chosen: gap below which an estimate says that two touch


class Touch(NamedTuple):
    """Two robots that met since the last tick, and how fast both were before."""

    a: int
    b: int
    closing: float
    speed_a: float
    speed_b: float


@dataclass(frozen=True, slots=True)
class View:
    """One tick in the frame in which blue attacks +x; blue's robots are the first rows. NaN: not known."""

    tick: int
    pose: Floats  # (2n, 3) x, y, theta
    velocity: Floats  # (2n, 3)
    ball: tuple[float, float, float, float, float]  # x, y, vx, vy, height
    toucher: int = -1  # robot that touched the ball last; -1: nobody since it was put down
    touches: tuple[Touch, ...] = ()

    def cleaned(self) -> "View":
        """Return the view with NaN for whatever is no number, so that one thing alone means not known."""
        products = np.vdot(self.pose, self.velocity)  # their sum is finite: all of them are
        if math.isfinite(products) and all(map(math.isfinite, self.ball)):
            return self
        pose, velocity = (np.where(np.isfinite(a), a, math.nan) for a in (self.pose, self.velocity))
        x, y, vx, vy, z = (v if math.isfinite(v) else math.nan for v in self.ball)
        return replace(self, pose=pose, velocity=velocity, ball=(x, y, vx, vy, z))

    @property
    def sees_ball(self) -> bool:
        """Whether it is known where the ball is."""
        return math.isfinite(self.ball[0]) and math.isfinite(self.ball[1])


def view_of_world(world: World, tick: int, hull: float, reach: float, before: View | None = None) -> View:
    """Return the view of a referee who is with blue and has nothing but its estimate.

    Who touched the ball last is who is nearest to it within reach, else who it was ``before``.
    """
    pose = np.concatenate((world.ours.pose, world.theirs.pose))
    velocity = np.concatenate((world.ours.velocity, world.theirs.velocity))
    b = world.ball
    away = np.hypot(pose[:, 0] - b.x, pose[:, 1] - b.y)
    near = np.flatnonzero(away < reach + NEAR)
    toucher = int(near[np.argmin(away[near])]) if len(near) else before.toucher if before else -1
    touches = _touches(pose, before.velocity, hull) if before else ()
    return View(tick, pose, velocity, (b.x, b.y, b.vx, b.vy, b.z), toucher, touches)


def _touches(pose: Floats, velocity: Floats, hull: float) -> tuple[Touch, ...]:
    """Return who meets whom: discs that touch, with the speeds of a tick ago."""
    found = []
    speed = np.hypot(velocity[:, 0], velocity[:, 1])
    for a in range(len(pose)):
        off = pose[a + 1 :, :2] - pose[a, :2]
        away = np.hypot(off[:, 0], off[:, 1])
        for k in np.flatnonzero((away < 2.0 * hull + NEAR) & (away > 0.0)).tolist():
            b = a + 1 + k
            closing = float((velocity[a, :2] - velocity[b, :2]) @ off[k] / away[k])
            if closing > 0.0:
                found.append(Touch(a, b, closing, float(speed[a]), float(speed[b])))
    return tuple(found)
