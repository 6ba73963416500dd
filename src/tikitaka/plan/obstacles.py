"""What never moves on a pitch, as rows of obstacles; see `kernels.shapes`."""

import numpy as np

from tikitaka.plan.kernels.shapes import BOX, CAPSULE, CIRCLE, FIELD
from tikitaka.types import Field, Floats

Row = tuple[float, float, float, float, float, float]


def fixtures(f: Field, hull: float, wall: float, areas: bool) -> Floats:
    """Return (k, 6): the FIELD, both areas where they are barred (ours first), free-standing goals, corners."""
    x, y = f.half_length + f.margin_x - wall, f.half_width + f.margin_y - wall
    edge: Row = (-x, -y, x, y, 0.0, FIELD)
    goals = mirrored(goal_walls(f, hull)) if f.margin_x > 0.0 else []
    corners = mirrored(corner_walls(f, wall)) if f.corner > 0.0 else []
    return np.array([edge, *(mirrored([area(f, hull)])[::-1] if areas else []), *goals, *corners])


def area(f: Field, hull: float) -> Row:
    """Return the goal area that we attack, and all behind it: who is in the goal gets out through the area."""
    front, back = f.half_length - f.area_length, f.half_length + f.margin_x + f.area_length
    return (front, -0.5 * f.area_width, back, 0.5 * f.area_width, hull, BOX)


def round_area(f: Field, hull: float) -> list[Row]:
    """Return the area that we attack as it was drawn in 2015: two quarter circles and a box [ERForce, sec. 3.1]."""
    x, half, r = f.half_length, 0.5 * f.goal_width, 0.5 * (f.area_width - f.goal_width)
    corners: list[Row] = [(x, s * half, x, s * half, r + hull, CIRCLE) for s in (-1.0, 1.0)]
    return [*corners, (x - r, -half, x, half, hull, BOX)]


def goal_walls(f: Field, hull: float) -> list[Row]:
    """Return the sides and the back of the goal that we attack, as wide as its walls."""
    x, y = f.half_length, 0.5 * (f.goal_width + f.goal_wall)
    back, r = x + f.goal_depth + 0.5 * f.goal_wall, hull + 0.5 * f.goal_wall
    return [(x, y, back, y, r, CAPSULE), (x, -y, back, -y, r, CAPSULE), (back, -y, back, y, r, CAPSULE)]


def corner_walls(f: Field, wall: float) -> list[Row]:
    """Return the slanted sides of the triangles in the two corners that we attack."""
    x, y, c = f.half_length, f.half_width, f.corner
    return [(x - c, s * y, x, s * (y - c), wall, CAPSULE) for s in (-1.0, 1.0)]


def mirrored(rows: list[Row]) -> list[Row]:
    """Return rows of the side that we attack, and the same of ours; a box keeps its lower corner first."""
    ours: list[Row] = [
        (-x1, y0, -x0, y1, r, kind) if kind == BOX else (-x0, y0, -x1, y1, r, kind) for x0, y0, x1, y1, r, kind in rows
    ]
    return [*rows, *ours]
