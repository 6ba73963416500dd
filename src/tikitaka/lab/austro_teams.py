"""Two teams under way at once: every robot to targets of its own, each team with its own camera's estimates.

As in a match, a team knows the plans of its own robots and only the motion of the others. Robots that have been locked
together for RESCUE seconds are put back to where they began, all of them.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tikitaka import avoid, control, sim, vision
from tikitaka import league as leagues
from tikitaka.lab.austro_moves import Route, begin, decide, shortest, target
from tikitaka.lab.austro_told import others, told
from tikitaka.lab.austro_traffic import GAME, LAW, MOVED, REALISM, RESCUE, Film
from tikitaka.loop import build, match
from tikitaka.loop.tick import Memory, Stack, tick
from tikitaka.types import BLUE, YELLOW, Commands, Floats, Frame

CORNER = 0.15  # [m] chosen: from the walls to who is in nobody's way
Routes = tuple[Route, Route]  # blue's and yellow's, each in its own frame


@dataclass(frozen=True, slots=True)
class Now:
    """One tick of the pitch and of both teams."""

    state: sim.State
    before: sim.State | None
    flying: tuple[Frame, ...]
    radio: sim.RadioState
    teams: tuple[Memory, Memory]
    placed: Floats | None


def setup_of(
    league: str, robots: int, seed: int, methods: tuple[avoid.Method, avoid.Method], law: control.Law = LAW
) -> build.Setup:
    """Return a pitch with so many robots a team; they go straight, and either team avoids by a method."""
    loaded = leagues.load(league, REALISM)
    changes = {"robots": robots, "planner": "straight", "law": law.value}
    each = [
        loaded.model_copy(update={"team": loaded.team.model_copy(update={**changes, "avoid": method.value})})
        for method in methods
    ]
    setups = [build.build(one, seed, None, "rookie", "rookie") for one in each]
    return replace(setups[0], sides=(setups[0].sides[BLUE], setups[1].sides[YELLOW]))


def drive(setup: build.Setup, where: Routes, seconds: float, knows: bool = False) -> Film:
    """Return what became of both teams, blue's robots first; all in blue's frame.

    ``knows``: blue's avoidance is told where yellow is and goes.
    """
    n, rate = len(where[BLUE]), setup.rate
    stacks = tuple(replace(s.stack, decide=partial(decide, w)) for s, w in zip(setup.sides, where, strict=True))
    ticks, touches, rescues, locked = round(seconds * rate), list[Sequence[float]](), 0, 0
    pose, velocity, to_go = np.empty((ticks, 2 * n, 3)), np.empty((ticks, 2 * n, 3)), np.empty((ticks, 2 * n))
    now = _begin(setup, where)
    for k in range(ticks):
        now, goals = _advance(setup, _knowing(stacks, where, now) if knows else stacks, now)
        state = now.state
        pose[k], velocity[k] = state.pose, state.velocity
        to_go[k] = np.linalg.norm(goals - state.pose[:, :2], axis=1)
        met = _touches(state, 2 * n, k / rate, 1.0 / rate)
        touches += met
        locked = locked + 1 if _locked(met, pose, k, rate) else 0
        if locked > RESCUE * rate:
            now, locked, rescues = _put_back(setup, where, now), 0, rescues + 1
    turned = (pose[-1, :n], vision.turn(pose[-1, n:]))
    done = [shortest(w, m.roles, p) for w, m, p in zip(where, now.teams, turned, strict=True)]
    return Film(1.0 / rate, pose, velocity, to_go, np.array(touches).reshape(-1, 4), np.concatenate(done), rescues)


def alone(league: str, where: Routes, robots: Sequence[int], seed: int, seconds: float) -> float:
    """Return the mean speed of some of blue's robots if nobody else were there, along the shortest way."""
    none = (avoid.Method.NONE, avoid.Method.NONE)
    parked = Route((np.zeros((1, 2)),), 0.05, 1.0)
    total = 0.0
    for robot in robots:
        setup = setup_of(league, 1, seed, none)
        far = setup.league.field.geometry()
        away = replace(parked, xy=(np.array(((CORNER - far.half_length, far.half_width - CORNER),)),))
        total += float(drive(setup, (where[BLUE].only(robot), away), seconds).shortest[0])
    return total / (seconds * len(robots))


