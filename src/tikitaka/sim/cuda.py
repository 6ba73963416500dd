"""The same worlds on a graphics card, stepped by the kernels that the processor runs: see `cuda_rounds`.

The arrays lie on the card with the world as their fastest index, so that neighbouring threads read neighbouring
numbers. They have ``__cuda_array_interface__``: ``torch.as_tensor(batch.pose, device="cuda")`` and
``cupy.asarray(batch.pose)`` are the same memory, and what is written there is what is stepped.
"""

import math
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from tikitaka.errors import ContractError
from tikitaka.geom.jit import single
from tikitaka.sim import arrays
from tikitaka.sim.batch import Array, Batch, Which, check_room, scene_of
from tikitaka.sim.card import BLOCK, blocks, check_card, compiled, cuda
from tikitaka.sim.cuda_rounds import step
from tikitaka.sim.kernels import worlds as kernels
from tikitaka.sim.params import Params

Shapes = tuple[tuple[int, ...], ...]


class CudaBatch(Batch):
    """Worlds of one kind on a card; every array has one row a world and is a device array."""

    def __init__(
        self, params: Params, worlds: int, seed: int = 0, dtype: DTypeLike = np.float32, first: int = 0
    ) -> None:
        """Set up ``worlds`` worlds, empty, in float32 or float64."""
        self.dtype = np.dtype(dtype)
        if self.dtype.name not in ("float32", "float64"):
            raise ContractError(f"dtype must be float32 or float64; got {self.dtype}")
        check_card()
        fixed = tuple(array.shape for array in arrays.fixed(params))
        self._kernels = _compiled(self.dtype.name, _room_shapes(params), fixed)
        super().__init__(params, worlds, seed, 1, first)
        moving = len(self._stepped) - len(fixed)
        self._moving, self._fixed = tuple(self._stepped[:moving]), tuple(a.reshape(-1) for a in self._stepped[moving:])

    def reset(self, which: Which, pose: ArrayLike, ball: ArrayLike, velocity: ArrayLike = 0.0) -> None:
        """Set worlds up anew, as `Batch.reset` does."""
        rows = self.rows(which)
        scene = scene_of(self.params, rows, pose, velocity, ball)
        self._refuse_overlaps(rows, scene)
        given = [self._given(array) for array in scene]
        self._launch("place", len(rows), cuda.to_device(rows), (*given, *self._set_up))

    def scatter(self, which: Which = None) -> None:
        """Put everybody of the worlds somewhere at random, at rest and clear of one another."""
        rows, full = cuda.to_device(self.rows(which)), cuda.to_device(np.zeros(1, np.int64))
        places = (self._room, self.drawn, *self._set_up)
        self._launch("scatter", len(rows), rows, full, self.seed, self.first, places)
        check_room(int(full.copy_to_host()[0]), self.params)

    def wander(self, top: float | None = None) -> None:
        """Draw new wheel speeds for every robot of every world, up to ``top`` [rad/s]; None: all that motors can do."""
        self._launch("wander", self.worlds, self.seed, self.first, self._top(top), (self.drawn, self.wheels))

    def wait(self) -> None:
        """Come back when the card has done all that it was given; `step` and the others do not wait for it."""
        cuda.synchronize()

    def _advance(self, ticks: int) -> None:
        room = (self._moving, self._fixed, self._flat, self._queue)
        self._kernels["step"][self._blocks, BLOCK](self.worlds, ticks, self.tick, *room)

    def _forget(self) -> None:
        counts = np.zeros(self.counts.shape, np.int64, order="F")
        counts[:, 1] = -1
        self._copy("counts", counts)

    def _launch(self, name: str, count: int, *arguments: object) -> None:
        if count:
            self._kernels[name][(count + BLOCK - 1) // BLOCK, BLOCK](count, *arguments)

    def _command(self, name: str, values: ArrayLike) -> None:
        target = getattr(self, name)
        if hasattr(values, "__cuda_array_interface__"):
            raise ContractError(f"{name} are on the card: write them into batch.{name}, which shares its memory")
        if np.shape(values) != target.shape:
            raise ContractError(f"{name} must be {target.shape}; got {np.shape(values)}")
        self._copy(name, np.asfortranarray(values, target.dtype))

    def _copy(self, name: str, values: NDArray[Any]) -> None:
        target: Array = getattr(self, name)
        target.copy_to_device(values)

    def _made(self, shape: tuple[int, ...], kind: Any, fill: float) -> Array:  # noqa: ANN401
        return cuda.to_device(np.full(shape, fill, self.dtype if kind is np.float64 else kind, order="F"))

    def _given(self, array: NDArray[Any]) -> Array:
        return cuda.to_device(np.ascontiguousarray(array, self.dtype if array.dtype == np.float64 else array.dtype))

    def _fetched(self, name: str) -> NDArray[Any]:
        host: NDArray[Any] = getattr(self, name).copy_to_host()
        return host

    def _kind(self) -> str:
        return self.dtype.name

    def _scratch(self) -> list[Array]:
        """Return nothing: what the kernels work in is one array, a row for each block of worlds that is at work."""
        room, pairs = _room_shapes(self.params), arrays.scratch(self.params, BLOCK)[-1][0][1]
        self._blocks = blocks(self.worlds)
        self._flat = cuda.device_array(self._blocks * sum(map(math.prod, room)), self.dtype)
        self._queue = cuda.device_array((self._blocks, 2, BLOCK * pairs), np.int32)
        return []


def _room_shapes(params: Params) -> Shapes:
    """Return the shapes of what a block works in, see `cuda_rounds.step`."""
    moving, commanded = arrays.moving(params, BLOCK), arrays.commanded(params, BLOCK)
    world = [*(moving[name] for name in ("pose", "velocity", "spin", "ball")), commanded["wheels"]]
    return tuple(shape for shape, _, _ in (*world, *arrays.scratch(params, BLOCK)))


@cache
def _compiled(kind: str, room: Shapes, fixed: Shapes) -> dict[str, Any]:
    """Return the CUDA kernels in float32 or float64: each finds its world and calls what the processor calls."""
    plain: Any = (kernels.place, kernels.scatter, kernels.wander)
    place, scatter, wander = (single(one) for one in plain) if kind == "float32" else plain

    def run_place(count: int, which: Array, given: Array) -> None:
        k = cuda.grid(1)
        if k < count:
            place(which[k], k, *given)

    def run_scatter(count: int, which: Array, full: Array, seed: int, first: int, given: Array) -> None:
        k = cuda.grid(1)
        if k < count and not scatter(which[k], seed, first, *given):
            cuda.atomic.add(full, 0, 1)

    def run_wander(count: int, seed: int, first: int, top: float, given: Array) -> None:
        e = cuda.grid(1)
        if e < count:
            wander(e, seed, first, top, *given)

    functions = {"step": step(kind, room, fixed), "place": run_place, "scatter": run_scatter, "wander": run_wander}
    return {name: compiled(one) for name, one in functions.items()}
