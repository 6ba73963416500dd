"""A tick in rounds: `motion.step`, cut into pieces that threads of a graphics card share out among themselves.

A card is fast where 32 threads do the same thing. So all worlds go through rounds of the same pieces: one for a world,
one for a body of it, one for a pair; a piece is done for all worlds before the next one begins. A round moves a world
to its next impact, or to the end of its substep; a world that meets more needs more rounds, while others are ahead.
What comes out is that of `motion.step`, to the last bit: no piece depends on another world, nor on who does it first.

w       a world: its row in the arrays of `tables`, and its column in the two tables below
clock   (8, w)  floats: what is left of the substep, how far this round may go, its first impact; time since the tick
                began; how far apart robots, and a robot and the ball, may be that can meet; what was left before,
                and when the guard looked
book    (7, w)  ints: substeps still to be done, rounds of this substep, pairs, contacts of the crowd; 1 where pairs
                are to be listed anew, where something was found (a crowd, an overlap); OVER or PAUSE
marks   see `noting`
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import wrap
from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.chassis import cos_sin
from tikitaka.sim.kernels.cruising import seen
from tikitaka.sim.kernels.going import go_ball, go_robot
from tikitaka.sim.kernels.impacts import FAR as NOT_NEAR
from tikitaka.sim.kernels.impacts import NEVER
from tikitaka.sim.kernels.islands import clear, list_crowd
from tikitaka.sim.kernels.leaning import begin as lean_begin
from tikitaka.sim.kernels.leaning import finish, settle
from tikitaka.sim.kernels.motion import (
    IMPACTS,
    Orders,
    foresee_ball,
    foresee_cruise,
    forget_touches,
    handle,
    is_known,
    reach,
    remember,
    take_commands,
)  # fmt: skip
from tikitaka.sim.kernels.nearby import bring_bodies, bring_rows, take_back
from tikitaka.sim.kernels.noting import NO_TIME, Flags, Marks, note
from tikitaka.sim.kernels.overlaps import lift_out, may_overlap, part
from tikitaka.sim.kernels.pairs import close_by, list_pairs, reaches
from tikitaka.sim.kernels.strikes import strike
from tikitaka.sim.kernels.tables import COS, MEET, SIN, UNTIL, Floats, Robot, Room, Scratch, World
from tikitaka.sim.kernels.touching import collect, pair_up, touch

Book = NDArray[np.int32]

LEFT, CUT, FIRST, NOW, FAR, FAR_BALL, WHOLE, BEGUN = range(8)
STEPS, ROUND, COUNT, FOUND, ANEW, SEEN, DONE = range(7)
CLOCK_ROWS, BOOK_ROWS = 8, 7
OVER, PAUSE = 1, 2  # DONE: the substep is over; a piece of it is, of those that lean


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
def turn(
    w: int, i: int, orders: Orders, touched: Flags, limits: Floats, world: World, ahead: Floats, book: Book
) -> int:
    """Return how many commands of a robot had to be mended, between two ticks: the last ends, the next begins.

    Commands are those of the tick before, mended, and so are cosine and sine, where the heading is.
    """
    over, last, theta, mended = book[DONE, w] > 0, book[STEPS, w] == 1, world[0][w, i, 2], 0
    wrapped = wrap(theta)
    if over and wrapped != theta:
        world[0][w, i, 2] = wrapped
    if over and last:
        return mended
    if not over:
        mended = take_commands(w, i, orders[0], orders[1], orders[2], limits)
        wrapped = theta
    if not over or wrapped != theta:
        ahead[w, i, COS], ahead[w, i, SIN] = cos_sin(wrapped)
    forget_touches(w, i, touched)
    return mended


@kernel
def start(
    w: int, orders: Orders, marks: Marks, limits: Floats, world: World, room: Room, clock: Floats, book: Book
) -> bool:
    """Say whether pairs are to be listed anew, at the beginning of a substep; robots have begun their tick."""
    h = limits[0] / limits[1]
    if book[STEPS, w] % int(limits[1]) == 0:
        marks[3][w, 0] = 0
        clock[NOW, w] = 0.0
    kicked = handle(w, h, orders[1], orders[2], orders[3], marks[0], world, room[5], marks[3])
    anew = kicked or book[ANEW, w] > 0
    clock[LEFT, w], book[ANEW, w] = h, 0
    return anew


@kernel
def list_anew(w: int, limits: Floats, world: World, room: Room, pairs: Floats, clock: Floats, book: Book) -> None:
    """List who may meet whom for the rest of the tick; of poses it asks for places."""
    book[COUNT, w] = list_pairs(w, w, world, room, pairs, limits[0] - clock[NOW, w])


@kernel
def is_first(w: int, book: Book) -> bool:
    """Say whether a round is the first one since the guard against overlap has looked."""
    return bool(book[ROUND, w] == 0 or book[DONE, w] == PAUSE)


@kernel
def ready(w: int, world: World, room: Room, scratch: Scratch, clock: Floats, book: Book) -> None:
    """Begin a round: nobody leans yet, nobody is known to meet."""
    left = reach(book[ROUND, w], clock[LEFT, w])
    clock[FAR, w], clock[FAR_BALL, w] = reaches(w, world, room[5], left)
    clock[CUT, w], clock[FIRST, w], clock[WHOLE, w] = left, left, clock[LEFT, w]
    if is_first(w, book):
        clock[BEGUN, w] = clock[LEFT, w]
    clear(w, scratch[0])
    book[FOUND, w], book[SEEN, w] = 0, 0


@kernel
def sift(w: int, k: int, world: World, pairs: Floats, clock: Floats, book: Book) -> bool:
    """Say whether a pair is to be looked at: as `touching.touch` finds first, it is not where they are far apart."""
    pose, ball, a, b = world[0], world[3], int(pairs[w, k, 0]), int(pairs[w, k, 1])
    if a < 0 or book[ROUND, w] >= IMPACTS:
        return True
    far, x, y = clock[FAR_BALL, w], ball[w, 0], ball[w, 1]
    if b < pose.shape[1]:
        far, x, y = clock[FAR, w], pose[w, b, 0], pose[w, b, 1]
    if close_by(pose[w, a, 0], pose[w, a, 1], x, y, far):
        return True
    pairs[w, k, 2] = NOT_NEAR
    return False


@kernel
def look(w: int, k: int, world: World, room: Room, scratch: Scratch, clock: Floats, book: Book) -> int:
    """Say whether a pair is in lasting contact or has just bounced, and note its gap."""
    far, far_ball, all_lean = clock[FAR, w], clock[FAR_BALL, w], book[ROUND, w] >= IMPACTS
    return touch(w, w, k, clock[LEFT, w], far, far_ball, all_lean, world, room, scratch)


@kernel
def join_two(
    w: int, a: int, b: int, world: World, room: Room, scratch: Scratch, clock: Floats, book: Book
) -> tuple[float, bool]:
    """Return how long the contact of a duo stays as it is, and whether they touch in two points."""
    turn = book[ROUND, w]
    lasts = pair_up(w, w, a, b, reach(turn, clock[LEFT, w]), turn >= IMPACTS, world, room, scratch)
    return lasts, bool(scratch[0][w, b, MEET + 3] != NEVER)


@kernel
def plan(w: int, world: World, room: Room, robot: Robot, scratch: Scratch, clock: Floats, book: Book) -> int:
    """Return how many robots are in a world's crowd, and write its contacts and how far they let it go."""
    turn = book[ROUND, w]
    left, all_lean = reach(turn, clock[LEFT, w]), turn >= IMPACTS
    found, cut = collect(w, w, book[COUNT, w], left, all_lean, world, room, robot, scratch)
    book[FOUND, w], clock[CUT, w], clock[FIRST, w] = found, cut, cut
    return list_crowd(w, scratch[0])


