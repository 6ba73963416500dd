"""Impacts, at their exact time: who meets first, and what happens then.

The time is a zero crossing of the gap along the paths [Klancar, sec. 4.2], found by Newton's method held on a leash: a
step is never longer than LEASH times the one that the fastest closing speed allows, so no corner is jumped over. Once
an overlap has been seen, the search stays between it and the last gap (low, high), by bisection where Newton leaves.

part    how fast two bodies part at their contact point; negative: they close in
bound   no two points of the bodies close in faster
"""

import math

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm
from tikitaka.sim.kernels.chassis import INV_INERTIA, INV_MASS, OFFSET
from tikitaka.sim.kernels.contacts import add_rows, restitution
from tikitaka.sim.kernels.gaps import is_top, pair_gap, rim_gap
from tikitaka.sim.kernels.impulses import give_back, opening, rebound, solve, take
from tikitaka.sim.kernels.kicking import HEIGHT, INV_BALL, ROOF_COS, roof, top_gap
from tikitaka.sim.kernels.paths import body_at
from tikitaka.sim.kernels.tables import (
    BOUNCE,
    CLOSING,
    COS,
    FLOOR,
    GAP,
    NX,
    NY,
    PUSH,
    REACH,
    REST_SPEED,
    SIN,
    SKIN,
    SPEED,
    STOPPED,
    TOUCHING,
    UNTIL,
    A,
    B,
    Floats,
    Robot,
    Room,
    Scratch,
    World,
)  # fmt: skip

NEVER = 1e9  # [s]
FAR = 2e9  # [s] and so far apart that nothing needs to be looked at
MET = 1e-6  # [m] gap of those that meet at the same time
SEARCH_ROUNDS = 40
LEASH = 4.0
STRIDE = 1.0 / 16.0  # of the time left: no leash is shorter, or bodies that nearly touch would be looked at for ever
LOOK = 0.5  # of the time left: where bodies that part are looked at again
STRIKE_ROUNDS = 100


@kernel
def parting(
    qx: float, qy: float, nx: float, ny: float, xa: float, ya: float, vxa: float, vya: float, wa: float,
    xb: float, yb: float, vxb: float, vyb: float, wb: float,
) -> float:  # fmt: skip
    """Return how fast two bodies part at a contact point."""
    vx = vxb - wb * (qy - yb) - vxa + wa * (qy - ya)
    vy = vyb + wb * (qx - xb) - vya - wa * (qx - xa)
    return vx * nx + vy * ny


@kernel
def closing_bound(e: int, s: int, a: int, b: int, world: World, ahead: Floats, reach: float) -> float:
    """Return a speed that no two points of a pair's bodies close in faster than, now or at the end."""
    n, velocity, ball = world[0].shape[1], world[1], world[3]
    x0, y0, x1, y1, turn, sign = 0.0, 0.0, 0.0, 0.0, 0.0, -1.0
    for q in range(2):
        who = a if q == 0 else b
        if who == n:
            x0, y0, x1, y1 = x0 + ball[e, 2], y0 + ball[e, 3], x1 + ahead[s, n, 2], y1 + ahead[s, n, 3]
            turn += abs(ball[e, 5])
        elif who >= 0:
            x0, y0 = x0 + sign * velocity[e, who, 0], y0 + sign * velocity[e, who, 1]
            x1, y1 = x1 + sign * ahead[s, who, 3], y1 + sign * ahead[s, who, 4]
            turn += reach * max(abs(velocity[e, who, 2]), abs(ahead[s, who, 5]))
        sign = 1.0
    return 1.1 * (max(norm(x0, y0), norm(x1, y1)) + turn) + 1e-9


@kernel
def chance(e: int, s: int, k: int, left: float, world: World, room: Room, scratch: Scratch) -> float:
    """Return the bound of a pair's closing speed if it may meet within ``left``; else 0, and it is marked FAR."""
    pairs = scratch[4]
    if pairs[s, k, 2] >= NEVER:
        return 0.0
    bound = closing_bound(e, s, int(pairs[s, k, 0]), int(pairs[s, k, 1]), world, scratch[0], room[5][REACH])
    if pairs[s, k, 2] > bound * left:
        pairs[s, k, 2] = FAR
        return 0.0
    return bound


