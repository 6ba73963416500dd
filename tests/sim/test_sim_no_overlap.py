"""After any step, from any legal start, under any commands: nothing overlaps, nobody is outside, all is finite."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from free_bodies import rolling
from hypothesis import given, settings
from hypothesis import strategies as st
from pitch_judge import LEAGUES, chase, faults, params_of, stop

from tikitaka import sim
from tikitaka.sim import scenes
from tikitaka.types import Commands

SCENES: dict[str, Callable[[sim.Params], sim.State]] = {
    "line_up": scenes.line_up,
    "corner_pile": scenes.corner_pile,
    "squeezed": scenes.squeezed,
    "walled": scenes.walled,
    "crowd": lambda params: scenes.crowd(params, 1),
}
TICKS = 100


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("league", LEAGUES)
def test_every_scene_starts_without_overlap(league: str, scene: str) -> None:
    params = params_of(league)
    assert faults(params, SCENES[scene](params)) == []


def test_the_judge_sees_overlap_and_robots_in_the_wall() -> None:
    params = params_of("mirosot-5v5")
    state = scenes.line_up(params)
    inside = replace(state, ball=rolling(state.pose[0, 0], state.pose[0, 1], 0.0, 0.0))
    assert faults(params, inside) == ["ball in robot 0"]
    pose = state.pose.copy()
    width = np.ptp(np.array(params.robot.outline.polygon())[:, 1])
    pose[1, :2] = pose[0, :2] + (0.0, width - 1e-5)
    assert faults(params, replace(state, pose=pose)) == ["robots 0 and 1"]
    pose[1, :2] = 0.0, params.field.half_width
    assert faults(params, replace(state, pose=pose)) == ["robot 1 outside"]
    assert faults(params, replace(state, ball=rolling(params.field.half_length, 0.25, 0.0, 0.0))) == ["ball outside"]


def wishes(params: sim.Params, state: sim.State, mode: str, tick: int) -> Commands:
    f = params.field
    if mode == "ball":
        return chase(params, state, state.ball[0], state.ball[1], 4.0)
    if mode == "corner":
        return chase(params, state, f.half_length, f.half_width, 4.0)
    if mode == "goal":
        return chase(params, state, f.half_length + 1.0, 0.0, 4.0)
    rng = np.random.default_rng(tick // 7)
    still = stop(params)
    wheels = rng.uniform(-2.0, 2.0, still.wheels.shape) * params.robot.max_wheel_speed
    kick, dribble = rng.uniform(0.0, 9.0, (2, params.robots)), rng.uniform(0.0, 1.0, params.robots) < 0.5
    return Commands(wheels, kick[0], dribble, 0, kick[1])


@pytest.mark.parametrize("mode", ["ball", "corner", "goal", "random"])
@pytest.mark.parametrize("league", LEAGUES)
def test_nothing_overlaps_when_everybody_wants_the_same_place(league: str, mode: str) -> None:
    params = params_of(league)
    for scene in ("corner_pile", "squeezed", "walled", "crowd"):
        state = SCENES[scene](params)
        for tick in range(TICKS):
            state = sim.step(params, state, wishes(params, state, mode, tick))
            if tick % 3 == 0:
                assert faults(params, state) == [], (scene, tick)


@settings(deadline=None, max_examples=25)
@given(
    league=st.sampled_from(LEAGUES),
    seed=st.integers(0, 2**40),
    wheel=st.lists(st.floats(-500.0, 500.0), min_size=4, max_size=4),
    target=st.tuples(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0)),
    speed=st.floats(-8.0, 8.0),
)
def test_nothing_overlaps_from_any_crowd(
    league: str, seed: int, wheel: list[float], target: tuple[float, float], speed: float
) -> None:
    params = params_of(league)
    state = scenes.crowd(params, seed)
    x, y = target[0] * params.field.half_length, target[1] * params.field.half_width
    for tick in range(60):
        commands = chase(params, state, x, y, speed)
        commands.wheels[::3] = wheel[: commands.wheels.shape[1]]
        state = sim.step(params, state, commands)
        if tick % 4 == 3:
            assert faults(params, state) == []


def top_speed(params: sim.Params) -> float:
    """Return the speed of a robot whose wheels all turn as fast as they may, straight ahead."""
    return float(params.robot.max_wheel_speed * params.robot.drive.wheel_radius)


@pytest.mark.parametrize("nonsense", [np.nan, np.inf, -np.inf, 1e308, -1e308])
@pytest.mark.parametrize("league", ["mirosot-5v5", "ssl-b"])
def test_nonsense_from_the_radio_leaves_a_legal_moment(league: str, nonsense: float) -> None:
    params, state = params_of(league), scenes.squeezed(params_of(league))
    still = stop(params)
    kick = np.full_like(still.kick, nonsense)
    commands = Commands(np.full_like(still.wheels, nonsense), kick, still.dribble, 0, kick)
    for tick in range(60):
        assert state.mended == tick * (commands.wheels.size + 2 * params.robots)
        state = sim.step(params, state, commands)
    assert faults(params, state) == []
    assert np.linalg.norm(state.ball[2:4]) <= 2.0 * top_speed(params) + params.kicker.max_speed


def test_a_wheel_that_is_not_a_number_stands_still() -> None:
    params = params_of("mirosot-5v5")
    state, still = scenes.crowd(params, 5), stop(params)
    bad = Commands(np.full_like(still.wheels, np.nan), still.kick, still.dribble)
    after = sim.step(params, state, bad)
    assert (after.pose == state.pose).all()
    assert after.mended == bad.wheels.size
