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
    """Plan for two robots among two, then from within a closed ring, where the search fails."""
    tracks = np.zeros((4, 6))  # laid out as the estimator's, columns of one table: numba compiles anew for any other
    tracks[:, 0] = np.arange(4.0)  # [m] apart
    tracks.setflags(write=False)
    ours, theirs = (Robots(tracks[k : k + 2, :3], tracks[k : k + 2, 3:], np.zeros(2)) for k in (0, 2))
    world = World(
        0.0, params.field, Ball(0.0, 0.0, 0.0, 0.0, 0.0), ours, theirs, Game(Phase.PLAY, 0.0, 0, 0, ours=True)
    )
    step(params, start(params, 2), world, Intents.blank(2))
    angles = [2.0 * math.pi * k / CORNERS for k in range(CORNERS)]
    ring = np.array([(math.cos(a), math.sin(a), math.cos(a), math.sin(a), 0.6, CIRCLE) for a in angles])
    for x in (0.0, 1.0):  # in the open, and inside an obstacle
        find(np.array((x, 0.0)), np.array((3.0, 0.0)), ring, params.body.hull, Search(budget=4))
