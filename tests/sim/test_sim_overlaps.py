"""The guard at the end of a substep: whom it takes back, whom it leaves alone, and what speed is left."""

import numpy as np
import pytest
from pitch_judge import params_of

from tikitaka import league, sim
from tikitaka.loop.build import build
from tikitaka.loop.match import Match
from tikitaka.sim.kernels.overlaps import slow_down
from tikitaka.sim.kernels.tables import FREE, LEANS, MARK
from tikitaka.types import Floats

H = 1.0 / 180.0  # [s] a short substep


def slowed(mark: float, went: float, got: float, speed: float) -> float:
    """Return the speed of a robot that went so far and was put back to where it got."""
    params = params_of("mirosot-5v5")
    state, ahead = sim.start(params), params.scratch[0].copy()
    pose, velocity = state.pose.copy(), state.velocity.copy()
    pose[0, 0], velocity[0, 0] = got, speed
    ahead[0, :, MARK], ahead[0, 0, MARK] = FREE, mark
    ahead[0, 0, 0], ahead[0, 0, 1] = went, 0.0
    slow_down(0, 0, H, (pose[None], velocity[None], state.spin[None], state.ball[None]), ahead)
    return float(velocity[0, 0])


def test_a_robot_that_is_put_back_has_the_speed_of_the_way_that_is_left() -> None:
    assert slowed(LEANS, went=1e-4, got=0.0, speed=1e-4 / H) == 0.0
    assert slowed(LEANS, went=1e-4, got=5e-5, speed=1e-4 / H) == pytest.approx(5e-5 / H)


def test_nobody_gets_faster_and_who_is_where_it_went_keeps_its_speed() -> None:
    assert slowed(LEANS, went=1e-4, got=2e-4, speed=0.018) == 0.018
    assert slowed(LEANS, went=1e-4, got=1e-4, speed=0.01) == 0.01
    assert slowed(FREE, went=1e-4, got=0.0, speed=0.018) == 0.018


def test_robots_that_squeeze_the_ball_against_a_wall_are_never_nailed_down() -> None:
    """Two of them in a corner, told to turn away, stood for 2.8 s to the last bit."""
    match = Match(build(league.load("mirosot-5v5"), seed=1, seconds=60.0, blue="tikitaka", yellow="classic"))
    stood, longest, before = np.zeros(10, np.int64), 0, places(match)
    while not match.done:
        match.step()
        now = places(match)
        driven = np.abs(match.moment.state.spin).max(axis=1) > 1.0  # [rad/s]
        stood = np.where((now == before).all(axis=1) & driven, stood + 1, 0)
        longest, before = max(longest, int(stood.max())), now
    assert longest < 5


def places(match: Match) -> Floats:
    return match.moment.state.pose
