"""Tables 4.1 to 4.6 of the thesis: collisions and average speed of two robots under way, the print beside ours.

Robots drive by the thesis' law, and by the fast one. Counts and seconds are for the thesis' durations, whatever was
simulated: with one seed a quarter of it, and a twelfth of the random test; with more seeds all of it for each.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from tikitaka import league as leagues
from tikitaka.avoid import Method
from tikitaka.control import Law
from tikitaka.lab.austro_counts import Score, exposure, score
from tikitaka.lab.austro_moves import SPEEDS, TESTS, Test, route
from tikitaka.lab.austro_pictures import drawn
from tikitaka.lab.austro_traffic import LEAGUE, Film, alone, drive, setup_of
from tikitaka.lab.report import Found, Row
from tikitaka.lab.spreads import spread
from tikitaka.loop.pool import each

GHOST = "ghost"
SHORT, SHORT_RANDOM = 1.0 / 4.0, 1.0 / 12.0  # of the thesis' time, with one seed
METHODS = {
    Law.SUPER_POSITION: (
        Method.NONE,
        Method.AUTO_AVOID,
        Method.COLLISION_AVOID_PRINTED,
        Method.COLLISION_AVOID,
        Method.OURS,
    ),
    Law.FAST: (Method.NONE, Method.AUTO_AVOID, Method.COLLISION_AVOID, Method.ORCA, Method.OURS),
}
Three = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Args:
    """How many seeds; the league is the thesis' own."""

    league: str = LEAGUE
    seed: int = 0
    seeds: int = 1


@dataclass(frozen=True, slots=True)
class Printed:
    """Collisions and average speed [m/s] at 1, 2 and 3 m/s."""

    collisions: Three
    speed: Three


COLLISION_AVOID = {
    1: Printed((0, 0, 0), (0.51, 0.69, 1.23)),
    2: Printed((3.5, 5.5, 3), (0.52, 0.72, 0.88)),
    3: Printed((0, 0, 0.5), (0.54, 0.76, 0.92)),
    4: Printed((0, 0, 0), (0.45, 0.60, 0.70)),
    5: Printed((3, 0.5, 0), (0.47, 0.67, 0.76)),
    6: Printed((25, 43, 22), (0.59, 0.86, 1.01)),
}
AUTO_AVOID = {
    1: Printed((0, 0, 0), (0.51, 0.78, 1.41)),
    2: Printed((18, 6.5, 11), (0.48, 0.74, 0.86)),
    3: Printed((0, 7, 7), (0.53, 0.72, 0.85)),
    4: Printed((0, 0, 0), (0.47, 0.62, 0.75)),
    5: Printed((22, 24, 9), (0.47, 0.63, 0.76)),
    6: Printed((36.5, 38.5, 31.5), (0.64, 0.89, 1.04)),
}
SUPER_POSITION = {
    2: Printed((16, 11.5, 17), (0.53, 0.73, 0.80)),
    3: Printed((11.5, 2, 3), (0.52, 0.75, 0.90)),
    6: Printed((56.5, 62, 32), (0.64, 0.86, 1.02)),
}
PRINTED = {
    Method.NONE: SUPER_POSITION,
    Method.AUTO_AVOID: AUTO_AVOID,
    Method.COLLISION_AVOID: COLLISION_AVOID,
    Method.COLLISION_AVOID_PRINTED: COLLISION_AVOID,
}


@dataclass(frozen=True, slots=True)
class Unit:
    """One run to be made."""

    test: int
    speed: int  # which of SPEEDS
    law: Law
    method: str  # a Method, or GHOST
    seed: int
    share: float  # of the thesis' time


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run gave."""

    score: Score
    met: int  # exposure of a ghost run
    trail: Film | None  # of the first seed: the beginning, for the picture


def table_of(number: int) -> Callable[[Args, Callable[[float], None]], Found]:
    """Return the experiment that plays one table."""
    return lambda args, progress: table(number, args.seed, args.seeds, progress)


def table(number: int, seed: int, seeds: int, progress: Callable[[float], None]) -> Found:
    """Return the rows of one table and its picture: the printed numbers beside ours, the ways that the robots took."""
    units = units_of((number,), seed, seeds)
    found = outcomes(units, seeds, progress)
    rows = [row for k in range(len(SPEEDS)) for law in METHODS for row in _rows(number, k, law, found)]
    return Found(rows, {f"austro-4.{number}.svg": drawn(TESTS[number].name, _trails(found))})


def units_of(tests: Sequence[int], seed: int, seeds: int) -> list[Unit]:
    """Return all runs of some tests."""
    short = {t: SHORT_RANDOM if TESTS[t].paths is None else SHORT for t in tests}
    share = short if seeds == 1 else dict.fromkeys(tests, 1.0)
    who = [(law, name) for law, methods in METHODS.items() for name in (GHOST, *(m.value for m in methods))]
    return [
        Unit(t, k, law, name, seed + s, share[t])
        for s in range(seeds)
        for t in tests
        for k in range(3)
        for law, name in who
    ]


def outcomes(units: list[Unit], seeds: int, progress: Callable[[float], None]) -> dict[Unit, Outcome]:
    """Return what every run gave; all cores take part."""
    first = units[0].seed
    done = each(partial(_run, units, first), range(len(units)), lambda k: progress(k * seeds / len(units)))
    return dict(zip(units, done, strict=True))


def minutes(test: Test, k: int) -> float:
    """Return how long the thesis ran a test at one of the speeds."""
    return test.minutes[k]


def driving(test: Test) -> int:
    """Return how many robots have somewhere to go."""
    return 2 if test.paths is None else sum(len(path) > 1 for path in test.paths)


def picked(found: dict[Unit, Outcome], test: int, k: int, law: Law, method: str) -> list[tuple[Unit, Outcome]]:
    """Return the outcomes of one condition, seed by seed."""
    return [(u, o) for u, o in found.items() if (u.test, u.speed, u.law, u.method) == (test, k, law, method)]


def counted(found: dict[Unit, Outcome], test: int, k: int, law: Law, method: str) -> list[float]:
    """Return the collisions of one condition in the thesis' time, seed by seed."""
    return [o.score.collisions / u.share for u, o in picked(found, test, k, law, method)]


