"""Shortest paths: closed forms, slow twins, symmetries; free paths and proofs that there is none."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plan_twins import corner_circles, polygon_length, slow_length

from tikitaka.lab.plan_check import BOX, CAPSULE, CIRCLE, FIELD, depths, path_depths
from tikitaka.plan.kernels.corners import angle, free_turn, take_apart, turns
from tikitaka.plan.kernels.shapes import depth
from tikitaka.plan.scenes import PITCHES, Scene, Scenes, scenes
from tikitaka.plan.shortest import Path, Search, Work, shortest_path
from tikitaka.types import Floats

EXACT = 1e-12  # relative: what rounding leaves
WAYPOINTS = 256
COUNT = 150
WIDE = (-9.0, -9.0, 9.0, 9.0, 0.0, FIELD)
SYMMETRIC = {kind: scenes("ssl-b", kind, 100, seed=5) for kind in ("blocked", "narrow")}
radii = st.floats(0.05, 0.5)
angles = st.floats(-math.pi, math.pi)


def solve(rows: object, start: object, target: object) -> Path:
    return shortest_path(np.array(rows, float).reshape(-1, 6), np.array(start, float), np.array(target, float))


def walked(xy: Floats) -> float:
    return float(np.linalg.norm(np.diff(xy, axis=0), axis=1).sum())


def all_paths(made: Scenes) -> list[Path]:
    work = Work.of(made.obstacles.shape[1])
    return [shortest_path(s.obstacles, s.start, s.target, WAYPOINTS, work) for s in made]


@given(radii, st.floats(1e-9, 2.0), st.floats(1e-9, 2.0), angles)
def test_around_a_circle_it_is_two_tangents_and_an_arc(r: float, a: float, b: float, course: float) -> None:
    da, db = r + a, r + b
    start, target = (-da, 0.0), (db * math.cos(course), db * math.sin(course))
    turned = math.pi - abs(course) - math.acos(r / da) - math.acos(r / db)
    expected = math.dist(start, target)
    if turned > 0.0:
        expected = math.sqrt(da * da - r * r) + math.sqrt(db * db - r * r) + r * turned
    path = solve([(0.0, 0.0, 0.0, 0.0, r, CIRCLE), WIDE], start, target)
    assert path.length == pytest.approx(expected, rel=1e-9, abs=1e-11)


@given(radii, st.floats(0.1, 1.0), st.floats(0.1, 1.0), st.floats(0.01, 2.0))
def test_around_a_rounded_box_it_is_two_tangents_two_arcs_and_a_side(r: float, a: float, b: float, away: float) -> None:
    d = math.hypot(r + away, b)  # from the start, in the middle before a side, to the corner
    tangent = math.sqrt(d * d - r * r)
    arc = r * (math.atan2(b, r + away) + math.asin(r / d))
    path = solve([(-a, -b, a, b, r, BOX), WIDE], (-a - r - away, 0.0), (a + r + away, 0.0))
    assert path.length == pytest.approx(2.0 * tangent + 2.0 * arc + 2.0 * a, rel=1e-11)


@given(radii, st.floats(0.01, 1.0), st.floats(0.001, 1.0))
def test_between_two_circles_the_tangent_crosses_over(r: float, gap: float, away: float) -> None:
    d = r + 0.5 * gap  # centres at -d and d, walls behind them; from below the left one to above the right one
    walls = [(-9.0, 0.0, -d, 0.0, r, CAPSULE), (d, 0.0, 9.0, 0.0, r, CAPSULE)]
    start, target = (-d, -r - away), (d, r + away)
    turned = math.pi - 2.0 * math.acos(r / (r + away)) - 2.0 * math.acos(r / d)
    expected = math.dist(start, target)
    if turned > 0.0:
        expected = 2.0 * math.sqrt((r + away) ** 2 - r * r) + 2.0 * math.sqrt(d * d - r * r) + r * turned
    assert solve([*walls, WIDE], start, target).length == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "kind", "count"), [("mirosot", "blocked", 8), ("mirosot", "narrow", 8), ("ssl-b", "blocked", 2)]
)
def test_no_path_is_shorter_than_the_best_of_all_tangents_and_arcs(name: str, kind: str, count: int) -> None:
    for scene in scenes(name, kind, count, seed=1):
        expected = slow_length(scene.obstacles, scene.start, scene.target)
        assert solve(scene.obstacles, scene.start, scene.target).length == pytest.approx(expected, rel=EXACT)


def test_paths_among_polygons_inside_and_outside_of_the_obstacles_bound_the_length() -> None:
    for scene in scenes("mirosot", "blocked", 4, seed=2):
        length = solve(scene.obstacles, scene.start, scene.target).length
        low, high = (polygon_length(scene.obstacles, scene.start, scene.target, 16, outer) for outer in (False, True))
        assert 0.99 * length < low <= length <= high < 1.01 * length


halves = st.integers(-4, 4).map(lambda i: 0.5 * i)
rounds = st.sampled_from((0.1, 0.3))
lattice_rows = st.one_of(
    st.tuples(halves, halves, rounds).map(lambda v: (v[0], v[1], v[0], v[1], v[2], CIRCLE)),
    st.tuples(halves, halves, halves, halves, rounds).map(lambda v: (*v, CAPSULE)),
    st.tuples(halves, halves, st.sampled_from((0.0, 0.5, 1.0)), st.sampled_from((0.0, 0.5, 1.5)), rounds).map(
        lambda v: (v[0], v[1], v[0] + v[2], v[1] + v[3], v[4], BOX)
    ),
)


@settings(max_examples=25)
@given(st.lists(lattice_rows, max_size=5), st.booleans(), halves, halves)
def test_parallels_and_shapes_on_one_another_do_no_harm(
    rows: list[tuple[float, ...]], sharp: bool, y: float, end: float
) -> None:
    if sharp:
        rows = [*rows, (-0.5, -1.0, 0.5, 1.0, 0.0, BOX)]
    o, start, target = np.array([*rows, (-3.2, -3.2, 3.2, 3.2, 0.0, FIELD)]), np.array((-3.0, y)), np.array((3.0, end))
    assume((depths(o, start, start) <= 0.0).all() and (depths(o, target, target) <= 0.0).all())
    path = solve(o, start, target)
    assert path.length == pytest.approx(slow_length(o, start, target), rel=1e-9)
    if path.status == Search.SOLVED:
        assert path_depths(o[None], path.xy[None], np.array([len(path.xy)])) <= 0.0


@pytest.mark.parametrize("name", PITCHES)
@pytest.mark.parametrize("kind", ["free", "blocked", "narrow", "random"])
def test_paths_are_free_and_hardly_longer_than_with_round_turns(name: str, kind: str) -> None:
    made = scenes(name, kind, COUNT, seed=3)
    paths = all_paths(made)
    xy, count = np.zeros((COUNT, WAYPOINTS, 2)), np.array([len(path.xy) for path in paths])
    for i, path in enumerate(paths):
        xy[i, : count[i]] = path.xy
        assert (path.status == Search.SOLVED) == (count[i] >= 2) == math.isfinite(path.length)
        if path.status == Search.SOLVED:
            assert np.array_equal(path.xy[[0, -1]], (made.starts[i], made.targets[i]))
            assert path.length * (1.0 - EXACT) <= walked(path.xy) <= 1.02 * path.length
    solved = count > 0
    assert solved.sum() >= (10 if kind == "random" else 60)  # something was tested
    assert (path_depths(made.obstacles[solved], xy[solved], count[solved]) <= 0.0).all()
    if kind == "free":
        straight = np.linalg.norm(made.targets - made.starts, axis=1)
        assert [path.length for path in paths] == pytest.approx(straight, rel=EXACT)


@pytest.mark.parametrize("name", PITCHES)
@pytest.mark.parametrize("kind", ["blocked", "narrow", "unsolvable"])
def test_where_it_says_that_there_is_no_path_shapely_finds_start_and_target_apart(name: str, kind: str) -> None:
    made = scenes(name, kind, 40, seed=4)
    for scene, path in zip(made, all_paths(made), strict=True):
        assert path.status in {Search.SOLVED, Search.NO_PATH}
        if scene.solvable is not None:
            assert (path.status == Search.SOLVED) == scene.solvable
        if path.status == Search.NO_PATH:
            assert _apart(scene)


def _apart(scene: Scene) -> bool:
    """Say whether start and target are apart even with obstacles that are a little too small: polygons inside them."""
    hidden = []
    for x0, y0, x1, y1, r, kind in scene.obstacles.tolist():
        core = shapely.box(x0, y0, x1, y1) if kind == BOX else shapely.LineString(((x0, y0), (x1, y1)))
        if kind == CIRCLE:
            core = shapely.Point(x0, y0)
        if kind != FIELD:
            hidden.append(core.buffer(r, quad_segs=64))
    free = shapely.difference(shapely.box(*scene.obstacles[-1, :4]), shapely.unary_union(hidden))
    parts = [p for p in getattr(free, "geoms", [free]) if p.distance(shapely.Point(scene.start)) < 1e-9]
    return all(p.distance(shapely.Point(scene.target)) > 1e-4 for p in parts)


@settings(max_examples=60)
@given(st.integers(0, 99), st.sampled_from(("blocked", "narrow")), st.booleans(), st.booleans(), st.booleans())
def test_the_length_is_the_same_mirrored_turned_and_backwards(
    i: int, kind: str, mirror: bool, turn: bool, back: bool
) -> None:
    scene = SYMMETRIC[kind][i]
    rows, ends = scene.obstacles.copy(), np.array((scene.start, scene.target))
    if mirror:
        rows[:, [1, 3]], ends[:, 1] = -rows[:, [1, 3]], -ends[:, 1]
    if turn:
        rows[:, :4], ends = rows[:, [1, 0, 3, 2]] * (-1.0, 1.0, -1.0, 1.0), ends[:, ::-1] * (-1.0, 1.0)
    boxes = rows[:, 5] >= BOX
    corners = rows[boxes, :4].reshape(-1, 2, 2)
    rows[boxes, :4] = np.concatenate((corners.min(axis=1), corners.max(axis=1)), axis=1)
    start, target = ends[::-1] if back else ends
    expected = solve(scene.obstacles, scene.start, scene.target)
    found = solve(rows, start, target)
    assert found.status == expected.status
    assert found.length == pytest.approx(expected.length, rel=EXACT)


@given(radii, angles, angles)
def test_start_and_target_may_touch(r: float, a: float, b: float) -> None:
    row = np.array((0.3, -0.2, 0.3, -0.2, r, CIRCLE))
    ends = [_touching(row, t) for t in (a, b)]
    path = solve([row, WIDE], *ends)
    turned = min(abs(a - b), 2.0 * math.pi - abs(a - b))
    assert path.status == Search.SOLVED
    assert path.length == pytest.approx(r * turned, rel=1e-6, abs=1e-8)  # a hair of 1e-16 away is 1e-8 around


def _touching(row: Floats, t: float) -> Floats:
    """Return the point of a circle's rim at an angle: the nearest that is free."""
    far = float(row[4])
    while True:
        p = row[:2] + far * np.array((math.cos(t), math.sin(t)))
        if depth(row, p[0], p[1]) <= 0.0:
            return p
        far = math.nextafter(far, math.inf)


