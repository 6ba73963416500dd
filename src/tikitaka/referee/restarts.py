"""From a call to the ball in play: everybody is put in place at once, or drives there while play is stopped."""

import math
from dataclasses import replace

import numpy as np

from tikitaka.referee.arranging import put_all, put_some
from tikitaka.referee.params import Call, Params, Point, Rules, Whistle
from tikitaka.referee.view import View
from tikitaka.referee.zones import offenders
from tikitaka.types import Event, EventKind, Floats, Phase

Word = tuple[Whistle, tuple[Event, ...], Floats | None]

KICK_SECONDS = 5.0  # SSL rules, division A: after that the ball is in play, touched or not
STOP_SECONDS = 1.0  # chosen: a stop is no shorter
STOP_MOST = 4.0  # chosen: and no longer, though somebody is still too near
WALK_MOST = 8.0  # chosen: across the largest field at half speed
LOOK_SECONDS = 0.1  # chosen: so often the referee looks whether everybody stands well
PLACED_WITHIN = 0.15  # [m] SSL rules
PLACED_OFF = 0.05  # [m] SSL rules: from the ball to the nearest robot
PLACED_SLOW = 0.1  # [m/s] chosen: the ball lies
PLACE_LEAST = 2.0  # [s] SSL rules
PLACE_MOST = 15.0  # [s] differs: SSL rules give 30
STOP_SPEED = 1.5  # [m/s] SSL rules
STOP_GRACE = 2.0  # [s] SSL rules
LAID_AGAIN = 0.02  # [m] chosen: a ball that was pushed farther off its spot is put back


def event(
    params: Params, tick: int, kind: EventKind, team: int, at: Point = (0.0, 0.0), robots: tuple[int, ...] = (),
    value: float = 0.0, cause: EventKind | None = None,
) -> Event:  # fmt: skip
    """Return something that happened at a tick."""
    return Event(kind, tick, tick / params.rate, team, *at, robots, cause, value)


def restart(params: Params, whistle: Whistle, tick: int, call: Call, view: View | None) -> Word:
    """Return memory, events and placement at a call; without a view everybody starts from a kick-off."""
    told = event(params, tick, call.kind, call.team, call.at, call.robots, call.value, call.cause)
    if params.walk and view is not None:
        stopped = _begun(whistle, Phase.STOP, call.team, call.spot, tick, then=call.phase)
        if params.teams_place and call.phase in (Phase.FREE_KICK, Phase.GOAL_KICK):
            return stopped, (told,), None
        stopped, placed = _laid(params, stopped, view, [])
        return stopped, (told,), placed
    begun = _begun(whistle, call.phase, call.team, call.spot, tick)
    pose = np.full((2 * params.robots, 3), math.nan) if view is None else view.pose
    placed = put_all(params, begun, pose)
    if placed is None:
        begun = _begun(whistle, Phase.KICK_OFF, max(call.team, 0), (0.0, 0.0), tick)
        placed = put_all(params, begun, pose)
    return begun, (told,), placed


def phase_over(params: Params, whistle: Whistle, view: View) -> Word:
    """Return what becomes of a restart that nobody has taken yet: after a while anybody may play the ball."""
    if view.tick - whistle.since <= KICK_SECONDS * params.rate:
        return whistle, (), None
    on = replace(whistle, phase=Phase.PLAY, since=view.tick, mark=view.ball[:2], mark_tick=view.tick)
    late = event(params, view.tick, EventKind.KICK_TIMEOUT, whistle.owner, view.ball[:2], (), KICK_SECONDS)
    return on, (late,), None


def walking(params: Params, whistle: Whistle, view: View) -> Word:
    """Return what a stop, a placement or a walk to places leads to; each ends in time, whatever teams do."""
    if whistle.phase == Phase.HALT:
        return whistle, (), None
    if whistle.phase == Phase.STOP:
        return _stopped(params, whistle, view)
    if whistle.phase == Phase.PLACEMENT:
        return _placing(params, whistle, view)
    waited, look = view.tick - whistle.since, max(1, round(LOOK_SECONDS * params.rate))
    late = waited > WALK_MOST * params.rate
    if not late and (waited < STOP_SECONDS * params.rate or view.tick % look):
        return whistle, (), None
    wrong = offenders(params, whistle, view.pose, whistle.spot)
    if wrong and not late:
        return whistle, (), None
    return _go(params, whistle, view, wrong)


def _stopped(params: Params, whistle: Whistle, view: View) -> Word:
    p, w = params, whistle
    w, told = _hurried(p, w, view)
    waited, look = view.tick - w.since, max(1, round(LOOK_SECONDS * p.rate))
    if waited < STOP_SECONDS * p.rate or (view.tick % look and waited <= STOP_MOST * p.rate):
        return w, told, None
    ball = view.ball[:2] if view.sees_ball else w.spot
    if offenders(p, w, view.pose, ball) and waited <= STOP_MOST * p.rate and w.then not in _WALKS:
        return w, told, None
    if p.teams_place and w.then in (Phase.FREE_KICK, Phase.GOAL_KICK) and math.dist(ball, w.spot) > PLACED_WITHIN:
        return _begun(w, Phase.PLACEMENT, w.owner, w.spot, view.tick, then=w.then), told, None
    w, events, placed = _resume(p, w, view)
    return w, (*told, *events), placed


