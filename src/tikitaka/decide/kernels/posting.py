"""Places for those who do not play the ball: before our goal, behind the play, beside their attackers.

posts   (m, 3)  x, y, and the weight of being there in time
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.obeying import inside, off_area
from tikitaka.decide.kernels.obeying import off_ball as off_ball_by
from tikitaka.decide.kernels.table import AREA_X, AREA_Y, BARRED, CAREFUL, GAP, HALF_X, HALF_Y, HULL
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, norm, unit

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

APART = 3.3  # hulls between the centres of two in a wall
CLOSEST, WIDEST = 2.3, 4.2  # chosen: the same in careful teams, at the least and at the most
OUT = 0.35  # chosen: of the way from the goal to the ball, where areas are open
ROOM = 2.8  # hulls between the centres of any two
ASIDE = 8  # directions in which room is looked for
CLEAR = 4.0  # hulls that the others leave to the ball
FREE = 4.0  # chosen: hulls that a defender leaves to the ball before our goal and to who plays it
SHOULDER = 2.35  # chosen: hulls between the centres of two in a wall at a free kick: no ball passes between
CLOSE = 0.3  # chosen: hulls more than the distance that the rules ask for
WINGS, OUTER = 0.3, 1.5  # chosen: of half the pitch, of half the goal
WAITS = 5.0  # chosen: hulls before their area, a run at the ball
KEEPS_UP = 0.15  # chosen: share of the ball's distance to their goal line, and of its y, by which that place moves
SLIDES = 24  # half hulls along the rim, at the most


@kernel
def rim(s: float, deep: float, wide: float, p: Floats) -> tuple[float, float]:
    """Return the point at the length s along a rectangle around our goal; s = 0 is the middle of its front."""
    over = max(0.0, abs(s) - wide)
    return max(deep - over, p[HULL]) - p[HALF_X], clamp(s, -wide, wide)


@kernel
def apart(of: int, bx: float, by: float, deep: float, wide: float, p: Floats) -> float:
    """Return the room between so many in a wall: in careful teams from post to post, as seen from the ball."""
    if p[CAREFUL] <= 0.0 or of < 2:
        return float(APART * p[HULL])
    ux, uy = unit(bx + p[HALF_X], by)
    far, off = norm(bx + p[HALF_X], by), min(deep / max(ux, 0.1), wide / max(abs(uy), 0.1))
    seen = 2.0 * p[GAP] * max(ux, 0.3) * max(0.0, 1.0 - off / max(far, 0.1))
    return clamp((seen - 2.0 * p[HULL]) / (of - 1), CLOSEST * p[HULL], WIDEST * p[HULL])


@kernel
def shadow(k: int, of: int, bx: float, by: float, p: Floats) -> tuple[float, float]:
    """Return the k-th of so many places side by side around our area, between the ball and our goal."""
    gx = -p[HALF_X]
    ux, uy = unit(bx - gx, by)
    if ux < 0.1:
        ux, uy = unit(0.1, uy)
    deep, wide = p[AREA_X] + 1.3 * p[HULL] + 0.02, p[AREA_Y] + 1.3 * p[HULL] + 0.02
    front = deep * abs(uy) <= wide * ux
    if of == 1 and p[BARRED] <= 0.0:
        far = max(min(deep / ux, wide / max(abs(uy), 1e-6)), OUT * norm(bx - gx, by))
        return gx + far * ux, far * uy
    s = deep * uy / ux if front else math.copysign(wide + deep - wide * ux / abs(uy), uy)
    gap, most = apart(of, bx, by, deep, wide, p), wide + deep - p[HULL]
    s = clamp(s, 0.5 * (of - 1) * gap - most, most - 0.5 * (of - 1) * gap)
    return rim(s + (k - 0.5 * (of - 1)) * gap, deep, wide, p)


@kernel
def far_side(x: float, y: float, bx: float, by: float, px: float, py: float, p: Floats) -> tuple[float, float]:
    """Return the place moved along our area's rim, away from a mate at p who plays a ball near our goal."""
    if norm(x - bx, y - by) >= FREE * p[HULL] and norm(x - px, y - py) >= FREE * p[HULL]:
        return x, y
    deep, wide = p[AREA_X] + 1.3 * p[HULL] + 0.02, p[AREA_Y] + 1.3 * p[HULL] + 0.02
    side = math.copysign(1.0, by if abs(by) > p[HULL] else py)
    s = side * min(abs(y), wide)
    for _ in range(SLIDES):
        x, y = rim(s, deep, wide, p)
        if norm(x - bx, y - by) >= FREE * p[HULL] and norm(x - px, y - py) >= FREE * p[HULL]:
            break
        s -= side * 0.5 * p[HULL]
    return x, y


