"""What a robot does to the ball besides pushing it: its kicker, its dribbler and its top.

Body frame: x forward, y left, origin at the geometric centre; the mass centre lies d ahead of it.

bx, by  the ball's centre              ux, uy  velocity of the robot where the ball is
wx, wy  the ball's velocity against it  px, py  impulse [N s]
gap     from the robot's outline to the ball, seen from above; negative when the ball is over the robot
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clip_norm, cross
from tikitaka.sim.kernels.rolling import BOUNCE_GROUND, GRAVITY, VX, VY, VZ, X, Y, Z

Floats = NDArray[np.float64]

# gear, behind the numbers of the ground: centre to flat front; the ball's radius and inverse mass; the kicker's zone
# (WIDTH, and REACH before the front), its limits and its time to charge; the dribbler's force [N] and zone; the robot's
# inverse mass, inverse inertia about the mass centre, d and height
FRONT, RADIUS, INV_BALL, WIDTH, REACH, MAX_SPEED, MAX_LIFT, RECHARGE = range(5, 13)
PULL, PULL_WIDTH, PULL_REACH, INV_MASS, INV_INERTIA, OFFSET, HEIGHT = range(13, 20)

SETTLE = 0.04  # [s] chosen: a dribbled ball closes the gap to the mouth in about this time
SLOPE = math.radians(20.0)  # chosen: of the roof that stands for a robot's top, so that no ball rests on it
LEAST_HOP = 0.02  # [m/s] chosen: a ball hops down the roof; each hop, 2 v / (g cos), takes more than 4 ms
ROOF_SIN, ROOF_COS = math.sin(SLOPE), math.cos(SLOPE)


@kernel
def shove(
    e: int, i: int, velocity: Floats, c: float, s: float, bx: float, by: float, px: float, py: float, gear: Floats
) -> None:
    """Give robot i, whose heading is (c, s), the impulse (px, py) at the point (bx, by), both in its body frame."""
    turn = cross(bx - gear[OFFSET], by, px, py) * gear[INV_INERTIA]
    dx, dy = px * gear[INV_MASS], py * gear[INV_MASS] - turn * gear[OFFSET]
    velocity[e, i, 0] += c * dx - s * dy
    velocity[e, i, 1] += s * dx + c * dy
    velocity[e, i, 2] += turn


@kernel
def kick(
    e: int, i: int, pose: Floats, velocity: Floats, ball: Floats, charge: Floats,
    speed: float, lift: float, gear: Floats, dt: float,
) -> bool:  # fmt: skip
    """Return whether robot i kicks the ball now; call it once a substep: it also charges the kicker.

    The ball leaves along the heading at ``speed`` against the robot, so that the robot's own speed is added, and upward
    at ``lift``; its sideways velocity and its spin stay: it slides at first. All three together are at most MAX_SPEED;
    a kick that would be faster is made weaker. The robot recoils. ER-Force adds the robot's speed too, grSim does not.
    """
    charge[e, i] = max(0.0, charge[e, i] - dt)
    if not speed > 0.0 or charge[e, i] > 0.0 or ball[e, Z] > gear[RADIUS]:
        return False
    c, s = math.cos(pose[e, i, 2]), math.sin(pose[e, i, 2])
    qx, qy = ball[e, X] - pose[e, i, 0], ball[e, Y] - pose[e, i, 1]
    bx, by = c * qx + s * qy, c * qy - s * qx
    if not 0.0 < bx <= gear[FRONT] + gear[RADIUS] + gear[REACH] or abs(by) > 0.5 * gear[WIDTH]:
        return False
    ux = c * velocity[e, i, 0] + s * velocity[e, i, 1] - velocity[e, i, 2] * by
    side = c * ball[e, VY] - s * ball[e, VX]
    k, up = min(speed, gear[MAX_SPEED]), min(lift, gear[MAX_LIFT]) if lift > 0.0 else 0.0
    k2, room = k * k + up * up, gear[MAX_SPEED] * gear[MAX_SPEED] - ux * ux - side * side
    # the largest part of the kick with (ux + part k)^2 + side^2 + (part up)^2 <= MAX_SPEED^2
    part = min(1.0, (math.sqrt(max(0.0, ux * ux * k * k + k2 * room)) - ux * k) / k2)
    gain = ux + part * k - (c * ball[e, VX] + s * ball[e, VY])
    if part <= 0.0 or gain <= 0.0:
        return False
    ball[e, VX] += c * gain
    ball[e, VY] += s * gain
    ball[e, VZ] = max(ball[e, VZ], part * up)
    shove(e, i, velocity, c, s, bx, by, -gain / gear[INV_BALL], 0.0, gear)
    charge[e, i] = gear[RECHARGE]
    return True


@kernel
def dribble(e: int, i: int, pose: Floats, velocity: Floats, ball: Floats, gear: Floats, dt: float) -> bool:
    """Return whether the ball is before the mouth of robot i, whose dribbler turns: it is pulled there.

    The bar takes the ball's speed along the mouth and closes the gap within SETTLE, with a force of at most PULL;
    what needs more force than that, braking, turning or a hit, loses the ball. The robot feels the same force.
    """
    c, s = math.cos(pose[e, i, 2]), math.sin(pose[e, i, 2])
    qx, qy = ball[e, X] - pose[e, i, 0], ball[e, Y] - pose[e, i, 1]
    bx, by = c * qx + s * qy, c * qy - s * qx
    gap = bx - gear[FRONT] - gear[RADIUS]
    if not -gear[RADIUS] < gap <= gear[PULL_REACH] or abs(by) > 0.5 * gear[PULL_WIDTH] or ball[e, Z] > gear[RADIUS]:
        return False
    vx, vy = ball[e, VX] - velocity[e, i, 0], ball[e, VY] - velocity[e, i, 1]
    wx, wy = c * vx + s * vy + velocity[e, i, 2] * by, c * vy - s * vx - velocity[e, i, 2] * bx
    arm = bx - gear[OFFSET]
    mass = 1.0 / (gear[INV_BALL] + gear[INV_MASS] + (arm * arm + by * by) * gear[INV_INERTIA])
    away = wx + max(0.0, gap) / SETTLE  # faster than it should close the gap
    px, py = clip_norm(-mass * away, -mass * wy, gear[PULL] * dt)
    ball[e, VX] += (c * px - s * py) * gear[INV_BALL]
    ball[e, VY] += (s * px + c * py) * gear[INV_BALL]
    shove(e, i, velocity, c, s, bx, by, -px, -py, gear)
    return True


@kernel
def top_gap(gap: float, z: float, height: float) -> tuple[float, bool]:
    """Return the gap in space between robot and ball, and whether its top is nearer than its side.

    A ball whose lowest point is below HEIGHT meets the outline; above, a roof that begins at the outline grown by the
    ball's radius and rises inwards by SLOPE. So the gap is continuous where one meets the other, and never too small.
    """
    above = (z - height) * ROOF_COS + gap * ROOF_SIN
    return (above, True) if above > gap else (gap, False)


@kernel
def roof(
    e: int, i: int, pose: Floats, velocity: Floats, ball: Floats, nx: float, ny: float, gear: Floats, ground: Floats
) -> bool:  # fmt: skip
    """Return whether the ball bounced off the top of robot i; (nx, ny): the outline's normal towards the ball.

    The top has no friction and bounces like the ground. A ball that hits it more slowly than LEAST_HOP would hit again
    and again while no time passes: it leaves at LEAST_HOP, and slides so far down, under 0.06 mm, as that costs.
    """
    c, s = math.cos(pose[e, i, 2]), math.sin(pose[e, i, 2])
    qx, qy, turn = ball[e, X] - pose[e, i, 0], ball[e, Y] - pose[e, i, 1], velocity[e, i, 2]
    wx, wy = ball[e, VX] - velocity[e, i, 0] + turn * qy, ball[e, VY] - velocity[e, i, 1] - turn * qx
    hit = -(wx * nx + wy * ny) * ROOF_SIN - ball[e, VZ] * ROOF_COS
    if hit <= 0.0:
        return False
    lever = cross(qx - c * gear[OFFSET], qy - s * gear[OFFSET], nx, ny)
    robot = gear[INV_MASS] + lever * lever * gear[INV_INERTIA]
    back = max(ground[BOUNCE_GROUND] * hit, LEAST_HOP)
    slip = max(0.0, back * back - hit * hit) / (2.0 * ground[GRAVITY] * ROOF_SIN)
    p = (hit + back) / (gear[INV_BALL] + robot * ROOF_SIN * ROOF_SIN)
    px, py = p * ROOF_SIN * nx, p * ROOF_SIN * ny
    ball[e, VX] += px * gear[INV_BALL]
    ball[e, VY] += py * gear[INV_BALL]
    ball[e, VZ] += p * ROOF_COS * gear[INV_BALL]
    ball[e, X] += slip * ROOF_COS * nx
    ball[e, Y] += slip * ROOF_COS * ny
    ball[e, Z] -= slip * ROOF_SIN
    shove(e, i, velocity, c, s, c * qx + s * qy, c * qy - s * qx, -c * px - s * py, s * px - c * py, gear)
    return True
