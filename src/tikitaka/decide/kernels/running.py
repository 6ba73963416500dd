"""A penalty without a kicker: back off, line up with a corner of the goal, and run through the ball at full speed.

u       unit vector from the ball to the corner
r       from the ball to the robot
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.table import BALL, GAP, HALF_X, HULL, KICK, REACH, SPEED
from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import cross, dot, norm, unit

Floats = NDArray[np.float64]

RUN_SINCE, RUN_Y, RUNNING = 14, 15, 16  # their places in the notes, see `playing`

RUN_UP = 6.0  # chosen: reaches from the ball: 1.7 m/s at the ball in the VSSS
CORNER = 0.8  # chosen: of half the goal: past a keeper in its middle, and off the post
NARROW = 0.12  # of the reach: so near to the line the run begins
FACING = 0.05  # [rad] and so well in its direction
CALM = 0.05  # chosen: of the top speed: and has come to rest
LATEST = 3.0  # [s] chosen: then it runs from where it is


@kernel
def corner(ball: Floats, theirs: Floats, p: Floats) -> float:
    """Return y of the corner that is farther from whoever stands nearest to the middle of their goal."""
    best, y = math.inf, 0.0
    for j in range(theirs.shape[0]):
        d = norm(theirs[j, 0] - p[HALF_X], theirs[j, 1])
        if d < best:
            best, y = d, theirs[j, 1] - 0.1 * ball[1]
    return math.copysign(CORNER * p[GAP], -y)


@kernel
def flat(p: Floats) -> bool:
    """Say whether robots are boxes with a flat front; a notch that is hit at speed throws the ball aside."""
    return bool(p[KICK] <= 0.0 and p[REACH] - p[BALL] >= 0.7 * p[HULL])


@kernel
def run_up(
    i: int, pose: Floats, v: Floats, theirs: Floats, ball: Floats, time: float, p: Floats, notes: Floats,
    target: Floats, end_speed: Floats,
) -> None:  # fmt: skip
    """Fill the wish of the robot that takes a penalty."""
    if notes[RUN_SINCE] < 0.0:
        notes[RUN_SINCE], notes[RUN_Y], notes[RUNNING] = time, corner(ball, theirs, p), 0.0
    ux, uy = unit(p[HALF_X] + p[BALL] - ball[0], notes[RUN_Y] - ball[1])
    rx, ry, heading = pose[i, 0] - ball[0], pose[i, 1] - ball[1], math.atan2(uy, ux)
    if abs(turn(heading, pose[i, 2])) > 0.5 * math.pi:
        heading = math.atan2(-uy, -ux)
    far, off = -dot(rx, ry, ux, uy), abs(cross(rx, ry, ux, uy))
    lined_up = off < NARROW * p[REACH] and abs(turn(heading, pose[i, 2])) < FACING
    lined_up = lined_up and norm(v[i, 0], v[i, 1]) < CALM * p[SPEED]
    if (far > 0.8 * RUN_UP * p[REACH] and lined_up) or time - notes[RUN_SINCE] > LATEST:
        notes[RUNNING] = 1.0
    ahead = 2.0 * p[REACH] if notes[RUNNING] > 0.0 else -RUN_UP * p[REACH]
    target[i, 0], target[i, 1], target[i, 2] = ball[0] + ahead * ux, ball[1] + ahead * uy, heading
    end_speed[i] = p[SPEED] if notes[RUNNING] > 0.0 else 0.0
