"""A planner in time, as today's SSL teams have it: the fastest motion to the target, or by way of a sub-destination.

The direct motion is tried first. If it meets anything, detours are tried: the fastest motion to a sub-destination, left
for the target while still under way, or after a wait there. The detour of the last tick comes first and is kept while
it is free and not much slower. The cheapest of all that are free is the plan; its cost is the time of arrival, and the
time in obstacles that hold the start. If none is free, the most useful is driven up to where the robot can still stop.

The limits are those of a robot that moves in all directions. A differential one cannot follow such a motion exactly:
give it the speed that it has and less acceleration than it has; its heading is the business of control.

task    place x, y and velocity vx, vy now; target x, y and the speed there; limits of speed and acceleration
scene   standing obstacles (m, 6), see shapes; moving ones (k, 7), mates and `held`, see encounters
clock   now, and how far ahead what moves is looked at [s]
draw    key k0, k1, step and stream of random numbers; the streams up to stream + 3 budget are used
rows    (2, ROWS, WIDTH) pieces of the motion being tried, and of the best that is not free
lines   scratch waypoints (k, 2) and times (k,), and those of the plan
memory  (4,) the last detour: 1 if there is one, x, y, absolute time of the turn to the target; once that is past, or
        when the direct way is free, it counts for nothing
found   (FOUND,) what is known so far, in the columns below
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, norm
from tikitaka.plan.kernels.bangbang import NEVER, PIECES, UNTIL, axis_time, brake, cut, motion, state, wait
from tikitaka.plan.kernels.chords import waypoints
from tikitaka.plan.kernels.detours import blocker, detour, refined
from tikitaka.plan.kernels.encounters import Mates, first_contact
from tikitaka.plan.kernels.ends import allowances, last_free

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Task = tuple[float, float, float, float, float, float, float, float, float]
Scene = tuple[Floats, Floats, Mates, Floats]
Clock = tuple[float, float]
Draw = tuple[int, int, int, int]
Lines = tuple[Floats, Floats, Floats, Floats]

NONE, EXACT, CUT, PARTIAL = 0, 1, 2, 3  # types.PlanStatus
ROWS = 2 * PIECES + 2  # two motions, a wait and a braking
LEAST = ROWS + 2  # waypoints that there must be room for; 24 to 32 keep the chords within some mm of the motion
COUNT, ARRIVAL, WITHIN, TRIED = 0, 1, 2, 3  # waypoints, their duration [s], time in what holds the start, motions
CONTACT, WHICH = 4, 5  # of a partial plan: when the motion that was left would have met what (standing, moving, mates)
COST, SUB_X, SUB_Y, TURN = 6, 7, 8, 9  # of the best plan: its sub-destination, and when it turns from there [s]
BAD, BLOCK_X, BLOCK_Y, BLOCK_R, LENGTH = 10, 11, 12, 13, 14  # of the best that is not free; LENGTH: its pieces
REFINED, NEARER = 15, 16  # motions tried near the best one, and those of them since one is free
FOUND = 17
_STICKY = 0.9  # NOTES, ERForce: a plan is kept while it is valid and under 1.1x of a new one
_INSIDE = 2.0  # chosen: a second in an obstacle costs two
_SAFE = 1.0  # [s] chosen: contacts later than that are equally bad
_HASTE = 4.0  # chosen: a contact that comes a second earlier is as bad as an arrival four seconds later
_STOPS = 8  # chosen: moments at which to brake before a contact
_FARTHEST = 10.0  # [s] nothing that moves is predicted further than that


@kernel
def plan_timed(
    x: float, y: float, vx: float, vy: float, to_x: float, to_y: float, end_speed: float, v: float, a: float,
    o: Floats, moving: Floats, mates_xy: Floats, mates_time: Floats, mates_count: Ints, mates_radius: Floats,
    now: float, horizon: float, free: float, k0: int, k1: int, step: int, stream: int, budget: int,
    memory: Floats, rows: Floats, held: Floats, tries_xy: Floats, tries_time: Floats,
    xy: Floats, time: Floats, found: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Fill one robot's waypoints and their absolute times; return the status and the number of waypoints.

    free     depth from which on a robot inside an obstacle may go deeper [m]
    budget   motions to try, the direct one included
    """
    for i in range(FOUND):
        found[i] = 0.0
    good = math.isfinite(x + y + vx + vy + to_x + to_y + now) and v > 0.0 and a > 0.0 and v + a < NEVER
    if not good or xy.shape[0] < LEAST:
        memory[0] = 0.0
        return NONE, 0
    clock = (now, clamp(horizon, 0.0, _FARTHEST) if math.isfinite(horizon) else 0.0)
    mates = (mates_xy, mates_time, mates_count, mates_radius)
    far = norm(to_x - x, to_y - y)
    along = (vx * (to_x - x) + vy * (to_y - y)) / far if far > 0.0 else 0.0
    tau = min(axis_time(far, along, 0.0, v, a), clock[1])
    to_x, to_y, shortened = last_free(o, moving, mates, now, tau, x, y, to_x, to_y)
    allowances(o, moving, mates, now, x, y, vx, vy, a, free, rows[0], held)
    end_speed = 0.0 if shortened or not math.isfinite(end_speed) else clamp(end_speed, 0.0, v)
    task, scene = (x, y, vx, vy, to_x, to_y, end_speed, v, a), (o, moving, mates, held)
    lines = (tries_xy, tries_time, xy, time)
    status = _search(task, scene, clock, (k0, k1, step, stream), budget, memory, rows, lines, found)
    count = int(found[COUNT])
    for i in range(count):
        time[i] += now
    return CUT if shortened and status == EXACT else status, count


