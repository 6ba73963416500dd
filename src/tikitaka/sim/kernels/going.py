"""Everybody moved along their paths: to the end of a round as foreseen, or to an impact before it.

left   how long the paths are; t   how far along them
"""

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.chassis import cos_sin
from tikitaka.sim.kernels.paths import ball_at, ball_then, robot_at, set_ball
from tikitaka.sim.kernels.tables import BEGAN, COS, FREE, MARK, SIN, UNTIL, Floats, Scratch, World


@kernel
def go(e: int, s: int, t: float, left: float, world: World, scratch: Scratch, play: Floats) -> None:
    """Move everybody along their paths to t."""
    go_ball(e, s, t, left, world[3], scratch[0], play)
    for i in range(world[0].shape[1]):
        go_robot(e, s, i, t, left, world, scratch)
        scratch[0][s, i, UNTIL] -= t


@kernel
def go_ball(e: int, s: int, t: float, left: float, ball: Floats, ahead: Floats, play: Floats) -> None:
    """Move the ball along its path to t."""
    n = ahead.shape[1] - 1
    if t == left and ahead[s, n, MARK] == FREE:  # as foreseen
        set_ball(e, ball_then(s, ahead), ball)
        return
    gone, rest, vx, vy = ball_at(e, s, t, left, ball, ahead, play), 1.0 - t / left, ball[e, 2], ball[e, 3]
    set_ball(e, gone, ball)
    if ahead[s, n, MARK] != FREE:  # what leaning changes it changes bit by bit
        ball[e, 2] -= rest * (vx - ahead[s, n, BEGAN])
        ball[e, 3] -= rest * (vy - ahead[s, n, BEGAN + 1])


@kernel
def go_robot(e: int, s: int, i: int, t: float, left: float, world: World, scratch: Scratch) -> None:
    """Move a robot along its path to t; a card asks for all that the common case needs before it waits for t."""
    pose, velocity, spin, _ = world
    ahead, after = scratch[0], scratch[1]
    rate, rate_2 = after[s, i, 0], after[s, i, 1]
    x, y, theta, vx, vy, omega = (
        ahead[s, i, 0], ahead[s, i, 1], ahead[s, i, 2], ahead[s, i, 3], ahead[s, i, 4], ahead[s, i, 5]
    )  # fmt: skip
    if t == left:
        spin[e, i, 0], spin[e, i, 1] = rate, rate_2
        for k in range(2, spin.shape[2]):
            spin[e, i, k] = after[s, i, k]
    else:
        u = t / left
        for k in range(spin.shape[2]):
            spin[e, i, k] += u * (after[s, i, k] - spin[e, i, k])
        x, y, theta, vx, vy, omega = robot_at(e, s, i, t, left, world, ahead)
        if ahead[s, i, MARK] != FREE:
            vx -= (1.0 - u) * (velocity[e, i, 0] - ahead[s, i, BEGAN])
            vy -= (1.0 - u) * (velocity[e, i, 1] - ahead[s, i, BEGAN + 1])
            omega -= (1.0 - u) * (velocity[e, i, 2] - ahead[s, i, BEGAN + 2])
    c, sn = cos_sin(theta)
    pose[e, i, 0], pose[e, i, 1], pose[e, i, 2] = x, y, theta
    velocity[e, i, 0], velocity[e, i, 1], velocity[e, i, 2] = vx, vy, omega
    ahead[s, i, COS], ahead[s, i, SIN] = c, sn
