"""What the estimator believes about the pitch, the robots and the cameras, and how it decides who is who."""

import dataclasses
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.estimate.ball import BallParams
from tikitaka.estimate.boards import boxes_of, clear_of
from tikitaka.estimate.kernels import matching, piling
from tikitaka.estimate.room import Room
from tikitaka.types import Field, Floats, Ints
from tikitaka.types.limits import LEAST, MOST, expect, expect_array, expect_one_of, expect_whole, within

MOST_BELIEFS, MOST_ROBOTS = 32, 64
RULES = (  # least, most, of which fields
    (LEAST, MOST, ("noise_xy", "noise_theta", "max_turn_rate", "max_wheel_speed")),
    (LEAST, MOST, ("gate", "reach", "lost_after", "memory")),
    (0.0, MOST, ("mouth", "own_noise", "held_noise", "their_noise", "turn_noise", "growth")),
)
HISTORY = 32  # commands kept: a latency of so many ticks can be bridged


class Association(IntEnum):
    """How detections are given to tracks."""

    IN_TURN = matching.IN_TURN  # one track after the other takes the nearest, within a reach that grows [MI20, sec. II]
    GREEDY = matching.GREEDY  # the nearest pair first
    NEAREST = matching.NEAREST  # least sum of squared distances
    LIKELIEST = matching.LIKELIEST  # greatest likelihood of all, heading included


class Collisions(IntEnum):
    """What is done about predictions that lead robots into each other, or into a wall [MI20, Table I]."""

    OFF = piling.OFF
    SET_BACK = piling.SET_BACK  # to where they touch, with the velocity of the way they went
    FULL = piling.FULL  # and impulses change their velocities for the rest of the time


@dataclass(frozen=True, slots=True)
class Body:
    """A robot as collisions know it: a box of half length and half width, or a disc where radius is above 0."""

    half_length: float
    half_width: float
    radius: float
    mass: float
    inertia: float
    restitution: float
    friction: float
    restitution_wall: float
    friction_wall: float

    def __post_init__(self) -> None:
        sizes = ("half_length", "half_width", "radius", "friction", "friction_wall")
        rebound = (0.0, 1.0, ("restitution", "restitution_wall"))
        expect(self, ((LEAST, MOST, ("mass", "inertia")), (0.0, MOST, sizes), rebound))
        if self.radius == 0.0 and 0.0 in (self.half_length, self.half_width):
            raise ContractError("half_length and half_width must be above 0 where radius is 0; got a body without size")

    @property
    def reach(self) -> float:
        """Distance of its farthest point from its centre."""
        return self.radius or float(np.hypot(self.half_length, self.half_width))


@dataclass(frozen=True, slots=True)
class OmniDrive:
    """How a robot on omni wheels follows commands, for each of x, y and turning in its own frame."""

    acceleration: tuple[float, float, float]
    lag: tuple[float, float, float]  # [s] time constant with which the wheels' controller settles

    def __post_init__(self) -> None:
        for name in ("acceleration", "lag"):
            values = getattr(self, name)
            if np.shape(values) != (3,) or not all(within(value, LEAST, MOST) for value in values):
                raise ContractError(f"{name} must be 3 numbers in [{LEAST:g}, {MOST:g}]; got {values!r}")

    @property
    def table(self) -> tuple[float, ...]:
        """The above in the kernels' order."""
        return (*self.acceleration, *self.lag, 1.0)


WHEELS_TOLD = OmniDrive((1e3, 1e3, 1e4), (1e-3, 1e-3, 1e-3))  # of rates that encoders have counted: they are followed


@dataclass(frozen=True, slots=True)
class TyreDrive:
    """How a robot on two wheels with tyres follows commands."""

    stiffness: float  # [1/s] its acceleration for each m/s that a rim is slower than told
    turn_stiffness: float  # [rad/(m s)] and its turn acceleration
    most: float  # [m/s] of that which a motor can use
    grip: float  # largest acceleration across
    half_track: float
    hold: float = 2e-3  # [s] chosen: within this a tyre stops what moves across it, as far as it grips

    def __post_init__(self) -> None:
        expect(self, ((LEAST, MOST, ("stiffness", "turn_stiffness", "most", "grip", "half_track", "hold")),))

    @property
    def table(self) -> tuple[float, ...]:
        """The above in the kernels' order."""
        return (self.stiffness, self.turn_stiffness, self.most, self.grip, self.hold, self.half_track, 0.0)


@dataclass(frozen=True, slots=True)
class Doubts:
    """What a robot's trouble does, which grows while it is seen elsewhere than foreseen: in a pile, mostly."""

    turned: float  # [rad^2/s] random walk of its heading for each unit of trouble
    unsure: float  # [rad] standard deviation of a heading beyond which commands say nothing about the course
    worry: float  # trouble for each time that it was seen farther off than usual
    fade: float  # share of the trouble that is left after a picture
    missed: float  # trouble of one that should be there and is not seen


# Both chosen with 300 collisions of three and of two robots at 1.5 and 2 m/s; ``missed`` (of 1, 2, 3, 5) with 4000 of
# three at 1.5 m/s. Where no heading is measured only the commands tell the course, so they are believed longer.
HEADINGS_SEEN = Doubts(turned=0.05, unsure=0.3, worry=3.0, fade=0.8, missed=2.0)
HEADINGS_UNSEEN = Doubts(turned=0.0, unsure=9.0, worry=0.5, fade=0.5, missed=0.0)


