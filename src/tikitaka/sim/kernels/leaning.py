"""Lasting contacts: bodies that lean against one another while their wheels push, for a piece of a substep.

Robots that lean begin with the velocity that they have; tyres and contacts then act together until they agree: a motor
is a soft speed constraint as strong as its torque, the tyre's grip bounds it and what it holds across. A robot that
only a ball that is free to go leans on (NUDGED) keeps its free motion and gets the ball's push on top. Duos, who lean
on nobody else, are worked out each for itself (`duos`), all others together.

gain    force of a motor per missing speed of its tyre [N s/m]
soft    what a unit impulse costs in speed because the motor gives way [m/s per N s]
"""

from tikitaka.geom.jit import kernel
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
from tikitaka.sim.kernels.duos import STILL
from tikitaka.sim.kernels.impulses import give_back, pinch, sweep, take
from tikitaka.sim.kernels.islands import list_crowd
from tikitaka.sim.kernels.kicking import INV_BALL
from tikitaka.sim.kernels.leaning_duos import lean_duos
from tikitaka.sim.kernels.noting import NO_TIME, Marks, note
from tikitaka.sim.kernels.paths import go_straight
from tikitaka.sim.kernels.tables import (
    BEGAN,
    COS,
    FREE,
    LEANER,
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
from tikitaka.sim.kernels.treads import grip, rolls_at

TURNS = 40  # at most, over all tyres and contacts of the crowd
OVER, FIRST, LAST = 1.7, 6, 4  # chosen: contacts overshoot by it, but for the first and the last turns; see decision 12


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
def tyre(
    s: int, i: int, at: int, vx: float, vy: float, omega: float, ahead: Floats, chassis: Floats
) -> tuple[float, float, float, float]:
    """Return (vx, vy, omega, change of speed) after one tyre has pulled along its wheel and held across it."""
    vx, vy, omega, p, q, change = grip(
        vx, vy, omega, ahead[s, i, at + T_ALONG], ahead[s, i, at + T_ACROSS],
        ahead[s, i, at + T_UX], ahead[s, i, at + T_UY], ahead[s, i, at + T_LEVER], ahead[s, i, at + T_TURN],
        ahead[s, i, at + T_WANT], ahead[s, i, at + T_SOFT], ahead[s, i, at + T_LOW], ahead[s, i, at + T_HIGH],
        ahead[s, i, at + T_GIVE], ahead[s, i, at + T_SIDE], ahead[s, i, at + T_MOST],
        chassis[INV_MASS], chassis[INV_INERTIA],
    )  # fmt: skip
    ahead[s, i, at + T_ALONG], ahead[s, i, at + T_ACROSS] = p, q
    return vx, vy, omega, change


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
def begin(e: int, s: int, left: float, aim: Floats, world: World, robot: Robot, scratch: Scratch) -> None:
    """Set the velocities and the tyres that the crowd starts from."""
    ahead, velocity, n = scratch[0], world[1], world[0].shape[1]
    list_crowd(s, ahead)
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
def settle_wheels(s: int, i: int, vx: float, vy: float, omega: float, robot: Robot, scratch: Scratch) -> None:
    """Set wheel rates after leaning: a tyre that holds rolls with the ground, one that slips turns as its motor can."""
    ahead, after, wheels = scratch[0], scratch[1], robot[1]
    c, sn = ahead[s, i, COS], ahead[s, i, SIN]
    u, v = vx * c + vy * sn, vy * c - vx * sn
    for k in range(wheels.shape[0]):
        at = TREADS + TREAD * k
        speed = u * wheels[k, UX] + v * wheels[k, UY] + omega * wheels[k, ARM]
        p, q, want, soft = (
            ahead[s, i, at + T_ALONG], ahead[s, i, at + T_ACROSS], ahead[s, i, at + T_WANT], ahead[s, i, at + T_SOFT]
        )  # fmt: skip
        after[s, i, k] = rolls_at(speed, p, q, want, soft, ahead[s, i, at + T_MOST]) / wheels[k, RADIUS]


@kernel
def finish(e: int, s: int, left: float, world: World, robot: Robot, scratch: Scratch) -> None:
    """Give the velocities found to those in contact, and straight paths to those that lean."""
    velocity, ball = world[1], world[3]
    ahead, n = scratch[0], world[0].shape[1]
    for k in range(int(ahead[s, n, LEANER])):
        i = int(ahead[s, k, LEANER])
        vx, vy, omega = give_back(s, i, robot[0][OFFSET], ahead)
        go_straight(e, s, i, left, vx, vy, omega, world, scratch)
        settle_wheels(s, i, vx, vy, omega, robot, scratch)
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
    """Go over all tyres and contacts until a turn changes no speed, or for so many turns."""
    for turn in range(TURNS):
        over = OVER if FIRST <= turn < TURNS - LAST else 1.0
        worst = tyres(s, ahead, robot[0], robot[1].shape[0])
        worst = max(worst, sweep(s, found, over, rows, ahead, robot[0], room[5][INV_BALL]))
        if worst < STILL:
            return
        pinch(s, found, rows, ahead, robot[0], room[5][INV_BALL])


@kernel
def lean(
    e: int, s: int, found: int, left: float, aim: Floats, marks: Marks, world: World, room: Room, robot: Robot,
    scratch: Scratch,
) -> None:  # fmt: skip
    """Find the velocities of all that are in lasting contact, for the rest of a substep; found: in the crowd."""
    lean_duos(e, s, left, aim, marks[1], world, robot, room[5], scratch)
    if found > 0:
        begin(e, s, left, aim, world, robot, scratch)
        settle(s, found, scratch[0], scratch[2], room, robot)
        finish(e, s, left, world, robot, scratch)
        note(e, s, found, NO_TIME, world[0].shape[1], scratch[2], marks)
