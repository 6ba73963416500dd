"""What is believed of the ball, of what it meets and of the camera, and what these numbers must be."""

import dataclasses
import math
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.estimate.kernels.rolling import COULOMB, VISCOUS
from tikitaka.types import Floats
from tikitaka.types.limits import LEAST, MOST, expect, expect_array, expect_one_of, expect_whole, within

TALLEST = 1e3  # [m] a camera so high sees a flying ball where it is
RULES = (  # least, most, of which fields
    (LEAST, MOST, ("radius", "noise", "gravity")),
    (LEAST, math.inf, ("robot_mass", "fastest", "gate", "lost_after")),
    (0.0, MOST, ("friction_mean", "friction_spread", "friction_wander", "sliding", "noise_growth", "max_lift", "slow")),
    (0.0, MOST, ("forces", "forces_near", "near", "kick_spread", "wall_doubt", "robot_doubt", "rim_doubt")),
    (0.0, math.inf, ("robot_height", "wall_height", "kick_reach")),
    (0.0, 1.0, ("restitution_wall", "restitution_robot", "restitution_ground")),
)


class Friction(IntEnum):
    """What brakes a rolling ball."""

    COULOMB = 0  # mu is a deceleration [m/s^2] [Beard, sec. 2.4]
    VISCOUS = 1  # mu is a rate [1/s]: v' = -mu v [Beard, sec. 3.2]


@dataclass(frozen=True, slots=True)
class BallParams:
    """What is believed of the ball, of what it meets, and of the camera."""

    boards: Floats  # (k, 4) segments ax, ay, bx, by, the pitch on their left; see `edges_of`
    radius: float = 0.02135
    friction: Friction = Friction.COULOMB
    friction_mean: float = 0.3  # of mu: the league's rolling_deceleration or rolling_damping
    friction_spread: float = 0.1  # standard deviation of that
    friction_wander: float = 0.01  # by how much mu may change, a square root of a second
    sliding: float = 0.0  # [m/s^2] deceleration of a ball that slides after a kick; 0: it rolls at once
    restitution_wall: float = 0.5
    restitution_robot: float = 0.5
    restitution_ground: float = 0.5
    robot_mass: float = math.inf  # in masses of the ball: a light robot is pushed back
    noise: float = 0.001  # standard deviation of a detection at the middle of the picture
    noise_growth: float = 0.0  # added share of it at the picture's edge, with the square of the distance
    camera: tuple[float, float, float, float] = (0.0, 0.0, TALLEST, 1.0)  # x, y, height, reach of its picture
    body: tuple[float, float, float, float] = (-0.0375, 0.0375, 0.0375, 0.054)  # x from, x to, half width, radius
    robot_height: float = 0.075  # a ball flies over what is lower
    wall_height: float = 0.05
    forces: float = 0.02  # [m^2/s^3] chosen: density of unknown accelerations of a ball that rolls freely
    forces_near: float = 5.0  # [m^2/s^3] chosen: and of one near a robot
    near: float = 0.03  # [m] chosen: gap below which it counts as near
    kick_reach: float = 0.15  # [m] chosen: gap below which a robot may have kicked; inf: it moves by itself
    kick_spread: float = 3.0  # [m/s] chosen: standard deviation of a kick's velocity
    fastest: float = 10.0  # [m/s] chosen: no ball is faster
    wall_doubt: float = 0.05  # chosen: of the closing speed, what is unknown after a bounce
    robot_doubt: float = 0.2  # chosen
    rim_doubt: float = 0.1  # [m/s] chosen: standard deviation of the velocity of a robot's rim
    gate: float = 16.0  # squared Mahalanobis distance; chi^2 of two numbers is above once in 3000
    patience: int = 2  # chosen: detections elsewhere, one after the other, before the ball is believed to be there
    slow: float = 0.03  # [m/s] chosen: seen in one place as no ball of this speed would be, it rests
    rest_after: int = 5
    max_lift: float = 0.0  # [m/s] of the league's chip kicks; 0: no ball is ever taken for flying
    lost_after: float = 1.0  # [s] chosen: unseen for so long it may be anywhere
    gravity: float = 9.81
    tables: tuple[Floats, ...] = dataclasses.field(init=False, repr=False, compare=False)  # the kernels' order

    def __post_init__(self) -> None:
        _check(self)
        object.__setattr__(self, "tables", _tables(self))


def _check(p: BallParams) -> None:
    """Raise where a value can never work."""
    expect_one_of("friction", p.friction, Friction)
    expect(p, RULES)
    for name in ("patience", "rest_after"):
        expect_whole(name, getattr(p, name), 0, MOST)
    for name, rule in (("camera", "height and reach"), ("body", "half width and radius")):
        row = getattr(p, name)
        if np.shape(row) != (4,) or not all(within(v, -MOST, MOST) for v in row) or not min(row[2:]) >= LEAST:
            raise ContractError(f"{name} must be 4 finite numbers, {rule} above 0; got {row!r}")
    if not p.body[0] < p.body[1]:
        raise ContractError(f"body must reach from one x to a larger one; got {p.body[0]}, {p.body[1]}")
    expect_array("boards", p.boards, ("k", "4 or more"))
    if p.boards.shape[1] < 4:
        raise ContractError(f"boards must be an array (k, 4 or more) of numbers; got {p.boards.shape}")


def _tables(p: BallParams) -> tuple[Floats, ...]:
    kind = COULOMB if p.friction == Friction.COULOMB else VISCOUS
    most = p.friction_mean + 10.0 * p.friction_spread
    robot = (1.0 + p.restitution_robot) / (1.0 + 1.0 / p.robot_mass) - 1.0
    law = (kind, p.sliding, p.gravity, p.forces, p.forces_near, p.friction_wander**2, most)
    skin = (
        p.radius, p.restitution_wall, robot, p.wall_doubt, p.robot_doubt, p.rim_doubt, p.wall_height, p.robot_height,
        p.near, p.restitution_ground,
    )  # fmt: skip
    tune = (
        p.noise**2, p.noise_growth, p.gate, p.patience, p.kick_spread, p.fastest, p.slow, p.rest_after, p.lost_after,
        p.kick_reach, p.friction_mean, p.friction_spread**2, p.max_lift,
    )  # fmt: skip
    boards = np.ascontiguousarray(p.boards[:, :4], np.float64)
    return (*(np.array(row, np.float64) for row in (law, skin, tune, p.body, p.camera)), boards)
