"""Plans in time meet nothing, judged by dense sampling in NumPy; who crosses is waited for or passed; mates yield."""

import math
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tikitaka.geom.random import key
from tikitaka.lab.plan_check import path_depths
from tikitaka.plan.kernels import bangbang, chords, encounters, timed
from tikitaka.plan.kernels.bangbang import NEVER, WIDTH
from tikitaka.plan.kernels.shapes import BOX, CAPSULE, CIRCLE, FIELD, depth
from tikitaka.plan.scenes import scenes
from tikitaka.types import Floats, PlanStatus

K = 32
HORIZON = 2.0
NOTHING = np.zeros((0, 6))
NOBODY = np.zeros((0, 7))
numbers = st.floats(-2.0, 2.0)
Pair = tuple[float, float]


@dataclass
class Plan:
    status: PlanStatus
    xy: Floats
    time: Floats
    found: Floats


@dataclass
class Robot:
    """One robot that plans: its limits, scratch, and what it remembers."""

    v: float = 2.0
    a: float = 3.0
    budget: int = 48
    step: int = 0
    end_speed: float = 0.0
    memory: Floats = field(default_factory=lambda: np.zeros(4))

    def plan(
        self, start: Pair, velocity: Pair, target: Pair, o: Floats = NOTHING, moving: Floats = NOBODY,
        mates: tuple[tuple[Plan, float], ...] = (), now: float = 0.0, horizon: float = HORIZON, free: float = 0.18,
    ) -> Plan:  # fmt: skip
        n = len(mates)
        points, times = np.full((n, K, 2), np.nan), np.full((n, K), np.nan)
        for j, (mate, _) in enumerate(mates):
            points[j, : len(mate.xy)], times[j, : len(mate.time)] = mate.xy, mate.time
        counts, radii = np.array([len(p.time) for p, _ in mates], np.int64), np.array([r for _, r in mates], float)
        rows, held = np.full((2, timed.ROWS, WIDTH), np.nan), np.full(len(o) + len(moving) + n, np.nan)
        scratch, xy = np.full((K, 2), np.nan), np.full((K, 2), np.nan)
        scratch_time, time, found = np.full(K, np.nan), np.full(K, np.nan), np.full(timed.FOUND, np.nan)
        status, count = timed.plan_timed(
            *start, *velocity, *target, self.end_speed, self.v, self.a, o, moving, points, times, counts, radii,
            now, horizon, free, *key(3, 0), self.step, 0, self.budget, self.memory, rows, held, scratch, scratch_time,
            xy, time, found,
        )  # fmt: skip
        return Plan(PlanStatus(status), xy[:count], time[:count], found)


def circle(x: float, y: float, r: float) -> tuple[float, ...]:
    return (x, y, x, y, r, CIRCLE)


def positions(row: Floats, t: Floats) -> Floats:
    """Return where a moving circle's centre is, by its own law: v t - a t^2 / 2 until it rests."""
    speed = math.hypot(row[2], row[3])
    rest = speed / row[4] if row[4] > 0.0 else math.inf
    s = np.minimum(t, rest)
    way = s * speed - 0.5 * row[4] * s * s
    xy: Floats = row[:2] + way[:, None] * (row[2:4] / speed if speed > 0.0 else 0.0)
    return xy


def on(plan: Plan, t: Floats) -> Floats:
    return np.stack([np.interp(t, plan.time, plan.xy[:, i]) for i in range(2)], axis=1)


def gap_to_moving(plan: Plan, moving: Floats, now: float = 0.0, horizon: float = HORIZON) -> float:
    """Return the least distance from the rims of moving circles, negative: inside one; 0.5 ms apart."""
    end = min(plan.time[-1] - now, horizon)
    t = np.linspace(0.0, end, int(2000 * end) + 2)
    own = on(plan, now + t)
    gaps = [(np.linalg.norm(own - positions(m, t), axis=1) - m[5] - m[6] * t).min() for m in moving]
    return float(min(gaps))


def gap_to_mate(plan: Plan, mate: Plan, r: float, now: float = 0.0, horizon: float = HORIZON) -> float:
    t = now + np.linspace(0.0, horizon, 4001)
    return float((np.linalg.norm(on(plan, t) - on(mate, t), axis=1) - r).min())


