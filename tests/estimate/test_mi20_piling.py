"""All robots at once: contacts in the order of their times, piles, walls, noise, and nothing that is not finite."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from mi20_boxes import HALF, INERTIA, MASS, gap

from tikitaka import league as leagues
from tikitaka.estimate.boards import boxes_of, clear_of
from tikitaka.estimate.kernels.pairing import BOARD_FRICTION, BOUNCE, FRICTION, RADIUS
from tikitaka.estimate.kernels.piling import BOARD, FULL, NOBODY, OFF, SET_BACK, collide, pairs_room
from tikitaka.estimate.kernels.sweeping import first_contact
from tikitaka.sim.arrays import posts_of, walls_of
from tikitaka.types import Floats, Ints

DT = 1.0 / 30.0
SIZES = np.full(4, HALF)
BODY = np.array((HALF, HALF, 0.0, MASS, INERTIA, 0.1, 0.2, 0.0, 0.3, 0.0, 0.0))
FREE = np.zeros((0, 6))
FIELD = leagues.load("mirosot-5v5").field.geometry()
BOARDS = boxes_of(FIELD)


def run(
    old: Floats, velocity: Floats, mode: int = FULL, body: Floats = BODY, boards: Floats = FREE
) -> tuple[int, Floats, Floats, Ints]:
    """Return the number of contacts, the tracks after a frame at even velocities, and what is told about them."""
    n = len(old)
    track = np.hstack((old + DT * velocity, velocity))
    shaken, partner = np.full((n, 2), np.nan), np.full(n, 99)
    pairs = np.full((pairs_room(n, len(boards)), 4), np.nan)
    with np.errstate(over="ignore"):  # interpreted, NumPy tells of ways that take forever
        events = collide(old, track, DT, body, boards, mode, np.full((n, 7), np.nan), pairs, shaken, partner)
    return events, track, shaken, partner


def with_(**changes: float) -> Floats:
    body = BODY.copy()
    for name, value in changes.items():
        body[{"bounce": BOUNCE, "friction": FRICTION, "radius": RADIUS, "grip": BOARD_FRICTION}[name]] = value
    return body


def crowd(seed: int, n: int, size: float, speed: float) -> tuple[Floats, Floats]:
    """Return poses of robots that are apart, in a square, and velocities."""
    rng, poses = np.random.default_rng(seed), list[Floats]()
    while len(poses) < n:
        pose = np.array((*rng.uniform(-size, size, 2), rng.uniform(-math.pi, math.pi)))
        if all(gap(pose, other, SIZES) > 1e-3 for other in poses):
            poses.append(pose)
    return np.array(poses), rng.normal(0.0, (speed, speed, 3.0 * speed), (n, 3))


def energy(velocity: Floats) -> float:
    return float(0.5 * (MASS * (velocity[:, :2] ** 2).sum() + INERTIA * (velocity[:, 2] ** 2).sum()))


def test_off_changes_nothing_and_robots_that_meet_nobody_keep_every_bit() -> None:
    old, velocity = crowd(0, 6, 0.15, 2.0)
    alone = np.hstack((old + DT * velocity, velocity))
    events, track, shaken, partner = run(old, velocity, OFF)
    assert events == 0
    assert (track == alone).all()
    assert (partner == NOBODY).all()
    events, track, shaken, partner = run(old, velocity)
    free = partner == NOBODY
    assert 0 < free.sum() < 6
    assert (track[free] == alone[free]).all()
    assert (shaken[free] == 0.0).all()
    assert (shaken[~free, 0] > 0.0).all()


def test_two_robots_head_on_stop_where_they_touch_and_share_the_rest_of_the_step() -> None:
    old = np.array(((-0.06, 0.0, 0.0), (0.06, 0.0, math.pi)))
    velocity = np.array(((2.0, 0.0, 0.0), (-1.0, 0.0, 0.0)))
    events, track, shaken, partner = run(old, velocity, body=with_(bounce=0.0))
    when = (0.12 - 2.0 * HALF) / 3.0
    assert events == 1
    assert partner.tolist() == [1, 0]
    assert track[:, 3] == pytest.approx((0.5, 0.5))
    assert track[0, 0] == pytest.approx(-0.06 + 2.0 * when + 0.5 * (DT - when))
    assert track[1, 0] - track[0, 0] == pytest.approx(2.0 * HALF)
    assert shaken[:, 0] == pytest.approx((1.5, 1.5))
    _, track, shaken, partner = run(old, velocity, SET_BACK)
    assert track[:, 0] == pytest.approx((-0.06 + 2.0 * when, 0.06 - when))
    assert track[:, 3] == pytest.approx((2.0 * when / DT, -when / DT))  # the paper's "physical model off"
    assert partner.tolist() == [1, 0]
    assert shaken[:, 0] == pytest.approx((2.0 - 2.0 * when / DT, 1.0 - when / DT))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("radius", [0.0, HALF])
def test_no_crowd_ends_deeper_in_one_another_than_the_slop_of_its_contacts(seed: int, radius: float) -> None:
    old, velocity = crowd(seed, 8, 0.14 if radius == 0.0 else 0.2, 1.5)
    if radius > 0.0 and deepest(old, radius) < 0.0:
        old[:, :2] *= 1.6
    events, track, *_ = run(old, velocity, body=with_(radius=radius))
    assert deepest(track, radius) > -1e-4 * (1 + events)
    assert deepest(track, radius) > -2.5e-3
    _, track, *_ = run(old, velocity, SET_BACK, with_(radius=radius))
    assert deepest(track, radius) > -1e-9


def deepest(poses: Floats, radius: float) -> float:
    n = len(poses)
    pairs = [(i, j) for i in range(n) for j in range(i)]
    if radius > 0.0:
        return float(min(np.hypot(*(poses[i, :2] - poses[j, :2])) - 2.0 * radius for i, j in pairs))
    return min(gap(poses[i, :3], poses[j, :3], SIZES) for i, j in pairs)


@pytest.mark.parametrize("seed", range(20))
def test_momentum_of_a_pile_stays_and_its_energy_does_not_grow(seed: int) -> None:
    old, velocity = crowd(seed, 7, 0.13, 1.5)
    events, track, *_ = run(old, velocity)
    after = track[:, 3:]
    assert events > 0
    assert after[:, :2].sum(axis=0) == pytest.approx(velocity[:, :2].sum(axis=0), abs=1e-9)
    assert energy(after) <= energy(velocity) * (1.0 + 1e-9)


def test_three_robots_in_a_row_all_take_their_part() -> None:
    reach = 2.0 * HALF
    old = np.array(((-0.01, 0.0, 0.0), (reach, 0.0, 0.0), (2.0 * reach, 0.0, 0.0)))
    velocity = np.array(((1.2, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
    _, track, _, partner = run(old, velocity, body=with_(bounce=0.0))
    assert track[:, 3] == pytest.approx((0.4, 0.4, 0.4), abs=0.02)
    assert (partner >= 0).all()
    _, track, *_ = run(old, velocity, body=with_(bounce=1.0))
    assert track[:, 3] == pytest.approx((0.0, 0.0, 1.2), abs=1e-9)  # Newton's cradle


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0), (1, 2, 0)])
def test_a_robot_that_was_struck_meets_one_that_it_would_not_have_reached(order: tuple[int, ...]) -> None:
    old = np.array(((-0.08, 0.0, 0.0), (0.0, 0.0, 0.0), (0.12, 0.0, 0.0)))[list(order)]
    velocity = np.array(((4.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)))[list(order)]
    _, track, _, partner = run(old, velocity, body=with_(bounce=1.0))
    after = np.empty(3)
    after[list(order)] = track[:, 3]
    assert after == pytest.approx((0.0, 0.0, 4.0), abs=1e-9)
    assert (partner >= 0).all()


def test_a_robot_that_falls_flat_on_another_touches_it_with_both_corners() -> None:
    old = np.array(((0.0, 0.0, 0.0), (2.0 * HALF + 0.01, 0.0, 0.15)))
    events, track, *_ = run(old, np.array(((0.0, 0.0, 0.0), (-1.5, 0.0, 0.0))), body=with_(bounce=0.0, friction=0.0))
    assert events >= 2
    assert gap(track[0, :3], track[1, :3], SIZES) > -5e-4
    after = track[1, 3:]
    assert after[0] < -0.3  # it pushes the other on


@given(st.floats(-math.pi, math.pi), st.floats(0.0, 2e-3), st.floats(-1.0, 1.0))
def test_robots_that_noise_has_made_to_overlap_respond_only_if_they_come_together(
    bearing: float, deep: float, speed: float
) -> None:
    c, s = math.cos(bearing), math.sin(bearing)
    old = np.array(((0.0, 0.0, bearing), ((2.0 * HALF - deep) * c, (2.0 * HALF - deep) * s, bearing)))
    velocity = np.array(((speed * c, speed * s, 0.0), (0.0, 0.0, 0.0)))
    events, track, *_ = run(old, velocity, body=with_(bounce=0.0))
    apart = (track[1, :2] - track[0, :2]) @ (c, s)
    if speed <= 0.0:
        assert events == 0
    else:
        assert 0.19 * deep - 1e-9 < apart - 2.0 * HALF + deep < 0.21 * deep + 1e-9  # eased apart, no jump
        assert track[:, 3:5] @ (c, s) == pytest.approx((0.5 * speed, 0.5 * speed), abs=1e-3)


def test_a_robot_stops_at_a_wall_and_slides_along_it() -> None:
    y = FIELD.half_width
    old, velocity = np.array(((0.0, y - 0.06, 0.0),)), np.array(((1.0, 2.0, 0.0),))
    _, track, shaken, partner = run(old, velocity, boards=BOARDS, body=with_(grip=0.0))
    assert partner[0] == BOARD
    assert track[0, 1] + HALF == pytest.approx(y, abs=1e-9)
    assert track[0, 3:] == pytest.approx((1.0, 0.0, 0.0), abs=1e-9)
    assert shaken[0] == pytest.approx((2.0, 0.0), abs=1e-9)
    _, track, *_ = run(old, velocity, boards=BOARDS)
    assert track[0, 3] < 0.95  # friction holds it back, and turns it
    assert track[0, 5] != 0.0
    _, track, *_ = run(old, velocity, boards=BOARDS, body=with_(radius=HALF))
    assert track[0, 1] + HALF == pytest.approx(y, abs=1e-9)


def test_a_robot_that_is_squeezed_against_a_wall_stays_in_the_field() -> None:
    y = FIELD.half_width
    old = np.array(((0.0, y - HALF - 1e-4, 0.0), (0.0, y - 3.0 * HALF - 0.02, 0.0)))
    _, track, _, partner = run(old, np.array(((0.0, 0.0, 0.0), (0.0, 2.0, 0.0))), boards=BOARDS)
    assert partner.tolist() == [1, 0]
    assert track[0, 1] + HALF < y + 1e-3
    assert gap(track[0, :3], track[1, :3], SIZES) > -1e-3


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_who_meets_a_board_first_and_then_a_robot_is_said_to_have_met_the_robot(order: tuple[int, ...]) -> None:
    y = FIELD.half_width
    old = np.array(((0.0, y - HALF - 0.002, 0.0), (0.0, y - 3.0 * HALF - 0.03, 0.0)))[list(order)]
    velocity = np.array(((0.0, 1.0, 0.0), (0.0, 2.0, 0.0)))[list(order)]
    events, _, _, partner = run(old, velocity, boards=BOARDS)
    assert events >= 2
    assert partner.tolist() == [1, 0]


@pytest.mark.parametrize("league", ["mirosot-5v5", "mirosot-7v7", "vsss-3v3", "ssl-b"])
def test_the_boards_are_the_simulators(league: str) -> None:
    field = leagues.load(league).field.geometry()
    boards, rng = boxes_of(field), np.random.default_rng(0)
    far = np.array((field.half_length + field.margin_x + 0.3, field.half_width + field.margin_y + 0.3))
    for x, y in rng.uniform(-far, far, (3000, 2)):
        walls = any(nx * x + ny * y > d for nx, ny, d in walls_of(field))
        posts = any(abs(x - px) < hx and abs(y - py) < hy for px, py, hx, hy in posts_of(field))
        dx, dy = x - boards[:, 0], y - boards[:, 1]
        along = np.abs(dx * boards[:, 2] + dy * boards[:, 3]) < boards[:, 4]
        across = np.abs(dy * boards[:, 2] - dx * boards[:, 3]) < boards[:, 5]
        assert bool((along & across).any()) == (walls or posts)
        inner_x, inner_y = clear_of(field, 0.0)
        if abs(x) < inner_x and abs(y) < inner_y:
            assert not walls
            assert not posts


@pytest.mark.parametrize("seed", range(12))
def test_the_rectangle_that_is_clear_of_boards_hides_no_contact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    old = np.array(((*rng.uniform((-1.0, -0.82), (1.0, 0.82)), rng.uniform(-3.0, 3.0)),))
    velocity = rng.normal(0.0, 2.0, (1, 3))
    clear = BODY.copy()
    clear[9:] = clear_of(FIELD, HALF * math.sqrt(2.0))
    looked, hidden = (run(old, velocity, body=body, boards=BOARDS) for body in (BODY, clear))
    assert (looked[1] == hidden[1]).all()


@given(st.integers(0, 200), st.sampled_from((OFF, SET_BACK, FULL)))
def test_two_robots_first_touch_where_the_sweep_says(seed: int, mode: int) -> None:
    old, velocity = crowd(seed, 2, 0.09, 2.0)
    events, track, _, partner = run(old, velocity, mode)
    ends = old + DT * velocity
    part = first_contact(*old[0], *ends[0], *old[1], *ends[1], *SIZES)
    assert (events > 0) == (part <= 1.0 and mode != OFF)
    if mode == SET_BACK and events:
        assert track[:, :2] == pytest.approx(old[:, :2] + part * DT * velocity[:, :2], abs=1e-9)
    assert (partner >= 0).all() == (events > 0)


anything = st.one_of(st.floats(-1.0, 1.0), st.sampled_from((0.0, -0.0, 1e300, -1e300, 1e-300, math.inf, math.nan, 7.0)))


@settings(max_examples=300)
@given(
    arrays(np.float64, (5, 3), elements=anything),
    arrays(np.float64, (5, 6), elements=anything),
    st.sampled_from((SET_BACK, FULL)),
    st.sampled_from((0.0, 0.09)),
    st.sampled_from((DT, 0.0, -1.0, math.nan, 1e-9)),
)
def test_whatever_comes_in_nothing_that_is_finite_comes_out_otherwise(
    old: Floats, track: Floats, mode: int, radius: float, dt: float
) -> None:
    before, n = np.isfinite(track).all(axis=1), len(old)
    shaken, partner = np.empty((n, 2)), np.empty(n, np.int64)
    pairs = np.empty((pairs_room(n, len(BOARDS)), 4))
    with np.errstate(all="ignore"):  # interpreted, NumPy tells of every number that is none
        events = collide(old, track, dt, with_(radius=radius), BOARDS, mode, np.empty((n, 7)), pairs, shaken, partner)
    assert np.isfinite(track[before]).all()
    assert np.isfinite(shaken).all()
    assert 0 <= events <= 12 * n


@given(st.floats(-math.pi, math.pi), st.floats(-math.pi, math.pi))
def test_robots_that_coincide_have_a_defined_answer(theta: float, course: float) -> None:
    old = np.array(((0.1, 0.1, theta), (0.1, 0.1, theta), (0.1, 0.1, 0.0)))
    velocity = np.array(((math.cos(course), math.sin(course), 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 5.0)))
    for radius in (0.0, HALF):
        _, track, shaken, _ = run(old, velocity, body=with_(radius=radius))
        assert np.isfinite(track).all()
        assert energy(track[:, 3:]) <= energy(velocity) * (1.0 + 1e-9)
        assert (shaken[:, 0] < 5.0).all()


def test_too_little_room_for_pairs_is_not_overrun() -> None:
    old, velocity = crowd(3, 6, 0.12, 2.0)
    track, guard = np.hstack((old + DT * velocity, velocity)), np.full((3, 4), 77.0)
    collide(old, track, DT, BODY, FREE, FULL, np.empty((6, 7)), guard[:1], np.empty((6, 2)), np.empty(6, np.int64))
    assert (guard[1:] == 77.0).all()
    assert np.isfinite(track).all()


def test_a_pile_that_pushes_for_seconds_neither_explodes_nor_sinks() -> None:
    """All drive to one point, their predicted speed set anew every frame, as commands do."""
    old, _ = crowd(1, 6, 0.2, 0.0)
    for _ in range(90):
        aim = -old[:, :2] / np.maximum(np.hypot(*old[:, :2].T), 1e-9)[:, None]
        velocity = np.hstack((0.5 * aim, np.zeros((6, 1))))
        _, track, *_ = run(old, velocity)
        assert np.abs(track[:, 3:5]).max() < 1.0
        old = track[:, :3].copy()
    assert deepest(old, 0.0) > -2e-3
