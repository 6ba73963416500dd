"""Detections, Commands -> World: one constant-velocity Kalman filter an axis, our own robots led by their commands.

The tracks stand at the time of the newest picture; the World is predicted from there to now, through the commands that
have acted since. Identity is kept by matching every frame's detections with the predicted tracks, cheapest pair first.
"""

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.estimate.kernels import ball as rolling
from tikitaka.estimate.kernels import motion
from tikitaka.estimate.kernels import robots as following
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
    width: float = 0.075  # [m] centres of two robots are never closer; FIRA and VSSS: cubes of 7.5 cm
    own_noise: float = 2.0  # [m^2/s^3] what commands do not explain: pushing, slipping
    their_noise: float = 8.0  # [m^2/s^3] an opponent brakes and turns as it likes
    turn_noise: float = 200.0  # [rad^2/s^3]
    max_speed: float = 4.0  # of a robot
    max_turn_rate: float = 30.0
    ball_noise: float = 20.0  # [m^2/s^3] touches by robots
    gate: float = 60.0  # squared Mahalanobis distance beyond which a detection is somebody else's
    ball_patience: int = 2  # ball detections outside the gate before it is believed to have jumped
    lost_after: float = 0.2  # [s] a robot unseen for so long may reappear anywhere

    model: Floats = dataclasses.field(init=False, repr=False)  # the above in the kernels' order
    noise: Floats = dataclasses.field(init=False, repr=False)

    def __post_init__(self) -> None:
        believed = (self.noise_xy**2, self.noise_theta**2, self.gate, self.lost_after)
        limits = (self.grip, self.spin, self.width, self.max_speed, self.max_turn_rate)
        object.__setattr__(self, "model", np.array(believed + limits))
        object.__setattr__(self, "noise", np.array((self.own_noise, self.their_noise, self.turn_noise)))


@dataclass(frozen=True, slots=True)
class Tracks:
    """What is remembered between two ticks; our robots are the first rows."""

    now: float  # time of the last tick
    time: float  # of the robots' newest picture
    robots: Floats  # (2n, 6) x, y, theta, vx, vy, omega
    robots_p: Floats  # (2n, 3, 3)
    seen: Floats  # (2n,) when each was seen last
    held: Floats  # (n,) 1: ours, and does not do as it was told
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
        held=np.zeros(n),
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
    _check(params, commands)
    told, told_time = tracks.told.copy(), tracks.told_time.copy()
    motion.remember(told, told_time, params.body_from_wheels, commands.wheels, tracks.now)
    robots, robots_p = tracks.robots.copy(), tracks.robots_p.copy()
    seen, held = tracks.seen.copy(), tracks.held.copy()
    ball, ball_p = tracks.ball.copy(), tracks.ball_p.copy()
    ball_seen, misses = tracks.ball_seen.copy(), tracks.ball_misses.copy()
    now, time, ball_time = detections.now, tracks.time, tracks.ball_time
    if detections.placed is not None:
        following.put(robots, robots_p, seen, detections.placed, now, params.noise_xy**2, params.noise_theta**2)
        ball[:], ball_p[:] = (*detections.placed[-1, :2], 0.0, 0.0), (params.noise_xy**2, 0.0, 0.01)
        time, ball_time, ball_seen[0], misses[0], held[:] = now, now, now, 0, 0.0
    d = detections
    time = following.follow_robots(
        robots, robots_p, seen, held, time, told, told_time,
        d.robot_time, d.robot_pose, d.robot_team, d.robot_label, params.model, params.noise, now,
        robots[: params.robots].copy(), np.empty((len(robots), 2)), np.empty((len(robots), len(d.robot_time))),
        np.empty(len(robots), np.int64), np.empty(len(d.robot_time), np.int64),
    )  # fmt: skip
    ball_time = rolling.follow_ball(
        ball, ball_p, ball_seen, misses, ball_time, d.ball_time, d.ball_xy,
        params.noise_xy**2, params.rolling, params.ball_noise, params.gate, params.ball_patience, now,
    )  # fmt: skip
    tracks = Tracks(
        now, time, robots, robots_p, seen, held, ball_time, ball, ball_p, ball_seen, misses, told, told_time
    )
    return tracks, _predict(params, tracks, detections)


def _check(params: Params, commands: Commands) -> None:
    """Raise where the kernels, which do not check, would read or write outside the arrays."""
    shape = (params.robots, params.body_from_wheels.shape[1])
    if commands.wheels.shape != shape:
        raise ContractError(f"commands.wheels must be {shape}; got {commands.wheels.shape}")


def _predict(params: Params, tracks: Tracks, detections: Detections) -> World:
    n, now = params.robots, detections.now
    robots, ball = tracks.robots.copy(), tracks.ball.copy()
    if now > tracks.time > -math.inf:
        motion.predict(
            robots,
            tracks.held,
            tracks.told,
            tracks.told_time,
            params.grip,
            params.spin,
            params.width,
            params.max_speed,
            tracks.time,
            now,
            np.empty((2 * n, 2)),
        )
    rolling.roll(ball, params.rolling, now - tracks.ball_time)
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
