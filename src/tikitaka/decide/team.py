"""A team of the user's own: one Python file with a function ``decide(world, memory)``.

Whatever the file does wrong during a match is a fault, not an exception: its robots stop for that tick, the fault is
counted, and each different fault is told once, with file and line. A file that takes too long is stopped too, and is no
longer asked after `PATIENCE` times.
"""

import contextlib
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from tikitaka.decide.loading import Brain
from tikitaka.decide.telling import last_lines, short, where
from tikitaka.errors import OutOfTimeError
from tikitaka.types import BallUse, Intent, Intents, World

FAR = 1000.0  # [m] a target beyond this is a mistake
LONGEST = 500  # characters of a fault that are kept
TOLD = 20  # different faults that are kept; the others are counted
PATIENCE = 10  # ticks without an answer in time after which a team is not asked again

Within = Callable[[bool], contextlib.AbstractContextManager[object]]  # the first call? -> what ends it in time


@dataclass(frozen=True, slots=True)
class TeamMemory:
    """What is remembered of a user's team between two ticks."""

    own: dict[str, Any] = field(default_factory=dict)  # the file's own memory
    called: bool = False  # its first call may take longer: it may import or compile
    late: int = 0  # ticks at which it did not answer in time
    faults: int = 0
    told: tuple[str, ...] = ()  # every different fault, in order


class NonsenseError(Exception):
    """What the file returned cannot be driven."""


def start(brain: Brain) -> TeamMemory:
    """Return what the team remembers before its first tick."""
    return TeamMemory({"options": dict(brain.options)} if brain.options else {})


def forever(_first: bool) -> contextlib.AbstractContextManager[object]:
    """Return a limit that never ends."""
    return contextlib.nullcontext()


def step(brain: Brain, within: Within, memory: TeamMemory, world: World) -> tuple[TeamMemory, Intents]:
    """Return the team's memory and its intents; a fault is noted and stops all its robots."""
    decide, file, stop = brain.decide, brain.file, Intents.stop(len(world.ours))
    if memory.late >= PATIENCE:
        return memory, stop
    first = not memory.called
    memory = replace(memory, called=True) if first else memory
    try:
        with within(first):
            answer = decide(world, memory.own)
        intents = read(answer, len(world.ours))
        if not brain.kicks:
            intents.kick[:], intents.lift[:] = 0.0, 0.0
        return memory, intents
    except KeyboardInterrupt:
        raise
    except OutOfTimeError as error:
        return _late(memory, where(error, file)), stop
    except NonsenseError as error:
        return _fault(memory, f"{file.name}{last_lines(decide)}: decide() {error}"), stop
    except BaseException as error:  # sys.exit() in a team file is a fault like any other
        return _fault(memory, where(error, file)), stop


def read(answer: object, n: int) -> Intents:
    """Return a team's answer as arrays; robots that it does not name stand still."""
    if not isinstance(answer, Mapping):
        raise NonsenseError(f"must return a dict of robot number: Intent; got {short(answer)}")
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
        raise NonsenseError(f"names an unknown robot {short(key)}; known: 0 to {n - 1}")
    return number


def _as_intent(number: int, wish: object) -> Intent:
    if isinstance(wish, Intent):
        return wish
    if isinstance(wish, np.ndarray):
        wish = wish.tolist()
    if isinstance(wish, Sequence) and not isinstance(wish, str | bytes) and len(wish) in (2, 3):
        return Intent(*wish)
    raise NonsenseError(f"robot {number}: must be an Intent(x, y) or (x, y); got {short(wish)}")


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
    raise NonsenseError(f"robot {number}: {name} must be a number; got {short(value)}")


def _late(memory: TeamMemory, text: str) -> TeamMemory:
    memory = _fault(replace(memory, late=memory.late + 1), text)
    if memory.late < PATIENCE:
        return memory
    return _fault(memory, f"{text}; {PATIENCE} times now: it is not asked again, its robots stand still")


def _fault(memory: TeamMemory, text: str) -> TeamMemory:
    text = text.encode("utf-8", "replace").decode()[:LONGEST]  # it goes to the log and to the page
    told = memory.told if text in memory.told or len(memory.told) >= TOLD else (*memory.told, text)
    return replace(memory, faults=memory.faults + 1, told=told)
