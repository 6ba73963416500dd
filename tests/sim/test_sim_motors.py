"""Motors, their controllers, and tyres that slip: against closed forms and laws."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from drive_runs import DT, Robot, cube, omni, rolling
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka.league import load, names
from tikitaka.loop.believed import drive_params
from tikitaka.sim.drive import GRAVITY, ROOM, DriveParams, by_torque
from tikitaka.sim.kernels import chassis, drifts
from tikitaka.types import Floats

CREEP = 1e-4  # [m/s] slower than this over the ground is rolling
speeds = st.floats(-1.5, 1.5)


def forward_mass(p: DriveParams) -> float:
    return p.mass + float(p.wheel_inertia * np.sum(p.direction[:, 0] ** 2)) / p.wheel_radius**2


def mass_centre_speed(robot: Robot) -> Floats:
    x, y, w = robot.velocity
    d, theta = robot.params.offset, robot.pose[2]
    return np.array((x - d * w * math.sin(theta), y + d * w * math.cos(theta)))


def test_at_full_voltage_the_torque_falls_along_the_line_to_the_top_speed() -> None:
    p = cube()
    m, mu = p.motor, p.wheel_damping
    robot = rolling(p)
    robot.go((1e4, 1e4), steps=1200)
    top = m.no_load_speed / (1.0 + mu * m.no_load_speed / m.stall_torque)
    assert robot.spin == pytest.approx((top, top), rel=1e-9)
    for rate in (-100.0, 0.0, 170.0, 214.0):
        free = m.stall_torque * (1.0 - rate / m.no_load_speed)
        expected = min(m.torque_limit, free) - mu * rate
        _, t, g = chassis.piece(1e4, rate, p.wheels)
        assert t - g * rate == pytest.approx(expected)


def test_the_current_limits_the_acceleration() -> None:
    p = cube()
    robot = rolling(p)
    assert not any(robot.go((200.0, 200.0), dt=1e-4))
    expected = 2.0 * p.motor.torque_limit / p.wheel_radius / forward_mass(p)
    assert robot.body[0] / 1e-4 == pytest.approx(expected, rel=1e-4)
    assert expected == pytest.approx(10.0)  # [Austro, sec. 2.1.1]


def test_roby_speed_is_there_after_less_than_half_a_second() -> None:
    """[Austro, sec. 2.1.1]: 4 m/s and 10 m/s^2; 0.4 s without damping and with no end to the voltage."""
    robot = rolling(cube())
    robot.go((200.0, 200.0), steps=115)
    assert robot.body[0] > 0.98 * 4.0
    assert robot.pose[0] < 0.5 * 10.0 * 0.48**2


@settings(max_examples=30)
@given(p=st.sampled_from([cube(), omni()]), u=speeds, v=speeds, w=st.floats(-3.0, 3.0))
def test_the_controller_ends_at_the_rate_that_was_asked_for(p: DriveParams, u: float, v: float, w: float) -> None:
    """No error stays: damping is fed forward. Omni wheels that turn on a curve must also pull inward: see below."""
    aim = p.wheels[:, [4, 5, 6]] @ ((u, 0.0, w) if p.tyres else (u, v, 0.0))
    robot = rolling(p)
    robot.go(aim, steps=480)
    assert robot.spin == pytest.approx(aim, abs=1e-6)


def test_on_a_curve_omni_wheels_lag_by_the_pull_inward_over_their_gain() -> None:
    p = omni()
    matrix = p.wheels[:, [4, 5, 6]]
    robot = rolling(p)
    robot.go(matrix @ (0.5, 0.0, 2.0), steps=960)
    u, v, w = robot.body
    inward = np.linalg.lstsq(matrix.T, p.mass * np.array((-w * v, w * u, 0.0)))[0]
    error = (p.motor.gain + p.wheel_damping) * matrix.T @ (matrix @ (0.5, 0.0, 2.0) - robot.spin)
    assert error == pytest.approx(matrix.T @ inward, abs=1e-9)


@pytest.mark.parametrize("p", [cube(), omni()])
def test_a_robot_told_to_stop_comes_to_rest_and_stays(p: DriveParams) -> None:
    robot = rolling(p, (1.0, 0.0, 2.0))
    robot.go(0.0, steps=960)
    assert (robot.velocity == 0.0).all()
    place = robot.pose
    assert not any(robot.go(0.0, steps=240))
    assert (robot.pose == place).all()


@given(rate=st.floats(-150.0, 150.0), aim=st.floats(-200.0, 200.0))
def test_pull_is_the_force_of_a_wheel_that_rolls_steadily(rate: float, aim: float) -> None:
    p = cube()
    speed, gain, low, high = chassis.pull(aim, rate, p.wheels, 0)
    _, t, g = chassis.piece(aim, rate, p.wheels)
    force = min(max(gain * (speed - p.wheel_radius * rate), low), high)
    assert force == pytest.approx((t - g * rate) / p.wheel_radius, abs=1e-9)
    assert low <= high


def test_pull_at_a_standstill_is_the_stall_force() -> None:
    p = cube()
    _, _, low, high = chassis.pull(200.0, 0.0, p.wheels, 1)
    assert (low, high) == pytest.approx((-p.motor.torque_limit / 0.02, p.motor.torque_limit / 0.02))


@settings(max_examples=40)
@given(
    p=st.sampled_from([cube(), cube(offset=0.01), omni()]), u=speeds, v=speeds, w=st.floats(-20.0, 20.0),
    aims=st.lists(st.floats(-200.0, 200.0), min_size=4, max_size=4), spins=st.floats(-50.0, 50.0),
)  # fmt: skip
def test_no_robot_accelerates_beyond_the_grip_of_its_tyres(
    p: DriveParams, u: float, v: float, w: float, aims: list[float], spins: float
) -> None:
    robot = rolling(p, (u, v, w), (0.0, 0.0, 1.0))
    robot.spin = robot.spin + spins
    for _ in range(20):
        before = mass_centre_speed(robot)
        robot.go(aims[: len(p.xy)])
        change = np.linalg.norm(mass_centre_speed(robot) - before) / DT
        assert change <= p.traction * GRAVITY * 1.01


def test_wheels_run_ahead_of_the_body_where_the_ground_is_slippery() -> None:
    p = cube(traction=0.3)
    robot = rolling(p)
    assert all(robot.go((200.0, 200.0), steps=24))
    assert robot.body[0] == pytest.approx(0.3 * GRAVITY * 24 * DT, rel=1e-3)
    assert (robot.spin * p.wheel_radius > 2.0 * robot.body[0]).all()
    assert (robot.spin <= 200.0 + 1e-9).all()


@pytest.mark.parametrize("p", [cube(), cube(offset=0.01), cube(traction=0.4)])
def test_a_push_sideways_ends_in_rolling_and_energy_only_falls(p: DriveParams) -> None:
    robot = rolling(p, (0.5, 0.0, 1.0))
    robot.velocity = robot.velocity + np.array((0.0, 1.0, 0.0))
    aim, energies, slips = 0.0, [robot.energy], []
    for _ in range(240):
        slips += robot.go(aim)
        energies.append(robot.energy)
    assert all(after <= before * (1.0 + 1e-12) for before, after in pairwise(energies))
    stops = slips.index(False)
    assert 0.5 < stops * DT * p.traction * GRAVITY < 2.5  # about 1 m/s taken away with all the grip
    assert not any(slips[stops:])  # it stays
    assert abs(robot.body[1]) < CREEP


@pytest.mark.parametrize(("angle", "along", "across"), [(0.0, 0.0, 1.0), (0.7, 0.3, 0.4), (2.0, -2.0, 0.5)])
def test_a_dragged_tyre_pulls_against_its_slip_with_all_its_grip(angle: float, along: float, across: float) -> None:
    """Both wheels blocked and dragged alike: the force is -mu N s / |s|, in every direction."""
    p = by_torque(cube(wheel_inertia=10.0))  # too heavy to be turned within a step
    robot = rolling(p, (0.0, 0.0, 0.0), (0.0, 0.0, angle))
    c, s = math.cos(angle), math.sin(angle)
    start = np.array((c * along - s * across, s * along + c * across, 0.0))
    robot.velocity = start
    assert robot.go((0.0, 0.0)) == [True]
    expected = -p.traction * GRAVITY * DT * start / math.hypot(along, across)
    assert robot.velocity - start == pytest.approx(expected, abs=1e-3 * p.traction * GRAVITY * DT)


@pytest.mark.parametrize("p", [cube(), omni(), omni((60.0, 180.0, 300.0))])
def test_a_hard_turn_slips_and_then_holds_without_chatter(p: DriveParams) -> None:
    robot = rolling(p, (2.0, 0.0, 0.0))
    aim = p.wheels[:, [4, 5, 6]] @ (1.0, 0.0, 6.0)
    slips = robot.go(aim, steps=240)
    changes = sum(a != b for a, b in pairwise(slips))
    assert changes <= 4
    assert not any(slips[120:])
    assert np.abs(robot.slip).max() < CREEP


@settings(max_examples=40)
@given(
    p=st.sampled_from([cube(), cube(offset=0.01), omni()]), u=speeds, v=speeds, w=st.floats(-20.0, 20.0),
    spins=st.lists(st.floats(-80.0, 80.0), min_size=4, max_size=4),
)  # fmt: skip
def test_without_motors_energy_never_grows(p: DriveParams, u: float, v: float, w: float, spins: list[float]) -> None:
    robot = rolling(by_torque(p), (u, v, w), (0.0, 0.0, 0.5))
    robot.spin = np.array(spins[: len(p.xy)])
    for _ in range(40):
        before = robot.energy
        robot.go(0.0)
        assert robot.energy <= before * (1.0 + 1e-9) + 1e-12


def mirrored(robot: Robot) -> Robot:
    flip = np.array((1.0, -1.0, -1.0))
    return Robot(robot.params, robot.pose * flip, robot.velocity * flip, robot.spin[::-1].copy())


@settings(max_examples=30)
@given(u=speeds, v=speeds, w=st.floats(-20.0, 20.0), aim=st.tuples(*[st.floats(-150.0, 150.0)] * 2))
def test_a_mirrored_robot_does_the_mirrored_thing(u: float, v: float, w: float, aim: tuple[float, float]) -> None:
    robot = rolling(cube(), (u, v, w), (0.0, 0.0, 0.3))
    other = mirrored(robot)
    robot.go(aim, steps=3)
    other.go(aim[::-1], steps=3)
    assert other.velocity == pytest.approx(robot.velocity * (1.0, -1.0, -1.0), abs=1e-9)
    assert other.spin == pytest.approx(robot.spin[::-1], abs=1e-6)


@pytest.mark.parametrize("name", names())
def test_a_leagues_motors_give_its_speed_and_acceleration(name: str) -> None:
    """Straight ahead from rest: max_acceleration (omni: at least), max_speed kept exactly, and little more at most."""
    league, p = load(name), drive_params(load(name))
    speed, most = league.robot.max_speed, league.robot.max_acceleration
    ahead = p.wheels[:, 4] * speed
    robot = rolling(p)
    assert robot.go(ahead, dt=1e-4) == [False]
    assert most * 0.999 <= robot.body[0] / 1e-4 <= most * (1.001 if p.tyres else 1.45)
    robot.go(ahead, steps=960)
    assert robot.body[0] == pytest.approx(speed, rel=1e-6)
    robot.go(10.0 * ahead, steps=960)
    assert speed < robot.body[0] < (1.1 if p.tyres else 1.2) * speed


@pytest.mark.parametrize("name", ["ssl-b", "byu-2v2"])
def test_an_omni_robot_reaches_its_acceleration_in_every_direction(name: str) -> None:
    """It follows a speed that rises with max_acceleration, and lags by less than its controller's time constant."""
    league, p = load(name), drive_params(load(name))
    most, matrix = league.robot.max_acceleration, p.wheels[:, [4, 5, 6]]
    for course in np.linspace(0.0, 2.0 * math.pi, 16, endpoint=False):
        robot = rolling(p)
        for k in range(1, 49):
            speed = most * k * DT
            wish = np.array((speed * math.cos(course), speed * math.sin(course), 0.0))
            assert robot.go(matrix @ wish) == [False]
        behind = wish[:2] - robot.body[:2]
        assert np.linalg.norm(behind) < 0.08 * most
        assert abs(robot.body[2]) < 0.5  # [rad/s] front and rear wheels stand at other angles


