"""World, Plans -> Commands: wheel speeds within the limits of wheels, tyres and motors, and the kicker."""

import math
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from tikitaka.control.kernels import following
from tikitaka.errors import ContractError
from tikitaka.types import Commands, Floats, Plans, World

CALM = 0.04  # [s] chosen: who does not know exactly where it is drives no more hurriedly than with ticks of this length


class Law(StrEnum):
    """How a path is driven."""

    FAST = "fast"  # ours: in the least time that the limits allow
    SUPER_POSITION = "super_position"  # the thesis': speed in proportion to the distance


@dataclass(frozen=True, slots=True)
class Response:
    """How wheels and tyres answer; of perfect wheels where nothing is given."""

    effort: Floats  # (w, 3) share of a motor's torque that a unit of body acceleration takes
    lead: Floats  # (3, 3) velocity error to ask for, for each unit that is to be made good within a tick
    settle: float = math.inf  # a tick in time constants of the wheels
    knee: float = math.inf  # [rad/s] error of a wheel's rate that takes all of the motor's torque
    grip: float = math.inf  # [m/s^2] that the tyres hold

    @classmethod
    def perfect(cls, wheels: int) -> "Response":
        """Return wheels that turn as they are told at once."""
        return cls(np.zeros((wheels, 3)), np.eye(3))


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
    response: Response
    law: Law = Law.FAST
    doubt: tuple[float, float] = (0.0, 0.0)  # [m], [rad] standard deviations of what is seen: how still a robot rests
    late: int = 0  # ticks after the world's time at which commands act
    limits: Floats = field(init=False, repr=False)  # the above in the kernels' order, see kernels.table
    effort: Floats = field(init=False, repr=False)  # (w, 4) that of the response, and torques against each other
    bounds: Floats = field(init=False, repr=False)  # (k, 3) of what the motors can give, see kernels.wheels
    law_number: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        turning = (self.max_turn_rate, self.max_turn_acceleration)
        limits = (self.max_speed, self.max_acceleration, *turning, self.max_wheel_speed)
        r = self.response
        begin = 0.0 if math.isinf(r.settle) else 0.5
        calm = max((1 + 2 * self.late) * self.dt, CALM if self.doubt[0] > 0.0 else 0.0)
        object.__setattr__(self, "limits", np.array((*limits, r.grip, begin, r.settle, r.knee, *self.doubt, calm)))
        against = _against(self.wheels_from_body) if self.omni else np.zeros(len(r.effort))
        object.__setattr__(self, "effort", np.column_stack((r.effort, against)))
        object.__setattr__(self, "bounds", _bounds(r.effort, against))
        law = following.FAST if self.law is Law.FAST else following.SUPER_POSITION
        object.__setattr__(self, "law_number", law)


def step(params: Params, world: World, plans: Plans) -> Commands:
    """Return the commands that follow the plans; a robot without a plan brakes, one that makes no sense is stopped."""
    n = len(world.ours.pose)
    _check(plans, n)
    wheels, kick = np.empty((n, len(params.wheels_from_body))), np.empty(n)
    wish, r = plans.intents, params.response
    pose, velocity, xy = world.ours.pose.copy(), world.ours.velocity.copy(), plans.xy.copy()  # moved on in there
    stopped = following.follow(
        pose, velocity, plans.status, xy, plans.count, wish.target[:, 2], wish.end_speed,
        wish.max_speed, wish.kick, params.omni, params.two_faced, params.law_number, params.limits, params.effort,
        params.bounds, params.wheels_from_body, r.lead, params.dt, params.late, _strength(params, plans, n),
        np.empty_like(params.limits), np.empty_like(params.effort), wheels, kick,
    )  # fmt: skip
    return Commands(wheels, kick, wish.dribble, stopped, wish.lift if any(wish.lift.tolist()) else None)


def _strength(params: Params, plans: Plans, n: int) -> Floats:
    """Return how strong each robot is; on omni wheels they are as strong as they should be."""
    return np.ones(n) if plans.strength is None or params.omni else plans.strength


def _against(wheels_from_body: Floats) -> Floats:
    """Return torques of four omni wheels, (w,), that move nothing: they work against each other; else none."""
    if len(wheels_from_body) != 4:
        return np.zeros(len(wheels_from_body))
    return np.asarray(np.linalg.svd(wheels_from_body)[0][:, 3])


def _bounds(effort: Floats, against: Floats) -> Floats:
    """Return rows (k, 3) that bound accelerations by 1: of each motor or, where they help each other, of each two.

    Torques t against each other leave motor j what it can where |effort a + t against| is at most 1: such a t is in an
    interval of each motor, and any two of these must overlap.
    """
    if not against.all():
        return effort
    j, k = np.triu_indices(len(effort), 1)
    middle, half = effort / against[:, None], 1.0 / np.abs(against)
    return np.asarray((middle[j] - middle[k]) / (half[j] + half[k])[:, None])


def _check(plans: Plans, n: int) -> None:
    """Raise where the kernel, which does not check, would read outside the arrays."""
    wish, most = plans.intents, plans.xy.shape[1]
    asked = len(wish.target) == len(wish.end_speed) == len(wish.max_speed) == len(wish.kick) == len(wish.lift) == n
    strong = n if plans.strength is None else len(plans.strength)
    if not (asked and len(plans.count) == len(plans.xy) == len(plans.status) == strong == n):
        raise ContractError(_wrong_rows(plans, n))
    used = max(plans.count.tolist(), default=0)
    if used > most:
        raise ContractError(f"plans.count must be at most {most}, the waypoints that plans.xy holds; got {used}")


def _wrong_rows(plans: Plans, n: int) -> str:
    rows = {name: len(getattr(plans, name)) for name in ("count", "xy", "status")}
    rows |= {} if plans.strength is None else {"strength": len(plans.strength)}
    asked = ("target", "end_speed", "max_speed", "kick", "lift")
    rows |= {f"intents.{name}": len(getattr(plans.intents, name)) for name in asked}
    name, got = next((name, got) for name, got in rows.items() if got != n)
    return f"plans.{name} must have {n} rows, one a robot; got {got}"
