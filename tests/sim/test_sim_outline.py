"""Outlines: what is refused and why, and the rim that a ball's centre draws around them."""

import math
import re

import numpy as np
import pytest
import shapely
from outline_shapes import BALL, ERROR, SHAPES, polygon

from tikitaka.errors import OutlineError
from tikitaka.sim.outline import rim_arrays, rim_at, rim_table
from tikitaka.types import Outline
from tikitaka.types.outline import MOST_POINTS, MOST_RADIUS

STEPS = 720


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ([[0.1, 0.0], [0.0, 0.1]], "outline must have at least 3 points; got 2"),
        ([[0.1, 0.0, 0.1]], "outline must have at least 2 points; got 1"),
        ([[0.1, 0.0], [0.0], [-0.1, 0.0]], "outline point 2 must be [x, y] or [x, y, radius]; got [0.0]"),
        ([[0.1, 0.0], [0.0, math.nan], [-0.1, 0.0]], "outline point 2 must be finite; got [0.0, nan]"),
        ([[0.1, 0.0], [0.0, 0.1, math.inf], [-0.1, 0.0]], "outline point 2 must be finite; got [0.0, 0.1, inf]"),
        (
            [[0.1, 0.1], [0.1, -0.1], [-0.1, -0.1], [-0.1, 0.1]],
            "outline must run counter-clockwise; it runs clockwise: turn the list of points around",
        ),
        (
            [[0.1, -0.1], [0.1, 0.1], [-0.1, -0.1], [-0.1, 0.1]],
            "outline must not cross itself; the pieces after points 2 and 4 do",
        ),
        (
            [[0.2, 0.1], [0.3, 0.1], [0.3, 0.2], [0.2, 0.2]],
            "outline must go around the centre (0, 0) once; it goes 0 times",
        ),
        (
            [[0.1, -0.1, 0.05], [0.1, 0.1], [-0.1, 0.1], [-0.1, -0.1]],
            "outline point 1 must have a radius of at least half the way to the next, 0.1 m; got 0.05",
        ),
        (
            [[0.1, -0.1], [0.1, -0.1], [-0.1, 0.1]],
            "outline points 1 and 2 must be 1e-05 m apart or more; got 0",
        ),
        (
            [[0.05, -0.05], [0.05, 0.05, 1e9], [-0.05, 0.0]],
            "outline point 2 must have a radius of at most 100 m; got 1e+09: leave it out for an edge",
        ),
        (
            [[math.cos(0.01 * math.pi * k), math.sin(0.01 * math.pi * k)] for k in range(200)],
            "outline must have at most 64 points; got 200: leave some out, or join them by arcs",
        ),
        (
            [
                [0.1, -0.1],
                [0.1, -0.03],
                [0.05, -0.03],
                [0.05, 0.03],
                [0.1, 0.03],
                [0.1, 0.1],
                [-0.1, 0.1],
                [-0.1, -0.1],
            ],
            "outline point 2: all of the piece to the next must be seen from the centre; "
            "got (0.1, -0.03) to (0.05, -0.03)",
        ),
        (
            [[0.1, -0.1, -0.1], [0.1, 0.1], [-0.1, 0.1], [-0.1, -0.1]],
            "outline point 1: all of the piece to the next must be seen from the centre; got (0.1, -0.1) to (0.1, 0.1)",
        ),
    ],
)
def test_an_impossible_outline_is_refused_with_point_reason_and_value(points: list[list[float]], told: str) -> None:
    with pytest.raises(OutlineError, match=f"^{re.escape(told)}$"):
        Outline.of(points)


def test_the_largest_arcs_are_as_good_as_edges() -> None:
    """Their polygon once divided by zero; now it bulges by 13 micrometres, and the ball finds that rim."""
    flat = Outline.of([[0.05, -0.05], [0.05, 0.05], [-0.05, 0.0]])
    round_ = Outline.of([[0.05, -0.05, MOST_RADIUS], [0.05, 0.05, -MOST_RADIUS], [-0.05, 0.0, MOST_RADIUS]])
    phi = np.linspace(-3.0, 3.0, 100)
    assert 1e-6 < round_.radius - flat.radius + 2e-5 < 4e-5
    assert rim_at(round_, BALL, phi)[0] == pytest.approx(rim_at(flat, BALL, phi)[0], abs=5e-5)


