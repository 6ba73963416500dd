"""What a step of 1/60 s in one substep must not lose: pairs after an impact, piles that part, perfect wheels."""

import math
from dataclasses import replace

import numpy as np
from pitch_judge import faults, params_of

from tikitaka import sim
from tikitaka.sim.drive import rows
from tikitaka.sim.params import MAX_SUBSTEP
from tikitaka.types import Floats

PUSH = 1.5  # [m/s] that everybody is told to drive


def drawn_worlds(seed: int, worlds: int) -> tuple[np.random.Generator, sim.Batch]:
    params = replace(params_of("mirosot-5v5"), dt=MAX_SUBSTEP, robots=2)
    return np.random.default_rng(seed), sim.Batch(params, worlds, threads=1)


def test_who_is_shot_at_a_wall_or_at_another_robot_does_not_enter_it() -> None:
    """Before the impact neither is anywhere near the other."""
    worlds = 500
    rng, batch = drawn_worlds(1, worlds)
    p = batch.params
    reach, away = p.robot.outline.radius, rng.uniform(0.0, 0.02, worlds)
    pose, ball = np.zeros((worlds, 2, 3)), np.zeros((worlds, 8))
    pose[:, 0, 2], pose[:, 1, 2] = rng.uniform(-math.pi, math.pi, (2, worlds))
    pose[:, 0, 0] = 0.2
    pose[:, 1, 0] = np.where(np.arange(worlds) % 2, 0.2, -0.5)
    pose[:, 0, 1] = p.field.half_width - reach - 0.02 - away
    pose[:, 1, 1] = pose[:, 0, 1]
    pose[1::2, 0, 1] = 0.0
    pose[1::2, 1, 1] = 2.0 * reach + 0.02 + away[1::2]
    phi, gap = rng.uniform(-0.15, 0.15, worlds), rng.uniform(1e-4, 0.15, worlds)
    ball[:, 0] = 0.2 + rng.uniform(-0.02, 0.02, worlds)
    ball[:, 1] = pose[:, 0, 1] - reach - p.ball.radius - gap
    ball[:, 2] = ball[:, 6] = 16.0 * np.sin(phi)
    ball[:, 3] = ball[:, 7] = 16.0 * np.cos(phi)
    batch.reset(None, pose, ball)
    for _ in range(4):
        batch.step(np.zeros_like(batch.wheels))
        assert [found for world in range(worlds) if (found := faults(p, batch.state(world)))] == []


def towards(params: sim.Params, pose: Floats, x: float, y: float) -> Floats:
    """Return the wheel rates of robots (w, n, 3) that turn and drive to a point, whatever is in the way."""
    at = np.arctan2(y - pose[..., 1], x - pose[..., 0]) - pose[..., 2]
    body = np.stack((PUSH * np.cos(at), PUSH * np.sin(at), 8.0 * np.sin(at)), axis=-1)
    return np.asarray(body @ rows(params.robot.drive).T / params.robot.drive.wheel_radius)


def test_a_pile_in_a_corner_stands_without_impacts_and_parts_when_it_is_told_to() -> None:
    params = replace(params_of("mirosot-5v5"), dt=MAX_SUBSTEP)
    f, batch = params.field, sim.Batch(params, 30, threads=1)
    batch.scatter()
    for _ in range(480):
        batch.step(towards(params, batch.pose, f.half_length, f.half_width))
    struck, still, longest = 0, np.zeros((30, 10)), np.zeros((30, 10))
    for _ in range(30):
        batch.step(towards(params, batch.pose, f.half_length, f.half_width))
        struck += int((batch.counts[:, 0] > 0).sum())
    assert struck < 0.1 * 30 * 30
    for _ in range(180):
        before = batch.pose.copy()
        batch.step(towards(params, batch.pose, 0.0, 0.0))
        still = np.where((batch.pose == before).all(axis=2), still + 1, 0)
        longest = np.maximum(longest, still)
    assert (longest > 30).sum() <= 15  # half a second without moving by a bit, of 300


def test_perfect_wheels_that_gain_all_their_speed_at_once_enter_nobody() -> None:
    params = params_of("mirosot-5v5")
    drive = replace(params.robot.drive, kinematic=True)
    params = replace(params, dt=MAX_SUBSTEP, robot=replace(params.robot, drive=drive))
    batch = sim.Batch(params, 40, threads=1)
    batch.scatter()
    for _ in range(6):
        batch.wander()
        batch.step(ticks=5)
        assert [found for world in range(40) if (found := faults(params, batch.state(world)))] == []