def gap_to_standing(plan: Plan, o: Floats) -> float:
    return -float(path_depths(o[None], plan.xy[None], np.array([len(plan.xy)]))[0])


def check_driven(plan: Plan, robot: Robot, start: Pair, velocity: Pair, now: float = 0.0) -> None:
    """Waypoints begin here and now, and neither speed nor acceleration between them is above the limits."""
    assert plan.xy[0] == pytest.approx(start, abs=1e-9)
    assert plan.time[0] == pytest.approx(now)
    h = np.diff(plan.time)
    assert (h >= 0.0).all()
    moved = h > 1e-6
    speed = np.linalg.norm(np.diff(plan.xy, axis=0)[moved] / h[moved][:, None], axis=1)
    assert speed.max(initial=0.0) <= max(robot.v, math.hypot(*velocity)) * 1.001


def test_nothing_in_the_way_is_the_direct_motion() -> None:
    plan = Robot().plan((-1.0, 0.0), (0.0, 0.0), (1.0, 0.5))
    d = math.hypot(2.0, 0.5)
    assert plan.status is PlanStatus.EXACT
    assert plan.time[-1] == pytest.approx(d / 2.0 + 2.0 / 3.0, abs=1e-3)
    assert plan.xy[-1] == pytest.approx((1.0, 0.5), abs=1e-9)
    assert plan.found[timed.TRIED] == 1.0


def random_crowd(rng: np.random.Generator) -> tuple[Floats, Floats]:
    o: Floats = np.array(
        [circle(rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0), rng.uniform(0.1, 0.3)) for _ in range(4)]
        + [(0.5, 1.0, 1.2, 1.4, 0.1, BOX), (-1.0, -1.5, -0.2, -1.2, 0.1, CAPSULE), (-2.5, -2.5, 2.5, 2.5, 0.0, FIELD)]
    )
    moving = np.array(
        [(*rng.uniform(-2.0, 2.0, 2), *rng.normal(0.0, 0.8, 2), 0.0, 0.2, rng.choice((0.0, 0.05))) for _ in range(5)]
        + [(*rng.uniform(-2.0, 2.0, 2), *rng.normal(0.0, 2.0, 2), 0.5, 0.15, 0.0)]
    )
    return o, moving


@pytest.mark.parametrize("seed", range(3))
def test_no_plan_meets_anything_that_stands_or_moves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    robot, solved, tried = Robot(), 0, 0
    while tried < 120:
        o, moving = random_crowd(rng)
        mate = robot.plan(tuple(rng.uniform(-2.0, 2.0, 2)), (0.0, 0.0), tuple(rng.uniform(-2.0, 2.0, 2)))
        start, velocity, target = (tuple(w) for w in rng.uniform(-2.0, 2.0, (3, 2)) * [[1], [0.6], [1]])
        apart = min(np.linalg.norm(moving[:, :2] - start, axis=1) - moving[:, 5])
        if max(depth(row, *start) for row in o) > 0.0 or apart < 0.0 or math.dist(mate.xy[0], start) < 0.2:
            continue
        tried += 1
        robot.memory[:] = 0.0
        plan = robot.plan(start, velocity, target, o, moving, ((mate, 0.2),))
        check_driven(plan, robot, start, velocity)
        if plan.status in (PlanStatus.EXACT, PlanStatus.CUT):
            solved += 1
            assert gap_to_standing(plan, o) > -1e-9
            assert gap_to_moving(plan, moving[:5]) > -1e-9
            assert gap_to_moving(plan, moving[5:]) > -1e-3  # the ball's braking is straight to within 1 mm
            assert gap_to_mate(plan, mate, 0.2) > -1e-9
        if plan.status is PlanStatus.EXACT:
            assert plan.xy[-1] == pytest.approx(target, abs=1e-6)
    assert solved > 0.7 * tried


