"""A validation error as lines for the person who wrote the file: file, key, rule, value."""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from tikitaka.league.merge import Origin
from tikitaka.league.model import League
from tikitaka.league.quantity import ImpossibleError

Loc = tuple[str | int, ...]

_BOUNDS = {
    "greater_than": ("greater than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than_equal": ("at most", "le"),
}
_KINDS = {
    "float_type": "a number",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "string_type": "a text",
    "tuple_type": "a list of numbers",
    "model_type": "a table",
    "finite_number": "a finite number",
}


def lines(error: ValidationError, file: str, origin: Origin) -> list[str]:
    """Return one line a problem, each with the file that holds the key."""
    return [f"{_file(loc, file, origin)}: {text}" for e in error.errors() for loc, text in _problems(e)]


def shown(value: object) -> str:
    """Return a value as TOML would have it, cut where it is long."""
    text = str(value).lower() if isinstance(value, bool) else _repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _repr(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # whole numbers of more than 4300 digits have no decimal text
        return "a huge number"


def _problems(e: ErrorDetails) -> Iterator[tuple[Loc, str]]:
    cause = e.get("ctx", {}).get("error")
    if isinstance(cause, ImpossibleError):
        for problem in cause.problems:
            loc = (*e["loc"], *problem.key.split("."))
            yield (), f"{_key(loc)} {problem.text}"
    else:
        yield e["loc"], _text(e)


def _text(e: ErrorDetails) -> str:
    loc, kind, ctx = e["loc"], e["type"], e.get("ctx", {})
    key, unit = _key(loc), _unit(loc)
    if kind == "extra_forbidden":
        return _unknown(loc)
    if kind == "missing":
        return f"{key} is missing{f' [{unit.strip()}]' if unit else ''}"
    return f"{key} must be {_rule(kind, ctx, e['msg'])}{unit if kind in _BOUNDS else ''}; got {shown(e['input'])}"


def _rule(kind: str, ctx: Mapping[str, Any], message: str) -> str:
    if kind in _BOUNDS:
        words, bound = _BOUNDS[kind]
        return f"{words} {ctx[bound]:g}"
    if kind == "literal_error":
        return str(ctx["expected"])
    if kind in ("too_short", "too_long"):
        return "a list of 3 or 4 numbers"
    if kind in ("string_too_short", "string_too_long"):
        return f"a text of 1 to {ctx.get('max_length', 60)} characters"
    return _KINDS.get(kind) or message[:1].lower() + message[1:]


def _unknown(loc: Loc) -> str:
    table, name = _model(loc[:-1]), str(loc[-1])
    known = [*(table.model_fields if table else ()), *(("extends",) if len(loc) == 1 else ())]
    near = difflib.get_close_matches(name, known, n=1)
    guess = f"; did you mean {near[0]!r}?" if near else ";"
    return f"unknown key {_key(loc)!r}{guess} known: {', '.join(known)}"


def _unit(loc: Loc) -> str:
    info = _info(loc)
    extra = info.json_schema_extra if info else None
    unit = extra.get("unit") if isinstance(extra, dict) else None
    return f" {unit}" if unit else ""


def _info(loc: Loc) -> FieldInfo | None:
    names = tuple(k for k in loc if isinstance(k, str))
    table = _model(names[:-1])
    return table.model_fields.get(names[-1]) if table and names else None


def _model(loc: Loc) -> type[BaseModel] | None:
    """Return the model of the table at ``loc``."""
    table: type[BaseModel] = League
    for name in loc:
        info = table.model_fields.get(str(name))
        inner = [t for t in (info.annotation, *get_args(info.annotation)) if _is_model(t)] if info else []
        if not inner:
            return None
        table = inner[0]
    return table


def _is_model(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _key(loc: Loc) -> str:
    return "".join(f"[{k}]" if isinstance(k, int) else f".{k}" for k in loc).removeprefix(".")


def _file(loc: Loc, file: str, origin: Origin) -> str:
    """Return the file that wrote the key, or the one that was loaded where none did."""
    return origin.get(tuple(k for k in loc if isinstance(k, str)), file)