def test_a_gap_is_passed_exactly_where_it_is_wide_enough() -> None:
    for gap, status in ((1e-9, Search.SOLVED), (-1e-9, Search.NO_PATH)):
        y = 0.5 * (1.0 + gap)
        rows = [(-1.0, y, 1.0, y, 0.5, CAPSULE), (-1.0, -y, 1.0, -y, 0.5, CAPSULE), (-1.4, -1.0, 1.4, 1.0, 0.0, FIELD)]
        assert solve(rows, (-1.39, 0.0), (1.39, 0.0)).status == status


def test_bad_input_gives_a_status() -> None:
    rows = np.array([(0.0, 0.0, 0.0, 0.0, 0.3, CIRCLE), WIDE])
    assert solve(rows, (math.nan, 0.0), (1.0, 0.0)).status == Search.NOT_FREE
    assert solve(rows, (0.1, 0.0), (1.0, 0.0)).status == Search.NOT_FREE
    assert solve(rows, (1.0, 0.0), (0.0, math.inf)).status == Search.NOT_FREE
    assert solve(rows * math.nan, (1.0, 0.0), (0.0, 1.0)).status == Search.NOT_FREE
    here = solve(rows, (1.0, 0.0), (1.0, 0.0))
    assert (here.status, here.length, here.xy.tolist()) == (Search.SOLVED, 0.0, [[1.0, 0.0], [1.0, 0.0]])
    assert solve([], (-1.0, 0.0), (1.0, 0.0)).length == 2.0
    assert solve([rows[0]] * 40, (-1.0, 0.0), (1.0, 0.0)).length == solve(rows, (-1.0, 0.0), (1.0, 0.0)).length