@pytest.mark.parametrize("name", ["ssl-b", "mirosot"])
@pytest.mark.parametrize("kind", ["blocked", "target_inside", "random"])
def test_no_plan_touches_what_stands_in_the_scenes(name: str, kind: str) -> None:
    made = scenes(name, kind, 300)
    robot = Robot(*((2.5, 3.0) if name == "ssl-b" else (1.5, 5.0)))
    solved = 0
    for scene in made:
        robot.memory[:] = 0.0
        start, target = tuple(scene.start), tuple(scene.target)
        plan = robot.plan(start, (0.0, 0.0), target, scene.obstacles)
        check_driven(plan, robot, start, (0.0, 0.0))
        outside = [row for row in scene.obstacles if depth(row, *start) <= 0.0]
        assert gap_to_standing(plan, np.array(outside)) > -1e-9  # partial ones, too: they stop in time
        assert (plan.status is PlanStatus.CUT) <= any(depth(row, *target) > 0.0 for row in scene.obstacles)
        solved += plan.status in (PlanStatus.EXACT, PlanStatus.CUT)
    assert solved > 0.85 * len(made)


@given(speed=st.floats(0.3, 1.5), offset=st.floats(-0.3, 0.3))
def test_who_crosses_is_waited_for_or_passed(speed: float, offset: float) -> None:
    """It comes from the right and would be hit half way."""
    half = 1.0 / 2.0 + 2.0 / 6.0  # [s] until the direct motion is at the crossing
    moving = np.array([(0.0, -speed * half + offset, 0.0, speed, 0.0, 0.25, 0.0)])
    plan = Robot().plan((-1.0, 0.0), (0.0, 0.0), (1.0, 0.0), NOTHING, moving)
    assert plan.status is PlanStatus.EXACT
    assert gap_to_moving(plan, moving) > -1e-9
    assert plan.time[-1] < 2.0 * half + 1.5


def test_in_a_corridor_there_is_only_waiting() -> None:
    """Walls on both sides, and somebody who crosses through a gap in them: no way around."""
    walls = np.array([(-3.0, 0.3, 3.0, 0.4, 0.09, BOX), (-3.0, -0.4, 3.0, -0.3, 0.09, BOX)])
    moving = np.array([(0.0, -0.9, 0.0, 1.0, 0.0, 0.3, 0.0)])
    robot = Robot(budget=200)
    plan = robot.plan((-0.8, 0.0), (0.0, 0.0), (0.8, 0.0), walls, moving)
    assert plan.status is PlanStatus.EXACT
    assert gap_to_moving(plan, moving) > -1e-9
    assert plan.time[-1] > robot.plan((-0.8, 0.0), (0.0, 0.0), (0.8, 0.0), walls).time[-1] + 0.3


def test_of_two_mates_who_cross_the_second_yields() -> None:
    first = Robot().plan((-1.0, 0.0), (0.0, 0.0), (1.0, 0.0))
    alone = Robot().plan((0.0, -1.0), (0.0, 0.0), (0.0, 1.0))
    assert gap_to_mate(first, alone, 0.2) < -0.1
    second = Robot().plan((0.0, -1.0), (0.0, 0.0), (0.0, 1.0), mates=((first, 0.2),))
    assert second.status is PlanStatus.EXACT
    assert gap_to_mate(second, first, 0.2) > -1e-9
    assert alone.time[-1] < second.time[-1] < alone.time[-1] + 0.6


def test_who_stands_where_a_mate_will_come_through_gets_out_of_the_way_and_back() -> None:
    first = Robot().plan((-1.0, 0.0), (0.0, 0.0), (1.0, 0.0))
    second = Robot().plan((0.0, 0.05), (0.0, 0.0), (0.0, 0.05), mates=((first, 0.2),))
    assert second.status is PlanStatus.EXACT
    assert gap_to_mate(second, first, 0.2) > -1e-9
    assert second.xy[-1] == pytest.approx((0.0, 0.05), abs=1e-6)


def test_plans_are_made_in_absolute_time() -> None:
    early, late = Robot(), Robot()
    first = early.plan((-1.0, 0.0), (0.0, 0.0), (1.0, 0.0))
    same = late.plan((-1.0, 0.0), (0.0, 0.0), (1.0, 0.0), now=1000.0)
    a = early.plan((0.0, -1.0), (0.0, 0.0), (0.0, 1.0), mates=((first, 0.2),))
    b = late.plan((0.0, -1.0), (0.0, 0.0), (0.0, 1.0), mates=((same, 0.2),), now=1000.0)
    assert b.time - 1000.0 == pytest.approx(a.time, abs=1e-9)
    assert b.xy == pytest.approx(a.xy, abs=1e-9)


