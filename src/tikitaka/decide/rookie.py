"""A first team: the keeper keeps, one robot goes for the ball, the others take positions."""

from dataclasses import dataclass, replace

import numpy as np

from tikitaka.decide import kernels
from tikitaka.types import Floats, Intents, Phase, World


@dataclass(frozen=True, slots=True)
class Params:
    """What the team knows of its robots."""

    reach: float  # between the centres of robot and ball when they touch
    hull: float  # radius of the circle around a robot
    max_speed: float
    kick: float  # ball speed of a shot; 0: no kicker


@dataclass(frozen=True, slots=True)
class Roles:
    """What is remembered between two ticks."""

    attacker: int = 1


def decide(params: Params, roles: Roles, world: World) -> tuple[Roles, Intents]:
    """Return the roles and what each robot is to do."""
    n, game = len(world.ours), world.game
    if game.phase == Phase.HALT:
        return roles, Intents.stop(n)
    wish = replace(Intents.stop(n), active=np.ones(n, np.bool_))
    ball = np.array((world.ball.x, world.ball.y, world.ball.vx, world.ball.vy))
    may_touch = game.phase == Phase.PLAY or game.kick_off_ours
    attacker = kernels.rookie(
        world.ours.pose, ball, roles.attacker, may_touch, params.kick, _sizes(params, world),
        params.max_speed, np.zeros(n, np.bool_), wish.target, wish.end_speed, wish.kick,
    )  # fmt: skip
    return Roles(attacker), wish


def _sizes(params: Params, world: World) -> Floats:
    f = world.field
    return np.array((f.half_length, f.half_width, 0.5 * f.goal_width, params.reach, params.hull, f.circle_radius))
