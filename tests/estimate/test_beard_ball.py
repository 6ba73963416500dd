"""The ball's track: consistent, still at rest, quick after kicks, not fooled by clutter, not hurt by bad input."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from tikitaka.estimate import ball
from tikitaka.estimate.kernels import euler, flight, travelling
from tikitaka.estimate.kernels.rolling import COULOMB, VISCOUS
from tikitaka.types import Field, Floats

FIELD = Field(2.2, 1.8, 0.0, 0.0, 0.07, 0.4, 0.15, 0.0, 0.15, 0.5, 0.25)
PARAMS = ball.BallParams(ball.edges_of(FIELD))
DT = 1.0 / 30.0
FAR = np.array(((5.0, 5.0, 0.0, 0.0, 0.0, 0.0),))
NOTHING = np.zeros((0, 2))


def rolling(params: ball.BallParams, x: Floats, p: Floats) -> ball.BallTrack:
    """Return the track of a ball x, y, vx, vy, mu with a covariance (5, 5) at time 0."""
    begun = ball.put(params, ball.start(params), 0.0, float(x[0]), float(x[1]))
    covariance, memory = np.zeros((7, 7)), begun.memory.copy()
    covariance[:5, :5], memory[2] = p, ball.Mode.MOVING
    return ball.BallTrack(np.array((*x, 0.0, 0.0, *x[2:4])), covariance, memory, begun.path)


def true_path(params: ball.BallParams, x0: Floats, frames: int, rng: np.random.Generator) -> Floats:
    """Return (frames + 1, 5) of a ball under white accelerations, in steps of 1/480 s, through bounces."""
    law, skin, _, body, _, boards = params.tables
    x, path, h = np.array((*x0, 0.0, 0.0, *x0[2:4])), [x0], DT / 16
    for k in range(16 * frames):
        work = np.empty((3, 7, 7))
        travelling.travel(x, np.zeros((7, 7)), h, 0.0, law, boards, ball.NOBODY, body, skin, work, spread=False)
        x[2:4] += math.sqrt(params.forces * h) * rng.normal(size=2)
        x[4] += params.friction_wander * math.sqrt(h) * rng.normal()
        x[7:] = x[2:4]
        if k % 16 == 15:
            path.append(x[:5].copy())
    return np.array(path)


@pytest.mark.parametrize("friction", [ball.Friction.COULOMB, ball.Friction.VISCOUS])
def test_errors_and_innovations_are_as_large_as_the_filter_says_through_bounces(friction: ball.Friction) -> None:
    params = replace(PARAMS, friction=friction, friction_mean=0.5, wall_doubt=0.0, slow=0.0, forces=0.01)
    p0 = np.diag((1e-6, 1e-6, 0.09, 0.09, params.friction_spread**2))
    nees, nis, bounces, runs, frames = [], [], 0, 60, 30
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        mean = np.array((rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5), 2.0, 1.5, 0.5))
        truth = true_path(params, rng.multivariate_normal(mean, p0), frames, rng)
        track = rolling(params, mean, p0)
        for k in range(1, frames + 1):
            track = ball.step(params, track, k * DT, truth[k, None, :2] + params.noise * rng.normal(size=(1, 2)))
        off = truth[-1] - track.mean[:5]
        nees.append(off @ np.linalg.solve(track.covariance[:5, :5], off))
        nis.append(track.nis)
        bounces += track.counts["bounces"]
    assert bounces > runs
    total, count = np.array(nis).sum(axis=0)
    assert chi2.ppf(0.001, 2 * count) < total < chi2.ppf(0.999, 2 * count)
    assert chi2.ppf(0.001, 5 * runs) < sum(nees) < chi2.ppf(0.999, 5 * runs)


def seen(
    params: ball.BallParams, track: ball.BallTrack, path: Floats, seed: int = 0, robots: Floats = FAR
) -> ball.BallTrack:
    """Return the track after detections with noise, one every DT from the track's time on."""
    rng, t = np.random.default_rng(seed), max(0.0, track.time)
    for k, place in enumerate(path, 1):
        track = ball.step(params, track, t + k * DT, place[None] + params.noise * rng.normal(size=(1, 2)), robots)
    return track


