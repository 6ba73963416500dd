"""Print how far worlds in CUDA's simulator, which runs the kernels as plain Python, are from those of a Batch."""

import math
import sys
from dataclasses import replace

import numpy as np
from pitch_judge import params_of

from tikitaka.sim.batch import Batch
from tikitaka.sim.cuda import CudaBatch
from tikitaka.sim.params import Params
from tikitaka.types import Floats

WORLDS = 3


def drive(batch: Batch) -> None:
    """Use every method of a batch once."""
    batch.scatter()
    batch.wander()
    batch.step(ticks=2)
    batch.reset([1], batch.state(0).pose, (0.01, -0.2, 1.0, 0.5), 0.25)
    batch.scatter(np.arange(WORLDS) == 2)
    robots = (WORLDS, batch.params.robots)
    batch.step(kick=np.full(robots, 0.5), dribble=np.ones(robots, np.uint8))
    batch.step(ticks=3)


def collide(batch: Batch) -> None:
    """Drive everybody into one another, and into a corner: impacts, lasting contacts, and overlaps to be undone."""
    grid = np.array([(x, y, 0.1 * x) for x in (-0.1, 0.0, 0.1) for y in (-0.06, 0.06)])
    pose = np.stack([grid + np.array((c, c, 0.0)) for c in (0.0, 0.5, 0.5)])
    push = np.stack([-8.0 * grid, np.full_like(grid, 1.0), np.full_like(grid, 0.5)])
    batch.reset(None, pose, (0.055, 0.0), push)
    batch.wander()
    batch.step(ticks=4)


def leaning() -> list[Floats]:
    """Return poses of three worlds: duos of each kind, one at a wall with one contact or two, a crowd of three."""
    half, near = 0.0375, 4e-5  # [m] of a robot; gap, within the skin
    side, tilt = 2.0 * half + near, half * (math.cos(0.5) + math.sin(0.5))
    alone = [(-0.5, 0.65 - half - near, 0.0), (0.5, 0.65 - tilt - near, 0.5)]
    pairs = [(-0.3, 0.0, 0.0), (-0.3 + side, 0.01, 0.0), (0.2, 0.0, 0.0), (0.2 + half + tilt + near, 0.0, 0.5)]
    crowd = [(-side, -0.3, 0.0), (0.0, -0.3, 0.0), (side, -0.3, 0.0), (0.5, 0.2, 0.0)]
    return [np.array(alone + pairs), np.array(alone + crowd), np.array(pairs + alone)]


def lean(batch: Batch, ticks: int) -> None:
    """Let robots push that touch, so gently that nobody bounces."""
    batch.reset(None, np.stack(leaning()), (0.0, 0.4))
    wheels = np.zeros((WORLDS, batch.params.robots, 2)) + 6.0
    wheels[:, 1::2] = -5.0
    batch.step(wheels, ticks=ticks)


def numbers(batch: Batch) -> list[Floats]:
    """Return all that is known of the worlds."""
    states = [batch.state(k) for k in range(WORLDS)]
    return [
        np.concatenate(
            [np.ravel(value) for value in (s.pose, s.velocity, s.spin, s.ball, s.touched, s.tick, s.toucher)]
        )
        for s in states
    ]


def apart(here: Batch, there: Batch) -> float:
    """Return how far the worlds of two batches are from each other."""
    return float(np.abs(np.subtract(numbers(here), numbers(there))).max())


def both(params: Params) -> tuple[Batch, CudaBatch]:
    """Return the same worlds on either side."""
    here = Batch(params, WORLDS, seed=5, threads=1, first=8)
    return here, CudaBatch(params, WORLDS, seed=5, dtype=sys.argv[1], first=8)


if __name__ == "__main__":
    params = params_of("vsss-3v3")
    here, there = both(replace(params, dt=1.0 / 180.0) if sys.argv[1] == "float32" else params)
    for batch in (here, there):
        lean(batch, ticks=6)
    leant = apart(here, there)
    here, there = both(params)
    for batch in (here, there):
        drive(batch)
        if sys.argv[1] == "float64":  # after an impact worlds that differ by roundings go apart
            collide(batch)
    if sys.argv[1] == "float64":
        here.step(ticks=2)
        there.profile(2)
    sys.stdout.write(f"{leant} {apart(here, there)}")
