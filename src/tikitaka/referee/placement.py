"""Where everybody stands at a kick-off."""

import math

import numpy as np

from tikitaka.types import BLUE, Field, Floats

GAP = 0.01  # [m] between a robot that waits and the circle
APART = 2.2  # [hulls] between the centres of neighbours in a row
ROW = 2.6  # [hulls] between two rows


def line_up(field: Field, n: int, hull: float, reach: float, kicking: bool) -> Floats:
    """Return the poses (n, 3) of a team that attacks +x: keeper, attacker, then rows in its own half.

    Every league that loads has the room: `league.checks` states the same geometry.
    """
    pose = np.zeros((n, 3))
    at_ball = max(reach + 0.6 * hull, hull + GAP)
    clear = max(field.circle_radius + hull + GAP, at_ball)
    pose[0, 0] = -field.half_length + 1.3 * hull
    if n > 1:
        pose[1, 0] = -at_ball if kicking else -clear
    if n > 2:
        pose[2:, :2] = _rows(field, n - 2, hull, clear + 2.5 * hull)
    return pose


def _rows(field: Field, m: int, hull: float, front: float) -> Floats:
    """Return m places (m, 2) in rows of three, or of more where the half is too short; none before ``front``.

    Nobody stands in the area, but where there is no other room.
    """
    half = _half_row(field, hull)
    fit = 1 + int(2.0 * half / (APART * hull))
    least = front + ROW * hull * math.ceil(m / fit)
    back = min(field.half_length - 4.0 * hull, max(least, field.half_length - field.area_length - hull))
    rows = max(1, min(math.ceil(m / min(3, fit)), int((back - front) / (ROW * hull))))
    front = max(front, min(0.35 * field.half_length, back - ROW * hull * rows))
    width = math.ceil(m / rows)
    gap = min(max(0.55 * field.half_width, APART * hull), 2.0 * half / max(1, width - 1))
    places = np.zeros((m, 2))
    for k in range(m):
        row, slot = divmod(k, width)
        places[k, 0] = -(front + (back - front) * row / rows)
        places[k, 1] = (slot - 0.5 * (min(width, m - width * row) - 1)) * gap
    return places


def _half_row(field: Field, hull: float) -> float:
    """Return the largest y of a place in a row: clear of the wall, and of a corner's triangle."""
    corner = field.corner - field.margin_x - field.margin_y
    return field.half_width - 1.5 * hull - max(0.0, corner - 4.0 * hull)


def kick_off(field: Field, n: int, hull: float, reach: float, team: int) -> Floats:
    """Return the poses (2n + 1, 3) of blue, yellow and the ball at the centre; ``team`` has the ball, -1: nobody."""
    blue = line_up(field, n, hull, reach, team == BLUE)
    yellow = line_up(field, n, hull, reach, team >= 0 and team != BLUE)
    yellow[:, :2] *= -1.0
    yellow[:, 2] = -math.pi
    return np.concatenate((blue, yellow, np.zeros((1, 3))))
