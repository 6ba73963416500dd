"""Driving with what cameras and the estimator tell, over the radio: no overshoot, and calm at rest."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka.control.kernels.wheels import insist
from tikitaka.lab import drives
from tikitaka.league import load
from tikitaka.loop.build import control_params

SECONDS = {"vsss-3v3": 2.5, "ssl-b": 4.5}
OVER = 0.015  # [m]
REST = 0.5  # [s]


@pytest.mark.parametrize("realism", ["friendly", "realistic"])
@pytest.mark.parametrize("name", SECONDS)
def test_robots_stop_where_they_should_and_stay_there(name: str, realism: str) -> None:
    league = load(name, realism=realism)
    ways = drives.scattered(league, 10, seed=21, heading=True)
    found = drives.drive_seen(league, *ways, SECONDS[name], seed=900)
    still = found.velocity[-round(REST / found.dt) :]
    assert np.isfinite(drives.settled(league, found, 0.3)).all()
    assert drives.overshoot(found).max() < OVER
    assert found.off[-1].max() < 0.012
    assert np.hypot(still[..., 0], still[..., 1]).max() < 0.15
    assert np.abs(still[..., 2]).max(axis=0).mean() < 0.8


def test_a_command_that_acts_a_tick_late_is_found_for_where_the_robot_will_be(monkeypatch: pytest.MonkeyPatch) -> None:
    """Perfect cameras and a radio of one tick: who reckons with it stops in time, who does not never comes to rest."""
    league = load("vsss-3v3", realism="ideal")
    radio = league.radio.model_copy(update={"latency": 1.0 / league.camera.rate})
    league = league.model_copy(update={"radio": radio})
    ways = drives.scattered(league, 4, seed=3, heading=True)
    assert control_params(league).late == 1
    found = drives.drive_seen(league, *ways, 2.0, seed=1)
    assert drives.overshoot(found).max() < 0.001
    assert np.isfinite(drives.settled(league, found, 0.3)).all()
    monkeypatch.setattr(drives, "control_params", lambda league: replace(control_params(league), late=0))
    assert np.isinf(drives.settled(league, drives.drive_seen(league, *ways, 2.0, seed=1), 0.3)).any()


@settings(deadline=None)
@given(st.floats(0.0, 20.0), st.floats(0.0, 100.0), st.floats(1.0, 5.0))
def test_who_insists_never_asks_for_less_than_it_can(can: float, wanted: float, most: float) -> None:
    more = insist(can, wanted, most)
    assert 1.0 <= more <= most
    if 0.0 < can <= wanted <= most * can:
        assert more * can == pytest.approx(wanted)
