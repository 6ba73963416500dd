"""World -> Events: rules, placement, clock."""

from tikitaka.referee.placement import kick_off, line_up
from tikitaka.referee.rules import Params, Whistle, begin, game, step

__all__ = ["Params", "Whistle", "begin", "game", "kick_off", "line_up", "step"]