def test_nothing_lies_inside_a_line() -> None:
    rows = [(0.0, -1.0, 0.0, 1.0, 0.0, kind) for kind in (CIRCLE, CAPSULE, BOX)]
    rows[0] = (0.0, 0.0, 0.0, 0.0, 0.0, CIRCLE)
    assert solve(rows, (-1.0, 0.0), (1.0, 0.0)).length == 2.0


def test_too_little_room_is_told() -> None:
    rows, start, target = np.array([(0.0, 0.0, 0.0, 0.0, 0.3, CIRCLE)]), np.array((-1.0, 0.0)), np.array((1.0, 0.0))
    assert shortest_path(rows, start, target, work=Work.of(1, states=2)).status == Search.NO_ROOM
    for waypoints in range(3):
        few = shortest_path(rows, start, target, waypoints)
        assert (few.status, few.xy.shape) == (Search.SOLVED, (0, 2))


def test_who_comes_back_to_a_circle_behind_a_spike_is_not_taken_for_one_who_passed_it() -> None:
    rows = np.array(
        [(0.0, 0.0, 0.0, 0.0, 1.0, CIRCLE), (0.0, 0.9, 0.0, 1.3, 0.05, CAPSULE), (0.0, -9.0, 0.0, 0.0, 0.1, CAPSULE)]
    )
    start, target = np.array((-1.5, 0.3)), np.array((1.5, -0.4))
    assert solve(rows, start, target).length == pytest.approx(slow_length(rows, start, target), rel=EXACT)


