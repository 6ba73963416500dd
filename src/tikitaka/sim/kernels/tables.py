"""The arrays of a pitch and what their columns mean.

Arrays of a world are indexed [e, robot]; scratch arrays [s, ...], with s the thread on the CPU and the world on a GPU.
They travel through the kernels in four tuples:

World    pose (e, n, 3)      x, y, theta of the geometric centre
         velocity (e, n, 3)  vx, vy, omega of that point, in the field frame
         spin (e, n, w)      wheel rates
         ball (e, 8)         X, Y, VX, VY, Z, VZ, RX, RY: see `rolling`
Room     boards (k + p, 4)   walls: half-planes nx, ny, d, inside is nx x + ny y <= d; then posts: x, y, half sizes
         edges (p, 5, 8)     the posts as hulls, see `separations`
         hull                the robot's, see `separations`
         rim, bins           what the ball meets of a robot, see `rims`
         play (31,)          single numbers: the ground (see `rolling`), the gear (see `kicking`), and PLAY below
Robot    chassis, axles      see `chassis`
Scratch  ahead (s, n + 1, 100) where everybody will be: pose and velocity of robots, the ball's columns in the last row,
                             and the columns AHEAD below
         after (s, n, w)     wheel rates then
         rows (s, c, 19)     contacts, the columns ROW below
         manifold (s, 2, 5)  gap, x, y, nx, ny of up to two contact points
         pairs (s, p, 3)     who may meet whom in this substep, and their gap

A pair's and a contact's bodies are robots (0 .. n-1), the ball (n) and the pitch: wall w is -1 - w, and the posts
follow the walls. The second body is a robot or the ball; normals point from the first to the second.

Counters begin as min(count, 0), not as 0: from a literal numba would compile the kernels that they are handed to twice.
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bins = NDArray[np.int32]
World = tuple[Floats, Floats, Floats, Floats]
Room = tuple[Floats, Floats, Floats, Floats, Bins, Floats]
Robot = tuple[Floats, Floats]
Scratch = tuple[Floats, Floats, Floats, Floats, Floats]

# AHEAD: for how long what is foreseen of a robot still holds; behind the columns that `skids` works in the velocity of
# the mass centre while impulses are found, and the place where the substep began; who is in lasting contact, in how
# many pairs, whether it has just bounced off somebody, whether it is one of a duo (see `islands`), cosine and sine of
# the heading, with whom it is a duo, the list of those that lean (how many: in the ball's row), the contact of a duo
# (see `duos`), and the tyres of up to four wheels; beside the velocity of the mass centre the list of those that an
# impact concerns. Eights of columns lie together on a card; 7, but not of the ball, and 31 are free
UNTIL, SPEED, BEFORE, MARK, DUO, TIES, PARTED, COS, SIN, WITH, LEANER, MEET = 6, 24, 27, *range(32, 41)
MEET_SIZE = 8
STRUCK = SPEED + 6
TREADS = MEET + MEET_SIZE
# velocities that are kept where `skids` works at other times: before leaning, and between stopping and bouncing
BEGAN, STOPPED = 8, 8
# of a duo between two waves of a card, where the crowd has its tyres: velocity and what the tyres pulled so far, and
# impulses of both contacts
KEPT, SHOVES = TREADS, TREADS + 8
# a tyre: its directions, levers, impulse that changes the speed along, and across, by one (0: it holds nothing across);
# speed that the motor wants, softness, its bounds, the grip's bound, and the impulses so far along and across
T_UX, T_UY, T_LEVER, T_TURN, T_GIVE, T_SIDE, T_WANT, T_SOFT, T_LOW, T_HIGH, T_MOST, T_ALONG, T_ACROSS = range(13)
TREAD = 13  # columns of a tyre
AHEAD_COLUMNS = TREADS + 4 * TREAD

# ROW: bodies, normal, levers of normal and tangent, gap, least normal speed allowed, restitution, friction,
# impulses so far along normal and tangent, what a unit of them yields, how fast it closed, and the impulses that change
# the speed by one (along the normal less, where friction works against it: `contacts.add_row`); a lever is r x n about
# the mass centre
A, B, NX, NY, LEVER_A, LEVER_B, TURN_A, TURN_B, GAP, FLOOR, BOUNCE, RUB, PUSH, DRAG, GIVE, SLIDE, CLOSING = range(17)
STOP, STICK = 17, 18
COLUMNS = 19

# PLAY: number of walls, reach of a robot's hull, restitutions of the ball (wall, robot) and of robots (pair, board),
# frictions of robots, half sizes of the middle of the pitch where no wall or post is near, gap that counts as none,
# speed that a robot may gain in a tick
(
    WALLS, REACH, BOUNCE_WALL, BOUNCE_ROBOT, BOUNCE_PAIR, BOUNCE_BOARD, RUB_PAIR, RUB_WALL, CLEAR_X, CLEAR_Y, TOUCHING,
    GAIN,
) = range(20, 32)  # fmt: skip

FREE, LEANS, NUDGED = 0.0, 1.0, 2.0  # marks

SKIN = 5e-5  # [m] room that resting contacts keep, so that what the solver leaves over is no overlap
REST_SPEED = 0.02  # [m/s] slower contacts do not bounce, so that resting bodies rest
