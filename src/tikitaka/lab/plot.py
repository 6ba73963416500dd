"""Small SVG pictures: charts with lines, dots and bands, put side by side on one page.

No background and middling colours: they read on white and on black. Equal data give equal bytes: every coordinate has
one decimal of a pixel, and lines keep only the points that the eye can tell.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import ArrayLike

from tikitaka.types import Floats

BLUE, YELLOW, RED, GREEN, PURPLE, ORANGE = "#3f8fe0", "#c9961a", "#dc5a52", "#3b9d5c", "#9a6fe0", "#e5772e"
INK, FAINT = "#7b858f", "#7b858f55"  # 3.8 : 1 on white, 5 : 1 on near black
FONT = "ui-sans-serif, system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"
LEFT, RIGHT, TOP, BOTTOM = 58, 18, 52, 44  # [px] margins of a chart
SEEN = 0.2  # [px] points nearer than this to the line without them are left out


@dataclass(frozen=True, slots=True)
class Axis:
    """What is drawn along one side of a chart; the range of the data where none is given."""

    label: str
    low: float | None = None
    high: float | None = None
    log: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points; without a name it is not in the legend."""

    x: ArrayLike
    y: ArrayLike
    name: str = ""
    colour: str = BLUE
    dash: str = ""  # lengths of strokes and gaps [px]
    width: float = 2.0


@dataclass(frozen=True, slots=True)
class Dots:
    """A point each."""

    x: ArrayLike
    y: ArrayLike
    name: str = ""
    colour: str = BLUE
    size: float = 3.0


@dataclass(frozen=True, slots=True)
class Band:
    """The area between two lines."""

    x: ArrayLike
    low: ArrayLike
    high: ArrayLike
    name: str = ""
    colour: str = BLUE


@dataclass(frozen=True, slots=True)
class Note:
    """A word at a point."""

    x: float
    y: float
    text: str
    anchor: str = "start"  # middle, end
    colour: str = INK


Mark = Line | Dots | Band | Note


@dataclass(frozen=True, slots=True)
class Panel:
    """A finished part of a page."""

    width: float
    height: float
    body: str


def chart(title: str, x: Axis, y: Axis, marks: Sequence[Mark], width: float = 440, height: float = 300) -> Panel:
    """Return a chart of some marks."""
    (x0, x1), (y0, y1) = _range(x, [_x(m) for m in marks]), _range(y, [v for m in marks for v in _y(m)])
    scale = _Scale(_Side(x0, x1, x.log, LEFT, width - RIGHT), _Side(y0, y1, y.log, height - BOTTOM, TOP))
    parts = [text(LEFT, 18, title, size=14, bold=True), *_grid(scale), *_labels(x, y, width, height)]
    parts += [f'<g fill="none" stroke-linejoin="round">{"".join(_draw(m, scale) for m in marks)}</g>', *_legend(marks)]
    return Panel(width, height, "\n".join(parts))


def page(rows: Sequence[Sequence[Panel]], about: str) -> str:
    """Return the SVG of panels in rows; ``about`` says what is seen to those who cannot see it."""
    width = max(sum(p.width for p in row) for row in rows)
    height, parts = 0.0, list[str]()
    for row in rows:
        x = 0.0
        for panel in row:
            parts.append(f'<g transform="translate({number(x)} {number(height)})">\n{panel.body}\n</g>')
            x += panel.width
        height += max(p.height for p in row)
    size = f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" font-family="{FONT}">'
    return "\n".join((head, f"<title>{escape(about)}</title>", *parts, "</svg>\n"))


def text(
    x: float, y: float, words: str, size: int = 12, anchor: str = "start", colour: str = INK, bold: bool = False
) -> str:
    """Return words at a pixel."""
    weight = ' font-weight="600"' if bold else ""
    place = f'x="{number(x)}" y="{number(y)}" font-size="{size}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}"{weight}>{escape(words)}</text>'


def number(value: float) -> str:
    """Return a coordinate with one decimal, the same everywhere."""
    return f"{round(float(value), 1) + 0.0:g}"


def path(points: Iterable[tuple[float, float]]) -> str:
    """Return the points of an SVG line."""
    return " ".join(f"{number(x)},{number(y)}" for x, y in points)


def ticks(low: float, high: float, log: bool = False, most: int = 6) -> list[float]:
    """Return round numbers within a range: powers of ten, or multiples of 1, 2 or 5 of one."""
    if log:
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        every = (1.0, 2.0, 5.0) if len(decades) <= 3 else (1.0,)
        return [m * 10.0**d for d in decades for m in every if low * 0.999 <= m * 10.0**d <= high * 1.001]
    rough = (high - low) / most
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(m * unit for m in (1.0, 2.0, 5.0, 10.0) if m * unit >= 0.999 * rough)
    first, last = math.ceil(low / step - 1e-6), math.floor(high / step + 1e-6)
    return [k * step for k in range(first, last + 1)]


def short(value: float) -> str:
    """Return a number as a tick says it: 0.5, 20, 10k, 2M."""
    for size, unit in ((1e6, "M"), (1e3, "k")):
        if abs(value) >= 10.0 * size or (abs(value) >= size and value % size == 0.0):
            return f"{value / size:g}{unit}"
    return f"{value:.6g}"


