"""Robots on courses, and the stage called on them."""

import math
from dataclasses import replace

import numpy as np

from tikitaka import avoid
from tikitaka.avoid import Method, Params
from tikitaka.league import load
from tikitaka.types import Ball, Floats, Game, Intents, Phase, Plans, Robots, World

Row = tuple[float, float, float, float]  # x, y, heading, speed along it
FIELD = load("mirosot-5v5").field.geometry()


def robots(rows: list[Row]) -> Robots:
    """Return robots that go along their headings."""
    table = np.array(rows, np.float64).reshape(-1, 4)
    x, y, course, speed = table.T
    pose = np.stack((x, y, course), axis=1)
    velocity = np.stack((speed * np.cos(course), speed * np.sin(course), 0.0 * x), axis=1)
    return Robots(pose, velocity, np.zeros(len(table)))


def world(ours: list[Row], theirs: list[Row] | None = None) -> World:
    game = Game(Phase.PLAY, 1.0, 0, 0, ours=True)
    return World(0.0, FIELD, Ball(9.0, 9.0, 0.0, 0.0, 0.0), robots(ours), robots(theirs or []), game)


def straight(seen: World, ahead: float = 1.0, targets: Floats | None = None) -> Plans:
    """Return plans straight ahead, or to targets."""
    n, pose = len(seen.ours), seen.ours.pose
    wish = Intents.blank(n)
    heading = np.stack((np.cos(pose[:, 2]), np.sin(pose[:, 2])), axis=1)
    wish.target[:, :2] = pose[:, :2] + ahead * heading if targets is None else targets
    wish.target[:, 2] = math.nan
    xy = np.stack((pose[:, :2], wish.target[:, :2]), axis=1)
    time = np.tile((0.0, 1.0), (n, 1))
    return Plans(wish, np.full(n, 2), xy, time, np.ones(n, np.int64), np.ones(n, np.int64))


def with_contact(plans: Plans, i: int) -> Plans:
    """Return the plans with robot i out for contact."""
    contact = plans.intents.contact.copy()
    contact[i] = True
    return replace(plans, intents=replace(plans.intents, contact=contact))


def found(seen: World, method: Method = Method.COLLISION_AVOID, plans: Plans | None = None) -> avoid.Collisions:
    given = straight(seen) if plans is None else plans
    return avoid.collisions(Params(method), avoid.start(len(seen.ours)), seen, given)


def changed(seen: World, method: Method = Method.COLLISION_AVOID, plans: Plans | None = None) -> Plans:
    given = straight(seen) if plans is None else plans
    return avoid.step(Params(method), avoid.start(len(seen.ours)), seen, given)[1]


def aside(seen: World, plans: Plans, i: int) -> float:
    """Return how far to the left of its heading robot i is sent; 0: straight on, or a brake."""
    x, y, course = seen.ours.pose[i]
    dx, dy = plans.xy[i, plans.count[i] - 1] - (x, y)
    return float(dy * math.cos(course) - dx * math.sin(course))
