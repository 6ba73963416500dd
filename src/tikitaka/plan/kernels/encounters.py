"""When waypoints in time first meet anything: what stands, what moves, and team mates on plans of their own.

Standing obstacles count for the whole way, moving ones up to a horizon: beyond it nobody knows. A moving obstacle is a
row of seven numbers
  x, y, vx, vy   where its centre is now, and its velocity
  brake          deceleration until it rests [m/s^2]: of the ball; 0: it goes on
  r, g           radius, the planning robot's own and the margin included, and by how much it grows each second
A team mate is its waypoints; before the first and after the last it stands. It counts up to the horizon also when our
own plan has ended: where a mate will come through nobody stays.

Who starts inside an obstacle may leave it: it is met only where the depth grows beyond `held`, or on a second entry.

mates   waypoints (n, k, 2), times (n, k), counts (n,) and radii (n,) of those who have gone first
held    (m + k + n,) how deep in each standing, moving and mate's circle the plan may go; -1: it starts outside
s       where in a chord, 0 to 1
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, norm
from tikitaka.plan.kernels.bangbang import NEVER
from tikitaka.plan.kernels.chords import apart, extent, meeting, standing

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Mates = tuple[Floats, Floats, Ints, Floats]

_BULGE = 0.001  # [m] chosen: a braking ball's path in time is taken as straight where it is off by no more


@kernel
def first_contact(
    o: Floats, moving: Floats, mates: Mates, held: Floats, now: float, horizon: float,
    xy: Floats, t: Floats, k: int, enough: bool,
) -> tuple[float, int, float]:  # fmt: skip
    """Return when k waypoints first meet anything, what that is (standing, then moving, then mates), and the time in.

    The time is NEVER where they meet nothing; the last number is the time spent in obstacles that hold the start,
    added up. With `enough` the first contact found is returned, not the earliest.
    """
    first, which, within = NEVER, -1, 0.0
    x0, y0, x1, y1 = extent(xy, k)
    m, n = o.shape[0], moving.shape[0]
    for i in range(m + n + mates[0].shape[0]):
        if first < NEVER and enough:
            break
        if i < m:
            if apart(o[i], x0, y0, x1, y1):
                continue
            when, stay = standing(o[i], held[i], xy, t, k, first)
        elif i < m + n:
            if _out_of_reach(moving[i - m], min(horizon, t[k - 1]), x0, y0, x1, y1):
                continue
            when, stay = passing(moving[i - m], held[i], xy, t, k, min(horizon, first))
        else:
            j = i - m - n
            if mates[2][j] < 1 or _elsewhere(mates[0][j], mates[2][j], mates[3][j], x0, y0, x1, y1):
                continue
            when, stay = beside(mates, j, now, held[i], xy, t, k, min(horizon, first))
        within += stay
        if when < first:
            first, which = when, i
    return first, which, within


@kernel
def place(row: Floats, t: float) -> tuple[float, float]:
    """Return where the centre of a moving obstacle is at t."""
    if row[4] > 0.0:
        speed = norm(row[2], row[3])
        rest = speed / row[4]
        t = min(t, rest)
        t *= 1.0 - 0.5 * t / rest if rest > 0.0 else 1.0
    return row[0] + t * row[2], row[1] + t * row[3]


@kernel
def _out_of_reach(row: Floats, until: float, x0: float, y0: float, x1: float, y1: float) -> bool:
    """Say whether a box around a path is clear of a moving obstacle at all times."""
    x, y = place(row, until)
    r = row[5] + max(row[6], 0.0) * until
    return bool(
        min(x, row[0]) - r >= x1 or max(x, row[0]) + r <= x0 or min(y, row[1]) - r >= y1 or max(y, row[1]) + r <= y0
    )


@kernel
def _elsewhere(points: Floats, count: int, r: float, x0: float, y0: float, x1: float, y1: float) -> bool:
    """Say whether a box around a path is clear of all of a mate's way."""
    a0, b0, a1, b1 = extent(points, count)
    return bool(a0 - r >= x1 or a1 + r <= x0 or b0 - r >= y1 or b1 + r <= y0)


