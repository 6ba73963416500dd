"""Faults in a running match: dropout, jitter, clutter, a camera lost, a robot lifted off, all hidden: time to recover.

A seed is one trial of each fault. Three seconds into a match a fault begins; when it ends, the time is taken until the
error of place `now` is below 5 cm and stays there for 0.2 s, for the robot that was lifted off, else for each of all
robots and both teams' estimators in turn; the trial's time is the slowest one's. "All places known" asks for a track
at each robot by whatever name, so that it differs where names were exchanged. Trials in which the referee puts
everybody in place meanwhile are played again with another seed. "none" is a trial without a fault: collisions that
nobody foresees cost a little too.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from tikitaka import league as leagues
from tikitaka import sim
from tikitaka.lab.plot import BLUE, INK, YELLOW, Axis, Line, Mark, Panel, chart, page
from tikitaka.lab.report import Found, Row, compared
from tikitaka.lab.watching import Film, Meddle, Spoil, alone, untouched, watch
from tikitaka.league import League
from tikitaka.loop.build import build, camera_params
from tikitaka.loop.pool import each
from tikitaka.types import Floats, Frame

SPREAD = "mean, smallest and largest"
BEGIN, WATCHED = 3.0, 3.0  # [s] when a fault begins, and for how long its end is watched
NEAR, STAYS = 0.05, 0.2  # [m] and [s]: recovered
LIFTED, ASIDE = 1, 5.0  # blue's robot that is lifted off; [m] from the pitch's centre where it waits
ROOM = 0.25  # [m] chosen: it is put back no nearer to anybody
TRIES = 20  # chosen
RETRY = 1000  # a trial that the referee has spoilt is played again with so much larger a seed


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong, and for how long."""

    seconds: float
    camera: dict[str, float] = field(default_factory=dict)  # numbers that differ from the league's while it lasts
    always: dict[str, float] = field(default_factory=dict)  # and before and after it
    hides: Callable[[Frame], Frame | None] | None = None  # what is left of a picture
    lifts: bool = False


@dataclass(frozen=True, slots=True)
class Args:
    """How many trials of each fault."""

    league: str = "mirosot-5v5"
    seed: int = 0
    seeds: int = 4


@dataclass(frozen=True, slots=True)
class Trial:
    """One fault."""

    swaps: tuple[int, int]  # own robots, opponents
    own: float  # [s] until teams' own robots were known again, inf: not while it was watched
    others: float
    places: float  # [s] until there was a track at each robot of both teams, by whatever name
    error: Floats  # (T, 2) largest error of teams' own robots and of opponents, tick by tick


def without_robots(frame: Frame) -> Frame | None:
    """Return the picture with nothing but the ball."""
    nobody = np.zeros(0, np.int64)
    return replace(frame, robot_pose=np.zeros((0, 3)), robot_team=nobody, robot_label=nobody)


def second_dark(frame: Frame) -> Frame | None:
    """Return the picture unless it is the second camera's."""
    return None if frame.camera == 1 else frame


