"""How robots keep out of each other's way, and with which numbers."""

import dataclasses
from dataclasses import dataclass
from enum import IntFlag, StrEnum

import numpy as np

from tikitaka.avoid.kernels import facts
from tikitaka.avoid.room import Rooms
from tikitaka.errors import ContractError, UnknownNameError
from tikitaka.types import Floats


class Method(StrEnum):
    """How plans are made safe."""

    NONE = "none"  # they are not
    AUTO_AVOID = "auto_avoid"  # [Austro, Alg. 1]
    COLLISION_AVOID = "collision_avoid"  # [Austro, Algs. 2 and 3], its errata mended
    COLLISION_AVOID_PRINTED = "collision_avoid_printed"  # [Austro, App. A] to the letter, or with some errata mended
    ORCA = "orca"  # [vandenBerg2011] reciprocal half-planes
    OURS = "ours"  # roll-outs of speeds and detours, chosen two robots at a time


class Errata(IntFlag):
    """What is wrong with the program of [Austro, App. A], and is mended."""

    FRAMES = facts.FRAMES  # places and angles in one frame: that of the velocity; printed: to the target, and headings
    PAST = facts.PAST  # the sign of time tells past from future; printed: who is farther away in 1 s is past
    RIGHT = facts.RIGHT  # from the right is y < 0, one of a circle goes first; printed: y < 0.1, so both give way
    STALE = facts.STALE  # what is noted is of the robot that is hit; printed: of the last one that is not past
    HEAD_ON = facts.HEAD_ON  # the closing speed tells when, rear-end too; printed: half-way, and rear-end is an angle
    STANDING = facts.STANDING  # who stands is met where it is; printed: where its heading crosses
    OTHERS = facts.OTHERS  # opponents, the ball and walls take part; printed: team mates only
    NEAR_TARGET = facts.NEAR_TARGET  # others are avoided near the target, too
    BRAKE = facts.BRAKE  # to stop is to brake; printed: to go to where one is


AS_PRINTED = Errata(0)


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
class Limits:
    """What our robots can do, and how the roll-outs of `ours` reckon with it."""

    max_speed: float = 4.0
    max_acceleration: float = 10.0
    max_turn_rate: float = 30.0
    max_turn_acceleration: float = 200.0
    omni: bool = False
    two_faced: bool = True
    derate: float = 0.9  # chosen: share of both accelerations that is reckoned with
    step: float = 0.04  # [s] chosen
    steps: int = 25  # chosen: a horizon of 1 s

    def array(self) -> Floats:
        """Return the limits in the kernels' order."""
        accelerations = (self.derate * self.max_acceleration, self.derate * self.max_turn_acceleration)
        kind = (float(self.omni), float(self.two_faced), self.step)
        return np.array((self.max_speed, accelerations[0], self.max_turn_rate, accelerations[1], *kind))


@dataclass(frozen=True, slots=True)
class Orca:
    """How far ahead `orca` looks, and how large it takes robots to be."""

    radius: float = 0.09  # [m] chosen: of a robot whose corners are at 0.053, since wheels follow late
    horizon: float = 0.3  # [s] chosen


@dataclass(frozen=True, slots=True)
class Ours:
    """How `ours` weighs what robots may do."""

    touch: float = 0.106  # [m] between the centres of robots that may touch
    room: float = 0.02  # [m] chosen: and so much more is kept,
    fast: float = 0.02  # [s] chosen: and what they close in this time
    grow: float = 0.12  # [m/s] chosen: of it that comes on top for later times
    grow_others: float = 0.12  # [m/s] chosen: the same for robots whose plans we do not know
    near: float = 3.0  # [s] chosen: what no room at all costs
    part: float = 0.3  # [m/s] chosen: robots that are too near part at this speed
    keep: float = 0.2  # [s] chosen: what it is worth to do the same as a tick ago
    edge_x: float = 1.05  # [m] where the pitch ends for centres
    edge_y: float = 0.85  # [m]
    dt: float = 1.0 / 30.0  # [s] between two ticks
    guard: float = 1.4  # touching distances: chosen, that strangers are kept away by half-planes,
    guard_time: float = 0.25  # [s] chosen: for so long
    ball: float = 0.0214  # [m] FIRA, SSL: radius of a golf ball
    fresh: float = 0.07  # [s] chosen: older sights of our robots make the room larger,
    stale: float = 1.0  # [m/s] chosen: by so much for every second; packets that were lost since are not known of
    oldest: float = 0.2  # [s] chosen: but no more than for this age


@dataclass(frozen=True, slots=True)
class Params:
    """All that does not change during a match."""

    method: Method = Method.NONE
    thesis: Thesis = Thesis()
    limits: Limits = Limits()
    ours: Ours = Ours()
    orca: Orca = Orca()
    mended: Errata = AS_PRINTED  # of COLLISION_AVOID_PRINTED; in COLLISION_AVOID all are

    limit_row: Floats = dataclasses.field(init=False, repr=False)
    rules: Floats = dataclasses.field(init=False, repr=False)
    facts: Floats = dataclasses.field(init=False, repr=False)  # of the thesis, and the walls, in order
    guard: Floats = dataclasses.field(init=False, repr=False)  # see `kernels.going`
    rooms: Rooms = dataclasses.field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.method not in set(Method):
            raise UnknownNameError("method", self.method, map(str, Method))
        object.__setattr__(self, "method", Method(self.method))
        for name, value in dataclasses.asdict(self.thesis).items():
            if not 0.0 < value < np.inf:
                raise ContractError(f"{name} must be above 0 and finite; got {value}")
        walls = (self.ours.edge_x, self.ours.edge_y)
        object.__setattr__(self, "facts", np.array((*dataclasses.astuple(self.thesis), *walls)))
        object.__setattr__(self, "limit_row", self.limits.array())
        object.__setattr__(self, "guard", np.array((self.ours.guard * self.ours.touch, self.ours.guard_time)))
        object.__setattr__(self, "rooms", Rooms(self.limits.steps))
        object.__setattr__(self, "rules", np.array(dataclasses.astuple(self.ours)[1:-7]))
