"""Where the referee puts everybody before the ball is in play."""

import math

import numpy as np

from tikitaka.types import BLUE, Field, Floats


def line_up(field: Field, n: int, hull: float, reach: float, kicking: bool) -> Floats:
    """Return the poses (n, 3) of a team that attacks +x: keeper, attacker, then rows of three in its own half."""
    pose = np.zeros((n, 3))
    clear = field.circle_radius + hull + 0.01
    pose[0, 0] = -field.half_length + 1.3 * hull
    if n > 1:
        pose[1, 0] = -(reach + 0.6 * hull) if kicking else -clear
    rows = math.ceil((n - 2) / 3)
    front = max(0.35 * field.half_length, clear + 2.5 * hull)
    back = field.half_length - 4.0 * hull
    for k in range(n - 2):
        row, slot = divmod(k, 3)
        width = min(3, n - 2 - 3 * row)
        pose[2 + k, 0] = -(front + (back - front) * row / rows)
        pose[2 + k, 1] = (slot - 0.5 * (width - 1)) * 0.55 * field.half_width
    return pose


def kick_off(field: Field, n: int, hull: float, reach: float, team: int) -> Floats:
    """Return the poses (2n + 1, 3) of blue, yellow and the ball at the centre; ``team`` has the ball, -1: nobody."""
    blue = line_up(field, n, hull, reach, team == BLUE)
    yellow = line_up(field, n, hull, reach, team >= 0 and team != BLUE)
    yellow[:, :2] *= -1.0
    yellow[:, 2] = -math.pi
    return np.concatenate((blue, yellow, np.zeros((1, 3))))