def test_a_sliding_step_is_close_to_what_more_rounds_would_find(monkeypatch: pytest.MonkeyPatch) -> None:
    """In nine of ten cases to 0.5 % of what the tyres can give, as docs/limits.md says."""
    p, random, errors = cube(), np.random.default_rng(5), []
    whole = {
        name: getattr(getattr(drifts, name), "py_func", getattr(drifts, name)) for name in ("drift", "hold", "slide")
    }
    unit = p.traction * GRAVITY * DT
    for _ in range(400):
        body, spin, aim = random.uniform(-1.0, 1.0, 3) * (2.0, 1.0, 20.0), random.uniform(-150.0, 150.0, 2), 150.0
        robot = replace(rolling(p, body), spin=spin)
        found, slipped = replace(robot), np.zeros((1, 1, 2))
        assert found.go((aim, -aim)) == [True]
        ahead = np.zeros((1, 1, ROOM))
        ahead[0, 0, :6], slipped[0, 0] = (*robot.pose, *robot.velocity), spin
        with monkeypatch.context() as patient:
            for name, value in (*whole.items(), ("CLOSE", 1e-9), ("ROUNDS", 400), ("INNER", 6)):
                patient.setattr(drifts, name, value)
            drifts.drift(0, 0, 1.0, 0.0, np.array([[[aim, -aim]]]), 0, ahead, slipped, p.chassis, p.wheels, DT)
        errors.append(np.linalg.norm(found.velocity[:2] - ahead[0, 0, 3:5]) / unit)
    assert np.quantile(errors, 0.9) < 5e-3
