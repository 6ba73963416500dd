"""Contacts: found, answered by impulses, and whatever overlap is left pushed out.

contacts  (c, 9)  a, b, nx, ny, lever of a, lever of b, gap, least normal speed allowed, impulse so far

A lever is r x n, with r from the body's centre to the contact point.
A contact's bodies are robots (0 .. n-1), the ball (n) and the pitch (-1); its normal points from a to b.
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.boxes import disc_box_cs
from tikitaka.geom.frames import rotate
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import cross, norm
from tikitaka.sim.kernels.gaps import (
    BOUNCE_PAIR,
    BOUNCE_ROBOT,
    BOUNCE_WALL,
    BOX,
    CLEAR_X,
    CLEAR_Y,
    HX,
    HY,
    INV_BALL,
    INV_INERTIA,
    INV_MASS,
    NEAR,
    RADIUS,
    ball_gap,
    beside,
    close_by,
    pair_gap,
    post_gap,
)

Floats = NDArray[np.float64]

SLOP = 1e-9  # [m] overlap that counts as touching
SKIN = 5e-5  # [m] room that touching bodies keep, so that what the solver leaves over is no overlap
RELAX = 0.2  # of a thinned skin grows back in a substep
BOUNCE_SPEED = 0.05  # [m/s] slower contacts do not bounce, so that resting bodies rest
SOLVER_ROUNDS = 16
SETTLED = 1e-5  # [m/s] the solver ends when no contact changes by more
PUSH_ROUNDS = 8


@kernel
def add_contact(
    contacts: Floats, k: int, a: int, b: int, nx: float, ny: float, lever_a: float, lever_b: float, gap: float
) -> int:
    """Return the number of contacts after adding one, if it is near."""
    if gap >= NEAR or k >= contacts.shape[0]:
        return k
    contacts[k, 0], contacts[k, 1], contacts[k, 2], contacts[k, 3] = a, b, nx, ny
    contacts[k, 4], contacts[k, 5], contacts[k, 6] = lever_a, lever_b, gap
    return k + 1


@kernel
def add_wall(
    contacts: Floats, k: int, e: int, i: int, pose: Floats, wx: float, wy: float, wd: float, body: Floats
) -> int:
    """Return the number of contacts after adding those of a robot's corners (or rim) with a wall."""
    room = wd - wx * pose[e, i, 0] - wy * pose[e, i, 1]
    if body[BOX] == 0.0:
        return add_contact(contacts, k, -1, i, -wx, -wy, 0.0, 0.0, room - body[HX])
    for s in range(4):
        cx, cy = rotate(body[HX] * (1.0 - 2.0 * (s & 1)), body[HY] * (1.0 - (s & 2)), pose[e, i, 2])
        k = add_contact(contacts, k, -1, i, -wx, -wy, 0.0, cross(cx, cy, -wx, -wy), room - wx * cx - wy * cy)
    return k


@kernel
def add_pitch(
    contacts: Floats, k: int, e: int, i: int, pose: Floats, walls: Floats, posts: Floats, body: Floats, reach: float
) -> int:
    """Return the number of contacts after adding those of robot i with walls and posts."""
    x, y = pose[e, i, 0], pose[e, i, 1]
    for w in range(walls.shape[0]):
        if walls[w, 2] - walls[w, 0] * x - walls[w, 1] * y < reach + NEAR:
            k = add_wall(contacts, k, e, i, pose, walls[w, 0], walls[w, 1], walls[w, 2], body)
    for b in range(posts.shape[0]):
        if beside(x, y, posts, b, reach):
            gap, nx, ny, qx, qy = post_gap(pose, e, i, posts, b, body)
            k = add_contact(contacts, k, -1, i, nx, ny, 0.0, cross(qx - x, qy - y, nx, ny), gap)
    return k


@kernel
def add_robot(
    contacts: Floats, k: int, e: int, i: int, pose: Floats, ball: Floats, walls: Floats, posts: Floats,
    body: Floats, rules: Floats, reach: float,
) -> int:  # fmt: skip
    """Return the number of contacts after adding those of robot i with the pitch, robots after it, and the ball."""
    n, r, x, y = pose.shape[1], rules[RADIUS], pose[e, i, 0], pose[e, i, 1]
    if abs(x) + reach > rules[CLEAR_X] or abs(y) + reach > rules[CLEAR_Y]:
        k = add_pitch(contacts, k, e, i, pose, walls, posts, body, reach)
    for j in range(i + 1, n):
        if close_by(x, y, pose[e, j, 0], pose[e, j, 1], 2.0 * reach):
            gap, nx, ny, qx, qy = pair_gap(pose, e, i, j, body)
            lever = cross(qx - pose[e, j, 0], qy - pose[e, j, 1], nx, ny)
            k = add_contact(contacts, k, i, j, nx, ny, cross(qx - x, qy - y, nx, ny), lever, gap)
    if close_by(x, y, ball[e, 0], ball[e, 1], reach + r):
        gap, nx, ny = ball_gap(ball[e, 0], ball[e, 1], r, x, y, pose[e, i, 2], body)
        k = add_contact(contacts, k, i, n, nx, ny, cross(ball[e, 0] - x, ball[e, 1] - y, nx, ny), 0.0, gap)
    return k


