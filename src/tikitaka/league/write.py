"""A resolved league as TOML text."""

import json

from tikitaka.league.model import League


def dump(league: League) -> str:
    """Return the league as TOML that `load` reads back to an equal one."""
    return "\n".join(_table("", league.model_dump(exclude_none=True))).lstrip("\n") + "\n"


def _table(name: str, table: dict[str, object]) -> list[str]:
    head = ["", f"[{name}]"] if name else []
    values = [f"{k} = {_value(v)}" for k, v in table.items() if not isinstance(v, dict)]
    inner = [_table(f"{name}.{k}".lstrip("."), v) for k, v in table.items() if isinstance(v, dict)]
    return [*head, *values, *(line for lines in inner for line in lines)]


def _value(value: object) -> str:
    if isinstance(value, tuple | list):
        return f"[{', '.join(_value(v) for v in value)}]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value).lower() if isinstance(value, bool) else repr(value)
