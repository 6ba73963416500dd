"""The graphics card: numba's CUDA, asked for in one place, and how a card is shared out."""

import math
from collections.abc import Callable, Iterable
from functools import cache, partial
from importlib import import_module
from types import SimpleNamespace
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
APART = 32  # places between the lengths of two lists: who adds to one shall not disturb who reads another


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


@cache
def inside() -> Any:  # noqa: ANN401
    """Return the parts of numba's CUDA that are told how to compile something."""
    extending, arrays = import_module("numba.cuda.extending"), import_module("numba.cuda.np.arrayobj")
    return SimpleNamespace(extending=extending, arrays=arrays, types=cuda.types)


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
        total += whole_warps(lists[0][k * APART])
    return total


@device
def turns(many: int) -> int:
    """Return how often every thread of a launch has to go round for so many entries."""
    threads: int = cuda.gridsize(1)
    return (many + threads - 1) // threads


@device
def entry_of(q: int, first: int, many: int, lists: Arrays) -> int:
    """Return what thread q of `entries` takes; -1: nothing."""
    lengths, starts, queue = lists
    for k in range(first, first + many):
        length = lengths[k * APART]
        if 0 <= q < length:
            return int(queue[starts[k] + q])
        q -= whole_warps(length)
    return -1


@device
def put(k: int, entry: int, lists: Arrays) -> None:
    """Add an entry to list k."""
    lengths, starts, queue = lists
    queue[starts[k] + _place(k * APART, lengths)] = entry


def shaped(dims: tuple[int, int]) -> Any:  # noqa: ANN401
    """Return what makes, in a kernel, a table of these dimensions out of a flat array, from a place on.

    The compiler knows its dimensions, so that most places in it cost no arithmetic.
    """
    if SIMULATED:
        return lambda flat, at: flat[at : at + math.prod(dims)].reshape(dims)
    numba = inside()

    def view(_: Any, flat: Any, at: Any) -> Any:  # noqa: ANN401
        kind = numba.types.Array(flat.dtype, 2, "C")

        def build(context: Any, builder: Any, _: Any, args: Any) -> Any:  # noqa: ANN401
            data = builder.gep(numba.arrays.make_array(flat)(context, builder, args[0]).data, [args[1]])
            return viewed(context, builder, kind, data, dims, (dims[1], 1))

        return kind(flat, at), build

    return numba.extending.intrinsic(view)


def viewed(context: Any, builder: Any, kind: Any, data: Any, dims: Iterable[int], steps: Iterable[int]) -> Any:  # noqa: ANN401
    """Return an array of this kind whose numbers are elsewhere."""
    arrays, intp = inside().arrays, inside().types.intp
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


def _put_alone(k: int, entry: int, lists: Arrays) -> None:
    if k >= 0:
        put(k, entry, lists)


def _put_together(k: int, entry: int, lists: Arrays) -> None:
    """Add an entry to list k, or none where k is -1: one thread of a block counts for all, who must all come here."""
    lengths, starts, queue = lists
    counts, t, rank = cuda.shared.array(WARP, np.int32), cuda.threadIdx.x, 0
    if t < WARP:
        counts[t] = 0
    cuda.syncthreads()
    if k >= 0:
        rank = _place(k, counts)
    cuda.syncthreads()
    if t < WARP and counts[t] > 0:
        counts[t] = cuda.atomic.add(lengths, t * APART, counts[t])
    cuda.syncthreads()
    if k >= 0:
        queue[starts[k] + counts[k] + rank] = entry
    cuda.syncthreads()


def _own_word(yes: bool) -> bool:
    return yes


def _any_word(yes: bool) -> bool:
    """Say whether any thread of the block says yes; all must come here."""
    return bool(cuda.syncthreads_or(np.int32(yes)))


put_all = device(_put_alone if SIMULATED else _put_together)
anybody = device(_own_word if SIMULATED else _any_word)


def compiled(function: Callable[..., None]) -> Any:  # noqa: ANN401
    """Return the function compiled as a kernel."""
    return cuda.jit(function)


def recorded(work: Callable[[object], None]) -> tuple[Callable[[], None], Callable[[], None]]:
    """Return what launches all that ``work`` launches once more, as one and beside all else, and what waits for it."""
    if SIMULATED:
        return partial(work, 0), lambda: None
    work(0)  # compiles; a round more does no harm
    cuda.synchronize()  # streams of their own wait for nobody
    core = import_module("cuda.core")
    core.Device().set_current()
    builder, stream = core.Device().create_graph_builder().begin_building(), core.Device().create_stream()
    work(builder)
    graph = builder.end_building().complete()
    return lambda: graph.launch(stream), stream.sync
