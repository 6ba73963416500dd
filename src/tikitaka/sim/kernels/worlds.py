"""Many worlds, one after another: what a thread of the processor, or of a graphics card, does with its share.

Each kernel here has two forms: one world, which a CUDA kernel calls, and a range of worlds, which lets go of Python's
lock while it runs. Nothing that happens in a world depends on another one, on the range or on who runs it.

e         world; its random numbers come from key(seed, first + e) and its own counter ``drawn``
s         row of the scratch arrays: the thread on a CPU, the world on a GPU
room      (6,)   half length and half width of the pitch, corner, hull of a robot, radius of the ball, gap
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel, threaded
from tikitaka.geom.random import key, uniform
from tikitaka.sim.kernels.motion import step

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.uint8]

TRIES = 2000  # places drawn for one body before a pitch counts as full
HALF_LENGTH, HALF_WIDTH, CORNER, HULL, BALL, GAP = range(6)


@kernel
def advance(
    e: int, s: int, ticks: int, pose: Floats, velocity: Floats, ball: Floats, touched: Flags, toucher: Ints, tick: Ints,
    wheels: Floats, kick: Floats, inverse: Floats, limits: Floats, walls: Floats, posts: Floats,
    body: Floats, play: Floats, clock: Floats, contacts: Floats, wanted: Floats, old_pose: Floats, old_ball: Floats,
) -> None:  # fmt: skip
    """Move one world on by so many ticks under the same commands; ``touched`` is what happened in them."""
    n = pose.shape[1]
    for i in range(n):
        for j in range(n):
            touched[e, i, j] = 0
    for _ in range(ticks):
        toucher[e] = step(
            e, pose, velocity, ball, touched, toucher[e], wheels[e], kick[e], inverse, limits, walls, posts,
            body, play, clock[0], int(clock[1]), contacts[s], wanted[s], old_pose[s], old_ball[s],
        )  # fmt: skip
    tick[e] += ticks


@threaded
def advance_range(
    begin: int, end: int, s: int, ticks: int, pose: Floats, velocity: Floats, ball: Floats, touched: Flags,
    toucher: Ints, tick: Ints, wheels: Floats, kick: Floats, inverse: Floats, limits: Floats, walls: Floats,
    posts: Floats, body: Floats, play: Floats, clock: Floats,
    contacts: Floats, wanted: Floats, old_pose: Floats, old_ball: Floats,
) -> None:  # fmt: skip
    """Move the worlds begin .. end - 1 on."""
    for e in range(begin, end):
        advance(
            e, s, ticks, pose, velocity, ball, touched, toucher, tick, wheels, kick, inverse, limits, walls, posts,
            body, play, clock, contacts, wanted, old_pose, old_ball,
        )  # fmt: skip


@kernel
def place(
    e: int, k: int, at: Floats, moves: Floats, ball_at: Floats, pose: Floats, velocity: Floats, ball: Floats,
    touched: Flags, toucher: Ints, tick: Ints,
) -> None:  # fmt: skip
    """Set world e up anew from row k of the poses, velocities and balls that are given."""
    n = pose.shape[1]
    for i in range(n):
        for q in range(3):
            pose[e, i, q] = at[k, i, q]
            velocity[e, i, q] = moves[k, i, q]
        for j in range(n):
            touched[e, i, j] = 0
    for q in range(ball.shape[1]):
        ball[e, q] = ball_at[k, q]
    toucher[e], tick[e] = -1, 0


@threaded
def place_rows(
    begin: int, end: int, rows: Ints, at: Floats, moves: Floats, ball_at: Floats, pose: Floats, velocity: Floats,
    ball: Floats, touched: Flags, toucher: Ints, tick: Ints,
) -> None:  # fmt: skip
    """Set the worlds rows[begin .. end - 1] up anew."""
    for k in range(begin, end):
        place(rows[k], k, at, moves, ball_at, pose, velocity, ball, touched, toucher, tick)


@kernel
def blocked(e: int, i: int, x: float, y: float, own: float, pose: Floats, room: Floats) -> bool:
    """Say whether a body of radius ``own`` would touch one of the robots before i."""
    for j in range(i):
        dx, dy, reach = x - pose[e, j, 0], y - pose[e, j, 1], own + room[HULL] + room[GAP]
        if dx * dx + dy * dy <= reach * reach:
            return True
    return False


@kernel
def scatter(
    e: int, seed: int, first: int, drawn: Ints, pose: Floats, velocity: Floats, ball: Floats, toucher: Ints,
    tick: Ints, room: Floats,
) -> bool:  # fmt: skip
    """Say whether there was room to put all robots and the ball somewhere at random, at rest, clear of one another."""
    n, (k0, k1) = pose.shape[1], key(seed, first + e)
    for i in range(n + 1):
        own, tries = (room[HULL] if i < n else room[BALL]), 0
        x, y, theta = 0.0, 0.0, 0.0
        while tries == 0 or blocked(e, i, x, y, own, pose, room):
            if tries == TRIES:
                return False
            x = (2.0 * uniform(k0, k1, drawn[e], 0) - 1.0) * (room[HALF_LENGTH] - own - room[GAP])
            diagonal = room[HALF_WIDTH] + room[HALF_LENGTH] - room[CORNER] - 1.5 * own - abs(x)
            y = (2.0 * uniform(k0, k1, drawn[e], 1) - 1.0) * min(room[HALF_WIDTH] - own - room[GAP], diagonal)
            theta = (2.0 * uniform(k0, k1, drawn[e], 2) - 1.0) * math.pi
            drawn[e] += 1
            tries += 1
        if i < n:
            pose[e, i, 0], pose[e, i, 1], pose[e, i, 2] = x, y, theta
            velocity[e, i, 0], velocity[e, i, 1], velocity[e, i, 2] = 0.0, 0.0, 0.0
        else:
            ball[e, 0], ball[e, 1] = x, y
    for q in range(2, ball.shape[1]):
        ball[e, q] = 0.0
    toucher[e], tick[e] = -1, 0
    return True


@threaded
def scatter_rows(
    begin: int, end: int, rows: Ints, seed: int, first: int, drawn: Ints, pose: Floats, velocity: Floats, ball: Floats,
    toucher: Ints, tick: Ints, room: Floats,
) -> int:  # fmt: skip
    """Return how many of the worlds rows[begin .. end - 1] had no room for all."""
    full = 0
    for k in range(begin, end):
        if not scatter(rows[k], seed, first, drawn, pose, velocity, ball, toucher, tick, room):
            full += 1
    return full


@kernel
def wander(e: int, seed: int, first: int, drawn: Ints, wheels: Floats, limits: Floats) -> None:
    """Draw a speed for every wheel of a world, from as fast backwards to as fast forwards as it can turn."""
    n, w, (k0, k1) = wheels.shape[1], wheels.shape[2], key(seed, first + e)
    for i in range(n):
        for q in range(w):
            wheels[e, i, q] = (2.0 * uniform(k0, k1, drawn[e], i * w + q) - 1.0) * limits[0]
    drawn[e] += 1


@threaded
def wander_range(begin: int, end: int, seed: int, first: int, drawn: Ints, wheels: Floats, limits: Floats) -> None:
    """Draw wheel speeds for the worlds begin .. end - 1."""
    for e in range(begin, end):
        wander(e, seed, first, drawn, wheels, limits)
