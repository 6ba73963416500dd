"""Lasting contacts: bodies that lean against one another while their wheels push, for one substep.

Robots that lean begin with the velocity that they have; tyres and contacts then act together until they agree: a motor
is a soft speed constraint as strong as its torque, the tyre's grip bounds it and what it holds across. A robot that
only the ball leans on (NUDGED) keeps its free motion and gets the ball's push on top.

gain    force of a motor per missing speed of its tyre [N s/m]
soft    what a unit impulse costs in speed because the motor gives way [m/s per N s]
"""

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, clip_norm, norm
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
from tikitaka.sim.kernels.impacts import FAR, NEVER, parting
from tikitaka.sim.kernels.impulses import give_back, sweep, take
from tikitaka.sim.kernels.kicking import INV_BALL
from tikitaka.sim.kernels.pairs import close_by, reaches
from tikitaka.sim.kernels.paths import body_now
from tikitaka.sim.kernels.tables import (
    CLOSING,
    COS,
    FLOOR,
    FREE,
    GAP,
    LEANS,
    MARK,
    NUDGED,
    NX,
    NY,
    REST_SPEED,
    SIN,
    SKIN,
    SPEED,
    T_ACROSS,
    T_ALONG,
    T_GIVE,
    T_HIGH,
    T_LEVER,
    T_LOW,
    T_MOST,
    T_SIDE,
    T_SOFT,
    T_TURN,
    T_UX,
    T_UY,
    T_WANT,
    TREAD,
    TREADS,
    Floats,
    Robot,
    Room,
    Scratch,
    World,
)  # fmt: skip

Motions = tuple[float, float, float, float, float, float, float, float, float, float]  # x, y, vx, vy, omega; twice

LEAST_CUT = 1.0 / 32.0  # of a substep: lasting contacts are not looked at more often
ROUNDS = 24
SLIPPING = 0.999  # of a tyre's grip: one that is so near to it slips
TYRES_LESS = 0.1  # what a change of a tyre counts: it moves nobody through anything
SETTLED = 1e-4  # [m/s] leaning ends when nothing changes by more: 0.4 um in a substep, far below the skin


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
def next_corner(s: int, first: int, found: int, cut: float, speeds: Motions, rows: Floats, manifold: Floats) -> float:
    """Return when the first of a leaning pair's other corners is hit, at the latest ``cut``."""
    xa, ya, vxa, vya, wa, xb, yb, vxb, vyb, wb = speeds
    for q in range(first, found):
        qx, qy = manifold[s, q - first, 1], manifold[s, q - first, 2]
        part = parting(qx, qy, rows[s, q, NX], rows[s, q, NY], xa, ya, vxa, vya, wa, xb, yb, vxb, vyb, wb)
        if part < -REST_SPEED:
            cut = min(cut, rows[s, q, GAP] / -part)
    return cut


@kernel
def gather(
    e: int, s: int, count: int, left: float, all_lean: bool, world: World, room: Room, robot: Robot, scratch: Scratch
) -> tuple[int, float]:
    """Return how many lasting contacts there are and how long they stay as they are, at most ``left``.

    The gaps of all other pairs are noted for `first_meeting`.
    """
    ahead, rows, manifold, pairs = scratch[0], scratch[2], scratch[3], scratch[4]
    n, found, touch, cut = world[0].shape[1], min(count, 0), 1.5 * SKIN + 2.0 * REST_SPEED * left, left
    for i in range(n + 1):
        ahead[s, i, MARK] = FREE
    far, far_ball = reaches(e, world, room[5], left)
    for k in range(count):
        a, b = int(pairs[s, k, 0]), int(pairs[s, k, 1])
        xa, ya, ca, sa, vxa, vya, wa = body_now(e, s, a, world, ahead)
        xb, yb, cb, sb, vxb, vyb, wb = body_now(e, s, b, world, ahead)
        if a >= 0 and not all_lean and not close_by(xa, ya, xb, yb, far if b < n else far_ball):
            pairs[s, k, 2] = FAR
            continue
        gap, nx, ny, qx, qy = pair_gap(s, a, b, n, xa, ya, ca, sa, xb, yb, cb, sb, room, manifold)
        pairs[s, k, 2] = gap
        if (gap > touch and not all_lean) or (b == n and is_top(nx, ny)):
            continue
        part = parting(qx, qy, nx, ny, xa, ya, vxa, vya, wa, xb, yb, vxb, vyb, wb)
        if abs(part) > REST_SPEED and not all_lean:
            continue
        first, pairs[s, k, 2] = found, NEVER
        found = add_rows(e, s, found, a, b, NEVER, world, room, robot, scratch)
        if b < n and not all_lean:
            speeds = (xa, ya, vxa, vya, wa, xb, yb, vxb, vyb, wb)
            cut = next_corner(s, first, found, cut, speeds, rows, manifold)
        mark(s, a, b, n, ahead)
    cut = max(cut, LEAST_CUT * left)
    for q in range(found):
        rows[s, q, FLOOR], rows[s, q, CLOSING] = -max(0.0, rows[s, q, GAP] - SKIN) / cut, 0.0
    return found, cut


