"""One robot that leans on the pitch, or two that lean on each other, on tyres and with one contact or two.

More than nine in ten of all islands of robots that lean are like that. What `leaning.settle` does with arrays is done
here with numbers at hand, for each duo until it has settled.

Meet    where a duo touch: gap and place of one point, of another (its gap NEVER: there is none), and the normal
Speeds  vx, vy, omega of a mass centre
Car     x, y, cosine and sine of the heading; speed that the motor wants, its least and its most impulse: left, right
Rubber  of a tyre: arm of the right wheel, mass centre ahead, impulses that change the speed along and across by one,
        softness, the grip's bound left and right
Pulls   impulses so far: along and across, left, then right
Mass    inverse mass and inverse inertia; the pitch has none
Touch   a contact: normal, levers of normal and tangent on both, floor, impulses that change the speed by one, friction;
        see ROW in `tables`
Case    what stays while a duo settle: where both are, contacts and whether there are two, masses, what tyres share;
        of a robot at the pitch the other one is not looked at
Stand   what changes: velocities, pulls, and the impulses along and across of both contacts; the other one's first
"""

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross
from tikitaka.sim.kernels.chassis import ARM, GRIP, INV_INERTIA, INV_MASS, OFFSET, Floats, pull
from tikitaka.sim.kernels.impacts import NEVER
from tikitaka.sim.kernels.impulses import mass_centre_speed
from tikitaka.sim.kernels.tables import COS, RUB_PAIR, RUB_WALL, SIN, SKIN, Robot, World
from tikitaka.sim.kernels.treads import grip

STILL = 3e-5  # [m/s] a round that changes no speed by more is the last one

Meet = tuple[float, float, float, float, float, float, float, float]
Speeds = tuple[float, float, float]
Car = tuple[float, float, float, float, float, float, float, float, float, float]
Rubber = tuple[float, float, float, float, float, float, float]
Pulls = tuple[float, float, float, float]
Mass = tuple[float, float]
Touch = tuple[float, float, float, float, float, float, float, float, float, float]
Case = tuple[Car, Car, Touch, Touch, bool, Mass, Mass, Rubber]
Stand = tuple[Speeds, Speeds, Pulls, Pulls, Pulls]


@kernel
def rubber(left: float, chassis: Floats, wheels: Floats) -> Rubber:
    """Return what all tyres have in common, for the rest of a substep."""
    m, inv_i, arm, offset = chassis[INV_MASS], chassis[INV_INERTIA], wheels[1, ARM], chassis[OFFSET]
    soft = 1.0 / (pull(0.0, 0.0, wheels, 1)[1] * left)
    give, side = 1.0 / (m + inv_i * arm * arm + soft), 1.0 / (m + inv_i * offset * offset)
    return arm, offset, give, side, soft, wheels[0, GRIP] * left, wheels[1, GRIP] * left


@kernel
def car(e: int, s: int, i: int, left: float, aim: Floats, world: World, ahead: Floats, wheels: Floats) -> Car:
    """Return where a robot is, and what its motors can do."""
    pose, spin = world[0], world[2]
    want_l, _, low_l, high_l = pull(aim[e, i, 0], spin[e, i, 0], wheels, 0)
    want_r, _, low_r, high_r = pull(aim[e, i, 1], spin[e, i, 1], wheels, 1)
    return (
        pose[e, i, 0], pose[e, i, 1], ahead[s, i, COS], ahead[s, i, SIN],
        want_l, low_l * left, high_l * left, want_r, low_r * left, high_r * left,
    )  # fmt: skip


@kernel
def speeds_of(e: int, i: int, one: Car, offset: float, velocity: Floats) -> Speeds:
    """Return the velocity of a robot's mass centre."""
    return mass_centre_speed(velocity[e, i, 0], velocity[e, i, 1], velocity[e, i, 2], one[2], one[3], offset)


@kernel
def meet_of(s: int, found: int, manifold: Floats) -> Meet:
    """Return the one or two points that were found."""
    gap, x, y, nx, ny = manifold[s, 0, 0], manifold[s, 0, 1], manifold[s, 0, 2], manifold[s, 0, 3], manifold[s, 0, 4]
    if found < 2:
        return gap, x, y, NEVER, x, y, nx, ny
    return gap, x, y, manifold[s, 1, 0], manifold[s, 1, 1], manifold[s, 1, 2], nx, ny


@kernel
def floor_of(gap: float, left: float) -> float:
    """Return the least speed at which a contact may open: it may close as far as its skin."""
    return -max(0.0, gap - SKIN) / left


@kernel
def touch_at(
    gap: float, qx: float, qy: float, nx: float, ny: float, left: float, a: Car, b: Car, ma: Mass, mb: Mass,
    offset: float, friction: float,
) -> Touch:  # fmt: skip
    """Return a contact."""
    ax, ay, bx, by = (
        qx - a[0] - offset * a[2],
        qy - a[1] - offset * a[3],
        qx - b[0] - offset * b[2],
        qy - b[1] - offset * b[3],
    )
    lever_a, turn_a, lever_b, turn_b = (
        cross(ax, ay, nx, ny),
        cross(ax, ay, -ny, nx),
        cross(bx, by, nx, ny),
        cross(bx, by, -ny, nx),
    )
    give = ma[0] + ma[1] * lever_a * lever_a + (mb[0] + mb[1] * lever_b * lever_b)
    slide = ma[0] + ma[1] * turn_a * turn_a + (mb[0] + mb[1] * turn_b * turn_b)
    floor = floor_of(gap, left)
    return nx, ny, lever_a, lever_b, turn_a, turn_b, floor, 1.0 / give, 1.0 / slide, friction


