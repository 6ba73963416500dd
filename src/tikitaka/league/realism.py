"""How real a simulated match is: `ideal`, `friendly` or `realistic`, each a named set of numbers in `realism.toml`.

They go over a league's own [camera] and [radio]; a key that a set does not have stays the league's.
"""

import tomllib
from functools import cache
from pathlib import Path

from tikitaka.errors import UnknownNameError
from tikitaka.league.merge import Table

_FILE = Path(__file__).parent / "realism.toml"


def names() -> tuple[str, ...]:
    """Return the names of the sets, the plainest first."""
    return tuple(_sets())


def known(name: str) -> str:
    """Return the name, if there is such a set."""
    if name not in _sets():
        raise UnknownNameError("realism", name, names())
    return name


def numbers(name: object) -> Table:
    """Return the tables of a set; none for a name that is not known, which the league's own check then refuses."""
    found = _sets().get(name) if isinstance(name, str) else None
    return dict(found) if isinstance(found, dict) else {}


@cache
def _sets() -> Table:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))
