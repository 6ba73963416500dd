"""A robot seen from above: a closed curve of straight edges and circular arcs around its centre.

It runs counter-clockwise, and every ray from the centre crosses it once: its distance r(phi) is a function.
Points are counted from 1 in messages, piece k leads from point k to the next one.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from tikitaka.errors import OutlineError

LEAST_EDGE = 1e-5  # [m] points nearer than this are one point
MOST_POINTS = 64  # chosen: a tick of a pile takes ten times as long with 100 points as with 24
MOST_RADIUS = 100.0  # [m] of an arc: a side of 10 cm bulges by 13 um then, and rounding of its centre is no matter
LEAST_SWEEP = 1e-12  # [m^2] twice the area that a piece must sweep about the centre
ROUNDING = 1e-12  # [m] an arc's centre this close to an axis lies on it


class Piece(NamedTuple):
    """An edge (r = 0) or an arc from a to b that bulges out (r > 0, its radius) or in (r < 0)."""

    ax: float
    ay: float
    bx: float
    by: float
    r: float
    cx: float  # centre of an arc
    cy: float

    @property
    def tangents(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Unit directions of travel at a and at b."""
        if self.r == 0.0:
            length = math.hypot(self.bx - self.ax, self.by - self.ay)
            along = ((self.bx - self.ax) / length, (self.by - self.ay) / length)
            return along, along
        start = ((self.cy - self.ay) / self.r, (self.ax - self.cx) / self.r)
        return start, ((self.cy - self.by) / self.r, (self.bx - self.cx) / self.r)

    def holds(self, x: float, y: float) -> bool:
        """Say whether the direction (x, y) from an arc's centre meets the arc."""
        s = math.copysign(1.0, self.r)
        after = (self.ax - self.cx) * y - (self.ay - self.cy) * x
        before = x * (self.by - self.cy) - y * (self.bx - self.cx)
        return s * after >= 0.0 and s * before >= 0.0

    def points(self, error: float) -> list[tuple[float, float]]:
        """Return points from a on, without b, whose polygon stays within ``error`` of the piece."""
        start = math.atan2(self.ay - self.cy, self.ax - self.cx)
        turn = math.copysign(_span(self), self.r) if self.r else 0.0
        steps = math.ceil(abs(turn) / (2.0 * math.acos(max(0.0, 1.0 - error / abs(self.r))))) if self.r else 1
        angles = [start + turn * i / steps for i in range(1, steps)]
        inner = [(self.cx + abs(self.r) * math.cos(a), self.cy + abs(self.r) * math.sin(a)) for a in angles]
        return [(self.ax, self.ay), *inner]


