"""Which detection belongs to which track."""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_TURN = 25.0  # that the heading adds to a distance: a robot that was spun round is still itself
FAR = 1e12  # cost of a pair that must not be matched


@kernel
def distance2(track: Floats, p: Floats, seen: Floats, r_xy: float, r_theta: float) -> float:
    """Return the squared Mahalanobis distance between a track and a detection, heading included."""
    dx, dy, da = seen[0] - track[0], seen[1] - track[1], turn(seen[2], track[2])
    away: float = dx * dx / (p[0, 0] + r_xy) + dy * dy / (p[1, 0] + r_xy)
    turned: float = da * da / (p[2, 0] + r_theta)
    return away + min(MOST_TURN, turned)


@kernel
def match(cost: Floats, gate: float, partner: Ints, owner: Ints) -> None:
    """Pair free rows with free columns (-1), cheapest first, none above the gate."""
    while True:
        best, row, column = gate, -1, -1
        for i in range(cost.shape[0]):
            if partner[i] < 0:
                for j in range(cost.shape[1]):
                    if owner[j] < 0 and cost[i, j] < best:
                        best, row, column = cost[i, j], i, j
        if row < 0:
            return
        partner[row] = column
        owner[column] = row


@kernel
def exchange(cost: Floats, partner: Ints, owner: Ints) -> None:
    """Let two rows exchange their columns where that is cheaper for both together."""
    for i in range(cost.shape[0]):
        for j in range(i + 1, cost.shape[0]):
            a, b = partner[i], partner[j]
            if a >= 0 and b >= 0 and cost[i, b] + cost[j, a] < cost[i, a] + cost[j, b]:
                partner[i], partner[j], owner[a], owner[b] = b, a, j, i


@kernel
def relay(cost: Floats, gate: float, partner: Ints, owner: Ints) -> None:
    """Give each free row the column of another that can take a free one, where that is cheaper than a row left out."""
    for i in range(cost.shape[0]):
        if partner[i] >= 0:
            continue
        best, column, free = gate, -1, -1
        for a in range(cost.shape[1]):
            k = owner[a]
            if k < 0 or cost[i, a] >= gate:
                continue
            for f in range(cost.shape[1]):
                if owner[f] < 0 and cost[k, f] < gate and cost[i, a] + cost[k, f] - cost[k, a] < best:
                    best, column, free = cost[i, a] + cost[k, f] - cost[k, a], a, f
        if column >= 0:
            k = owner[column]
            partner[k], owner[free] = free, k
            partner[i], owner[column] = column, i


@kernel
def fill_costs(
    track: Floats,
    p: Floats,
    ours: int,
    pose: Floats,
    team: Ints,
    label: Ints,
    r_xy: float,
    r_theta: float,
    cost: Floats,
) -> None:
    """Fill the cost of every track-detection pair; colours and readable numbers forbid the others."""
    for i in range(track.shape[0]):
        side = 0 if i < ours else 1
        number = i - side * ours
        for j in range(pose.shape[0]):
            cost[i, j] = FAR
            if team[j] == side and (label[j] < 0 or label[j] == number):
                cost[i, j] = distance2(track[i], p[i], pose[j], r_xy, r_theta)  # NaN is below no gate
