"""What each belief makes of a picture before it is taken in: who was where, and who may it be instead."""

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.guessing import COST, PARENT, choose, offer, offer_exchanges, taken
from tikitaka.estimate.kernels.matching import FAR, associate, fill_costs
from tikitaka.estimate.kernels.moving import move_all
from tikitaka.estimate.kernels.recalling import FORGET, NOTE, RECALL
from tikitaka.estimate.kernels.robots import GATE, GROWTH, LOST, NEVER, R_THETA, R_XY, REACH
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RETURN = 14.0  # chosen: 1 in 30 pictures of a robot that is away sees it come back, 1 in 30 misses one that is here
GONE = 0.4  # [s] chosen: so long after it was lost a robot is away, and not only missed


@kernel
def forbid_far(state: Floats, seen: Floats, now: float, model: Floats, pose: Floats, price: Floats) -> None:
    """Let lost tracks take only what is within reach, and at a price: what is farther must stay to be believed."""
    for i in range(state.shape[0]):
        if now - seen[i] > model[LOST] and seen[i] > NEVER:
            reach = model[REACH] + model[GROWTH] * (now - seen[i])
            for j in range(pose.shape[0]):
                price[i, j] += RETURN * min(1.0, (now - seen[i] - model[LOST]) / GONE)
                if (pose[j, 0] - state[i, 0]) ** 2 + (pose[j, 1] - state[i, 1]) ** 2 > reach * reach:
                    price[i, j] = FAR


@kernel
def price_all(
    way: int, now: float, state: Floats, p: Floats, seen: Floats, ours: int, model: Floats, pose: Floats, team: Ints,
    label: Ints, price: Floats, work: Floats,
) -> None:  # fmt: skip
    """Fill what every detection would cost every track of one belief."""
    for i in range(state.shape[0]):
        reach = model[REACH] + model[GROWTH] * (now - seen[i])
        work[0, i] = reach * reach
    fill_costs(way, state, p, ours, work[0], pose, team, label, model[R_XY], model[R_THETA], model[GATE], price)
    forbid_far(state, seen, now, model, pose, price)


@kernel
def weigh(
    count: int, most: int, way: int, mode: int, t: float, end: float, state: Floats, p: Floats, held: Floats,
    seen: Floats, trouble: Floats, cost: Floats, told: Floats, told_time: Floats, drive: Floats, noise: Floats,
    doubts: Floats, model: Floats, body: Floats, boards: Floats, pose: Floats, team: Ints, label: Ints, before: Floats,
    price: Floats, partner: Ints, owner: Ints, offers: Floats, work: Floats, slots: Ints, small: Floats,
    old: Floats, pushing: Floats, pairs: Floats, shaken: Floats, touched: Ints, ways: Floats,
) -> int:  # fmt: skip
    """Return how many beliefs will follow a picture, and leave them in ``offers``, best first.

    The ``count`` beliefs are moved to its time; ``before`` has them as they were. price (h, n, m), partner (h, n) and
    owner (h, m) hold what each of them thought best.
    """
    n, ours, found = state.shape[1], held.shape[1], min(count, 0)
    for h in range(count):
        for i in range(n):
            for q in range(6):
                before[h, i, q] = state[h, i, q]
        how = FORGET if count < 2 else NOTE if h == 0 else RECALL
        move_all(
            mode, state[h], p[h], held[h], trouble[h], seen[h], told, told_time, drive, noise, doubts, body, boards, t,
            end, old, small, pushing, pairs, shaken, slots[1], touched[h], ways, how, spread=True,
        )  # fmt: skip
        price_all(way, end, state[h], p[h], seen[h], ours, model, pose, team, label, price[h], work)
        associate(way, price[h], model[GATE], partner[h], owner[h], work, slots)
        total = cost[h]
        for i in range(n):
            total += price[h, i, partner[h, i]] if partner[h, i] >= 0 else model[GATE]
        found = offer(offers, found, h, -1, -1, total)
    if most > 1:  # all the best ones have a place by now
        for h in range(count):
            found = offer_exchanges(
                offers, found, h, ours, price[h], model[GATE], partner[h], owner[h], offers[h, COST], seen[h],
                end - model[LOST],
            )  # fmt: skip
    return choose(offers, found, most, partner, state, pose)


@kernel
def explain(offers: Floats, partner: Ints, price: Floats, gate: float, took: Ints, paid: Floats, rival: Floats) -> None:
    """Fill what each track of the best belief took and at which price, and the price of its next best detection."""
    h, zero = int(offers[0, PARENT]), min(price.shape[0], 0)
    for i in range(partner.shape[1]):
        a = taken(offers, zero, i, partner)
        took[i], paid[i], rival[i] = a, price[h, i, a] if a >= 0 else gate, gate
        for j in range(price.shape[2]):
            if j != a:
                rival[i] = min(rival[i], price[h, i, j])
