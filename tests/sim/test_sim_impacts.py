"""Impact times against closed forms and bisection of exact distances, to 1e-9 s; what impacts keep, to 1e-9."""

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial

import numpy as np
import pytest
import shapely
from free_bodies import energy, momentum, rolling, shaped
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from outline_shapes import SHAPES, placed, polygon
from pitch_judge import stop
from scipy.optimize import brentq

from tikitaka import sim
from tikitaka.sim.kernels.tables import REST_SPEED
from tikitaka.sim.params import MAX_SUBSTEP
from tikitaka.types import Floats, Outline

EXACT = 1e-9  # [s], and relative for momentum and energy
CLEAR = 1e-6  # [m] gaps that come so near without a touch, or overlaps so flat, are left out: their time is not sharp
TOP = 60.0  # [m] size of a pitch whose walls nobody reaches
Motion = tuple[float, float, float]


@cache
def vast(name: str, bounce: float, robots: int = 1) -> sim.Params:
    """Return a pitch on ice so large that no wall is near."""
    params = shaped(SHAPES[name], bounce, robots)
    return replace(params, field=replace(params.field, length=TOP, width=TOP, corner=0.0))


@cache
def slowing(a: float) -> sim.Params:
    """Return MiroSot's pitch whose rolling ball loses a [m/s^2], its only robot a cube."""
    params = shaped(SHAPES["cube"], 0.7)
    return replace(params, ball=replace(params.ball, rolling_deceleration=a))


def moving(params: sim.Params, poses: list[Motion], velocities: list[Motion], ball: Floats) -> sim.State:
    """Return robots and ball under way."""
    state = sim.place(sim.start(params), np.array(poses), ball[:2])
    return sim.check(params, replace(state, velocity=np.array(velocities), ball=ball))


def until_hit(params: sim.Params, state: sim.State, seconds: float) -> tuple[sim.State, float | None]:
    """Return the moment after the tick with the first impact, and its time; None: there was none in so many seconds."""
    for _ in range(math.ceil(seconds / params.dt)):
        state = sim.step(params, state, stop(params))
        if len(state.hits):
            return state, float(state.hits[0, 0] + (state.tick - 1) * params.dt)
    return state, None


def first_zero(gap: Callable[[float], float], seconds: float, most: float) -> float | None:
    """Return when a gap that closes by at most ``most`` a second is 0 first; None: it never is."""
    t = 0.0
    while t < seconds:
        step = max(gap(t) / most, 1e-6)  # conservative: nothing is jumped over
        if gap(t + step) < 0.0:
            return float(brentq(gap, t, t + step, xtol=1e-15, rtol=1e-15))
        t += step
    return None


def rim_distance(outline: Outline, x: float, y: float) -> float:
    """Return the distance of a point outside from an outline."""
    return min(piece_distance(*piece, x, y) for piece in outline.pieces)


def piece_distance(
    ax: float, ay: float, bx: float, by: float, r: float, cx: float, cy: float, x: float, y: float
) -> float:
    """Return the distance of a point from an edge or an arc."""
    ends = min(math.hypot(x - ax, y - ay), math.hypot(x - bx, y - by))
    if r == 0.0:
        ex, ey = bx - ax, by - ay
        part = ((x - ax) * ex + (y - ay) * ey) / (ex * ex + ey * ey)
        return abs(ex * (y - ay) - ey * (x - ax)) / math.hypot(ex, ey) if 0.0 < part < 1.0 else ends
    a, b, at = (math.atan2(qy - cy, qx - cx) for qx, qy in ((ax, ay), (bx, by), (x, y)))
    start, end = (a, b) if r > 0.0 else (b, a)
    on = (at - start) % (2.0 * math.pi) <= (end - start) % (2.0 * math.pi)
    return abs(math.hypot(x - cx, y - cy) - abs(r)) if on else ends


def ball_rim_gap(outline: Outline, r: float, robot: Floats, ball: Floats, t: float) -> float:
    """Return the gap between ball and robot at t; robot: pose and velocity (6,), ball: place and velocity (4,)."""
    x, y, theta = robot[:3] + robot[3:] * t
    dx, dy = ball[:2] + ball[2:] * t - (x, y)
    c, s = math.cos(theta), math.sin(theta)
    return rim_distance(outline, c * dx + s * dy, c * dy - s * dx) - r


@settings(deadline=None, max_examples=60)
@given(
    speed=st.floats(0.1, 10.0),
    angle=st.floats(0.15, math.pi - 0.15),
    part=st.floats(0.05, 0.95),
    a=st.sampled_from([0.0, 0.3, 2.0]),
    side=st.sampled_from([1.0, -1.0]),
)
def test_a_ball_meets_the_wall_at_the_time_of_the_closed_form(
    speed: float, angle: float, part: float, a: float, side: float
) -> None:
    params = slowing(a)
    way = part * min(0.25, speed**2 / (2.0 * a) if a else 1.0)  # it does not come to rest before
    t = (speed - math.sqrt(speed**2 - 2.0 * a * way)) / a if a else way / speed
    c, s = math.cos(angle), side * math.sin(angle)
    assume((speed - a * t) * abs(s) > 1.01 * REST_SPEED)  # slower ones lean, and do not hit
    wall = side * (params.field.half_width - params.ball.radius)
    ball = rolling(-0.3 - way * c, wall - way * s, speed * c, speed * s)
    _, found = until_hit(params, moving(params, [(0.6, 0.0, 0.0)], [(0.0, 0.0, 0.0)], ball), t + params.dt)
    assert found == pytest.approx(t, abs=EXACT)


