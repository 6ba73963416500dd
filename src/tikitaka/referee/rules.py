"""Goals, kick-off, free ball, clock and full time. Reads the truth in a simulation, the estimate on a real pitch."""

import math
from dataclasses import dataclass, replace

from tikitaka.referee.placement import kick_off
from tikitaka.types import BLUE, YELLOW, Event, EventKind, Field, Floats, Game, Phase

KICK_OFF_SECONDS = 5.0  # after that the ball is in play, touched or not
ROUNDING = 1e-6  # of a tick: 0.1 + 0.2 seconds are 9 ticks at 30 Hz
IN_PLAY = 0.03  # [m] the ball has been played once it has moved so far


@dataclass(frozen=True, slots=True)
class Params:
    """The rules of one match."""

    field: Field
    robots: int  # a team
    hull: float  # radius of the circle around a robot
    reach: float  # between the centres of robot and ball when they touch
    ball_radius: float
    seconds: float
    free_ball_after: float
    rate: float  # ticks a second


@dataclass(frozen=True, slots=True)
class Whistle:
    """What the referee remembers."""

    phase: Phase = Phase.HALT
    score: tuple[int, int] = (0, 0)
    kicks_off: int = BLUE
    since: int = 0  # tick of the last restart
    mark: tuple[float, float] = (0.0, 0.0)  # where the ball last made progress
    mark_tick: int = 0


def begin(params: Params) -> tuple[Whistle, Event, Floats]:
    """Return the first kick-off: memory, event and where everybody is put."""
    return _restart(params, Whistle(), 0, EventKind.KICK_OFF, BLUE)


def step(
    params: Params, whistle: Whistle, tick: int, ball_x: float, ball_y: float
) -> tuple[Whistle, tuple[Event, ...], Floats | None]:
    """Return memory, events, and poses (2n + 1, 3) where robots and ball are put, None while the game goes on."""
    if tick >= math.ceil(params.seconds * params.rate - ROUNDING):
        return replace(whistle, phase=Phase.HALT), (_event(params, EventKind.FULL_TIME, tick, -1),), None
    scorer = _scorer(params, ball_x, ball_y)
    if scorer is not None:
        blue, yellow = whistle.score
        whistle = replace(whistle, score=(blue + (scorer == BLUE), yellow + (scorer == YELLOW)))
        goal = _event(params, EventKind.GOAL, tick, scorer, ball_x, ball_y)
        whistle, event, placed = _restart(params, whistle, tick, EventKind.KICK_OFF, 1 - scorer)
        return whistle, (goal, event), placed
    whistle = _progress(params, whistle, tick, ball_x, ball_y)
    stuck = whistle.phase == Phase.PLAY and tick - whistle.mark_tick > params.free_ball_after * params.rate
    if stuck or _out(params, ball_x, ball_y):
        whistle, event, placed = _restart(params, whistle, tick, EventKind.FREE_BALL, _owner(whistle, ball_x))
        return whistle, (event,), placed
    return whistle, (), None


def game(params: Params, whistle: Whistle, tick: int, team: int) -> Game:
    """Return the referee's word as one team hears it."""
    return Game(
        phase=whistle.phase,
        time_left=max(0.0, params.seconds - tick / params.rate),
        goals_ours=whistle.score[team],
        goals_theirs=whistle.score[1 - team],
        ours=whistle.kicks_off == team,
    )


def _restart(params: Params, whistle: Whistle, tick: int, kind: EventKind, team: int) -> tuple[Whistle, Event, Floats]:
    whistle = Whistle(Phase.KICK_OFF, whistle.score, team, tick, (0.0, 0.0), tick)
    placed = kick_off(params.field, params.robots, params.hull, params.reach, team)
    return whistle, _event(params, kind, tick, team), placed


def _progress(params: Params, whistle: Whistle, tick: int, x: float, y: float) -> Whistle:
    moved = math.dist((x, y), whistle.mark)
    if whistle.phase == Phase.KICK_OFF:
        waited = tick - whistle.since > KICK_OFF_SECONDS * params.rate
        return replace(whistle, phase=Phase.PLAY, mark_tick=tick) if moved > IN_PLAY or waited else whistle
    return replace(whistle, mark=(x, y), mark_tick=tick) if moved > 2.0 * params.hull else whistle


def _owner(whistle: Whistle, x: float) -> int:
    """Return who plays a free ball: the team in whose half it was lost, at the halfway line not the last one."""
    if abs(x) < IN_PLAY:
        return 1 - whistle.kicks_off
    return BLUE if x < 0.0 else YELLOW


def _scorer(params: Params, x: float, y: float) -> int | None:
    f = params.field
    over = abs(x) - f.half_length
    if params.ball_radius < over < f.goal_depth + f.goal_wall and abs(y) < 0.5 * f.goal_width:
        return BLUE if x > 0.0 else YELLOW
    return None


def _out(params: Params, x: float, y: float) -> bool:
    f, r = params.field, params.ball_radius
    beside = f.margin_y > 0.0 and abs(y) > f.half_width + r
    behind = f.margin_x > 0.0 and abs(x) > f.half_length + r
    return beside or behind


def _event(params: Params, kind: EventKind, tick: int, team: int, x: float = 0.0, y: float = 0.0) -> Event:
    return Event(kind, tick, tick / params.rate, team, x, y)