def _begin(setup: build.Setup, where: Routes) -> Now:
    placed = _places(setup, where)
    state = sim.check(setup.pitch, sim.place(sim.start(setup.pitch), placed[:-1], placed[-1]))
    radio = sim.radio.start(setup.radio, setup.pitch.robots, setup.league.robot.wheels)
    blue, yellow = (replace(s.start(), roles=begin(w)) for s, w in zip(setup.sides, where, strict=True))
    return Now(state, None, (), radio, (blue, yellow), placed)


def _places(setup: build.Setup, where: Routes) -> Floats:
    """Return where everybody begins, facing the first target, and the ball in a goal; in blue's frame."""
    rows, f = list[Floats](), setup.league.field.geometry()
    for team, paths in enumerate(w.xy for w in where):
        own = np.zeros((len(paths), 3))
        for i, path in enumerate(paths):
            dx, dy = target(where[team], i, 1) - path[0]
            own[i] = (*path[0], math.atan2(dy, dx))
        rows.append(own if team == BLUE else vision.turn(own))
    ball = (f.half_length + 0.5 * f.goal_depth, 0.4 * f.goal_width, 0.0)
    return np.concatenate((*rows, np.array((ball,))))


def _advance(setup: build.Setup, stacks: tuple[Stack, ...], now: Now) -> tuple[Now, Floats]:
    """Return the next tick, and where everybody is to go (2n, 2), in blue's frame."""
    state, time = now.state, now.state.tick / setup.rate
    frames, flying = match.arrived((*now.flying, *sim.expose(setup.camera, state, now.before)), time)
    thought = []
    for team, stack in enumerate(stacks):
        placed = now.placed if team == BLUE or now.placed is None else match.other_side(now.placed)
        told = sim.feel(setup.onboard, state, now.before, team)
        thought.append(tick(stack, now.teams[team], vision.see(frames, team, time, GAME, placed, told)))
    (blue, by_blue), (yellow, by_yellow) = thought
    sent = Commands.join(by_blue.commands, by_yellow.commands)
    radio, acting = sim.radio.step(setup.radio, now.radio, state.tick, sent)
    goals = np.concatenate((by_blue.intents.target[:, :2], -by_yellow.intents.target[:, :2]))
    return Now(sim.step(setup.pitch, state, acting), state, flying, radio, (blue, yellow), None), goals


def _knowing(stacks: tuple[Stack, ...], where: Routes, now: Now) -> tuple[Stack, ...]:
    """Return the stacks of this tick; blue's avoids a yellow team whose truth it is told."""
    blue, yellow = stacks
    n, state = len(where[BLUE]), now.state
    them = others(where[YELLOW], now.teams[YELLOW].roles, state.pose[n:], state.velocity[n:])
    return replace(blue, avoid=partial(told, blue.avoid, them)), yellow


def _touches(state: sim.State, n: int, time: float, dt: float) -> list[Sequence[float]]:
    """Return who touched whom in the tick that led here."""
    hits = [(time + t, min(a, b), max(a, b), v) for t, a, b, v in state.hits.tolist() if 0 <= a < n and 0 <= b < n]
    pairs = np.argwhere(np.triu(state.touched[:n, :n])).tolist() if state.touched[:n, :n].any() else []
    return [*hits, *((time + dt, float(a), float(b), 0.0) for a, b in pairs)]


def _locked(met: Sequence[Sequence[float]], pose: Floats, k: int, rate: float) -> bool:
    """Say whether two that touch have not moved during the last second."""
    if k < rate or not met:
        return False
    moved = np.linalg.norm(pose[k, :, :2] - pose[k - round(rate), :, :2], axis=1)
    return any(max(moved[int(a)], moved[int(b)]) < MOVED for _, a, b, _ in met)


def _put_back(setup: build.Setup, where: Routes, now: Now) -> Now:
    placed = _places(setup, where)
    state = sim.place(now.state, placed[:-1], placed[-1])
    return Now(state, None, (), sim.radio.hush(now.radio), now.teams, placed)
