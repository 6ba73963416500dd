"""ERRT's paths: never through anything, symmetric where they must be, and an answer to every nonsense."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka.errors import ContractError
from tikitaka.lab.plan_check import path_depths
from tikitaka.plan import Body, Limits, Params, Search, find
from tikitaka.plan.kernels import finding, gathering, shapes, smoothing
from tikitaka.plan.kernels.shapes import BOX, CIRCLE, FIELD
from tikitaka.plan.paths import many
from tikitaka.plan.scenes import KINDS, PITCHES, scenes
from tikitaka.types import BallUse, Floats, PlanReason, PlanStatus

HULLS = {name: pitch.robot_radius for name, pitch in PITCHES.items()}
SEARCH = {name: Search(step=0.3 * hull / 0.09) for name, hull in HULLS.items()}
CLEAN = ("free", "blocked", "target_inside", "narrow", "unsolvable")  # kinds whose starts are in the open
PITCH = np.array(((-4.5, -3.0, 4.5, 3.0, 0.0, FIELD),))


def circles(*rows: tuple[float, float, float]) -> Floats:
    """Return circles (x, y, r) on a pitch of 9 x 6 m."""
    return np.array([*((x, y, x, y, r, CIRCLE) for x, y, r in rows), *PITCH])


@pytest.mark.parametrize("kind", CLEAN)
@pytest.mark.parametrize("name", PITCHES)
def test_no_path_touches_anything(name: str, kind: str) -> None:
    s = scenes(name, kind, 800, seed=11)
    xy, numbers = many(s.starts, s.targets, s.obstacles, HULLS[name], SEARCH[name])
    assert path_depths(s.obstacles, xy, numbers[:, 2]).max() <= 0.0
    assert np.array_equal(xy[:, 0], s.starts)


@pytest.mark.parametrize("kind", ["start_inside", "outside", "random"])
@pytest.mark.parametrize("name", PITCHES)
def test_who_starts_inside_goes_deeper_into_nothing(name: str, kind: str) -> None:
    s, free = scenes(name, kind, 300, seed=12), 2.0 * HULLS[name]
    xy, numbers = many(s.starts, s.targets, s.obstacles, HULLS[name], SEARCH[name])
    assert np.any(numbers[:, 0] > 0)
    for i in range(len(s)):
        path = xy[i, : numbers[i, 2]]
        for o in s.obstacles[i]:
            way = np.concatenate([np.linspace(a, b, 30) for a, b in pairwise(path)] or [path])
            depths = np.clip([shapes.depth(o, *at) for at in way], 0.0, np.inf if o[5] == FIELD else free)
            assert np.all(np.diff(depths) <= 1e-9)


@pytest.mark.parametrize("name", PITCHES)
def test_the_status_tells_how_far_the_path_reaches(name: str) -> None:
    for kind in KINDS:
        s = scenes(name, kind, 200, seed=13)
        xy, numbers = many(s.starts, s.targets, s.obstacles, HULLS[name], SEARCH[name])
        ends = xy[np.arange(len(s)), numbers[:, 2] - 1]
        there = np.linalg.norm(ends - s.targets, axis=1) <= 1e-9
        assert np.all(there[numbers[:, 0] == PlanStatus.EXACT])
        assert not np.any(there[(numbers[:, 0] == PlanStatus.CUT) | (numbers[:, 0] == PlanStatus.PARTIAL)])


def test_a_target_inside_a_circle_is_cut_at_its_rim_on_our_side() -> None:
    path = find(np.array((-2.0, 0.0)), np.array((1.0, 0.0)), circles((1.0, 0.0, 0.4)), 0.09)
    assert path.status == PlanStatus.CUT
    assert path.xy[-1] == pytest.approx((0.6, 0.0), abs=1e-4)


@settings(deadline=None, max_examples=100)
@given(st.floats(-0.9, 0.9), st.floats(-0.9, 0.9))
def test_a_cut_target_is_the_open_place_nearest_to_the_target(x: float, y: float) -> None:
    o = np.array(((-1.0, -1.0, 1.0, 1.0, 0.1, BOX), *PITCH))
    path = find(np.array((-2.0, 0.3)), np.array((x, y)), o, 0.09)
    nearest = shapes.depth(o[0], x, y)
    assert np.linalg.norm(path.xy[-1] - (x, y)) == pytest.approx(nearest, rel=2e-2)


def test_around_one_circle_the_path_is_the_closed_form() -> None:
    path = find(np.array((-2.0, 0.0)), np.array((2.0, 0.0)), circles((0.0, 0.0, 0.5)), 0.09)
    angle = math.acos(0.5 / 2.0)
    best = 2.0 * math.sqrt(4.0 - 0.25) + 0.5 * (math.pi - 2.0 * angle)
    assert path.reason == PlanReason.SEARCHED
    assert best <= path.length <= 1.001 * best


mirrors = st.sampled_from(((1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)))


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 500), mirrors)
def test_a_mirrored_path_is_smoothed_to_the_mirrored_result(i: int, mirror: tuple[float, float]) -> None:
    scene = scenes("ssl-b", "blocked", i + 1)[i]
    path = find(scene.start, scene.target, scene.obstacles, 0.09)
    flip, o = np.array(mirror), scene.obstacles.copy()
    o[:, :2], o[:, 2:4] = o[:, :2] * flip, o[:, 2:4] * flip
    low, high = np.minimum(o[:, :2], o[:, 2:4]), np.maximum(o[:, :2], o[:, 2:4])
    boxes = o[:, 5] >= BOX
    o[boxes, :2], o[boxes, 2:4] = low[boxes], high[boxes]
    assert smoothed(o, path.raw * flip) == pytest.approx(smoothed(scene.obstacles, path.raw) * flip, abs=1e-9)


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 500))
def test_a_path_turned_by_a_right_angle_is_smoothed_to_the_turned_result(i: int) -> None:
    scene = scenes("mirosot", "blocked", i + 1)[i]
    path = find(scene.start, scene.target, scene.obstacles, 0.053)
    o = scene.obstacles.copy()
    o[:, [0, 1, 2, 3]] = scene.obstacles[:, [1, 0, 3, 2]] * (-1.0, 1.0, -1.0, 1.0)
    boxes = o[:, 5] >= BOX
    o[boxes, 0], o[boxes, 2] = o[boxes, 2].copy(), o[boxes, 0].copy()
    turn = np.array(((0.0, -1.0), (1.0, 0.0)))
    assert smoothed(o, path.raw @ turn.T) == pytest.approx(smoothed(scene.obstacles, path.raw) @ turn.T, abs=1e-9)


def smoothed(o: Floats, raw: Floats) -> Floats:
    work, near = np.zeros((2, 1100, 2)), np.zeros(len(o), np.int64)
    work[0, : len(raw)] = raw
    n = smoothing.shorten(o, len(o), 0.18, work[0], len(raw), near)
    n = smoothing.smooth(o, len(o), 0.18, work[0], n, work[1], near)
    return work[0, :n].copy()


@settings(deadline=None, max_examples=80)
@given(st.integers(0, 500))
def test_corners_are_cut_alike_from_both_ends(i: int) -> None:
    scene = scenes("ssl-b", "blocked", i + 1)[i]
    corners = find(scene.start, scene.target, scene.obstacles, 0.09).corners
    there, back = cut(scene.obstacles, corners), cut(scene.obstacles, corners[::-1])
    assert len(there) >= len(corners)
    assert there == pytest.approx(back[::-1], abs=1e-9)


def cut(o: Floats, corners: Floats) -> Floats:
    path, spare, near = np.zeros((64, 2)), np.zeros((64, 2)), np.zeros(len(o), np.int64)
    path[: len(corners)] = corners
    return path[: smoothing.cut_corners(o, len(o), path, len(corners), spare, near)].copy()


def test_the_same_seed_gives_the_same_path_and_another_seed_another_one() -> None:
    tried = scenes("mirosot", "blocked", 50)
    scene = next(s for s in tried if len(find(s.start, s.target, s.obstacles, 0.09, Search(seed=3)).raw))
    first, again, other = (find(scene.start, scene.target, scene.obstacles, 0.09, Search(seed=k)) for k in (3, 3, 4))
    assert np.array_equal(first.raw, again.raw)
    assert np.array_equal(first.xy, again.xy)
    assert not np.array_equal(first.raw, other.raw)


NONSENSE = (
    ((math.nan, 0.0), (1.0, 0.0)),
    ((0.0, 0.0), (math.inf, 0.0)),
    ((0.0, 0.0), (0.0, math.nan)),
)


@pytest.mark.parametrize(("start", "target"), NONSENSE)
def test_nonsense_has_a_status(start: tuple[float, float], target: tuple[float, float]) -> None:
    path = find(np.array(start), np.array(target), circles((0.5, 0.0, 0.1)), 0.09)
    assert (path.status, path.reason) == (PlanStatus.NONE, PlanReason.NOT_FINITE)


def test_who_is_there_has_arrived() -> None:
    path = find(np.array((1.0, 1.0)), np.array((1.0, 1.0)), circles((0.5, 0.0, 0.1)), 0.09)
    assert (path.status, path.reason, len(path.xy)) == (PlanStatus.EXACT, PlanReason.ARRIVED, 1)


def test_where_everything_is_covered_there_is_no_open_place() -> None:
    path = find(np.array((0.0, 0.0)), np.array((1.0, 0.0)), circles((0.0, 0.0, 200.0)), 0.09)
    assert (path.status, path.reason) == (PlanStatus.NONE, PlanReason.NO_OPEN_PLACE)


def test_without_a_budget_only_the_straight_line_is_tried() -> None:
    none = Search(budget=0)
    blocked = find(np.array((-2.0, 0.0)), np.array((2.0, 0.0)), circles((0.0, 0.0, 0.5)), 0.09, none)
    free = find(np.array((-2.0, 0.0)), np.array((2.0, 0.0)), circles((0.0, 2.0, 0.5)), 0.09, none)
    assert free.status == PlanStatus.EXACT
    assert blocked.iterations == 0
    assert blocked.status != PlanStatus.EXACT or blocked.reason == PlanReason.EXACT_SEARCH


def test_no_obstacles_at_all_leave_the_straight_line() -> None:
    path = find(np.array((0.0, 0.0)), np.array((1.0, 0.0)), np.zeros((0, 6)), 0.09)
    assert path.reason == PlanReason.STRAIGHT


def test_the_kernels_names_are_those_of_the_types() -> None:
    reasons = {r.name: int(r) for r in PlanReason if hasattr(finding, r.name)}
    assert len(reasons) == 9
    assert all(getattr(finding, name) == value for name, value in reasons.items())
    assert all(getattr(finding, s.name) == s for s in PlanStatus)
    assert all(getattr(gathering, use.name) == use for use in BallUse)


def test_settings_that_can_never_work_are_refused() -> None:
    field = PITCHES["ssl-b"].field
    params = Params(field, Limits(2.0, 3.0), Body(0.09, 0.09, 0.0215, 0.09))
    with pytest.raises(ContractError, match=r"step must be above 0 and finite; got 0\.0"):
        replace(params, search=Search(step=0.0))
    with pytest.raises(ContractError, match=r"budget must be in \[0, 1000000\]; got -1"):
        replace(params, search=Search(budget=-1))
    with pytest.raises(ContractError, match="sticky must be at least 1"):
        replace(params, search=Search(sticky=0.5))
