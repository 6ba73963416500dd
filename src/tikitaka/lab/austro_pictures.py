"""Pictures of robots under way: the ways they took in half a minute, and where they met."""

from collections.abc import Mapping, Sequence

from tikitaka.lab.austro_counts import events
from tikitaka.lab.austro_traffic import Film
from tikitaka.lab.plot import BLUE, FAINT, GREEN, ORANGE, PURPLE, RED, Axis, Dots, Line, Note, Panel, chart, page
from tikitaka.types import Floats

SECONDS = 30.0  # that are drawn
ACROSS = 2  # panels in a row
COLOURS = (BLUE, ORANGE, GREEN, PURPLE)


def drawn(name: str, films: Mapping[str, Film]) -> str:
    """Return the ways of a test at 2 m/s, one panel a method."""
    panels = [_ways(f"{name}, 2 m/s: {method}", film) for method, film in films.items()]
    rows = [panels[k : k + ACROSS] for k in range(0, len(panels), ACROSS)]
    return page(rows, f"Ways of two robots in the {name} test and the places where they met")


def bars(title: str, unit: str, values: Mapping[str, tuple[float | None, float]]) -> Panel:
    """Return two bars for each name: printed where it is printed, and ours."""
    marks, top = list[Line | Note](), 0.0
    for k, (name, (paper, ours)) in enumerate(values.items()):
        for value, shift, colour in ((paper, -0.17, FAINT), (ours, 0.17, BLUE)):
            if value is not None:
                marks.append(Line((k + shift, k + shift), (0.0, value), "", colour, width=14.0))
                top = max(top, value)
        marks.append(Note(k, 0.02 * max(top, 1e-9), name, "middle"))
    marks += [Line((), (), "printed", FAINT), Line((), (), "ours", BLUE)]
    return chart(title, Axis("", -0.6, len(values) - 0.4), Axis(unit, 0.0, 1.15 * top), marks, 900, 300)


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
