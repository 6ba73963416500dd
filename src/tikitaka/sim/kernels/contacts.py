"""Contacts of the pairs that touch, as rows for the solver; `tables` has their columns."""

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import cross
from tikitaka.sim.kernels.chassis import INV_INERTIA, INV_MASS, OFFSET
from tikitaka.sim.kernels.gaps import ball_pitch_gap, rim_gap
from tikitaka.sim.kernels.hulls import hull_contacts, hull_wall
from tikitaka.sim.kernels.kicking import HEIGHT, INV_BALL, RADIUS, top_gap
from tikitaka.sim.kernels.tables import (
    BOUNCE,
    BOUNCE_BOARD,
    BOUNCE_PAIR,
    BOUNCE_ROBOT,
    BOUNCE_WALL,
    COS,
    DRAG,
    FLOOR,
    GAP,
    GIVE,
    LEVER_A,
    LEVER_B,
    NX,
    NY,
    PUSH,
    RUB,
    RUB_PAIR,
    RUB_WALL,
    SIN,
    SLIDE,
    STICK,
    STOP,
    TURN_A,
    TURN_B,
    WALLS,
    A,
    B,
    Floats,
    Robot,
    Room,
    Scratch,
    World,
)  # fmt: skip


@kernel
def levers(
    e: int, s: int, who: int, qx: float, qy: float, nx: float, ny: float, pose: Floats, offset: float, ahead: Floats
) -> tuple[float, float]:
    """Return the levers of normal and tangent about a robot's mass centre; none for the ball and the pitch."""
    if who < 0 or who == pose.shape[1]:
        return 0.0, 0.0
    dx = qx - pose[e, who, 0] - offset * ahead[s, who, COS]
    dy = qy - pose[e, who, 1] - offset * ahead[s, who, SIN]
    return cross(dx, dy, nx, ny), cross(dx, dy, -ny, nx)


@kernel
def yields(who: int, n: int, lever: float, chassis: Floats, inv_ball: float) -> float:
    """Return the speed that a unit impulse gives to a body's contact point along the impulse."""
    if who < 0:
        return 0.0
    return inv_ball if who == n else chassis[INV_MASS] + chassis[INV_INERTIA] * lever * lever


@kernel
def add_row(
    e: int, s: int, k: int, a: int, b: int, gap: float, qx: float, qy: float, nx: float, ny: float,
    world: World, play: Floats, chassis: Floats, ahead: Floats, rows: Floats,
) -> int:  # fmt: skip
    """Return the number of contacts after adding one that neither floors, bounces nor has been pushed yet."""
    n = world[0].shape[1]
    if k >= rows.shape[1]:
        return k
    la, ta = levers(e, s, a, qx, qy, nx, ny, world[0], chassis[OFFSET], ahead)
    lb, tb = levers(e, s, b, qx, qy, nx, ny, world[0], chassis[OFFSET], ahead)
    rows[s, k, A], rows[s, k, B], rows[s, k, NX], rows[s, k, NY], rows[s, k, GAP] = a, b, nx, ny, gap
    rows[s, k, LEVER_A], rows[s, k, LEVER_B], rows[s, k, TURN_A], rows[s, k, TURN_B] = la, lb, ta, tb
    give = yields(a, n, la, chassis, play[INV_BALL]) + yields(b, n, lb, chassis, play[INV_BALL])
    slide = yields(a, n, ta, chassis, play[INV_BALL]) + yields(b, n, tb, chassis, play[INV_BALL])
    rows[s, k, GIVE], rows[s, k, SLIDE], rows[s, k, STOP], rows[s, k, STICK] = give, slide, 1.0 / give, 1.0 / slide
    rows[s, k, RUB] = 0.0 if b == n else play[RUB_WALL] if a < 0 else play[RUB_PAIR]
    rows[s, k, FLOOR], rows[s, k, BOUNCE], rows[s, k, PUSH], rows[s, k, DRAG] = 0.0, 0.0, 0.0, 0.0
    if b < n:  # friction turns a long body into what it rubs on: a push as if there were none would overshoot for ever
        mixed = rows[s, k, RUB] * chassis[INV_INERTIA] * abs(lb * tb + la * ta)
        if mixed > give:
            rows[s, k, STOP] = 1.0 / (give + mixed)
    return k + 1


