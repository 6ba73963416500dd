"""Austro's errata one by one: the printed program with one mended, and the mended one with one as printed.

Two robots in the 18 conditions, and two teams of five at random for half a minute, by the thesis' law. Every seed plays
an eighth of the thesis' time: many seeds tell more about small changes than long runs. Counts are for all of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce

import numpy as np

from tikitaka import avoid
from tikitaka import league as leagues
from tikitaka.avoid import Errata, Method
from tikitaka.control import Law
from tikitaka.lab import austro_many, austro_teams
from tikitaka.lab.austro_counts import Score, score
from tikitaka.lab.austro_moves import SPEEDS, TESTS, overcounted, random_route, route
from tikitaka.lab.austro_pictures import changes
from tikitaka.lab.austro_tables import driving, simulated
from tikitaka.lab.austro_traffic import LEAGUE, drive, setup_of
from tikitaka.lab.plot import Panel, page
from tikitaka.lab.report import Found, Row
from tikitaka.lab.spreads import spread
from tikitaka.loop import build
from tikitaka.loop.pool import each

SHARE, SECONDS = 1.0 / 8.0, 30.0  # chosen: of the thesis' time, and with two teams
WHOLE = sum(sum(test.minutes) for test in TESTS.values())  # [min]
EVERY = reduce(Errata.__or__, Errata)
ENDS = {"printed": Errata(0), "mended": EVERY}
TEAMS, SCENE = 0, austro_many.SCENES[0]  # the number of the run with two teams, and what they do
NAMES = {
    Errata.FRAMES: "one frame",
    Errata.PAST: "past by the sign of time",
    Errata.RIGHT: "right of way",
    Errata.STALE: "no stale fields",
    Errata.HEAD_ON: "closing speed, rear-end",
    Errata.STANDING: "who stands is met there",
    Errata.OTHERS: "opponents and walls",
    Errata.NEAR_TARGET: "on near the target",
    Errata.BRAKE: "a brake to stop",
}
LIMITS, GRID = "dodges of 20 to 80 cm", "the right grid"
ASIDE = (LIMITS, GRID)  # neither end has them: text against program, and the tests' own


@dataclass(frozen=True, slots=True)
class Args:
    """How many seeds; the league is the thesis' own."""

    league: str = LEAGUE
    seed: int = 0
    seeds: int = 1


@dataclass(frozen=True, slots=True)
class Variant:
    """One of the two ends with one thing changed, or none."""

    end: str  # of ENDS
    change: Errata | str | None = None

    @property
    def mended(self) -> Errata:
        """The errata that are mended."""
        return ENDS[self.end] ^ self.change if isinstance(self.change, Errata) else ENDS[self.end]

    @property
    def name(self) -> str:
        """Words for it."""
        if self.change is None:
            return self.end
        undone = self.end == "mended" and isinstance(self.change, Errata)
        return f"{self.end}, {'not ' if undone else ''}{_called(self.change)}"


@dataclass(frozen=True, slots=True)
class Unit:
    """One run to be made."""

    test: int  # of TESTS, or TEAMS
    speed: int  # which of SPEEDS
    variant: Variant
    seed: int


VARIANTS = [Variant(end, change) for end in ENDS for change in (None, *Errata, *ASIDE)]
CONDITIONS = [(t, k) for t in TESTS for k in range(len(SPEEDS))]
ALONE, TOGETHER = "collisions in 80 min", "5 v 5: collisions a robot-minute"
PARTS = {"full ones": "full", "halves": "half"}  # of the collisions
TITLES = {ALONE: "Two robots: collisions in 80 minutes", TOGETHER: TOGETHER}
Measures = dict[str, tuple[list[float], str]]  # values, one a seed, and their unit


def run(args: Args, progress: Callable[[float], None]) -> Found:
    """Return collisions and speed of every variant, what it changes from its end, and a picture of that."""
    units = units_of(args.seed, args.seeds)
    done = each(partial(_run, units), range(len(units)), lambda k: progress(k * args.seeds / len(units)))
    found, rows = dict(zip(units, done, strict=True)), [simulated("two robots, each seed", SHARE * WHOLE, WHOLE)]
    field = leagues.load(LEAGUE).field.geometry()
    legs = [overcounted(field, random_route(field, 2, 1.0, args.seed + s)) for s in range(args.seeds)]
    rows.append(spread("random legs as the program counts them / as they are", legs, "1"))
    for v in VARIANTS:
        rows += _rows(v, measures(found, v), measures(found, Variant(v.end)))
    return Found(rows, {"austro-errata.svg": _figure(rows)})