def pace(found: dict[Unit, Outcome], test: int, k: int, law: Law, method: str) -> list[float]:
    """Return the average speeds of one condition, seed by seed."""
    return [o.score.speed for _, o in picked(found, test, k, law, method)]


def _run(units: list[Unit], first: int, index: int) -> Outcome:
    u, test = units[index], TESTS[units[index].test]
    league = leagues.load(LEAGUE)
    where, seconds = (
        route(test, league.field.geometry(), SPEEDS[u.speed], u.seed),
        60.0 * u.share * minutes(test, u.speed),
    )
    if u.method == GHOST:
        film = alone(where, u.seed, seconds, law=u.law)
        half = (0.5 * (league.robot.length or 0.0), 0.5 * (league.robot.width or 0.0))
        return Outcome(score(film, driving(test)), exposure(film, *half), None)
    film = drive(setup_of(2, u.seed, Method(u.method), law=u.law), where, seconds)
    return Outcome(score(film, driving(test)), 0, film if u.seed == first and u.speed == 1 else None)


def _rows(test: int, k: int, law: Law, found: dict[Unit, Outcome]) -> list[Row]:
    """Return the rows at one speed by one law: exposure, and for each method collisions, speed and what it lost."""
    head, t = f"{SPEEDS[k]:.0f} m/s {law.value}", minutes(TESTS[test], k)
    ghost, none = pace(found, test, k, law, GHOST), pace(found, test, k, law, Method.NONE.value)
    ran = picked(found, test, k, law, GHOST)
    rows = [
        simulated(head, t * ran[0][0].share, t),
        spread(f"{head}, ghost: exposure in {t:.0f} min", [o.met / u.share for u, o in ran], "1"),
        spread(f"{head}, ghost: speed", ghost, "m/s"),
    ]
    for method in METHODS[law]:
        name, runs = f"{head}, {method.value}", picked(found, test, k, law, method.value)
        scores, crashes = [o.score for _, o in runs], counted(found, test, k, law, method.value)
        paper, speed = printed(law, method, test, k)
        rows += [
            _beside(f"{name}: collisions", crashes, "1", paper),
            Row(f"{name}: collisions, worst seed", None, max(crashes), None, None, "1"),
            *(spread(f"{name}: {what}", values, unit) for what, values, unit in details(runs)),
            _beside(f"{name}: speed", [s.speed for s in scores], "m/s", speed),
            spread(f"{name}: speed / ghost", _ratios(scores, ghost), "1"),
            spread(f"{name}: speed / none", _ratios(scores, none), "1"),
        ]
    return rows


def simulated(name: str, minutes: float, whole: float) -> Row:
    """Return the row that says how much of the thesis' time was simulated, and what is done about the rest."""
    scaled = "" if minutes == whole else f"; counts and seconds are scaled up to {whole:.0f} min"
    return Row(f"{name}: simulated{scaled}", None, minutes, None, None, "min")


def details(runs: Sequence[tuple[Unit, Outcome]]) -> list[tuple[str, list[float], str]]:
    """Return what there is to a condition's collisions, each run in the thesis' time: name, values and unit."""
    parts = [(u.share, o.score) for u, o in runs]
    return [
        ("full ones", [s.full / share for share, s in parts], "1"),
        ("halves", [s.half / share for share, s in parts], "1"),
        ("impact", [s.impact for _, s in parts], "m/s"),
        ("stood", [s.stood / share for share, s in parts], "s"),
        ("both stood", [s.deadlock / share for share, s in parts], "s"),
        ("taken apart by hand", [s.rescues / share for share, s in parts], "1"),
    ]


def printed(law: Law, method: Method, test: int, k: int) -> tuple[float | None, float | None]:
    """Return the printed collisions and speed of one condition, where there are any."""
    paper = PRINTED.get(method, {}).get(test) if law is Law.SUPER_POSITION else None
    return (None, None) if paper is None else (paper.collisions[k], paper.speed[k])


def _beside(label: str, values: Sequence[float], unit: str, paper: float | None) -> Row:
    """Return a row with the print beside it; of nothing no share can be told."""
    row = spread(label, values, unit, paper or None)
    return row if paper is None or paper else Row(label, paper, row.ours, row.low, row.high, unit, f"{row.ours:+.1f}")


def _ratios(scores: Sequence[Score], base: Sequence[float]) -> list[float]:
    return [s.speed / b if b > 0.0 else np.inf for s, b in zip(scores, base, strict=True)]


def _trails(found: dict[Unit, Outcome]) -> dict[str, Film]:
    return {f"{u.law.value}, {u.method}": o.trail for u, o in found.items() if o.trail is not None}
