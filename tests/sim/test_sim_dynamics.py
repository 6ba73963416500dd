"""Rolling robots against the unreduced equations of motion, and perfect wheels against the arc."""

import math
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from drive_runs import DT, Robot, cube, omni, rolling
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from tikitaka.errors import ContractError
from tikitaka.sim.drive import ROOM, DriveParams, Motor, by_torque, differential_wheels, omni_wheels
from tikitaka.sim.kernels import chassis, wheels
from tikitaka.sim.params import MAX_SUBSTEP
from tikitaka.types import Floats

STEPS = 2 * MAX_SUBSTEP, MAX_SUBSTEP, MAX_SUBSTEP / 2  # [s] the middle one is what a pitch takes
SHORT_STEPS = DT, DT / 2, DT / 4  # [s] shorter than those into which an omni robot's is cut
HOLD = 24  # torques change every tenth of a second, in steps of 1/240 s
PIECES = 20  # 2 s

# Klancar's symbols: body and wheel mass [kg], mass centre ahead of the axle [m], half track, wheel radius [m],
# moments of inertia of the body and of a wheel about the vertical and about its axle [kg m^2], damping [N m s]
MC, MK, D, B, R = 0.5, 0.05, 0.012, 0.035, 0.02
JC, JM, JK, MU = 5e-4, 5e-6, 1e-5, 2e-4


def klancar() -> DriveParams:
    """Return the robot of those numbers, by its whole mass and mass centre; its tyres always hold."""
    m = MC + 2 * MK
    offset = MC * D / m
    inertia = JC + 2 * JM + 2 * MK * B**2 + MC * D**2 - m * offset**2
    xy, direction = differential_wheels(B)
    motor = Motor(1.0, 100.0, 1.0, 0.01)
    return by_torque(DriveParams(m, inertia, xy, direction, True, R, JK, MU, 1e6, motor, offset))  # noqa: FBT003


def klancar_rates(_: float, state: Floats, torque: Floats) -> Floats:
    """Return d/dt of (xc, yc, theta, phi_r, phi_l and their rates): [Klancar, Eqs. 1 and 6] with multipliers."""
    theta, dq = state[2], state[5:]
    c, s, w = math.cos(theta), math.sin(theta), dq[2]
    m, j, k = MC + 2 * MK, JC + 2 * JM + 2 * MK * (D**2 + B**2), 2 * MK * D
    mass = np.diag([m, m, j, JK, JK])
    mass[0, 2] = mass[2, 0] = k * s
    mass[1, 2] = mass[2, 1] = -k * c
    forces = np.array([-k * w * w * c, -k * w * w * s, 0.0, torque[1] - MU * dq[3], torque[0] - MU * dq[4]])
    a = np.array([[-s, c, -D, 0, 0], [c, s, B, -R, 0], [c, s, -B, 0, -R]])
    da = w * np.array([[-c, -s, 0, 0, 0], [-s, c, 0, 0, 0], [-s, c, 0, 0, 0]])
    whole = np.block([[mass, a.T], [a, np.zeros((3, 3))]])
    return np.concatenate([dq, np.linalg.solve(whole, np.concatenate([forces, -da @ dq]))[:5]])


def omni_rates(p: DriveParams, torque: Floats, state: Floats) -> Floats:
    """Return d/dt of (x, y, theta, wheel angles and their rates) in the field frame, wheels tied by multipliers."""
    w, theta = len(p.xy), state[2]
    dq = state[3 + w :]
    c, s, omega = math.cos(theta), math.sin(theta), dq[2]
    turn, dturn = np.array([[c, -s], [s, c]]), omega * np.array([[-s, -c], [c, -s]])
    arm, darm = turn @ (p.offset, 0.0), dturn @ (p.offset, 0.0)
    mass = np.diag([p.mass, p.mass, p.inertia + p.mass * p.offset**2] + [p.wheel_inertia] * w)
    mass[0, 2] = mass[2, 0] = -p.mass * arm[1]
    mass[1, 2] = mass[2, 1] = p.mass * arm[0]
    centripetal = p.mass * omega * np.array([darm[1], -darm[0], 0.0])
    forces = np.concatenate([centripetal, torque - p.wheel_damping * dq[3:]])
    lever = p.xy[:, :1] * p.direction[:, 1:] - p.xy[:, 1:] * p.direction[:, :1]
    a = np.hstack([p.direction @ turn.T, lever, -p.wheel_radius * np.eye(w)])
    da = np.hstack([p.direction @ dturn.T, np.zeros((w, 1 + w))])
    whole = np.block([[mass, a.T], [a, np.zeros((w, w))]])
    rates = np.linalg.lstsq(whole, np.concatenate([forces, -da @ dq]))[0]  # four wheels: a has rank 3 + 1 to spare
    return np.concatenate([dq, rates[: 3 + w]])


