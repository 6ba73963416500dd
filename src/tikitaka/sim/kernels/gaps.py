"""Gaps between robots, ball, walls and posts; negative when they overlap."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.boxes import box_box, box_box_cs, disc_box, disc_box_cs, disc_disc
from tikitaka.geom.frames import rotate, to_body
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm, unit

Floats = NDArray[np.float64]

# body: a box has half sizes HX, HY; a disc has radius HX and a flat front at MOUTH
BOX, HX, HY, MOUTH, INV_MASS, INV_INERTIA, GRIP, SPIN = range(8)
# play: the ball's radius, inverse mass and deceleration, restitutions, the kicker's zone before the front, the half
# sizes of the middle of the pitch, where no wall or post is near, and how close robots (NEAR), and ball and robot
# (NEAR_BALL), must be to touch within a substep
RADIUS, INV_BALL, ROLLING, BOUNCE_WALL, BOUNCE_ROBOT, BOUNCE_PAIR, KICK_WIDTH, KICK_REACH = range(8)
CLEAR_X, CLEAR_Y, NEAR, NEAR_BALL = range(8, 12)


@kernel
def ball_gap(
    px: float, py: float, r: float, x: float, y: float, theta: float, body: Floats
) -> tuple[float, float, float]:
    """Return the gap from a robot's outline to the ball and the normal towards the ball."""
    if body[BOX] != 0.0:
        return disc_box(px, py, r, x, y, theta, body[HX], body[HY])
    gap, nx, ny = disc_disc(x, y, body[HX], px, py, r)
    bx, by = to_body(px, py, x, y, theta)
    half = math.sqrt(max(0.0, body[HX] * body[HX] - body[MOUTH] * body[MOUTH]))  # of the flat front
    if bx * half <= abs(by) * body[MOUTH]:
        return gap, nx, ny
    if abs(by) <= half:
        nx, ny = rotate(1.0, 0.0, theta)
        return bx - body[MOUTH] - r, nx, ny
    cx, cy = bx - body[MOUTH], by - math.copysign(half, by)
    ux, uy = unit(cx, cy)
    nx, ny = rotate(ux, uy, theta)
    return norm(cx, cy) - r, nx, ny


@kernel
def pair_gap(pose: Floats, e: int, i: int, j: int, body: Floats) -> tuple[float, float, float, float, float]:
    """Return gap, normal from i to j, and contact point of two robots."""
    xi, yi, xj, yj = pose[e, i, 0], pose[e, i, 1], pose[e, j, 0], pose[e, j, 1]
    if body[BOX] != 0.0:
        return box_box(xi, yi, pose[e, i, 2], body[HX], body[HY], xj, yj, pose[e, j, 2], body[HX], body[HY])
    gap, nx, ny = disc_disc(xi, yi, body[HX], xj, yj, body[HX])
    return gap, nx, ny, xi + body[HX] * nx, yi + body[HX] * ny


@kernel
def post_gap(
    pose: Floats, e: int, i: int, posts: Floats, b: int, body: Floats
) -> tuple[float, float, float, float, float]:
    """Return gap, normal from the post to the robot, and contact point."""
    x, y, theta = pose[e, i, 0], pose[e, i, 1], pose[e, i, 2]
    if body[BOX] != 0.0:
        c, s = math.cos(theta), math.sin(theta)
        return box_box_cs(posts[b, 0], posts[b, 1], 1.0, 0.0, posts[b, 2], posts[b, 3], x, y, c, s, body[HX], body[HY])
    gap, nx, ny = disc_box_cs(x, y, body[HX], posts[b, 0], posts[b, 1], 1.0, 0.0, posts[b, 2], posts[b, 3])
    return gap, nx, ny, x - body[HX] * nx, y - body[HX] * ny


@kernel
def close_by(ax: float, ay: float, bx: float, by: float, reach: float) -> bool:
    """Say whether two points are closer than ``reach``."""
    dx, dy = bx - ax, by - ay
    return abs(dx) < reach and abs(dy) < reach and dx * dx + dy * dy < reach * reach


@kernel
def beside(x: float, y: float, posts: Floats, b: int, reach: float) -> bool:
    """Say whether a point may be closer to a post than ``reach``."""
    return bool(abs(x - posts[b, 0]) < posts[b, 2] + reach and abs(y - posts[b, 1]) < posts[b, 3] + reach)
