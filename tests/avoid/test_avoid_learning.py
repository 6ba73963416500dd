"""How strong robots are is learnt from how they brake, and nothing else is taken for it."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from avoid_scenes import Row, straight, world

from tikitaka import avoid
from tikitaka.avoid import Limits, Memory, Method, Params
from tikitaka.avoid.kernels import learning, rolling
from tikitaka.avoid.kernels.learning import STRENGTH, STRONGEST, WAIT, WEAKEST
from tikitaka.lab.austro_faults import sound, weak
from tikitaka.lab.austro_moves import TESTS, route
from tikitaka.lab.austro_traffic import drive, setup_of
from tikitaka.loop.build import Setup
from tikitaka.types import BLUE, Plans, World

DT, SPEED, STRAIGHT = 1.0 / 30.0, 2.0, True


def braking(share: float, looks: int) -> float:
    """Return what is believed of a robot that shows so much of a sound one's braking, so many times."""
    limits, own = Limits().array(), np.empty(rolling.LIMITS)
    might, track = avoid.start(1).might[0], np.empty((26, 2))
    for _ in range(looks):
        learning.derate(might[STRENGTH], limits, own)
        pose, velocity = np.zeros(3), np.array((SPEED, 0.0, 0.0))
        far = 0.5 * SPEED * SPEED / own[rolling.ACCELERATION]
        way = np.array([(0.0, 0.0), (far, 0.0)])
        rolling.roll(pose, velocity, way, 2, 0.0, SPEED, np.zeros(rolling.OPTION), own, track)
        learning.learn(STRAIGHT, pose, velocity, track, far, 0.0, own, DT, might)
        for tick in range(1, 7):
            t = tick * DT
            seen = np.array((SPEED * t - 0.5 * share * limits[rolling.ACCELERATION] * t * t, 0.0, 0.0))
            learning.learn(STRAIGHT, seen, velocity, track, far, 0.0, own, DT, might)
        might[WAIT] = 0.0
    return float(might[STRENGTH])


@pytest.mark.parametrize("share", [0.6, 0.7, 0.85])
def test_a_robot_that_brakes_less_is_believed_to_be_as_weak_as_it_is(share: float) -> None:
    assert braking(share, 60) == pytest.approx(share, rel=0.05)


def test_strengths_are_bounded_and_one_bad_look_does_not_make_a_sound_robot_weak() -> None:
    assert braking(1.3, 60) == STRONGEST
    assert braking(0.32, 60) == WEAKEST
    assert learning.judged(STRONGEST, 0.5) > 1.0


def test_a_robot_that_stands_still_is_held_and_not_weak() -> None:
    assert learning.judged(0.9, 0.1) == 0.9


@pytest.mark.parametrize(("spoil", "low", "high"), [(sound, 0.99, 1.0), (weak, 0.65, 0.88)])
def test_in_the_simulator_weak_robots_are_found_out_and_sound_ones_are_not_suspected(
    spoil: Callable[[Setup], Setup], low: float, high: float
) -> None:
    setup, told = spoil(setup_of(2, 5, Method.OURS)), list[float]()
    side = setup.sides[BLUE]

    def spy(memory: Memory, seen: World, plans: Plans) -> tuple[Memory, Plans]:
        after, safe = side.stack.avoid(memory, seen, plans)
        told.extend([] if safe.strength is None else safe.strength.tolist())
        return after, safe

    watched = replace(side, stack=replace(side.stack, avoid=spy))
    field = setup.league.field.geometry()
    drive(replace(setup, sides=(watched, setup.sides[1])), route(TESTS[6], field, 2.0, 5), 30.0)
    assert low <= np.mean(told[600:]) <= high


def test_a_detour_and_another_target_end_a_look() -> None:
    row: list[Row] = [(-0.5, 0.0, 0.0, 2.0)]
    seen = world(row)
    params, near = Params(Method.OURS), np.array([(-0.28, 0.0)])
    looking = avoid.step(params, avoid.start(1), seen, straight(seen, targets=near))[0]
    assert looking.might[0, WAIT] == 6.0
    other = avoid.step(params, looking, seen, straight(seen, targets=np.array([(0.5, 0.0)])))[0]
    assert other.might[0, WAIT] == 0.0
    stays = avoid.step(params, looking, seen, straight(seen, targets=near))[0]
    assert stays.might[0, WAIT] == 5.0


def test_omni_robots_are_not_judged() -> None:
    seen = world([(-0.5, 0.0, 0.0, 2.0)])
    params = Params(Method.OURS, limits=Limits(omni=True))
    after = avoid.step(params, avoid.start(1), seen, straight(seen, targets=np.array([(-0.28, 0.0)])))[0]
    assert after.might[0, WAIT] == 0.0


def test_a_weak_robot_rolls_out_with_what_it_has() -> None:
    limits, own, track = Limits().array(), np.empty(rolling.LIMITS), np.empty((26, 2))
    learning.derate(0.5, limits, own)
    way = np.array([(0.0, 0.0), (5.0, 0.0)])
    rolling.roll(np.zeros(3), np.zeros(3), way, 2, 0.0, 4.0, np.zeros(rolling.OPTION), own, track)
    t = 5 * own[rolling.STEP]
    assert track[5, 0] == pytest.approx(0.5 * 0.5 * limits[rolling.ACCELERATION] * t * t)
    assert math.isclose(own[rolling.TURN_ACCELERATION], 0.5 * limits[rolling.TURN_ACCELERATION])
