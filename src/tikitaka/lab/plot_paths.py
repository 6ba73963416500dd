"""A planner's scene as a panel: obstacles with their margins, the search trees, the raw path and the smoothed one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tikitaka.lab.plot import BLUE, GREEN, INK, ORANGE, PURPLE, RED, Panel, number, path, text
from tikitaka.lab.plot_pitch import EDGE, HEAD, Window
from tikitaka.plan import Path
from tikitaka.plan.kernels.shapes import BOX, CAPSULE, CIRCLE, FIELD
from tikitaka.types import Floats

TURF = "#3b9d5c22"
SOLID = "#7b858f33"
BALL = 0.03  # [m] a body up to this radius is a ball
Body = tuple[float, float, float]  # x, y, radius


@dataclass(frozen=True, slots=True)
class View:
    """Metres to pixels."""

    window: Window
    scale: float  # [px/m]

    def at(self, xy: Floats) -> list[tuple[float, float]]:
        """Return the pixels of points (k, 2)."""
        p = np.asarray(xy, float).reshape(-1, 2)
        px = EDGE + self.scale * (p[:, 0] - self.window.x0)
        py = HEAD + self.scale * (self.window.y1 - p[:, 1])
        return list(zip(px.tolist(), py.tolist(), strict=True))


def scene(
    found: Path, target: Floats, window: Window, width: float, words: Sequence[str], bodies: Sequence[Body] = ()
) -> Panel:
    """Return one planned path; ``bodies``: what stands there, drawn dark; the rest of each obstacle is margin."""
    view = View(window, (width - 2 * EDGE) / (window.x1 - window.x0))
    height = view.scale * (window.y1 - window.y0)
    parts = [text(EDGE, 16 + 17 * k, line, 13 - k, bold=k == 0) for k, line in enumerate(words)]
    clip = f"{EDGE} {HEAD} {number(width - 2 * EDGE)} {number(height)}"
    x, y, w, h = clip.split(" ")
    inner = [*_obstacles(found.obstacles, view), *_bodies(bodies, view), *_trees(found, view), *_paths(found, view)]
    inner += [_dot(view, found.xy[0], 5.0, BLUE), _cross(view, target)]
    frame = f'<svg x="{x}" y="{y}" width="{w}" height="{h}" viewBox="{clip}">'
    parts.append(f"{frame}\n" + "\n".join(inner) + "\n</svg>")
    return Panel(width, HEAD + height + EDGE, "\n".join(parts))


def legend(width: float) -> Panel:
    """Return what the lines mean."""
    entries = (
        (GREEN, 0.8, "search trees"),
        (PURPLE, 1.2, "as the trees gave it"),
        (RED, 2.2, "shortened, corners cut"),
    )
    parts, x = list[str](), float(EDGE)
    for colour, pen, label in entries:
        parts.append(f'<path d="M{number(x)} 12h24" stroke="{colour}" stroke-width="{pen}"/>')
        parts.append(text(x + 30, 16, label, 12))
        x += 46 + 7.2 * len(label)
    parts.append(text(x, 16, "shaded: where the robot's centre may not be; dark: bodies", 12))
    return Panel(width, 24, "\n".join(parts))


def _bodies(bodies: Sequence[Body], view: View) -> list[str]:
    return [_disc(view, np.array((x, y)), r, INK if r > BALL else ORANGE) for x, y, r in bodies]


def _obstacles(rows: Floats, view: View) -> list[str]:
    parts = list[str]()
    for o in rows:
        if o[5] == FIELD:
            parts.insert(0, _rectangle(view, o[:4], 0.0, TURF, INK))
        elif o[5] == BOX:
            parts.append(_rectangle(view, o[:4], o[4], SOLID, "none"))
        elif o[5] == CAPSULE:
            line = path(view.at(o[:4].reshape(2, 2)))
            pen = f'stroke="{INK}" stroke-opacity="0.2" stroke-linecap="round"'
            parts.append(f'<polyline points="{line}" {pen} stroke-width="{number(2 * view.scale * o[4])}"/>')
            parts.append(f'<polyline points="{line}" stroke="{INK}" stroke-width="2"/>')
        elif o[5] == CIRCLE:
            parts.append(_disc(view, o[:2], o[4], SOLID))
    return parts


def _trees(found: Path, view: View) -> list[str]:
    parts = list[str]()
    for tree in found.trees:
        for node, parent in enumerate(tree.parent.tolist()):
            if parent >= 0:
                line = path(view.at(tree.xy[[parent, node]]))
                parts.append(f'<polyline points="{line}" stroke="{GREEN}" stroke-width="0.8" stroke-opacity="0.8"/>')
    return parts


def _paths(found: Path, view: View) -> list[str]:
    pens = ((found.raw, PURPLE, 1.2, "4 3"), (found.xy, RED, 2.2, ""))
    return [
        f'<polyline points="{path(view.at(xy))}" fill="none" stroke="{colour}" stroke-width="{pen}" '
        f'stroke-dasharray="{dash}"/>'
        for xy, colour, pen, dash in pens
        if len(xy) > 1
    ]


def _rectangle(view: View, corners: Floats, r: float, fill: str, stroke: str) -> str:
    [(x0, y0), (x1, y1)] = view.at(corners.reshape(2, 2))
    grown = view.scale * r
    size = f'width="{number(x1 - x0 + 2 * grown)}" height="{number(y0 - y1 + 2 * grown)}" rx="{number(grown)}"'
    return f'<rect x="{number(x0 - grown)}" y="{number(y1 - grown)}" {size} fill="{fill}" stroke="{stroke}"/>'


def _disc(view: View, xy: Floats, r: float, fill: str) -> str:
    [(x, y)] = view.at(xy)
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(view.scale * r)}" fill="{fill}"/>'


def _dot(view: View, xy: Floats, r: float, colour: str) -> str:
    [(x, y)] = view.at(xy)
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{colour}"/>'


def _cross(view: View, xy: Floats) -> str:
    [(x, y)] = view.at(xy)
    return f'<path d="M{number(x - 5)} {number(y - 5)}l10 10m0 -10l-10 10" stroke="{BLUE}" stroke-width="2.5"/>'
