"""The card's code as numba-cuda makes it, run by the processor: see `card_on_cpu`; skipped where numba-cuda is not."""

import platform
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest
from pitch_judge import params_of

from tikitaka.sim.batch import Batch

pytestmark = [
    pytest.mark.skipif(find_spec("numba_cuda") is None, reason="needs numba-cuda, but no card"),
    pytest.mark.skipif(platform.system() + platform.machine() != "Linuxx86_64", reason="switches stacks of x86-64"),
    pytest.mark.filterwarnings("default"),  # those of numba-cuda
]
WORLDS = 270  # three blocks in two groups, the last one not full
ARRAYS = ("pose", "velocity", "spin", "ball", "charge", "touched", "counts", "wheels", "kick", "lift", "tick", "drawn")


def played(batch: Batch, seed: int) -> None:
    """Use all that a batch can do: one group's worlds after another, more work than threads, lists that run empty."""
    rng, robots = np.random.default_rng(seed), (batch.worlds, batch.params.robots)
    batch.scatter()
    for top in (None, 15.0, None):
        batch.wander(top)
        batch.step(ticks=10)
    some = np.flatnonzero(rng.random(batch.worlds) < 0.3)
    state = batch.state(int(some[0]))
    batch.reset(some, state.pose, state.ball, 0.5 * state.velocity)
    batch.scatter(np.arange(batch.worlds) % 5 == 1)
    wheels = rng.uniform(-1.2, 1.2, batch.wheels.shape) * batch.params.robot.max_wheel_speed
    wheels[0, 0] = np.nan
    batch.step(wheels, rng.uniform(0.0, 6.0, robots), rng.uniform(0.0, 3.0, robots), np.ones(robots, np.uint8), ticks=3)
    batch.step(np.full(batch.wheels.shape, 15.0), ticks=24)  # everybody ends at a wall


def test_the_code_for_a_card_gives_the_processors_bits() -> None:
    side, card, params = import_module("card_on_cpu"), import_module("tikitaka.sim.cuda"), params_of("vsss-3v3")
    here = Batch(params, WORLDS, seed=5, threads=1, first=8)
    with side.on_this_side(SMALL=128, MOST_BLOCKS=1):
        there = card.CudaBatch(params, WORLDS, seed=5, dtype="float64", first=8)
        for batch in (here, there):
            played(batch, 3)
        assert here.touched.any(axis=(1, 2)).mean() > 0.2
        for name in ARRAYS:
            assert np.array_equal(getattr(here, name), there._fetched(name)), name
        for k in range(WORLDS):
            assert np.array_equal(here.state(k).hits, there.state(k).hits)
