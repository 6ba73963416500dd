"""World, Intents -> Plans: a path for every robot, and when it is where."""

from dataclasses import dataclass

import numpy as np

from tikitaka.geom.random import key
from tikitaka.plan.kernels import planning
from tikitaka.plan.kernels.smoothing import WAYPOINTS
from tikitaka.plan.params import Params, Planner
from tikitaka.types import Floats, Intents, Ints, Phase, Plans, World

NODES = 512  # of each tree, at most
CORNERS = 64  # of a path, that are remembered
ROOM = 2 * NODES + 16  # points of a path between two leaves


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered of the last paths, one row a robot."""

    tick: int
    corners: Floats  # (n, CORNERS, 2)
    corner_count: Ints  # (n,)
    cache: Floats  # (n, c, 2) waypoints of earlier paths
    cached: Ints  # (n,) how many were ever put there


@dataclass(frozen=True, slots=True)
class Work:
    """Work space of the kernels; nothing of it is remembered, the last robot's search can be looked at."""

    rows: Floats
    xy: Floats
    parent: Ints
    size: Ints
    path: Floats
    best: Floats
    spare: Floats
    raw: Floats
    near: Ints

    @classmethod
    def for_rows(cls, m: int) -> "Work":
        """Return work space for so many obstacles."""
        path, best, spare, raw = np.empty((4, ROOM, 2))
        tree = (np.empty((2, NODES, 2)), np.empty((2, NODES), np.int64), np.zeros(2, np.int64))
        return cls(np.empty((m, 6)), *tree, path, best, spare, raw, np.empty(m, np.int64))


def start(params: Params, n: int) -> Memory:
    """Return the memory of n robots that have not planned yet."""
    counts = (np.zeros(n, np.int64), np.zeros(n, np.int64))
    return Memory(0, np.zeros((n, CORNERS, 2)), counts[0], np.zeros((n, params.search.cache, 2)), counts[1])


def step(params: Params, memory: Memory, world: World, intents: Intents) -> tuple[Memory, Plans]:
    """Return what is remembered and a plan for every robot; robots that stand still have none."""
    n = len(intents)
    numbers, out, time = np.zeros((n, 6), np.int64), np.empty((n, WAYPOINTS, 2)), np.empty((n, WAYPOINTS))
    if params.planner is Planner.STRAIGHT:
        planning.plan_straight(intents.active, world.ours.pose, intents.target, numbers, out)
        after = memory
    else:
        after = search(params, memory, world, intents, numbers, out, work_for(params, world))
    limits, ours = params.limits, world.ours
    planning.pace_all(
        ours.pose, ours.velocity, intents.end_speed, intents.max_speed, not limits.omni, limits.two_faced,
        params.limit_row, world.time, numbers, out, np.empty(WAYPOINTS), time,
    )  # fmt: skip
    status, reason, count = numbers[:, 0].copy(), numbers[:, 1].copy(), numbers[:, 2].copy()
    used = max(2, int(count.max(initial=0)))
    return after, Plans(intents, count, out[:, :used].copy(), time[:, :used].copy(), status, reason)


def work_for(params: Params, world: World) -> Work:
    """Return work space for all that may stand in this world."""
    return Work.for_rows(len(params.fixed) + len(world.ours) + len(world.theirs) + 3)


def facts_of(params: Params, world: World) -> Floats:
    """Return sizes and margins as they are in this phase of the game."""
    return params.facts(world.game.phase == Phase.KICK_OFF and not world.game.kick_off_ours)


def search(
    params: Params, memory: Memory, world: World, intents: Intents, numbers: Ints, out: Floats, w: Work
) -> Memory:
    """Fill the paths of all robots; return what is remembered."""
    s, (k0, k1) = params.search, key(params.search.seed, 0)
    after = Memory(
        memory.tick + 1, memory.corners.copy(), memory.corner_count.copy(), memory.cache.copy(), memory.cached.copy()
    )
    planning.plan_errt(
        intents.active, world.ours.pose, world.ours.velocity, world.theirs.pose, world.theirs.velocity,
        world.ball.x, world.ball.y, intents.target, intents.ball, intents.contact, intents.keeper,
        facts_of(params, world), params.fixed, params.settings, s.attempts, s.budget, k0, k1, memory.tick,
        after.corners, after.corner_count, after.cache, after.cached,
        w.rows, w.xy, w.parent, w.size, w.path, w.best, w.spare, w.raw, w.near, numbers, out,
    )  # fmt: skip
    return after