@kernel
def tread(
    e: int,
    s: int,
    i: int,
    k: int,
    left: float,
    aim: Floats,
    spin: Floats,
    ahead: Floats,
    chassis: Floats,
    wheels: Floats,
) -> None:
    """Set up the tyre of wheel k of a robot that leans."""
    at, c, sn = TREADS + TREAD * k, ahead[s, i, COS], ahead[s, i, SIN]
    lever = wheels[k, ARM] - chassis[OFFSET] * wheels[k, UY]
    turn = wheels[k, SIDE_ARM] - chassis[OFFSET] * wheels[k, UX]
    want, gain, low, high = pull(aim[e, i, k], spin[e, i, k], wheels, k)
    soft, m, inv_i = 1.0 / (gain * left), chassis[INV_MASS], chassis[INV_INERTIA]
    ahead[s, i, at + T_UX] = wheels[k, UX] * c - wheels[k, UY] * sn
    ahead[s, i, at + T_UY] = wheels[k, UX] * sn + wheels[k, UY] * c
    ahead[s, i, at + T_LEVER], ahead[s, i, at + T_TURN] = lever, turn
    ahead[s, i, at + T_GIVE] = 1.0 / (m + inv_i * lever * lever + soft)
    ahead[s, i, at + T_SIDE] = 1.0 / (m + inv_i * turn * turn) if chassis[TYRES] > 0.0 else 0.0
    ahead[s, i, at + T_WANT], ahead[s, i, at + T_SOFT] = want, soft
    ahead[s, i, at + T_LOW], ahead[s, i, at + T_HIGH] = low * left, high * left
    ahead[s, i, at + T_MOST] = wheels[k, GRIP] * left
    ahead[s, i, at + T_ALONG], ahead[s, i, at + T_ACROSS] = 0.0, 0.0


@kernel
def hold(
    p: float, q: float, missing: float, across: float, give: float, side: float, low: float, high: float, most: float
) -> tuple[float, float]:
    """Return the impulses along and across a wheel that take away what is missing and what slides, as far as it can."""
    new_p, new_q = clamp(p + missing * give, low, high), q - across * side
    if new_p * new_p + new_q * new_q <= most * most:
        return new_p, new_q
    step = min(give, side) if side > 0.0 else give  # it slips, and drags against its slip: one step for both
    new_q = q - step * across if side > 0.0 else 0.0
    return clip_norm(clamp(p + step * missing, low, high), new_q, most)


@kernel
def tyre(
    s: int, i: int, at: int, vx: float, vy: float, omega: float, ahead: Floats, chassis: Floats
) -> tuple[float, float, float, float]:
    """Return (vx, vy, omega, change of speed) after one tyre has pulled along its wheel and held across it."""
    ux, uy, lever, turn = ahead[s, i, at], ahead[s, i, at + T_UY], ahead[s, i, at + T_LEVER], ahead[s, i, at + T_TURN]
    p, q, m, inv_i = ahead[s, i, at + T_ALONG], ahead[s, i, at + T_ACROSS], chassis[INV_MASS], chassis[INV_INERTIA]
    missing = ahead[s, i, at + T_WANT] - vx * ux - vy * uy - omega * lever - ahead[s, i, at + T_SOFT] * p
    give, side, most = ahead[s, i, at + T_GIVE], ahead[s, i, at + T_SIDE], ahead[s, i, at + T_MOST]
    low, high = ahead[s, i, at + T_LOW], ahead[s, i, at + T_HIGH]
    new_p, new_q = hold(p, q, missing, vy * ux - vx * uy + omega * turn, give, side, low, high, most)
    dp, dq = new_p - p, new_q - q
    ahead[s, i, at + T_ALONG], ahead[s, i, at + T_ACROSS] = new_p, new_q
    vx, vy = vx + m * (dp * ux - dq * uy), vy + m * (dp * uy + dq * ux)
    return vx, vy, omega + inv_i * (dp * lever + dq * turn), m * max(abs(dp), abs(dq))


