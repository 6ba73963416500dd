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
from tikitaka.sim import arrays
from tikitaka.sim.kernels import worlds as kernels
from tikitaka.sim.params import Params
from tikitaka.sim.pitch import MAX_OVERLAP, State, overlap, refuse_below
from tikitaka.types import Floats, Ints
from tikitaka.types.limits import MOST, expect_number, expect_whole, shape_of, switches

MAX_SEED = 2**63 - 1
MAX_WORLDS = 2**31
MAX_TICKS = 2**31
MAX_THREADS = 1024
LEAST_COLUMNS = 2  # of a ball, its place
GAP = 2e-4  # [m] that scattered bodies keep between them
SET_UP = ("pose", "velocity", "spin", "ball", "charge", "touched", "counts", "tick")  # what a reset writes

Which: TypeAlias = (
    NDArray[np.bool_] | NDArray[np.integer] | Sequence[int] | slice | None
)  # mask, numbers, slice; None: all
Array: TypeAlias = Any  # of NumPy here, of the card in CudaBatch
Scene: TypeAlias = tuple[Floats, Floats, Floats]  # poses, velocities, balls


class Batch:
    """Worlds of one kind; every array has one row a world. What is out of range in commands is mended in place."""

    pose: Floats  # (e, n, 3) x, y, theta
    velocity: Floats  # (e, n, 3) vx, vy, omega in the field frame
    spin: Floats  # (e, n, w) [rad/s] wheel rates
    ball: Floats  # (e, 8) x, y, vx, vy, z, vz, and the velocity of pure rolling
    charge: Floats  # (e, n) [s] until the kicker is ready
    touched: NDArray[np.uint8]  # (e, n, n) who pushed whom in the last tick
    hits: Floats  # (e, 32, 4) impacts of the last tick: time after its beginning, the two bodies, closing speed
    counts: Ints  # (e, 3) number of hits; robot that touched the ball last, -1: nobody yet; commands mended so far
    wheels: Floats  # (e, n, w) [rad/s] command
    kick: Floats  # (e, n) command, ball speed
    lift: Floats  # (e, n) command, ball speed upwards
    dribble: NDArray[np.uint8]  # (e, n) command, 1: on
    tick: Ints  # (e,) since the world was set up
    drawn: Ints  # (e,) how many times the world has drawn random numbers

    def __init__(self, params: Params, worlds: int, seed: int = 0, threads: int | None = None, first: int = 0) -> None:
        """Set up ``worlds`` worlds, empty; their random numbers are those of worlds first, first + 1, ... of a seed."""
        expect_whole("worlds", worlds, 1, MAX_WORLDS)
        expect_whole("seed", seed, 0, MAX_SEED)
        expect_whole("first", first, 0, MAX_SEED - MAX_WORLDS)
        self.params, self.worlds, self.seed, self.first = params, worlds, seed, first
        threads = min(_cores(), MAX_THREADS) if threads is None else threads
        expect_whole("threads", threads, 1, MAX_THREADS)
        self.threads = min(threads, worlds)
        moving, commanded = arrays.moving(params, worlds), arrays.commanded(params, worlds)
        own = dict.fromkeys(("tick", "drawn"), ((worlds,), np.int64, 0))
        vars(self).update({name: self._made(*spec) for name, spec in (moving | commanded | own).items()})
        self._stepped = [getattr(self, name) for name in (*moving, *commanded)]
        self._stepped += [self._given(array) for array in arrays.fixed(params, self._kind())]
        self._stepped += self._scratch()
        self._set_up = [getattr(self, name) for name in SET_UP]
        self._room = self._given(_room(params))
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self._forget()

    def step(
        self, wheels: ArrayLike | None = None, kick: ArrayLike | None = None, lift: ArrayLike | None = None,
        dribble: ArrayLike | None = None, ticks: int = 1,
    ) -> None:  # fmt: skip
        """Move every world on by so many ticks, in place; commands that are not given are the last ones."""
        expect_whole("ticks", ticks, 0, MAX_TICKS)
        for name, values in (("wheels", wheels), ("kick", kick), ("lift", lift), ("dribble", dribble)):
            if values is not None and values is not getattr(self, name):
                self._command(name, values)
        self._advance(ticks)

    def reset(self, which: Which, pose: ArrayLike, ball: ArrayLike, velocity: ArrayLike = 0.0) -> None:
        """Set worlds up anew: robots (k, n, 3), ball (k, 2) or more of its columns; a row each, or one for all.

        Only commands stay as they are: worlds go on with their last ones, until others are given.
        Wheels stand still and a ball does not roll, so what is given a speed slides, unless the ball has all columns.
        Worlds in which bodies overlap or somebody stands in a wall are refused, and none is set up.
        """
        rows = self.rows(which)
        scene = scene_of(self.params, rows, pose, velocity, ball)
        self._refuse_overlaps(rows, scene)
        self._share(len(rows), lambda begin, end, _: kernels.place_rows(begin, end, rows, *scene, *self._set_up))

    def scatter(self, which: Which = None) -> None:
        """Put everybody of the worlds somewhere at random, at rest and clear of one another."""
        rows, common = self.rows(which), (self.seed, self.first, self._room, self.drawn, *self._set_up)
        full = self._share(len(rows), lambda begin, end, _: kernels.scatter_rows(begin, end, rows, *common))
        check_room(full, self.params)

    def wander(self, top: float | None = None) -> None:
        """Draw new wheel speeds for every robot of every world, up to ``top`` [rad/s]; None: all that motors can do."""
        common = (self.seed, self.first, self._top(top), self.drawn, self.wheels)
        self._share(self.worlds, lambda begin, end, _: kernels.wander_range(begin, end, *common))

    def state(self, world: int) -> State:
        """Return one world as the pure step knows it; a copy, in float64."""
        k = int(self.rows([world])[0])
        names = ("pose", "velocity", "spin", "ball", "charge", "hits")
        pose, velocity, spin, ball, charge, hits = (self._fetched(name)[k].astype(np.float64) for name in names)
        tick, touched = int(self._fetched("tick")[k]), self._fetched("touched")[k].copy()
        found, toucher, mended = self._fetched("counts")[k].tolist()
        return State(tick, pose, velocity, spin, ball, charge, touched, hits[:found], toucher, mended)

    def rows(self, which: Which) -> Ints:
        """Return the numbers of the worlds that a mask, a list of numbers, a slice or None (all) means."""
        everybody = np.arange(self.worlds)
        try:
            chosen = list(which) if isinstance(which, tuple) else which
            return everybody if which is None else np.ascontiguousarray(everybody[chosen]).reshape(-1)
        except IndexError:
            raise ContractError(f"worlds must be a mask or numbers below {self.worlds}; got {which!r}") from None

    def _advance(self, ticks: int) -> None:
        common = (ticks, self.tick, *self._stepped)
        self._share(self.worlds, lambda begin, end, s: kernels.advance_range(begin, end, s, *common))

    def _refuse_overlaps(self, rows: Ints, scene: Scene) -> None:
        """Raise where bodies of a scene overlap by more than the batch's numbers can tell."""
        pose, velocity, ball = scene
        gaps, spin = np.empty((len(rows), 3)), np.zeros((len(rows), *self.spin.shape[1:]))
        ahead, _, _, _, pairs = arrays.made(arrays.scratch(self.params, self.threads))
        common = (gaps, pose, velocity, spin, ball, *self.params.fixed[:6], ahead, pairs)
        self._share(len(rows), lambda begin, end, s: kernels.gap_rows(begin, end, s, *common))
        least = -max(MAX_OVERLAP, 2.0 * arrays.TOUCHING[self._kind()])
        if (gaps[:, 2] < least).any():
            k = int(np.argmin(gaps[:, 2]))
            a, b, gap = gaps[k].tolist()
            raise ContractError(f"world {rows[k]}: {overlap(int(a), int(b), gap, self.params.robots)}")

    def _forget(self) -> None:
        self.counts[:, 1] = -1

    def _top(self, top: float | None) -> float:
        if top is None:
            return self.params.robot.max_wheel_speed
        expect_number("top", top, 0.0, MOST)
        return float(top)

    def _command(self, name: str, values: ArrayLike) -> None:
        target = getattr(self, name)
        given = told(name, values)
        try:
            target[...] = given
        except ValueError:
            raise ContractError(f"{name} must be {target.shape}; got {given.shape}") from None

    def _share(self, count: int, work: Callable[[int, int, int], int | None]) -> int:
        """Return the sum over the parts of 0 .. count, each worked on by its own thread."""
        if self._pool is None or count < 2:
            return work(0, count, 0) or 0
        cuts = [count * s // self.threads for s in range(self.threads + 1)]
        return sum(part or 0 for part in self._pool.map(work, cuts[:-1], cuts[1:], range(self.threads)))

    def _made(self, shape: tuple[int, ...], kind: Any, fill: float) -> Array:  # noqa: ANN401
        return np.full(shape, fill, kind)

    def _given(self, array: NDArray[Any]) -> Array:
        return np.ascontiguousarray(array)

    def _fetched(self, name: str) -> NDArray[Any]:
        array: NDArray[Any] = getattr(self, name)
        return array

    def _kind(self) -> str:
        return "float64"

    def _scratch(self) -> list[Array]:
        """Return room to work in, a row each for as many worlds as are worked on at the same time."""
        return [self._made(*spec) for spec in arrays.scratch(self.params, self.threads)]


def told(name: str, values: ArrayLike) -> NDArray[Any]:
    """Return commands as an array of numbers; raise where they are none."""
    if name == "dribble":
        return switches(name, values)
    try:
        array = np.asarray(values)
    except ValueError:  # rows of several lengths
        raise ContractError(f"{name} must be an array of numbers; got {type(values).__name__}") from None
    if array.dtype.kind not in "biuf":
        raise ContractError(f"{name} must be an array of numbers; got {shape_of(array)}")
    return array


def scene_of(params: Params, rows: Ints, pose: ArrayLike, velocity: ArrayLike, ball: ArrayLike) -> Scene:
    """Return poses, velocities and balls of so many worlds."""
    k, shape = len(rows), (len(rows), params.robots, 3)
    full = np.zeros((k, arrays.BALL_COLUMNS))
    try:
        given = np.asarray(ball, np.float64)
        if given.shape[-1] < LEAST_COLUMNS:
            raise ValueError
        at, moves = (np.broadcast_to(np.asarray(one, np.float64), shape).copy() for one in (pose, velocity))
        full[:, : given.shape[-1]] = given
    except (ValueError, IndexError):
        shapes = ", ".join(_shape(one) for one in (pose, velocity, ball))
        wanted = f"pose and velocity {shape} and ball ({k}, {LEAST_COLUMNS} to {arrays.BALL_COLUMNS})"
        raise ContractError(f"{k} worlds need {wanted} of numbers; got {shapes}") from None
    for name, array in (("pose", at), ("velocity", moves), ("ball", full)):
        if not np.isfinite(array).all():
            raise ContractError(f"{name} must be finite; got {array[~np.isfinite(array)][0]}")
    refuse_below(float(full[:, 4].min(initial=0.0)))
    return at, moves, full


def _shape(values: ArrayLike) -> str:
    try:
        return str(np.shape(values)) if np.asarray(values).dtype.kind in "biuf" else f"{values!r:.20}"
    except ValueError:  # rows of several lengths
        return type(values).__name__


def _room(params: Params) -> Floats:
    f, hull = params.field, params.robot.outline.radius
    return np.array((f.half_length, f.half_width, f.corner, hull, params.ball.radius, GAP))


def _cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_room(full: int, params: Params) -> None:
    """Raise where worlds had no room for all."""
    if full:
        raise ContractError(f"no room for {params.robots} robots and a ball: {full} worlds could not be scattered")
