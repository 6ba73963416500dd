"""Robots under way to their targets on the simulated pitch: camera, estimator, avoidance and driving as in a match.

The other team is parked in the goals, the ball too, and the avoidance does not see them. Robots that have been locked
together for RESCUE seconds are taken apart by hand: put back to where their legs began, facing the target. So is one
that has not moved for WEDGED seconds: between goal and wall, for there is no planner that would lead it out.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tikitaka import avoid, control, sim, vision
from tikitaka import league as leagues
from tikitaka.lab.austro_moves import Progress, Route, begin, decide, shortest, target
from tikitaka.loop import build, match
from tikitaka.loop.tick import Memory, Stack, tick
from tikitaka.types import BLUE, Bools, Commands, Field, Floats, Frame, Game, Phase, Plans, Robots, World

LEAGUE, REALISM = "mirosot-5v5", "realistic"
LAW = control.Law.FAST
RESCUE = 3.0  # [s] chosen
WEDGED, TO_GO = 10.0, 0.15  # [s, m] chosen: a robot with more to go that stands for so long will not get away
MOVED = 0.05  # [m] chosen: robots that moved less in this time are locked
ROOM = 0.15  # [m] chosen: between robots that are put back
GAME = Game(Phase.PLAY, 1e6, 0, 0, ours=True)
NOBODY = Robots(np.empty((0, 3)), np.empty((0, 3)), np.empty(0))


@dataclass(frozen=True, slots=True)
class Film:
    """T ticks of n robots: the truth, and how far they came."""

    dt: float
    pose: Floats  # (T, n, 3)
    velocity: Floats  # (T, n, 3)
    to_go: Floats  # (T, n) [m] to the target
    touches: Floats  # (k, 4) time, two robots, closing speed: one row an impact, and one a tick of leaning (speed 0)
    shortest: Floats  # (n,) [m] between the targets
    rescues: int

    @property
    def seconds(self) -> float:
        """How long it lasted."""
        return self.dt * len(self.pose)


@dataclass(frozen=True, slots=True)
class Now:
    """One tick of the pitch and of the team."""

    state: sim.State
    before: sim.State | None
    flying: tuple[Frame, ...]
    radio: sim.RadioState
    memory: Memory
    placed: Floats | None


def setup_of(
    robots: int, seed: int, method: avoid.Method, realism: str = REALISM, law: control.Law = LAW
) -> build.Setup:
    """Return a pitch with so many robots a team; they go straight, avoid by a method and drive by a law."""
    league = leagues.load(LEAGUE, realism)
    changes = {"robots": robots, "planner": "straight", "avoid": method.value, "law": law.value}
    team = league.team.model_copy(update=changes)
    return build.build(league.model_copy(update={"team": team}), seed, None, "rookie", "rookie")


def drive(setup: build.Setup, where: Route, seconds: float) -> Film:
    """Return what became of robots that drive a route for so many seconds."""
    n, rate = len(where), setup.rate
    stack, now = _stack(setup, where), _begin(setup, where)
    ticks, touches, rescues, locked, stuck = round(seconds * rate), list[Sequence[float]](), 0, 0, np.zeros(n, np.int64)
    pose, velocity, to_go = np.empty((ticks, n, 3)), np.empty((ticks, n, 3)), np.empty((ticks, n))
    for k in range(ticks):
        now, goals = _advance(setup, stack, now, n)
        state = now.state
        pose[k], velocity[k] = state.pose[:n], state.velocity[:n]
        to_go[k] = np.linalg.norm(goals - state.pose[:n, :2], axis=1)
        met = _touches(state, n, k / rate, 1.0 / rate)
        touches += met
        locked = locked + 1 if met and _stands(pose, k, rate, n) else 0
        stuck = np.where(_still(pose, k, rate) & (to_go[k] > TO_GO), stuck + 1, 0)
        if locked > RESCUE * rate or stuck.max() > WEDGED * rate:
            now, locked, stuck, rescues = _taken_apart(setup, where, now), 0, 0 * stuck, rescues + 1
    done = shortest(where, now.memory.roles, now.state.pose)
    return Film(1.0 / rate, pose, velocity, to_go, np.array(touches).reshape(-1, 4), done, rescues)


def alone(where: Route, seed: int, seconds: float, realism: str = REALISM, law: control.Law = LAW) -> Film:
    """Return the ghost run: every robot by itself, as if they passed through each other."""
    setup = setup_of(1, seed, avoid.Method.NONE, realism, law)
    films = [drive(setup, where.only(i), seconds) for i in range(len(where))]
    pose, velocity, to_go = (
        np.concatenate([getattr(f, name) for f in films], axis=1) for name in ("pose", "velocity", "to_go")
    )
    done = np.concatenate([f.shortest for f in films])
    return Film(films[0].dt, pose, velocity, to_go, np.empty((0, 4)), done, 0)


def _stack(setup: build.Setup, where: Route) -> Stack:
    stack = setup.sides[BLUE].stack
    return replace(stack, decide=partial(decide, where), avoid=partial(_among_mates, stack))


def _among_mates(stack: Stack, memory: avoid.Memory, world: World, plans: Plans) -> tuple[avoid.Memory, Plans]:
    """Return what the team's avoidance makes of a world without opponents."""
    found: tuple[avoid.Memory, Plans] = stack.avoid(memory, replace(world, theirs=NOBODY), plans)
    return found


