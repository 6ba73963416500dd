"""The timed rival: one robot after the other, each around what moves and around the plans of those before it."""

from dataclasses import dataclass

import numpy as np

from tikitaka.geom.random import key
from tikitaka.plan.kernels import timed
from tikitaka.plan.kernels.bangbang import WIDTH
from tikitaka.plan.kernels.errt import FREE
from tikitaka.plan.kernels.gathering import KEEP_OFF, gather, may_touch
from tikitaka.plan.kernels.smoothing import WAYPOINTS
from tikitaka.plan.params import Params
from tikitaka.types import BallUse, Floats, Intents, Ints, PlanReason, PlanStatus, World

TRIES = 48  # motions for one robot and tick
HORIZON = 2.0  # [s] chosen: how far ahead what moves is predicted
GROWTH = 0.1  # [m/s] chosen: what is not known of opponents, for every second ahead
DERATE = 0.7  # chosen: share of its acceleration that a robot is planned with which cannot move sideways
NOWHERE = np.zeros((0, 3))


@dataclass(frozen=True, slots=True)
class Scratch:
    """Work space of the kernels."""

    rows: Floats
    held: Floats
    xy: Floats
    time: Floats
    found: Floats

    @classmethod
    def of(cls, obstacles: int) -> "Scratch":
        """Return work space for so many obstacles, mates included."""
        pieces = np.empty((2, timed.ROWS, WIDTH))
        return cls(pieces, np.empty(obstacles), np.empty((WAYPOINTS, 2)), np.empty(WAYPOINTS), np.empty(timed.FOUND))


def plan_all(
    params: Params, facts: Floats, tick: int, detours: Floats, world: World, intents: Intents,
    numbers: Ints, xy: Floats, time: Floats,
) -> None:  # fmt: skip
    """Fill all plans: first those who may touch others, then by number; each yields to those before it."""
    n, settled = len(intents), list[int]()
    xy[:], time[:] = world.ours.pose[:, None, :2], world.time
    numbers[:, 2] = 1
    order = sorted(np.flatnonzero(intents.active).tolist(), key=lambda i: not intents.contact[i])
    standing = [i for i in range(n) if not intents.active[i]]
    for i in order:
        coming = [k for k in order if k not in settled and k != i]
        static, moving = _obstacles(params, facts, world, intents, i, coming + standing)
        _plan_one(params, tick, detours, world, intents, i, static, moving, settled, numbers, xy, time)
        settled.append(i)


def _plan_one(
    params: Params, tick: int, detours: Floats, world: World, intents: Intents, i: int, static: Floats,
    moving: Floats, settled: list[int], numbers: Ints, xy: Floats, time: Floats,
) -> None:  # fmt: skip
    limits, s = params.limits, Scratch.of(len(static) + len(moving) + len(settled))
    a = limits.max_acceleration * (1.0 if limits.omni else DERATE)
    v = max(min(limits.max_speed, float(intents.max_speed[i])), 1e-3)
    pose, velocity, target = world.ours.pose[i], world.ours.velocity[i], intents.target[i]
    status, count = timed.plan_timed(
        pose[0], pose[1], velocity[0], velocity[1], target[0], target[1], intents.end_speed[i], v, a,
        static, moving, xy[settled], time[settled], numbers[settled, 2], np.full(len(settled), 2.0 * params.body.hull),
        world.time, HORIZON, params.settings[FREE], *key(params.search.seed, i), tick, 0, TRIES, detours[i],
        s.rows, s.held, s.xy, s.time, xy[i], time[i], s.found,
    )  # fmt: skip
    count = max(count, 1)
    numbers[i, :3] = status, int(_reason(status, s.found)), count
    xy[i, count:], time[i, count:] = xy[i, count - 1], time[i, count - 1]


def _reason(status: int, found: Floats) -> PlanReason:
    if status == PlanStatus.NONE:
        return PlanReason.NOT_FINITE
    if status == PlanStatus.PARTIAL:
        return PlanReason.BLOCKED
    return PlanReason.SEARCHED if found[timed.TURN] > 0.0 else PlanReason.STRAIGHT


def _obstacles(
    params: Params, facts: Floats, world: World, intents: Intents, i: int, mates: list[int]
) -> tuple[Floats, Floats]:
    """Return what stands (m, 6) and what moves (k, 7) for robot i; mates who have not planned go on as they do."""
    (tx, ty, theta), b = intents.target[i].tolist(), world.ball
    use, contact = int(intents.ball[i]), bool(intents.contact[i])
    cone = use == BallUse.APPROACH or facts[KEEP_OFF] > 0.0
    bx, by = (b.x, b.y) if cone else (np.nan, np.nan)
    rows, me = np.empty((len(params.fixed) + 4, 6)), world.ours.pose[i : i + 1]
    still = np.zeros((1, 3))
    m = gather(
        0, me, still, NOWHERE, NOWHERE, bx, by, tx, ty, theta, use, contact, bool(intents.keeper[i]), facts,
        params.fixed, rows,
    )  # fmt: skip
    touch, body = may_touch(contact, use, tx, ty, b.x, b.y, facts), params.body
    near = 2.0 * body.hull
    moving = [
        *_moving(world.ours.pose[mates], world.ours.velocity[mates], near, 0.0),
        *_moving(world.theirs.pose, world.theirs.velocity, near + body.others_more, GROWTH),
    ]
    spared = 0 if intents.keeper[i] else len(mates)
    there = [k >= spared and np.hypot(tx - r[0], ty - r[1]) < r[5] + body.hull for k, r in enumerate(moving)]
    moving = [r for r, at in zip(moving, there, strict=True) if not (touch and at)]
    if use == BallUse.AVOID and not cone:
        moving.append((b.x, b.y, b.vx, b.vy, params.ball_brake, body.hull + body.ball, 0.0))
    sound = [r for r in moving if np.all(np.isfinite(r))]
    return rows[:m], np.array(sound).reshape(-1, 7)


def _moving(pose: Floats, velocity: Floats, r: float, growth: float) -> list[tuple[float, ...]]:
    return [(x, y, vx, vy, 0.0, r, growth) for (x, y, _), (vx, vy, _) in zip(pose, velocity, strict=True)]