def test_a_closed_ring_is_approached_and_not_touched() -> None:
    ring = np.array([circle(0.6 * math.cos(t), 0.6 * math.sin(t), 0.2) for t in np.linspace(0.0, 2.0 * math.pi, 13)])
    plan = Robot().plan((-2.0, 0.0), (1.5, 0.0), (0.0, 0.0), ring)
    assert plan.status is PlanStatus.PARTIAL
    assert gap_to_standing(plan, ring) > -1e-9
    assert np.linalg.norm(plan.xy[-1]) < 1.3
    end = plan.xy[-1] - plan.xy[-2]
    assert np.linalg.norm(end) / (plan.time[-1] - plan.time[-2]) < 0.6  # it comes to rest


def test_a_braking_that_comes_too_late_is_still_a_braking() -> None:
    wall = np.array([(0.2, -3.0, 0.4, 3.0, 0.0, BOX)])
    plan = Robot().plan((0.0, 0.0), (2.0, 0.0), (2.0, 0.0), wall)
    assert plan.status is PlanStatus.PARTIAL
    assert plan.xy[-1] == pytest.approx((2.0 / 3.0, 0.0))
    assert plan.time[-1] == pytest.approx(2.0 / 3.0)


def test_a_target_inside_is_cut_where_the_line_enters() -> None:
    o = np.array([circle(1.0, 0.0, 0.3)])
    plan = Robot().plan((-1.0, 0.0), (0.0, 0.0), (1.0, 0.0), o)
    assert plan.status is PlanStatus.CUT
    assert plan.xy[-1] == pytest.approx((0.7, 0.0), abs=1e-6)


def test_a_target_is_cut_for_a_mate_that_will_rest_there_and_not_for_one_who_passes() -> None:
    mate = Robot().plan((1.0, 1.0), (0.0, 0.0), (1.0, 0.0))
    plan = Robot().plan((-1.0, 0.0), (0.0, 0.0), (1.0, 0.0), mates=((mate, 0.2),))
    assert plan.status is PlanStatus.CUT
    assert plan.xy[-1] == pytest.approx((0.8, 0.0), abs=1e-6)
    assert gap_to_mate(plan, mate, 0.2) > -1e-9
    t = 2.0 / 2.0 + 2.0 / 3.0
    passing = np.array([(1.0, -t, 0.0, 1.0, 0.0, 0.2, 0.0)])  # is at the target when we would be
    plan = Robot().plan((-1.0, 0.0), (0.0, 0.0), (1.0, 0.0), NOTHING, passing)
    assert plan.status is PlanStatus.EXACT
    assert gap_to_moving(plan, passing) > -1e-9


@given(angle=st.floats(-3.1, 3.1), part=st.floats(0.05, 0.7), to=st.floats(-3.1, 3.1))
def test_who_starts_inside_leaves_and_never_goes_deeper(angle: float, part: float, to: float) -> None:
    r = 0.25
    o = np.array([circle(0.0, 0.0, r), circle(0.9, 0.3, 0.2)])
    start = ((1.0 - part) * r * math.cos(angle), (1.0 - part) * r * math.sin(angle))
    plan = Robot(budget=200).plan(start, (0.0, 0.0), (1.5 * math.cos(to), 1.5 * math.sin(to)), o)
    assert plan.status is PlanStatus.EXACT
    assert gap_to_standing(plan, o[1:]) > -1e-9
    assert gap_to_standing(plan, o[:1]) >= -part * r - 2e-6
    assert np.linalg.norm(plan.xy[-1]) > r


def test_who_starts_deep_inside_may_go_anywhere_but_time_in_there_costs() -> None:
    o = np.array([circle(0.0, 0.0, 0.6)])
    task: tuple[Pair, Pair, Pair] = ((-0.35, 0.0), (0.0, 0.0), (0.2, 1.0))
    direct, plan = (Robot(budget=b).plan(*task, o) for b in (1, 48))
    assert direct.status is plan.status is PlanStatus.EXACT
    assert plan.found[timed.WITHIN] < direct.found[timed.WITHIN] - 0.02
    assert plan.time[-1] > direct.time[-1]


