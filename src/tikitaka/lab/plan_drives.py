"""Paths driven by simulated robots: everybody of both teams to random targets, with motors, tyres and contacts.

Both teams plan with the same planner, each for itself, and know the truth: what is measured is the planner and the
control behind it, not the estimator. Targets keep apart from one another, and the ball lies in a goal. A new target
comes on arrival, or after 8 s. A pair that was apart for half a second and touches is a contact.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from tikitaka import control, plan, sim
from tikitaka import league as leagues
from tikitaka.lab.plot import BLUE, GREEN, INK, RED, Axis, Dots, Mark, Panel, chart, page
from tikitaka.lab.report import Found, Row
from tikitaka.lab.spreads import spread
from tikitaka.league import League
from tikitaka.loop import tally
from tikitaka.loop.build import SSL_HULL, control_params, pitch_params, plan_params
from tikitaka.plan import Planner
from tikitaka.plan import planner as stage
from tikitaka.types import Ball, Commands, Floats, Game, Intents, Ints, Phase, Robots, World

ALL = "all"
LEAGUES = ("mirosot-5v5", "mirosot-11v11", "ssl-b", "ssl-a")
COLOURS = {Planner.STRAIGHT: INK, Planner.ERRT: BLUE, Planner.TANGENTS: GREEN, Planner.TIMED: RED}
THERE = 0.05  # [m] chosen: at the target, for robots of the SSL; smaller ones in proportion
PATIENCE = 8.0  # [s] after which a target is given up
APART = 4.0  # chosen: robots' radii between two targets, at least


@dataclass(frozen=True, slots=True)
class Args:
    """How much is driven."""

    league: str = ALL
    seed: int = 0
    seeds: int = 1
    seconds: float = 16.0  # simulated, of every league, planner and seed; more than PATIENCE, or nobody gives up


@dataclass(slots=True)
class Drive:
    """What happened on one drive."""

    robots: int
    times: list[float] = field(default_factory=list)  # [s] of arrivals
    given_up: int = 0
    contacts: int = 0


Drives = dict[tuple[str, Planner], list[Drive]]


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return arrivals, their times and contacts of every league and planner; one picture."""
    names, drives = LEAGUES if args.league == ALL else (args.league,), Drives()
    for k in range(args.seeds):
        for name in names:
            for planner in stage._METHODS:
                found = drive(leagues.load(name), planner, args.seconds, args.seed + k)
                drives.setdefault((name, planner), []).append(found)
        progress(k + 1)
    rows = [row for key, found in drives.items() for row in _rows(*key, found, args.seconds)]
    panels = [_panel(name, drives, args.seconds) for name in names]
    picture = page([panels[i : i + 2] for i in range(0, len(panels), 2)], "Arrivals and contacts, by planner")
    return Found(rows, {"plan-drives.svg": picture})


def drive(league: League, planner: Planner, seconds: float, seed: int) -> Drive:
    """Return what happened to both teams in some seconds."""
    pitch, steering = pitch_params(league), control_params(league)
    params = replace(plan_params(league), planner=planner, areas_barred=False)
    n, f = league.team.robots, pitch.field
    state = sim.scenes.crowd(pitch, seed)
    state = sim.place(state, state.pose, np.array((f.half_length + 0.5 * f.goal_depth, 0.0)))
    goals, counted, out = Goals(params, 2 * n, seed), tally.start(n), Drive(2 * n)
    memories = [plan.start(params, n), plan.start(params, n)]
    for k in range(round(seconds / pitch.dt)):
        now, sent = k * pitch.dt, list[Commands]()
        goals.renew(state.pose, now, out)
        for team, mine in enumerate((slice(0, n), slice(n, 2 * n))):
            world = _world(params, now, state, mine, slice(n, 2 * n) if team == 0 else slice(0, n))
            memories[team], plans = plan.step(params, memories[team], world, _wishes(goals.xy[mine]))
            sent.append(control.step(steering, world, plans))
        state = sim.step(pitch, state, Commands.join(*sent))
        counted = tally.count_collisions(counted, state.touched, state.tick, 1.0 / pitch.dt, 0)
    out.contacts = counted.collisions
    return out


class Goals:
    """Where everybody is to go, and since when."""

    def __init__(self, params: plan.Params, robots: int, seed: int) -> None:
        f, hull = params.field, params.body.hull
        self.draw = np.random.default_rng(seed)
        self.room = np.array((f.half_length, f.half_width)) - max(2.0 * hull, f.corner)
        self.apart, self.there = APART * hull, THERE * hull / SSL_HULL
        self.xy, self.since = np.full((robots, 2), np.inf), np.zeros(robots)
        for i in range(robots):
            self.xy[i] = self._next(i)

    def renew(self, pose: Floats, now: float, out: Drive) -> None:
        """Note who has arrived or given up, and send them elsewhere."""
        arrived = np.linalg.norm(pose[:, :2] - self.xy, axis=1) < self.there
        late = ~arrived & (now - self.since > PATIENCE)
        out.times += (now - self.since[arrived]).tolist()
        out.given_up += int(late.sum())
        done: Ints = np.flatnonzero(arrived | late)
        for i in done.tolist():
            self.xy[i], self.since[i] = self._next(i), now

    def _next(self, i: int) -> Floats:
        """Return a random place apart from everybody else's target."""
        while True:
            xy: Floats = self.draw.uniform(-self.room, self.room)
            others = np.delete(self.xy, i, axis=0)
            if (np.linalg.norm(others - xy, axis=1) > self.apart).all():
                return xy


def _world(params: plan.Params, now: float, state: sim.State, mine: slice, others: slice) -> World:
    """Return what a team knows: everything; both see the pitch in the same frame, which for driving is no matter."""
    ours, theirs = (Robots(state.pose[s], state.velocity[s], np.zeros(len(state.pose[s]))) for s in (mine, others))
    x, y, vx, vy = state.ball[:4].tolist()
    game = Game(Phase.PLAY, 1.0, 0, 0, ours=True)
    return World(now, params.field, Ball(x, y, vx, vy, 0.0), ours, theirs, game)


def _wishes(xy: Floats) -> Intents:
    wish = Intents.blank(len(xy))
    wish.target[:, :2], wish.target[:, 2] = xy, math.nan
    return wish


def _rows(name: str, planner: Planner, drives: list[Drive], seconds: float) -> list[Row]:
    head, minutes = f"{name}, {planner}", seconds / 60.0
    return [
        spread(f"{head}: arrivals of a robot", [len(d.times) / d.robots / minutes for d in drives], "1/min"),
        spread(f"{head}: time to arrive", [float(np.mean(d.times or [PATIENCE])) for d in drives], "s"),
        spread(f"{head}: given up", [100.0 * d.given_up / max(1, d.given_up + len(d.times)) for d in drives], "%"),
        spread(f"{head}: contacts", [d.contacts / minutes for d in drives], "1/min"),
    ]


def _panel(name: str, drives: Drives, seconds: float) -> Panel:
    """Return arrivals over contacts: up and to the left is better."""
    marks = list[Mark]()
    for (league, planner), found in drives.items():
        if league == name:
            contacts = [60.0 * d.contacts / seconds for d in found]
            arrivals = [60.0 * len(d.times) / d.robots / seconds for d in found]
            marks.append(Dots(contacts, arrivals, planner.value, COLOURS[planner], 4.0))
    x, y = Axis("contacts of robots, all together [1/min]", 0.0), Axis("arrivals of a robot [1/min]", 0.0)
    return chart(name, x, y, marks)
