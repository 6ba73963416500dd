"""The stage as a whole: prediction through the latency, identity, and nonsense that must not poison it."""

import math
import re
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sightings import DT, params_of, placed, poses_of, sight, standing, still, watch

from tikitaka import estimate, league, sim, vision
from tikitaka.errors import ContractError
from tikitaka.geom.random import key
from tikitaka.loop.build import pitch_params
from tikitaka.loop.match import arrived
from tikitaka.sim import scenes
from tikitaka.types import BLUE, OURS, Commands, Detections, Floats, Frame

PARAMS = params_of("mirosot-5v5")


def followed(name: str, ticks: int, gain: float) -> float:
    """Return the largest error of a blind prediction of robots whose commands are known; a camera without noise."""
    one = league.load(name)
    pitch, params = pitch_params(one), params_of(name)
    camera = sim.CameraParams(pitch.field, pitch.dt, key(1, 0), one.camera.labels, latency=one.camera.latency)
    state, n, wheels = scenes.line_up(pitch), params.robots, params.body_from_wheels.shape[1]
    tracks, commands = estimate.start(params), Commands.stop(n, wheels)
    flying: tuple[Frame, ...] = ()
    here: Floats | None = np.vstack((state.pose, (*state.ball[:2], 0.0)))
    worst = 0.0
    for tick in range(ticks):
        now = tick * pitch.dt
        frames, flying = arrived((*flying, *sim.expose(camera, state)), now)
        seen = vision.see(frames, BLUE, now, sight(0.0).game, here)
        tracks, world = estimate.step(params, tracks, seen, commands)
        worst = max(worst, float(np.linalg.norm(world.ours.pose[:, :2] - state.pose[:n, :2], axis=1).max()))
        turning = np.array([math.sin(0.05 * tick + w) for w in range(wheels)])
        commands = Commands(np.tile(gain * turning, (n, 1)), np.zeros(n), np.zeros(n, np.bool_))
        both = Commands.join(commands, Commands.stop(n, wheels))
        state, here = sim.step(pitch, state, both), None
    return worst


@pytest.mark.parametrize(("name", "gain"), [("mirosot-5v5", 20.0), ("vsss-5v5", 20.0), ("ssl-b", 6.0)])
def test_a_robot_that_obeys_is_predicted_through_the_latency_to_a_millimetre_or_two(name: str, gain: float) -> None:
    assert followed(name, 60, gain) < 1.5e-3


def test_a_heading_is_followed_across_half_a_turn() -> None:
    poses, tracks = standing(PARAMS), estimate.start(PARAMS)
    for k in range(90):  # once round and half of the next
        turned = poses.copy()
        turned[:-1, 2] = (3.0 * k * DT + math.pi) % (2.0 * math.pi) - math.pi
        seen = sight(k * DT, turned, placed=turned if k == 0 else None)
        tracks, world = estimate.step(PARAMS, tracks, seen, still(PARAMS))
        theta = poses_of(world)[:, 2]
        assert ((theta >= -math.pi) & (theta < math.pi)).all()
        assert np.abs(np.sin(theta - turned[:-1, 2])).max() < 0.1
        if k > 20:
            assert world.theirs.velocity[:, 2] == pytest.approx(np.full(5, 3.0), abs=0.05)


@pytest.mark.parametrize("labelled", [True, False])
@pytest.mark.parametrize("captured_late", [0.0, DT])
def test_robots_that_pass_each_other_keep_their_names(labelled: bool, captured_late: float) -> None:
    poses, film = standing(PARAMS), []
    for k in range(61):
        moved = poses.copy()
        moved[5, :2] = 0.6 - 0.02 * k, 0.05  # two of theirs, a robot's width apart when they pass
        moved[6, :2] = -0.6 + 0.02 * k, -0.05
        film.append(sight(k * DT + captured_late, moved, captured=k * DT, labelled=labelled))
    film.insert(0, sight(-DT, placed=film_start(poses)))
    _, world = watch(PARAMS, film)
    assert poses_of(world)[:, :2] == pytest.approx(moved[:-1, :2], abs=0.03)


def film_start(poses: Floats) -> Floats:
    start = poses.copy()
    start[5, :2], start[6, :2] = (0.6, 0.05), (-0.6, -0.05)
    return start