@kernel
def restitution(a: int, b: int, n: int, play: Floats) -> float:
    """Return how much of the normal speed comes back between two bodies."""
    if b == n:
        return float(play[BOUNCE_WALL] if a < 0 else play[BOUNCE_ROBOT])
    return float(play[BOUNCE_BOARD] if a < 0 else play[BOUNCE_PAIR])


@kernel
def add_ball_rows(
    e: int, s: int, k: int, a: int, near: float, world: World, room: Room, robot: Robot, scratch: Scratch
) -> int:
    """Return the number of contacts after adding those of the ball with a wall, a post or a robot's rim."""
    pose, ball, play, ahead, rows = world[0], world[3], room[5], scratch[0], scratch[2]
    n, px, py, r = pose.shape[1], ball[e, 0], ball[e, 1], play[RADIUS]
    gap2, mx, my = near, 0.0, 0.0
    if a < 0:
        gap, nx, ny = ball_pitch_gap(a, px, py, room)
    else:
        c, sn = ahead[s, a, COS], ahead[s, a, SIN]
        gap, nx, ny, gap2, mx, my = rim_gap(pose[e, a, 0], pose[e, a, 1], c, sn, px, py, room)
        if top_gap(gap, ball[e, 4], play[HEIGHT])[1]:
            return k
    if gap < near:
        k = add_row(e, s, k, a, n, gap, px - r * nx, py - r * ny, nx, ny, world, play, robot[0], ahead, rows)
    if gap2 < near:
        k = add_row(e, s, k, a, n, gap2, px - r * mx, py - r * my, mx, my, world, play, robot[0], ahead, rows)
    return k


@kernel
def hull_points(e: int, s: int, a: int, b: int, world: World, room: Room, ahead: Floats, manifold: Floats) -> int:
    """Return in how many points a robot meets another one, a wall or a post, however far apart; 1 or 2 are written."""
    pose, (boards, edges, hull, _, _, play), w = world[0], room, -1 - a
    x, y, c, sn = pose[e, b, 0], pose[e, b, 1], ahead[s, b, COS], ahead[s, b, SIN]
    if a >= 0:
        ca, sa = ahead[s, a, COS], ahead[s, a, SIN]
        return hull_contacts(pose[e, a, 0], pose[e, a, 1], ca, sa, hull, x, y, c, sn, hull, manifold, s)
    if w < play[WALLS]:
        return hull_wall(x, y, c, sn, hull, boards[w, 0], boards[w, 1], boards[w, 2], manifold, s)
    post = edges[w - int(play[WALLS])]
    return hull_contacts(boards[w, 0], boards[w, 1], 1.0, 0.0, post, x, y, c, sn, hull, manifold, s)


@kernel
def add_rows(
    e: int, s: int, k: int, a: int, b: int, near: float, world: World, room: Room, robot: Robot, scratch: Scratch
) -> int:
    """Return the number of contacts after adding those of a pair that are closer than ``near``."""
    ahead, rows, manifold, play = scratch[0], scratch[2], scratch[3], room[5]
    if b == world[0].shape[1]:
        return add_ball_rows(e, s, k, a, near, world, room, robot, scratch)
    for q in range(hull_points(e, s, a, b, world, room, ahead, manifold)):
        gap, qx, qy = manifold[s, q, 0], manifold[s, q, 1], manifold[s, q, 2]
        if gap < near:
            nx, ny = manifold[s, q, 3], manifold[s, q, 4]
            k = add_row(e, s, k, a, b, gap, qx, qy, nx, ny, world, play, robot[0], ahead, rows)
    return k
