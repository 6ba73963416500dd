"""Hulls against hulls and walls: shapely and brute force over all directions say the same."""

import inspect
import math
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from outline_shapes import SHAPES, placed, polygon, reach

import tikitaka
from tikitaka.geom.boxes import box_box
from tikitaka.sim.hull import box_hull, hull_array
from tikitaka.sim.kernels import hulls
from tikitaka.sim.kernels.separations import BOX, DISC, GENERAL, SHAPE

ERROR = 2e-6  # [m] of the polygons
HULLS = {name: hull_array(outline) for name, outline in SHAPES.items()}
POLYGONS = {name: polygon(outline, ERROR).convex_hull for name, outline in SHAPES.items()}
ANGLES = np.arange(3600) * (2.0 * math.pi / 3600.0)
NORMALS = np.stack((np.cos(ANGLES), np.sin(ANGLES)), axis=1)
Pose = tuple[float, float, float]
shape = st.sampled_from(sorted(SHAPES))
angle = st.floats(-math.pi, math.pi)
pose = st.tuples(st.floats(-0.2, 0.2), st.floats(-0.2, 0.2), angle)


def turned(p: Pose) -> tuple[float, float, float, float]:
    return p[0], p[1], math.cos(p[2]), math.sin(p[2])


def gap(a: str, pose_a: Pose, b: str, pose_b: Pose) -> tuple[float, float, float, float, float]:
    return hulls.hull_gap(*turned(pose_a), HULLS[a], *turned(pose_b), HULLS[b])


def contacts(a: str, pose_a: Pose, b: str, pose_b: Pose) -> list[list[float]]:
    manifold = np.full((2, 2, 5), math.nan)
    count = hulls.hull_contacts(*turned(pose_a), HULLS[a], *turned(pose_b), HULLS[b], manifold, 1)
    assert np.isnan(manifold[0]).all()
    found: list[list[float]] = manifold[1, :count].tolist()
    return found


def wall(a: str, pose_a: Pose, nx: float, ny: float, d: float) -> list[list[float]]:
    manifold = np.full((1, 2, 5), math.nan)
    count = hulls.hull_wall(*turned(pose_a), HULLS[a], nx, ny, d, manifold, 0)
    found: list[list[float]] = manifold[0, :count].tolist()
    return found


def separation(a: shapely.Polygon, b: shapely.Polygon) -> float:
    """Return the largest separation over 3600 directions."""
    return float((-reach(b, -NORMALS) - reach(a, NORMALS)).max())


@pytest.mark.parametrize("name", SHAPES)
def test_a_hull_reaches_as_far_as_shapelys(name: str) -> None:
    far = reach(POLYGONS[name], NORMALS)
    for (nx, ny), most in zip(NORMALS[::7].tolist(), far[::7].tolist(), strict=True):
        assert -wall(name, (0.0, 0.0, 0.0), nx, ny, 0.0)[0][0] == pytest.approx(most, abs=ERROR)


def test_boxes_and_discs_are_known_as_such() -> None:
    kinds = {name: HULLS[name][0, SHAPE] for name in HULLS}
    assert kinds == {
        **dict.fromkeys(("cube", "notched", "post"), BOX),
        **dict.fromkeys(("ssl", "disc"), DISC),
        **dict.fromkeys(("wild", "rounded", "bay"), GENERAL),
    }
    assert (HULLS["notched"] == HULLS["cube"]).all()
    assert (box_hull(0.1, 0.01) == HULLS["post"]).all()


@settings(deadline=None, max_examples=200)
@given(a=shape, b=shape, pose_a=pose, pose_b=pose)
def test_the_gap_is_the_distance_apart_and_the_depth_inside(a: str, b: str, pose_a: Pose, pose_b: Pose) -> None:
    found, nx, ny, _, _ = gap(a, pose_a, b, pose_b)
    one, two = placed(POLYGONS[a], *pose_a), placed(POLYGONS[b], *pose_b)
    distance = shapely.distance(one, two)
    assert math.hypot(nx, ny) == pytest.approx(1.0, abs=1e-12)
    assert found <= distance + 1e-12
    if distance == 0.0:
        best = separation(one, two)
        assert best - 1e-12 <= found + 2.0 * ERROR
        assert found - best < 3e-4  # between two of the 3600 directions
    elif HULLS[a][0, SHAPE] != BOX or HULLS[b][0, SHAPE] != BOX:
        assert found == pytest.approx(distance, abs=2.0 * ERROR)
    else:
        assert found > 0.0


