"""A team as people write it: ``tikitaka``, ``my_team.py`` or ``package.module:object``, then ``:option=value,...``."""

from dataclasses import dataclass, field

from tikitaka.decide.named import OPTIONS, TEAMS
from tikitaka.errors import TeamError


@dataclass(frozen=True, slots=True)
class Spec:
    """Which team, and what it is asked for."""

    name: str  # of a team that ships with us, the path of a file, or module:object
    options: dict[str, str] = field(default_factory=dict)

    @property
    def is_file(self) -> bool:
        """It is the path of a team file."""
        return self.name.endswith(".py")

    @property
    def is_module(self) -> bool:
        """It is an object of a module that can be imported."""
        return not self.is_file and ":" in self.name

    def __str__(self) -> str:
        wishes = ",".join(f"{key}={value}" for key, value in self.options.items())
        return f"{self.name}:{wishes}" if wishes else self.name


def parse(text: str) -> Spec:
    """Return the team that a text names; TeamError says what is wrong with its options."""
    name, colon, tail = text.rpartition(":")
    if not colon or "=" not in tail:
        if name in TEAMS or name.endswith(".py"):
            raise TeamError(f"team {text!r}: an option must be name=value; got {tail!r}; {_instead(name)}")
        return Spec(text)
    options = dict[str, str]()
    for wish in tail.split(","):
        key, equals, value = (part.strip() for part in wish.partition("="))
        if not (key and equals and value):
            raise TeamError(f"team {text!r}: an option must be name=value; got {wish!r}; {_instead(name)}")
        if key in options:
            raise TeamError(f"team {text!r}: option {key!r} must be given once; got {options[key]!r} and {value!r}")
        options[key] = value
    return Spec(name, options)


def _instead(name: str) -> str:
    """Return what may be written in place of a wish that is none."""
    known = OPTIONS.get(name, {})
    example = next((f"{name}:{key}={values[-1] if values else 0}" for key, values in known.items()), "")
    if name in TEAMS:
        return f"write {example} or just {name}" if example else f"write just {name}, it has no options"
    return f"write {name}:press=high for an OPTION of the file, or just {name}: its function is always decide()"