def test_a_resting_ball_lies_exactly_still_and_does_not_crawl() -> None:
    track = seen(PARAMS, ball.start(PARAMS), np.zeros((30, 2)))
    assert track.mode == ball.Mode.RESTING
    for seed in range(1, 40):
        track = seen(PARAMS, track, np.zeros((30, 2)), seed)
        assert track.mode == ball.Mode.RESTING
        assert (track.mean[2:4] == 0.0).all()
        assert np.hypot(*track.mean[:2]) < 1.5e-3
    assert ball.predict(PARAMS, track, track.time + 10.0)[0] == pytest.approx(track.mean)


def test_a_slow_push_wakes_a_resting_ball() -> None:
    track = seen(PARAMS, ball.start(PARAMS), np.zeros((30, 2)))
    path = np.stack((0.15 * DT * np.arange(1, 31), np.zeros(30)), axis=1)
    track = seen(PARAMS, track, path, 1)
    assert track.mean[:2] == pytest.approx(path[-1], abs=3e-3)
    assert track.mean[2:4] == pytest.approx((0.15, 0.0), abs=0.05)


@pytest.mark.parametrize(("near", "frames"), [(True, 2), (False, 4)])
def test_a_kick_is_followed_at_once_near_a_robot_and_after_patience_elsewhere(near: bool, frames: int) -> None:
    robots = np.array(((-0.07, 0.0, 0.0, 0.0, 0.0, 0.0),)) if near else FAR
    track = seen(PARAMS, ball.start(PARAMS), np.zeros((20, 2)), robots=robots)
    path = np.stack((3.0 * DT * (np.arange(1, frames + 1) - 0.5), np.zeros(frames)), axis=1)
    track = seen(PARAMS, track, path, 1, robots)
    assert track.mean[:2] == pytest.approx(path[-1], abs=0.01)
    assert track.mean[2:4] == pytest.approx((3.0, 0.0), abs=0.5)
    assert track.counts["kicks" if near else "restarts"] == 1


def test_clutter_does_not_lead_the_track_away_and_dropouts_do_not_lose_it() -> None:
    rng, track = np.random.default_rng(3), ball.start(PARAMS)
    x0 = np.array((-0.9, -0.3, 1.6, 0.4, 0.3))
    truth = true_path(replace(PARAMS, forces=0.0, friction_wander=0.0), x0, 60, rng)
    for k, place in enumerate(truth):
        rows = [place[:2] + 1e-3 * rng.normal(size=2)] if rng.uniform() > 0.3 or k == 0 else []
        rows += [rng.uniform((-1.1, -0.9), (1.1, 0.9)) for _ in range(rng.poisson(0.3))] if k else []
        rng.shuffle(rows)
        track = ball.step(PARAMS, track, k * DT, np.array(rows).reshape(-1, 2), FAR)
        if k > 5:
            assert np.hypot(*(ball.predict(PARAMS, track, k * DT)[0][:2] - place[:2])) < 0.02
    assert track.counts["rejected"] > 10
    assert track.counts["restarts"] == 0


def test_a_ball_found_elsewhere_begins_no_faster_than_any_ball_is() -> None:
    params = replace(PARAMS, noise=0.01, fastest=2.0, kick_reach=0.01)
    track = seen(params, ball.start(params), np.zeros((20, 2)))
    steps = np.arange(1, params.patience + 2)
    for k, place in enumerate(np.stack((0.2 + (2.0 * DT + 0.03) * steps, 0.0 * steps), axis=1), 1):
        track = ball.step(params, track, 20 * DT + k * DT, place[None], FAR)
    assert track.counts["restarts"] == 1
    assert np.hypot(*track.mean[2:4]) == pytest.approx(2.0)


BAD = st.lists(st.tuples(*(st.sampled_from([math.nan, math.inf, -math.inf, 0.0, 1e300, -1e9, 0.3]),) * 2), max_size=5)


