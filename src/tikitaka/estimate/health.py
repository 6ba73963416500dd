"""How well the estimator is doing: what it took in, what it refused, and how well its tracks know themselves."""

from dataclasses import dataclass

import numpy as np

from tikitaka.estimate.kernels import counting
from tikitaka.estimate.kernels.guessing import SAME
from tikitaka.estimate.params import Params
from tikitaka.estimate.tracker import Tracks
from tikitaka.types import Floats

TRUSTED = 0.02  # [m] chosen: a track this unsure of its place has half the quality


@dataclass(frozen=True, slots=True)
class Health:
    """Counts since the start, and running means."""

    pictures: int
    late: int  # came after a newer one, and were put in their place
    refused: int  # too late for that, or from the future
    duplicates: int  # pictures that had come already
    nonsense: int  # rows that were no places on a pitch, or too many for one picture
    timeless: int  # ticks whose time was no number: the time before was kept
    jumps: int  # times that the clock was set: what was believed went on from there
    false_robots: int  # robot rows that no track took
    false_balls: int  # ball rows that the ball's track did not take
    missed: int  # tracks without a row
    found: int  # tracks started afresh
    latency: float  # mean age of a picture when it comes
    nis: float  # mean normalised innovation squared of robots, a number: 1 where the filter knows itself
    guesses: int  # about who is who, now
    quality: Floats  # (2n,) how far each track can be trusted, 1 to 0
    named: Floats  # (2n,) how likely it is that each track has the right name, as far as the guesses differ


def health(params: Params, tracks: Tracks) -> Health:
    """Return how well it goes."""
    whole, means = tracks.counts.astype(np.int64).tolist(), tracks.counts.tolist()
    return Health(
        pictures=whole[counting.PICTURES],
        late=whole[counting.LATE],
        refused=whole[counting.REFUSED],
        duplicates=whole[counting.DUPLICATES],
        nonsense=whole[counting.NONSENSE],
        timeless=whole[counting.TIMELESS],
        jumps=whole[counting.JUMPS],
        false_robots=whole[counting.FALSE],
        false_balls=tracks.moments[-1].ball.counts["rejected"],
        missed=whole[counting.MISSED],
        found=whole[counting.FOUND],
        latency=means[counting.LATENCY],
        nis=means[counting.NIS],
        guesses=whole[counting.GUESSES],
        quality=quality(params, tracks),
        named=named(tracks),
    )


def quality(params: Params, tracks: Tracks) -> Floats:
    """Return for each track (2n,) how far it can be trusted: by how unsure it is of its place, and by its age."""
    belief = tracks.robots
    unsure = np.sqrt(0.5 * (belief.p[0, :, 0, 0] + belief.p[0, :, 1, 1]))
    age = np.clip((tracks.now - belief.seen[0]) / params.lost_after, 0.0, 1e9)
    return np.asarray(1.0 / ((1.0 + unsure / TRUSTED) * (1.0 + age)))


def named(tracks: Tracks) -> Floats:
    """Return for each track (2n,) the weight of the guesses that have it where the first one has: 1 while all agree."""
    belief = tracks.robots
    weight = np.exp(-0.5 * belief.cost)
    off = belief.state[..., :2] - belief.state[0, :, :2]
    return np.asarray(weight @ (np.hypot(off[..., 0], off[..., 1]) <= SAME) / weight.sum())
