"""The numbers that decisions rest on: assignment, the ball's way, times, lanes and maps."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.optimize import linear_sum_assignment
from test_decide_named import LEAGUES, load, scene

from tikitaka import decide
from tikitaka.decide.facts import table
from tikitaka.decide.kernels import (
    assigning,
    guarding,
    kicking,
    lanes,
    mapping,
    minding,
    places,
    posting,
    rolling,
    timing,
)
from tikitaka.decide.kernels.table import ACCEL, AREA_X, BALL, BRAKE, GAP, HALF_X, HALF_Y, HULL, SLIDE, SPEED
from tikitaka.loop.build import facts_of
from tikitaka.loop.statistics import STANDS
from tikitaka.referee.rules import PROGRESS
from tikitaka.types import Floats, Phase

seeds = st.integers(0, 10**6)
NOBODY = np.zeros((0, 3))


def known(name: str) -> Floats:
    return table(facts_of(load(name)), load(name).field.geometry())


@settings(deadline=None, max_examples=200)
@given(st.integers(1, 11), seeds)
def test_the_assignment_costs_as_little_as_scipys(m: int, seed: int) -> None:
    cost = np.random.default_rng(seed).normal(1.0, 2.0, (m, m))
    links = np.empty((2, m + 1), np.int64)
    assigning.assign(cost, m, np.empty((4, m + 1)), links)
    rows = links[0, 1:] - 1
    assert sorted(rows) == list(range(m))
    assert cost[rows, np.arange(m)].sum() == pytest.approx(cost[linear_sum_assignment(cost)].sum())


@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=30)
@given(st.floats(-0.5, 0.5), st.floats(-0.5, 0.5), st.floats(-4.0, 4.0), st.floats(-4.0, 4.0))
def test_the_ball_stays_between_the_walls_and_its_way_is_mirrored(
    name: str, x: float, y: float, vx: float, vy: float
) -> None:
    p, way, back = known(name), np.empty((rolling.STEPS, 2)), np.empty((rolling.STEPS, 2))
    f = load(name).field.geometry()
    x, y = x * p[HALF_X], y * p[HALF_Y]
    rolling.roll_out(x, y, vx, vy, p, way)
    rolling.roll_out(-x, -y, -vx, -vy, p, back)
    assert np.array_equal(way, -back)
    assert (np.abs(way[:, 0]) <= f.half_length + f.margin_x + 4.0 * rolling.STEP).all()
    assert (np.abs(way[:, 1]) <= f.half_width + f.margin_y).all()


@settings(deadline=None, max_examples=50)
@given(st.floats(0.1, 1.5), st.floats(0.0, 2.4))
def test_a_ball_that_rolls_freely_is_where_the_closed_form_says(speed: float, t: float) -> None:
    p, way = known("ssl-b"), np.empty((rolling.STEPS, 2))
    rolling.roll_out(-4.0, 0.0, speed, 0.0, p, way)
    stop = min(t, speed / p[BRAKE])
    assert rolling.at(way, t)[0] == pytest.approx(-4.0 + speed * stop - 0.5 * p[BRAKE] * stop * stop, abs=2e-3)


@settings(deadline=None, max_examples=30)
@given(st.floats(0.8, 5.0), st.floats(0.5, 3.0))
def test_a_pass_arrives_with_its_speed_and_in_its_time(far: float, arrives: float) -> None:
    """The ball slides until it rolls at 5/7, then brakes: SciPy integrates the same two laws."""
    p = known("ssl-b")
    v = rolling.kick_for(far, arrives, p)
    assume(v < 6.5)

    def law(_: float, q: Floats) -> list[float]:
        return [q[1], -p[SLIDE] if q[1] > 5.0 / 7.0 * v else -p[BRAKE]]

    def there(_: float, q: Floats) -> float:
        return float(q[0] - far)

    there.terminal = True  # type: ignore[attr-defined]
    done = solve_ivp(law, (0.0, 60.0), [0.0, v], events=there, max_step=0.01, rtol=1e-8)
    assume(far > 0.0625 * v * v)  # it rolls before it arrives
    assert done.y[1, -1] == pytest.approx(arrives, abs=0.02)
    assert done.t[-1] == pytest.approx(rolling.travel(far, v, p), abs=0.02)


@settings(deadline=None, max_examples=100)
@given(st.floats(0.01, 5.0), st.floats(-3.0, 3.0), st.floats(0.0, 3.0))
def test_times_are_those_of_full_speed_up_and_full_brake(d: float, u: float, v_end: float) -> None:
    top, a, h = 3.5, 4.0, 1e-4
    t, x, v = timing.straight(d, u, v_end, top, a), 0.0, u
    assume(u <= v_end or u * u <= v_end * v_end + 2.0 * a * d)  # it can be braked in time
    clock = 0.0
    while x < d and clock < 20.0:  # the fastest law, step by step
        brake = v > 0.0 and v * v - v_end * v_end >= 2.0 * a * (d - x)
        v = max(v - a * h, 0.0 if v_end > 0.0 else 1e-3) if brake else min(v + a * h, top)
        x, clock = x + v * h, clock + h
    assert t == pytest.approx(clock, abs=0.05)


def test_rest_to_rest_takes_twice_the_root() -> None:
    assert timing.straight(1.0, 0.0, 0.0, 9.0, 4.0) == pytest.approx(1.0)
    assert timing.straight(10.0, 0.0, 0.0, 1.0, 1e9) == pytest.approx(10.0)


@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=30)
@given(seeds)
def test_a_nearer_opponent_never_opens_a_lane(name: str, seed: int) -> None:
    p, rng = known(name), np.random.default_rng(seed)
    bx, by, tx, ty = rng.uniform(-0.8, 0.8, 4) * (p[HALF_X], p[HALF_Y], p[HALF_X], p[HALF_Y])
    far = rng.uniform(-0.9, 0.9, (3, 3)) * (p[HALF_X], p[HALF_Y], 1.0)
    part = np.clip(
        ((far[:, 0] - bx) * (tx - bx) + (far[:, 1] - by) * (ty - by)) / math.dist((bx, by), (tx, ty)) ** 2, 0, 1
    )
    near = far.copy()
    near[:, 0] += 0.5 * (bx + part * (tx - bx) - far[:, 0])
    near[:, 1] += 0.5 * (by + part * (ty - by) - far[:, 1])
    still = np.zeros_like(far)
    assert (
        lanes.lane(bx, by, tx, ty, 2.0, near, still, -1, p) <= lanes.lane(bx, by, tx, ty, 2.0, far, still, -1, p) + 1e-9
    )
    assert lanes.lane(bx, by, tx, ty, 2.0, NOBODY, NOBODY, -1, p) == lanes.FAR


@pytest.mark.parametrize("name", LEAGUES)
def test_a_shot_is_aimed_beside_the_keeper_and_worth_more_from_near(name: str) -> None:
    p = known(name)
    keeper = np.array([(p[HALF_X] - p[HULL], 0.4 * p[GAP], 0.0)])
    aim, _ = lanes.opening(0.3 * p[HALF_X], 0.0, 5.0, keeper, np.zeros_like(keeper), p)
    assert -p[GAP] < aim < 0.0
    chances = [lanes.scores(x * p[HALF_X], 0.0, 5.0, NOBODY, NOBODY, p) for x in (-0.5, 0.0, 0.5)]
    assert chances == sorted(chances)
    assert 0.0 <= chances[0] <= chances[-1] <= 1.0


@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=5)
@given(seeds)
def test_maps_are_chances_and_mirror_with_the_pitch(name: str, seed: int) -> None:
    facts, world = facts_of(load(name)), scene(name, seed, Phase.PLAY)
    goals, passes = decide.maps(facts, world)
    assert goals.shape == passes.shape == (20, 30)
    for grid in (goals, passes):
        assert ((grid >= 0.0) & (grid <= 1.0)).all()
    p, them = table(facts, world.field), world.theirs.pose * (1.0, -1.0, -1.0)
    turned = (np.empty((20, 30)), np.empty((20, 30)))
    mapping.fill_maps(world.ball.x, -world.ball.y, them, np.zeros_like(them), p, *turned)
    assert turned[0][::-1] == pytest.approx(goals, abs=1e-9)
    assert turned[1][::-1] == pytest.approx(passes, abs=1e-9)


def in_corner(bx: float, by: float, p: Floats) -> bool:
    return math.hypot(bx + p[HALF_X], p[HALF_Y] - abs(by)) < places.DEEP


@pytest.mark.parametrize("name", ["mirosot-5v5", "mirosot-11v11", "vsss-3v3"])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_the_keeper_follows_a_ball_in_our_corner_and_leaves_no_room_at_the_post(name: str, side: float) -> None:
    p, seen = known(name), []
    for out in np.linspace(p[BALL], 0.2, 9):
        seen.append(side * guarding.stand(out - p[HALF_X], side * (p[HALF_Y] - p[BALL]), p)[1])
    assert np.diff(seen).min() > 0.0
    assert seen[-1] - seen[0] > 0.02
    assert seen[0] + guarding.FACE * p[HULL] + p[BALL] > p[GAP] - p[BALL]


@pytest.mark.parametrize("name", ["mirosot-5v5", "mirosot-11v11"])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_the_keeper_goes_with_a_ball_along_their_walls_as_far_as_counts_as_progress(name: str, side: float) -> None:
    p = known(name)
    got_on = PROGRESS * load(name).match.free_ball_after * p[HULL]
    x, y = p[HALF_X] - p[BALL], p[HALF_Y] - p[BALL]
    for part in np.linspace(0.0, 1.0, 11):
        bx, by = part * (x - got_on), part * (y - got_on)
        along = [guarding.stand(b, side * y, p)[1] for b in (bx, bx + got_on)]
        across = [guarding.stand(x, side * b, p)[1] for b in (by, by + got_on)]
        assert min(side * (along[1] - along[0]), side * (across[1] - across[0])) > STANDS


@pytest.mark.parametrize("name", ["ssl-b", "ssl-a"])
@given(st.floats(0.2, 0.9), st.floats(-0.9, 0.9), st.sampled_from([(0.4, 0.0), (0.0, 0.4)]))
def test_a_keeper_that_drives_in_all_directions_goes_with_a_ball_in_their_half(
    name: str, x: float, y: float, step: tuple[float, float]
) -> None:
    p = known(name)
    bx, by = x * p[HALF_X], y * p[HALF_Y]
    here, there = guarding.stand(bx, by, p), guarding.stand(bx + step[0], by + step[1], p)
    assert math.dist(here, there) > 0.02
    assert -p[HALF_X] < here[0] < p[AREA_X] - p[HALF_X] - p[HULL]


@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=50)
@given(st.floats(-0.6, 0.9), st.floats(-0.95, 0.95))
def test_the_keeper_stands_where_both_posts_are_equally_far_to_the_side(name: str, x: float, y: float) -> None:
    p = known(name)
    bx, by = x * p[HALF_X], y * p[HALF_Y]
    kx, ky = guarding.stand(bx, by, p)
    assert -p[HALF_X] < kx < -p[HALF_X] + (guarding.ARC + guarding.FOLLOWS) * p[GAP]
    assert abs(ky) <= p[GAP] + p[HULL]
    if not facts_of(load(name)).omni and abs(ky) < p[GAP] and not in_corner(bx, by, p):
        ky -= guarding.lean(bx, by, p)
        ways = [math.atan2(s * p[GAP] - by, -p[HALF_X] - bx) - math.atan2(ky - by, kx - bx) for s in (1.0, -1.0)]
        assert sum(math.remainder(w, 2.0 * math.pi) for w in ways) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("passes", [True, False])
@settings(deadline=None, max_examples=300)
@given(seeds)
def test_the_ball_is_taken_along_only_where_that_is_worth_more_than_a_shot(passes: bool, seed: int) -> None:
    p, world = known("ssl-b"), scene("ssl-b", seed, Phase.PLAY)
    at, us, them, dead, sharp = (world.ball.x, world.ball.y), world.ours, world.theirs, False, False
    plan, other, old = (np.zeros(minding.PLANS) for _ in range(3))
    minding.make_up_mind(2, *at, us.pose, us.velocity, them.pose, them.velocity, passes, dead, p, plan, old)
    shot = minding.best_shot(*at, them.pose, them.velocity, sharp, p, other)
    along = minding.carry(us.pose[2], *at, them.pose, them.velocity, p, other)
    assert plan[minding.KIND] != minding.CARRY or shot <= along
    assert plan[minding.KIND] != minding.SHOOT or shot > min(along, minding.GOOD)
    assert plan[minding.KIND] != minding.PASS or passes


@settings(deadline=None, max_examples=100)
@given(st.floats(-3.0, 3.0), st.floats(0.3, 3.0), st.floats(-0.7, 0.7), st.floats(2.5, 6.4))
def test_a_ball_played_on_at_once_leaves_where_it_is_wanted(
    way: float, speed: float, glance: float, out: float
) -> None:
    """The pitch keeps a kicked ball's speed across the heading: heading and sideways speed add up to the direction."""
    wx, wy = speed * math.cos(way), speed * math.sin(way)
    facing = way + math.pi + glance
    heading = kicking.one_touch(wx, wy, facing, out)
    across = wy * math.cos(heading) - wx * math.sin(heading)
    leaves = (
        out * math.cos(heading) - across * math.sin(heading),
        out * math.sin(heading) + across * math.cos(heading),
    )
    assert math.remainder(math.atan2(leaves[1], leaves[0]) - facing, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize("name", LEAGUES)
@settings(deadline=None, max_examples=50)
@given(st.floats(-0.95, 0.95), st.floats(-0.95, 0.95), st.integers(1, 3))
def test_defenders_stand_apart_outside_the_area_and_between_ball_and_goal(
    name: str, x: float, y: float, of: int
) -> None:
    p, f = known(name), load(name).field.geometry()
    bx, by = x * p[HALF_X], y * p[HALF_Y]
    places = [posting.shadow(k, of, bx, by, p) for k in range(of)]
    for px, py in places:
        out = px + p[HALF_X] >= f.area_length + p[HULL] or abs(py) >= 0.5 * f.area_width + p[HULL]
        assert out or (of == 1 and not f.margin_x)
        assert px < p[HALF_X]
    apart = [math.dist(a, b) for a, b in pairwise(places)]
    assert min(apart, default=9.0) > 2.0 * p[HULL]


def test_the_limits_are_where_the_kernels_look_for_them() -> None:
    p, facts = known("ssl-b"), facts_of(load("ssl-b"))
    assert (p[SPEED], p[ACCEL], p[SLIDE], p[HULL]) == (
        facts.max_speed, facts.max_acceleration, facts.ball_sliding, facts.hull
    )  # fmt: skip
