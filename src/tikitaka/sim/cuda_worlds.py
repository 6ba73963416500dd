"""The waves over worlds: what brings them in and out, begins a round, and ends it. See `cuda_waves`."""

from tikitaka.sim.card import (
    APART,
    Array,
    Arrays,
    along,
    cuda,
    entries,
    entry_of,
    put,
    put_all,
    stride,
    turns,
    world_of,
)
from tikitaka.sim.cuda_lists import ACTIVE, ANEW, LEFT_OVER, LISTS, STRUCK, TICKED, Kernel, marks_of, orders_of
from tikitaka.sim.kernels import rounds
from tikitaka.sim.kernels.rounds import DONE, OVER, ROUND, STEPS


def world_waves(
    of_kind: Kernel, view: Kernel, pitch: Kernel, n: int, places: Kernel, lines: Kernel, manifold: Kernel
) -> dict[str, Kernel]:
    """Return all of them."""
    begun = {**_gates(of_kind, view), **_turns(of_kind, view, pitch), **_openings(of_kind, view, pitch, n, places)}
    return {**begun, **_serving(of_kind, view, pitch, lines, manifold)}


def _gates(of_kind: Kernel, view: Kernel) -> dict[str, Kernel]:
    """Return what brings worlds in, with so many substeps to be done, and out."""
    run_enter, carry = of_kind(rounds.enter), of_kind(rounds.carry)

    def enter(first: int, end: int, steps: int, given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        v = first + cuda.grid(1)
        if v < end:
            w, world, aim, _, clock, book = view(v, x, y)
            run_enter(w, steps, clock, book)
            carry(v, w, given[:4], given[8], world, aim)
            put(TICKED, v, lists)

    def leave(count: int, ticks: int, tick: Array, given: Arrays, x: Array, y: Array) -> None:
        v = cuda.grid(1)
        if v < count:
            w, world, aim, _, _, _ = view(v, x, y)
            carry(w, v, world, aim, given[:4], given[8])
            tick[v] += ticks

    return {"enter": enter, "leave": leave}


def _turns(of_kind: Kernel, view: Kernel, pitch: Kernel) -> dict[str, Kernel]:
    """Return the wave over robots that ends a tick and begins the next one."""
    run_turn = of_kind(rounds.turn)

    def turn(first: int, end: int, given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        limits, i, q = pitch()[2], cuda.blockIdx.x, along()
        v = world_of(q, TICKED, first, end, lists)
        while v >= 0:
            w, world, aim, scratch, _, book = view(v, x, y)
            _, touched, _, counts = marks_of(v - w, given)
            mended = run_turn(w, i, orders_of(v - w, aim, given), touched, limits, world, scratch[0], book)
            if mended > 0:
                cuda.atomic.add(counts, (w, 2), mended)
            q += stride()
            v = world_of(q, TICKED, first, end, lists)

    return {"turn": turn}


def _openings(of_kind: Kernel, view: Kernel, pitch: Kernel, n: int, places: Kernel) -> dict[str, Kernel]:
    """Return the waves over worlds that begin a round."""
    close_round, start, ready = map(of_kind, (rounds.close_round, rounds.start, rounds.ready))
    run_list = of_kind(rounds.list_anew)

    def open_round(first: int, end: int, given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        room, _, limits = pitch()
        if cuda.grid(1) == 0:
            for k in range(TICKED, LISTS):
                lists[0][k * APART] = 0
        for turn in range(turns(end - first)):
            v, found = first + cuda.grid(1) + turn * cuda.gridsize(1), -1
            if v < end:
                w, world, aim, scratch, clock, book = view(v, x, y)
                if book[DONE, w] == OVER:
                    close_round(w, limits, clock, book)
                if book[STEPS, w] > 0:
                    if book[ROUND, w] == 0:
                        orders, marks = orders_of(v - w, aim, given), marks_of(v - w, given)
                        if start(w, orders, marks, limits, world, room, clock, book):
                            put(ANEW, v, lists)
                    ready(w, world, room, scratch, clock, book)
                    found = ACTIVE
            put_all(found, v, lists)

    def list_anew(first: int, end: int, _given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        (room, _, limits), q, near = pitch(), cuda.grid(1), places()
        v = world_of(q, ANEW, first, end, lists)
        while v >= 0:
            w, world, _, scratch, clock, book = view(v, x, y)
            for i in range(n):
                near[0, i, 0], near[0, i, 1] = world[0][w, i, 0], world[0][w, i, 1]
            run_list(w, limits, (near, *world[1:]), room, scratch[4], clock, book)
            q += cuda.gridsize(1)
            v = world_of(q, ANEW, first, end, lists)

    return {"open": open_round, "list": list_anew}


def _serving(of_kind: Kernel, view: Kernel, pitch: Kernel, lines: Kernel, manifold: Kernel) -> dict[str, Kernel]:
    """Return the wave over worlds that sees to impacts and overlaps."""
    run_serve = of_kind(rounds.serve)

    def serve(_first: int, _end: int, given: Arrays, x: Array, y: Array, lists: Arrays) -> None:
        (room, robot, limits), contacts, points = pitch(), lines(), manifold()
        if cuda.grid(1) == 0:
            lists[0][LEFT_OVER * APART] = lists[0][ACTIVE * APART]
            lists[0][ACTIVE * APART], lists[0][ANEW * APART] = 0, 0
        for q in range(cuda.grid(1), entries(STRUCK, 2, lists), cuda.gridsize(1)):
            v = entry_of(q, STRUCK, 2, lists)
            if v >= 0:
                w, world, _, (ahead, after, _, _, pairs), clock, book = view(v, x, y)
                scratch = (ahead, after, contacts, points, pairs)
                run_serve(w, marks_of(v - w, given), limits, world, room, robot, scratch, clock, book)

    return {"serve": serve}
