"""One tick of the referee: the clock, goals, and what each phase leads to. `step` is pure."""

import math
from dataclasses import replace

from tikitaka.referee import mirosot, ssl
from tikitaka.referee.params import Call, Params, Rules, Whistle
from tikitaka.referee.restarts import Word, event, phase_over, restart, walking
from tikitaka.referee.resting import watch
from tikitaka.referee.spots import in_area
from tikitaka.referee.view import View
from tikitaka.types import BLUE, YELLOW, Event, EventKind, Floats, Game, Phase

IN_PLAY = 0.03  # [m] the ball has been played once it has moved so far
PROGRESS = 0.6  # chosen: hulls a second that the ball has to get away: robots that wrestle in a corner move it by less
DEAD = (Phase.HALT, Phase.STOP, Phase.PLACEMENT)  # the ball is not to be played in these


def begin(params: Params) -> tuple[Whistle, Event, Floats]:
    """Return the first kick-off: memory, event and where everybody is put."""
    whistle, events, placed = _kick_off(params, Whistle(), 0, BLUE)
    assert placed is not None  # noqa: S101  everybody is put in place
    return whistle, events[0], placed


def step(params: Params, whistle: Whistle, view: View) -> Word:
    """Return memory, events, and poses (2n + 1, 3) where robots and ball are put: NaN who is left alone, None: all."""
    tick, view = view.tick, view.cleaned()
    if tick >= params.ticks(params.seconds):
        over = event(params, tick, EventKind.FULL_TIME, -1)
        return replace(whistle, phase=Phase.HALT, since=tick, ready=True), (over,), None
    if whistle.half < params.halves and tick >= params.ticks(params.seconds * whistle.half / params.halves):
        return _next_half(params, whistle, tick)
    if whistle.phase in DEAD or not whistle.ready:
        return walking(params, whistle, view)
    if not view.sees_ball:
        return _unseen(params, whistle, view)
    scorer = _scorer(params, *view.ball[:2])
    if scorer is not None:
        return _goal(params, whistle, view, scorer)
    return _played(params, _progress(params, whistle, view), view)


def game(params: Params, whistle: Whistle, tick: int, team: int) -> Game:
    """Return the referee's word as one team hears it, in its own frame."""
    (x, y), turn = whistle.spot, 1.0 if team == BLUE else -1.0
    left, ours = max(0.0, params.seconds - tick / params.rate), whistle.owner in (team, -1)
    score = (whistle.score[team], whistle.score[1 - team])
    return Game(whistle.phase, left, *score, ours, (turn * x, turn * y), whistle.ready, whistle.half)


def _kick_off(params: Params, whistle: Whistle, tick: int, team: int) -> Word:
    call = Call(Phase.KICK_OFF, team, (0.0, 0.0), EventKind.KICK_OFF, (0.0, 0.0))
    return restart(replace(params, walk=False), whistle, tick, call, None)


def _next_half(params: Params, whistle: Whistle, tick: int) -> Word:
    """Return the next half: the other team kicks off. Ends are not changed."""
    whistle = replace(whistle, half=whistle.half + 1)
    whistle, events, placed = _kick_off(params, whistle, tick, BLUE if whistle.half % 2 else YELLOW)
    return whistle, (event(params, tick, EventKind.HALF_TIME, -1), *events), placed


def _goal(params: Params, whistle: Whistle, view: View, scorer: int) -> Word:
    blue, yellow = whistle.score
    whistle = replace(whistle, score=(blue + (scorer == BLUE), yellow + (scorer == YELLOW)))
    at, who = view.ball[:2], (view.toucher,) if view.toucher >= 0 else ()
    goal = event(params, view.tick, EventKind.GOAL, scorer, at, who)
    call = Call(Phase.KICK_OFF, 1 - scorer, (0.0, 0.0), EventKind.KICK_OFF, (0.0, 0.0))
    whistle, events, placed = restart(params, whistle, view.tick, call, view)
    return whistle, (goal, *events), placed