def test_a_robot_hits_another_and_both_keep_their_names() -> None:
    """One of theirs comes at 3 m/s and stops dead, the one that stood there leaves at 3 m/s."""
    poses = standing(PARAMS)
    poses[5, :2], poses[6, :2] = (-0.5, 0.15), (0.0, 0.15)
    film = [sight(0.0, poses, placed=poses)]
    moved = poses.copy()
    for k in range(1, 12):
        moved = poses.copy()
        x = -0.5 + 0.1 * k
        moved[5, 0], moved[6, 0] = min(x, -0.075), max(0.0, x + 0.075)
        film.append(sight(k * DT, moved))
    _, world = watch(PARAMS, film)
    assert world.theirs.pose[:2, 0] == pytest.approx(moved[5:7, 0], abs=0.05)


def test_predicted_robots_push_and_do_not_pass_through() -> None:
    poses = standing(PARAMS)
    poses[5, :2], poses[6, :2] = (-0.2, 0.0), (0.0, 0.0)
    film = [sight(0.0, poses, placed=poses)]
    for k in range(1, 4):
        moved = poses.copy()
        moved[5, 0] = -0.2 + 0.04 * k  # 1.2 m/s, and 0.08 m away at the last picture
        film.append(sight(k * DT, moved))
    film.append(sight(3 * DT + 0.1))
    _, world = watch(PARAMS, film)
    gap = world.theirs.pose[1, 0] - world.theirs.pose[0, 0]
    assert gap >= 2.0 * PARAMS.body.half_length - 1e-6
    assert world.theirs.velocity[0, 0] <= world.theirs.velocity[1, 0] + 1e-9


def test_a_robot_that_is_held_is_not_predicted_to_drive() -> None:
    poses = standing(PARAMS)
    tracks, commands = placed(PARAMS, poses), still(PARAMS)
    commands.wheels[0] = 100.0  # 2 m/s ahead, but it stands
    for k in range(1, 10):
        tracks, world = estimate.step(PARAMS, tracks, sight(k * DT, poses, captured=(k - 1) * DT), commands)
    assert world.ours.pose[0, :2] == pytest.approx(poses[0, :2], abs=2e-3)


def test_a_lost_robot_is_found_wherever_it_reappears_and_its_age_tells() -> None:
    poses = standing(PARAMS)
    film = [sight(k * DT, poses, placed=poses if k == 0 else None) for k in range(5)]
    film += [sight(k * DT, poses, missing=(2,)) for k in range(5, 20)]
    _, world = watch(PARAMS, film)
    assert world.ours.age[2] == pytest.approx(15 * DT)
    assert np.delete(world.ours.age, 2).max() == 0.0
    poses = poses.copy()
    poses[2, :2] = 0.1, 0.7
    _, world = watch(PARAMS, [*film, sight(20 * DT, poses)])
    assert world.ours.age[2] == pytest.approx(16 * DT)  # a ghost would be gone in the next picture
    tracks, world = watch(PARAMS, [*film, *(sight(k * DT, poses) for k in range(20, 23))])
    assert world.ours.pose[2, :2] == pytest.approx((0.1, 0.7), abs=1e-4)
    assert world.ours.age[2] == 0.0
    assert estimate.health(PARAMS, tracks).found == 1
    assert estimate.health(PARAMS, tracks).missed == 17


def test_a_ball_that_jumps_is_believed_after_a_few_pictures() -> None:
    poses = standing(PARAMS)
    film = [sight(k * DT, poses, placed=poses if k == 0 else None) for k in range(5)]
    far = poses.copy()
    far[-1, :2] = 0.9, 0.7
    assert watch(PARAMS, [*film, sight(5 * DT, far)])[1].ball.x == pytest.approx(0.0, abs=0.01)
    film += [sight((5 + k) * DT, far) for k in range(PARAMS.ball.patience + 1)]
    assert watch(PARAMS, film)[1].ball.x == pytest.approx(0.9, abs=0.01)


def nonsense(now: float, poses: Floats, values: list[float], rows: int, late: float) -> Detections:
    good = sight(now, poses)
    pose = np.resize(np.array(values), (rows, 3))
    return replace(
        good,
        ball_time=np.concatenate((good.ball_time, np.full(rows, now - late))),
        ball_xy=np.vstack((good.ball_xy, pose[:, :2])),
        robot_time=np.concatenate((good.robot_time, np.full(rows, now - late))),
        robot_pose=np.vstack((good.robot_pose, pose)),
        robot_team=np.concatenate((good.robot_team, np.arange(rows) % 2)),
        robot_label=np.concatenate((good.robot_label, np.arange(rows) % 7 - 1)),
    )


