"""A robot's outline as the tables that the kernels read: the rim that the ball meets, the hull that the rest meets."""

import math
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from tikitaka.errors import OutlineError
from tikitaka.sim.kernels import rims
from tikitaka.types import Floats, Outline
from tikitaka.types.outline import Piece

BINS = 64  # of the angle; a multiple of 4
SECOND_REACH = 0.05  # [m] a second contact is looked for up to this gap: a ball at 10 m/s goes so far in 5 ms
CORE = 0.8  # of the way from the centre to the outline a ball's centre is so deep inside that all features count
SMOOTH = 1e-7  # [rad] pieces that meet at a smaller angle have no corner between them
_ANGLES, _RADII = 8, 100  # cells of a bin when it is filled

Bins = NDArray[np.int32]
Vector = tuple[float, float]
Joint = tuple[Vector, Vector, Vector]  # point, directions before and after


@cache
def rim_arrays(outline: Outline, ball_radius: float) -> tuple[Floats, Bins]:
    """Return ``rim`` and ``bins`` of an outline for `rims.ball_gap`; they fit balls up to this radius."""
    pieces = outline.pieces
    joints = [_joint(a, b) for a, b in pairwise((pieces[-1], *pieces, pieces[0]))]
    rows = [
        row for piece, (start, end) in zip(pieces, pairwise(joints), strict=True) for row in _rows(piece, start, end)
    ]
    reach = outline.radius + ball_radius + SECOND_REACH
    core = CORE * min(_least(piece) for piece in pieces)
    rim = np.array([(core * core, reach * reach, *([0.0] * 8)), *rows])
    return rim, _bins(rim, core, reach, ball_radius + SECOND_REACH)


def rim_table(outline: Outline, ball_radius: float, k: int) -> tuple[Floats, Floats, Floats]:
    """Return k angles phi, r(phi) and tangent(phi), the paper's look-up tables [Klancar, sec. 4.3, Fig. 8].

    They are for people and tests; the physics has the exact rim.
    """
    phi = -math.pi + 2.0 * math.pi * np.arange(k) / k
    return phi, *rim_at(outline, ball_radius, phi)


def rim_at(outline: Outline, ball_radius: float, phi: Floats) -> tuple[Floats, Floats]:
    """Return where the ball's centre lies when it touches, r(phi), and in which direction the rim goes on there."""
    rim, bins = rim_arrays(outline, ball_radius)
    rows = [_on_rim(angle, ball_radius, rim, bins) for angle in phi.tolist()]
    return np.array([r for r, _ in rows]), np.array([tangent for _, tangent in rows])


def rim_distance(outline: Outline, ball_radius: float, phi: float) -> float:
    """Return how far from the robot's centre a ball lies that touches the robot at this angle."""
    return float(rim_at(outline, ball_radius, np.array([phi]))[0][0])


def _joint(before: Piece, after: Piece) -> Joint:
    """Return where two pieces meet, and the directions before and after; they are equal where there is no corner."""
    (ux, uy), (vx, vy) = before.tangents[1], after.tangents[0]
    if abs(ux * vy - uy * vx) < SMOOTH and ux * vx + uy * vy > 0.0:
        ux, uy = vx, vy = (ux, uy) if before.r == 0.0 else (vx, vy)
    return (after.ax, after.ay), (ux, uy), (vx, vy)


def _rows(piece: Piece, start: Joint, end: Joint) -> list[tuple[float, ...]]:
    """Return the features of a piece: itself, and the corner at its end where there is one."""
    (ax, ay), _, t0 = start
    (bx, by), t1, t2 = end
    s0, s1, s2 = t0[0] * ax + t0[1] * ay, t1[0] * bx + t1[1] * by, t2[0] * bx + t2[1] * by
    span = (*t0, s0, *t1, s1)
    if piece.r == 0.0:
        ny, nx = -piece.tangents[0][0], piece.tangents[0][1]
        rows: list[tuple[float, ...]] = [(rims.EDGE, *span, nx, ny, nx * ax + ny * ay)]
    else:
        kind = rims.ROUND if piece.r > 0.0 else rims.HOLLOW
        rows = [(kind, *span, piece.cx, piece.cy, abs(piece.r))]
    if t1 != t2:
        kind = rims.ROUND if t1[0] * t2[1] - t1[1] * t2[0] > 0.0 else rims.HOLLOW
        rows.append((kind, *t1, s1, *t2, s2, bx, by, 0.0))
    return rows


