"""The convex hull of an outline, exact: corners, arcs and edges, as the table that `kernels.separations` reads."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tikitaka.errors import OutlineError
from tikitaka.sim.kernels import separations as table
from tikitaka.types import Floats, Outline
from tikitaka.types.outline import Piece

FAN_MARGIN = 0.05  # [rad] this far from the end of its arc a disc is taken for a whole one
_CLOSE = 1e-9  # [m] or [rad]


@dataclass(frozen=True, slots=True)
class _Corner:
    """A point (r = 0), or an arc that bulges out."""

    x: float
    y: float
    r: float
    arc: Piece | None = None

    def reach(self, nx: float, ny: float) -> float:
        return self.x * nx + self.y * ny + self.r

    def along(self, nx: float, ny: float) -> float:
        """Return where the tangent with this normal touches, along it."""
        return self.y * nx - self.x * ny


def hull_array(outline: Outline) -> Floats:
    """Return ``hull``, the convex hull of an outline."""
    corners = [_Corner(x, y, 0.0) for x, y, _ in outline.corners]
    corners += [_Corner(p.cx, p.cy, p.r, p) for p in outline.pieces if p.r > 0.0]
    found = _without_empty_fans(_wrap(corners))
    rows = [
        (a.x, a.y, a.r, nx, ny, a.reach(nx, ny), a.along(nx, ny), b.along(nx, ny))
        for (a, (nx, ny)), (b, _) in zip(found, found[1:] + found[:1], strict=True)
    ]
    return np.array([_head(rows, outline.radius), *rows])


def box_hull(hx: float, hy: float) -> Floats:
    """Return ``hull`` of a box with these half sizes, such as a post."""
    return hull_array(Outline.box(2.0 * hx, 2.0 * hy))


def _wrap(corners: list[_Corner]) -> list[tuple[_Corner, tuple[float, float]]]:
    """Return the corners around the hull, each with the normal of the edge behind it."""
    here = start = max(
        (c for c in corners if c.arc is None or c.arc.holds(1.0, 0.0)),
        key=lambda c: (round(c.reach(1.0, 0.0), 12), c.arc is None, c.y),
    )
    normal, turned, found = (1.0, 0.0), 0.0, list[tuple[_Corner, tuple[float, float]]]()
    while len(found) <= 2 * len(corners):
        steps = [(*step, c) for c in corners if c is not here and (step := _step(here, c, normal))]
        least = min(step[0] for step in steps)
        turn, normal, ahead = max((s for s in steps if s[0] < least + _CLOSE), key=lambda s: s[2].along(*s[1]))
        found.append((here, normal))
        turned, here = turned + turn, ahead
        if here is start and turned > _CLOSE:
            return found
    raise OutlineError(f"outline has no hull; got {len(corners)} corners")


def _step(a: _Corner, b: _Corner, normal: tuple[float, float]) -> tuple[float, tuple[float, float]] | None:
    """Return by how much the normal turns until the tangent at a touches b as well, and that normal; None: never."""
    zx, zy = b.x - a.x, b.y - a.y
    far = math.hypot(zx, zy)
    k = (a.r - b.r) / far if far > _CLOSE else math.inf
    if abs(k) > 1.0 + _CLOSE:
        return None
    if abs(k) > 1.0 - _CLOSE:  # a point that lies on the arc: only its start leads there, and it leads to its end
        arc = a.arc or b.arc
        point = b if a.arc else a
        end = (arc.bx, arc.by) if arc and a.arc else (arc.ax, arc.ay) if arc else (math.inf, math.inf)
        if (a.arc and b.arc) or math.hypot(end[0] - point.x, end[1] - point.y) > _CLOSE:
            return None
        k = math.copysign(1.0, k)
    right = math.sqrt(1.0 - k * k)
    nx, ny = (k * zx + right * zy) / far, (k * zy - right * zx) / far
    if abs(k) < 1.0 and any(c.arc and not c.arc.holds(nx, ny) for c in (a, b)):
        return None
    turn = math.atan2(normal[0] * ny - normal[1] * nx, normal[0] * nx + normal[1] * ny)
    return (turn % (2.0 * math.pi) if abs(turn) > _CLOSE else 0.0), (nx, ny)


def _without_empty_fans(
    found: list[tuple[_Corner, tuple[float, float]]],
) -> list[tuple[_Corner, tuple[float, float]]]:
    """Return the corners that some direction has as its farthest; where two arcs meet smoothly there is none."""
    normals = [normal for _, normal in found]
    fans = [math.hypot(n[0] - m[0], n[1] - m[1]) for n, m in zip(normals, normals[-1:] + normals[:-1], strict=True)]
    return [pair for pair, fan in zip(found, fans, strict=True) if fan > _CLOSE]


def _head(rows: Sequence[tuple[float, ...]], reach: float) -> tuple[float, ...]:
    """Return row 0: which kind of hull it is, so that boxes and discs can take short ways."""
    x, y = rows[0][:2]
    if [row[:3] for row in rows] == [(x, y, 0.0), (-x, y, 0.0), (-x, -y, 0.0), (x, -y, 0.0)]:
        return x, y, 0.0, 1.0, 0.0, 2.0, table.BOX, reach
    arcs = [row for row in rows if row[table.R] > 0.0]
    if not arcs or any(row[:2] != (0.0, 0.0) or row[table.R] != reach for row in arcs):
        return 0.0, 0.0, 0.0, 1.0, 0.0, 2.0, table.GENERAL, reach
    cuts = [row for row in rows if row[table.S1] - row[table.S0] > _CLOSE]
    if not cuts:
        return 0.0, 0.0, reach, 1.0, 0.0, -2.0, table.DISC, reach
    if len(cuts) > 1 or len(arcs) != len(rows) - 2:
        return 0.0, 0.0, 0.0, 1.0, 0.0, 2.0, table.GENERAL, reach
    nx, ny, d = cuts[0][table.NX], cuts[0][table.NY], cuts[0][table.D]
    fan = math.pi - math.acos(max(0.0, d / reach)) - FAN_MARGIN
    return 0.0, 0.0, reach, -nx, -ny, math.cos(fan), table.DISC, reach