@settings(deadline=None, max_examples=60)
@given(
    values=st.lists(st.floats(allow_nan=True, allow_infinity=True), min_size=1, max_size=9),
    rows=st.integers(0, 100),
    late=st.sampled_from([0.0, DT, -DT, 10.0, -10.0, math.nan, math.inf, -math.inf]),
)
def test_nonsense_is_survived_and_the_next_good_pictures_are_believed(
    values: list[float], rows: int, late: float
) -> None:
    poses = standing(PARAMS)
    film = [sight(0.0, poses, placed=poses), sight(DT, poses)]
    film += [nonsense(k * DT, poses, values, rows, late) for k in range(2, 6)]
    tracks, world = watch(PARAMS, film)
    assert all(np.isfinite(a).all() for a in (poses_of(world), world.ours.velocity, world.theirs.velocity))
    assert math.isfinite(world.ball.x + world.ball.y + world.ball.vx + world.ball.vy)
    assert np.isfinite(tracks.robots.p).all()
    assert np.linalg.eigvalsh(tracks.robots.p).min() > 0.0
    _, world = watch(PARAMS, film + [sight(k * DT, poses) for k in range(6, 30)])
    assert sorted(map(tuple, poses_of(world)[:5, :2].round(2))) == sorted(map(tuple, poses[:5, :2].round(2)))
    assert (world.ball.x, world.ball.y) == pytest.approx((0.0, 0.1), abs=0.02)


def wandering(seed: int) -> list[Floats]:
    rng = np.random.default_rng(seed)
    way = np.cumsum(rng.normal(0.0, 0.003, (10, 11, 3)), axis=0)
    return [standing(PARAMS) + step for step in way]


@settings(deadline=None, max_examples=20)
@given(order=st.permutations(range(1, 7)), seed=st.integers(0, 50))
def test_pictures_in_any_order_come_to_the_same(order: list[int], seed: int) -> None:
    """All captured within what is remembered; the commands are the same at every tick."""
    poses, commands = wandering(seed), still(PARAMS)
    commands.wheels[:] = 3.0
    film = [sight(0.5, poses[k], captured=0.01 + 0.03 * k) for k in range(1, 7)]
    start = estimate.step(PARAMS, estimate.start(PARAMS), sight(0.0, placed=poses[0]), commands)[0]
    start = estimate.step(PARAMS, start, sight(0.25), commands)[0]
    ends = []
    for row in (range(1, 7), order):
        tracks = start
        for k in row:
            tracks, _ = estimate.step(PARAMS, tracks, replace(film[k - 1], now=0.25), commands)
        ends.append(tracks)
    assert (ends[0].robots.state == ends[1].robots.state).all()
    assert (ends[0].robots.p == ends[1].robots.p).all()
    assert estimate.health(PARAMS, ends[1]).late == sum(k < max(order[:i], default=0) for i, k in enumerate(order))


def test_pictures_too_late_from_the_future_or_twice_are_counted_and_change_nothing() -> None:
    poses = standing(PARAMS)
    tracks, _ = watch(PARAMS, [sight(k * DT, poses, placed=poses if k == 0 else None) for k in range(20)])
    wrong = poses + np.array((0.02, 0.0, 0.0))
    now = 20 * DT
    bad = [sight(now, wrong, captured=0.0), sight(now, wrong, captured=now + 1.0), sight(now, poses, captured=19 * DT)]
    for k, picture in enumerate(bad):
        after, _ = estimate.step(PARAMS, tracks, picture, still(PARAMS))
        none, _ = estimate.step(PARAMS, tracks, sight(now), still(PARAMS))
        assert (after.robots.state == none.robots.state).all()
        health = estimate.health(PARAMS, after)
        assert (health.refused, health.duplicates) == ((1, 0), (1, 0), (0, 1))[k]


