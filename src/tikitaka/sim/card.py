"""The graphics card: numba's CUDA, asked for in one place, and how a card is shared out."""

import math
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias, TypeVar

import numpy as np

from tikitaka.errors import TikitakaError

Array: TypeAlias = Any  # on the card
_F = TypeVar("_F", bound=Callable[..., Any])

INSTALL = "With a card: pip install 'numba-cuda[cu13]' (cu12 for a driver older than 580); see: tikitaka doctor"

for _gone, _stand_in in {"row_stack": np.vstack, "in1d": np.isin, "trapz": np.trapezoid}.items():
    if not hasattr(np, _gone):  # numba-cuda 0.30 asks NumPy 2.5 for these
        setattr(np, _gone, _stand_in)
try:
    cuda: Any = import_module("numba.cuda")
except ImportError as error:
    raise TikitakaError(f"no kernels for a graphics card: {error}. {INSTALL}") from None

SIMULATED = bool(cuda.config.ENABLE_CUDASIM)
BLOCK = 2 if SIMULATED else 512  # threads of a block, and worlds that it steps at a time; a power of two
WARP = 32  # threads that run in step
REGISTERS = 128  # that a thread may have; with 64 twice as many threads are at work, but each waits more
RESIDENT = 512  # threads that a multiprocessor works on at a time, by their registers


def check_card() -> None:
    """Raise where there is no card that numba can use."""
    if not cuda.is_available():
        why = " ".join(str(cuda.cuda_error() or "none found").split())
        raise TikitakaError(f"no graphics card that numba can use: {why} {INSTALL}")
    cuda.config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # few worlds are no mistake


def card_name() -> str:
    """Return what the card calls itself."""
    name = "CUDA's simulator" if SIMULATED else cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def blocks(worlds: int) -> int:
    """Return how many blocks are at work at a time."""
    needed = (worlds + BLOCK - 1) // BLOCK
    return needed if SIMULATED else min(needed, cuda.get_current_device().MULTIPROCESSOR_COUNT * RESIDENT // BLOCK)


def device(function: _F) -> _F:
    """Return the function compiled for the card, to be called by kernels."""
    made: _F = cuda.jit(device=True)(function)
    return made


@device
def entries(front: int, back: int) -> int:
    """Return how many entries a list with two ends has, those between them included that are none."""
    return (front + WARP - 1) // WARP * WARP + back


@device
def entry_of(q: int, front: int, ends: Array) -> int:
    """Return entry q of a list with two ends; -1 between them, so that no warp takes from both."""
    if q < front:
        return int(ends[q])
    q -= (front + WARP - 1) // WARP * WARP
    return int(ends[ends.shape[0] - 1 - q]) if q >= 0 else -1


def shaped(dims: tuple[int, ...], order: str) -> Any:  # noqa: ANN401
    """Return what makes, in a kernel, an array of these dimensions out of a flat one, from a place on.

    The compiler knows its dimensions, so that most places in it cost no arithmetic: a third of all instructions.
    """
    if SIMULATED:
        return lambda flat, at: flat[at : at + math.prod(dims)].reshape(dims, order=order)
    extending, types = import_module("numba.cuda.extending"), import_module("numba.cuda").types
    arrays = import_module("numba.cuda.np.arrayobj")

    def view(_: Any, flat: Any, at: Any) -> Any:  # noqa: ANN401
        made = types.Array(flat.dtype, len(dims), order)

        def build(context: Any, builder: Any, _: Any, args: Any) -> Any:  # noqa: ANN401
            size = context.get_abi_sizeof(context.get_data_type(flat.dtype))
            sizes = [math.prod(dims[:k] if order == "F" else dims[k + 1 :]) * size for k in range(len(dims))]
            shape, strides = ([context.get_constant(types.intp, n) for n in many] for many in (dims, sizes))
            data = builder.gep(arrays.make_array(flat)(context, builder, args[0]).data, [args[1]])
            array, item = arrays.make_array(made)(context, builder), context.get_constant(types.intp, size)
            arrays.populate_array(array, data=data, shape=shape, strides=strides, itemsize=item, meminfo=None)
            return array._getvalue()

        return made(flat, at), build

    return extending.intrinsic(view)


def compiled(function: Callable[..., None]) -> Any:  # noqa: ANN401
    """Return the function compiled as a kernel."""
    return cuda.jit(function) if SIMULATED else cuda.jit(function, max_registers=REGISTERS)
