"""Stop, walking to places, ball placement: what ends each phase, and that each ends in time whatever teams do."""

import math
from dataclasses import replace

import numpy as np
import pytest
from referee_scenes import PLAYING, kinds, lined_up, look, marked, rules

from tikitaka import referee
from tikitaka.referee.restarts import PLACE_MOST, STOP_GRACE, STOP_MOST, STOP_SECONDS, WALK_MOST
from tikitaka.types import BLUE, YELLOW, Event, EventKind, Floats, Phase

OPEN = rules("ssl-b")
PLACING = replace(OPEN, teams_place=True)


class Pitch:
    """A pitch on which nothing moves but by the referee's hand and the test's."""

    def __init__(self, params: referee.Params, whistle: referee.Whistle, view: referee.View) -> None:
        self.params, self.whistle, self.tick = params, whistle, view.tick
        self.pose, self.velocity, self.ball = view.pose.copy(), view.velocity.copy(), [*view.ball]
        self.events: list[Event] = []
        self.placed: Floats | None = None

    def step(self) -> Phase:
        x, y, vx, vy, z = self.ball
        view = referee.View(self.tick, self.pose, self.velocity, (x, y, vx, vy, z), 1)
        self.whistle, events, self.placed = referee.step(self.params, self.whistle, view)
        self.events += events
        self.tick += 1
        if self.placed is not None:
            self.pose = np.where(np.isfinite(self.placed[:-1]), self.placed[:-1], self.pose)
            if math.isfinite(self.placed[-1, 0]):
                self.ball = [*self.placed[-1, :2].tolist(), 0.0, 0.0, 0.0]
        return self.whistle.phase

    def until(self, phase: Phase, most: float, ready: bool = True) -> float:
        """Return the seconds until a phase begins."""
        began = self.tick
        while (self.whistle.phase, self.whistle.ready) != (phase, ready):
            self.step()
            assert self.tick - began <= most * self.params.rate + 1
        return (self.tick - 1 - began) / self.params.rate


def thrown_in(params: referee.Params, at: dict[int, tuple[float, float]] | None = None) -> Pitch:
    """Return the pitch right after blue has put the ball out at (1, touch line)."""
    view = look(params, 600, (1.0, params.field.half_width + 0.1, 0.5, 0.5), 1, at)
    pitch = Pitch(params, marked(view), view)
    assert pitch.step() == Phase.STOP
    return pitch


def test_the_ball_lies_on_its_spot_at_once_and_after_a_short_stop_the_free_kick_follows() -> None:
    pitch = thrown_in(OPEN)
    assert pitch.ball[:2] == [1.0, OPEN.field.half_width - 0.2]
    assert pitch.placed is not None
    assert np.isnan(pitch.placed[:-1]).all()  # nobody is moved
    for team, ours in ((BLUE, False), (YELLOW, True)):
        game = referee.game(OPEN, pitch.whistle, pitch.tick, team)
        assert (game.phase, game.ours) == (Phase.STOP, ours)
    waited = pitch.until(Phase.FREE_KICK, STOP_MOST) + 1.0 / OPEN.rate  # since the call
    assert STOP_SECONDS <= waited <= STOP_SECONDS + 0.2
    assert pitch.whistle.owner == YELLOW
    assert kinds(tuple(pitch.events)) == [EventKind.THROW_IN]


def test_who_stays_too_near_the_ball_is_waited_for_and_then_moved_and_nobody_else_is() -> None:
    near = OPEN.keep_off + OPEN.hull - 0.06
    spot_y = OPEN.field.half_width - 0.2
    pitch = thrown_in(OPEN, {3: (1.0, spot_y - near), 9: (1.0 + near, spot_y), 4: (2.0, 0.0)})
    assert pitch.until(Phase.FREE_KICK, STOP_MOST + 0.2) >= STOP_MOST
    assert pitch.placed is not None
    assert np.flatnonzero(np.isfinite(pitch.placed[:, 0])).tolist() == [3]  # yellow 3 may go to its own ball
    away = math.dist(pitch.pose[3, :2], pitch.ball[:2])
    assert away >= OPEN.keep_off + OPEN.hull - 1e-9
    assert math.dist(pitch.pose[3, :2], (1.0, spot_y - near)) < 0.2
    assert [(e.kind, e.robots) for e in pitch.events[1:]] == [(EventKind.MOVED, (3,))]


