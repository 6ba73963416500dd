"""The robots' tracks at the time of one picture: several guesses who is who, the best one first."""

import math
from dataclasses import dataclass, replace

import numpy as np

from tikitaka.estimate.kernels import moving, robots
from tikitaka.estimate.kernels.guessing import SAME
from tikitaka.estimate.kernels.packing import TENTATIVE
from tikitaka.estimate.kernels.piling import pairs_room
from tikitaka.estimate.kernels.recalling import FORGET, NUMBERS
from tikitaka.estimate.kernels.ticking import LONGEST
from tikitaka.estimate.params import Params
from tikitaka.types import Floats, Ints

NAMED_WITHIN = 0.1  # [m] chosen: how well a person says where a robot stands


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """What was seen at one time."""

    time: float
    pose: Floats  # (m, 3) x, y, theta; a heading that is NaN was not measured
    team: Ints  # (m,)
    label: Ints  # (m,)
    ball: Floats  # (k, 2)


@dataclass(frozen=True, slots=True)
class Belief:
    """Guesses (h), the likeliest first; our robots are the first rows of n."""

    time: float
    state: Floats  # (h, n, 6) x, y, theta, vx, vy, omega
    p: Floats  # (h, n, 6, 6)
    held: Floats  # (h, ours) 1: does not do as it was told
    seen: Floats  # (h, n) when each was seen last
    trouble: Floats  # (h, n) by how much each was seen farther from where it should be than usual
    back: Floats  # (h, n) when each was seen again after it had been lost
    cost: Floats  # (h,) -2 log of the likelihood beside the first one's
    partner: Ints  # (n,) detection that each track of the first guess took, -1: none
    price: Floats  # (n,) unlikeliness of that detection
    rival: Floats  # (n,) and of the next best one, had it been taken instead
    touched: Ints  # (n,) who each robot touched on the way here, -1: nobody, -2: a wall
    nis: Floats  # (n, 2) the last normalised innovation squared, and of how many numbers it is
    tentative: Floats  # (k, 6) sightings that nobody took
    found: int = 0  # tracks started afresh in this picture

    @property
    def guesses(self) -> int:
        """How many."""
        return len(self.cost)


def start(params: Params) -> Belief:
    """Return a belief that knows nothing, or only where everybody stands at first."""
    n = 2 * params.robots
    state, p = np.zeros((1, n, 6)), np.tile(np.eye(6), (1, n, 1, 1))
    seen = np.full((1, n), -math.inf)
    if params.places is not None:
        state[0, :, :2], seen[0] = params.places, -1e9  # seen long ago: somebody is there
        p[0, :, :2, :2] *= NAMED_WITHIN**2
    return _belief(params, -math.inf, state, p, seen)


def put(params: Params, placed: Floats, now: float) -> Belief:
    """Return the belief right after everybody was put at known poses (n, 3)."""
    n = 2 * params.robots
    state, p = np.empty((1, n, 6)), np.empty((1, n, 6, 6))
    for i in range(n):
        x, y, theta = placed[i].tolist()
        robots.settle(state[0, i], p[0, i], x, y, theta, params.noise_xy**2, params.noise_theta**2, 0.01)
    return _belief(params, now, state, p, np.full((1, n), now))


def lifted(params: Params, belief: Belief, placed: Floats) -> Belief:
    """Return the belief with those robots put elsewhere whose rows (n, 3) are numbers; NaN: left alone."""
    state, p, seen, trouble = belief.state.copy(), belief.p.copy(), belief.seen.copy(), belief.trouble.copy()
    back = belief.back.copy()
    held = belief.held.copy()  # what ours were told before did not move them from here
    for i in np.flatnonzero(np.isfinite(placed[:, 0])).tolist():
        x, y, theta = placed[i].tolist()
        for h in range(belief.guesses):
            robots.settle(state[h, i], p[h, i], x, y, theta, params.noise_xy**2, params.noise_theta**2, 0.01)
        seen[:, i], trouble[:, i], back[:, i] = belief.time, 0.0, -math.inf
        held[:, i : i + 1] = 1.0  # beyond our own rows this is nobody
    return replace(belief, state=state, p=p, held=held, seen=seen, trouble=trouble, back=back)


def _belief(params: Params, time: float, state: Floats, p: Floats, seen: Floats) -> Belief:
    n = 2 * params.robots
    nobody = np.full(n, -1)
    return Belief(
        time, state, p, np.zeros((1, params.robots)), seen, np.zeros((1, n)), np.full((1, n), -math.inf), np.zeros(1),
        nobody, np.zeros(n), np.zeros(n), nobody, np.zeros((n, 2)), np.full((TENTATIVE, 6), -1e9),
    )  # fmt: skip


def moved(
    params: Params, belief: Belief, told: Floats, told_time: Floats, end: float, spread: bool
) -> tuple[Floats, Floats]:
    """Return state (n, 6) and covariance (n, 6, 6) of the first guess at a later time; without spread the old one."""
    n = 2 * params.robots
    state, p = belief.state[0].copy(), belief.p[0].copy() if spread else belief.p[0]
    end = min(end, belief.time + LONGEST)
    if end > belief.time > -math.inf:
        moving.move_all(
            int(params.collisions), state, p, belief.held[0], belief.trouble[0], belief.seen[0], told, told_time,
            params.driving, params.noise, params.doubts, params.shape, params.boards, belief.time, end,
            np.empty((n, 6)), np.zeros((3, 6, 6)), np.empty((n, 7)), np.empty((pairs_room(n, len(params.boards)), 4)),
            np.empty((n, 2)), np.empty(n, np.int64), np.empty(n, np.int64), np.empty((2, 0, 0, NUMBERS)), FORGET,
            spread,
        )  # fmt: skip
    return state, p


def renamed(belief: Belief, order: Ints, who: int) -> Belief:
    """Return the belief with its tracks in another order, in which ours stay the first ones, and one that is sure.

    Guesses that have it elsewhere than the first one are given up, and it is not taken for another for having come
    back. `take` and not an index, which would give arrays in another layout: kernels would be compiled anew for these.
    """
    places, ours = belief.state[:, order[who], :2], order[: belief.held.shape[1]]
    sure = np.flatnonzero(np.hypot(*(places - places[0]).T) <= SAME)
    back = belief.back.take(sure, axis=0).take(order, axis=1)
    back[:, who] = -math.inf
    return replace(
        belief,
        state=belief.state.take(sure, axis=0).take(order, axis=1),
        p=belief.p.take(sure, axis=0).take(order, axis=1),
        held=belief.held.take(sure, axis=0).take(ours, axis=1),
        seen=belief.seen.take(sure, axis=0).take(order, axis=1),
        trouble=belief.trouble.take(sure, axis=0).take(order, axis=1),
        back=back,
        cost=belief.cost.take(sure),
        partner=belief.partner[order],
        price=belief.price[order],
        rival=belief.rival[order],
        touched=belief.touched[order],
        nis=belief.nis[order],
    )
