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
from tikitaka.sim.kernels.impulses import give_back, pinch, sweep, take
from tikitaka.sim.kernels.kicking import INV_BALL
from tikitaka.sim.kernels.tables import (
    BEGAN,
    COS,
    FREE,
    LEANER,
    LEANS,
    MARK,
    NUDGED,
    SIN,
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
    UNTIL,
    Floats,
    Robot,
    Room,
    Scratch,
    World,
)  # fmt: skip

ROUNDS = 24
SLIPPING = 0.999  # of a tyre's grip: one that is so near to it slips
TYRES_LESS = 0.1  # what a change of a tyre counts: it moves nobody through anything
SETTLED = 1e-4  # [m/s] leaning ends when nothing changes by more: 0.4 um in a substep, far below the skin


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
    for q in range(int(ahead[s, ahead.shape[1] - 1, LEANER])):
        i = int(ahead[s, q, LEANER])
        vx, vy, omega = ahead[s, i, SPEED], ahead[s, i, SPEED + 1], ahead[s, i, SPEED + 2]
        for k in range(wheels):
            vx, vy, omega, change = tyre(s, i, TREADS + TREAD * k, vx, vy, omega, ahead, chassis)
            worst = max(worst, change)
        ahead[s, i, SPEED], ahead[s, i, SPEED + 1], ahead[s, i, SPEED + 2] = vx, vy, omega
    return worst


@kernel
def list_leaners(s: int, ahead: Floats) -> int:
    """Return how many lean, and write who, one after another: looking through all in every round takes longer."""
    n, m = ahead.shape[1] - 1, 0
    for i in range(n):
        if ahead[s, i, MARK] == LEANS:
            ahead[s, m, LEANER] = i
            m += 1
    ahead[s, n, LEANER] = m
    return m


@kernel
def begin(e: int, s: int, left: float, aim: Floats, world: World, robot: Robot, scratch: Scratch) -> None:
    """Set the velocities and the tyres that leaning starts from."""
    ahead, velocity, n = scratch[0], world[1], world[0].shape[1]
    for q in range(int(ahead[s, n, LEANER])):
        i = int(ahead[s, q, LEANER])
        take(e, s, i, velocity, robot[0][OFFSET], ahead)
        for k in range(robot[1].shape[0]):
            tread(e, s, i, k, left, aim, world[2], ahead, robot[0], robot[1])
    if ahead[s, n, MARK] != FREE:  # who is nudged is nudged by the ball
        for i in range(n):
            if ahead[s, i, MARK] == NUDGED:
                take(e, s, i, velocity, robot[0][OFFSET], ahead)
                for q in range(3):
                    ahead[s, i, SPEED + q] += ahead[s, i, 3 + q] - velocity[e, i, q]
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
    for k in range(int(ahead[s, n, LEANER])):
        i = int(ahead[s, k, LEANER])
        found = give_back(s, i, robot[0][OFFSET], ahead)
        for q in range(3):
            v, ahead[s, i, BEGAN + q] = found[q], velocity[e, i, q]
            velocity[e, i, q], ahead[s, i, 3 + q], ahead[s, i, q] = v, v, pose[e, i, q] + v * left
        ahead[s, i, UNTIL] = 0.0
        settle_wheels(e, s, i, velocity, robot, scratch)
    if ahead[s, n, MARK] == FREE:
        return
    for q in range(2):
        ahead[s, n, BEGAN + q], ball[e, 2 + q] = ball[e, 2 + q], ahead[s, n, SPEED + q]
    for i in range(n):
        if ahead[s, i, MARK] == NUDGED:
            ahead[s, i, UNTIL] = 0.0
            found = give_back(s, i, robot[0][OFFSET], ahead)
            for q in range(3):
                change, ahead[s, i, BEGAN + q] = found[q] - ahead[s, i, 3 + q], velocity[e, i, q]
                velocity[e, i, q] += change
                ahead[s, i, 3 + q] += change
                ahead[s, i, q] += change * left


@kernel
def settle(s: int, found: int, ahead: Floats, rows: Floats, room: Room, robot: Robot) -> None:
    """Go over all tyres and contacts until they agree, or for so many rounds."""
    for _ in range(ROUNDS):
        worst = TYRES_LESS * tyres(s, ahead, robot[0], robot[1].shape[0])
        worst = max(worst, sweep(s, found, rows, ahead, robot[0], room[5][INV_BALL]))
        if worst < SETTLED:
            return
        pinch(s, found, rows, ahead, robot[0], room[5][INV_BALL])


@kernel
def lean(
    e: int, s: int, found: int, left: float, aim: Floats, world: World, room: Room, robot: Robot, scratch: Scratch
) -> None:
    """Find the velocities of all that are in lasting contact, for the rest of a substep."""
    list_leaners(s, scratch[0])
    begin(e, s, left, aim, world, robot, scratch)
    settle(s, found, scratch[0], scratch[2], room, robot)
    finish(e, s, left, world, robot, scratch)