def units_of(seed: int, seeds: int) -> list[Unit]:
    """Return all runs but those that cannot differ: two robots have no stale fields, random targets no grid."""
    return [
        Unit(t, k, v, seed + s)
        for s in range(seeds)
        for t, k in (*CONDITIONS, (TEAMS, 0))
        for v in VARIANTS
        if v.change is not (GRID if t == TEAMS else Errata.STALE)
    ]


def measures(found: dict[Unit, Score], variant: Variant) -> Measures:
    """Return what a variant gave, where it was run."""
    ours = [(u, s) for u, s in found.items() if u.variant == variant]
    alone = [[s for u, s in ours if (u.test, u.speed) == condition] for condition in CONDITIONS]
    teams = [s for u, s in ours if u.test == TEAMS]
    table: Measures = {}
    if alone[0]:
        for what, name in {ALONE: "collisions", **PARTS}.items():
            counts = np.sum([[getattr(s, name) for s in runs] for runs in alone], axis=0) / SHARE
            table[what] = counts.tolist(), "1"
        table["mean speed"] = np.mean([[s.speed for s in runs] for runs in alone], axis=0).tolist(), "m/s"
    if teams:
        table[TOGETHER] = [s.collisions / (2 * SCENE.robots * SECONDS / 60.0) for s in teams], "1"
        table["5 v 5: mean speed"] = [s.speed for s in teams], "m/s"
    return table


def fitted(setup: build.Setup, variant: Variant) -> build.Setup:
    """Return the pitch with both teams avoiding as the variant does."""
    params = replace(build.avoid_params(setup.league), mended=variant.mended)
    if variant.change == LIMITS:
        t = params.thesis
        params = replace(params, thesis=replace(t, dodge_least=2.0 * t.dodge_least, dodge_most=1.6 * t.dodge_most))
    blue, yellow = (replace(s, stack=replace(s.stack, avoid=partial(avoid.step, params))) for s in setup.sides)
    return replace(setup, sides=(blue, yellow))


def _run(units: list[Unit], index: int) -> Score:
    u, printed = units[index], Method.COLLISION_AVOID_PRINTED
    field, law = leagues.load(LEAGUE).field.geometry(), Law.SUPER_POSITION
    if u.test == TEAMS:
        setup = fitted(austro_teams.setup_of(LEAGUE, SCENE.robots, u.seed, (printed, printed), law), u.variant)
        routes = austro_many.routes(SCENE, field, u.seed)
        return score(austro_teams.drive(setup, routes, SECONDS), 2 * SCENE.robots)
    test = TESTS[u.test]
    where = route(test, field, SPEEDS[u.speed], u.seed, thesis=u.variant.change != GRID)
    setup = fitted(setup_of(2, u.seed, printed, law=law), u.variant)
    return score(drive(setup, where, 60.0 * SHARE * test.minutes[u.speed]), driving(test))


def _rows(variant: Variant, own: Measures, end: Measures) -> list[Row]:
    rows = [spread(f"{variant.name}: {what}", values, unit) for what, (values, unit) in own.items()]
    for what in [w for w in own if w not in PARTS and variant.change is not None]:
        less = [a - b for a, b in zip(own[what][0], end[what][0], strict=True)]
        rows.append(spread(f"{variant.name}: {what}, less {variant.end}", less, own[what][1]))
    return rows


def _figure(rows: Sequence[Row]) -> str:
    """Return what every change does to the collisions of two robots, and of two teams."""
    by_label, panels = {row.label: row for row in rows}, list[list[Panel]]()
    for what, title in TITLES.items():
        values = dict[str, list[tuple[float, float, float]]]()
        for v in VARIANTS:
            row = by_label.get(f"{v.name}: {what}, less {v.end}")
            if row is not None and v.change is not None:
                low, high = (row.ours if x is None else x for x in (row.low, row.high))
                values.setdefault(_called(v.change), []).append((row.ours, low, high))
        panels.append([changes(title, values, ("changed in the printed program", "in the mended one"))])
    return page(panels, "What each erratum changes in the collisions")


def _called(change: Errata | str) -> str:
    return NAMES[change] if isinstance(change, Errata) else change
