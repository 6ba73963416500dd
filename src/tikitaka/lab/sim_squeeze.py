"""Squeeze: two robots push at the ball from both sides and let go; held gently, squirted out at full power."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tikitaka import sim
from tikitaka.lab.plot import BLUE, INK, YELLOW, Axis, Line, Note, Panel, chart, page
from tikitaka.lab.plot_pitch import Window, pitch
from tikitaka.lab.report import Found, Row, compared
from tikitaka.lab.staging import drive, gap, params_of, play, times, top_speed
from tikitaka.sim.kernels.tables import SKIN
from tikitaka.types import Floats

DT = 1.0 / 240.0
APART = 0.06  # [m] from the ball to each robot's front at first
OFF = 0.001  # [m] by which the second robot's axis misses the ball's centre
LET_GO, END = 3.0, 3.6  # [s]
GENTLE = 0.12  # [m/s] that the robots are told to drive
SEEN_GAP = 0.005  # [m] a ball this far from both robots is free


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
    free: int  # the first moment at which the ball is free again; the last one if it never is


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return the deepest overlap, how still the ball lies while it is held, and how it gets free; one picture."""
    params = params_of(args.league, DT, 2)
    gentle, hard = _squeeze(params, GENTLE), _squeeze(params, top_speed(params))
    progress(1)
    out = hard.free
    scenes = [
        _scenes(params, gentle, f"{GENTLE:g} m/s", [0, _at(1.0), _at(LET_GO), _at(END)]),
        _scenes(params, hard, "full power", [0, _at(0.2), out, min(out + _at(0.15), _at(END))]),
    ]
    charts = [_chart(f"{args.league}: told to drive {GENTLE:g} m/s", gentle), _chart("At full power", hard)]
    about = "Two robots squeeze the ball: held gently and let go, and squirted out at full power; gaps over time"
    return Found([*_held(gentle), *_squirted(hard)], {"sim-squeeze.svg": page([*scenes, charts], about)})


def _at(seconds: float) -> int:
    return round(seconds / DT)


def _squeeze(params: sim.Params, speed: float) -> _Squeeze:
    reach = params.robot.front + params.ball.radius + APART
    pose = np.array([(-reach, 0.0, 0.0), (reach, OFF, np.pi)])
    ahead = np.array([(speed, 0.0, 0.0)] * 2)
    start = sim.place(sim.start(params), pose, np.zeros(2))
    moments = play(params, start, END, lambda t, _: drive(params, ahead if t < LET_GO else -ahead))
    gaps = np.array([[gap(params, m, i, 2) for i in range(2)] for m in moments])
    touched = np.cumsum(gaps.max(axis=1) < 1e-3) > 0
    free = np.flatnonzero(touched & (gaps.min(axis=1) > SEEN_GAP))
    ball = np.array([m.ball for m in moments])
    last = len(moments) - 1
    return _Squeeze(
        moments,
        times(params, moments),
        ball[:, :2],
        np.hypot(*ball[:, 2:4].T),
        gaps,
        int(free[0]) if len(free) else last,
    )


def _held(s: _Squeeze) -> list[Row]:
    still = slice(_at(1.0), _at(LET_GO))
    return [
        _overlap("gentle", s),
        compared("gentle: widest gap in 2 s of pushing", None, 1e6 * float(s.gaps[still].max()), "um"),
        compared("gentle: ball's largest speed in them", None, 1e3 * float(s.speed[still].max()), "mm/s"),
        compared(f"gentle: {1e3 * SEEN_GAP:g} mm from both, after letting go", None, s.free * DT - LET_GO, "s"),
    ]


def _squirted(s: _Squeeze) -> list[Row]:
    return [
        _overlap("full power", s),
        compared("full power: ball gets out after", None, s.free * DT, "s"),
        compared("full power: its speed then", None, float(s.speed[s.free]), "m/s"),
    ]


def _overlap(name: str, s: _Squeeze) -> Row:
    return compared(f"{name}: deepest overlap of ball and robot", None, 1e6 * max(0.0, -float(s.gaps.min())), "um")


def _scenes(params: sim.Params, s: _Squeeze, name: str, shown: list[int]) -> list[Panel]:
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
        Note(LET_GO - 0.05, 400.0, "let go", "end"),
    )
    return chart(title, Axis("time [s]", 0.0, END), Axis("gap [mm]", 1e-3, 1e3, log=True), marks, 500)