@kernel
def _search(
    task: Task, scene: Scene, clock: Clock, draw: Draw, budget: int,
    memory: Floats, rows: Floats, lines: Lines, found: Floats,
) -> int:  # fmt: skip
    """Try motions as far as the budget goes and fill the plan; return EXACT, or PARTIAL if none is free."""
    found[COST], found[BAD], found[BLOCK_X], found[BLOCK_Y] = NEVER, NEVER, task[0], task[1]
    for i in range(budget):
        sx, sy, turn = _propose(task, clock, draw, i, memory, found)
        n, turn = _two_legs(rows[0], task, sx, sy, turn, found[COST])
        found[TRIED] += 1.0
        if n >= 0:
            k = _line(rows[0], n, task, lines[0], lines[1])
            when, which, within = first_contact(
                scene[0], scene[1], scene[2], scene[3], clock[0], clock[1],
                lines[0], lines[1], k, found[COST] < NEVER,
            )  # fmt: skip
            if when >= NEVER:
                kept = i == 1 and memory[0] > 0.0 and memory[3] > clock[0]
                _better(sx, sy, turn, within, _STICKY if kept else 1.0, lines, k, found)
            elif found[COST] >= NEVER:
                _worse(task, scene, clock, sx, sy, turn, rows, n, when, which, found)
        if i == 0 and found[COST] < NEVER and found[WITHIN] == 0.0:
            return EXACT
    memory[0] = 1.0 if found[COST] < NEVER and found[TURN] > 0.0 else 0.0
    memory[1], memory[2], memory[3] = found[SUB_X], found[SUB_Y], clock[0] + found[TURN]
    if found[COST] < NEVER:
        return EXACT
    _stop_before(task, scene, clock, rows, lines, found)
    return PARTIAL


@kernel
def _propose(task: Task, clock: Clock, draw: Draw, i: int, memory: Floats, found: Floats) -> tuple[float, float, float]:
    """Return the i-th motion to try: sub-destination, and the time of the turn from it; below 0, minus its part."""
    x, y, to_x, to_y = task[0], task[1], task[4], task[5]
    if i == 0:
        return x, y, 0.0
    if i == 1 and memory[0] > 0.0 and memory[3] > clock[0]:
        return memory[1], memory[2], memory[3] - clock[0]
    if found[TURN] > 0.0 and (i % 2 == 0 if found[COST] < NEVER else i % 4 == 0):
        found[NEARER] += 1.0 if found[COST] < NEVER else 0.0
        found[REFINED] += 1.0
        far = norm(to_x - x, to_y - y)
        return refined(
            draw[0], draw[1], draw[2], draw[3], i, found[NEARER], far, found[SUB_X], found[SUB_Y], found[TURN]
        )
    sx, sy, part = detour(
        draw[0], draw[1], draw[2], draw[3], i, i - int(found[REFINED]),
        x, y, to_x, to_y, found[BLOCK_X], found[BLOCK_Y], found[BLOCK_R],
    )  # fmt: skip
    return sx, sy, -part


