"""The situations of ER-Force's Figs. 3 to 5, planned by ERRT: the ball chased, an obstacle left, a path smoothed.

Drawn: obstacles with the robot's radius and margins, both trees of the last search, the path as the trees gave it
(orange) and as it is driven (blue), from the blue dot to the red one.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tikitaka import league as leagues
from tikitaka import plan
from tikitaka.lab.plot import page
from tikitaka.lab.plot_paths import path_panel
from tikitaka.lab.plot_pitch import Window
from tikitaka.lab.report import Found, Row
from tikitaka.loop.build import plan_params
from tikitaka.plan import Path, Search
from tikitaka.plan.kernels.shapes import CIRCLE, FIELD
from tikitaka.plan.scenes import PITCHES, scenes
from tikitaka.types import Ball, BallUse, Floats, Game, Intents, Phase, Robots, World

WIDTH = 330.0  # [px] of a panel
HULL = 0.09  # [m]
STOP = 0.5 + HULL  # [m] between ball and robot while the game is stopped, SSL rules
NEAR, ALL = Window(-0.7, 1.1, -0.63, 0.63), Window(-4.9, 4.9, -3.4, 3.4)
TRIED = 200  # scenes of which the one with the longest raw path is shown


@dataclass(frozen=True, slots=True)
class Args:
    """Which league's robots, and which scenes."""

    league: str = "ssl-b"
    seed: int = 0
    seeds: int = 1


@dataclass(frozen=True, slots=True)
class Situation:
    """One picture."""

    name: str
    about: str
    path: Path
    target: Floats  # (2,)
    window: Window


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return how long the paths are and how they were found; one picture."""
    situations = [*hunting(args.league), *leaving(), smoothed(args.seed)]
    panels = [path_panel(s.path, s.target, s.window, WIDTH, (s.name, s.about)) for s in situations]
    progress(args.seeds)
    rows = list[Row]()
    for s in situations:
        verdict = f"{s.path.status.name.lower()}, {s.path.reason.name.lower()}"
        rows.append(Row(f"{s.name}: length", None, s.path.length, None, None, "m", verdict))
        rows.append(Row(f"{s.name}: waypoints", None, float(len(s.path.xy)), None, None, "1"))
    return Found(rows, {"erforce-paths.svg": page([panels[:3], panels[3:]], "Paths as in ER-Force's Figs. 3 to 5")})


def hunting(league: str) -> list[Situation]:
    """Return the ball on the way to a target behind it: chased, avoided, approached [ERForce, Fig. 3]."""
    params = plan_params(leagues.load(league))
    b = params.body
    behind = np.array((0.3 - b.reach, 0.0))
    uses = {
        "Fig. 3, chased": (BallUse.PLAY, np.array((0.8, 0.0)), math.nan, "the ball is no obstacle"),
        "Fig. 3, not chased": (BallUse.AVOID, np.array((0.8, 0.0)), math.nan, "the ball is a circle"),
        "Sec. 3.1, from behind": (BallUse.APPROACH, behind, 0.0, "the mouth may come close, the hull not"),
    }
    out = list[Situation]()
    for name, (use, target, theta, about) in uses.items():
        start = np.array((-0.4, 0.1)) if use != BallUse.APPROACH else np.array((0.8, 0.15))
        world = _world(params, start)
        wish = Intents.blank(1)
        wish.target[0], wish.ball[0] = (*target.tolist(), theta), int(use)
        out.append(Situation(name, about, plan.look(params, plan.start(params, 1), world, wish, 0), target, NEAR))
    return out


def leaving() -> list[Situation]:
    """Return two ways out of the circle around the ball during a stop [ERForce, Fig. 4]."""
    start, target = np.array((0.25, 0.0)), np.array((1.0, 0.1))
    alone, robots = _circles((0.0, 0.0, STOP)), ((0.62, 0.0), (0.58, 0.24), (0.58, -0.24))
    blocked = _circles((0.0, 0.0, STOP), *((x, y, 2.0 * HULL) for x, y in robots))
    about = ("the shortest way out", "others stand in the shortest way")
    found = [plan.find(start, target, o, HULL) for o in (alone, blocked)]
    names = ("Fig. 4, alone", "Fig. 4, blocked")
    return [Situation(n, a, p, target, NEAR) for n, a, p in zip(names, about, found, strict=True)]


def smoothed(seed: int) -> Situation:
    """Return a path before and after smoothing, of the scene for which the trees grew most [ERForce, Fig. 5]."""
    search = Search(attempts=1, seed=seed)
    tried = scenes("ssl-b", "blocked", TRIED, seed)
    paths = [plan.find(s.start, s.target, s.obstacles, PITCHES["ssl-b"].robot_radius, search) for s in tried]
    best = max(range(len(paths)), key=lambda k: len(paths[k].raw))
    return Situation("Fig. 5", "from the trees' path to the driven one", paths[best], tried.targets[best], ALL)


def _world(params: plan.Params, at: Floats) -> World:
    us = Robots(np.array([(*at.tolist(), 0.0)]), np.zeros((1, 3)), np.zeros(1))
    nobody, game = Robots(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0)), Game(Phase.PLAY, 1.0, 0, 0, True)  # noqa: FBT003
    return World(0.0, params.field, Ball(0.3, 0.0, 1.0, 0.0, 0.0), us, nobody, game)


def _circles(*rows: tuple[float, float, float]) -> Floats:
    field = (-4.5, -3.0, 4.5, 3.0, 0.0, FIELD)
    return np.array([*((x, y, x, y, r, CIRCLE) for x, y, r in rows), field])
