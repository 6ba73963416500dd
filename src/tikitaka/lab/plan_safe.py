"""No path collides: random scenes of all kinds, every path judged by a check that shares nothing with the planner.

A path collides where a leg goes into an obstacle, or deeper into one than the leg begins (`plan_check.deepenings`,
NumPy). Scenes whose ends are in the open have a way or none, which the exact planner tells; rings that are closed by
construction must be called so.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tikitaka.lab.plan_check import deepenings, path_depths
from tikitaka.lab.plan_scenes import search_of
from tikitaka.lab.report import Found, Row
from tikitaka.plan import Search
from tikitaka.plan.kernels.smoothing import WAYPOINTS
from tikitaka.plan.paths import many
from tikitaka.plan.scenes import KINDS, PITCHES, Scenes, scenes
from tikitaka.plan.shortest import Search as Ending
from tikitaka.plan.shortest import Work, shortest_path
from tikitaka.types import Bools, Floats, Ints, PlanReason, PlanStatus

ROUNDING = 1e-9  # [m] that a leg which begins inside may seem to go deeper: rounding


@dataclass(frozen=True, slots=True)
class Args:
    """How much is tried; the sets of scenes have pitches of their own, so the league does not matter."""

    league: str = "ssl-b"
    seed: int = 0
    seeds: int = 500  # scenes of each of three sets and eight kinds: 12,000
    sets: tuple[str, ...] = tuple(PITCHES)
    kinds: tuple[str, ...] = KINDS


@dataclass(slots=True)
class Tally:
    """What became of the scenes of a kind."""

    count: int = 0
    collisions: int = 0
    deepest: float = -np.inf  # [m]
    exact: int = 0  # paths of the exact planner
    exact_collisions: int = 0
    solvable: int = 0  # of those with both ends in the open
    missed: int = 0  # of these
    not_told: int = 0  # without a way, and not called so
    endings: Counter[tuple[int, int]] = field(default_factory=Counter)


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return collisions, what was solved and how plans ended, by kind of scene; no picture."""
    tallies, done = {kind: Tally() for kind in args.kinds}, 0
    for name in args.sets:
        for kind in args.kinds:
            judge(tallies[kind], name, scenes(name, kind, args.seeds, args.seed), search_of(name))
            done += 1
            progress(done * args.seeds // (len(args.sets) * len(args.kinds)))
    rows = [_row("scenes", sum(t.count for t in tallies.values()))]
    rows.append(_row("paths that collide", sum(t.collisions for t in tallies.values())))
    rows.append(_row("exact paths that collide", sum(t.exact_collisions for t in tallies.values())))
    return Found([*rows, *(row for kind, tally in tallies.items() for row in _rows(kind, tally))])


def judge(tally: Tally, name: str, chosen: Scenes, search: Search) -> None:
    """Add what ERRT and the exact planner make of scenes."""
    hull, m = PITCHES[name].robot_radius, chosen.obstacles.shape[1]
    xy, numbers = many(chosen.starts, chosen.targets, chosen.obstacles, hull, search)
    starts, targets = (_in_the_open(chosen.obstacles, ends) for ends in (chosen.starts, chosen.targets))
    deeper = deepenings(chosen.obstacles, xy, numbers[:, 2], 2.0 * hull)
    tally.count += len(chosen)
    tally.collisions += int(np.sum(deeper > np.where(starts, 0.0, ROUNDING)))
    tally.deepest = max(tally.deepest, float(deeper[starts].max(initial=-np.inf)))
    tally.endings.update((int(status), int(reason)) for status, reason in numbers[:, :2])
    exact, ways = _exact(chosen, starts & targets, Work.of(m))
    tally.exact += int(np.sum(exact[:, 0] > 0))
    tally.exact_collisions += int(np.sum(path_depths(chosen.obstacles, ways, exact[:, 0])[exact[:, 0] > 0] > 0.0))
    reached, closed = numbers[:, 0] == PlanStatus.EXACT, numbers[:, 1] == PlanReason.CLOSED_IN
    known = exact[:, 1] == Ending.SOLVED
    tally.solvable += int(known.sum())
    tally.missed += int(np.sum(known & ~reached))
    tally.not_told += int(np.sum(((exact[:, 1] == Ending.NO_PATH) | (chosen.solvable == 0)) & ~closed))


def _exact(chosen: Scenes, which: Bools, work: Work) -> tuple[Ints, Floats]:
    """Return waypoints and ending (n, 2) of the exact planner, and its paths; ending -1 where it was not asked."""
    numbers, xy = np.full((len(chosen), 2), -1), np.zeros((len(chosen), WAYPOINTS, 2))
    for i in np.flatnonzero(which).tolist():
        path = shortest_path(chosen.obstacles[i], chosen.starts[i], chosen.targets[i], WAYPOINTS, work)
        numbers[i], xy[i, : len(path.xy)] = (len(path.xy), int(path.status)), path.xy
    return numbers, xy


def _in_the_open(obstacles: Floats, points: Floats) -> Bools:
    free: Bools = path_depths(obstacles, points[:, None].repeat(2, axis=1), np.ones(len(points), np.int64)) <= 0.0
    return free


def _rows(kind: str, t: Tally) -> list[Row]:
    rows = [_row(f"{kind}: scenes", t.count), _row(f"{kind}: paths that collide", t.collisions)]
    if np.isfinite(t.deepest):
        rows.append(_row(f"{kind}: least room of a path from the open", -t.deepest, "m"))
    if t.solvable:
        rows.append(_row(f"{kind}: ends in the open and a way there", t.solvable))
        rows.append(_row(f"{kind}: of these not solved", t.missed))
    if t.solvable < t.count:
        rows.append(_row(f"{kind}: no way there and not told so", t.not_told))
    for (status, reason), n in sorted(t.endings.items()):
        label = f"{kind}: {PlanStatus(status).name.lower()}, {PlanReason(reason).name.lower()}"
        rows.append(_row(label, 100.0 * n / t.count, "%"))
    return rows


def _row(label: str, value: float, unit: str = "1") -> Row:
    return Row(label, None, float(value), None, None, unit)
