"""What avoidance would do if it were told the other team's truth: where its robots are, and where each is going.

Nobody knows that in a match; what is left then cannot be helped by better guesses of what the others will do.
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np

from tikitaka import avoid, vision
from tikitaka.lab.austro_moves import Progress, Route, target
from tikitaka.types import Floats, Intents, Plans, Robots, World

Step = Callable[[avoid.Memory, World, Plans], tuple[avoid.Memory, Plans]]
NOBODY = Robots(np.empty((0, 3)), np.empty((0, 3)), np.empty(0))


@dataclasses.dataclass(frozen=True, slots=True)
class Others:
    """The other team as it truly is, in our frame."""

    pose: Floats  # (k, 3)
    velocity: Floats  # (k, 3)
    target: Floats  # (k, 2)
    max_speed: float


def others(where: Route, progress: Progress, pose: Floats, velocity: Floats) -> Others:
    """Return a team that drives a route of its own frame; poses and velocities are in ours."""
    goals = np.zeros((len(where), 3))
    goals[:, :2] = [target(where, i, leg) for i, leg in enumerate(progress.leg.tolist())]
    return Others(pose, velocity, vision.turn(goals)[:, :2], where.max_speed)


def told(step: Step, them: Others, memory: avoid.Memory, world: World, plans: Plans) -> tuple[avoid.Memory, Plans]:
    """Return what a method makes of our plans if the others were robots of ours that do not avoid."""
    n, k = len(plans), len(them.pose)
    truth = (them.pose, them.velocity, np.zeros(k))
    seen = Robots(*(np.concatenate((a, b)) for a, b in zip(_parts(world.ours), truth, strict=True)))
    rows = zip(_parts(memory), _parts(avoid.switch(avoid.start(k), on=False)), strict=True)
    known = avoid.Memory(*(np.concatenate((a, b)) for a, b in rows))
    after, found = step(known, dataclasses.replace(world, ours=seen, theirs=NOBODY), _with(plans, _plans(them, plans)))
    return avoid.Memory(*(rows[:n] for rows in _parts(after))), _first(found, n)


def _plans(them: Others, like: Plans) -> Plans:
    """Return the others' plans, straight to their targets."""
    k, most = len(them.pose), like.xy.shape[1]
    wish, xy = Intents.blank(k), np.zeros((k, most, 2))
    wish.target[:, :2], wish.max_speed[:] = them.target, them.max_speed
    xy[:, 0], xy[:, 1] = them.pose[:, :2], them.target
    return Plans(wish, np.full(k, 2), xy, np.zeros((k, most)), np.ones(k, np.int64), np.ones(k, np.int64))


def _with(a: Plans, b: Plans) -> Plans:
    wish = Intents(*(np.concatenate((x, y)) for x, y in zip(_parts(a.intents), _parts(b.intents), strict=True)))
    return Plans(wish, *(np.concatenate((x, y)) for x, y in zip(_parts(a)[1:-1], _parts(b)[1:-1], strict=True)))


def _first(plans: Plans, n: int) -> Plans:
    rows = _parts(plans)[1:] if plans.strength is not None else _parts(plans)[1:-1]
    return Plans(Intents(*(rows[:n] for rows in _parts(plans.intents))), *(part[:n] for part in rows))


def _parts(table: Plans | Intents | Robots | avoid.Memory) -> list[Any]:
    return [getattr(table, field.name) for field in dataclasses.fields(table)]
