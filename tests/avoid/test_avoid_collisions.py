"""The next collision: closed forms, symmetries, and each erratum of the printed program shown."""

import math

import numpy as np
import pytest
from avoid_scenes import found, straight, world
from hypothesis import given
from hypothesis import strategies as st

from tikitaka.avoid import CollisionKind, Method
from tikitaka.avoid.kernels import meeting

PRINTED = Method.COLLISION_AVOID_PRINTED
DEG = math.radians(1.0)
UP = 0.5 * math.pi
speeds = st.floats(0.3, 3.0)


@pytest.mark.parametrize(
    ("degrees", "kind"),
    [
        (0.0, CollisionKind.REAR_END), (29.0, CollisionKind.REAR_END), (31.0, CollisionKind.ANGULAR),
        (59.0, CollisionKind.ANGULAR), (61.0, CollisionKind.PERPENDICULAR), (90.0, CollisionKind.PERPENDICULAR),
        (119.0, CollisionKind.PERPENDICULAR), (121.0, CollisionKind.ANGULAR), (149.0, CollisionKind.ANGULAR),
        (151.0, CollisionKind.FRONTAL), (180.0, CollisionKind.FRONTAL),
    ],
)  # fmt: skip
def test_the_kind_follows_the_angle_between_the_courses(degrees: float, kind: CollisionKind) -> None:
    assert meeting.classify(degrees * DEG) == meeting.classify(-degrees * DEG) == kind


@given(st.floats(31.0, 149.0), st.sampled_from((-1.0, 1.0)), speeds, speeds, st.floats(0.2, 0.9))
def test_robots_that_come_to_a_point_together_are_told_when_and_where(
    degrees: float, side: float, v: float, u: float, t: float
) -> None:
    rel = side * degrees * DEG
    seen = world([(-v * t, 0.0, 0.0, v), (-u * t * math.cos(rel), -u * t * math.sin(rel), rel, u)])
    c = found(seen)
    assert c.partner.tolist() == [1, 0]
    assert c.time == pytest.approx([t, t])
    assert c.distance == pytest.approx([v * t, u * t])
    assert c.place == pytest.approx(np.zeros((2, 2)), abs=1e-9)
    assert c.from_right.tolist() == [side > 0.0, side < 0.0]  # exactly one of both gives way


@given(speeds, speeds, st.floats(0.05, 0.9))
def test_robots_face_to_face_meet_where_their_closing_speed_says(v: float, u: float, t: float) -> None:
    c = found(world([(0.0, 0.0, 0.0, v), ((v + u) * t, 0.02, math.pi, u)]))
    assert c.kind.tolist() == [CollisionKind.FRONTAL] * 2
    assert c.time == pytest.approx([t, t])
    assert c.distance == pytest.approx([v * t, u * t])


@given(speeds, st.floats(0.4, 0.95), st.floats(0.05, 0.9))
def test_who_is_faster_runs_into_who_is_ahead_and_not_the_other_way_round(v: float, share: float, t: float) -> None:
    u = share * v
    c = found(world([(0.0, 0.0, 0.0, v), ((v - u) * t, 0.0, 0.0, u)]))
    assert c.kind.tolist() == [CollisionKind.REAR_END, CollisionKind.NONE]
    assert c.distance[0] == pytest.approx(v * t)
    assert found(world([(0.0, 0.0, 0.0, v), (0.2, 0.0, 0.0, 1.01 * v)])).kind[0] == CollisionKind.NONE


@given(st.floats(0.05, 0.9), st.floats(-0.2, 0.2), st.floats(-math.pi, math.pi))
def test_a_robot_that_stands_is_met_where_it_is_if_it_is_in_the_way(x: float, y: float, heading: float) -> None:
    c = found(world([(0.0, 0.0, 0.0, 1.0), (x, y, heading, 0.0)]))
    assert c.kind[0] == (CollisionKind.STATIC if abs(y) < 0.1 else CollisionKind.NONE)
    if c.kind[0]:
        assert c.distance[0] == pytest.approx(x)
        assert c.place[0] == pytest.approx((x, 0.0))


