"""Whole matches: identities, errors of all tracks, the ball foretold 100 to 500 ms ahead. 10 seeds: ten times 10 min.

Robots of a team look alike, cameras and radio are `realistic`. Fewer than ten seeds are matches of half a minute; with
ten and more each takes ten minutes. Both teams' estimators are scored, in their newest picture and `now`, which is two
ticks later. Swaps that lasted: a track was with another robot, and away from its own, for 0.2 s.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from tikitaka import league as leagues
from tikitaka.lab import scoring, track_rivals
from tikitaka.lab.plot import BLUE, GREEN, INK, YELLOW, Axis, Line, Mark, Panel, chart, page
from tikitaka.lab.report import Found, Row, compared
from tikitaka.lab.spreads import rms, spread
from tikitaka.lab.watching import AHEAD, Film, watch
from tikitaka.loop.believed import estimate_params
from tikitaka.loop.build import build
from tikitaka.loop.pool import each
from tikitaka.types import Bools, Floats, Ints

SHORT, LONG, MANY = 30.0, 600.0, 10  # [s] of a match, and from how many seeds on it is long
REALISM = "realistic"
AFTER = 0.2  # [s] a robot that was touched within it counts as in contact
SHOWN = (3, 9, 15)  # pictures ahead: 100, 300, 500 ms at 30 Hz
BEFORE, BEHIND = 6, 18  # ticks before and after the first touch that are drawn
QUIET = 0.5  # [s] without touching, so that a touch is the first one of a collision
COLOURS = {"ours": BLUE, "constant velocity": INK, "notes' Euler filter": GREEN}
SIDES = ("own robots", "opponents")


@dataclass(frozen=True, slots=True)
class Args:
    """How many matches; ``seconds`` of each, None: by their number."""

    league: str = "mirosot-5v5"
    seed: int = 0
    seeds: int = 4
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Scores:
    """One match."""

    minutes: float
    swaps: tuple[int, int]  # that lasted: own robots, opponents
    numbers: dict[tuple[str, str], float]  # by label and unit
    touches: Floats  # (2, q, BEFORE + BEHIND) errors through collisions: own robots, opponents
    ball: dict[str, Floats]  # (AHEAD, 2) median and root mean square of errors, picture by picture ahead


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return swaps, scores of identity, errors of robots and of the foretold ball: means over matches."""
    seconds = args.seconds or (LONG if args.seeds >= MANY else SHORT)
    work = partial(score, args.league, seconds)
    found = each(work, range(args.seed, args.seed + args.seeds), progress)
    swaps = np.sum([one.swaps for one in found], axis=0)
    rows = [
        compared("played", None, sum(one.minutes for one in found), "min"),
        compared("swaps that lasted, own robots, in all", None, float(swaps[0]), "1"),
        compared("swaps that lasted, opponents, in all", None, float(swaps[1]), "1"),
    ]
    for label, unit in found[0].numbers:
        values = [one.numbers[label, unit] for one in found]
        rows.append(spread(label, [v for v in values if math.isfinite(v)] or [math.nan], unit))
    return Found(rows + _ball_rows(found), {"track-matches.svg": _picture(found)})


def score(league: str, seconds: float, seed: int) -> Scores:
    """Return the scores of one match."""
    setup = build(leagues.load(league, realism=REALISM), seed, seconds + 1.0, "rookie", "rookie")
    film, believed = watch(setup, seconds), estimate_params(setup.league)
    foretold = {
        "ours": film.foretold,
        "constant velocity": track_rivals.straight(film),
        "notes' Euler filter": track_rivals.paper(film, believed.ball, believed.field),
    }
    minutes, swaps = seconds / 60.0, film.swaps[-1].tolist()
    numbers = {("collisions", "1/min"): film.collisions / minutes} | _identity(film) | _errors(film)
    ball = {name: _missed(film, places) for name, places in foretold.items()}
    return Scores(minutes, (swaps[0], swaps[1]), numbers, _touches(film), ball)


def _identity(film: Film) -> dict[tuple[str, str], float]:
    """Return scores of both teams' tracks of all robots, at the pictures."""
    found = [scoring.identity(film.truth[ticks], film.seen[team][rows]) for team, rows, ticks in _pictures(film)]
    return {
        ("identity switches (CLEAR), all robots, a team", "1"): float(np.mean([one.swaps for one in found])),
        ("IDF1", "1"): float(np.mean([one.idf1 for one in found])),
        ("HOTA", "1"): float(np.mean([one.hota for one in found])),
        ("DetA", "1"): float(np.mean([one.deta for one in found])),
        ("AssA", "1"): float(np.mean([one.assa for one in found])),
    }


def _pictures(film: Film) -> list[tuple[int, Ints, Ints]]:
    """Return for each team at which ticks a newer picture came, and when those were taken."""
    found = []
    for team, taken in enumerate(film.picture):
        came = np.flatnonzero((taken >= 0) & (np.diff(taken, prepend=-1) != 0))
        found.append((team, came, taken[came]))
    return found


