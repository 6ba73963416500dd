"""One path among obstacles, with all that led to it: what tests, bench, lab and people who look on ask for."""

from dataclasses import dataclass

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.geom.random import key
from tikitaka.plan.kernels import finding
from tikitaka.plan.kernels.planning import find_all
from tikitaka.plan.kernels.smoothing import WAYPOINTS
from tikitaka.plan.params import Params, Search
from tikitaka.plan.planner import Memory, look_around
from tikitaka.plan.resort import settle
from tikitaka.plan.work import CORNERS, Work
from tikitaka.types import Floats, Intents, Ints, PlanReason, PlanStatus, World


@dataclass(frozen=True, slots=True)
class Tree:
    """The nodes of one search tree; the root is the first, its parent -1."""

    xy: Floats  # (k, 2)
    parent: Ints  # (k,)


@dataclass(frozen=True, slots=True)
class Path:
    """A path and how it was found."""

    xy: Floats  # (k, 2) waypoints after smoothing; the first one is the start
    corners: Floats  # (c, 2) the same before its corners were cut
    raw: Floats  # (r, 2) as the trees gave it; empty where nothing was searched
    trees: tuple[Tree, Tree]  # of the last search, from the start and from the goal
    obstacles: Floats  # (m, 6)
    status: PlanStatus
    reason: PlanReason
    iterations: int

    @property
    def length(self) -> float:
        """Length of the way."""
        return float(np.linalg.norm(np.diff(self.xy, axis=0), axis=1).sum())


def find(start: Floats, target: Floats, obstacles: Floats, hull: float, search: Search | None = None) -> Path:
    """Return the path of one robot of this hull from start to target among obstacles (m, 6), see `kernels.shapes`."""
    s, o = search or Search(), np.ascontiguousarray(obstacles, dtype=np.float64).reshape(-1, 6)
    w, keys = Work.of(len(o)), key(s.seed, 0)
    w.rows[:] = o
    a, b = np.array(start, float)[:2], np.array(target, float)[:2]
    return _find(w, len(o), a, b, s, s.array(2.0 * hull), np.zeros((0, 2)), 0, np.zeros((CORNERS, 2)), 0, keys)


def look(params: Params, memory: Memory, world: World, intents: Intents, i: int) -> Path:
    """Return how ERRT plans for robot i of ours at this tick: the same as in `step`, which keeps only the result."""
    if not 0 <= i < len(intents):
        raise ContractError(f"robot must be in [0, {len(intents) - 1}]; got {i}")
    w, m = look_around(params, world, intents, i)
    old, cached = memory.corners[i].copy(), min(int(memory.cached[i]), params.search.cache)
    keys = finding.robot_key(*key(params.search.seed, 0), memory.tick, i)
    ends = (world.ours.pose[i, :2], intents.target[i, :2])
    count = int(memory.corner_count[i])
    return _find(w, m, *ends, params.search, params.settings, memory.cache[i], cached, old, count, keys)


def many(starts: Floats, targets: Floats, obstacles: Floats, hull: float, search: Search) -> tuple[Floats, Ints]:
    """Return paths (n, w, 2) of n scenes and what was found (n, 6): status, reason, points, iterations, ..."""
    n, m = obstacles.shape[:2]
    w, xy, numbers, ends = Work.of(m), np.empty((n, WAYPOINTS, 2)), np.zeros((n, 6), np.int64), np.empty((n, 4))
    settings, corners, keys = search.array(2.0 * hull), np.zeros((CORNERS, 2)), key(search.seed, 0)
    find_all(
        starts, targets, obstacles, settings, search.attempts, search.budget, *keys, corners, np.zeros((0, 2)),
        w.xy, w.parent, w.size, w.path, w.best, w.spare, w.raw, w.near, ends, numbers, xy,
    )  # fmt: skip
    for i in np.flatnonzero(numbers[:, 1] == PlanReason.OUT_OF_BUDGET).tolist():
        w.rows[:] = obstacles[i]
        if settle(w, m, starts[i], targets[i], search, settings, keys, corners, ends[i], numbers[i]):
            xy[i, : numbers[i, 2]] = w.path[: numbers[i, 2]]
    return xy, numbers


def _find(
    w: Work, m: int, start: Floats, target: Floats, s: Search, settings: Floats, cache: Floats, cached: int,
    old: Floats, count: int, keys: tuple[int, int],
) -> Path:  # fmt: skip
    numbers, ends = np.zeros(6, np.int64), np.empty(4)
    finding.find(
        w.rows, m, float(start[0]), float(start[1]), float(target[0]), float(target[1]), settings, s.attempts,
        cache, cached, old, count, *keys, s.budget,
        w.xy, w.parent, w.size, w.path, w.best, w.spare, w.raw, w.near, ends, numbers,
    )  # fmt: skip
    if numbers[1] == PlanReason.OUT_OF_BUDGET:
        settle(w, m, start, target, s, settings, keys, old, ends, numbers)
    return _told(w, m, old, numbers)


def _told(w: Work, m: int, corners: Floats, numbers: Ints) -> Path:
    status, reason, points, used, c, jagged = numbers.tolist()
    a, b = (Tree(w.xy[t, : w.size[t]].copy(), w.parent[t, : w.size[t]].copy()) for t in (0, 1))
    parts = (w.path[:points].copy(), corners[:c].copy(), w.raw[:jagged].copy())
    return Path(*parts, (a, b), w.rows[:m].copy(), PlanStatus(status), PlanReason(reason), used)
