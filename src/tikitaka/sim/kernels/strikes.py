"""What happens at an impact: velocities jump, of those who meet and of all who hang together with them.

rows    contacts: of all that are near, then of those alone that answer an impact
many    how many bodies have contacts; who they are stands in the column STRUCK of ``ahead``
"""

import math

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.chassis import INV_INERTIA, INV_MASS, KINEMATIC, OFFSET
from tikitaka.sim.kernels.contacts import add_rows, restitution
from tikitaka.sim.kernels.gaps import rim_gap
from tikitaka.sim.kernels.impacts import FAR, MET
from tikitaka.sim.kernels.impulses import give_back, opening, rebound, solve, take
from tikitaka.sim.kernels.kicking import HEIGHT, INV_BALL, roof, top_gap
from tikitaka.sim.kernels.pairs import bit
from tikitaka.sim.kernels.tables import (
    BOUNCE,
    CLOSING,
    COLUMNS,
    COS,
    GAP,
    NX,
    NY,
    PUSH,
    REST_SPEED,
    SIN,
    SKIN,
    SPEED,
    STOPPED,
    STRUCK,
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

ROUNDS = 100


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
def take_body(e: int, s: int, who: int, world: World, offset: float, ahead: Floats) -> None:
    """Set the velocity of a body's mass centre; the pitch has none."""
    velocity, ball = world[1], world[3]
    if who == velocity.shape[1]:
        ahead[s, who, SPEED], ahead[s, who, SPEED + 1], ahead[s, who, SPEED + 2] = ball[e, 2], ball[e, 3], 0.0
    elif who >= 0:
        take(e, s, who, velocity, offset, ahead)


@kernel
def keep(s: int, k: int, found: int, rows: Floats) -> int:
    """Return the number of contacts that are kept, after keeping contact k."""
    if k > found:
        for c in range(COLUMNS):
            rows[s, found, c] = rows[s, k, c]
    return found + 1


@kernel
def near_rows(e: int, s: int, count: int, world: World, room: Room, robot: Robot, scratch: Scratch) -> int:
    """Return how many contacts there are at an impact: those that touch, and resting ones that may hold against them.

    Who closes in faster but is not there yet has none. Robots on perfect wheels do not bounce off walls and one
    another: they have the speed that they are told again at once, and would meet again at the same moment.
    """
    ahead, rows, pairs, found, n = scratch[0], scratch[2], scratch[4], min(count, 0), world[0].shape[1]
    perfect = robot[0][KINEMATIC] > 0.0
    k = next_near(s, found, count, pairs)
    while k < count:
        a, b, first = int(pairs[s, k, 0]), int(pairs[s, k, 1]), found
        last = add_rows(e, s, first, a, b, 2.0 * SKIN, world, room, robot, scratch)
        if last > first:
            take_body(e, s, a, world, robot[0][OFFSET], ahead)
            take_body(e, s, b, world, robot[0][OFFSET], ahead)
        for q in range(first, last):
            part = opening(s, q, rows, ahead)
            if part >= -REST_SPEED or rows[s, q, GAP] <= MET:
                rows[s, q, CLOSING] = -part
                bounces = part < -REST_SPEED and (b == n or not perfect)
                rows[s, q, BOUNCE] = restitution(a, b, n, room[5]) if bounces else 0.0
                found = keep(s, q, found, rows)
        k = next_near(s, k + 1, count, pairs)
    return found


@kernel
def next_near(s: int, k: int, count: int, pairs: Floats) -> int:
    """Return the first pair from k on that is not FAR; threads that go there together work on their pairs together."""
    while k < count and pairs[s, k, 2] == FAR:
        k += 1
    return k


@kernel
def struck_rows(s: int, found: int, landed: bool, rows: Floats) -> int:
    """Return how many contacts hang together with those that meet, after moving them to the front.

    All of them do where it is between two contacts of a face that bodies meet, so that neither of these closes in; none
    where it was only the ball that has landed on somebody.
    """
    met, before = min(found, 0), min(found, 0)
    for k in range(found):
        if rows[s, k, GAP] <= MET and rows[s, k, CLOSING] > 0.0:
            met |= both(s, k, rows)
    while met != before:
        before = met
        for k in range(found):
            if met & both(s, k, rows) != 0:
                met |= both(s, k, rows)
    kept = min(found, 0)
    for k in range(found):
        if (met == 0 and not landed) or met & both(s, k, rows) != 0:
            kept = keep(s, k, kept, rows)
    return kept


@kernel
def both(s: int, k: int, rows: Floats) -> int:
    """Return the bits of a contact's bodies."""
    return bit(int(rows[s, k, A])) | bit(int(rows[s, k, B]))


@kernel
def list_struck(s: int, found: int, rows: Floats, ahead: Floats) -> int:
    """Return how many bodies have contacts, and write who."""
    seen, many = min(found, 0), min(found, 0)
    for k in range(2 * found):
        who = int(rows[s, k // 2, A + k % 2])
        if bit(who) & ~seen != 0:
            seen |= bit(who)
            ahead[s, many, STRUCK] = who
            many += 1
    return many


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
def energy(s: int, many: int, column: int, ahead: Floats, chassis: Floats, inv_ball: float) -> float:
    """Return twice the kinetic energy of those that have contacts, at the velocities that begin in this column."""
    total, n = 0.0, ahead.shape[1] - 1
    for q in range(many):
        i = int(ahead[s, q, STRUCK])
        vx, vy, omega = ahead[s, i, column], ahead[s, i, column + 1], ahead[s, i, column + 2]
        total += (vx * vx + vy * vy) / (inv_ball if i == n else chassis[INV_MASS])
        total += omega * omega / chassis[INV_INERTIA]
    return float(total)


@kernel
def stop(s: int, many: int, ahead: Floats) -> None:
    """Keep the velocities that stopped bodies have."""
    for q in range(many):
        i = int(ahead[s, q, STRUCK])
        vx, vy, omega = ahead[s, i, SPEED], ahead[s, i, SPEED + 1], ahead[s, i, SPEED + 2]
        ahead[s, i, STOPPED], ahead[s, i, STOPPED + 1], ahead[s, i, STOPPED + 2] = vx, vy, omega


@kernel
def spring_back(
    s: int, found: int, many: int, most: float, scratch: Scratch, chassis: Floats, inv_ball: float, settled: float
) -> None:
    """Let stopped bodies bounce, but with no more energy than there was: with friction Poisson's law can make some."""
    ahead, rows = scratch[0], scratch[2]
    stop(s, many, ahead)
    if not rebound(s, found, rows, ahead, chassis, inv_ball):
        return
    solve(s, found, rows, ahead, chassis, inv_ball, ROUNDS, settled)
    top = energy(s, many, SPEED, ahead, chassis, inv_ball)
    if top <= most + settled * most:  # beside heavy bodies a light one's energy is lost in rounding
        return
    for q in range(many):
        i = int(ahead[s, q, STRUCK])
        for c in range(3):
            ahead[s, i, SPEED + c] = 0.5 * (ahead[s, i, SPEED + c] + ahead[s, i, STOPPED + c])
    least, middle = energy(s, many, STOPPED, ahead, chassis, inv_ball), energy(s, many, SPEED, ahead, chassis, inv_ball)
    square = 2.0 * (least + top - 2.0 * middle)  # energy at part u of the bounce: least + slope u + square u^2
    slope, room = top - least - square, max(0.0, most - least)
    rise = slope + math.sqrt(max(0.0, slope * slope + 4.0 * square * room))
    u = 2.0 * room / rise if rise > 0.0 else 0.0
    for q in range(many):
        i = int(ahead[s, q, STRUCK])
        for c in range(3):
            stopped = ahead[s, i, STOPPED + c]
            ahead[s, i, SPEED + c] = stopped + 2.0 * u * (ahead[s, i, SPEED + c] - stopped)


@kernel
def give_all(e: int, s: int, many: int, world: World, offset: float, ahead: Floats) -> None:
    """Give all that have contacts their new velocities: nothing that was foreseen of them holds."""
    velocity, ball = world[1], world[3]
    for q in range(many):
        i = int(ahead[s, q, STRUCK])
        if i == velocity.shape[1]:
            ball[e, 2], ball[e, 3] = ahead[s, i, SPEED], ahead[s, i, SPEED + 1]
        else:
            velocity[e, i, 0], velocity[e, i, 1], velocity[e, i, 2] = give_back(s, i, offset, ahead)
            ahead[s, i, UNTIL] = 0.0


@kernel
def strike(e: int, s: int, count: int, world: World, room: Room, robot: Robot, scratch: Scratch) -> int:
    """Return how many contacts were struck; velocities jump, and ``rows`` keep the stopping impulses as GAP."""
    ahead, rows, chassis, inv_ball = scratch[0], scratch[2], robot[0], room[5][INV_BALL]
    ball, settled = world[3], room[5][TOUCHING]
    landed = bool(ball[e, 4] > 0.0) and land(e, s, count, world, room, scratch)
    found = struck_rows(s, near_rows(e, s, count, world, room, robot, scratch), landed, rows)
    many = list_struck(s, found, rows, ahead)
    most = energy(s, many, SPEED, ahead, chassis, inv_ball)
    solve(s, found, rows, ahead, chassis, inv_ball, ROUNDS, settled)
    for k in range(found):
        rows[s, k, GAP] = rows[s, k, PUSH]
    spring_back(s, found, many, most, scratch, chassis, inv_ball, settled)
    give_all(e, s, many, world, chassis[OFFSET], ahead)
    turn_spin(e, s, found, world[0].shape[1], ball, rows)
    return found
