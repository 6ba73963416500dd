"""Where the card's kernels find a number: the addresses that they compute are computed here, by the processor."""

import ctypes
import math
from collections.abc import Callable
from functools import partial
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np
import pytest
from pitch_judge import params_of

from tikitaka.sim import arrays
from tikitaka.sim.cuda_layout import AHEAD, Layout, address, layout_of, own_address, place_of
from tikitaka.sim.kernels.tables import BEFORE, COS, MARK, SIN, TIES

TILE = 4
LEAGUES = ("vsss-3v3", "mirosot-5v5", "ssl-b")


def layout(league: str) -> Layout:
    params = params_of(league)
    shapes = [shape for shape, _, _ in arrays.scratch(params, TILE)]
    return layout_of(TILE, params.robots, len(params.robot.drive.wheels), shapes)


def finder(layout: Layout, which: int, column: int | None) -> Callable[..., int]:
    """Return the compiled function that tells at which number of the room an element lies; None: a column not known."""
    return compiled(len(layout[which].dims), column, partial(address, layout=layout, which=which))


def compiled(many: int, column: int | None, address: Callable[..., tuple[Any, int]]) -> Callable[..., int]:
    """Return the same of a function that makes the code for an address, of as many indices."""
    ir, llvm = import_module("llvmlite.ir"), import_module("llvmlite.binding")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    wide, module = ir.IntType(64), ir.Module()
    function = ir.Function(module, ir.FunctionType(wide, [wide] * many), "find")
    builder = ir.IRBuilder(function.append_basic_block())
    index = ir.Constant(ir.LiteralStructType([wide] * many), ir.Undefined)
    for k, part in enumerate(function.args):
        known = column is not None and k == many - 1
        index = builder.insert_value(index, wide(column) if known else part, k)
    base = builder.inttoptr(wide(0), ir.FloatType().as_pointer())
    place, align = address(builder, data=base, index=index)
    builder.ret(builder.udiv(builder.ptrtoint(place, wide), wide(4)))
    machine = llvm.Target.from_default_triple().create_target_machine()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(str(module)), machine)
    engine.finalize_object()
    run: Any = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * many)(engine.get_function_address("find"))

    def find(*at: int) -> int:
        found = int(run(*at))
        assert 4 * found % align == 0
        assert engine  # whose code runs
        return found

    return find


@pytest.mark.parametrize("league", LEAGUES)
def test_no_two_numbers_share_a_place_and_none_lies_outside(league: str) -> None:
    rooms, taken = layout(league), dict[int, tuple[int, ...]]()
    size = sum(one.size for one in rooms)
    for which in range(10):  # behind them lie columns of these
        find, dims = finder(rooms, which, None), rooms[which].dims
        for at in product(*map(range, dims)):
            ball = which == AHEAD and at[1] == dims[1] - 1
            if ball and at[2] in (COS, SIN):  # which the ball has not
                continue
            place = find(*at)
            assert 0 <= place < size
            assert taken.setdefault(place, (which, *at)) == (which, *at)
    assert len(taken) > 0.5 * size


@pytest.mark.parametrize("league", LEAGUES)
def test_a_column_is_where_it_is_whether_the_compiler_knows_it_or_not(league: str) -> None:
    rooms = layout(league)
    for which in range(10):
        dims, searched = rooms[which].dims, finder(rooms, which, None)
        every, some = range(dims[-1]), (0, 5, 8, 26, BEFORE, BEFORE + 2, MARK, TIES, COS, SIN)
        for column in some if which == AHEAD else every:
            known = finder(rooms, which, column)
            first, together = place_of(rooms, which, column)
            for at in product(*(range(n - 1) for n in dims[:-1])):
                row = int(np.ravel_multi_index(at[::-1], dims[:-1][::-1]))
                assert searched(*at, column) == known(*at, 0) == first + row * together


@pytest.mark.parametrize("league", LEAGUES)
def test_what_is_asked_for_together_is_fetched_at_once(league: str) -> None:
    rooms = layout(league)
    sectors = {finder(rooms, which, c)(1, 2, 0) // 8 for which in (0, 1) for c in range(3)}
    sectors |= {finder(rooms, AHEAD, c)(1, 2, 0) // 8 for c in (COS, SIN)}
    assert len(sectors) == 1
    assert all(math.log2(one.together).is_integer() for one in rooms)


@pytest.mark.parametrize("dims", [(TILE, 11, 100), (TILE, 7, 19), (TILE, 2, 5), (TILE, 6)])
def test_in_its_own_array_a_thread_finds_numbers_side_by_side_whatever_its_world(dims: tuple[int, ...]) -> None:
    find = compiled(len(dims), None, partial(own_address, dims=dims))
    inner = dims[1:]
    for at in product(*map(range, inner)):
        assert find(0, *at) == find(77, *at) == int(np.ravel_multi_index(at, inner))
