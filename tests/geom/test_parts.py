from typing import Any

import numba
import pytest

from tikitaka.geom.jit import kernel


@kernel
def third(x: float) -> float:
    """Return a third of x."""
    if x > 100.0:
        raise ValueError("too much")
    return x / 3.0


@kernel
def fifth(x: float) -> float:
    """Return a fifth of x."""
    return x / 5.0


@kernel
def thirds(x: float) -> float:
    """Return a third of x and of two numbers that are written here."""
    return third(x) + third(1.0) + third(2.0)


@kernel
def fifths(x: float) -> float:
    """Return two fifths of x."""
    return fifth(x) + fifth(x)


def test_a_kernel_inside_a_kernel_is_a_part_of_it_and_no_more() -> None:
    assert thirds(7.0) == 7.0 / 3.0 + 1.0 / 3.0 + 2.0 / 3.0
    assert third.signatures == []  # type: ignore[attr-defined]
    assert len(thirds.signatures) == 1  # type: ignore[attr-defined]


def test_a_part_is_compiled_once_for_all_numbers_that_are_written_in_calls_of_it() -> None:
    call: Any = fifth
    types: Any = numba.types
    for number in (1, 2):
        call.get_call_template((types.literal(number),), {})
    assert list(call.get_overload.__self__.overloads) == [(types.int64,)]


def test_a_kernel_that_python_calls_too_is_compiled_for_it() -> None:
    assert fifths(2.0) == fifth(2.0) * 2.0
    assert len(fifth.signatures) == 1  # type: ignore[attr-defined]


def test_what_a_part_raises_arrives() -> None:
    with pytest.raises(ValueError, match="too much"):
        thirds(1000.0)
