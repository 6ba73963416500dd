"""Where a robot may not stand while the ball is not in play."""

import math

from tikitaka.referee.params import Params, Point, Rules, Whistle
from tikitaka.referee.spots import forward, in_area
from tikitaka.types import Floats, Phase

SLACK = 0.05  # [m] chosen: nearer than the rule says by this is still well; robots stop where they can
FROM_THEIR_AREA = 0.2  # [m] SSL rules: of everybody before the ball is played
BEHIND_PENALTY = 1.0  # [m] SSL rules: of all but kicker and keeper, behind the mark
KICKS = (Phase.KICK_OFF, Phase.FREE_KICK, Phase.PENALTY)
OFF_THE_BALL = (Phase.STOP, Phase.FREE_KICK, Phase.PLACEMENT)


def kickers(params: Params, whistle: Whistle, pose: Floats) -> tuple[int, ...]:
    """Return the robots that may stand at the ball: of a free ball the nearest of both teams."""
    if whistle.phase == Phase.GOAL_KICK:
        return (whistle.owner * params.robots,)
    if whistle.phase == Phase.FREE_BALL and params.rules != Rules.SSL:
        return nearest(params, pose, whistle.spot, 0), nearest(params, pose, whistle.spot, 1)
    if whistle.phase in KICKS and whistle.owner >= 0:
        return (nearest(params, pose, whistle.spot, whistle.owner),)
    return ()


def nearest(params: Params, pose: Floats, spot: Point, team: int) -> int:
    """Return the robot of a team that is nearest to a point, the keeper only where it is alone."""
    n = params.robots
    rows = range(team * n + (n > 1), team * n + n)
    xy = pose[:, :2].tolist()
    return min(rows, key=lambda i: _away(xy[i], spot))


def offenders(params: Params, whistle: Whistle, pose: Floats, ball: Point) -> list[int]:
    """Return the robots that stand where they may not; who is not seen does no wrong."""
    who = kickers(params, whistle, pose)
    rows = pose[:, :2].tolist()
    return [
        i
        for i, (x, y) in enumerate(rows)
        if i not in who and math.isfinite(x + y) and forbidden(params, whistle, i, x, y, ball, SLACK)
    ]


def forbidden(params: Params, whistle: Whistle, i: int, x: float, y: float, ball: Point, slack: float) -> bool:
    """Say whether robot i, who is no kicker, may not stand at (x, y)."""
    p, w, team = params, whistle, i // params.robots
    keeper, ours = i % p.robots == 0, team == w.owner
    if p.areas_barred and _in_a_barred_area(p, team, keeper, x, y, slack):
        return True
    if w.phase in OFF_THE_BALL and not (ours and w.phase != Phase.STOP):
        return _near(p, w, x, y, ball, slack)
    if w.phase == Phase.KICK_OFF:
        own = forward(team) * x <= slack - p.hull
        return not own or math.hypot(x, y) < p.field.circle_radius + p.hull - slack
    if w.phase == Phase.GOAL_KICK:
        away = forward(w.owner) * x >= p.hull - slack
        return in_area(p.field, x, y, p.hull - slack) == w.owner if ours else not away
    if w.phase == Phase.PENALTY:
        return _before_the_ball(p, w, x, slack) and not (keeper and not ours and _on_its_line(p, team, x, y))
    if w.phase == Phase.FREE_BALL:
        return _at_a_free_ball(p, w, team, keeper, x, y, slack)
    return False


def _near(p: Params, w: Whistle, x: float, y: float, ball: Point, slack: float) -> bool:
    """Say whether a place is too near the ball, or the way on which it is brought to its spot."""
    (ax, ay), (bx, by) = ball, w.spot if w.phase == Phase.PLACEMENT else ball
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    s = min(max(((x - ax) * dx + (y - ay) * dy) / length, 0.0), 1.0) if length > 0.0 else 0.0
    return math.hypot(x - ax - s * dx, y - ay - s * dy) < p.keep_off + p.hull - slack


def _before_the_ball(p: Params, w: Whistle, x: float, slack: float) -> bool:
    """Say whether a robot is nearer to the goal than a penalty lets it: behind the mark, or in the other half."""
    toward = forward(w.owner)
    line = toward * w.spot[0] - BEHIND_PENALTY if p.rules == Rules.SSL else min(0.0, toward * w.spot[0] - p.hull)
    return toward * x > line - p.hull + slack


def _on_its_line(p: Params, team: int, x: float, y: float) -> bool:
    back = p.field.half_length - 2.0 * p.hull
    return -forward(team) * x >= back and abs(y) <= 0.5 * p.field.goal_width


def _at_a_free_ball(p: Params, w: Whistle, team: int, keeper: bool, x: float, y: float, slack: float) -> bool:
    """Say whether a third robot is in the ball's quarter, or in the SSL too near the ball."""
    if p.rules == Rules.SSL:
        return _near(p, w, x, y, w.spot, slack)
    if keeper and in_area(p.field, x, y) == team:
        return False
    sx, sy = math.copysign(1.0, w.spot[0]), math.copysign(1.0, w.spot[1])
    return sx * x > slack - p.hull and sy * y > slack - p.hull


def _in_a_barred_area(p: Params, team: int, keeper: bool, x: float, y: float, slack: float) -> bool:
    if in_area(p.field, x, y, FROM_THEIR_AREA + p.hull - slack) == 1 - team:
        return True
    return not keeper and in_area(p.field, x, y, -slack) == team


def _away(xy: list[float], spot: Point) -> float:
    away = math.hypot(xy[0] - spot[0], xy[1] - spot[1])
    return away if math.isfinite(away) else math.inf
