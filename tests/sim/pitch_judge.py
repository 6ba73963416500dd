"""An independent judge of overlap: shapely polygons of robots and pitch, built from the league's numbers alone.

The ball meets a robot's whole outline, with its notch; robots and walls meet its convex hull.
"""

from functools import cache

import numpy as np
import shapely
from outline_shapes import polygon

from tikitaka import league, sim
from tikitaka.loop.build import pitch_params
from tikitaka.sim.drive import rows
from tikitaka.types import Commands, Field, Floats, Outline

LEAGUES = sorted(league.names())
TOLERANCE = 2e-6  # [m] by which hulls are drawn in, above the error of the polygons

Shapes = np.ndarray[tuple[int], np.dtype[np.object_]]


@cache
def params_of(name: str) -> sim.Params:
    return pitch_params(league.load(name))


def faults(params: sim.Params, state: sim.State) -> list[str]:
    """Return what no moment may show: overlaps, bodies outside the walls, numbers that are none."""
    arrays = (state.pose, state.velocity, state.ball)
    if not all(np.isfinite(array).all() for array in arrays):
        return ["not finite"]
    area, robots, ball = pitch(params.field), hulls(params, state.pose), shapely.Point(*state.ball[:2])
    first, second = shapely.STRtree(robots).query(robots, predicate="intersects")
    found = [f"robots {i} and {j}" for i, j in zip(first, second, strict=True) if i < j]
    found += [f"robot {i} outside" for i in np.flatnonzero(~shapely.covers(area, robots))]
    near = shapely.distance(bodies(params, state.pose), ball) < params.ball.radius - TOLERANCE
    if state.ball[4] < params.robot.height:  # above, it flies over them
        found += [f"ball in robot {i}" for i in np.flatnonzero(near)]
    if not area.covers(ball) or area.boundary.distance(ball) < params.ball.radius - TOLERANCE:
        found.append("ball outside")
    return found


def bodies(params: sim.Params, pose: Floats) -> Shapes:
    """Return the outlines of robots."""
    return _placed(_body(params.robot.outline), pose)


def hulls(params: sim.Params, pose: Floats) -> Shapes:
    """Return the convex hulls of robots, each drawn in by the tolerance."""
    return _placed(_hull(params.robot.outline), pose)


@cache
def pitch(f: Field) -> shapely.Polygon:
    """Return all the room there is: between the walls, and in the goals."""
    area = _walled(f) if f.margin_x == 0.0 else _open(f)
    shapely.prepare(area)
    return area


def stop(params: sim.Params) -> Commands:
    return Commands.stop(params.robots, len(params.robot.drive.wheels))


def drive(params: sim.Params, body: Floats) -> Commands:
    """Return the wheel speeds that give body velocities (n, 3), as perfect wheels do."""
    wheels = body @ rows(params.robot.drive).T / params.robot.drive.wheel_radius
    return Commands(wheels, np.zeros(params.robots), np.zeros(params.robots, np.bool_))


def chase(params: sim.Params, state: sim.State, x: float, y: float, speed: float) -> Commands:
    """Return the commands of robots that all turn and drive to one point, as hard as they can."""
    at = np.arctan2(y - state.pose[:, 1], x - state.pose[:, 0]) - state.pose[:, 2]
    body = np.stack((speed * np.cos(at), speed * np.sin(at), 8.0 * np.sin(at)), axis=1)
    return drive(params, body)


def _placed(points: Floats, pose: Floats) -> Shapes:
    c, s = np.cos(pose[:, 2]), np.sin(pose[:, 2])
    x = pose[:, 0, None] + c[:, None] * points[:, 0] - s[:, None] * points[:, 1]
    y = pose[:, 1, None] + s[:, None] * points[:, 0] + c[:, None] * points[:, 1]
    polygons: Shapes = shapely.polygons(np.stack((x, y), axis=2))
    return polygons


@cache
def _body(outline: Outline) -> Floats:
    return np.asarray(shapely.get_coordinates(polygon(outline)))


@cache
def _hull(outline: Outline) -> Floats:
    hull = polygon(outline).convex_hull.buffer(-TOLERANCE, join_style="mitre")
    return np.asarray(shapely.get_coordinates(hull))


def _board(f: Field) -> shapely.Polygon:
    x, y, c = f.half_length + f.margin_x, f.half_width + f.margin_y, f.corner
    right = [(x - c, -y), (x, -y + c), (x, y - c), (x - c, y)]
    return shapely.Polygon(right + [(-px, -py) for px, py in right])


def _walled(f: Field) -> shapely.Polygon:
    x = f.half_length + f.goal_depth
    return _board(f).union(_across(-x, x, 0.5 * f.goal_width))


def _open(f: Field) -> shapely.Polygon:
    x, w, t, area = f.half_length, 0.5 * f.goal_width, f.goal_wall, _board(f)
    for s in (1.0, -1.0):
        inside = _across(s * x, s * (x + f.goal_depth), w)
        outside = _across(s * x, s * (x + f.goal_depth + t), w + t)
        area = area.difference(outside.difference(inside))
    return area


def _across(x0: float, x1: float, half: float) -> shapely.Polygon:
    return shapely.box(min(x0, x1), -half, max(x0, x1), half)
