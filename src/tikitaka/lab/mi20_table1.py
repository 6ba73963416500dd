"""MI20, Table I: how often collisions swap identical robots: the paper's gate in three modes, ours beside other ways.

The paper's gate gives a detection to the nearest track. It is not printed what happens where two want the same: with
the nearest pair first the printed counts come out, with one track after the other (`in turn`) they do not where robots
are missed. `mi20_swaps` says what a swap is.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from tikitaka.estimate import Association, Collisions
from tikitaka.lab.mi20_scenes import CASES
from tikitaka.lab.mi20_swaps import METHODS, Method, Scene, outcome, present
from tikitaka.lab.plot import BLUE, GREEN, ORANGE, PURPLE, RED, Axis, Band, Dots, Line, Mark, Panel, chart, page
from tikitaka.lab.report import NO_PAPER, Found, Row
from tikitaka.loop.games import wilson
from tikitaka.loop.pool import each
from tikitaka.types import Bools

SPREAD = "Wilson's 95 % intervals"
RUNS = 50  # of each printed count
PRINTED = {  # [MI20, Table I] swaps in cases 1 to 3
    Collisions.FULL: ("correction on", (0, 0, 0)),
    Collisions.SET_BACK: ("physical model off", (1, 0, 2)),
    Collisions.OFF: ("correction off", (8, 2, 14)),
}
NOISE = 2.0  # [m^2/s^3] of the paper's filter, which is not printed: with it correction off swaps as often as printed
GATES = {"": Association.GREEDY, "in turn: ": Association.IN_TURN}
GOAL_SEEDS = 1000  # that the goals below are meant for: fewer cannot show them
MISSED = 0.3  # share of the detections of robots that touch
HARD = {  # speed, whether headings are measured, most swaps [%] that ours may have
    "1.5 m/s": (1.5, True, 0.0),
    "1.5 m/s, no headings": (1.5, False, 1.0),
    "2.0 m/s": (2.0, True, 1.0),
}
DRAWN = {"greedy": RED, "GNN": ORANGE, "GNN + Mahalanobis": PURPLE, "motpy": BLUE, "ours": GREEN}
SPEEDS = (0.75, 1.0, 1.25, 1.5, 2.0, 2.5)  # [m/s]

Tally = dict[tuple[Scene, Method | None], Bools]  # whether each seed's collision swapped robots


@dataclass(frozen=True, slots=True)
class Args:
    """How many collisions of each kind; the leagues are the cases' own."""

    league: str = CASES[1].league
    seed: int = 0
    seeds: int = 40


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return swaps beside the printed ones, those of other ways to follow robots, and swaps over speed."""
    tally = counted(args.seed, args.seeds, cells(), progress)
    rows = [row for gate in GATES for row in printed_rows(tally, gate)]
    rows += [row for name in HARD for row in hard_rows(tally, name)]
    return Found(rows, {"mi20-table1.svg": drawn(tally)})


def cells() -> dict[Scene, tuple[Method | None, ...]]:
    """Return which methods are tried in which scenes."""
    gates = tuple(Method(gate, mode, noise=NOISE) for gate in GATES.values() for mode in PRINTED)
    here = present()
    found: dict[Scene, tuple[Method | None, ...]] = {as_printed(case): gates for case in CASES}
    for heading in (True, False):
        for speed in SPEEDS:
            found[Scene(1, speed, MISSED, heading)] = tuple(here[name] for name in DRAWN if name in here)
    for speed, heading, _ in HARD.values():
        for case in CASES:
            found[Scene(case, speed, MISSED, heading)] = tuple(here.values())
    return found


def as_printed(case: int) -> Scene:
    """Return the scene at which the paper's gate without correction swaps about as often as it is printed."""
    return Scene(case, CASES[case].speed, CASES[case].dropout, heading=True)


