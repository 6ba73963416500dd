"""What does not change during a match: the pitch, the robots, the ball and how they meet."""

import dataclasses
import math
from dataclasses import dataclass

from tikitaka.sim import arrays
from tikitaka.sim.drive import DriveParams
from tikitaka.types import Field, Outline
from tikitaka.types.limits import LEAST, MOST, expect, expect_whole

MAX_SUBSTEP = 1.0 / 60.0  # [s] see docs/decisions/0011
LONGEST_TICK = 60.0  # [s] chosen
MAX_ROBOTS = 1000  # chosen: what a step keeps grows with the square
MAX_GEARED = 1.0 / 180.0  # [s] with kickers and dribblers, which act when a substep begins: a ball at 6 m/s rolls 3 cm


@dataclass(frozen=True, slots=True)
class RobotParams:
    """The robot as the physics knows it."""

    outline: Outline
    drive: DriveParams
    front: float  # centre to where the ball lies when it is kicked
    height: float
    max_wheel_speed: float  # [rad/s] faster commands are cut

    def __post_init__(self) -> None:
        expect(self, ((0.0, MOST, ("front", "height", "max_wheel_speed")),), "robot.")


@dataclass(frozen=True, slots=True)
class BallParams:
    """The ball and what acts on it."""

    radius: float
    mass: float
    rolling_deceleration: float  # Coulomb
    restitution_wall: float
    restitution_robot: float
    rolling_damping: float = 0.0  # [1/s] viscous
    sliding_friction: float = 0.3  # coefficient
    restitution_ground: float = 0.5
    gravity: float = 9.81

    def __post_init__(self) -> None:
        above = (LEAST, MOST, ("radius", "mass"))
        resists = (0.0, MOST, ("rolling_deceleration", "rolling_damping", "sliding_friction", "gravity"))
        rebounds = (0.0, 1.0, ("restitution_wall", "restitution_robot", "restitution_ground"))
        expect(self, (above, resists, rebounds), "ball.")


@dataclass(frozen=True, slots=True)
class KickerParams:
    """What shoots the ball; all zero: none."""

    width: float = 0.0  # zone before the front in which a robot kicks
    reach: float = 0.0
    max_speed: float = 0.0
    max_lift: float = 0.0
    recharge: float = 0.0

    def __post_init__(self) -> None:
        expect(self, ((0.0, MOST, ("width", "reach", "max_speed", "max_lift", "recharge")),), "kicker.")


@dataclass(frozen=True, slots=True)
class DribblerParams:
    """What holds the ball; all zero: none."""

    force: float = 0.0
    width: float = 0.0
    reach: float = 0.0

    def __post_init__(self) -> None:
        expect(self, ((0.0, MOST, ("force", "width", "reach")),), "dribbler.")


@dataclass(frozen=True, slots=True)
class ContactParams:
    """How robots meet one another and the boards; the ball's restitutions are its own."""

    restitution_pair: float = 0.1  # MI20 wants near 0, Klancar 1
    restitution_wall: float = 0.0  # [Klancar, Eq. 17]: a robot stops
    friction_pair: float = 0.2
    friction_wall: float = 0.4

    def __post_init__(self) -> None:
        rebounds = (0.0, 1.0, ("restitution_pair", "restitution_wall"))
        expect(self, (rebounds, (0.0, MOST, ("friction_pair", "friction_wall"))), "contact.")


@dataclass(frozen=True, slots=True)
class Params:
    """One pitch; does not change during a match."""

    field: Field
    robot: RobotParams
    ball: BallParams
    robots: int  # of both teams
    dt: float
    kicker: KickerParams = KickerParams()
    dribbler: DribblerParams = DribblerParams()
    contact: ContactParams = ContactParams()
    fixed: tuple[arrays.Array, ...] = dataclasses.field(init=False, repr=False, compare=False)
    scratch: tuple[arrays.Array, ...] = dataclasses.field(init=False, repr=False, compare=False)
    shapes: tuple[tuple[int, ...], ...] = dataclasses.field(init=False, repr=False)  # of a State, pose to charge

    def __post_init__(self) -> None:
        expect_whole("robots", self.robots, 0, MAX_ROBOTS)
        expect(self, ((LEAST, LONGEST_TICK, ("dt",)),))
        object.__setattr__(self, "fixed", arrays.fixed(self))
        n, w = self.robots, len(self.robot.drive.wheels)
        object.__setattr__(self, "shapes", ((n, 3), (n, 3), (n, w), (arrays.BALL_COLUMNS,), (n,)))
        object.__setattr__(self, "scratch", arrays.made(arrays.scratch(self, 1)))

    @property
    def substeps(self) -> int:
        """Number of physics steps in one tick."""
        geared = self.kicker.max_speed > 0.0 or self.dribbler.force > 0.0
        return max(1, math.ceil(self.dt / (MAX_GEARED if geared else MAX_SUBSTEP) - 1e-9))
