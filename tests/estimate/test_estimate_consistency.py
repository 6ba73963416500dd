"""The robots' filter on motion by its own model: as unsure of itself as it is wrong, by chi-square bounds.

Innovations of a consistent filter are white: the sum of all NIS is a chi-square of as many numbers as were measured.
Errors at one time are independent between runs only: NEES is summed over runs at the last picture.
"""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest
from scipy.stats import chi2
from sightings import DT, params_of

from tikitaka.estimate import Params
from tikitaka.estimate.kernels.moving import move_one
from tikitaka.estimate.kernels.robots import settle, take_in
from tikitaka.types import Floats

MIROSOT, SSL = "mirosot-5v5", "ssl-b"
SMALL = 5e-4  # of the noise: so little that tyres and motors are nearly linear within it
RUNS, PICTURES = 400, 12
NO_DOUBT = np.array((0.0, 9.0, 0.0, 0.0, 0.0))  # no trouble, and headings that are never too unsure
TOLD_TIME = np.array((-1.0,))


@dataclass(frozen=True)
class Sums:
    """Over all runs."""

    nis: float
    numbers: int
    nees: float


def noise(rng: np.random.Generator, q: float, dt: float) -> tuple[float, float]:
    """Return the way and the velocity that white acceleration of density q gives within dt."""
    a, b = rng.normal(size=2)
    v = math.sqrt(q * dt) * a
    return 0.5 * dt * v + math.sqrt(q * dt**3 / 12.0) * b, v


def shaken(state: Floats, rng: np.random.Generator, q: float, turn: float, dt: float) -> None:
    for axis, density in enumerate((q, q, turn)):
        way, v = noise(rng, density, dt)
        state[axis] += way
        state[axis + 3] += v
    state[2] = (state[2] + math.pi) % (2.0 * math.pi) - math.pi


def move(params: Params, state: Floats, p: Floats, ours: int, told: Floats, q: Floats, t: float, spread: bool) -> None:
    """Move one robot on by half a picture."""
    move_one(
        state, p, 0, ours, held=False, told=told, told_time=TOLD_TIME, drive=params.driving, noise=q, doubts=NO_DOUBT,
        trouble=0.0, unseen=0.0, t=t, end=t + DT / 2.0, small=np.zeros((3, 6, 6)), spread=spread,
    )  # fmt: skip


def one(rng: np.random.Generator, params: Params, obeys: bool, level: float, factor: float) -> tuple[float, float]:
    """Return the sum of NIS and the last NEES of one robot, which is shaken by ``level`` times the usual noise.

    The filter believes in ``factor`` times the noise that there is.
    """
    q, turn = level * (params.own_noise if obeys else params.their_noise), level * params.turn_noise
    r_xy, r_theta, ours = params.noise_xy**2, params.noise_theta**2, int(obeys)
    state, p, truth = np.empty(6), np.empty((6, 6)), np.empty(6)
    x, y, theta = rng.uniform(-1.0, 1.0, 3)
    settle(state, p, x, y, theta, r_xy, r_theta, 0.1 * level)
    truth[:] = state + np.sqrt(np.diag(p)) * rng.normal(size=6)
    nis, believed = 0.0, factor * level * params.noise
    for k in range(PICTURES):
        told = np.array((rng.uniform(-1.0, 1.0), 0.0, rng.uniform(-3.0, 3.0)))[None, None]
        for half in range(2):
            t = (k + 0.5 * half) * DT
            move(params, truth, p, ours, told, believed, t, spread=False)
            shaken(truth, rng, q, turn, DT / 2.0)
            move(params, state, p, ours, told, believed, t, spread=True)
        seen = truth[:3] + rng.normal(size=3) * (params.noise_xy, params.noise_xy, params.noise_theta)
        sx, sy, st = seen.tolist()
        nis += take_in(state, p, sx, sy, st, params.model, np.empty((6, 6)))[0]
    off = state - truth
    off[2] = (off[2] + math.pi) % (2.0 * math.pi) - math.pi
    return nis, float(off @ np.linalg.solve(p, off))


@cache
def simulated(league: str, obeys: bool, level: float = 1.0, factor: float = 1.0) -> Sums:
    rng, params = np.random.default_rng(11), params_of(league)
    nis, nees = np.sum([one(rng, params, obeys, level, factor) for _ in range(RUNS)], axis=0)
    return Sums(float(nis), 3 * RUNS * PICTURES, float(nees))


def inside(value: float, numbers: int) -> bool:
    low, high = chi2.ppf((0.005, 0.995), numbers)
    return bool(low < value < high)


def check(found: Sums) -> None:
    assert inside(found.nis, found.numbers), found.nis / found.numbers
    assert inside(found.nees, 6 * RUNS), found.nees / (6 * RUNS)


@pytest.mark.parametrize("league", [MIROSOT, SSL])
def test_a_robot_that_drives_straight_on_is_followed_consistently(league: str) -> None:
    check(simulated(league, obeys=False))


@pytest.mark.parametrize("league", [MIROSOT, SSL])
def test_a_robot_that_obeys_is_followed_consistently_where_its_motion_is_nearly_linear(league: str) -> None:
    check(simulated(league, obeys=True, level=SMALL))


@pytest.mark.parametrize("league", [MIROSOT, SSL])
def test_a_robot_that_obeys_is_followed_consistently_at_the_usual_noise(league: str) -> None:
    check(simulated(league, obeys=True))


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_the_bounds_tell_a_filter_that_believes_in_other_noise(factor: float) -> None:
    found = simulated(MIROSOT, obeys=False, factor=factor)
    assert not inside(found.nis, found.numbers)
