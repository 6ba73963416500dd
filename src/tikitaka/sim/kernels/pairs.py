"""Who may meet whom within a time h: bodies whose circles, grown by the way they can go, touch.

far   how far apart the centres of two robots may be that can meet; far_ball: of a robot and the ball
"""

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm
from tikitaka.sim.kernels.kicking import HEIGHT, RADIUS
from tikitaka.sim.kernels.tables import CLEAR_X, CLEAR_Y, GAIN, REACH, WALLS, Floats, Room, World

MARGIN = 2e-3  # [m] more than any skin


@kernel
def add_pair(s: int, k: int, a: int, b: int, pairs: Floats) -> int:
    """Return the number of pairs after adding one."""
    if k >= pairs.shape[1]:
        return k
    pairs[s, k, 0], pairs[s, k, 1] = a, b
    return k + 1


@kernel
def bit(who: int) -> int:
    """Return the bit of a body in a number that says who is meant; the pitch has none."""
    return 1 << who if who >= 0 else 0


@kernel
def close_by(ax: float, ay: float, bx: float, by: float, reach: float) -> bool:
    """Say whether two points are closer than ``reach``."""
    dx, dy = bx - ax, by - ay
    return abs(dx) < reach and abs(dy) < reach and dx * dx + dy * dy < reach * reach


@kernel
def beside(w: int, x: float, y: float, reach: float, room: Room) -> bool:
    """Say whether a wall or post is closer to a point than ``reach``, or little farther."""
    boards = room[0]
    if w < room[5][WALLS]:
        return bool(boards[w, 2] - boards[w, 0] * x - boards[w, 1] * y < reach)
    return bool(abs(x - boards[w, 0]) < boards[w, 2] + reach and abs(y - boards[w, 1]) < boards[w, 3] + reach)


@kernel
def may_touch(e: int, a: int, b: int, world: World, room: Room) -> bool:
    """Say whether the circles around two bodies are closer than any skin."""
    pose, ball, play = world[0], world[3], room[5]
    x, y, own = ball[e, 0], ball[e, 1], play[RADIUS]
    if b < pose.shape[1]:
        x, y, own = pose[e, b, 0], pose[e, b, 1], play[REACH]
    if a < 0:
        return beside(-1 - a, x, y, own + MARGIN, room)
    return close_by(pose[e, a, 0], pose[e, a, 1], x, y, play[REACH] + own + MARGIN)


@kernel
def add_pitch(s: int, k: int, b: int, x: float, y: float, reach: float, room: Room, pairs: Floats) -> int:
    """Return the number of pairs after adding those of a body with walls and posts."""
    if abs(x) + reach < room[5][CLEAR_X] and abs(y) + reach < room[5][CLEAR_Y]:
        return k
    for w in range(room[0].shape[0]):
        if beside(w, x, y, reach, room):
            k = add_pair(s, k, -1 - w, b, pairs)
    return k


@kernel
def top_speed(e: int, velocity: Floats, reach: float) -> float:
    """Return the speed of the fastest corner, or more."""
    top = 0.0
    for i in range(velocity.shape[1]):
        top = max(top, abs(velocity[e, i, 0]) + abs(velocity[e, i, 1]) + reach * abs(velocity[e, i, 2]))
    return top


@kernel
def reaches(e: int, world: World, play: Floats, h: float) -> tuple[float, float]:
    """Return how far apart the centres of two robots, and of a robot and the ball, may be that can meet within h."""
    top = top_speed(e, world[1], play[REACH]) + play[GAIN]
    fast = norm(world[3][e, 2], world[3][e, 3])
    return 2.0 * (play[REACH] + top * h) + MARGIN, play[REACH] + play[RADIUS] + (fast + 3.0 * top) * h + MARGIN


@kernel
def list_pairs(e: int, s: int, world: World, room: Room, pairs: Floats, h: float) -> int:
    """Return how many pairs there are that may meet within h; they are written to ``pairs``."""
    far, far_ball = reaches(e, world, room[5], h)
    return list_within(e, s, world, room, pairs, far, far_ball, abs(world[3][e, 5]) * h)


@kernel
def list_within(
    e: int, s: int, world: World, room: Room, pairs: Floats, far: float, far_ball: float, sinks: float
) -> int:
    """Return how many pairs there are whose centres are nearer than that; sinks: so far the ball may come down."""
    pose, ball, play = world[0], world[3], room[5]
    n, k, reach, r = pose.shape[1], min(e, 0), play[REACH], play[RADIUS]
    px, py, low = ball[e, 0], ball[e, 1], ball[e, 4] < play[HEIGHT] + r + sinks
    for i in range(n):
        x, y = pose[e, i, 0], pose[e, i, 1]
        for j in range(i + 1, n):
            if close_by(x, y, pose[e, j, 0], pose[e, j, 1], far):
                k = add_pair(s, k, i, j, pairs)
        k = add_pitch(s, k, i, x, y, far - reach, room, pairs)
        if low and close_by(x, y, px, py, far_ball):
            k = add_pair(s, k, i, n, pairs)
    return add_pitch(s, k, n, px, py, far_ball - reach, room, pairs)
