"""Many drives at once: every robot alone in a world of its own, driven by a law, and what came of it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tikitaka import control, estimate, sim, vision
from tikitaka.control.kernels.wheels import part_of
from tikitaka.league import League
from tikitaka.loop.believed import estimate_params
from tikitaka.loop.build import camera_params, control_params, onboard_params, pitch_params, radio_params
from tikitaka.loop.match import arrived
from tikitaka.types import BLUE, Ball, Bools, Commands, Floats, Frame, Game, Intents, Ints, Phase, Plans, Robots, World

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
    f = pitch.field
    worlds.reset(None, start[:, None], np.array((f.half_length + 0.5 * f.goal_depth, 0.0)))  # the ball waits in a goal
    asked, ticks = _wish(target, end_speed, max_speed), round(seconds / pitch.dt)
    pose, velocity = np.empty((ticks, n, 3)), np.empty((ticks, n, 3))
    wheels = np.empty((ticks, n, league.robot.wheels))
    for k in range(ticks):
        pose[k], velocity[k] = worlds.pose[:, 0], worlds.velocity[:, 0]
        robots = Robots(pose[k], velocity[k], np.zeros(n))
        world = World(k * pitch.dt, pitch.field, Ball(0.0, 0.0, 0.0, 0.0, 0.0), robots, robots, PLAY)
        xy, count = straight(pose[k], target) if way is None else way(pose[k])
        wheels[k] = control.step(params, world, _plans(asked, xy, count)).wheels
        worlds.step(wheels[k][:, None])
    return Drives(pitch.dt, pose, velocity, wheels, target)


def drive_seen(
    league: League, start: Floats, target: Floats, seconds: float, seed: int, law: control.Law | None = None
) -> Drives:
    """Return the same drives by robots that know of themselves what cameras and the estimator tell, over the radio."""
    team = league.team.model_copy(update={"robots": 1})
    league, found = league.model_copy(update={"team": team}), list[Drives]()
    for i in range(len(start)):
        found.append(_one_seen(league, start[i], target[i], seconds, seed + i, law))
    pose, velocity = (np.concatenate([getattr(d, name) for d in found], axis=1) for name in ("pose", "velocity"))
    return Drives(found[0].dt, pose, velocity, np.concatenate([d.wheels for d in found], axis=1), target)


def _one_seen(
    league: League, start: Floats, target: Floats, seconds: float, seed: int, law: control.Law | None
) -> Drives:
    pitch, params, beliefs = pitch_params(league), control_params(league), estimate_params(league)
    params = params if law is None else replace(params, law=law)
    camera, radio, onboard = camera_params(league, seed), radio_params(league, seed), onboard_params(league)
    f, ticks, wheels = pitch.field, round(seconds / pitch.dt), league.robot.wheels
    away = league.robot.bounding_radius * 1.1
    corner = (f.half_length - away - f.corner, f.half_width - away - f.corner, 0.0)  # the other team's robot waits
    placed = np.array((start, corner, (f.half_length + 0.5 * f.goal_depth, 0.0, 0.0)))
    state, before, flying = sim.place(sim.start(pitch), placed[:-1], placed[-1, :2]), None, tuple[Frame, ...]()
    tracks, air = estimate.start(beliefs), sim.radio.start(radio, 2, wheels)
    sent, wish = (Commands.stop(1, wheels),) * (1 + radio.delay), _wish(target[None], 0.0, math.inf)
    pose, velocity, told = np.empty((ticks, 1, 3)), np.empty((ticks, 1, 3)), np.empty((ticks, 1, wheels))
    for k in range(ticks):
        pose[k, 0], velocity[k, 0] = state.pose[0], state.velocity[0]
        frames, flying = arrived((*flying, *sim.expose(camera, state, before)), k * pitch.dt)
        felt = sim.feel(onboard, state, before, BLUE)
        seen = vision.see(frames, BLUE, k * pitch.dt, PLAY, placed if k == 0 else None, felt)
        tracks, world = estimate.step(beliefs, tracks, seen, sent[0])
        commands = control.step(params, world, _plans(wish, *straight(world.ours.pose, target[None])))
        sent, told[k] = (*sent[1:], commands), commands.wheels
        air, heard = sim.radio.step(radio, air, state.tick, Commands.join(commands, Commands.stop(1, wheels)))
        before, state = state, sim.step(pitch, state, heard)
    return Drives(pitch.dt, pose, velocity, told, target[None])


def _wish(target: Floats, end_speed: float, max_speed: float) -> Intents:
    n = len(target)
    speeds = {"end_speed": np.full(n, end_speed), "max_speed": np.full(n, max_speed)}
    return replace(Intents.blank(n), target=target, **speeds)


def _plans(wish: Intents, xy: Floats, count: Ints) -> Plans:
    return Plans(wish, count, xy, np.zeros(xy.shape[:2]), *np.ones((2, len(xy)), np.int64))


def straight(pose: Floats, target: Floats) -> tuple[Floats, Ints]:
    """Return ways of two waypoints: here and there."""
    return np.stack((pose[:, :2], target[:, :2]), axis=1), np.full(len(pose), 2)


def arrivals(league: League, drives: Drives) -> Floats:
    """Return when each robot has arrived for good; infinite for those that have not."""
    away = _away(league, drives)
    last = len(away) - np.argmax(away[::-1], axis=0)
    return np.where(away.any(axis=0), np.where(last < len(away), last * drives.dt, np.inf), 0.0)


def settled(league: League, drives: Drives, seconds: float) -> Floats:
    """Return when each robot has arrived and stays so long, at least; infinite for those that have not."""
    away, n = _away(league, drives), max(round(seconds / drives.dt), 1)
    spent: Ints = np.cumsum(np.concatenate((np.zeros((1, away.shape[1]), np.int64), away)), axis=0)
    stays = spent[n:] - spent[:-n] == 0
    return np.where(stays.any(axis=0), np.argmax(stays, axis=0) * drives.dt, np.inf)


def _away(league: League, drives: Drives) -> Bools:
    """Say when each robot is not at its target, or not at rest there, (k, n)."""
    away = (drives.off > NEAR) | (drives.speed > SLOW)
    if np.isfinite(drives.target[:, 2]).any():
        away |= (misaligned(league, drives) > ALIGNED) | (np.abs(drives.velocity[..., 2]) > STEADY)
    return np.asarray(away, np.bool_)


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


def motor_bounds(league: League, start: Floats, target: Floats) -> Floats:
    """Return the least times to places of omni robots that keep their heading, as wheels and motors allow.

    What the motors give differs by the direction in the robot's frame.
    """
    params, way = control_params(league), target[:, :2] - start[:, :2]
    c, s, d = np.cos(start[:, 2]), np.sin(start[:, 2]), np.hypot(*way.T)
    ahead = np.stack((c * way[:, 0] + s * way[:, 1], c * way[:, 1] - s * way[:, 0], 0.0 * d)) / np.maximum(d, 1e-12)
    rates, hard = np.abs(params.wheels_from_body @ ahead).max(axis=0), 10.0 * league.robot.max_acceleration
    parts = [part_of(hard * x, hard * y, 0.0, 0.0, 0.0, 0.0, params.bounds) for x, y, _ in ahead.T.tolist()]
    a = np.minimum(league.robot.max_acceleration, hard * np.array(parts))
    return least_time(d, np.minimum(league.robot.max_speed, params.max_wheel_speed / rates), a)


def least_time(d: Floats, v: float | Floats, a: float | Floats) -> Floats:
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