def torques(count: int, size: float, seed: int) -> Floats:
    return size * np.random.default_rng(seed).uniform(-1.0, 1.0, (PIECES, count))


def exact_klancar(turns: Floats) -> Floats:
    """Return (pieces, 8): pose, velocity of the geometric centre and wheel rates (left, right) after every piece."""
    state, rows = np.array([D, 0.0, 0.0] + [0.0] * 7), []
    for torque in turns:
        done = solve_ivp(klancar_rates, (0.0, HOLD * DT), state, "DOP853", rtol=1e-12, atol=1e-14, args=(torque,))
        state = done.y[:, -1]
        x, y, theta = state[:3]
        vx, vy, w = state[5:8]
        c, s = math.cos(theta), math.sin(theta)
        rows.append((x - D * c, y - D * s, theta, vx + D * s * w, vy - D * c * w, w, state[9], state[8]))
    return np.array(rows)


def exact_omni(p: DriveParams, turns: Floats) -> Floats:
    w = len(p.xy)
    state, rows = np.zeros(6 + 2 * w), []
    for torque in turns:

        def rates(_: float, y: Floats, torque: Floats = torque) -> Floats:
            return omni_rates(p, torque, y)

        state = solve_ivp(rates, (0.0, HOLD * DT), state, "DOP853", rtol=1e-12, atol=1e-14).y[:, -1]
        rows.append((*state[:3], *state[3 + w :]))
    return np.array(rows)


def driven(p: DriveParams, turns: Floats, dt: float) -> Floats:
    robot, rows = rolling(p), []
    for torque in turns:
        slipped = robot.go(torque, dt, round(HOLD * DT / dt))
        assert not any(slipped)
        rows.append((*robot.pose, *robot.velocity, *robot.spin))
    return np.array(rows)


def relative(got: Floats, expected: Floats) -> float:
    return float((np.abs(got - expected) / np.abs(expected).max(axis=0)).max())


def slopes(errors: list[float]) -> list[float]:
    return [math.log2(a / b) for a, b in pairwise(errors)]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_cube_moves_as_klancars_unreduced_equations_say(seed: int) -> None:
    turns = torques(2, 0.02, seed)
    expected = exact_klancar(turns)
    errors = [relative(driven(klancar(), turns, dt), expected) for dt in STEPS]
    assert np.abs(expected[:, 5]).max() > 5.0  # it turns: the mass centre matters
    assert errors[1] < 1e-6
    assert all(5.5 < slope < 6.7 for slope in slopes(errors))


@pytest.mark.parametrize("angles", [(60.0, 180.0, 300.0), (60.0, 135.0, 225.0, 300.0)])
def test_an_omni_robot_moves_as_its_lagrangian_says(angles: tuple[float, ...]) -> None:
    p = by_torque(omni(angles, offset=0.01, traction=1e6, wheel_damping=1e-3))
    turns = torques(len(angles), 0.1, 5)
    expected = exact_omni(p, turns)
    assert relative(driven(p, turns, MAX_SUBSTEP), expected) < 1e-6
    errors = [relative(driven(p, turns, dt), expected) for dt in SHORT_STEPS]
    assert all(3.5 < slope < 4.7 for slope in slopes(errors))


@settings(max_examples=50)
@given(
    u=st.floats(-3.0, 3.0), w=st.floats(-15.0, 15.0), left=st.floats(-0.05, 0.05), right=st.floats(-0.05, 0.05),
    offset=st.floats(-0.02, 0.02),
)  # fmt: skip
def test_both_methods_of_rolling_agree(u: float, w: float, left: float, right: float, offset: float) -> None:
    p = by_torque(cube(offset=offset, traction=1e6))
    robot = rolling(p, (u, 0.0, w), (0.1, 0.2, 2.0))
    ahead, spin = np.zeros((1, 1, ROOM)), robot.spin[None, None].copy()
    ahead[0, 0, :6] = *robot.pose, *robot.velocity
    c, n = math.cos(2.0), math.sin(2.0)
    assert wheels.roll(0, 0, c, n, np.array([[[left, right]]]), 0, ahead, spin, p.chassis, p.wheels, DT)
    robot.go((left, right))
    assert ahead[0, 0, :6] == pytest.approx(np.concatenate([robot.pose, robot.velocity]), abs=2e-6)
    assert spin[0, 0] == pytest.approx(robot.spin, abs=1e-4)