@kernel
def drive(
    w: int, i: int, aim: Floats, world: World, room: Room, robot: Robot, scratch: Scratch, clock: Floats, book: Book
) -> bool:
    """Say whether it is known where a body will be: the ball, a robot that leans, one that drives as most do."""
    cut, first = clock[CUT, w], is_first(w, book)
    if i == world[0].shape[1]:
        foresee_ball(w, w, cut, world[3], scratch[0], room[5])
        if first:
            remember(w, w, i, world, scratch[0])
        return True
    ahead = scratch[0]
    now, c, sn = seen(w, i, world[0], world[1], world[2], aim), ahead[w, i, COS], ahead[w, i, SIN]
    known = is_known(w, i, cut, ahead, first)
    if first:
        remember(w, w, i, world, ahead)
    return known or foresee_cruise(w, i, c, sn, cut, now, robot, scratch)


@kernel
def rest(
    w: int, aim: Floats, marks: Marks, world: World, room: Room, robot: Robot, scratch: Scratch, near: Floats,
    lines: Floats, clock: Floats, book: Book,
) -> None:  # fmt: skip
    """Let the crowd lean, in room of one thread."""
    ahead, rows, found, cut, wheels = scratch[0], scratch[2], book[FOUND, w], clock[CUT, w], robot[1].shape[0]
    lean_begin(w, w, cut, aim, world, robot, scratch)
    bring_bodies(w, wheels, ahead, near)
    bring_rows(w, found, rows, near, lines)
    settle(w, found, near, lines, room, robot)
    take_back(w, wheels, found, ahead, rows, near, lines)
    finish(w, w, cut, world, robot, scratch)
    note(w, w, found, NO_TIME, world[0].shape[1], rows, marks)


