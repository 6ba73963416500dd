import math
from collections.abc import Callable
from decimal import Decimal, localcontext
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tikitaka.geom import inverse_normal, key, normal, threefry, uniform
from tikitaka.geom.random import log_unit

ONES = 0xFFFFFFFF
N = 20_000
TOO_UNLIKELY = 1e-4  # the draws are fixed, so a pass stays a pass


@pytest.mark.parametrize(
    ("k", "counter", "words"),
    [
        ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
        ((ONES, ONES), (ONES, ONES), (0x1CB996FC, 0xBB002BE7)),
        ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
    ],
)
def test_salmon2011_known_answers(k: tuple[int, int], counter: tuple[int, int], words: tuple[int, int]) -> None:
    assert threefry(*k, *counter) == words


def test_worlds_and_seeds_have_keys_of_their_own() -> None:
    seeds = [0, 1, 2**31, 2**32, 2**32 + 1, 2**63 - 1]
    keys = {key(seed, env) for seed in seeds for env in range(1000)}
    assert len(keys) == len(seeds) * 1000


def test_every_step_and_stream_has_a_draw_of_its_own_beyond_32_bits_too() -> None:
    steps = [0, 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**33, 2**62]
    draws = {uniform(*key(1, 0), step, stream) for step in steps for stream in (0, 1, 2**31 - 1)}
    assert len(draws) == len(steps) * 3


@pytest.mark.parametrize("bits", [1, 12, 30, 52, 53])
def test_a_uniform_uses_all_its_53_bits(bits: int) -> None:
    scaled = np.array([uniform(3, 4, i, 0) for i in range(4000)]) * 2.0**53
    assert (scaled == np.floor(scaled)).all()
    share = np.mean(scaled.astype(np.int64) >> (53 - bits) & 1)
    assert share == pytest.approx(0.5, abs=4.0 * 0.5 / math.sqrt(4000))


def test_draws_are_the_leading_bits_of_both_words() -> None:
    k = key(7, 3)
    for step in range(50):
        r0, r1 = threefry(*k, step, 9)
        word = r0 * 2**32 + r1
        assert uniform(*k, step, 9) == (word >> 11) * 2.0**-53
        assert normal(*k, step, 9) == inverse_normal((2 * (word >> 12) + 1) * 2.0**-53)


def test_uniforms_and_normals_follow_their_distributions() -> None:
    k = key(2026, 0)
    draws = range(100_000)
    assert stats.kstest([uniform(*k, i, 1) for i in draws], "uniform").pvalue > TOO_UNLIKELY
    assert stats.kstest([normal(*k, i, 2) for i in draws], "norm").pvalue > TOO_UNLIKELY


PAIRS: dict[str, Callable[[int], tuple[float, float]]] = {
    "streams": lambda i: (uniform(*key(5, 0), i, 0), uniform(*key(5, 0), i, 1)),
    "steps": lambda i: (uniform(*key(5, 0), 2 * i, 0), uniform(*key(5, 0), 2 * i + 1, 0)),
    "envs": lambda i: (uniform(*key(5, 0), i, 0), uniform(*key(5, 1), i, 0)),
    "seeds": lambda i: (uniform(*key(5, 0), i, 0), uniform(*key(6, 0), i, 0)),
    "epochs": lambda i: (uniform(*key(5, 0), i, 0), uniform(*key(5, 0), i + 2**32, 0)),
    "step and stream swapped": lambda i: (uniform(*key(5, 0), i, 77), uniform(*key(5, 0), 77, i)),
}


@pytest.mark.parametrize("name", PAIRS)
def test_neighbouring_draws_are_independent(name: str) -> None:
    pairs = np.array([PAIRS[name](i) for i in range(N) if i != 77])
    counts, _, _ = np.histogram2d(pairs[:, 0], pairs[:, 1], bins=16, range=[[0.0, 1.0], [0.0, 1.0]])
    assert stats.chisquare(counts.ravel()).pvalue > TOO_UNLIKELY
    assert abs(np.corrcoef(pairs.T)[0, 1]) < 4.0 / math.sqrt(N)


probability = st.integers(0, 2**52 - 1).map(lambda n: (n + 0.5) * 2.0**-52)
rare = st.floats(2.0**-53, 0.1).map(lambda p: max(2.0**-53, p)) | st.floats(-53.0, -3.0).map(lambda e: 2.0**e)


@settings(deadline=None, max_examples=300)
@given(probability | rare)
def test_the_inverse_of_the_normal_distribution_agrees_with_scipy_and_python(p: float) -> None:
    assert inverse_normal(p) == pytest.approx(float(stats.norm.ppf(p)), rel=1e-14, abs=1e-15)
    assert inverse_normal(p) == pytest.approx(NormalDist().inv_cdf(p), rel=2e-15, abs=1e-300)


@settings(deadline=None)
@given(probability)
def test_the_normal_is_symmetric(p: float) -> None:
    assert inverse_normal(1.0 - p) == -inverse_normal(p)


def test_the_extreme_draws_are_finite() -> None:
    assert inverse_normal(2.0**-53) == pytest.approx(float(stats.norm.ppf(2.0**-53)), rel=1e-14)
    assert inverse_normal(1.0 - 2.0**-53) == -inverse_normal(2.0**-53)
    assert inverse_normal(0.5) == 0.0


@settings(deadline=None, max_examples=300)
@given(st.floats(2.0**-63, 1.0, exclude_max=True) | st.floats(-63.0, -1e-9).map(lambda e: 2.0**e))
def test_our_logarithm_is_right_to_the_last_digits(x: float) -> None:
    with localcontext(prec=40):
        exact = Decimal(x).ln()
        assert abs(Decimal(log_unit(x)) / exact - 1) < Decimal("4e-16")


def test_the_logarithm_of_one_is_zero() -> None:
    assert log_unit(1.0) == 0.0
