"""Leagues by name or by file.

Every failure is a LeagueError or an UnknownNameError, with all of a file's problems at once.
"""

import os
import stat
import tomllib
from pathlib import Path

from pydantic import ValidationError

from tikitaka.errors import LeagueError, UnknownNameError
from tikitaka.league import realism as realisms
from tikitaka.league.merge import Origin, Table, merge, origins
from tikitaka.league.model import League
from tikitaka.league.report import lines, shown
from tikitaka.league.write import dump

__all__ = ["DEFAULT", "dump", "load", "names"]

DEFAULT = "mirosot-5v5"
MAX_BYTES = 1 << 20
MAX_CHAIN = 16
_PRESETS = Path(__file__).parent / "presets"
_HINT = "a path to a TOML file works as well"


def names() -> tuple[str, ...]:
    """Return the presets' names, the default first."""
    found = sorted(p.stem for p in _PRESETS.glob("*.toml"))
    return (DEFAULT, *(n for n in found if n != DEFAULT))


def load(name_or_path: str | Path = DEFAULT, realism: str | None = None) -> League:
    """Return the league of that name, or the one in that file, as real as told; None: as the file says."""
    path = _find(name_or_path, Path())
    table, origin = _resolve(path, ())
    if realism is not None:
        table["realism"] = realisms.known(realism)
    table = merge(table, realisms.numbers(table.get("realism")))
    try:
        return League.model_validate(table)
    except ValidationError as error:
        raise LeagueError("\n".join(lines(error, str(path), origin))) from None


def _find(name: str | Path, folder: Path) -> Path:
    """Return the file behind a preset's name or a path; ``folder`` is where relative paths start."""
    if isinstance(name, str) and name in names():
        return _PRESETS / f"{name}.toml"
    path = folder / name
    if isinstance(name, Path) or name.endswith(".toml") or os.sep in name or _is_file(path):
        return path
    raise UnknownNameError("league", name, names(), _HINT)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def _resolve(path: Path, chain: tuple[Path, ...]) -> tuple[Table, Origin]:
    """Return the file merged over all that it extends, and who wrote which key."""
    table = _parse(path)
    own = origins(table, path)
    base, origin = _base(path, table.pop("extends", None), chain)
    base.pop("title", None)
    base.pop("name", None)
    merged = merge(base, table)
    merged.setdefault("name", path.stem)
    merged.setdefault("title", merged["name"])
    return merged, {**origin, **own}


def _base(path: Path, extends: object, chain: tuple[Path, ...]) -> tuple[Table, Origin]:
    if extends is None:
        return {}, {}
    if not isinstance(extends, str):
        raise LeagueError(f"{path}: extends must be a preset's name or a path; got {shown(extends)}")
    try:
        base = _find(extends, path.parent)
    except UnknownNameError as error:
        raise LeagueError(f"{path}: extends: {error}") from None
    longer = (*chain, _real(path))
    if _real(base) in longer:
        raise LeagueError(f"{path}: extends must not lead back to itself; got {shown(extends)}")
    if len(longer) > MAX_CHAIN:
        raise LeagueError(f"{path}: extends must not go on for more than {MAX_CHAIN} files; got {shown(extends)}")
    try:
        return _resolve(base, longer)
    except LeagueError as error:
        raise LeagueError(f"{error}\n{path}: extends this file: {shown(extends)}") from None


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path


def _parse(path: Path) -> Table:
    data = _read(path)
    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise LeagueError(f"{path}: must be UTF-8 text; byte {error.start} is not") from None
    except (ValueError, RecursionError) as error:  # also whole numbers of thousands of digits
        what = str(error).replace("at end of document", f"at {_end(data)}, the end of the file")
        raise LeagueError(f"{path}: broken TOML: {what}") from None


def _end(data: bytes) -> str:
    last = data.splitlines()[-1:] or [b""]
    return f"line {max(1, len(data.splitlines()))}, column {len(last[0]) + 1}"


def _read(path: Path) -> bytes:
    """Return the bytes of a plain file of bearable size."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            what = "a directory" if stat.S_ISDIR(mode) else "not a plain file"
            raise LeagueError(f"{path}: must be a TOML file; it is {what}")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise LeagueError(f"{path}: no such file; presets: {', '.join(names())}") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise LeagueError(f"{str(path)!r}: cannot be read: {reason}") from None
    if len(data) > MAX_BYTES:
        raise LeagueError(f"{path}: must be at most {MAX_BYTES} bytes; it is larger")
    return data
