"""Compiling all that a planner may ask for: no match waits for it when it first happens."""

import math

import numpy as np

from tikitaka.plan.kernels.shapes import CIRCLE
from tikitaka.plan.params import Params, Search
from tikitaka.plan.paths import find
from tikitaka.plan.planner import start, step
from tikitaka.types import Ball, Game, Intents, Phase, Robots, World

CORNERS = 12  # circles of the ring from which there is no way out


def warm(params: Params) -> None:
    """Plan for one robot among nobody, then from within a closed ring, where the search fails."""
    nobody, alone = np.zeros((0, 3)), np.zeros((1, 3))
    game = Game(Phase.PLAY, 0.0, 0, 0, ours=True)
    ours, theirs = Robots(alone, alone, np.zeros(1)), Robots(nobody, nobody, np.zeros(0))
    world = World(0.0, params.field, Ball(0.0, 0.0, 0.0, 0.0, 0.0), ours, theirs, game)
    step(params, start(params, 1), world, Intents.blank(np.ones(1, np.bool_)))
    angles = [2.0 * math.pi * k / CORNERS for k in range(CORNERS)]
    ring = np.array([(math.cos(a), math.sin(a), math.cos(a), math.sin(a), 0.6, CIRCLE) for a in angles])
    for x in (0.0, 1.0):  # in the open, and inside an obstacle
        find(np.array((x, 0.0)), np.array((3.0, 0.0)), ring, params.body.hull, Search(budget=4))
