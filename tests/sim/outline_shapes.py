"""Outlines that tests share, and polygons of them that know nothing of the code under test."""

import math

import numpy as np
import shapely

from tikitaka.types import Floats, Outline

BALL = 0.02135
_WILD = [
    *([0.1, -0.03], [0.06, -0.012, -0.03], [0.06, 0.012], [0.1, 0.03, 0.2]),
    *([0.05, 0.1], [-0.05, 0.06, -0.2], [-0.09, -0.05, 0.06], [0.02, -0.09]),
]
_ROUNDED = [  # arcs meet edges smoothly
    *([0.05, -0.03], [0.05, 0.03, 0.02], [0.03, 0.05], [-0.03, 0.05, 0.02]),
    *([-0.05, 0.03], [-0.05, -0.03, 0.02], [-0.03, -0.05], [0.03, -0.05, 0.02]),
]
SHAPES = {
    "cube": Outline.box(0.075, 0.075),
    "notched": Outline.box(0.075, 0.075, 0.008, 0.03),
    "post": Outline.box(0.2, 0.02),
    "ssl": Outline.disc(0.09, 0.0794),
    "disc": Outline.disc(0.1),
    "wild": Outline.of(_WILD),
    "rounded": Outline.of(_ROUNDED),
    # a hollow arc that the ball rolls in
    "bay": Outline.of([[0.06, -0.06], [0.06, -0.04, -0.05], [0.06, 0.04], [0.06, 0.06], [-0.05, 0.06], [-0.05, -0.06]]),
}
ERROR = 1e-7  # [m] of the polygons


def polygon(outline: Outline, error: float = ERROR) -> shapely.Polygon:
    """Return the outline with its arcs cut into chords that lie within ``error`` of it."""
    points: list[tuple[float, float]] = []
    corners = outline.corners
    for (ax, ay, r), (bx, by, _) in zip(corners, corners[1:] + corners[:1], strict=True):
        chord = complex(bx - ax, by - ay)
        half = math.asin(min(1.0, 0.5 * abs(chord) / abs(r))) if r else 0.0
        n = math.ceil(half / math.sqrt(2.0 * error / abs(r))) if r else 1
        for k in range(n):  # the chord from a to a point of the arc, by the angle at the rim
            turn = half * k / n
            length = 2.0 * abs(r) * math.sin(turn) if r else 0.0
            step = chord / abs(chord) * length * np.exp(1j * math.copysign(1.0, r) * (turn - half))
            points.append((ax + step.real, ay + step.imag))
    return shapely.Polygon(points)


def placed(outline: shapely.Polygon, x: float, y: float, theta: float) -> shapely.Polygon:
    """Return the polygon turned by theta, then moved."""
    c, s = math.cos(theta), math.sin(theta)
    return shapely.transform(
        outline, lambda p: np.stack((x + c * p[:, 0] - s * p[:, 1], y + s * p[:, 0] + c * p[:, 1]), 1)
    )


def reach(outline: shapely.Polygon, normals: Floats) -> Floats:
    """Return how far a polygon reaches in each direction (k, 2)."""
    return np.asarray((shapely.get_coordinates(outline) @ normals.T).max(axis=0))