def test_the_earliest_of_several_collisions_counts_and_all_of_its_numbers_are_of_one_robot() -> None:
    far, near = (0.9, 0.0, math.pi, 0.5), (0.3, -0.3, UP, 1.0)
    for rows in ([far, near], [near, far]):
        c = found(world([(0.0, 0.0, 0.0, 1.0), *rows]))
        assert c.kind[0] == CollisionKind.PERPENDICULAR
        assert rows[c.partner[0] - 1] == near
        assert c.time[0] == pytest.approx(0.3)
        assert c.from_right[0]


@given(st.floats(-3.0, 3.0), st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_what_is_foreseen_turns_and_moves_with_the_robots(angle: float, dx: float, dy: float) -> None:
    rows = [(0.0, 0.0, 0.1, 1.0), (0.35, 0.31, -1.4, 1.2), (0.5, -0.03, 3.0, 0.4)]
    c, s = math.cos(angle), math.sin(angle)
    moved = [(c * x - s * y + dx, s * x + c * y + dy, th + angle, v) for x, y, th, v in rows]
    one, two = found(world(rows)), found(world(moved))
    for name in ("kind", "partner", "from_right"):
        assert getattr(one, name).tolist() == getattr(two, name).tolist()
    hit = one.kind != CollisionKind.NONE
    assert hit.any()
    assert one.time[hit] == pytest.approx(two.time[hit])
    assert one.place[hit] @ [[c, s], [-s, c]] + (dx, dy) == pytest.approx(two.place[hit])


@given(st.floats(-0.6, 0.6), st.floats(-0.6, 0.6), st.floats(-3.1, 3.1), speeds, speeds)
def test_a_mirror_exchanges_left_and_right(x: float, y: float, course: float, v: float, u: float) -> None:
    one = found(world([(0.0, 0.0, 0.0, v), (x, y, course, u)]))
    two = found(world([(0.0, 0.0, 0.0, v), (x, -y, -course, u)]))
    assert one.kind.tolist() == two.kind.tolist()
    if one.kind[0] in (CollisionKind.PERPENDICULAR, CollisionKind.ANGULAR):
        assert one.from_right[0] != two.from_right[0]


def test_opponents_are_seen_and_cannot_be_controlled() -> None:
    mate, other = (0.4, -0.4, UP, 1.0), (0.4, 0.4, -UP, 1.0)
    assert found(world([(0.0, 0.0, 0.0, 1.0), mate])).controllable[0]
    c = found(world([(0.0, 0.0, 0.0, 1.0)], [other]))
    assert (c.kind[0], c.partner[0], c.controllable[0]) == (CollisionKind.PERPENDICULAR, 1, False)
    assert found(world([(0.0, 0.0, 0.0, 1.0)], [other]), PRINTED).kind[0] == CollisionKind.NONE  # erratum


def test_bad_input_has_defined_answers() -> None:
    nan = float("nan")
    same = found(world([(0.0, 0.0, 0.0, 1.0)] * 3))
    assert same.kind.tolist() == [CollisionKind.NONE] * 3
    lost = found(world([(0.0, 0.0, 0.0, 1.0), (nan, nan, nan, nan), (0.4, 0.0, math.pi, 1.0)]))
    assert lost.kind.tolist() == [CollisionKind.FRONTAL, CollisionKind.NONE, CollisionKind.FRONTAL]
    many = [(0.01 * k, 0.3 * math.sin(k), 0.1 * k, 0.02 * k) for k in range(100)]
    for method in Method:
        assert len(found(world(many), method)) == 100


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_printed_right_angles_are_found_on_either_side(side: float) -> None:
    """Headings in [0, 360) differ by 90 or by 270 degrees."""
    seen = world([(0.0, 0.0, 0.0, 1.0), (0.7, -0.7 * side, side * UP, 1.0)])
    assert found(seen, PRINTED).kind[0] == CollisionKind.PERPENDICULAR


def test_erratum_one_frame_for_places_and_courses() -> None:
    """R turns: its target is to the left, its course is still ahead, where it meets H; printed mixes both frames."""
    seen = world([(0.0, 0.0, 0.0, 1.0), (0.6, -0.6, UP, 1.0)])
    ahead, left = straight(seen), straight(seen, targets=np.array([(0.3, 0.8), (0.6, 0.6)]))
    assert found(seen, PRINTED, ahead).kind[0] == found(seen, plans=left).kind[0] == CollisionKind.PERPENDICULAR
    assert found(seen, PRINTED, left).kind[0] == CollisionKind.NONE


def test_erratum_a_heading_is_not_a_course() -> None:
    """H drives backwards towards us, looking away."""
    seen = world([(0.0, 0.0, 0.0, 1.0), (0.4, 0.0, 0.0, -1.0)])
    assert found(seen).kind[0] == CollisionKind.FRONTAL
    assert found(seen, PRINTED).kind[0] != CollisionKind.FRONTAL


def test_erratum_an_opponent_close_to_the_point_is_not_past_it() -> None:
    """0.4 s from the crossing: after one second it is farther away than now, but it is still to come."""
    seen, later = (world([(0.0, 0.0, 0.0, 1.0), (d, -d, UP, 1.0)]) for d in (0.4, 0.6))
    assert found(seen).kind[0] == CollisionKind.PERPENDICULAR
    assert found(seen, PRINTED).kind[0] == CollisionKind.NONE
    assert found(later, PRINTED).kind[0] == CollisionKind.PERPENDICULAR


def test_erratum_both_give_way_where_either_sees_the_other_less_than_10_cm_to_the_left() -> None:
    """Courses 120 degrees apart that cross in 0.7 s: H is seen 9 cm to the left, R 9 cm to the right."""
    angle, w = 0.8 * math.pi, 0.5 * (1.0 + 0.65)
    u = (0.65, 0.16)  # own and other way to the crossing: H is at y = 0.16 sin(144 deg) = 0.094
    seen = world([(-u[0], 0.0, 0.0, w), (-u[1] * math.cos(-angle), -u[1] * math.sin(-angle), -angle, 0.2)])
    assert sum(found(seen).from_right) == 1
    assert found(seen).kind.tolist() == [CollisionKind.ANGULAR] * 2
    assert found(seen, PRINTED).from_right.tolist() == [True, True]


def test_erratum_rear_end_is_seen() -> None:
    seen = world([(0.0, 0.0, 0.0, 2.0), (0.3, 0.0, 0.0, 0.5)])
    c = found(seen)
    assert c.kind[0] == CollisionKind.REAR_END
    assert c.time[0] == pytest.approx(0.2)
    assert found(seen, PRINTED).kind[0] == CollisionKind.NONE


def test_erratum_a_static_robot_is_met_where_it_stands() -> None:
    """Printed takes its heading for a course, and finds the crossing 5 cm before it."""
    seen = world([(0.0, 0.0, 0.0, 1.0), (0.6, 0.05, 0.25 * math.pi, 0.05)])
    assert found(seen).distance[0] == pytest.approx(0.6)
    assert found(seen, PRINTED).distance[0] == pytest.approx(0.55)


def test_erratum_numbers_are_those_of_the_robot_that_is_hit() -> None:
    """The third robot is nearer and misses; printed keeps the type of the second and the numbers of the third."""
    head_on, misses = (0.9, 0.0, math.pi, 1.0), (0.35, 0.9, -UP, 1.0)
    seen = world([(0.0, 0.0, 0.0, 1.0), head_on, misses])
    right, printed = found(seen), found(seen, PRINTED)
    assert (right.kind[0], right.partner[0]) == (CollisionKind.FRONTAL, 1)
    assert (printed.kind[0], printed.partner[0]) == (CollisionKind.FRONTAL, 2)
