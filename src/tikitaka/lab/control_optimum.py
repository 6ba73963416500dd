"""The quickest drives of omni robots that an optimiser finds: how much of the time to a pose is the law's.

A drive is N pieces of constant torques. The robot is the simulator's, with its motors' curves and damping, but without
ticks: all that a controller has to cope with is left out, so no law reaches this quite. Time is lessened by sequential
linear programming: the drive and its limits are made linear around the last one, within a trust region. A local optimum
may be slower than the best drive, never faster. Without SciPy nothing is found.

z       (1 + N w,) the time, then the torques as shares of the limit
x       (6,) place and heading, and (u, v, w) in the body frame
"""

import importlib
import importlib.util
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from tikitaka import control
from tikitaka.league import League
from tikitaka.loop.believed import drive_params
from tikitaka.loop.build import control_params
from tikitaka.sim.drive import DriveParams, mass_matrix, rows
from tikitaka.types import Floats

N = 16  # pieces: chosen; 24 find drives that are 0.3 % quicker
SPANS = ((0.0, 1.0), (0.0, 0.5), (0.5, 1.0))  # chosen: shares of the drive in which the first guesses turn
EXACT = 2e-3  # chosen: by how much a drive may miss its end [m, rad, m/s, rad/s], and shares its limits
ROUNDS, WEIGHT = 60, 2.0  # chosen: linear programmes at most, and seconds that a miss of one costs
WIDEST, LEAST = 0.6, 1e-4  # trust region, as shares of the torque
SMALL = 1e-6  # step of the derivatives


@dataclass(frozen=True, slots=True)
class Robot:
    """What moves a robot and what limits it."""

    drive: DriveParams
    limits: control.Params
    rho: Floats  # (w, 3) wheels' rates for (u, v, w)
    inverse: Floats  # (3, 3) of the mass, wheels' inertia included
    pushes: Floats  # (w, 3) accelerations of the body for all of each motor's torque
    drags: Floats  # (3, 3) and what the wheels' damping takes of them at (u, v, w)


@dataclass(frozen=True, slots=True)
class Task:
    """One drive from rest at the origin to rest."""

    robot: Robot
    start: Floats  # (6,)
    end: Floats  # (6,)


def quickest(league: League, start: Floats, target: Floats) -> Floats:
    """Return the times of the quickest drives found between poses (n, 3); infinite where none was."""
    if importlib.util.find_spec("scipy") is None:
        return np.full(len(start), np.inf)
    robot, found = _robot(league), list[float]()
    for one, other in zip(start, target, strict=True):
        turn = (other[2] - one[2] + math.pi) % (2.0 * math.pi) - math.pi
        begin, end = np.zeros(6), np.zeros(6)
        begin[2], end[:2], end[2] = one[2], other[:2] - one[:2], one[2] + turn
        found.append(min(_quickest(Task(robot, begin, end), span) for span in SPANS))
    return np.array(found)


def _robot(league: League) -> Robot:
    drive = drive_params(league)
    rho = rows(drive) / drive.wheel_radius
    mass = mass_matrix(drive) + drive.wheel_inertia * rho.T @ rho  # [Klancar, Eqs. 6-10]
    inverse: Floats = np.asarray(np.linalg.inv(mass), np.float64)
    pushes, drags = drive.motor.torque_limit * rho @ inverse, drive.wheel_damping * rho.T @ rho @ inverse
    return Robot(drive, control_params(league), rho, inverse, pushes, drags)


def _quickest(task: Task, span: tuple[float, float]) -> float:
    z, trust, idle = _guess(task, span), 0.5, 0
    cost, miss = _cost(z, task)
    for _ in range(ROUNDS):
        step, expected = _step(z, trust, task)
        after, off = _cost(z + step, task)
        if cost - after > 0.1 * max(cost - expected, 0.0):
            idle = idle + 1 if cost - after < 2e-4 * z[0] else 0
            z, cost, miss, trust = z + step, after, off, min(1.6 * trust, WIDEST)
        else:
            trust *= 0.4
        if trust < LEAST or idle == 3:
            break
    return float(z[0]) if miss < EXACT else math.inf


def _cost(z: Floats, task: Task) -> tuple[float, float]:
    """Return the time, with what a drive misses, and the largest miss."""
    missed, spare = _driven(z[None], task)
    over = max(float(-spare.min()), 0.0)
    return float(z[0] + WEIGHT * (np.abs(missed).sum() + over)), max(float(np.abs(missed).max()), over)


