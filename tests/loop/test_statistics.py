"""Passes, shots and saves, on balls that are moved by hand."""

from dataclasses import replace

import numpy as np
import pytest

from tikitaka import league, sim
from tikitaka.loop import statistics
from tikitaka.loop.build import pitch_params
from tikitaka.types import Event, EventKind

SSL = league.load("ssl-b")
N = SSL.team.robots
START = sim.start(pitch_params(SSL))
PLACES = np.column_stack((np.linspace(-3.0, 3.0, 2 * N), np.full(2 * N, 2.0), np.zeros(2 * N)))


def moment(toucher: int, ball: tuple[float, ...], pose: np.ndarray | None = None) -> sim.State:
    rolling = np.zeros(8)
    rolling[: len(ball)] = ball
    return replace(START, pose=PLACES if pose is None else pose, ball=rolling, toucher=toucher)


def counted(*moments: sim.State) -> statistics.Statistics:
    result = statistics.start(SSL)
    for state in moments:
        statistics.follow(result, state, ())
    return result


def at(robot: int) -> tuple[float, float]:
    return tuple(PLACES[robot, :2].tolist())


def test_a_mate_that_touches_next_and_far_away_has_been_passed_to() -> None:
    found = counted(moment(0, at(0)), moment(0, (0.0, 0.0)), moment(3, at(3)))
    assert found.passes == (1, 0)
    assert counted(moment(0, at(0)), moment(N, at(N)), moment(3, at(3))).passes == (0, 0), "an opponent was between"
    assert counted(moment(0, at(0)), moment(1, (at(0)[0] + 0.3, 2.0))).passes == (0, 0), "a touch on, 30 cm"


@pytest.mark.parametrize("team", [0, 1])
def test_a_ball_left_towards_the_goal_is_one_shot_and_a_touch_in_the_area_a_save(team: int) -> None:
    way, shooter, keeper = 1 - 2 * team, team * N, (1 - team) * N
    flight = [moment(shooter, (way * x, 0.1, way * 4.0, 0.1)) for x in (0.0, 1.0, 2.0, 3.0)]
    found = counted(moment(shooter, at(shooter)), *flight)
    assert (found.shots[team], found.shots[1 - team], found.saves) == (1, 0, (0, 0))
    caught = counted(moment(shooter, at(shooter)), *flight, moment(keeper, (way * 4.2, 0.2)))
    assert caught.saves[1 - team] == 1
    blocked = counted(moment(shooter, at(shooter)), *flight, moment(keeper, (way * 3.0, 0.2)))
    assert blocked.saves == (0, 0), "stopped before the area"


@pytest.mark.parametrize("ball", [(0.0, 0.0, 4.0, 1.0), (0.0, 0.0, -4.0, 0.0), (0.0, 0.0, 1.5, 0.0)])
def test_a_ball_that_misses_or_runs_out_is_no_shot(ball: tuple[float, ...]) -> None:
    assert counted(moment(0, at(0)), moment(0, ball)).shots == (0, 0)


def test_a_goal_that_was_pushed_in_is_a_shot_too_and_none_is_counted_twice() -> None:
    goal = Event(EventKind.GOAL, 1, 0.0, 0, 4.6, 0.0)
    pushed, shot = counted(moment(0, at(0))), counted(moment(0, at(0)), moment(0, (4.0, 0.0, 4.0, 0.0)))
    for found in (pushed, shot):
        statistics.follow(found, moment(-1, (0.0, 0.0)), (goal,))
        assert found.shots == (1, 0)


def test_possession_is_shared_by_the_last_touch() -> None:
    assert statistics.start(SSL).possession == (0.5, 0.5)
    assert counted(moment(0, at(0)), moment(1, at(1)), moment(2, at(2)), moment(N, at(N))).possession == (0.75, 0.25)


@pytest.mark.parametrize("first", [0, N])
def test_a_ball_between_two_stays_his_who_had_it_whatever_their_numbers(first: int) -> None:
    second, pose = N - first, PLACES.copy()
    ball = (float(pose[first, 0]) + 0.1, 2.0)
    pose[second, :2] = ball[0] + 0.1, 2.0
    found = counted(moment(first, ball, pose), moment(second, ball, pose), moment(second, ball, pose))
    assert found.possession[first // N] == 1.0
    pose[first, 1] += 0.1
    lost = counted(moment(first, ball, pose), moment(second, ball, pose), moment(second, ball, pose))
    assert lost.possession[first // N] == pytest.approx(1 / 3), "he has let it go"


def test_the_longest_stand_of_each_team_and_of_the_ball() -> None:
    slow, result = PLACES.copy(), statistics.start(SSL)
    for tick in range(31):
        slow[1:N, 0] += 0.005  # blue's robot 0 stands, the others move
        slow[N:, 2] += 0.03  # yellow turns
        ball = (0.0 if tick < 11 else 1.0, 0.0)
        statistics.follow(result, replace(moment(-1, ball, slow), tick=tick), ())
    blue, yellow, lies = result.stands(10.0)
    assert blue == 3.0
    assert yellow == pytest.approx(1.0, abs=0.11), "0.3 rad take ten ticks"
    assert lies == pytest.approx(1.9, abs=0.11)