def counted(
    seed: int, seeds: int, tried: dict[Scene, tuple[Method | None, ...]], progress: Callable[[int], None]
) -> Tally:
    """Return what every method made of every scene, seed by seed; all cores take part."""
    found = [_one(tried, seed)]  # here, so that the kernels are compiled once before others begin
    progress(1)
    found += each(partial(_one, tried), range(seed + 1, seed + seeds), lambda k: progress(k + 1))
    columns = np.array(found, np.bool_).T
    pairs = [(scene, method) for scene, methods in tried.items() for method in methods]
    return dict(zip(pairs, columns, strict=True))


def _one(tried: dict[Scene, tuple[Method | None, ...]], seed: int) -> list[bool]:
    return [swapped for scene, methods in tried.items() for swapped in outcome(scene, seed, methods)]


def same(a: float, low_a: float, high_a: float, b: float, low_b: float, high_b: float) -> bool:
    """Say whether two shares with their intervals may be one: the 95 % interval of a - b holds 0 [Newcombe1998]."""
    return a - b <= math.hypot(a - low_a, high_b - b) and b - a <= math.hypot(high_a - a, b - low_b)


def printed_rows(tally: Tally, gate: str) -> list[Row]:
    """Return the paper's table: swaps in 50 runs, and whether they differ by more than chance."""
    rows = list[Row]()
    for mode, (name, printed) in PRINTED.items():
        for case, swaps in zip(CASES, printed, strict=True):
            rate, low, high = _rate(tally[as_printed(case), Method(GATES[gate], mode, noise=NOISE)])
            verdict = "agrees" if same(swaps / RUNS, *wilson(swaps, RUNS), rate, low, high) else "differs"
            label = f"{gate}{name}, case {case}"
            rows.append(Row(label, swaps, RUNS * rate, RUNS * low, RUNS * high, f"in {RUNS}", verdict))
    return rows


def hard_rows(tally: Tally, name: str) -> list[Row]:
    """Return how often each method swaps in each case."""
    speed, heading, most = HARD[name]
    rows = list[Row]()
    for case in CASES:
        for method, made in present().items():
            rate, low, high = (100.0 * value for value in _rate(tally[Scene(case, speed, MISSED, heading), made]))
            seeds = len(tally[Scene(case, speed, MISSED, heading), made])
            verdict = judged(rate, low, high, most, seeds) if method == "ours" else NO_PAPER
            rows.append(Row(f"{name}, case {case}: {method}", None, rate, low, high, "%", verdict))
    return rows


def judged(rate: float, low: float, high: float, most: float, seeds: int) -> str:
    """Return what so many seeds say about a goal [%] that is meant for GOAL_SEEDS of them."""
    goal = f"goal {f'{most:g} %' if most else 'none'} in {GOAL_SEEDS}"
    if seeds >= GOAL_SEEDS or max(low, rate if most == 0.0 else 0.0) > most:
        return f"{goal}: {'met' if rate <= most else 'missed'}"
    return f"{goal}: open, {seeds} show at most {high:.2g} %"


def drawn(tally: Tally) -> str:
    """Return swaps over speed, with and without measured headings."""
    panels = [_over_speed(tally, heading) for heading in (True, False)]
    return page([panels], "Share of collisions that swap identical robots, over their speed")


def _over_speed(tally: Tally, heading: bool) -> Panel:
    """Return the chart of three robots, 30 % of whose detections are missing while they touch."""
    marks = list[Mark]()
    for name, colour in DRAWN.items():
        if name not in present():
            continue
        rates = [_rate(tally[Scene(1, speed, MISSED, heading), METHODS[name]]) for speed in SPEEDS]
        rate, low, high = (100.0 * np.array(column) for column in zip(*rates, strict=True))
        short = name.replace("Mahalanobis", "M.")
        marks += [Band(SPEEDS, low, high, "", colour), Line(SPEEDS, rate, short, colour)]
        marks.append(Dots(SPEEDS, rate, "", colour))
    title = f"Three robots collide, headings {'' if heading else 'not '}measured"
    return chart(title, Axis("speed [m/s]"), Axis("swaps [%]", 0.0, 100.0), marks, 470, 320)


def _rate(swapped: Bools) -> tuple[float, float, float]:
    """Return the share of swaps and its interval."""
    return float(swapped.mean()), *wilson(int(swapped.sum()), len(swapped))
