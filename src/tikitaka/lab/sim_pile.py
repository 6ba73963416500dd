"""Pile-up: everybody drives into the corner where the ball is, for ten seconds; places, speeds and smallest gaps."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import numpy as np

from tikitaka import sim
from tikitaka.lab.plot import BLUE, GREEN, ORANGE, RED, Axis, Line, Panel, chart, page
from tikitaka.lab.plot_pitch import Window, pitch, whole
from tikitaka.lab.report import Found, compared
from tikitaka.lab.staging import drive, least_gaps, params_of, play, times
from tikitaka.types import Commands, Floats

DT, END = 1.0 / 60.0, 10.0
SHOWN = (0.0, 1.0, 3.0, 10.0)  # [s]
PUSH = 1.5  # [m/s] that everybody is told to drive
TURN = 8.0  # [rad/s] at a right angle to the ball
SETTLED = 5.0  # [s] after which the pile is looked at


@dataclass(frozen=True, slots=True)
class Args:
    """In which league, and how many piles."""

    league: str = "mirosot-5v5"
    seed: int = 0
    seeds: int = 1


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return the deepest overlaps of all piles and how fast they still move after a while; a picture of the first."""
    params = params_of(args.league, DT)
    piles = list[list[sim.State]]()
    for k in range(args.seeds):
        piles.append(pile(params, args.seed + k))
        progress(k + 1)
    speeds = np.array([[np.hypot(*m.velocity[:, :2].T) for m in moments] for moments in piles])
    gaps = np.array([[least_gaps(params, m) for m in moments] for moments in piles])
    t = times(params, piles[0])
    late = speeds[:, t >= SETTLED]
    fastest = 1e3 * late.max(axis=(1, 2))
    rows = [
        compared("deepest overlap of robots and walls", None, 1e6 * max(0.0, -float(gaps[..., 0].min())), "um"),
        compared("deepest overlap of the ball", None, 1e6 * max(0.0, -float(gaps[..., 1].min())), "um"),
        compared(f"median robot's speed after {SETTLED:g} s", None, 1e3 * float(np.median(late)), "mm/s"),
        compared(f"fastest robot after {SETTLED:g} s", None, float(fastest.max()), "mm/s"),
        compared(
            f"piles of {args.seeds} in which any is faster than 1 mm/s then", None, float((fastest > 1.0).sum()), ""
        ),
    ]
    ball = np.array([np.hypot(*m.ball[2:4]) for m in piles[0]])
    picture = page(
        [_scenes(params, piles[0], speeds[0]), _charts(args.league, t, speeds[0], ball, gaps[0])],
        "Everybody into the corner",
    )
    return Found(rows, {"sim-pile.svg": picture})


def pile(params: sim.Params, seed: int) -> list[sim.State]:
    """Return all moments of a pile-up that begins with everybody somewhere."""
    pose, corner = sim.scenes.crowd(params, seed).pose, np.array(_corner(params)) - params.field.corner
    starts = (sim.place(sim.start(params), pose, corner - k * 3.0 * params.ball.radius) for k in count(1))
    start = next(state for state in starts if sim.closest(params, state)[2] > 0.0)  # somebody may stand there
    return play(params, start, END, lambda _, state: chase(params, state))


def chase(params: sim.Params, state: sim.State) -> Commands:
    """Return the commands of robots that all turn and drive into the corner, whatever is in the way."""
    x, y = _corner(params)
    at = np.arctan2(y - state.pose[:, 1], x - state.pose[:, 0]) - state.pose[:, 2]
    return drive(params, np.stack((PUSH * np.cos(at), PUSH * np.sin(at), TURN * np.sin(at)), axis=1))


def _corner(params: sim.Params) -> tuple[float, float]:
    f = params.field
    return f.half_length + f.margin_x, f.half_width + f.margin_y


def _scenes(params: sim.Params, moments: list[sim.State], speeds: Floats) -> list[Panel]:
    all_of_it, (x, y) = whole(params.field), _corner(params)
    size = 5.0 * math.sqrt(params.robots) * params.robot.outline.radius
    near = Window(x + 0.05 - size * all_of_it.x1 / all_of_it.y1, x + 0.05, y + 0.05 - size, y + 0.05)
    scenes = list[Panel]()
    for seconds in SHOWN:
        k = round(seconds / DT)
        words = (f"{seconds:g} s", f"median {np.median(speeds[k]):.3f} m/s, fastest {speeds[k].max():.3f}")
        scenes.append(pitch(params, moments[k], near if k else all_of_it, 260, words))
    return scenes


def _charts(league: str, t: Floats, speeds: Floats, ball: Floats, gaps: Floats) -> list[Panel]:
    time = Axis("time [s]", 0.0, END)
    moves = (
        Line(t, speeds.max(axis=1), "fastest robot", RED, width=1.0),
        Line(t, np.median(speeds, axis=1), "median robot", BLUE),
        Line(t, ball, "ball", ORANGE, width=1.0),
    )
    apart = (
        Line(t, 1e6 * gaps[:, 0], "robots and walls", GREEN),
        Line(t, 1e6 * gaps[:, 1], "ball and anything", ORANGE),
    )
    return [
        chart(f"{league}: speeds", time, Axis("speed [m/s]", 1e-4, 10.0, log=True), moves, 520),
        chart("Smallest gaps; below 0 would be overlap", time, Axis("gap [um]", -20.0, 100.0), apart, 520),
    ]
