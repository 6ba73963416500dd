"""A first team: the keeper keeps, one robot goes for the ball, the others take positions."""

import math
from dataclasses import dataclass

import numpy as np

from tikitaka.decide.facts import Facts
from tikitaka.decide.kernels import sending
from tikitaka.decide.rules import NOBODY, lawful, may_play
from tikitaka.types import Ball, BallUse, Field, Floats, Intents, Phase, World

STILL = 0.03  # [m] a ball that stays within this lies still


@dataclass(frozen=True, slots=True)
class Roles:
    """What is remembered between two ticks."""

    attacker: int = 1
    mark: tuple[float, float] = (0.0, 0.0)  # where the ball last moved
    since: float = 0.0  # and when


def decide(facts: Facts, roles: Roles, world: World) -> tuple[Roles, Intents]:
    """Return the roles and what each robot is to do."""
    n, b = len(world.ours), world.ball
    if world.game.phase == Phase.HALT:
        return roles, Intents.stop(n)
    mark, since = _mark(roles, b, world.time)
    wish = Intents.blank(n)
    may_touch = may_play(world)
    attacker = sending.rookie(
        world.ours.pose, world.theirs.pose, np.array((b.x, b.y, b.vx, b.vy)), roles.attacker, world.time - since,
        may_touch, facts.reach, facts.kick, facts.max_speed, pitch(facts, world.field),
        np.zeros(n, np.bool_), wish.target, wish.end_speed, wish.kick,
    )  # fmt: skip
    _allow(wish, attacker if may_touch else 0)
    return Roles(attacker, mark, since), lawful(facts, world, wish, attacker if may_touch else NOBODY)


def _allow(wish: Intents, attacker: int) -> None:
    """Let the keeper and the attacker at the ball and into contact; the others keep off."""
    wish.ball[:] = BallUse.AVOID
    for i in (0, attacker):
        wish.ball[i], wish.contact[i] = BallUse.PLAY, True
    wish.keeper[0] = True


def pitch(facts: Facts, f: Field) -> Floats:
    """Return the field as the kernels know it, see `tikitaka.decide.kernels`."""
    room = (f.half_length + f.margin_x, f.half_width + f.margin_y)
    area = (f.area_length, 0.5 * f.area_width)
    return np.array((f.half_length, f.half_width, 0.5 * f.goal_width, *room, *area, f.circle_radius, facts.hull))


def _mark(roles: Roles, ball: Ball, now: float) -> tuple[tuple[float, float], float]:
    moved = math.dist((ball.x, ball.y), roles.mark) > STILL
    return ((ball.x, ball.y), now) if moved else (roles.mark, roles.since)
