"""Bounces: times, reflections and covariances against laws, particles, brute force and the simulator."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tikitaka import sim
from tikitaka.estimate import ball
from tikitaka.estimate.kernels import bouncing, travelling
from tikitaka.lab.staging import drive, params_of
from tikitaka.types import Floats

FIELD = params_of("mirosot-5v5", 1.0 / 30.0).field
BOARDS = ball.edges_of(FIELD)
EXACT = ball.BallParams(
    BOARDS, friction_wander=0.0, forces=0.0, forces_near=0.0, wall_doubt=0.0, robot_doubt=0.0, rim_doubt=0.0
)
ANGLE = st.floats(-math.pi, math.pi)
TOP = np.array(((5.0, 1.0, -5.0, 1.0),))  # one wall at y = 1, the pitch below it


def track(params: ball.BallParams, x: float, y: float, vx: float, vy: float, p: Floats | None = None) -> ball.BallTrack:
    """Return the track of a rolling ball at time 0."""
    begun = ball.put(params, ball.start(params), 0.0, x, y)
    mean = np.array((x, y, vx, vy, params.friction_mean, 0.0, 0.0, vx, vy))
    memory = begun.memory.copy()
    memory[2] = ball.Mode.MOVING
    return ball.BallTrack(mean, np.zeros((7, 7)) if p is None else p, memory, begun.path)


@given(
    st.floats(-1.0, 1.0), st.floats(-0.8, 0.8), ANGLE, st.floats(0.0, 5.0), st.floats(0.0, 4.0), st.floats(0.01, 1.5)
)
def test_where_the_ball_goes_does_not_depend_on_how_well_it_is_known(
    x: float, y: float, angle: float, speed: float, up: float, dt: float
) -> None:
    begun = track(EXACT, x, y, speed * math.cos(angle), speed * math.sin(angle), np.eye(7))
    law, skin, _, body, _, boards = EXACT.tables
    robots, ends, work = np.array(((0.3, 0.1, 0.4, -0.2, 0.1, 1.0),)), list[Floats](), np.empty((3, 7, 7))
    for spread in (True, False):
        mean, p = begun.mean.copy(), begun.covariance.copy()
        mean[6] = up if up > 1.0 else 0.0
        travelling.travel(mean, p, dt, 0.0, law, boards, robots, body, skin, work, spread=spread)
        assert spread or (p == np.eye(7)).all()
        ends.append(mean)
    assert (ends[0] == ends[1]).all()


@given(ANGLE, ANGLE, st.floats(0.1, 5.0), st.floats(0.0, 1.0))
def test_a_bounce_is_a_reflection(normal: float, angle: float, speed: float, e: float) -> None:
    nx, ny, vx, vy = math.cos(normal), math.sin(normal), speed * math.cos(angle), speed * math.sin(angle)
    wx, wy = bouncing.reflect(vx, vy, nx, ny, e)
    assert wx * nx + wy * ny == pytest.approx(-e * (vx * nx + vy * ny), abs=1e-12)
    assert wx * -ny + wy * nx == pytest.approx(vx * -ny + vy * nx, abs=1e-12)


def test_the_printed_rotation_sends_half_of_the_balls_into_the_wall() -> None:
    """Erratum to sec. 2.4: R(2 theta) b', theta the angle of incidence, is right for one side of the normal only."""
    right = 0
    for vx in (-1.0, 1.0):
        theta = math.atan2(1.0, abs(vx))  # between the path and the wall above
        c, s = math.cos(2.0 * theta), math.sin(2.0 * theta)
        printed = np.array((c * vx - s * 1.0, s * vx + c * 1.0))
        right += bool(np.allclose(printed, bouncing.reflect(vx, 1.0, 0.0, -1.0, 1.0)))
    assert right == 1