@kernel
def may_meet(w: int, book: Book) -> bool:
    """Say whether impacts of this round are looked for, or everybody leans."""
    return bool(book[ROUND, w] < IMPACTS)


@kernel
def move(w: int, i: int, world: World, room: Room, scratch: Scratch, clock: Floats, book: Book) -> bool:
    """Move a body to the first impact, or to the end of the round; the ball's piece says whether there is an impact."""
    t, cut = clock[FIRST, w], clock[CUT, w]
    if i < world[0].shape[1]:
        go_robot(w, w, i, t, cut, world, scratch)
        if t < clock[WHOLE, w]:  # else the substep is over, and nobody asks
            scratch[0][w, i, UNTIL] -= t
        return False
    go_ball(w, w, t, cut, world[3], scratch[0], room[5])
    clock[LEFT, w] -= t
    book[ROUND, w] += 1
    book[SEEN, w] = 0
    book[DONE, w] = OVER if clock[LEFT, w] <= 0.0 else PAUSE if t == cut else 0
    return bool(book[DONE, w] == 0 and t < cut)


@kernel
def ends_tick(w: int, limits: Floats, book: Book) -> bool:
    """Say whether a tick ends with this round."""
    return bool(book[DONE, w] == OVER and (book[STEPS, w] - 1) % int(limits[1]) == 0)


@kernel
def parts(w: int, k: int, world: World, room: Room, scratch: Scratch, book: Book) -> bool:
    """Say whether a substep, or a piece of it, ends at which a pair may overlap, or the ball is in the air.

    Those that do not overlap are marked: only pairs in which somebody is moved are then looked at.
    """
    if book[DONE, w] == 0:
        return False
    if may_overlap(w, w, k, world, room, scratch):
        return True
    scratch[4][w, k, 2] = NOT_NEAR
    return bool(world[3][w, 4] > 0.0)


@kernel
def serve(
    w: int, marks: Marks, limits: Floats, world: World, room: Room, robot: Robot, scratch: Scratch,
    clock: Floats, book: Book,
) -> None:  # fmt: skip
    """Let those bounce that meet or, at the end of a substep or of a piece, push those apart that overlap."""
    h = limits[0] / limits[1]
    if book[DONE, w] > 0:
        gone = clock[BEGUN, w] - clock[LEFT, w]
        count, others = part(w, w, book[COUNT, w], gone, world, room, robot, scratch)
        if book[DONE, w] == OVER and world[3][w, 4] > 0.0:
            lift_out(w, w, count, world, room, scratch)
        if others:
            book[ANEW, w], book[COUNT, w] = 1, list_pairs(w, w, world, room, scratch[4], clock[LEFT, w])
        return
    book[ANEW, w], n = 1, world[0].shape[1]
    struck = strike(w, w, book[COUNT, w], world, room, robot, scratch)
    note(w, w, struck, clock[NOW, w] + h - clock[LEFT, w], n, scratch[2], marks)
    book[COUNT, w] = list_pairs(w, w, world, room, scratch[4], clock[LEFT, w])


@kernel
def close_round(w: int, limits: Floats, clock: Floats, book: Book) -> None:
    """End a substep; what robots do at the end of a tick is `turn`'s."""
    clock[NOW, w] += limits[0] / limits[1]
    book[STEPS, w] -= 1
    book[ROUND, w], book[DONE, w] = 0, 0
    if book[STEPS, w] % int(limits[1]) == 0:
        book[ANEW, w] = 1
