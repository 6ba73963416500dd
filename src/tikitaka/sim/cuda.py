"""The same worlds on a graphics card: one thread a world, each calling the kernels that the processor runs.

The arrays lie on the card with the world as their fastest index, so that neighbouring threads read neighbouring
numbers; the room to work in is each thread's own, of a size that the compiler knows. The arrays have
``__cuda_array_interface__``: ``torch.as_tensor(batch.pose, device="cuda")`` and ``cupy.asarray(batch.pose)`` are the
same memory, and what is written there is what is stepped.
"""

from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from tikitaka.errors import ContractError, TikitakaError
from tikitaka.geom.jit import single
from tikitaka.sim import arrays
from tikitaka.sim.batch import Array, Batch, Which, check_room, scene_of
from tikitaka.sim.kernels import motion
from tikitaka.sim.kernels import worlds as kernels
from tikitaka.sim.params import Params

Shape: TypeAlias = tuple[int, ...]

BLOCK = 64  # threads; 32 to 256 measure the same
REGISTERS = 64  # a thread, float32: more of them run at a time, 28 % more steps/s than with the 122 that it would take
INSTALL = "With a card: pip install 'numba-cuda[cu13]' (cu12 for a driver older than 580); see: tikitaka doctor"

for _gone, _stand_in in {"row_stack": np.vstack, "in1d": np.isin, "trapz": np.trapezoid}.items():
    if not hasattr(np, _gone):  # numba-cuda 0.30 asks NumPy 2.5 for these
        setattr(np, _gone, _stand_in)
try:
    cuda: Any = import_module("numba.cuda")
except ImportError as error:
    raise TikitakaError(f"no kernels for a graphics card: {error}. {INSTALL}") from None


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
        self._kernels = _compiled(self.dtype.name, *(shape for shape, _, _ in arrays.scratch(params, 1)))
        super().__init__(params, worlds, seed, 1, first)

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
        self._launch("step", self.worlds, ticks, self.tick, tuple(self._stepped))

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
        return []


def check_card() -> None:
    """Raise where there is no card that numba can use."""
    if not cuda.is_available():
        why = " ".join(str(cuda.cuda_error() or "none found").split())
        raise TikitakaError(f"no graphics card that numba can use: {why} {INSTALL}")
    cuda.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # few worlds are no mistake


@cache
def _compiled(kind: str, ahead: Shape, after: Shape, rows: Shape, manifold: Shape, pairs: Shape) -> dict[str, Any]:
    """Return the CUDA kernels in float32 or float64: each finds its world and calls what the processor calls.

    The shapes are those of the room that a thread works in, see `arrays.scratch`.
    """
    plain: Any = (motion.step, kernels.place, kernels.scatter, kernels.wander)
    twins: Any = [single(one) for one in plain] if kind == "float32" else plain
    step, place, scatter, wander = twins
    number = getattr(np, kind)

    def run_step(count: int, ticks: int, tick: Array, given: Array) -> None:
        e = cuda.grid(1)
        if e < count:
            a, b, c = cuda.local.array(ahead, number), cuda.local.array(after, number), cuda.local.array(rows, number)
            d, f = cuda.local.array(manifold, number), cuda.local.array(pairs, number)
            for _ in range(ticks):
                step(e, 0, *given, a, b, c, d, f)
            tick[e] += ticks

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

    limit = {} if kind == "float64" or cuda.config.ENABLE_CUDASIM else {"max_registers": REGISTERS}
    functions = {"step": run_step, "place": run_place, "scatter": run_scatter, "wander": run_wander}
    return {name: cuda.jit(one, **limit) for name, one in functions.items()}