def test_the_ball_turns_back_one_radius_before_the_wall() -> None:
    """Erratum to sec. 2.4: the wall stands at YMAX - r for the centre; 2 YMAX - b, as printed, is 2 r too far."""
    params = replace(EXACT, boards=TOP, restitution_wall=1.0, friction_mean=0.0)
    mean, _ = ball.predict(params, track(params, 0.0, 0.0, 0.0, 1.0), 1.5)
    free = 1.5
    assert mean[1] == pytest.approx(2.0 * (1.0 - params.radius) - free)
    assert 2.0 * 1.0 - free - mean[1] == pytest.approx(2.0 * params.radius)
    assert mean[3] == pytest.approx(-1.0)


def test_a_robot_that_moves_gives_the_ball_twice_its_speed() -> None:
    """Erratum to sec. 2.4: v_c + reflect(b' - v_c); as printed, reflect(b') + v, a ball at rest gets half of it."""
    params = replace(EXACT, boards=np.zeros((0, 4)), restitution_robot=1.0, friction_mean=0.0)
    robot = np.array(((-0.5, 0.0, 0.0, 1.0, 0.0, 0.0),))
    mean, _ = ball.predict(params, track(params, 0.0, 0.0, 0.0, 0.0), 0.6, robot)
    touch = 0.5 - 0.0375 - params.radius
    assert mean[2:4] == pytest.approx((2.0, 0.0))
    assert mean[0] == pytest.approx(2.0 * (0.6 - touch))
    turning = np.array(((0.0, -0.1, 0.0, 0.0, 0.0, 5.0),))  # the rim at (0.03, -0.0625) moves at omega x r
    x, y = 0.03, -0.1 + 0.0375 + params.radius - 1e-9
    mean, _ = ball.predict(params, track(params, x, y, 0.0, 0.0), 1e-6, turning)
    assert mean[3] == pytest.approx(2.0 * 5.0 * 0.03, rel=1e-3)
    x, y = 0.0375 + params.radius - 1e-9, -0.1 - 0.02  # before its front, whose right half comes forward
    mean, _ = ball.predict(params, track(params, x, y, 0.0, 0.0), 1e-6, turning)
    assert mean[2] == pytest.approx(2.0 * 5.0 * 0.02, rel=1e-3)


@given(
    st.floats(0.3, 4.0), ANGLE, st.floats(-3.0, 3.0), st.floats(-8.0, 8.0), st.floats(-2.0, 2.0), st.floats(-2.0, 2.0)
)
def test_a_meeting_is_found_at_its_time(
    speed: float, angle: float, theta: float, omega: float, ux: float, uy: float
) -> None:
    """The first time at which the gap closes, against a search in steps of 0.1 ms."""
    law, skin, _, body, _, _ = EXACT.tables
    x = np.array((0.0, 0.0, speed * math.cos(angle), speed * math.sin(angle), 0.3, 0.0, 0.0, 0.0, 0.0))
    x[7:] = x[2:4]
    robots, none = np.array(((0.25, 0.1, theta, ux, uy, omega),)), np.zeros((0, 4))
    t, who = bouncing.first_meeting(x, 0.5, 0.0, law, none, robots, body, skin)
    times = np.arange(0.0, 0.5, 1e-4)
    gaps = []
    for u in times:
        bx, by = x[:2] + x[2:4] * (u - 0.15 * u * u / speed) if u < speed / 0.3 else x[:2] + x[2:4] * speed / 0.6
        gaps.append(bouncing.robot_gap(robots, 0, u, body, bx, by, skin[0])[0])
    hits = np.flatnonzero(np.array(gaps) <= 0.0)
    if len(hits) and min(gaps) < -1e-4:
        assert who == 0
        assert times[hits[0]] - 1.1e-4 <= t <= times[hits[0]]
    if who < 0:
        assert min(gaps) > -1e-4


