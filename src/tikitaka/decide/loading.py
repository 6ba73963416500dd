"""Loading a team of the user's own: a file, or an object of a module.

A file may say what can be asked of it: ``OPTIONS = {"press": "mid"}``, name and value when nothing is said; what was
said is in ``memory["options"]``, of the same type. It may name the leagues that it can play, ``LEAGUES = ["ssl-b"]``.
"""

import contextlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tikitaka.decide.spec import Spec
from tikitaka.decide.telling import at, first_line, said, short, where
from tikitaka.errors import OutOfTimeError, TeamError, meant
from tikitaka.types import Intent, World

Decide = Callable[[World, dict[str, Any]], Mapping[int, Intent]]
Limit = Callable[[], contextlib.AbstractContextManager[object]]  # what ends a file that never ends loading
ENDLESS = "is there a loop that never ends, or work that could be done once and kept in a file?"


@dataclass(frozen=True, slots=True)
class Brain:
    """A team's own code, loaded."""

    decide: Decide
    file: Path
    options: dict[str, Any]
    leagues: tuple[str, ...] = ()  # that it can play; none named: all
    kicks: bool = True  # False: its robots have no kickers, so it may ask for kicks and gets none


def load(spec: Spec, limit: Limit = contextlib.nullcontext) -> Brain:
    """Return a team from a file or a module, loaded within a limit; TeamError says what is wrong with it."""
    from_spec = _from_file if spec.is_file else _from_module
    module, decide, path = from_spec(spec.name, limit)
    try:
        inspect.signature(decide).bind(None, None)
    except TypeError:
        name = getattr(decide, "__name__", "decide")
        raise TeamError(
            f"{spec.name}{first_line(decide) if spec.is_file else ''}: {name} must take two arguments; "
            f"write `def {name}(world, memory):`"
        ) from None
    except ValueError:  # a function that cannot say what it takes
        pass
    return Brain(decide, path, _options(spec, getattr(module, "OPTIONS", {})), _leagues(spec, module))


def _options(spec: Spec, known: object) -> dict[str, Any]:
    """Return what the file's OPTIONS become with what was asked for."""
    if not isinstance(known, dict):
        raise TeamError(f"{spec.name}: OPTIONS must be a dict of name: value; got {short(known)}")
    for key, text in spec.options.items():
        if key not in known:
            listed = ", ".join(map(repr, known)) or "none"
            raise TeamError(f"{spec.name} has no option {key!r}; {meant(key, map(str, known))}its OPTIONS: {listed}")
        known = {**known, key: _like(spec.name, key, known[key], text)}
    return known


def _leagues(spec: Spec, module: ModuleType) -> tuple[str, ...]:
    """Return the file's LEAGUES."""
    named = getattr(module, "LEAGUES", ())
    if not isinstance(named, list | tuple) or not all(isinstance(name, str) for name in named):
        raise TeamError(f"{spec.name}: LEAGUES must be a list of names; got {short(named)}")
    return tuple(named)


def _like(name: str, key: str, example: object, text: str) -> object:
    """Return a text as a value of the example's type."""
    words = {"on": True, "true": True, "yes": True, "off": False, "false": False, "no": False}
    try:
        if isinstance(example, bool):
            return words[text.lower()]
        return type(example)(text) if isinstance(example, int | float) else text
    except (ValueError, KeyError):
        kind = {bool: "on or off", int: "a whole number"}.get(type(example), "a number")
        raise TeamError(f"{name}: option {key} must be {kind}; got {text!r}") from None


def _from_file(name: str, limit: Limit) -> tuple[ModuleType, Decide, Path]:
    path = Path(name)
    if path.is_dir():
        raise TeamError(f"{path}: is a folder; a team is one file, such as {path / 'my_team.py'}")
    if not path.is_file():
        raise TeamError(f"{path}: no such team file; `tikitaka new {path.name}` writes one to start from")
    module = _import(path, limit)
    decide = getattr(module, "decide", None)
    if not callable(decide):
        raise TeamError(f"{path}: has no function `decide(world, memory)`; `tikitaka new` shows one")
    return module, decide, path


def _from_module(name: str, limit: Limit) -> tuple[ModuleType, Decide, Path]:
    package, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # a module of the user's own
    try:
        with limit():
            module = importlib.import_module(package)
    except KeyboardInterrupt:
        raise
    except OutOfTimeError as error:
        raise TeamError(f"cannot import the team {name!r}: {said(error)}; {ENDLESS}") from None
    except BaseException as error:
        raise TeamError(f"cannot import the team {name!r}: {type(error).__name__}: {said(error)}") from None
    decide = getattr(module, attribute, None)
    if not callable(decide):
        raise TeamError(
            f"module {package} has no function {attribute!r} that takes world and memory; see `tikitaka new`"
        )
    return module, decide, Path(getattr(module, "__file__", None) or package)


def _import(path: Path, limit: Limit) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"tikitaka_team_{path.stem}", path.resolve())
    if spec is None or spec.loader is None:
        raise TeamError(f"{path}: a team file must be a Python file with the ending .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up there
    if str(path.resolve().parent) not in sys.path:
        sys.path.append(str(path.resolve().parent))  # modules beside the file can be imported
    keep, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        with limit():
            spec.loader.exec_module(module)
    except OutOfTimeError as error:
        raise TeamError(f"cannot load the team: {path.name}{at(error, path)}: {said(error)}; {ENDLESS}") from None
    except SyntaxError as error:
        at_line = f", line {error.lineno}" if error.lineno else ""
        line = f" in `{error.text.strip()}`" if error.text else ""
        raise TeamError(f"{path.name}{at_line}: SyntaxError: {error.msg}{line}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise TeamError(f"cannot load the team: {where(error, path)}") from None
    finally:
        sys.dont_write_bytecode = keep
    return module
