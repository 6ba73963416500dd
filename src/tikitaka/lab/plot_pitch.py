"""A pitch from above as a panel: walls, lines, robots with their real outline, the ball, trails and velocities."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tikitaka.lab.plot import BLUE, FAINT, INK, ORANGE, YELLOW, Panel, number, path, text, thin
from tikitaka.sim import Params, State
from tikitaka.sim.arrays import posts_of
from tikitaka.types import Field, Floats

TURF = "#3b9d5c22"
AHEAD = 0.1  # [s] a robot's velocity is drawn as the way it would go in this time
EDGE = 6  # [px] around a pitch
HEAD = 40  # [px] above it, for words


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the field that is drawn."""

    x0: float
    x1: float
    y0: float
    y1: float


def whole(f: Field) -> Window:
    """Return the window that shows all, with the goals."""
    x, y = f.half_length + max(f.margin_x, f.goal_depth), f.half_width + f.margin_y
    return Window(-x, x, -y, y)


def pitch(
    params: Params, state: State, window: Window, width: float, words: Sequence[str] = (), trail: Floats | None = None
) -> Panel:
    """Return a moment: robots, ball, velocities; ``words`` above it, and the ball's way (k, 2) so far."""
    view = _View(window, (width - 2 * EDGE) / (window.x1 - window.x0))
    height = view.scale * (window.y1 - window.y0)
    parts = [text(EDGE, 16 + 17 * k, line, 13 - k, bold=k == 0) for k, line in enumerate(words)]
    clip = f"{EDGE} {HEAD} {number(width - 2 * EDGE)} {number(height)}"
    x, y, w, h = clip.split(" ")
    inner = [
        *_ground(params.field, view),
        *_trail(trail, view),
        *_robots(params, state, view),
        *_ball(params, state, view),
    ]
    frame = f'<svg x="{x}" y="{y}" width="{w}" height="{h}" viewBox="{clip}">'
    parts.append(f"{frame}\n" + "\n".join(inner) + "\n</svg>")
    return Panel(width, HEAD + height + EDGE, "\n".join(parts))


@dataclass(frozen=True, slots=True)
class _View:
    window: Window
    scale: float  # [px/m]

    def at(self, xy: Floats) -> list[tuple[float, float]]:
        """Return the pixels of points (k, 2)."""
        px = EDGE + self.scale * (xy[:, 0] - self.window.x0)
        py = HEAD + self.scale * (self.window.y1 - xy[:, 1])
        return list(zip(px.tolist(), py.tolist(), strict=True))


def _ground(f: Field, view: _View) -> list[str]:
    x, y, c = f.half_length + f.margin_x, f.half_width + f.margin_y, f.corner
    board = _mirrored([(x - c, -y), (x, -y + c), (x, y - c), (x - c, y)] if c else [(x, -y), (x, y)])
    parts = [_polygon(view.at(board), TURF, INK if f.margin_x == 0.0 else "none")]
    if f.margin_x == 0.0:
        gx, gy = f.half_length + f.goal_depth, 0.5 * f.goal_width
        goals = [np.array([(s * x, -gy), (s * gx, -gy), (s * gx, gy), (s * x, gy)]) for s in (1.0, -1.0)]
        parts += [_polygon(view.at(goal), TURF, INK) for goal in goals]
    else:
        boxes = [np.array(_box(*post)) for post in posts_of(f)]
        parts += [_polygon(view.at(box), INK, "none") for box in boxes]
        parts.append(_polygon(view.at(_mirrored([(f.half_length, -f.half_width), (f.half_length, f.half_width)]))))
    for s in (1.0, -1.0):
        area = [(s * f.half_length, 0.5 * f.area_width), (s * (f.half_length - f.area_length), 0.5 * f.area_width)]
        parts.append(_polygon(view.at(np.array(area + [(px, -py) for px, py in area[::-1]]))))
    [(cx, cy), top] = view.at(np.array([(0.0, 0.0), (0.0, f.half_width)]))
    parts.append(f'<path d="M{number(cx)} {number(top[1])}V{number(2 * cy - top[1])}" stroke="{FAINT}"/>')
    return [*parts, _circle(cx, cy, view.scale * f.circle_radius, "none", FAINT)]


def _robots(params: Params, state: State, view: _View) -> list[str]:
    outline, parts = np.array(params.robot.outline.polygon(2e-4)), list[str]()
    for i, (pose, velocity) in enumerate(zip(state.pose, state.velocity, strict=True)):
        colour = BLUE if i < params.robots // 2 else YELLOW
        parts.append(_polygon(view.at(_placed(outline, pose)), colour + "66", colour, 1.5))
        front = np.array([(0.0, 0.0), (0.7 * params.robot.front, 0.0)])
        parts.append(f'<polyline points="{path(view.at(_placed(front, pose)))}" stroke="{colour}" stroke-width="2"/>')
        if np.hypot(*velocity[:2]) * AHEAD * view.scale > 3.0:
            way = np.array([pose[:2], pose[:2] + AHEAD * velocity[:2]])
            parts.append(f'<polyline points="{path(view.at(way))}" stroke="{INK}" stroke-width="1.5"/>')
    return parts


def _ball(params: Params, state: State, view: _View) -> list[str]:
    [(x, y)] = view.at(state.ball[None, :2])
    return [_circle(x, y, view.scale * params.ball.radius, ORANGE, "none")]


def _trail(trail: Floats | None, view: _View) -> list[str]:
    if trail is None or len(trail) < 2:
        return []
    points = path(thin(view.at(trail)))
    return [f'<polyline points="{points}" fill="none" stroke="{ORANGE}" stroke-width="1.5" stroke-dasharray="3 3"/>']


def _placed(points: Floats, pose: Floats) -> Floats:
    c, s = math.cos(pose[2]), math.sin(pose[2])
    return np.asarray(pose[:2] + points @ np.array([(c, s), (-s, c)]))


def _mirrored(right: list[tuple[float, float]]) -> Floats:
    return np.array(right + [(-x, -y) for x, y in right])


def _box(x: float, y: float, hx: float, hy: float) -> list[tuple[float, float]]:
    return [(x - hx, y - hy), (x + hx, y - hy), (x + hx, y + hy), (x - hx, y + hy)]


def _polygon(points: list[tuple[float, float]], fill: str = "none", stroke: str = FAINT, width: float = 1.0) -> str:
    pen = f'fill="{fill}" stroke="{stroke}" stroke-width="{number(width)}"'
    return f'<polygon points="{path(points)}" {pen} stroke-linejoin="round"/>'


def _circle(x: float, y: float, r: float, fill: str, stroke: str) -> str:
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{fill}" stroke="{stroke}"/>'
