"""Paths of blocked scenes: how long they take and how long they are, beside OMPL's on the same scenes.

Every scene is planned by all, one after the other, with the same exact tests; times are processor time of one core,
the least of three calls (BIT* has its budget anyhow). Lengths are over the exact shortest path. OMPL's tests are
call-backs into Python; "less call-backs" is what is left of its time when all of them are taken off at what they cost
when Python calls them: less than native code would take, which has tests to make, too. Ours include the call of a
kernel from Python, which the first row tells; the stage calls once for a team.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from tikitaka.lab import plan_ompl
from tikitaka.lab.plan_scenes import TIMES, Plan, errt, length, ours, repeated
from tikitaka.lab.plot import BLUE, GREEN, ORANGE, PURPLE, RED, Axis, Line, Mark, Panel, chart, page
from tikitaka.lab.report import NO_PAPER, Found, Row
from tikitaka.lab.sim_speed import pinned
from tikitaka.plan.scenes import PITCHES, Scene, Scenes, scenes
from tikitaka.plan.shortest import Work, shortest_path

SPREAD = "median, high: p99"
TIME_GOAL = (40.0, 150.0)  # [us] median and p99 that are wanted
LENGTH_GOALS = {"ssl-b": (1.001, 1.08), "ssl-a": (1.001, 1.08), "mirosot": (1.001, 1.25)}
COLOURS = dict(zip(("errt", "tangents", *plan_ompl.PLANNERS), (BLUE, GREEN, RED, ORANGE, PURPLE), strict=True))
RIVAL = "RRTConnect + simplify"


@dataclass(frozen=True, slots=True)
class Args:
    """How much is measured; the sets of scenes have pitches of their own, so the league does not matter."""

    league: str = "ssl-b"
    seed: int = 0
    seeds: int = 200  # scenes a set
    sets: tuple[str, ...] = tuple(PITCHES)
    peers: bool = True


@dataclass(frozen=True, slots=True)
class Marks:
    """What one planner did in a set, one entry a scene."""

    micros: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)  # infinite where there is no path
    bare: list[float] = field(default_factory=list)  # [us] less call-backs
    asked: list[int] = field(default_factory=list)


Set = dict[str, Marks]


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return times, lengths over the shortest and solved shares of every set and planner; one picture."""
    lacks = plan_ompl.installed()
    if args.peers and lacks:
        sys.stderr.write(f"OMPL is left out: {lacks}\n")
    sets, parts = dict[str, Set](), len(args.sets)
    with pinned():
        for k, name in enumerate(args.sets):
            chosen = scenes(name, "blocked", args.seeds, args.seed)
            sets[name] = measure(name, chosen, args.peers and not lacks)
            progress((k + 1) * args.seeds // parts)
    rows = [Row("a call that has nothing to plan", None, _call(args.sets[0]), None, None, "us")]
    rows += [row for name, found in sets.items() for row in _rows(name, found)]
    picture = page([_panels(name, found) for name, found in sets.items()], "Time and length of paths, by planner")
    return Found(rows, {"plan-peers.svg": picture})


def measure(name: str, chosen: Scenes, peers: bool) -> Set:
    """Return what every planner did in scenes, planned by all of them one after the other."""
    m, found = chosen.obstacles.shape[1], Set()
    work, planners = Work.of(m), ours(name, m)
    for scene in list(chosen)[:3]:  # compile, and wake the processor up
        for plan in planners.values():
            plan(scene)
    for scene in chosen:
        best = shortest_path(scene.obstacles, scene.start, scene.target, work=work).length
        for planner, plan in planners.items():
            _note(found.setdefault(planner, Marks()), plan, scene, best)
        if peers:
            _ask(found, scene, best)
    return found


def _call(name: str) -> float:
    """Return the microseconds of a call of ERRT for a robot that is there."""
    [scene] = scenes(name, "blocked", 1)
    plan = errt(name, len(scene.obstacles))
    return 1e6 * float(np.median([plan(replace(scene, target=scene.start)).seconds for _ in range(200)]))


def _note(marks: Marks, plan: Plan, scene: Scene, best: float) -> None:
    planned = repeated(plan, scene)
    marks.micros.append(1e6 * planned.seconds)
    marks.ratios.append(length(planned.xy) / best)


def _ask(found: Set, scene: Scene, best: float) -> None:
    """Add what OMPL does in a scene."""
    a_state, a_move = plan_ompl.callback_seconds(scene, 200)
    for planner in plan_ompl.PLANNERS:
        tries = [plan_ompl.plan(planner, scene) for _ in range(TIMES if planner == RIVAL else 1)]
        marks = found.setdefault(planner, Marks())
        marks.micros.append(1e6 * min(p.seconds for p, _ in tries))
        marks.bare.append(1e6 * min(p.seconds - t.states * a_state - t.moves * a_move for p, t in tries))
        marks.asked.append(tries[-1][1].states + tries[-1][1].moves)
        marks.ratios.append(length(tries[-1][0].xy) / best)


def _rows(name: str, found: Set) -> list[Row]:
    rows = list[Row]()
    for planner, marks in found.items():
        mine, head = planner not in plan_ompl.PLANNERS, f"{name}, {planner}"
        solved = [r for r in marks.ratios if np.isfinite(r)]
        if mine or planner == RIVAL:
            rows.append(_row(f"{head}: time", marks.micros, "us", TIME_GOAL if mine else None))
        if planner == RIVAL:
            rows.append(_row(f"{head}: less call-backs", marks.bare, "us"))
            rows.append(_row(f"{head}: tests asked for", marks.asked, "1"))
        if solved:
            rows.append(_row(f"{head}: over the shortest", solved, "1", LENGTH_GOALS[name] if mine else None))
        rows.append(Row(f"{head}: solved", None, 100.0 * len(solved) / len(marks.ratios), None, None, "%"))
    for planner in [p for p in found if RIVAL in found and p not in plan_ompl.PLANNERS]:
        own, rival = float(np.median(found[planner].micros)), found[RIVAL]
        for how, times in (("", rival.micros), (", less call-backs", rival.bare)):
            ratio = float(np.median(times)) / own
            rows.append(Row(f"{name}, {planner}: times faster than {RIVAL}{how}", None, ratio, None, None, "1"))
    return rows


def _row(label: str, values: list[float] | list[int], unit: str, goal: tuple[float, float] | None = None) -> Row:
    middle, high = (float(q) for q in np.quantile(values, (0.5, 0.99), method="higher"))
    said = NO_PAPER if goal is None else f"goal {goal[0]:g}, {goal[1]:g}: {_verdict((middle, high), goal)}"
    return Row(label, None, middle, None, high, unit, said)


def _verdict(got: tuple[float, float], goal: tuple[float, float]) -> str:
    kept = [value <= limit for value, limit in zip(got, goal, strict=True)]
    return "held" if all(kept) else "p99 not held" if kept[0] else "not held"


def _panels(name: str, found: Set) -> list[Panel]:
    """Return how the times and the lengths of a set are distributed."""
    n = len(next(iter(found.values())).micros)
    share = [100.0 * (i + 0.5) / n for i in range(n)]
    times, lengths = list[Mark](), list[Mark]()
    for planner, marks in found.items():
        times.append(Line(sorted(marks.micros), share, planner, COLOURS[planner]))
        over = [100.0 * (r - 1.0) for r in sorted(marks.ratios)]
        lengths.append(Line(over, share, "", COLOURS[planner]))
    y = Axis("scenes [%]", 0.0, 100.0)
    return [
        chart(f"{name}: time of a plan", Axis("[us]", 1.0, 2e4, log=True), y, times, 620),
        chart(f"{name}: longer than the shortest", Axis("[%]", 1e-4, 200.0, log=True), y, lengths, 400),
    ]
