"""Where the numbers of many worlds lie on a card, so that an access to its memory brings as many useful ones as it can.

A card fetches 32 bytes at least, for a thread up to 16 at once. Threads ask for places and velocities of whatever body
of whatever world: so numbers that are asked for together lie together, and behind them those of the next world. One of
them fetches in two accesses what else would be eight, and threads that go through neighbouring worlds read all.
"""

import math
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np

from tikitaka.sim.card import SIMULATED, inside, viewed
from tikitaka.sim.kernels.tables import BEFORE, COS, DUO, MARK, PARTED, SIN, TIES

WIDEST = 16  # bytes that a thread fetches at once
AHEAD, PAIR_ROWS = 5, 9  # which arrays of `layout_of` they are, see `kernels.tables`
SECTOR = 8  # numbers in float32 that the card fetches at least


Layout: TypeAlias = "tuple[Rows, ...]"


@dataclass(frozen=True)
class Rows:
    """An array of (worlds, columns) or (worlds, bodies, columns); kernels index it as one of NumPy."""

    dims: tuple[int, ...]
    together: int = SECTOR  # columns that lie side by side; a power of two
    beside: int = -1  # the array among whose columns it lies; -1: among its own
    first: int = 0  # where its first column lies there
    elsewhere: tuple[tuple[int, int, int], ...] = ()  # columns that lie in another array: which one, and its column
    fills: tuple[tuple[int, int], ...] = ()  # columns that are written with a free place, so many behind it, see `put`

    @property
    def size(self) -> int:
        """Return how many numbers it takes, with those that fill up."""
        if self.beside >= 0 and not SIMULATED:
            return 0
        return math.prod(self.dims[:-1]) * self.together * -(-self.dims[-1] // self.together)


def layout_of(tile: int, robots: int, wheels: int, scratch: Sequence[tuple[int, ...]]) -> Layout:
    """Return poses, velocities, wheel rates, balls, commanded rates and scratch of a tile of worlds."""
    ahead, *others = scratch
    many, flags, before = 5 + len(scratch), (MARK, DUO, TIES, PARTED), (BEFORE, BEFORE + 1, BEFORE + 2)
    return (
        Rows((tile, robots, 3)),
        Rows((tile, robots, 3), beside=0, first=3),
        Rows((tile, robots, wheels), _power(wheels)),
        Rows((tile, 8)),
        Rows((tile, robots, wheels), _power(wheels)),
        Rows(ahead, elsewhere=(
            (COS, 0, 6), (SIN, 0, 7),
            *((column, many, k) for k, column in enumerate(flags)),
            *((column, many + 1, k) for k, column in enumerate(before)),
        ), fills=((5, 2), (before[-1], 1))),
        *(Rows(dims, min(SECTOR, _power(dims[-1]))) for dims in others),
        Rows((*ahead[:2], len(flags)), 4),
        Rows((*ahead[:2], len(before)), 4),
    )  # fmt: skip


def _power(least: int) -> int:
    """Return the power of two that is as large or next larger."""
    return int(2 ** math.ceil(math.log2(least)))


def start_of(layout: Layout, which: int) -> int:
    """Return where an array begins in the room of all; one that lies beside another begins with it."""
    beside = layout[which].beside
    return sum(one.size for one in layout[: beside if beside >= 0 and not SIMULATED else which])


def laid(layout: Layout) -> Any:  # noqa: ANN401
    """Return what makes, in a kernel, these arrays out of a flat one, from a place on."""
    if SIMULATED:
        parts = [(one.dims, start_of(layout, k), math.prod(one.dims)) for k, one in enumerate(layout)]
        return lambda flat, at: tuple(flat[at + o : at + o + n].reshape(dims, order="F") for dims, o, n in parts)
    numba = inside()

    def views(_: Any, flat: Any, at: Any) -> Any:  # noqa: ANN401
        kinds = [_placed_type()(flat.dtype, one.dims, k, layout) for k, one in enumerate(layout)]
        made = numba.types.BaseTuple.from_types(kinds)

        def build(context: Any, builder: Any, _: Any, args: Any) -> Any:  # noqa: ANN401
            data = builder.gep(numba.arrays.make_array(flat)(context, builder, args[0]).data, [args[1]])
            found = [viewed(context, builder, kind, data, kind.dims, kind.dims) for kind in kinds]  # steps: not used
            return context.make_tuple(builder, made, found)

        return made(flat, at), build

    return numba.extending.intrinsic(views)


def own(dims: tuple[int, ...], kind: str) -> Any:  # noqa: ANN401
    """Return what makes, in a kernel, an array that each thread has for itself, whatever its first index is.

    Threads of a warp that work at the same place of theirs are served together. `cuda.local.array` would fill it with
    zeros first, at many times the price of what is used of it. Places are counted in a way that the compiler sees
    through: it knows then that no other array is written there.
    """
    if SIMULATED:
        steps = [0, *(math.prod(dims[k + 1 :]) for k in range(1, len(dims)))]
        strides = [step * np.dtype(kind).itemsize for step in steps]
        return lambda: np.lib.stride_tricks.as_strided(np.zeros(dims[1:], kind), dims, strides)
    numba, ir = inside(), import_module("llvmlite.ir")
    array = _placed_type()(getattr(numba.types, kind), dims)

    def make(_: Any) -> Any:  # noqa: ANN401
        def build(context: Any, builder: Any, _1: Any, _2: Any) -> Any:  # noqa: ANN401
            number = context.get_data_type(array.dtype)
            with builder.goto_entry_block():
                room = builder.alloca(ir.ArrayType(number, math.prod(dims[1:])))
            return viewed(context, builder, array, builder.bitcast(room, number.as_pointer()), dims, dims)

        return array(), build

    return numba.extending.intrinsic(make)


def column(layout: Layout, which: int, column: int) -> Any:  # noqa: ANN401
    """Return what makes, in a kernel, a table (worlds, bodies) of one column of an array, for atomic operations."""
    if SIMULATED:
        return lambda flat, at: laid(layout)(flat, at)[which][..., column]
    numba, (worlds, bodies) = inside(), layout[which].dims[:2]
    first, together = place_of(layout, which, column)

    def view(_: Any, flat: Any, at: Any) -> Any:  # noqa: ANN401
        kind = numba.types.Array(flat.dtype, 2, "A")

        def build(context: Any, builder: Any, _: Any, args: Any) -> Any:  # noqa: ANN401
            given = builder.gep(numba.arrays.make_array(flat)(context, builder, args[0]).data, [args[1]])
            data = builder.gep(given, [context.get_constant(numba.types.intp, first)])
            return viewed(context, builder, kind, data, (worlds, bodies), (together, worlds * together))

        return kind(flat, at), build

    return numba.extending.intrinsic(view)


def place_of(layout: Layout, which: int, column: int) -> tuple[int, int]:
    """Return where a column begins in the room of all, and how far one world's number is from that of the next one."""
    for moved, there, place in layout[which].elsewhere:
        if moved == column:
            which, column = there, place
    rows = layout[which]
    chunk, lane = divmod(column + rows.first, rows.together)
    return start_of(layout, which) + chunk * math.prod(rows.dims[:-1]) * rows.together + lane, rows.together


@cache
def _placed_type() -> Any:  # noqa: ANN401
    """Return numba's type of arrays that lie as a layout says, or where it is none side by side in a thread's room."""
    extending, types, arrays = inside().extending, inside().types, inside().arrays
    plain: Any = types.Array

    class Placed(plain):  # type: ignore[misc]
        def __init__(self, dtype: Any, dims: tuple[int, ...], which: int = -1, layout: Layout = ()) -> None:  # noqa: ANN401
            self.which, self.layout_of_all, self.dims = which, layout, dims
            super().__init__(dtype, len(dims), "A", name=f"placed({dtype}, {dims}, {which}, {layout})")

        @property
        def key(self) -> Any:  # noqa: ANN401
            return self.dtype, self.dims, self.which, self.layout_of_all

        @property
        def mangling_args(self) -> Any:  # noqa: ANN401
            return "Placed", [self.dtype, self.which + 1, *self.dims]

    extending.register_model(Placed)(extending.core_models.ArrayModel)

    def element(context: Any, builder: Any, kind: Any, given: Any, index: Any) -> Any:  # noqa: ANN401
        data = arrays.make_array(kind)(context, builder, given).data
        if not kind.layout_of_all:
            return own_address(builder, kind.dims, data, index)
        return address(builder, kind.layout_of_all, kind.which, data, index)

    def get(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # noqa: ANN401
        place, align = element(context, builder, signature.args[0], *args)
        return builder.load(place, align=align)

    def put(context: Any, builder: Any, signature: Any, args: Any) -> None:  # noqa: ANN401
        kind, _, given = signature.args
        place, align = element(context, builder, kind, *args[:2])
        value = context.cast(builder, args[2], given, kind.dtype)
        builder.store(value, place, align=align)
        _fill(builder, kind, args[1], place, value)

    extending.lower_builtin(operator.getitem, Placed, types.BaseTuple)(get)
    extending.lower_builtin(operator.setitem, Placed, types.BaseTuple, types.Any)(put)
    return Placed


def _fill(builder: Any, kind: Any, index: Any, place: Any, value: Any) -> None:  # noqa: ANN401
    """Write the free places behind an element too: 32 bytes that are written in part are read first."""
    for column, step in kind.layout_of_all[kind.which].fills if kind.layout_of_all else ():
        if column == _known(_part(index, len(kind.dims) - 1)):
            builder.store(value, builder.gep(place, [import_module("llvmlite.ir").IntType(64)(step)]))


def own_address(builder: Any, dims: tuple[int, ...], data: Any, index: Any) -> tuple[Any, int]:  # noqa: ANN401
    """Return the address of an element of a thread's own array, and what it is surely a multiple of."""
    ir, size, last = import_module("llvmlite.ir"), 4 if str(data.type.pointee) == "float" else 8, len(dims) - 1
    for k in range(1, last):
        part, step = builder.trunc(builder.extract_value(index, k), ir.IntType(32)), math.prod(dims[k + 1 :])
        data = builder.gep(data, [builder.zext(builder.mul(part, part.type(step)), ir.IntType(64))])
    return builder.gep(data, [builder.extract_value(index, last)]), size


def address(builder: Any, layout: Layout, which: int, data: Any, index: Any) -> tuple[Any, int]:  # noqa: ANN401
    """Return the address of an element of the room that begins at ``data``, and what it is surely a multiple of.

    32 bits hold a place in a tile. Where the column is known the compiler may join accesses to neighbouring ones.
    """
    ir, rows, size = import_module("llvmlite.ir"), layout[which], 4 if str(data.type.pointee) == "float" else 8
    narrow, wide = ir.IntType(32), ir.IntType(64)
    *at, column = (builder.trunc(builder.extract_value(index, k), narrow) for k in range(len(rows.dims)))
    row = at[0] if len(at) == 1 else builder.add(builder.mul(at[1], narrow(rows.dims[0])), at[0])
    known = _known(_part(index, len(rows.dims) - 1))
    if known is None:
        return builder.gep(data, [builder.zext(_searched(builder, layout, which, row, column), wide)]), size
    first, together = place_of(layout, which, known)
    data = builder.gep(data, [builder.zext(builder.mul(row, narrow(together)), wide)])
    return builder.gep(data, [wide(first)]), min(size * (first & -first or together), size * together, WIDEST)


def _searched(builder: Any, layout: Layout, which: int, row: Any, column: Any) -> Any:  # noqa: ANN401
    """Return the place of an element whose column only the card knows."""
    narrow, rows = row.type, layout[which]
    shifted = builder.add(column, narrow(rows.first))
    chunk, lane = (part(shifted, narrow(rows.together)) for part in (builder.udiv, builder.urem))
    row_there = builder.add(builder.mul(chunk, narrow(math.prod(rows.dims[:-1]))), row)
    there = builder.add(builder.mul(row_there, narrow(rows.together)), lane)
    place = builder.add(there, narrow(start_of(layout, which)))
    for moved, _, _ in rows.elsewhere:
        first, together = place_of(layout, which, moved)
        away = builder.add(builder.mul(row, narrow(together)), narrow(first))
        place = builder.select(builder.icmp_unsigned("==", column, narrow(moved)), away, place)
    return place


def _part(whole: Any, k: int) -> Any:  # noqa: ANN401
    """Return the value that a tuple was made with at k; None where that cannot be seen."""
    while getattr(whole, "opname", "") == "insertvalue":
        if tuple(whole.indices) == (k,):
            return whole.operands[1]
        whole = whole.operands[0]
    return None


def _known(value: Any) -> int | None:  # noqa: ANN401
    """Return a number that stands in the code, is a sum of such, or was put into a tuple; None: only the card knows."""
    if isinstance(getattr(value, "constant", None), int):
        return int(value.constant)
    if getattr(value, "opname", "") == "extractvalue":
        return _known(_part(value.operands[0], value.indices[0]))
    if getattr(value, "opname", "") == "add":
        parts = [_known(one) for one in value.operands]
        return None if None in parts else sum(part for part in parts if part is not None)
    return None
