"""The thesis' tests: where robots are sent, and what is counted."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from tikitaka import avoid
from tikitaka.avoid import Errata, Method
from tikitaka.lab import austro_errata, austro_faults, austro_many, austro_teams, austro_told
from tikitaka.lab import austro_moves as moves
from tikitaka.lab.austro_counts import Score, events, exposure, score, standing
from tikitaka.lab.austro_errata import Variant
from tikitaka.lab.austro_moves import TESTS, Route, grid, random_route, route
from tikitaka.lab.austro_pictures import bars, changes
from tikitaka.lab.austro_tables import METHODS, PRINTED, driving, units_of
from tikitaka.lab.austro_traffic import Film, alone, drive, setup_of
from tikitaka.lab.plot import page
from tikitaka.league import load
from tikitaka.types import Ball, Floats, Game, Phase, Plans, Robots, World

FIELD = load("mirosot-5v5").field.geometry()


def film(pose: Floats, velocity: Floats, touches: list[tuple[float, float, float, float]]) -> Film:
    to_go, rows = np.ones(pose.shape[:2]), np.array(touches).reshape(-1, 4)
    return Film(1.0 / 30.0, pose, velocity, to_go, rows, np.zeros(pose.shape[1]), 0)


def test_the_grid_of_the_thesis_is_off_centre_and_the_right_one_is_not() -> None:
    printed = grid(FIELD, thesis=True) + np.array((1.1, -0.9))  # from the upper left corner
    assert printed[0] == pytest.approx((0.2, -0.2))
    assert printed[14] == pytest.approx((1.8, -1.4))
    right = grid(FIELD, thesis=False)
    assert right.mean(axis=0) == pytest.approx((0.0, 0.0))
    assert right[9] == pytest.approx((0.9, 0.0))


def test_the_printed_path_lengths_are_those_of_the_grid() -> None:
    """[Austro, Table 4.1] 304.0 m are 190 legs of 1.6 m; Table 4.2: 310.8 m of legs of 1.6 and 1.2 m."""
    (a, _), (b, _) = TESTS[1].paths or ((), ()), TESTS[2].paths or ((), ())
    xy = grid(FIELD, thesis=True)
    assert math.dist(xy[a[0] - 1], xy[a[1] - 1]) == pytest.approx(1.6)
    assert math.dist(xy[b[0] - 1], xy[b[1] - 1]) == pytest.approx(1.6)
    assert math.dist(xy[3 - 1], xy[13 - 1]) == pytest.approx(1.2)
    assert sum(sum(t.minutes) for t in TESTS.values()) == 80.0


def test_what_is_printed_adds_up_to_the_thesis_totals() -> None:
    """[Austro, sec. 4.3 and Fig. 5.1]"""
    totals = {m: {t: sum(p.collisions) for t, p in tables.items()} for m, tables in PRINTED.items()}
    assert totals[Method.COLLISION_AVOID] == {1: 0, 2: 12, 3: 0.5, 4: 0, 5: 3.5, 6: 90}
    assert sum(totals[Method.COLLISION_AVOID].values()) == 106
    assert totals[Method.AUTO_AVOID] == {1: 0, 2: 35.5, 3: 14, 4: 0, 5: 55, 6: 106.5}
    assert totals[Method.NONE] == {2: 44.5, 3: 16.5, 6: 150.5}


def test_a_robot_at_its_target_is_sent_to_the_next_and_the_way_between_them_is_counted() -> None:
    where = Route((np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 0.5)]),), 0.05, 2.0)
    game, ball = Game(Phase.PLAY, 1.0, 0, 0, ours=True), Ball(0.0, 0.0, 0.0, 0.0, 0.0)

    def at(x: float, y: float) -> World:
        return World(0.0, FIELD, ball, Robots(np.array([(x, y, 0.0)]), np.zeros((1, 3)), np.zeros(1)), NOBODY, game)

    progress, wish = moves.decide(where, moves.begin(where), at(0.3, 0.0))
    assert wish.target[0, :2].tolist() == [1.0, 0.0]
    assert moves.shortest(where, progress, np.array([(0.3, 0.0, 0.0)])) == pytest.approx([0.3])
    progress, wish = moves.decide(where, progress, at(0.96, 0.0))
    assert wish.target[0, :2].tolist() == [1.0, 0.5]
    assert progress.driven == pytest.approx([1.0])
    assert wish.max_speed[0] == 2.0


NOBODY = Robots(np.empty((0, 3)), np.empty((0, 3)), np.empty(0))


def test_random_targets_keep_off_the_walls_and_are_the_same_for_the_same_seed() -> None:
    where = random_route(FIELD, 5, 1.0, 7)
    everything = np.concatenate(where.xy)
    assert (np.abs(everything) <= (0.7, 0.5)).all()
    assert np.abs(everything).max(axis=0) == pytest.approx((0.7, 0.5), abs=0.01)
    starts = np.array([xy[0] for xy in where.xy])
    assert min(math.dist(a, b) for i, a in enumerate(starts) for b in starts[:i]) > 0.2
    again, other = random_route(FIELD, 2, 1.0, 7), random_route(FIELD, 2, 1.0, 8)
    assert (again.xy[1][1:] == where.xy[1][1:]).all()
    assert (again.xy[1][1:] != other.xy[1][1:]).any()


def test_the_thesis_counts_random_legs_as_too_long() -> None:
    """From (1.9, 0.9) metres off the corner to (0.9, 0.9) is 1 m; counted from (1, 0) it is 0.906 m."""
    leg = Route((np.array([(0.8, 0.0), (-0.2, 0.0)]),), 0.1, 1.0)
    assert moves.overcounted(FIELD, leg) == pytest.approx(math.hypot(0.1, 0.9))
    assert moves.overcounted(FIELD, random_route(FIELD, 2, 1.0, 7)) == pytest.approx(1.62, abs=0.02)


def test_touches_less_than_half_a_second_apart_are_one_collision() -> None:
    found = events(np.array([(1.0, 0, 1, 0.2), (1.4, 0, 1, 0.5), (1.8, 0, 1, 0.0), (2.4, 0, 1, 0.1), (1.5, 1, 2, 0.4)]))
    assert found[:, [0, 3]].tolist() == [[1.0, 0.5], [1.5, 0.4], [2.4, 0.1]]
    still = np.zeros((90, 3, 3))
    s = score(film(still, still, [(1.0, 0, 1, 0.31), (2.0, 0, 1, 0.29)]), 3)
    assert (s.full, s.half, s.collisions) == (1, 1, 1.5)
    assert s.impact == pytest.approx(0.3)


@pytest.mark.parametrize(("miss", "met"), [(0.0, 1), (0.074, 1), (0.076, 0)])
def test_exposure_sees_robots_that_pass_each_other_within_one_tick(miss: float, met: int) -> None:
    """At 3 m/s each they overlap for 25 ms, less than a tick of 33."""
    t = np.arange(-15, 15)[:, None] / 30.0 + 0.5 / 30.0
    pose, velocity = np.zeros((30, 2, 3)), np.zeros((30, 2, 3))
    pose[:, :, 0], pose[:, 1, 1] = 3.0 * t * (1.0, -1.0), miss
    velocity[:, :, 0] = (3.0, -3.0)
    assert exposure(film(pose, velocity, []), 0.0375, 0.0375) == met


def test_a_robot_stands_only_where_it_has_a_way_to_go() -> None:
    pose = np.zeros((120, 2, 3))
    pose[:, 1, 0] = np.linspace(0.0, 4.0, 120)
    one = film(pose, 0.0 * pose, [])
    assert standing(one) == pytest.approx((3.0, 0.0, 4.0), abs=0.05)
    assert standing(replace(one, to_go=0.1 * one.to_go)) == (0.0, 0.0, 0.0)
    both = film(0.0 * pose, 0.0 * pose, [])
    assert standing(both) == pytest.approx((6.0, 3.0, 4.0), abs=0.1)


def test_two_robots_sent_at_each_other_crash_and_pass_as_ghosts() -> None:
    where = route(TESTS[1], FIELD, 1.0, 0)
    crashed, ghost = drive(setup_of(2, 0, Method.NONE), where, 3.0), alone(where, 0, 3.0)
    assert score(crashed, 2).collisions >= 1.0
    assert exposure(ghost, 0.0375, 0.0375) >= 1
    assert score(ghost, 2).collisions == 0.0
    assert ghost.shortest.sum() > 2.0 * crashed.shortest.sum()
    assert (drive(setup_of(2, 0, Method.NONE), where, 1.0).pose == crashed.pose[:30]).all()


def test_robots_that_are_locked_are_taken_apart() -> None:
    apart = drive(setup_of(2, 0, Method.NONE), route(TESTS[1], FIELD, 2.0, 0), 8.0)
    assert apart.rescues >= 1
    assert np.ptp(apart.pose[120:, 0, 0]) > 0.5


def test_every_condition_is_run_with_every_method_and_as_ghosts() -> None:
    assert driving(TESTS[4]) == 1
    units = units_of((1, 6), 5, 2)
    assert len(units) == 2 * 2 * 3 * sum(len(methods) + 1 for methods in METHODS.values())
    assert {u.seed for u in units} == {5, 6}
    assert {u.share for u in units} == {1.0}


def test_two_teams_drive_in_their_own_frames_and_nobody_is_counted_twice() -> None:
    scene = austro_many.SCENES[5]
    where = austro_many.routes(scene, FIELD, 0)
    setup = austro_teams.setup_of(scene.league, scene.robots, 0, (Method.NONE, Method.NONE))
    seen = austro_teams.drive(setup, where, 1.0)
    assert seen.pose.shape == (30, 10, 3)
    assert seen.pose[0, :5, 0] == pytest.approx(np.full(5, -0.88), abs=0.03)
    assert seen.pose[0, 5:, 0] == pytest.approx(np.full(5, 0.88), abs=0.03)
    met = events(seen.touches)
    assert len(met)  # they meet head-on in the middle
    assert (met[:, 1] < 5).all()
    assert (met[:, 2] >= 5).all()


def test_a_weak_robot_drives_less_far_and_its_team_does_not_know() -> None:
    where = route(TESTS[1], FIELD, 6.0, 0).only(0)
    sound = setup_of(1, 0, Method.NONE)
    weak = austro_faults.weak(sound)
    assert weak.sides == sound.sides
    assert drive(weak, where, 6.0).shortest[0] < 0.95 * drive(sound, where, 6.0).shortest[0]


def test_who_stood_or_drove_away_was_run_into() -> None:
    pose, velocity = np.zeros((4, 2, 3)), np.zeros((4, 2, 3))
    pose[:, 1, 0] = 0.2
    for mine, theirs, expected in ((0.0, -1.0, 1), (-0.5, -2.0, 1), (0.5, -1.0, 0), (0.05, -1.0, 1)):
        velocity[:, 0, 0], velocity[:, 1, 0] = mine, theirs
        met = np.array([(0.1, 0.0, 1.0, abs(mine - theirs))])
        assert austro_many.run_into(film(pose, velocity, []), met) == expected


@pytest.mark.parametrize("speed", [0.0, 1.0])
def test_avoidance_that_is_told_the_others_plans_minds_where_they_will_go(speed: float) -> None:
    """One that stands beside our way and is about to cross it is dodged, whatever its velocity says."""
    setup = setup_of(1, 0, Method.OURS)
    step, game = setup.sides[0].stack.avoid, Game(Phase.PLAY, 1.0, 0, 0, ours=True)
    mine = Robots(np.array([(-0.5, 0.0, 0.0)]), np.array([(speed, 0.0, 0.0)]), np.zeros(1))
    world = World(0.0, FIELD, Ball(9.0, 9.0, 0.0, 0.0, 0.0), mine, NOBODY, game)
    where = Route((np.array([(-0.5, 0.0), (0.7, 0.0)]),), 0.05, 2.0)
    wish = moves.decide(where, moves.begin(where), world)[1]
    xy = np.array([[(-0.5, 0.0), (0.7, 0.0)]])
    plans = Plans(wish, np.full(1, 2), xy, np.zeros((1, 2)), np.ones(1, np.int64), np.ones(1, np.int64))
    at, still = np.array([(0.0, -0.45, 1.57)]), np.zeros((1, 3))
    for goal, minded in (((0.0, -0.45), False), ((0.0, 0.45), True)):
        course = Route((np.array([(0.0, 0.45), (-goal[0], -goal[1])]),), 0.05, 2.0)
        them = austro_told.others(course, moves.begin(course), at, still)
        assert them.target[0] == pytest.approx(goal)
        memory, after = austro_told.told(step, them, avoid.start(1), world, plans)
        assert len(after) == len(memory.on) == 1
        same = np.array_equal(after.xy, plans.xy) and np.array_equal(after.intents.max_speed, wish.max_speed)
        assert same != minded


@pytest.mark.parametrize(
    ("end", "method"), [("printed", Method.COLLISION_AVOID_PRINTED), ("mended", Method.COLLISION_AVOID)]
)
def test_both_ends_of_the_errata_drive_as_the_methods_do_to_the_bit(end: str, method: Method) -> None:
    where = route(TESTS[2], FIELD, 2.0, 0)
    setup = austro_errata.fitted(setup_of(2, 0, Method.COLLISION_AVOID_PRINTED), austro_errata.Variant(end))
    one, two = drive(setup, where, 4.0), drive(setup_of(2, 0, method), where, 4.0)
    assert one.pose.tobytes() == two.pose.tobytes()
    other = next(v for v in austro_errata.VARIANTS if v.end != end and v.change is None)
    assert drive(austro_errata.fitted(setup, other), where, 4.0).pose.tobytes() != one.pose.tobytes()


def test_every_erratum_is_measured_at_both_ends_where_it_can_make_a_difference() -> None:
    units = austro_errata.units_of(5, 2)
    assert {u.seed for u in units} == {5, 6}
    names = [v.name for v in austro_errata.VARIANTS]
    assert len(names) == len(set(names)) == 2 * (1 + len(Errata) + 2)
    assert {u.variant for u in units} == set(austro_errata.VARIANTS)
    assert Errata.STALE not in {u.variant.change for u in units if u.test != austro_errata.TEAMS}
    text = austro_errata.fitted(setup_of(2, 0, Method.COLLISION_AVOID_PRINTED), Variant("mended", austro_errata.LIMITS))
    step = text.sides[0].stack.avoid
    assert isinstance(step, partial)
    thesis = step.args[0].thesis
    assert (thesis.dodge_least, thesis.dodge_most) == pytest.approx((0.2, 0.8))


def test_what_an_erratum_changes_is_told_with_its_interval() -> None:
    units = austro_errata.units_of(0, 2)
    one = Score(full=1, half=0, impact=0.0, speed=1.0, stood=0.0, deadlock=0.0, longest=0.0, rescues=0)
    found = {u: replace(one, half=2 * (u.seed + u.variant.mended.bit_count())) for u in units}
    base, alone = (austro_errata.measures(found, Variant("printed", c)) for c in (None, Errata.RIGHT))
    share, n = austro_errata.SHARE, 18
    assert base[austro_errata.ALONE][0] == [n * 1 / share, n * 2 / share]
    assert alone[austro_errata.ALONE][0] == [n * 2 / share, n * 3 / share]
    assert austro_errata.ALONE not in austro_errata.measures(found, Variant("printed", Errata.STALE))
    svg = page([[changes("What", {"one frame": [(1.0, 0.5, 1.5), (-2.0, -3.0, -1.0)]}, ("a", "b"))]], "Errata")
    assert all(f">{word}<" in svg for word in ("one frame", "a", "b", "+1", "-2"))


def test_bars_are_drawn_beside_what_is_printed_and_alone_where_nothing_is() -> None:
    svg = page([[bars("Collisions", "", {"fast, ours": (None, 0.0), "none": (106.0, 90.0)})]], "Fig. 5.1")
    assert all(f">{word}<" in svg for word in ("fast, ours", "none", "printed", "ours", "106 ", "90 ", "0 "))
    assert svg.count("<rect") == 2 + 3  # two of them in the legend