@settings(deadline=None, max_examples=150)
@given(
    name=st.sampled_from(sorted(SHAPES)),
    speed=st.floats(0.1, 10.0),
    course=st.floats(-math.pi, math.pi),
    aside=st.floats(-0.1, 0.1),
    robot=st.sampled_from([(0.0, 0.0, 0.0), (0.4, -0.3, 0.0), (-0.3, 0.3, 5.0), (0.2, 0.5, -15.0), (0.0, 0.0, 25.0)]),
)
def test_a_ball_meets_a_robot_when_bisection_of_their_distance_says(
    name: str, speed: float, course: float, aside: float, robot: Motion
) -> None:
    """On edges, corners, arcs, in the notch and in the mouth; standing, moving and turning robots."""
    params, outline = vast(name, 1.0), SHAPES[name]
    c, s = math.cos(course), math.sin(course)
    ball = rolling(-0.25 * c - aside * s, -0.25 * s + aside * c, speed * c, speed * s)
    velocity = (robot[0] * speed, robot[1] * speed, robot[2])
    state = moving(params, [(0.0, 0.0, 0.3)], [velocity], ball)
    way, seconds = np.array((0.0, 0.0, 0.3, *velocity)), 0.4 / speed
    most = 2.0 * speed + outline.radius * abs(robot[2])
    gap = partial(ball_rim_gap, outline, params.ball.radius, way, ball[:4])
    expected = first_zero(gap, seconds, most)
    end, found = until_hit(params, state, expected or seconds)
    if expected is None:
        assert found is None
        return
    assume(gap(expected + CLEAR / speed) < -1e-3 * CLEAR)  # no grazing
    assert found == pytest.approx(expected, abs=EXACT)
    scale = params.ball.mass * speed
    assert momentum(params, end) == pytest.approx(momentum(params, state), abs=EXACT * scale, rel=EXACT)
    assert energy(params, end) == pytest.approx(energy(params, state), rel=EXACT)


def wall_gap(outline: Outline, pose: Motion, velocity: Motion, wall: float, t: float) -> float:
    """Return the gap between a robot and a wall along x at y = wall."""
    theta = pose[2] + velocity[2] * t
    up = (math.sin(theta), math.cos(theta))  # of the field, in the body frame
    reach = max(x * up[0] + y * up[1] for x, y, _ in outline.corners)
    arcs = [p for p in outline.pieces if p.r > 0.0 and p.holds(*up)]
    reach = max([reach, *(p.cx * up[0] + p.cy * up[1] + p.r for p in arcs)])
    return wall - pose[1] - velocity[1] * t - reach


@settings(deadline=None, max_examples=80)
@given(
    name=st.sampled_from(["cube", "notched", "ssl", "wild", "rounded"]),
    theta=st.floats(-math.pi, math.pi),
    speed=st.floats(0.1, 4.0),
    omega=st.floats(-20.0, 20.0),
)
def test_a_robot_meets_the_wall_when_its_outermost_point_does(
    name: str, theta: float, speed: float, omega: float
) -> None:
    params, outline = shaped(SHAPES[name], 1.0), SHAPES[name]
    wall, pose, velocity = params.field.half_width, (-0.4, 0.7, theta), (0.1, speed, omega)
    state = moving(params, [pose], [velocity], rolling(0.5, 0.0, 0.0, 0.0))
    gap = partial(wall_gap, outline, pose, velocity, wall)
    expected = first_zero(gap, 2.0, speed + outline.radius * abs(omega))
    assert expected is not None
    assume(gap(expected + CLEAR) < -1e-2 * CLEAR)
    end, found = until_hit(params, state, expected)
    assert found == pytest.approx(expected, abs=EXACT)
    assert energy(params, end) == pytest.approx(energy(params, state), rel=EXACT)


