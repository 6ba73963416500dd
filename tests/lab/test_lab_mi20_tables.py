"""Tables II to IV in small: the goals hold, rows stand beside the print, and the filter knows what it does."""

import math
from xml.etree import ElementTree

import numpy as np
import pytest

from tikitaka.estimate.kernels.piling import FULL, OFF, SET_BACK
from tikitaka.lab import mi20_table2, mi20_table3, mi20_table4
from tikitaka.lab.mi20_errors import LED, PLAIN, follow, predict, robots_of
from tikitaka.lab.mi20_scenes import TABLES, staged
from tikitaka.lab.mi20_tables import PRINTED, collision, table


@pytest.mark.parametrize("module", [mi20_table2, mi20_table3, mi20_table4])
def test_corrected_errors_are_at_most_half_of_the_others_and_their_peaks_at_most_45_percent(module: object) -> None:
    number = {mi20_table2: 2, mi20_table3: 3, mi20_table4: 4}[module]  # type: ignore[index]
    done = list[int]()
    found = table(number, 0, 30, done.append)
    rows = {row.label: row for row in found.rows}
    for name in ("led: corrected / predicted,", "estimate: corrected / predicted, from the same state,"):
        average, peak = (rows[f"{name} {what}"] for what in ("average", "peak"))
        assert average.high is not None
        assert average.high < 0.50
        assert peak.high is not None
        assert peak.high < 0.45
    assert done == list(range(1, 31))
    assert rows["led: typical, mean"].paper == PRINTED[number].typical[0]
    [picture] = found.pictures.values()
    ElementTree.fromstring(picture)  # noqa: S314


def test_a_typical_error_lies_between_those_of_a_perfect_prediction_and_of_the_last_two_measurements() -> None:
    runs = [collision(3, seed, LED) for seed in range(20)]
    typical = np.concatenate([run.typical for run in runs]).mean()
    perfect = 100.0 * TABLES[3].sigma * math.sqrt(0.5 * math.pi)  # mean distance of a measurement from the truth
    assert perfect < typical < math.sqrt(6.0) * perfect  # z2 - 2 z1 + z0 has six times its variance
    assert all(run.predicted.max() > 3.0 * typical for run in runs)


def test_the_printed_typical_errors_are_those_of_velocities_from_the_last_two_measurements() -> None:
    for number, printed in PRINTED.items():
        runs = [collision(number, seed, PLAIN) for seed in range(25)]
        typical = np.concatenate([run.typical[4:] for run in runs]).mean()  # it begins with true velocities
        assert typical == pytest.approx(printed.typical[0], rel=0.1)


@pytest.mark.parametrize(("number", "seeds"), [(3, 1), (2, 2), (4, 2)])
@pytest.mark.filterwarnings("error")
def test_one_or_two_collisions_have_no_spread(number: int, seeds: int) -> None:
    assert {row.low for row in table(number, 0, seeds, lambda _: None).rows} == {None}


def test_no_number_is_told_twice() -> None:
    rows = [row for row in table(3, 0, 3, lambda _: None).rows if "/" in row.label]
    assert len({row.label for row in rows}) == len({row.ours for row in rows}) == 8


def test_a_robot_that_meets_nobody_is_predicted_the_same_in_all_modes() -> None:
    known, stream = robots_of("mirosot-5v5", 2), staged(2, 0)
    track = np.hstack((stream.pose[0], stream.velocity[0]))
    alone, back, full = (predict(known, track, stream.told[0], mode)[0] for mode in (OFF, SET_BACK, FULL))
    assert (alone == back).all()
    assert (alone == full).all()


def test_a_filter_that_is_told_the_truth_stays_with_it() -> None:
    stream = staged(1, 2, speed=1.0, sigma=1e-6)
    errors = follow(stream, 1e-6)
    assert np.nanmax(errors.corrected) < 0.01
    assert np.abs(errors.believed[..., :2] - stream.pose[..., :2]).max() < 1e-4