@kernel
def meeting(e: int, s: int, k: int, bound: float, left: float, world: World, room: Room, scratch: Scratch) -> float:
    """Return when the bodies of a pair touch and close in, at most at ``bound``; NEVER when they do not in ``left``."""
    ahead, pairs, play, n = scratch[0], scratch[4], room[5], world[0].shape[1]
    a, b, gap = int(pairs[s, k, 0]), int(pairs[s, k, 1]), pairs[s, k, 2]
    t, low, high, touching = 0.0, 0.0, NEVER, play[TOUCHING]
    for _ in range(SEARCH_ROUNDS):
        xa, ya, ca, sa, vxa, vya, wa = body_at(e, s, a, t, left, world, ahead, play)
        xb, yb, cb, sb, vxb, vyb, wb = body_at(e, s, b, t, left, world, ahead, play)
        gap, nx, ny, qx, qy = pair_gap(a, b, n, xa, ya, ca, sa, xb, yb, cb, sb, room)
        part = parting(qx, qy, nx, ny, xa, ya, vxa, vya, wa, xb, yb, vxb, vyb, wb)
        if b == n and is_top(nx, ny):
            part += ROOF_COS * sb
        if gap <= touching and part < 0.0 and (t == 0.0 or gap >= -touching):
            return t
        if gap >= 0.0:
            low = t
        elif t > 0.0:
            high = t
        if part >= 0.0:
            step = max(gap / bound, LOOK * left)
        else:
            step = gap / -part if gap < 0.0 else min(gap / -part, max(LEASH * gap / bound, STRIDE * left))
        if t >= left and step >= 0.0 and high == NEVER:
            return NEVER
        t = min(t + step, left)
        if high < NEVER and not low < t < high:
            t = 0.5 * (low + high)
    return low if high < NEVER or abs(gap) <= MET else NEVER


@kernel
def first_meeting(e: int, s: int, count: int, left: float, world: World, room: Room, scratch: Scratch) -> float:
    """Return the time of the first impact; ``left`` when there is none before it."""
    first = left
    for k in range(count):
        bound = chance(e, s, k, left, world, room, scratch)
        if bound > 0.0:
            first = min(first, meeting(e, s, k, bound, left, world, room, scratch))
    return first


@kernel
def land(e: int, s: int, count: int, world: World, room: Room, scratch: Scratch) -> bool:
    """Say whether the ball came down on the top of a robot; if so it bounces off."""
    pose, velocity, _, ball = world
    ahead, pairs, play, n = scratch[0], scratch[4], room[5], pose.shape[1]
    for k in range(count):
        i = int(pairs[s, k, 0])
        if pairs[s, k, 1] < n or i < 0:
            continue
        c, sn = ahead[s, i, COS], ahead[s, i, SIN]
        gap, nx, ny, _, _, _ = rim_gap(pose[e, i, 0], pose[e, i, 1], c, sn, ball[e, 0], ball[e, 1], room)
        gap, over = top_gap(gap, ball[e, 4], play[HEIGHT])
        if over and gap < MET:
            ahead[s, i, UNTIL] = 0.0
            return roof(e, i, pose, velocity, ball, nx, ny, play, play)
    return False


@kernel
def struck_rows(e: int, s: int, count: int, world: World, room: Room, robot: Robot, scratch: Scratch) -> int:
    """Return how many contacts there are at an impact: those that touch, and resting ones that hold against them."""
    ahead, rows, pairs, found = scratch[0], scratch[2], scratch[4], min(count, 0)
    n = world[0].shape[1]
    for i in range(n):
        take(e, s, i, world[1], robot[0][OFFSET], ahead)
    ahead[s, n, SPEED], ahead[s, n, SPEED + 1], ahead[s, n, SPEED + 2] = world[3][e, 2], world[3][e, 3], 0.0
    for k in range(count):
        a, b, first = int(pairs[s, k, 0]), int(pairs[s, k, 1]), found
        found = add_rows(e, s, found, a, b, 2.0 * SKIN, world, room, robot, scratch)
        for q in range(first, found):
            part = opening(s, q, rows, ahead)
            rows[s, q, CLOSING] = -part
            if part < -REST_SPEED:
                rows[s, q, BOUNCE] = restitution(a, b, n, room[5])
                if rows[s, q, GAP] > MET:
                    rows[s, q, FLOOR] = -NEVER  # not there yet
    return found


