"""Klancar's equations of motion and contact, one test each, where our general solver meets the paper's situation."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from free_bodies import after, ice, rolling, shaped
from hypothesis import given, settings
from hypothesis import strategies as st
from outline_shapes import SHAPES
from pitch_judge import params_of, stop
from scipy.optimize import brentq

from tikitaka import sim
from tikitaka.sim.drive import differential_wheels
from tikitaka.sim.kernels.chassis import GRIP
from tikitaka.sim.kernels.tables import SKIN
from tikitaka.types import Commands, Floats, Outline

L = 0.075  # [m] side of Klancar's cube
HEAVY = 1e5  # [kg] 2 million balls
NO_SPIN = (0.0, 0.0, 0.0)


@cache
def cube(rub: float) -> sim.Params:
    """Return MiroSot's pitch with one plain cube: wheels at its sides, motors that keep the speed they are told."""
    params = params_of("mirosot-5v5")
    xy, direction = differential_wheels(0.5 * L)
    motor = replace(params.robot.drive.motor, gain=1.0, stall_torque=100.0, torque_limit=100.0)
    drive = replace(params.robot.drive, xy=xy, direction=direction, motor=motor, traction=0.8)
    robot = replace(params.robot, outline=Outline.box(L, L), front=0.5 * L, drive=drive)
    return replace(params, robot=robot, robots=1, contact=replace(params.contact, friction_wall=rub))


@cache
def heavy(k: float) -> sim.Params:
    """Return cubes that no ball moves, on ice, with restitution k."""
    params = shaped(SHAPES["cube"], k)
    drive = replace(params.robot.drive, mass=HEAVY, inertia=HEAVY)
    return replace(params, robot=replace(params.robot, drive=drive))


def at(params: sim.Params, x: float, y: float, theta: float, ball: Floats) -> sim.State:
    """Return one robot at rest, and the ball."""
    return sim.check(params, replace(sim.place(sim.start(params), np.array([(x, y, theta)]), ball[:2]), ball=ball))


def wheels(params: sim.Params, left: float, right: float) -> Commands:
    """Return the order to roll at these speeds [m/s]."""
    return replace(stop(params), wheels=np.array([(left, right)]) / params.robot.drive.wheel_radius)


def until_hit(params: sim.Params, state: sim.State) -> tuple[sim.State, sim.State]:
    """Return the moments before and after the tick with the first impact."""
    for _ in range(200):
        before, state = state, sim.step(params, state, stop(params))
        if len(state.hits):
            return before, state
    raise AssertionError("nobody met")


@pytest.mark.parametrize("seconds", [0.1, 0.5, 2.0])
def test_klancar_eq16_a_ball_slows_down_by_its_damping_over_seven_fifths_of_its_mass(seconds: float) -> None:
    """differs: F is a vector; here 0."""
    params = params_of("mirosot-5v5")
    f_d = 0.02  # [N s/m]
    inertia = 0.4 * params.ball.mass * params.ball.radius**2
    c = f_d / (params.ball.mass + inertia / params.ball.radius**2)
    ball = replace(params.ball, rolling_deceleration=0.0, rolling_damping=c)
    params = replace(params, ball=ball, robots=1)
    ticks = round(seconds / params.dt)
    end = after(params, at(params, -0.8, 0.5, 0.0, rolling(-0.4, 0.0, 0.2, 0.1)), ticks)
    left = math.exp(-c * ticks * params.dt)
    assert end.ball[2:4] == pytest.approx((0.2 * left, 0.1 * left), abs=1e-12)
    assert end.ball[:2] == pytest.approx((-0.4 + 0.2 * (1.0 - left) / c, 0.1 * (1.0 - left) / c), abs=1e-12)


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_klancar_eq17_a_robot_that_meets_the_wall_with_two_corners_stops_and_stays(way: float) -> None:
    params = cube(0.4)
    state = at(params, -0.4, params.field.half_width - 0.5 * L - 0.1, way * 0.5 * math.pi, rolling(0.5, 0.0, 0.0, 0.0))
    for _ in range(math.ceil(1.0 / params.dt)):
        state = sim.step(params, state, wheels(params, way, way))
    rests = state.pose[0]
    assert params.field.half_width - rests[1] == pytest.approx(0.5 * L, abs=1e-4)
    for _ in range(math.ceil(5.0 / params.dt)):
        state = sim.step(params, state, wheels(params, way, way))
        assert state.velocity[0] == pytest.approx(NO_SPIN, abs=1e-3)  # what the solver leaves over, and takes back
    assert state.pose[0] == pytest.approx(rests, abs=2.0 * SKIN)


