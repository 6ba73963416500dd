"""What the numbers of parameters must be, and what is said where they are not."""

from collections.abc import Iterable
from enum import Enum

import numpy as np
from numpy.typing import ArrayLike

from tikitaka.errors import ContractError
from tikitaka.types.arrays import Bools, Floats

LEAST, MOST = 1e-9, 1e6  # in SI units, chosen: what is divided by is no smaller, what has no bound of its own no larger
Rule = tuple[float, float, tuple[str, ...]]  # least, most, of which fields


def expect(params: object, rules: Iterable[Rule], where: str = "") -> None:
    """Raise where a named field is no number, or not in its range; ``where``: what the fields are of, with a dot."""
    for least, most, names in rules:
        for name in names:
            expect_number(f"{where}{name}", getattr(params, name), least, most)


def expect_number(name: str, value: object, least: float, most: float) -> None:
    """Raise where a value is no number in a range."""
    if not within(value, least, most):
        raise ContractError(f"{name} must be in {_range(least, most)}; got {value!r}")


def expect_whole(name: str, value: object, least: float, most: float) -> None:
    """Raise where a value is no whole number in a range."""
    if not isinstance(value, int | np.integer) or not within(value, least, most):
        raise ContractError(f"{name} must be a whole number in {_range(least, most)}; got {value!r}")


def expect_one_of(name: str, value: object, kind: type[Enum]) -> None:
    """Raise where a value is none of an enum's."""
    if not isinstance(value, kind):
        known = ", ".join(f"{kind.__name__}.{one.name}" for one in kind)
        raise ContractError(f"{name} must be one of {known}; got {value!r}")


def expect_array(name: str, value: object, shape: tuple[int | str, ...]) -> None:
    """Raise where a value is no array of numbers, none above MOST, of this shape; words stand for any size."""
    got = value.shape if isinstance(value, np.ndarray) and value.dtype.kind in "fiu" else ()
    if len(got) != len(shape) or not all(isinstance(n, str) or n == m for n, m in zip(shape, got, strict=True)):
        raise ContractError(f"{name} must be an array ({', '.join(map(str, shape))}) of numbers; got {shape_of(value)}")
    if not (np.abs(np.asarray(value)) <= MOST).all():
        raise ContractError(f"{name} must be numbers in [{-MOST:g}, {MOST:g}]; got {value}")


def rows_of(name: str, rows: object, wide: int) -> Floats:
    """Return rows of numbers as kernels take them, which would read past narrower ones; raise where these are none."""
    if not isinstance(rows, np.ndarray) or rows.ndim != 2 or rows.shape[1] != wide or rows.dtype.kind not in "fiu":
        raise ContractError(f"{name} must be an array (k, {wide}) of numbers; got {shape_of(rows)}")
    return np.ascontiguousarray(rows, np.float64)


def switches(name: str, values: ArrayLike) -> Bools:
    """Return True and False as they are, and for 1 and 0; raise where any value is another."""
    try:
        array = np.asarray(values)
    except ValueError:  # rows of several lengths
        raise ContractError(f"{name} must be an array of True and False; got {type(values).__name__}") from None
    right = (array == 0) | (array == 1) if array.dtype.kind in "biuf" else np.zeros(1, np.bool_)
    if not np.all(right):
        got = array[~right].flat[0] if array.dtype.kind in "biuf" else shape_of(array)
        raise ContractError(f"{name} must be True or False, or 1 or 0; got {got}")
    return np.asarray(array, np.bool_)


def within(value: object, least: float, most: float) -> bool:
    """Say whether it is a number between these; NaN is none, nor are True and False."""
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        return False
    return bool(least <= value <= most)


def shape_of(value: object) -> str:
    """Return what is said of a value that should have been an array."""
    return f"{value.shape} of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__


def _range(least: float, most: float) -> str:
    """Return a range in words; whole numbers with all their digits."""
    low, high = (str(bound) if isinstance(bound, int) else f"{bound:g}" for bound in (least, most))
    return f"[{low}, {high}]"
