"""Pictures of robots under way: the ways they took in half a minute, and where they met."""

from collections.abc import Mapping, Sequence

from tikitaka.lab.austro_counts import events
from tikitaka.lab.austro_traffic import Film
from tikitaka.lab.plot import (
    BLUE,
    FAINT,
    GREEN,
    ORANGE,
    PURPLE,
    RED,
    Axis,
    Dots,
    Line,
    Panel,
    chart,
    number,
    page,
    text,
)
from tikitaka.types import Floats

SECONDS = 30.0  # that are drawn
ACROSS = 2  # panels in a row
COLOURS = (BLUE, ORANGE, GREEN, PURPLE)
WIDTH, HEAD, ROW, THICK, NAMES, LENGTH = 820, 48, 34, 12, 280, 440  # [px] of bars


def drawn(name: str, films: Mapping[str, Film]) -> str:
    """Return the ways of a test at 2 m/s, one panel a method."""
    panels = [_ways(f"{name}, 2 m/s: {method}", film) for method, film in films.items()]
    rows = [panels[k : k + ACROSS] for k in range(0, len(panels), ACROSS)]
    return page(rows, f"Ways of two robots in the {name} test and the places where they met")


def bars(title: str, unit: str, values: Mapping[str, tuple[float | None, float]]) -> Panel:
    """Return two bars for each name: printed where it is printed, and ours, each with its number."""
    top = max(1e-9, *(v for pair in values.values() for v in pair if v is not None))
    parts = [text(0, 18, title, size=14, bold=True)]
    parts += [*_bar(NAMES, 24, 40.0, FAINT, "printed"), *_bar(NAMES + 120, 24, 40.0, BLUE, "ours")]
    for k, (name, (paper, ours)) in enumerate(values.items()):
        y = HEAD + ROW * k
        parts.append(text(NAMES - 10, y + 17, name, anchor="end"))
        if paper is not None:
            parts += _bar(NAMES, y, LENGTH * paper / top, FAINT, f"{paper:.3g} {unit}")
        parts += _bar(NAMES, y + THICK + 1, LENGTH * ours / top, BLUE, f"{ours:.3g} {unit}")
    return Panel(WIDTH, HEAD + ROW * len(values) + 10, "\n".join(parts))


def changes(title: str, values: Mapping[str, Sequence[tuple[float, float, float]]], kinds: Sequence[str]) -> Panel:
    """Return a dot for each name and kind, (mean, low, high) with its interval, left or right of none."""
    top = max(1e-9, *(abs(v) for one in values.values() for each in one for v in each))
    middle, reach, height = NAMES + 0.5 * LENGTH, 0.5 * LENGTH / top, HEAD + ROW * len(values)
    parts = [text(0, 18, title, size=14, bold=True)]
    parts.append(f'<path d="M{number(middle)},{HEAD - 8} V{height}" stroke="{FAINT}"/>')
    for c, kind in enumerate(kinds):
        parts += [_dot(NAMES + 240 * c, 34, COLOURS[c]), text(NAMES + 240 * c + 10, 38, kind)]
    for k, (name, each) in enumerate(values.items()):
        y = HEAD + ROW * k
        parts.append(text(NAMES - 10, y + 17, name, anchor="end"))
        for c, (mean, low, high) in enumerate(each):
            at = y + 6 + THICK * c
            ends = f"M{number(middle + reach * low)},{at} H{number(middle + reach * high)}"
            parts.append(f'<path d="{ends}" stroke="{COLOURS[c]}" stroke-width="2"/>')
            parts += [_dot(middle + reach * mean, at, COLOURS[c])]
            parts.append(text(NAMES + LENGTH + 10, at + 4, f"{mean:+.3g}"))
    return Panel(WIDTH, height + 10, "\n".join(parts))


def _dot(x: float, y: float, colour: str) -> str:
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="4" fill="{colour}"/>'


def _bar(x: float, y: float, length: float, colour: str, words: str) -> list[str]:
    place = f'x="{number(x)}" y="{number(y)}" width="{number(max(length, 1.0))}" height="{THICK}"'
    return [f'<rect {place} fill="{colour}"/>', text(x + length + 6, y + THICK - 1, words)]


def _ways(title: str, film: Film) -> Panel:
    ticks = round(SECONDS / film.dt)
    marks: list[Line | Dots] = [
        Line(film.pose[:ticks, i, 0], film.pose[:ticks, i, 1], f"robot {i + 1}", COLOURS[i % len(COLOURS)], width=1.0)
        for i in range(film.pose.shape[1])
    ]
    places = _places(film, ticks)
    if places:
        marks.append(Dots([p[0] for p in places], [p[1] for p in places], f"{len(places)} collisions", RED))
    return chart(title, Axis("x [m]", -1.1, 1.1), Axis("y [m]", -0.9, 0.9), marks, 460, 380)


def _places(film: Film, ticks: int) -> Sequence[Floats]:
    """Return where collisions began: between both robots."""
    met = events(film.touches)
    ends = [(min(int(t / film.dt), ticks - 1), int(a), int(b)) for t, a, b, _ in met.tolist() if t < ticks * film.dt]
    return [0.5 * (film.pose[k, a, :2] + film.pose[k, b, :2]) for k, a, b in ends]
