"""Teams to test others against: one stands still, one keeps its places, one drives about at random."""

import math
from dataclasses import dataclass

import numpy as np

from tikitaka.decide.facts import Facts
from tikitaka.decide.kernels import sending
from tikitaka.decide.rookie import pitch
from tikitaka.decide.rules import lawful
from tikitaka.geom.random import key, uniform
from tikitaka.types import BallUse, Intents, Phase, World

PERIOD = 2.0  # [s] chosen: so long a robot of `random` keeps its target
EDGE = 0.9  # chosen: share of the pitch on which its targets lie


@dataclass(frozen=True, slots=True)
class Clock:
    """What is remembered between two ticks."""

    tick: int = 0


def idle(clock: Clock, world: World) -> tuple[Clock, Intents]:
    """Return the wish to stand still."""
    return Clock(clock.tick + 1), Intents.stop(len(world.ours))


def formation(facts: Facts, clock: Clock, world: World) -> tuple[Clock, Intents]:
    """Return the wishes of a team that holds its places: the keeper its line, the others behind the ball."""
    n, b = len(world.ours), world.ball
    wish, marks = Intents.blank(n), pitch(facts, world.field)
    ball, busy = np.array((b.x, b.y, b.vx, b.vy)), np.zeros(n, np.bool_)
    sending.send_keeper(
        world.ours.pose, ball, facts.reach, 0.0, facts.max_speed, marks, wish.target, wish.end_speed, wish.kick
    )
    busy[0], wish.keeper[0] = True, True
    back = world.game.phase == Phase.KICK_OFF
    sending.send_others(world.ours.pose, ball, n - 1, back, facts.kick, marks, busy, wish.target)
    wish.ball[1:] = BallUse.AVOID
    return Clock(clock.tick + 1), lawful(facts, world, wish)


def random(facts: Facts, seed: int, clock: Clock, world: World) -> tuple[Clock, Intents]:
    """Return wishes that come from (seed, tick) alone: anywhere on the pitch, now and then through the ball."""
    n, f, (k0, k1) = len(world.ours), world.field, key(seed, 0)
    wish, step = Intents.blank(n), int(clock.tick / (PERIOD * facts.rate))
    for i in range(n):
        u = [uniform(k0, k1, step, 4 * i + c) for c in range(4)]
        at = (world.ball.x, world.ball.y)
        if u[3] > 0.25:
            at = (EDGE * f.half_length * (2.0 * u[0] - 1.0), EDGE * f.half_width * (2.0 * u[1] - 1.0))
        wish.target[i] = *at, math.pi * (2.0 * u[2] - 1.0)
    wish.keeper[0] = True
    return Clock(clock.tick + 1), lawful(facts, world, wish)