@given(
    st.lists(
        st.tuples(st.one_of(st.floats(0.0, 3.0), st.sampled_from([math.nan, math.inf, -math.inf])), BAD), max_size=30
    )
)
def test_no_input_poisons_the_track(frames: list[tuple[float, list[tuple[float, float]]]]) -> None:
    track = ball.put(PARAMS, ball.start(PARAMS), 0.0, 0.1, 0.1)
    for t, rows in frames:
        track = ball.step(PARAMS, track, t, np.array(rows, np.float64).reshape(-1, 2), FAR)
        assert np.isfinite(track.mean).all()
        assert np.isfinite(track.covariance).all()
        assert np.linalg.eigvalsh(track.covariance / max(1.0, track.covariance.max())).min() > -1e-12
    back = track.time
    for k in range(1, 12):
        track = ball.step(PARAMS, track, back + 2.0 + k * DT, np.array(((0.2, 0.1),)), FAR)
    assert track.mean[:2] == pytest.approx((0.2, 0.1), abs=0.01)


def test_late_bad_and_surplus_detections_are_counted_and_change_nothing_else() -> None:
    track = seen(PARAMS, ball.start(PARAMS), np.zeros((10, 2)))
    again = ball.step(PARAMS, track, track.time, np.array(((0.5, 0.5),)), FAR)
    assert again.counts == {**track.counts, "late": 1}
    assert (again.mean == track.mean).all()
    before = ball.step(PARAMS, again, track.time - 1.0, np.zeros((1, 2)), FAR)
    assert before.counts["late"] == 2
    many = np.concatenate((np.zeros((1, 2)), np.random.default_rng(0).uniform(0.2, 1.0, (99, 2)), [[math.nan, 0.0]]))
    crowd = ball.step(PARAMS, track, track.time + DT, many, FAR)
    assert crowd.counts == {**track.counts, "rejected": 99, "bad": 1}
    assert crowd.mean[:2] == pytest.approx((0.0, 0.0), abs=2e-3)


def test_a_ball_put_down_is_there_at_rest_and_friction_stays_learnt() -> None:
    track = rolling(PARAMS, np.array((0.0, 0.0, 1.0, 0.0, 0.42)), np.diag((1e-6, 1e-6, 1e-4, 1e-4, 1e-4)))
    placed = ball.put(PARAMS, track, 5.0, 0.3, -0.2)
    assert (placed.mean[:4] == (0.3, -0.2, 0.0, 0.0)).all()
    assert (placed.friction, placed.mode, placed.time) == (0.42, ball.Mode.RESTING, 5.0)


CHIP = replace(PARAMS, boards=np.zeros((0, 4)), camera=(0.0, 0.0, 4.0, 8.0), noise=0.002, max_lift=4.0)


def chipped(commanded: bool) -> tuple[list[float], list[float], ball.BallTrack]:
    """Return the errors of place and of height of a ball that robot 0 chips at 3 m/s with a lift of 3 m/s at 60 Hz."""
    params, rng, h = CHIP, np.random.default_rng(2), 1.0 / 60.0
    robots = np.array(((0.94, 0.5, 0.0, 0.0, 0.0, 0.0),))
    track, errors, heights = ball.put(params, ball.start(params), 0.0, 1.0, 0.5), [], []
    for k in range(1, 50):
        t = k * h - 10.4 * h  # since the kick
        up = max(0.0, 3.0 * t - 4.905 * t * t) if t > 0.0 else 0.0
        place = np.array((1.0 + 3.0 * max(0.0, t), 0.5))
        z = np.array((flight.apparent(place[0], place[1], up, np.array(params.camera))[:2],))
        kicks = np.array(((3.0, 3.0),)) if commanded else ball.NO_KICKS
        if t > 6.0 / 9.81:
            break
        track = ball.step(params, track, k * h, z + params.noise * rng.normal(size=(1, 2)), robots, kicks)
        errors.append(float(np.hypot(*(track.mean[:2] - place))))
        heights.append(abs(float(track.mean[5]) - up))
    return errors, heights, track


