"""The radio: commands act after the latency, are lost at the rate that it says, are held, and run out."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tikitaka.errors import ContractError
from tikitaka.geom.random import key
from tikitaka.sim import radio
from tikitaka.sim.radio import RadioParams
from tikitaka.types import Commands, Floats

DT = 1.0 / 60.0
CLEAR = RadioParams(DT, key(5, 0))
N = 10


def numbered(tick: int, robots: int = N) -> Commands:
    """Return commands that bear the tick at which they are sent."""
    wheels = np.full((robots, 2), float(tick + 1)) * (1.0, -1.0)
    lift = None if tick % 3 == 0 else np.full(robots, 0.5 * tick)
    return Commands(wheels, np.full(robots, 100.0 + tick), np.arange(robots) % 2 == tick % 2, lift=lift)


def aired(params: RadioParams, ticks: int, until: int | None = None) -> Floats:
    """Return for each tick and robot the tick whose command acts, -1: it stands still; after ``until`` all is lost."""
    state, acting = radio.start(params, N, 2), np.empty((ticks, N))
    for tick in range(ticks):
        if until is not None and tick > until:
            params = replace(params, loss=1.0)
        state, heard = radio.step(params, state, tick, numbered(tick))
        acting[tick] = heard.wheels[:, 0] - 1.0
    return acting


@settings(deadline=None, max_examples=40)
@given(latency=st.floats(0.0, 0.2))
def test_a_command_acts_as_many_ticks_later_as_are_nearest_to_the_latency(latency: float) -> None:
    late = math.floor(latency / DT + 0.5)
    acting = aired(replace(CLEAR, latency=latency), late + 5)
    assert (acting == np.maximum(-1, np.arange(late + 5) - late)[:, None]).all()


def test_without_latency_and_loss_every_command_acts_at_once_and_whole() -> None:
    state = radio.start(CLEAR, N, 2)
    for tick in range(4):
        state, heard = radio.step(CLEAR, state, tick, replace(numbered(tick), stopped=3))
        sent = numbered(tick)
        assert (heard.wheels == sent.wheels).all()
        assert (heard.kick == sent.kick).all()
        assert (heard.dribble == sent.dribble).all()
        assert heard.lift is not None
        assert (heard.lift == (0.0 if sent.lift is None else sent.lift)).all()
        assert heard.stopped == 3
    assert (state.lost, state.silent) == (0, 0)


def test_packets_are_lost_at_the_rate_that_it_says_each_for_itself() -> None:
    params = replace(CLEAR, loss=0.1)
    state, fresh = radio.start(params, N, 2), []
    for tick in range(1500):
        state, heard = radio.step(params, state, tick, numbered(tick))
        fresh.append(heard.wheels[:, 0] - 1.0 == tick)
    got = np.array(fresh)
    assert state.lost == (~got).sum()
    assert stats.binomtest(int(got.sum()), got.size, 0.9).pvalue > 1e-3
    related = np.corrcoef(got.T) - np.eye(N)
    assert np.abs(related).max() < 5.0 / math.sqrt(len(got))


def test_jitter_is_exponential_and_what_was_overtaken_is_not_obeyed() -> None:
    params = replace(CLEAR, latency=DT, jitter=2.0 * DT)
    acting = aired(params, 3000)
    assert (np.diff(acting, axis=0) >= 0.0).all()  # never an older command after a newer one
    at_once = np.mean(acting == np.arange(3000)[:, None] - 1)  # heard within half a tick after the latency
    assert at_once == pytest.approx(1.0 - math.exp(-0.25), abs=0.01)
    assert (acting[10:] < np.arange(10, 3000)[:, None]).all()  # nothing is faster than the latency


def test_a_robot_goes_on_with_the_last_command_and_stops_exactly_at_the_time_out() -> None:
    params = replace(CLEAR, timeout=0.1)  # six ticks
    acting = aired(params, 40, until=20)
    assert (acting[20:26] == 20).all()
    assert (acting[26:] == -1).all()


def test_a_packet_that_was_heard_once_is_not_heard_again() -> None:
    acting = aired(replace(CLEAR, timeout=0.1, jitter=DT), 60, until=20)
    assert (acting[40:] == -1).all()
    for robot in range(N):
        last = acting[:, robot].max()
        assert (acting[:, robot] == last).sum() == 6  # the whole time-out, from the tick at which it was heard


@settings(deadline=None, max_examples=40)
@given(timeout=st.floats(0.001, 1.0))
def test_it_stops_at_the_first_tick_that_is_no_less_than_the_time_out_after_what_it_heard(timeout: float) -> None:
    patience = replace(CLEAR, timeout=timeout).patience
    assert patience * DT >= timeout - 1e-9
    assert patience == 1 or (patience - 1) * DT < timeout


def test_silence_is_counted_and_ends_with_the_next_packet() -> None:
    params = replace(CLEAR, timeout=0.05)
    state = radio.start(params, N, 2)
    for tick in range(20):
        lossy = replace(params, loss=1.0 if 4 < tick < 15 else 0.0)
        state, heard = radio.step(lossy, state, tick, numbered(tick))
        assert (heard.wheels[:, 0] == (0.0 if 7 <= tick < 15 else float(min(tick, 4 if tick < 15 else tick) + 1))).all()
    assert state.silent == 8 * N
    assert state.lost == 10 * N


def test_robots_that_were_put_in_place_have_heard_nothing() -> None:
    params = replace(CLEAR, latency=3 * DT)
    state = radio.start(params, N, 2)
    for tick in range(6):
        state, _ = radio.step(params, state, tick, numbered(tick))
    state = radio.hush(state)
    for tick in range(6, 12):
        state, heard = radio.step(params, state, tick, numbered(tick))
        assert (heard.wheels[:, 0] == (0.0 if tick < 9 else float(tick - 3 + 1))).all()
    assert state.silent == 0


def test_the_same_seed_and_tick_give_the_same_fate_and_the_state_is_not_touched() -> None:
    params = replace(CLEAR, latency=DT, jitter=DT, loss=0.2)
    state = radio.start(params, N, 2)
    for tick in range(30):
        copies = [a.copy() for a in (state.flying, state.due, state.held, state.told, state.counts)]
        after, heard = radio.step(params, state, tick, numbered(tick))
        again, same = radio.step(params, state, tick, numbered(tick))
        assert all(
            (a == b).all()
            for a, b in zip(copies, (state.flying, state.due, state.held, state.told, state.counts), strict=True)
        )
        assert (after.due == again.due).all()
        assert (heard.wheels == same.wheels).all()
        state = after
    assert (aired(params, 60) != aired(replace(params, key=key(6, 0)), 60)).any()


def test_the_average_delay_is_what_a_team_may_reckon_with() -> None:
    assert replace(CLEAR, latency=2.0 * DT, jitter=0.1 * DT).delay == 2
    assert CLEAR.delay == 0


def test_commands_of_another_shape_are_refused() -> None:
    with pytest.raises(ContractError, match=r"commands.wheels must be \(10, 2\); got \(9, 2\)"):
        radio.step(CLEAR, radio.start(CLEAR, N, 2), 0, numbered(0, N - 1))


@pytest.mark.parametrize("name", ["kick", "dribble", "lift"])
def test_commands_for_other_robots_than_there_are_are_refused(name: str) -> None:
    fewer: Any = np.zeros(N - 1, np.bool_ if name == "dribble" else np.float64)
    with pytest.raises(ContractError, match=rf"commands.{name} must be \(10,\); got \(9,\)"):
        radio.step(CLEAR, radio.start(CLEAR, N, 2), 1, replace(numbered(1), **{name: fewer}))