def free_angle(rows: Floats, at: float, s: float) -> float:
    """Return the angle that one may turn along the first corner circle of the first row, as `free_turn` has it."""
    work = Work.of(len(rows))
    far = (90.0, 90.0, 91.0, 90.0)
    n, ledges = take_apart(rows, len(rows), *far, work.tested, work.circles, work.edges)
    turn = free_turn(work.circles, n, work.edges, ledges, 0, s, math.cos(at), math.sin(at))
    quarter = turn - math.floor(turn)
    return 0.5 * math.pi * math.floor(turn) + math.atan2(quarter, 1.0 - quarter)


@given(st.lists(lattice_rows, min_size=1, max_size=4), st.booleans(), angles, st.sampled_from((-1.0, 1.0)))
def test_one_may_turn_until_one_goes_in_somewhere(
    rows: list[tuple[float, ...]], large: bool, at: float, s: float
) -> None:
    o = np.array([(0.0, 0.0, 0.0, 0.0, 1.17, CIRCLE), *rows] if large else rows)
    circle = corner_circles(o)[0]
    way = at + s * np.linspace(0.0, 2.0 * math.pi, 1500)
    points = np.array(circle[:2]) + circle[2] * np.stack((np.cos(way), np.sin(way)), axis=1)
    deep = depths(o, points[:, None], points[:, None]).max(axis=1)
    assume(deep[0] < 1e-12)
    blocked = np.nonzero(deep > 1e-6)[0]
    free = 2.0 * math.pi if len(blocked) == 0 else float(abs(way[blocked[0]] - at))
    assert free_angle(o, at, s) == pytest.approx(
        free, abs=1e-2
    )  # a step, and 1e-6 m deep is 5 mrad behind a side's end


@given(st.floats(0.6, 1.4), angles, st.floats(-1e-14, 1e-14), st.sampled_from((-1.0, 1.0)))
def test_at_the_end_of_what_is_free_nobody_turns_on(d: float, course: float, hair: float, s: float) -> None:
    c, sn = math.cos(course), math.sin(course)
    circle = (0.0, 0.0, 0.0, 0.0, 1.0, CIRCLE)
    other = np.array((circle, (d * c, d * sn, d * c, d * sn, 0.7, CIRCLE)))
    enters = course - s * math.acos((1.0 + d * d - 0.49) / (2.0 * d))
    assert min(free_angle(other, enters + hair, s), 1.0) == pytest.approx(0.0, abs=1e-9)
    side = np.array((circle, (-9.0, -9.0, 0.3, 9.0, 0.2, BOX)))
    enters = math.pi - s * math.acos(-0.5)
    assert min(free_angle(side, enters + hair, s), 1.0) == pytest.approx(0.0, abs=1e-9)
    own = np.array([(0.0, 0.0, -c, -sn, 0.5, CAPSULE)])  # a half circle around the course
    assert min(free_angle(own, course + s * (0.5 * math.pi + hair), s), 1.0) == pytest.approx(0.0, abs=1e-9)


@given(angles, angles, st.sampled_from((-1.0, 1.0)))
def test_turns_rise_with_the_angle(a: float, b: float, s: float) -> None:
    n = (math.cos(0.3), math.sin(0.3))
    first, second = ((math.cos(0.3 + s * v), math.sin(0.3 + s * v)) for v in (a, b))
    exact = [v % (2.0 * math.pi) for v in (a, b)]
    assume(abs(exact[0] - exact[1]) > 1e-9 and min(exact) > 1e-8 and max(exact) < 2.0 * math.pi - 1e-8)
    assert (turns(*n, *first, s) < turns(*n, *second, s)) == (exact[0] < exact[1])
    assert angle(*n, *first, s) == pytest.approx(exact[0])
    assert math.floor(turns(*n, *first, s) + 1e-9) == pytest.approx(math.floor(exact[0] / (0.5 * math.pi) + 1e-9))
