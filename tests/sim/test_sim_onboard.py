"""What robots tell of themselves."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tikitaka import league, sim
from tikitaka.loop.build import onboard_params, pitch_params
from tikitaka.types import BLUE, YELLOW, Barrier

SSL = league.load("ssl-b")
ABOARD = onboard_params(SSL)
STATE = sim.scenes.line_up(pitch_params(SSL))
N = SSL.team.robots


def in_mouth(robot: int) -> sim.State:
    x, y, theta = STATE.pose[robot].tolist()
    reach, ball = SSL.robot.front + SSL.ball.radius, np.zeros(8)
    ball[:2] = x + reach * math.cos(theta), y + reach * math.sin(theta)
    return replace(STATE, ball=ball)


@pytest.mark.parametrize("robot", [0, 3, N, 2 * N - 1])
def test_only_the_barrier_of_who_has_the_ball_tells_its_own_team(robot: int) -> None:
    told = [sim.feel(ABOARD, in_mouth(robot), None, team) for team in (BLUE, YELLOW)]
    says = np.concatenate([t.barrier for t in told if t is not None and t.barrier is not None])
    assert says.tolist() == [Barrier.BALL if i == robot else Barrier.NO_BALL for i in range(2 * N)]


def test_encoders_tell_the_mean_rate_of_a_tick_in_whole_counts() -> None:
    before = replace(STATE, spin=np.linspace(-100.0, 100.0, 2 * N * 4).reshape(2 * N, 4))
    after = replace(before, spin=before.spin + 3.0)
    told = sim.feel(ABOARD, after, before, YELLOW)
    assert told is not None
    assert told.wheels is not None
    step = 2.0 * math.pi * SSL.camera.rate / 4096
    assert told.wheels == pytest.approx(before.spin[N:] + 1.5, abs=0.5 * step + 1e-9)
    counts = told.wheels / step
    assert counts == pytest.approx(np.round(counts), abs=1e-9)


def test_leagues_whose_robots_cannot_tell_tell_nothing() -> None:
    plain = league.load("mirosot-5v5")
    state = sim.scenes.line_up(pitch_params(plain))
    assert sim.feel(onboard_params(plain), state, None, BLUE) is None