@pytest.mark.parametrize("bad", [1, 4, 10])
def test_rows_without_a_time_are_counted_as_nonsense(bad: int) -> None:
    poses = standing(PARAMS)
    good = sight(DT, poses)
    time = good.robot_time.copy()
    time[:bad] = math.nan
    tracks, _ = estimate.step(PARAMS, placed(PARAMS, poses), replace(good, robot_time=time), still(PARAMS))
    assert estimate.health(PARAMS, tracks).nonsense == bad
    time[:], ball = math.nan, np.full_like(good.ball_time, math.inf)
    empty = replace(good, robot_time=time, ball_time=ball)
    tracks, _ = estimate.step(PARAMS, placed(PARAMS, poses), empty, still(PARAMS))
    assert estimate.health(PARAMS, tracks).nonsense == 11


def test_each_robot_twice_in_a_picture_is_the_robot_once() -> None:
    poses = standing(PARAMS)
    good = sight(DT, poses)
    twin = replace(
        good,
        robot_time=np.repeat(good.robot_time, 2),
        robot_pose=np.repeat(good.robot_pose, 2, axis=0),
        robot_team=np.repeat(good.robot_team, 2),
        robot_label=np.repeat(good.robot_label, 2),
    )
    tracks = placed(PARAMS, poses)
    once, _ = estimate.step(PARAMS, tracks, good, still(PARAMS))
    twice, _ = estimate.step(PARAMS, tracks, twin, still(PARAMS))
    assert (once.robots.state[0] == twice.robots.state[0]).all()
    assert estimate.health(PARAMS, twice).false_robots == 10


def test_the_referees_placement_starts_everything_afresh() -> None:
    poses = standing(PARAMS)
    tracks, _ = watch(
        PARAMS,
        [sight(k * DT, poses + np.array((0.01 * k, 0.0, 0.0)), placed=poses if k == 0 else None) for k in range(9)],
    )
    moved = np.roll(poses, 2, axis=0)
    _, world = estimate.step(PARAMS, tracks, sight(1.0, placed=moved), still(PARAMS))
    assert (poses_of(world) == moved[:-1]).all()
    assert (world.ours.velocity == 0.0).all()
    assert (world.ours.age == 0.0).all()
    assert (world.ball.x, world.ball.y, world.ball.vx, world.ball.vy) == (*moved[-1, :2], 0.0, 0.0)


def test_a_step_touches_nothing_and_gives_the_same_twice() -> None:
    poses = standing(PARAMS)
    tracks, seen, commands = placed(PARAMS, poses), sight(DT, poses + np.array((0.005, 0.0, 0.0))), still(PARAMS)
    commands.wheels[0] = 5.0
    belief = tracks.robots
    arrays = [a for f in fields(belief) if isinstance(a := getattr(belief, f.name), np.ndarray)]
    arrays += [tracks.told, tracks.told_time, seen.robot_pose, seen.ball_xy, commands.wheels]
    before = [np.copy(array) for array in arrays]
    first, world = estimate.step(PARAMS, tracks, seen, commands)
    second, again = estimate.step(PARAMS, tracks, seen, commands)
    assert all(np.array_equal(a, b) for a, b in zip(before, arrays, strict=True))
    assert (first.robots.state == second.robots.state).all()
    assert (poses_of(world) == poses_of(again)).all()
    assert world.ball == again.ball


def test_a_team_cannot_write_into_its_world() -> None:
    _, world = watch(PARAMS, [sight(0.0, placed=standing(PARAMS))])
    for robots in (world.ours, world.theirs):
        for array in (robots.pose, robots.velocity, robots.age):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 1.0


def test_before_anything_is_known_there_is_a_world_all_the_same() -> None:
    _, world = watch(PARAMS, [sight(0.0)])
    assert np.isfinite(poses_of(world)).all()
    assert world.time == 0.0


def test_without_a_placement_the_first_pictures_are_believed() -> None:
    poses = standing(PARAMS)
    _, world = watch(PARAMS, [sight(5.0 + k * DT, poses) for k in range(20)])
    for team in (slice(0, 5), slice(5, 10)):
        assert sorted(map(tuple, poses_of(world)[team, :2].round(3))) == sorted(map(tuple, poses[team, :2].round(3)))
    assert (world.ball.x, world.ball.y) == pytest.approx((0.0, 0.1), abs=1e-3)