@settings(deadline=None, max_examples=150)
@given(a=shape, b=shape, pose_a=pose, pose_b=pose)
def test_the_gap_is_the_separation_along_its_own_normal(a: str, b: str, pose_a: Pose, pose_b: Pose) -> None:
    found, nx, ny, _, _ = gap(a, pose_a, b, pose_b)
    n = np.array([[nx, ny]])
    one, two = placed(POLYGONS[a], *pose_a), placed(POLYGONS[b], *pose_b)
    assert found == pytest.approx(float(-reach(two, -n)[0] - reach(one, n)[0]), abs=2.0 * ERROR)


@settings(deadline=None, max_examples=150)
@given(pose_a=pose, pose_b=pose)
def test_boxes_are_measured_as_in_geom(pose_a: Pose, pose_b: Pose) -> None:
    found = gap("cube", pose_a, "post", pose_b)
    known = box_box(*pose_a, 0.0375, 0.0375, *pose_b, 0.1, 0.01)
    assert found[0] == pytest.approx(known[0], abs=1e-15)
    if known[0] > -0.005:  # deeper, two ways out may be equally near
        assert found[1:3] == pytest.approx(known[1:3], abs=1e-12)


@settings(deadline=None, max_examples=150)
@given(a=shape, b=shape, pose_a=pose, pose_b=pose)
def test_swapped_hulls_have_the_same_gap_and_the_opposite_normal(a: str, b: str, pose_a: Pose, pose_b: Pose) -> None:
    one, two = gap(a, pose_a, b, pose_b), gap(b, pose_b, a, pose_a)
    assert one[0] == pytest.approx(two[0], abs=1e-14)
    if one[0] > 1e-4:  # deep inside two ways may be equally near
        assert (one[1], one[2]) == pytest.approx((-two[1], -two[2]), abs=1e-6)


@settings(deadline=None, max_examples=200)
@given(a=st.sampled_from(["cube", "ssl", "disc", "rounded", "post"]), pose_a=pose, pose_b=pose)
def test_mirrored_scenes_have_mirrored_contacts(a: str, pose_a: Pose, pose_b: Pose) -> None:
    one = gap(a, pose_a, "ssl", pose_b)
    two = gap(a, (pose_a[0], -pose_a[1], -pose_a[2]), "ssl", (pose_b[0], -pose_b[1], -pose_b[2]))
    assert one[0] == pytest.approx(two[0], abs=1e-14)
    if one[0] <= 1e-4:
        return
    assert one[1:3] == pytest.approx((two[1], -two[2]), abs=1e-6)
    ends = contacts(a, pose_a, "ssl", pose_b)
    if len(ends) < 2 or abs(ends[0][0] - ends[1][0]) > 1e-9:  # of edges that lie flush either end will do
        assert one[3:] == pytest.approx((two[3], -two[4]), abs=1e-6)


@settings(deadline=None, max_examples=150)
@given(a=shape, b=shape, pose_a=pose, direction=angle, turn=angle, lift=st.floats(-1e-4, 0.0))
def test_touching_hulls_touch_at_the_contact_points(
    a: str, b: str, pose_a: Pose, direction: float, turn: float, lift: float
) -> None:
    c, s = math.cos(direction), math.sin(direction)
    pose_b = (pose_a[0] + 0.3 * c, pose_a[1] + 0.3 * s, turn)
    for _ in range(60):  # towards a until they touch: by the gap, which is never above the distance
        left = gap(a, pose_a, b, pose_b)[0] - lift
        pose_b = (pose_b[0] - left * c, pose_b[1] - left * s, turn)
    if abs(left) > 1e-9:
        return  # passed by
    one, two = placed(POLYGONS[a], *pose_a), placed(POLYGONS[b], *pose_b)
    for at in [*contacts(a, pose_a, b, pose_b)[:1], [0.0, *gap(a, pose_a, b, pose_b)[3:]]]:
        point = shapely.Point(at[1], at[2])
        slack = 1e-5 + 2.0 * abs(lift) + abs(at[0])
        assert one.distance(point) < slack
        assert two.distance(point) < slack


