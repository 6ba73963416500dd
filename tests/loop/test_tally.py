"""Counting collisions and swapped identities."""

import numpy as np

from tikitaka.loop import tally

RATE = 30.0


def touching(*pairs: tuple[int, int]) -> np.ndarray:
    touched = np.zeros((4, 4), np.uint8)
    for i, j in pairs:
        touched[i, j] = touched[j, i] = 1
    return touched


def count(contacts: dict[int, list[tuple[int, int]]], ticks: int) -> int:
    result = tally.start(2)
    for tick in range(ticks):
        result = tally.count_collisions(result, touching(*contacts.get(tick, [])), tick, RATE, 0)
    return result.collisions


def test_a_long_push_is_one_collision() -> None:
    assert count({tick: [(0, 2)] for tick in range(10, 60)}, 100) == 1


def test_a_pair_that_parts_for_less_than_half_a_second_is_still_in_the_same_collision() -> None:
    assert count({10: [(0, 2)], 25: [(0, 2)]}, 50) == 1
    assert count({10: [(0, 2)], 26: [(0, 2)]}, 50) == 2


def test_every_pair_counts_for_itself() -> None:
    assert count({10: [(0, 2), (1, 2)], 12: [(0, 3)]}, 50) == 3


TRUTH = np.array([(-0.5, 0.1, 0.0), (-0.5, -0.1, 0.0), (0.5, 0.1, 0.0), (0.5, -0.1, 0.0)])


def swaps(blue: np.ndarray, ticks: int, before: tally.Tally | None = None) -> tally.Tally:
    result = before or tally.start(2)
    for _ in range(ticks):
        result = tally.count_swaps(result, blue, -TRUTH[2:], TRUTH, 0.05, RATE)
    return result


def test_tracks_that_follow_their_robots_are_no_swap() -> None:
    assert swaps(TRUTH[:2] + 0.01, ticks=20).swaps == 0


def test_two_tracks_that_change_robots_are_two_swaps_counted_once_until_placed() -> None:
    result = swaps(TRUTH[[1, 0]], ticks=20)
    assert result.swaps == 2
    assert swaps(TRUTH[:2], ticks=20, before=tally.placed(result)).swaps == 2


def test_a_track_that_comes_back_within_a_fifth_of_a_second_is_no_swap() -> None:
    away = swaps(TRUTH[[1, 0]], ticks=5)
    assert swaps(TRUTH[[1, 0]], ticks=5, before=swaps(TRUTH[:2], ticks=1, before=away)).swaps == 0
    assert swaps(TRUTH[[1, 0]], ticks=1, before=away).swaps == 2


def test_a_track_that_is_lost_between_robots_is_no_swap() -> None:
    lost = np.array([(-0.5, 0.02, 0.0), (-0.5, -0.1, 0.0)])
    assert swaps(lost, ticks=20).swaps == 0


def test_collisions_among_a_teams_own_robots_are_told_apart() -> None:
    touched = np.zeros((4, 4), np.uint8)
    touched[0, 1] = touched[2, 3] = touched[1, 2] = 1
    result = tally.count_collisions(tally.start(2), touched, 1, RATE, 0)
    assert (result.collisions, result.own) == (3, (1, 1))


def test_swaps_and_collisions_counted_at_once_are_those_counted_apart() -> None:
    together = apart = tally.start(2)
    for tick in range(40):
        blue, yellow = TRUTH[[1, 0]] if tick > 10 else TRUTH[:2], -TRUTH[2:]
        touched = touching((0, 2), (2, 3)) if tick % 20 < 3 else touching()
        together = tally.count(together, blue, yellow, TRUTH, touched, tick, 0.05, RATE, 1)
        apart = tally.count_swaps(apart, blue, yellow, TRUTH, 0.05, RATE)
        apart = tally.count_collisions(apart, touched, tick, RATE, 1)
    counts = [(t.swaps, t.collisions, t.own, t.stopped) for t in (together, apart)]
    assert counts[0] == counts[1] == (2, 4, (0, 2), 40)
    assert (together.last == apart.last).all()
    assert (together.holds == apart.holds).all()
