"""All robots at once: where independent predictions would drive them through each other or through the boards.

Contacts are taken in the order of their times. At each the two bodies are set back to where they touch, given new
velocities, and driven on with these for the rest of the step [MI20, secs. V-VI, and what they leave out].

old      (n, 3+)  poses at the beginning
track    (n, 6)   x, y, theta, vx, vy, omega at the end, as each robot alone would have it; corrected in place
shaken   (n, 2)   by how much a robot's velocity was changed [m/s], [rad/s]
partner  (n,)     the robot that it touched first, BOARD where it touched only boards, else NOBODY
body, boards, work, pairs: see `pairing`
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.pairing import (
    BOARD_BOUNCE,
    BOARD_FRICTION,
    BOUNCE,
    FIRST,
    FRICTION,
    INERTIA,
    LEVEL,
    MASS,
    SECOND,
    SLOP,
    WHEN,
    begin,
    candidates,
    go_on,
    look_again,
    next_event,
    touch_of,
)
from tikitaka.estimate.kernels.response import Motion, Touch, respond
from tikitaka.geom.angles import wrap
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

OFF, SET_BACK, FULL = 0, 1, 2
NOBODY, BOARD = -1, -2
EASE, EASE_MOST = 6.0, 0.1  # [1/s], [m/s] chosen: a fifth of an overlap goes in a frame, 3 mm at most
EVENTS = 6  # chosen: contacts of a robot in a step, on average; then those that still collide stop where they are


def pairs_room(n: int, k: int) -> int:
    """Return how many rows of pairs are always enough for n robots and k boards."""
    return n * (n - 1) // 2 + n * k


@kernel
def collide(
    old: Floats, track: Floats, dt: float, body: Floats, boards: Floats, mode: int,
    work: Floats, pairs: Floats, shaken: Floats, partner: Ints,
) -> int:  # fmt: skip
    """Return how many contacts there were; track, shaken and partner are filled in."""
    n = track.shape[0]
    for i in range(n):
        shaken[i, 0], shaken[i, 1], partner[i] = 0.0, 0.0, NOBODY
    if mode == OFF or not dt > 0.0:
        return 0
    for i in range(n):
        begin(i, old, track, dt, work)
    count, events = candidates(dt, body, boards, work, pairs), min(mode, 0)
    k = next_event(pairs, count)
    while k >= 0:
        events += 1
        i, j, t = int(pairs[k, FIRST]), int(pairs[k, SECOND]), pairs[k, WHEN]
        go_on(i, t, work)
        if j >= 0:
            go_on(j, t, work)
        pairs[k, LEVEL] = meet(i, j, mode == FULL and events <= EVENTS * n, body, boards, work, track, shaken) - SLOP
        note(i, j, partner)
        count = look_again(i, j, t, dt, body, boards, work, pairs, count)
        k = next_event(pairs, count) if events < 2 * EVENTS * n else -1
    for i in range(n):
        if partner[i] != NOBODY:
            go_on(i, dt, work)
            if mode == SET_BACK:
                slow_down(i, old, dt, work, track, shaken)
            track[i, 0], track[i, 1], track[i, 2] = work[i, 0], work[i, 1], wrap(work[i, 2])
    return events


@kernel
def slow_down(i: int, old: Floats, dt: float, work: Floats, track: Floats, shaken: Floats) -> None:
    """Give robot i, which was set back, the velocity with which it came to where it is.

    differs: the paper's "physical model off" seems to leave velocities alone. Then what was seen never tells the filter
    that a robot has stopped, and it jumps when it comes free: three robots swap more often than without correction.
    """
    ex, ey = (work[i, 0] - old[i, 0]) / dt - track[i, 3], (work[i, 1] - old[i, 1]) / dt - track[i, 4]
    eo = (work[i, 2] - old[i, 2]) / dt - track[i, 5]
    track[i, 3] += ex
    track[i, 4] += ey
    track[i, 5] += eo
    shaken[i, 0] += math.sqrt(ex * ex + ey * ey)
    shaken[i, 1] += abs(eo)


@kernel
def meet(
    i: int, j: int, full: bool, body: Floats, boards: Floats, work: Floats, track: Floats, shaken: Floats
) -> float:
    """Return the gap of two bodies that have met, after new velocities are theirs; without ``full`` they stop."""
    touch = touch_of(i, j, work[i, 6], body, boards, work)
    if not full:
        stop(i, work)
        if j >= 0:
            stop(j, work)
        return touch[0]
    m, q = 1.0 / body[MASS], 1.0 / body[INERTIA]
    if j < 0:
        dx, dy = boards[-1 - j, 0] - work[i, 0], boards[-1 - j, 1] - work[i, 1]
        e, mu = body[BOARD_BOUNCE], body[BOARD_FRICTION]
        weights, ub, vb = (m, q, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    else:
        dx, dy, e, mu = work[j, 0] - work[i, 0], work[j, 1] - work[i, 1], body[BOUNCE], body[FRICTION]
        weights, ub, vb = (m, q, m, q), motion_of(j, work), motion_of(j, track)
    ua, va = motion_of(i, work), motion_of(i, track)
    ua1, ub1, on_way = respond(ua, ub, weights, touch, dx, dy, e, mu)
    va1, vb1, at_end = respond(va, vb, weights, touch, dx, dy, e, mu)
    take(i, ua, ua1, va, va1, at_end >= on_way, work, track, shaken)
    if j >= 0:
        take(j, ub, ub1, vb, vb1, at_end >= on_way, work, track, shaken)
    if touch[0] < 0.0:
        ease(i, j, touch, work)
    return touch[0]


@kernel
def ease(i: int, j: int, touch: Touch, work: Floats) -> None:
    """Let bodies that overlap part slowly on their ways; their velocities at the end know nothing of it."""
    speed = min(-EASE * touch[0], EASE_MOST) * (0.5 if j >= 0 else 1.0)
    work[i, 3] -= speed * touch[1]
    work[i, 4] -= speed * touch[2]
    if j >= 0:
        work[j, 3] += speed * touch[1]
        work[j, 4] += speed * touch[2]


@kernel
def motion_of(i: int, rows: Floats) -> Motion:
    """Return vx, vy and omega of robot i, on its way or at the end."""
    return rows[i, 3], rows[i, 4], rows[i, 5]


@kernel
def stop(i: int, work: Floats) -> None:
    """Let robot i stay where it is for the rest of the step."""
    work[i, 3], work[i, 4], work[i, 5] = 0.0, 0.0, 0.0


@kernel
def take(
    i: int, u: Motion, u1: Motion, v: Motion, v1: Motion, own: bool, work: Floats, track: Floats, shaken: Floats
) -> None:
    """Give robot i its new velocities: u1 on its way; at the end v1, or what the way's has changed by.

    A robot that speeds up comes together faster at the end than on its way, one that brakes slower: the larger counts.
    """
    work[i, 3], work[i, 4], work[i, 5] = u1
    ex, ey, eo = (v1[0] - v[0], v1[1] - v[1], v1[2] - v[2]) if own else (u1[0] - u[0], u1[1] - u[1], u1[2] - u[2])
    track[i, 3] += ex
    track[i, 4] += ey
    track[i, 5] += eo
    shaken[i, 0] += math.sqrt(ex * ex + ey * ey)
    shaken[i, 1] += abs(eo)


@kernel
def note(i: int, j: int, partner: Ints) -> None:
    """Remember whom the robots have touched; a robot counts more than a board."""
    if j < 0:
        if partner[i] == NOBODY:
            partner[i] = BOARD
        return
    if partner[i] < 0:
        partner[i] = j
    if partner[j] < 0:
        partner[j] = i
