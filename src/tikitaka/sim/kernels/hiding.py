"""Who hides the ball from a camera.

hull  (4,)  the robot's body: x from, x to, half width and radius; a box has a radius that cuts nothing off
line  the camera's line of sight to the top of the ball
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.frames import to_body
from tikitaka.geom.jit import kernel
from tikitaka.geom.segments import point_segment_distance
from tikitaka.sim.kernels.instants import pose_at

Floats = NDArray[np.float64]


@kernel
def body_cuts(ax: float, ay: float, bx: float, by: float, hull: Floats) -> bool:
    """Say whether a segment, given in the robot's frame, passes through its body: cut to its box, it meets its disc."""
    first, last = 0.0, 1.0
    for side in range(4):
        along_x = side < 2
        a, d = (ax, bx - ax) if along_x else (ay, by - ay)
        sign = 1.0 if side % 2 == 0 else -1.0
        edge = (hull[1] if side == 0 else -hull[0]) if along_x else hull[2]
        a, d = sign * a, sign * d  # inside is below the edge
        if d > 0.0:
            last = min(last, (edge - a) / d)
        elif d < 0.0:
            first = max(first, (edge - a) / d)
        elif a > edge:
            return False
    if first > last:
        return False
    dx, dy = bx - ax, by - ay
    away = point_segment_distance(0.0, 0.0, ax + first * dx, ay + first * dy, ax + last * dx, ay + last * dy)
    return bool(away <= hull[3])


@kernel
def is_hidden(
    e: int, x: float, y: float, z: float, radius: float, cx: float, cy: float, height: float, body_height: float,
    dt: float, age: float, old_pose: Floats, old_velocity: Floats, pose: Floats, velocity: Floats, hull: Floats,
) -> bool:  # fmt: skip
    """Say whether a robot stands between a camera at (cx, cy, height) and the top of the ball."""
    top = z + 2.0 * radius
    if top >= body_height or top >= height:
        return False
    share = (body_height - top) / (height - top)  # of the line that is below the robots' tops
    bx, by = x + share * (cx - x), y + share * (cy - y)
    reach = hull[3] + abs(bx - x) + abs(by - y)
    for i in range(pose.shape[1]):
        rx, ry, theta = pose_at(e, i, dt, age, old_pose, old_velocity, pose, velocity)
        if abs(rx - x) <= reach and abs(ry - y) <= reach:
            px, py = to_body(x, y, rx, ry, theta)
            qx, qy = to_body(bx, by, rx, ry, theta)
            if body_cuts(px, py, qx, qy, hull):
                return True
    return False
