"""Thousands of worlds in one call, on all cores: arrays that are stepped in place.

World k of a seed is the same to the last bit alone or among 65,536, on one thread or many. The arrays are the batch's
own for as long as it lives; read them, write commands into them, or wrap them (``torch.from_numpy(batch.pose)``).
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tikitaka.errors import ContractError
from tikitaka.sim.kernels import worlds as kernels
from tikitaka.sim.pitch import Params, State
from tikitaka.types import Floats, Ints

MAX_SEED = 2**63 - 1
MAX_WORLDS = 2**31
GAP = 2e-4  # [m] that scattered bodies keep between them
BALL_COLUMNS = 4

Which: TypeAlias = (
    NDArray[np.bool_] | NDArray[np.integer] | Sequence[int] | slice | None
)  # mask, numbers, slice; None: all
Array: TypeAlias = Any  # of NumPy here, of the card in CudaBatch
Spec: TypeAlias = tuple[tuple[int, ...], type[np.generic], int]  # shape, kind and first value

Scene: TypeAlias = tuple[Floats, Floats, Floats]  # poses, velocities, balls


class Batch:
    """Worlds of one kind; every array has one row a world."""

    pose: Floats  # (e, n, 3) x, y, theta
    velocity: Floats  # (e, n, 3) vx, vy, omega in the field frame
    ball: Floats  # (e, 4) x, y, vx, vy
    touched: NDArray[np.uint8]  # (e, n, n) who pushed whom in the last call of step
    toucher: Ints  # (e,) robot that touched the ball last; -1: nobody yet
    tick: Ints  # (e,) since the world was set up
    drawn: Ints  # (e,) how many times the world has drawn random numbers
    wheels: Floats  # (e, n, w) [rad/s] command; what is out of range is clamped in place, what is not finite zeroed
    kick: Floats  # (e, n) command, ball speed

    def __init__(self, params: Params, worlds: int, seed: int = 0, threads: int | None = None, first: int = 0) -> None:
        """Set up ``worlds`` worlds, empty; their random numbers are those of worlds first, first + 1, ... of a seed."""
        _check("worlds", worlds, 1, MAX_WORLDS)
        _check("seed", seed, 0, MAX_SEED)
        _check("first", first, 0, MAX_SEED - MAX_WORLDS)
        self.params, self.worlds, self.seed, self.first = params, worlds, seed, first
        self.threads = min(_cores() if threads is None else threads, worlds)
        _check("threads", self.threads, 1, 1024)
        vars(self).update({name: self._filled(*spec) for name, spec in _arrays(params, worlds).items()})
        self._fixed = tuple(self._given(array) for array in _constants(params))
        self._scratch = tuple(self._rough(shape) for shape in _scratch(params, self._lanes()))
        self._room = self._given(_room(params))
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def step(self, wheels: ArrayLike | None = None, kick: ArrayLike | None = None, ticks: int = 1) -> None:
        """Move every world on by so many ticks, in place; commands that are not given are the last ones."""
        _check("ticks", ticks, 0, 2**31)
        self._command(wheels, kick)
        moving = (self.pose, self.velocity, self.ball, self.touched, self.toucher, self.tick, self.wheels, self.kick)
        self._share(
            self.worlds,
            lambda begin, end, s: kernels.advance_range(begin, end, s, ticks, *moving, *self._fixed, *self._scratch),
        )

    def reset(self, which: Which, pose: ArrayLike, ball: ArrayLike, velocity: ArrayLike = 0.0) -> None:
        """Set worlds up anew: robots (k, n, 3), ball (k, 2) or with its velocity (k, 4), a row each or one."""
        rows, scene = self.rows(which), scene_of(self.params, self.rows(which), pose, velocity, ball)
        moving: tuple[Array, ...] = (self.pose, self.velocity, self.ball, self.touched, self.toucher, self.tick)
        self._share(len(rows), lambda begin, end, _: kernels.place_rows(begin, end, rows, *scene, *moving))

    def scatter(self, which: Which = None) -> None:
        """Put everybody of the worlds somewhere at random, at rest and clear of one another."""
        rows = self.rows(which)
        moving = (self.drawn, self.pose, self.velocity, self.ball, self.toucher, self.tick, self._room)
        full = self._share(
            len(rows), lambda begin, end, _: kernels.scatter_rows(begin, end, rows, self.seed, self.first, *moving)
        )
        check_room(full, self.params)

    def wander(self) -> None:
        """Draw new wheel speeds for every robot of every world, over all that its motors can do."""
        common = (self.seed, self.first, self.drawn, self.wheels, self._fixed[1])
        self._share(self.worlds, lambda begin, end, _: kernels.wander_range(begin, end, *common))

    def state(self, world: int) -> State:
        """Return one world as the pure step knows it; a copy."""
        k = int(self.rows([world])[0])
        arrays = (self.pose[k], self.velocity[k], self.ball[k], self.touched[k])
        pose, velocity, ball, touched = (np.ascontiguousarray(array).copy() for array in arrays)
        return State(int(self.tick[k]), pose, velocity, ball, touched, int(self.toucher[k]))

    def rows(self, which: Which) -> Ints:
        """Return the numbers of the worlds that a mask, a list of numbers, a slice or None (all) means."""
        everybody = np.arange(self.worlds)
        try:
            return everybody if which is None else np.ascontiguousarray(everybody[which]).reshape(-1)
        except IndexError:
            raise ContractError(f"worlds must be a mask or numbers below {self.worlds}; got {which!r}") from None

    def _command(self, wheels: ArrayLike | None, kick: ArrayLike | None) -> None:
        for name, target, values in (("wheels", self.wheels, wheels), ("kick", self.kick, kick)):
            if values is not None and values is not target:
                try:
                    target[...] = values
                except ValueError:
                    raise ContractError(f"{name} must be {target.shape}; got {np.shape(values)}") from None

    def _share(self, count: int, work: Callable[[int, int, int], int | None]) -> int:
        """Return the sum over the parts of 0 .. count, each worked on by its own thread."""
        if self._pool is None or count < 2:
            return work(0, count, 0) or 0
        cuts = [count * s // self.threads for s in range(self.threads + 1)]
        return sum(part or 0 for part in self._pool.map(work, cuts[:-1], cuts[1:], range(self.threads)))

    def _filled(self, shape: tuple[int, ...], dtype: type[np.generic], fill: int) -> Array:
        return np.full(shape, fill, dtype)

    def _given(self, array: Floats) -> Array:
        return np.ascontiguousarray(array, np.float64)

    def _rough(self, shape: tuple[int, ...]) -> Array:
        return np.empty(shape)

    def _lanes(self) -> int:
        """Return how many worlds may be worked on at the same time."""
        return self.threads


def _arrays(params: Params, worlds: int) -> dict[str, Spec]:
    """Return shape, kind and first value of every array that has a row a world."""
    n, w = params.robots, params.robot.body_from_wheels.shape[1]
    floats = {"pose": (n, 3), "velocity": (n, 3), "ball": (BALL_COLUMNS,), "wheels": (n, w), "kick": (n,)}
    counts = {"toucher": -1, "tick": 0, "drawn": 0}
    return {
        **{name: ((worlds, *tail), np.float64, 0) for name, tail in floats.items()},
        **{name: ((worlds,), np.int64, fill) for name, fill in counts.items()},
        "touched": ((worlds, n, n), np.uint8, 0),
    }


def _constants(params: Params) -> tuple[Floats, ...]:
    clock = np.array((params.dt, params.substeps))
    return (
        params.robot.body_from_wheels, params.limits, params.walls, params.posts, params.body, params.play, clock
    )  # fmt: skip


def _scratch(params: Params, rows: int) -> tuple[tuple[int, ...], ...]:
    """Return the shapes of what nothing outlives a step in, one row a thread."""
    n, walls, posts = params.robots, len(params.walls), len(params.posts)
    contacts = n * (n - 1) // 2 + n * (4 * walls + posts + 1) + walls + posts
    return (rows, contacts, 10), (rows, n, 3), (rows, n, 3), (rows, 4)


def scene_of(params: Params, rows: Ints, pose: ArrayLike, velocity: ArrayLike, ball: ArrayLike) -> Scene:
    """Return poses, velocities and balls of so many worlds."""
    k, shape, given = len(rows), (len(rows), params.robots, 3), np.asarray(ball, np.float64)
    full = np.zeros((k, BALL_COLUMNS))
    try:
        at, moves = (np.broadcast_to(np.asarray(one, np.float64), shape).copy() for one in (pose, velocity))
        full[:, : given.shape[-1]] = given
    except ValueError:
        shapes = f"{np.shape(pose)}, {np.shape(velocity)} and {given.shape}"
        raise ContractError(f"{k} worlds need pose and velocity {shape} and ball ({k}, 2); got {shapes}") from None
    for name, array in (("pose", at), ("velocity", moves), ("ball", full)):
        if not np.isfinite(array).all():
            raise ContractError(f"{name} must be finite; got {array[~np.isfinite(array)][0]}")
    return at, moves, full


def _room(params: Params) -> Floats:
    f, r = params.field, params.robot
    hull = float(np.hypot(r.half_length, r.half_width)) if r.box else r.half_length
    return np.array((f.half_length, f.half_width, f.corner, hull, params.ball.radius, GAP))


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _check(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ContractError(f"{name} must be in [{low}, {high}]; got {value}")


def check_room(full: int, params: Params) -> None:
    """Raise where worlds had no room for all."""
    if full:
        raise ContractError(f"no room for {params.robots} robots and a ball: {full} worlds could not be scattered")
