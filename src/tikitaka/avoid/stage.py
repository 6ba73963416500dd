"""World, Plans -> Plans: the same, made safe by the method that the parameters name."""

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from tikitaka.avoid.collisions import Collisions
from tikitaka.avoid.kernels import dodging, facts, gathering, going, halfplanes
from tikitaka.avoid.kernels.learning import MIGHT, STRENGTH
from tikitaka.avoid.kernels.rolling import OPTION
from tikitaka.avoid.kernels.weighing import ROOM
from tikitaka.avoid.params import Method, Params
from tikitaka.avoid.room import Room
from tikitaka.errors import ContractError
from tikitaka.types import Bools, Floats, Intents, Plans, World


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered between two ticks."""

    on: Bools  # (n,) robots that avoid others
    kept: Floats  # (n, OPTION) what each was last told to do, see `kernels.rolling`
    might: Floats  # (n, MIGHT) how strong each is, see `kernels.learning`


def start(n: int) -> Memory:
    """Return the memory of n robots that all avoid others."""
    might = np.zeros((n, MIGHT))
    might[:, STRENGTH] = 1.0
    return Memory(np.ones(n, np.bool_), np.zeros((n, OPTION)), might)


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
    if params.method is Method.NONE or True not in memory.on.tolist():
        return memory, plans
    room, age = _gathered(params, memory, world, plans)
    safe = _copied(plans)
    if params.method is Method.OURS:
        return _ours(params, memory, world, age, room, safe)
    if params.method is Method.ORCA:
        return memory, _orca(params, world, room, safe)
    _THESIS[params.method](params, world, room, safe)
    return memory, safe


def collisions(params: Params, memory: Memory, world: World, plans: Plans) -> Collisions:
    """Return the next collision of each robot, as the method sees it: the printed one where it is to be printed."""
    room, _ = _gathered(params, memory, world, plans)
    find = _printed if params.method is Method.COLLISION_AVOID_PRINTED else _mended
    find(params, world, room, _copied(plans))
    n, row, count = len(plans), room.numbers.T.copy(), room.counts.T.copy()
    partner = count[facts.PARTNER]
    gives_way = np.append(room.free, np.zeros(room.bodies - n + 1, np.bool_))  # -1 finds the last one
    place = np.stack((row[facts.PLACE_X], row[facts.PLACE_Y]), axis=1)
    speeds = (row[facts.MY_SPEED], row[facts.OTHER_SPEED])
    from_right = count[facts.FROM_RIGHT] != 0
    return Collisions(
        count[facts.KIND], partner, gives_way[partner], row[facts.TIME], row[facts.DISTANCE], place, *speeds, from_right
    )


def _gathered(params: Params, memory: Memory, world: World, plans: Plans) -> tuple[Room, float]:
    """Return the room with the table of everybody filled, and the least age of ours."""
    us, them, b, wish, ours = world.ours, world.theirs, world.ball, plans.intents, params.ours
    n = len(memory.on)
    if not len(us.pose) == len(plans.count) == len(plans.xy) == n:
        _refuse(n, world, plans)
    room = params.rooms.room(n, len(them.pose), world.field)
    most, age = gathering.gather(
        memory.on, wish.active, wish.contact, wish.ball, wish.target, plans.status, plans.count, plans.xy, us.pose,
        us.velocity, us.age, them.pose, them.velocity, b.x, b.y, b.vx, b.vy, room.stand, ours.touch, ours.ball,
        params.thesis.near, *room.table, room.free, room.aim,
    )  # fmt: skip
    if most > plans.xy.shape[1]:
        rows = plans.xy.shape[1]
        raise ContractError(f"plans.count must be at most {rows}, the waypoints that plans.xy holds; got {most}")
    return room, age


def _refuse(n: int, world: World, plans: Plans) -> None:
    """Raise, since the kernels, which do not check, would read outside the arrays."""
    for name, rows in (("world.ours", len(world.ours)), ("plans", len(plans)), ("plans.xy", len(plans.xy))):
        if rows != n:
            raise ContractError(f"{name} must have {n} rows, one a robot; got {rows}")


def _copied(plans: Plans) -> Plans:
    """Return plans with arrays of their own, and room for two waypoints at least."""
    n, k = plans.time.shape
    xy, time = plans.xy.copy(), plans.time.copy()
    if k < 2:
        xy, time = np.zeros((n, 2, 2)), np.zeros((n, 2))
        xy[:, :k], time[:, :k] = plans.xy, plans.time
    return Plans(plans.intents, plans.count.copy(), xy, time, plans.status.copy(), plans.reason.copy())


def _auto(params: Params, world: World, room: Room, p: Plans) -> None:
    pose, _, reach, sees = room.table
    given = (pose, world.time, room.free, sees, reach, room.aim, params.facts)
    dodging.auto_avoid(*given, p.xy, p.time, p.count, p.status)


def _printed(params: Params, world: World, room: Room, p: Plans) -> None:
    dodging.avoid_printed(int(params.mended), *_everything(params, world, room, p))


def _mended(params: Params, world: World, room: Room, p: Plans) -> None:
    dodging.avoid_mended(*_everything(params, world, room, p))


def _everything(params: Params, world: World, room: Room, p: Plans) -> tuple[Any, ...]:
    """Return what the thesis' Algorithm 3 looks at and changes."""
    pose, velocity, reach, sees = room.table
    given = (pose, velocity, world.time, room.free, sees, reach, room.aim, params.facts, room.courses)
    return (*given, room.numbers, room.counts, p.xy, p.time, p.count, p.status, p.reason)


