"""Two robots in the 18 conditions of the thesis, 80 minutes: ours beside none and orca, and with faults unforeseen."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tikitaka import league as leagues
from tikitaka.avoid import Method
from tikitaka.lab.austro_counts import Score, exposure, score
from tikitaka.lab.austro_moves import SPEEDS, TESTS, route
from tikitaka.lab.austro_tables import driving
from tikitaka.lab.austro_traffic import LEAGUE, alone, drive, setup_of
from tikitaka.lab.report import Found, Row
from tikitaka.lab.spreads import spread
from tikitaka.loop.build import Setup
from tikitaka.loop.pool import each

GHOST = "ghost"
SHORT = 1.0 / 12.0  # of the thesis' time, with one seed
WEAK, NOISY, LATE = 0.7, 3.0, 0.1  # share of the torque, times the noise, [s] of the camera


@dataclass(frozen=True, slots=True)
class Args:
    """How many seeds; the league is the thesis' own."""

    league: str = LEAGUE
    seed: int = 0
    seeds: int = 1


def sound(setup: Setup) -> Setup:
    """Return the pitch as it is."""
    return setup


def weak(setup: Setup) -> Setup:
    """Return a pitch whose robots have less torque, and so less acceleration, than their team believes."""
    robot = setup.pitch.robot
    motor = replace(robot.drive.motor, torque_limit=WEAK * robot.drive.motor.torque_limit)
    return replace(setup, pitch=replace(setup.pitch, robot=replace(robot, drive=replace(robot.drive, motor=motor))))


def noisy(setup: Setup) -> Setup:
    """Return a pitch whose camera is less exact than both teams believe."""
    c = setup.camera
    return replace(setup, camera=replace(c, noise_xy=NOISY * c.noise_xy, noise_theta=NOISY * c.noise_theta))


def late(setup: Setup) -> Setup:
    """Return a pitch whose pictures come later than in the league; they say when they were taken."""
    return replace(setup, camera=replace(setup.camera, latency=LATE))


KINDS: dict[str, tuple[str, Callable[[Setup], Setup]]] = {
    "ghost": (GHOST, sound),
    "none": (Method.NONE.value, sound),
    "orca": (Method.ORCA.value, sound),
    "ours": (Method.OURS.value, sound),
    "none, acceleration 30 % lower": (Method.NONE.value, weak),
    "ours, acceleration 30 % lower": (Method.OURS.value, weak),
    "ours, 3 x noise": (Method.OURS.value, noisy),
    "ours, 100 ms dead time": (Method.OURS.value, late),
}


@dataclass(frozen=True, slots=True)
class Unit:
    """One run to be made."""

    test: int
    speed: int  # which of SPEEDS
    kind: str  # of KINDS
    seed: int
    share: float  # of the thesis' time


def run(args: Args, progress: Callable[[float], None]) -> Found:
    """Return collisions in 80 minutes, speed and stands of each kind; with one seed a twelfth of the time is played."""
    share = SHORT if args.seeds == 1 else 1.0
    units = [
        Unit(t, k, kind, args.seed + s, share)
        for t, k in sorted(((t, k) for t in TESTS for k in range(len(SPEEDS))), key=_longest)
        for s in range(args.seeds)
        for kind in KINDS
    ]
    done = each(partial(_run, units), range(len(units)), lambda k: progress(k * args.seeds / len(units)))
    found = list(zip(units, done, strict=True))
    seeds = range(args.seed, args.seed + args.seeds)
    speeds = {kind: [_speed(found, kind, s) for s in seeds] for kind in KINDS}
    rows = [spread("ghost: exposure in 80 min", [_sum(found, GHOST, s) for s in seeds], "1")]
    rows.append(spread("ghost: mean speed", speeds[GHOST], "m/s"))
    for kind in KINDS:
        if kind != GHOST:
            rows += _rows(kind, found, seeds, speeds)
    return Found(rows, {})


def _longest(condition: tuple[int, int]) -> float:
    """Return what sorts conditions so that the longest runs begin first."""
    return -TESTS[condition[0]].minutes[condition[1]]


def _run(units: list[Unit], index: int) -> tuple[Score, float]:
    """Return the score of a run, and its collisions, of a ghost its exposure, in all of the thesis' time."""
    u = units[index]
    test, league, (method, spoil) = TESTS[u.test], leagues.load(LEAGUE), KINDS[u.kind]
    where = route(test, league.field.geometry(), SPEEDS[u.speed], u.seed)
    seconds = 60.0 * u.share * test.minutes[u.speed]
    if method == GHOST:
        film = alone(where, u.seed, seconds)
        half = (0.5 * (league.robot.length or 0.0), 0.5 * (league.robot.width or 0.0))
        return score(film, driving(test)), exposure(film, *half) / u.share
    found = score(drive(spoil(setup_of(2, u.seed, Method(method))), where, seconds), driving(test))
    return found, found.collisions / u.share


def _speed(found: list[tuple[Unit, tuple[Score, float]]], kind: str, seed: int) -> float:
    return float(np.mean([s.speed for u, (s, _) in found if u.kind == kind and u.seed == seed]))


def _sum(found: list[tuple[Unit, tuple[Score, float]]], kind: str, seed: int) -> float:
    return float(sum(n for u, (_, n) in found if u.kind == kind and u.seed == seed))


def _rows(
    kind: str, found: list[tuple[Unit, tuple[Score, float]]], seeds: range, speeds: dict[str, list[float]]
) -> list[Row]:
    crashes = [_sum(found, kind, s) for s in seeds]
    scores = [s for u, (s, _) in found if u.kind == kind]
    base = "none, acceleration 30 % lower" if "acceleration" in kind else "none"
    return [
        spread(f"{kind}: collisions in 80 min", crashes, "1"),
        Row(f"{kind}: worst seed", None, max(crashes), None, None, "1"),
        spread(f"{kind}: mean speed", speeds[kind], "m/s"),
        spread(f"{kind}: speed / ghost", [a / b for a, b in zip(speeds[kind], speeds[GHOST], strict=True)], "1"),
        spread(f"{kind}: speed / none", [a / b for a, b in zip(speeds[kind], speeds[base], strict=True)], "1"),
        Row(f"{kind}: longest stand with a way to go", None, max(s.longest for s in scores), None, None, "s"),
        Row(f"{kind}: taken apart by hand", None, sum(s.rescues for s in scores) / len(seeds), None, None, "1"),
    ]
