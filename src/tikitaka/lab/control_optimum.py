"""The quickest straight drives of omni robots that an optimiser finds: how much of the time to a pose is the law's.

The robot goes along the line to its target and turns on the way, in N pieces of constant acceleration and turn
acceleration, within what motors, wheels and the league allow. Ticks, lags and drag are left out, so no law reaches this
quite; a local optimum may be slower than the best drive, never faster. Without SciPy nothing is found.
"""

import importlib.util
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tikitaka import control
from tikitaka.league import League
from tikitaka.loop.build import control_params
from tikitaka.types import Floats

N = 20  # pieces: chosen, more change a time by less than 1 %
SPANS = ((0.0, 1.0), (0.0, 0.5), (0.5, 1.0))  # chosen: shares of the drive in which the first guesses turn
EXACT, WITHIN = 1e-3, 2e-3  # chosen: by how much a drive may miss its end [m, rad], and shares its limits
ROUNDS = 150  # chosen


@dataclass(frozen=True, slots=True)
class Task:
    """One drive from rest to rest."""

    way: float  # [m]
    course: float  # [rad] of the way in the robot's frame at the beginning
    turn: float  # [rad]
    robot: control.Params


@dataclass(frozen=True, slots=True)
class Motion:
    """What N pieces give; the last four at the N + 1 ends of the pieces."""

    push: Floats
    twist: Floats
    speed: Floats
    rate: Floats
    angle: Floats
    way: Floats


def quickest(league: League, start: Floats, target: Floats) -> Floats:
    """Return the times of the quickest drives found between poses (n, 3); infinite where none was."""
    if importlib.util.find_spec("scipy") is None:
        return np.full(len(start), np.inf)
    params, way = control_params(league), target[:, :2] - start[:, :2]
    course = np.arctan2(way[:, 1], way[:, 0]) - start[:, 2]
    turns = (target[:, 2] - start[:, 2] + math.pi) % (2.0 * math.pi) - math.pi
    found = zip(np.hypot(*way.T).tolist(), course.tolist(), turns.tolist(), strict=True)
    return np.array([_quickest(Task(d, c, t, params)) for d, c, t in found])


def _quickest(task: Task) -> float:
    solve: Any = importlib.import_module("scipy.optimize").minimize
    rules = [{"type": "eq", "fun": _misses, "args": (task,)}, {"type": "ineq", "fun": _spare, "args": (task,)}]
    box, best = [(0.05, 10.0)] + [(-1.0, 1.0)] * (2 * N), math.inf
    for span in SPANS:
        options = {"maxiter": ROUNDS, "ftol": 1e-5}
        x = solve(lambda x: x[0], _guess(task, span), method="SLSQP", bounds=box, constraints=rules, options=options).x
        if np.abs(_misses(x, task)).max() < EXACT and _spare(x, task).min() > -WITHIN:
            best = min(best, float(x[0]))
    return best


def _guess(task: Task, span: tuple[float, float]) -> Floats:
    """Return time, pushes and twists, as shares of the limits, of a gentle drive that turns in a part of the time."""
    p, t = task.robot, np.arange(N) / N
    time = 2.5 * math.sqrt(task.way / p.max_acceleration) + task.way / p.max_speed
    push = 4.0 * task.way / (time * time * p.max_acceleration)
    half = 0.5 * (span[1] - span[0])
    twist = task.turn / (half * time) ** 2 / p.max_turn_acceleration
    first, second = (t >= span[0]) & (t < span[0] + half), (t >= span[0] + half) & (t < span[1])
    return np.clip(np.concatenate(((time,), np.where(t < 0.5, push, -push), twist * (1.0 * first - second))), -1.0, 9.0)


def _motion(x: Floats, task: Task) -> Motion:
    h, p = x[0] / N, task.robot
    push, twist = x[1 : N + 1] * p.max_acceleration, x[N + 1 :] * p.max_turn_acceleration
    speed, rate = _summed(push * h), _summed(twist * h)
    return Motion(push, twist, speed, rate, *(_summed(0.5 * h * (v[1:] + v[:-1])) for v in (rate, speed)))


def _summed(steps: Floats) -> Floats:
    return np.concatenate((np.zeros(1), np.cumsum(steps)))


def _misses(x: Floats, task: Task) -> Floats:
    """Return what a drive misses at its end."""
    m = _motion(x, task)
    return np.array((m.way[-1] - task.way, m.speed[-1], m.angle[-1] - task.turn, m.rate[-1]))


def _spare(x: Floats, task: Task) -> Floats:
    """Return how far below their limits motors, wheels and speeds are, as shares, throughout all pieces."""
    m, p, found = _motion(x, task), task.robot, list[Floats]()
    for heading in (m.angle[:-1], 0.5 * (m.angle[1:] + m.angle[:-1]), m.angle[1:]):
        c = task.course - heading
        load = p.response.effort @ np.stack((np.cos(c) * m.push, np.sin(c) * m.push, m.twist))
        found += [1.0 - load.ravel(), 1.0 + load.ravel()]
    c = task.course - m.angle
    wheels = p.wheels_from_body @ np.stack((np.cos(c) * m.speed, np.sin(c) * m.speed, m.rate)) / p.max_wheel_speed
    limits = (1.0 - wheels.ravel(), 1.0 + wheels.ravel(), 1.0 - m.speed / p.max_speed)
    return np.concatenate((*found, *limits, 1.0 - m.rate / p.max_turn_rate, 1.0 + m.rate / p.max_turn_rate))