def balance(far: float, near: float) -> float:
    """Return the rate [rad/s] at which tyres turn a cube about its front right corner, positive when clockwise.

    Wheels turn at the speeds told; each tyre drags against its slip with the same force; their torques cancel.
    """

    def torque(omega: float) -> float:
        total = 0.0
        for speed, x, y in ((far, -0.5 * L, L), (near, -0.5 * L, 0.0)):  # of the corner
            sx, sy = omega * y - speed, -omega * x  # slip of a body that turns clockwise
            size = math.hypot(sx, sy) + 1e-12
            total += (x * -sy - y * -sx) / size
        return total

    return float(brentq(torque, -20.0, 20.0, xtol=1e-12))


def pivot(params: sim.Params, corner: Floats, far: float, near: float) -> tuple[float, list[sim.State]]:
    """Return the rate at which a robot turns about the corner that it pushes into the upper wall, and the moments.

    Positive: the way that the far wheel drives it. The first tenth of a second is left out.
    """
    way, side = np.sign(corner)
    theta = math.copysign(0.5 * math.pi, way) - way * side * 0.7
    y = params.field.half_width - 6e-5 - place_of(corner, np.array((0.0, 0.0, theta)))[1]
    state = at(params, -0.4, y, theta, rolling(0.5, 0.0, 0.0, 0.0))
    left, right = (near, far) if side > 0.0 else (far, near)
    moments = []
    for _ in range(math.ceil(0.35 / params.dt)):
        state = sim.step(params, state, wheels(params, way * left, way * right))
        moments.append(state)
    moments = moments[math.ceil(0.1 / params.dt) :]
    turned = moments[-1].pose[0, 2] - moments[0].pose[0, 2]
    return turned / (params.dt * (len(moments) - 1)) * way * side, moments


@pytest.mark.parametrize("pushing", ["far", "near", "both"])
@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_klancar_eqs18_to_21_one_corner_in_the_wall_is_a_pivot(way: float, side: float, pushing: str) -> None:
    """All corners, driven by one wheel or the other (the two columns of Eq. 21), and by both.

    differs: in the paper the near wheel weighs nothing. Where it drags, the rate is lower than Eq. 18's 0.8 v / L.
    """
    params, v = cube(20.0), 0.1
    far, near = (v if pushing in (name, "both") else 0.0 for name in ("far", "near"))
    corner = np.array((way * 0.5 * L, side * 0.5 * L))
    rate, moments = pivot(params, corner, far, near)
    assert rate == pytest.approx(balance(far, near), abs=0.03 * v / L)
    stands = [place_of(corner, moment.pose[0]) for moment in moments]
    assert np.ptp(stands, axis=0) == pytest.approx((0.0, 0.0), abs=1e-4)
    speed = np.linalg.norm(moments[-1].velocity[0, :2])
    assert speed == pytest.approx(abs(rate) * L / math.sqrt(2.0), abs=0.02 * v)  # [Klancar, Eq. 20]


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_klancar_eq18_holds_when_the_near_wheel_carries_nothing(way: float, side: float) -> None:
    """Its 0.8 v / L is the far tyre's own wish; with both loaded it is 0.74 when both push, and less when one drags."""
    params, v = cube(20.0), 0.1
    drive = replace(params.robot.drive)
    drive.wheels[0 if side > 0.0 else 1, GRIP] = 0.0
    params = replace(params, robot=replace(params.robot, drive=drive))
    alpha = math.atan(0.5)  # [Klancar, Eq. 19]
    printed = v / L * math.cos(alpha) / math.sqrt(1.25)  # [Klancar, Eq. 18]
    rate, _ = pivot(params, np.array((way * 0.5 * L, side * 0.5 * L)), v, 0.0)
    assert rate == pytest.approx(printed, rel=0.02)


def place_of(corner: Floats, pose: Floats) -> Floats:
    """Return where a point of the body is."""
    c, s = math.cos(pose[2]), math.sin(pose[2])
    return np.array((pose[0] + c * corner[0] - s * corner[1], pose[1] + s * corner[0] + c * corner[1]))


