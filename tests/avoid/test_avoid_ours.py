"""Our own avoidance: roll-outs that arrive, choices that keep apart, and nothing done where nothing is in the way."""

import math

import numpy as np
import pytest
from avoid_scenes import Row, changed, straight, with_contact, world
from hypothesis import given
from hypothesis import strategies as st

from tikitaka import avoid
from tikitaka.avoid import Limits, Method, Params
from tikitaka.avoid.kernels import rolling, weighing
from tikitaka.avoid.kernels.rolling import OPTION
from tikitaka.lab.austro_counts import score
from tikitaka.lab.austro_moves import TESTS, Route, route
from tikitaka.lab.austro_traffic import drive, setup_of
from tikitaka.types import PlanStatus

OURS = Method.OURS
HEAD_ON: list[Row] = [(-0.5, 0.0, 0.0, 1.0), (0.5, 0.0, math.pi, 1.0)]
CROSSING: list[Row] = [(-0.5, 0.0, 0.0, 1.5), (0.0, -0.5, 0.5 * math.pi, 1.5)]
numbers = st.floats(-1.0, 1.0)


@pytest.mark.parametrize("omni", [False, True])
@given(x=numbers, y=numbers, heading=st.floats(-3.1, 3.1), speed=st.floats(-1.0, 1.0))
def test_a_roll_out_ends_at_the_target_and_keeps_the_speed(
    omni: bool, x: float, y: float, heading: float, speed: float
) -> None:
    limits = Limits(omni=omni, step=0.02)
    way, track = np.array([(0.0, 0.0), (0.4, 0.5), (x, y)]), np.empty((200, 2))
    pose, velocity = np.array((0.0, 0.0, heading)), speed * np.array((math.cos(heading), math.sin(heading), 0.0))
    took = rolling.roll(pose, velocity, way, 3, 0.0, 1.5, np.zeros(OPTION), limits.array(), track)
    assert track[-1] == pytest.approx((x, y), abs=0.1)
    assert np.linalg.norm(np.diff(track, axis=0), axis=1).max() <= 1.5 * 0.02 + 1e-9
    assert took < 4.0


@pytest.mark.parametrize("heading", [0.0, math.pi])
def test_a_two_faced_robot_goes_straight_at_once_and_its_time_is_that_of_ramps(heading: float) -> None:
    limits, track = Limits(), np.empty((41, 2))
    way, pose = np.array([(0.0, 0.0), (1.5, 0.0)]), np.array((0.0, 0.0, heading))
    took = rolling.roll(pose, np.zeros(3), way, 2, 0.0, 2.0, np.zeros(OPTION), limits.array(), track)
    assert track[:, 1] == pytest.approx(np.zeros(41), abs=1e-9)
    a = limits.array()[1]
    rest = math.sqrt(2.0 * rolling.THERE / a)  # of the braking: who is that near has arrived
    assert took == pytest.approx(rolling.time_to_go(1.5, 0.0, 2.0, a) - rest, abs=0.05)


@given(st.floats(0.05, 2.0), st.floats(0.0, 1.0))
def test_the_time_to_go_is_that_of_ramps(distance: float, along: float) -> None:
    a, top = 5.0, 1.2
    t, x, v, dt = 0.0, 0.0, along, 1e-3
    while distance - x > 1e-3 and t < 5.0:
        v_next = min(top, v + a * dt, math.sqrt(2.0 * a * (distance - x)))
        x, v, t = x + v_next * dt, v_next, t + dt
    assert rolling.time_to_go(distance, along, top, a) == pytest.approx(t, abs=0.06)


@given(numbers, numbers, numbers, numbers)
def test_how_near_a_point_passes_is_that_of_many_looks(ax: float, ay: float, bx: float, by: float) -> None:
    s = np.linspace(0.0, 1.0, 401)
    brute = np.hypot(ax + s * (bx - ax), ay + s * (by - ay)).min()
    exact = weighing.nearest_pass(ax, ay, bx, by)
    assert exact <= brute + 1e-12
    assert brute - exact < 0.01


@pytest.mark.parametrize("turns", [(0.0, 0.5), (0.0, 0.25), (0.0, 0.25, 0.5), (0.0, 0.25, 0.5, 0.75)])
def test_robots_that_come_to_one_place_from_all_sides_pass_it_without_touching(turns: tuple[float, ...]) -> None:
    ways = [0.6 * np.array((math.cos(2.0 * math.pi * a), math.sin(2.0 * math.pi * a))) for a in turns]
    where = Route(tuple(np.array((way, -way)) for way in ways), 0.05, 2.0)
    films = [drive(setup_of(len(turns), 0, method, "ideal"), where, 3.0) for method in (Method.NONE, OURS)]
    assert len(films[0].touches)
    assert not len(films[1].touches)
    assert films[1].shortest.min() > 1.0


def test_robots_that_never_meet_keep_their_plans() -> None:
    seen = world([(0.0, 0.5, 0.0, 1.0), (0.0, -0.5, 0.0, 1.0)], [(-0.9, 0.0, 0.0, 0.0)])
    plans, after = straight(seen), changed(seen, OURS)
    assert after.xy[:, :2].tolist() == plans.xy.tolist()
    assert after.intents.max_speed.tolist() == plans.intents.max_speed.tolist()
    assert after.count.tolist() == plans.count.tolist()


