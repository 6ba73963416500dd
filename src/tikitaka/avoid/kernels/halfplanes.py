"""Reciprocal half-planes [vandenBerg2011]: the velocity nearest to the wanted one that meets nobody for a while.

Towards every other robot a robot may choose any velocity of a half-plane; it takes half of the change that keeps both
apart, or all of it where the other one does not avoid. Velocities become plans: straight along, no faster. The radius
is larger than the robot, since wheels cannot follow a velocity at once.

p, v   where the other is, and our velocity less its own
r      sum of both radii
tau    for so long they stay apart [s]
u, n   least change of v that keeps them apart, and its direction out of the obstacle
q      a velocity on the border of the half-plane: (w - q) n >= 0
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.avoid.kernels.dodging import BLOCKED, PARTIAL, go_to, leaves
from tikitaka.avoid.kernels.gathering import within
from tikitaka.avoid.kernels.rolling import ACCELERATION, SPEED, STEP, braked
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clip_norm, cross, dot, norm, unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

PARALLEL = 1e-9
SAME = 1e-3  # [m/s] chosen: a change smaller than this is none
BRAKE = 0.05  # [m/s] chosen: slower than this is a brake
SHORTEST, AHEAD = 0.15, 0.5  # [m, s] chosen: a plan is at least so long, and so long in time
DIRECTIONS, SPEEDS = 24, 4  # chosen: velocities that are tried where no velocity is allowed
TRIED = DIRECTIONS * SPEEDS
TURNS = [2.0 * math.pi * c / DIRECTIONS for c in range(TRIED + 1)]
COSINES, SINES = np.array([math.cos(a) for a in TURNS]), np.array([math.sin(a) for a in TURNS])


@kernel
def least_change(
    px: float, py: float, vx: float, vy: float, r: float, tau: float, dt: float
) -> tuple[float, float, float]:
    """Return signed length and direction n of the least change u = length n of v that leaves the velocity obstacle."""
    far2 = dot(px, py, px, py)
    inside = far2 <= r * r
    t = dt if inside else tau
    wx, wy = vx - px / t, vy - py / t
    w, along = norm(wx, wy), dot(wx, wy, px, py)
    if inside or (along < 0.0 and along * along > r * r * w * w):  # nearest to the arc
        nx, ny = unit(wx, wy)
        if nx == 0.0 and ny == 0.0:
            nx, ny = unit(-px, -py)
        return r / t - w, nx, ny
    leg = math.sqrt(far2 - r * r)
    side = 1.0 if cross(px, py, wx, wy) > 0.0 else -1.0
    dx, dy = (px * leg - side * py * r) / far2, (side * px * r + py * leg) / far2  # along the leg on that side
    nx, ny = -side * dy, side * dx
    return -dot(vx, vy, nx, ny), nx, ny


@kernel
def on_line(k: int, lines: Floats, wx: float, wy: float, top: float) -> tuple[bool, float, float]:
    """Return whether half-plane k has a velocity on its border that all before allow, and the nearest to (wx, wy)."""
    qx, qy, dx, dy = lines[k, 0], lines[k, 1], -lines[k, 3], lines[k, 2]
    b = dot(qx, qy, dx, dy)
    root = b * b + top * top - dot(qx, qy, qx, qy)
    if root < 0.0:
        return False, 0.0, 0.0
    low, high = -b - math.sqrt(root), -b + math.sqrt(root)
    for j in range(k):
        slope = dot(lines[j, 2], lines[j, 3], dx, dy)
        lack = dot(lines[j, 2], lines[j, 3], lines[j, 0] - qx, lines[j, 1] - qy)
        if abs(slope) < PARALLEL:
            if lack > 0.0:
                return False, 0.0, 0.0
        elif slope > 0.0:
            low = max(low, lack / slope)
        else:
            high = min(high, lack / slope)
    if low > high:
        return False, 0.0, 0.0
    t = min(max(dot(dx, dy, wx - qx, wy - qy), low), high)
    return True, qx + t * dx, qy + t * dy


@kernel
def least_bad(lines: Floats, count: int, top: float) -> tuple[float, float]:
    """Return the velocity, of many, whose worst violation of any half-plane is the least."""
    bx, by, best = 0.0, 0.0, np.inf
    for c in range(TRIED + 1):
        v = top * ((c + SPEEDS - 1) // DIRECTIONS + 1) / SPEEDS
        if c == TRIED:
            v = 0.0
        v = min(v, top)
        x, y, worst = v * COSINES[c], v * SINES[c], 0.0
        for k in range(count):
            worst = max(worst, dot(lines[k, 2], lines[k, 3], lines[k, 0] - x, lines[k, 1] - y))
            if worst >= best:
                break
        if worst < best:
            bx, by, best = x, y, worst
    return bx, by


@kernel
def nearest_allowed(lines: Floats, count: int, wx: float, wy: float, top: float) -> tuple[float, float]:
    """Return the velocity nearest to (wx, wy) that is in all half-planes (k, 4: q, n) and no faster than ``top``."""
    x, y = clip_norm(wx, wy, top)
    for k in range(count):
        if dot(lines[k, 2], lines[k, 3], x - lines[k, 0], y - lines[k, 1]) < 0.0:
            fits, x, y = on_line(k, lines, wx, wy, top)
            if not fits:
                return least_bad(lines, count, top)
    return x, y


@kernel
def add_wall(k: int, far: float, nx: float, ny: float, wanted: float, limits: Floats, lines: Floats) -> int:
    """Add half-plane k, that of a wall so far away behind which the robot does not want to go; return how many."""
    if wanted > far:
        return k
    most = braked(far, 0.0, limits[ACCELERATION], limits[STEP]) if far > 0.0 else far / limits[STEP]
    lines[k, 0], lines[k, 1], lines[k, 2], lines[k, 3] = -most * nx, -most * ny, nx, ny
    return k + 1


@kernel
def fill_lines(
    i: int, pose: Floats, velocity: Floats, free: Bools, sees: Bools, reach: Floats, aim: Floats, r: float, tau: float,
    limits: Floats, edge_x: float, edge_y: float, lines: Floats,
) -> int:  # fmt: skip
    """Fill the half-planes of robot i, and return how many there are: walls first."""
    count = 0
    x, y, ax, ay = pose[i, 0], pose[i, 1], aim[i, 0], aim[i, 1]
    for side in (-1.0, 1.0):
        count = add_wall(count, edge_x - side * x, -side, 0.0, side * (ax - x), limits, lines)
        count = add_wall(count, edge_y - side * y, 0.0, -side, side * (ay - y), limits, lines)
    for j in range(pose.shape[0]):
        if not sees[i, j]:
            continue
        vx, vy, wide = velocity[i, 0] - velocity[j, 0], velocity[i, 1] - velocity[j, 1], r * reach[j] / reach[i]
        u, nx, ny = least_change(pose[j, 0] - x, pose[j, 1] - y, vx, vy, wide, tau, limits[STEP])
        share = 0.5 if j < free.shape[0] and free[j] else 1.0
        lines[count, 0], lines[count, 1] = velocity[i, 0] + share * u * nx, velocity[i, 1] + share * u * ny
        lines[count, 2], lines[count, 3] = nx, ny
        count += 1
    return count


@kernel
def reciprocal(
    pose: Floats, velocity: Floats, now: float, free: Bools, sees: Bools, reach: Floats, aim: Floats, end: Floats,
    r: float, tau: float, limits: Floats, edge_x: float, edge_y: float, lines: Floats, xy: Floats, time: Floats,
    count: Ints, status: Ints, reason: Ints, max_speed: Floats,
) -> None:  # fmt: skip
    """Change the plans of robots whose wanted velocity is not allowed; lines (m + 4, 4) is scratch."""
    for i in range(free.shape[0]):
        if not free[i] or leaves(i, pose, now, sees, reach, edge_x, edge_y, xy, time, count, status):
            continue
        last, top = xy[i, count[i] - 1], limits[SPEED] if limits[SPEED] < max_speed[i] else max_speed[i]
        far = norm(last[0] - pose[i, 0], last[1] - pose[i, 1])
        ux, uy = unit(aim[i, 0] - pose[i, 0], aim[i, 1] - pose[i, 1])
        speed = min(top, braked(far, end[i], limits[ACCELERATION], limits[STEP]))
        many = fill_lines(i, pose, velocity, free, sees, reach, aim, r, tau, limits, edge_x, edge_y, lines)
        x, y = nearest_allowed(lines, many, speed * ux, speed * uy, top)
        if norm(x - speed * ux, y - speed * uy) < SAME:
            continue
        v = norm(x, y)
        if v < BRAKE:
            status[i], reason[i] = 0, BLOCKED
            continue
        ahead = max(SHORTEST, AHEAD * v) / v
        gx, gy = within(pose[i, 0] + ahead * x, pose[i, 1] + ahead * y, pose[i], edge_x, edge_y)
        go_to(i, gx, gy, pose, now, xy, time, count)
        status[i], max_speed[i] = PARTIAL, min(max_speed[i], v)