@kernel
def add_ball(contacts: Floats, k: int, n: int, x: float, y: float, r: float, walls: Floats, posts: Floats) -> int:
    """Return the number of contacts after adding those of the ball with the pitch."""
    for w in range(walls.shape[0]):
        gap = walls[w, 2] - walls[w, 0] * x - walls[w, 1] * y - r
        k = add_contact(contacts, k, -1, n, -walls[w, 0], -walls[w, 1], 0.0, 0.0, gap)
    for b in range(posts.shape[0]):
        if beside(x, y, posts, b, r):
            gap, nx, ny = disc_box_cs(x, y, r, posts[b, 0], posts[b, 1], 1.0, 0.0, posts[b, 2], posts[b, 3])
            k = add_contact(contacts, k, -1, n, nx, ny, 0.0, 0.0, gap)
    return k


@kernel
def find_contacts(
    e: int, pose: Floats, ball: Floats, walls: Floats, posts: Floats, body: Floats, rules: Floats, contacts: Floats
) -> int:
    """Return how many contacts there are: all that are nearer than NEAR or overlap."""
    n, k = pose.shape[1], 0
    reach = norm(body[HX], body[HY]) if body[BOX] != 0.0 else body[HX]
    for i in range(n):
        k = add_robot(contacts, k, e, i, pose, ball, walls, posts, body, rules, reach)
    x, y, r = ball[e, 0], ball[e, 1], rules[RADIUS]
    if abs(x) + r > rules[CLEAR_X] or abs(y) + r > rules[CLEAR_Y]:
        k = add_ball(contacts, k, n, x, y, r, walls, posts)
    return k


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
def set_bounces(e: int, k: int, contacts: Floats, velocity: Floats, ball: Floats, rules: Floats, dt: float) -> None:
    """Set each contact's least normal speed: not through the other within dt, and bounced back where it hits."""
    n = velocity.shape[1]
    for s in range(k):
        a, b, nx, ny = int(contacts[s, 0]), int(contacts[s, 1]), contacts[s, 2], contacts[s, 3]
        speed = speed_along(e, b, nx, ny, contacts[s, 5], velocity, ball)
        speed -= speed_along(e, a, nx, ny, contacts[s, 4], velocity, ball)
        bounce = rules[BOUNCE_PAIR]
        if b == n:
            bounce = rules[BOUNCE_WALL] if a < 0 else rules[BOUNCE_ROBOT]
        room = contacts[s, 6] - SKIN
        hits = speed * dt < -room and speed < -BOUNCE_SPEED
        contacts[s, 7] = -bounce * speed if hits else -(room if room > 0.0 else RELAX * room) / dt
        contacts[s, 8] = 0.0


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
def shift(e: int, who: int, dx: float, dy: float, pose: Floats, ball: Floats) -> None:
    """Move a body."""
    if who == pose.shape[1]:
        ball[e, 0] += dx
        ball[e, 1] += dy
    elif who >= 0:
        pose[e, who, 0] += dx
        pose[e, who, 1] += dy


@kernel
def push_apart(
    e: int, pose: Floats, ball: Floats, walls: Floats, posts: Floats, body: Floats, rules: Floats, contacts: Floats
) -> bool:
    """Say whether no overlap is left after moving overlapping bodies apart, the light ones further."""
    n = pose.shape[1]
    for _ in range(PUSH_ROUNDS):
        k = find_contacts(e, pose, ball, walls, posts, body, rules, contacts)
        clear = True
        for s in range(k):
            if contacts[s, 6] >= -SLOP:
                continue
            clear = False
            a, b = int(contacts[s, 0]), int(contacts[s, 1])
            wa = 0.0 if a < 0 else body[INV_MASS]
            wb = rules[INV_BALL] if b == n else body[INV_MASS]
            step = (0.5 * SKIN - contacts[s, 6]) / (wa + wb)
            shift(e, a, -step * wa * contacts[s, 2], -step * wa * contacts[s, 3], pose, ball)
            shift(e, b, step * wb * contacts[s, 2], step * wb * contacts[s, 3], pose, ball)
        if clear:
            return True
    return False


@kernel
def restore(e: int, who: int, pose: Floats, velocity: Floats, ball: Floats, old_pose: Floats, old_ball: Floats) -> None:
    """Put a body back where the substep found it, at rest."""
    if who == pose.shape[1]:
        ball[e, 0], ball[e, 1], ball[e, 2], ball[e, 3] = old_ball[0], old_ball[1], 0.0, 0.0
    elif who >= 0:
        for q in range(3):
            pose[e, who, q] = old_pose[who, q]
            velocity[e, who, q] = 0.0


@kernel
def undo_overlaps(
    e: int, pose: Floats, velocity: Floats, ball: Floats, old_pose: Floats, old_ball: Floats,
    walls: Floats, posts: Floats, body: Floats, rules: Floats, contacts: Floats,
) -> None:  # fmt: skip
    """Take back the motion of bodies that still overlap, and of those that then do.

    The poses at the start had no overlap, so this ends with none: at the worst with nobody moved.
    """
    for _ in range(pose.shape[1] + 2):
        k = find_contacts(e, pose, ball, walls, posts, body, rules, contacts)
        clear = True
        for s in range(k):
            if contacts[s, 6] < -SLOP:
                clear = False
                for q in range(2):
                    restore(e, int(contacts[s, q]), pose, velocity, ball, old_pose, old_ball)
        if clear:
            return
