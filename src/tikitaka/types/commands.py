"""What the radio sends to our robots."""

from dataclasses import dataclass

import numpy as np

from tikitaka.types.arrays import Bools, Floats


@dataclass(frozen=True, slots=True)
class Commands:
    """Wheel speeds and kicker, one row a robot."""

    wheels: Floats  # (n, w) [rad/s], in the league's order of wheels
    kick: Floats  # (n,) ball speed; 0: do not kick
    dribble: Bools  # (n,)
    stopped: int = 0  # robots whose command was not finite and that were stopped instead
    lift: Floats | None = None  # (n,) vertical ball speed of a chip kick; None: flat

    def __len__(self) -> int:
        return len(self.kick)

    @classmethod
    def stop(cls, n: int, wheels: int) -> "Commands":
        """Return the command that stops ``n`` robots of ``wheels`` wheels."""
        return cls(np.zeros((n, wheels)), np.zeros(n), np.zeros(n, np.bool_))

    @classmethod
    def join(cls, first: "Commands", second: "Commands") -> "Commands":
        """Return the commands of both, the first one's rows first."""
        return cls(
            np.concatenate((first.wheels, second.wheels)),
            np.concatenate((first.kick, second.kick)),
            np.concatenate((first.dribble, second.dribble)),
            first.stopped + second.stopped,
            _joined(first, second),
        )


def _joined(first: Commands, second: Commands) -> Floats | None:
    """Return the lifts of both; who has none kicks flat."""
    if first.lift is None and second.lift is None:
        return None
    return np.concatenate([np.zeros(len(c)) if c.lift is None else c.lift for c in (first, second)])
