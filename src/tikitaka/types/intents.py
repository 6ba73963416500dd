"""What each of our robots is to do, before anybody asks how."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache

import numpy as np

from tikitaka.types.arrays import Bools, Floats, Ints

ANY_HEADING = float("nan")


class BallUse(IntEnum):
    """What the ball is on the way to the target."""

    PLAY = 0  # nothing to be careful of: it is chased, pushed or received
    AVOID = 1  # an obstacle
    APPROACH = 2  # an obstacle but from behind, with the mouth towards `theta`


@dataclass(frozen=True, slots=True)
class Intent:
    """One robot's wish: be at (x, y). Only the target is needed."""

    x: float
    y: float
    theta: float = ANY_HEADING  # heading on arrival
    end_speed: float = 0.0  # speed on arrival; above 0 the robot drives through the target
    max_speed: float = float("inf")  # the league's limit holds as well
    kick: float = 0.0  # ball speed to kick with once the ball is at the mouth; 0: do not kick
    lift: float = 0.0  # vertical ball speed of a chip kick; 0: flat
    dribble: bool = False
    ball: BallUse = BallUse.PLAY
    contact: bool = False  # opponents that stand at the target may be touched; by a keeper mates, too
    keeper: bool = False  # may stand in our own area


@dataclass(frozen=True, slots=True)
class Intents:
    """All robots' wishes, one row each; a row that is not `active` means stand still."""

    active: Bools  # (n,)
    target: Floats  # (n, 3) x, y, theta; theta NaN: any heading
    end_speed: Floats  # (n,)
    max_speed: Floats  # (n,)
    kick: Floats  # (n,)
    lift: Floats  # (n,)
    dribble: Bools  # (n,)
    ball: Ints  # (n,) BallUse
    contact: Bools  # (n,)
    keeper: Bools  # (n,)

    def __len__(self) -> int:
        return len(self.active)

    @classmethod
    def stop(cls, n: int) -> "Intents":
        """Return the wish of ``n`` robots to stand still."""
        return cls.blank(n, active=False)

    @classmethod
    def blank(cls, n: int, *, active: bool = True) -> "Intents":
        """Return wishes of ``n`` robots whose targets are still to be filled in."""
        b = _blank(n, active)  # what is copied is made sooner than what is filled
        speeds = (b.end_speed.copy(), b.max_speed.copy(), b.kick.copy(), b.lift.copy())
        flags = (b.dribble.copy(), b.ball.copy(), b.contact.copy(), b.keeper.copy())
        return cls(b.active.copy(), b.target.copy(), *speeds, *flags)


@cache
def _blank(n: int, active: bool) -> Intents:
    none, no = np.zeros(n), np.zeros(n, np.bool_)
    return Intents(no | active, np.zeros((n, 3)), none, none + np.inf, none, none, no, np.zeros(n, np.int64), no, no)
