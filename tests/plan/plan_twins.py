"""Slow twins of the shortest path: all tangents and arcs at once, and polygons that bound the obstacles."""

import heapq
import math
from itertools import combinations

import numpy as np
import shapely

from tikitaka.lab.plan_check import BOX, CIRCLE, FIELD, depths
from tikitaka.types import Bools, Floats

FREE = 1e-9  # [m] so deep a tangent or an arc may lie by rounding
MARKS, TESTS = 48, 8  # a circle is cut at so many marks, and at tangents; points that each piece is tested at
Graph = dict[object, list[tuple[object, float]]]


def slow_length(rows: Floats, start: Floats, target: Floats) -> float:
    """Return the length of the shortest path, inf if there is none: Dijkstra over every tangent and every arc."""
    circles = np.array([(*start, 0.0), (*target, 0.0), *corner_circles(rows)])
    graph: Graph = {}
    angles: list[list[tuple[float, int]]] = [[] for _ in circles]
    p, q, ends = _tangents(circles)
    free = depths(rows, p[:, None], q[:, None]).max(axis=1) <= FREE
    for k in np.nonzero(free)[0].tolist():
        (i, si, ai), (j, sj, aj) = ends[k]
        length = math.dist(p[k], q[k])
        angles[i].append((ai, 2 * k))
        angles[j].append((aj, 2 * k + 1))
        _link(graph, _node(i, 2 * k, si), _node(j, 2 * k + 1, sj), length)
        _link(graph, _node(j, 2 * k + 1, -sj), _node(i, 2 * k, -si), length)
    for i in (i for i in range(2, len(circles)) if angles[i]):
        marks = [(2.0 * math.pi * k / MARKS, -1 - i * MARKS - k) for k in range(MARKS)]
        _arcs(graph, rows, circles[i], sorted(angles[i] + marks), i)
    return _dijkstra(graph, 0, 1)


def _node(i: int, end: int, s: int) -> object:
    """Return the name of an end of a tangent, come to in a sense of turning; start and target are one each."""
    return i if i < 2 else (end, s)


def _link(graph: Graph, a: object, b: object, length: float) -> None:
    graph.setdefault(a, []).append((b, length))


def corner_circles(rows: Floats) -> list[tuple[float, float, float]]:
    """Return centre and radius of the circles that round the corners of obstacles."""
    circles = []
    for x0, y0, x1, y1, r, kind in rows.tolist():
        if kind == BOX:
            circles += [(x, y, r) for x in (x0, x1) for y in (y0, y1)]
        elif kind != FIELD:
            circles += [(x0, y0, r)] if kind == CIRCLE else [(x0, y0, r), (x1, y1, r)]
    return circles


def _tangents(circles: Floats) -> tuple[Floats, Floats, list[tuple[tuple[int, int, float], tuple[int, int, float]]]]:
    """Return both ends of all tangents; for each end: its circle, the sense in which it is passed, its angle there."""
    p, q, ends = [], [], []
    for i, j in combinations(range(len(circles)), 2):
        (xi, yi, ri), (xj, yj, rj) = circles[i].tolist(), circles[j].tolist()
        d, course = math.hypot(xj - xi, yj - yi), math.atan2(yj - yi, xj - xi)
        for flip in (1, -1):  # on the same side of both, or from one side to the other
            if d == 0.0 or abs(ri - flip * rj) > d:
                continue
            for s in (1, -1):  # the first circle turns to the left where its normal is to the right
                a = course - s * math.acos((ri - flip * rj) / d)
                b = a if flip > 0 else a + math.pi
                p.append((xi + ri * math.cos(a), yi + ri * math.sin(a)))
                q.append((xj + rj * math.cos(b), yj + rj * math.sin(b)))
                ends.append(((i, s, a % (2.0 * math.pi)), (j, flip * s, b % (2.0 * math.pi))))
    return np.array(p), np.array(q), ends


