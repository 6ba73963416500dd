"""The pieces of a round on a graphics card: what the threads of a block do between two waits for one another.

Each calls a kernel of the processor, for the thread's own world or for entries that it takes from a list.

w        thread, and its world's place in the block; v: that of a world taken from a list
pitch    world, room, robot and scratch, see `kernels.tables`; tables: clock and book, see `kernels.rounds`
queue    (2, m)  pairs, those of two hulls from the front, others from the back; and robots, or pairs, that take longer;
                 an entry is the number of the robot or the pair, times BLOCK, plus v
worlds   (3, w)  lists of worlds: that lean, few contacts from the front, many from the back; that wait for an impact or
                 an overlap to be seen to; and that begin a substep, those whose pairs are listed anew from the front
lengths  (9,)    of all these lists; each is emptied while nobody reads it
"""

from typing import Any, TypeAlias

import numpy as np

from tikitaka.geom.jit import single
from tikitaka.sim.card import BLOCK, cuda, device, entries, entry_of
from tikitaka.sim.kernels import impacts, motion, overlaps, rounds
from tikitaka.sim.kernels.rounds import AWAKE, CUT, DONE, FIRST, FOUND, SEEN, STATE, STEPS, WAITS
from tikitaka.sim.kernels.tables import LEANS, MARK

Array: TypeAlias = Any  # on the card
Arrays: TypeAlias = Any  # a tuple of them, or of such tuples
Kernel: TypeAlias = Any

HULLS, OTHERS, HARD, SEARCH, FEW, MANY, LISTED, KEPT, WAITING, LISTS = range(10)
LEANING, STRUCK, BEGUN = range(3)


def of_kind(kind: str, kernel: Kernel) -> Kernel:
    """Return a kernel as it is, or its twin in float32."""
    return single(kernel) if kind == "float32" else kernel


def round_of(kind: str) -> Kernel:
    """Return the pieces of a round, one after another; between any two all threads of the block wait."""
    look_all, lean_all, meet_all, move_all = _looking(kind), _leaning(kind), _meeting(kind), _moving(kind)
    plan_all, creep_all = _driving(kind)

    @device
    def pass_round(
        w: int, aim: Array, marks: Arrays, limits: Array, pitch: Arrays, tables: Arrays, lists: Arrays
    ) -> None:
        look_all(w, pitch, tables, lists)
        cuda.syncthreads()
        plan_all(w, aim, pitch, tables, lists)
        cuda.syncthreads()
        creep_all(w, aim, pitch, tables, lists)
        cuda.syncthreads()
        lean_all(w, aim, marks, limits, pitch, tables, lists)
        cuda.syncthreads()
        meet_all(w, pitch, tables, lists)
        cuda.syncthreads()
        move_all(w, pitch, tables, lists)

    return pass_round


