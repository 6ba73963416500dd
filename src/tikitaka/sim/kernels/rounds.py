"""A tick in rounds: `motion.step`, cut into pieces that threads of a graphics card share out among themselves.

A card is fast where 32 threads do the same thing. So a block of threads takes a block of worlds through rounds of the
same pieces: one for a world, one for a robot of it, one for a pair. Between two pieces everybody waits for everybody.
A round moves a world to its next impact, or to the end of its substep; a world that meets more needs more rounds.
What comes out is that of `motion.step`, to the last bit: no piece depends on another world, nor on who does it first.

w       the world's place in its block: its column in the two tables below
clock   (6, w)  floats: what is left of the substep, how far this round may go, its first impact; time since the tick
                began; and how far apart robots, and a robot and the ball, may be that can meet
book    (8, w)  ints: substeps still to be done, rounds of this substep, pairs, contacts; 1 where pairs are to be listed
                anew, where something was found (a lasting contact, an overlap), and where the substep is at its end;
                and what the world waits for, one of the states below
marks   what a tick leaves: charge, touched, hits, counts
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.impacts import strike
from tikitaka.sim.kernels.leaning import lean
from tikitaka.sim.kernels.motion import (
    IMPACTS,
    NO_TIME,
    Flags,
    Orders,
    begin,
    end,
    foresee_ball,
    go,
    handle,
    note,
    remember,
)  # fmt: skip
from tikitaka.sim.kernels.overlaps import lift_out, part
from tikitaka.sim.kernels.pairs import list_pairs, reaches
from tikitaka.sim.kernels.tables import Floats, Ints, Robot, Room, Scratch, World
from tikitaka.sim.kernels.touching import collect, touch, unmark

Book = NDArray[np.int32]
Marks = tuple[Floats, Flags, Floats, Ints]

LEFT, CUT, FIRST, NOW, FAR, FAR_BALL = range(6)
STEPS, ROUND, COUNT, FOUND, ANEW, SEEN, DONE, STATE = range(8)
CLOCK_ROWS, BOOK_ROWS = 6, 8
AWAKE, WAITS, SERVED = range(3)  # waits: sits out a round, in which an impact or an overlap is seen to


@kernel
def enter(w: int, steps: int, clock: Floats, book: Book) -> None:
    """Write a world into the tables, with so many substeps to be done."""
    for q in range(CLOCK_ROWS):
        clock[q, w] = 0.0
    for q in range(BOOK_ROWS):
        book[q, w] = 0
    book[STEPS, w], book[ANEW, w] = steps, 1


@kernel
def carry(e: int, to: int, source: World, aim: Floats, target: World, new_aim: Floats) -> None:
    """Copy a world, and the rates that its wheels shall have."""
    for q in range(source[3].shape[1]):
        target[3][to, q] = source[3][e, q]
    for i in range(source[0].shape[1]):
        for q in range(3):
            target[0][to, i, q], target[1][to, i, q] = source[0][e, i, q], source[1][e, i, q]
        for q in range(aim.shape[2]):
            target[2][to, i, q], new_aim[to, i, q] = source[2][e, i, q], aim[e, i, q]


@kernel
def start(
    e: int, s: int, w: int, orders: Orders, marks: Marks, limits: Floats, world: World, room: Room, scratch: Scratch,
    clock: Floats, book: Book,
) -> None:  # fmt: skip
    """Begin a substep, and a tick where one begins."""
    h = limits[0] / limits[1]
    if book[STEPS, w] % int(limits[1]) == 0:
        begin(e, s, world[0], orders, marks[1], marks[3], limits, scratch[0])
        clock[NOW, w] = 0.0
    kicked = handle(e, h, orders[1], orders[2], orders[3], marks[0], world, room[5], marks[3])
    if kicked or book[ANEW, w] > 0:
        book[COUNT, w] = list_pairs(e, s, world, room, scratch[4], limits[0] - clock[NOW, w])
    remember(e, s, world, scratch[0])
    clock[LEFT, w], book[ANEW, w] = h, 0


@kernel
def ready(e: int, s: int, w: int, world: World, room: Room, scratch: Scratch, clock: Floats, book: Book) -> None:
    """Begin a round: nobody leans yet."""
    clock[FAR, w], clock[FAR_BALL, w] = reaches(e, world, room[5], clock[LEFT, w])
    unmark(s, scratch[0])
    book[SEEN, w], book[DONE, w] = 0, 0


@kernel
def look(e: int, s: int, w: int, k: int, world: World, room: Room, scratch: Scratch, clock: Floats, book: Book) -> None:
    """Note the gap of a pair, and whether it is in lasting contact."""
    last = book[ROUND, w] == IMPACTS - 1
    if touch(e, s, k, clock[LEFT, w], clock[FAR, w], clock[FAR_BALL, w], last, world, room, scratch):
        book[SEEN, w] = 1


@kernel
def plan(
    e: int, s: int, w: int, world: World, room: Room, robot: Robot, scratch: Scratch, clock: Floats, book: Book
) -> None:
    """Say how far the round may go, and foresee the ball."""
    found, cut = 0, clock[LEFT, w]
    if book[SEEN, w] > 0:
        last = book[ROUND, w] == IMPACTS - 1
        found, cut = collect(e, s, book[COUNT, w], cut, last, world, room, robot, scratch)
    book[FOUND, w], clock[CUT, w], clock[FIRST, w], book[SEEN, w] = found, cut, cut, 0
    foresee_ball(e, s, cut, world[3], scratch[0], room[5])


@kernel
def rest(
    e: int, s: int, w: int, aim: Floats, marks: Marks, world: World, room: Room, robot: Robot, scratch: Scratch,
    clock: Floats, book: Book,
) -> None:  # fmt: skip
    """Let those lean that are in lasting contact."""
    lean(e, s, book[FOUND, w], clock[CUT, w], aim, world, room, robot, scratch)
    note(e, s, book[FOUND, w], NO_TIME, world[0].shape[1], scratch[2], marks[1], marks[2], marks[3])


@kernel
def move(e: int, s: int, w: int, world: World, room: Room, scratch: Scratch, clock: Floats, book: Book) -> bool:
    """Say whether there is an impact, after moving everybody there, or to the end of the round."""
    last, cut = book[ROUND, w] == IMPACTS - 1, clock[CUT, w]
    t = cut if last else clock[FIRST, w]
    go(e, s, t, cut, world, scratch, room[5])
    clock[LEFT, w] -= t
    book[ROUND, w] += 1
    if clock[LEFT, w] <= 0.0 or last:
        book[DONE, w] = 1
        return False
    if t == cut:
        return False
    book[STATE, w] = WAITS
    return True


@kernel
def serve(
    e: int, s: int, w: int, marks: Marks, limits: Floats, world: World, room: Room, robot: Robot, scratch: Scratch,
    clock: Floats, book: Book,
) -> None:  # fmt: skip
    """Let those bounce that meet or, at the end of a substep, push those apart that overlap."""
    book[STATE, w] = SERVED
    if book[DONE, w] > 0:
        part(e, s, book[COUNT, w], world, room, robot, scratch)
        return
    book[ANEW, w], n = 1, world[0].shape[1]
    struck = strike(e, s, book[COUNT, w], world, room, robot, scratch)
    time = clock[NOW, w] + limits[0] / limits[1] - clock[LEFT, w]
    note(e, s, struck, time, n, scratch[2], marks[1], marks[2], marks[3])


@kernel
def close_round(
    e: int, s: int, w: int, limits: Floats, world: World, room: Room, scratch: Scratch, clock: Floats, book: Book
) -> None:
    """End what is at its end, a substep or a tick."""
    if world[3][e, 4] > 0.0:
        lift_out(e, s, book[COUNT, w], world, room, scratch)
    clock[NOW, w] += limits[0] / limits[1]
    book[STEPS, w] -= 1
    book[ROUND, w], book[DONE, w] = 0, 0
    if book[STEPS, w] % int(limits[1]) == 0:
        end(e, world[0])
        book[ANEW, w] = 1
