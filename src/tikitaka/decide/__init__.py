"""World -> Intents: who does what. A user's own team file is one of these."""

from tikitaka.decide.facts import Facts
from tikitaka.decide.loading import Brain, load
from tikitaka.decide.maps import maps
from tikitaka.decide.named import TEAMS, named
from tikitaka.decide.rookie import Roles
from tikitaka.decide.rookie import decide as rookie_team
from tikitaka.decide.rules import may_play
from tikitaka.decide.spec import Spec, parse
from tikitaka.decide.team import TeamMemory, forever
from tikitaka.decide.team import start as file_start
from tikitaka.decide.team import step as file_team
from tikitaka.decide.template import TEMPLATE

__all__ = [
    "TEAMS", "TEMPLATE", "Brain", "Facts", "Roles", "Spec", "TeamMemory", "file_start", "file_team", "forever", "load",
    "maps", "may_play", "named", "parse", "rookie_team",
]  # fmt: skip
