"""Range and bearing from a robot to markers, ball and other robots: from a camera on the robot [Beard, sec. 3]."""

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.sim.kernels import ranging as kernels
from tikitaka.sim.pitch import State
from tikitaka.types import Bools, Floats
from tikitaka.types.limits import LEAST, MOST, expect, expect_number


@dataclass(frozen=True, slots=True)
class RangingParams:
    """A sensor that looks ahead; all robots bear the same one."""

    key: tuple[int, int]  # of the counter-based generator
    field_of_view: float = math.radians(57.0)  # chosen: the usual RGBD camera
    least: float = 0.1  # [m] chosen: what is nearer is not measured
    most: float = 4.0  # [m] chosen
    noise_range: float = 0.1  # [m] [Beard, sec. 3.1, code], read as a standard deviation
    noise_bearing: float = math.radians(1.0)  # [Beard, sec. 3.1, code], read as a standard deviation
    dropout: float = 0.0  # probability that a target in view is missed
    sensor: Floats = dataclasses.field(init=False, repr=False)  # the above in the kernel's order

    def __post_init__(self) -> None:
        sizes = (0.0, MOST, ("least", "noise_range", "noise_bearing"))
        expect(self, ((LEAST, math.tau, ("field_of_view",)), sizes, (0.0, 1.0, ("dropout",))), "ranging.")
        expect_number("ranging.most", self.most, self.least, MOST)
        limits = (0.5 * self.field_of_view, self.least, self.most)
        sensor = np.array((*limits, self.noise_range, self.noise_bearing, self.dropout))
        object.__setattr__(self, "sensor", sensor)


@dataclass(frozen=True, slots=True)
class Sightings:
    """What one robot measured, one row a target."""

    seen: Bools  # (k,)
    range: Floats  # (k,) NaN where it was not seen
    bearing: Floats  # (k,) counter-clockwise from the robot's heading, in [-pi, pi)


def measure(params: RangingParams, state: State, robot: int, targets: Floats) -> Sightings:
    """Return what a robot measures of targets (k, 2) at this tick."""
    if targets.ndim != 2 or targets.shape[1] != 2 or len(targets) > kernels.MOST_TARGETS:
        raise ContractError(f"targets must be (k, 2), k at most {kernels.MOST_TARGETS}; got {targets.shape}")
    if not 0 <= robot < len(state.pose):
        raise ContractError(f"robot must be in [0, {len(state.pose)}); got {robot}")
    found = np.empty((1, len(targets), 3))
    points = np.ascontiguousarray(targets, np.float64)[None]
    kernels.measure(0, robot, *params.key, state.tick, state.pose[None], points, params.sensor, found)
    return Sightings(found[0, :, 0] != 0.0, found[0, :, 1], found[0, :, 2])


def around(params: RangingParams, state: State, robot: int, markers: Floats) -> Sightings:
    """Return what a robot measures of markers (k, 2), of the ball and of the other robots, in this order of rows."""
    others = np.delete(state.pose[:, :2], robot, axis=0)
    return measure(params, state, robot, np.concatenate((markers, state.ball[None, :2], others)))
