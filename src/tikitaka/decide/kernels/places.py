"""Places on the pitch: the keeper's, the others', and what keeps clear of what."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, cross, dot, norm, unit

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

CLEAR = 4.0  # of the hull: room that the others leave to the ball and its way to the goal
LEAN = 0.12  # chosen: of the ball's y, so far a keeper goes to its side while it is at their goal
DEEP = 0.5  # [m] chosen: a ball nearer to our corner than this is in it
SWAY = 0.15  # chosen: share of what is left of that by which a keeper comes off its post
TIGHT = 0.75  # hulls: as near to a wall a box comes that drives along it or at it
HALF_X, HALF_Y, HALF_GAP, ROOM_X, ROOM_Y, AREA_X, AREA_Y, CIRCLE, HULL = 0, 1, 2, 3, 4, 5, 6, 7, 8


@kernel
def inside(x: float, y: float, pitch: Floats) -> tuple[float, float]:
    """Return the nearest point at which a robot has room between the walls."""
    rx, ry = pitch[ROOM_X] - pitch[HULL], pitch[ROOM_Y] - pitch[HULL]
    return clamp(x, -rx, rx), clamp(y, -ry, ry)


@kernel
def in_our_area(x: float, y: float, pitch: Floats) -> bool:
    """Say whether a point is in the goal area that our keeper has for itself."""
    return bool(x < pitch[AREA_X] - pitch[HALF_X] and abs(y) < pitch[AREA_Y])


@kernel
def outmost(bx: float, by: float, edge: float, half_x: float, half_y: float) -> float:
    """Return how far to the side a keeper on its line goes: to the post, less the deeper in our corner the ball is."""
    return edge - SWAY * max(0.0, DEEP - norm(bx + half_x, half_y - abs(by)))


@kernel
def lean(bx: float, by: float, half_x: float) -> float:
    """Return how much farther to the side a keeper stands while the ball is in their half."""
    return LEAN * clamp(2.0 * bx / half_x, 0.0, 1.0) * by


@kernel
def keep(bx: float, by: float, vx: float, vy: float, pitch: Floats) -> tuple[float, float]:
    """Return the keeper's place: on a line before our goal, as far aside as the ball is, or where a shot crosses it."""
    x, edge = 1.3 * pitch[HULL] - pitch[HALF_X], pitch[HALF_GAP]
    if vx < -0.2 and bx > x:
        cross_y = by + vy * (bx - x) / -vx
        if abs(cross_y) < 2.0 * edge:
            return x, clamp(cross_y, -edge, edge)
    off, most = norm(bx + pitch[HALF_X], by), outmost(bx, by, edge, pitch[HALF_X], pitch[HALF_Y])
    return x, clamp(by * edge / max(off, edge) + lean(bx, by, pitch[HALF_X]), -most, most)


@kernel
def post(k: int, m: int, bx: float, by: float, pitch: Floats) -> tuple[float, float]:
    """Return the k-th of m places for the others: rows of three behind the ball, none before our area."""
    row, slot, rows = k // 3, k % 3, (m + 2) // 3
    width = min(3, m - 3 * row)
    low = pitch[AREA_X] - pitch[HALF_X] + 2.0 * pitch[HULL]
    front = max(clamp(bx, -pitch[HALF_X], 0.9 * pitch[HALF_X]) - 0.3 * pitch[HALF_X], low + 4.0 * rows * pitch[HULL])
    x = front - (front - low) * row / rows
    y = 0.5 * pitch[HALF_Y] * (slot - 0.5 * (width - 1))
    return x, y + 0.2 * clamp(by, -pitch[HALF_Y], pitch[HALF_Y])


@kernel
def out_of_the_way(x: float, y: float, bx: float, by: float, pitch: Floats) -> tuple[float, float]:
    """Return the place moved sideways so that the ball and its way to their goal stay clear."""
    dx, dy = unit(pitch[HALF_X] - bx, -by)
    room = CLEAR * pitch[HULL]
    along, across = dot(x - bx, y - by, dx, dy), cross(dx, dy, x - bx, y - by)
    if along < -room or abs(across) >= room:
        return x, y
    shift = math.copysign(room, across) - across
    return x, y + shift / max(dx, 0.5)  # along its row, so that the rows stay apart


@kernel
def nearest_free(pose: Floats, busy: Flags, x: float, y: float) -> int:
    """Return the robot nearest to a place among those without a job, -1: none."""
    best, found = math.inf, -1
    for i in range(pose.shape[0]):
        d = norm(pose[i, 0] - x, pose[i, 1] - y)
        if not busy[i] and d < best:
            best, found = d, i
    return found
