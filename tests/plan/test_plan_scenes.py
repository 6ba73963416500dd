"""Scenes are what their kind says, judged without the planner's kernels; the check itself is judged by shapely."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tikitaka.errors import ContractError, UnknownNameError
from tikitaka.lab.plan_check import BOX, CAPSULE, CIRCLE, FIELD, depths, path_depths
from tikitaka.plan.obstacles import fixtures
from tikitaka.plan.scenes import KINDS, PITCHES, Scenes, scenes
from tikitaka.types import Floats

COUNT = 200
numbers = st.floats(-2.0, 2.0)
sizes = st.floats(0.01, 2.0)


def at(made: Scenes, points: Floats) -> Floats:
    """Return the depths (count, m) of points."""
    return depths(made.obstacles, points[:, None], points[:, None])


def line(made: Scenes) -> Floats:
    """Return the depth (count,) of the straight line."""
    xy = np.stack((made.starts, made.targets), axis=1)
    return path_depths(made.obstacles, xy, np.full(len(made), 2))


@pytest.mark.parametrize("name", PITCHES)
@pytest.mark.parametrize("kind", KINDS)
def test_scenes_are_of_their_kind(name: str, kind: str) -> None:
    made = scenes(name, kind, COUNT)
    start, target, straight = at(made, made.starts), at(made, made.targets), line(made)
    free_start, free_target = (start <= 0.0).all(axis=1), (target <= 0.0).all(axis=1)
    holds = {
        "free": straight <= 0.0,
        "blocked": free_start & free_target & (straight > 0.0),
        "start_inside": (start[:, :-1] > 0.0).any(axis=1) & (start[:, -1] <= 0.0) & free_target,
        "target_inside": (target[:, :-1] > 0.0).any(axis=1) & (target[:, -1] <= 0.0) & free_start,
        "outside": (start[:, -1] > 0.0) & free_target,
        "narrow": free_start & free_target,
        "unsolvable": free_start & free_target,
        "random": np.ones(COUNT, np.bool_),
    }
    assert holds[kind].all()


@pytest.mark.parametrize("name", PITCHES)
def test_bodies_do_not_overlap_and_margins_differ(name: str) -> None:
    pitch, made = PITCHES[name], scenes(name, "random", COUNT)
    n, xy = pitch.robots, made.obstacles[:, : pitch.robots + 1, :2]
    body = np.full(n + 1, pitch.robot_radius)
    body[n] = pitch.ball_radius
    apart = np.linalg.norm(xy[:, :, None] - xy[:, None], axis=3) - body[:, None] - body
    assert (apart + 9.0 * np.eye(n + 1) > 0.0).all()
    margin = made.obstacles[:, :n, 4] - 2.0 * pitch.robot_radius
    assert margin[:, : pitch.mates].max() == pytest.approx(pitch.own_margin)
    assert margin[:, pitch.mates :].max() == pytest.approx(pitch.other_margin)
    assert 0.0 <= margin.min() < 0.1 * pitch.own_margin


@pytest.mark.parametrize("name", PITCHES)
@pytest.mark.parametrize("kind", ["narrow", "unsolvable"])
def test_one_end_stands_in_a_ring_that_is_closed_where_no_path_can_be(name: str, kind: str) -> None:
    made = scenes(name, kind, 100)
    enclosed = []
    for scene in made:
        discs = [
            shapely.Point(x, y).buffer(r, quad_segs=64) for x, y, *_, r, _ in scene.obstacles[: PITCHES[name].robots]
        ]
        hidden = shapely.unary_union(discs)
        holes = [shapely.Polygon(h) for p in getattr(hidden, "geoms", [hidden]) for h in p.interiors]
        held = [any(h.contains(shapely.Point(end)) for h in holes) for end in (scene.start, scene.target)]
        assert sum(held) <= 1
        enclosed.append(any(held))
    closed = made.solvable == 0
    assert closed.all() if kind == "unsolvable" else 0.3 < closed.mean() < 0.7
    held_in = np.array(enclosed)
    assert held_in[closed].all()
    assert closed.all() or held_in[~closed].mean() < 0.5  # others may stand before the gap


def test_the_same_seed_gives_the_same_scenes_and_each_can_be_had_alone() -> None:
    few, many, other = (scenes("ssl-b", "blocked", n, seed) for n, seed in ((5, 3), (20, 3), (5, 4)))
    assert np.array_equal(few.obstacles, many.obstacles[:5])
    assert np.array_equal(few.starts, many.starts[:5])
    assert not np.array_equal(few.starts, other.starts)
    for i, one in enumerate(few):
        assert np.array_equal(one.obstacles, few.obstacles[i])
        assert np.array_equal(one.target, few.targets[i])
        assert one.solvable is None
    assert scenes("ssl-b", "free", 1)[0].solvable is True


def test_wrong_names_and_numbers_are_told() -> None:
    with pytest.raises(UnknownNameError, match="'ssl-b', 'ssl-a', 'mirosot'"):
        scenes("ssl", "free", 1)
    with pytest.raises(UnknownNameError, match="'free', 'blocked'"):
        scenes("ssl-b", "fre", 1)
    with pytest.raises(ContractError, match="-1"):
        scenes("ssl-b", "free", -1)


def test_what_never_moves_is_the_same_left_and_right_and_up_and_down() -> None:
    for pitch in PITCHES.values():
        fixed = fixtures(pitch.field, pitch.robot_radius, pitch.robot_radius, areas=True)
        rows = {tuple(np.round(shape, 9)) for shape in map(_outline, fixed)}
        for sx, sy in ((-1.0, 1.0), (1.0, -1.0)):
            turned = fixed * (sx, sy, sx, sy, 1.0, 1.0)
            assert {tuple(np.round(shape, 9)) for shape in map(_outline, turned)} == rows


def _outline(row: Floats) -> tuple[float, ...]:
    """Return the numbers of a row, its two points in order of x and y, or as the corners of its box."""
    ends = row[:4].reshape(2, 2)
    a, b = sorted(ends.tolist()) if row[5] < BOX else (ends.min(axis=0), ends.max(axis=0))
    return (*(float(v) + 0.0 for v in (*a, *b)), float(row[4]), float(row[5]))


@given(numbers, numbers, sizes, sizes, st.floats(0.0, 1.0), numbers, numbers, numbers, numbers)
def test_depths_are_what_shapely_says(
    x: float, y: float, w: float, h: float, r: float, px: float, py: float, qx: float, qy: float
) -> None:
    p, q = np.array((px, py)), np.array((qx, qy))
    move = shapely.LineString((p, q)) if (px, py) != (qx, qy) else shapely.Point(p)
    point, segment, box = (
        shapely.Point(x, y),
        shapely.LineString(((x, y), (x + w, y + h))),
        shapely.box(x, y, x + w, y + h),
    )
    rows = np.array(((x, y, x, y, r, CIRCLE), (x, y, x + w, y + h, r, CAPSULE), (x, y, x + w, y + h, r, BOX)))
    deep = depths(rows, p, q)
    assert deep[:2] == pytest.approx([r - move.distance(point), r - move.distance(segment)], abs=1e-12)
    if move.distance(box) > 1e-9:
        assert deep[2] == pytest.approx(r - move.distance(box), abs=1e-12)
    else:
        t = np.linspace(0.0, 1.0, 400)[:, None]
        points = shapely.points(p + t * (q - p))
        inside = np.max(shapely.distance(box.exterior, points), where=shapely.covers(box, points), initial=0.0)
        assert inside - 1e-12 <= deep[2] - r <= inside + np.linalg.norm(q - p) / 399 + 1e-12
    field = np.array((x, y, x + w, y + h, 0.0, FIELD))
    ends = [e.distance(box) or -box.exterior.distance(e) for e in (shapely.Point(p), shapely.Point(q))]
    assert depths(field, p, q) == pytest.approx(max(ends), abs=1e-12)
