"""The filter of one axis and of the ball against textbook matrices and FilterPy."""

import math

import numpy as np
import pytest
from filterpy.common import Q_continuous_white_noise
from filterpy.kalman import KalmanFilter
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka.estimate.kernels import axis
from tikitaka.estimate.kernels import ball as rolling

number = st.floats(-2.0, 2.0)


def textbook(x: np.ndarray, p: np.ndarray, dt: float, q: float, z: float, r: float) -> tuple[np.ndarray, np.ndarray]:
    f, h = np.array(((1.0, dt), (0.0, 1.0))), np.array(((1.0, 0.0),))
    x, p = f @ x, f @ p @ f.T + q * np.array(((dt**3 / 3.0, dt**2 / 2.0), (dt**2 / 2.0, dt)))
    gain = p @ h.T / (h @ p @ h.T + r)
    return x + gain @ (z - h @ x), (np.eye(2) - gain @ h) @ p


@settings(deadline=None, max_examples=50)
@given(
    measured=st.lists(number, min_size=1, max_size=20),
    dt=st.floats(1e-3, 0.2),
    q=st.floats(0.1, 200.0),
    sigma=st.floats(1e-4, 0.1),
)
def test_one_axis_is_the_textbook_filter_and_filterpys(
    measured: list[float], dt: float, q: float, sigma: float
) -> None:
    track, p = np.array((0.3, 0.0, 0.0, -0.4, 0.0, 0.0)), np.array((0.01, 0.0, 1.0))
    x, matrix = np.array((0.3, -0.4)), np.diag((0.01, 1.0))
    peer = KalmanFilter(dim_x=2, dim_z=1)
    peer.x, peer.P, peer.R = x.copy(), matrix.copy(), np.array(((sigma**2,),))
    peer.F, peer.H = np.array(((1.0, dt), (0.0, 1.0))), np.array(((1.0, 0.0),))
    peer.Q = Q_continuous_white_noise(2, dt, q)
    for z in measured:
        track[0] += track[3] * dt
        axis.spread(p, q, dt)
        axis.correct(track, p, 0, z - track[0], sigma**2)
        x, matrix = textbook(x, matrix, dt, q, z, sigma**2)
        peer.predict()
        peer.update(z)
        assert (track[0], track[3]) == pytest.approx(tuple(x), rel=1e-7, abs=1e-9)
        assert p == pytest.approx((matrix[0, 0], matrix[0, 1], matrix[1, 1]), rel=1e-6, abs=1e-12)
        assert (track[0], track[3]) == pytest.approx(tuple(peer.x), rel=1e-6, abs=1e-8)
        assert p == pytest.approx((peer.P[0, 0], peer.P[0, 1], peer.P[1, 1]), rel=1e-5, abs=1e-10)


@settings(deadline=None)
@given(vx=st.floats(-6.0, 6.0), vy=st.floats(-6.0, 6.0), slow=st.floats(0.1, 1.0), t=st.floats(0.0, 30.0))
def test_the_ball_rolls_on_as_the_closed_form_says(vx: float, vy: float, slow: float, t: float) -> None:
    ball = np.array((0.1, 0.2, vx, vy))
    rolling.roll(ball, slow, t)
    speed = math.sqrt(vx * vx + vy * vy)
    end = min(t, speed / slow)
    rolled, left = speed * end - 0.5 * slow * end**2, speed - slow * end
    direction = (vx / speed, vy / speed) if speed > 0.0 else (0.0, 0.0)
    assert ball[:2] == pytest.approx((0.1 + rolled * direction[0], 0.2 + rolled * direction[1]), abs=1e-9)
    assert ball[2:] == pytest.approx((left * direction[0], left * direction[1]), abs=1e-9)


@settings(deadline=None)
@given(vx=st.floats(-6.0, 6.0), first=st.floats(0.0, 5.0), second=st.floats(0.0, 5.0))
def test_rolling_in_two_parts_is_rolling_at_once(vx: float, first: float, second: float) -> None:
    once, twice = np.array((0.0, 0.0, vx, 1.0)), np.array((0.0, 0.0, vx, 1.0))
    rolling.roll(once, 0.4, first + second)
    rolling.roll(twice, 0.4, first)
    rolling.roll(twice, 0.4, second)
    assert twice == pytest.approx(once, abs=1e-9)