@dataclass(frozen=True, slots=True)
class Outline:
    """Corners (x, y, r), counter-clockwise; r is the radius of the arc to the next one, see `Piece`."""

    corners: tuple[tuple[float, float, float], ...]

    def __post_init__(self) -> None:
        found = problem(self.corners)
        if found:
            raise OutlineError(f"outline {found}")

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The edges and arcs in their order."""
        return _pieces(self.corners)

    @property
    def radius(self) -> float:
        """Radius of the smallest circle about the centre that holds all of it."""
        bulges = [math.hypot(p.cx, p.cy) + p.r for p in self.pieces if p.r > 0.0 and p.holds(p.cx, p.cy)]
        return max(*(math.hypot(x, y) for x, y, _ in self.corners), *bulges, 0.0)

    @property
    def front(self) -> float:
        """How far it reaches ahead, along x."""
        bulges = [p.cx + p.r for p in self.pieces if p.r > 0.0 and p.holds(1.0, 0.0)]
        return max(*(x for x, _, _ in self.corners), *bulges)

    def polygon(self, error: float = 1e-5) -> list[tuple[float, float]]:
        """Return a polygon that stays within ``error`` of the outline."""
        return [point for piece in self.pieces for point in piece.points(error)]

    @staticmethod
    def box(length: float, width: float, notch_depth: float = 0.0, notch_width: float = 0.0) -> "Outline":
        """Return a rectangle; its front may have a notch of this width at the lips, with flanks at 45 degrees."""
        hx, hy, lip, d = 0.5 * length, 0.5 * width, 0.5 * notch_width, notch_depth
        side = [(hx, lip), (hx - d, lip - d)] if d > 0.0 else []
        notch = [(x, -y) for x, y in side] + side[::-1]
        if len(notch) > 1 and lip - d < LEAST_EDGE:
            notch = [notch[0], (hx - d, 0.0), notch[-1]]
        points = [(hx, -hy), *notch, (hx, hy), (-hx, hy), (-hx, -hy)]
        return Outline(tuple((x, y, 0.0) for x, y in points))

    @staticmethod
    def disc(radius: float, mouth: float | None = None) -> "Outline":
        """Return a circle; its front may be cut flat at the distance ``mouth`` from the centre."""
        if mouth is None:
            return Outline(((radius, 0.0, radius), (-radius, 0.0, radius)))
        half = math.sqrt(max(0.0, radius * radius - mouth * mouth))
        return Outline(((mouth, -half, 0.0), (mouth, half, radius), (-radius, 0.0, radius)))

    @staticmethod
    def of(points: Sequence[Sequence[float]]) -> "Outline":
        """Return the outline of points [x, y] or [x, y, r]."""
        found = _malformed(points)
        if found:
            raise OutlineError(f"outline {found}")
        return Outline(_corners(points))


def problem(points: Sequence[Sequence[float]]) -> str | None:
    """Return why there is no such outline: point, reason and value; None where there is one."""
    return _malformed(points) or next(_impossible(_corners(points)), None)


def _corners(points: Sequence[Sequence[float]]) -> tuple[tuple[float, float, float], ...]:
    return tuple((float(p[0]), float(p[1]), float(p[2]) if len(p) > 2 else 0.0) for p in points)


def _malformed(points: Sequence[Sequence[float]]) -> str | None:
    if len(points) > MOST_POINTS:
        return f"must have at most {MOST_POINTS} points; got {len(points)}: leave some out, or join them by arcs"
    for k, point in enumerate(points, 1):
        if len(point) not in (2, 3):
            return f"point {k} must be [x, y] or [x, y, radius]; got {list(point)}"
        if not all(math.isfinite(v) for v in point):
            return f"point {k} must be finite; got {list(point)}"
    least = 2 if any(len(p) > 2 and p[2] != 0.0 for p in points) else 3
    return f"must have at least {least} points; got {len(points)}" if len(points) < least else None


def _impossible(corners: tuple[tuple[float, float, float], ...]) -> Iterator[str]:
    for k, ((ax, ay, r), (bx, by, _)) in enumerate(zip(corners, corners[1:] + corners[:1], strict=True), 1):
        chord = math.hypot(bx - ax, by - ay)
        if chord < LEAST_EDGE:
            yield f"points {k} and {k % len(corners) + 1} must be {LEAST_EDGE:g} m apart or more; got {chord:.3g}"
            return
        if r != 0.0 and abs(r) < 0.5 * chord * (1.0 - 1e-9):
            yield f"point {k} must have a radius of at least half the way to the next, {0.5 * chord:.4g} m; got {r:g}"
            return
        if abs(r) > MOST_RADIUS:
            yield f"point {k} must have a radius of at most {MOST_RADIUS:g} m; got {r:g}: leave it out for an edge"
            return
    pieces = _pieces(corners)
    turns = sum(_angle(p) for p in pieces) / (2.0 * math.pi)
    if round(turns) == -1:
        yield "must run counter-clockwise; it runs clockwise: turn the list of points around"
    elif crossing := _crossing(pieces):
        yield crossing
    elif round(turns) != 1:
        yield f"must go around the centre (0, 0) once; it goes {round(turns)} times"
    else:
        yield from _hidden(pieces)


def _hidden(pieces: tuple[Piece, ...]) -> Iterator[str]:
    """Yield the pieces that do not run counter-clockwise as seen from the centre."""
    for k, piece in enumerate(pieces, 1):
        if _sweep(piece) <= LEAST_SWEEP:
            where = f"({piece.ax:g}, {piece.ay:g}) to ({piece.bx:g}, {piece.by:g})"
            yield f"point {k}: all of the piece to the next must be seen from the centre; got {where}"


def _pieces(corners: tuple[tuple[float, float, float], ...]) -> tuple[Piece, ...]:
    ends = corners[1:] + corners[:1]
    return tuple(_piece(ax, ay, bx, by, r) for (ax, ay, r), (bx, by, _) in zip(corners, ends, strict=True))


def _piece(ax: float, ay: float, bx: float, by: float, r: float) -> Piece:
    mx, my, dx, dy = 0.5 * (ax + bx), 0.5 * (ay + by), bx - ax, by - ay
    half = 0.5 * math.hypot(dx, dy)
    rise = math.copysign(math.sqrt(max(0.0, r * r - half * half)), r) / (2.0 * half) if r else 0.0
    cx, cy = mx - rise * dy, my + rise * dx
    return Piece(ax, ay, bx, by, r, cx if abs(cx) > ROUNDING else 0.0, cy if abs(cy) > ROUNDING else 0.0)


def _span(p: Piece) -> float:
    """Return the angle of an arc about its own centre."""
    return 2.0 * math.asin(min(1.0, 0.5 * math.hypot(p.bx - p.ax, p.by - p.ay) / abs(p.r)))


def _angle(p: Piece) -> float:
    """Return the angle that a piece sweeps about the centre of the robot."""
    points = [*p.points(0.01 * abs(p.r) if p.r else 1.0), (p.bx, p.by)]
    return sum(math.atan2(ux * vy - uy * vx, ux * vx + uy * vy) for (ux, uy), (vx, vy) in pairwise(points))


def _sweep(p: Piece) -> float:
    """Return the least of q x t along a piece, with q from the centre and t the direction of travel, times a length."""
    if p.r == 0.0:
        return p.ax * p.by - p.ay * p.bx
    ends = [((x - p.cx) * p.cx + (y - p.cy) * p.cy) / abs(p.r) for x, y in ((p.ax, p.ay), (p.bx, p.by))]
    far = math.hypot(p.cx, p.cy)
    if p.r > 0.0:
        return p.r * (p.r + (-far if p.holds(-p.cx, -p.cy) else min(ends)))
    return p.r * (-p.r + (far if p.holds(p.cx, p.cy) else max(ends)))


def _crossing(pieces: tuple[Piece, ...]) -> str | None:
    """Return which pieces cross, judged by polygons of their arcs."""
    lines = [(k, [*p.points(0.01 * abs(p.r) if p.r else 1.0), (p.bx, p.by)]) for k, p in enumerate(pieces, 1)]
    parts = [(k, a, b) for k, points in lines for a, b in pairwise(points)]
    for i, (k, a, b) in enumerate(parts):
        for m, c, d in parts[i + 2 :]:
            if m != k and _cross(a, b, c, d):
                return f"must not cross itself; the pieces after points {k} and {m} do"
    return None


def _cross(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float], d: tuple[float, float]) -> bool:
    """Say whether the segments a-b and c-d cross; touching does not count."""
    return _side(a, b, c) * _side(a, b, d) < 0.0 and _side(c, d, a) * _side(c, d, b) < 0.0


def _side(a: tuple[float, float], b: tuple[float, float], p: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
