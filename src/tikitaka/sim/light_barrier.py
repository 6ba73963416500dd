"""The light barrier at the dribbler: ball, no ball or malfunction [ERForce, sec. 2].

Two infrared emitters behind the mouth, left and right, light its whole width; one receiver between them sees what the
ball throws back. They are pulsed at 36 kHz, so that the steady light above the field is not seen. The print has one
bit and no test; ours goes through five slots, in each of which the receiver gives one bit:

    dark -> left -> right -> left at test power -> right at test power -> verdict -> dark -> ...

At test power the receiver sees the robot's own front, ball or not. The verdict, first line that holds:

    dark slot lit          -> MALFUNCTION, STRAY_LIGHT  some other light is pulsed: nothing else can be believed
    left or right slot lit -> BALL                      only a ball throws back that much
    a test slot not lit    -> MALFUNCTION               an emitter is dead (LEFT_DARK, RIGHT_DARK), or, with both dark,
                                                        the receiver is dead or the window dirty (BOTH_DARK)
    else                   -> NO_BALL

A test that fails is told beside BALL too. So a ball is never reported that is not there, and one that the emitters
light is never reported as absent, whatever is broken. A dirty window and a dead receiver look the same until a ball
comes: dirt still shows it. differs: the verdict is of the moment; printed are 20 us, less than one period of 36 kHz.
"""

import dataclasses
import math
from dataclasses import dataclass
from enum import IntEnum, IntFlag

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.sim.kernels import barrier
from tikitaka.sim.pitch import State
from tikitaka.types import Barrier, Floats
from tikitaka.types.limits import LEAST, MOST, expect


class Fault(IntFlag):
    """What is broken, to be injected; several at once may be."""

    NONE = 0
    LEFT_BROKEN = barrier.LEFT_BROKEN
    RIGHT_BROKEN = barrier.RIGHT_BROKEN
    RECEIVER_BROKEN = barrier.RECEIVER_BROKEN
    DIRTY = barrier.DIRTY
    AMBIENT = barrier.AMBIENT


class Cause(IntEnum):
    """What its tests say."""

    NONE = 0
    LEFT_DARK = 1
    RIGHT_DARK = 2
    BOTH_DARK = 3
    STRAY_LIGHT = 4


@dataclass(frozen=True, slots=True)
class Reading:
    """One verdict."""

    output: Barrier
    cause: Cause


@dataclass(frozen=True, slots=True)
class BarrierParams:
    """Where the barrier sits and what it reaches."""

    mouth: float  # from the robot's centre to its front
    ball_radius: float
    recess: float = 0.035  # [m] chosen: of emitters and receiver behind the front
    spread: float = 0.03  # [m] chosen: of each emitter from the middle
    height: float = 0.02  # [m] chosen: of the beams above the ground
    beam: float = math.radians(60.0)  # [ERForce, sec. 2]
    reach: float = 0.05  # [m] [ERForce, sec. 2], from an emitter to the ball
    sensor: Floats = dataclasses.field(init=False, repr=False)  # the above in the kernel's order

    def __post_init__(self) -> None:
        sizes = (0.0, MOST, ("mouth", "recess", "spread", "height", "reach"))
        expect(self, (sizes, (LEAST, MOST, ("ball_radius",)), (LEAST, math.pi - LEAST, ("beam",))), "barrier.")
        where = (self.mouth - self.recess, self.spread, self.height)
        sensor = np.array((*where, math.tan(0.5 * self.beam), self.reach, self.ball_radius))
        object.__setattr__(self, "sensor", sensor)


def sense(params: BarrierParams, state: State, robot: int, fault: Fault = Fault.NONE) -> Reading:
    """Return what the light barrier of a robot says of this moment."""
    if not 0 <= robot < len(state.pose):
        raise ContractError(f"robot must be in [0, {len(state.pose)}); got {robot}")
    return judge(barrier.echoes(0, robot, state.pose[None], state.ball[None], params.sensor, int(fault)))


def judge(bits: int) -> Reading:
    """Return the verdict on the bits of the five slots."""
    if bits & barrier.DARK_BIT:
        return Reading(Barrier.MALFUNCTION, Cause.STRAY_LIGHT)
    left, right = not bits & barrier.LEFT_TEST_BIT, not bits & barrier.RIGHT_TEST_BIT
    cause = Cause(Cause.LEFT_DARK * left + Cause.RIGHT_DARK * right)
    if bits & (barrier.LEFT_BIT | barrier.RIGHT_BIT):
        return Reading(Barrier.BALL, cause)
    return Reading(Barrier.NO_BALL if cause == Cause.NONE else Barrier.MALFUNCTION, cause)
