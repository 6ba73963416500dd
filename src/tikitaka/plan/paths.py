"""One path among obstacles, with all that led to it: what tests, bench, lab and people who look on ask for."""

from dataclasses import dataclass

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.geom.random import key
from tikitaka.plan.kernels import finding
from tikitaka.plan.kernels.gathering import gather
from tikitaka.plan.kernels.planning import find_all
from tikitaka.plan.kernels.smoothing import WAYPOINTS
from tikitaka.plan.params import Params, Search
from tikitaka.plan.planner import CORNERS, Memory, Work, facts_of, work_for
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
    w, numbers = Work.for_rows(len(o)), np.zeros(6, np.int64)
    w.rows[:] = o
    old, none = np.zeros((CORNERS, 2)), np.zeros((0, 2))
    ends = (*np.asarray(start, float)[:2].tolist(), *np.asarray(target, float)[:2].tolist())
    _find(w, len(o), ends, s, s.array(2.0 * hull), none, 0, old, 0, key(s.seed, 0), numbers)
    return _told(w, len(o), old, numbers)


def look(params: Params, memory: Memory, world: World, intents: Intents, i: int) -> Path:
    """Return how robot i of ours plans at this tick; the same numbers as in `step`, which keeps only the result."""
    if not 0 <= i < len(intents):
        raise ContractError(f"robot must be in [0, {len(intents) - 1}]; got {i}")
    w, t, numbers = work_for(params, world), intents.target[i], np.zeros(6, np.int64)
    m = gather(
        i, world.ours.pose, world.ours.velocity, world.theirs.pose, world.theirs.velocity, world.ball.x, world.ball.y,
        t[0], t[1], t[2], intents.ball[i], intents.contact[i], intents.keeper[i], facts_of(params, world),
        params.fixed, w.rows,
    )  # fmt: skip
    ends = (*world.ours.pose[i, :2].tolist(), *t[:2].tolist())
    old, cached = memory.corners[i].copy(), min(int(memory.cached[i]), params.search.cache)
    keys = finding.robot_key(*key(params.search.seed, 0), memory.tick, i)
    count = int(memory.corner_count[i])
    _find(w, m, ends, params.search, params.settings, memory.cache[i], cached, old, count, keys, numbers)
    return _told(w, m, old, numbers)


def many(starts: Floats, targets: Floats, obstacles: Floats, hull: float, search: Search) -> tuple[Floats, Ints]:
    """Return paths (n, w, 2) of n scenes and what was found (n, 6): status, reason, points, iterations, ..."""
    n, m = obstacles.shape[:2]
    w, xy, numbers = Work.for_rows(m), np.empty((n, WAYPOINTS, 2)), np.zeros((n, 6), np.int64)
    find_all(
        starts, targets, obstacles, search.array(2.0 * hull), search.attempts, search.budget, *key(search.seed, 0),
        np.zeros((CORNERS, 2)), np.zeros((0, 2)), w.xy, w.parent, w.size, w.path, w.best, w.spare, w.raw, w.near,
        numbers, xy,
    )  # fmt: skip
    return xy, numbers


def _find(
    w: Work, m: int, ends: tuple[float, float, float, float], s: Search, settings: Floats, cache: Floats, cached: int,
    old: Floats, count: int, keys: tuple[int, int], numbers: Ints,
) -> None:  # fmt: skip
    finding.find(
        w.rows, m, *ends, settings, s.attempts, cache, cached, old, count, *keys, 0, s.budget,
        w.xy, w.parent, w.size, w.path, w.best, w.spare, w.raw, w.near, numbers,
    )  # fmt: skip


def _told(w: Work, m: int, corners: Floats, numbers: Ints) -> Path:
    status, reason, points, used, c, jagged = numbers.tolist()
    a, b = (Tree(w.xy[t, : w.size[t]].copy(), w.parent[t, : w.size[t]].copy()) for t in (0, 1))
    parts = (w.path[:points].copy(), corners[:c].copy(), w.raw[:jagged].copy())
    return Path(*parts, (a, b), w.rows[:m].copy(), PlanStatus(status), PlanReason(reason), used)
