"""What the ball bounces off: boards and robots, met at their exact time, in mean and covariance.

boards  (k, 4)  segments ax, ay, bx, by with the pitch on their left
robots  (n, 6)  x, y, theta, vx, vy, omega at one time; they go on at constant velocity
body    (4,)    a robot: x from, x to, half width, and the radius of a circle that cuts its corners off
skin    (10,)   the named numbers below; the last two in `travelling`
n       unit normal, away from what was hit
e       restitution: v_n becomes -e v_n against what was hit
B       1 - (1 + e) n n': what a bounce does to velocity, and to the error of place too, because a ball that was nearer
        has met the wall sooner and is back sooner
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.rolling import GRAVITY, HORIZON, RX, RY, VX, VY, VZ, X, Y, Z, at, slide_time
from tikitaka.geom.jit import kernel
from tikitaka.geom.segments import closest_on_segment
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]

# of skin: the ball's radius; restitutions, that of robots as if they were not pushed back; how uncertain they are, as
# a share of the closing speed; what is unknown of the velocity of a robot's rim [m/s]; heights that a ball flies over
RADIUS, WALL, ROBOT, WALL_DOUBT, ROBOT_DOUBT, RIM_DOUBT, WALL_HEIGHT, ROBOT_HEIGHT = range(8)
NEVER = math.inf  # [s]
MET = 1e-7  # [m] a gap this small is none
DEEP = 1.0  # radii: a ball whose centre is that far behind a board is not held by it, but by its other side
SOFT = 0.05  # [m/s] chosen: slower meetings do not bounce, so that a pushed ball stays at the robot
ROUNDS = 40
LEASH = 0.05  # chosen: of the time that is looked at
PARTING = 0.2  # chosen: the same, of a ball that gets away from a robot: it seldom comes back
CLOSE = 1e-5  # [m] a gap this small after so many rounds counts as met


@kernel
def board_gap(boards: Floats, j: int, x: float, y: float, radius: float) -> tuple[float, float, float]:
    """Return the gap between a board and a ball, and the normal; below 0 behind it, NEVER where it does not count."""
    ax, ay, bx, by = boards[j, 0], boards[j, 1], boards[j, 2], boards[j, 3]
    qx, qy, s = closest_on_segment(x, y, ax, ay, bx, by)
    length = norm(bx - ax, by - ay)
    if length == 0.0:
        return NEVER, 1.0, 0.0
    nx, ny = (ay - by) / length, (bx - ax) / length
    if 0.0 < s < 1.0:
        gap = (x - qx) * nx + (y - qy) * ny
        return (gap - radius if gap > -DEEP * radius else NEVER), nx, ny
    d = norm(x - qx, y - qy)
    if d <= MET:
        return -radius, nx, ny
    side = (x - qx) * nx + (y - qy) * ny
    if side < 0.0:
        return NEVER, nx, ny  # behind an end: its neighbour's, if anybody's
    return d - radius, (x - qx) / d, (y - qy) / d


@kernel
def robot_gap(
    robots: Floats, i: int, t: float, body: Floats, x: float, y: float, radius: float
) -> tuple[float, float, float]:
    """Return the gap between robot i, t after its time, and a ball, and the normal; below 0 where they overlap."""
    theta = robots[i, 2] + t * robots[i, 5]
    c, s = math.cos(theta), math.sin(theta)
    dx, dy = x - robots[i, 0] - t * robots[i, 3], y - robots[i, 1] - t * robots[i, 4]
    bx, by = c * dx + s * dy, c * dy - s * dx
    ox, oy = max(body[0] - bx, bx - body[1]), abs(by) - body[2]
    sx, sy = (1.0 if bx - body[1] >= body[0] - bx else -1.0), (1.0 if by >= 0.0 else -1.0)
    if ox > 0.0 and oy > 0.0:
        gap = norm(ox, oy)
        nx, ny = sx * ox / gap, sy * oy / gap
    elif ox >= oy:
        gap, nx, ny = ox, sx, 0.0
    else:
        gap, nx, ny = oy, 0.0, sy
    d = norm(bx, by)
    if d - body[3] > gap:
        gap, nx, ny = d - body[3], bx / d, by / d
    return gap - radius, c * nx - s * ny, s * nx + c * ny


@kernel
def gap_to(
    who: int, x: float, y: float, t: float, boards: Floats, robots: Floats, body: Floats, radius: float
) -> tuple[float, float, float]:
    """Return gap and normal between a ball and board ``who``, or robot who - k at its time t."""
    k = boards.shape[0]
    if who < k:
        return board_gap(boards, who, x, y, radius)
    return robot_gap(robots, who - k, t, body, x, y, radius)


@kernel
def rim_velocity(
    who: int, x: float, y: float, t: float, nx: float, ny: float, boards: Floats, robots: Floats, radius: float
) -> tuple[float, float]:
    """Return the velocity of what is hit at the point of contact, v_c with omega x r [Beard, sec. 2.4], erratum."""
    i = who - boards.shape[0]
    if i < 0:
        return 0.0, 0.0
    rx, ry = x - radius * nx - robots[i, 0] - t * robots[i, 3], y - radius * ny - robots[i, 1] - t * robots[i, 4]
    return robots[i, 3] - robots[i, 5] * ry, robots[i, 4] + robots[i, 5] * rx


@kernel
def nearest_robot(x: float, y: float, t: float, robots: Floats, body: Floats, radius: float) -> tuple[int, float]:
    """Return the robot nearest to the ball, -1: none within a metre, and the gap."""
    best, found, least = NEVER, -1, NEVER
    inner, far = min(-body[0], body[1], body[2], body[3]), 1.0 + body[3] + radius
    for i in range(robots.shape[0]):  # whose outline is as near as this at least
        dx, dy = x - robots[i, 0] - t * robots[i, 3], y - robots[i, 1] - t * robots[i, 4]
        if abs(dx) < far and abs(dy) < far:
            least = min(least, norm(dx, dy) - inner)
    for i in range(robots.shape[0]):
        dx, dy = x - robots[i, 0] - t * robots[i, 3], y - robots[i, 1] - t * robots[i, 4]
        if abs(dx) < far and abs(dy) < far and norm(dx, dy) - body[3] <= least + MET:
            gap, _, _ = robot_gap(robots, i, t, body, x, y, radius)
            if gap < best:
                best, found = gap, i
    return found, best


@kernel
def closing_bound(who: int, fastest: float, boards: Floats, robots: Floats, body: Floats) -> float:
    """Return a speed that a body and a ball that gets no faster than this do not close in faster than."""
    bound, i = fastest + 1e-9, who - boards.shape[0]
    if i >= 0:
        bound += norm(robots[i, 3], robots[i, 4]) + abs(robots[i, 5]) * (body[3] + 0.1)
    return bound


@kernel
def meeting(
    who: int, x: Floats, left: float, begin: float, law: Floats, boards: Floats, robots: Floats, body: Floats,
    radius: float,
) -> float:  # fmt: skip
    """Return when the ball and a body touch and close in, NEVER where they do not within ``left``.

    ``begin`` is the robots' time now. The gap's zero by Newton's steps, bisected where one leaves the bracket.
    """
    t, low, high, gap = 0.0, 0.0, NEVER, NEVER
    rolls = slide_time(x, law)
    for _ in range(ROUNDS):
        px, py, vx, vy = at(x, t, law)
        fastest = norm(vx, vy) if t >= rolls else max(norm(vx, vy), norm(x[RX], x[RY]))  # spin drives one that slides
        bound = closing_bound(who, fastest, boards, robots, body)
        gap, nx, ny = gap_to(who, px, py, begin + t, boards, robots, body, radius)
        if not gap <= bound * (left - t) + (CLOSE if t > 0.0 else 0.0):
            return NEVER
        cx, cy = rim_velocity(who, px, py, begin + t, nx, ny, boards, robots, radius)
        part = (vx - cx) * nx + (vy - cy) * ny
        if gap <= MET and (t == 0.0 or gap >= -MET):
            return t if part < -1e-9 else NEVER
        if gap < 0.0:
            high = t
        else:
            low = t
        step = gap / bound if part >= 0.0 else gap / -part
        if gap > 0.0 and part >= 0.0:
            if who < boards.shape[0] and t >= rolls:
                return NEVER  # it goes straight on, and what is convex comes no nearer any more
            step = max(step, PARTING * left)
        elif gap > 0.0 and who >= boards.shape[0]:  # a robot turns: not too far at once
            step = min(step, max(4.0 * gap / bound, LEASH * left))
        if t >= left and step >= 0.0 and high == NEVER:
            return NEVER
        t = min(t + step, left)
        if high < NEVER and not low < t < high:
            t = 0.5 * (low + high)
    return low if high < NEVER or gap < CLOSE else NEVER


@kernel
def is_beyond(boards: Floats, j: int, x: float, y: float, reach: float) -> bool:
    """Say whether a place is farther from a board than that, by its bounding box."""
    ax, ay, bx, by = boards[j, 0], boards[j, 1], boards[j, 2], boards[j, 3]
    aside: bool = x < min(ax, bx) - reach or x > max(ax, bx) + reach
    above: bool = y < min(ay, by) - reach or y > max(ay, by) + reach
    return aside or above


@kernel
def first_meeting(
    x: Floats, left: float, begin: float, law: Floats, boards: Floats, robots: Floats, body: Floats, skin: Floats
) -> tuple[float, int]:
    """Return when and what the ball meets first; NEVER and -1: nothing within ``left``, `HORIZON` at most."""
    left = min(left, HORIZON)
    first, found, k, fastest = NEVER, -1, boards.shape[0], max(norm(x[VX], x[VY]), norm(x[RX], x[RY]))
    for who in range(k + robots.shape[0]):
        i = who - k
        reach = skin[RADIUS] + min(left, first) * closing_bound(who, fastest, boards, robots, body)
        if i >= 0:
            dx, dy = x[X] - robots[i, 0] - begin * robots[i, 3], x[Y] - robots[i, 1] - begin * robots[i, 4]
            if abs(dx) > reach + body[3] or abs(dy) > reach + body[3]:
                continue
        elif is_beyond(boards, who, x[X], x[Y], reach):
            continue
        t = meeting(who, x, min(left, first), begin, law, boards, robots, body, skin[RADIUS])
        if t < first and x[Z] + t * (x[VZ] - 0.5 * law[GRAVITY] * t) <= skin[ROBOT_HEIGHT if i >= 0 else WALL_HEIGHT]:
            first, found = t, who
    return first, found


@kernel
def reflect(a: float, b: float, nx: float, ny: float, e: float) -> tuple[float, float]:
    """Return B (a, b). [Beard, sec. 2.4] erratum: R(2 theta) is this reflection, v - (1 + e)(v n) n, no rotation."""
    back = (1.0 + e) * (a * nx + b * ny)
    return a - back * nx, b - back * ny


@kernel
def bounce(
    x: Floats, p: Floats, nx: float, ny: float, cx: float, cy: float, e: float, doubt: float, rim: float, spread: bool
) -> None:
    """Send the ball back from what moves at (cx, cy); p becomes M p M', M = B on place and on velocity, plus doubt.

    Without ``spread`` p stays as it is.
    """
    closing = (x[VX] - cx) * nx + (x[VY] - cy) * ny
    soft = 0.0 if closing > -SOFT else e
    wx, wy = reflect(x[VX] - cx, x[VY] - cy, nx, ny, soft)
    x[VX], x[VY] = cx + wx, cy + wy  # off a robot: v_c + reflect(v - v_c) [Beard, sec. 2.4], erratum
    if not spread:
        return
    n = p.shape[0]
    for j in range(n):
        p[X, j], p[Y, j] = reflect(p[X, j], p[Y, j], nx, ny, soft)
        p[VX, j], p[VY, j] = reflect(p[VX, j], p[VY, j], nx, ny, soft)
    for i in range(n):
        p[i, X], p[i, Y] = reflect(p[i, X], p[i, Y], nx, ny, soft)
        p[i, VX], p[i, VY] = reflect(p[i, VX], p[i, VY], nx, ny, soft)
    for i in range(n):
        for j in range(i):
            p[i, j] = p[j, i]
    noise = (doubt * closing) ** 2 + (1.0 + soft) ** 2 * rim * rim
    side = 0.25 * (doubt * closing) ** 2  # the normal is not sure either
    p[VX, VX] += noise * nx * nx + side * ny * ny
    p[VX, VY] += (noise - side) * nx * ny
    p[VY, VX] = p[VX, VY]
    p[VY, VY] += noise * ny * ny + side * nx * nx
