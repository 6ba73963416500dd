"""What the numbers of parameters must be, and what is said where they are not."""

import math
from collections.abc import Iterable

import numpy as np

from tikitaka.errors import ContractError


def expect(params: object, above_zero: Iterable[str], from_zero: Iterable[str] = ()) -> None:
    """Raise where a named field is no finite number, or too small."""
    for names, rule, least in ((above_zero, "above 0", math.ulp(0.0)), (from_zero, "at least 0", 0.0)):
        for name in names:
            value = getattr(params, name)
            if not isinstance(value, int | float | np.floating) or not least <= value < math.inf:
                raise ContractError(f"{name} must be finite and {rule}; got {value!r}")


def expect_array(name: str, value: object, shape: tuple[int | str, ...]) -> None:
    """Raise where a value is no array of finite numbers of this shape; a letter stands for any size."""
    got = value.shape if isinstance(value, np.ndarray) else ()
    fits = len(got) == len(shape) and all(isinstance(n, str) or n == m for n, m in zip(shape, got, strict=True))
    if not fits or not np.isfinite(np.asarray(value)).all():
        wanted = ", ".join(map(str, shape))
        raise ContractError(f"{name} must be an array ({wanted}) of finite numbers; got {got or type(value)}: {value}")
