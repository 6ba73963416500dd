"""How good tracks are: swaps, IDF1, HOTA with its two parts, and root mean square errors.

truth      (T, n, 2+)  x, y and more of n robots over T frames; a row that is not finite: not there
believed   (T, m, 2+)  the same of m tracks; row i of both means the same robot only in `errors`
reach      distance up to which a track can be that of a robot [m]
[Bernardin2008] swaps are CLEAR's identity switches; [Ristani2016] IDF1; [Luiten2021] HOTA, DetA, AssA
"""

import math
from dataclasses import dataclass

import numpy as np

from tikitaka.types import Bools, Floats, Ints

REACH = 0.0375  # [m] half a MiroSot robot's width: a point so near to a robot's centre is near to no other one's
ALPHAS = np.arange(1, 20) / 20.0  # [Luiten2021]


@dataclass(frozen=True, slots=True)
class Identity:
    """Shares in [0, 1], and a count."""

    swaps: int
    idf1: float
    hota: float
    deta: float
    assa: float


@dataclass(frozen=True, slots=True)
class Rms:
    """Root mean square errors over all robots and frames."""

    position: float
    heading: float
    velocity: float


@dataclass(frozen=True, slots=True)
class Apart:
    """How far every track is from every robot, and which of them are there."""

    away: Floats  # (T, n, m) infinite where one of the two is not there
    there: Bools  # (T, n)
    tracked: Bools  # (T, m)


def identity(truth: Floats, believed: Floats, reach: float = REACH) -> Identity:
    """Return all scores of identity; a track at the distance ``reach`` is like one that is not there."""
    apart = distances(truth, believed)
    hota, deta, assa = higher_order(apart, reach)
    return Identity(swaps(apart, reach), idf1(apart, reach), hota, deta, assa)


def errors(truth: Floats, believed: Floats) -> Rms:
    """Return the errors of tracks whose rows are those of the robots: x, y, heading and, if there, vx, vy, omega."""
    off = believed - truth
    turned = np.remainder(off[..., 2] + math.pi, 2.0 * math.pi) - math.pi
    fast = _rms(np.hypot(off[..., 3], off[..., 4])) if off.shape[2] > 4 else math.nan
    return Rms(_rms(np.hypot(off[..., 0], off[..., 1])), _rms(turned), fast)


def distances(truth: Floats, believed: Floats) -> Apart:
    """Return how far all are apart."""
    off = truth[:, :, None, :2] - believed[:, None, :, :2]
    away = np.sqrt((off**2).sum(axis=3))
    return Apart(np.where(np.isfinite(away), away, np.inf), _there(truth), _there(believed))


def swaps(apart: Apart, reach: float) -> int:
    """Return how often a robot's track is another one than before; a track that still is within reach is kept."""
    last, count = np.full(apart.away.shape[1], -1), 0
    for frame in apart.away:
        now = _kept(frame, last, reach)
        robots, tracks = np.setdiff1d(np.arange(len(last)), np.nonzero(now >= 0)[0]), _free(now, frame.shape[1])
        near = np.where(frame <= reach, 1.0 + reach - frame, 0.0)[np.ix_(robots, tracks)]
        for i, j in zip(robots, assign(near), strict=True):
            if j >= 0 and frame[i, tracks[j]] <= reach:
                now[i] = tracks[j]
        count += int(((now >= 0) & (last >= 0) & (now != last)).sum())
        last = np.where(now >= 0, now, last)
    return count


def idf1(apart: Apart, reach: float) -> float:
    """Return the share of frames in which robots have the one track that over all frames suits them best."""
    together = (apart.away <= reach).sum(axis=0).astype(np.float64)
    best = sum(together[i, j] for i, j in enumerate(assign(together)) if j >= 0)
    return 2.0 * float(best) / max(1.0, float(apart.there.sum() + apart.tracked.sum()))


def higher_order(apart: Apart, reach: float) -> tuple[float, float, float]:
    """Return HOTA, DetA and AssA, means over the thresholds of similarity; similarity falls to 0 at ``reach``."""
    alike = np.clip(1.0 - apart.away / reach, 0.0, None)
    rows, columns = alike.sum(axis=2, keepdims=True), alike.sum(axis=1, keepdims=True)
    shared = alike / np.maximum(rows + columns - alike, 1e-12)
    of_robot, of_track = apart.there.sum(axis=0)[:, None], apart.tracked.sum(axis=0)[None, :]
    aligned = shared.sum(axis=0)
    aligned = aligned / np.maximum(of_robot + of_track - aligned, 1e-12)
    matched = np.zeros((len(ALPHAS), *aligned.shape))
    for frame in alike:
        for i, j in enumerate(assign(aligned * frame)):
            if j >= 0 and frame[i, j] > 0.0:
                matched[:, i, j] += frame[i, j] >= ALPHAS - 1e-12
    hits, total = matched.sum(axis=(1, 2)), float(of_robot.sum() + of_track.sum())
    deta = hits / np.maximum(total - hits, 1.0)
    kept = matched / np.maximum(of_robot + of_track - matched, 1.0)
    assa = (matched * kept).sum(axis=(1, 2)) / np.maximum(hits, 1.0)
    return float(np.sqrt(deta * assa).mean()), float(deta.mean()), float(assa.mean())


def assign(worth: Floats) -> Ints:
    """Return for each row the column that it gets, -1 for none, so that all together are worth most; worth >= 0."""
    n, m = worth.shape
    if n == 0 or m == 0:
        return np.full(n, -1)
    best = np.asarray(worth.argmax(axis=1))
    if len(set(best.tolist())) == n:  # nobody is in anybody's way
        return best
    size = max(n, m)
    square = np.zeros((size, size))
    square[:n, :m] = worth.max() - worth
    square[n:] = square[:, m:] = worth.max()
    found = _shortest_paths(square)[:n]
    return np.where(found < m, found, -1)


def _shortest_paths(cost: Floats) -> Ints:
    """Return the column of each row at the least total cost: rows join one by one along the cheapest path."""
    n = len(cost)
    of_row, of_column, owner = np.zeros(n), np.zeros(n), np.full(n, -1)
    for row in range(n):
        least, before, done = np.full(n, np.inf), np.full(n, -1), np.zeros(n, np.bool_)
        i, at = row, -1
        while True:
            reduced = cost[i] - of_row[i] - of_column
            better = ~done & (reduced < least)
            least[better], before[better] = reduced[better], at
            j = int(np.where(done, np.inf, least).argmin())
            delta = least[j]
            of_row[row] += delta
            of_row[owner[done]] += delta
            of_column[done] -= delta
            least[~done] -= delta
            done[j], at = True, j
            if owner[j] < 0:
                break
            i = int(owner[j])
        while at >= 0:  # turn the path over
            came = before[at]
            owner[at] = owner[came] if came >= 0 else row
            at = int(came)
    found = np.empty(n, np.int64)
    found[owner] = np.arange(n)
    return found


def _kept(frame: Floats, last: Ints, reach: float) -> Ints:
    """Return the last tracks of robots that still are within reach, -1 for the others."""
    near = np.where(last >= 0, frame[np.arange(len(last)), last], np.inf)
    return np.where(near <= reach, last, -1)


def _free(taken: Ints, tracks: int) -> Ints:
    return np.setdiff1d(np.arange(tracks), taken)


def _there(rows: Floats) -> Bools:
    return np.asarray(np.isfinite(rows[..., :2]).all(axis=2))


def _rms(values: Floats) -> float:
    finite = values[np.isfinite(values)]
    return float(np.sqrt((finite**2).mean())) if len(finite) else math.nan
