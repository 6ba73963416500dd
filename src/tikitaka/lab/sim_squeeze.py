"""Squeeze: two robots push at the ball from both sides and let go: gently and at full power; it is held or gets out."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tikitaka import sim
from tikitaka.lab.plot import BLUE, INK, YELLOW, Axis, Line, Note, Panel, chart, page
from tikitaka.lab.plot_pitch import Window, pitch
from tikitaka.lab.report import Found, Row, compared
from tikitaka.lab.staging import drive, gap, params_of, play, times, top_speed
from tikitaka.sim.kernels.tables import SKIN
from tikitaka.types import Bools, Floats

DT = 1.0 / 240.0
APART = 0.06  # [m] from the ball to each robot's front at first
OFF = 0.001  # [m] by which the second robot's axis misses the ball's centre
LET_GO, END = 3.0, 3.6  # [s]
AFTER = 0.08  # [s] at which a ball that has got out is shown once more
GENTLE = 0.12  # [m/s] that the robots are told to drive
SEEN_GAP = 0.005  # [m] a ball this far from both robots is free, if it has moved as far or they have let go


@dataclass(frozen=True, slots=True)
class Args:
    """In which league."""

    league: str = "mirosot-5v5"
    seed: int = 0
    seeds: int = 1


@dataclass(frozen=True, slots=True)
class _Squeeze:
    moments: list[sim.State]
    time: Floats
    ball: Floats  # (k, 2) its places
    speed: Floats  # (k,) and speeds
    gaps: Floats  # (k, 2) from the ball to each robot
    met: int  # the first moment at which both robots have the ball
    out: int | None  # the first moment at which it is free though they push; None: they hold it until they let go
    free: int | None  # the first moment at which it is free, by itself or let go; None: it never is


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return the deepest overlaps, how still a ball lies that is held, and how it gets free; one picture."""
    params = params_of(args.league, DT, 2)
    gentle, hard = _squeeze(params, GENTLE), _squeeze(params, top_speed(params))
    progress(1)
    both = (("gentle", f"{GENTLE:g} m/s", gentle), ("full power", "full power", hard))
    scenes = [_scenes(params, s, words) for _, words, s in both]
    charts = [_chart(f"{args.league}: told to drive {GENTLE:g} m/s", gentle), _chart("At full power", hard)]
    about = "Two robots squeeze the ball, gently and at full power, until they let go or it gets out; gaps over time"
    return Found(
        [row for name, _, s in both for row in _rows(name, s)], {"sim-squeeze.svg": page([*scenes, charts], about)}
    )


def _at(seconds: float) -> int:
    return round(seconds / DT)


def _squeeze(params: sim.Params, speed: float) -> _Squeeze:
    reach = params.robot.front + params.ball.radius + APART
    pose = np.array([(-reach, 0.0, 0.0), (reach, OFF, np.pi)])
    ahead = np.array([(speed, 0.0, 0.0)] * 2)
    start = sim.place(sim.start(params), pose, np.zeros(2))
    moments = play(params, start, END, lambda t, _: drive(params, ahead if t < LET_GO else -ahead))
    gaps = np.array([[gap(params, m, i, 2) for i in range(2)] for m in moments])
    ball, time = np.array([m.ball for m in moments]), times(params, moments)
    met = _first(gaps.max(axis=1) < 1e-3)
    away = (gaps.min(axis=1) > SEEN_GAP) & (np.arange(len(moments)) > (met or 0))
    moved = np.hypot(*ball[:, :2].T) > SEEN_GAP
    out = _first(away & moved & (time < LET_GO))
    free = _first(away & (time >= LET_GO)) if out is None else out
    return _Squeeze(moments, time, ball[:, :2], np.hypot(*ball[:, 2:4].T), gaps, met or 0, out, free)


def _first(holds: Bools) -> int | None:
    """Return the first moment at which something holds, if there is one."""
    return int(holds.argmax()) if holds.any() else None


def _rows(name: str, s: _Squeeze) -> list[Row]:
    return [_overlap(name, s), *(_escaped(name, s, s.out) if s.out is not None else _held(name, s))]


def _held(name: str, s: _Squeeze) -> list[Row]:
    """Return how still the ball lay, and how soon it was free when they let go, or how near they still are."""
    still = slice(_at(1.0), _at(LET_GO))
    rows = [
        compared(f"{name}: widest gap in 2 s of pushing", None, 1e6 * float(s.gaps[still].max()), "um"),
        compared(f"{name}: ball's largest speed in them", None, 1e3 * float(s.speed[still].max()), "mm/s"),
    ]
    if s.free is not None:
        label = f"{name}: {1e3 * SEEN_GAP:g} mm from both, after letting go"
        return [*rows, compared(label, None, float(s.time[s.free]) - LET_GO, "s")]
    label = f"{name}: nearest robot {END - LET_GO:.2g} s after letting go"
    return [*rows, compared(label, None, 1e3 * float(s.gaps[-1].min()), "mm")]


def _escaped(name: str, s: _Squeeze, out: int) -> list[Row]:
    """Return when the ball got out between the two, and how fast it was."""
    return [
        compared(f"{name}: ball gets out while it is pushed, after", None, float(s.time[out]), "s"),
        compared(f"{name}: its speed then", None, float(s.speed[out]), "m/s"),
    ]


def _overlap(name: str, s: _Squeeze) -> Row:
    return compared(f"{name}: deepest overlap of ball and robot", None, 1e6 * max(0.0, -float(s.gaps.min())), "um")


def _scenes(params: sim.Params, s: _Squeeze, name: str) -> list[Panel]:
    shown = [0, _at(1.0), _at(LET_GO), _at(END)]
    if s.out is not None:
        shown = [0, (s.met + s.out) // 2, s.out, min(s.out + _at(AFTER), _at(END))]
    half = 3.2 * params.robot.outline.radius + APART
    window = Window(-half, half, -0.55 * half, 0.55 * half)
    words = [(f"{name}, {k * DT:.2f} s", f"ball {s.speed[k]:.3f} m/s") for k in shown]
    return [pitch(params, s.moments[k], window, 250, w, s.ball[: k + 1]) for k, w in zip(shown, words, strict=True)]


def _chart(title: str, s: _Squeeze) -> Panel:
    marks = (
        Line(s.time, 1e3 * np.maximum(s.gaps[:, 0], 1e-9), "blue to ball", BLUE),
        Line(s.time, 1e3 * np.maximum(s.gaps[:, 1], 1e-9), "yellow to ball", YELLOW),
        Line([0.0, END], [1e3 * SKIN] * 2, "room of resting contacts", INK, "5 4", 1.0),
        Line([LET_GO] * 2, [1e-3, 1e3], "", INK, "2 3", 1.0),
        Note(LET_GO - 0.05, 0.004, "let go", "end"),
    )
    return chart(title, Axis("time [s]", 0.0, END), Axis("gap [mm]", 1e-3, 1e3, log=True), marks, 500)
