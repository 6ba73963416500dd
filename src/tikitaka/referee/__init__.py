"""View -> Events: rules, placement, clock."""

from tikitaka.referee.book import BOOK, Rule, describe
from tikitaka.referee.params import Params, Rules, Whistle
from tikitaka.referee.placement import kick_off, line_up
from tikitaka.referee.rules import begin, game, step
from tikitaka.referee.view import Touch, View, view_of_world

__all__ = [
    "BOOK",
    "Params",
    "Rule",
    "Rules",
    "Touch",
    "View",
    "Whistle",
    "begin",
    "describe",
    "game",
    "kick_off",
    "line_up",
    "step",
    "view_of_world",
]
