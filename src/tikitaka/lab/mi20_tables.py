"""Tables II to IV of MI20: errors of predictions through collisions, without and with correction, beside the print."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tikitaka.estimate.kernels.piling import FULL, OFF
from tikitaka.lab.mi20_errors import LED, PLAIN, Errors, Filter, follow
from tikitaka.lab.mi20_pictures import drawn
from tikitaka.lab.mi20_scenes import TABLES, Stream, staged
from tikitaka.lab.mi20_tracker import track
from tikitaka.lab.report import NO_PAPER, Found, Row
from tikitaka.lab.spreads import student
from tikitaka.types import Floats

CM = 100.0
BEFORE = 2  # frames before the first contact in which an error no longer counts as typical


@dataclass(frozen=True, slots=True)
class Printed:
    """Mean and sigma [cm] as printed."""

    typical: tuple[float, float]
    peak_predicted: tuple[float, float]
    peak_corrected: tuple[float, float]
    mean_predicted: tuple[float, float]
    mean_corrected: tuple[float, float]


PRINTED = {
    2: Printed((0.1082, 0.0634), (2.2062, 0.4492), (1.0941, 0.4259), (1.3107, 0.8161), (0.7228, 0.4369)),
    3: Printed((0.2442, 0.1629), (2.6717, 0.4673), (1.1953, 0.5042), (1.0247, 0.7093), (0.5705, 0.3990)),
    4: Printed((0.2225, 0.2349), (3.6712, 1.9378), (1.3560, 1.1750), (1.2310, 1.0144), (0.4977, 0.3819)),
}


@dataclass(frozen=True, slots=True)
class Run:
    """One collision, seen by a filter that is never corrected (off) and by one that always is (on); errors in cm."""

    stream: Stream
    off: Errors
    on: Errors
    typical: Floats
    predicted: Floats  # off, in all frames and of all robots that were corrected or had to be
    corrected: Floats  # on, in the same
    same: tuple[float, float]  # sums of both predictions from the same state, where they differ


def table(number: int, seed: int, seeds: int, progress: Callable[[int], None]) -> Found:
    """Return the rows of a table, and its figure; intervals are jackknife estimates over collisions."""
    runs: dict[str, list[Run]] = {"plain": [], "led": [], "estimate": []}
    for k in range(seeds):
        runs["plain"].append(collision(number, seed + k, PLAIN))
        runs["led"].append(collision(number, seed + k, LED))
        runs["estimate"].append(tracked(number, seed + k))
        progress(k + 1)
    rows = [row for name, all_of_it in runs.items() for row in _rows(name, PRINTED[number], all_of_it)]
    seen = [(run.stream, run.off, run.on) for run in runs["led"]]
    return Found(rows, {f"mi20-table{number}.svg": drawn(number, seen)})


def collision(number: int, seed: int, by: Filter) -> Run:
    """Return one collision of a table, seen by a small filter."""
    known = TABLES[number]
    stream = staged(known.case, seed, known.speed, known.sigma, 0.0)
    off, on = (follow(stream, known.sigma, by, mode) for mode in (OFF, FULL))
    return _run(stream, off, on)


def tracked(number: int, seed: int) -> Run:
    """Return one collision, seen by the estimator of this package, both predictions from its corrected state.

    Never corrected it soon takes what it sees for somebody else, and loses the robots.
    """
    known = TABLES[number]
    stream = staged(known.case, seed, known.speed, known.sigma, 0.0)
    on = track(stream, known.sigma, FULL)
    return _run(stream, on, on)


def _run(stream: Stream, off: Errors, on: Errors) -> Run:
    met, frames = int(np.argmax(stream.touching.any(axis=1))), off.moved | on.moved
    same = (CM * float(on.corrected[on.moved].sum()), CM * float(on.predicted[on.moved].sum()))
    early = CM * off.predicted[1 : max(2, met - BEFORE + 1)].ravel()
    return Run(stream, off, on, early, CM * off.predicted[frames], CM * on.corrected[frames], same)


def _rows(name: str, printed: Printed, runs: list[Run]) -> list[Row]:
    """Return all rows of one filter; collisions in which nothing had to be corrected have no peak."""
    runs = [run for run in runs if len(run.predicted)]
    peaks = [np.array((run.predicted.max(), run.corrected.max())) for run in runs]
    rows = _both(f"{name}: typical", printed.typical, [run.typical for run in runs])
    rows += _both(f"{name}: peak, predicted", printed.peak_predicted, [p[:1] for p in peaks])
    rows += _both(f"{name}: peak, corrected", printed.peak_corrected, [p[1:] for p in peaks])
    rows += _both(f"{name}: average, predicted", printed.mean_predicted, [run.predicted for run in runs])
    rows += _both(f"{name}: average, corrected", printed.mean_corrected, [run.corrected for run in runs])
    return rows + _ratios(name, printed, runs, np.array(peaks))


def _both(label: str, printed: tuple[float, float], values: list[Floats]) -> list[Row]:
    """Return the rows of mean and sigma over all values of all collisions."""
    count = np.array([len(v) for v in values], np.float64)
    first, second = (np.array([(v**power).sum() for v in values]) for power in (1, 2))
    mean = _jackknife(np.stack((first, count)), lambda s: s[0] / s[1])
    sigma = _jackknife(np.stack((first, second, count)), _sigma)
    return [_row(f"{label}, mean", printed[0], mean), _row(f"{label}, sigma", printed[1], sigma)]


def _ratios(name: str, printed: Printed, runs: list[Run], peaks: Floats) -> list[Row]:
    sums = np.array([(run.corrected.sum(), run.predicted.sum()) for run in runs]).T
    same = np.array([run.same for run in runs]).T
    worse = np.stack(((peaks[:, 1] > peaks[:, 0]).astype(np.float64), np.ones(len(peaks))))
    paper = printed.mean_corrected[0] / printed.mean_predicted[0], printed.peak_corrected[0] / printed.peak_predicted[0]
    always = all(run.off is run.on for run in runs)  # then all of it is from the same state
    says = "from the same state, " * always
    rows = [
        _row(f"{name}: corrected / predicted, {says}average", paper[0], _jackknife(sums, _part), ""),
        _row(f"{name}: corrected / predicted, {says}peak", paper[1], _jackknife(peaks.T[::-1], _part), ""),
    ]
    if not always:
        rows.append(_row(f"{name}: corrected / predicted, from the same state", None, _jackknife(same, _part), ""))
    return [*rows, _row(f"{name}: peaks made worse", None, _jackknife(worse, _part), "")]


def _part(sums: Floats) -> Floats:
    return np.asarray(sums[0] / sums[1])


def _sigma(sums: Floats) -> Floats:
    """Return the standard deviation by sums of values, squares and ones; that of equal values is 0, not below."""
    return np.asarray(np.sqrt(np.maximum(sums[1] / sums[2] - (sums[0] / sums[2]) ** 2, 0.0)))


def _jackknife(sums: Floats, of: Callable[[Floats], Floats]) -> tuple[float, float, float]:
    """Return a function of sums (q, n) over n collisions, and its 95 % interval from leaving out each in turn.

    Fewer than three tell nothing about spread: where one of two is left out, the other one has none.
    """
    total, n = sums.sum(axis=1), sums.shape[1]
    value = float(of(total))
    if n < 3:
        return value, math.nan, math.nan
    without = of(total[:, None] - sums)
    spread = student(n) * math.sqrt((n - 1) / n * float(((without - without.mean()) ** 2).sum()))
    return value, value - spread, value + spread


def _row(label: str, paper: float | None, found: tuple[float, float, float], unit: str = "cm") -> Row:
    value, *ends = found
    low, high = (None if math.isnan(end) else end for end in ends)
    verdict = NO_PAPER if paper is None else f"{100.0 * (value / paper - 1.0):+.1f} %"
    return Row(label, paper, value, low, high, unit, verdict)