@kernel
def roll(v: Speeds, pulls: Pulls, one: Car, tyre: Rubber, mass: Mass) -> tuple[Speeds, Pulls]:
    """Return velocity and pulls after both tyres of a robot have pulled and held."""
    _, _, c, sn, want_l, low_l, high_l, want_r, low_r, high_r = one
    arm, offset, give, side, soft, most_l, most_r = tyre
    m, inv_i = mass
    vx, vy, omega = v
    p, q, pr, qr = pulls
    vx, vy, omega, p, q, _ = grip(
        vx, vy, omega, p, q, c, sn, -arm, -offset, want_l, soft, low_l, high_l, give, side, most_l, m, inv_i
    )
    vx, vy, omega, pr, qr, _ = grip(
        vx, vy, omega, pr, qr, c, sn, arm, -offset, want_r, soft, low_r, high_r, give, side, most_r, m, inv_i
    )
    return (vx, vy, omega), (p, q, pr, qr)


@kernel
def press(
    va: Speeds, vb: Speeds, push: float, drag: float, touch: Touch, ma: Mass, mb: Mass
) -> tuple[Speeds, Speeds, float, float]:
    """Return velocities and impulses after a contact has pushed and rubbed."""
    nx, ny, lever_a, lever_b, turn_a, turn_b, floor, stop, stick, friction = touch
    (ax, ay, wa), (bx, by, wb) = va, vb
    opens, two = bx * nx + by * ny + wb * lever_b, ma[0] > 0.0
    if two:
        opens -= ax * nx + ay * ny + wa * lever_a
    impulse = max(0.0, push + (floor - opens) * stop)
    change = impulse - push
    if change != 0.0:
        if two:
            ax, ay, wa = ax - change * ma[0] * nx, ay - change * ma[0] * ny, wa - change * ma[1] * lever_a
        bx, by, wb = bx + change * mb[0] * nx, by + change * mb[0] * ny, wb + change * mb[1] * lever_b
    if (friction > 0.0 and impulse > 0.0) or drag != 0.0:
        tx, ty, most = -ny, nx, friction * impulse
        slips = bx * tx + by * ty + wb * turn_b
        if two:
            slips -= ax * tx + ay * ty + wa * turn_a
        change, drag = drag, clamp(drag - slips * stick, -most, most)
        change = drag - change
        if two:
            ax, ay, wa = ax - change * ma[0] * tx, ay - change * ma[0] * ty, wa - change * ma[1] * turn_a
        bx, by, wb = bx + change * mb[0] * tx, by + change * mb[0] * ty, wb + change * mb[1] * turn_b
    return (ax, ay, wa), (bx, by, wb), impulse, drag


@kernel
def change_of(v: Speeds, old: Speeds, arm: float) -> float:
    """Return the largest change of speed of a robot's wheels."""
    return max(abs(v[0] - old[0]), abs(v[1] - old[1]), arm * abs(v[2] - old[2]))


@kernel
def settle(stand: Stand, rounds: int, case: Case) -> tuple[Stand, bool]:
    """Return how a duo stand when a round changes no speed, or after so many rounds; and whether none does any more.

    What counts is what a whole round changes: tyres and contacts that hold against each other may share that out anew
    in every round, while nobody moves.
    """
    a, b, first, second, twice, ma, mb, tyre = case
    va, vb, pulls_a, pulls_b, (push, drag, push_2, drag_2) = stand
    settled = False
    for _ in range(rounds):
        old_a, old_b = va, vb
        if ma[0] > 0.0:
            va, pulls_a = roll(va, pulls_a, a, tyre, ma)
        vb, pulls_b = roll(vb, pulls_b, b, tyre, mb)
        va, vb, push, drag = press(va, vb, push, drag, first, ma, mb)
        if twice:
            va, vb, push_2, drag_2 = press(va, vb, push_2, drag_2, second, ma, mb)
        if max(change_of(va, old_a, tyre[0]), change_of(vb, old_b, tyre[0])) < STILL:
            settled = True
            break
    return (va, vb, pulls_a, pulls_b, (push, drag, push_2, drag_2)), settled


@kernel
def case_of(
    e: int, s: int, i: int, mate: int, meet: Meet, left: float, aim: Floats, world: World, robot: Robot, play: Floats,
    ahead: Floats,
) -> Case:  # fmt: skip
    """Return what is given for robot i that leans on ``mate``, a robot or the pitch."""
    chassis, wheels = robot
    gap, x, y, gap_2, x_2, y_2, nx, ny = meet
    offset, mass, ma, friction = chassis[OFFSET], (chassis[INV_MASS], chassis[INV_INERTIA]), (0.0, 0.0), play[RUB_WALL]
    b = car(e, s, i, left, aim, world, ahead, wheels)
    a = b
    if mate >= 0:
        a, ma, friction = car(e, s, mate, left, aim, world, ahead, wheels), mass, play[RUB_PAIR]
    first = touch_at(gap, x, y, nx, ny, left, a, b, ma, mass, offset, friction)
    second = touch_at(gap_2, x_2, y_2, nx, ny, left, a, b, ma, mass, offset, friction)
    return a, b, first, second, gap_2 != NEVER, ma, mass, rubber(left, chassis, wheels)


@kernel
def set_out(e: int, i: int, mate: int, case: Case, velocity: Floats) -> Stand:
    """Return how a duo stand before the first round."""
    nothing, vb, va = (0.0, 0.0, 0.0, 0.0), speeds_of(e, i, case[1], case[7][1], velocity), (0.0, 0.0, 0.0)
    if mate >= 0:
        va = speeds_of(e, mate, case[0], case[7][1], velocity)
    return va, vb, nothing, nothing, nothing