@settings(max_examples=30)
@given(aim=st.tuples(st.floats(-200.0, 200.0), st.floats(-200.0, 200.0)), theta=st.floats(-math.pi, math.pi))
def test_perfect_wheels_drive_the_exact_arc(aim: tuple[float, float], theta: float) -> None:
    robot = rolling(cube(kinematic=True), (1.0, 0.0, 2.0), (0.3, -0.2, theta))
    assert not any(robot.go(aim, 0.01))
    u, w = 0.5 * 0.02 * (aim[0] + aim[1]), 0.02 * (aim[1] - aim[0]) / 0.07
    end = theta + 0.01 * w
    way = (
        np.array((math.sin(end) - math.sin(theta), math.cos(theta) - math.cos(end))) * u / w if abs(w) > 1e-3 else None
    )
    if way is not None:
        assert robot.pose[:2] - (0.3, -0.2) == pytest.approx(way, abs=1e-12 * (1.0 + abs(u / w)))
    assert robot.pose[2] == pytest.approx(end, abs=1e-14)
    assert robot.velocity == pytest.approx((u * math.cos(end), u * math.sin(end), w), abs=1e-12)
    assert robot.spin == pytest.approx(aim)


def test_perfect_omni_wheels_take_up_any_velocity_at_once() -> None:
    p = omni(kinematic=True)
    wish = np.array((0.7, -0.4, 3.0))
    robot = rolling(p)
    robot.go(p.wheels[:, [4, 5, 6]] @ wish, 0.1)
    assert robot.body == pytest.approx(wish)
    expected = solve_ivp(
        lambda _, q: (0.7 * math.cos(q[2]) + 0.4 * math.sin(q[2]), 0.7 * math.sin(q[2]) - 0.4 * math.cos(q[2]), 3.0),
        (0.0, 0.1), (0.0, 0.0, 0.0), "DOP853", rtol=1e-12, atol=1e-14,
    ).y[:, -1]  # fmt: skip
    assert robot.pose == pytest.approx(expected, abs=1e-11)


@given(a=st.floats(-20.0, 20.0))
def test_cosine_and_sine_are_those_of_the_library(a: float) -> None:
    c, s = chassis.cos_sin(a)
    assert abs(c - math.cos(a)) < 2e-15
    assert abs(s - math.sin(a)) < 2e-15


@given(a=st.floats(-chassis.SMALL, chassis.SMALL))
def test_small_turns_are_good_to_the_last_bits(a: float) -> None:
    c, s = chassis.small_turn(a)
    assert abs(c - math.cos(a)) < 2e-15
    assert abs(s - math.sin(a)) < 2e-15


def test_a_step_changes_nothing_that_it_reads() -> None:
    robot: Robot = rolling(cube(), (1.0, 0.3, 2.0))
    before = robot.pose, robot.velocity, robot.spin
    kept = [a.copy() for a in before]
    robot.go((50.0, -50.0))
    assert all((a == b).all() for a, b in zip(before, kept, strict=True))


def test_compiled_and_interpreted_driving_agree_to_the_last_bit() -> None:
    script = Path(__file__).with_name("drive_hash.py")
    out = [
        subprocess.run(
            [sys.executable, str(script)],
            env={**os.environ, "NUMBA_DISABLE_JIT": flag},
            capture_output=True,
            check=True,
        ).stdout
        for flag in "01"
    ]
    assert len(out[0]) == 64
    assert out[0] == out[1]


def test_wheels_that_make_no_axle_are_refused() -> None:
    xy, direction = omni_wheels([1.0, 2.0], 0.03)
    with pytest.raises(ContractError, match="left and right of the centre"):
        cube(xy=xy, direction=direction)
    with pytest.raises(ContractError, match=r"w in \[2, 4\]; got \(5, 2\)"):
        omni((0.0, 72.0, 144.0, 216.0, 288.0))