def _step(z: Floats, trust: float, task: Task) -> tuple[Floats, float]:
    """Return the best change of a drive within the trust region, and the cost that it should lead to."""
    solve: Any = importlib.import_module("scipy.optimize").linprog
    n = len(z)
    missed, spare = _driven(z + SMALL * np.vstack((np.zeros(n), np.eye(n))), task)
    close = spare[0] < 1.5 * trust + 0.3
    ends, sides = ((found[1:] - found[0]).T / SMALL for found in (missed, spare[:, close]))
    cost = np.concatenate(((1.0,), np.zeros(n - 1), np.full(13, WEIGHT)))  # misses either way, and of the limits
    equal = np.hstack((ends, np.eye(6), -np.eye(6), np.zeros((6, 1))))
    below = np.hstack((-sides, np.zeros((len(sides), 12)), -np.ones((len(sides), 1))))
    low, high = np.maximum(-1.0 - z, -trust), np.minimum(1.0 - z, trust)
    low[0], high[0] = max(-0.3 * trust * z[0], 0.05 - z[0]), 0.3 * trust * z[0]
    box = [*zip(low, high, strict=True), *[(0.0, None)] * 13]
    found = solve(cost, below, spare[0, close], equal, -missed[0], box, method="highs")
    return (np.zeros(n), math.inf) if found.x is None else (found.x[:n], float(z[0] + found.fun))


def _guess(task: Task, span: tuple[float, float]) -> Floats:
    """Return a gentle drive along the line that turns in a part of the time."""
    p, t, way, turn = task.robot.limits, (np.arange(N) + 0.5) / N, task.end[:2], task.end[2] - task.start[2]
    d, half = float(np.hypot(*way)), 0.5 * (span[1] - span[0])
    time = max(2.5 * math.sqrt(d / p.max_acceleration) + 0.3 * d / p.max_speed, 2.5 * math.sqrt(abs(turn) / 25.0), 0.1)
    first, second = (t >= span[0]) & (t < span[0] + half), (t >= span[0] + half) & (t < span[1])
    twist = turn / (half * time) ** 2 * (1.0 * first - second)
    angle = task.start[2] + np.cumsum(np.cumsum(twist) * (time / N) ** 2)
    course, push = math.atan2(way[1], way[0]) - angle, np.where(t < 0.5, 4.0, -4.0) * d / time**2
    wanted = np.stack((np.cos(course) * push, np.sin(course) * push, twist), axis=1)
    shares = wanted @ np.linalg.pinv(task.robot.pushes)
    return np.concatenate(((time,), np.clip(shares, -1.0, 1.0).ravel()))


def _driven(z: Floats, task: Task) -> tuple[Floats, Floats]:
    """Return what drives (b, 1 + N w) miss at their ends, (b, 6), and how far below all limits they stay, (b, m)."""
    w, h, found = len(task.robot.rho), z[:, :1] / N, list[Floats]()
    x = np.broadcast_to(task.start, (len(z), 6))
    for k in range(N):
        u = z[:, 1 + k * w : 1 + (k + 1) * w]
        found.append(_spare(x, u, task.robot))
        k1 = _moves(x, u, task.robot)
        k2 = _moves(x + 0.5 * h * k1, u, task.robot)
        k3 = _moves(x + 0.5 * h * k2, u, task.robot)
        x = x + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + _moves(x + h * k3, u, task.robot))
        found.append(_spare(x, u, task.robot))
    return x - task.end, np.concatenate(found, axis=1)


def _moves(x: Floats, u: Floats, robot: Robot) -> Floats:
    """Return how x changes under torques u, as in `sim.kernels.wheels`."""
    v, c, s = x[:, 3:], np.cos(x[:, 2]), np.sin(x[:, 2])
    bends = robot.drive.mass * v[:, 2:] * np.stack((v[:, 1], -v[:, 0], 0.0 * c), axis=1)
    faster = u @ robot.pushes - v @ robot.drags + bends @ robot.inverse
    return np.column_stack((c * v[:, 0] - s * v[:, 1], s * v[:, 0] + c * v[:, 1], v[:, 2], faster))


def _spare(x: Floats, u: Floats, robot: Robot) -> Floats:
    """Return how far below their limits motors, wheels, speeds and accelerations are, as shares."""
    p, m, gain = robot.limits, robot.drive.motor, robot.drive.motor.gain
    rate, a = x[:, 3:] @ robot.rho.T, _moves(x, u, robot)[:, 3:]
    ax, ay = a[:, 0] - x[:, 5] * x[:, 4], a[:, 1] + x[:, 5] * x[:, 3]
    volts, asked = m.stall_torque / m.no_load_speed * rate, (gain + robot.drive.wheel_damping) * p.max_wheel_speed
    speed, push = np.sqrt(x[:, 3] ** 2 + x[:, 4] ** 2 + 1e-12), np.sqrt(ax * ax + ay * ay + 1e-12)
    most, turns = m.torque_limit, np.stack((x[:, 5] / p.max_turn_rate, a[:, 2] / p.max_turn_acceleration), axis=1)
    both = (rate / p.max_wheel_speed, u + (volts - m.stall_torque) / most + 1.0, turns)
    back = (-rate / p.max_wheel_speed, -u - (volts + m.stall_torque) / most + 1.0, -turns)
    held = (u + (gain * rate - asked) / most + 1.0, -u - (gain * rate + asked) / most + 1.0)
    above = np.column_stack((*both, *back, *held, speed / p.max_speed, push / p.max_acceleration))
    return np.asarray(1.0 - above)
