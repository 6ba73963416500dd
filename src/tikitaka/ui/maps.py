"""Where a shot would score and where a pass would arrive, for the team on the ball, as the page draws it."""

import numpy as np

from tikitaka import decide, vision
from tikitaka.loop.build import facts_of
from tikitaka.loop.snapshot import Watchable
from tikitaka.types import Ball, Floats, Game, Phase, Robots, World

FULL = 255.0  # of a certainty


def maps(match: Watchable) -> dict[str, object]:
    """Return both maps of this moment, rows from -y to +y, and whose they are; they are for whoever is nearest."""
    snapshot, facts = match.snapshot(), facts_of(match.league)
    n, robots, (x, y) = len(snapshot.robots) // 2, snapshot.robots, snapshot.ball.tolist()
    team = int(np.argmin(np.sum((robots[:, :2] - (x, y)) ** 2, axis=1))) // n
    sign = 1.0 - 2.0 * team
    seen = robots if team == 0 else vision.turn(robots)
    ours, theirs = (_at_rest(seen[rows * n : rows * n + n]) for rows in (team, 1 - team))
    game = Game(Phase.PLAY, snapshot.time_left, *snapshot.score, ours=True)
    ball = Ball(sign * x, sign * y, 0.0, 0.0, 0.0)
    goal, passes = decide.maps(facts, World(snapshot.time, match.league.field.geometry(), ball, ours, theirs, game))
    rows, columns = goal.shape
    drawn = {"chances": _bytes(goal, team), "passes": _bytes(passes, team)}
    return {"team": team, "columns": columns, "rows": rows, **drawn}


def _at_rest(pose: Floats) -> Robots:
    return Robots(pose, np.zeros_like(pose), np.zeros(len(pose)))


def _bytes(values: Floats, team: int) -> list[int]:
    """Return shares as whole numbers in the field's own frame, row by row."""
    turned = values if team == 0 else values[::-1, ::-1]
    return np.clip(np.round(FULL * np.nan_to_num(turned)), 0, FULL).astype(int).ravel().tolist()
