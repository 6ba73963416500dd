"""A robot that slides on its tyres: closed forms, energy, and the simulator's robot beside it."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tikitaka import sim
from tikitaka.estimate.kernels.skidding import skid
from tikitaka.lab.mi20_errors import robots_of
from tikitaka.lab.staging import drive, params_of, play, roomy
from tikitaka.types import Floats

MOTOR, GRIP, B, LEVER = robots_of("mirosot-5v5", 2).drive
DT = 1.0 / 120.0


def driven(track: tuple[float, ...], u: float, o: float, steps: int) -> Floats:
    rows = np.array((track,))
    for _ in range(steps):
        skid(rows, 0, u, o, DT, MOTOR, GRIP, B, LEVER)
    return np.asarray(rows[0])


def test_from_rest_it_gains_what_the_motors_give_and_then_keeps_its_command() -> None:
    assert driven((0.0,) * 6, 5.0, 0.0, 12)[3] == pytest.approx(0.1 * MOTOR)
    assert driven((0.0,) * 6, 0.5, 0.0, 60)[3:] == pytest.approx((0.5, 0.0, 0.0), abs=1e-6)
    assert driven((0.0,) * 6, 0.0, 4.0, 60)[3:] == pytest.approx((0.0, 0.0, 4.0), abs=1e-6)


def test_what_slides_across_its_wheels_stops_at_the_tyres_grip() -> None:
    after = driven((0.0, 0.0, 0.0, 0.0, 2.0, 0.0), 0.0, 0.0, 12)
    assert after[4] == pytest.approx(2.0 - 0.1 * GRIP)
    assert after[1] == pytest.approx(0.2 - 0.005 * GRIP)


@given(*[st.floats(-2.0, 2.0)] * 2, st.floats(-20.0, 20.0), st.floats(-3.0, 3.0))
def test_without_a_command_energy_only_falls_and_all_comes_to_rest(vx: float, vy: float, o: float, t: float) -> None:
    inertia = B * B / LEVER  # for a mass of 1
    energy = [vx * vx + vy * vy + inertia * o * o]
    for steps in range(1, 60, 6):
        after = driven((0.0, 0.0, t, vx, vy, o), 0.0, 0.0, steps)
        energy.append(float(after[3:5] @ after[3:5] + inertia * after[5] ** 2))
    assert (np.diff(energy) <= 1e-9).all()
    assert driven((0.0, 0.0, t, vx, vy, o), 0.0, 0.0, 80)[3:] == pytest.approx((0.0, 0.0, 0.0), abs=0.02)


def off_the_simulator(course: float, turned: float, u: float) -> float:
    """Return how far a robot that was shoved is from the simulator's, a frame later."""
    params = roomy(params_of("mirosot-5v5", 1.0 / 30.0, 2))
    state = sim.place(sim.start(params), np.array(((0.0, 0.0, 0.0), (5.0, 5.0, 0.0))), np.array((-5.0, 0.0)))
    velocity = state.velocity.copy()
    velocity[0] = math.cos(course), math.sin(course), turned
    state = replace(state, velocity=velocity)
    told = np.array(((u, 0.0, 0.0), (0.0, 0.0, 0.0)))
    end = play(params, state, 1.0 / 30.0, lambda *_: drive(params, told))[-1]
    ours = driven((0.0, 0.0, 0.0, *velocity[0]), u, 0.0, 4)
    return float(np.hypot(*(ours[:2] - end.pose[0, :2])))


def test_after_a_shove_it_is_within_a_millimetre_of_the_simulators_robot_a_frame_later() -> None:
    courses = (0.0, 0.5, 1.2, 0.5 * math.pi, 2.5, 3.1)
    off = [off_the_simulator(course, turned, u) for course in courses for turned in (0.0, 8.0) for u in (0.0, 1.0)]
    assert np.mean(off) < 1e-3
    assert max(off) < 4e-3  # of 33 mm: backwards and turning, told to drive forwards