def _least(p: Piece) -> float:
    """Return the distance of a piece from the centre, or less."""
    if p.r != 0.0:
        return abs(abs(p.r) - math.hypot(p.cx, p.cy))
    along = p.tangents[0]
    return abs(p.ax * along[1] - p.ay * along[0])


def _bins(rim: Floats, core: float, reach: float, near: float) -> Bins:
    """Return for every bin the features that can be nearest in it, or a second contact; and all, in the last.

    The bin is cut into small cells. Distances change by at most h from the middle q of a cell to its rim, so what is
    farther from q than the nearest feature by more than 2 h is nearest nowhere in the cell.
    """
    edges = np.array([_direction(4.0 * i / (BINS * _ANGLES)) for i in range(BINS * _ANGLES + 1)])
    edges[-1] += 2.0 * math.pi
    angle, half = 0.5 * (edges[1:] + edges[:-1]), 0.5 * np.diff(edges)
    step = (reach - core) / _RADII
    rho = core + step * (np.arange(_RADII) + 0.5)
    x, y = np.multiply.outer(np.cos(angle), rho), np.multiply.outer(np.sin(angle), rho)
    h = 0.5 * step + np.multiply.outer(half, rho + 0.5 * step) + 1e-9
    distance, inside = _distances(rim[1:], x, y)
    nearest = np.where(inside >= 0.0, np.abs(distance), np.inf).min(axis=0)
    first = np.abs(distance) <= nearest + 2.0 * h
    second = (distance >= -h) & (distance <= near + h)
    kept = ((inside >= -h) & (first | second)).reshape(len(rim) - 1, BINS, -1).any(axis=2)
    lists = [*(np.flatnonzero(column) + 1 for column in kept.T), np.arange(1, len(rim))]
    bins = np.zeros((BINS + 1, len(rim)), np.int32)  # a 0 behind the longest
    for row, found in zip(bins, lists, strict=True):
        row[: len(found)] = found
    return bins


def _direction(turn: float) -> float:
    """Return the angle where `rims.bin_of` counts so many quarters of a turn."""
    x = 1.0 - turn if turn <= 2.0 else turn - 3.0
    return math.atan2(math.copysign(1.0 - abs(x), 2.0 - turn), x) % (2.0 * math.pi)


def _distances(rows: Floats, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return signed distances of points from all features, and how far inside the features' own stripes they lie."""
    columns = [c[:, None, None] for c in rows.T]
    kind, t0x, t0y, s0, t1x, t1y, s1, cx, cy, r = columns
    inside = np.minimum(x * t0x + y * t0y - s0, s1 - x * t1x - y * t1y)
    out = np.sqrt((x - cx) ** 2 + (y - cy) ** 2) - r
    return np.where(kind == rims.EDGE, x * cx + y * cy - r, np.where(kind == rims.ROUND, out, -out)), inside


def _on_rim(phi: float, ball_radius: float, rim: Floats, bins: Bins) -> tuple[float, float]:
    """Return r and tangent of the rim at an angle."""
    c, s = math.cos(phi), math.sin(phi)
    found = []
    for row in rim[1:].tolist():
        for rho in _crossings(c, s, row, ball_radius):
            gap, nx, ny, *_ = rims.ball_gap(rho * c, rho * s, ball_radius, rim, bins)
            found.append((abs(gap), rho, math.atan2(nx, -ny)))
    gap, rho, tangent = min(found)
    if gap > 1e-9:
        raise OutlineError(f"outline has no rim at {phi:g} rad; the nearest is {gap:g} m away")
    return rho, tangent


def _crossings(c: float, s: float, row: list[float], r: float) -> list[float]:
    """Return where the ray (c, s) crosses the line or circle on which a ball touches a feature."""
    kind, size = row[rims.KIND], row[rims.R]
    along = c * row[rims.CX] + s * row[rims.CY]
    if kind == rims.EDGE:
        return [(size + r) / along] if along > 0.0 else []
    size += r if kind == rims.ROUND else -r
    left = size * size - row[rims.CX] ** 2 - row[rims.CY] ** 2 + along * along
    if left < 0.0 or size < 0.0:
        return []
    return [along + math.sqrt(left) if kind == rims.ROUND else along - math.sqrt(left)]
