"""How often a path changes sides: one robot among others that move, planned anew at every tick.

The others go straight on at 1 m/s and turn back at the lines; ours drives at 2 m/s along its path (in the timed
planner's own time) to random targets. A flip: the loop out on last tick's path and back on this tick's winds around one
of the others. Others see nobody: who is run over is inside an obstacle and has to get out.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from tikitaka import league as leagues
from tikitaka import plan
from tikitaka.lab.plot import BLUE, RED, Axis, Dots, Line, Mark, chart, page
from tikitaka.lab.report import Found, Row
from tikitaka.lab.spreads import spread
from tikitaka.loop.build import plan_params
from tikitaka.plan import Planner
from tikitaka.plan import planner as stage
from tikitaka.types import Ball, Floats, Game, Intents, Phase, Plans, PlanStatus, Robots, World

DT = 1.0 / 60.0  # [s]
SPEED, OTHERS = 2.0, 1.0  # [m/s] ours, and everybody else's
THERE = 0.05  # [m] chosen: at the target
GOAL = 1.5  # flips a second, at most
KEEPS, FORGETS, NOTHING = "", ", old path not kept", ", nothing remembered"
VARIANTS = (
    (Planner.ERRT, KEEPS),
    (Planner.ERRT, FORGETS),
    (Planner.ERRT, NOTHING),
    (Planner.TANGENTS, KEEPS),
    (Planner.TANGENTS, FORGETS),
    (Planner.TIMED, KEEPS),
)


@dataclass(frozen=True, slots=True)
class Args:
    """How much is driven."""

    league: str = "ssl-b"
    seed: int = 0
    seeds: int = 4
    seconds: float = 15.0  # driven by each variant with each seed
    others: int = 15


@dataclass(slots=True)
class Drive:
    """What happened on one drive."""

    flips: int = 0
    failures: int = 0  # ticks at which there was no plan, or none to the target
    arrivals: int = 0
    touching: int = 0  # ticks


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return flips a second, failures, arrivals and touches of every planner; one picture."""
    chosen = [(planner, how) for planner, how in VARIANTS if planner in stage._METHODS]
    drives = dict[str, list[Drive]]()
    for k in range(args.seeds):
        for planner, how in chosen:
            drives.setdefault(f"{planner}{how}", []).append(drive(args, planner, how, args.seed + k))
        progress(k + 1)
    rows = [row for name, found in drives.items() for row in _rows(name, found, args.seconds)]
    return Found(rows, {"plan-flips.svg": _picture(drives, args)})


def drive(args: Args, planner: Planner, how: str, seed: int) -> Drive:
    """Return what happened on a drive of some seconds."""
    params = replace(plan_params(leagues.load(args.league)), planner=planner, areas_barred=False)
    hull, memory, out = params.body.hull, plan.start(params, 1), Drive()
    others, targets = _others(params, args.others, seed), _targets(params, seed)
    (x, y), target, before = (0.0, 0.0), next(targets), None
    v = np.zeros(2)
    for k in range(round(args.seconds / DT)):
        pose, velocity = next(others)
        world = _world(params, k * DT, np.array((x, y)), v, pose, velocity)
        memory, plans = plan.step(params, memory, world, _wish(target))
        memory = _forget(params, memory, how)
        way = plans.xy[0, : plans.count[0]]
        out.failures += int(plans.status[0] not in (PlanStatus.EXACT, PlanStatus.CUT))
        out.flips += int(before is not None and flipped(before, way, pose[:, :2]))
        out.touching += int((np.linalg.norm(pose[:, :2] - (x, y), axis=1) < 2.0 * hull).any())
        at = _moved(plans, way, planner, k * DT)
        v, (x, y), before = (at - (x, y)) / DT, at.tolist(), np.vstack((at, way[1:]))
        if math.dist((x, y), target) < THERE:
            out.arrivals, target, before = out.arrivals + 1, next(targets), None
    return out


def flipped(before: Floats, now: Floats, others: Floats) -> bool:
    """Say whether two paths from the same place pass one of the others (n, 2) on different sides."""
    loop = np.vstack((before, now[::-1], before[:1]))
    to = loop[None] - others[:, None]
    turns = np.unwrap(np.arctan2(to[..., 1], to[..., 0]), axis=1)
    return bool((np.abs(turns[:, -1] - turns[:, 0]) > math.pi).any())


