"""The boards around a pitch, as the boxes that robots run into."""

import math

import numpy as np

from tikitaka.types import Field, Floats

THICK = 1.0  # [m] of what stands behind a wall: more than a robot moves in a step


def boxes_of(field: Field) -> Floats:
    """Return solid boxes (k, 6): x, y, cosine and sine of their heading, half length, half width."""
    x, y, goal, depth = field.half_length, field.half_width + field.margin_y, 0.5 * field.goal_width, field.goal_depth
    back = x + (field.margin_x if field.margin_x > 0.0 else depth)
    rows = list[tuple[float, ...]]()
    for side in (1.0, -1.0):
        rows.append((0.0, side * (y + THICK), 1.0, 0.0, back + 2.0 * THICK, THICK))
        rows.append((side * (back + THICK), 0.0, 1.0, 0.0, THICK, y + 2.0 * THICK))
        rows += [(side * px, py, 1.0, 0.0, h, w) for px, py, h, w in _posts(field, x, y, goal, depth)]
    if field.corner > 0.0:
        rows += [_corner(x + field.margin_x, y, field.corner, sx, sy) for sx in (1.0, -1.0) for sy in (1.0, -1.0)]
    return np.array(rows)


def clear_of(field: Field, reach: float) -> tuple[float, float]:
    """Return half sizes of the rectangle in which a robot that reaches so far cannot touch a board."""
    return field.half_length - field.corner - reach, field.half_width + field.margin_y - field.corner - reach


def _posts(field: Field, x: float, y: float, goal: float, depth: float) -> list[tuple[float, float, float, float]]:
    """Return what stands beside a goal in the wall, or around one that stands free: centre and half sizes."""
    if field.margin_x == 0.0:
        high = 0.5 * (y + THICK - goal)
        deep = 0.5 * (depth + THICK)
        return [(x + deep, side * (goal + high), deep, high) for side in (1.0, -1.0)]
    t = field.goal_wall
    sides = [(x + 0.5 * (depth + t), side * (goal + 0.5 * t), 0.5 * (depth + t), 0.5 * t) for side in (1.0, -1.0)]
    return [*sides, (x + depth + 0.5 * t, 0.0, 0.5 * t, goal)]


def _corner(x: float, y: float, leg: float, sx: float, sy: float) -> tuple[float, ...]:
    """Return the box whose face cuts a corner off; it reaches over the triangle's ends only behind the walls."""
    s = math.sqrt(0.5)
    deep = leg * s  # from the corner to the face
    return (sx * (x - 0.5 * leg + deep * s), sy * (y - 0.5 * leg + deep * s), sx * s, sy * s, deep, deep)