def _resume(p: Params, w: Whistle, view: View) -> Word:
    """Return the phase that a stop leads to, the ball on its spot."""
    if w.then in _WALKS:
        begun = _begun(w, w.then, w.owner, w.spot, view.tick, ready=False)
        begun, placed = _laid(p, begun, view, [])
        return begun, (), placed
    begun = _begun(w, w.then, w.owner, w.spot, view.tick)
    return _go(p, begun, view, offenders(p, begun, view.pose, w.spot))


def _go(p: Params, w: Whistle, view: View, wrong: list[int]) -> Word:
    """Return the restart with everybody ready; who stands where they may not is put elsewhere."""
    ready = _begun(w, w.phase, w.owner, w.spot, view.tick)
    ready, placed = _laid(p, ready, view, wrong)
    who = tuple(np.flatnonzero(np.isfinite(placed[:-1, 0])).tolist()) if placed is not None else ()
    told = (event(p, view.tick, EventKind.MOVED, -1, w.spot, who),) if who else ()
    return ready, told, placed


def _placing(params: Params, whistle: Whistle, view: View) -> Word:
    """Return what becomes of a ball that a team brings to its spot."""
    p, w, waited = params, whistle, view.tick - whistle.since
    away = math.dist(view.ball[:2], w.spot) if view.sees_ball else math.inf
    slow = math.hypot(view.ball[2], view.ball[3]) < PLACED_SLOW
    off = np.hypot(view.pose[:, 0] - view.ball[0], view.pose[:, 1] - view.ball[1])
    clear = not (off < p.hull + PLACED_OFF).any()
    if away <= PLACED_WITHIN and slow and clear and waited >= PLACE_LEAST * p.rate:
        told = event(p, view.tick, EventKind.BALL_PLACED, w.owner, view.ball[:2], (), away)
        w, events, placed = _resume(p, replace(w, spot=view.ball[:2]), view)
        return w, (told, *events), placed
    if waited <= PLACE_MOST * p.rate:
        return w, (), None
    told = event(p, view.tick, EventKind.PLACEMENT_FAILED, w.owner, w.spot, (), min(away, 99.0))
    w, events, placed = _resume(p, replace(w, owner=1 - w.owner), view)
    return w, (told, *events), placed


def _hurried(p: Params, w: Whistle, view: View) -> tuple[Whistle, tuple[Event, ...]]:
    """Return memory and events of who drives too fast in a stop; each team is told once, and it counts."""
    if p.rules != Rules.SSL or view.tick - w.since <= STOP_GRACE * p.rate or all(w.hurried):
        return w, ()
    speed, told = np.hypot(view.velocity[:, 0], view.velocity[:, 1]), []
    for i in np.flatnonzero(speed > STOP_SPEED).tolist():
        team = i // p.robots
        if not w.hurried[team]:
            one = (w.hurried[0] or team == 0, w.hurried[1] or team == 1)
            w = replace(w, hurried=one, fouls=(w.fouls[0] + (team == 0), w.fouls[1] + (team == 1)))
            at = (float(view.pose[i, 0]), float(view.pose[i, 1]))
            told.append(event(p, view.tick, EventKind.TOO_FAST_IN_STOP, team, at, (i,), float(speed[i])))
    return w, tuple(told)


def _laid(p: Params, w: Whistle, view: View, wrong: list[int]) -> tuple[Whistle, Floats | None]:
    """Return memory and a placement of the ball on its spot, of those who stand there, and of those who stand wrong.

    Where there is no room for that, the game goes on with a kick-off.
    """
    lay = _astray(w, view)
    if not (lay or wrong):
        return w, None
    placed = put_some(p, w, view.pose, wrong, w.spot, lay=lay)
    if placed is not None:
        return w, placed
    begun = _begun(w, Phase.KICK_OFF, max(w.owner, 0), (0.0, 0.0), view.tick)
    return begun, put_all(p, begun, view.pose)


def _astray(w: Whistle, view: View) -> bool:
    rolls = math.hypot(view.ball[2], view.ball[3]) > PLACED_SLOW
    return not view.sees_ball or rolls or math.dist(view.ball[:2], w.spot) > LAID_AGAIN


def _begun(
    w: Whistle, phase: Phase, owner: int, spot: Point, tick: int, *, ready: bool = True, then: Phase = Phase.PLAY
) -> Whistle:
    """Return the memory at the start of a phase; score, half and fouls are kept."""
    return Whistle(phase, w.score, owner, tick, spot, ready, w.half, then, spot, tick, fouls=w.fouls)


_WALKS = (Phase.KICK_OFF, Phase.PENALTY)
