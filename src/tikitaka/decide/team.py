"""A team of the user's own: one Python file with a function ``decide(world, memory)``.

Whatever the file does wrong during a match is a fault, not an exception: its robots stop for that tick, the fault is
counted, and each different fault is told once, with file and line.
"""

import importlib.util
import inspect
import math
import operator
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from tikitaka.errors import TeamError
from tikitaka.types import BallUse, Intent, Intents, World

FAR = 1000.0  # [m] a target beyond this is a mistake
LONGEST = 500  # characters of a fault that are kept
TOLD = 20  # different faults that are kept; the others are counted

Decide = Callable[[World, dict[str, Any]], Mapping[int, Intent]]


@dataclass(frozen=True, slots=True)
class TeamMemory:
    """What is remembered of a user's team between two ticks."""

    own: dict[str, Any] = field(default_factory=dict)  # the file's own memory
    faults: int = 0
    told: tuple[str, ...] = ()  # every different fault, in order


class NonsenseError(Exception):
    """What the file returned cannot be driven."""


def load(path: Path) -> Decide:
    """Return the ``decide`` function of a team file; TeamError says what is wrong with the file."""
    if not path.is_file():
        raise TeamError(f"{path}: no such team file; `tikitaka new {path.name}` writes one to start from")
    module = _import(path)
    decide = getattr(module, "decide", None)
    if not callable(decide):
        raise TeamError(f"{path}: has no function `decide(world, memory)`; `tikitaka new` shows one")
    try:
        inspect.signature(decide).bind(None, None)
    except TypeError:
        raise TeamError(f"{path}{_first_line(decide)}: decide must take two arguments, world and memory") from None
    except ValueError:  # a function that cannot say what it takes
        pass
    return decide  # type: ignore[no-any-return]


def step(decide: Decide, file: Path, memory: TeamMemory, world: World) -> tuple[TeamMemory, Intents]:
    """Return the team's memory and its intents; a fault is noted and stops all its robots."""
    try:
        answer = decide(world, memory.own)
        return memory, read(answer, len(world.ours))
    except KeyboardInterrupt:
        raise
    except NonsenseError as error:
        return _fault(memory, f"{file.name}{_first_line(decide)}: decide() {error}"), Intents.stop(len(world.ours))
    except BaseException as error:  # sys.exit() in a team file is a fault like any other
        return _fault(memory, _where(error, file)), Intents.stop(len(world.ours))


def read(answer: object, n: int) -> Intents:
    """Return a team's answer as arrays; robots that it does not name stand still."""
    if not isinstance(answer, Mapping):
        raise NonsenseError(f"must return a dict of robot number: Intent; got {_short(answer)}")
    intents = Intents.stop(n)
    for number, wish in answer.items():
        _read_one(intents, number, wish, n)
    return intents


def _read_one(intents: Intents, key: object, wish: object, n: int) -> None:
    number = _robot(key, n)
    wish = _as_intent(number, wish)
    values = _numbers(number, wish)
    intents.active[number] = True
    intents.target[number] = values["x"], values["y"], values["theta"]
    intents.end_speed[number] = max(0.0, values["end_speed"])
    intents.max_speed[number] = max(0.0, values["max_speed"])
    intents.kick[number] = max(0.0, values["kick"])
    intents.lift[number] = max(0.0, values["lift"])
    intents.dribble[number] = bool(values["dribble"])
    intents.ball[number] = _ball_use(number, values["ball"])
    intents.contact[number] = bool(values["contact"])
    intents.keeper[number] = bool(values["keeper"])


def _ball_use(number: int, value: float) -> BallUse:
    if value not in (0.0, 1.0, 2.0):
        raise NonsenseError(f"robot {number}: ball must be BallUse.PLAY, AVOID or APPROACH; got {value:g}")
    return BallUse(int(value))


def _robot(key: object, n: int) -> int:
    try:
        number = -1 if isinstance(key, bool) else operator.index(key)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if not 0 <= number < n:
        raise NonsenseError(f"names an unknown robot {_short(key)}; known: 0 to {n - 1}")
    return number


def _as_intent(number: int, wish: object) -> Intent:
    if isinstance(wish, Intent):
        return wish
    if isinstance(wish, np.ndarray):
        wish = wish.tolist()
    if isinstance(wish, Sequence) and not isinstance(wish, str | bytes) and len(wish) in (2, 3):
        return Intent(*wish)
    raise NonsenseError(f"robot {number}: must be an Intent(x, y) or (x, y); got {_short(wish)}")


def _numbers(number: int, wish: Intent) -> dict[str, float]:
    values = {}
    for f in fields(Intent):
        value = _number(number, f.name, getattr(wish, f.name))
        may_be_nan, may_be_inf = f.name == "theta", f.name == "max_speed"
        if (math.isnan(value) and not may_be_nan) or (math.isinf(value) and not may_be_inf):
            raise NonsenseError(f"robot {number}: {f.name} must be finite; got {value}")
        if f.name in ("x", "y") and abs(value) > FAR:
            raise NonsenseError(f"robot {number}: {f.name} must be within {FAR:g} m of the centre; got {value:g}")
        values[f.name] = value
    return values


def _number(number: int, name: str, value: object) -> float:
    try:
        if not isinstance(value, str | bytes):
            return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        pass
    raise NonsenseError(f"robot {number}: {name} must be a number; got {_short(value)}")


def _fault(memory: TeamMemory, text: str) -> TeamMemory:
    text = text.encode("utf-8", "replace").decode()[:LONGEST]  # it goes to the log and to the page
    told = memory.told if text in memory.told or len(memory.told) >= TOLD else (*memory.told, text)
    return replace(memory, faults=memory.faults + 1, told=told)


def _where(error: BaseException, file: Path) -> str:
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(file.resolve())]
    line = f", line {frames[-1].lineno}" if frames else ""
    text = f"{type(error).__name__}: {_said(error)}".replace(f"{file.resolve().parent}/", "")
    return f"{file.name}{line}: {text}"


def _first_line(decide: Decide) -> str:
    code = getattr(decide, "__code__", None)
    return f", line {code.co_firstlineno}" if code else ""


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # a __str__ of the user's own
        return "(it cannot say what)"


def _import(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"tikitaka_team_{path.stem}", path.resolve())
    if spec is None or spec.loader is None:
        raise TeamError(f"{path}: a team file must be a Python file with the ending .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up there
    if str(path.resolve().parent) not in sys.path:
        sys.path.append(str(path.resolve().parent))  # modules beside the file can be imported
    keep, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise TeamError(f"{path.name}, line {error.lineno}: SyntaxError: {error.msg}") from None
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise TeamError(f"cannot load the team: {_where(error, path)}") from None
    finally:
        sys.dont_write_bytecode = keep
    return module


def _short(value: object) -> str:
    try:
        text = repr(value)
    except Exception:  # a repr of the user's own
        text = type(value).__name__
    return text if len(text) <= 60 else text[:57] + "..."
