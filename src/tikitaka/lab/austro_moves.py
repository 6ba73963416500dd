"""Where the robots of the thesis are sent: CoordinatedMove along points of a grid, RandomMove to anywhere.

[Austro, sec. 4.1 and App. A] A robot that has come near its target is given the next one; nobody waits for the other.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from tikitaka.geom.random import key, uniform
from tikitaka.types import Field, Floats, Intents, Ints, World

MARGIN = 0.2  # [m] [Austro, App. A] of the grid
BORDER = 0.4  # [m] [Austro, App. A] that random targets keep from the walls
COLUMNS, ROWS = 5, 3
ARRIVED, ARRIVED_RANDOM = 0.05, 0.1  # [m] [Austro, App. A]
LEGS = 2000  # random targets a robot; more are driven in no run


@dataclass(frozen=True, slots=True)
class Test:
    """One of the six tests: the points (1 to 15) that either robot goes to in turn; none: random ones."""

    name: str
    paths: tuple[tuple[int, ...], tuple[int, ...]] | None
    minutes: tuple[float, float, float]  # [Austro, Tables 4.1 to 4.6] at 1, 2 and 3 m/s


PREDEFINED, RANDOM = (5.0, 3.0, 2.0), (15.0, 10.0, 5.0)
TESTS = {
    1: Test("head-on", ((6, 10), (10, 6)), PREDEFINED),
    2: Test("perpendicular", ((6, 10), (3, 13)), PREDEFINED),
    3: Test("angular", ((1, 15, 5, 11), (3, 13)), PREDEFINED),
    4: Test("static", ((10, 6, 11, 12, 2, 1, 13, 11, 3, 5), (7,)), PREDEFINED),
    5: Test("complex", ((1, 4, 12, 10), (5, 2, 14, 6)), PREDEFINED),
    6: Test("random", None, RANDOM),
}
SPEEDS = (1.0, 2.0, 3.0)  # [m/s]


@dataclass(frozen=True, slots=True)
class Route:
    """Where each robot is to go, in this order and then again from the beginning."""

    xy: tuple[Floats, ...]  # (legs, 2) a robot
    arrived: float  # [m]
    max_speed: float

    def __len__(self) -> int:
        return len(self.xy)

    def only(self, robot: int) -> "Route":
        """Return the route of one robot alone."""
        return replace(self, xy=(self.xy[robot],))


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the robots have come."""

    leg: Ints  # (n,) targets reached so far; the first one is where they begin
    driven: Floats  # (n,) [m] straight from each target to the next, of legs that are done


def grid(field: Field, thesis: bool) -> Floats:
    """Return the 15 points (15, 2), row by row from the upper left one.

    Erratum: the thesis subtracts the margin twice on the far sides, and its tables were made with that grid.
    """
    far = 2.0 * MARGIN if thesis else MARGIN
    x = np.linspace(MARGIN, field.length - far, COLUMNS) - field.half_length
    y = field.half_width - np.linspace(MARGIN, field.width - far, ROWS)
    return np.stack((np.tile(x, ROWS), np.repeat(y, COLUMNS)), axis=1)


def route(test: Test, field: Field, max_speed: float, seed: int, thesis: bool = True) -> Route:
    """Return where both robots go in a test."""
    if test.paths is not None:
        points = grid(field, thesis)
        return Route(tuple(points[np.array(path) - 1] for path in test.paths), ARRIVED, max_speed)
    return random_route(field, 2, max_speed, seed)


def random_route(field: Field, robots: int, max_speed: float, seed: int) -> Route:
    """Return random targets for so many robots, the first ones apart from each other."""
    reach = np.array((field.half_length - BORDER, field.half_width - BORDER))
    draws, across = [_draws(key(seed, 1 + i)) for i in range(robots)], math.ceil(math.sqrt(robots))
    for i, u in enumerate(draws):
        u[0] = (i % across + 0.5) / across, (i // across + 0.5) / across
    return Route(tuple(reach * (2.0 * u - 1.0) for u in draws), ARRIVED_RANDOM, max_speed)


def overcounted(field: Field, where: Route) -> float:
    """Return the length of random legs as [Austro, App. A, RandomMove()] counts it, over what it is.

    Erratum: where a leg begins is kept in whole metres from the corner.
    """
    half = np.array((field.half_length, field.half_width))
    corner = [xy + half for xy in where.xy]
    counted = [np.linalg.norm(xy[1:] - np.trunc(xy[:-1]), axis=1).sum() for xy in corner]
    return float(sum(counted) / sum(np.linalg.norm(np.diff(xy, axis=0), axis=1).sum() for xy in where.xy))


def begin(where: Route) -> Progress:
    """Return the progress of robots that stand at their first target."""
    return Progress(np.ones(len(where), np.int64), np.zeros(len(where)))


def target(where: Route, robot: int, leg: int) -> Floats:
    """Return the target of a robot's leg."""
    points = where.xy[robot]
    found: Floats = points[leg % len(points)]
    return found


def decide(where: Route, progress: Progress, world: World) -> tuple[Progress, Intents]:
    """Return the progress and the wishes: every robot to its target, to stop there."""
    n = len(where)
    leg, driven, wish = progress.leg.copy(), progress.driven.copy(), Intents.blank(n)
    for i in range(n):
        here = world.ours.pose[i, :2]
        if len(where.xy[i]) > 1 and math.dist(here, target(where, i, leg[i])) < where.arrived:
            driven[i] += math.dist(target(where, i, leg[i]), target(where, i, leg[i] - 1))
            leg[i] += 1
        wish.target[i, :2] = target(where, i, leg[i])
    wish.target[:, 2], wish.max_speed[:] = math.nan, where.max_speed
    return Progress(leg, driven), wish


def shortest(where: Route, progress: Progress, pose: Floats) -> Floats:
    """Return the shortest way (n,) between the targets that each robot has done, the part of the last leg included."""
    done = progress.driven.copy()
    for i in range(len(where)):
        goal, last = target(where, i, progress.leg[i]), target(where, i, progress.leg[i] - 1)
        done[i] += max(0.0, math.dist(goal, last) - math.dist(goal, pose[i, :2]))
    return done


def _draws(k: tuple[int, int]) -> Floats:
    return np.array([(uniform(*k, leg, 0), uniform(*k, leg, 1)) for leg in range(LEGS)])