@pytest.mark.parametrize("commanded", [True, False])
def test_a_chip_is_taken_for_one_by_its_command_or_by_its_path(commanded: bool) -> None:
    errors, heights, track = chipped(commanded)
    assert track.flying
    settled = slice(13, None) if commanded else slice(28, None)  # it takes a quarter of a second
    assert max(errors[settled]) < 0.08
    assert max(heights[settled]) < 0.12
    lands = ball.predict(CHIP, track, track.time + 0.5)[0]
    assert lands[5] < 0.3


def friction_after(kind: float, sign: float) -> float:
    """Return mu after the paper's Euler filter has watched a ball of mu = 0.5 for 2 s."""
    rng, x, p = np.random.default_rng(0), np.array((0.0, 0.0, 2.0, 1.0, 0.3)), np.diag((1e-6, 1e-6, 0.01, 0.01, 0.04))
    work, v0 = np.empty((3, 5, 5)), np.array((2.0, 1.0))
    for k in range(1, 61):
        t = k * DT
        way = -math.expm1(-0.5 * t) / 0.5 if kind == VISCOUS else t - 0.25 * t * t / math.sqrt(5.0)
        euler.advance_ball(x, p, kind, 0.01, DT, 20.0, sign, work)
        for i in range(2):
            euler.update(x, p, np.eye(5)[i], way * v0[i] + 1e-3 * rng.normal() - x[i], 1e-6, np.empty((2, 5)))
    return float(x[4])


def test_friction_is_learnt_and_runs_away_with_the_printed_sign() -> None:
    """Erratum to sec. 3.2: the friction column of A is (-bx', -by')."""
    assert friction_after(VISCOUS, -1.0) == pytest.approx(0.5, abs=0.1)
    assert friction_after(COULOMB, -1.0) == pytest.approx(0.5, abs=0.1)
    assert abs(friction_after(VISCOUS, 1.0) - 0.5) > 1.0


def test_coulomb_and_viscous_friction_are_two_models() -> None:
    """Erratum: a ball that brakes evenly, watched as if it were viscous: its stop is predicted too far off."""
    x0 = np.array((-0.9, 0.0, 1.0, 0.0, 0.5))
    truth = true_path(replace(PARAMS, forces=0.0, friction_wander=0.0), x0, 60, np.random.default_rng(0))
    ends = {}
    for kind in ball.Friction:
        params = replace(PARAMS, friction=kind, friction_mean=0.5, friction_spread=0.3, forces=1e-4)
        track = seen(params, rolling(params, x0, np.diag((1e-6, 1e-6, 0.01, 0.01, 0.09))), truth[1:31, :2])
        ends[kind] = abs(ball.predict(params, track, 2.0)[0][0] - truth[60, 0])
    assert ends[ball.Friction.COULOMB] < 0.01
    assert ends[ball.Friction.VISCOUS] > 0.05


@given(st.floats(-1.0, 1.0), st.floats(-0.8, 0.8), st.floats(0.0, 3.0), st.floats(-math.pi, math.pi))
def test_an_interception_is_where_the_ball_is_then_and_in_reach(x: float, y: float, speed: float, angle: float) -> None:
    v = speed * math.cos(angle), speed * math.sin(angle)
    track = rolling(PARAMS, np.array((0.0, 0.0, *v, 0.3)), np.zeros((5, 5)))
    t, px, py = ball.intercept(PARAMS, track, 0.0, x, y, 2.0, 5.0, horizon=20.0)
    assert t < math.inf
    assert (px, py) == pytest.approx(ball.predict(PARAMS, track, t)[0][:2], abs=1e-6)
    rise = 2.0 / 5.0
    way = 2.5 * t * t if t < rise else 2.0 * (t - 0.5 * rise)
    assert way >= math.hypot(px - x, py - y) - 1e-9
    if t > 0.02:
        bx, by = ball.predict(PARAMS, track, t - 0.02)[0][:2]
        sooner = 2.5 * (t - 0.02) ** 2 if t - 0.02 < rise else 2.0 * (t - 0.02 - 0.5 * rise)
        assert sooner < math.hypot(bx - x, by - y) + 1e-9
