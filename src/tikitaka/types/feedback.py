"""What our robots tell of themselves over the radio."""

from dataclasses import dataclass
from enum import IntEnum

from tikitaka.types.arrays import Floats, Ints


class Barrier(IntEnum):
    """What the light barrier at a dribbler says."""

    NO_BALL = 0
    BALL = 1
    MALFUNCTION = 2


@dataclass(frozen=True, slots=True)
class Feedback:
    """One row a robot of ours; None: the league's robots cannot tell."""

    barrier: Ints | None  # (n,) Barrier
    wheels: Floats | None  # (n, w) [rad/s] mean rates since the last tick, from the encoders