def test_colours_are_never_mixed_up() -> None:
    poses = standing(PARAMS)
    poses[0, :2], poses[5, :2] = (0.0, -0.04), (0.0, 0.04)
    other = poses.copy()
    other[0, :2], other[5, :2] = poses[5, :2], poses[0, :2]
    seen = sight(DT, other)
    assert (seen.robot_team[seen.robot_pose[:, 1] == 0.04] == OURS).all()
    _, world = watch(PARAMS, [sight(0.0, placed=poses), *(sight(k * DT, other) for k in range(1, 15))])
    assert poses_of(world)[(0, 5), 1] == pytest.approx((0.04, -0.04), abs=0.01)


def test_a_first_picture_without_a_placement_judges_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory that is not written yet may hold anything: here the very place at which robots are seen."""
    poses = standing(PARAMS)
    poses[0] = 0.5, 0.5, 0.5
    with monkeypatch.context() as patch:
        patch.setattr(np, "empty", lambda shape, dtype=np.float64: np.full(shape, 0.5, dtype))
        tracks, _ = estimate.step(PARAMS, estimate.start(PARAMS), sight(0.0, poses, labelled=True), still(PARAMS))
    assert not tracks.robots.held.any()


@pytest.mark.parametrize("shape", [(4, 2), (6, 2), (5, 1), (5, 3), (5,)])
def test_commands_of_another_shape_are_refused(shape: tuple[int, ...]) -> None:
    commands = replace(still(PARAMS), wheels=np.zeros(shape))
    with pytest.raises(ContractError) as caught:
        estimate.step(PARAMS, estimate.start(PARAMS), sight(0.0), commands)
    assert str(caught.value) == f"commands.wheels must be (5, 2); got {shape}"


@pytest.mark.parametrize(
    ("field", "shape"), [("robot_pose", (10, 2)), ("robot_team", (9,)), ("ball_xy", (1, 3)), ("placed", (10, 3))]
)
def test_detections_of_another_shape_are_refused(field: str, shape: tuple[int, ...]) -> None:
    changed = {field: np.zeros(shape, np.int64 if field == "robot_team" else np.float64)}
    seen = replace(sight(0.0, standing(PARAMS)), **changed)  # type: ignore[arg-type]
    with pytest.raises(ContractError, match=rf"{field} must be .*; got \({shape[0]}"):
        estimate.step(PARAMS, estimate.start(PARAMS), seen, still(PARAMS))


def test_strange_teams_and_labels_are_nobodys() -> None:
    poses = standing(PARAMS)
    good = sight(DT, poses)
    strange = replace(good, robot_team=np.full(10, 7), robot_label=np.full(10, 10**9))
    tracks = placed(PARAMS, poses)
    after, world = estimate.step(PARAMS, tracks, strange, still(PARAMS))
    assert poses_of(world) == pytest.approx(poses[:-1], abs=1e-9)
    assert estimate.health(PARAMS, after).false_robots == 10


def test_commands_that_are_no_numbers_tell_nothing_and_poison_nothing() -> None:
    poses = standing(PARAMS)
    tracks, wrong = placed(PARAMS, poses), still(PARAMS)
    wrong.wheels[0], wrong.wheels[1] = math.nan, math.inf
    for k in range(1, 4):
        tracks, world = estimate.step(PARAMS, tracks, sight(k * DT, poses), wrong)
    assert poses_of(world) == pytest.approx(poses[:-1], abs=1e-3)


def test_robots_are_not_predicted_further_than_half_a_second_into_the_dark() -> None:
    poses = standing(PARAMS)
    tracks, ahead = placed(PARAMS, poses), still(PARAMS)
    ahead.wheels[:] = 20.0  # 0.4 m/s
    places = [estimate.step(PARAMS, tracks, sight(t), ahead)[1].ours.pose[:, :2] for t in (0.5, 1.0, 3600.0)]
    assert np.linalg.norm(places[0] - poses[:5, :2], axis=1).min() > 0.1
    assert places[1] == pytest.approx(places[0], abs=1e-9)
    assert places[2] == pytest.approx(places[0], abs=1e-9)


def test_two_cameras_of_the_same_time_are_one_picture_whenever_they_come() -> None:
    poses = standing(PARAMS)
    moved = poses + np.array((0.004, 0.0, 0.0))
    tracks, left, right = placed(PARAMS, poses), (0, 1, 2, 3, 4), (5, 6, 7, 8, 9)
    whole, _ = estimate.step(PARAMS, tracks, sight(2 * DT, moved, captured=DT), still(PARAMS))
    half, _ = estimate.step(PARAMS, tracks, sight(2 * DT, moved, captured=DT, missing=right), still(PARAMS))
    half, _ = estimate.step(PARAMS, half, replace(sight(2 * DT, moved, captured=DT, missing=left)), still(PARAMS))
    assert half.robots.state[0] == pytest.approx(whole.robots.state[0], abs=1e-12)
    assert (half.robots.seen == DT).all()


@pytest.mark.parametrize("time", [math.nan, math.inf, -math.inf])
def test_rows_of_no_time_are_dropped(time: float) -> None:
    poses = standing(PARAMS)
    seen = sight(DT, poses)
    bad = replace(seen, robot_time=np.full(10, time), ball_time=np.full(1, time))
    for start in (estimate.start(PARAMS), placed(PARAMS, poses)):
        tracks, world = estimate.step(PARAMS, start, bad, still(PARAMS))
        assert np.isfinite(poses_of(world)).all()
        assert math.isfinite(estimate.health(PARAMS, tracks).latency)


def test_a_league_may_turn_faster_than_ours() -> None:
    params, dt, rate = replace(PARAMS, max_turn_rate=200.0), 0.005, 150.0
    poses, tracks = standing(params), estimate.start(params)
    for k in range(60):
        poses[:-1, 2] = math.remainder(rate * k * dt, 2.0 * math.pi)
        tracks, world = estimate.step(
            params, tracks, sight(k * dt, poses, labelled=True, placed=poses if k == 0 else None), still(params)
        )
    assert world.theirs.velocity[:, 2] == pytest.approx(rate, rel=0.02)


def test_robots_of_a_fast_league_push_each_other_too() -> None:
    """Two opponents at 15 m/s, 1 m apart, drive at each other for 50 ms: without a push they would change places."""
    tracks = placed(PARAMS, standing(PARAMS))
    n, state = PARAMS.robots, tracks.robots.state[0]
    state[n : n + 2] = (-0.5, 0.0, 0.0, 15.0, 0.0, 0.0), (0.5, 0.0, 0.0, -15.0, 0.0, 0.0)
    state[n + 2 :, 1] += 5.0
    world = estimate.step(PARAMS, tracks, sight(0.05), still(PARAMS))[1]
    assert 0.07499 < world.theirs.pose[1, 0] - world.theirs.pose[0, 0] < 0.15


def test_robots_are_named_by_a_click_and_by_a_list() -> None:
    poses = standing(PARAMS)
    film = [sight(k * DT, poses) for k in range(5)]  # below: each team's numbers the other way round
    places = poses[:-1, :2][::-1].copy()[[5, 6, 7, 8, 9, 0, 1, 2, 3, 4]] + 0.02
    _, world = watch(replace(PARAMS, places=places), film)
    assert world.ours.pose[:, :2] == pytest.approx(places[:5] - 0.02, abs=1e-3)
    assert world.theirs.pose[:, :2] == pytest.approx(places[5:] - 0.02, abs=1e-3)
    tracks, world = watch(PARAMS, film)
    x, y = world.ours.pose[3, :2].tolist()
    tracks = estimate.name(PARAMS, tracks, OURS, 1, x + 0.03, y)
    _, renamed = estimate.step(PARAMS, tracks, sight(5 * DT, poses), still(PARAMS))
    assert renamed.ours.pose[1, :2] == pytest.approx((x, y), abs=1e-3)
    assert renamed.ours.pose[3, :2] == pytest.approx(world.ours.pose[1, :2], abs=1e-3)
    for team, robot, at, said in (
        (OURS, 7, 0.0, r"robot must be in \[0, 5\); got 7"),
        (2, 0, 0.0, "team must be"),
        (OURS, 0, math.nan, "finite"),
    ):
        with pytest.raises(ContractError, match=said):
            estimate.name(PARAMS, tracks, team, robot, at, 0.0)


@pytest.mark.parametrize("far", [1e4, 1e160, 1e300, -1e300])
def test_what_is_seen_beyond_any_pitch_is_nonsense_from_the_first_picture_on(far: float) -> None:
    poses, tracks = standing(PARAMS), estimate.start(PARAMS)
    for k in range(3):
        absurd = poses.copy()
        absurd[[0, -1], 0] = far
        tracks, _ = estimate.step(PARAMS, tracks, sight(k * DT, absurd), still(PARAMS))
    assert estimate.health(PARAMS, tracks).nonsense == 6
    for k in range(3, 12):
        tracks, world = estimate.step(PARAMS, tracks, sight(k * DT, poses), still(PARAMS))
    assert (world.ball.x, world.ball.y) == pytest.approx(poses[-1, :2], abs=0.02)
    assert np.isfinite(tracks.robots.p[0]).all()


@pytest.mark.parametrize("now", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("seen", [0, 1, 5])
def test_a_tick_without_a_time_is_counted_and_poisons_nothing(now: float, seen: int) -> None:
    poses = standing(PARAMS)
    film = [sight(k * DT, poses, placed=poses if k == 0 else None) for k in range(seen)]
    tracks = watch(PARAMS, film)[0] if film else estimate.start(PARAMS)
    after, world = estimate.step(PARAMS, tracks, replace(sight(seen * DT, poses), now=now), still(PARAMS))
    health = estimate.health(PARAMS, after)
    assert (health.timeless, health.refused) == (1, 1)  # of its picture nobody knows whether it is not of the future
    assert np.isfinite(health.quality).all()
    assert math.isfinite(health.latency + health.nis + world.time)
    assert not np.isnan(poses_of(world)).any()
    assert not np.isnan(world.ours.age).any()
    if seen > 0:
        assert (after.now, world.time) == (tracks.now, tracks.now)
    later, world = estimate.step(PARAMS, after, sight((seen + 1) * DT, poses), still(PARAMS))
    assert np.abs(poses_of(world)[:5, :2] - poses[:5, :2]).max() < 0.01 or seen == 0
    assert np.isfinite(estimate.health(PARAMS, later).quality).all()


def test_false_balls_and_robots_are_counted() -> None:
    poses = standing(PARAMS)
    tracks, _ = watch(PARAMS, [sight(k * DT, poses, placed=poses if k == 0 else None) for k in range(3)])
    picture = sight(3 * DT, poses)
    far = np.array(((0.9, 0.7), (-0.9, 0.7)))
    ghost = replace(picture, ball_time=np.full(3, 3 * DT), ball_xy=np.vstack((picture.ball_xy, far)))
    later, _ = estimate.step(PARAMS, tracks, ghost, still(PARAMS))
    before, after = (estimate.health(PARAMS, t) for t in (tracks, later))
    assert (after.false_balls - before.false_balls, after.false_robots) == (2, 0)


BAD_PARAMS = {
    "association": (9, 3, "likeliest", None),
    "collisions": (7, 2, "full"),
    "headings": (1, "yes", None),
    "odometry": (0, "no"),
    "robots": (0, -1, 2.5, "5", math.nan),
    "beliefs": (0, 33, 1.5, "six"),
    "noise_xy": (0.0, -1e-3, math.nan, math.inf, "1"),
    "noise_theta": (0.0, -1.0),
    "own_noise": (-1.0, math.nan, math.inf, "2"),
    "held_noise": (-1.0,),
    "their_noise": (-1.0, None),
    "turn_noise": (-1.0, [1.0]),
    "max_turn_rate": (0.0, -3.0, math.inf),
    "gate": (0.0, -1.0),
    "reach": (0.0, math.nan),
    "growth": (-1.0, math.inf),
    "lost_after": (0.0, "1 s"),
    "memory": (0.0, -0.3),
    "mouth": (-0.1, math.nan),
    "places": (np.zeros((3, 2)), np.full((10, 2), math.nan)),
    "body_from_wheels": (np.zeros((2, 2)), np.full((3, 2), math.inf)),
}


@pytest.mark.parametrize(("field", "value"), [(f, v) for f, values in BAD_PARAMS.items() for v in values])
def test_a_value_that_can_never_work_is_refused_by_its_name(field: str, value: object) -> None:
    given: dict[str, Any] = {field: value}
    with pytest.raises(ContractError, match=f"^{field} must be .*; got "):
        replace(PARAMS, **given)


def test_a_wrong_mode_is_told_the_known_ones() -> None:
    known = re.escape(", ".join(f"Association.{one.name}" for one in estimate.Association))
    wrong: Any = "nearest"
    with pytest.raises(ContractError, match=f"must be one of {known}; got 'nearest'"):
        replace(PARAMS, association=wrong)
