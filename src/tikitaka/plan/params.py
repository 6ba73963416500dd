"""What the planner knows of robots, pitch and rules, and how it searches."""

import dataclasses
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.geom.random import key
from tikitaka.plan.obstacles import fixtures
from tikitaka.plan.work import Room
from tikitaka.types import Field, Floats


class Planner(StrEnum):
    """How paths are found."""

    STRAIGHT = "straight"  # nobody is seen
    ERRT = "errt"  # [ERForce]
    TANGENTS = "tangents"  # the exact shortest path
    TIMED = "timed"  # trajectories in time among moving robots


@dataclass(frozen=True, slots=True)
class Limits:
    """What our robots can do."""

    max_speed: float
    max_acceleration: float
    max_turn_rate: float = 20.0
    max_turn_acceleration: float = 100.0
    omni: bool = True
    two_faced: bool = False  # back and front are alike

    def array(self) -> Floats:
        """Return the limits in the kernels' order."""
        turning = (self.max_turn_rate, self.max_turn_acceleration)
        return np.array((self.max_speed, self.max_acceleration, self.max_acceleration, *turning))


@dataclass(frozen=True, slots=True)
class Body:
    """How large things are, and how far they stay apart."""

    hull: float  # radius of the circle around a robot
    wall: float  # how near its centre comes to a wall
    ball: float  # radius of the ball
    reach: float  # between the centres of robot and ball at the mouth: the shoot radius
    margin_time: float = 0.05  # [s] [ERForce, sec. 3.1] of relative speed that is kept between two robots
    margin_most: float = 0.05  # [m] [ERForce, sec. 3.1] and no more than this
    others_more: float = 0.02  # [m] chosen: more towards opponents, whose plans we do not know


@dataclass(frozen=True, slots=True)
class Search:
    """How ERRT searches; step, connects and biases as in ER-Force's later code."""

    budget: int = 300  # iterations for one robot and tick
    attempts: int = (
        1  # searches of which the shortest is taken; chosen: a second one takes time at p99 (docs/planner.md)
    )
    step: float = 0.3  # [m] chosen: of the slowest plans, 0.1 takes longer for paths no shorter (docs/planner.md)
    connects: int = 4
    goal_bias: float = 0.1
    cache_bias: float = 0.4
    cache: int = 200  # waypoints that are remembered
    sticky: float = 1.2  # chosen: the old path is kept while it is at most this much longer than a new one
    seed: int = 0

    def array(self, free: float) -> Floats:
        """Return the settings in the kernels' order; ``free`` as in `kernels.shapes`."""
        return np.array((self.step, self.connects, self.goal_bias, self.cache_bias, free, self.sticky))


@dataclass(frozen=True, slots=True)
class Params:
    """All that does not change during a match."""

    field: Field
    limits: Limits
    body: Body
    planner: Planner = Planner.ERRT
    search: Search = Search()
    areas_barred: bool = False  # goal areas are for keepers only, as in the SSL
    keep_off: float = 0.0  # [m] from the ball while the other side kicks off
    ball_brake: float = 0.3  # [m/s^2] of a ball that rolls

    limit_row: Floats = dataclasses.field(init=False, repr=False)  # the above in the kernels' order
    settings: Floats = dataclasses.field(init=False, repr=False)
    fixed: Floats = dataclasses.field(init=False, repr=False)
    keys: tuple[int, int] = dataclasses.field(init=False, repr=False)  # of the random numbers
    rows: tuple[Floats, Floats] = dataclasses.field(init=False, repr=False)  # see `facts`
    room: Room = dataclasses.field(init=False, repr=False, compare=False)  # scratch

    def __post_init__(self) -> None:
        _check(self)
        put = object.__setattr__
        put(self, "limit_row", self.limits.array())
        put(self, "settings", self.search.array(2.0 * self.body.hull))  # [ERForce, Eq. 3] two robot radii
        put(self, "fixed", fixtures(self.field, self.body.hull, self.body.wall, self.areas_barred))
        put(self, "keys", key(self.search.seed, 0))
        put(self, "rows", (self._facts(0.0), self._facts(self.keep_off)))
        put(self, "room", Room())

    def facts(self, keep_off: bool) -> Floats:
        """Return sizes and margins in the kernels' order; ``keep_off``: the ball is the other side's."""
        return self.rows[keep_off]

    def _facts(self, keep_off: float) -> Floats:
        b = self.body
        margins = (b.margin_time, b.margin_most, b.others_more)
        return np.array((b.hull, b.ball, b.reach, *margins, keep_off, float(self.areas_barred)))


def _check(p: Params) -> None:
    above = {"max_speed": p.limits.max_speed, "max_acceleration": p.limits.max_acceleration, "hull": p.body.hull}
    for name, value in {**above, "step": p.search.step}.items():
        if not 0.0 < value < np.inf:
            raise ContractError(f"{name} must be above 0 and finite; got {value}")
    for name, count in {"budget": p.search.budget, "attempts": p.search.attempts, "cache": p.search.cache}.items():
        if not 0 <= count <= 1_000_000:
            raise ContractError(f"{name} must be in [0, 1000000]; got {count}")
    if p.search.sticky < 1.0:
        raise ContractError(f"sticky must be at least 1: no path is kept that is shorter only; got {p.search.sticky}")
