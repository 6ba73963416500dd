"""Driving, rolling and kicking, and the substep that ties them to the contacts."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import wrap
from tikitaka.geom.drive import body_from_wheels
from tikitaka.geom.frames import rotate, to_body
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, clip_norm, norm
from tikitaka.sim.kernels.contacts import find_contacts
from tikitaka.sim.kernels.gaps import BOX, GRIP, HX, INV_BALL, KICK_REACH, KICK_WIDTH, MOUTH, RADIUS, ROLLING, SPIN
from tikitaka.sim.kernels.impulses import rebound, set_bounces, solve
from tikitaka.sim.kernels.overlaps import push_apart, undo_overlaps

Floats = NDArray[np.float64]
Flags = NDArray[np.uint8]


@kernel
def drive(e: int, pose: Floats, velocity: Floats, wanted: Floats, body: Floats, dt: float) -> None:
    """Pull every robot towards the velocity that its wheels ask for, as hard as its tyres grip."""
    for i in range(pose.shape[1]):
        ux, uy = rotate(wanted[i, 0], wanted[i, 1], pose[e, i, 2])
        dx, dy = clip_norm(ux - velocity[e, i, 0], uy - velocity[e, i, 1], body[GRIP] * dt)
        velocity[e, i, 0] += dx
        velocity[e, i, 1] += dy
        turn = wanted[i, 2] - velocity[e, i, 2]
        velocity[e, i, 2] += clamp(turn, -body[SPIN] * dt, body[SPIN] * dt)


@kernel
def roll(e: int, ball: Floats, deceleration: float, dt: float) -> None:
    """Slow the ball by Coulomb rolling friction until it rests [Beard, sec. 2.4]."""
    speed = norm(ball[e, 2], ball[e, 3])
    left = max(0.0, speed - deceleration * dt)
    scale = left / speed if speed > 0.0 else 0.0
    ball[e, 2] *= scale
    ball[e, 3] *= scale


@kernel
def shoot(e: int, pose: Floats, ball: Floats, kick: Floats, body: Floats, play: Floats) -> int:
    """Return the robot that kicked the ball, -1: none; the ball leaves along its heading."""
    for i in range(pose.shape[1]):
        if kick[i] <= 0.0:
            continue
        bx, by = to_body(ball[e, 0], ball[e, 1], pose[e, i, 0], pose[e, i, 1], pose[e, i, 2])
        front = (body[MOUTH] if body[BOX] == 0.0 else body[HX]) + play[RADIUS]
        if 0.0 < bx <= front + play[KICK_REACH] and abs(by) <= 0.5 * play[KICK_WIDTH]:
            ball[e, 2], ball[e, 3] = rotate(kick[i], 0.0, pose[e, i, 2])
            return i
    return -1


@kernel
def note_touches(e: int, k: int, contacts: Floats, n: int, touched: Flags, toucher: int) -> int:
    """Return who touched the ball last; robots that pushed each other are marked in ``touched``."""
    for s in range(k):
        if contacts[s, 8] <= 0.0 or contacts[s, 0] < 0.0:
            continue
        a, b = int(contacts[s, 0]), int(contacts[s, 1])
        if b == n:
            toucher = a
        else:
            touched[e, a, b] = 1
            touched[e, b, a] = 1
    return toucher


@kernel
def substep(
    e: int, pose: Floats, velocity: Floats, ball: Floats, touched: Flags, toucher: int, wanted: Floats, kick: Floats,
    walls: Floats, posts: Floats, body: Floats, play: Floats, dt: float,
    contacts: Floats, old_pose: Floats, old_ball: Floats,
) -> int:  # fmt: skip
    """Return who touched the ball last after one world has moved by dt."""
    n = pose.shape[1]
    for i in range(n):
        for q in range(3):
            old_pose[i, q] = pose[e, i, q]
    for q in range(4):
        old_ball[q] = ball[e, q]
    drive(e, pose, velocity, wanted, body, dt)
    roll(e, ball, play[ROLLING], dt)
    kicker = shoot(e, pose, ball, kick, body, play)
    k = find_contacts(e, pose, ball, walls, posts, body, play, contacts)
    set_bounces(e, k, contacts, velocity, ball, play, dt)
    solve(e, k, contacts, velocity, ball, body, play[INV_BALL])
    toucher = kicker if kicker >= 0 else note_touches(e, k, contacts, n, touched, toucher)
    rebound(e, k, contacts, velocity, ball, body, play[INV_BALL])
    for i in range(n):
        for q in range(3):
            pose[e, i, q] += velocity[e, i, q] * dt
    ball[e, 0] += ball[e, 2] * dt
    ball[e, 1] += ball[e, 3] * dt
    if not push_apart(e, pose, ball, walls, posts, body, play, contacts):
        undo_overlaps(e, pose, velocity, ball, old_pose, old_ball, walls, posts, body, play, contacts)
    return toucher


@kernel
def step(
    e: int, pose: Floats, velocity: Floats, ball: Floats, touched: Flags, toucher: int, wheels: Floats, kick: Floats,
    inverse: Floats, limits: Floats, walls: Floats, posts: Floats, body: Floats, play: Floats,
    dt: float, substeps: int, contacts: Floats, wanted: Floats, old_pose: Floats, old_ball: Floats,
) -> int:  # fmt: skip
    """Return who touched the ball last after one world has moved by dt; ``limits`` are wheel and ball speed."""
    n = pose.shape[1]
    for i in range(n):
        for w in range(wheels.shape[1]):
            wheels[i, w] = clamp(wheels[i, w], -limits[0], limits[0]) if math.isfinite(wheels[i, w]) else 0.0
        kick[i] = min(kick[i], limits[1]) if math.isfinite(kick[i]) else 0.0
        wanted[i, 0], wanted[i, 1], wanted[i, 2] = body_from_wheels(inverse, wheels[i])
    for _ in range(substeps):
        toucher = substep(
            e, pose, velocity, ball, touched, toucher, wanted, kick,
            walls, posts, body, play, dt / substeps, contacts, old_pose, old_ball,
        )  # fmt: skip
    for i in range(n):
        pose[e, i, 2] = wrap(pose[e, i, 2])
    return toucher