def test_who_is_out_for_contact_or_switched_off_is_left_alone_and_the_other_gives_way() -> None:
    seen = world(CROSSING)
    for i in (0, 1):
        plans = with_contact(straight(seen), i)
        after = changed(seen, OURS, plans)
        off = avoid.step(Params(OURS), avoid.switch(avoid.start(2), on=False, robot=i), seen, straight(seen))[1]
        for one in (after, off):
            assert one.count[i] == 2
            assert one.intents.max_speed[i] == np.inf
            assert one.status[i] == PlanStatus.EXACT
            gave_way = one.count[1 - i] > 2 or one.intents.max_speed[1 - i] < np.inf
            assert gave_way or one.status[1 - i] == PlanStatus.NONE


def test_the_plans_given_are_not_touched_and_the_same_world_gives_the_same_answer() -> None:
    seen = world(HEAD_ON)
    plans = straight(seen)
    first, second = changed(seen, OURS, plans), changed(seen, OURS, plans)
    assert first.xy.tolist() == second.xy.tolist()
    assert plans.xy.tolist() == straight(seen).xy.tolist()
    assert (plans.intents.max_speed == np.inf).all()


def test_a_detour_is_kept_while_it_is_as_good_as_another() -> None:
    seen = world(HEAD_ON)
    memory, plans = avoid.step(Params(OURS), avoid.start(2), seen, straight(seen))
    _, again = avoid.step(Params(OURS), memory, seen, straight(seen))
    assert memory.kept.any()
    assert again.xy.tolist() == plans.xy.tolist()


def test_a_detour_is_not_changed_for_a_slightly_better_one() -> None:
    stands: list[Row] = [(0.0, 0.0, 0.0, 0.0)]
    left, right = (world([(-0.5, y, 0.0, 1.0)], stands) for y in (0.01, -0.01))
    plain = [changed(seen, OURS) for seen in (left, right)]
    assert plain[0].xy[0, 1, 1] * plain[1].xy[0, 1, 1] < 0.0  # either side is better for one of them
    memory, _ = avoid.step(Params(OURS), avoid.start(1), left, straight(left))
    _, kept = avoid.step(Params(OURS), memory, right, straight(right))
    assert kept.xy[0, 1, 1] * plain[0].xy[0, 1, 1] > 0.0


def test_bad_input_has_defined_answers() -> None:
    nan = float("nan")
    lost = changed(world([*HEAD_ON, (nan, nan, nan, nan)]), OURS)
    assert np.isfinite(lost.xy[:2, :2]).all()
    assert len(changed(world([(0.0, 0.0, 0.0, 1.0)] * 3), OURS)) == 3
    many: list[Row] = [(0.01 * k, 0.3 * math.sin(k), 0.1 * k, 0.02 * k) for k in range(100)]
    assert np.isfinite(changed(world(many), OURS).xy[:, 1]).all()


@pytest.mark.parametrize("test", [1, 2, 4])
def test_nobody_collides_in_half_a_minute_of_the_thesis_tests_with_perfect_sight(test: int) -> None:
    where = route(TESTS[test], setup_of(2, 0, OURS).league.field.geometry(), 1.0, 0)
    film = drive(setup_of(2, 0, OURS, "ideal"), where, 30.0)
    assert score(film, 2).collisions == 0.0
    assert score(film, 2).longest < 3.0


def test_robots_face_to_face_part_within_two_seconds() -> None:
    where = Route((np.array([(-0.04, 0.0), (0.8, 0.0)]), np.array([(0.04, 0.0), (-0.8, 0.0)])), 0.05, 1.0)
    film = drive(setup_of(2, 0, OURS), where, 4.0)
    assert film.touches[:, 0].max(initial=0.0) < 2.0
    assert film.shortest.min() > 0.5


@pytest.mark.parametrize("method", [Method.ORCA, OURS])
def test_a_pile_of_five_parts_within_two_seconds(method: Method) -> None:
    """Four around one, 8 cm apart, everybody to the opposite side."""
    turns = [0.5 * math.pi * k for k in range(4)]
    around = [np.array((math.cos(a), math.sin(a))) for a in turns]
    ways = (np.array([(0.0, 0.0), (0.0, 0.7)]), *(np.array((0.08 * u, -0.7 * u)) for u in around))
    film = drive(setup_of(5, 0, method), Route(ways, 0.05, 1.0), 5.0)
    gaps = np.linalg.norm(film.pose[:, :, None, :2] - film.pose[:, None, :, :2], axis=3)
    apart = gaps[:, *np.triu_indices(5, 1)].min(axis=1)
    assert apart[0] < 0.09  # they have begun to part
    assert film.touches[:, 0].max(initial=0.0) < 2.0
    assert film.rescues == 0


def test_strangers_are_kept_away_even_if_they_turn_towards_us() -> None:
    """A stranger beside us, on a course that meets ours within the guard's time, changes the plan at once."""
    seen = world([(0.0, 0.0, 0.0, 1.0)], [(0.15, 0.16, -0.5 * math.pi, 1.0)])
    plans, after = straight(seen), changed(seen, OURS)
    assert after.xy[0, 1].tolist() != plans.xy[0, 1].tolist() or after.status[0] == PlanStatus.NONE