def test_who_is_driven_into_gets_out_of_the_way() -> None:
    """Somebody at 1 m/s overlaps the robot, which stands at its target."""
    moving = np.array([(-0.2, 0.02, 1.0, 0.0, 0.0, 0.22, 0.0)])
    plan = Robot().plan((0.0, 0.0), (0.0, 0.0), (0.0, 1.0), NOTHING, moving)
    assert plan.status is PlanStatus.EXACT
    assert plan.found[timed.WITHIN] < 0.5


def test_what_is_beyond_the_horizon_is_not_seen() -> None:
    moving = np.array([(3.0, -2.5, 0.0, 1.0, 0.0, 0.25, 0.0)])  # on the line at 2.5 s
    start, target = (-1.5, 0.0), (3.0, 0.0)
    near = Robot().plan(start, (0.0, 0.0), target, NOTHING, moving, horizon=2.0)
    assert near.found[timed.TRIED] == 1.0
    far = Robot().plan(start, (0.0, 0.0), target, NOTHING, moving, horizon=4.0)
    assert far.found[timed.TRIED] > 1.0
    assert gap_to_moving(far, moving, horizon=4.0) > -1e-9


def changes_of_side(seed: int) -> int:
    """Drive a plan at 60 Hz past somebody who stands, seen with 5 mm of noise; return how often the side changes."""
    rng, robot, target = np.random.default_rng(seed), Robot(budget=40), (1.5, 0.0)
    state, velocity, now, sides, first = (-1.5, 0.0), (0.0, 0.0), 0.0, [0.0], 0.0
    while math.dist(state, target) > 0.005:
        robot.step = 1000 * seed + int(60.0 * now + 0.5)
        plan = robot.plan(
            state, velocity, target, np.array([circle(rng.normal(0.0, 0.005), rng.normal(0.0, 0.005), 0.25)]), now=now
        )
        first = first or plan.time[-1]
        if plan.xy[:, 0].min() < 0.0 < plan.xy[:, 0].max():
            sides.append(float(np.sign(np.interp(0.0, plan.xy[:, 0], plan.xy[:, 1]))))
        now += 1.0 / 60.0
        here, soon = on(plan, np.array([now, now + 1e-3]))
        state, velocity = tuple(here), tuple((soon - here) / 1e-3)
        assert now < 1.1 * first
    return int((np.diff(sides[1:]) != 0.0).sum())


def test_a_detour_is_kept_from_tick_to_tick() -> None:
    assert sum(changes_of_side(seed) for seed in range(12)) <= 2


def test_the_same_input_gives_the_same_plan_and_the_step_another() -> None:
    o, moving = random_crowd(np.random.default_rng(5))
    o[0] = circle(0.0, 0.0, 0.3)
    plans = [Robot(step=s).plan((-1.9, -1.9), (0.0, 0.0), (1.9, 1.9), o, moving) for s in (0, 0, 1)]
    assert (plans[0].xy == plans[1].xy).all()
    assert plans[0].xy.shape != plans[2].xy.shape or (plans[0].xy != plans[2].xy).any()


def test_more_tries_are_not_worse() -> None:
    o = np.array([circle(0.0, 0.0, 0.4), circle(0.5, 0.6, 0.3), circle(0.5, -0.6, 0.2)])
    times = [Robot(budget=b).plan((-1.5, 0.0), (0.0, 0.0), (1.5, 0.0), o).time[-1] for b in (16, 64, 512)]
    assert times == sorted(times)[::-1]


