"""The staged collisions: they happen, where the paper says, and every random thing comes from the seed."""

import math

import numpy as np
import pytest

from tikitaka.lab.mi20_scenes import APPROACH, BASELINE, CASES, PUSH, RATE, approach, commands, staged
from tikitaka.lab.staging import least_gaps, params_of
from tikitaka.sim import place, start


@pytest.mark.parametrize("case", CASES)
def test_all_robots_of_a_case_meet_about_when_they_should_and_start_apart(case: int) -> None:
    for seed in range(15):
        stream = staged(case, seed)
        met = np.nonzero(stream.touching.any(axis=1))[0]
        assert abs(met[0] - APPROACH) <= 3
        assert stream.touching.any(axis=0).all()
        params = params_of(CASES[case].league, 1.0 / RATE, stream.robots)
        assert least_gaps(params, place(start(params), stream.pose[0], np.array((0.0, 0.6))))[0] > 0.1


@pytest.mark.parametrize("case", CASES)
def test_fast_robots_begin_inside_the_pitch_too_and_meet_when_they_should(case: int) -> None:
    for seed in range(15):
        stream = staged(case, seed, speed=2.5)
        field = params_of(CASES[case].league, 1.0 / RATE, stream.robots).field
        assert (np.abs(stream.pose[..., :2]) < (field.half_length, field.half_width)).all()
        met = np.nonzero(stream.touching.any(axis=1))[0]
        assert abs(met[0] - approach(2.5)) <= 3


def test_they_meet_at_the_centre_below_and_at_the_side() -> None:
    where = {}
    for case in CASES:
        streams = [staged(case, seed) for seed in range(10)]
        at = [s.pose[int(np.argmax(s.touching.any(axis=1))), :, :2].mean(axis=0) for s in streams]
        where[case] = np.mean(at, axis=0)
    assert np.hypot(*where[1]) < 0.2
    assert where[2][1] == pytest.approx(-0.9 + 0.25, abs=0.06)
    assert where[3][0] == pytest.approx(1.4 - 0.25, abs=0.06)


def test_the_same_seed_gives_the_same_stream_and_another_one_another() -> None:
    one, again, other = staged(1, 4), staged(1, 4), staged(1, 5)
    assert all((a == b).all() for a, b in zip(one.seen, again.seen, strict=True))
    assert (one.pose == again.pose).all()
    assert not (one.pose == other.pose).all()


def test_commands_lead_straight_on_through_the_contact_and_then_stop() -> None:
    stream = staged(2, 0, speed=1.1)
    assert (stream.told[: APPROACH + PUSH] == (1.1, 0.0, 0.0)).all()
    assert (stream.told[APPROACH + PUSH :] == 0.0).all()
    wheels = commands(stream, 0).wheels
    assert wheels == pytest.approx(1.1 / 0.02)
    before = stream.velocity[APPROACH - 4]
    assert np.hypot(*before[:, :2].T) == pytest.approx(1.1, abs=0.02)


def test_detections_are_the_truth_with_the_cameras_noise_in_random_order() -> None:
    sigma, off, orders = 0.8e-3, list[float](), set[tuple[int, ...]]()
    turned = list[float]()
    for seed in range(15):
        stream = staged(1, seed, sigma=sigma)
        for rows, who, pose in zip(stream.seen, stream.origin, stream.pose, strict=True):
            error = rows - pose[list(who)]
            off += (error[:, :2] / sigma).ravel().tolist()
            turned += [math.remainder(e, 2.0 * math.pi) / (sigma / BASELINE) for e in error[:, 2]]
            orders.add(who)
    assert len(orders) == 6
    assert np.std(off) == pytest.approx(1.0, abs=0.05)
    assert np.std(turned) == pytest.approx(1.0, abs=0.06)
    assert abs(np.mean(off)) < 0.05


def test_only_robots_that_touch_are_missed_and_as_often_as_told() -> None:
    missed, touched = 0, 0
    for seed in range(40):
        stream = staged(3, seed, dropout=0.3)
        for who, touching in zip(stream.origin, stream.touching, strict=True):
            gone = set(range(2)) - set(who)
            assert all(touching[i] for i in gone)
            missed, touched = missed + len(gone), touched + int(touching.sum())
    assert missed / touched == pytest.approx(0.3, abs=0.06)


def test_without_measured_headings_they_are_not_numbers() -> None:
    stream = staged(2, 1, heading=False)
    assert all(np.isnan(rows[:, 2]).all() for rows in stream.seen)
    assert all(np.isfinite(rows[:, :2]).all() for rows in stream.seen)
