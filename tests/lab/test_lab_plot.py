"""Pictures: the same bytes for the same data, well-formed, and marks where the numbers say."""

import re
from xml.etree import ElementTree as Tree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tikitaka import sim
from tikitaka.lab import plot
from tikitaka.lab.plot import Axis, Band, Dots, Line, Note, chart, page, short, thin, ticks
from tikitaka.lab.plot_pitch import pitch, whole
from tikitaka.lab.staging import params_of

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*marks: plot.Mark, log: bool = False) -> Tree.Element:
    panel = chart("a < b", Axis("x", 1.0, 100.0, log), Axis("y", 0.0, 10.0), marks, 400, 300)
    return Tree.fromstring(page([[panel]], "about & more"))  # noqa: S314 - our own words


def at(words: str | None) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in (words or "").split())]


def test_corners_of_the_data_are_corners_of_the_chart() -> None:
    [line] = drawn(Line([1.0, 100.0], [0.0, 10.0])).iter(f"{SVG}polyline")
    corners = [(plot.LEFT, 300 - plot.BOTTOM), (400 - plot.RIGHT, plot.TOP)]
    assert at(line.get("points")) == corners


def test_a_decade_is_the_same_way_everywhere_on_a_logarithmic_axis() -> None:
    [first, second, third] = [
        float(c.get("cx", "")) for c in drawn(Dots([1.0, 10.0, 100.0], [1, 2, 3]), log=True).iter(f"{SVG}circle")
    ]
    assert second - first == pytest.approx(third - second, abs=0.11)


def test_all_marks_and_words_are_there_once() -> None:
    marks = (
        Line([1, 2], [1, 2], "one"),
        Dots([1], [2], "two"),
        Band([1, 2], [1, 1], [2, 3], "three"),
        Note(1, 1, "four <"),
    )
    words = [element.text for element in drawn(*marks).iter(f"{SVG}text")]
    assert {w: words.count(w) for w in ("one", "two", "three", "four <", "a < b", "x", "y")} == dict.fromkeys(
        ("one", "two", "three", "four <", "a < b", "x", "y"), 1
    )


def test_rows_and_columns_of_a_page_do_not_overlap() -> None:
    panels = [[plot.Panel(100, 50, ""), plot.Panel(30, 70, "")], [plot.Panel(20, 40, "")]]
    svg = page(panels, "")
    assert re.findall(r"translate\(([^)]*)\)", svg) == ["0 0", "100 0", "0 70"]
    assert 'width="130" height="110"' in svg


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e4))
def test_ticks_are_few_round_and_within(low: float, size: float) -> None:
    found = ticks(low, low + size)
    assert 2 <= len(found) <= 8
    assert all(low - 1e-6 * size <= t <= low + 1.000001 * size for t in found)
    steps = np.diff(found)
    assert np.ptp(steps) <= 1e-6 * steps[0]
    assert f"{steps[0]:.3e}"[:4] in {"1.00", "2.00", "5.00"}


def test_ticks_of_decades() -> None:
    assert ticks(1.0, 65536.0, log=True) == [1.0, 10.0, 100.0, 1000.0, 10000.0]
    assert ticks(2.0, 22.0, log=True) == [2.0, 5.0, 10.0, 20.0]


def test_short_numbers() -> None:
    assert [short(v) for v in (0.0, 0.5, 1500.0, 2000.0, 65536.0, 2e6, -0.25)] == [
        "0",
        "0.5",
        "1500",
        "2k",
        "65.536k",
        "2M",
        "-0.25",
    ]


@given(st.lists(st.tuples(st.floats(0, 500), st.floats(0, 500)), min_size=2, max_size=40))
def test_a_thinned_line_stays_within_what_is_seen(points: list[tuple[float, float]]) -> None:
    kept = thin(points)
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    a, b = np.array(kept[:-1]), np.array(kept[1:])
    for p in np.array(points):
        along = np.einsum("ij,ij->i", p - a, b - a) / np.maximum(np.einsum("ij,ij->i", b - a, b - a), 1e-300)
        off = np.linalg.norm(a + np.clip(along, 0.0, 1.0)[:, None] * (b - a) - p, axis=1).min()
        assert off <= plot.SEEN + 1e-5


def test_a_straight_line_of_many_points_is_two() -> None:
    assert len(thin([(0.1 * k, 0.3 * k) for k in range(1000)])) == 2


@pytest.mark.parametrize("league", ["mirosot-5v5", "ssl-b"])
def test_a_pitch_shows_everybody_where_they_are(league: str) -> None:
    params = params_of(league, 1.0 / 60.0)
    state = sim.scenes.crowd(params, 3)
    panel = pitch(params, state, whole(params.field), 500)
    root = Tree.fromstring(page([[panel]], ""))  # noqa: S314 - our own words
    blue = [p for p in root.iter(f"{SVG}polygon") if p.get("stroke") == plot.BLUE]
    assert len(blue) == params.robots // 2
    [ball] = [c for c in root.iter(f"{SVG}circle") if c.get("fill") == plot.ORANGE]
    window = whole(params.field)
    scale = (500 - 12) / (window.x1 - window.x0)
    assert float(ball.get("cx", "")) == pytest.approx(6 + scale * (state.ball[0] - window.x0), abs=0.06)
    corners = np.array(at(blue[0].get("points")))
    middle = 6 + scale * (state.pose[0, 0] - window.x0)
    assert corners[:, 0].min() < middle < corners[:, 0].max()


def test_equal_data_give_equal_bytes() -> None:
    x = np.linspace(1.0, 9.0, 400)
    twice = [page([[chart("t", Axis("x"), Axis("y"), [Line(x, np.sin(x))])]], "s") for _ in range(2)]
    assert twice[0] == twice[1]
    assert "-0 " not in twice[0]
