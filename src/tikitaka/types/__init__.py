"""Frozen values that cross stages. Nothing here computes, but its own geometry; stages import these, not each other."""

from tikitaka.types.arrays import Bools, Floats, Ints
from tikitaka.types.commands import Commands
from tikitaka.types.detections import OURS, THEIRS, UNLABELLED, Detections
from tikitaka.types.feedback import Barrier, Feedback
from tikitaka.types.field import Field
from tikitaka.types.frame import BLUE, YELLOW, Frame
from tikitaka.types.game import Event, EventKind, Game, Phase
from tikitaka.types.intents import ANY_HEADING, BallUse, Intent, Intents
from tikitaka.types.outline import Outline
from tikitaka.types.plans import PlanReason, Plans, PlanStatus
from tikitaka.types.world import Ball, Robots, World

__all__ = [
    "ANY_HEADING",
    "BLUE",
    "OURS",
    "THEIRS",
    "UNLABELLED",
    "YELLOW",
    "Ball",
    "BallUse",
    "Barrier",
    "Bools",
    "Commands",
    "Detections",
    "Event",
    "EventKind",
    "Feedback",
    "Field",
    "Floats",
    "Frame",
    "Game",
    "Intent",
    "Intents",
    "Ints",
    "Outline",
    "Phase",
    "PlanReason",
    "PlanStatus",
    "Plans",
    "Robots",
    "World",
]
