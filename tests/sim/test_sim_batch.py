"""Many worlds at once: each is what it would be alone, whoever steps it."""

import os
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pitch_judge import LEAGUES, faults, params_of

from tikitaka import sim
from tikitaka.errors import ContractError, TikitakaError
from tikitaka.geom.jit import kernel, single
from tikitaka.geom.random import uniform
from tikitaka.geom.vectors import norm
from tikitaka.sim.batch import Batch
from tikitaka.sim.card import cuda
from tikitaka.sim.cuda import CudaBatch
from tikitaka.types import Commands, Floats

ARRAYS = ("pose", "velocity", "spin", "ball", "charge", "touched", "counts", "tick", "drawn", "wheels")
HALF = 0.5
COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


def played(worlds: int, threads: int, first: int = 0, seed: int = 3, ticks: int = 40) -> Batch:
    """Return worlds of robots that drive about at random."""
    batch = Batch(params_of("vsss-3v3"), worlds, seed, threads, first)
    batch.scatter()
    for _ in range(ticks // 5):
        batch.wander()
        batch.step(ticks=5)
    return batch


def same(one: Batch, rows: slice, other: Batch) -> bool:
    return all(np.array_equal(getattr(one, name)[rows], getattr(other, name)) for name in ARRAYS)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_the_number_of_threads_changes_no_bit(threads: int) -> None:
    assert same(played(11, threads), slice(None), played(11, 2))


@pytest.mark.parametrize(("first", "count"), [(0, 1), (4, 1), (10, 1), (3, 6)])
def test_a_world_is_the_same_alone_or_among_others(first: int, count: int) -> None:
    assert same(played(11, 2), slice(first, first + count), played(count, 1, first))


def test_worlds_and_seeds_differ() -> None:
    batch = played(20, 2)
    assert len(np.unique(batch.pose[:, 0, 0])) == 20
    assert not np.array_equal(batch.pose, played(20, 2, seed=4).pose)


@pytest.mark.parametrize("league", ["mirosot-5v5", "ssl-b"])
def test_a_batch_steps_like_the_pure_step(league: str) -> None:
    params = params_of(league)
    batch = Batch(params, 4, seed=1, threads=1)
    batch.scatter()
    states = [batch.state(k) for k in range(4)]
    for tick in range(60):
        if tick % 10 == 0:
            batch.wander()
            batch.kick[:], batch.lift[:], batch.dribble[:] = 3.0, 1.0, tick % 20 == 0
        wheels, kick, lift = batch.wheels.copy(), batch.kick.copy(), batch.lift.copy()
        on = batch.dribble.astype(np.bool_)
        orders = [Commands(wheels[k], kick[k], on[k], lift=lift[k]) for k in range(4)]
        states = [sim.step(params, state, order) for state, order in zip(states, orders, strict=True)]
        batch.step()
    for k, state in enumerate(states):
        for field in fields(state):
            assert np.array_equal(getattr(batch.state(k), field.name), getattr(state, field.name)), field.name


@pytest.mark.parametrize("league", LEAGUES)
def test_scattered_worlds_are_legal_and_at_rest(league: str) -> None:
    params = params_of(league)
    batch = Batch(params, 30, seed=9, threads=2)
    batch.scatter()
    assert [found for k in range(30) if (found := faults(params, batch.state(k)))] == []
    assert not batch.velocity.any()
    assert not batch.ball[:, 2:].any()


def test_a_crowd_too_large_for_its_pitch_is_refused() -> None:
    params = replace(params_of("vsss-3v3"), robots=200)
    with pytest.raises(ContractError, match="no room for 200 robots and a ball: 2 worlds"):
        Batch(params, 2, threads=1).scatter()


@given(st.lists(st.booleans(), min_size=9, max_size=9), st.sampled_from(["mask", "numbers"]))
def test_setting_some_worlds_up_anew_leaves_the_others_alone(mask: list[bool], how: str) -> None:
    batch, before = played(9, 1, ticks=0), played(9, 1, ticks=0)
    chosen = np.array(mask)
    which = chosen if how == "mask" else np.flatnonzero(chosen)
    pose = np.zeros((chosen.sum(), 6, 3))
    pose[:, :, 0] = 0.01 * np.arange(chosen.sum())[:, None]
    pose[:, :, 1] = 0.15 * np.arange(6) - 0.4
    batch.reset(which, pose, np.tile((0.25, 0.125), (chosen.sum(), 1)))
    for name in ARRAYS:
        assert np.array_equal(getattr(batch, name)[~chosen], getattr(before, name)[~chosen])
    assert np.array_equal(batch.pose[chosen], pose)
    assert np.array_equal(batch.ball[chosen, :2], np.tile((0.25, 0.125), (chosen.sum(), 1)))
    assert not any(array[chosen].any() for array in (batch.ball[:, 2:], batch.velocity, batch.spin, batch.charge))
    assert (batch.tick[chosen] == 0).all()
    assert (batch.counts[chosen] == (0, -1, 0)).all()
    batch.scatter(which)
    assert np.array_equal(batch.drawn[~chosen], before.drawn[~chosen])
    assert (batch.drawn[chosen] > before.drawn[chosen]).all()


@pytest.mark.parametrize(
    ("robot", "at", "words"),
    [
        (2, (0.0, -0.2, 0.0), r"world 7: robot 2 must not overlap robot 1; got an overlap of 25 mm"),
        (0, (0.74, 0.5, 0.0), r"world 7: robot 0 must not overlap a wall or a goal; got an overlap of 27.5 mm"),
        (5, (0.25, 0.125, 0.0), r"world 7: the ball must not overlap robot 5; got an overlap of \d+\.?\d* mm"),
    ],
)
def test_worlds_in_which_bodies_overlap_are_refused_and_none_is_set_up(
    robot: int, at: tuple[float, float, float], words: str
) -> None:
    batch, before = played(9, 2), played(9, 2)
    pose = np.zeros((3, 6, 3))
    pose[:, :, 1] = 0.15 * np.arange(6) - 0.4
    pose[1, robot] = at
    with pytest.raises(ContractError, match=words):
        batch.reset([2, 7, 8], pose, (0.25, 0.125))
    assert same(batch, slice(None), before)


def test_one_scene_may_be_given_to_all_worlds() -> None:
    params = params_of("vsss-3v3")
    batch, scene = Batch(params, 5, threads=1), sim.scenes.line_up(params)
    batch.reset(None, scene.pose, scene.ball, scene.velocity)
    assert all(np.array_equal(batch.state(k).pose, scene.pose) for k in range(5))


def test_commands_can_be_written_into_the_arrays_or_handed_in() -> None:
    one, other = played(3, 1), played(3, 1)
    wheels = np.full_like(one.wheels, 2.0)
    one.wheels[:] = wheels
    one.step()
    other.step(wheels)
    assert same(one, slice(None), other)
    assert (wheels == 2.0).all()


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda p: Batch(p, 0), r"worlds must be a whole number in \[1, 2147483648\]; got 0"),
        (lambda p: Batch(p, 2.5), r"worlds must be a whole number in \[1, 2147483648\]; got 2.5"),  # type: ignore[arg-type]
        (lambda p: Batch(p, 1, seed=-1), r"seed must be a whole number in .*; got -1"),
        (lambda p: Batch(p, 1, threads=0), r"threads must be a whole number in \[1, 1024\]; got 0"),
        (lambda p: Batch(p, 1, threads="2"), r"threads must be a whole number in \[1, 1024\]; got '2'"),  # type: ignore[arg-type]
        (lambda p: Batch(p, 2).step(ticks=-1), "ticks must be a whole number in .*; got -1"),
        (lambda p: Batch(p, 2).step(ticks=1.5), r"ticks must be a whole number in \[0, .*\]; got 1.5"),  # type: ignore[arg-type]
        (lambda p: Batch(p, 2).step([[1.0], [2.0, 3.0]]), "wheels must be an array of numbers; got list"),
        (lambda p: Batch(p, 2).step("fast"), "wheels must be an array of numbers; got .*U4"),
        (lambda p: Batch(p, 2).step(dribble=-1), "dribble must be True or False, or 1 or 0; got -1"),
        (lambda p: Batch(p, 2).step(dribble=np.full((2, 6), 300)), "dribble must be True or False.*; got 300"),
        (lambda p: Batch(p, 2).wander(np.nan), r"top must be in \[0, 1e\+06\]; got nan"),
        (lambda p: Batch(p, 2).step(np.zeros((3, 6, 2))), r"wheels must be \(2, 6, 2\); got \(3, 6, 2\)"),
        (lambda p: Batch(p, 2).scatter([2]), r"numbers below 2; got \[2\]"),
        (lambda p: Batch(p, 2).reset([0], np.zeros((5, 3)), (0.0, 0.0)), r"1 worlds need pose .*got \(5, 3\)"),
        (lambda p: Batch(p, 2).reset([0], np.full((6, 3), np.nan), (0.0, 0.0)), "pose must be finite; got nan"),
        (lambda p: Batch(p, 2).reset([0], apart(), (0.0,)), r"ball \(1, 2 to 8\) of numbers; got .*, \(1,\)"),
        (lambda p: Batch(p, 2).reset([0], apart(), "here"), r"ball \(1, 2 to 8\) of numbers; got .*, 'here'"),
        (lambda p: Batch(p, 2).reset([0], apart(), (0.3, 0.0, 0.0, 0.0, -0.1)), "z, column 4, must be .*; got -0.1"),
    ],
)
def test_what_can_never_work_is_refused(made: object, message: str) -> None:
    assert callable(made)
    with pytest.raises(ContractError, match=message):
        made(params_of("vsss-3v3"))


