"""How robots keep out of each other's way, and with which numbers."""

import dataclasses
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.types import Floats


class Method(StrEnum):
    """How plans are made safe."""

    NONE = "none"  # they are not
    AUTO_AVOID = "auto_avoid"  # [Austro, Alg. 1]
    COLLISION_AVOID = "collision_avoid"  # [Austro, Algs. 2 and 3], its errata mended
    COLLISION_AVOID_PRINTED = "collision_avoid_printed"  # [Austro, App. A] to the letter


@dataclass(frozen=True, slots=True)
class Thesis:
    """Numbers of [Austro]: those of its program, where text and program differ."""

    margin: float = 0.1  # [m] how near a robot that is ahead must be to the own course
    still: float = 0.1  # [m/s] slower robots stand
    horizon: float = 1.0  # [s] later collisions are of no interest
    spread: float = 0.3  # [s] between the arrivals of both where courses cross
    late: float = 0.1  # [s] who was there so long ago is still in the way
    near: float = 0.1  # [m] of the target: printed, nobody is avoided there
    dodge_time: float = 0.1  # [s] of both speeds is how far one dodges
    dodge_least: float = 0.1  # [m] the text has 0.2
    dodge_most: float = 0.5  # [m] the text has 0.8
    dodge_ahead: float = 0.2  # [m] the point beside a collision is no nearer
    safety: float = 0.15  # [m] chosen: AutoAvoid's margin is not printed; two robots' diagonals are 0.106


@dataclass(frozen=True, slots=True)
class Params:
    """All that does not change during a match."""

    method: Method = Method.NONE
    thesis: Thesis = Thesis()

    facts: Floats = dataclasses.field(init=False, repr=False)  # the thesis' numbers in the kernels' order

    def __post_init__(self) -> None:
        for name, value in dataclasses.asdict(self.thesis).items():
            if not 0.0 < value < np.inf:
                raise ContractError(f"{name} must be above 0 and finite; got {value}")
        object.__setattr__(self, "facts", np.array(dataclasses.astuple(self.thesis)))
