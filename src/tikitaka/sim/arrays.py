"""The arrays that the pitch's kernels work on, in the order in which `kernels.motion.step` takes them.

One world or many, on a processor or a graphics card: whoever steps worlds makes them by these lists.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tikitaka.sim.hull import box_hull, hull_array
from tikitaka.sim.kernels.chassis import BW, BX, BY
from tikitaka.sim.kernels.tables import AHEAD_COLUMNS, COLUMNS
from tikitaka.sim.outline import rim_arrays
from tikitaka.types import Field, Floats

if TYPE_CHECKING:
    from tikitaka.sim.params import Params

BALL_COLUMNS = 8  # x, y, vx, vy, z, vz, and the velocity of pure rolling; see `kernels.rolling`
MAX_HITS = 32  # impacts that a tick notes; more still happen
LEAST_GAIN = 0.5  # [m/s] chosen: contacts push, too
TOUCHING = {"float64": 1e-13, "float32": 5e-7}  # [m] gap that counts as none: a few roundings of a place on the pitch

Array = NDArray[Any]
Spec = tuple[tuple[int, ...], Any, float]  # shape, type, what it is filled with


def moving(params: Params, worlds: int) -> dict[str, Spec]:
    """Return what changes from tick to tick: names, shapes, types and first values."""
    n, w = params.robots, len(params.robot.drive.wheels)
    return {
        "pose": ((worlds, n, 3), np.float64, 0),
        "velocity": ((worlds, n, 3), np.float64, 0),
        "spin": ((worlds, n, w), np.float64, 0),
        "ball": ((worlds, BALL_COLUMNS), np.float64, 0),
        "charge": ((worlds, n), np.float64, 0),
        "touched": ((worlds, n, n), np.uint8, 0),
        "hits": ((worlds, MAX_HITS, 4), np.float64, 0),
        "counts": ((worlds, 3), np.int64, 0),
    }


def commanded(params: Params, worlds: int) -> dict[str, Spec]:
    """Return the commands: wheel rates, kicks, lifts and dribblers."""
    n, w = params.robots, len(params.robot.drive.wheels)
    return {
        "wheels": ((worlds, n, w), np.float64, 0),
        "kick": ((worlds, n), np.float64, 0),
        "lift": ((worlds, n), np.float64, 0),
        "dribble": ((worlds, n), np.uint8, 0),
    }


def fixed(params: Params, kind: str = "float64") -> tuple[Array, ...]:
    """Return what does not change during a match."""
    walls, posts, outline, drive = (
        walls_of(params.field),
        posts_of(params.field),
        params.robot.outline,
        params.robot.drive,
    )
    rim, bins = rim_arrays(outline, params.ball.radius)
    boards = np.concatenate((np.pad(walls, ((0, 0), (0, 1))), posts))
    edges = np.array([box_hull(hx, hy) for _, _, hx, hy in posts])
    limits = (params.dt, params.substeps, params.robot.max_wheel_speed, params.kicker.max_speed, params.kicker.max_lift)
    return (
        boards, edges, hull_array(outline), rim, bins, _play(params, TOUCHING[kind], len(walls)),
        drive.chassis, drive.wheels, np.array(limits),
    )  # fmt: skip


def scratch(params: Params, lanes: int) -> list[Spec]:
    """Return room to work in, one row a lane; nothing in it outlives a step.

    There is room for every pair that there can be. Contacts are those of neighbours: eight squares touch a square.
    """
    n, w, boards = (
        params.robots,
        len(params.robot.drive.wheels),
        len(walls_of(params.field)) + len(posts_of(params.field)),
    )
    pairs = n * (n - 1) // 2 + n * (boards + 1) + boards
    shapes: list[tuple[int, ...]] = [(n + 1, AHEAD_COLUMNS), (n, w), (12 * n + 16, COLUMNS), (2, 5), (pairs, 3)]
    return [((lanes, *shape), np.float64, 0) for shape in shapes]


def made(specs: list[Spec]) -> tuple[Array, ...]:
    """Return the arrays of such a list."""
    return tuple(np.full(shape, fill, kind) for shape, kind, fill in specs)


def walls_of(f: Field) -> Floats:
    """Return the half-planes (k, 3) that hold everything: nx x + ny y <= d."""
    x = f.half_length + (f.margin_x if f.margin_x > 0.0 else f.goal_depth)
    y = f.half_width + f.margin_y
    rows = [(1.0, 0.0, x), (-1.0, 0.0, x), (0.0, 1.0, y), (0.0, -1.0, y)]
    s = math.sqrt(0.5)
    if f.corner > 0.0:
        reach = s * (f.half_length + f.margin_x + f.half_width + f.margin_y - f.corner)
        rows += [(sx * s, sy * s, reach) for sx in (1.0, -1.0) for sy in (1.0, -1.0)]
    return np.array(rows)


def posts_of(f: Field) -> Floats:
    """Return the boxes (p, 4) that stand beside (walls on the line) or around (free-standing) each goal."""
    x0, gy, t = f.half_length, 0.5 * f.goal_width, f.goal_wall
    if f.margin_x > 0.0:
        length = f.goal_depth + t
        sides = [(x0 + 0.5 * length, sy * (gy + 0.5 * t), 0.5 * length, 0.5 * t) for sy in (1.0, -1.0)]
        boxes = [*sides, (x0 + f.goal_depth + 0.5 * t, 0.0, 0.5 * t, gy)]
    else:
        deep, high = 0.5 * (f.goal_depth + 1.0), 0.5 * (f.half_width + f.margin_y - gy + 1.0)  # 1 m beyond the walls
        boxes = [(x0 + deep, sy * (gy + high), deep, high) for sy in (1.0, -1.0)]
    return np.array([(sx * x, y, hx, hy) for sx in (1.0, -1.0) for x, y, hx, hy in boxes])


def _play(p: Params, touching: float, walls: int) -> Floats:
    b, c, f = p.ball, p.contact, p.field
    bounces = (b.restitution_wall, b.restitution_robot, c.restitution_pair, c.restitution_wall)
    clear = (f.half_length - f.corner, f.half_width - f.corner)  # no wall or post reaches in here
    meets = (walls, p.robot.outline.radius, *bounces, c.friction_pair, c.friction_wall, *clear, touching, _gain(p))
    return np.array((*_ground(p), *_gear(p), *meets), np.float64)


def _gain(p: Params) -> float:
    """Return the speed that a robot's corner may gain in a tick by its own wheels; perfect ones gain it at once."""
    drive, reach = p.robot.drive, p.robot.outline.radius
    if drive.kinematic:
        x, y, turn = p.robot.max_wheel_speed * np.abs(drive.wheels[:, [BX, BY, BW]]).sum(axis=0)
        return float(x + y + reach * turn)
    push, arm = drive.traction * p.ball.gravity, float(np.hypot(*drive.xy.T).max())
    return max(LEAST_GAIN, p.dt * push * (math.sqrt(2.0) + reach * arm * drive.mass / drive.inertia))


def _ground(p: Params) -> tuple[float, ...]:
    b = p.ball
    return b.sliding_friction, b.rolling_deceleration, b.rolling_damping, b.gravity, b.restitution_ground


def _gear(p: Params) -> tuple[float, ...]:
    k, d, drive = p.kicker, p.dribbler, p.robot.drive
    kicker = (p.robot.front, p.ball.radius, 1.0 / p.ball.mass, k.width, k.reach, k.max_speed, k.max_lift, k.recharge)
    body = (1.0 / drive.mass, 1.0 / drive.inertia, drive.offset, p.robot.height)
    return (*kicker, d.force, d.width, d.reach, *body)
