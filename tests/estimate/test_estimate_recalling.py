"""Ways that beliefs share are followed once, and that changes no bit; what differs at all is followed anew."""

import numpy as np
import pytest
from sightings import DT, params_of, placed, standing

from tikitaka.estimate.kernels import moving
from tikitaka.estimate.kernels.piling import pairs_room
from tikitaka.estimate.kernels.recalling import FORGET, NOTE, NUMBERS, RECALL, STEPS, is_noted, note
from tikitaka.types import Floats

PARAMS = params_of("mirosot-5v5")
N = 2 * PARAMS.robots
FIRST = placed(PARAMS, standing(PARAMS)).robots


def believed(seed: int) -> tuple[Floats, Floats]:
    """Return states and covariances of robots that drive, some of them into each other."""
    rng, state = np.random.default_rng(seed), FIRST.state[0].copy()
    state[:, :2] *= 0.5
    state[:, 3:] = rng.normal(0.0, 1.0, (N, 3))
    return state, FIRST.p[0] * rng.uniform(1.0, 3.0, (N, 1, 1))


def go(state: Floats, p: Floats, held: Floats, ways: Floats, how: int) -> tuple[Floats, Floats]:
    """Return where they are a picture later."""
    state, p, told = state.copy(), p.copy(), np.ones((1, PARAMS.robots, 5))
    moving.move_all(
        int(PARAMS.collisions), state, p, held, np.zeros(N), np.zeros(N), told, np.zeros(1), PARAMS.driving,
        PARAMS.noise, PARAMS.doubts, PARAMS.shape, PARAMS.boards, 0.0, DT, np.empty((N, 6)), np.zeros((3, 6, 6)),
        np.empty((N, 7)), np.empty((pairs_room(N, len(PARAMS.boards)), 4)), np.empty((N, 2)), np.empty(N, np.int64),
        np.empty(N, np.int64), ways, how, spread=True,
    )  # fmt: skip
    return state, p


@pytest.mark.parametrize("seed", range(5))
def test_ways_that_are_recalled_are_those_that_would_be_followed(seed: int) -> None:
    ways, held = np.full((2, STEPS, PARAMS.robots, NUMBERS), np.nan), np.zeros(PARAMS.robots)
    state, p = believed(seed)
    noted, other, off = go(state, p, held, ways, NOTE), state.copy(), held.copy()
    other[[0, 1]], off[2] = state[[1, 0]], 1.0  # another belief: two names exchanged, one does not obey
    for there, flags in ((state, held), (other, off)):
        plain, recalled = go(there, p, flags, ways, FORGET), go(there, p, flags, ways, RECALL)
        np.testing.assert_array_equal(recalled[0], plain[0])
        np.testing.assert_array_equal(recalled[1], plain[1])
    np.testing.assert_array_equal(noted[0], go(state, p, held, ways, FORGET)[0])


def test_what_was_noted_is_recalled_and_not_followed() -> None:
    ways, held = np.full((2, STEPS, PARAMS.robots, NUMBERS), np.nan), np.zeros(PARAMS.robots)
    state, p = FIRST.state[0], FIRST.p[0]  # all stand, far apart
    go(state, p, held, ways, NOTE)
    ways[1, 1, 3, 0] += 0.001  # where its last step ends
    assert go(state, p, held, ways, RECALL)[0][3, 0] == ways[1, 1, 3, 0]
    assert go(state, p, held, ways, FORGET)[0][3, 0] != ways[1, 1, 3, 0]


@pytest.mark.parametrize("number", range(NUMBERS))
def test_any_number_that_differs_makes_it_another_way(number: int) -> None:
    way, (state, p) = np.zeros(NUMBERS), believed(0)
    note(way, state[0], p[0])
    way[42:] = 0.0, 1.0, 2.0
    assert is_noted(way, state[0], p[0], 0.0, 1.0, 2.0)
    way[number] += 1e-9
    assert not is_noted(way, state[0], p[0], 0.0, 1.0, 2.0)