@dataclass(frozen=True, slots=True)
class Params:
    """All that does not change during a match."""

    field: Field
    robots: int  # a team
    body_from_wheels: Floats  # (3, w)
    body: Body
    drive: OmniDrive | TyreDrive
    noise_xy: float  # standard deviation of a detection
    noise_theta: float
    ball: BallParams
    headings: bool = True  # cameras measure them
    mouth: float = 0.0  # from a robot's centre to a ball in its mouth
    odometry: bool = False  # what own robots tell of their wheels is believed before what they were told to do
    association: Association = Association.LIKELIEST
    collisions: Collisions = Collisions.FULL
    beliefs: int = 6  # kept at once about who is who; 1: only the best
    own_noise: float = 2.0  # [m^2/s^3] what commands do not explain: pushing, slipping
    held_noise: float = 8.0  # [m^2/s^3] of ours that does not obey
    their_noise: float = 8.0  # [m^2/s^3] an opponent brakes and turns as it likes
    turn_noise: float = 200.0  # [rad^2/s^3]
    max_turn_rate: float = 30.0
    max_wheel_speed: float = 1e4  # [rad/s] chosen: an encoder that tells more is broken
    gate: float = 60.0  # unlikeliness beyond which a detection is somebody else's
    reach: float = 0.15  # [m] chosen: distance beyond which it is, for associations that measure in metres
    growth: float = 1.0  # [m/s] chosen: by how much that grows while a robot is not seen
    lost_after: float = 0.2  # [s] a robot unseen for so long may reappear anywhere
    memory: float = 0.3  # [s] a picture that comes late by no more is put in its place
    places: Floats | None = None  # (2n, 2) where everybody stands at the first picture, to name those that look alike

    model: Floats = dataclasses.field(init=False, repr=False)  # the above in the kernels' order
    noise: Floats = dataclasses.field(init=False, repr=False)
    doubts: Floats = dataclasses.field(init=False, repr=False)
    driving: Floats = dataclasses.field(init=False, repr=False)
    shape: Floats = dataclasses.field(init=False, repr=False)
    boards: Floats = dataclasses.field(init=False, repr=False)
    tables: tuple[Floats | Ints, ...] = dataclasses.field(init=False, repr=False, compare=False)  # all, and scratch
    ways: tuple[int, int, int] = dataclasses.field(init=False, repr=False, compare=False)
    room: Room = dataclasses.field(init=False, repr=False, compare=False)
    told: "Params | None" = dataclasses.field(init=False, repr=False, compare=False)  # for ticks at which wheels tell

    def __post_init__(self) -> None:
        _check(self)
        seen = (self.noise_xy**2, self.noise_theta**2, self.gate, self.reach, self.growth)
        densities = (self.own_noise, self.their_noise, self.turn_noise, self.held_noise)
        told = dataclasses.replace(self, odometry=False, drive=WHEELS_TOLD) if self.odometry else None
        object.__setattr__(self, "told", told)
        b, d = self.body, self.drive
        form = (b.half_length, b.half_width, b.radius, b.mass, b.inertia)
        touch = (b.restitution, b.friction, b.restitution_wall, b.friction_wall)
        object.__setattr__(self, "model", np.array((*seen, self.max_turn_rate, self.lost_after)))
        object.__setattr__(self, "noise", np.array(densities))
        doubts = HEADINGS_SEEN if self.headings else HEADINGS_UNSEEN
        object.__setattr__(self, "doubts", np.array(dataclasses.astuple(doubts)))
        object.__setattr__(self, "driving", np.array(d.table))
        object.__setattr__(self, "shape", np.array((*form, *touch, *clear_of(self.field, b.reach))))
        object.__setattr__(self, "boards", boxes_of(self.field))
        tables = (self.driving, self.noise, self.doubts, self.model, self.shape, self.boards)
        object.__setattr__(self, "room", Room(2 * self.robots, self.beliefs, len(self.boards)))
        object.__setattr__(self, "tables", (*tables, self.body_from_wheels, *self.ball.tables, *self.room.fixed))
        object.__setattr__(self, "ways", (self.beliefs, int(self.association), int(self.collisions)))


KINDS: dict[str, tuple[type, ...]] = {
    "field": (Field,), "body": (Body,), "drive": (TyreDrive, OmniDrive), "ball": (BallParams,)
}  # fmt: skip


def _check(p: Params) -> None:
    """Raise where a value can never work."""
    expect_one_of("association", p.association, Association)
    expect_one_of("collisions", p.collisions, Collisions)
    for name in ("headings", "odometry"):
        if not isinstance(getattr(p, name), bool):
            raise ContractError(f"{name} must be True or False; got {getattr(p, name)!r}")
    expect_whole("robots", p.robots, 1, MOST_ROBOTS)
    expect_whole("beliefs", p.beliefs, 1, MOST_BELIEFS)
    for name, kinds in KINDS.items():
        if not isinstance(getattr(p, name), kinds):
            known = " or ".join(kind.__name__ for kind in kinds)
            raise ContractError(f"{name} must be of {known}; got {getattr(p, name)!r}")
    expect(p, RULES)
    expect_array("body_from_wheels", p.body_from_wheels, (3, "w"))
    if p.places is not None:
        expect_array("places", p.places, (2 * p.robots, 2))
