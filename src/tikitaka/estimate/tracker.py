"""Detections, Commands -> World: one constant-velocity Kalman filter an axis, our own robots led by their commands.

The tracks stand at the time of the newest picture; the World is predicted from there to now, through the commands that
have acted since. Identity is kept by matching every frame's detections with the predicted tracks, cheapest pair first.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from tikitaka.estimate import kernels
from tikitaka.types import Ball, Commands, Detections, Field, Floats, Ints, Robots, World

HISTORY = 16  # commands kept: a latency of up to 16 ticks can be bridged


@dataclass(frozen=True, slots=True)
class Params:
    """What the filter believes about the pitch."""

    field: Field
    robots: int  # a team
    body_from_wheels: Floats  # (3, w)
    grip: float  # largest acceleration of our robots
    spin: float
    noise_xy: float  # standard deviation of a detection
    noise_theta: float
    rolling: float  # the ball's deceleration
    own_noise: float = 2.0  # [m^2/s^3] what commands do not explain: pushing, slipping
    their_noise: float = 8.0  # [m^2/s^3] an opponent brakes and turns as it likes
    turn_noise: float = 200.0  # [rad^2/s^3]
    ball_noise: float = 20.0  # [m^2/s^3] touches by robots
    gate: float = 60.0  # squared Mahalanobis distance beyond which a detection is somebody else's
    ball_patience: int = 2  # ball detections outside the gate before it is believed to have jumped
    lost_after: float = 0.2  # [s] a robot unseen for so long may reappear anywhere

    model: Floats = field(init=False, repr=False)  # the above in the kernels' order
    noise: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        model = (self.noise_xy**2, self.noise_theta**2, self.gate, self.lost_after, self.grip, self.spin)
        object.__setattr__(self, "model", np.array(model))
        object.__setattr__(self, "noise", np.array((self.own_noise, self.their_noise, self.turn_noise)))


@dataclass(frozen=True, slots=True)
class Tracks:
    """What is remembered between two ticks; our robots are the first rows."""

    now: float  # time of the last tick
    time: float  # of the robots' newest picture
    robots: Floats  # (2n, 6) x, y, theta, vx, vy, omega
    robots_p: Floats  # (2n, 3, 3)
    seen: Floats  # (2n,) when each was seen last
    ball_time: float
    ball: Floats  # (4,)
    ball_p: Floats  # (3,)
    ball_seen: Floats  # (1,)
    ball_misses: Ints  # (1,)
    told: Floats  # (h, n, 3) body velocities, newest last
    told_time: Floats  # (h,)


def start(params: Params) -> Tracks:
    """Return tracks that know nothing yet; the referee's first placement sets them."""
    n = params.robots
    return Tracks(
        now=-math.inf,
        time=-math.inf,
        robots=np.zeros((2 * n, 6)),
        robots_p=np.ones((2 * n, 3, 3)),
        seen=np.zeros(2 * n),
        ball_time=-math.inf,
        ball=np.zeros(4),
        ball_p=np.ones(3),
        ball_seen=np.zeros(1),
        ball_misses=np.zeros(1, np.int64),
        told=np.zeros((HISTORY, n, 3)),
        told_time=np.full(HISTORY, -math.inf),
    )


def step(params: Params, tracks: Tracks, detections: Detections, commands: Commands) -> tuple[Tracks, World]:
    """Return the tracks after this tick's detections and the World at ``detections.now``.

    ``commands`` are those sent at the last tick: they have acted since.
    """
    told, told_time = tracks.told.copy(), tracks.told_time.copy()
    kernels.remember(told, told_time, params.body_from_wheels, commands.wheels, tracks.now)
    robots, robots_p, seen = tracks.robots.copy(), tracks.robots_p.copy(), tracks.seen.copy()
    ball, ball_p = tracks.ball.copy(), tracks.ball_p.copy()
    ball_seen, misses = tracks.ball_seen.copy(), tracks.ball_misses.copy()
    now, time, ball_time = detections.now, tracks.time, tracks.ball_time
    if detections.placed is not None:
        kernels.put(
            robots, robots_p, seen, ball, ball_p, detections.placed, now, params.noise_xy**2, params.noise_theta**2
        )
        time, ball_time, ball_seen[0], misses[0] = now, now, now, 0
    d = detections
    time = kernels.follow_robots(
        robots, robots_p, seen, params.robots, time, told, told_time,
        d.robot_time, d.robot_pose, d.robot_team, d.robot_label, params.model, params.noise, now,
        np.empty((len(robots), len(d.robot_time))), np.empty(len(robots), np.int64),
    )  # fmt: skip
    ball_time = kernels.follow_ball(
        ball, ball_p, ball_seen, misses, ball_time, d.ball_time, d.ball_xy,
        params.noise_xy**2, params.rolling, params.ball_noise, params.gate, params.ball_patience, now,
    )  # fmt: skip
    tracks = Tracks(
        now, time, robots, robots_p, seen, ball_time, ball, ball_p, ball_seen, misses, told, told_time
    )
    return tracks, _predict(params, tracks, detections)


def _predict(params: Params, tracks: Tracks, detections: Detections) -> World:
    n, now = params.robots, detections.now
    robots, ball = tracks.robots.copy(), tracks.ball.copy()
    kernels.advance(
        robots, tracks.robots_p.copy(), n, tracks.told, tracks.told_time, params.grip, params.spin, _NO_NOISE, tracks.time, now
    )
    kernels.roll(ball, tracks.ball_p.copy(), params.rolling, 0.0, now - tracks.ball_time)
    age = now - tracks.seen
    for array in (robots, age):
        array.flags.writeable = False  # a team's own code gets these
    x, y, vx, vy = ball.tolist()
    return World(
        time=now,
        field=params.field,
        ball=Ball(x, y, vx, vy, now - float(tracks.ball_seen[0])),
        ours=Robots(robots[:n, :3], robots[:n, 3:], age[:n]),
        theirs=Robots(robots[n:, :3], robots[n:, 3:], age[n:]),
        game=detections.game,
    )


_NO_NOISE = np.zeros(3)
