"""The fastest motion under limits of speed and acceleration: along one axis, and in the plane.

Along an axis it is a ramp to a peak speed, a cruise where the peak is the limit, and a ramp to the end speed. In the
plane both axes are given a share of the limits, v cos(alpha), a cos(alpha) and v sin(alpha), a sin(alpha), and alpha is
sought so that both take the same time: then neither |velocity| nor |acceleration| exceeds its limit. From rest that is
the straight line in the least time. Who starts faster than a share allows first brakes that part alone, with all of a.
Axes are those of the field, so the rest of a motion is again the motion from there; mirrors and quarter turns hold.

A motion is a table of pieces (n, WIDTH) of constant acceleration, at most PIECES of them, in the columns below.

d        distance along one axis
u0, u1   speeds along one axis at start and end
p        peak speed, signed
v, a     limits of speed and acceleration
z        sin(alpha) - cos(alpha), from -1 (all for x) to 1 (all for y); both follow from it without trigonometry
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, norm

Floats = NDArray[np.float64]

FROM, X, Y, VX, VY, AX, AY, UNTIL = 0, 1, 2, 3, 4, 5, 6, 7  # columns of a piece: times [s], state at its begin
WIDTH = 9  # columns; the last one, ROOT, is for the waypoints: the root of how far a piece bulges off its chord
ROOT = 8
NEVER = 1e30  # [s]
PIECES = 7  # a first braking, and six until the axes change their acceleration for the last time
_MOST = 1.0 - 2e-4  # an axis that needs next to nothing gets 2e-4 of the limits; that costs the other one 2e-8 of them
_FIRST = 0.99  # the first share that is tried is no more one-sided than that
_SAME = 1e-4  # [s] chosen: the axis that comes to rest by so much before the other waits for it
_TOGETHER = 1e-7  # [s] the same for axes that arrive with a speed: that is how far off they are, times the speed
_ROUNDS = 40  # of the search for the share; about 8 are used
_NEAR = 1e-9  # [m] a direct ramp that ends so near ends there
_SOME = 0.001  # [s] chosen: a first braking that takes longer is a reason to look for another share
_LONG = 0.05  # [s] chosen: one that takes longer than this, to look for it everywhere
_SCAN = 16  # chosen: shares that are looked at then, the same for both axes
_SHORT = 1e-12  # [s] pieces shorter than this are left out


@kernel
def ramps(d: float, u0: float, u1: float, v: float, a: float) -> tuple[float, float, float, float]:
    """Return the peak speed, and the times of the ramp to it, of the cruise, and of the ramp to u1."""
    if d == 0.0 and u0 == 0.0 and u1 == 0.0:
        return 0.0, 0.0, 0.0, 0.0
    u1 = clamp(u1, -v, v)
    i = 1.0 / a
    direct = 0.5 * (u0 + u1) * abs(u1 - u0) * i
    if abs(d - direct) <= _NEAR and abs(u0) <= v:
        return u1, abs(u1 - u0) * i, 0.0, 0.0
    side = 1.0 if d > direct else -1.0
    p = side * min(v, math.sqrt(max(side * a * d + 0.5 * (u0 * u0 + u1 * u1), 0.0)))
    t1, t3 = abs(p - u0) * i, abs(u1 - p) * i
    if abs(p) < v:
        return p, t1, 0.0, t3
    left = d - 0.5 * (u0 + p) * t1 - 0.5 * (p + u1) * t3
    return p, t1, max(left / p, 0.0), t3


@kernel
def axis_time(d: float, u0: float, u1: float, v: float, a: float) -> float:
    """Return the least time along one axis."""
    _, t1, t2, t3 = ramps(d, u0, u1, v, a)
    return t1 + t2 + t3


@kernel
def shares(z: float) -> tuple[float, float]:
    """Return cos(alpha) and sin(alpha)."""
    w = math.sqrt(2.0 - z * z)
    return 0.5 * (w - z), 0.5 * (w + z)


@kernel
def slowing(vx: float, vy: float, v: float, a: float, z: float) -> tuple[float, float, float]:
    """Return the velocity that both shares allow, nearest to the given one, and the time it takes to get there."""
    c, s = shares(z)
    wx, wy = clamp(vx, -v * c, v * c), clamp(vy, -v * s, v * s)
    return wx, wy, norm(vx - wx, vy - wy) / a


@kernel
def _both_times(
    dx: float, dy: float, vx: float, vy: float, ex: float, ey: float, v: float, a: float, z: float
) -> tuple[float, float]:
    """Return how long either axis takes with its share, after the first slowing."""
    c, s = shares(z)
    wx, wy, t = slowing(vx, vy, v, a, z)
    tx = axis_time(dx - 0.5 * (vx + wx) * t, wx, ex, v * c, a * c)
    return tx, axis_time(dy - 0.5 * (vy + wy) * t, wy, ey, v * s, a * s)


@kernel
def split(dx: float, dy: float, vx: float, vy: float, ex: float, ey: float, v: float, a: float) -> tuple[float, bool]:
    """Return the share z with which both axes take the same time, and whether there is one.

    Regula falsi (Illinois) on (tx - ty) / (tx + ty), which grows with z. An axis that needs next to nothing waits for
    the other, if it ends at rest; with a speed at the end (ex, ey) the times jump: there may be no such share.
    """
    if dy == 0.0 and vy == 0.0 and ey == 0.0:
        return -1.0, True
    if dx == 0.0 and vx == 0.0 and ex == 0.0:
        return 1.0, True
    low, high, g_low, g_high = -_MOST, _MOST, -1.0, 1.0
    far = norm(dx, dy)
    z = clamp((abs(dy) - abs(dx)) / far if far > 0.0 else 0.0, -_FIRST, _FIRST)
    last, same = 0, _SAME if ex == 0.0 and ey == 0.0 else _TOGETHER
    for _ in range(_ROUNDS):
        tx, ty = _both_times(dx, dy, vx, vy, ex, ey, v, a, z)
        if abs(tx - ty) <= same:
            return z, True
        g = (tx - ty) / (tx + ty)
        if g < 0.0:
            low, g_low = z, g
            g_high = 0.5 * g_high if last < 0 else g_high
            last = -1
        else:
            high, g_high = z, g
            g_low = 0.5 * g_low if last > 0 else g_low
            last = 1
        z = (low * g_high - high * g_low) / (g_high - g_low)
    tx, ty = _both_times(dx, dy, vx, vy, ex, ey, v, a, z)
    return z, ex == 0.0 if tx < ty else ey == 0.0


@kernel
def _faster(dx: float, dy: float, vx: float, vy: float, v: float, a: float, z: float, scan: int) -> float:
    """Return the share with which slowing and the slower axis take the least time: z, of a coarse scan, or at a bend.

    The bends are where an axis begins to need no slowing.
    """
    best, least = z, NEVER
    rx, ry = min(abs(vx) / v, 1.0), min(abs(vy) / v, 1.0)
    for i in range(-3, scan):
        r = z
        if i == -2:
            r = clamp(math.sqrt(1.0 - rx * rx) - rx, -_MOST, _MOST)
        elif i == -1:
            r = clamp(ry - math.sqrt(1.0 - ry * ry), -_MOST, _MOST)
        elif i >= 0:
            r = (2.0 * i + 1.0) / scan - 1.0
            r *= 1.5 - 0.5 * r * r  # denser at both ends
        tx, ty = _both_times(dx, dy, vx, vy, 0.0, 0.0, v, a, r)
        _, _, t = slowing(vx, vy, v, a, r)
        if t + max(tx, ty) < least:
            best, least = r, t + max(tx, ty)
    return best


@kernel
def motion(
    rows: Floats, n: int, t: float, x: float, y: float, vx: float, vy: float,
    to_x: float, to_y: float, ex: float, ey: float, v: float, a: float,
) -> int:  # fmt: skip
    """Append the motion from a state at time t to a place and an end velocity; return the number of pieces, then.

    An end velocity above an axis' share is lowered to it; axes that cannot arrive together so end at rest, one or both.
    """
    z, together = split(to_x - x, to_y - y, vx, vy, ex, ey, v, a)
    if not together:
        ex, ey = (ex, 0.0) if abs(ex) > abs(ey) else (0.0, ey)
        z, together = split(to_x - x, to_y - y, vx, vy, ex, ey, v, a)
    if not together:
        ex, ey = 0.0, 0.0
        z, together = split(to_x - x, to_y - y, vx, vy, ex, ey, v, a)
    wx, wy, first = slowing(vx, vy, v, a, z)
    if first > _SOME and ex == 0.0 and ey == 0.0:
        z = _faster(to_x - x, to_y - y, vx, vy, v, a, z, _SCAN if first > _LONG else 0)
        wx, wy, first = slowing(vx, vy, v, a, z)
    c, s = shares(z)
    if first > _SHORT:
        n = _append(rows, n, t, t + first, x, y, vx, vy, (wx - vx) / first, (wy - vy) / first)
        x, y, t = x + 0.5 * (vx + wx) * first, y + 0.5 * (vy + wy) * first, t + first
    px, x1, x2, x3 = ramps(to_x - x, wx, ex, v * c, a * c)
    py, y1, y2, y3 = ramps(to_y - y, wy, ey, v * s, a * s)
    ax, bx = math.copysign(a * c, px - wx), math.copysign(a * c, ex - px)
    ay, by = math.copysign(a * s, py - wy), math.copysign(a * s, ey - py)
    x2, y2 = x1 + x2, y1 + y2
    x3, y3 = x2 + x3, y2 + y3
    done, end = 0.0, max(x3, y3)
    while done < end - _SHORT:
        until = min(_next(done, end, x1, x2, x3), _next(done, end, y1, y2, y3))
        mid = 0.5 * (done + until)
        gx, gy = _during(mid, x1, x2, x3, ax, bx), _during(mid, y1, y2, y3, ay, by)
        n = _append(rows, n, t + done, t + until, x, y, wx, wy, gx, gy)
        h = until - done
        x, y, wx, wy = x + h * (wx + 0.5 * h * gx), y + h * (wy + 0.5 * h * gy), wx + h * gx, wy + h * gy
        done = until
    return n


@kernel
def brake(rows: Floats, n: int, t: float, x: float, y: float, vx: float, vy: float, a: float) -> int:
    """Append the straight way to a stop; return the number of pieces, then."""
    speed = norm(vx, vy)
    if speed <= a * _SHORT:
        return n
    return _append(rows, n, t, t + speed / a, x, y, vx, vy, -a * vx / speed, -a * vy / speed)


@kernel
def wait(rows: Floats, n: int, t: float, until: float, x: float, y: float) -> int:
    """Append standing still; return the number of pieces, then."""
    return _append(rows, n, t, until, x, y, 0.0, 0.0, 0.0, 0.0) if until > t + _SHORT else n


@kernel
def state(rows: Floats, n: int, t: float) -> tuple[float, float, float, float]:
    """Return place and velocity at a time; before and after the n > 0 pieces, those at the begin and at the end."""
    i = n - 1
    while i > 0 and t < rows[i, FROM]:
        i -= 1
    h = clamp(t, rows[i, FROM], rows[i, UNTIL]) - rows[i, FROM]
    vx, vy, ax, ay = rows[i, VX], rows[i, VY], rows[i, AX], rows[i, AY]
    return (
        rows[i, X] + h * (vx + 0.5 * h * ax), rows[i, Y] + h * (vy + 0.5 * h * ay), vx + h * ax, vy + h * ay,
    )  # fmt: skip


@kernel
def cut(rows: Floats, n: int, t: float) -> int:
    """Let the motion end at a time; return how many of its n pieces are left."""
    while n > 0 and rows[n - 1, FROM] >= t:
        n -= 1
    if n > 0:
        rows[n - 1, UNTIL] = min(rows[n - 1, UNTIL], t)
    return n


@kernel
def _append(
    rows: Floats, n: int, t: float, until: float, x: float, y: float, vx: float, vy: float, ax: float, ay: float
) -> int:
    if n >= rows.shape[0]:
        return n
    rows[n, FROM], rows[n, X], rows[n, Y], rows[n, VX] = t, x, y, vx
    rows[n, VY], rows[n, AX], rows[n, AY], rows[n, UNTIL], rows[n, ROOT] = vy, ax, ay, until, 0.0
    return n + 1


@kernel
def _next(t: float, end: float, t1: float, t2: float, t3: float) -> float:
    """Return the first of three rising times after t; the end if there is none."""
    for at in (t1, t2, t3):
        if at > t + _SHORT:
            return at
    return end


@kernel
def _during(t: float, t1: float, t2: float, t3: float, a: float, b: float) -> float:
    """Return the acceleration along one axis at t."""
    if t < t1:
        return a
    return b if t2 < t < t3 else 0.0