def apart() -> Floats:
    return np.array([(0.0, 0.15 * i - 0.4, 0.0) for i in range(6)])


def test_numbers_of_worlds_may_be_a_tuple() -> None:
    batch = Batch(params_of("vsss-3v3"), 3, threads=1)
    batch.reset((0, 2), apart(), (0.25, 0.0))
    assert batch.ball[:, 0].tolist() == [0.25, 0.0, 0.25]


def test_a_world_that_is_set_up_anew_goes_on_with_its_last_commands() -> None:
    batch = Batch(params_of("vsss-3v3"), 2, threads=1)
    batch.step(np.full_like(batch.wheels, 5.0))
    batch.reset(None, apart(), (0.25, 0.0))
    batch.step()
    assert (batch.wheels == 5.0).all()
    assert (batch.pose[:, :, 0] > 0.0).all()


@pytest.mark.parametrize("kind", [np.bool_, np.int64, np.float32])
def test_dribblers_of_a_batch_are_switched_by_any_kind_of_numbers(kind: type) -> None:
    batch = Batch(params_of("ssl-b"), 2, threads=1)
    batch.step(dribble=np.eye(2, batch.params.robots).astype(kind), ticks=0)
    assert np.array_equal(batch.dribble, np.eye(2, batch.params.robots))


