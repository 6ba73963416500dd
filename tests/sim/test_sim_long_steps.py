"""What a step of 1/60 s in one substep must not lose: pairs after an impact, piles that part, perfect wheels."""

import math
from dataclasses import replace

import numpy as np
import pytest
from free_bodies import after, alone, ice, momentum
from pitch_judge import params_of

from tikitaka import sim
from tikitaka.sim import arrays
from tikitaka.sim.drive import rows
from tikitaka.sim.kernels import worlds
from tikitaka.sim.params import MAX_SUBSTEP
from tikitaka.types import Floats

PUSH = 1.5  # [m/s] that everybody is told to drive


def least_gap(batch: sim.Batch) -> float:
    """Return the smallest gap of any two bodies in all worlds."""
    ahead, *_, pairs = arrays.made(arrays.scratch(batch.params, 1))
    gaps, moving = np.empty((batch.worlds, 3)), (batch.pose, batch.velocity, batch.spin, batch.ball)
    worlds.gap_rows(0, batch.worlds, 0, gaps, *moving, *batch.params.fixed[:6], ahead, pairs)
    return float(gaps[:, 2].min())


def test_who_is_shot_at_a_wall_or_at_another_robot_does_not_enter_it() -> None:
    """Before the impact neither is anywhere near the other."""
    many, rng = 4000, np.random.default_rng(1)
    batch = sim.Batch(replace(params_of("mirosot-5v5"), dt=MAX_SUBSTEP, robots=2), many, threads=1)
    p = batch.params
    reach, away = p.robot.outline.radius, rng.uniform(0.0, 0.02, many)
    pose, ball = np.zeros((many, 2, 3)), np.zeros((many, 8))
    pose[:, 0, 2], pose[:, 1, 2] = rng.uniform(-math.pi, math.pi, (2, many))
    pose[:, 0, 0] = 0.2
    pose[:, 1, 0] = np.where(np.arange(many) % 2, 0.2, -0.5)
    pose[:, 0, 1] = p.field.half_width - reach - 0.02 - away
    pose[:, 1, 1] = pose[:, 0, 1]
    pose[1::2, 0, 1] = 0.0
    pose[1::2, 1, 1] = 2.0 * reach + 0.02 + away[1::2]
    phi, gap = rng.uniform(-0.15, 0.15, many), rng.uniform(1e-4, 0.2, many)
    ball[:, 0] = 0.2 + rng.uniform(-0.02, 0.02, many)
    ball[:, 1] = pose[:, 0, 1] - reach - p.ball.radius - gap
    ball[:, 2] = ball[:, 6] = 20.0 * np.sin(phi)
    ball[:, 3] = ball[:, 7] = 20.0 * np.cos(phi)
    batch.reset(None, pose, ball)
    for _ in range(6):
        batch.step(np.zeros_like(batch.wheels))
        assert least_gap(batch) > -1e-9


def towards(params: sim.Params, pose: Floats, x: float, y: float) -> Floats:
    """Return the wheel rates of robots (w, n, 3) that turn and drive to a point, whatever is in the way."""
    at = np.arctan2(y - pose[..., 1], x - pose[..., 0]) - pose[..., 2]
    body = np.stack((PUSH * np.cos(at), PUSH * np.sin(at), 8.0 * np.sin(at)), axis=-1)
    return np.asarray(body @ rows(params.robot.drive).T / params.robot.drive.wheel_radius)


def test_a_pile_in_a_corner_stands_without_impacts_does_not_shake_and_parts_when_it_is_told_to() -> None:
    params = replace(params_of("mirosot-5v5"), dt=MAX_SUBSTEP)
    f, batch = params.field, sim.Batch(params, 30, seed=100, threads=1)
    batch.scatter()
    for _ in range(600):
        batch.step(towards(params, batch.pose, f.half_length, f.half_width))
    struck, way, back = 0, np.zeros((30, 10, 2)), np.zeros((30, 10))
    for _ in range(300):
        before = batch.pose[..., :2].copy()
        batch.step(towards(params, batch.pose, f.half_length, f.half_width))
        struck += int((batch.counts[:, 0] > 0).sum())
        gone = batch.pose[..., :2] - before
        back += ((gone * way).sum(axis=2) < 0.0) & (np.abs(gone).max(axis=2) > 1e-5)
        way = gone
    assert struck < 0.01 * 300 * 30
    assert back.max() < 30  # times that anybody turned back: who shakes does in every tick, or every other one
    still, longest = np.zeros((30, 10)), np.zeros((30, 10))
    for _ in range(60):
        before = batch.pose.copy()
        batch.step(towards(params, batch.pose, -f.half_length, -f.half_width))
        still = np.where((batch.pose == before).all(axis=2), still + 1, 0)
        longest = np.maximum(longest, still)
    assert longest.max() < 30  # half a second without moving by a bit


def test_two_that_spin_against_each_other_on_ice_do_not_pass_through_each_other() -> None:
    """They meet so often that at last nobody bounces; they were 26 mm in each other then, and were put apart."""
    params = ice("mirosot-5v5", 0.1, 0.0)
    state = alone(params, (0.0, 0.0, -1.6531953), (0.0682978, -0.0823674, 1.5777394))
    velocity = state.velocity.copy()
    velocity[:2] = (0.0, 0.0, -3.3150498), (-2.1629254, 2.2355645, 4.501698)
    state = replace(state, velocity=velocity)
    assert momentum(params, after(params, state, 2))[2] == pytest.approx(momentum(params, state)[2], abs=2e-3)


def test_perfect_wheels_that_gain_all_their_speed_at_once_enter_nobody() -> None:
    params = params_of("mirosot-5v5")
    drive = replace(params.robot.drive, kinematic=True)
    params = replace(params, dt=MAX_SUBSTEP, robot=replace(params.robot, drive=drive))
    batch = sim.Batch(params, 200, threads=1)
    batch.scatter()
    for tick in range(90):
        if tick % 6 == 0:
            batch.wander()
        batch.step(np.where(np.arange(200)[:, None, None] % 2, batch.wheels, towards(params, batch.pose, 0.0, 0.0)))
        assert least_gap(batch) > -1e-9
