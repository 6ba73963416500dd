"""The ball's way from one time to another: rolled or flown piece by piece between the moments at which it meets things.

x, law   see `rolling`;  boards, robots, body, skin   see `bouncing`
p        (7, 7)  covariance of x, y, vx, vy, mu, z, vz; the last two are 0 on the ground
begin    time of the ball now, counted from that of the robots
work     (3, 7, 7)  scratch
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.bouncing import (
    NEVER,
    RADIUS,
    RIM_DOUBT,
    ROBOT,
    ROBOT_DOUBT,
    WALL,
    WALL_DOUBT,
    bounce,
    first_meeting,
    gap_to,
    nearest_robot,
    rim_velocity,
)
from tikitaka.estimate.kernels.flight import fly, land, landing
from tikitaka.estimate.kernels.kalman import carry, carry_five
from tikitaka.estimate.kernels.rolling import (
    KIND,
    MU,
    Q_MU,
    Q_NEAR,
    RX,
    RY,
    SLIDE,
    VX,
    VY,
    VZ,
    Q,
    X,
    Y,
    Z,
    at,
    is_flying,
    jacobian,
    move,
    scatter,
)
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]

GROUND = 9  # number of skin: restitution of the ground
NEAR = 8  # number of skin: [m] a robot nearer than this may touch the ball
MOST_EVENTS = 12  # chosen: meetings without a way between them; then the ball is stuck, and lies still
SQUEEZED = 0.05  # [s] chosen: so long a ball that is stuck at a robot goes on
SOON = 1e-4  # [s] chosen: between two meetings, no way
HOP_DOUBT = 0.1  # chosen: of the speed, what is unknown after a landing
MOST_STEP = 0.1  # [s] chosen: longer pieces are cut, since the robots may come near


@kernel
def piece(x: Floats, p: Floats, t: float, q: float, law: Floats, work: Floats, spread: bool) -> None:
    """Move the ball and, with spread, its covariance by t, nothing in the way; q is the noise's density."""
    if t <= 0.0:
        return
    if not spread:
        if is_flying(x):
            fly(x, t, law, work[0])
        else:
            move(x, t, law)
        return
    if is_flying(x):
        fly(x, t, law, work[0])
        carry(p, work[0], work[2])
    else:
        jacobian(x, t, law, p[VX, VX] + p[VY, VY], work[0], work[1])
        move(x, t, law)
        carry_five(p, work[0], work[2])
    scatter(p, x[MU], law[KIND], q, law[Q_MU], t)


@kernel
def touch_down(x: Floats, p: Floats, law: Floats, skin: Floats, work: Floats, spread: bool) -> None:
    """Let the ball land or hop."""
    speed = max(abs(x[VX]), abs(x[VY]))
    land(x, skin[GROUND], law, work[0])
    if not spread:
        return
    carry(p, work[0], work[2])
    p[VX, VX] += (HOP_DOUBT * speed) ** 2
    p[VY, VY] += (HOP_DOUBT * speed) ** 2
    if x[VZ] == 0.0:
        for i in range(7):
            p[i, Z], p[Z, i], p[i, VZ], p[VZ, i] = 0.0, 0.0, 0.0, 0.0
    else:
        p[VZ, VZ] += (HOP_DOUBT * x[VZ]) ** 2


@kernel
def noise(x: Floats, p: Floats, begin: float, law: Floats, robots: Floats, body: Floats, skin: Floats) -> float:
    """Return the density of unknown accelerations; a ball that is known to rest does so until somebody comes near."""
    _, gap = nearest_robot(x[X], x[Y], begin, robots, body, skin[RADIUS])
    if gap < skin[NEAR]:
        return float(law[Q_NEAR])
    rests = x[VX] == 0.0 and x[VY] == 0.0 and p[VX, VX] == 0.0 and p[VY, VY] == 0.0
    return 0.0 if rests else float(law[Q])