@pytest.mark.parametrize("tilt", [0.0, 1e-5, -1e-3, 0.01, -0.2])
def test_fronts_that_face_each_other_share_both_ends_each_with_its_own_gap(tilt: float) -> None:
    found = contacts("cube", (0.0, 0.0, 0.0), "cube", (0.085, 0.02, tilt))
    assert len(found) == 2
    ends = sorted(found, key=lambda at: at[2])
    assert [at[2] for at in ends] == pytest.approx([-0.0175, 0.0375], abs=0.01)
    rise = (ends[1][0] - ends[0][0]) / math.hypot(ends[1][1] - ends[0][1], ends[1][2] - ends[0][2])
    assert abs(rise) == pytest.approx(abs(math.tan(tilt)), abs=1e-3 + 0.1 * abs(tilt))
    if tilt == 0.0:
        assert [at[2] for at in ends] == pytest.approx([-0.0175, 0.0375])
        assert [at[0] for at in ends] == pytest.approx([0.01, 0.01])
        assert all(at[1:2] + at[3:] == pytest.approx([0.0425, 1.0, 0.0]) for at in ends)


def test_a_corner_touches_a_face_once() -> None:
    (at,) = contacts("cube", (0.0, 0.0, 0.0), "cube", (0.0375 + 0.0375 * math.sqrt(2.0) + 0.001, 0.01, 0.25 * math.pi))
    assert at == pytest.approx([0.001, 0.038, 0.01, 1.0, 0.0])


def test_flat_mouths_touch_at_both_ends_and_round_backs_at_one_point() -> None:
    front = contacts("ssl", (0.0, 0.0, 0.0), "ssl", (2 * 0.0794 + 0.002, 0.0, math.pi))
    half = math.sqrt(0.09**2 - 0.0794**2)
    assert sorted(at[2] for at in front) == pytest.approx([-half, half])
    assert [at[0] for at in front] == pytest.approx([0.002, 0.002])
    (back,) = contacts("ssl", (0.0, 0.0, math.pi), "ssl", (0.1802, 0.0, 0.0))
    assert back == pytest.approx([0.0002, 0.0901, 0.0, 1.0, 0.0], abs=1e-12)


@settings(deadline=None, max_examples=150)
@given(a=shape, pose_a=pose, direction=angle)
def test_the_lowest_point_meets_the_wall_first(a: str, pose_a: Pose, direction: float) -> None:
    nx, ny = math.cos(direction), math.sin(direction)
    low = 0.3 - float(reach(placed(POLYGONS[a], *pose_a), np.array([[nx, ny]]))[0])
    found = wall(a, pose_a, nx, ny, 0.3)
    assert found[0][0] == pytest.approx(low, abs=ERROR)
    assert min(at[0] for at in found) == found[0][0]
    for d, x, y, ux, uy in found:
        assert d == pytest.approx(0.3 - nx * x - ny * y, abs=1e-12)
        assert (ux, uy) == (-nx, -ny)
        assert placed(POLYGONS[a], *pose_a).boundary.distance(shapely.Point(x, y)) < 2.0 * ERROR


@pytest.mark.parametrize(("tilt", "count"), [(0.0, 2), (0.1, 2), (-0.25, 2), (0.5, 1), (0.25 * math.pi, 1)])
def test_a_side_along_the_wall_has_two_contacts_and_a_corner_one(tilt: float, count: int) -> None:
    assert len(wall("cube", (0.0, 0.0, tilt), 0.0, 1.0, 0.06)) == count


def test_a_robot_flush_with_the_wall_touches_with_both_corners() -> None:
    found = wall("cube", (0.5, 0.0, 0.5 * math.pi), 0.0, 1.0, 0.0375)
    assert sorted(at[1] for at in found) == pytest.approx([0.4625, 0.5375])
    assert [at[0] for at in found] == pytest.approx([0.0, 0.0], abs=1e-15)


def test_compiled_and_interpreted_kernels_agree_to_the_last_bit() -> None:
    script = Path(__file__).with_name("outline_hash.py")
    source = str(Path(inspect.getfile(tikitaka)).parents[1])
    hashes = set[str]()
    for disable_jit in ("0", "1"):
        env = {**os.environ, "NUMBA_DISABLE_JIT": disable_jit, "PYTHONPATH": source}
        done = subprocess.run([sys.executable, str(script)], env=env, capture_output=True, text=True, check=True)
        hashes.add(done.stdout)
    assert len(hashes) == 1
    assert len(hashes.pop()) == 64
