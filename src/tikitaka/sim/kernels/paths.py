"""Where everybody is within a substep: cubic Hermite paths of robots, the closed form of the ball.

m   mean speed over the substep
u   part of the substep that has passed
"""

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.chassis import cos_sin, put
from tikitaka.sim.kernels.rolling import glide
from tikitaka.sim.kernels.tables import BEGAN, COS, FREE, MARK, SIN, UNTIL, Floats, Scratch, World

Ball = tuple[float, float, float, float, float, float, float, float]


@kernel
def hermite(p0: float, v0: float, p1: float, v1: float, t: float, left: float) -> tuple[float, float]:
    """Return place and speed at t of the cubic that goes from p0 at v0 to p1 at v1 in ``left``."""
    u, m = t / left, (p1 - p0) / left
    bend, twist = 3.0 * m - 2.0 * v0 - v1, v0 + v1 - 2.0 * m
    return p0 + t * (v0 + u * (bend + u * twist)), v0 + u * (2.0 * bend + 3.0 * u * twist)


@kernel
def robot_at(
    e: int, s: int, i: int, t: float, left: float, world: World, ahead: Floats
) -> tuple[float, float, float, float, float, float]:
    """Return pose and velocity of a robot at t."""
    pose, velocity = world[0], world[1]
    x, vx = hermite(pose[e, i, 0], velocity[e, i, 0], ahead[s, i, 0], ahead[s, i, 3], t, left)
    y, vy = hermite(pose[e, i, 1], velocity[e, i, 1], ahead[s, i, 1], ahead[s, i, 4], t, left)
    theta, omega = hermite(pose[e, i, 2], velocity[e, i, 2], ahead[s, i, 2], ahead[s, i, 5], t, left)
    return x, y, theta, vx, vy, omega


@kernel
def ball_at(e: int, s: int, t: float, left: float, ball: Floats, ahead: Floats, play: Floats) -> Ball:
    """Return the ball's columns at t: free by its closed form, straight on at a constant speed where it leans."""
    n = ahead.shape[1] - 1
    x, y, vx, vy, z, vz, rx, ry = (
        ball[e, 0], ball[e, 1], ball[e, 2], ball[e, 3], ball[e, 4], ball[e, 5], ball[e, 6], ball[e, 7]
    )  # fmt: skip
    if ahead[s, n, MARK] == FREE:
        return glide(x, y, vx, vy, z, vz, rx, ry, t, play)
    if z > 0.0 or vz != 0.0:
        gone = glide(x, y, vx, vy, z, vz, rx, ry, t, play)
        z, vz = gone[4], gone[5]
    u = t / left
    return x + vx * t, y + vy * t, vx, vy, z, vz, rx + u * (ahead[s, n, 6] - rx), ry + u * (ahead[s, n, 7] - ry)


@kernel
def ball_then(s: int, ahead: Floats) -> Ball:
    """Return the ball's columns as they were foreseen."""
    n = ahead.shape[1] - 1
    return (
        ahead[s, n, 0], ahead[s, n, 1], ahead[s, n, 2], ahead[s, n, 3],
        ahead[s, n, 4], ahead[s, n, 5], ahead[s, n, 6], ahead[s, n, 7],
    )  # fmt: skip


@kernel
def set_ball(e: int, columns: Ball, ball: Floats) -> None:
    """Write all columns of the ball."""
    ball[e, 0], ball[e, 1], ball[e, 2], ball[e, 3] = columns[0], columns[1], columns[2], columns[3]
    ball[e, 4], ball[e, 5], ball[e, 6], ball[e, 7] = columns[4], columns[5], columns[6], columns[7]


@kernel
def body_now(
    e: int, s: int, who: int, world: World, ahead: Floats
) -> tuple[float, float, float, float, float, float, float]:
    """Return what `body_at` does, at the beginning."""
    pose, velocity, _, ball = world
    if who < 0:
        return 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0
    if who == pose.shape[1]:
        return ball[e, 0], ball[e, 1], ball[e, 4], ball[e, 5], ball[e, 2], ball[e, 3], 0.0
    c, sn, vx, vy, omega = (
        ahead[s, who, COS],
        ahead[s, who, SIN],
        velocity[e, who, 0],
        velocity[e, who, 1],
        velocity[e, who, 2],
    )
    return pose[e, who, 0], pose[e, who, 1], c, sn, vx, vy, omega


@kernel
def body_at(
    e: int, s: int, who: int, t: float, left: float, world: World, ahead: Floats, play: Floats
) -> tuple[float, float, float, float, float, float, float]:
    """Return place, cosine and sine of the heading, and velocity of a body at t; the pitch stands still.

    The ball has no heading: its height and the speed at which it rises stand there.
    """
    if who < 0:
        return 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0
    if who == world[0].shape[1]:
        gone = ball_at(e, s, t, left, world[3], ahead, play)
        return gone[0], gone[1], gone[4], gone[5], gone[2], gone[3], 0.0
    x, y, theta, vx, vy, omega = robot_at(e, s, who, t, left, world, ahead)
    c, sn = cos_sin(theta)
    return x, y, c, sn, vx, vy, omega


@kernel
def go_straight(
    e: int, s: int, i: int, left: float, vx: float, vy: float, omega: float, world: World, scratch: Scratch
) -> None:
    """Give a robot its velocity and a straight path."""
    pose, velocity, ahead = world[0], world[1], scratch[0]
    x, y, theta, ox, oy, turn = (
        pose[e, i, 0], pose[e, i, 1], pose[e, i, 2], velocity[e, i, 0], velocity[e, i, 1], velocity[e, i, 2]
    )  # fmt: skip
    ahead[s, i, BEGAN], ahead[s, i, BEGAN + 1], ahead[s, i, BEGAN + 2] = ox, oy, turn
    velocity[e, i, 0], velocity[e, i, 1], velocity[e, i, 2] = vx, vy, omega
    put(s, i, ahead, x + vx * left, y + vy * left, theta + omega * left, vx, vy, omega)
    ahead[s, i, UNTIL] = 0.0
