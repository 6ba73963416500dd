"""Contacts: found, answered by impulses, and whatever overlap is left pushed out.

contacts  (c, 8)  a, b, nx, ny, x, y, gap (later the least normal speed allowed), impulse so far

A contact's bodies are robots (0 .. n-1), the ball (n) and the pitch (-1); its normal points from a to b.
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.boxes import disc_box
from tikitaka.geom.frames import rotate
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm
from tikitaka.sim.kernels.gaps import (
    BOUNCE_PAIR,
    BOUNCE_ROBOT,
    BOUNCE_WALL,
    BOX,
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
    wall_gap,
)

Floats = NDArray[np.float64]

SLOP = 1e-9  # [m] overlap that counts as touching
BOUNCE_SPEED = 0.05  # [m/s] slower contacts do not bounce, so that resting bodies rest
SOLVER_ROUNDS = 12
PUSH_ROUNDS = 12


@kernel
def add_contact(
    contacts: Floats, k: int, a: int, b: int, nx: float, ny: float, x: float, y: float, gap: float
) -> int:
    """Return the number of contacts after adding one; a full table keeps what it has."""
    if k >= contacts.shape[0]:
        return k
    contacts[k, 0], contacts[k, 1], contacts[k, 2], contacts[k, 3] = a, b, nx, ny
    contacts[k, 4], contacts[k, 5], contacts[k, 6], contacts[k, 7] = x, y, gap, 0.0
    return k + 1


@kernel
def corner_contacts(contacts: Floats, k: int, e: int, i: int, pose: Floats, wall: Floats, body: Floats) -> int:
    """Return the number of contacts after adding those of a robot's corners (or rim) with a wall."""
    x, y, theta = pose[e, i, 0], pose[e, i, 1], pose[e, i, 2]
    if body[BOX] == 0.0:
        gap = wall_gap(pose, e, i, wall, body)
        return add_contact(contacts, k, -1, i, -wall[0], -wall[1], x + body[HX] * wall[0], y + body[HX] * wall[1], gap)
    for s in range(4):
        cx, cy = rotate(body[HX] * (1.0 - 2.0 * (s & 1)), body[HY] * (1.0 - (s & 2)), theta)
        gap = wall[2] - wall[0] * (x + cx) - wall[1] * (y + cy)
        if gap < NEAR:
            k = add_contact(contacts, k, -1, i, -wall[0], -wall[1], x + cx, y + cy, gap)
    return k


@kernel
def find_contacts(
    e: int, pose: Floats, ball: Floats, walls: Floats, posts: Floats, body: Floats, rules: Floats, contacts: Floats
) -> int:
    """Return how many pairs are near enough to touch in this substep; column 6 holds their gap."""
    n, k, r = pose.shape[1], 0, rules[RADIUS]
    reach = norm(body[HX], body[HY]) if body[BOX] != 0.0 else body[HX]
    bx, by = ball[e, 0], ball[e, 1]
    for i in range(n):
        x, y = pose[e, i, 0], pose[e, i, 1]
        for w in range(walls.shape[0]):
            if walls[w, 2] - walls[w, 0] * x - walls[w, 1] * y < reach + NEAR:
                k = corner_contacts(contacts, k, e, i, pose, walls[w], body)
        for b in range(posts.shape[0]):
            if beside(x, y, posts[b], reach):
                gap, nx, ny, qx, qy = post_gap(pose, e, i, posts[b], body)
                k = add_contact(contacts, k, -1, i, nx, ny, qx, qy, gap)
        for j in range(i + 1, n):
            if close_by(x, y, pose[e, j, 0], pose[e, j, 1], 2.0 * reach):
                gap, nx, ny, qx, qy = pair_gap(pose, e, i, j, body)
                k = add_contact(contacts, k, i, j, nx, ny, qx, qy, gap)
        if close_by(x, y, bx, by, reach + r):
            gap, nx, ny = ball_gap(bx, by, r, x, y, pose[e, i, 2], body)
            k = add_contact(contacts, k, i, n, nx, ny, bx - r * nx, by - r * ny, gap)
    for w in range(walls.shape[0]):
        gap = walls[w, 2] - walls[w, 0] * bx - walls[w, 1] * by - r
        if gap < NEAR:
            k = add_contact(contacts, k, -1, n, -walls[w, 0], -walls[w, 1], bx, by, gap)
    for b in range(posts.shape[0]):
        if beside(bx, by, posts[b], r):
            gap, nx, ny = disc_box(bx, by, r, posts[b, 0], posts[b, 1], 0.0, posts[b, 2], posts[b, 3])
            k = add_contact(contacts, k, -1, n, nx, ny, bx, by, gap)
    return k


