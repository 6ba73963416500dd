"""Lasting contacts: bodies that lean against one another while their wheels push, for one substep.

Robots that lean begin with the velocity that they have; tyres and contacts then act together until they agree: a motor
is a soft speed constraint as strong as its torque, the tyre's grip bounds it and what it holds across. A robot that
only the ball leans on (NUDGED) keeps its free motion and gets the ball's push on top.

gain    force of a motor per missing speed of its tyre [N s/m]
soft    what a unit impulse costs in speed because the motor gives way [m/s per N s]
"""

import math

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, norm
from tikitaka.sim.kernels.chassis import (
    ARM,
    GRIP,
    INV_INERTIA,
    INV_MASS,
    OFFSET,
    RADIUS,
    SIDE_ARM,
    TYRES,
    UX,
    UY,
    pull,
)  # fmt: skip
from tikitaka.sim.kernels.contacts import add_rows
from tikitaka.sim.kernels.gaps import is_top, pair_gap
from tikitaka.sim.kernels.impacts import NEVER, parting
from tikitaka.sim.kernels.impulses import give_back, sweep, take
from tikitaka.sim.kernels.kicking import INV_BALL
from tikitaka.sim.kernels.paths import body_at
from tikitaka.sim.kernels.tables import (
    CLOSING,
    FLOOR,
    FREE,
    GAP,
    GRIPS,
    LEANS,
    MARK,
    NUDGED,
    REST_SPEED,
    SKIN,
    SPEED,
    Floats,
    Robot,
    Room,
    Scratch,
    World,
)  # fmt: skip

ROUNDS = 30
SLIPPING = 0.999  # of a tyre's grip: one that is so near to it slips
SETTLED = 1e-6  # [m/s] leaning ends when nothing changes by more


@kernel
def mark(s: int, a: int, b: int, n: int, ahead: Floats) -> None:
    """Note who leans."""
    if b == n:
        ahead[s, n, MARK] = LEANS
        if a >= 0 and ahead[s, a, MARK] == FREE:
            ahead[s, a, MARK] = NUDGED
        return
    ahead[s, b, MARK] = LEANS
    if a >= 0:
        ahead[s, a, MARK] = LEANS


@kernel
def gather(
    e: int, s: int, count: int, left: float, all_lean: bool, world: World, room: Room, robot: Robot, scratch: Scratch
) -> int:
    """Return how many lasting contacts there are; the gaps of all other pairs are noted for `first_meeting`."""
    ahead, rows, manifold, pairs = scratch[0], scratch[2], scratch[3], scratch[4]
    n, found, touch = world[0].shape[1], 0, 1.5 * SKIN + 2.0 * REST_SPEED * left
    for i in range(n + 1):
        ahead[s, i, MARK] = FREE
    for k in range(count):
        a, b = int(pairs[s, k, 0]), int(pairs[s, k, 1])
        xa, ya, ca, sa, vxa, vya, wa = body_at(e, s, a, 0.0, left, world, ahead, room[5])
        xb, yb, cb, sb, vxb, vyb, wb = body_at(e, s, b, 0.0, left, world, ahead, room[5])
        gap, nx, ny, qx, qy = pair_gap(s, a, b, n, xa, ya, ca, sa, xb, yb, cb, sb, room, manifold)
        pairs[s, k, 2] = gap
        if (gap > touch and not all_lean) or (b == n and is_top(nx, ny)):
            continue
        part = parting(qx, qy, nx, ny, xa, ya, vxa, vya, wa, xb, yb, vxb, vyb, wb)
        if abs(part) > REST_SPEED and not all_lean:
            continue
        first, pairs[s, k, 2] = found, NEVER
        found = add_rows(e, s, found, a, b, NEVER if all_lean else touch, world, room, robot, scratch)
        for q in range(first, found):
            rows[s, q, FLOOR] = -max(0.0, rows[s, q, GAP] - SKIN) / left
            rows[s, q, CLOSING] = 0.0
        if found > first:
            mark(s, a, b, n, ahead)
    return found


@kernel
def tyre(
    s: int, i: int, k: int, c: float, sn: float, aim: float, spin: float, left: float,
    ahead: Floats, chassis: Floats, wheels: Floats,
) -> float:  # fmt: skip
    """Return the change of speed after one tyre has pulled along its wheel and held across it, as far as it grips."""
    ux, uy = wheels[k, UX] * c - wheels[k, UY] * sn, wheels[k, UX] * sn + wheels[k, UY] * c
    lever = wheels[k, ARM] - chassis[OFFSET] * wheels[k, UY]
    turn = wheels[k, SIDE_ARM] - chassis[OFFSET] * wheels[k, UX]
    m, inv_i = chassis[INV_MASS], chassis[INV_INERTIA]
    along = ahead[s, i, SPEED] * ux + ahead[s, i, SPEED + 1] * uy + ahead[s, i, SPEED + 2] * lever
    want, gain, low, high = pull(aim, spin, wheels, k)
    soft = 1.0 / (gain * left)
    p, q = ahead[s, i, GRIPS + 2 * k], ahead[s, i, GRIPS + 2 * k + 1]
    give = m + inv_i * lever * lever
    new_p, new_q = clamp(p + (want - along - soft * p) / (give + soft), low * left, high * left), 0.0
    if chassis[TYRES] > 0.0:
        across = ahead[s, i, SPEED + 1] * ux - ahead[s, i, SPEED] * uy + ahead[s, i, SPEED + 2] * turn
        new_q = q - across / (m + inv_i * turn * turn)
    most, size = wheels[k, GRIP] * left, norm(new_p, new_q)
    if size > most:
        new_p, new_q = new_p * most / size, new_q * most / size
    dp, dq = new_p - p, new_q - q
    ahead[s, i, GRIPS + 2 * k], ahead[s, i, GRIPS + 2 * k + 1] = new_p, new_q
    ahead[s, i, SPEED] += m * (dp * ux - dq * uy)
    ahead[s, i, SPEED + 1] += m * (dp * uy + dq * ux)
    ahead[s, i, SPEED + 2] += inv_i * (dp * lever + dq * turn)
    return float(give * max(abs(dp), abs(dq)))


