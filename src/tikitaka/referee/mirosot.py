"""MiroSot and VSSS: what is called while the ball is in play between walls."""

from dataclasses import replace

from tikitaka.referee import spots
from tikitaka.referee.params import Call, Params, Whistle
from tikitaka.referee.view import View
from tikitaka.types import EventKind, Phase

CROWD_SECONDS = 0.5  # chosen: who passes through the area, or is pushed into it, has time to leave
CROWD = 2  # FIRA: so many of one team, the keeper counts, are too many in a goal area with the ball


def judge(params: Params, whistle: Whistle, view: View) -> tuple[Whistle, Call | None]:
    """Return memory and call: crowded goal areas, a ball that stays in one, a ball that gets nowhere."""
    x, y = view.ball[:2]
    home = spots.in_area(params.field, x, y)
    whistle, call = _crowded(params, whistle, view, home)
    if call is None and 0 <= whistle.held < view.tick - params.free_ball_after * params.rate:
        call = _goal_kick(params, view, home, EventKind.BALL_HELD, (), params.free_ball_after)
    return whistle, call


def stuck(params: Params, view: View) -> Call:
    """Return the call for a ball that makes no progress: a goal kick in a goal area, else a free ball."""
    x, y = view.ball[:2]
    home = spots.in_area(params.field, x, y)
    if home >= 0:
        return _goal_kick(params, view, home, EventKind.NO_PROGRESS, (), params.free_ball_after)
    spot = spots.free_ball(params, x, y)
    why, long = EventKind.NO_PROGRESS, params.free_ball_after
    return Call(Phase.FREE_BALL, -1, spot, EventKind.FREE_BALL, (x, y), why, value=long)


def _crowded(p: Params, w: Whistle, view: View, home: int) -> tuple[Whistle, Call | None]:
    """Return memory and call where two robots of one team are in the goal area in which the ball is."""
    if home < 0:
        return (w, None) if w.crowd < 0 else (replace(w, crowd=-1), None)
    inside = [i for i, (a, b) in enumerate(view.pose[:, :2].tolist()) if spots.in_area(p.field, a, b) == home]
    ours = tuple(i for i in inside if i // p.robots == home)
    theirs = tuple(i for i in inside if i // p.robots != home)
    if max(len(ours), len(theirs)) < CROWD:
        return (w, None) if w.crowd < 0 else (replace(w, crowd=-1), None)
    if w.crowd < 0:
        return replace(w, crowd=view.tick), None
    if view.tick - w.crowd < CROWD_SECONDS * p.rate:
        return w, None
    if len(theirs) >= CROWD:
        return w, _goal_kick(p, view, home, EventKind.CROWDED_ATTACK, theirs)
    spot, at = spots.penalty(p, 1 - home), view.ball[:2]
    return w, Call(Phase.PENALTY, 1 - home, spot, EventKind.PENALTY, at, EventKind.CROWDED_DEFENCE, ours)


def _goal_kick(p: Params, view: View, home: int, why: EventKind, robots: tuple[int, ...], value: float = 0.0) -> Call:
    at = view.ball[:2]
    return Call(Phase.GOAL_KICK, home, spots.area_kick(p, home, at[1]), EventKind.GOAL_KICK, at, why, robots, value)