@given(
    st.floats(-1.15, 1.15), st.floats(-0.95, 0.95), ANGLE, st.floats(0.0, 5.0), ANGLE, st.floats(0.0, 2.0),
    st.floats(0.001, 0.3),
)  # fmt: skip
def test_whoever_is_passed_over_would_not_have_been_met(
    x: float, y: float, angle: float, speed: float, spin: float, rolling: float, left: float
) -> None:
    law, skin, _, body, _, boards = EXACT.tables
    ball_at = track(EXACT, x, y, speed * math.cos(angle), speed * math.sin(angle)).mean
    ball_at[7:9] = rolling * math.cos(spin), rolling * math.sin(spin)
    robots = np.array(((0.3, 0.1, 0.4, -0.2, 0.1, 1.0), (-0.5, -0.4, 2.0, 0.8, 0.3, -6.0)))
    times = [
        bouncing.meeting(who, ball_at, left, 0.0, law, boards, robots, body, skin[bouncing.RADIUS])
        for who in range(len(boards) + len(robots))
    ]
    first, found = bouncing.first_meeting(ball_at, left, 0.0, law, boards, robots, body, skin)
    assert first == pytest.approx(min(times), abs=1e-6)
    assert (found < 0) == (first == bouncing.NEVER)


@given(st.integers(0, 10_000), st.floats(-0.1, 0.1))
def test_the_nearest_robot_is_found_without_looking_at_all(seed: int, t: float) -> None:
    rng = np.random.default_rng(seed)
    _, skin, _, _, _, _ = EXACT.tables
    for body in (np.array((-0.0375, 0.0375, 0.0375, 0.054)), np.array((-0.09, 0.075, 0.09, 0.09))):
        robots = rng.uniform(-1.0, 1.0, (rng.integers(0, 6), 6)) * (1.5, 1.5, 3.0, 1.0, 1.0, 9.0)
        x, y, r = *rng.uniform(-0.7, 0.7, 2), skin[bouncing.RADIUS]
        gaps = [bouncing.robot_gap(robots, i, t, body, x, y, r)[0] for i in range(len(robots))]
        found, gap = bouncing.nearest_robot(x, y, t, robots, body, r)
        if gaps and min(gaps) < 1.0:
            assert (found, gap) == (int(np.argmin(gaps)), min(gaps))
        else:
            assert gap >= 1.0


def spread_after(params: ball.BallParams, p: Floats, dt: float) -> tuple[Floats, Floats, Floats]:
    """Return covariance and mean predicted, and particles moved one by one, of a ball that meets a wall at an angle."""
    begun = track(params, 0.1, 0.9, 0.8, 1.2, p)
    mean, covariance = ball.predict(params, begun, dt)
    rng = np.random.default_rng(5)
    law, skin, _, body, _, boards = params.tables
    ends = []
    for x0 in rng.multivariate_normal(begun.mean[:5], p[:5, :5], 4000):
        x = np.array((*x0, 0.0, 0.0, *x0[2:4]))
        work = np.empty((3, 7, 7))
        travelling.travel(x, np.zeros((7, 7)), dt, 0.0, law, boards, ball.NOBODY, body, skin, work, spread=False)
        ends.append(x[:5])
    return mean[:5], covariance[:5, :5], np.array(ends)


def test_covariance_through_a_bounce_is_that_of_particles() -> None:
    """With B on place and velocity; on velocity alone, the error of place would keep its sign, which is wrong."""
    params = replace(EXACT, boards=TOP, restitution_wall=0.6)
    p = np.zeros((7, 7))
    p[:5, :5] = np.diag((4e-6, 4e-6, 4e-4, 4e-4, 1e-4))
    p[1, 3] = p[3, 1] = 3e-5
    mean, covariance, ends = spread_after(params, p, 0.2)
    away = ends - mean
    nees = np.einsum("ki,ij,kj->k", away, np.linalg.inv(covariance), away)
    assert nees.mean() == pytest.approx(5.0, abs=0.25)
    scale = np.sqrt(np.diag(covariance))
    assert np.cov(ends.T) / np.outer(scale, scale) == pytest.approx(covariance / np.outer(scale, scale), abs=0.08)
    flipped = covariance.copy()
    flipped[1, 3] = flipped[3, 1] = -covariance[1, 3]
    assert np.einsum("ki,ij,kj->k", away, np.linalg.inv(flipped), away).mean() > 8.0