def _arcs(graph: Graph, rows: Floats, circle: Floats, angles: list[tuple[float, int]], i: int) -> None:
    """Link neighbours along a circle where the arc between them is free."""
    x, y, r = circle
    a = np.array([angle for angle, _ in angles])
    step = np.append(a[1:], a[0] + 2.0 * math.pi) - a
    at = a[:, None] + step[:, None] * np.linspace(0.0, 1.0, TESTS)
    points = np.stack((x + r * np.cos(at), y + r * np.sin(at)), axis=2)[:, :, None]
    free = depths(rows, points, points).max(axis=(1, 2)) <= FREE
    for k in np.nonzero(free)[0].tolist():
        here, there, length = angles[k][1], angles[(k + 1) % len(angles)][1], r * float(step[k])
        _link(graph, _node(i, here, 1), _node(i, there, 1), length)
        _link(graph, _node(i, there, -1), _node(i, here, -1), length)
        if step[k] < 1e-9:  # which of the two comes first is a matter of rounding
            _link(graph, _node(i, there, 1), _node(i, here, 1), 0.0)
            _link(graph, _node(i, here, -1), _node(i, there, -1), 0.0)


def _dijkstra(graph: Graph, start: object, target: object) -> float:
    best, heap, tie = {start: 0.0}, [(0.0, 0, start)], 1
    while heap:
        length, _, node = heapq.heappop(heap)
        if node == target:
            return length
        for other, more in graph.get(node, []) if length <= best[node] else []:
            if length + more < best.get(other, math.inf):
                best[other] = length + more
                heapq.heappush(heap, (length + more, tie, other))
                tie += 1
    return math.inf


def polygon_length(rows: Floats, start: Floats, target: Floats, corners: int, outer: bool) -> float:
    """Return the shortest path where round corners are polygons: a lower bound of ours, an upper one if outer."""
    grow = 1.0 / math.cos(math.pi / corners) if outer else 1.0
    shapes = [_polygon(row, corners, grow) for row in rows if row[5] != FIELD]
    x0, y0, x1, y1 = next(row[:4] for row in rows if row[5] == FIELD)
    points = np.array([start, target, *(point for shape in shapes for point in shape)])
    inside = (points >= (x0, y0)).all(axis=1) & (points <= (x1, y1)).all(axis=1)
    points = points[inside & ~np.any([_enters(shape, points, points) for shape in shapes], axis=0)]
    i, j = np.triu_indices(len(points), 1)
    seen = ~np.any([_enters(shape, points[i], points[j]) for shape in shapes], axis=0)
    graph: Graph = {}
    for a, b in zip(i[seen].tolist(), j[seen].tolist(), strict=True):
        length = math.dist(points[a], points[b])
        _link(graph, a, b, length)
        _link(graph, b, a, length)
    return _dijkstra(graph, 0, 1)


def _polygon(row: Floats, corners: int, grow: float) -> Floats:
    """Return the corners, to the left, of a core with a regular polygon around each of its points."""
    x0, y0, x1, y1, r, kind = row.tolist()
    core = [(x, y) for x in (x0, x1) for y in (y0, y1)] if kind == BOX else [(x0, y0), (x1, y1)]
    a = 2.0 * math.pi * (np.arange(corners) + 0.5) / corners
    rim = grow * r * np.stack((np.cos(a), np.sin(a)), axis=1)
    hull = shapely.MultiPoint(np.concatenate([rim + c for c in core])).convex_hull
    return np.asarray(shapely.geometry.polygon.orient(hull).exterior.coords)[:-1]


def _enters(shape: Floats, p: Floats, q: Floats) -> Bools:
    """Say which segments have a point inside a convex polygon: clipped by its sides in turn."""
    low, high = np.zeros(len(p)), np.ones(len(p))
    for a, b in zip(shape, np.roll(shape, -1, axis=0), strict=True):
        n = np.array((b[1] - a[1], a[0] - b[0])) / math.dist(a, b)
        at, to = (p - a) @ n + FREE, (q - a) @ n + FREE  # outside is above 0
        with np.errstate(divide="ignore", invalid="ignore"):
            t = at / (at - to)
        low = np.where((at >= 0.0) & (to < 0.0), np.maximum(low, t), low)
        high = np.where((at < 0.0) & (to >= 0.0), np.minimum(high, t), high)
        low = np.where((at >= 0.0) & (to >= 0.0), 2.0, low)
    entered: Bools = low <= high
    return entered
