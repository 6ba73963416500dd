"""World -> Intents: who does what. A user's own team file is one of these."""

from tikitaka.decide.rookie import Params, Roles, decide
from tikitaka.decide.team import TeamMemory, load, step
from tikitaka.decide.template import TEMPLATE

__all__ = ["TEMPLATE", "Params", "Roles", "TeamMemory", "decide", "load", "step"]
