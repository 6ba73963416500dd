"""Our own way to avoid: options of each robot in trouble, weighed against everybody's motion, two robots at a time.

The pair that meets first chooses both of its options together, given what all others do; then the next pair, until
nobody meets or ROUNDS are over.

tracks   (m, OPTIONS, s, 2)  where everybody is; those that are not ours have one option
spans    (m, OPTIONS)        how far from where it is now a robot gets
boxes    (m, OPTIONS, PARTS, BOX)  where it is at most, see `weighing`
sums     (OPTIONS,)          scratch
costs    (n, OPTIONS)        seconds until the robot has arrived
options  (n, OPTIONS, 7)     as in `rolling`
limits   (n + 1, 7)          the same, of each of our robots, and of a sound one
chosen   (m,)                option of each robot
sees     (n, m)              whom each of our robots minds
reach    (m,)                distance from the centre of one of ours at which they may touch
met      (n, OPTIONS, m)     what each option costs for coming near another robot,
doing    (n, OPTIONS, m)     if that does this option; -1: not yet known
when     (n, m)              time at which two meet; infinity: they do not, or have chosen
rules    (9,)                columns in `weighing`
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.avoid.kernels import rolling
from tikitaka.avoid.kernels.options import GO_ON, KEPT, OPTIONS, go_on, prepare
from tikitaka.avoid.kernels.weighing import GROW, GROW_OTHERS, clash, fill_boxes, span
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

ROUNDS = 12
DONE = -1.0  # in `when`: these two have chosen


@kernel
def meet(
    i: int, c: int, j: int, e: int, n: int, reach: Floats, rules: Floats, dt: float, tracks: Floats, spans: Floats,
    boxes: Floats,
) -> tuple[float, float]:  # fmt: skip
    """Return what it costs that robot i does c and robot j does e, and when they meet."""
    grow = rules[GROW] if j < n else rules[GROW_OTHERS]
    far = spans[i, c] + spans[j, e]
    return clash(tracks[i, c], tracks[j, e], boxes[i, c], boxes[j, e], far, reach[j], rules, grow, dt)


@kernel
def weigh(
    i: int, c: int, j: int, least: float, best: float, n: int, chosen: Ints, sees: Bools, reach: Floats, rules: Floats,
    dt: float, tracks: Floats, spans: Floats, boxes: Floats, met: Floats, doing: Ints, costs: Floats,
) -> float:  # fmt: skip
    """Return what option c of robot i costs, but for coming near robot j; infinity once it is no better than the best.

    least   what the rest costs at least
    """
    own: float = costs[i, c]
    total = 0.0
    if not own < np.inf:
        return np.inf
    for k in range(chosen.shape[0]):
        if own + total + least >= best:
            return np.inf
        if k not in (i, j) and sees[i, k]:
            if doing[i, c, k] != chosen[k]:
                met[i, c, k] = meet(i, c, k, chosen[k], n, reach, rules, dt, tracks, spans, boxes)[0]
                doing[i, c, k] = chosen[k]
            total += met[i, c, k]
    return own + total


@kernel
def choose_pair(
    i: int, j: int, n: int, sees: Bools, reach: Floats, rules: Floats, dt: float, tracks: Floats, spans: Floats,
    boxes: Floats, met: Floats, doing: Ints, costs: Floats, sums: Floats, chosen: Ints,
) -> None:  # fmt: skip
    """Choose the options of robots i and j together, or of i alone where j cannot be changed (one option).

    Costs only grow: what is no better than the best pair so far is not weighed to its end.
    """
    both = j < n and costs[j, KEPT + 1] < np.inf
    args = (n, chosen, sees, reach, rules, dt, tracks, spans, boxes, met, doing, costs)
    best, first, second, least = np.inf, chosen[i], chosen[j], 0.0
    if both:
        least = np.inf
        for e in range(OPTIONS):
            sums[e], least = np.inf, min(costs[j, e], least)
    for c in range(OPTIONS):
        own = weigh(i, c, j, least, best, *args)
        if own + least >= best:
            continue
        for k in range(OPTIONS if both else 1):
            e = k if both else chosen[j]
            if both and sums[e] == np.inf:
                sums[e] = weigh(j, e, i, own, best, *args)
            total = own + (sums[e] if both else 0.0)
            if total < best:
                total += meet(i, c, j, e, n, reach, rules, dt, tracks, spans, boxes)[0]
            if total < best:
                best, first, second = total, c, e
    chosen[i], chosen[j] = first, second


@kernel
def look_around(
    i: int, n: int, free: Bools, sees: Bools, reach: Floats, rules: Floats, dt: float, tracks: Floats, spans: Floats,
    boxes: Floats, chosen: Ints, when: Floats,
) -> None:  # fmt: skip
    """Fill when robot i, one of ours, meets each other one; of two of ours, in the row of the lower number."""
    for j in range(chosen.shape[0]):
        a, b = (i, j) if j >= n or i < j else (j, i)
        mate = b < n
        if a == b or when[a, b] == DONE or not (free[a] or (mate and free[b])) or not sees[a, b]:
            continue
        cost, t = meet(a, chosen[a], b, chosen[b], n, reach, rules, dt, tracks, spans, boxes)
        when[a, b] = t if cost > 0.0 else np.inf


@kernel
def forget(when: Floats) -> None:
    """Fill a row with infinity."""
    for j in range(when.shape[0]):
        when[j] = np.inf


@kernel
def soonest(when: Floats) -> tuple[int, int, float]:
    """Return the two robots that meet first; -1: nobody does."""
    a, b, first = -1, -1, np.inf
    for i in range(when.shape[0]):
        for j in range(when.shape[1]):
            if when[i, j] >= 0.0 and when[i, j] < first:
                a, b, first = i, j, when[i, j]
    return a, b, first


@kernel
def choose_all(
    pose: Floats, velocity: Floats, xy: Floats, count: Ints, end: Floats, top: Floats, free: Bools, sees: Bools,
    reach: Floats, kept: Floats, limits: Floats, rules: Floats, options: Floats, tracks: Floats, spans: Floats,
    boxes: Floats, met: Floats, doing: Ints, costs: Floats, sums: Floats, when: Floats, chosen: Ints,
) -> None:  # fmt: skip
    """Choose an option for every robot; see the legend above."""
    n, dt = free.shape[0], limits[-1, rolling.STEP]
    for i in range(pose.shape[0]):
        chosen[i] = GO_ON
        if i < n:
            go_on(i, pose, velocity, xy, count, end, top, kept, limits, options, tracks, spans, boxes, costs)
        else:
            rolling.coast(pose[i], velocity[i], dt, tracks[i, GO_ON])
            spans[i, GO_ON] = span(tracks[i, GO_ON])
            fill_boxes(tracks[i, GO_ON], dt, boxes[i, GO_ON])
    for i in range(n):
        forget(when[i])
    for i in range(n):
        look_around(i, n, free, sees, reach, rules, dt, tracks, spans, boxes, chosen, when)
    for _ in range(ROUNDS):
        i, j, t = soonest(when)
        if i < 0:
            break
        when[i, j] = DONE
        if not free[i]:
            i, j = j, i
        args = (
            reach[0], pose, velocity, xy, count, end, top, kept, limits, rules, options, tracks, spans, boxes, doing,
            costs,
        )  # fmt: skip
        prepare(i, j, t, *args)
        if j < n and free[j]:
            prepare(j, i, t, *args)
        before = (chosen[i], chosen[j])
        choose_pair(i, j, n, sees, reach, rules, dt, tracks, spans, boxes, met, doing, costs, sums, chosen)
        if chosen[i] != before[0]:
            look_around(i, n, free, sees, reach, rules, dt, tracks, spans, boxes, chosen, when)
        if j < n and chosen[j] != before[1]:
            look_around(j, n, free, sees, reach, rules, dt, tracks, spans, boxes, chosen, when)