def _forget(params: plan.Params, memory: plan.Memory, how: str) -> plan.Memory:
    if how == FORGETS:
        return replace(memory, corner_count=np.zeros(1, np.int64))
    return replace(plan.start(params, 1), tick=memory.tick) if how == NOTHING else memory


def _moved(plans: Plans, way: Floats, planner: Planner, now: float) -> Floats:
    """Return where the robot is a tick later."""
    if plans.status[0] == PlanStatus.NONE or len(way) < 2:
        return np.array(way[0])
    if planner is Planner.TIMED:
        when, ahead = plans.time[0, : len(way)], now + DT
    else:
        when, ahead = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(way, axis=0), axis=1))), SPEED * DT
    return np.array((np.interp(ahead, when, way[:, 0]), np.interp(ahead, when, way[:, 1])))


def _others(params: plan.Params, n: int, seed: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield poses and velocities of the others, tick after tick."""
    draw, room = np.random.default_rng((seed, 0)), _room(params)
    xy, angle = draw.uniform(-room, room, (n, 2)), draw.uniform(-math.pi, math.pi, n)
    v = OTHERS * np.stack((np.cos(angle), np.sin(angle)), axis=1)
    while True:
        yield np.c_[xy, np.zeros(n)], np.c_[v, np.zeros(n)]
        xy = xy + v * DT
        v = np.where((np.abs(xy) > room) & (xy * v > 0.0), -v, v)


def _targets(params: plan.Params, seed: int) -> Iterator[tuple[float, float]]:
    draw, room = np.random.default_rng((seed, 1)), _room(params)
    while True:
        x, y = draw.uniform(-room, room).tolist()
        yield x, y


def _room(params: plan.Params) -> Floats:
    f, hull = params.field, params.body.hull
    return np.array((f.half_length - hull, f.half_width - hull))


def _world(params: plan.Params, now: float, at: Floats, v: Floats, pose: Floats, velocity: Floats) -> World:
    away = 2.0 * params.field.half_length  # the ball is nowhere near
    us = Robots(np.array([(*at, 0.0)]), np.array([(*v, 0.0)]), np.zeros(1))
    game = Game(Phase.PLAY, 1.0, 0, 0, ours=True)
    return World(now, params.field, Ball(away, away, 0.0, 0.0, 0.0), us, Robots(pose, velocity, 0.0 * pose[:, 0]), game)


def _wish(target: tuple[float, float]) -> Intents:
    wish = Intents.blank(1)
    wish.target[0], wish.max_speed[0] = (*target, math.nan), SPEED
    return wish


def _rows(name: str, drives: list[Drive], seconds: float) -> list[Row]:
    minutes = seconds / 60.0
    flips = spread(f"{name}: flips", [d.flips / seconds for d in drives], "1/s")
    held = "held" if flips.ours <= GOAL else "not held"
    failures = [100.0 * DT * d.failures / seconds for d in drives]
    return [
        replace(flips, verdict=f"goal {GOAL:g}: {held}") if not name.endswith((FORGETS, NOTHING)) else flips,
        spread(f"{name}: ticks without a way to the target", failures, "%"),
        spread(f"{name}: arrivals", [d.arrivals / minutes for d in drives], "1/min"),
        spread(f"{name}: ticks in touch with another", [100.0 * DT * d.touching / seconds for d in drives], "%"),
    ]


def _picture(drives: dict[str, list[Drive]], args: Args) -> str:
    """Return the flips of all drives, a column a planner."""
    names = list(drives)
    marks: list[Mark] = [
        Dots([k + 1.0] * len(drives[name]), [d.flips / args.seconds for d in drives[name]], f"{k + 1} {name}", BLUE)
        for k, name in enumerate(names)
    ]
    marks.append(Line((0.5, len(names) + 0.5), (GOAL, GOAL), "goal", RED, "4 4", 1.0))
    x, y = Axis("planner", 0.5, len(names) + 0.5), Axis("flips [1/s]", 0.0)
    return page([[chart(f"{args.league}: path flips", x, y, marks, 1100)]], "Path flips a second, by planner")
