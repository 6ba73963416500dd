"""Teams with roles: `classic`, and `tikitaka` that passes. One kernel decides, this module hands it what it needs."""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np

from tikitaka.decide.facts import Facts, table
from tikitaka.decide.kernels import knowing, mapping, minding, playing, rolling
from tikitaka.decide.rules import lawful, may_play
from tikitaka.types import Bools, Floats, Intents, Ints, Phase, World


@dataclass(frozen=True, slots=True)
class Style:
    """How a team plays."""

    passes: bool = False  # to mates who stand better
    press: int = (
        0  # 0: careful in fights for the ball; 1: any way forward, and a second robot helps; 2: it helps sooner
    )
    marks: bool = False  # opponents without the ball are marked
    support: bool = False  # supporters stand where a pass would score

    pace: float = 0.6  # share of the top speed at which the others drive
    width: float = 1.1  # of half the pitch's width: a row behind the ball
    back: float = 0.25  # of half its length: how far behind the ball
    leaves: bool = False  # goal areas: ours to the keeper, theirs to one of us; and mates keep clear of each other

    row: Floats = field(init=False, repr=False, compare=False)  # the above in the kernels' order

    def __post_init__(self) -> None:
        flags = (self.passes, self.press, self.marks, self.support)
        row = np.array((*flags, self.pace, self.width, self.back, self.leaves), np.float64)
        object.__setattr__(self, "row", row)


WALLED = (Phase.STOP, Phase.FREE_KICK)  # where a ball that is theirs gets a wall before it
CLASSIC = Style()
TIKITAKA = Style(passes=True, press=1, marks=True, support=True, leaves=True)


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered between two ticks; arrays in the kernels' order."""

    notes: Floats
    plan: Floats
    spots: Floats
    roles: Ints


def start() -> Memory:
    """Return notes of nobody and nothing."""
    notes = np.zeros(playing.NOTES)
    notes[[playing.ATTACKER, playing.TAKER, playing.RUN_SINCE]] = -1.0
    return Memory(notes, np.zeros(minding.PLANS), np.zeros((mapping.SPOTS, 2)), np.zeros(0, np.int64))


def decide(facts: Facts, style: Style, memory: Memory, world: World) -> tuple[Memory, Intents]:
    """Return what is remembered and what each robot is to do."""
    n, game, phase = len(world.ours), world.game, world.game.phase
    if phase == Phase.HALT:
        return memory, Intents.stop(n)
    notes, plan, spots = memory.notes.copy(), memory.plan.copy(), memory.spots.copy()
    roles = memory.roles.copy() if len(memory.roles) == n else np.full(n, -1)
    wish = Intents.blank(n)
    b, us, them = world.ball, world.ours, world.theirs
    bringing = phase == Phase.PLACEMENT and game.ours and facts.dribbler
    walls = facts.areas_barred and not game.ours and phase in WALLED
    *room, old = _scratch(n, len(them))
    filled: tuple[Any, ...] = (
        *room, spots, notes, plan, old, roles, wish.target, wish.end_speed, wish.max_speed, wish.kick, wish.lift,
        wish.dribble, wish.ball, wish.contact, wish.keeper,
    )  # fmt: skip
    taker = playing.play(
        us.pose, us.velocity, them.pose, them.velocity, np.array((b.x, b.y, b.vx, b.vy)), world.time, may_play(world),
        phase != Phase.PLAY, phase == Phase.PENALTY, bringing, walls, *game.spot, _held(facts, world), style.row,
        table(facts, world.field), *filled,
    )  # fmt: skip
    return Memory(notes, plan, spots, roles), lawful(facts, world, wish, taker)


@cache
def _scratch(n: int, others: int) -> tuple[Any, ...]:
    """Return work arrays for n of our robots in the kernel's order, the same for all teams of this process.

    What they hold means nothing between two calls; no two run at a time, since kernels keep the interpreter's lock.
    """
    pairs = (np.empty((n, 3)), np.empty((n, n)), np.empty((4, n + 1)), np.empty((2, n + 1), np.int64))
    flags = (np.empty(n, np.int64), np.empty(others, np.bool_))
    return np.empty((rolling.STEPS, 2)), *pairs, *flags, np.empty(minding.PLANS)


def _held(facts: Facts, world: World) -> Bools:
    """Return who has the ball in the mouth: by the light barriers, or by sight where there are none."""
    if world.holding is not None:
        return world.holding
    held = np.empty(len(world.ours), np.bool_)
    knowing.fill_held(world.ours.pose, world.ball.x, world.ball.y, facts.reach, facts.hull, held)
    return held