def _played(params: Params, whistle: Whistle, view: View) -> Word:
    """Return what the referee makes of a ball that may be played."""
    p, w = params, whistle
    if w.phase != Phase.PLAY:
        return phase_over(p, w, view)
    book = ssl if p.rules == Rules.SSL else mirosot
    w, call = book.judge(p, w, view)
    if call is None and view.tick - w.mark_tick > p.free_ball_after * p.rate:
        call = book.stuck(p, view)
    w, noted = (w, ()) if book is mirosot else _noted(p, w, view)
    if call is None and noted:
        w, call, noted = _third_foul(p, w, noted)
    if call is not None:
        w, events, placed = restart(p, w, view.tick, call, view)
        return w, (*noted, *events), placed
    w, events, placed = watch(p, w, view)
    return w, (*noted, *events), placed


def _noted(p: Params, w: Whistle, view: View) -> tuple[Whistle, tuple[Event, ...]]:
    """Return memory and events of fouls that do not stop play; each counts against its team."""
    w, fouls = ssl.fouls(p, w, view)
    events = []
    for kind, who, at, value in fouls:
        team = -1 if kind == EventKind.CRASH_DRAWN else who[0] // p.robots
        if team >= 0:
            count = (w.fouls[0] + (team == BLUE), w.fouls[1] + (team == YELLOW))
            w = replace(w, fouls=count)
        events.append(event(p, view.tick, kind, team, at, who, value))
    return w, tuple(events)


def _third_foul(p: Params, w: Whistle, noted: tuple[Event, ...]) -> tuple[Whistle, Call | None, tuple[Event, ...]]:
    """Return memory, the call for a team that has three fouls, and the fouls that are only noted."""
    for k, foul in enumerate(noted):
        if foul.team >= 0 and w.fouls[foul.team] >= ssl.FOULS:
            left = (w.fouls[0] - ssl.FOULS * (foul.team == BLUE), w.fouls[1] - ssl.FOULS * (foul.team == YELLOW))
            call = ssl.free_kick(p, 1 - foul.team, (foul.x, foul.y), foul.kind, foul.robots, foul.value)
            return replace(w, fouls=left), call, (*noted[:k], *noted[k + 1 :])
    return w, None, noted


def _progress(params: Params, whistle: Whistle, view: View) -> Whistle:
    """Return memory of where the ball has got to, and since when it has been in a goal area."""
    x, y = view.ball[:2]
    moved, waits = math.dist((x, y), whistle.mark), whistle.phase != Phase.PLAY
    if waits and moved <= IN_PLAY:
        return whistle
    home = in_area(params.field, x, y) >= 0
    if home != (whistle.held >= 0):
        whistle = replace(whistle, held=view.tick if home else -1)
    if waits:
        whistle = replace(whistle, phase=Phase.PLAY, since=view.tick)
    away = PROGRESS * params.free_ball_after * params.hull
    return replace(whistle, mark=(x, y), mark_tick=view.tick) if waits or moved > away else whistle


def _unseen(params: Params, whistle: Whistle, view: View) -> Word:
    """Return what goes on though nobody knows where the ball is: time-outs, from where it was last."""
    lost = replace(view, ball=(*whistle.mark, 0.0, 0.0, 0.0))
    if whistle.phase != Phase.PLAY:
        return phase_over(params, whistle, lost)
    if view.tick - whistle.mark_tick <= params.free_ball_after * params.rate:
        return whistle, (), None
    call = (ssl if params.rules == Rules.SSL else mirosot).stuck(params, lost)
    return restart(params, whistle, view.tick, call, lost)


def _scorer(params: Params, x: float, y: float) -> int | None:
    f = params.field
    over = abs(x) - f.half_length
    if params.ball_radius < over < f.goal_depth + f.goal_wall and abs(y) < 0.5 * f.goal_width:
        return BLUE if x > 0.0 else YELLOW
    return None
