"""The ball against a robot's outline [Klancar, sec. 4.3]: not sampled, but exact, by the features of the outline.

A feature is an edge, an arc or a corner (an arc of radius 0). The nearest point of the outline lies on a feature that
"faces" the ball: the ball's centre p is between the lines that stand upright on the feature's two ends. Neighbours
share those lines to the last bit, so that no p is lost between them. A table addressed by the angle of p says which
features can be nearest there, or touch there as well; it stands in the place of the paper's r(phi) and tangent(phi).

rim   (1 + f, 10)  row 0: the squares of the distances between which ``bins`` hold; then a feature a row:
                   KIND; T0X, T0Y, S0: p faces it where p t0 >= s0; T1X, T1Y, S1: and p t1 <= s1;
                   an edge: its outward normal CX, CY and distance R; an arc: centre CX, CY and radius R
bins  (k + 1, m)   rows of ``rim`` that count at an angle, 0 behind the last; the last bin names all features
t0, t1             directions in which the outline passes a feature's two ends
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Bins = NDArray[np.int32]

KIND, T0X, T0Y, S0, T1X, T1Y, S1, CX, CY, R = range(10)
EDGE, ROUND, HOLLOW = 0.0, 1.0, 2.0  # HOLLOW: bulges inwards, or a corner that does
NO_GAP = 1e9  # [m] there is no such contact
TINY = 1e-15  # [m] a shorter way has no direction
SAME = 1e-4  # [rad] contacts whose normals are closer than this are one


@kernel
def bin_of(x: float, y: float, count: int) -> int:
    """Return which of ``count`` bins the direction (x, y) belongs to: four times as many a turn as in a quadrant."""
    size = abs(x) + abs(y)
    if size == 0.0:
        return 0
    turn = 1.0 - x / size if y >= 0.0 else 3.0 + x / size  # quarters of a turn, not evenly, but rising
    k = int(turn * (0.25 * count))
    return k if k < count else count - 1


@kernel
def feature_gap(px: float, py: float, rim: Floats, f: int) -> tuple[float, float, float]:
    """Return signed distance from a feature to p and outward normal; NO_GAP where it does not face p."""
    if px * rim[f, T0X] + py * rim[f, T0Y] < rim[f, S0] or px * rim[f, T1X] + py * rim[f, T1Y] > rim[f, S1]:
        return NO_GAP, 1.0, 0.0
    if rim[f, KIND] == EDGE:
        return px * rim[f, CX] + py * rim[f, CY] - rim[f, R], rim[f, CX], rim[f, CY]
    dx, dy = px - rim[f, CX], py - rim[f, CY]
    d = math.sqrt(dx * dx + dy * dy)
    if d <= TINY:  # at the centre: out between the two ends
        dx, dy = rim[f, T0Y] + rim[f, T1Y], -rim[f, T0X] - rim[f, T1X]
        m = math.sqrt(dx * dx + dy * dy)
        if m < SAME:  # of half a circle
            dx, dy, m = rim[f, T0X], rim[f, T0Y], 1.0
        return (-rim[f, R] if rim[f, KIND] == ROUND else rim[f, R]), dx / m, dy / m
    m = 1.0 / d
    if rim[f, KIND] == ROUND:
        return d - rim[f, R], dx * m, dy * m
    return rim[f, R] - d, -dx * m, -dy * m


@kernel
def ball_gap(
    bx: float, by: float, r: float, rim: Floats, bins: Bins
) -> tuple[float, float, float, float, float, float]:
    """Return gap and outward normal from the outline to a ball at (bx, by) in the body frame, then those of a second
    feature that the ball meets at the same time, as between the lips of a notch; its gap is NO_GAP where there is none.
    """
    best, nx, ny = NO_GAP, 1.0, 0.0
    d2, nx2, ny2 = NO_GAP, 1.0, 0.0
    k = bins.shape[0] - 1
    if rim[0, 0] <= bx * bx + by * by <= rim[0, 1]:  # not so for NaN
        k = bin_of(bx, by, k)
    for i in range(bins.shape[1]):
        f = bins[k, i]
        if f == 0:
            break
        d, ux, uy = feature_gap(bx, by, rim, f)
        if abs(d) < abs(best):
            d, ux, uy, best, nx, ny = best, nx, ny, d, ux, uy
        if 0.0 < d < d2:
            d2, nx2, ny2 = d, ux, uy
    if best <= 0.0 or d2 == NO_GAP or (abs(nx * ny2 - ny * nx2) < SAME and nx * nx2 + ny * ny2 > 0.0):
        return best - r, nx, ny, NO_GAP, 1.0, 0.0
    return best - r, nx, ny, d2 - r, nx2, ny2