@kernel
def travel(
    x: Floats, p: Floats, dt: float, begin: float, law: Floats, boards: Floats, robots: Floats, body: Floats,
    skin: Floats, work: Floats, spread: bool,
) -> int:  # fmt: skip
    """Move the ball by dt through all that it meets; return how often it bounced; without ``spread`` p stays as it is.

    [Beard, Algorithm 3]
    """
    left, stuck, bounces, walls, pushed = dt, 0, 0, boards.shape[0], False
    while left > 0.0 and stuck < MOST_EVENTS:
        step = min(left, MOST_STEP) if left < 2.0 else left  # a long time unseen: nobody knows where the robots are
        down = landing(x, law) if is_flying(x) else NEVER
        t, who = first_meeting(x, min(step, down), begin, law, boards, robots, body, skin)
        go = min(step, t, down)
        q = noise(x, p, begin, law, robots, body, skin) if spread and go > 0.0 else 0.0
        piece(x, p, go, q, law, work, spread)
        left, begin, stuck = left - go, begin + go, stuck + 1 if go < SOON else 0
        if who < 0 or t > min(step, down):
            if down <= step:
                touch_down(x, p, law, skin, work, spread)
            continue
        gap, nx, ny = gap_to(who, x[X], x[Y], begin, boards, robots, body, skin[RADIUS])
        if -0.5 * skin[RADIUS] < gap < 0.0:  # noise has pushed them into one another
            x[X], x[Y] = x[X] - gap * nx, x[Y] - gap * ny
        cx, cy = rim_velocity(who, x[X], x[Y], begin, nx, ny, boards, robots, skin[RADIUS])
        pushed = pushed or who >= walls
        rolls = who < walls and x[RX] == x[VX] and x[RY] == x[VY]
        e, doubt, rim = skin[ROBOT], skin[ROBOT_DOUBT], skin[RIM_DOUBT]
        if who < walls:
            e, doubt, rim = skin[WALL], skin[WALL_DOUBT], 0.0
        bounce(x, p, nx, ny, cx, cy, e, doubt, rim, spread)
        if rolls or not law[SLIDE] > 0.0:  # what rolled rolls on; off a robot it spins as before, so it slides
            x[RX], x[RY] = x[VX], x[VY]
        bounces += 1
    if left > 0.0 and pushed:  # between robots, or a robot and a wall: it goes on for a moment
        piece(x, p, min(left, SQUEEZED), law[Q_NEAR], law, work, spread)
        left -= SQUEEZED
    if left > 0.0 and not is_flying(x):
        x[VX], x[VY], x[RX], x[RY] = 0.0, 0.0, 0.0, 0.0
    return bounces


@kernel
def foresee(
    x: Floats, dt: float, begin: float, law: Floats, boards: Floats, robots: Floats, body: Floats, skin: Floats,
    p: Floats, work: Floats, px: float, py: float, reach: float, speed: float, grip: float,
) -> tuple[float, float, float]:  # fmt: skip
    """Return when and where a robot at (px, py) can first have the ball within reach, looking ``dt`` ahead at most.

    From rest it gains speed at ``grip`` up to ``speed``. inf and the last place: not within dt. x is used up.
    """
    t, h = 0.0, 1.0 / 120.0
    while t < dt:
        if _way(t, speed, grip) + reach >= math.sqrt((x[X] - px) ** 2 + (x[Y] - py) ** 2):
            return t, x[X], x[Y]
        travel(x, p, h, begin + t, law, boards, robots, body, skin, work, spread=False)
        t += h
        wx, wy = at(x, 0.0, law)[2:]
        if wx == 0.0 and wy == 0.0 and not is_flying(x):
            break
    far = math.sqrt((x[X] - px) ** 2 + (x[Y] - py) ** 2) - reach
    needed = max(t, _needed(far, speed, grip))
    return (needed if needed <= dt else math.inf), x[X], x[Y]


@kernel
def _way(t: float, speed: float, grip: float) -> float:
    """Return how far a robot gets in t from rest."""
    rise = speed / grip
    return 0.5 * grip * t * t if t < rise else speed * (t - 0.5 * rise)


@kernel
def _needed(way: float, speed: float, grip: float) -> float:
    """Return how long a robot needs for a way from rest."""
    rise = speed / grip
    if way <= 0.0:
        return 0.0
    return math.sqrt(2.0 * way / grip) if way < 0.5 * speed * rise else way / speed + 0.5 * rise
