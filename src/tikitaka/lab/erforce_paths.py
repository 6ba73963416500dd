"""The situations of ER-Force's Figs. 3 to 5, planned anew: hunting a ball, leaving an obstacle, a smoothed path."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from tikitaka import league as leagues
from tikitaka import plan
from tikitaka.errors import TikitakaError
from tikitaka.lab.plot import Panel, page
from tikitaka.lab.plot_paths import Body, legend, scene
from tikitaka.lab.plot_pitch import Window
from tikitaka.lab.report import Found, Row, compared
from tikitaka.loop.build import plan_params
from tikitaka.plan.kernels.shapes import CIRCLE
from tikitaka.plan.scenes import scenes
from tikitaka.plan.shortest import shortest_path
from tikitaka.types import Ball, BallUse, Floats, Game, Intents, Phase, Robots, World

WIDTH = 470  # [px] of a picture; two stand side by side
BALL_STOP = 0.5  # [m] SSL rules: from the ball while the game is stopped
Pose = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Args:
    """The seed moves the random scene of Fig. 5."""

    league: str = "ssl-b"
    seed: int = 0
    seeds: int = 1


@dataclass(frozen=True, slots=True)
class Shot:
    """One situation: what was planned, and how it is shown."""

    path: plan.Path
    target: Floats
    window: Window
    words: tuple[str, str]
    bodies: tuple[Body, ...] = ()  # what stands there; empty: something in every circle


def run(args: Args, progress: Callable[[int], None]) -> Found:
    """Return lengths and statuses of the paths of each situation, and one picture of all."""
    league = leagues.load(args.league)
    if league.robot.kicker is None:
        raise TikitakaError(f"--league must have robots with a mouth, like ssl-b or ssl-a; got {args.league}")
    params = plan_params(league)
    hunting, leaving, smoothed = hunt(params), leave(params), crowd(params, args.seed)
    best = shortest_path(smoothed[0].path.obstacles, smoothed[0].path.xy[0], smoothed[0].target).length
    ratio = compared("Fig. 5: smoothed over the shortest path", None, smoothed[0].path.length / best, "")
    rows = [row for shots in (hunting, leaving, smoothed) for shot in shots for row in _rows(shot)]
    progress(1)
    panels = [[_panel(params, shot) for shot in shots] for shots in (hunting, leaving, smoothed)]
    return Found([*rows, ratio], {"erforce-paths.svg": page([[legend(2 * WIDTH)], *panels], __doc__ or "")})


def hunt(params: plan.Params) -> list[Shot]:
    """Return Fig. 3: a robot behind a ball that rolls away: chased, and approached from its other side."""
    window = Window(-1.3, 1.3, -0.75, 0.75)
    ball, me, other = (0.3, 0.05), (-0.9, -0.1), (0.75, 0.25)
    chased = _planned(params, me, [other], ball, ball, BallUse.PLAY)
    reach = params.body.reach + 1e-3
    behind = (ball[0] + reach, ball[1])
    turned = _planned(params, me, [other], ball, behind, BallUse.APPROACH, theta=np.pi)
    there = ((*other, params.body.hull), (*ball, params.body.ball))
    words = ("Approached from its far side", "a cone lets only the mouth come near")
    return [
        Shot(chased, np.array(ball), window, ("Fig. 3: hunting a ball", "it is no obstacle: straight on"), there),
        Shot(turned, np.array(behind), window, words, there),
    ]


def leave(params: plan.Params) -> list[Shot]:
    """Return Fig. 4: a robot too near to the ball when the game is stopped; the nearest way out free, and blocked."""
    window, me, target = Window(-1.3, 1.3, -0.75, 0.75), (-0.25, 0.05), (-1.1, 0.1)
    hull = params.body.hull
    rows = [(0.0, 0.0, 0.0, 0.0, BALL_STOP + hull, 0.0)]
    wall = [(-0.72, y, -0.72, y, 2.0 * hull, 0.0) for y in (-0.08, 0.14)]
    field = params.fixed[:1].tolist()
    shots = list[Shot]()
    for more, words in (([], "the ball's circle is left at once"), (wall, "two robots stand there: another way out")):
        o = np.array([*rows, *more, *field])
        path = plan.find(np.array(me), np.array(target), o, hull, params.search)
        shots.append(Shot(path, np.array(target), window, ("Fig. 4: leaving an obstacle", words)))
    return shots


def crowd(params: plan.Params, seed: int) -> list[Shot]:
    """Return Fig. 5: a path among fifteen robots, and a target inside an obstacle."""
    f = params.field
    window = Window(-f.half_length - 0.3, f.half_length + 0.3, -f.half_width - 0.3, f.half_width + 0.3)
    name = "ssl-a" if f.length > 10.0 else "ssl-b"
    blocked = _hardest(name, seed, params.body.hull, replace(params.search, attempts=1))
    inside = scenes(name, "target_inside", 1, seed)[0]
    cut = plan.find(inside.start, inside.target, inside.obstacles, params.body.hull, params.search)
    return [
        Shot(*blocked, window, ("Fig. 5: smoothed path", "both trees, the way they gave, the way that is driven")),
        Shot(cut, inside.target, window, ("A target inside an obstacle", f"status {cut.status.name.lower()}")),
    ]


def _hardest(name: str, seed: int, hull: float, search: plan.Search, count: int = 40) -> tuple[plan.Path, Floats]:
    """Return the path of these scenes whose trees grew most, and its target: there is most to see."""
    found = [
        (plan.find(s.start, s.target, s.obstacles, hull, search), s.target)
        for s in scenes(name, "blocked", count, seed)
    ]
    return max(found, key=lambda pair: len(pair[0].trees[0].xy) + len(pair[0].trees[1].xy) if len(pair[0].raw) else 0)


def _planned(
    params: plan.Params, me: Pose, others: list[Pose], ball: Pose, target: Pose, use: BallUse, theta: float = np.nan
) -> plan.Path:
    """Return how the stage plans for one robot among others."""
    ours = Robots(np.array([(*me, 0.0)]), np.zeros((1, 3)), np.zeros(1))
    theirs = Robots(np.array([(*p, 0.0) for p in others]), np.zeros((len(others), 3)), np.zeros(len(others)))
    game = Game(Phase.PLAY, 1.0, 0, 0, kick_off_ours=True)
    world = World(0.0, params.field, Ball(*ball, 0.0, 0.0, 0.0), ours, theirs, game)
    wish = Intents.blank(np.ones(1, np.bool_))
    wish.target[0], wish.ball[0] = (*target, theta), use
    return plan.look(params, plan.start(params, 1), world, wish, 0)


def _rows(shot: Shot) -> list[Row]:
    label = f"{shot.words[0]}, {shot.words[1]}"
    return [
        compared(
            f"{label}: {shot.path.status.name.lower()}, {shot.path.reason.name.lower()}", None, shot.path.length, "m"
        )
    ]


def _panel(params: plan.Params, shot: Shot) -> Panel:
    return scene(shot.path, shot.target, shot.window, WIDTH, shot.words, shot.bodies or _standing(params, shot.path))


def _standing(params: plan.Params, path: plan.Path) -> list[Body]:
    """Return who stands in the circles: robots, and the ball in the largest one."""
    circles = [o for o in path.obstacles.tolist() if o[5] == CIRCLE]
    return [(o[0], o[1], params.body.hull if o[4] < BALL_STOP else params.body.ball) for o in circles]