def _errors(film: Film) -> dict[tuple[str, str], float]:
    """Return root mean square errors of place, heading and velocity, free and in contact, own robots and opponents."""
    contact, found = in_contact(film), {}
    for when in ("in the picture", "now"):
        parts: dict[tuple[str, bool], list[Floats]] = {(side, c): [] for side in SIDES for c in (False, True)}
        for team, rows, ticks in _pictures(film):
            taken = ticks if when == "in the picture" else rows
            believed = film.seen[team] if when == "in the picture" else film.now[team]
            off, touching = believed[rows] - film.truth[taken], contact[taken]
            for side, part in _halves(film, team):
                for c in (False, True):
                    parts[side, c].append(off[:, part][touching[:, part] == c])
        for (side, c), pieces in parts.items():
            off, who = np.concatenate(pieces), f"{side}, {'in contact' if c else 'free'}"
            turned = np.remainder(off[:, 2] + math.pi, 2.0 * math.pi) - math.pi
            found[f"{who}: place, {when}", "mm"] = 1e3 * _rms(np.hypot(off[:, 0], off[:, 1]))
            found[f"{who}: heading, {when}", "deg"] = math.degrees(_rms(turned))
            found[f"{who}: velocity, {when}", "m/s"] = _rms(np.hypot(off[:, 3], off[:, 4]))
    return dict(sorted(found.items(), key=lambda item: (item[0][1] != "mm", item[0][1])))


def in_contact(film: Film) -> Bools:
    """Return (T, n) who was touched by another robot just before."""
    found = film.touched.copy()
    for k in range(1, round(AFTER / film.dt)):
        found[k:] |= film.touched[:-k]
    return found


def _halves(film: Film, team: int) -> list[tuple[str, slice]]:
    n = film.team
    blue, yellow = slice(0, n), slice(n, 2 * n)
    return list(zip(SIDES, (blue, yellow) if team == 0 else (yellow, blue), strict=True))


def _rms(values: Floats) -> float:
    return rms(values) if len(values) else math.nan


def _missed(film: Film, foretold: Floats) -> Floats:
    """Return median and root mean square (AHEAD, 2) of errors; what the referee has moved meanwhile does not count."""
    rounds, found = np.cumsum(film.placed), np.empty((AHEAD, 2))
    for k in range(AHEAD):
        ahead = k + 1
        off = foretold[:-ahead, k] - film.ball[ahead:, :2]
        same = (rounds[ahead:] == rounds[:-ahead]) & np.isfinite(off[:, 0])
        away = np.hypot(off[same, 0], off[same, 1])
        found[k] = float(np.median(away)), rms(away)
    return found


def _touches(film: Film) -> Floats:
    """Return errors of place `now` around the first touches of collisions (2, q, BEFORE + BEHIND), NaN where cut."""
    quiet = round(QUIET / film.dt)
    found: tuple[list[Floats], list[Floats]] = ([], [])
    off = np.hypot(*np.moveaxis(film.now[..., :2] - film.truth[..., :2], -1, 0))
    for robot in range(2 * film.team):
        ticks = np.flatnonzero(film.touched[:, robot])
        for t in ticks[np.diff(ticks, prepend=-quiet) >= quiet].tolist():
            a, b = t - BEFORE, t + BEHIND
            if a < 0 or b > len(film.ball) or film.placed[a:b].any():
                continue
            own = 0 if robot < film.team else 1
            found[0].append(off[own, a:b, robot])
            found[1].append(off[1 - own, a:b, robot])
    return np.array(found).reshape(2, -1, BEFORE + BEHIND)


def _ball_rows(found: list[Scores]) -> list[Row]:
    rows = []
    for column, what in enumerate(("median", "rms")):
        for k in SHOWN:
            for name in COLOURS:
                values = [1e3 * float(one.ball[name][k - 1, column]) for one in found]
                rows.append(spread(f"ball {100 * k // 3} ms ahead, {what}: {name}", values, "mm"))
    return rows


def _picture(found: list[Scores]) -> str:
    panels = [_collisions(found), *(_horizon(found, column) for column in range(2))]
    about = "Errors of robots through collisions, and errors of the foretold ball against how far it is foretold"
    return page([panels[:1], panels[1:]], about)


def _collisions(found: list[Scores]) -> Panel:
    touches = np.concatenate([one.touches for one in found], axis=1)
    t = (np.arange(-BEFORE, BEHIND)) / 30.0
    marks: list[Mark] = []
    for side, colour, errors in zip(SIDES, (BLUE, YELLOW), 1e3 * touches, strict=True):
        middle, most = np.percentile(errors, (50.0, 90.0), axis=0)
        marks += [Line(t, middle, f"{side}, median", colour), Line(t, most, f"{side}, 90 %", colour, "5 4")]
    title = f"Error of place now, around {touches.shape[1]} first touches of a robot"
    return chart(title, Axis("after the first touch [s]"), Axis("error [mm]", 0.0), marks, 880)


def _horizon(found: list[Scores], column: int) -> Panel:
    t = 1e3 * np.arange(1, AHEAD + 1) / 30.0
    lines = [
        Line(t, 1e3 * np.mean([one.ball[name][:, column] for one in found], axis=0), name, colour)
        for name, colour in COLOURS.items()
    ]
    title = f"Ball foretold, {('median', 'root mean square')[column]}"
    return chart(title, Axis("ahead [ms]", 0.0), Axis("error [mm]", 0.0), lines)