@kernel
def point_speed(e: int, who: int, c: Floats, pose: Floats, velocity: Floats, ball: Floats) -> float:
    """Return the speed of a body's contact point along the contact's normal."""
    n = pose.shape[1]
    if who < 0:
        return 0.0
    if who == n:
        return ball[e, 2] * c[2] + ball[e, 3] * c[3]
    lever = (c[4] - pose[e, who, 0]) * c[3] - (c[5] - pose[e, who, 1]) * c[2]
    return velocity[e, who, 0] * c[2] + velocity[e, who, 1] * c[3] + velocity[e, who, 2] * lever


@kernel
def yields(e: int, who: int, c: Floats, pose: Floats, body: Floats, inv_ball: float) -> float:
    """Return the normal speed that a unit impulse gives to a body's contact point."""
    n = pose.shape[1]
    if who < 0:
        return 0.0
    if who == n:
        return inv_ball
    lever = (c[4] - pose[e, who, 0]) * c[3] - (c[5] - pose[e, who, 1]) * c[2]
    return body[INV_MASS] + body[INV_INERTIA] * lever * lever


@kernel
def push(
    e: int, who: int, impulse: float, c: Floats, pose: Floats, velocity: Floats, ball: Floats, body: Floats, inv_ball: float
) -> None:
    """Apply an impulse along the contact's normal [Klancar, Eq. 27]."""
    n = pose.shape[1]
    if who < 0:
        return
    if who == n:
        ball[e, 2] += impulse * inv_ball * c[2]
        ball[e, 3] += impulse * inv_ball * c[3]
        return
    lever = (c[4] - pose[e, who, 0]) * c[3] - (c[5] - pose[e, who, 1]) * c[2]
    velocity[e, who, 0] += impulse * body[INV_MASS] * c[2]
    velocity[e, who, 1] += impulse * body[INV_MASS] * c[3]
    velocity[e, who, 2] += impulse * body[INV_INERTIA] * lever


@kernel
def set_bounces(
    e: int, k: int, contacts: Floats, pose: Floats, velocity: Floats, ball: Floats, rules: Floats, dt: float
) -> None:
    """Turn each contact's gap into the least normal speed allowed: not through the other, or bounced back."""
    n = pose.shape[1]
    for s in range(k):
        c = contacts[s]
        a, b = int(c[0]), int(c[1])
        speed = point_speed(e, b, c, pose, velocity, ball) - point_speed(e, a, c, pose, velocity, ball)
        bounce = rules[BOUNCE_PAIR]
        if b == n:
            bounce = rules[BOUNCE_WALL] if a < 0 else rules[BOUNCE_ROBOT]
        hits = speed * dt < -max(c[6], 0.0) and speed < -BOUNCE_SPEED
        c[6] = -bounce * speed if hits else -max(c[6], 0.0) / dt


@kernel
def solve(
    e: int, k: int, contacts: Floats, pose: Floats, velocity: Floats, ball: Floats, body: Floats, inv_ball: float
) -> None:
    """Find impulses, none of them pulling, that leave no contact below its least normal speed."""
    for _ in range(SOLVER_ROUNDS):
        for s in range(k):
            c = contacts[s]
            a, b = int(c[0]), int(c[1])
            speed = point_speed(e, b, c, pose, velocity, ball) - point_speed(e, a, c, pose, velocity, ball)
            give = yields(e, a, c, pose, body, inv_ball) + yields(e, b, c, pose, body, inv_ball)
            impulse = max(0.0, c[7] + (c[6] - speed) / give)
            change = impulse - c[7]
            c[7] = impulse
            push(e, a, -change, c, pose, velocity, ball, body, inv_ball)
            push(e, b, change, c, pose, velocity, ball, body, inv_ball)


@kernel
def shift(e: int, who: int, step: float, c: Floats, pose: Floats, ball: Floats) -> None:
    """Move a body along the contact's normal."""
    if who == pose.shape[1]:
        ball[e, 0] += step * c[2]
        ball[e, 1] += step * c[3]
    elif who >= 0:
        pose[e, who, 0] += step * c[2]
        pose[e, who, 1] += step * c[3]


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
            c = contacts[s]
            if c[6] >= -SLOP:
                continue
            clear = False
            a, b = int(c[0]), int(c[1])
            wa = 0.0 if a < 0 else body[INV_MASS]
            wb = rules[INV_BALL] if b == n else body[INV_MASS]
            depth = -c[6] + 0.5 * SLOP
            shift(e, a, -depth * wa / (wa + wb), c, pose, ball)
            shift(e, b, depth * wb / (wa + wb), c, pose, ball)
        if clear:
            return True
    return False


@kernel
def restore(
    e: int, who: int, pose: Floats, velocity: Floats, ball: Floats, old_pose: Floats, old_ball: Floats
) -> None:
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
