"""Every exception that tikitaka raises.

TikitakaError              what a user may see: one message, no traceback
|- LeagueError             a league file: names file, key, rule and value
|- TeamError               a team file that cannot be loaded: names file, line and what to write instead
|- RunError                a run folder or a log: cannot be written, read or replayed
|- OutlineError            a robot's outline that cannot be: names point, reason and value
|- ContractError           a value that crosses stages has the wrong shape: names field, rule and value
|- ServeError              a port or an address that cannot be used
`- UnknownNameError        a name that nobody knows: lists the known ones

OutOfTimeError             a team's code has used up its time; no Exception, so that the team's own handlers let it pass

Noise, lost packets, infeasible plans and faults of a team during a match are not exceptions: they are counted.
"""

import difflib
from collections.abc import Iterable


class TikitakaError(Exception):
    """Base of all: the message is written for the person at the keyboard."""


class LeagueError(TikitakaError):
    """A league file is wrong."""


class TeamError(TikitakaError):
    """A team file cannot be loaded."""


class RunError(TikitakaError):
    """A run folder or its log cannot be used."""


class ContractError(TikitakaError):
    """A value that crosses stages has the wrong shape."""


class OutlineError(TikitakaError):
    """A robot's outline cannot be."""


class ServeError(TikitakaError):
    """The live page cannot be served."""


class OutOfTimeError(BaseException):
    """A team's code has used up its time."""


class UnknownNameError(TikitakaError):
    """A name is not one of the known ones."""

    def __init__(self, kind: str, name: str, known: Iterable[str], hint: str = "") -> None:
        known = tuple(known)
        listed = ", ".join(repr(k) for k in known)
        super().__init__(f"unknown {kind} {name!r}; {meant(name, known)}known: {listed}{'; ' + hint if hint else ''}")


def meant(name: str, known: Iterable[str]) -> str:
    """Return a question about the known name that is most like this one, nothing where none is."""
    if not name:
        return ""
    listed = list(known)
    near = [k for k in listed if k.startswith(name.lower())] or difflib.get_close_matches(name.lower(), listed, n=1)
    return f"did you mean {near[0]!r}? " if near else ""
