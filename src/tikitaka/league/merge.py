"""How a file overrides what it extends.

Tables merge key by key, anything else is replaced. Two rules more, as TOML has no null:
- a file that chooses another ``robot.shape`` or ``robot.drive`` drops the base's keys of the old one;
- ``key = "none"`` inside a table drops the base's key (a kicker, a mouth).
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from tikitaka.league.checks import DRIVE_KEYS, SHAPE_EXTRAS, SHAPE_KEYS

Table = dict[str, object]
Origin = dict[tuple[str, ...], str]  # which file a key was last written in
NONE = "none"


def merge(base: Table, over: Table) -> Table:
    """Return the base overridden; neither is touched."""
    return _merged(_without_old_choices(base, over), over, inside=False)


def origins(table: Table, file: str | Path, prefix: tuple[str, ...] = ()) -> Origin:
    """Return the file's name for every key that the table holds."""
    found: Origin = {}
    for key, value in table.items():
        found[(*prefix, key)] = str(file)
        if isinstance(value, dict):
            found.update(origins(value, file, (*prefix, key)))
    return found


def _merged(base: Table, over: Table, *, inside: bool) -> Table:
    result = dict(base)
    for key, value in over.items():
        below = result.get(key)
        if inside and value == NONE:
            result.pop(key, None)
        elif isinstance(value, dict):
            result[key] = _merged(below if isinstance(below, dict) else {}, value, inside=True)
        else:
            result[key] = value
    return result


def _without_old_choices(base: Table, over: Table) -> Table:
    old, new = base.get("robot"), over.get("robot")
    if not isinstance(old, dict) or not isinstance(new, dict):
        return base
    dropped = set(_dropped(old, new))
    return {**base, "robot": {k: v for k, v in old.items() if k not in dropped}}


def _dropped(old: Mapping[str, object], new: Mapping[str, object]) -> Iterator[str]:
    for choice, tables in (("shape", (SHAPE_KEYS, SHAPE_EXTRAS)), ("drive", (DRIVE_KEYS,))):
        before = old.get(choice)
        if choice in new and new[choice] != before and isinstance(before, str):
            for table in tables:
                yield from table.get(before, ())