@kernel
def tyres(e: int, s: int, left: float, aim: Floats, world: World, robot: Robot, scratch: Scratch) -> float:
    """Return the largest change of speed in one round over all tyres of robots that lean."""
    pose, spin, ahead, worst = world[0], world[2], scratch[0], 0.0
    for i in range(pose.shape[1]):
        if ahead[s, i, MARK] != LEANS:
            continue
        c, sn = math.cos(pose[e, i, 2]), math.sin(pose[e, i, 2])
        for k in range(spin.shape[2]):
            change = tyre(s, i, k, c, sn, aim[e, i, k], spin[e, i, k], left, ahead, robot[0], robot[1])
            worst = max(worst, change)
    return worst


@kernel
def begin(e: int, s: int, world: World, robot: Robot, scratch: Scratch) -> None:
    """Set the velocities and the tyres' impulses that leaning starts from."""
    ahead, n = scratch[0], world[0].shape[1]
    for i in range(n):
        take(e, s, i, world[0], world[1], robot[0][OFFSET], ahead)
        for k in range(robot[1].shape[0]):
            ahead[s, i, GRIPS + 2 * k], ahead[s, i, GRIPS + 2 * k + 1] = 0.0, 0.0
        if ahead[s, i, MARK] == NUDGED:
            for q in range(3):
                ahead[s, i, SPEED + q] += ahead[s, i, 3 + q] - world[1][e, i, q]
    ahead[s, n, SPEED], ahead[s, n, SPEED + 1], ahead[s, n, SPEED + 2] = ahead[s, n, 2], ahead[s, n, 3], 0.0


@kernel
def settle_wheels(
    e: int, s: int, i: int, left: float, aim: Floats, world: World, robot: Robot, scratch: Scratch
) -> None:
    """Set wheel rates after leaning: a tyre that holds rolls with the ground, one that slips turns as its motor can."""
    pose, spin, ahead, after, wheels = world[0], world[2], scratch[0], scratch[1], robot[1]
    vx, vy, omega = world[1][e, i, 0], world[1][e, i, 1], world[1][e, i, 2]
    c, sn = math.cos(pose[e, i, 2]), math.sin(pose[e, i, 2])
    u, v = vx * c + vy * sn, vy * c - vx * sn
    for k in range(spin.shape[2]):
        p, q = ahead[s, i, GRIPS + 2 * k], ahead[s, i, GRIPS + 2 * k + 1]
        rate = (u * wheels[k, UX] + v * wheels[k, UY] + omega * wheels[k, ARM]) / wheels[k, RADIUS]
        if norm(p, q) >= SLIPPING * wheels[k, GRIP] * left:
            want, gain, _, _ = pull(aim[e, i, k], spin[e, i, k], wheels, k)
            rate = (want - p / left / gain) / wheels[k, RADIUS]
        after[s, i, k] = rate


@kernel
def finish(e: int, s: int, left: float, aim: Floats, world: World, robot: Robot, scratch: Scratch) -> None:
    """Give the velocities found to those in contact, and straight paths to those that lean."""
    pose, velocity, ball = world[0], world[1], world[3]
    ahead, n = scratch[0], pose.shape[1]
    for i in range(n):
        if ahead[s, i, MARK] == FREE:
            continue
        found = give_back(e, s, i, pose, robot[0][OFFSET], ahead)
        for q in range(3):
            v = found[q]
            if ahead[s, i, MARK] == LEANS:
                velocity[e, i, q], ahead[s, i, 3 + q], ahead[s, i, q] = v, v, pose[e, i, q] + v * left
            else:
                change = v - ahead[s, i, 3 + q]
                velocity[e, i, q] += change
                ahead[s, i, 3 + q] += change
                ahead[s, i, q] += change * left
        if ahead[s, i, MARK] == LEANS:
            settle_wheels(e, s, i, left, aim, world, robot, scratch)
    if ahead[s, n, MARK] != FREE:
        ball[e, 2], ball[e, 3] = ahead[s, n, SPEED], ahead[s, n, SPEED + 1]


@kernel
def lean(
    e: int, s: int, count: int, left: float, aim: Floats, world: World, room: Room, robot: Robot, scratch: Scratch
) -> None:
    """Find the velocities of all that are in lasting contact, for the rest of a substep."""
    begin(e, s, world, robot, scratch)
    for _ in range(ROUNDS):
        worst = tyres(e, s, left, aim, world, robot, scratch)
        worst = max(worst, sweep(s, count, scratch[2], scratch[0], robot[0], room[5][INV_BALL]))
        if worst < SETTLED:
            break
    finish(e, s, left, aim, world, robot, scratch)
