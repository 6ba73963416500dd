"""The whole architecture in one function: what one team does in one tick."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tikitaka.estimate import Tracks
from tikitaka.types import Commands, Detections, Intents, Plans, World


@dataclass(frozen=True, slots=True)
class Stack:
    """The stages of one team, their parameters bound; any of them may be replaced by another of the same signature."""

    estimate: Callable[[Tracks, Detections, Commands], tuple[Tracks, World]]
    decide: Callable[[Any, World], tuple[Any, Intents]]
    plan: Callable[[Any, World, Intents], tuple[Any, Plans]]
    avoid: Callable[[Any, World, Plans], tuple[Any, Plans]]
    control: Callable[[World, Plans], Commands]


@dataclass(frozen=True, slots=True)
class Memory:
    """All that a team remembers from one tick to the next."""

    tracks: Tracks
    roles: Any  # whatever the team's decide remembers
    paths: Any  # whatever its planner remembers
    dodges: Any  # whatever its avoidance remembers
    sent: tuple[Commands, ...]  # the last ones, oldest first; the oldest is believed to have acted during the last tick


@dataclass(frozen=True, slots=True)
class Thoughts:
    """What a team made of one tick, for the log and for people who look on."""

    world: World
    intents: Intents
    plans: Plans
    commands: Commands


def tick(stack: Stack, memory: Memory, detections: Detections) -> tuple[Memory, Thoughts]:
    """Return what is remembered and what was thought; the commands are the last of the thoughts."""
    tracks, world = stack.estimate(memory.tracks, detections, memory.sent[0])
    roles, intents = stack.decide(memory.roles, world)
    paths, plans = stack.plan(memory.paths, world, intents)
    dodges, plans = stack.avoid(memory.dodges, world, plans)
    commands = stack.control(world, plans)
    sent = (*memory.sent[1:], commands)
    return Memory(tracks, roles, paths, dodges, sent), Thoughts(world, intents, plans, commands)
