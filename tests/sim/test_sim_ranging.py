"""Range and bearing: exact without noise, noisy as it says, and nothing outside the view."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pitch_judge import params_of
from scipy import stats

from tikitaka import sim
from tikitaka.errors import ContractError
from tikitaka.geom.random import key
from tikitaka.sim import ranging, scenes
from tikitaka.sim.ranging import RangingParams

CLEAR = RangingParams(key(3, 0), field_of_view=2.0 * math.pi, least=0.0, most=10.0, noise_range=0.0, noise_bearing=0.0)
STATE = scenes.line_up(params_of("byu-2v2"))

angle = st.floats(-math.pi, math.pi, exclude_max=True)


def at(x: float, y: float, theta: float, tick: int = 0) -> sim.State:
    pose = STATE.pose.copy()
    pose[1] = x, y, theta
    return replace(STATE, tick=tick, pose=pose)


@settings(deadline=None, max_examples=100)
@given(x=st.floats(-2, 2), y=st.floats(-1, 1), theta=angle, away=st.floats(0.01, 5.0), bearing=angle)
def test_a_target_is_measured_where_it_was_put(x: float, y: float, theta: float, away: float, bearing: float) -> None:
    target = np.array([(x + away * math.cos(theta + bearing), y + away * math.sin(theta + bearing))])
    seen = ranging.measure(CLEAR, at(x, y, theta), 1, target)
    assert seen.seen[0]
    assert seen.range[0] == pytest.approx(away, abs=1e-9)
    assert math.remainder(seen.bearing[0] - bearing, 2.0 * math.pi) == pytest.approx(0.0, abs=1e-9)
    assert -math.pi <= seen.bearing[0] < math.pi


def test_only_what_is_in_view_and_in_range_is_seen() -> None:
    params = replace(CLEAR, field_of_view=math.radians(60.0), least=0.2, most=2.0)
    polar = [(1.0, 0.0), (1.0, 29.9), (1.0, 30.1), (1.0, -29.9), (1.0, -30.1), (1.0, 180.0)]
    polar += [(0.19, 0.0), (0.21, 0.0), (1.99, 0.0), (2.01, 0.0)]
    targets = np.array([(r * math.cos(math.radians(a + 90.0)), r * math.sin(math.radians(a + 90.0))) for r, a in polar])
    seen = ranging.measure(params, at(0.0, 0.0, math.pi / 2.0), 1, targets)
    assert seen.seen.tolist() == [True, True, False, True, False, False, False, True, True, False]
    assert np.isnan(seen.range[~seen.seen]).all()
    assert np.isnan(seen.bearing[~seen.seen]).all()
    assert np.isfinite(seen.range[seen.seen]).all()


def test_noise_is_normal_of_the_size_that_it_says_and_targets_are_missed_at_the_rate() -> None:
    params = replace(CLEAR, noise_range=0.05, noise_bearing=0.02, dropout=0.2)
    targets = np.array([(1.0, 0.5), (-2.0, 0.3), (0.4, -1.0)])
    exact = ranging.measure(CLEAR, at(0.0, 0.0, 1.0), 1, targets)
    rows = [ranging.measure(params, at(0.0, 0.0, 1.0, tick), 1, targets) for tick in range(3000)]
    seen = np.stack([row.seen for row in rows])
    assert stats.binomtest(int(seen.sum()), seen.size, 0.8).pvalue > 1e-3
    for name, sigma in (("range", 0.05), ("bearing", 0.02)):
        scaled = ((np.stack([getattr(row, name) for row in rows]) - getattr(exact, name)) / sigma)[seen]
        assert abs(scaled.mean()) < 4.0 / math.sqrt(scaled.size)
        assert stats.kstest(scaled, "norm").pvalue > 1e-3


def test_robots_measure_independently_and_a_seed_and_tick_give_the_same_again() -> None:
    params, targets = replace(CLEAR, noise_range=0.05), np.array([(3.0, 0.0)])
    state = replace(STATE, pose=np.zeros_like(STATE.pose))
    first, again, other = (ranging.measure(params, state, robot, targets).range[0] for robot in (0, 0, 1))
    assert first == again != other
    assert ranging.measure(params, replace(state, tick=1), 0, targets).range[0] != first
    assert ranging.measure(replace(params, key=key(4, 0)), state, 0, targets).range[0] != first


def test_around_measures_markers_the_ball_and_the_other_robots_in_this_order() -> None:
    markers = np.array([(1.85, 1.3), (-1.85, 1.3)])
    seen = ranging.around(CLEAR, STATE, 1, markers)
    targets = [*markers, STATE.ball[:2], *STATE.pose[[0, 2, 3], :2]]
    assert seen.range == pytest.approx([math.dist(STATE.pose[1, :2], t) for t in targets])


def test_targets_of_another_shape_and_robots_that_are_not_there_are_refused() -> None:
    with pytest.raises(ContractError, match=r"targets must be \(k, 2\).*got \(4, 3\)"):
        ranging.measure(CLEAR, STATE, 0, np.zeros((4, 3)))
    with pytest.raises(ContractError, match=r"robot must be in \[0, 4\); got 4"):
        ranging.measure(CLEAR, STATE, 4, np.zeros((1, 2)))
    assert ranging.measure(CLEAR, STATE, 0, np.zeros((0, 2))).seen.shape == (0,)
