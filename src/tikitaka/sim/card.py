"""The graphics card: numba's CUDA, asked for in one place, and how a card is shared out."""

import math
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import accumulate
from typing import Any, TypeAlias, TypeVar

import numpy as np

from tikitaka.errors import TikitakaError

Array: TypeAlias = Any  # on the card
Arrays: TypeAlias = Any  # a tuple of them
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
BLOCK = 2 if SIMULATED else 128  # threads of a block, and worlds whose numbers lie together; a power of two
WARP = 32  # threads that run in step


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


def device(function: _F) -> _F:
    """Return the function compiled for the card, to be called by kernels."""
    made: _F = cuda.jit(device=True)(function)
    return made


@device
def whole_warps(many: int) -> int:
    """Return how many threads run for so many entries."""
    return (many + WARP - 1) // WARP * WARP


@device
def entries(first: int, many: int, lists: Arrays) -> int:
    """Return how many threads take all entries of lists that follow one another, no warp from two of them."""
    total = 0
    for k in range(first, first + many):
        total += whole_warps(lists[0][k])
    return total


@device
def place_of(q: int, first: int, many: int, lists: Arrays) -> int:
    """Return where the entry lies that thread q of `entries` takes; -1: nowhere."""
    lengths, starts, _, _ = lists
    for k in range(first, first + many):
        if 0 <= q < lengths[k]:
            return int(starts[k] + q)
        q -= whole_warps(lengths[k])
    return -1


@device
def entry_of(q: int, first: int, many: int, lists: Arrays) -> int:
    """Return what thread q of `entries` takes; -1: nothing."""
    at = place_of(q, first, many, lists)
    return -1 if at < 0 else int(lists[2][at])


@device
def put(k: int, entry: int, lists: Arrays) -> int:
    """Return where an entry lies after adding it to list k."""
    lengths, starts, queue, _ = lists
    at = int(starts[k] + _place(k, lengths))
    queue[at] = entry
    return at


def shaped(dims: tuple[tuple[int, ...], ...], order: str) -> Any:  # noqa: ANN401
    """Return what makes, in a kernel, arrays of these dimensions out of a flat one, one behind another from a place on.

    The compiler knows their dimensions, so that most places in them cost no arithmetic: a third of all instructions.
    """
    sizes = tuple(map(math.prod, dims))
    starts = tuple(accumulate(sizes, initial=0))
    if SIMULATED:
        parts = tuple(zip(dims, starts, sizes, strict=False))
        return lambda flat, at: tuple(flat[at + o : at + o + n].reshape(d, order=order) for d, o, n in parts)
    extending, types = import_module("numba.cuda.extending"), import_module("numba.cuda").types
    arrays = import_module("numba.cuda.np.arrayobj")

    def views(_: Any, flat: Any, at: Any) -> Any:  # noqa: ANN401
        kinds = [types.Array(flat.dtype, len(one), order) for one in dims]
        made = types.BaseTuple.from_types(kinds)

        def build(context: Any, builder: Any, _: Any, args: Any) -> Any:  # noqa: ANN401
            given, found = builder.gep(arrays.make_array(flat)(context, builder, args[0]).data, [args[1]]), []
            for kind, one, start in zip(kinds, dims, starts, strict=False):
                steps = [math.prod(one[:k] if order == "F" else one[k + 1 :]) for k in range(len(one))]
                data = builder.gep(given, [context.get_constant(types.intp, start)])
                found.append(_view(context, builder, kind, data, one, steps))
            return context.make_tuple(builder, made, found)

        return made(flat, at), build

    return extending.intrinsic(views)


def own(dims: tuple[int, ...], kind: str) -> Any:  # noqa: ANN401
    """Return what makes, in a kernel, an array that each thread has for itself, whatever its first index is.

    Threads of a warp that work at the same place of theirs are served together. `cuda.local.array` would fill it with
    zeros first, at many times the price of what is used of it.
    """
    steps = [0, *(math.prod(dims[k + 1 :]) for k in range(1, len(dims)))]
    if SIMULATED:
        strides = [step * np.dtype(kind).itemsize for step in steps]
        return lambda: np.lib.stride_tricks.as_strided(np.zeros(dims[1:], kind), dims, strides)
    extending, types = import_module("numba.cuda.extending"), import_module("numba.cuda").types
    ir, array = import_module("llvmlite.ir"), types.Array(getattr(types, kind), len(dims), "A")

    def make(_: Any) -> Any:  # noqa: ANN401
        def build(context: Any, builder: Any, _1: Any, _2: Any) -> Any:  # noqa: ANN401
            number = context.get_data_type(array.dtype)
            with builder.goto_entry_block():
                room = builder.alloca(ir.ArrayType(number, math.prod(dims[1:])))
            return _view(context, builder, array, builder.bitcast(room, number.as_pointer()), dims, steps)

        return array(), build

    return extending.intrinsic(make)


def _view(context: Any, builder: Any, kind: Any, data: Any, dims: Iterable[int], steps: Iterable[int]) -> Any:  # noqa: ANN401
    """Return an array of this kind whose numbers are elsewhere."""
    arrays, intp = import_module("numba.cuda.np.arrayobj"), import_module("numba.cuda").types.intp
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    shape = [context.get_constant(intp, n) for n in dims]
    strides, item = [context.get_constant(intp, n * size) for n in steps], context.get_constant(intp, size)
    array = arrays.make_array(kind)(context, builder)
    arrays.populate_array(array, data=data, shape=shape, strides=strides, itemsize=item, meminfo=None)
    return array._getvalue()


def _place_alone(k: int, lengths: Array) -> int:
    return int(cuda.atomic.add(lengths, k, 1))


def _place_together(k: int, lengths: Array) -> int:
    """Return this thread's place in list k: one thread of a warp counts for all that are here with the same list."""
    here, at = cuda.match_any_sync(cuda.activemask(), k), 0
    first = cuda.ffs(here) - 1
    if cuda.laneid == first:
        at = cuda.atomic.add(lengths, k, cuda.popc(here))
    return int(cuda.shfl_sync(here, at, first) + cuda.popc(here & cuda.lanemask_lt()))


_place = device(_place_alone if SIMULATED else _place_together)


def compiled(function: Callable[..., None]) -> Any:  # noqa: ANN401
    """Return the function compiled as a kernel."""
    return cuda.jit(function)


def recorded(works: list[Callable[[object], None]]) -> Callable[[], None]:
    """Return what launches once more all that each of ``works`` launches into a stream, side by side, as one."""

    def one_by_one() -> None:
        for work in works:
            work(0)

    if SIMULATED:
        return one_by_one
    works[0](0)  # compiles; a round more does no harm
    core = import_module("cuda.core")
    core.Device().set_current()
    trunk = core.Device().create_graph_builder().begin_building()
    branches = trunk.split(len(works)) if len(works) > 1 else (trunk,)
    for work, branch in zip(works, branches, strict=True):
        work(branch)
    trunk = type(trunk).join(*branches) if len(works) > 1 else trunk
    graph, stream = trunk.end_building().complete(), core.Stream.from_handle(0)
    return lambda: graph.launch(stream)
