"""How our robots follow commands: closed form against SciPy, slopes against finite differences, both drives."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from tikitaka.estimate.kernels import driving, tyres
from tikitaka.types import Floats

number = st.floats(-2.0, 2.0)
states = st.lists(number, min_size=6, max_size=6).map(lambda s: np.array(s) * (1.0, 1.0, 1.5, 1.0, 1.0, 5.0))
orders = st.tuples(number, number, st.floats(-10.0, 10.0))
OMNI, TYRES = (8.0, 6.0, 100.0, 0.02, 0.03, 0.01, 1.0), (39.7, 1461.0, 0.126, 10.8, 0.002, 0.035, 0.0)
drives = st.sampled_from([OMNI, TYRES])


def obeyed(
    state: Floats, order: tuple[float, float, float], drive: tuple[float, ...], dt: float, p: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """Return state, covariance and slopes after one command; without p all is known nearly for sure."""
    after, small = state.copy(), np.full((3, 6, 6), np.nan)
    after_p = 1e-12 * np.eye(6) if p is None else p.copy()
    driving.obey(after, after_p, *order, np.array(drive), dt, small, spread=True)
    return after, after_p, small[0]


@settings(deadline=None, max_examples=60)
@given(b=number, u=number, a=st.floats(1.0, 20.0), tau=st.floats(2e-3, 0.1), dt=st.floats(1e-3, 0.5))
def test_one_axis_is_what_scipy_integrates(b: float, u: float, a: float, tau: float, dt: float) -> None:
    def slope(_: float, s: Floats) -> Floats:
        return np.array((np.clip((u - s[0]) / tau, -a, a), s[0]))

    exact = solve_ivp(slope, (0.0, dt), (b, 0.0), rtol=1e-9, atol=1e-11, max_step=0.2 * tau).y[:, -1]
    assert tyres.approach(b, u, a, tau, dt, math.exp(-dt / tau))[:2] == pytest.approx(exact, abs=2e-6)


@settings(deadline=None, max_examples=200)
@given(state=states, order=orders, drive=drives, dt=st.floats(1e-3, 0.02))
def test_slopes_of_one_that_is_sure_of_itself_are_those_of_finite_differences(
    state: Floats, order: tuple[float, float, float], drive: tuple[float, ...], dt: float
) -> None:
    step, found = 1e-6, np.empty((6, 6))
    for j in range(6):
        shift = step * np.eye(6)[j]
        change = obeyed(state + shift, order, drive, dt)[0] - obeyed(state - shift, order, drive, dt)[0]
        change[2] = math.remainder(change[2], 2.0 * math.pi)
        found[:, j] = change / (2.0 * step)
    assert obeyed(state, order, drive, dt)[2] == pytest.approx(found, abs=1e-4)


@settings(deadline=None, max_examples=60)
@given(state=states, order=orders, drive=drives, dt=st.floats(1e-3, 0.02))
def test_without_a_covariance_the_way_is_the_same_to_the_last_bit(
    state: Floats, order: tuple[float, float, float], drive: tuple[float, ...], dt: float
) -> None:
    after, p = state.copy(), np.full((6, 6), np.nan)
    driving.obey(after, p, *order, np.array(drive), dt, p[None], spread=False)
    assert (after == obeyed(state, order, drive, dt, 0.1 * np.eye(6))[0]).all()
    assert np.isnan(p).all()


@pytest.mark.parametrize(
    ("drive", "spread", "off_by"),
    [
        (OMNI, 0.05, 0.06),
        (OMNI, 0.2, 0.25),
        (OMNI, 0.4, 0.25),
        (TYRES, 0.05, 0.06),
        (TYRES, 0.2, 0.4),
        (TYRES, 0.4, 0.25),
    ],
)
def test_a_robot_knows_how_far_it_may_slide(drive: tuple[float, ...], spread: float, off_by: float) -> None:
    """Its covariance is that of many robots around it, on both sides of what tyres and motors can do at once.

    With derivatives at the mean it is off by 0.85 to 0.94 where the spread is 0.2 and 0.4 m/s. Worst are
    tyres at 0.2 m/s: six places miss a third of the turn rate's variance there, and 0.37 of what it shares with vx.
    """
    rng, state = np.random.default_rng(3), np.array((0.2, -0.1, 0.6, 0.5, 0.4, 1.0))
    sizes = np.array((1e-3, 1e-3, 0.02, spread, spread, 10.0 * spread))
    crowd = state + sizes * rng.normal(size=(4000, 6))
    mean, p, _ = obeyed(state, (0.6, 0.0, 1.5), drive, 0.017, np.diag(sizes**2))
    off = np.array([obeyed(one, (0.6, 0.0, 1.5), drive, 0.017)[0] for one in crowd]) - mean
    true = off.T @ off / len(off)
    unit = np.sqrt(np.diag(true))
    assert p / np.outer(unit, unit) == pytest.approx(true / np.outer(unit, unit), abs=off_by)


def test_what_is_known_for_sure_stays_so() -> None:
    state = np.array((0.2, -0.1, 0.6, 0.5, 0.4, 1.0))
    for drive in (OMNI, TYRES):
        assert (obeyed(state, (0.6, 0.0, 1.5), drive, 0.017, np.zeros((6, 6)))[1] == 0.0).all()


def test_world_frame_commands_need_no_heading_column_and_body_frame_commands_do() -> None:
    """[Beard, sec. 2.1] prints A = 0; erratum: for commands in the body's frame dR/dphi u is its heading column."""
    state = np.array((0.0, 0.0, 0.7, 0.0, 0.0, 0.0))
    state[3:5] = 0.5 * math.cos(0.7), 0.5 * math.sin(0.7)
    f = obeyed(state, (0.5, 0.0, 0.0), (1e6, 1e6, 1e6, 1e-6, 1e-6, 1e-6, 1.0), 0.1)[2]
    assert f[:2, 2] == pytest.approx((-0.05 * math.sin(0.7), 0.05 * math.cos(0.7)), abs=1e-5)


@settings(deadline=None)
@given(state=states, order=orders, drive=drives)
def test_a_turned_pitch_turns_the_answer(
    state: Floats, order: tuple[float, float, float], drive: tuple[float, ...]
) -> None:
    quarter = np.array((-state[1], state[0], state[2] + 0.5 * math.pi, -state[4], state[3], state[5]))
    there, back = obeyed(quarter, order, drive, 0.017)[0], obeyed(state, order, drive, 0.017)[0]
    assert (there[0], there[1], there[3], there[4]) == pytest.approx((-back[1], back[0], -back[4], back[3]), abs=1e-12)
    assert math.remainder(there[2] - back[2] - 0.5 * math.pi, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-12)