def _orca(params: Params, world: World, room: Room, p: Plans) -> Plans:
    orca, ours, wish = params.orca, params.ours, p.intents
    pose, velocity, reach, sees = room.table
    speed = wish.max_speed.copy()
    halfplanes.reciprocal(
        pose, velocity, world.time, room.free, sees, reach, room.aim, wish.end_speed, 2.0 * orca.radius, orca.horizon,
        params.limit_row, ours.edge_x, ours.edge_y, room.lines, p.xy, p.time, p.count, p.status, p.reason, speed,
    )  # fmt: skip
    return Plans(_at(wish, speed, wish.end_speed), p.count, p.xy, p.time, p.status, p.reason)


def _ours(params: Params, memory: Memory, world: World, age: float, room: Room, p: Plans) -> tuple[Memory, Plans]:
    wish, kept, might = p.intents, memory.kept.copy(), memory.might.copy()
    speed, end = wish.max_speed.copy(), wish.end_speed.copy()
    pose, velocity, reach, sees = room.table
    changed: tuple[Any, ...] = (kept, might, p.xy, p.time, p.count, p.status, p.reason, speed, end)
    going.go(
        pose, velocity, world.time, room.free, sees, reach, room.aim, 0.5 * world.field.goal_width, params.ours.dt,
        params.limit_row, _rules(params, age), params.guard, *(*room.choices, *changed),
    )  # fmt: skip
    plans = Plans(_at(wish, speed, end), p.count, p.xy, p.time, p.status, p.reason, np.minimum(might[:, STRENGTH], 1.0))
    return Memory(memory.on, kept, might), plans


def _at(w: Intents, max_speed: Floats, end_speed: Floats) -> Intents:
    """Return the wishes at other speeds."""
    rest = (w.kick, w.lift, w.dribble, w.ball, w.contact, w.keeper)
    return Intents(w.active, w.target, end_speed, max_speed, *rest)


def _rules(params: Params, age: float) -> Floats:
    """Return the rules, with more room where even the newest sight of our robots is old."""
    ours = params.ours
    if not age > ours.fresh:
        return params.rules
    rules = params.rules.copy()
    rules[ROOM] += ours.stale * (min(age, ours.oldest) - ours.fresh)
    return rules


_THESIS = {
    Method.AUTO_AVOID: _auto,
    Method.COLLISION_AVOID: _mended,
    Method.COLLISION_AVOID_PRINTED: _printed,
}