def _begin(setup: build.Setup, where: Route) -> Now:
    first = np.array([target(where, i, 0) for i in range(len(where))])
    placed = _placed(setup, where, first, [target(where, i, 1) for i in range(len(where))])
    state = sim.check(setup.pitch, sim.place(sim.start(setup.pitch), placed[:-1], placed[-1]))
    radio = sim.radio.start(setup.radio, setup.pitch.robots, setup.league.robot.wheels)
    return Now(state, None, (), radio, replace(setup.sides[BLUE].start(), roles=begin(where)), placed)


def _advance(setup: build.Setup, stack: Stack, now: Now, n: int) -> tuple[Now, Floats]:
    """Return the next tick, and where the robots are to go (n, 2)."""
    state, time = now.state, now.state.tick / setup.rate
    frames, flying = match.arrived((*now.flying, *sim.expose(setup.camera, state, now.before)), time)
    memory, thoughts = tick(stack, now.memory, vision.see(frames, BLUE, time, GAME, now.placed))
    sent = Commands.join(thoughts.commands, Commands.stop(n, setup.league.robot.wheels))
    radio, acting = sim.radio.step(setup.radio, now.radio, state.tick, sent)
    after = sim.step(setup.pitch, state, acting)
    return Now(after, state, flying, radio, memory, None), thoughts.intents.target[:, :2]


def _touches(state: sim.State, n: int, time: float, dt: float) -> list[tuple[float, float, float, float]]:
    """Return who touched whom in the tick that led here."""
    hits = [(time + t, min(a, b), max(a, b), v) for t, a, b, v in state.hits.tolist() if 0 <= a < n and 0 <= b < n]
    pairs = np.argwhere(np.triu(state.touched[:n, :n])).tolist() if state.touched[:n, :n].any() else []
    return hits + [(time + dt, float(a), float(b), 0.0) for a, b in pairs]


def _stands(pose: Floats, k: int, rate: float, n: int) -> bool:
    """Say whether nobody, or of many not two, moved during the last second."""
    return int(np.sum(_still(pose, k, rate))) >= min(n, 2)


def _still(pose: Floats, k: int, rate: float) -> Bools:
    """Say of each robot whether it has not moved during the last second."""
    moved = np.linalg.norm(pose[k, :, :2] - pose[max(k - round(rate), 0), :, :2], axis=1)
    return np.asarray((moved < MOVED) & (k >= rate), np.bool_)


def _taken_apart(setup: build.Setup, where: Route, now: Now) -> Now:
    """Return the robots where their legs began, or all where they first began, at rest."""
    progress: Progress = now.memory.roles
    legs = progress.leg.tolist()
    back = np.array([target(where, i, legs[i] - 1) for i in range(len(where))])
    near = [math.dist(a, b) for i, a in enumerate(back) for b in back[:i]]
    if min(near, default=1.0) < ROOM:
        back = np.array([target(where, i, 0) for i in range(len(where))])
    placed = _placed(setup, where, back, [target(where, i, legs[i]) for i in range(len(where))])
    state = sim.place(now.state, placed[:-1], placed[-1])
    return Now(state, None, (), sim.radio.hush(now.radio), now.memory, placed)


def _placed(setup: build.Setup, where: Route, at: Floats, facing: Sequence[Floats]) -> Floats:
    """Return where everybody stands: our robots at places, facing others; the other team in the goals."""
    f, n = setup.league.field.geometry(), len(where)
    rows = np.zeros((2 * n + 1, 3))
    for i in range(n):
        x, y = facing[i] - at[i]
        rows[i] = (*at[i], math.atan2(y, x))
        rows[n + i] = _parked(f, i)
    rows[-1, :2] = (f.half_length + 0.5 * f.goal_depth, 0.4 * f.goal_width)
    return rows


def _parked(f: Field, i: int) -> tuple[float, float, float]:
    """Return the pose of the i-th parked robot: three in either goal, the others along the walls beside them."""
    sign, k = (1.0 if i % 2 == 0 else -1.0), i // 2
    if k < 3:
        return sign * (f.half_length + 0.5 * f.goal_depth), f.goal_width * (0.25 * k - 0.3), 0.0
    side = 1.0 if k % 2 == 0 else -1.0
    return sign * (f.half_length - 0.05), side * (0.5 * f.goal_width + 0.1 + 0.1 * ((k - 3) // 2)), 0.0
