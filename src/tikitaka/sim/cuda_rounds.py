"""The step on a graphics card: a block of threads takes a block of worlds through the rounds of `kernels.rounds`.

What every world needs each thread does for its own. What few need, or some more often than others, goes into lists from
which all threads take: then the 32 threads of a warp, which run in step, do the same thing, and fewer of them wait.
Names are those of `cuda_pieces`.
"""

import math
from functools import cache
from itertools import accumulate

import numpy as np

from tikitaka.sim.card import BLOCK, cuda, device, entries, entry_of, shaped
from tikitaka.sim.cuda_pieces import BEGUN, HULLS, KEPT, LISTED, LISTS, OTHERS, Array, Arrays, Kernel, of_kind, round_of
from tikitaka.sim.kernels import rounds
from tikitaka.sim.kernels.rounds import (
    ANEW,
    AWAKE,
    BOOK_ROWS,
    CLOCK_ROWS,
    COUNT,
    DONE,
    ROUND,
    SERVED,
    STATE,
    STEPS,
)  # fmt: skip
from tikitaka.sim.kernels.tables import WALLS

Shape = tuple[int, ...]


@cache
def step(kind: str, room: tuple[Shape, ...], fixed: tuple[Shape, ...]) -> Kernel:
    """Return the function that steps worlds in float32 or float64, for `cuda.jit`, given the shapes that it works on.

    ``room``: a block's poses, velocities, wheel rates, balls, wheel commands, scratch; ``fixed``: what never changes.
    """
    number, open_all, pass_round = getattr(np, kind), _opening(kind), round_of(kind)
    enter, carry = of_kind(kind, rounds.enter), of_kind(kind, rounds.carry)
    at = tuple(accumulate((math.prod(one) for one in room), initial=0))
    pose, velocity, spin, ball, aims, ahead, after, rows, manifold, pairs = (shaped(one, "F") for one in room)
    boards, edges, hull, rim, bins, play, chassis, axles, limit = (shaped(one, "C") for one in fixed)

    def run_step(count: int, ticks: int, tick: Array, given: Arrays, f: Arrays, x: Array, queue: Array) -> None:
        clock = cuda.shared.array((CLOCK_ROWS, BLOCK), number)
        book = cuda.shared.array((BOOK_ROWS, BLOCK), np.int32)
        worlds = cuda.shared.array((3, BLOCK), np.int32)
        lengths = cuda.shared.array(LISTS, np.int32)
        w, b, o = cuda.threadIdx.x, cuda.blockIdx.x, cuda.blockIdx.x * at[10]
        world = (pose(x, o), velocity(x, o + at[1]), spin(x, o + at[2]), ball(x, o + at[3]))
        work = (ahead(x, o + at[5]), after(x, o + at[6]), rows(x, o + at[7]), manifold(x, o + at[8]))
        aim, scratch = aims(x, o + at[4]), (*work, pairs(x, o + at[9]))
        place = (boards(f[0], 0), edges(f[1], 0), hull(f[2], 0), rim(f[3], 0), bins(f[4], 0), play(f[5], 0))
        pitch, limits = (world, place, (chassis(f[6], 0), axles(f[7], 0)), scratch), limit(f[8], 0)
        tables, lists = (clock, book), (lengths, queue[b], worlds)
        for k in range(w, LISTS, cuda.blockDim.x):
            lengths[k] = 0
        for first in range(b * BLOCK, count, cuda.gridDim.x * BLOCK):
            own, last = first + w, min(first + BLOCK, count)
            marks = (given[4][first:last], given[5][first:last], given[6][first:last], given[7][first:last])
            orders = (aim, given[9][first:last], given[10][first:last], given[11][first:last])
            enter(w, ticks * int(limits[1]) if own < last else 0, clock, book)
            if own < last:
                carry(own, w, given[:4], given[8], world, aim)
            cuda.syncthreads()
            while open_all(w, orders, marks, limits, pitch, tables, lists):
                pass_round(w, aim, marks, limits, pitch, tables, lists)
            if own < last:
                carry(w, own, world, aim, given[:4], given[8])
                tick[own] += ticks

    return run_step


@device
def _list_pairs(w: int, count: int, n: int, walls: int, pairs: Array, lengths: Array, queue: Array) -> None:
    """Add a world's pairs to the queue."""
    hulls = 0
    for k in range(count):
        a, b = int(pairs[w, k, 0]), int(pairs[w, k, 1])
        if b < n and (a >= 0 or a < -walls):
            hulls += 1
    i, j = cuda.atomic.add(lengths, HULLS, hulls), queue.shape[1] - 1
    j -= cuda.atomic.add(lengths, OTHERS, count - hulls)
    for k in range(count):
        a, b = int(pairs[w, k, 0]), int(pairs[w, k, 1])
        if b < n and (a >= 0 or a < -walls):
            queue[0, i] = k * BLOCK + w
            i += 1
        else:
            queue[0, j] = k * BLOCK + w
            j -= 1


def _opening(kind: str) -> Kernel:
    """Return what ends a round, begins the next, and says whether there is one."""
    start, ready, close_round = (of_kind(kind, one) for one in (rounds.start, rounds.ready, rounds.close_round))

    @device
    def open_all(
        w: int, orders: Arrays, marks: Arrays, limits: Array, pitch: Arrays, tables: Arrays, lists: Arrays
    ) -> int:
        world, room, _, scratch = pitch
        clock, book = tables
        lengths, queue, worlds = lists
        s = np.uint32(w)
        if book[STATE, w] == SERVED:
            book[STATE, w] = AWAKE
        if book[DONE, w] > 0 and book[STATE, w] == AWAKE:
            close_round(s, s, s, limits, world, room, scratch, clock, book)
        if book[STEPS, w] > 0 and book[ROUND, w] == 0 and book[STATE, w] == AWAKE:
            if book[ANEW, w] > 0:
                worlds[BEGUN, cuda.atomic.add(lengths, LISTED, 1)] = w
            else:
                worlds[BEGUN, BLOCK - 1 - cuda.atomic.add(lengths, KEPT, 1)] = w
        cuda.syncthreads()
        for q in range(w, entries(lengths[LISTED], lengths[KEPT]), cuda.blockDim.x):
            entry = entry_of(q, lengths[LISTED], worlds[BEGUN])
            if entry >= 0:
                v = np.uint32(entry)
                start(v, v, v, orders, marks, limits, world, room, scratch, clock, book)
        cuda.syncthreads()
        if book[STEPS, w] > 0 and book[STATE, w] == AWAKE:
            ready(s, s, s, world, room, scratch, clock, book)
            _list_pairs(w, book[COUNT, w], world[0].shape[1], int(room[5][WALLS]), scratch[4], lengths, queue)
        return int(cuda.syncthreads_or(book[STEPS, w]))

    return open_all