def test_there_may_be_as_many_points_as_are_allowed() -> None:
    turns = 2.0 * math.pi * np.arange(MOST_POINTS) / MOST_POINTS
    points = (0.05 * np.stack((np.cos(turns), np.sin(turns)), axis=1)).tolist()
    assert Outline.of(points).radius == pytest.approx(0.05)


@pytest.mark.parametrize("name", SHAPES)
def test_the_circle_around_an_outline_just_holds_it(name: str) -> None:
    away = np.hypot(*shapely.get_coordinates(polygon(SHAPES[name])).T)
    assert SHAPES[name].radius == pytest.approx(away.max(), abs=ERROR)


@pytest.mark.parametrize("name", SHAPES)
def test_the_drawn_polygon_stays_within_its_error(name: str) -> None:
    drawn = shapely.Polygon(SHAPES[name].polygon(1e-4))
    assert drawn.hausdorff_distance(polygon(SHAPES[name])) < 1.01e-4
    assert drawn.exterior.is_ccw


def test_a_notch_as_deep_as_half_its_width_has_no_floor() -> None:
    assert len(Outline.box(0.1, 0.1, 0.02, 0.04).corners) == 7
    assert len(Outline.box(0.1, 0.1, 0.019, 0.04).corners) == 8


def test_points_with_and_without_radius_give_the_same_disc_with_a_flat_front() -> None:
    half = math.sqrt(0.09**2 - 0.0794**2)
    given = Outline.of([[0.0794, -half], [0.0794, half, 0.09], [-0.09, 0.0, 0.09]])
    assert np.array(given.corners) == pytest.approx(np.array(Outline.disc(0.09, 0.0794).corners), abs=1e-15)


@pytest.mark.parametrize("name", SHAPES)
def test_the_rim_is_the_curve_at_the_balls_radius_around_the_outline(name: str) -> None:
    phi, r, _ = rim_table(SHAPES[name], BALL, STEPS)
    grown = polygon(SHAPES[name]).buffer(BALL, quad_segs=2000).exterior
    points = shapely.points(r * np.cos(phi), r * np.sin(phi))
    assert shapely.distance(grown, points).max() < 5.0 * ERROR


@pytest.mark.parametrize("name", SHAPES)
def test_the_tangent_is_the_direction_in_which_the_rim_goes_on(name: str) -> None:
    phi = np.arange(-3.1, 3.1, 0.07)  # none of these falls on a corner of the rim
    h = 1e-6
    _, tangent = rim_at(SHAPES[name], BALL, phi)
    ahead, behind = (rim_at(SHAPES[name], BALL, angle)[0] * np.exp(1j * angle) for angle in (phi + h, phi - h))
    away = np.angle((ahead - behind) * np.exp(-1j * tangent))
    assert np.abs(away).max() < 1e-4


def test_the_rim_of_a_cube_has_the_numbers_of_a_square_with_round_corners() -> None:
    phi, r, tangent = rim_table(SHAPES["cube"], BALL, 8)
    side, corner = 0.0375 + BALL, 0.0375 * math.sqrt(2.0) + BALL
    assert phi == pytest.approx(math.pi * np.arange(-4, 4) / 4.0)
    assert r == pytest.approx([side, corner] * 4)
    assert math.remainder(tangent[4] - 0.5 * math.pi, 2.0 * math.pi) == pytest.approx(0.0)


@pytest.mark.parametrize("name", SHAPES)
def test_a_bin_names_few_features(name: str) -> None:
    rim, bins = rim_arrays(SHAPES[name], BALL)
    counts = (bins[:-1] > 0).sum(axis=1)
    assert counts.min() >= 1
    assert counts.mean() < 4.0
    assert (np.diff((bins > 0).astype(int), axis=1) <= 0).all()  # nothing behind the first 0
    assert (bins[:, -1] == 0).all()
    assert bins.max() == len(rim) - 1