def test_a_stop_ends_as_soon_as_everybody_has_left() -> None:
    pitch = thrown_in(OPEN, {3: (1.0, OPEN.field.half_width - 0.5)})
    for _ in range(int(2.0 * OPEN.rate)):
        assert pitch.step() == Phase.STOP
    pitch.pose[3, :2] = 1.0, 0.0
    assert pitch.until(Phase.FREE_KICK, 0.2) <= 0.1


def test_nobody_stands_where_the_ball_is_put() -> None:
    pitch = thrown_in(OPEN, {3: (1.0, OPEN.field.half_width - 0.2)})
    assert pitch.placed is not None
    assert np.flatnonzero(np.isfinite(pitch.placed[:, 0])).tolist() == [3, 12]
    assert math.dist(pitch.pose[3, :2], pitch.ball[:2]) > OPEN.hull + OPEN.ball_radius


@pytest.mark.parametrize(("seconds", "speed", "told"), [(1.5, 3.0, 0), (3.0, 1.49, 0), (3.0, 1.51, 1), (3.0, 3.0, 1)])
def test_who_is_too_fast_in_a_stop_is_told_once_after_the_grace(seconds: float, speed: float, told: int) -> None:
    pitch = thrown_in(OPEN, {3: (1.0, OPEN.field.half_width - 0.5)})
    pitch.velocity[5, :2] = 0.6 * speed, 0.8 * speed
    pitch.velocity[4, :2] = 0.8 * speed, 0.6 * speed
    for _ in range(int(seconds * OPEN.rate)):
        pitch.step()
    fast = [e for e in pitch.events if e.kind == EventKind.TOO_FAST_IN_STOP]
    assert len(fast) == told
    assert all(e.time > 10.0 + STOP_GRACE for e in fast)
    assert pitch.whistle.fouls == (told, 0)


def goal(params: referee.Params, at: dict[int, tuple[float, float]] | None = None) -> Pitch:
    view = look(params, 600, (params.field.half_length + 0.1, 0.0), 1, at)
    return Pitch(params, marked(view), view)


def test_after_a_goal_everybody_walks_home_and_the_kick_off_waits_for_them() -> None:
    pitch = goal(OPEN, {2: (2.0, 1.0)})  # a blue robot in yellow's half
    pitch.until(Phase.KICK_OFF, 2.0, ready=False)
    assert pitch.ball[:2] == [0.0, 0.0]
    for _ in range(int(3.0 * OPEN.rate)):
        assert pitch.step() == Phase.KICK_OFF
        assert not pitch.whistle.ready
    pitch.pose[2, :2] = -2.0, 1.0
    assert pitch.until(Phase.KICK_OFF, 0.2) <= 0.1
    assert kinds(tuple(pitch.events)) == [EventKind.GOAL, EventKind.KICK_OFF]


def test_who_does_not_walk_home_is_carried() -> None:
    pitch = goal(OPEN, {2: (2.0, 1.0), 8: (-1.0, 2.0)})
    pitch.until(Phase.KICK_OFF, 2.0, ready=False)
    assert pitch.until(Phase.KICK_OFF, WALK_MOST + 0.2) >= WALK_MOST
    assert pitch.pose[2, 0] <= -OPEN.hull + 1e-9
    assert pitch.pose[8, 0] >= OPEN.hull - 1e-9
    assert [(e.kind, e.robots) for e in pitch.events[2:]] == [(EventKind.MOVED, (2, 8))]
    assert pitch.until(Phase.PLAY, 5.1) >= 5.0


def test_a_ball_that_is_touched_before_the_whistle_is_put_back() -> None:
    pitch = goal(OPEN, {2: (2.0, 1.0)})
    pitch.until(Phase.KICK_OFF, 2.0, ready=False)
    pitch.ball[:2] = 0.5, 0.1
    pitch.pose[2, :2] = -2.0, 1.0
    pitch.until(Phase.KICK_OFF, 1.2)
    assert pitch.ball[:2] == [0.0, 0.0]


