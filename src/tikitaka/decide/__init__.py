"""World -> Intents: who does what. A user's own team file is one of these."""

from tikitaka.decide.rookie import Params as RookieParams
from tikitaka.decide.rookie import Roles
from tikitaka.decide.rookie import decide as rookie_team
from tikitaka.decide.team import TeamMemory, load
from tikitaka.decide.team import step as file_team
from tikitaka.decide.template import TEMPLATE

__all__ = ["TEMPLATE", "Roles", "RookieParams", "TeamMemory", "file_team", "load", "rookie_team"]