@pytest.mark.parametrize("way", [1.0, -1.0])
def test_klancar_sec41_at_a_shallow_angle_a_robot_slides_along_the_wall(way: float) -> None:
    params, v = cube(0.2), 0.5
    theta = 0.15 + (0.0 if way > 0.0 else math.pi)
    state = at(params, -0.6, params.field.half_width - 0.06, theta, rolling(0.5, 0.0, 0.0, 0.0))
    for _ in range(math.ceil(0.5 / params.dt)):
        state = sim.step(params, state, wheels(params, way * v, way * v))
    begun = state.pose[0, 0]
    for _ in range(math.ceil(0.5 / params.dt)):
        state = sim.step(params, state, wheels(params, way * v, way * v))
        assert params.field.half_width - state.pose[0, 1] == pytest.approx(0.5 * L, abs=2e-3)
    assert state.pose[0, 0] - begun == pytest.approx(0.5 * v, rel=0.1)


@settings(deadline=None, max_examples=30)
@given(k=st.sampled_from([0.0, 0.3, 0.7, 1.0]), angle=st.floats(0.2, 1.5), speed=st.floats(0.3, 8.0))
def test_klancar_sec42_a_ball_keeps_its_speed_along_the_wall_and_gets_k_times_the_other_back(
    k: float, angle: float, speed: float
) -> None:
    params = ice("mirosot-5v5", k, robots=1)
    y = params.field.half_width - params.ball.radius - 0.02
    vx, vy = speed * math.cos(angle), speed * math.sin(angle)
    _, end = until_hit(params, at(params, 0.5, 0.0, 0.0, rolling(-0.5, y, vx, vy)))
    assert end.ball[2:4] == pytest.approx((vx, -k * vy), abs=1e-10)


@cache
def two_spheres(k: float, mass: float | None) -> tuple[sim.Params, float, float]:
    """Return a round robot and the ball on ice with restitution k, and their masses m1 and m2."""
    params = shaped(SHAPES["disc"], k)
    drive = replace(params.robot.drive, mass=mass or params.robot.drive.mass)
    return replace(params, robot=replace(params.robot, drive=drive)), drive.mass, params.ball.mass


def hit_sphere(params: sim.Params, along: float, robot: tuple[float, float], ball: tuple[float, float]) -> sim.State:
    """Return the moment after robot and ball, whose centres lie along a direction, have met with these velocities."""
    n = np.array((math.cos(along), math.sin(along)))
    place = (0.1 + params.ball.radius + 1e-4) * n
    state = at(params, 0.0, 0.0, 0.4, rolling(place[0], place[1], *turned(ball, along)))
    velocity = np.array([(*turned(robot, along), 0.0)])
    return until_hit(params, replace(state, velocity=velocity))[1]


def cross(a: Floats, b: Floats) -> float:
    """Return a x b."""
    return float(a[0] * b[1] - a[1] * b[0])


def turned(v: tuple[float, float], angle: float) -> tuple[float, float]:
    """Return a vector turned by an angle."""
    c, s = math.cos(angle), math.sin(angle)
    return c * v[0] - s * v[1], s * v[0] + c * v[1]


@settings(deadline=None, max_examples=30)
@given(along=st.floats(-3.0, 3.0), v1=st.floats(-1.0, 2.0), gain=st.floats(0.3, 4.0))
def test_klancar_eqs22_and_23_robot_and_ball_as_two_spheres_without_loss(along: float, v1: float, gain: float) -> None:
    """erratum: x must be the normal, not the tangent, of the rim."""
    params, m1, m2 = two_spheres(1.0, None)
    v2 = v1 - gain
    end = hit_sphere(params, along, (v1, 0.0), (v2, 0.0))
    w1 = (-m2 * v1 + m1 * v1 + 2.0 * m2 * v2) / (m1 + m2)  # [Klancar, Eq. 23]
    w2 = (2.0 * m1 * v1 + m2 * v2 - m1 * v2) / (m1 + m2)
    assert turned((end.velocity[0, 0], end.velocity[0, 1]), -along) == pytest.approx((w1, 0.0), abs=1e-9)
    assert turned((end.ball[2], end.ball[3]), -along) == pytest.approx((w2, 0.0), abs=1e-9)
    assert m1 * w1**2 + m2 * w2**2 == pytest.approx(m1 * v1**2 + m2 * v2**2)  # [Klancar, Eq. 22]