def test_a_ball_that_rolls_over_its_spot_is_stopped_there() -> None:
    pitch = thrown_in(OPEN)
    x, y = pitch.whistle.spot
    pitch.ball = [x + 0.01, y, 0.3, 0.0, 0.0]
    pitch.until(Phase.FREE_KICK, STOP_MOST)
    assert pitch.ball == [x, y, 0.0, 0.0, 0.0]


def test_a_team_that_brings_the_ball_to_its_spot_in_time_plays_it_from_there() -> None:
    pitch = thrown_in(PLACING)
    assert pitch.placed is None  # the ball is left to the teams
    pitch.until(Phase.PLACEMENT, STOP_MOST + 0.2)
    assert referee.game(PLACING, pitch.whistle, pitch.tick, YELLOW).ours
    spot = pitch.whistle.spot
    pitch.ball = [spot[0] + 0.14, spot[1], 0.0, 0.0, 0.0]
    assert pitch.until(Phase.FREE_KICK, 3.0) >= 1.9
    assert pitch.whistle.owner == YELLOW
    assert pitch.ball[:2] == [spot[0] + 0.14, spot[1]]
    assert EventKind.BALL_PLACED in kinds(tuple(pitch.events))


@pytest.mark.parametrize("why", ["far", "rolls", "robot"])
def test_a_placement_that_fails_gives_the_ball_to_the_other_team(why: str) -> None:
    pitch = thrown_in(PLACING)
    pitch.until(Phase.PLACEMENT, STOP_MOST + 0.2)
    x, y = pitch.whistle.spot
    pitch.ball = [x + 0.16 if why == "far" else x, y, 0.2 if why == "rolls" else 0.0, 0.0, 0.0]
    if why == "robot":
        pitch.pose[8, :2] = x, y - PLACING.hull - 0.04
    assert pitch.until(Phase.FREE_KICK, PLACE_MOST + 0.1) >= PLACE_MOST
    assert pitch.whistle.owner == BLUE
    assert pitch.ball[:2] == [x, y]
    assert EventKind.PLACEMENT_FAILED in kinds(tuple(pitch.events))


@pytest.mark.parametrize("params", [OPEN, PLACING, replace(rules("mirosot-5v5"), walk=True), rules("ssl-a")])
def test_the_game_goes_on_though_nobody_ever_moves(params: referee.Params) -> None:
    view = look(params, 0, (0.0, 0.0))
    pitch = Pitch(params, referee.begin(params)[0], view)
    phases = []
    for _ in range(int(120.0 * params.rate)):
        phases.append(pitch.step())
    longest = max(len(run) for run in _runs(phases))
    assert longest <= (params.free_ball_after + 1.0) * params.rate
    assert kinds(tuple(pitch.events)).count(EventKind.FREE_BALL) >= 6


def test_a_walk_ends_in_time_in_every_phase_though_everybody_stands_in_the_wrong_place() -> None:
    for then in (Phase.KICK_OFF, Phase.PENALTY, Phase.FREE_KICK, Phase.FREE_BALL, Phase.GOAL_KICK):
        for owner in (BLUE, YELLOW):
            view = referee.View(600, lined_up(OPEN)[::-1].copy(), np.zeros((12, 3)), (0.0, 0.0, 0.0, 0.0, 0.0))
            whistle = replace(PLAYING, phase=Phase.STOP, since=600, then=then, owner=owner, spot=(0.5, 0.3))
            pitch = Pitch(OPEN, whistle, view)
            pitch.until(then, STOP_MOST + WALK_MOST + 0.2)
            assert pitch.until(Phase.PLAY, 5.1) >= 5.0


def _runs(phases: list[Phase]) -> list[list[Phase]]:
    found: list[list[Phase]] = [[]]
    for phase in phases:
        if found[-1] and found[-1][-1] != phase:
            found.append([])
        found[-1].append(phase)
    return found