@settings(deadline=None, max_examples=40)
@given(
    theta=st.tuples(st.floats(-math.pi, math.pi), st.floats(-math.pi, math.pi)),
    omega=st.tuples(st.floats(-10.0, 10.0), st.floats(-10.0, 10.0)),
    speed=st.floats(0.2, 4.0),
    aside=st.floats(-0.06, 0.06),
)
def test_two_turning_cubes_meet_when_shapely_says(
    theta: tuple[float, float], omega: tuple[float, float], speed: float, aside: float
) -> None:
    params, cube = vast("cube", 1.0, 2), polygon(SHAPES["cube"])
    poses = [(-0.1, 0.0, theta[0]), (0.1, aside, theta[1])]
    velocities = [(speed, 0.0, omega[0]), (-speed, 0.0, omega[1])]
    state = moving(params, poses, velocities, rolling(0.5, 1.0, 0.0, 0.0))

    def apart(t: float) -> float:
        a, b = (placed(cube, *(np.array(p) + np.array(v) * t)) for p, v in zip(poses, velocities, strict=True))
        return -1.0 if shapely.intersects(a, b) else float(shapely.distance(a, b))

    t, most = 0.0, 2.0 * speed + 0.11 * max(map(abs, omega))
    while t < 0.2 / speed and apart(t) > 1e-13:
        t += apart(t) / most
    end, found = until_hit(params, state, 0.2 / speed)
    if apart(t) > 1e-13:
        assert found is None
        return
    assume(apart(t + CLEAR / speed) < 0.0)
    assert found == pytest.approx(t, abs=EXACT)
    assert momentum(params, end) == pytest.approx(momentum(params, state), abs=EXACT)
    assert energy(params, end) == pytest.approx(energy(params, state), rel=EXACT)


def test_corners_of_turning_cubes_pass_through_nobody_between_two_looks_of_a_long_step() -> None:
    params, cube, rng = replace(vast("cube", 1.0, 2), dt=MAX_SUBSTEP), polygon(SHAPES["cube"]), np.random.default_rng(3)
    times, through, free = np.linspace(0.0, params.dt, 60), list[float](), 0
    for _ in range(1500):
        away, course, theta, phi = rng.uniform((0.08, -math.pi, -math.pi, -math.pi), (0.115, math.pi, math.pi, math.pi))
        poses = np.array([(0.0, 0.0, theta), (away * math.cos(course), away * math.sin(course), phi)])
        velocities = np.column_stack((rng.uniform(-0.5, 0.5, (2, 2)), rng.uniform(-30.0, 30.0, 2)))
        state = sim.place(sim.start(params), poses, np.array((0.0, 1.0)))
        if sim.closest(params, state)[2] < CLEAR:
            continue
        end = sim.step(params, replace(state, velocity=velocities), stop(params))
        if len(end.hits) == 0 and (np.abs(end.velocity - velocities) < EXACT).all():  # nobody has met anybody
            free += 1
            way = poses[:, None] + velocities[:, None] * times[:, None]
            a, b = ([placed(cube, *pose) for pose in robot] for robot in way)
            through.append(float(shapely.area(shapely.intersection(a, b)).max()))
    assert free > 400
    assert max(through) < CLEAR * 0.053  # [m^2]


@pytest.mark.parametrize("speed", [1.5, 3.0])
def test_a_ball_between_a_wall_and_a_heavy_robot_bounces_many_times_in_one_tick(speed: float) -> None:
    """Every 2 d / v, without loss; the robot stands as if it were a wall."""
    params = shaped(SHAPES["cube"], 1.0)
    drive = replace(params.robot.drive, mass=1e15, inertia=1e15)
    params = replace(params, robot=replace(params.robot, drive=drive))
    f, r, d = params.field, params.ball.radius, 0.004
    robot = (-0.3, f.half_width - 2.0 * r - d - 0.0375, 0.5 * math.pi)
    ball = rolling(-0.3, f.half_width - r - 0.5 * d, 0.0, speed)
    end = sim.step(params, moving(params, [robot], [(0.0, 0.0, 0.0)], ball), stop(params))
    count = math.floor(params.dt * speed / d + 0.5)
    assert count > 10
    assert end.hits[:, 0] == pytest.approx((0.5 + np.arange(count)) * d / speed, abs=EXACT)
    assert (end.hits[1::2, 1] == 0).all()
    assert (end.hits[::2, 1] < 0).all()
    assert abs(end.ball[3]) == pytest.approx(speed, rel=EXACT)


@pytest.mark.parametrize("bounce", [0.0, 0.6, 1.0])
@pytest.mark.parametrize("mass", [1e3, 1e7, 1e10, 1e13, 1e15, 1e18])
@pytest.mark.parametrize("speed", [-0.3, 0.1, 0.7])
def test_a_ball_bounces_off_a_robot_however_heavy(mass: float, bounce: float, speed: float) -> None:
    """It leaves at k times the speed of approach, though its energy is lost in the rounding of the robot's."""
    params = shaped(SHAPES["cube"], bounce)
    drive = replace(params.robot.drive, mass=mass, inertia=mass)
    params = replace(params, robot=replace(params.robot, drive=drive))
    state = moving(params, [(-0.3, 0.0, 0.0)], [(speed, 0.0, 0.0)], rolling(-0.2, 0.0, -1.0, 0.0))
    end, _ = until_hit(params, state, 0.5)
    push, light = (1.0 + bounce) * (speed + 1.0), params.ball.mass / (params.ball.mass + mass)
    assert end.velocity[0, 0] == pytest.approx(speed - light * push, abs=EXACT)
    assert end.ball[2] == pytest.approx(-1.0 + (1.0 - light) * push, abs=EXACT)