@settings(deadline=None, max_examples=30)
@given(
    k=st.sampled_from([0.0, 0.3, 0.7, 1.0]),
    along=st.floats(-3.0, 3.0),
    v1=st.floats(-1.0, 2.0),
    gain=st.floats(0.3, 4.0),
)
def test_klancar_eq24_a_light_ball_leaves_with_k_times_the_closing_speed(
    k: float, along: float, v1: float, gain: float
) -> None:
    params, _, _ = two_spheres(k, HEAVY)
    end = hit_sphere(params, along, (v1, 0.2), (v1 - gain, 0.2))
    speed = turned((end.ball[2], end.ball[3]), -along)
    robot = turned((end.velocity[0, 0], end.velocity[0, 1]), -along)
    assert robot == pytest.approx((v1, 0.2), abs=1e-5)
    assert speed == pytest.approx((v1 + k * gain, 0.2), abs=1e-5)


@settings(deadline=None, max_examples=40)
@given(
    v=st.floats(-1.0, 1.0),
    omega=st.floats(-20.0, 20.0),
    aside=st.floats(-0.03, 0.03),
    k=st.sampled_from([0.0, 0.3, 0.7, 1.0]),
)
def test_klancar_eq25_a_turning_robot_strikes_with_the_speed_of_the_point_of_its_rim(
    v: float, omega: float, aside: float, k: float
) -> None:
    """The ball lies right before the front of a cube that moves and turns: the normal is the robot's x axis."""
    params = heavy(k)
    x = 0.5 * L + params.ball.radius + 1e-5
    r, phi = math.hypot(x, aside), math.atan2(aside, x)
    vx = v - omega * r * math.sin(phi)  # [Klancar, Eq. 25]
    if vx < 0.1:
        return
    state = replace(at(params, 0.0, 0.0, 0.0, rolling(x, aside, 0.0, 0.0)), velocity=np.array([(v, 0.0, omega)]))
    _, end = until_hit(params, state)
    late = 1e-5 / vx * omega * 2.0  # [rad] the robot turns a little before they meet
    assert end.hits[0, 3] == pytest.approx(vx, abs=abs(late) * 2.0 + 1e-9)
    if len(end.hits) == 1 and k > 0.0:  # one that does not bounce stays at the front and is led on by it
        assert np.linalg.norm(end.ball[2:4]) == pytest.approx((1.0 + k) * end.hits[0, 3], rel=1e-5)


@settings(deadline=None, max_examples=40)
@given(aside=st.floats(-0.06, 0.06), tilt=st.floats(0.1, 1.4), speed=st.floats(0.3, 3.0), omega=st.floats(-3.0, 3.0))
def test_klancar_eqs26_and_27_robots_exchange_one_impulse_along_the_normal(
    aside: float, tilt: float, speed: float, omega: float
) -> None:
    """A corner runs into a side: the impulse acts at the corner, and the relative normal speed there is kept."""
    params = shaped(SHAPES["cube"], 1.0, 2)
    poses = np.array([(-0.15, 0.0, 0.0), (0.05, aside, tilt)])
    state = sim.place(sim.start(params), poses, np.array((0.5, 0.5)))
    state = replace(state, velocity=np.array([(speed, 0.0, 0.0), (0.0, 0.0, omega)]))
    before, end = until_hit(params, state)
    if len(end.hits) != 1:
        return
    m, inertia, t = params.robot.drive.mass, params.robot.drive.inertia, end.hits[0, 0]
    impulse = m * (end.velocity[1, :2] - before.velocity[1, :2])  # [Klancar, Eqs. 26 and 27]
    assert m * (end.velocity[0, :2] - before.velocity[0, :2]) == pytest.approx(-impulse, abs=1e-9)
    place = before.pose + before.velocity * t
    n = impulse / np.linalg.norm(impulse)
    levers = inertia * (end.velocity[:, 2] - before.velocity[:, 2]) / np.linalg.norm(impulse) * (-1.0, 1.0)  # r x n
    sizes = [
        0.5 * L * (abs(np.cos(p[2] - math.atan2(n[1], n[0]))) + abs(np.sin(p[2] - math.atan2(n[1], n[0]))))
        for p in place
    ]
    assert (place[1] - place[0])[:2] @ n == pytest.approx(sum(sizes), abs=1e-9)  # [Klancar, Fig. 10]: n parts them
    assert levers[1] - levers[0] == pytest.approx(cross(place[0] - place[1], n), abs=1e-9)  # one point p
    apart = [
        (s.velocity[1, :2] - s.velocity[0, :2]) @ n + s.velocity[1, 2] * levers[1] - s.velocity[0, 2] * levers[0]
        for s in (before, end)
    ]
    assert apart[1] == pytest.approx(-apart[0], rel=1e-9)
