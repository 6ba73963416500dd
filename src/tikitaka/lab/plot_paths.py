"""A path among obstacles as a panel: obstacles with their margins, search trees, the raw path and the smooth one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tikitaka.lab.plot import BLUE, FAINT, GREEN, INK, ORANGE, RED, YELLOW, Panel, number, path, text
from tikitaka.lab.plot_pitch import EDGE, HEAD, Window
from tikitaka.plan import Path, Tree
from tikitaka.plan.kernels.shapes import CAPSULE, CIRCLE, FIELD
from tikitaka.types import Floats

BODY = "#7b858f33"  # of an obstacle
TREES = (YELLOW, GREEN)  # from the start, from the goal


@dataclass(frozen=True, slots=True)
class _View:
    window: Window
    scale: float  # [px/m]

    def at(self, xy: Floats) -> list[tuple[float, float]]:
        """Return the pixels of points (k, 2)."""
        px = EDGE + self.scale * (xy[:, 0] - self.window.x0)
        py = HEAD + self.scale * (self.window.y1 - xy[:, 1])
        return list(zip(px.tolist(), py.tolist(), strict=True))


def path_panel(found: Path, target: Floats, window: Window, width: float, words: Sequence[str]) -> Panel:
    """Return the way to a target with all that led to it; ``words`` above it."""
    view = _View(window, (width - 2 * EDGE) / (window.x1 - window.x0))
    height = view.scale * (window.y1 - window.y0)
    heads = [text(EDGE, 16 + 17 * k, line, 13 - k, bold=k == 0) for k, line in enumerate(words)]
    clip = f"{EDGE} {HEAD} {number(width - 2 * EDGE)} {number(height)}"
    x, y, w, h = clip.split(" ")
    parts = [_obstacle(row, view) for row in found.obstacles]
    parts += [_tree(tree, view, colour) for tree, colour in zip(found.trees, TREES, strict=True)]
    parts += [_line(found.raw, view, ORANGE, 1.5), _line(found.xy, view, BLUE, 2.5)]
    parts += [_dot(point, view, 2.2, BLUE) for point in found.xy]
    parts += [_dot(found.xy[0], view, 4.0, BLUE), _dot(target, view, 4.0, RED)]
    frame = f'<svg x="{x}" y="{y}" width="{w}" height="{h}" viewBox="{clip}">'
    body = "\n".join((*heads, frame, *[part for part in parts if part], "</svg>"))
    return Panel(width, HEAD + height + EDGE, body)


def _obstacle(row: Floats, view: _View) -> str:
    """Return one obstacle, its margin and the robot's radius included."""
    r, kind = view.scale * float(row[4]), row[5]
    [(ax, ay), (bx, by)] = view.at(row[:4].reshape(2, 2))
    if kind == CIRCLE:
        return f'<circle cx="{number(ax)}" cy="{number(ay)}" r="{number(r)}" fill="{BODY}" stroke="{INK}"/>'
    if kind == CAPSULE:
        ends = f"M{number(ax)} {number(ay)}L{number(bx)} {number(by)}"
        return f'<path d="{ends}" stroke="{BODY}" stroke-width="{number(2 * r)}" stroke-linecap="round"/>'
    size = f'width="{number(bx - ax + 2 * r)}" height="{number(ay - by + 2 * r)}" rx="{number(r)}"'
    fill = "none" if kind == FIELD else BODY
    return f'<rect x="{number(ax - r)}" y="{number(by - r)}" {size} fill="{fill}" stroke="{INK}"/>'


def _tree(tree: Tree, view: _View, colour: str) -> str:
    """Return the branches of a tree."""
    pixels = view.at(tree.xy)
    legs = [(pixels[p], pixels[k]) for k, p in enumerate(tree.parent.tolist()) if p >= 0]
    strokes = "".join(f"M{number(a[0])} {number(a[1])}L{number(b[0])} {number(b[1])}" for a, b in legs)
    return f'<path d="{strokes}" stroke="{colour}" stroke-width="1" fill="none"/>' if legs else ""


def _line(xy: Floats, view: _View, colour: str, width: float) -> str:
    if len(xy) < 2:
        return ""
    pen = f'stroke="{colour}" stroke-width="{number(width)}" stroke-linejoin="round" fill="none"'
    return f'<polyline points="{path(view.at(np.asarray(xy)))}" {pen}/>'


def _dot(xy: Floats, view: _View, size: float, colour: str) -> str:
    [(x, y)] = view.at(np.asarray(xy, np.float64)[None, :2])
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(size)}" fill="{colour}" stroke="{FAINT}"/>'
