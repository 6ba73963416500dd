"""What a plan costs: time against the number of obstacles and the step of the search; the nearest node, by two ways.

Robots stand at random on an SSL field of 12 x 9 m, one at least in the straight line's way. A tree of the search has at
most 512 nodes, and one is added after every look, so that a kD-tree would have to be built as it grows; SciPy's, which
is built once and asked a thousand times in one call, has it easier than that.
"""

import importlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tikitaka.lab.plan_scenes import Planned, errt, length, ours, repeated, search_of
from tikitaka.lab.plot import BLUE, GREEN, INK, ORANGE, Axis, Band, Dots, Line, Mark, Panel, chart, page
from tikitaka.lab.report import Found, Row
from tikitaka.lab.sim_speed import pinned
from tikitaka.plan.kernels.errt import nearest
from tikitaka.plan.kernels.shapes import CIRCLE, clear, inside
from tikitaka.plan.obstacles import fixtures
from tikitaka.plan.scenes import PITCHES, Scene, scenes
from tikitaka.plan.shortest import shortest_path
from tikitaka.types import Floats

SPREAD = "median, high: p99"
SET = "ssl-a"
COLOURS = {"errt": BLUE, "tangents": GREEN}
QUERIES = 1000


@dataclass(frozen=True, slots=True)
class Args:
    """How much is measured."""

    league: str = SET
    seed: int = 0
    seeds: int = 60  # scenes for each number of obstacles
    counts: tuple[int, ...] = (2, 5, 10, 15, 20, 30, 40, 50, 60)
    steps: tuple[float, ...] = (0.1, 0.2, 0.3, 0.5)  # [m]
    nodes: tuple[int, ...] = (10, 30, 100, 300, 512, 1000, 3000)


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return the time of a plan for every number of obstacles, and that of a nearest node; one picture."""
    times = {planner: np.zeros((len(args.counts), args.seeds)) for planner in COLOURS}
    with pinned():
        for k, count in enumerate(args.counts):
            for planner, micros in _plans(count, args.seeds, args.seed).items():
                times[planner][k] = micros
            progress((k + 1) * args.seeds // len(args.counts))
        looks = {n: _looks(n, args.seed) for n in args.nodes}
    rows = [
        Row(f"{planner}, {count} robots", None, *_middle(found[k]), "us")
        for planner, found in times.items()
        for k, count in enumerate(args.counts)
    ]
    rows += [
        Row(f"{n} nodes: {way}", None, t, None, None, "us") for n, found in looks.items() for way, t in found.items()
    ]
    rows += [row for step in args.steps for row in _stepped(step, args.seeds, args.seed)]
    picture = page([[_plans_panel(args, times), _nodes_panel(looks)]], "Time of a plan against the number of obstacles")
    return Found(rows, {"plan-costs.svg": picture})


def crowded(robots: int, draw: np.random.Generator) -> Scene:
    """Return a scene with so many robots in which the straight line is blocked."""
    p = PITCHES[SET]
    rows, r = np.zeros((robots, 6)), 2.0 * p.robot_radius + p.own_margin
    o = np.concatenate((rows, fixtures(p.field, p.robot_radius, p.robot_radius, areas=True)))
    room = np.array((p.field.half_length, p.field.half_width))
    while True:
        xy = draw.uniform(-room, room, (robots, 2))
        rows[:, :2], rows[:, 2:4], rows[:, 4], rows[:, 5] = xy, xy, r, CIRCLE
        o[:robots] = rows
        start, target = draw.uniform(-room, room, (2, 2))
        open_ends = inside(o, len(o), *start) < 0 and inside(o, len(o), *target) < 0
        if open_ends and not clear(o, len(o), *start, *target):
            return Scene(start, target, o, "blocked", None)


def _plans(count: int, scenes: int, seed: int) -> dict[str, list[float]]:
    """Return the microseconds of our planners' plans among so many robots."""
    draw = np.random.default_rng((seed, count))
    chosen = [crowded(count, draw) for _ in range(scenes)]
    planners = ours(SET, len(chosen[0].obstacles))
    return {
        name: [1e6 * repeated(plan, s).seconds for s in (chosen[0], *chosen)][1:] for name, plan in planners.items()
    }


def _stepped(step: float, count: int, seed: int) -> list[Row]:
    """Return what ERRT does in the blocked scenes of the set with another step."""
    chosen = scenes(SET, "blocked", count, seed)
    plan, search = errt(SET, chosen.obstacles.shape[1], replace(search_of(SET), step=step)), f"step {step:g} m"
    found: list[Planned] = [repeated(plan, s) for s in chosen]
    best = [shortest_path(s.obstacles, s.start, s.target).length for s in chosen]
    over = np.array([length(f.xy) for f in found]) / best
    times = 1e6 * np.array([f.seconds for f in found])
    solved = 100.0 * float(np.mean(np.isfinite(over)))
    return [
        Row(f"{search}: time", None, *_middle(times), "us"),
        Row(f"{search}: over the shortest", None, *_middle(over[np.isfinite(over)]), "1"),
        Row(f"{search}: solved", None, solved, None, None, "%"),
    ]


def _looks(nodes: int, seed: int) -> dict[str, float]:
    """Return the microseconds in which the nearest of so many nodes is found; building a kD-tree apart."""
    draw = np.random.default_rng((seed, nodes))
    xy, asked = draw.uniform(-5.0, 5.0, (nodes, 2)), draw.uniform(-5.0, 5.0, (QUERIES, 2))
    places = [(float(x), float(y)) for x, y in asked]
    brute = _least(lambda: [nearest(xy, nodes, x, y) for x, y in places])
    call = _least(lambda: [nearest(xy, 1, x, y) for x, y in places])
    found = {"brute force": 1e6 * max(brute - call, 0.0) / QUERIES}
    try:
        spatial: Any = importlib.import_module("scipy.spatial")
    except ImportError:
        return found
    tree = spatial.cKDTree(xy)
    asking = 1e6 * _least(lambda: tree.query(asked)) / QUERIES
    return {**found, "kD-tree": asking, "building the kD-tree": 1e6 * _least(lambda: spatial.cKDTree(xy))}


def _least(work: Callable[[], object], times: int = 5) -> float:
    spent = list[float]()
    for _ in range(times):
        began = time.thread_time()
        work()
        spent.append(time.thread_time() - began)
    return min(spent)


def _middle(values: Floats) -> tuple[float, None, float]:
    middle, high = np.quantile(values, (0.5, 0.99), method="higher").tolist()
    return middle, None, high


def _plans_panel(args: Args, times: dict[str, Floats]) -> Panel:
    marks = list[Mark]()
    for planner, found in times.items():
        low, middle, high = np.quantile(found, (0.1, 0.5, 0.9), axis=1)
        marks.append(Band(args.counts, low, high, "", COLOURS[planner]))
        marks.append(Line(args.counts, middle, planner, COLOURS[planner]))
        marks.append(Dots(args.counts, middle, "", COLOURS[planner]))
    x, y = Axis("robots in the way", 0.0, 62.0), Axis("a plan [us], median and 10 to 90 %", 0.0)
    return chart("12 x 9 m, blocked: one core", x, y, marks)


def _nodes_panel(looks: dict[int, dict[str, float]]) -> Panel:
    marks = list[Mark]()
    for way, colour in zip(next(iter(looks.values())), (BLUE, ORANGE, INK), strict=False):
        marks.append(Line(list(looks), [max(found[way], 1e-3) for found in looks.values()], way, colour))
    x, y = Axis("nodes", min(looks), None, log=True), Axis("[us]", 1e-2, None, log=True)
    return chart("the nearest node", x, y, marks)
