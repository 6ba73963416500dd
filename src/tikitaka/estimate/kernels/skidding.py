"""A robot on two wheels that an impact has set sliding: each tyre drags against its slip, with its grip at most.

Where the wheels roll this is the motors' limit along the heading; across it a robot stops at its grip's. A tyre that
slides both ways divides its grip between the two.

u, o     command: forward speed and turn rate
b        half the track: wheels stand at (0, b) and (0, -b)
motor    largest acceleration that both motors give together
grip     largest acceleration that both tyres give together
lever    [1] m b^2 / I: how much more easily a wheel turns the robot than it moves it
slide    slip along a wheel if its rim were at its command; aside: across it
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import wrap
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, norm

Floats = NDArray[np.float64]

SPUN = 2.5  # [1] chosen: motor / sqrt(grip^2 - motor^2), at which a wheel that slides aside spins no faster
HELD = 0.2  # [m/s] chosen: slower slides aside are held as by a wheel that does not spin: robots that push
HALVES = 2  # parts of a step: forces turn with the robot


@kernel
def skid(
    track: Floats, i: int, u: float, o: float, dt: float, motor: float, grip: float, b: float, lever: float
) -> None:
    """Move robot i on by dt: x, y, theta, vx, vy, omega."""
    h = dt / HALVES
    for _ in range(HALVES):
        c, s, turn = math.cos(track[i, 2]), math.sin(track[i, 2]), track[i, 5]
        ahead, aside = track[i, 3] * c + track[i, 4] * s, track[i, 4] * c - track[i, 3] * s
        right_x, right_y = drag(u + b * o - ahead - b * turn, aside, h, motor, grip)
        left_x, left_y = drag(u - b * o - ahead + b * turn, aside, h, motor, grip)
        along, across = right_x + left_x, right_y + left_y
        vx, vy = track[i, 3] + h * (along * c - across * s), track[i, 4] + h * (along * s + across * c)
        after = turn + h * (right_x - left_x) * lever / b
        track[i, 0] += 0.5 * h * (track[i, 3] + vx)
        track[i, 1] += 0.5 * h * (track[i, 4] + vy)
        track[i, 2] = wrap(track[i, 2] + 0.5 * h * (turn + after))
        track[i, 3], track[i, 4], track[i, 5] = vx, vy, after


@kernel
def drag(slide: float, aside: float, h: float, motor: float, grip: float) -> tuple[float, float]:
    """Return the accelerations along and across that one tyre gives; below what h takes away they fade out."""
    least, spun = grip * h, SPUN * max(0.0, abs(aside) - HELD)
    along = 0.5 * grip * slide / max(norm(slide, aside), least)
    across = -0.5 * grip * aside / max(norm(clamp(slide, -spun, spun), aside), least)
    return clamp(along, -0.5 * motor, 0.5 * motor), across