@kernel
def wing(k: int, of: int, bx: float, by: float, wide: float, back: float, p: Floats) -> tuple[float, float]:
    """Return the k-th of so many places in a row behind the ball, spread over the width of the pitch."""
    row, slot = k // 4, k % 4
    width = min(4, of - 4 * row)
    low = p[AREA_X] - p[HALF_X] + 2.0 * p[HULL]
    x = max(clamp(bx, -p[HALF_X], 0.85 * p[HALF_X]) - (back + 0.2 * row) * p[HALF_X], low)
    y = wide * p[HALF_Y] * ((slot + 0.5) / width - 0.5)
    return x, y + 0.2 * by


@kernel
def free_kick_wall(k: int, of: int, bx: float, by: float, p: Floats) -> tuple[float, float]:
    """Return the k-th of so many places side by side between a ball that is theirs to play and our goal."""
    ux, uy = unit(-p[HALF_X] - bx, -by)
    far, aside = off_ball_by(p) + CLOSE * p[HULL], (k - 0.5 * (of - 1)) * SHOULDER * p[HULL]
    return bx + far * ux - aside * uy, by + far * uy + aside * ux


@kernel
def on_wing(bx: float, by: float, p: Floats) -> bool:
    """Say whether a ball is where it is rather passed before their goal than shot at it."""
    return bool(bx > WINGS * p[HALF_X] and abs(by) > OUTER * p[GAP])


@kernel
def waits(bx: float, by: float, p: Floats) -> tuple[float, float]:
    """Return the place before their goal where a pass from b on the wing is waited for: it would score [Austro]."""
    back = WAITS * p[HULL] + KEEPS_UP * (p[HALF_X] - bx)
    return p[HALF_X] - p[AREA_X] - back, -math.copysign(0.5 * p[GAP], by) + KEEPS_UP * by


@kernel
def cover(bx: float, by: float, p: Floats) -> tuple[float, float]:
    """Return the place behind whoever fights for the ball: between it and our goal."""
    ux, uy = unit(-p[HALF_X] - bx, -by)
    back = 7.0 * p[HULL]
    return bx + back * ux, by + back * uy


@kernel
def threat(j: int, theirs: Floats, bx: float, by: float, p: Floats) -> float:
    """Return how dangerous an opponent is without the ball: near our goal, in the open; the ball's own is none."""
    x, y = theirs[j, 0], theirs[j, 1]
    if norm(x - bx, y - by) < 4.0 * p[HULL]:
        return -1.0
    return float(2.0 * p[HALF_X] - norm(x + p[HALF_X], y))


@kernel
def marker(theirs: Floats, bx: float, by: float, used: Flags, p: Floats) -> tuple[float, float, bool]:
    """Return the place beside the most dangerous free opponent, on our goal's side, and whether there is one."""
    best, found = 0.6 * p[HALF_X], -1
    for j in range(theirs.shape[0]):
        t = threat(j, theirs, bx, by, p)
        if not used[j] and t > best:
            best, found = t, j
    if found < 0:
        return 0.0, 0.0, False
    used[found] = True
    x, y = theirs[found, 0], theirs[found, 1]
    ux, uy = unit(-p[HALF_X] - x, -y)
    wx, wy = unit(bx - x, by - y)
    vx, vy = unit(ux + wx, uy + wy)
    gap = 2.6 * p[HULL]
    return x + gap * vx, y + gap * vy, True


@kernel
def off_ball(x: float, y: float, bx: float, by: float, p: Floats) -> tuple[float, float]:
    """Return the place moved away from the ball and out of its way to their goal."""
    gx, gy = unit(p[HALF_X] - bx, -by)
    room = CLEAR * p[HULL]
    along, across = (x - bx) * gx + (y - by) * gy, gx * (y - by) - gy * (x - bx)
    if along < -room or abs(across) >= room:
        return x, y
    shift = math.copysign(room, across) - across
    return x - shift * gy, y + shift * gx


@kernel
def allowed(x: float, y: float, p: Floats) -> tuple[float, float]:
    """Return the nearest point where a field player may stand."""
    x, y = inside(x, y, p)
    if p[BARRED] > 0.0:
        x, y = off_area(x, y, -1.0, p)
        x, y = off_area(x, y, 1.0, p)
    return x, y


@kernel
def nearest(x: float, y: float, posts: Floats, k: int) -> float:
    """Return how far the nearest of the first k places is."""
    best = math.inf
    for j in range(k):
        best = min(best, norm(x - posts[j, 0], y - posts[j, 1]))
    return best


@kernel
def tidy(posts: Floats, m: int, room: float, p: Floats) -> None:
    """Put all places where a robot may stand; who is nearer than ``room`` to those before him goes a step aside."""
    least = (room - 1e-6) * p[HULL]
    for k in range(m):
        x, y = allowed(posts[k, 0], posts[k, 1], p)
        best, far = (x, y), nearest(x, y, posts, k)
        for turn in range(2 * ASIDE):
            if far >= least:
                break
            r, bearing = (1.0 + turn // ASIDE) * 1.1 * least, 2.0 * math.pi * turn / ASIDE
            cx, cy = allowed(x + r * math.cos(bearing), y + r * math.sin(bearing), p)
            away = nearest(cx, cy, posts, k)
            if away > far:
                best, far = (cx, cy), away
        posts[k, 0], posts[k, 1] = best
