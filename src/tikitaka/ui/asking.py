"""A command line that cannot be understood, in words: what is wrong, the rule, what was given and what to type."""

import re
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from cyclopts import CycloptsError, Parameter
from cyclopts import exceptions as wrong

from tikitaka.errors import TikitakaError, meant

EXAMPLES = {
    "play": "tikitaka play --blue my_team.py",
    "match": "tikitaka match my_team.py rookie",
    "ladder": "tikitaka ladder my_team.py rookie classic",
    "replay": "tikitaka replay runs/NAME",
    "new": "tikitaka new my_team.py",
    "bench": "tikitaka bench --league ssl-a",
    "lab": "tikitaka lab first-light",
    "doctor": "tikitaka doctor",
}
_KINDS: dict[object, tuple[str, str]] = {
    int: ("a whole number", " 3"),
    float: ("a number", " 60"),
    bool: ("yes or no", "=yes"),
}  # and one of them
_WHOLE = (int, int | None)


def strict(command: Callable[..., int]) -> Callable[..., int]:
    """Return the command; its whole numbers must be whole, where 1.5 would be rounded."""
    exact = Parameter(converter=_whole)
    for name, hint in command.__annotations__.items():
        if hint in _WHOLE:
            command.__annotations__[name] = Annotated[hint, exact]
    return command


def refusal(error: CycloptsError) -> TikitakaError:
    """Return what is wrong with a command line, for people."""
    name = next(iter(error.command_chain or ()), "")
    if isinstance(error, wrong.UnknownCommandError):
        given = (error.unused_tokens or [""])[0]
        return TikitakaError(f"there is no command {given!r}; {meant(given, EXAMPLES)}known: {', '.join(EXAMPLES)}")
    return TikitakaError(_told(f"tikitaka {name}", EXAMPLES.get(name, "tikitaka --help"), error))


def _told(command: str, example: str, error: CycloptsError) -> str:
    help_ = f"`{command} --help` tells more"
    if isinstance(error, wrong.CoercionError) and error.token is not None:
        kind, such = _KINDS.get(error.target_type, ("something else", " ..."))
        option = error.token.keyword or _name(error)
        return f"{option} must be {kind}; got {error.token.value!r}; write {option}{such}, say; {help_}"
    if isinstance(error, wrong.UnknownOptionError):
        given = error.token.keyword or error.token.value
        known = [option for argument in error.argument_collection for option in argument.names]
        return f"`{command}` has no option {given}; {meant(given, known)}{help_}"
    if isinstance(error, wrong.MissingArgumentError):
        return f"`{command}` needs {_needed(error)}; for example: {example}; {help_}"
    if isinstance(error, wrong.UnusedCliTokensError):
        words = " ".join(map(repr, error.unused_tokens or []))
        return f"`{command}` has no use for {words}; for example: {example}; {help_}"
    error.verbose = False
    return f"{str(error).rstrip('.')}; {help_}"


def _needed(error: CycloptsError) -> str:
    """Return what is missing, and what it is as the command's own words have it."""
    given = getattr(error, "keyword", None)
    if given:
        return f"a value after {given}"
    about = re.search(rf":param {_name(error).lower()}: ([^;.:]*)", getattr(error.target, "__doc__", None) or "")
    return f"{_name(error)}, {about[1][:1].lower()}{about[1][1:]}" if about else _name(error)


def _name(error: CycloptsError) -> str:
    return error.argument.name.lstrip("-").upper() if error.argument else "it"


def _whole(_hint: object, tokens: Sequence[Any]) -> int:
    try:
        return int(tokens[0].value)
    except ValueError:
        raise wrong.CoercionError(token=tokens[0], target_type=int) from None
