"""Columns that the kernels of the avoidance share.

FACTS of the thesis' methods, in the order of `Params.facts`; a collision's NUMBERS and COUNTS, one row a robot; ERRATA,
one bit each, as `params.Errata` tells them.
"""

MARGIN, STILL, HORIZON, SPREAD, LATE, NEAR = 0, 1, 2, 3, 4, 5
DODGE_TIME, DODGE_LEAST, DODGE_MOST, DODGE_AHEAD, SAFETY = 6, 7, 8, 9, 10
EDGE_X, EDGE_Y = 11, 12
FACTS = 13

NONE, FRONTAL, PERPENDICULAR, ANGULAR, REAR_END, STATIC = 0, 1, 2, 3, 4, 5  # kinds of a collision

TIME, DISTANCE, MY_SPEED, OTHER_SPEED, PLACE_X, PLACE_Y, COURSE = 0, 1, 2, 3, 4, 5, 6  # of NUMBERS
NUMBERS = 7
KIND, PARTNER, FROM_RIGHT = 0, 1, 2  # of COUNTS
COUNTS = 3

FRAMES, PAST, RIGHT, STALE, HEAD_ON, STANDING, OTHERS, NEAR_TARGET, BRAKE = 1, 2, 4, 8, 16, 32, 64, 128, 256
