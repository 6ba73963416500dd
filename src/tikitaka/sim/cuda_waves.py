"""The step on a graphics card: a round of `kernels.rounds` is a row of waves, each one piece for all worlds.

A wave is one launch. Its threads take worlds, bodies or pairs from lists that earlier waves wrote, so that the 32
threads of a warp, which run in step, do the same thing; a wave waits for its longest piece, no thread for another one.
How long the lists are only the card knows.

v        world; w: its place among the BLOCK worlds whose numbers lie together; i: body; k: pair
x, y     what is worked in, floats and ints: for each BLOCK of worlds the arrays of `tables`, clock and book
lists    their lengths, APART places from one to the next, where each begins, and all entries; an entry is v, or v times
         the number of robots, or of pairs, plus i or k
given    the batch's arrays, in the order of `arrays.moving` and `arrays.commanded`
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from tikitaka.geom.jit import single
from tikitaka.sim.card import (
    BLOCK,
    Array,
    Arrays,
    along,
    anybody,
    cuda,
    device,
    entries,
    entry_of,
    lowering,
    put,
    put_all,
    shaped,
    stride,
    turns,
    world_of,
)  # fmt: skip
from tikitaka.sim.cuda_layout import AHEAD, PAIR_ROWS, Layout, column, laid, own
from tikitaka.sim.cuda_leaning import contact_waves
from tikitaka.sim.cuda_lists import (
    ACTIVE,
    HARD,
    KINDS,
    OVERLAP,
    PAIRS,
    SEARCH,
    STRUCK,
    TICKED,
    Kernel,
    kind_of,
)  # fmt: skip
from tikitaka.sim.cuda_worlds import world_waves
from tikitaka.sim.kernels import impacts, motion, rounds
from tikitaka.sim.kernels.rounds import BOOK_ROWS, CLOCK_ROWS, COUNT, CUT, FIRST, SEEN
from tikitaka.sim.kernels.tables import TIES, WALLS

ROUND_OF_WAVES = (
    "turn", "open", "list", "sift", "look", "sort", "plan", "drive", "creep", "pair_off", "pair_on", "wall_off",
    "wall_on", "lean", "chance", "meet", "move", "overlap", "serve",
)  # fmt: skip


def waves(kind: str, room: Layout, fixed: Arrays) -> dict[str, Callable[..., None]]:
    """Return all waves, and what brings worlds in and out, for `cuda.jit`.

    ``room``: the arrays that a BLOCK of worlds is worked on in; ``fixed``: those that never change, on this side.
    """
    of_kind = single if kind == "float32" else _same
    view, pitch = _view(room), _pitch(fixed)
    n = room[0].dims[1]
    common = (of_kind, view, pitch, n, room[PAIR_ROWS].dims[1])
    near, lines, manifold = (own(room[k].dims, kind) for k in (5, 7, 8))
    made = [
        world_waves(*common[:4], own((BLOCK, n, 2), kind), lines, manifold),
        contact_waves(*common, near, lines, manifold, _ties(room)),
        *(part(*common) for part in (_sifting, _paths, _meetings)),
    ]
    return {name: wave for some in made for name, wave in some.items()}


def size(room: Layout) -> int:
    """Return how many floats a BLOCK of worlds works in."""
    return sum(one.size for one in room) + CLOCK_ROWS * BLOCK


def _same(kernel: Kernel) -> Kernel:
    return kernel


def _view(room: Layout) -> Kernel:
    """Return what finds a world: its place, its four arrays, wheel commands, scratch, clock and book."""
    rooms, clocks, books = laid(room), shaped((CLOCK_ROWS, BLOCK)), shaped((BOOK_ROWS, BLOCK))
    block, before = size(room), size(room) - CLOCK_ROWS * BLOCK

    @device
    def view(v: int, x: Array, y: Array) -> Any:  # noqa: ANN401
        b = v // BLOCK
        r = rooms(x, b * block)
        clock, book = clocks(x, b * block + before), books(y, b * BOOK_ROWS * BLOCK)
        return np.uint32(v % BLOCK), r[:4], r[4], r[5:10], clock, book

    return view


def _ties(room: Layout) -> Kernel:
    """Return what finds in how many lasting contacts the bodies of a world's BLOCK are; numba returns it in a tuple."""
    ties, block = column(room, AHEAD, TIES), size(room)

    @device
    def ties_of(v: int, x: Array) -> Any:  # noqa: ANN401
        return (ties(x, v // BLOCK * block),)

    return ties_of


def _pitch(fixed: Arrays) -> Kernel:
    """Return what gives room, robot and limits. The compiler knows their numbers: most checks are then done by it."""
    boards, edges, hull, rim, bins, play, chassis, axles, limits = fixed

    @device
    def pitch() -> Any:  # noqa: ANN401
        known = cuda.const.array_like
        room = (known(boards), known(edges), known(hull), known(rim), known(bins), known(play))
        return room, (known(chassis), known(axles)), known(limits)

    return pitch


def _sifting(of_kind: Kernel, view: Kernel, pitch: Kernel, n: int, p: int) -> dict[str, Kernel]:
    """Return the wave that goes through the pairs of every world and lists those that are not far apart."""
    run_sift = of_kind(rounds.sift)

    def sift(first: int, end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        room, q, many = pitch()[0], along(), entries(ACTIVE, 1, lists)
        while anybody(q < many):
            v = world_of(q, ACTIVE, first, end, lists)
            w, world, _, scratch, clock, book = view(max(v, 0), x, y)
            k, count = int(cuda.blockIdx.x), book[COUNT, w] if v >= 0 else 0
            while anybody(k < count):
                near = k < count and run_sift(w, k, world, scratch[4], clock, book)
                put_all(PAIRS + kind_of(w, k, n, room[5][WALLS], scratch[4]) if near else -1, v * p + k, lists)
                k += cuda.gridDim.x
            q += stride()

    return {"sift": sift}


def _paths(of_kind: Kernel, view: Kernel, pitch: Kernel, n: int, _p: int) -> dict[str, Kernel]:
    """Return the waves over bodies: where they will be, and going there."""
    run_drive, run_creep, run_move = map(of_kind, (rounds.drive, motion.foresee_rest, rounds.move))
    ends_tick = of_kind(rounds.ends_tick)

    def drive(first: int, end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        (room, robot, _), i, q = pitch(), cuda.blockIdx.x, along()
        v = world_of(q, ACTIVE, first, end, lists)
        while v >= 0:
            w, world, aim, scratch, clock, book = view(v, x, y)
            if not run_drive(w, i, aim, world, room, robot, scratch, clock, book):
                put(HARD, v * n + i, lists)
            q += stride()
            v = world_of(q, ACTIVE, first, end, lists)

    def creep(_first: int, _end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        robot = pitch()[1]
        for q in range(cuda.grid(1), entries(HARD, 1, lists), cuda.gridsize(1)):
            entry = entry_of(q, HARD, 1, lists)
            if entry >= 0:
                w, world, aim, scratch, clock, _ = view(entry // n, x, y)
                run_creep(w, w, entry % n, clock[CUT, w], aim, world, robot, scratch)

    def move(first: int, end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        (room, _, limits), i, q = pitch(), cuda.blockIdx.x, along()
        v = world_of(q, ACTIVE, first, end, lists)
        while v >= 0:
            w, world, _, scratch, clock, book = view(v, x, y)
            if run_move(w, i, world, room, scratch, clock, book):
                put(STRUCK, v, lists)
            if i == n and ends_tick(w, limits, book):
                put(TICKED, v, lists)
            q += stride()
            v = world_of(q, ACTIVE, first, end, lists)

    return {"drive": drive, "creep": creep, "move": move}


def _meetings(of_kind: Kernel, view: Kernel, pitch: Kernel, n: int, p: int) -> dict[str, Kernel]:
    """Return the waves over pairs: who may meet, when they do, and who overlaps at the end of a substep."""
    run_chance, meeting, may_meet = map(of_kind, (impacts.chance, impacts.meeting, rounds.may_meet))
    parts, lower = of_kind(rounds.parts), lowering()

    def chance(_first: int, _end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        room = pitch()[0]
        for turn in range(turns(entries(PAIRS, KINDS, lists))):
            entry, found = entry_of(cuda.grid(1) + turn * cuda.gridsize(1), PAIRS, KINDS, lists), -1
            if entry >= 0:
                w, world, _, scratch, clock, book = view(entry // p, x, y)
                if may_meet(w, book) and run_chance(w, w, entry % p, clock[CUT, w], world, room, scratch) > 0.0:
                    found = SEARCH + kind_of(w, entry % p, n, room[5][WALLS], scratch[4])
            put_all(found, entry, lists)

    def meet(_first: int, _end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        room = pitch()[0]
        for q in range(cuda.grid(1), entries(SEARCH, KINDS, lists), cuda.gridsize(1)):
            entry = entry_of(q, SEARCH, KINDS, lists)
            if entry >= 0:
                w, world, _, scratch, clock, _ = view(entry // p, x, y)
                k, cut = entry % p, clock[CUT, w]
                bound = run_chance(w, w, k, cut, world, room, scratch)
                lower(clock, FIRST, w, meeting(w, w, k, bound, cut, world, room, scratch))

    def overlap(_first: int, _end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        room = pitch()[0]
        for q in range(cuda.grid(1), entries(PAIRS, KINDS, lists), cuda.gridsize(1)):
            entry = entry_of(q, PAIRS, KINDS, lists)
            if entry >= 0:
                w, world, _, scratch, _, book = view(entry // p, x, y)
                if parts(w, entry % p, world, room, scratch, book) and cuda.atomic.max(book, (SEEN, w), 1) == 0:
                    put(OVERLAP, entry // p, lists)

    return {"chance": chance, "meet": meet, "overlap": overlap}
