"""The ball's track, picture by picture: which detection is the ball, and what it means when none is where it should be.

x, law   see `rolling`;  boards, robots, body, skin   see `bouncing`;  camera   see `flight`
p        (7, 7)  covariance; see `travelling`
memory   (MEMORY,)  what else is remembered, see the names below
tune     (13,)   see the names below
path     (k, 3)  time and place of the detections since a kick
kicks    (n, 2)  speed and lift that our robots have been told to kick with; 0: none
work     (6, 7, 7)  scratch
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.bouncing import board_gap
from tikitaka.estimate.kernels.flight import apparent, sight_rows
from tikitaka.estimate.kernels.kalman import distance_xy, update_at, update_block
from tikitaka.estimate.kernels.rolling import MU, MU_MOST, RX, RY, SLIDE, VX, VY, VZ, X, Y, Z, is_flying
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]

# of memory: times of the track and of the last detection taken; what it is doing; detections in a row that were not
# taken; recent mean NIS; a place where the ball may be instead, when, and how often in a row; counters
TIME, SEEN, MODE, MISSES, STRAIN, ELSE_X, ELSE_Y, ELSE_TIME, ELSE_COUNT, QUIET, KICKED = range(11)
NIS_SUM, NIS_COUNT, REJECTED, LATE, BAD, KICKS, BOUNCES, RESTARTS, NIS, POINTS = range(11, 21)
STILL_X, STILL_Y, STILL_TIME = range(21, 24)  # where the ball has been seen, within its noise, since when
MEMORY = 24
MOST_POINTS = 24  # of a path: 0.4 s at 60 Hz
UNKNOWN, MOVING, RESTING = 0.0, 1.0, 2.0
# of tune: variance of a detection at the middle of the picture and its growth to the edge; gate; detections elsewhere
# in a row that make it a new track; standard deviation of a kick's speed, the fastest ball; speed below which, and
# pictures after which, it rests; unseen for so long it may be anywhere; reach of a kicking robot; prior of friction;
# the largest lift of a chip, 0: there are none
R, GROWTH, GATE, PATIENCE, KICK, FASTEST, SLOW, REST, LOST, REACH, MU_MEAN, MU_VAR, LIFT = range(13)
STRAINED = 6.0  # recent mean NIS at which the velocity is opened again; 2 is right
MEMORY_NIS = 0.7  # of the recent mean, kept from picture to picture
NUDGE = 0.3  # [m/s] chosen: standard deviation of the velocity when it is opened for strain
NEW_PATH = 1.0  # [s] chosen: a kick later than this begins a new path
LEAST_LIFT = 1.0  # [m/s] chosen: of a ball that is taken for flying, 5 cm high
KICK_SHARE, KICK_LEAST = 0.2, 0.1  # [1], [m/s] chosen: deviation of a kick that was told: share of it, and beside that
LEAST_Z = 1e-6  # [m] a ball that flies does not touch the ground before it lands
FLAT_WORSE = 20.0  # chosen: by so many variances the squares that braking leaves must exceed those of flying


@kernel
def settle(x: Floats, p: Floats, px: float, py: float, vx: float, vy: float, rp: float, rv: float) -> None:
    """Start the ball afresh on the ground, with variances of place and velocity; friction stays."""
    x[X], x[Y], x[VX], x[VY], x[Z], x[VZ], x[RX], x[RY] = px, py, vx, vy, 0.0, 0.0, vx, vy
    mu = p[MU, MU]
    for i in range(7):
        for j in range(7):
            p[i, j] = 0.0
    p[X, X], p[Y, Y], p[VX, VX], p[VY, VY], p[MU, MU] = rp, rp, rv, rv, mu


@kernel
def noise_at(gx: float, gy: float, tune: Floats, camera: Floats) -> float:
    """Return the variance of a detection there."""
    d2 = (gx - camera[0]) ** 2 + (gy - camera[1]) ** 2
    scale = 1.0 + tune[GROWTH] * d2 / (camera[3] * camera[3])
    return float(tune[R] * scale * scale)


@kernel
def best_of(x: Floats, p: Floats, xy: Floats, tune: Floats, camera: Floats, work: Floats) -> tuple[int, float]:
    """Return the likeliest detection (-1: none is finite), and its squared distance."""
    gx, gy, k = apparent(x[X], x[Y], x[Z], camera)
    r = noise_at(gx, gy, tune, camera)
    work[0, 0, 0], work[0, 1, 1] = (1.0 + k) ** 2 * p[X, X], (1.0 + k) ** 2 * p[Y, Y]
    work[0, 0, 1] = (1.0 + k) ** 2 * p[X, Y]
    if is_flying(x):
        sight_rows(x, camera, work[1, :2])
        for i in range(2):
            for j in range(i, 2):
                total = 0.0
                for a in range(7):
                    for b in range(7):
                        total += work[1, i, a] * p[a, b] * work[1, j, b]
                work[0, i, j] = total
    best, found = math.inf, -1
    for j in range(xy.shape[0]):
        d2, _ = distance_xy(work[0], xy[j, 0] - gx, xy[j, 1] - gy, r, r)
        if d2 < best:  # never so where it is NaN
            best, found = d2, j
    return found, best


@kernel
def absorb(x: Floats, p: Floats, zx: float, zy: float, tune: Floats, camera: Floats, law: Floats, work: Floats) -> None:
    """Take in a detection."""
    rolls = x[RX] == x[VX] and x[RY] == x[VY]
    if is_flying(x):
        gx, gy = sight_rows(x, camera, work[1, :2])
        work[2, 0, 0], work[2, 0, 1] = zx - gx, zy - gy
        r = noise_at(gx, gy, tune, camera)
        work[3, 0, 0], work[3, 0, 1], work[3, 1, 0], work[3, 1, 1] = r, 0.0, 0.0, r
        update_block(x[:7], p, work[1, :2], work[2, 0, :2], work[3, :2, :2], work[4])
        x[Z] = max(x[Z], LEAST_Z)
    else:
        r = noise_at(x[X], x[Y], tune, camera)
        for i in range(2):
            update_at(x[:5], p[:5, :5], i, (zx if i == 0 else zy) - x[i], r, work[4])
    x[MU] = min(max(x[MU], 0.0), law[MU_MOST])
    if rolls:
        x[RX], x[RY] = x[VX], x[VY]


@kernel
def hold_in(x: Floats, boards: Floats, radius: float) -> None:
    """Put a ball that noise has pushed a little into a board back to it. [Beard, Algorithm 3, line 13]"""
    for j in range(boards.shape[0]):
        gap, nx, ny = board_gap(boards, j, x[X], x[Y], radius)
        if -radius < gap < 0.0:
            x[X] -= gap * nx
            x[Y] -= gap * ny


@kernel
def open_up(p: Floats, spread: float) -> None:
    """Forget how fast the ball is, but for a standard deviation."""
    for i in range(7):
        for j in range(VX, VY + 1):
            if i != j:
                p[i, j], p[j, i] = 0.0, 0.0
    p[VX, VX] += spread * spread
    p[VY, VY] += spread * spread


@kernel
def kicked(x: Floats, p: Floats, i: int, robots: Floats, kicks: Floats, tune: Floats, law: Floats) -> None:
    """Open the velocity for a kick by robot i; if it was told to kick, that is how the ball is expected to leave."""
    open_up(p, tune[KICK])
    rx, ry = x[RX], x[RY]
    if i < kicks.shape[0] and kicks[i, 0] > 0.0:
        speed, lift = kicks[i, 0], kicks[i, 1]
        c, s = math.cos(robots[i, 2]), math.sin(robots[i, 2])
        x[VX], x[VY] = c * speed + robots[i, 3], s * speed + robots[i, 4]
        doubt = (KICK_SHARE * speed + KICK_LEAST) ** 2
        p[VX, VX], p[VY, VY] = doubt, doubt
        if lift > 0.0:
            x[Z], x[VZ], p[VZ, VZ] = 0.0, lift, (KICK_SHARE * lift) ** 2
    if law[SLIDE] > 0.0:
        x[RX], x[RY] = rx, ry  # it spins as before, so it slides
    else:
        x[RX], x[RY] = x[VX], x[VY]


@kernel
def begin_path(memory: Floats, t: float) -> None:
    """Begin to keep the way of the ball, unless that began not long ago."""
    if not t - memory[KICKED] < NEW_PATH:
        memory[KICKED], memory[POINTS] = t, 0.0


@kernel
def keep_point(memory: Floats, path: Floats, t: float, zx: float, zy: float) -> None:
    """Keep a detection of the way after a kick, while there is room."""
    k = int(memory[POINTS])
    if k < path.shape[0] and t - memory[KICKED] < NEW_PATH:
        path[k, 0], path[k, 1], path[k, 2] = t, zx, zy
        memory[POINTS] = k + 1.0
