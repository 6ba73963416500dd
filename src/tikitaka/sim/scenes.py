"""Moments that tests, bench and examples share: one function each, Params -> State, everybody at rest."""

import math
from dataclasses import replace

import numpy as np

from tikitaka.geom.random import key, uniform
from tikitaka.sim.params import Params
from tikitaka.sim.pitch import State, place, start
from tikitaka.types import Floats

GAP = 2e-4  # [m] between bodies that are to touch soon


def line_up(params: Params) -> State:
    """Return both teams in columns of their own halves, eye to eye, and the ball at the centre."""
    f, n = params.field, params.robots // 2
    rows = min(n, 3)
    x = -f.half_length + _hull(params) + (0.8 * f.half_length) * (np.arange(n) // rows) / math.ceil(n / rows)
    y = (np.arange(n) % rows - 0.5 * (rows - 1)) * 0.5 * f.half_width
    blue = np.stack((x, y, np.zeros(n)), axis=1)
    yellow = np.stack((-x, -y, np.full(n, -math.pi)), axis=1)
    return _state(params, np.concatenate((blue, yellow)), 0.0, 0.0)


def corner_pile(params: Params) -> State:
    """Return all robots packed into the upper right corner, the ball in the last place of the pile."""
    f, (half_length, half_width) = params.field, _half_sizes(params)
    columns = math.ceil(math.sqrt(params.robots + 1))
    place = np.arange(params.robots + 1)
    x = f.half_length - f.corner - half_length - GAP - (place // columns) * (2.0 * half_length + GAP)
    y = f.half_width - f.corner - half_width - GAP - (place % columns) * (2.0 * half_width + GAP)
    pose = np.stack((x, y, np.zeros(len(x))), axis=1)
    return _state(params, pose[:-1], x[-1], y[-1])


def squeezed(params: Params) -> State:
    """Return the ball at the centre between the fronts of one robot of each team, the others lined up behind."""
    state = line_up(params)
    reach = _front(params) + params.ball.radius + GAP
    n = params.robots // 2
    pose = state.pose.copy()
    pose[n - 1], pose[2 * n - 1] = (-reach, 0.0, 0.0), (reach, 0.0, -math.pi)
    return replace(state, pose=pose)


def walled(params: Params) -> State:
    """Return the ball at the upper wall with a robot's front before it, the others lined up."""
    state, b = line_up(params), params.ball
    f = params.field
    x, y = 0.25 * f.half_length, f.half_width + f.margin_y - b.radius - GAP
    pose = state.pose.copy()
    pose[params.robots // 2 - 1] = (x, y - b.radius - _front(params) - GAP, 0.5 * math.pi)
    return place(state, pose, np.array((x, y)))


def crowd(params: Params, seed: int) -> State:
    """Return everybody somewhere at random, all over the pitch, clear of one another."""
    k, hull, r = key(seed, 0), _hull(params), params.ball.radius
    pose, draw = np.zeros((params.robots + 1, 3)), 0
    for i in range(len(pose)):
        own = hull if i < params.robots else r
        clear = False
        while not clear:
            pose[i] = _anywhere(params, k, draw, own)
            draw += 1
            away = np.sqrt(((pose[:i, :2] - pose[i, :2]) ** 2).sum(axis=1))
            clear = bool((away > own + hull + GAP).all())
    return _state(params, pose[:-1], pose[-1, 0], pose[-1, 1])


def _anywhere(params: Params, k: tuple[int, int], draw: int, reach: float) -> Floats:
    """Return a pose at random, the body clear of walls and posts."""
    f, u = params.field, [2.0 * uniform(*k, draw, stream) - 1.0 for stream in range(3)]
    x = u[0] * (f.half_length - reach - GAP)
    y = u[1] * min(f.half_width - reach - GAP, f.half_width + f.half_length - f.corner - 1.5 * reach - abs(x))
    return np.array((x, y, math.pi * u[2]))


def _state(params: Params, pose: Floats, ball_x: float, ball_y: float) -> State:
    return place(start(params), pose, np.array((ball_x, ball_y)))


def _front(params: Params) -> float:
    return params.robot.front


def _hull(params: Params) -> float:
    return params.robot.outline.radius


def _half_sizes(params: Params) -> tuple[float, float]:
    corners = np.abs(params.robot.outline.polygon())
    return float(corners[:, 0].max()), float(corners[:, 1].max())
