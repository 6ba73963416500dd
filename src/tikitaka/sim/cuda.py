"""The same worlds on a graphics card: one thread a world, each calling the kernels that the processor runs.

The arrays lie on the card with the world as their fastest index, so that neighbouring threads read neighbouring
numbers. They have ``__cuda_array_interface__``: ``torch.as_tensor(batch.pose, device="cuda")`` and
``cupy.asarray(batch.pose)`` are the same memory, and what is written there is what is stepped.
"""

from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from tikitaka.errors import ContractError, TikitakaError
from tikitaka.geom.jit import single
from tikitaka.sim.batch import Array, Batch, Which, check_room, scene_of
from tikitaka.sim.kernels import worlds as kernels
from tikitaka.sim.pitch import Params, State
from tikitaka.types import Floats

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
        self._kernels = _compiled(self.dtype.name)
        super().__init__(params, worlds, seed, 1, first)

    def step(self, wheels: ArrayLike | None = None, kick: ArrayLike | None = None, ticks: int = 1) -> None:
        """Move every world on by so many ticks, in place; comes back before the card is done."""
        self._command(wheels, kick)
        moving = (self.pose, self.velocity, self.ball, self.touched, self.toucher, self.tick, self.wheels, self.kick)
        self._launch("advance", self.worlds, ticks, (*moving, *self._fixed, *self._scratch))

    def reset(self, which: Which, pose: ArrayLike, ball: ArrayLike, velocity: ArrayLike = 0.0) -> None:
        """Set worlds up anew: robots (k, n, 3), ball (k, 2) or with its velocity, one row each or one for all."""
        rows = self.rows(which)
        scene = tuple(self._given(array) for array in scene_of(self.params, rows, pose, velocity, ball))
        moving = (self.pose, self.velocity, self.ball, self.touched, self.toucher, self.tick)
        self._launch("place", len(rows), cuda.to_device(rows), (*scene, *moving))

    def scatter(self, which: Which = None) -> None:
        """Put everybody of the worlds somewhere at random, at rest and clear of one another."""
        rows, full = cuda.to_device(self.rows(which)), cuda.to_device(np.zeros(1, np.int64))
        moving = (self.drawn, self.pose, self.velocity, self.ball, self.toucher, self.tick, self._room)
        self._launch("scatter", len(rows), rows, full, self.seed, self.first, moving)
        check_room(int(full.copy_to_host()[0]), self.params)

    def wander(self) -> None:
        """Draw new wheel speeds for every robot of every world, over all that its motors can do."""
        self._launch("wander", self.worlds, self.seed, self.first, (self.drawn, self.wheels, self._fixed[1]))

    def state(self, world: int) -> State:
        """Return one world as the pure step knows it, in float64."""
        k = int(self.rows([world])[0])
        floats = [self._fetched(array)[k].astype(np.float64) for array in (self.pose, self.velocity, self.ball)]
        touched, tick, toucher = (self._fetched(array)[k] for array in (self.touched, self.tick, self.toucher))
        return State(int(tick), floats[0], floats[1], floats[2], touched.copy(), int(toucher))

    def wait(self) -> None:
        """Come back when the card has done all that it was given."""
        cuda.synchronize()

    def _fetched(self, array: Array) -> NDArray[Any]:
        host: NDArray[Any] = array.copy_to_host()
        return host

    def _launch(self, name: str, count: int, *arguments: object) -> None:
        if count:
            self._kernels[name][(count + BLOCK - 1) // BLOCK, BLOCK](count, *arguments)

    def _command(self, wheels: ArrayLike | None, kick: ArrayLike | None) -> None:
        pairs: tuple[tuple[str, Array, ArrayLike | None], ...] = (
            ("wheels", self.wheels, wheels),
            ("kick", self.kick, kick),
        )
        for name, target, values in pairs:
            if values is None or values is target:
                continue
            if hasattr(values, "__cuda_array_interface__"):
                raise ContractError(f"{name} are on the card: write them into batch.{name}, which shares its memory")
            if np.shape(values) != target.shape:
                raise ContractError(f"{name} must be {target.shape}; got {np.shape(values)}")
            target.copy_to_device(np.asfortranarray(values, self.dtype))

    def _filled(self, shape: tuple[int, ...], dtype: type[np.generic], fill: int) -> Array:
        kind = self.dtype if dtype == np.float64 else dtype
        return cuda.to_device(np.full(shape, fill, kind, order="F"))

    def _given(self, array: Floats) -> Array:
        return cuda.to_device(np.ascontiguousarray(array, self.dtype))

    def _rough(self, shape: tuple[int, ...]) -> Array:
        return cuda.device_array(shape, self.dtype, order="F")

    def _lanes(self) -> int:
        return self.worlds


def check_card() -> None:
    """Raise where there is no card that numba can use."""
    if not cuda.is_available():
        why = " ".join(str(cuda.cuda_error() or "none found").split())
        raise TikitakaError(f"no graphics card that numba can use: {why} {INSTALL}")
    cuda.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # few worlds are no mistake


@cache
def _compiled(kind: str) -> dict[str, Any]:
    """Return the CUDA kernels in float32 or float64: each finds its world and calls what the processor calls."""
    names = ("advance", "place", "scatter", "wander")
    plain = [getattr(kernels, name) for name in names]
    advance, place, scatter, wander = (single(one) for one in plain) if kind == "float32" else plain

    def run_advance(count: int, ticks: int, arrays: Array) -> None:
        e = cuda.grid(1)
        if e < count:
            advance(e, e, ticks, *arrays)

    def run_place(count: int, rows: Array, arrays: Array) -> None:
        k = cuda.grid(1)
        if k < count:
            place(rows[k], k, *arrays)

    def run_scatter(count: int, rows: Array, full: Array, seed: int, first: int, arrays: Array) -> None:
        k = cuda.grid(1)
        if k < count and not scatter(rows[k], seed, first, *arrays):
            cuda.atomic.add(full, 0, 1)

    def run_wander(count: int, seed: int, first: int, arrays: Array) -> None:
        e = cuda.grid(1)
        if e < count:
            wander(e, seed, first, *arrays)

    functions = (run_advance, run_place, run_scatter, run_wander)
    limit = {} if kind == "float64" or cuda.config.ENABLE_CUDASIM else {"max_registers": REGISTERS}
    return {name: cuda.jit(one, **limit) for name, one in zip(names, functions, strict=True)}
