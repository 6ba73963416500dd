"""World, Intents -> Plans: a path for every robot, and when it is where."""

from dataclasses import dataclass

import numpy as np

from tikitaka.plan import resort, timing
from tikitaka.plan.kernels import finding, keeping, planning, smoothing
from tikitaka.plan.kernels.errt import FREE
from tikitaka.plan.kernels.gathering import gather
from tikitaka.plan.kernels.smoothing import WAYPOINTS
from tikitaka.plan.params import Params, Planner
from tikitaka.plan.work import CORNERS, Draft, Work
from tikitaka.types import Floats, Intents, Ints, Phase, PlanReason, Plans, PlanStatus, World

PLAYED = (Phase.PLAY, Phase.HALT)  # nobody has to keep off the ball in these


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered of the last paths, one row a robot."""

    tick: int
    corners: Floats  # (n, CORNERS, 2)
    corner_count: Ints  # (n,)
    cache: Floats  # (n, c, 2) waypoints of earlier paths
    cached: Ints  # (n,) how many were ever put there
    detours: Floats  # (n, 4) of the timed planner, see kernels.timed


def start(params: Params, n: int) -> Memory:
    """Return the memory of n robots that have not planned yet."""
    counts = np.zeros((2, n), np.int64)
    return Memory(
        0, np.zeros((n, CORNERS, 2)), counts[0], np.zeros((n, params.search.cache, 2)), counts[1], np.zeros((n, 4))
    )


def step(params: Params, memory: Memory, world: World, intents: Intents) -> tuple[Memory, Plans]:
    """Return what is remembered and a plan for every robot; robots that stand still have none."""
    d = params.room.draft(len(intents.active))
    d.numbers.fill(0)
    after = _METHODS[params.planner](params, memory, world, intents, d)
    if params.planner is not Planner.TIMED:
        _pace(params, world, intents, d)
    found = d.numbers.T.copy()
    used = max(2, *found[2].tolist())
    return after, Plans(intents, found[2], d.xy[:, :used].copy(), d.time[:, :used].copy(), found[0], found[1])


def _pace(params: Params, world: World, intents: Intents, d: Draft) -> None:
    """Fill when each robot is where on its path."""
    limits, ours = params.limits, world.ours
    planning.pace_all(
        ours.pose, ours.velocity, intents.end_speed, intents.max_speed, not limits.omni, limits.two_faced,
        params.limit_row, world.time, d.numbers, d.xy, d.speed, d.time,
    )  # fmt: skip


def look_around(params: Params, world: World, intents: Intents, i: int) -> tuple[Work, int]:
    """Return work space with the obstacles of robot i, and how many they are."""
    w, t = work_for(params, world), intents.target[i]
    m = gather(
        i, world.ours.pose, world.ours.velocity, world.theirs.pose, world.theirs.velocity, world.ball.x, world.ball.y,
        t[0], t[1], t[2], intents.ball[i], intents.contact[i], intents.keeper[i], facts_of(params, world),
        params.fixed, w.rows,
    )  # fmt: skip
    return w, m


def work_for(params: Params, world: World) -> Work:
    """Return the planner's work space for all that may stand in this world."""
    return params.room.rows(len(params.fixed) + len(world.ours.pose) + len(world.theirs.pose) + 3)


def facts_of(params: Params, world: World) -> Floats:
    """Return sizes and margins as they are in this phase of the game."""
    game = world.game
    played = game.phase in PLAYED or (game.ours and game.ready and game.phase != Phase.STOP)
    placing = game.phase == Phase.PLACEMENT and game.ours
    return params.facts(not (played or placing))


def _straight(params: Params, memory: Memory, world: World, intents: Intents, d: Draft) -> Memory:  # noqa: ARG001
    planning.plan_straight(intents.active, world.ours.pose, intents.target, d.numbers, d.xy)
    return memory


def _next(memory: Memory) -> Memory:
    """Return a memory whose paths may be written to."""
    kept = (memory.corners.copy(), memory.corner_count.copy(), memory.cache.copy(), memory.cached.copy())
    return Memory(memory.tick + 1, *kept, memory.detours)


