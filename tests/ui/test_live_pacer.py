"""The pacer against a clock that moves only when told."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tikitaka.ui.pacer import MAX_LAG, SLICE, SPEEDS, Pacer

RATE = 64.0  # a power of two: ticks fall on numbers that floats hold exactly
finite_speeds = st.sampled_from([speed for speed in SPEEDS if math.isfinite(speed)])


@dataclass
class Clock:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now

    def costly(self, seconds: float) -> Callable[[], bool]:
        """Return a tick that takes so long."""

        def tick() -> bool:
            self.now += seconds
            return True

        return tick


def run(pacer: Pacer, clock: Clock, seconds: float, tick: Callable[[], bool]) -> int:
    """Return the ticks of a perfect event loop that sleeps exactly as long as it is told."""
    end, ran = clock.now + seconds, 0
    while clock.now < end:
        ran += pacer.turn(tick)
        clock.now = min(end, clock.now + pacer.wait())
    return ran + pacer.turn(tick)


@settings(deadline=None)
@given(speed=finite_speeds, seconds=st.integers(1, 8))
def test_ticks_are_rate_times_speed_times_wall_seconds(speed: float, seconds: int) -> None:
    clock = Clock()
    pacer = Pacer(RATE, speed, clock)
    assert run(pacer, clock, seconds, clock.costly(0.0)) == pytest.approx(RATE * speed * seconds, abs=1)
    assert pacer.realtime == pytest.approx(speed, rel=0.1)


def test_a_paused_match_owes_nothing_however_long_it_pauses() -> None:
    clock = Clock()
    pacer = Pacer(RATE, 1.0, clock)
    pacer.pause()
    clock.now += 1e6
    assert pacer.turn(clock.costly(0.0)) == 0
    assert pacer.wait() == math.inf
    assert pacer.realtime == 0.0
    pacer.play()
    assert pacer.turn(clock.costly(0.0)) == 0


@settings(deadline=None)
@given(playing=st.booleans(), steps=st.integers(1, 5), speed=st.sampled_from(SPEEDS))
def test_every_step_is_exactly_one_tick_and_leaves_it_paused(playing: bool, steps: int, speed: float) -> None:
    clock = Clock()
    pacer = Pacer(RATE, speed, clock)
    if not playing:
        pacer.pause()
    clock.now += 0.05
    for _ in range(steps):
        pacer.step()
    ran = sum(pacer.turn(clock.costly(1.0)) for _ in range(steps + 3))
    assert (ran, pacer.paused) == (steps, True)


def test_a_step_asked_for_survives_a_change_of_speed_and_play_does_not_add_one() -> None:
    clock = Clock()
    pacer = Pacer(RATE, 1.0, clock)
    pacer.step()
    pacer.set_speed(math.inf)
    assert (pacer.turn(clock.costly(0.0)), pacer.turn(clock.costly(0.0))) == (1, 0)


def test_one_turn_ends_soon_after_its_slice() -> None:
    clock = Clock()
    pacer = Pacer(RATE, math.inf, clock)
    ran = pacer.turn(clock.costly(0.001))
    assert ran * 0.001 == pytest.approx(SLICE, abs=0.0011)
    assert pacer.wait() == 0.0


def test_a_tick_longer_than_the_slice_is_still_run_once_a_turn() -> None:
    clock = Clock()
    pacer = Pacer(RATE, math.inf, clock)
    assert pacer.turn(clock.costly(10 * SLICE)) == 1


def test_too_slow_a_machine_falls_behind_and_says_so() -> None:
    clock = Clock()
    pacer = Pacer(RATE, 16.0, clock)
    cost = 1.0 / (4.0 * RATE)  # this machine manages four times real time
    ran = run(pacer, clock, 10.0, clock.costly(cost))
    assert ran == pytest.approx(10.0 / cost, rel=0.02)
    assert pacer.realtime == pytest.approx(4.0, rel=0.02)


def test_after_a_long_stall_only_a_little_is_made_up_for() -> None:
    clock = Clock()
    pacer = Pacer(RATE, 1.0, clock)
    clock.now += 3600.0
    caught_up = sum(pacer.turn(clock.costly(0.0)) for _ in range(10))
    assert caught_up == math.floor(MAX_LAG * RATE)


def test_a_new_speed_inherits_no_debt() -> None:
    clock = Clock()
    pacer = Pacer(RATE, math.inf, clock)
    pacer.turn(clock.costly(0.001))
    pacer.set_speed(0.25)
    assert pacer.turn(clock.costly(0.0)) == 0
    assert pacer.wait() == pytest.approx(4.0 / RATE)


def test_the_last_tick_ends_the_turn() -> None:
    clock = Clock()
    assert Pacer(RATE, math.inf, clock).turn(lambda: False) == 1


@pytest.mark.parametrize("speed", [0.0, -1.0, math.nan])
def test_a_speed_that_cannot_work_is_refused_with_its_value(speed: float) -> None:
    with pytest.raises(ValueError, match=f"above 0.*got {speed}"):
        Pacer(RATE, speed, Clock())
