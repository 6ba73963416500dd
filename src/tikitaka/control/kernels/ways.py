"""A path of waypoints: what lies ahead on it, and how fast it may be driven.

xy     (k, 2) waypoints, n of them used; the first one is where the robot is
phi    angle between two legs
a      acceleration along the path
turns  acceleration of turning [rad/s^2]; infinite for who need not turn to a path
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.control.kernels.closing import BRAKES, closing_speed
from tikitaka.control.kernels.table import ACCELERATION, BEGIN, CALM, GRIP, TURN_RATE
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import dot, norm

Floats = NDArray[np.float64]

CUT = 0.006  # [m] chosen: corners are missed by no more than this
ACROSS = 0.6  # chosen: share of the grip that corners are planned with
STRAIGHT = 1e-9  # 1 - cos(phi) below which there is no corner
RAMPS = 2.6  # chosen: a turn by phi takes RAMPS sqrt(phi / acceleration); 2 at best, the rest is for the ticks


@kernel
def ahead_on(xy: Floats, n: int, x: float, y: float, ahead: float) -> tuple[float, float]:
    """Return the way from (x, y) to the point of a path that lies so far ahead, or to its end."""
    for k in range(1, n):
        dx, dy = xy[k, 0] - xy[k - 1, 0], xy[k, 1] - xy[k - 1, 1]
        d = norm(dx, dy)
        if ahead < d:
            return xy[k - 1, 0] + dx * ahead / d - x, xy[k - 1, 1] + dy * ahead / d - y
        ahead -= d
    return xy[n - 1, 0] - x, xy[n - 1, 1] - y


@kernel
def length(xy: Floats, n: int) -> float:
    """Return how long a path is."""
    total = 0.0
    for k in range(1, n):
        total += norm(xy[k, 0] - xy[k - 1, 0], xy[k, 1] - xy[k - 1, 1])
    return total


@kernel
def corner(d: float, e: float, cos: float, turns: float, limits: Floats) -> tuple[float, float]:
    """Return how fast a corner between legs of lengths d and e is taken, and how long before it that must be so.

    The robot rounds it on a circle that touches both legs, within the shorter one's half and CUT off the corner. One
    that has to turn also needs the time for that: a turn that takes t passes the corner v t phi / 8 off.
    """
    half = math.sqrt((1.0 - cos) / max(1.0 + cos, STRAIGHT))  # tan(phi / 2)
    sec = math.sqrt(1.0 + half * half)
    radius = min(0.5 * min(d, e) / half, CUT / (sec - 1.0))
    across = ACROSS * min(limits[GRIP], limits[ACCELERATION])
    speed = math.sqrt(across * radius)
    if math.isfinite(turns):
        phi = 2.0 * math.atan(half)
        time = RAMPS * math.sqrt(phi / turns)
        speed = min(speed, limits[TURN_RATE] * radius, 8.0 * CUT / (phi * time))
    return speed, radius * half


@kernel
def look(xy: Floats, n: int, least: float, turns: float, limits: Floats) -> float:
    """Return how far ahead to aim, at least: as far as the next corner's round is long, if the robot has to turn."""
    if n < 3:
        return least
    dx, dy = xy[1, 0] - xy[0, 0], xy[1, 1] - xy[0, 1]
    ex, ey = xy[2, 0] - xy[1, 0], xy[2, 1] - xy[1, 1]
    d, e = norm(dx, dy), norm(ex, ey)
    cos = dot(dx, dy, ex, ey) / (d * e) if d * e > 0.0 else 1.0
    if cos >= 1.0 - STRAIGHT:
        return least
    _, before = corner(np.inf, e, cos, turns, limits)
    before *= 2.0 if math.isfinite(turns) else 1.0
    return max(least, before) if d <= before else least


@kernel
def corner_speed(xy: Floats, n: int, u: float, a: float, turns: float, limits: Floats, dt: float) -> float:
    """Return the largest speed at the end of this tick from which all corners can be taken as they must."""
    b, left, speed = BRAKES * a, 0.0, np.inf
    for k in range(1, n - 1):
        dx, dy = xy[k, 0] - xy[k - 1, 0], xy[k, 1] - xy[k - 1, 1]
        ex, ey = xy[k + 1, 0] - xy[k, 0], xy[k + 1, 1] - xy[k, 1]
        d, e = norm(dx, dy), norm(ex, ey)
        left += d
        cos = dot(dx, dy, ex, ey) / (d * e) if d * e > 0.0 else 1.0
        if cos < 1.0 - STRAIGHT:
            slow, before = corner(d if k > 1 else np.inf, e, cos, turns, limits)
            speed = min(speed, closing_speed(max(left - before, 0.0), u, slow, b, limits[BEGIN], dt, limits[CALM]))
    return float(speed)


@kernel
def path_speed(
    xy: Floats, n: int, u: float, end_speed: float, a: float, turns: float, limits: Floats, dt: float
) -> float:
    """Return the largest speed at the end of this tick from which all corners and the end can be taken as they must."""
    end = closing_speed(length(xy, n), u, end_speed, BRAKES * a, limits[BEGIN], dt, limits[CALM])
    return min(corner_speed(xy, n, u, a, turns, limits, dt), end)