def thin(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the points of a line that the eye can tell (Douglas and Peucker); a line for the legend has none."""
    if not points:
        return []
    xy, keep, parts = np.array(points), {0, len(points) - 1}, [(0, len(points) - 1)]
    while parts:
        a, b = parts.pop()
        if b - a < 2:
            continue
        way, inner = xy[b] - xy[a], xy[a + 1 : b] - xy[a]
        along = np.clip(inner @ way / max(float(way @ way), 1e-12), 0.0, 1.0)
        off = np.hypot(*(inner - along[:, None] * way).T)
        worst = int(off.argmax())
        if off[worst] > SEEN:
            middle = a + 1 + worst
            keep.add(middle)
            parts += [(a, middle), (middle, b)]
    return [points[k] for k in sorted(keep)]


@dataclass(frozen=True, slots=True)
class _Side:
    low: float
    high: float
    log: bool
    begin: float  # [px] of low
    end: float

    def at(self, values: ArrayLike) -> Floats:
        """Return the pixels of values; what lies outside stays at the edge."""
        v = np.asarray(values, np.float64)
        if self.log:
            u = np.log(np.maximum(v, self.low) / self.low) / math.log(self.high / self.low)
        else:
            u = (v - self.low) / (self.high - self.low)
        return self.begin + (self.end - self.begin) * np.clip(u, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class _Scale:
    x: _Side
    y: _Side

    def points(self, x: ArrayLike, y: ArrayLike) -> list[tuple[float, float]]:
        return list(zip(self.x.at(x).tolist(), self.y.at(y).tolist(), strict=True))


def _x(mark: Mark) -> ArrayLike:
    return mark.x


def _y(mark: Mark) -> tuple[ArrayLike, ...]:
    return (mark.low, mark.high) if isinstance(mark, Band) else (mark.y,)


def _range(axis: Axis, values: Sequence[ArrayLike]) -> tuple[float, float]:
    everything = np.concatenate([np.atleast_1d(np.asarray(v, np.float64)) for v in values])
    low = float(everything.min()) if axis.low is None else axis.low
    high = float(everything.max()) if axis.high is None else axis.high
    if axis.log:
        return low, max(high, 1.01 * low)
    room = 0.05 * (high - low) or 1.0
    return low - room * (axis.low is None), high + room * (axis.high is None)


def _grid(scale: _Scale) -> list[str]:
    x, y, parts = scale.x, scale.y, list[str]()
    for value in ticks(x.low, x.high, x.log):
        px = float(x.at(value))
        parts.append(_stroke(px, y.begin, px, y.end))
        parts.append(text(px, y.begin + 16, short(value), anchor="middle"))
    for value in ticks(y.low, y.high, y.log, 5):
        py = float(y.at(value))
        parts.append(_stroke(x.begin, py, x.end, py))
        parts.append(text(x.begin - 6, py + 4, short(value), anchor="end"))
    return parts


def _stroke(x0: float, y0: float, x1: float, y1: float) -> str:
    return f'<path d="M{number(x0)} {number(y0)}L{number(x1)} {number(y1)}" stroke="{FAINT}"/>'


def _labels(x: Axis, y: Axis, width: float, height: float) -> list[str]:
    middle = 0.5 * (TOP + height - BOTTOM)
    turned = f'<g transform="translate(14 {number(middle)}) rotate(-90)">{text(0, 0, y.label, anchor="middle")}</g>'
    return [text(0.5 * (LEFT + width - RIGHT), height - 10, x.label, anchor="middle"), turned]


def _draw(mark: Mark, scale: _Scale) -> str:
    if isinstance(mark, Note):
        [(x, y)] = scale.points([mark.x], [mark.y])
        return f'<g stroke="none">{text(x, y, mark.text, anchor=mark.anchor, colour=mark.colour)}</g>'
    if isinstance(mark, Band):
        edge = thin(scale.points(mark.x, mark.low)) + thin(scale.points(mark.x, mark.high))[::-1]
        return f'<polygon points="{path(edge)}" fill="{mark.colour}" fill-opacity="0.22"/>'
    points = scale.points(mark.x, mark.y)
    if isinstance(mark, Dots):
        dots = [f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(mark.size)}"/>' for x, y in points]
        return f'<g fill="{mark.colour}">{"".join(dots)}</g>'
    return f'<polyline points="{path(thin(points))}" {_pen(mark)}/>'


def _pen(line: Line) -> str:
    dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
    return f'stroke="{line.colour}" stroke-width="{number(line.width)}"{dash}'


def _legend(marks: Sequence[Mark]) -> list[str]:
    x, y, parts = float(LEFT), 37.0, list[str]()
    for mark in marks:
        if isinstance(mark, Note) or not mark.name:
            continue
        if isinstance(mark, Band):
            parts.append(f'<rect x="{number(x)}" y="{number(y - 9)}" width="16" height="10" fill="{mark.colour}55"/>')
        elif isinstance(mark, Dots):
            parts.append(f'<circle cx="{number(x + 8)}" cy="{number(y - 4)}" r="3" fill="{mark.colour}"/>')
        else:
            parts.append(f'<path d="M{number(x)} {number(y - 4)}h16" {_pen(mark)}/>')
        parts.append(text(x + 21, y, mark.name))
        x += 38 + 7.0 * len(mark.name)
    return parts
