"""Many drives at once: every robot alone in a world of its own, driven by a law, and what came of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tikitaka import control, sim
from tikitaka.league import League
from tikitaka.loop.build import control_params, pitch_params
from tikitaka.types import Ball, Bools, Floats, Game, Intents, Ints, Phase, Plans, Robots, World

NEAR, SLOW = 0.01, 0.1  # [m], [m/s] chosen: who stays within these has arrived
ALIGNED, STEADY = math.radians(3.0), 0.5  # [rad], [rad/s] chosen: the same for who is to face somewhere
PLAY = Game(Phase.PLAY, 1.0, 0, 0, ours=True)

Way = Callable[[Floats], tuple[Floats, Ints]]  # poses (n, 3) -> waypoints (n, k, 2) and how many of them are used


@dataclass(frozen=True, slots=True)
class Drives:
    """What n robots did in k ticks, and what they were asked for."""

    dt: float
    pose: Floats  # (k, n, 3)
    velocity: Floats  # (k, n, 3)
    wheels: Floats  # (k, n, w) commands
    target: Floats  # (n, 3) theta NaN: any heading

    @property
    def off(self) -> Floats:
        """Distances from the target, (k, n)."""
        return np.asarray(np.hypot(*np.moveaxis(self.pose[..., :2] - self.target[:, :2], -1, 0)))

    @property
    def speed(self) -> Floats:
        """Speeds, (k, n)."""
        return np.asarray(np.hypot(self.velocity[..., 0], self.velocity[..., 1]))


def drive(
    league: League, start: Floats, target: Floats, seconds: float, law: control.Law | None = None,
    way: Way | None = None, end_speed: float = 0.0, max_speed: float = math.inf,
) -> Drives:  # fmt: skip
    """Return the drives from poses at rest (n, 3) to targets (n, 3), on straight ways or on those that are given."""
    n, pitch, params = len(start), replace(pitch_params(league), robots=1), control_params(league)
    params = params if law is None else replace(params, law=law)
    worlds = sim.Batch(pitch, n, threads=1)
    worlds.reset(None, start[:, None], np.array((pitch.field.half_length + 0.1, 0.0)))  # the ball waits in a goal
    speeds = {"end_speed": np.full(n, end_speed), "max_speed": np.full(n, max_speed)}
    wish = replace(Intents.blank(np.ones(n, np.bool_)), target=target, **speeds)
    ticks = round(seconds / pitch.dt)
    pose, velocity = np.empty((ticks, n, 3)), np.empty((ticks, n, 3))
    wheels = np.empty((ticks, n, league.robot.wheels))
    for k in range(ticks):
        pose[k], velocity[k] = worlds.pose[:, 0], worlds.velocity[:, 0]
        robots = Robots(pose[k], velocity[k], np.zeros(n))
        world = World(k * pitch.dt, pitch.field, Ball(0.0, 0.0, 0.0, 0.0, 0.0), robots, robots, PLAY)
        xy, count = straight(pose[k], target) if way is None else way(pose[k])
        plans = Plans(wish, count, xy, np.zeros(xy.shape[:2]), *np.ones((2, n), np.int64))
        wheels[k] = control.step(params, world, plans).wheels
        worlds.step(wheels[k][:, None])
    return Drives(pitch.dt, pose, velocity, wheels, target)


def straight(pose: Floats, target: Floats) -> tuple[Floats, Ints]:
    """Return ways of two waypoints: here and there."""
    return np.stack((pose[:, :2], target[:, :2]), axis=1), np.full(len(pose), 2)


def arrivals(league: League, drives: Drives) -> Floats:
    """Return when each robot has arrived for good; infinite for those that have not."""
    away = (drives.off > NEAR) | (drives.speed > SLOW)
    if np.isfinite(drives.target[:, 2]).any():
        away |= (misaligned(league, drives) > ALIGNED) | (np.abs(drives.velocity[..., 2]) > STEADY)
    last = len(away) - np.argmax(away[::-1], axis=0)
    return np.where(away.any(axis=0), np.where(last < len(away), last * drives.dt, np.inf), 0.0)


def misaligned(league: League, drives: Drives) -> Floats:
    """Return how far headings are from the wanted one, (k, n); a robot of two faces may show either."""
    period = math.pi if two_faced(league) else 2.0 * math.pi
    error = drives.pose[..., 2] - drives.target[:, 2]
    return np.asarray(np.abs((error + 0.5 * period) % period - 0.5 * period))


def overshoot(drives: Drives) -> Floats:
    """Return how far beyond its target each robot got, along the straight line from its start."""
    way = drives.target[:, :2] - drives.pose[0, :, :2]
    along = way / np.maximum(np.hypot(*way.T), 1e-12)[:, None]
    return np.asarray(((drives.pose[..., :2] - drives.target[:, :2]) * along).sum(axis=-1).max(axis=0))


def two_faced(league: League) -> bool:
    """Say whether back and front of a league's robots are alike to the law."""
    return league.robot.kicker is None and league.robot.drive != "omni"


def bounds(league: League, start: Floats, target: Floats, max_speed: float = math.inf) -> Floats:
    """Return the least times from rest to rest under the league's limits alone: speed, acceleration and turning.

    Robots that cannot move sideways turn, drive and turn; the others turn on the way.
    """
    r, way = league.robot, target[:, :2] - start[:, :2]
    go = least_time(np.hypot(*way.T), min(r.max_speed, max_speed), r.max_acceleration)
    course, wanted = np.arctan2(way[:, 1], way[:, 0]), target[:, 2]
    free: Bools = np.isnan(wanted)
    if r.drive == "omni":
        return np.asarray(np.maximum(go, np.where(free, 0.0, _turn(league, wanted - start[:, 2]))))
    faces = (0.0, math.pi) if two_faced(league) else (0.0,)
    turns = [
        _turn(league, course + face - start[:, 2]) + np.where(free, 0.0, _turn(league, wanted + other - course - face))
        for face in faces
        for other in faces
    ]
    return np.asarray(go + np.min(turns, axis=0))


def least_time(d: Floats, v: float, a: float) -> Floats:
    """Return the time of a way from rest to rest: ramp, cruise and ramp."""
    return np.asarray(np.where(d * a <= v * v, 2.0 * np.sqrt(d / a), d / v + v / a))


def _turn(league: League, angle: Floats) -> Floats:
    by = np.abs((angle + math.pi) % (2.0 * math.pi) - math.pi)
    return least_time(by, league.robot.max_turn_rate, league.robot.max_turn_acceleration)


def scattered(league: League, n: int, seed: int, heading: bool) -> tuple[Floats, Floats]:
    """Return n starts and targets, all over the field and clear of its walls."""
    f, rng = league.field.geometry(), np.random.default_rng(seed)
    clear = 1.5 * league.robot.bounding_radius
    half = np.array((f.half_length - f.area_length - clear, f.half_width - clear, math.pi))
    start, target = rng.uniform(-1.0, 1.0, (2, n, 3)) * half
    if not heading:
        target[:, 2] = np.nan
    return start, target
