"""What each of our robots is to do, before anybody asks how."""

from dataclasses import dataclass

import numpy as np

from tikitaka.types.arrays import Bools, Floats

ANY_HEADING = float("nan")


@dataclass(frozen=True, slots=True)
class Intent:
    """One robot's wish: be at (x, y). Only the target is needed."""

    x: float
    y: float
    theta: float = ANY_HEADING  # heading on arrival
    end_speed: float = 0.0  # speed on arrival; above 0 the robot drives through the target
    max_speed: float = float("inf")  # the league's limit holds as well
    kick: float = 0.0  # ball speed to kick with once the ball is at the mouth; 0: do not kick
    dribble: bool = False


@dataclass(frozen=True, slots=True)
class Intents:
    """All robots' wishes, one row each; a row that is not `active` means stand still."""

    active: Bools  # (n,)
    target: Floats  # (n, 3) x, y, theta; theta NaN: any heading
    end_speed: Floats  # (n,)
    max_speed: Floats  # (n,)
    kick: Floats  # (n,)
    dribble: Bools  # (n,)

    def __len__(self) -> int:
        return len(self.active)

    @classmethod
    def stop(cls, n: int) -> "Intents":
        """Return the wish of ``n`` robots to stand still."""
        return cls.blank(np.zeros(n, np.bool_))

    @classmethod
    def blank(cls, active: Bools) -> "Intents":
        """Return wishes whose targets are still to be filled in."""
        n = len(active)
        zeros = np.zeros
        return cls(active, zeros((n, 3)), zeros(n), zeros(n) + np.inf, zeros(n), zeros(n, np.bool_))
