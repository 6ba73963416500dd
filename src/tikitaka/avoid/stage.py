"""World, Plans -> Plans: the same, made safe by the method that the parameters name."""

import dataclasses
from dataclasses import dataclass
from functools import cache

import numpy as np

from tikitaka.avoid.collisions import Collisions
from tikitaka.avoid.kernels import applying, choosing, dodging, facts, gathering, halfplanes
from tikitaka.avoid.kernels.options import OPTIONS
from tikitaka.avoid.kernels.rolling import OPTION
from tikitaka.avoid.kernels.weighing import ROOM
from tikitaka.avoid.params import Method, Params
from tikitaka.errors import ContractError
from tikitaka.types import Bools, Field, Floats, Ints, Plans, PlanStatus, World

POSTS = 3  # chosen: discs that stand for a side wall of a goal


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered between two ticks."""

    on: Bools  # (n,) robots that avoid others
    kept: Floats  # (n, OPTION) what each was last told to do, see `kernels.rolling`


@dataclass(frozen=True, slots=True)
class Scene:
    """What the kernels are given: everybody and everything, and plans that may be changed; see `kernels.gathering`."""

    pose: Floats  # (m, 3) ours first
    velocity: Floats  # (m, 3)
    reach: Floats  # (m,)
    sees: Bools  # (n, m)
    free: Bools  # (n,) whose plan may be changed
    aim: Floats  # (n, 2) where each goes next
    numbers: Floats  # (n, NUMBERS) of the next collisions
    counts: Ints  # (n, COUNTS)
    plans: Plans  # with arrays of its own


def start(n: int) -> Memory:
    """Return the memory of n robots that all avoid others."""
    return Memory(np.ones(n, np.bool_), np.zeros((n, OPTION)))


def switch(memory: Memory, on: bool, robot: int | None = None) -> Memory:
    """Return the memory with the avoidance of one robot, or of all, switched on or off."""
    n = len(memory.on)
    if robot is not None and not 0 <= robot < n:
        raise ContractError(f"robot must be in [0, {n}); got {robot}")
    flags = memory.on.copy()
    flags[slice(None) if robot is None else robot] = on
    return dataclasses.replace(memory, on=flags)


def step(params: Params, memory: Memory, world: World, plans: Plans) -> tuple[Memory, Plans]:
    """Return what is remembered and plans that keep robots apart; the plans given are not touched."""
    if params.method is Method.NONE or not memory.on.any():
        return memory, plans
    scene = _scene(params, memory, world, plans)
    return _METHODS[params.method](params, memory, world, scene)


def collisions(params: Params, memory: Memory, world: World, plans: Plans) -> Collisions:
    """Return the next collision of each robot, as the method sees it: the printed one where it is to be printed."""
    scene = _scene(params, memory, world, plans)
    find = _printed if params.method is Method.COLLISION_AVOID_PRINTED else _mended
    find(params, memory, world, scene)
    n, row, count = len(plans), scene.numbers.T, scene.counts.T
    partner = count[facts.PARTNER]
    gives_way = np.append(scene.free, np.zeros(len(scene.pose) - n + 1, np.bool_))  # -1 finds the last one
    place = np.stack((row[facts.PLACE_X], row[facts.PLACE_Y]), axis=1)
    speeds = (row[facts.MY_SPEED], row[facts.OTHER_SPEED])
    from_right = count[facts.FROM_RIGHT] != 0
    return Collisions(
        count[facts.KIND], partner, gives_way[partner], row[facts.TIME], row[facts.DISTANCE], place, *speeds, from_right
    )


def _scene(params: Params, memory: Memory, world: World, plans: Plans) -> Scene:
    _check(memory, world, plans)
    n, wish, b, stand = len(plans), plans.intents, world.ball, posts(world.field)
    m = n + len(world.theirs) + 1 + len(stand)
    pose, velocity, reach, sees = np.empty((m, 3)), np.empty((m, 3)), np.empty(m), np.empty((n, m), np.bool_)
    gathering.gather(
        world.ours.pose, world.ours.velocity, world.theirs.pose, world.theirs.velocity,
        np.array((b.x, b.y, b.vx, b.vy)), stand, wish.ball, wish.target, params.ours.touch, params.ours.ball,
        pose, velocity, reach, sees,
    )  # fmt: skip
    free = memory.on & wish.active & ~wish.contact & (plans.status != PlanStatus.NONE) & (plans.count > 0)
    free &= np.isfinite(pose[:n].sum(axis=1) + velocity[:n].sum(axis=1))
    aim, numbers, counts = np.empty((n, 2)), np.zeros((n, facts.NUMBERS)), np.zeros((n, facts.COUNTS), np.int64)
    dodging.find_aims(pose, plans.xy, plans.count, params.thesis.near, aim)
    return Scene(pose, velocity, reach, sees, free, aim, numbers, counts, _copied(plans))


@cache
def posts(field: Field) -> Floats:
    """Return discs (k, 3) along the side walls of goals that stand free; where goals are part of the walls, none."""
    if field.margin_x <= 0.0 or field.goal_wall <= 0.0:
        return np.empty((0, 3))
    y = 0.5 * (field.goal_width + field.goal_wall)
    x = field.half_length + np.linspace(0.0, field.goal_depth, POSTS)
    return np.array([(s * d, t * y, field.goal_wall) for s in (-1, 1) for t in (-1, 1) for d in x.tolist()])


def _copied(plans: Plans) -> Plans:
    """Return plans with arrays of their own, and room for two waypoints at least."""
    n, k = plans.time.shape
    xy, time = plans.xy.copy(), plans.time.copy()
    if k < 2:
        xy, time = np.zeros((n, 2, 2)), np.zeros((n, 2))
        xy[:, :k], time[:, :k] = plans.xy, plans.time
    return Plans(plans.intents, plans.count.copy(), xy, time, plans.status.copy(), plans.reason.copy())


def _check(memory: Memory, world: World, plans: Plans) -> None:
    """Raise where the kernels, which do not check, would read outside the arrays."""
    n, most = len(memory.on), plans.xy.shape[1]
    for name, rows in (("world.ours", len(world.ours)), ("plans", len(plans)), ("plans.xy", len(plans.xy))):
        if rows != n:
            raise ContractError(f"{name} must have {n} rows, one a robot; got {rows}")
    used = int(plans.count.max(initial=0))
    if used > most:
        raise ContractError(f"plans.count must be at most {most}, the waypoints that plans.xy holds; got {used}")


def _auto(params: Params, memory: Memory, world: World, s: Scene) -> tuple[Memory, Plans]:
    p = s.plans
    given = (s.pose, world.time, s.free, s.sees, s.reach, s.aim, params.facts)
    dodging.auto_avoid(*given, p.xy, p.time, p.count, p.status)
    return memory, p


def _printed(params: Params, memory: Memory, world: World, s: Scene) -> tuple[Memory, Plans]:
    p, found = s.plans, (s.numbers, s.counts)
    given = (s.pose, s.velocity, world.time, s.free, s.aim, params.facts)
    dodging.avoid_printed(*given, *found, p.xy, p.time, p.count, p.status)
    return memory, p


def _mended(params: Params, memory: Memory, world: World, s: Scene) -> tuple[Memory, Plans]:
    p, found = s.plans, (s.numbers, s.counts)
    given = (s.pose, s.velocity, world.time, s.free, s.sees, s.reach, s.aim, params.facts)
    dodging.avoid_mended(*given, *found, p.xy, p.time, p.count, p.status, p.reason)
    return memory, p


def _orca(params: Params, memory: Memory, world: World, s: Scene) -> tuple[Memory, Plans]:
    p, wish, orca, ours = s.plans, s.plans.intents, params.orca, params.ours
    speed, top = wish.max_speed.copy(), np.minimum(wish.max_speed, params.limits.max_speed)
    halfplanes.reciprocal(
        s.pose, s.velocity, world.time, s.free, s.sees, s.reach, s.aim, wish.end_speed, top, 2.0 * orca.radius,
        orca.horizon, params.limit_row, ours.edge_x, ours.edge_y, np.empty((len(s.pose) + 4, 4)), p.xy, p.time,
        p.count, p.status, p.reason, speed,
    )  # fmt: skip
    return memory, dataclasses.replace(p, intents=dataclasses.replace(wish, max_speed=speed))


def _ours(params: Params, memory: Memory, world: World, s: Scene) -> tuple[Memory, Plans]:
    p, n, m, steps = s.plans, len(s.free), len(s.pose), params.limits.steps + 1
    kept, wish, limits = memory.kept.copy(), p.intents, params.limit_row
    _out_of_goals(params, world, s)
    speed, end = wish.max_speed.copy(), wish.end_speed.copy()
    options, tracks, chosen = np.empty((n, OPTIONS, OPTION)), np.empty((m, OPTIONS, steps, 2)), np.empty(m, np.int64)
    choosing.choose_all(
        s.pose, s.velocity, p.xy, p.count, end, np.minimum(speed, params.limits.max_speed), s.free, s.sees, s.reach,
        kept, limits, _rules(params, world), options, tracks, np.empty((m, OPTIONS)), np.empty((n, OPTIONS)),
        np.empty((2, OPTIONS)), np.full((n, m), np.inf), chosen,
    )  # fmt: skip
    applying.apply(
        s.pose, s.velocity, s.free, chosen, options, limits, kept, params.ours.dt, p.xy, p.time, p.count, p.status,
        p.reason, speed, end,
    )  # fmt: skip
    _guard(params, world, s, speed, end)
    plans = dataclasses.replace(p, intents=dataclasses.replace(wish, max_speed=speed, end_speed=end))
    return dataclasses.replace(memory, kept=kept), plans


def _out_of_goals(params: Params, world: World, s: Scene) -> None:
    """Lead robots that are in a goal, and whose way goes through its side, out by the middle of its mouth."""
    p, edge, touch, half = s.plans, params.ours.edge_x, params.ours.touch, 0.5 * world.field.goal_width
    x, y = s.pose[: len(s.free), 0], s.pose[: len(s.free), 1]
    for i in np.flatnonzero(s.free & (np.abs(x) > edge) & (np.abs(y) < half)).tolist():
        mouth, (tx, ty) = np.copysign(edge, x[i]), p.xy[i, min(1, p.count[i] - 1)]
        if abs(tx) < edge and abs(y[i] + (ty - y[i]) * (mouth - x[i]) / (tx - x[i])) > half - 0.5 * touch:
            p.xy[i, 0], p.xy[i, 1] = s.pose[i, :2], (mouth - np.copysign(touch, mouth), 0.0)
            p.time[i, 1], p.count[i], p.status[i] = p.time[i, min(1, p.count[i] - 1)], 2, PlanStatus.PARTIAL


def _rules(params: Params, world: World) -> Floats:
    """Return the rules, with more room where even the newest sight of our robots is old."""
    ours, age = params.ours, float(np.min(world.ours.age, initial=np.inf))
    if not age > ours.fresh:
        return params.rules
    rules = params.rules.copy()
    rules[ROOM] += ours.stale * (min(age, ours.oldest) - ours.fresh)
    return rules


def _guard(params: Params, world: World, s: Scene, speed: Floats, end: Floats) -> None:
    """Change plans that lead too near to strangers at once: nobody knows what they will do."""
    p, n, ours = s.plans, len(s.free), params.ours
    strange = s.sees.copy()
    strange[:, :n] = False
    free = s.free & (p.status != PlanStatus.NONE)
    halfplanes.reciprocal(
        s.pose, s.velocity, world.time, free, strange, s.reach, p.xy[:, 1], end,
        np.minimum(speed, params.limits.max_speed), ours.guard * ours.touch, ours.guard_time, params.limit_row,
        ours.edge_x, ours.edge_y, np.empty((len(s.pose) + 4, 4)), p.xy, p.time, p.count, p.status, p.reason, speed,
    )  # fmt: skip


_METHODS = {
    Method.AUTO_AVOID: _auto,
    Method.COLLISION_AVOID: _mended,
    Method.COLLISION_AVOID_PRINTED: _printed,
    Method.ORCA: _orca,
    Method.OURS: _ours,
}
