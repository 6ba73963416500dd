"""World, Plans -> Plans: the same, made safe by the method that the parameters name."""

import dataclasses
from dataclasses import dataclass

import numpy as np

from tikitaka.avoid.collisions import Collisions
from tikitaka.avoid.kernels import choosing, dodging, facts, halfplanes
from tikitaka.avoid.kernels.choosing import OPTIONS
from tikitaka.avoid.kernels.rolling import OPTION
from tikitaka.avoid.params import Method, Params
from tikitaka.errors import ContractError
from tikitaka.types import Bools, Floats, Ints, Plans, PlanStatus, World


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered between two ticks."""

    on: Bools  # (n,) robots that avoid others
    kept: Floats  # (n, OPTION) what each was last told to do, see `kernels.rolling`


@dataclass(frozen=True, slots=True)
class Scene:
    """What the kernels are given: everybody, and plans that may be changed."""

    pose: Floats  # (m, 3) ours first
    velocity: Floats  # (m, 3)
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
    n, wish = len(plans), plans.intents
    _check(memory, world, plans)
    pose = np.concatenate((world.ours.pose, world.theirs.pose))
    velocity = np.concatenate((world.ours.velocity, world.theirs.velocity))
    free = memory.on & wish.active & ~wish.contact & (plans.status != PlanStatus.NONE) & (plans.count > 0)
    aim, numbers = np.empty((n, 2)), np.zeros((n, facts.NUMBERS))
    dodging.find_aims(pose, plans.xy, plans.count, params.thesis.near, aim)
    return Scene(
        pose,
        velocity,
        free,
        aim,
        numbers,
        np.zeros((n, facts.COUNTS), np.int64),
        _copied(plans, int(params.method is Method.OURS)),
    )


def _copied(plans: Plans, more: int) -> Plans:
    """Return plans with arrays of their own, and room for so many more waypoints."""
    n, k = plans.time.shape
    xy, time = np.zeros((n, max(k, 2) + more, 2)), np.zeros((n, max(k, 2) + more))
    xy[:, :k], time[:, :k] = plans.xy, plans.time
    return dataclasses.replace(
        plans, count=plans.count.copy(), xy=xy, time=time, status=plans.status.copy(), reason=plans.reason.copy()
    )


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
    dodging.auto_avoid(s.pose, world.time, s.free, s.aim, params.facts, p.xy, p.time, p.count, p.status)
    return memory, p


def _printed(params: Params, memory: Memory, world: World, s: Scene) -> tuple[Memory, Plans]:
    p, found = s.plans, (s.numbers, s.counts)
    given = (s.pose, s.velocity, world.time, s.free, s.aim, params.facts)
    dodging.avoid_printed(*given, *found, p.xy, p.time, p.count, p.status)
    return memory, p


def _mended(params: Params, memory: Memory, world: World, s: Scene) -> tuple[Memory, Plans]:
    p, found = s.plans, (s.numbers, s.counts)
    given = (s.pose, s.velocity, world.time, s.free, s.aim, params.facts)
    dodging.avoid_mended(*given, *found, p.xy, p.time, p.count, p.status, p.reason)
    return memory, p


def _orca(params: Params, memory: Memory, world: World, s: Scene) -> tuple[Memory, Plans]:
    p, wish, orca = s.plans, s.plans.intents, params.orca
    speed, top = wish.max_speed.copy(), np.minimum(wish.max_speed, params.limits.max_speed)
    halfplanes.reciprocal(
        s.pose, s.velocity, world.time, s.free, s.aim, wish.end_speed, top, 2.0 * orca.radius, orca.horizon,
        params.limit_row, np.empty((len(s.pose), 4)), p.xy, p.time, p.count, p.status, p.reason, speed,
    )  # fmt: skip
    return memory, dataclasses.replace(p, intents=dataclasses.replace(wish, max_speed=speed))


def _ours(params: Params, memory: Memory, _: World, s: Scene) -> tuple[Memory, Plans]:
    p, n, m, steps = s.plans, len(s.free), len(s.pose), params.limits.steps + 1
    kept, wish = memory.kept.copy(), p.intents
    top = np.minimum(wish.max_speed, params.limits.max_speed)
    options, tracks = np.zeros((n, OPTIONS, OPTION)), np.empty((m, OPTIONS, steps, 2))
    chosen, done = np.zeros(m, np.int64), np.empty((m, m), np.bool_)
    choosing.choose_all(
        s.pose, s.velocity, p.xy, p.count, wish.end_speed, top, s.free, kept, params.limit_row, params.rules,
        options, tracks, np.zeros((m, OPTIONS)), np.full((n, OPTIONS), np.inf), np.empty((2, OPTIONS)), done, chosen,
    )  # fmt: skip
    speed = wish.max_speed.copy()
    choosing.apply(
        s.pose, s.free, chosen, options, kept, params.ours.dt, p.xy, p.time, p.count, p.status, p.reason,
        speed,
    )  # fmt: skip
    plans = dataclasses.replace(p, intents=dataclasses.replace(wish, max_speed=speed))
    return dataclasses.replace(memory, kept=kept), plans


_METHODS = {
    Method.AUTO_AVOID: _auto,
    Method.COLLISION_AVOID: _mended,
    Method.COLLISION_AVOID_PRINTED: _printed,
    Method.ORCA: _orca,
    Method.OURS: _ours,
}
