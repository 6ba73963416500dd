"""Gaps between the bodies of a pair; negative when they overlap.

A normal points from the first body to the second. Off a robot's top it also points up: the part that lies in the plane
is then shorter than 1.
"""

from tikitaka.geom.boxes import disc_box_cs
from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.hulls import hull_gap, wall_points
from tikitaka.sim.kernels.kicking import HEIGHT, RADIUS, ROOF_SIN, top_gap
from tikitaka.sim.kernels.rims import ball_gap
from tikitaka.sim.kernels.tables import WALLS, Room


@kernel
def rim_gap(
    x: float, y: float, c: float, sn: float, px: float, py: float, room: Room
) -> tuple[float, float, float, float, float, float]:
    """Return gap and normal towards the ball of a robot's nearest feature, and of the second one in a notch."""
    dx, dy = px - x, py - y
    found = ball_gap(dx * c + dy * sn, dy * c - dx * sn, room[5][RADIUS], room[3], room[4])
    gap, nx, ny, gap2, mx, my = found
    return gap, nx * c - ny * sn, nx * sn + ny * c, gap2, mx * c - my * sn, mx * sn + my * c


@kernel
def ball_pitch_gap(a: int, px: float, py: float, room: Room) -> tuple[float, float, float]:
    """Return gap and normal from a wall or post to the ball."""
    boards, r, w = room[0], room[5][RADIUS], -1 - a
    if w < room[5][WALLS]:
        return boards[w, 2] - boards[w, 0] * px - boards[w, 1] * py - r, -boards[w, 0], -boards[w, 1]
    return disc_box_cs(px, py, r, boards[w, 0], boards[w, 1], 1.0, 0.0, boards[w, 2], boards[w, 3])


@kernel
def is_top(nx: float, ny: float) -> bool:
    """Say whether a normal is that of a robot's top."""
    return nx * nx + ny * ny < 0.5


@kernel
def pair_gap(
    a: int, b: int, n: int, xa: float, ya: float, ca: float, sa: float,
    xb: float, yb: float, cb: float, sb: float, room: Room,
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Return gap, normal from a to b, and contact point; for the ball, cb is its height."""
    boards, edges, hull = room[0], room[1], room[2]
    if b == n:
        if a < 0:
            gap, nx, ny = ball_pitch_gap(a, xb, yb, room)
        else:
            gap, nx, ny, _, _, _ = rim_gap(xa, ya, ca, sa, xb, yb, room)
            gap, over = top_gap(gap, cb, room[5][HEIGHT])
            if over:
                nx, ny = ROOF_SIN * nx, ROOF_SIN * ny
        return gap, nx, ny, xb, yb
    if a >= 0:
        return hull_gap(xa, ya, ca, sa, hull, xb, yb, cb, sb, hull)
    w = -1 - a
    if w >= room[5][WALLS]:
        return hull_gap(boards[w, 0], boards[w, 1], 1.0, 0.0, edges[w - int(room[5][WALLS])], xb, yb, cb, sb, hull)
    k, gap, px, py, gap2, qx, qy = wall_points(xb, yb, cb, sb, hull, boards[w, 0], boards[w, 1], boards[w, 2])
    if k == 2 and gap2 < gap:
        return gap2, -boards[w, 0], -boards[w, 1], qx, qy
    return gap, -boards[w, 0], -boards[w, 1], px, py
