"""The avoidance that avoids nobody."""

import numpy as np

from tikitaka import avoid
from tikitaka.league import load
from tikitaka.types import Ball, Game, Intents, Phase, Plans, Robots, World


def test_plans_come_back_as_they_are() -> None:
    robots = Robots(np.zeros((2, 3)), np.zeros((2, 3)), np.zeros(2))
    game = Game(Phase.PLAY, 1.0, 0, 0, kick_off_ours=True)
    world = World(0.0, load("vsss-3v3").field.geometry(), Ball(0.0, 0.0, 0.0, 0.0, 0.0), robots, robots, game)
    plans = Plans(Intents.stop(2), np.full(2, 2), np.ones((2, 2, 2)), np.zeros((2, 2)), *np.zeros((2, 2), np.int64))
    assert avoid.step(world, plans) is plans