def _looking(kind: str) -> Kernel:
    """Return the piece that looks at all pairs."""
    look = of_kind(kind, rounds.look)

    @device
    def look_all(w: int, pitch: Arrays, tables: Arrays, lists: Arrays) -> None:
        lengths, queue = lists[0], lists[1]
        if w == 0:
            lengths[LISTED], lengths[KEPT] = 0, 0
        for q in range(w, entries(lengths[HULLS], lengths[OTHERS]), cuda.blockDim.x):
            entry = entry_of(q, lengths[HULLS], queue[0])
            if entry >= 0:
                v = np.uint32(entry % BLOCK)
                look(v, v, v, entry // BLOCK, pitch[0], pitch[1], pitch[3], tables[0], tables[1])

    return look_all


def _driving(kind: str) -> tuple[Kernel, Kernel]:
    """Return the pieces that foresee all robots that do not lean: those that drive as most do; the others."""
    plan, cruise, creep = (of_kind(kind, one) for one in (rounds.plan, motion.foresee_cruise, motion.foresee_rest))
    leans = getattr(np, kind)(LEANS)

    @device
    def plan_all(w: int, aim: Array, pitch: Arrays, tables: Arrays, lists: Arrays) -> None:
        world, room, robot, scratch = pitch
        clock, book = tables
        lengths, queue, worlds = lists
        s = np.uint32(w)
        if book[STEPS, w] > 0 and book[STATE, w] == AWAKE:
            plan(s, s, s, world, room, robot, scratch, clock, book)
            if book[FOUND, w] > 2:
                worlds[LEANING, BLOCK - 1 - cuda.atomic.add(lengths, MANY, 1)] = w
            elif book[FOUND, w] > 0:
                worlds[LEANING, cuda.atomic.add(lengths, FEW, 1)] = w
            for i in range(world[0].shape[1]):
                if scratch[0][s, i, MARK] != leans and not cruise(s, s, i, clock[CUT, w], aim, world, robot, scratch):
                    queue[1, cuda.atomic.add(lengths, HARD, 1)] = i * BLOCK + w

    @device
    def creep_all(w: int, aim: Array, pitch: Arrays, tables: Arrays, lists: Arrays) -> None:
        lengths, queue = lists[0], lists[1]
        for q in range(w, lengths[HARD], cuda.blockDim.x):
            v = np.uint32(queue[1, q] % BLOCK)
            creep(v, v, queue[1, q] // BLOCK, tables[0][CUT, v], aim, pitch[0], pitch[2], pitch[3])

    return plan_all, creep_all


def _leaning(kind: str) -> Kernel:
    """Return the piece that lets all lean that do, and sees to impacts and overlaps meanwhile."""
    rest, serve = of_kind(kind, rounds.rest), of_kind(kind, rounds.serve)

    @device
    def lean_all(
        w: int, aim: Array, marks: Arrays, limits: Array, pitch: Arrays, tables: Arrays, lists: Arrays
    ) -> None:
        world, room, robot, scratch = pitch
        clock, book = tables
        lengths, _, worlds = lists
        for q in range(w, entries(lengths[FEW], lengths[MANY]), cuda.blockDim.x):
            entry = entry_of(q, lengths[FEW], worlds[LEANING])
            if entry >= 0:
                v = np.uint32(entry)
                rest(v, v, v, aim, marks, world, room, robot, scratch, clock, book)
        for q in range(cuda.blockDim.x - 1 - w, lengths[WAITING], cuda.blockDim.x):  # by threads with less to do above
            v = np.uint32(worlds[STRUCK, q])
            serve(v, v, v, marks, limits, world, room, robot, scratch, clock, book)

    return lean_all


def _meeting(kind: str) -> Kernel:
    """Return the piece that finds the first impact of every world."""
    chance, meeting = of_kind(kind, impacts.chance), of_kind(kind, impacts.meeting)

    @device
    def meet_all(w: int, pitch: Arrays, tables: Arrays, lists: Arrays) -> None:
        world, room, _, scratch = pitch
        clock, lengths, queue = tables[0], lists[0], lists[1]
        if w == 0:
            lengths[WAITING] = 0
        for q in range(w, entries(lengths[HULLS], lengths[OTHERS]), cuda.blockDim.x):
            entry = entry_of(q, lengths[HULLS], queue[0])
            if entry >= 0:
                v = np.uint32(entry % BLOCK)
                if chance(v, v, entry // BLOCK, clock[CUT, v], world, room, scratch) > 0:
                    queue[1, cuda.atomic.add(lengths, SEARCH, 1)] = entry
        cuda.syncthreads()
        for q in range(w, lengths[SEARCH], cuda.blockDim.x):
            v, k = np.uint32(queue[1, q] % BLOCK), queue[1, q] // BLOCK
            bound = chance(v, v, k, clock[CUT, v], world, room, scratch)
            cuda.atomic.min(clock, (FIRST, v), meeting(v, v, k, bound, clock[CUT, v], world, room, scratch))

    return meet_all


def _moving(kind: str) -> Kernel:
    """Return the piece that moves all worlds, and lists those in which something is struck or overlaps."""
    move, may_overlap = of_kind(kind, rounds.move), of_kind(kind, overlaps.may_overlap)

    @device
    def move_all(w: int, pitch: Arrays, tables: Arrays, lists: Arrays) -> None:
        world, room, _, scratch = pitch
        clock, book = tables
        lengths, queue, worlds = lists
        s = np.uint32(w)
        if (
            w < BLOCK
            and book[STEPS, w] > 0
            and book[STATE, w] == AWAKE
            and move(s, s, s, world, room, scratch, clock, book)
        ):
            worlds[STRUCK, cuda.atomic.add(lengths, WAITING, 1)] = w
        cuda.syncthreads()
        if w == 0:
            lengths[HARD], lengths[SEARCH], lengths[FEW], lengths[MANY] = 0, 0, 0, 0
        for q in range(w, entries(lengths[HULLS], lengths[OTHERS]), cuda.blockDim.x):
            entry = entry_of(q, lengths[HULLS], queue[0])
            v = np.uint32(entry % BLOCK)
            if entry < 0 or book[DONE, v] == 0 or not may_overlap(v, v, entry // BLOCK, world, room, scratch):
                continue
            if cuda.atomic.max(book, (SEEN, v), 1) == 0:
                book[STATE, v] = WAITS
                worlds[STRUCK, cuda.atomic.add(lengths, WAITING, 1)] = v
        cuda.syncthreads()
        if w == 0:
            lengths[HULLS], lengths[OTHERS] = 0, 0

    return move_all
