"""Contacts, found.

contacts  (c, 10)  a, b, nx, ny, lever of a, lever of b, gap, least normal speed allowed, impulse so far, restitution

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
    BOX,
    CLEAR_X,
    CLEAR_Y,
    HX,
    HY,
    NEAR,
    NEAR_BALL,
    RADIUS,
    ball_gap,
    beside,
    close_by,
    pair_gap,
    post_gap,
)

Floats = NDArray[np.float64]


@kernel
def add_contact(
    contacts: Floats,
    k: int,
    a: int,
    b: int,
    nx: float,
    ny: float,
    lever_a: float,
    lever_b: float,
    gap: float,
    near: float,
) -> int:
    """Return the number of contacts after adding one, if it is near."""
    if gap >= near or k >= contacts.shape[0]:
        return k
    contacts[k, 0], contacts[k, 1], contacts[k, 2], contacts[k, 3] = a, b, nx, ny
    contacts[k, 4], contacts[k, 5], contacts[k, 6] = lever_a, lever_b, gap
    return k + 1


@kernel
def add_wall(
    contacts: Floats, k: int, e: int, i: int, pose: Floats, wx: float, wy: float, wd: float, body: Floats, near: float
) -> int:
    """Return the number of contacts after adding those of a robot's corners (or rim) with a wall."""
    room = wd - wx * pose[e, i, 0] - wy * pose[e, i, 1]
    if body[BOX] == 0.0:
        return add_contact(contacts, k, -1, i, -wx, -wy, 0.0, 0.0, room - body[HX], near)
    for s in range(4):
        cx, cy = rotate(body[HX] * (1.0 - 2.0 * (s & 1)), body[HY] * (1.0 - (s & 2)), pose[e, i, 2])
        k = add_contact(contacts, k, -1, i, -wx, -wy, 0.0, cross(cx, cy, -wx, -wy), room - wx * cx - wy * cy, near)
    return k


@kernel
def add_pitch(
    contacts: Floats, k: int, e: int, i: int, pose: Floats, walls: Floats, posts: Floats,
    body: Floats, reach: float, near: float,
) -> int:  # fmt: skip
    """Return the number of contacts after adding those of robot i with walls and posts."""
    x, y = pose[e, i, 0], pose[e, i, 1]
    for w in range(walls.shape[0]):
        if walls[w, 2] - walls[w, 0] * x - walls[w, 1] * y < reach + near:
            k = add_wall(contacts, k, e, i, pose, walls[w, 0], walls[w, 1], walls[w, 2], body, near)
    for b in range(posts.shape[0]):
        if beside(x, y, posts, b, reach + near):
            gap, nx, ny, qx, qy = post_gap(pose, e, i, posts, b, body)
            k = add_contact(contacts, k, -1, i, nx, ny, 0.0, cross(qx - x, qy - y, nx, ny), gap, near)
    return k


@kernel
def add_robot(
    contacts: Floats, k: int, e: int, i: int, pose: Floats, ball: Floats, walls: Floats, posts: Floats,
    body: Floats, play: Floats, reach: float,
) -> int:  # fmt: skip
    """Return the number of contacts after adding those of robot i with the pitch, robots after it, and the ball."""
    n, r, near, x, y = pose.shape[1], play[RADIUS], play[NEAR], pose[e, i, 0], pose[e, i, 1]
    if abs(x) + reach > play[CLEAR_X] or abs(y) + reach > play[CLEAR_Y]:
        k = add_pitch(contacts, k, e, i, pose, walls, posts, body, reach, near)
    for j in range(i + 1, n):
        if close_by(x, y, pose[e, j, 0], pose[e, j, 1], 2.0 * reach + near):
            gap, nx, ny, qx, qy = pair_gap(pose, e, i, j, body)
            lever = cross(qx - pose[e, j, 0], qy - pose[e, j, 1], nx, ny)
            k = add_contact(contacts, k, i, j, nx, ny, cross(qx - x, qy - y, nx, ny), lever, gap, near)
    if close_by(x, y, ball[e, 0], ball[e, 1], reach + r + play[NEAR_BALL]):
        gap, nx, ny = ball_gap(ball[e, 0], ball[e, 1], r, x, y, pose[e, i, 2], body)
        lever = cross(ball[e, 0] - x, ball[e, 1] - y, nx, ny)
        k = add_contact(contacts, k, i, n, nx, ny, lever, 0.0, gap, play[NEAR_BALL])
    return k


@kernel
def add_ball(
    contacts: Floats, k: int, n: int, x: float, y: float, r: float, walls: Floats, posts: Floats, near: float
) -> int:
    """Return the number of contacts after adding those of the ball with the pitch."""
    for w in range(walls.shape[0]):
        gap = walls[w, 2] - walls[w, 0] * x - walls[w, 1] * y - r
        k = add_contact(contacts, k, -1, n, -walls[w, 0], -walls[w, 1], 0.0, 0.0, gap, near)
    for b in range(posts.shape[0]):
        if beside(x, y, posts, b, r + near):
            gap, nx, ny = disc_box_cs(x, y, r, posts[b, 0], posts[b, 1], 1.0, 0.0, posts[b, 2], posts[b, 3])
            k = add_contact(contacts, k, -1, n, nx, ny, 0.0, 0.0, gap, near)
    return k


@kernel
def find_contacts(
    e: int, pose: Floats, ball: Floats, walls: Floats, posts: Floats, body: Floats, play: Floats, contacts: Floats
) -> int:
    """Return how many contacts there are: all that may touch within a substep, or overlap."""
    n, k, near = pose.shape[1], 0, play[NEAR_BALL]
    reach = norm(body[HX], body[HY]) if body[BOX] != 0.0 else body[HX]
    for i in range(n):
        k = add_robot(contacts, k, e, i, pose, ball, walls, posts, body, play, reach)
    x, y, r = ball[e, 0], ball[e, 1], play[RADIUS]
    if abs(x) + r > play[CLEAR_X] or abs(y) + r > play[CLEAR_Y]:
        k = add_ball(contacts, k, n, x, y, r, walls, posts, near)
    return k
