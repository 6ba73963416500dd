"""What the simulator's experiments share: who stands where, how robots are told to drive, and how far apart all are."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from tikitaka import league as leagues
from tikitaka import sim
from tikitaka.loop.build import pitch_params
from tikitaka.sim.drive import rows
from tikitaka.sim.kernels.gaps import pair_gap
from tikitaka.types import Commands, Floats

ROOM = 60.0  # [m]


@cache
def params_of(league: str, dt: float, robots: int | None = None) -> sim.Params:
    """Return a league's pitch at another rate, and with another number of robots where one is given."""
    params = pitch_params(leagues.load(league))
    return replace(params, dt=dt, robots=params.robots if robots is None else robots)


def roomy(params: sim.Params) -> sim.Params:
    """Return the same on a pitch so long that nobody meets a wall."""
    return replace(params, field=replace(params.field, length=ROOM, width=ROOM))


def drive(params: sim.Params, body: Floats) -> Commands:
    """Return the wheel rates that give body velocities (n, 3) to robots whose wheels roll."""
    wheels = body @ rows(params.robot.drive).T / params.robot.drive.wheel_radius
    return Commands(wheels, np.zeros(params.robots), np.zeros(params.robots, np.bool_))


def top_speed(params: sim.Params) -> float:
    """Return the speed straight ahead at which the fastest wheel turns as fast as it may."""
    along = rows(params.robot.drive)[:, 0] / params.robot.drive.wheel_radius
    return float(params.robot.max_wheel_speed / np.abs(along).max())


def play(
    params: sim.Params, state: sim.State, seconds: float, steer: Callable[[float, sim.State], Commands]
) -> list[sim.State]:
    """Return every moment of so many seconds, the first one too; ``steer`` gives the commands at a time."""
    moments = [state]
    for k in range(round(seconds / params.dt)):
        moments.append(sim.step(params, moments[-1], steer(k * params.dt, moments[-1])))
    return moments


def times(params: sim.Params, moments: Sequence[sim.State]) -> Floats:
    """Return the times of moments."""
    return np.asarray(params.dt * np.arange(len(moments)), np.float64)


def gap(params: sim.Params, state: sim.State, a: int, b: int) -> float:
    """Return the gap between two bodies, numbered as in ``State.hits``; negative where they overlap."""
    boards, edges, hull, rim, bins, single, *_ = params.fixed
    room, n = (boards, edges, hull, rim, bins, single), params.robots
    xa, ya, ca, sa = _place(state, a, n)
    xb, yb, cb, sb = _place(state, b, n)
    return float(pair_gap(a, b, n, xa, ya, ca, sa, xb, yb, cb, sb, room)[0])


def least_gaps(params: sim.Params, state: sim.State) -> tuple[float, float]:
    """Return the smallest gap between any two bodies without the ball, and of the ball."""
    n, boards = params.robots, len(params.fixed[0])
    pitch = [-1 - w for w in range(boards)]
    robots = [gap(params, state, a, b) for b in range(n) for a in (*pitch, *range(b))]
    return min(robots), min(gap(params, state, a, n) for a in (*pitch, *range(n)))


def _place(state: sim.State, who: int, n: int) -> tuple[float, float, float, float]:
    """Return x, y, cosine and sine; the ball's height stands for its cosine."""
    if who < 0:
        return 0.0, 0.0, 1.0, 0.0
    if who == n:
        return float(state.ball[0]), float(state.ball[1]), float(state.ball[4]), 0.0
    x, y, theta = state.pose[who].tolist()
    return x, y, math.cos(theta), math.sin(theta)
