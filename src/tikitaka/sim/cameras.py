"""Overhead cameras: State in, pictures out, late, noisy, with gaps and ghosts, without names where robots look alike.

The cameras share the pitch as a grid, each with a margin that its neighbours see too. In every tick each takes one
picture: of the middle of its exposure, a fixed share of a tick (its phase) before the tick itself.
"""

import dataclasses
import math
from dataclasses import dataclass

import numpy as np

from tikitaka.sim.kernels import seeing
from tikitaka.sim.pitch import State
from tikitaka.types import Field, Floats, Frame
from tikitaka.types.limits import LEAST, MOST, expect, expect_whole

TALLEST = 1e3  # [m] height of a camera that nobody can hide anything from

MAX_CAMERAS = 128  # there are no more streams of random numbers, see `kernels.hearing`
_RULES = (
    (LEAST, MOST, ("dt", "height")),
    (0.0, MOST, ("overlap", "exposure", "latency", "jitter", "noise_xy", "noise_theta", "noise_growth")),
    (0.0, MOST, ("robot_height", "ball_radius")),
    (0.0, 1.0, ("phase", "dropout")),
    (0.0, float(seeing.MOST_FALSE), ("false_robots", "false_balls")),
)


@dataclass(frozen=True, slots=True)
class CameraParams:
    """All cameras above one pitch; they differ in what they see and when, and in nothing else."""

    field: Field
    dt: float  # between two pictures of a camera
    key: tuple[int, int]  # of the counter-based generator
    labels: bool  # robots bear readable numbers
    count: int = 1
    overlap: float = 0.0  # width of the strip that two neighbours see
    phase: float = 0.0  # share of dt over which the cameras' pictures are spread
    exposure: float = 0.0
    latency: float = 0.0  # from the end of the exposure to the tick that hears of it
    jitter: float = 0.0  # mean of what comes on top, exponentially distributed
    noise_xy: float = 0.0  # standard deviation at the middle of a picture
    noise_theta: float = 0.0
    noise_growth: float = 0.0  # added share of it at the corners, with the square of the distance
    dropout: float = 0.0  # probability that one object is missed
    false_robots: float = 0.0  # mean number a picture
    false_balls: float = 0.0
    height: float = TALLEST  # above the ground
    robot_height: float = 0.0  # of the bodies that hide the ball; 0: they hide nothing
    ball_radius: float = 0.0
    hull: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)  # body: x from, x to, half width, radius
    views: Floats = dataclasses.field(init=False, repr=False)  # the above in the kernels' order
    optics: Floats = dataclasses.field(init=False, repr=False)
    body: Floats = dataclasses.field(init=False, repr=False)

    def __post_init__(self) -> None:
        expect_whole("camera.count", self.count, 1, MAX_CAMERAS)
        expect(self, _RULES, "camera.")
        noise = (self.noise_xy, self.noise_theta, self.noise_growth, self.dropout, self.labels)
        sight = (self.height, self.robot_height, self.ball_radius)
        times = (0.5 * self.exposure + self.latency, self.jitter)
        false = [f(rate) for rate in (self.false_robots, self.false_balls) for f in (float, lambda r: math.exp(-r))]
        object.__setattr__(self, "views", views(self.field, self.count, self.overlap, self.phase))
        object.__setattr__(self, "optics", np.array((*noise, *sight, *times, *false), np.float64))
        object.__setattr__(self, "body", np.array(self.hull))


def grid(count: int, aspect: float) -> tuple[int, int]:
    """Return columns and rows of ``count`` cells that are nearest to squares on a pitch of this aspect."""
    shapes = [(columns, count // columns) for columns in range(1, count + 1) if count % columns == 0]
    return min(shapes, key=lambda s: abs(math.log(aspect * s[1] / s[0])))


def views(field: Field, count: int, overlap: float, phase: float) -> Floats:
    """Return what each camera sees (c, 8), in the order of `seeing`; together they see the pitch, goals included."""
    x = field.half_length + max(field.margin_x, field.goal_depth)
    y = field.half_width + field.margin_y
    columns, rows = grid(count, x / y)
    found = []
    for c in range(count):
        x0, x1 = (x * (2.0 * k / columns - 1.0) for k in (c % columns, c % columns + 1))
        y0, y1 = (y * (2.0 * k / rows - 1.0) for k in (c // columns, c // columns + 1))
        wide = (max(-x, x0 - 0.5 * overlap), min(x, x1 + 0.5 * overlap))
        high = (max(-y, y0 - 0.5 * overlap), min(y, y1 + 0.5 * overlap))
        below = (0.5 * (x0 + x1), 0.5 * (y0 + y1))
        corner = math.hypot(*(max(b - m, m - a) for (a, b), m in zip((wide, high), below, strict=True)))
        found.append((*wide, *high, *below, corner, phase * c / count))
    return np.array(found)


def expose(params: CameraParams, state: State, before: State | None = None) -> tuple[Frame, ...]:
    """Return the pictures of the tick that led from ``before`` to this state, one a camera.

    None: everybody has just been put here, and all pictures are of now. Rows are sorted by x, which tells nothing.
    """
    cameras, n, most = params.count, len(state.pose), seeing.MOST_FALSE
    shown = params.views
    if before is None:
        before, shown = state, shown.copy()
        shown[:, seeing.AGE] = 0.0
    robots, balls = np.empty((1, cameras, n + most, 3)), np.empty((1, cameras, 1 + most, 2))
    team, label = np.empty((1, cameras, n + most), np.int64), np.empty((1, cameras, n + most), np.int64)
    counts, delay = np.empty((1, cameras, 2), np.int64), np.empty((1, cameras))
    seeing.look(
        0, params.key[0], params.key[1], state.tick, params.dt,
        before.pose[None], before.velocity[None], before.ball[None], state.pose[None], state.velocity[None],
        state.ball[None], shown, params.optics, params.body, robots, team, label, balls, counts, delay,
    )  # fmt: skip
    frames, ages = [], shown[:, seeing.AGE].tolist()
    for c, ((seen, rolling), late, age) in enumerate(zip(counts[0].tolist(), delay[0].tolist(), ages, strict=True)):
        taken = (state.tick - age) * params.dt
        rows = (balls[0, c, :rolling], robots[0, c, :seen], team[0, c, :seen], label[0, c, :seen])
        frames.append(Frame(taken, taken + late, *rows, c))
    return tuple(frames)
