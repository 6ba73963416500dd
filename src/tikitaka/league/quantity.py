"""How a number of a league is declared: its unit, its bounds, and what goes wrong together with others."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field


class Problem(NamedTuple):
    """One broken rule: the dotted key and what to say about it."""

    key: str
    text: str


class ImpossibleError(ValueError):
    """Numbers that are fine one by one and impossible together; `load` turns it into a LeagueError."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(f"{p.key} {p.text}" for p in self.problems))


class Part(BaseModel):
    """Base of all parts of a league: frozen, strict, no unknown keys, finite numbers."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


def above_zero(unit: str, most: float) -> Any:  # noqa: ANN401  pydantic types its own Field as Any
    """Return the declaration of a number in (0, most]."""
    return Field(gt=0.0, le=most, json_schema_extra={"unit": unit})


def optional(unit: str, least: float, most: float) -> Any:  # noqa: ANN401
    """Return the declaration of a number in [least, most] that may be left out."""
    return Field(None, ge=least, le=most, json_schema_extra={"unit": unit})


def between(unit: str, least: float, most: float) -> Any:  # noqa: ANN401
    """Return the declaration of a number in [least, most]."""
    return Field(ge=least, le=most, json_schema_extra={"unit": unit})


def refuse(problems: Iterable[Problem]) -> None:
    """Raise all the problems at once, if there are any."""
    found = tuple(problems)
    if found:
        raise ImpossibleError(found)