@kernel
def passing(row: Floats, held: float, xy: Floats, t: Floats, k: int, until: float) -> tuple[float, float]:
    """Return when k waypoints first enter a moving circle, NEVER if not before `until`, and the time in it."""
    within = 0.0
    for i in range(k - 1):
        if t[i] >= until:
            break
        h = t[i + 1] - t[i]
        parts = 1
        if row[4] > 0.0 and t[i] * row[4] < norm(row[2], row[3]):
            parts = max(math.ceil(h * math.sqrt(0.125 * row[4] / _BULGE)), 1)
        for j in range(parts):
            s, e = j / parts, min((j + 1) / parts, (until - t[i]) / h if h > 0.0 else 1.0)
            if s > e:
                break
            t0, t1 = t[i] + s * h, t[i] + e * h
            bx, by = place(row, t0)
            cx, cy = place(row, t1)
            dx, dy = xy[i + 1, 0] - xy[i, 0], xy[i + 1, 1] - xy[i, 1]
            px, py = xy[i, 0] + s * dx - bx, xy[i, 1] + s * dy - by
            wx, wy = (e - s) * dx - cx + bx, (e - s) * dy - cy + by
            hit, held = _chord(px, py, wx, wy, row[5] + row[6] * t0, row[6] * (t1 - t0), held)
            if hit <= 1.0:
                return t0 + hit * (t1 - t0), within
            if held >= 0.0:
                within = t1
    return NEVER, within


@kernel
def _chord(px: float, py: float, wx: float, wy: float, r: float, g: float, held: float) -> tuple[float, float]:
    """Return where one chord meets a circle, NEVER if it does not, and whether the circle still holds the robot."""
    if held < 0.0:
        return meeting(px, py, wx, wy, r, g), held
    w2 = wx * wx + wy * wy
    s = clamp(-(px * wx + py * wy) / w2, 0.0, 1.0) if w2 > 0.0 else 1.0
    at_end = r + g - norm(px + wx, py + wy)
    if max(r + g * s - norm(px + s * wx, py + s * wy), at_end) > held:
        return 0.0, held
    return NEVER, held if at_end > 0.0 else -1.0


@kernel
def beside(
    mates: Mates, j: int, now: float, held: float, xy: Floats, t: Floats, k: int, until: float
) -> tuple[float, float]:
    """Return when k waypoints, and standing at the last, first meet a team mate's plan, and the time in its circle."""
    points, times, count, r = mates[0][j], mates[1][j], mates[2][j], mates[3][j]
    within, at, speed = 0.0, t[0], max(_fastest(xy, t, k) + _fastest(points, times, count), 1.0 / NEVER)
    i, e = 0, 0
    while at < until:
        while i + 1 < k and t[i + 1] <= at:
            i += 1
        while e + 1 < count and times[e + 1] - now <= at:
            e += 1
        end = min(until, t[i + 1] if i + 1 < k else until, times[e + 1] - now if e + 1 < count else until)
        if at < times[0] - now < end:
            end = times[0] - now
        ax, ay = _between(xy, t, k, i, at)
        bx, by = _between(points, times, count, e, at + now)
        clear = at + (norm(ax - bx, ay - by) - r) / speed  # they cannot be together before
        if held < 0.0 and clear >= end:
            at = clear
            continue
        cx, cy = _between(xy, t, k, i, end)
        dx, dy = _between(points, times, count, e, end + now)
        hit, held = _chord(ax - bx, ay - by, cx - dx - ax + bx, cy - dy - ay + by, r, 0.0, held)
        if hit <= 1.0:
            return at + hit * (end - at), within
        if held >= 0.0:
            within = end
        at = end
    return NEVER, within


@kernel
def _fastest(xy: Floats, t: Floats, k: int) -> float:
    """Return the highest speed between waypoints."""
    most = 0.0
    for i in range(k - 1):
        h = t[i + 1] - t[i]
        if h > 0.0:
            dx, dy = xy[i + 1, 0] - xy[i, 0], xy[i + 1, 1] - xy[i, 1]
            most = max(most, (dx * dx + dy * dy) / (h * h))
    return math.sqrt(most)


@kernel
def at_time(mates: Mates, j: int, when: float) -> tuple[float, float]:
    """Return where a mate with at least one waypoint is at an absolute time."""
    times, count = mates[1][j], mates[2][j]
    e = 0
    while e + 1 < count and times[e + 1] <= when:
        e += 1
    return _between(mates[0][j], times, count, e, when)


@kernel
def _between(xy: Floats, t: Floats, k: int, i: int, at: float) -> tuple[float, float]:
    """Return the place at a time that lies between waypoint i and the next one."""
    if i + 1 >= k or t[i + 1] <= t[i]:
        return xy[i, 0], xy[i, 1]
    s = clamp((at - t[i]) / (t[i + 1] - t[i]), 0.0, 1.0)
    return xy[i, 0] + s * (xy[i + 1, 0] - xy[i, 0]), xy[i, 1] + s * (xy[i + 1, 1] - xy[i, 1])