@kernel
def _two_legs(rows: Floats, task: Task, sx: float, sy: float, turn: float, best: float) -> tuple[int, float]:
    """Fill the motion by way of a sub-destination; return its pieces, -1 if it is not faster than `best`, and the turn.

    turn   time at which the robot leaves for the target; 0: at once; below 0: minus the part, see detours
    """
    x, y, vx, vy, to_x, to_y, end_speed, v, a = task
    n = 0
    if turn != 0.0:
        n = motion(rows, n, 0.0, x, y, vx, vy, sx, sy, 0.0, 0.0, v, a)
        there = rows[n - 1, UNTIL] if n > 0 else 0.0
        if turn < 0.0:
            turn = -turn * there if turn >= -1.0 else there - turn - 1.0
        n = cut(rows, n, turn) if turn < there else wait(rows, n, there, turn, sx, sy)
        if turn >= best:
            return -1, turn
    if n > 0:
        x, y, vx, vy = state(rows, n, turn)
    ex, ey = _end_velocity(to_x - x, to_y - y, vx, vy, end_speed, a)
    n = motion(rows, n, turn, x, y, vx, vy, to_x, to_y, ex, ey, v, a)
    return -1 if n > 0 and rows[n - 1, UNTIL] >= best else n, turn


@kernel
def _end_velocity(dx: float, dy: float, vx: float, vy: float, end_speed: float, a: float) -> tuple[float, float]:
    """Return the velocity at the target: on, with the speed nearest to the wish that the way there allows."""
    far = norm(dx, dy)
    if end_speed <= 0.0 or far <= 0.0:
        return 0.0, 0.0
    along = max((vx * dx + vy * dy) / far, 0.0)
    least, most = math.sqrt(max(along * along - 2.0 * a * far, 0.0)), math.sqrt(along * along + 2.0 * a * far)
    end_speed = clamp(end_speed, least, most)
    return end_speed * dx / far, end_speed * dy / far


@kernel
def _line(rows: Floats, n: int, task: Task, xy: Floats, t: Floats) -> int:
    """Fill waypoints of a motion; return how many. Of none: twice the place where the robot is."""
    if n > 0:
        return waypoints(rows, n, xy, t)
    for i in range(2):
        xy[i, 0], xy[i, 1], t[i] = task[0], task[1], 0.0
    return 2


@kernel
def _better(
    sx: float, sy: float, turn: float, within: float, factor: float, lines: Lines, k: int, found: Floats
) -> None:
    """Keep a free motion if it costs less than the best one."""
    end = lines[1][k - 1]
    cost = (end + _INSIDE * within) * factor
    if cost >= found[COST]:
        return
    found[COST], found[SUB_X], found[SUB_Y], found[TURN] = cost, sx, sy, turn
    found[COUNT], found[ARRIVAL], found[WITHIN] = k, end, within
    for i in range(k):
        lines[2][i, 0], lines[2][i, 1], lines[3][i] = lines[0][i, 0], lines[0][i, 1], lines[1][i]


@kernel
def _worse(
    task: Task, scene: Scene, clock: Clock, sx: float, sy: float, turn: float,
    rows: Floats, n: int, when: float, which: int, found: Floats,
) -> None:  # fmt: skip
    """Keep a motion that is not free if it comes nearer to the target, or into contact later, than the others."""
    x, y = task[0], task[1]
    if n > 0:
        x, y, _, _ = state(rows[0], n, when)
    bad = norm(task[4] - x, task[5] - y) / task[7] + _HASTE * max(_SAFE - when, 0.0)
    if bad >= found[BAD]:
        return
    bx, by, br = blocker(scene[0], scene[1], scene[2], clock[0], which, when, x, y)
    found[BLOCK_X], found[BLOCK_Y], found[BLOCK_R] = bx, by, br
    found[SUB_X], found[SUB_Y], found[TURN] = sx, sy, turn
    found[BAD], found[CONTACT], found[WHICH], found[LENGTH] = bad, when, which, n
    _copy(rows[0], n, rows[1])


@kernel
def _copy(source: Floats, n: int, into: Floats) -> None:
    for i in range(n):
        for j in range(source.shape[1]):
            into[i, j] = source[i, j]


@kernel
def _stop_before(task: Task, scene: Scene, clock: Clock, rows: Floats, lines: Lines, found: Floats) -> None:
    """Fill the best motion that is not free, up to a braking that ends before the contact; else brake at once."""
    k = 0
    for j in range(1, _STOPS + 1):
        t = found[CONTACT] * (_STOPS - j) / _STOPS
        _copy(rows[1], int(found[LENGTH]), rows[0])
        n = cut(rows[0], int(found[LENGTH]), t)
        x, y, vx, vy = state(rows[0], n, t) if n > 0 else (task[0], task[1], task[2], task[3])
        n = brake(rows[0], n, t if n > 0 else 0.0, x, y, vx, vy, task[8])
        k = _line(rows[0], n, task, lines[2], lines[3])
        when, _, _ = first_contact(
            scene[0], scene[1], scene[2], scene[3], clock[0], clock[1], lines[2], lines[3], k, enough=True
        )  # fmt: skip
        if when >= NEVER:
            break
    found[COUNT], found[ARRIVAL] = k, lines[3][k - 1]
