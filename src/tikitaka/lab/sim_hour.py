"""Endurance: random driving, then everybody onto the ball in a corner: faults, overlaps and cost. 15 seeds: 1 h."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tikitaka import league as leagues
from tikitaka import sim
from tikitaka.lab.report import Found, Row, compared
from tikitaka.lab.staging import drive, least_gaps
from tikitaka.loop.build import pitch_params
from tikitaka.types import Commands, Floats

SPREAD = "all of them together"
MODES = ("random", "corner")
HOLD = 7  # [ticks] that a random command lasts
LOOK = 10  # [ticks] between two looks at the gaps
PUSH, TURN = 4.0, 8.0  # [m/s], [rad/s] at a right angle, of robots that want into the corner
EDGE = 1e-9  # [m] rounding, of a centre that is outside


@dataclass(frozen=True, slots=True)
class Args:
    """What is simulated, and for how long in each mode."""

    league: str = "mirosot-5v5"
    seed: int = 0
    seeds: int = 1
    seconds: float = 120.0


@dataclass(frozen=True, slots=True)
class Run:
    """What was seen in one run."""

    broken: int  # ticks with a number that is none
    outside: int  # bodies times ticks
    robots: float  # [m] smallest gap between robots, and to walls
    ball: float  # [m] smallest gap of the ball
    cost: Floats  # (ticks,) [s] that each step took


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return minutes simulated, faults, deepest overlaps, and the cost of a tick early and late."""
    params = pitch_params(leagues.load(args.league))
    runs: dict[str, list[Run]] = {mode: [] for mode in MODES}
    sim.step(params, sim.scenes.line_up(params), drive(params, np.zeros((params.robots, 3))))  # compiles
    for k in range(args.seeds):
        for mode in MODES:
            runs[mode].append(endure(params, mode, args.seed + k, args.seconds))
        progress(k + 1)
    every = [one for mode in MODES for one in runs[mode]]
    rows = [
        compared("simulated", None, sum(len(one.cost) for one in every) * params.dt / 60.0, "min"),
        compared("ticks with a number that is none", None, sum(one.broken for one in every), "1"),
        compared("bodies outside, times ticks", None, sum(one.outside for one in every), "1"),
        compared("deepest overlap of robots and walls", None, max(0.0, -min(one.robots for one in every)), "m"),
        compared("deepest overlap of the ball", None, max(0.0, -min(one.ball for one in every)), "m"),
    ]
    return Found(rows + [row for mode in MODES for row in _costs(mode, runs[mode])])


def endure(params: sim.Params, mode: str, seed: int, seconds: float) -> Run:
    """Return what was seen in so many seconds of one mode."""
    state, rng = sim.scenes.crowd(params, seed), np.random.default_rng(seed)
    broken, outside, least, cost = 0, 0, [np.inf, np.inf], np.zeros(round(seconds / params.dt))
    commands = chase(params, state)
    for k in range(len(cost)):
        if mode == "corner":
            commands = chase(params, state)
        elif k % HOLD == 0:
            commands = anything(params, rng)
        began = time.perf_counter()
        state = sim.step(params, state, commands)
        cost[k] = time.perf_counter() - began
        broken += not all(np.isfinite(rows).all() for rows in (state.pose, state.velocity, state.spin, state.ball))
        outside += _outside(params, state)
        if k % LOOK == 0:
            least = [min(old, new) for old, new in zip(least, least_gaps(params, state), strict=True)]
    return Run(broken, outside, least[0], least[1], cost)


def chase(params: sim.Params, state: sim.State) -> Commands:
    """Return the commands of robots that push the ball into a corner: to the ball, and on to the corner near it."""
    f, ball = params.field, state.ball
    corner = np.array((f.half_length + f.margin_x, f.half_width + f.margin_y))
    near = np.linalg.norm(ball[:2] - state.pose[:, :2], axis=1) < 3.0 * params.robot.outline.radius
    aim = np.where(near[:, None], corner, ball[:2]) - state.pose[:, :2]
    at = np.arctan2(aim[:, 1], aim[:, 0]) - state.pose[:, 2]
    return drive(params, np.stack((PUSH * np.cos(at), PUSH * np.sin(at), TURN * np.sin(at)), axis=1))


def anything(params: sim.Params, rng: np.random.Generator) -> Commands:
    """Return commands at random, half of them beyond what wheels and kickers can do."""
    n, most = params.robots, params.robot.max_wheel_speed
    wheels = rng.uniform(-2.0 * most, 2.0 * most, (n, len(params.robot.drive.xy)))
    kick, lift = rng.uniform(0.0, 9.0, (2, n)) * (rng.uniform(0.0, 1.0, n) < 0.5)
    return Commands(wheels, kick, rng.uniform(0.0, 1.0, n) < 0.5, 0, lift)


def _outside(params: sim.Params, state: sim.State) -> int:
    """Return how many centres are beyond all walls and goals."""
    f, xy = params.field, np.abs(np.vstack((state.pose[:, :2], state.ball[:2])))
    most = (f.half_length + max(f.margin_x, f.goal_depth) + EDGE, f.half_width + f.margin_y + EDGE)
    return int((xy > most).any(axis=1).sum())


def _costs(mode: str, runs: list[Run]) -> list[Row]:
    """Return the mean cost of a tick in the first and in the last tenth of the runs."""
    tenth = max(1, len(runs[0].cost) // 10)
    early, late = (
        1e6 * float(np.mean([one.cost[part] for one in runs])) for part in (slice(tenth), slice(-tenth, None))
    )
    return [
        compared(f"{mode}: a tick, first tenth", None, early, "us"),
        compared(f"{mode}: a tick, last tenth", None, late, "us"),
    ]
