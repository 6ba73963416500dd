"""The simulated pitch: State and Commands in, the next State out, and no overlap left."""

import dataclasses
import math
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tikitaka.errors import ContractError
from tikitaka.sim.kernels import motion
from tikitaka.types import Commands, Field, Floats

MAX_SUBSTEP = 0.004  # [s] a ball at 10 m/s then moves by less than its own diameter
LEAST_NEAR = 0.02  # [m] pushed robots may be faster than their wheels: 4 ms at 5 m/s


@dataclass(frozen=True, slots=True)
class RobotParams:
    """The robot as the physics knows it."""

    box: bool  # else a disc with a flat front
    half_length: float  # radius of a disc
    half_width: float
    mouth: float  # centre to flat front
    mass: float
    inertia: float
    grip: float  # largest acceleration that the tyres give
    spin: float  # largest angular acceleration
    max_wheel_speed: float  # [rad/s]
    body_from_wheels: Floats  # (3, w)


@dataclass(frozen=True, slots=True)
class BallParams:
    """The ball and what acts on it."""

    radius: float
    mass: float
    rolling_deceleration: float
    restitution_wall: float
    restitution_robot: float
    kick_width: float = 0.0  # zone before the front in which a robot kicks
    kick_reach: float = 0.0
    kick_max: float = 0.0


@dataclass(frozen=True, slots=True)
class Params:
    """One pitch; does not change during a match."""

    field: Field
    robot: RobotParams
    ball: BallParams
    robots: int  # of both teams
    dt: float
    restitution_pair: float = 0.1  # between robots; MI20 wants near 0, Klancar 1
    walls: Floats = dataclasses.field(init=False, repr=False)
    posts: Floats = dataclasses.field(init=False, repr=False)
    body: Floats = dataclasses.field(init=False, repr=False)
    play: Floats = dataclasses.field(init=False, repr=False)
    limits: Floats = dataclasses.field(init=False, repr=False)

    def __post_init__(self) -> None:
        r, b = self.robot, self.ball
        body = (r.box, r.half_length, r.half_width, r.mouth, 1.0 / r.mass, 1.0 / r.inertia, r.grip, r.spin)
        ball = (b.radius, 1.0 / b.mass, b.rolling_deceleration)
        bounces = (b.restitution_wall, b.restitution_robot, self.restitution_pair)
        near = self._near()
        play = (*ball, *bounces, b.kick_width, b.kick_reach, *_clear(self.field, max(near)), *near)
        object.__setattr__(self, "walls", _walls(self.field))
        object.__setattr__(self, "posts", _posts(self.field))
        object.__setattr__(self, "body", np.array(body, np.float64))
        object.__setattr__(self, "play", np.array(play, np.float64))
        object.__setattr__(self, "limits", np.array((r.max_wheel_speed, b.kick_max)))

    @property
    def substeps(self) -> int:
        """Number of physics steps in one tick."""
        return math.ceil(self.dt / MAX_SUBSTEP)

    def _near(self) -> tuple[float, float]:
        """Return how close two robots, and ball and robot, must be to touch within a substep at their top speeds."""
        h, wheels = self.dt / self.substeps, self.robot.max_wheel_speed * np.abs(self.robot.body_from_wheels)
        top = float(np.linalg.norm(wheels[:2].sum(axis=1)))
        ball = max(self.ball.kick_max, (1.0 + self.ball.restitution_robot) * top)
        return max(LEAST_NEAR, 2.0 * top * h), max(2.0 * LEAST_NEAR, (ball + top) * h)


@dataclass(frozen=True, slots=True)
class State:
    """The truth at one tick; blue's robots are the first rows."""

    tick: int
    pose: Floats  # (n, 3) x, y, theta
    velocity: Floats  # (n, 3) vx, vy, omega in the field frame
    ball: Floats  # (4,) x, y, vx, vy
    touched: NDArray[np.uint8]  # (n, n) who pushed whom since the last tick
    toucher: int  # robot that touched the ball last; -1: nobody yet