@kernel
def turn_spin(e: int, s: int, count: int, n: int, ball: Floats, rows: Floats) -> None:
    """Turn the ball's rolling with its velocity where a wall sent it back, so that what rolled rolls on."""
    for k in range(count):
        if rows[s, k, B] == n and rows[s, k, A] < 0.0 and rows[s, k, GAP] > 0.0:
            nx, ny = rows[s, k, NX], rows[s, k, NY]
            back = (1.0 + rows[s, k, BOUNCE]) * (ball[e, 6] * nx + ball[e, 7] * ny)
            ball[e, 6] -= back * nx
            ball[e, 7] -= back * ny


@kernel
def energy(s: int, n: int, ahead: Floats, chassis: Floats, inv_ball: float) -> float:
    """Return twice the kinetic energy."""
    total = (ahead[s, n, SPEED] * ahead[s, n, SPEED] + ahead[s, n, SPEED + 1] * ahead[s, n, SPEED + 1]) / inv_ball
    for i in range(n):
        total += (ahead[s, i, SPEED] * ahead[s, i, SPEED] + ahead[s, i, SPEED + 1] * ahead[s, i, SPEED + 1]) / chassis[
            INV_MASS
        ]
        total += ahead[s, i, SPEED + 2] * ahead[s, i, SPEED + 2] / chassis[INV_INERTIA]
    return float(total)


@kernel
def spring_back(
    s: int, found: int, most: float, scratch: Scratch, chassis: Floats, inv_ball: float, settled: float
) -> None:
    """Let stopped bodies bounce, but with no more energy than there was: with friction Poisson's law can make some."""
    ahead, rows, n = scratch[0], scratch[2], scratch[0].shape[1] - 1
    least = energy(s, n, ahead, chassis, inv_ball)
    for i in range(n + 1):
        vx, vy, omega = ahead[s, i, SPEED], ahead[s, i, SPEED + 1], ahead[s, i, SPEED + 2]
        ahead[s, i, STOPPED], ahead[s, i, STOPPED + 1], ahead[s, i, STOPPED + 2] = vx, vy, omega
    if not rebound(s, found, rows, ahead, chassis, inv_ball):
        return
    solve(s, found, rows, ahead, chassis, inv_ball, STRIKE_ROUNDS, settled)
    top = energy(s, n, ahead, chassis, inv_ball)
    if top <= most + settled * most:  # beside heavy bodies a light one's energy is lost in rounding
        return
    for i in range(n + 1):
        for q in range(3):
            ahead[s, i, SPEED + q] = 0.5 * (ahead[s, i, SPEED + q] + ahead[s, i, STOPPED + q])
    middle = energy(s, n, ahead, chassis, inv_ball)
    square = 2.0 * (least + top - 2.0 * middle)  # energy at part u of the bounce: least + slope u + square u^2
    slope, room = top - least - square, max(0.0, most - least)
    rise = slope + math.sqrt(max(0.0, slope * slope + 4.0 * square * room))
    u = 2.0 * room / rise if rise > 0.0 else 0.0
    for i in range(n + 1):
        for q in range(3):
            stopped = ahead[s, i, STOPPED + q]
            ahead[s, i, SPEED + q] = stopped + 2.0 * u * (ahead[s, i, SPEED + q] - stopped)


@kernel
def strike(e: int, s: int, count: int, world: World, room: Room, robot: Robot, scratch: Scratch) -> int:
    """Return how many contacts were struck; velocities jump, and ``rows`` keep the stopping impulses as GAP."""
    ahead, rows, chassis, inv_ball = scratch[0], scratch[2], robot[0], room[5][INV_BALL]
    velocity, ball, n = world[1], world[3], world[0].shape[1]
    if ball[e, 4] > 0.0:
        land(e, s, count, world, room, scratch)
    found = struck_rows(e, s, count, world, room, robot, scratch)
    most, settled = energy(s, n, ahead, chassis, inv_ball), room[5][TOUCHING]
    solve(s, found, rows, ahead, chassis, inv_ball, STRIKE_ROUNDS, settled)
    for k in range(found):
        rows[s, k, GAP] = rows[s, k, PUSH]
    spring_back(s, found, most, scratch, chassis, inv_ball, settled)
    for k in range(2 * found):
        i = int(rows[s, k // 2, A + k % 2])
        if 0 <= i < n:
            velocity[e, i, 0], velocity[e, i, 1], velocity[e, i, 2] = give_back(s, i, chassis[OFFSET], ahead)
            ahead[s, i, UNTIL] = 0.0
    ball[e, 2], ball[e, 3] = ahead[s, n, SPEED], ahead[s, n, SPEED + 1]
    turn_spin(e, s, found, n, ball, rows)
    return found