@pytest.mark.parametrize("league", ["mirosot-5v5", "byu-2v2", "ssl-b"])
def test_prediction_through_bounces_is_the_simulators(league: str) -> None:
    """Balls that roll for 1.5 s over an empty pitch, off walls, corners and posts: both agree to 0.1 mm."""
    pitch = params_of(league, 1.0 / 60.0, 2)
    field, b = pitch.field, pitch.ball
    params = replace(
        EXACT, boards=ball.edges_of(field), radius=b.radius, friction_mean=b.rolling_deceleration,
        restitution_wall=b.restitution_wall,
    )  # fmt: skip
    rng, off, bounces = np.random.default_rng(1), [], 0
    corner = np.array([(0.85, 0.5, 0.0), (0.85, -0.5, 0.0)]) * (-field.half_length, field.half_width, 0.0)
    for _ in range(20):
        x, y = rng.uniform(0.5, 0.9) * field.half_length, rng.uniform(-0.9, 0.9) * field.half_width
        angle, speed = rng.uniform(-1.3, 1.3), rng.uniform(1.0, 4.0)
        begun = track(params, x, y, speed * math.cos(angle), speed * math.sin(angle))
        state = sim.place(sim.start(pitch), corner, begun.mean[:2])
        state.ball[2:4], state.ball[6:8] = begun.mean[2:4], begun.mean[2:4]
        for k in range(90):
            after = sim.step(pitch, state, drive(pitch, np.zeros((2, 3))))
            if after.toucher >= 0:
                break  # a robot stood in the way
            state, bounces, last = after, bounces + len(after.hits), (k + 1) / 60.0
        off.append(math.hypot(*(ball.predict(params, begun, last)[0][:2] - state.ball[:2])))
    assert bounces > 15
    assert max(off) < 1e-4


def test_a_pushed_ball_stays_before_the_robot() -> None:
    params = replace(EXACT, boards=np.zeros((0, 4)))
    robot, now = np.array(((-0.08, 0.0, 0.0, 1.0, 0.0, 0.0),)), track(params, 0.0, 0.0, 0.0, 0.0)
    for k in range(1, 241):
        mean, p = ball.predict(params, now, k / 30.0, robot + (k - 1) / 30.0 * np.array((1.0, 0, 0, 0, 0, 0)))
        memory = now.memory.copy()
        memory[0] = k / 30.0
        now = ball.BallTrack(mean, p, memory, now.path)
    assert now.mean[0] - (-0.08 + 8.0 + 0.0375 + params.radius) == pytest.approx(0.0, abs=0.001)
    assert now.mean[2] == pytest.approx(1.0, abs=0.06)


@example(-0.6000114660511353, 0.7589955855195265, -7.799218755353472, 0.09857540827250588, 4.9596576147425)  # grazes
@example(0.23798963238761317, -0.36938807550700303, 0.46153119997854297, 6.496584772479617, 9.811478558574008)  # slow
@example(-0.5491778652843557, 0.3557228219254198, 4.049931616353543, 2.7451209383216817, 7.911782558235638)
@given(st.floats(-1.4, 1.4), st.floats(-1.2, 1.2), st.floats(-8.0, 8.0), st.floats(-8.0, 8.0), st.floats(0.0, 20.0))
def test_a_ball_never_leaves_the_pitch_nor_becomes_nan(x: float, y: float, vx: float, vy: float, t: float) -> None:
    p = np.diag((1e-4, 1e-4, 1.0, 1.0, 0.01, 0.0, 0.0))
    mean, covariance = ball.predict(EXACT, track(EXACT, x, y, vx, vy, p), t)
    assert np.isfinite(mean).all()
    assert np.isfinite(covariance).all()
    assert np.linalg.eigvalsh(covariance).min() > -1e-9 * max(1.0, covariance.max())
    if abs(x) < 1.0 and abs(y) < 0.8:
        assert abs(mean[0]) <= FIELD.half_length + FIELD.goal_depth
        assert abs(mean[1]) <= FIELD.half_width - EXACT.radius + 1e-6
