"""One crossing a tick: rows that are simple and those that are not come to the same, and nothing handed out changes."""

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest

from tikitaka import estimate, league
from tikitaka.estimate import belief as beliefs
from tikitaka.estimate import moment
from tikitaka.estimate.kernels import counting, packing, ticking
from tikitaka.loop.believed import estimate_params
from tikitaka.types import Commands, Detections, Floats, Game, Phase

PARAMS = estimate_params(league.load("mirosot-5v5"))
N = PARAMS.robots
DT = 1.0 / 30.0
GAME = Game(Phase.PLAY, 60.0, 0, 0, ours=False)
STOP = Commands.stop(N, 2)


def placed() -> Floats:
    rows = np.zeros((2 * N + 1, 3))
    rows[:-1, 0], rows[:-1, 1] = np.repeat((-0.5, 0.5), N), np.tile(np.linspace(-0.6, 0.6, N), 2)
    return rows


def seen(time: float, now: float, extra: int = 0) -> Detections:
    """Everybody drives at 0.3 m/s along x; extra rows were seen at no time at all."""
    pose = placed() + np.array((0.3 * time, 0.0, 0.0))
    return Detections(
        now=now,
        ball_time=np.array([time] + [np.nan] * extra),
        ball_xy=np.concatenate((pose[-1:, :2], np.zeros((extra, 2)))),
        robot_time=np.full(2 * N, time),
        robot_pose=pose[:-1],
        robot_team=np.repeat((0, 1), N),
        robot_label=np.full(2 * N, -1),
        game=GAME,
        placed=placed() if now == 0.0 else None,
    )


def arrays(thing: object) -> list[Floats]:
    if isinstance(thing, np.ndarray):
        return [thing]
    if isinstance(thing, estimate.Moment):
        return arrays((thing.robots, thing.ball))  # its own arrays have room for more guesses than there are
    if dataclasses.is_dataclass(thing):
        return [a for field in dataclasses.fields(thing) for a in arrays(getattr(thing, field.name))]
    return [a for one in thing for a in arrays(one)] if isinstance(thing, tuple) else []


def run(ticks: int, extra: int = 0) -> tuple[estimate.Tracks, list[Floats]]:
    tracks, worlds = estimate.start(PARAMS), list[Floats]()
    for k in range(ticks):
        tracks, world = estimate.step(PARAMS, tracks, seen(k * DT, k * DT, extra), STOP)
        worlds += arrays(world)
    return tracks, worlds


def test_the_quick_way_and_the_careful_one_come_to_the_same() -> None:
    quick, careful = run(12), run(12, extra=1)  # a row without a time is nobody's, but not simple
    assert careful[0].counts[counting.NONSENSE] == 12
    careful[0].counts[counting.NONSENSE] = 0
    for a, b in zip(arrays(quick[0]) + quick[1], arrays(careful[0]) + careful[1], strict=True):
        np.testing.assert_array_equal(a, b)


def test_what_was_handed_out_stays_as_it_is() -> None:
    tracks, _ = run(5)
    kept = [a.copy() for a in arrays(tracks)]
    _, world = estimate.step(PARAMS, tracks, seen(5 * DT, 5 * DT), STOP)
    shown = [a.copy() for a in arrays(world)]
    run(8)
    for a, b in zip(arrays(tracks) + arrays(world), kept + shown, strict=True):
        np.testing.assert_array_equal(a, b)


def test_nothing_of_the_scratch_is_handed_out_or_read_before_it_is_written() -> None:
    first = run(6)
    for array in (*PARAMS.room.fixed, *PARAMS.room.rows(2 * N)):
        array.fill(-(2**40))
    again = run(6)
    for a, b in zip(arrays(first[0]) + first[1], arrays(again[0]) + again[1], strict=True):
        np.testing.assert_array_equal(a, b)


def both(one: Detections, two: Detections) -> Detections:
    """Return two pictures that arrive in one tick; the newer one's rows come first."""
    names = ("ball_time", "ball_xy", "robot_time", "robot_pose", "robot_team", "robot_label")
    rows: dict[str, Any] = {k: np.concatenate((getattr(two, k), getattr(one, k))) for k in names}
    return dataclasses.replace(two, **rows)


@pytest.mark.parametrize("in_order", [True, False])
def test_two_pictures_in_one_tick_come_to_the_same_as_one_after_the_other(in_order: bool) -> None:
    tracks, (now, late) = run(4)[0], (5 * DT + 0.02, 5 * DT)
    one, two = seen(4.5 * DT, late), seen(late, now)
    alone = estimate.step(PARAMS, estimate.step(PARAMS, tracks, one, STOP)[0], two, STOP)
    together = both(two, dataclasses.replace(one, now=now)) if in_order else both(one, two)
    at_once = estimate.step(PARAMS, tracks, together, STOP)
    for a, b in zip(arrays(alone[1]), arrays(at_once[1]), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)
    assert [m.time for m in at_once[0].moments[-2:]] == [4.5 * DT, late]
    for a, b in zip(arrays(alone[0].moments[-1].ball), arrays(at_once[0].moments[-1].ball), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-6)


def test_a_tick_crosses_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tracks, calls = run(3)[0], itertools.count()
    monkeypatch.setattr(moment, "tick", lambda *args: (next(calls), ticking.tick(*args))[1])
    estimate.step(PARAMS, tracks, seen(3 * DT, 3 * DT), STOP)
    assert next(calls) == 1


def test_beliefs_that_are_renamed_keep_their_layout() -> None:
    one = run(3)[0].robots
    state, p, held, seen, trouble, back, cost = (
        np.repeat(a, 3, axis=0) for a in (one.state, one.p, one.held, one.seen, one.trouble, one.back, one.cost)
    )
    many = dataclasses.replace(one, state=state, p=p, held=held, seen=seen, trouble=trouble, back=back, cost=cost)
    order = np.arange(2 * N)
    order[[0, 1]] = order[[1, 0]]
    renamed = beliefs.renamed(many, order, 0)
    assert all(a.flags.c_contiguous for a in arrays(renamed))
    np.testing.assert_array_equal(renamed.p[2, 0], many.p[2, 1])


@pytest.mark.parametrize("h", [1, 6])
@pytest.mark.parametrize("n", [2, 10, 22])
def test_the_parts_of_a_moment_are_all_of_its_numbers_in_order(h: int, n: int) -> None:
    numbers = np.arange(packing.room_for(h, n), dtype=np.float64)
    parts = packing.parts_of(numbers, h, n)
    assert np.concatenate([part.ravel() for part in parts]).tolist() == numbers.tolist()
    assert all(np.shares_memory(part, numbers) for part in parts)
