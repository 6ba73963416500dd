"""Pictures from above: who is seen, where and with what error, by cameras that share the pitch.

views    (c, 8)  the rectangle that each camera sees, the point below it, how far that is from the farthest corner, and
                 the share of a tick by which its pictures are older than the tick; see the names below
optics   (14,)   what all cameras have in common, see the names below
hull     (4,)    the robot's body, see `hiding`
robots   (e, c, m, 3)  x, y, theta as seen, sorted by x, so that their order tells nothing; team, label (e, c, m)
balls    (e, c, b, 2)  likewise
counts   (e, c, 2)  how many robots and balls are seen
delay    (e, c)  from the middle of the exposure to the teams

Every number comes from its own stream, so that one object's draw moves no other's.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import wrap
from tikitaka.geom.jit import kernel
from tikitaka.geom.random import normal, uniform
from tikitaka.sim.kernels import hiding, instants

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FROM_X, TO_X, FROM_Y, TO_Y, BELOW_X, BELOW_Y, CORNER, AGE = range(8)
NOISE_XY, NOISE_THETA, GROWTH, DROPOUT, LABELS, HEIGHT, BODY_HEIGHT, BALL_RADIUS, LATENCY, JITTER = range(10)
# expected false objects a picture, and the probability of none
FALSE_ROBOTS, NO_FALSE_ROBOT, FALSE_BALLS, NO_FALSE_BALL = range(10, 14)
MOST_FALSE = 8  # of a kind in one picture: more would come once in a million pictures at the largest rate
STREAMS = 512  # of one camera: objects from 0, false ones from 256, the delay
FALSE_STREAM = 256
DELAY_STREAM = 511
MOST_FLIGHT = 0.9  # of a camera's height: a ball above that is seen as if it were there


@kernel
def in_view(views: Floats, c: int, x: float, y: float) -> bool:
    """Say whether camera c sees a point of the ground."""
    return bool(views[c, FROM_X] <= x <= views[c, TO_X] and views[c, FROM_Y] <= y <= views[c, TO_Y])


@kernel
def blur(views: Floats, c: int, growth: float, x: float, y: float) -> float:
    """Return by what factor the noise is larger here than at the middle of the picture."""
    dx, dy = x - views[c, BELOW_X], y - views[c, BELOW_Y]
    return float(1.0 + growth * (dx * dx + dy * dy) / (views[c, CORNER] * views[c, CORNER]))


@kernel
def add_robot(
    e: int, c: int, x: float, y: float, theta: float, side: int, number: int,
    robots: Floats, team: Ints, label: Ints, counts: Ints,
) -> None:  # fmt: skip
    """Put a robot into the picture, in the order of x."""
    k = counts[e, c, 0]
    while k > 0 and robots[e, c, k - 1, 0] > x:
        for q in range(3):
            robots[e, c, k, q] = robots[e, c, k - 1, q]
        team[e, c, k], label[e, c, k] = team[e, c, k - 1], label[e, c, k - 1]
        k -= 1
    robots[e, c, k, 0], robots[e, c, k, 1], robots[e, c, k, 2] = x, y, theta
    team[e, c, k], label[e, c, k] = side, number
    counts[e, c, 0] += 1


@kernel
def add_ball(e: int, c: int, x: float, y: float, balls: Floats, counts: Ints) -> None:
    """Put a ball into the picture, in the order of x."""
    k = counts[e, c, 1]
    while k > 0 and balls[e, c, k - 1, 0] > x:
        balls[e, c, k, 0], balls[e, c, k, 1] = balls[e, c, k - 1, 0], balls[e, c, k - 1, 1]
        k -= 1
    balls[e, c, k, 0], balls[e, c, k, 1] = x, y
    counts[e, c, 1] += 1


@kernel
def how_many(u: float, none: float, rate: float) -> int:
    """Return a Poisson number by inversion; ``none`` is the probability of 0."""
    k, p = 0, none
    while u >= p and k < MOST_FALSE:
        u -= p
        k += 1
        p *= rate / k
    return k


@kernel
def see_robots(
    e: int, c: int, k0: int, k1: int, step: int, dt: float, old_pose: Floats, old_velocity: Floats, pose: Floats,
    velocity: Floats, views: Floats, optics: Floats, robots: Floats, team: Ints, label: Ints, counts: Ints,
) -> None:  # fmt: skip
    """Put the robots that camera c sees into its picture."""
    n = pose.shape[1]
    for i in range(n):
        x, y, theta = instants.pose_at(e, i, dt, views[c, AGE], old_pose, old_velocity, pose, velocity)
        stream = STREAMS * c + 8 * i
        if in_view(views, c, x, y) and uniform(k0, k1, step, stream) >= optics[DROPOUT]:
            scale = blur(views, c, optics[GROWTH], x, y)
            x += scale * optics[NOISE_XY] * normal(k0, k1, step, stream + 1)
            y += scale * optics[NOISE_XY] * normal(k0, k1, step, stream + 2)
            theta = wrap(theta + scale * optics[NOISE_THETA] * normal(k0, k1, step, stream + 3))
            number = i % (n // 2) if optics[LABELS] != 0.0 else -1
            add_robot(e, c, x, y, theta, 0 if 2 * i < n else 1, number, robots, team, label, counts)


@kernel
def see_ball(
    e: int, c: int, k0: int, k1: int, step: int, dt: float, old_pose: Floats, old_velocity: Floats, old_ball: Floats,
    pose: Floats, velocity: Floats, ball: Floats, views: Floats, optics: Floats, hull: Floats, balls: Floats,
    counts: Ints,
) -> None:  # fmt: skip
    """Put the ball into the picture of camera c, if seen; one that flies is seen where the line meets the ground."""
    stream = STREAMS * c + 8 * pose.shape[1]
    x, y, z = instants.ball_at(e, dt, views[c, AGE], old_ball, ball)
    height = optics[HEIGHT]
    beyond = min(z, MOST_FLIGHT * height)
    beyond /= height - beyond
    gx, gy = x + beyond * (x - views[c, BELOW_X]), y + beyond * (y - views[c, BELOW_Y])
    if not in_view(views, c, gx, gy) or uniform(k0, k1, step, stream) < optics[DROPOUT]:
        return
    if hiding.is_hidden(
        e, x, y, z, optics[BALL_RADIUS], views[c, BELOW_X], views[c, BELOW_Y], height, optics[BODY_HEIGHT],
        dt, views[c, AGE], old_pose, old_velocity, pose, velocity, hull,
    ):  # fmt: skip
        return
    noise = blur(views, c, optics[GROWTH], gx, gy) * optics[NOISE_XY]
    gx += noise * normal(k0, k1, step, stream + 1)
    gy += noise * normal(k0, k1, step, stream + 2)
    add_ball(e, c, gx, gy, balls, counts)


@kernel
def see_false(
    e: int, c: int, k0: int, k1: int, step: int, n: int, views: Floats, optics: Floats,
    robots: Floats, team: Ints, label: Ints, balls: Floats, counts: Ints,
) -> None:  # fmt: skip
    """Put what is not there into the picture of camera c, anywhere in its view."""
    first = STREAMS * c + FALSE_STREAM
    wide, high = views[c, TO_X] - views[c, FROM_X], views[c, TO_Y] - views[c, FROM_Y]
    ghosts = how_many(uniform(k0, k1, step, first), optics[NO_FALSE_ROBOT], optics[FALSE_ROBOTS])
    total = ghosts + how_many(uniform(k0, k1, step, first + 1), optics[NO_FALSE_BALL], optics[FALSE_BALLS])
    for j in range(total):
        stream = first + 8 * (j + 1)
        x = views[c, FROM_X] + wide * uniform(k0, k1, step, stream)
        y = views[c, FROM_Y] + high * uniform(k0, k1, step, stream + 1)
        if j < ghosts:
            theta = wrap(2.0 * math.pi * uniform(k0, k1, step, stream + 2))
            side = int(2.0 * uniform(k0, k1, step, stream + 3))
            number = int((n // 2) * uniform(k0, k1, step, stream + 4)) if optics[LABELS] != 0.0 else -1
            add_robot(e, c, x, y, theta, side, number, robots, team, label, counts)
        else:
            add_ball(e, c, x, y, balls, counts)


@kernel
def look(
    e: int, k0: int, k1: int, step: int, dt: float, old_pose: Floats, old_velocity: Floats, old_ball: Floats,
    pose: Floats, velocity: Floats, ball: Floats, views: Floats, optics: Floats, hull: Floats,
    robots: Floats, team: Ints, label: Ints, balls: Floats, counts: Ints, delay: Floats,
) -> None:  # fmt: skip
    """Fill the pictures that all cameras take during the tick that leads from the old state to this one."""
    for c in range(views.shape[0]):
        counts[e, c, 0], counts[e, c, 1] = 0, 0
        see_robots(
            e, c, k0, k1, step, dt, old_pose, old_velocity, pose, velocity, views, optics, robots, team, label, counts
        )  # fmt: skip
        see_ball(
            e, c, k0, k1, step, dt, old_pose, old_velocity, old_ball, pose, velocity, ball, views, optics, hull,
            balls, counts,
        )  # fmt: skip
        see_false(e, c, k0, k1, step, pose.shape[1], views, optics, robots, team, label, balls, counts)
        delay[e, c] = instants.delay(k0, k1, step, STREAMS * c + DELAY_STREAM, optics[LATENCY], optics[JITTER])
