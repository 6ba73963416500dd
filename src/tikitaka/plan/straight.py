"""World, Intents -> Plans: straight lines, with the time that they take; obstacles are not seen yet."""

from dataclasses import dataclass

import numpy as np

from tikitaka.plan.kernels import straight
from tikitaka.types import Intents, Plans, PlanStatus, World


@dataclass(frozen=True, slots=True)
class Params:
    """Limits of our robots."""

    max_speed: float
    max_acceleration: float


def step(params: Params, world: World, intents: Intents) -> Plans:
    """Return a straight line to each robot's target; no plan for robots that stand still."""
    n = len(intents)
    xy, time, count = np.empty((n, 2, 2)), np.empty((n, 2)), np.empty(n, np.int64)
    count.fill(2)
    straight.straight(
        world.ours.pose, world.ours.velocity, intents.target, intents.end_speed, intents.max_speed,
        params.max_speed, params.max_acceleration, world.time, xy, time,
    )  # fmt: skip
    status = intents.active * np.int64(PlanStatus.EXACT)  # else NONE, which is 0
    return Plans(intents, count, xy, time, status)
