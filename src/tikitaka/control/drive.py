"""World, Plans -> Commands: wheel speeds within the speed and acceleration limits, and the kicker."""

from dataclasses import dataclass, field

import numpy as np

from tikitaka.control import kernels
from tikitaka.errors import ContractError
from tikitaka.types import Commands, Floats, Plans, World


@dataclass(frozen=True, slots=True)
class Params:
    """Limits and wheels of our robots."""

    max_speed: float
    max_acceleration: float
    max_turn_rate: float
    max_turn_acceleration: float
    max_wheel_speed: float  # [rad/s]
    wheels_from_body: Floats  # (w, 3)
    omni: bool
    two_faced: bool  # back and front are alike: drive backwards where that is shorter
    dt: float

    limits: Floats = field(init=False, repr=False)  # the above in the kernels' order

    def __post_init__(self) -> None:
        turning = (self.max_turn_rate, self.max_turn_acceleration)
        limits = (self.max_speed, self.max_acceleration, *turning, self.max_wheel_speed)
        object.__setattr__(self, "limits", np.array(limits))


def step(params: Params, world: World, plans: Plans) -> Commands:
    """Return the commands that follow the plans; a robot without a plan brakes, one that makes no sense is stopped."""
    n = len(world.ours.pose)
    _check(plans, n)
    wheels, kick = np.empty((n, len(params.wheels_from_body))), np.empty(n)
    wish = plans.intents
    stopped = kernels.follow(
        world.ours.pose, world.ours.velocity, plans.status, plans.xy, plans.count, wish.target[:, 2], wish.end_speed,
        wish.max_speed, wish.kick, params.omni, params.two_faced, params.limits, params.wheels_from_body, params.dt,
        wheels, kick,
    )  # fmt: skip
    return Commands(wheels, kick, wish.dribble, stopped)


def _check(plans: Plans, n: int) -> None:
    """Raise where the kernel, which does not check, would read outside the arrays."""
    wish, most = plans.intents, plans.xy.shape[1]
    asked = len(wish.target) == len(wish.end_speed) == len(wish.max_speed) == len(wish.kick) == n
    if not (asked and len(plans.count) == len(plans.xy) == len(plans.status) == n):
        raise ContractError(_wrong_rows(plans, n))
    used = max(plans.count.tolist(), default=0)
    if used > most:
        raise ContractError(f"plans.count must be at most {most}, the waypoints that plans.xy holds; got {used}")


def _wrong_rows(plans: Plans, n: int) -> str:
    rows = {name: len(getattr(plans, name)) for name in ("count", "xy", "status")}
    rows |= {
        f"intents.{name}": len(getattr(plans.intents, name)) for name in ("target", "end_speed", "max_speed", "kick")
    }
    name, got = next((name, got) for name, got in rows.items() if got != n)
    return f"plans.{name} must have {n} rows, one a robot; got {got}"
