"""Traffic beyond the thesis: two teams of 5, 6 and 11 under way at once; collisions a robot-minute, speed, stands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tikitaka import league as leagues
from tikitaka.avoid import Method
from tikitaka.lab.austro_counts import events, standing
from tikitaka.lab.austro_moves import ARRIVED_RANDOM, Route, random_route
from tikitaka.lab.austro_teams import Routes, alone, drive, setup_of
from tikitaka.lab.austro_traffic import Film
from tikitaka.lab.report import Found, Row
from tikitaka.lab.spreads import spread
from tikitaka.loop.pool import each
from tikitaka.types import Field, Floats

GHOST, TOLD = "ghost", "ours, told their plans"
METHODS = (Method.NONE, Method.AUTO_AVOID, Method.COLLISION_AVOID, Method.ORCA, Method.OURS)
SECONDS, SAMPLE = 120.0, 3  # of a run; robots of which ghosts are driven
SPEED = 2.0  # [m/s] chosen
STILL = 0.1  # [m/s] chosen: who is slower stands
HALF_FIELD = 0.8  # of the half length: chosen, how far out teams begin that cross


@dataclass(frozen=True, slots=True)
class Args:
    """How many seeds; the leagues are those of the scenes."""

    league: str = "mirosot-5v5"
    seed: int = 0
    seeds: int = 1


@dataclass(frozen=True, slots=True)
class Scene:
    """Who drives where."""

    name: str
    league: str
    robots: int  # a team
    crossing: bool = False  # from side to side, against the other team; else at random
    half: bool = False  # yellow does not avoid anybody


SCENES = (
    Scene("5 v 5", "mirosot-5v5", 5),
    Scene("11 v 11", "mirosot-11v11", 11),
    Scene("5 v 5, half avoid", "mirosot-5v5", 5, half=True),
    Scene("11 v 11, half avoid", "mirosot-11v11", 11, half=True),
    Scene("omni 6 v 6", "ssl-b", 6),
    Scene("5 v 5, crossing", "mirosot-5v5", 5, crossing=True),
)


@dataclass(frozen=True, slots=True)
class Unit:
    """One run to be made."""

    scene: int
    method: str  # a Method, GHOST or TOLD
    seed: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run gave."""

    crashes: float  # a robot-minute
    own: float  # the same, among robots of one team
    run_into: float  # the same, with robots of ours that stood or drove away from the other team's one that hit them
    speed: float
    longest: float  # [s] that one stood at a time, with a way to go
    rescues: int


def run(args: Args, progress: Callable[[float], None]) -> Found:
    """Return collisions, speed over ghost and the longest stand of every scene and method."""
    who = (GHOST, *(m.value for m in METHODS))
    units = [
        Unit(k, m, args.seed + s)
        for s in range(args.seeds)
        for k, scene in enumerate(SCENES)
        for m in (*who, *((TOLD,) if scene.half else ()))
    ]
    done = each(partial(_run, units), range(len(units)), lambda k: progress(k * args.seeds / len(units)))
    found = dict(zip(units, done, strict=True))
    rows = list[Row]()
    for k, scene in enumerate(SCENES):
        ghost = [o.speed for u, o in found.items() if (u.scene, u.method) == (k, GHOST)]
        none = [o for u, o in found.items() if (u.scene, u.method) == (k, Method.NONE.value)]
        for method in (*who[1:], TOLD):
            outcomes = [o for u, o in found.items() if (u.scene, u.method) == (k, method)]
            rows += _rows(f"{scene.name}, {method}", outcomes, ghost, none) if outcomes else []
    return Found(rows, {})


def routes(scene: Scene, field: Field, seed: int) -> Routes:
    """Return where both teams go."""
    if scene.crossing:
        y = np.linspace(-0.7, 0.7, scene.robots) * field.half_width
        x = HALF_FIELD * field.half_length
        lanes = tuple(np.array(((-x, a), (x, a))) for a in y.tolist())
        way = Route(lanes, ARRIVED_RANDOM, SPEED)
        return way, way
    both = random_route(field, 2 * scene.robots, SPEED, seed)
    blue, yellow = both.xy[: scene.robots], tuple(-xy for xy in both.xy[scene.robots :])
    return replace(both, xy=blue), replace(both, xy=yellow)


def _run(units: list[Unit], index: int) -> Outcome:
    u, scene = units[index], SCENES[units[index].scene]
    where = routes(scene, leagues.load(scene.league).field.geometry(), u.seed)
    if u.method == GHOST:
        few = np.linspace(0, scene.robots - 1, SAMPLE).round().astype(int).tolist()
        return Outcome(0.0, 0.0, 0.0, alone(scene.league, where, few, u.seed, SECONDS), 0.0, 0)
    method = Method.OURS if u.method == TOLD else Method(u.method)
    setup = setup_of(scene.league, scene.robots, u.seed, (method, Method.NONE if scene.half else method))
    film = drive(setup, where, SECONDS, u.method == TOLD)
    n, met = scene.robots, events(film.touches)
    counts = met if not scene.half else met[met[:, 1] < n]  # those in which one of the avoiding robots was
    own = counts[(counts[:, 1] < n) == (counts[:, 2] < n)]
    driven = film.shortest[:n] if scene.half else film.shortest
    part = slice(0, n) if scene.half else slice(None)
    seen = replace(film, pose=film.pose[:, part], to_go=film.to_go[:, part])
    minutes = len(driven) * film.seconds / 60.0
    speed = float(driven.mean()) / film.seconds
    hit = run_into(film, counts[(counts[:, 1] < n) & (counts[:, 2] >= n)])
    return Outcome(len(counts) / minutes, len(own) / minutes, hit / minutes, speed, standing(seen)[2], film.rescues)


def run_into(film: Film, met: Floats) -> int:
    """Return in how many collisions the first robot of the two stood, or drove away from the other one."""
    total = 0
    for time, a, b, _ in met.tolist():
        k = max(int(time / film.dt) - 2, 0)  # the last tick that both were surely apart
        v, to = film.velocity[k, int(a), :2], film.pose[k, int(b), :2] - film.pose[k, int(a), :2]
        total += int(np.linalg.norm(v) < STILL or v @ to < 0.0)
    return total


def _rows(name: str, outcomes: Sequence[Outcome], ghost: Sequence[float], none: Sequence[Outcome]) -> list[Row]:
    fewer = [n.crashes / o.crashes if o.crashes else np.inf for n, o in zip(none, outcomes, strict=True)]
    ratio = sum(n.crashes for n in none) / max(sum(o.crashes for o in outcomes), 1e-9)
    rows = [
        spread(f"{name}: collisions a robot-minute", [o.crashes for o in outcomes], "1"),
        spread(f"{name}: of these among one team", [o.own for o in outcomes], "1"),
        spread(f"{name}: of these run into", [o.run_into for o in outcomes], "1"),
        spread(f"{name}: speed / ghost", [o.speed / g for o, g in zip(outcomes, ghost, strict=True)], "1"),
        spread(f"{name}: speed / none", [o.speed / n.speed for o, n in zip(outcomes, none, strict=True)], "1"),
        Row(f"{name}: longest stand with a way to go", None, max(o.longest for o in outcomes), None, None, "s"),
        Row(f"{name}: taken apart by hand", None, float(np.mean([o.rescues for o in outcomes])), None, None, "1"),
    ]
    if np.isfinite(fewer).all() or ratio < 1e6:
        rows.insert(1, Row(f"{name}: fewer than none", None, ratio, None, None, "x"))
    return rows