@kernel
def _part(x: float) -> tuple[float, float]:
    return 0.1 * x, HALF


@kernel
def _whole(x: float, key: int) -> tuple[float, float, float]:
    a, b = _part(x)
    y = 0.0
    for _ in range(3):
        y = y + norm(a, b) / 3.0
    return y, max(0.25, x) if x > 1.0 else 2.0, uniform(key, 1, 2, 3)


def test_a_single_precision_twin_computes_in_float32_and_draws_the_same_numbers() -> None:
    twin: Any = single(_whole)
    wide, narrow = _whole(0.7, 5), twin(np.float32(0.7), 5)
    assert narrow[:2] == pytest.approx(wide[:2], rel=1e-6)
    assert narrow[0] != wide[0]
    assert narrow[2] == wide[2]
    if COMPILED:
        assert "float32, float32, float64" in str(twin.nopython_signatures)
    else:
        assert [type(value) for value in narrow[:2]] == [np.float32, np.float32]


@pytest.mark.parametrize(("dtype", "bounds"), [("float64", (0.0, 0.0)), ("float32", (2e-6, 2e-5))])
def test_a_card_is_given_the_same_worlds(dtype: str, bounds: tuple[float, float]) -> None:
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
    words = [sys.executable, str(Path(__file__).with_name("cuda_twin.py")), dtype]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert all(float(far) <= bound for far, bound in zip(done.stdout.split(), bounds, strict=True))


@pytest.mark.skipif(cuda.is_available(), reason="there is a card")
def test_without_a_card_the_error_says_what_to_install() -> None:
    with pytest.raises(TikitakaError, match=r"no graphics card .*With a card: pip install 'numba-cuda"):
        CudaBatch(params_of("vsss-3v3"), 2)
    with pytest.raises(ContractError, match="dtype must be float32 or float64; got int64"):
        CudaBatch(params_of("vsss-3v3"), 2, dtype=np.int64)