@pytest.mark.parametrize("which", range(7))
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_numbers_that_are_none_give_no_plan(which: int, bad: float) -> None:
    values = [0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    values[which] = bad
    x, y, vx, vy, to_x, to_y, now = values
    plan = Robot().plan((x, y), (vx, vy), (to_x, to_y), now=now)
    assert plan.status is PlanStatus.NONE
    assert len(plan.xy) == 0


@pytest.mark.parametrize(("v", "a"), [(0.0, 3.0), (2.0, 0.0), (-1.0, 3.0), (math.nan, 3.0), (2.0, math.inf)])
def test_limits_that_allow_no_motion_give_no_plan(v: float, a: float) -> None:
    assert Robot(v, a).plan((0.0, 0.0), (0.0, 0.0), (1.0, 0.0)).status is PlanStatus.NONE


def test_strange_tasks_end_with_a_status() -> None:
    robot = Robot()
    there = robot.plan((1.0, 1.0), (0.0, 0.0), (1.0, 1.0))
    assert there.status is PlanStatus.EXACT
    assert there.xy == pytest.approx(np.ones((2, 2)))
    idle = Robot(budget=0).plan((0.0, 0.0), (1.0, 0.0), (1.0, 0.0))
    assert idle.status is PlanStatus.PARTIAL
    assert idle.xy[-1] == pytest.approx((1.0 / 6.0, 0.0))
    everywhere = np.array([circle(0.0, 0.0, 9.0)] * 3 + [(-9.0, -9.0, 9.0, 9.0, 1.0, BOX)])
    assert robot.plan((0.0, 0.0), (0.0, 0.0), (1.0, 0.0), everywhere).status in PlanStatus
    nan = np.array([circle(math.nan, 0.0, 0.2)])
    assert robot.plan((0.0, 0.0), (0.0, 0.0), (1.0, 0.0), nan, np.full((1, 7), math.nan)).status in PlanStatus
    through = Robot(end_speed=math.nan).plan((0.0, 0.0), (0.0, 0.0), (1.0, 0.0), horizon=math.nan)
    assert through.status is PlanStatus.EXACT


def test_who_drives_through_the_target_is_faster() -> None:
    rest = Robot().plan((0.0, 0.0), (0.0, 0.0), (1.0, 0.4))
    through = Robot(end_speed=1.0).plan((0.0, 0.0), (0.0, 0.0), (1.0, 0.4))
    assert through.xy[-1] == pytest.approx((1.0, 0.4), abs=1e-6)
    assert through.time[-1] < rest.time[-1] - 0.05
    last = np.diff(through.xy[-2:], axis=0)[0] / (through.time[-1] - through.time[-2])
    assert np.linalg.norm(last) == pytest.approx(1.0, abs=0.2)


@given(p=st.tuples(numbers, numbers), w=st.tuples(numbers, numbers), r=st.floats(0.05, 1.0), g=st.floats(-0.05, 0.5))
def test_a_chord_meets_a_growing_circle_when_dense_samples_do(p: Pair, w: Pair, r: float, g: float) -> None:
    s = np.linspace(0.0, 1.0, 20001)
    away = np.linalg.norm(np.array(p) + s[:, None] * np.array(w), axis=1) - r - g * s
    if away[0] <= 1e-3:
        return
    hit = chords.meeting(*p, *w, r, g)
    inside = away < 0.0
    if hit >= NEVER:
        assert not inside.any()
    else:
        assert away[np.searchsorted(s, hit)] == pytest.approx(0.0, abs=3e-4)
        assert not inside[: max(int(hit * 20000) - 1, 0)].any()


@given(t=st.floats(0.0, 4.0), v=st.tuples(numbers, numbers), brake=st.sampled_from([0.0, 0.4, 2.0]))
def test_a_ball_brakes_and_stays(t: float, v: Pair, brake: float) -> None:
    row = np.array((0.1, 0.2, *v, brake, 0.1, 0.0))
    assert encounters.place(row, t) == pytest.approx(tuple(positions(row, np.array([t]))[0]), abs=1e-12)


def test_waypoints_stay_near_the_motion() -> None:
    rows = np.zeros((timed.ROWS, WIDTH))
    task = (0.0, 0.0, 1.0, -1.0, 2.0, 1.0, 0.0, 2.0, 3.0)
    n, _ = timed._two_legs(rows, task, 1.0, -1.0, -0.7, NEVER)
    for k, bulge in ((timed.LEAST, 0.1), (32, 0.012), (64, 0.003)):
        xy, t = np.zeros((k, 2)), np.zeros(k)
        count = chords.waypoints(rows, n, xy, t)
        assert count <= k
        s = np.linspace(0.0, t[count - 1], 500)
        true = np.array([bangbang.state(rows, n, at)[:2] for at in s])
        line = on(Plan(PlanStatus.EXACT, xy[:count], t[:count], rows[0]), s)
        assert np.linalg.norm(true - line, axis=1).max() < bulge