@kernel
def tyres(s: int, ahead: Floats, chassis: Floats, wheels: int) -> float:
    """Return the largest change of speed in one round over all tyres of robots that lean."""
    worst = 0.0
    for i in range(ahead.shape[1] - 1):
        if ahead[s, i, MARK] == LEANS:
            vx, vy, omega = ahead[s, i, SPEED], ahead[s, i, SPEED + 1], ahead[s, i, SPEED + 2]
            for k in range(wheels):
                vx, vy, omega, change = tyre(s, i, TREADS + TREAD * k, vx, vy, omega, ahead, chassis)
                worst = max(worst, change)
            ahead[s, i, SPEED], ahead[s, i, SPEED + 1], ahead[s, i, SPEED + 2] = vx, vy, omega
    return worst


@kernel
def begin(e: int, s: int, left: float, aim: Floats, world: World, robot: Robot, scratch: Scratch) -> None:
    """Set the velocities and the tyres that leaning starts from."""
    ahead, velocity, n = scratch[0], world[1], world[0].shape[1]
    for i in range(n):
        if ahead[s, i, MARK] == FREE:
            continue
        take(e, s, i, velocity, robot[0][OFFSET], ahead)
        if ahead[s, i, MARK] == NUDGED:
            for q in range(3):
                ahead[s, i, SPEED + q] += ahead[s, i, 3 + q] - velocity[e, i, q]
        else:
            for k in range(robot[1].shape[0]):
                tread(e, s, i, k, left, aim, world[2], ahead, robot[0], robot[1])
    ahead[s, n, SPEED], ahead[s, n, SPEED + 1], ahead[s, n, SPEED + 2] = ahead[s, n, 2], ahead[s, n, 3], 0.0


@kernel
def settle_wheels(e: int, s: int, i: int, velocity: Floats, robot: Robot, scratch: Scratch) -> None:
    """Set wheel rates after leaning: a tyre that holds rolls with the ground, one that slips turns as its motor can."""
    ahead, after, wheels = scratch[0], scratch[1], robot[1]
    vx, vy, omega, c, sn = velocity[e, i, 0], velocity[e, i, 1], velocity[e, i, 2], ahead[s, i, COS], ahead[s, i, SIN]
    u, v = vx * c + vy * sn, vy * c - vx * sn
    for k in range(wheels.shape[0]):
        at = TREADS + TREAD * k
        p, q = ahead[s, i, at + T_ALONG], ahead[s, i, at + T_ACROSS]
        speed = u * wheels[k, UX] + v * wheels[k, UY] + omega * wheels[k, ARM]
        if norm(p, q) >= SLIPPING * ahead[s, i, at + T_MOST]:
            speed = ahead[s, i, at + T_WANT] - p * ahead[s, i, at + T_SOFT]
        after[s, i, k] = speed / wheels[k, RADIUS]


@kernel
def finish(e: int, s: int, left: float, world: World, robot: Robot, scratch: Scratch) -> None:
    """Give the velocities found to those in contact, and straight paths to those that lean."""
    pose, velocity, ball = world[0], world[1], world[3]
    ahead, n = scratch[0], pose.shape[1]
    for i in range(n):
        if ahead[s, i, MARK] == FREE:
            continue
        found = give_back(s, i, robot[0][OFFSET], ahead)
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
            settle_wheels(e, s, i, velocity, robot, scratch)
    if ahead[s, n, MARK] != FREE:
        ball[e, 2], ball[e, 3] = ahead[s, n, SPEED], ahead[s, n, SPEED + 1]


@kernel
def lean(
    e: int, s: int, found: int, left: float, aim: Floats, world: World, room: Room, robot: Robot, scratch: Scratch
) -> None:
    """Find the velocities of all that are in lasting contact, for the rest of a substep."""
    begin(e, s, left, aim, world, robot, scratch)
    for _ in range(ROUNDS):
        worst = TYRES_LESS * tyres(s, scratch[0], robot[0], robot[1].shape[0])
        worst = max(worst, sweep(s, found, scratch[2], scratch[0], robot[0], room[5][INV_BALL]))
        if worst < SETTLED:
            break
    finish(e, s, left, world, robot, scratch)
