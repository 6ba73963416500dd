"""Echoes of the dribbler's light barrier.

sensor  (6,)  x of emitters and receiver in the robot's frame, y of the left emitter, height above the ground,
              tangent of half the beam's angle, reach, radius of the ball
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.frames import to_body
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]

AT_X, LEFT_Y, AT_Z, SLOPE, REACH, BALL_RADIUS = range(6)
Z = 4  # of the ball, where it has that
LEFT_BROKEN, RIGHT_BROKEN, RECEIVER_BROKEN, DIRTY, AMBIENT = 1, 2, 4, 8, 16  # faults
DARK_BIT, LEFT_BIT, RIGHT_BIT, LEFT_TEST_BIT, RIGHT_TEST_BIT = 1, 2, 4, 8, 16  # slots in which the receiver sees light
# levels in thresholds of the receiver; chosen, so that each test below has a margin of two or more
BALL_ECHO = 10.0
OWN_ECHO = 0.2  # of the robot's own front
TEST_POWER = 10.0  # of an emitter in a test, over its usual power
DIRT = 0.25  # of the light that a dirty window lets through


@kernel
def is_lit(side: float, bx: float, by: float, z: float, sensor: Floats) -> bool:
    """Say whether the beam of the left (1) or right (-1) emitter falls on the ball, near enough to be seen."""
    above = z + sensor[BALL_RADIUS] - sensor[AT_Z]
    cut = sensor[BALL_RADIUS] * sensor[BALL_RADIUS] - above * above
    if cut <= 0.0:
        return False  # the beam passes below or above the ball
    radius = math.sqrt(cut)  # of the ball at the beam's height
    dx, dy = bx - sensor[AT_X], by - side * sensor[LEFT_Y]
    outside = (abs(dy) - dx * sensor[SLOPE]) / math.sqrt(1.0 + sensor[SLOPE] * sensor[SLOPE])  # of the beam's edge
    return bool(dx > 0.0 and outside <= radius and math.sqrt(dx * dx + dy * dy) - radius <= sensor[REACH])


@kernel
def echoes(e: int, i: int, pose: Floats, ball: Floats, sensor: Floats, fault: int) -> int:
    """Return the bits of the five slots: dark, left, right, left at test power, right at test power."""
    if fault & RECEIVER_BROKEN:
        return 0
    if fault & AMBIENT:
        return DARK_BIT | LEFT_BIT | RIGHT_BIT | LEFT_TEST_BIT | RIGHT_TEST_BIT
    z = ball[e, Z] if ball.shape[1] > Z else 0.0
    bx, by = to_body(ball[e, 0], ball[e, 1], pose[e, i, 0], pose[e, i, 1], pose[e, i, 2])
    through = DIRT if fault & DIRTY else 1.0
    bits = 0
    if not fault & LEFT_BROKEN:
        level = through * (OWN_ECHO + (BALL_ECHO if is_lit(1.0, bx, by, z, sensor) else 0.0))
        bits |= LEFT_BIT if level >= 1.0 else 0
        bits |= LEFT_TEST_BIT if TEST_POWER * level >= 1.0 else 0
    if not fault & RIGHT_BROKEN:
        level = through * (OWN_ECHO + (BALL_ECHO if is_lit(-1.0, bx, by, z, sensor) else 0.0))
        bits |= RIGHT_BIT if level >= 1.0 else 0
        bits |= RIGHT_TEST_BIT if TEST_POWER * level >= 1.0 else 0
    return bits
