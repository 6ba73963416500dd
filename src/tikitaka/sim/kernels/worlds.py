"""Many worlds, one after another: what a thread of the processor, or of a graphics card, does with its share.

What works on one world is a kernel that a CUDA kernel calls too; what works on a range of worlds lets go of Python's
lock while it runs. Nothing that happens in a world depends on another one, on the range or on who runs it. Arrays in
``*arrays`` are in the order of the kernel that they are handed on to.

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
from tikitaka.sim.kernels.overlaps import closest

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.uint8]

TRIES = 2000  # places drawn for one body before a pitch counts as full
HALF_LENGTH, HALF_WIDTH, CORNER, HULL, BALL, GAP = range(6)


@threaded
def advance_range(begin: int, end: int, s: int, ticks: int, tick: Ints, *arrays: Floats) -> None:
    """Move the worlds begin .. end - 1 on by so many ticks under the same commands."""
    for e in range(begin, end):
        for _ in range(ticks):
            step(e, s, *arrays)  # type: ignore[arg-type]
        tick[e] += ticks


@kernel
def clear(
    e: int, velocity: Floats, spin: Floats, ball: Floats, charge: Floats, touched: Flags, counts: Ints, tick: Ints
) -> None:
    """Bring a world to rest, kickers ready, nobody touched; how many commands were mended stays known."""
    n = velocity.shape[1]
    for i in range(n):
        charge[e, i] = 0.0
        for q in range(3):
            velocity[e, i, q] = 0.0
        for q in range(spin.shape[2]):
            spin[e, i, q] = 0.0
        for j in range(n):
            touched[e, i, j] = 0
    for q in range(2, ball.shape[1]):
        ball[e, q] = 0.0
    counts[e, 0], counts[e, 1], tick[e] = 0, -1, 0


@kernel
def place(
    e: int, k: int, at: Floats, moves: Floats, ball_at: Floats, pose: Floats, velocity: Floats, spin: Floats,
    ball: Floats, charge: Floats, touched: Flags, counts: Ints, tick: Ints,
) -> None:  # fmt: skip
    """Set world e up anew from row k of the poses, velocities and balls that are given."""
    clear(e, velocity, spin, ball, charge, touched, counts, tick)
    for i in range(pose.shape[1]):
        for q in range(3):
            pose[e, i, q] = at[k, i, q]
            velocity[e, i, q] = moves[k, i, q]
    for q in range(ball.shape[1]):
        ball[e, q] = ball_at[k, q]


@threaded
def place_rows(begin: int, end: int, rows: Ints, *arrays: Floats) -> None:
    """Set the worlds rows[begin .. end - 1] up anew."""
    for k in range(begin, end):
        place(rows[k], k, *arrays)  # type: ignore[arg-type]


@threaded
def gap_rows(begin: int, end: int, s: int, gaps: Floats, *arrays: Floats) -> None:
    """Write (two bodies, gap) for the closest ones of the worlds begin .. end - 1."""
    for e in range(begin, end):
        a, b, gap = closest(e, s, *arrays)  # type: ignore[arg-type]
        gaps[e, 0], gaps[e, 1], gaps[e, 2] = a, b, gap


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
    e: int, seed: int, first: int, room: Floats, drawn: Ints, pose: Floats, velocity: Floats, spin: Floats,
    ball: Floats, charge: Floats, touched: Flags, counts: Ints, tick: Ints,
) -> bool:  # fmt: skip
    """Say whether there was room to put all robots and the ball somewhere at random, at rest, clear of one another."""
    n, (k0, k1) = pose.shape[1], key(seed, first + e)
    clear(e, velocity, spin, ball, charge, touched, counts, tick)
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
        else:
            ball[e, 0], ball[e, 1] = x, y
    return True


@threaded
def scatter_rows(begin: int, end: int, rows: Ints, seed: int, first: int, *arrays: Floats) -> int:
    """Return how many of the worlds rows[begin .. end - 1] had no room for all."""
    full = 0
    for k in range(begin, end):
        if not scatter(rows[k], seed, first, *arrays):  # type: ignore[arg-type]
            full += 1
    return full


@kernel
def wander(e: int, seed: int, first: int, top: float, drawn: Ints, wheels: Floats) -> None:
    """Draw a speed for every wheel of a world, from ``top`` backwards to ``top`` forwards."""
    n, w, (k0, k1) = wheels.shape[1], wheels.shape[2], key(seed, first + e)
    for i in range(n):
        for q in range(w):
            wheels[e, i, q] = (2.0 * uniform(k0, k1, drawn[e], i * w + q) - 1.0) * top
    drawn[e] += 1


@threaded
def wander_range(begin: int, end: int, seed: int, first: int, top: float, drawn: Ints, wheels: Floats) -> None:
    """Draw wheel speeds for the worlds begin .. end - 1."""
    for e in range(begin, end):
        wander(e, seed, first, top, drawn, wheels)
