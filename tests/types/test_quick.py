"""Values that are made sooner are as frozen dataclasses always are."""

import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from tikitaka.types import Ball, quick


@dataclass(frozen=True, slots=True)
class Usual:
    """Made by the standard library alone."""

    a: int
    b: str
    c: float = 0.5
    d: tuple[int, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Quick:
    """The same, quick."""

    a: int
    b: str
    c: float = 0.5
    d: tuple[int, ...] = ()


def test_fields_are_given_by_place_by_name_or_by_default() -> None:
    made = (Quick(1, "x"), Quick(1, b="x", d=(3,)), Quick(1, "x", 2.0, (3,)))
    assert [(q.a, q.b, q.c, q.d) for q in made] == [(1, "x", 0.5, ()), (1, "x", 0.5, (3,)), (1, "x", 2.0, (3,))]
    assert inspect.signature(Quick) == inspect.signature(Usual)
    with pytest.raises(TypeError, match=r"Quick.__init__\(\) missing 1 required positional argument: 'b'"):
        Quick(1)  # type: ignore[call-arg]


def test_a_quick_value_cannot_be_changed_but_replaced_compared_hashed_and_pickled() -> None:
    q = Quick(1, "x")
    with pytest.raises(FrozenInstanceError):
        q.a = 2  # type: ignore[misc]
    assert replace(q, a=2) == Quick(2, "x") != q
    assert hash(q) == hash(Usual(1, "x"))
    ball = Ball(1.0, 2.0, 3.0, 4.0, 0.1)
    assert pickle.loads(pickle.dumps(ball)) == ball  # noqa: S301  our own bytes


def test_defaults_that_are_made_anew_are_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Fresh:
        a: list[int] = field(default_factory=list)

    with pytest.raises(TypeError, match="Fresh: every field of a quick dataclass must be given"):
        quick(Fresh)
