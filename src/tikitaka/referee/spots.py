"""Where the ball is played from, call by call. A team's own goal is at -x for blue, at +x for yellow."""

import math

from tikitaka.referee.params import Params, Point
from tikitaka.types import BLUE, YELLOW, Field

FROM_LINES = 0.2  # [m] SSL rules: of a free kick from every line
FROM_AREAS = 1.0  # [m] SSL rules: of a free kick from either defence area
FROM_GOAL_LINE = 1.0  # [m] SSL rules: of a goal kick


def forward(team: int) -> float:
    """Return the sign of x towards the goal that a team attacks."""
    return 1.0 if team == BLUE else -1.0


def free_kick(field: Field, x: float, y: float) -> Point:
    """Return the nearest place at which a free kick may be taken."""
    x, y = _off_areas(field, x, y)
    most_x, most_y = max(field.half_length - FROM_LINES, 0.0), max(field.half_width - FROM_LINES, 0.0)
    return min(max(x, -most_x), most_x), min(max(y, -most_y), most_y)


def goal_kick(field: Field, team: int, y: float) -> Point:
    """Return the place of an SSL goal kick of a team, on the side on which the ball went out."""
    side = math.copysign(1.0, y)
    return -forward(team) * max(field.half_length - FROM_GOAL_LINE, 0.0), side * (field.half_width - FROM_LINES)


def corner_kick(field: Field, team: int, y: float) -> Point:
    """Return the place of a corner kick of a team."""
    side = math.copysign(1.0, y)
    return forward(team) * max(field.half_length - FROM_LINES, 0.0), side * (field.half_width - FROM_LINES)


def area_kick(params: Params, team: int, y: float) -> Point:
    """Return the place of a MiroSot goal kick: inside the front line of a team's own area, on the ball's side."""
    f = params.field
    side = math.copysign(1.0, y) if y != 0.0 else forward(team)
    x = f.half_length - f.area_length + params.ball_radius
    return -forward(team) * x, side * 0.5 * max(0.5 * f.area_width - params.hull, 0.0)


def penalty(params: Params, team: int) -> Point:
    """Return the mark from which a team takes a penalty."""
    return _on_the_field(params, forward(team) * (params.field.half_length - params.penalty_distance), 0.0)


def free_ball(params: Params, x: float, y: float) -> Point:
    """Return the mark of the ball's quarter, or where a free kick would be where a league has no marks."""
    mark_x, mark_y = params.free_ball_mark
    if mark_x == 0.0 and mark_y == 0.0:
        return free_kick(params.field, x, y)
    return _on_the_field(params, math.copysign(mark_x, x), math.copysign(mark_y, y))


def in_area(field: Field, x: float, y: float, grown: float = 0.0) -> int:
    """Return the team in whose goal area a point lies, -1: in none; the areas are as deep as the goals behind them."""
    inside = abs(y) <= 0.5 * field.area_width + grown and abs(x) >= field.half_length - field.area_length - grown
    return -1 if not inside else BLUE if x < 0.0 else YELLOW


def _on_the_field(params: Params, x: float, y: float) -> Point:
    """Return the nearest place that leaves room for a robot between ball and walls: a mark may be meant for others."""
    room = 2.0 * params.hull + params.ball_radius
    most_x, most_y = max(params.field.half_length - room, 0.0), max(params.field.half_width - room, 0.0)
    return min(max(x, -most_x), most_x), min(max(y, -most_y), most_y)


def _off_areas(field: Field, x: float, y: float) -> Point:
    """Return the nearest place that is far enough from the areas: before them or beside them."""
    if in_area(field, x, y, FROM_AREAS) < 0:
        return x, y
    front, beside = field.half_length - field.area_length - FROM_AREAS, 0.5 * field.area_width + FROM_AREAS
    fits = beside <= field.half_width - FROM_LINES
    if fits and beside - abs(y) < abs(x) - front:
        return x, math.copysign(beside, y)
    return math.copysign(max(front, 0.0), x), y