def _errt(params: Params, memory: Memory, world: World, intents: Intents, d: Draft) -> Memory:
    s, (k0, k1), after, w = params.search, params.keys, _next(memory), work_for(params, world)
    planning.plan_errt(
        intents.active, world.ours.pose, world.ours.velocity, world.theirs.pose, world.theirs.velocity,
        world.ball.x, world.ball.y, intents.target, intents.ball, intents.contact, intents.keeper,
        facts_of(params, world), params.fixed, params.settings, s.attempts, s.budget, k0, k1, memory.tick,
        after.corners, after.corner_count, after.cache, after.cached,
        w.rows, w.xy, w.parent, w.size, w.path, w.best, w.spare, w.raw, w.near, d.ends, d.numbers, d.xy,
    )  # fmt: skip
    for i, reason in enumerate(d.numbers[:, 1].tolist()):
        if reason == finding.OUT_OF_BUDGET:
            _settle(params, after, world, intents, i, d)
    return after


def _settle(params: Params, after: Memory, world: World, intents: Intents, i: int, d: Draft) -> None:
    """Ask the tangent graph for robot i."""
    w, m = look_around(params, world, intents, i)
    keys = finding.robot_key(*params.keys, after.tick, i)
    ends = (world.ours.pose[i, :2], intents.target[i, :2])
    old = after.corners[i]
    if resort.settle(w, m, *ends, params.search, params.settings, keys, old, d.ends[i], d.numbers[i]):
        _write(w, i, after, d)


def _write(w: Work, i: int, after: Memory, d: Draft) -> None:
    n = min(int(d.numbers[i, 2]), WAYPOINTS)
    d.numbers[i, 2], after.corner_count[i], d.xy[i, :n] = n, d.numbers[i, 4], w.path[:n]


def _tangents(params: Params, memory: Memory, world: World, intents: Intents, d: Draft) -> Memory:
    after = _next(memory)
    d.numbers[:, 2], d.xy[:, 0] = 1, world.ours.pose[:, :2]
    for i in np.flatnonzero(intents.active).tolist():
        w, m = look_around(params, world, intents, i)
        shortest(params, w, m, world.ours.pose[i], intents.target[i], after, i, d)
        _write(w, i, after, d)
    return after


def shortest(params: Params, w: Work, m: int, pose: Floats, target: Floats, after: Memory, i: int, d: Draft) -> None:
    """Fill robot i's shortest path; last tick's is kept while it is not much longer."""
    sx, sy, tx, ty = float(pose[0]), float(pose[1]), float(target[0]), float(target[1])
    free, found, ends, old = params.settings[FREE], d.numbers[i], d.ends[i], after.corners[i].copy()
    lead, _ = finding.aim(w.rows, m, sx, sy, tx, ty, free, ends, found)
    w.path[0] = pose[:2]
    if found[1] == PlanReason.STRAIGHT:
        w.path[0], w.path[1] = ends[:2], ends[2:]
        finding.finish(w.rows, m, free, w.path, 2, lead, sx, sy, after.corners[i], w.spare, w.near, found)
    elif found[1] == 0:
        keys = finding.robot_key(*params.keys, after.tick, i)
        status = int(found[0])
        resort.settle(w, m, pose[:2], target[:2], params.search, params.settings, keys, after.corners[i], ends, found)
        found[0] = found[0] if found[2] > 1 else int(PlanStatus.NONE)
        best = smoothing.length(w.path, found[2]) if found[1] == PlanReason.EXACT_SEARCH else np.inf
        n = keeping.keep(w.rows, m, free, old, int(after.corner_count[i]), *_four(ends), w.best)
        n = smoothing.shorten(w.rows, m, free, w.best, n, w.near) if n > 0 else 0
        if n > 0 and smoothing.length(w.best, n) <= params.search.sticky * best:
            w.path[:n], found[0], found[1] = w.best[:n], status, int(PlanReason.KEPT)
            finding.finish(w.rows, m, free, w.path, n, lead, sx, sy, after.corners[i], w.spare, w.near, found)


def _timed(params: Params, memory: Memory, world: World, intents: Intents, d: Draft) -> Memory:
    detours, kept = memory.detours.copy(), (memory.corners, memory.corner_count, memory.cache, memory.cached)
    timing.plan_all(params, facts_of(params, world), memory.tick, detours, world, intents, d.numbers, d.xy, d.time)
    return Memory(memory.tick + 1, *kept, detours)


def _four(ends: Floats) -> tuple[float, float, float, float]:
    return float(ends[0]), float(ends[1]), float(ends[2]), float(ends[3])


_METHODS = {Planner.STRAIGHT: _straight, Planner.ERRT: _errt, Planner.TANGENTS: _tangents, Planner.TIMED: _timed}
