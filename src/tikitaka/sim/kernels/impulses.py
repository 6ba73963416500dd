"""Contacts, answered: impulses that let nobody through, and that bounce what hits."""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.gaps import BOUNCE_PAIR, BOUNCE_ROBOT, BOUNCE_WALL, INV_INERTIA, INV_MASS

Floats = NDArray[np.float64]

SKIN = 5e-5  # [m] room that touching bodies keep, so that what the solver leaves over is no overlap
RELAX = 0.2  # of a thinned skin grows back in a substep
BOUNCE_SPEED = 0.05  # [m/s] slower contacts do not bounce, so that resting bodies rest
SOLVER_ROUNDS = 16
SETTLED = 1e-5  # [m/s] the solver ends when no contact changes by more


@kernel
def speed_along(e: int, who: int, nx: float, ny: float, lever: float, velocity: Floats, ball: Floats) -> float:
    """Return the speed of a body's contact point along the normal."""
    if who < 0:
        return 0.0
    if who == velocity.shape[1]:
        return float(ball[e, 2] * nx + ball[e, 3] * ny)
    return float(velocity[e, who, 0] * nx + velocity[e, who, 1] * ny + velocity[e, who, 2] * lever)


@kernel
def yields(who: int, n: int, lever: float, body: Floats, inv_ball: float) -> float:
    """Return the normal speed that a unit impulse gives to a body's contact point."""
    if who < 0:
        return 0.0
    return inv_ball if who == n else body[INV_MASS] + body[INV_INERTIA] * lever * lever


@kernel
def push(
    e: int, who: int, impulse: float, nx: float, ny: float, lever: float,
    velocity: Floats, ball: Floats, body: Floats, inv_ball: float,
) -> None:  # fmt: skip
    """Apply an impulse along the normal [Klancar, Eq. 27]."""
    if who == velocity.shape[1]:
        ball[e, 2] += impulse * inv_ball * nx
        ball[e, 3] += impulse * inv_ball * ny
    elif who >= 0:
        velocity[e, who, 0] += impulse * body[INV_MASS] * nx
        velocity[e, who, 1] += impulse * body[INV_MASS] * ny
        velocity[e, who, 2] += impulse * body[INV_INERTIA] * lever


@kernel
def set_bounces(e: int, k: int, contacts: Floats, velocity: Floats, ball: Floats, play: Floats, dt: float) -> None:
    """Set each contact's least normal speed, not through the other within dt, and its restitution where it hits."""
    n = velocity.shape[1]
    for s in range(k):
        a, b, nx, ny = int(contacts[s, 0]), int(contacts[s, 1]), contacts[s, 2], contacts[s, 3]
        speed = speed_along(e, b, nx, ny, contacts[s, 5], velocity, ball)
        speed -= speed_along(e, a, nx, ny, contacts[s, 4], velocity, ball)
        bounce = play[BOUNCE_PAIR]
        if b == n:
            bounce = play[BOUNCE_WALL] if a < 0 else play[BOUNCE_ROBOT]
        room = contacts[s, 6] - SKIN
        hits = speed * dt < -room and speed < -BOUNCE_SPEED
        contacts[s, 7] = 0.0 if hits else -(room if room > 0.0 else RELAX * room) / dt
        contacts[s, 8] = 0.0
        contacts[s, 9] = bounce if hits else 0.0


@kernel
def solve(e: int, k: int, contacts: Floats, velocity: Floats, ball: Floats, body: Floats, inv_ball: float) -> None:
    """Find impulses, none of them pulling, that leave no contact below its least normal speed."""
    n = velocity.shape[1]
    for _ in range(SOLVER_ROUNDS):
        worst = 0.0
        for s in range(k):
            a, b, nx, ny = int(contacts[s, 0]), int(contacts[s, 1]), contacts[s, 2], contacts[s, 3]
            la, lb = contacts[s, 4], contacts[s, 5]
            speed = speed_along(e, b, nx, ny, lb, velocity, ball) - speed_along(e, a, nx, ny, la, velocity, ball)
            give = yields(a, n, la, body, inv_ball) + yields(b, n, lb, body, inv_ball)
            impulse = max(0.0, contacts[s, 8] + (contacts[s, 7] - speed) / give)
            change = impulse - contacts[s, 8]
            if change == 0.0:
                continue
            worst = max(worst, abs(change * give))
            contacts[s, 8] = impulse
            push(e, a, -change, nx, ny, la, velocity, ball, body, inv_ball)
            push(e, b, change, nx, ny, lb, velocity, ball, body, inv_ball)
        if worst < SETTLED:
            return


@kernel
def rebound(e: int, k: int, contacts: Floats, velocity: Floats, ball: Floats, body: Floats, inv_ball: float) -> None:
    """Give back a part of the impulses that stopped what hit: Poisson's restitution, which never makes energy."""
    any_hit = False
    for s in range(k):
        impulse = contacts[s, 9] * contacts[s, 8]
        if impulse > 0.0:
            any_hit = True
            nx, ny = contacts[s, 2], contacts[s, 3]
            push(e, int(contacts[s, 0]), -impulse, nx, ny, contacts[s, 4], velocity, ball, body, inv_ball)
            push(e, int(contacts[s, 1]), impulse, nx, ny, contacts[s, 5], velocity, ball, body, inv_ball)
        contacts[s, 8] = 0.0
    if any_hit:
        solve(e, k, contacts, velocity, ball, body, inv_ball)