def start(params: Params) -> State:
    """Return an empty moment: everybody at the centre, to be placed by the referee."""
    n = params.robots
    return State(0, np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(4), np.zeros((n, n), np.uint8), -1)


def place(state: State, pose: Floats, ball_xy: Floats) -> State:
    """Return the state with robots and ball put somewhere, at rest."""
    ball = np.array((ball_xy[0], ball_xy[1], 0.0, 0.0))
    return replace(state, pose=pose.copy(), velocity=np.zeros_like(pose), ball=ball, toucher=-1)


def step(params: Params, state: State, commands: Commands) -> State:
    """Return the pitch one tick later; ``state`` is not touched."""
    _check(params, commands)
    n = params.robots
    pose, velocity, ball = state.pose[None].copy(), state.velocity[None].copy(), state.ball[None].copy()
    touched = np.zeros((1, n, n), np.uint8)
    toucher = motion.step(
        0, pose, velocity, ball, touched, state.toucher, commands.wheels.copy(), commands.kick.copy(),
        params.robot.body_from_wheels, params.limits, params.walls, params.posts, params.body, params.play,
        params.dt, params.substeps, _scratch(n, len(params.walls), len(params.posts)),
        np.empty((n, 3)), np.empty((n, 3)), np.empty(4),
    )  # fmt: skip
    return State(state.tick + 1, pose[0], velocity[0], ball[0], touched[0], toucher)


def _check(params: Params, commands: Commands) -> None:
    """Raise where the kernels, which do not check, would read or write outside the arrays."""
    n, shape = params.robots, (params.robots, params.robot.body_from_wheels.shape[1])
    if commands.wheels.shape != shape:
        raise ContractError(f"commands.wheels must be {shape}; got {commands.wheels.shape}")
    if commands.kick.shape != (n,):
        raise ContractError(f"commands.kick must be {(n,)}; got {commands.kick.shape}")


@cache
def _scratch(n: int, walls: int, posts: int) -> Floats:
    """Return room for every contact that there can be; nothing in it outlives a step, so one will do for all."""
    return np.empty((n * (n - 1) // 2 + n * (4 * walls + posts + 1) + walls + posts, 10))


def _walls(f: Field) -> Floats:
    x = f.half_length + (f.margin_x if f.margin_x > 0.0 else f.goal_depth)
    y = f.half_width + f.margin_y
    rows = [(1.0, 0.0, x), (-1.0, 0.0, x), (0.0, 1.0, y), (0.0, -1.0, y)]
    s = math.sqrt(0.5)
    if f.corner > 0.0:
        reach = s * (f.half_length + f.margin_x + f.half_width + f.margin_y - f.corner)
        rows += [(sx * s, sy * s, reach) for sx in (1.0, -1.0) for sy in (1.0, -1.0)]
    return np.array(rows)


def _clear(f: Field, near: float) -> tuple[float, float]:
    """Return the half sizes of the middle of the pitch, where neither wall nor post is near."""
    return f.half_length - f.corner - near, f.half_width - f.corner - near


def _posts(f: Field) -> Floats:
    """Return what stands beside (walls on the line) or around (free-standing) each goal."""
    x0, gy, t = f.half_length, 0.5 * f.goal_width, f.goal_wall
    if f.margin_x > 0.0:
        length = f.goal_depth + t
        sides = [(x0 + 0.5 * length, sy * (gy + 0.5 * t), 0.5 * length, 0.5 * t) for sy in (1.0, -1.0)]
        boxes = [*sides, (x0 + f.goal_depth + 0.5 * t, 0.0, 0.5 * t, gy)]
    else:
        deep, high = 0.5 * (f.goal_depth + 1.0), 0.5 * (f.half_width + f.margin_y - gy + 1.0)  # 1 m beyond the walls
        boxes = [(x0 + deep, sy * (gy + high), deep, high) for sy in (1.0, -1.0)]
    return np.array([(sx * x, y, hx, hy) for sx in (1.0, -1.0) for x, y, hx, hy in boxes])
