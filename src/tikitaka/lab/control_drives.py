"""Time to target over the least time there can be: straight ways and random poses, with the truth and with estimates.

The bound is from rest to rest under the league's limits of speed, acceleration and turning alone: `drives.bounds`.
Motors of omni robots do not give that much in all directions; for places that may be reached with any heading theirs is
the least time that the motors allow without turning: `drives.motor_bounds`.
A robot has arrived when it is within 1 cm and 3 degrees, and stays so for STAYS.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tikitaka import league as leagues
from tikitaka.lab import drives
from tikitaka.lab.control_optimum import quickest
from tikitaka.lab.drives import Drives
from tikitaka.lab.plot import BLUE, GREEN, RED, Axis, Dots, Line, Mark, Panel, chart, page
from tikitaka.lab.report import Found, Row
from tikitaka.lab.spreads import spread
from tikitaka.league import League
from tikitaka.types import Floats

ALL = "all"
LEAGUES = ("mirosot-5v5", "vsss-3v3", "ssl-b")
EYES = {"truth": ("ideal", GREEN), "friendly": ("friendly", BLUE), "realistic": ("realistic", RED)}
LENGTHS = 12  # straight ways, of lengths from a robot's width to most of the field
SECONDS = 5.0  # [s] chosen: twice the longest bound
STAYS = 0.3  # [s] chosen: a camera's noise may move a robot a little even later
STILL = 0.5  # [s] at the end, over which rest is judged


@dataclass(frozen=True, slots=True)
class Args:
    """How much is driven."""

    league: str = ALL
    seed: int = 0
    seeds: int = 1
    poses: int = 1000  # random ones a seed with the truth
    seen: int = 24  # and with estimates
    best: int = 4  # of the first ones, for which the quickest drive is searched


Ways = tuple[Floats, Floats]  # starts and targets (n, 3)


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return times over the bound, overshoot and what is left at rest, of every league, way of seeing and kind."""
    names, rows = LEAGUES if args.league == ALL else (args.league,), list[Row]()
    found: dict[tuple[str, str, str], list[tuple[Drives, Floats, League]]] = {}
    for k in range(args.seeds):
        for name in names:
            for eyes, (realism, _) in EYES.items():
                league = leagues.load(name, realism=realism)
                for kind, ways in kinds(league, args, args.seed + k, eyes == "truth").items():
                    one = driven(league, ways, eyes == "truth", args.seed + k)
                    found.setdefault((name, eyes, kind), []).append((one, least(league, ways), league))
        progress(k + 1)
    for (name, eyes, kind), runs in found.items():
        rows += _rows(f"{name}, {eyes}, {kind}", runs)
        if (eyes, kind) == ("truth", "poses") and runs[0][2].robot.drive == "omni":
            rows += _best(f"{name}, {kind}", runs[0], args.best)
    panels = [_panel(name, {e: found[name, e, "poses"][0] for e in EYES}) for name in names]
    return Found(rows, {"control-drives.svg": page([panels], "Time to a pose over the bound, by the bound")})


def kinds(league: League, args: Args, seed: int, known: bool) -> dict[str, Ways]:
    """Return straight ways ahead, random places with any heading, and random poses."""
    n, ways = args.poses if known else args.seen, {"straight": straight(league)}
    return ways | {kind: drives.scattered(league, n, seed, kind == "poses") for kind in ("places", "poses")}


def least(league: League, ways: Ways) -> Floats:
    """Return the least times that there can be."""
    free = bool(np.isnan(ways[1][:, 2]).all())
    return (drives.motor_bounds if free and league.robot.drive == "omni" else drives.bounds)(league, *ways)


def straight(league: League) -> Ways:
    """Return ways straight ahead along the field, of growing length."""
    f, clear = league.field.geometry(), 1.5 * league.robot.bounding_radius
    most = 2.0 * (f.half_length - f.area_length - clear)
    start, target = np.zeros((2, LENGTHS, 3))
    start[:, 0] = -0.5 * most
    target[:, 0] = start[:, 0] + np.geomspace(2.0 * league.robot.bounding_radius, most, LENGTHS)
    target[:, 2] = np.nan
    return start, target


def driven(league: League, ways: Ways, known: bool, seed: int) -> Drives:
    """Return the drives, by robots that know the truth or what their cameras tell."""
    if known:
        return drives.drive(league, *ways, SECONDS)
    return drives.drive_seen(league, *ways, SECONDS, 1000 * seed)


def _rows(label: str, runs: list[tuple[Drives, Floats, League]]) -> list[Row]:
    ratios, late, over, turns = list[float](), list[float](), list[float](), list[float]()
    for one, bound, league in runs:
        times, last = drives.settled(league, one, STAYS), round(STILL / one.dt)
        there = np.isfinite(times)
        ratios.append(float(np.mean((times / bound)[there])))
        late.append(float(np.mean(~there)))
        over.append(1e3 * float(drives.overshoot(one).max()))
        turns.append(float(np.abs(one.velocity[-last:, :, 2]).max(axis=0).mean()))
    return [
        spread(f"{label}: time / bound", ratios, "1"),
        spread(f"{label}: never there", late, "1"),
        spread(f"{label}: largest overshoot", over, "mm"),
        spread(f"{label}: turn rate at rest", turns, "rad/s"),
    ]


def _best(label: str, run: tuple[Drives, Floats, League], n: int) -> list[Row]:
    """Return how far the first drives are above the quickest that are found, and these above the bound."""
    one, bound, league = run
    times = drives.settled(league, one, STAYS)[:n]
    least = quickest(league, one.pose[0, :n], one.target[:n])
    known = np.isfinite(least) & np.isfinite(times)
    if not known.any():
        return []
    return [
        spread(f"{label}: time / quickest drive found", (times / least)[known].tolist(), "1"),
        spread(f"{label}: quickest drive found / bound", (least / bound[:n])[known].tolist(), "1"),
    ]


def _panel(name: str, found: dict[str, tuple[Drives, Floats, League]]) -> Panel:
    marks, most = list[Mark](), 0.0
    for eyes, (one, bound, league) in found.items():
        times = drives.settled(league, one, STAYS)
        there, most = np.isfinite(times), max(most, float(bound.max()))
        marks.append(Dots(bound[there], times[there], eyes, EYES[eyes][1], 1.5 if eyes == "truth" else 3.0))
    marks.append(Line([0.0, most], [0.0, most], "bound"))
    return chart(name, Axis("bound [s]", 0.0), Axis("time [s]", 0.0), marks)
