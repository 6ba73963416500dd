"""The teams that ship with the package, by name, with their options."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tikitaka.decide import drills, rookie, squad
from tikitaka.decide.facts import Facts
from tikitaka.decide.kernels import knowing
from tikitaka.errors import TeamError, UnknownNameError, meant
from tikitaka.types import Intents, Robots, World

Start = Callable[[], Any]  # what a team remembers at the first kick-off
Step = Callable[[Any, World], tuple[Any, Intents]]
Choice = tuple[str, ...]  # the values that an option may have, the first is taken where none is given

TEAMS = ("tikitaka", "classic", "rookie", "formation", "random", "idle")
MAX_SEED = 2**63 - 1
FAR_OFF = 10.0  # [half lengths] chosen: where a robot is thought to be whose place nobody knows
OPTIONS: dict[str, dict[str, Choice]] = {
    "tikitaka": {"press": ("mid", "low", "high"), "passes": ("on", "off")},
    "random": {"seed": ()},  # a whole number
}


def named(name: str, options: Mapping[str, str], facts: Facts) -> tuple[Start, Step]:
    """Return how a team begins and how it goes on; TeamError says which option it does not know."""
    if name not in TEAMS:
        raise UnknownNameError("team", name, TEAMS)
    _check(name, options)
    start, step = _team(name, options, facts)
    return start, partial(_with_known, step)


def _team(name: str, options: Mapping[str, str], facts: Facts) -> tuple[Start, Step]:
    if name == "idle":
        return drills.Clock, drills.idle
    if name == "formation":
        return drills.Clock, partial(drills.formation, facts)
    if name == "random":
        return drills.Clock, partial(drills.random, facts, int(options.get("seed", "0")))
    if name == "classic":
        return squad.start, partial(squad.decide, facts, squad.CLASSIC)
    if name == "tikitaka":
        return squad.start, partial(squad.decide, replace(facts, careful=facts.kick > 0.0), _style(options))
    return rookie.Roles, partial(rookie.decide, facts)


def _with_known(step: Step, memory: object, world: World) -> tuple[Any, Intents]:
    """Return what a team wants with what is known: who is nowhere (NaN) stands still, without a ball everybody does."""
    b, us, them = world.ball, world.ours, world.theirs
    seen = math.isfinite(b.x + b.y + b.vx + b.vy)
    if seen and knowing.all_known(us.pose, us.velocity, them.pose, them.velocity):
        return step(memory, world)
    if not seen:
        return memory, Intents.stop(len(us))
    known = np.isfinite(us.pose.sum(axis=1) + us.velocity.sum(axis=1))
    off = -FAR_OFF * world.field.half_length
    memory, wish = step(memory, replace(world, ours=_known(us, off), theirs=_known(them, off)))
    return memory, replace(wish, active=wish.active & known)


def _known(robots: Robots, off: float) -> Robots:
    """Return robots of which those whose place or velocity is no number stand far off the pitch."""
    lost = ~np.isfinite(robots.pose.sum(axis=1) + robots.velocity.sum(axis=1))
    pose, velocity = robots.pose.copy(), robots.velocity.copy()
    pose[lost], velocity[lost] = (off, off, 0.0), 0.0
    return replace(robots, pose=pose, velocity=velocity)


def _style(options: Mapping[str, str]) -> squad.Style:
    press = ("low", "mid", "high").index(options.get("press", "mid"))
    return replace(squad.TIKITAKA, press=press, passes=options.get("passes", "on") == "on")


def _check(name: str, options: Mapping[str, str]) -> None:
    known = OPTIONS.get(name, {})
    for option, value in options.items():
        if option not in known:
            listed = ", ".join(repr(k) for k in known) or "none"
            raise TeamError(f"team {name!r}: unknown option {option!r}; {meant(option, known)}known: {listed}")
        if known[option] and value not in known[option]:
            listed = ", ".join(repr(k) for k in known[option])
            raise TeamError(f"team {name!r}: {option} must be one of {listed}; got {value!r}")
        if not known[option] and not (value.isascii() and value.isdigit() and int(value) <= MAX_SEED):
            raise TeamError(f"team {name!r}: {option} must be a whole number in [0, {MAX_SEED}]; got {value!r}")