FAULTS = {
    "none": Fault(0.0),
    "dropout 30 % for 5 s": Fault(5.0, {"dropout": 0.3}),
    "jitter 50 ms for 5 s": Fault(5.0, {"jitter": 0.05}),
    "clutter 10 % for 5 s": Fault(5.0, {"false_robots": 1.0, "false_balls": 0.1}),  # ten robots and a ball are true
    "one camera of two lost for 1 s": Fault(1.0, always={"count": 2}, hides=second_dark),
    "all robots hidden for 0.5 s": Fault(0.5, hides=without_robots),
    "a robot put elsewhere after 2 s": Fault(2.0, lifts=True),
}


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return swaps and times to recover of every fault, and the errors while it lasts and after it."""
    found = each(partial(suffer_all, args.league), range(args.seed, args.seed + args.seeds), progress)
    rows, panels = list[Row](), list[Panel]()
    for name in FAULTS:
        trials = [one[name] for one in found]
        swaps = np.sum([t.swaps for t in trials], axis=0)
        rows.append(compared(f"{name}: swaps, own robots, in all", None, float(swaps[0]), "1"))
        rows.append(compared(f"{name}: swaps, opponents, in all", None, float(swaps[1]), "1"))
        rows += _times(f"{name}: own robots recovered after", [t.own for t in trials])
        rows += _times(f"{name}: opponents recovered after", [t.others for t in trials])
        rows += _times(f"{name}: all places known after", [t.places for t in trials])
        panels.append(_panel(name, trials))
    about = "Largest errors of place of own robots and of opponents, while a fault lasts and after it"
    return Found(rows, {"track-faults.svg": page([panels[k : k + 2] for k in range(1, 7, 2)], about)})


def suffer_all(league: str, seed: int) -> dict[str, Trial]:
    """Return a trial of every fault."""
    return {name: suffer(league, name, seed) for name in FAULTS}


def suffer(league: str, name: str, seed: int) -> Trial:
    """Return a trial of one fault, on a pitch that the referee leaves alone."""
    fault = FAULTS[name]
    lg = spoilt(undivided(leagues.load(league, realism="friendly")), fault.always)
    seconds = BEGIN + fault.seconds + WATCHED
    for retry in range(TRIES):
        setup = build(lg, seed + retry * RETRY, seconds + 1.0, "rookie", "rookie")
        first, last = (round(t * setup.rate) for t in (BEGIN, BEGIN + fault.seconds))
        worse, lasting = camera_params(spoilt(lg, fault.camera), setup.seed), range(first, last)
        film = watch(setup, seconds, hidden(fault, lasting), lifted(setup.pitch, fault, lasting), worse, lasting)
        if not film.placed[1:].any():
            return _judged(film, last, fault)
    raise RuntimeError(f"{name}: the referee put somebody down in each of {TRIES} matches from seed {seed} on")


def undivided(league: League) -> League:
    """Return a league without half-time, at which everybody is put down anew."""
    return league.model_copy(update={"match": league.match.model_copy(update={"halves": 1})})


def spoilt(league: League, camera: dict[str, float]) -> League:
    """Return a league with other numbers of its cameras."""
    return league.model_copy(update={"camera": league.camera.model_copy(update=camera)})


def hidden(fault: Fault, lasting: range) -> Spoil:
    """Return what the fault does to the pictures of some ticks."""
    hides = fault.hides
    if hides is None:
        return untouched

    def spoil(tick: int, frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
        if tick not in lasting:
            return frames
        return tuple(left for frame in frames if (left := hides(frame)) is not None)

    return spoil


def lifted(pitch: sim.Params, fault: Fault, lasting: range) -> Meddle:
    """Return a hand that takes a robot off the pitch, and puts it back where there is room, far from where it was."""
    if not fault.lifts:
        return alone
    taken = np.zeros(3)

    def meddle(tick: int, state: sim.State) -> sim.State:
        if not lasting.start <= tick <= lasting.stop:
            return state
        if tick == lasting.start:
            taken[:] = state.pose[LIFTED]
        pose, velocity, spin = state.pose.copy(), state.velocity.copy(), state.spin.copy()
        pose[LIFTED] = (ASIDE, ASIDE, 0.0) if tick in lasting else elsewhere(pitch, state, taken)
        velocity[LIFTED], spin[LIFTED] = 0.0, 0.0
        return replace(state, pose=pose, velocity=velocity, spin=spin)

    return meddle


def elsewhere(pitch: sim.Params, state: sim.State, away_from: Floats) -> Floats:
    """Return a pose far from an old one, and at least ROOM from all that stands or lies on the pitch."""
    x, y = np.meshgrid(np.linspace(-0.8, 0.8, 9), np.linspace(-0.8, 0.8, 9))
    spots = np.stack((x.ravel() * pitch.field.half_length, y.ravel() * pitch.field.half_width), axis=1)
    there = np.vstack((np.delete(state.pose[:, :2], LIFTED, axis=0), state.ball[:2]))
    free = np.hypot(*np.moveaxis(spots[:, None] - there, -1, 0)).min(axis=1) > ROOM
    far = np.where(free, np.hypot(*(spots - away_from[:2]).T), -1.0)
    return np.array((*spots[far.argmax()], 0.5 * math.pi))


def _judged(film: Film, last: int, fault: Fault) -> Trial:
    off = np.hypot(*np.moveaxis(film.now[..., :2] - film.truth[..., :2], -1, 0))  # (2, T, n)
    n = film.team
    own = np.concatenate((off[0, :, :n], off[1, :, n:]), axis=1)
    others = np.concatenate((off[0, :, n:], off[1, :, :n]), axis=1)
    if fault.lifts:
        own, others = off[0, :, LIFTED : LIFTED + 1], off[1, :, LIFTED : LIFTED + 1]
    after = [max(recovered(one[last:], film.dt)) for one in (own, others)]
    swaps, error = film.swaps[-1].tolist(), np.stack((own.max(axis=1), others.max(axis=1)), axis=1)
    places = max(recovered(_unnamed(film)[last:], film.dt))
    return Trial((swaps[0], swaps[1]), after[0], after[1], places, error)


def _unnamed(film: Film) -> Floats:
    """Return (T, 4n) how far each robot is from the nearest track of its colour, in both teams' beliefs."""
    n, found = film.team, []
    for believed in film.now:
        for part in (slice(0, n), slice(n, 2 * n)):
            off = film.truth[:, part, None, :2] - believed[:, None, part, :2]
            found.append(np.sqrt((off**2).sum(axis=3)).min(axis=2))
    return np.concatenate(found, axis=1)


def recovered(errors: Floats, dt: float) -> list[float]:
    """Return for each column of errors (T, k) when it begins to be small for long enough; inf: never."""
    long = math.ceil(STAYS / dt)
    small = np.asarray(np.lib.stride_tricks.sliding_window_view(errors < NEAR, long, axis=0).all(axis=2))
    return [float(column.argmax()) * dt if column.any() else math.inf for column in small.T]


def _times(label: str, times: list[float]) -> list[Row]:
    """Return mean, smallest and largest of the times that were found, and how many were not."""
    finite = [t for t in times if math.isfinite(t)]
    rows = [compared(f"{label}: not within {WATCHED:g} s", None, float(len(times) - len(finite)), "1")]
    if finite:
        rows.insert(0, Row(label, None, float(np.mean(finite)), min(finite), max(finite), "s"))
    return rows


def _panel(name: str, trials: list[Trial]) -> Panel:
    errors = 1e3 * np.median([t.error for t in trials], axis=0)
    t = np.arange(len(errors)) / 30.0 - BEGIN
    marks: list[Mark] = [
        Line(t, errors[:, 0], "own robots", BLUE),
        Line(t, errors[:, 1], "opponents", YELLOW),
        Line([t[0], t[-1]], [1e3 * NEAR] * 2, "50 mm", INK, "5 4", 1.0),
    ]
    axis = Axis("largest error [mm]", 1.0, 2000.0, log=True)
    return chart(name, Axis("after the fault began [s]"), axis, marks)
