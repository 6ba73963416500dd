"""Which detection belongs to which track: costs, and four ways to choose.

A cost is a squared distance in some measure; `gate` is the cost of leaving a track without a detection.

u, v    potentials of rows and columns in the shortest augmenting path method [Jonker1987]
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

IN_TURN, GREEDY, NEAREST, LIKELIEST = range(4)  # ways to associate
MOST_TURN = 25.0  # that the heading adds to a cost: a robot that was spun round is still itself
ROUND = 1.0  # [rad^2] variance of a heading beyond which the circle matters
FAR = 1e12  # cost of a pair that must not be matched


@kernel
def spread_of(p: Floats, r_xy: float, r_theta: float) -> tuple[float, float, float, float]:
    """Return det S of a place and its log beside a perfect sighting's; S of a heading, and its log likewise."""
    det: float = (p[0, 0] + r_xy) * (p[1, 1] + r_xy) - p[0, 1] * p[0, 1]
    s22: float = p[2, 2] + r_theta
    return det, math.log(det / (r_xy * r_xy)), s22, math.log((2.0 * math.pi if s22 > ROUND else s22) / r_theta)


@kernel
def unlikeliness(
    state: Floats, p: Floats, seen: Floats, r_xy: float, spread: tuple[float, float, float, float]
) -> float:
    """Return -2 log of the likelihood of a sighting, less that of a perfect one; NaN headings are not measured.

    With S = P + R: the squared Mahalanobis distance, and log det S / R for a track that would fit anything. ``spread``
    is what `spread_of` says.
    """
    det, wide, s22, wide_turn = spread
    s00, s01, s11 = p[0, 0] + r_xy, p[0, 1], p[1, 1] + r_xy
    dx, dy, da = seen[0] - state[0], seen[1] - state[1], turn(seen[2], state[2])
    away: float = (s11 * dx * dx - 2.0 * s01 * dx * dy + s00 * dy * dy) / det + wide
    if math.isnan(seen[2]):
        return away
    if s22 > ROUND:  # the normal density wound round the circle, as its Fourier series
        rho = math.exp(-0.5 * s22)
        wound: float = 1.0 + 2.0 * rho * math.cos(da) + 2.0 * rho**4 * math.cos(2.0 * da)
        return away + wide_turn - 2.0 * math.log(wound)
    turned: float = min(MOST_TURN, da * da / s22) + wide_turn
    return away + turned


@kernel
def fill_costs(
    way: int, state: Floats, p: Floats, ours: int, reach2: Floats, pose: Floats, team: Ints, label: Ints,
    r_xy: float, r_theta: float, gate: float, cost: Floats,
) -> None:  # fmt: skip
    """Fill the cost of every track-detection pair; colours and readable numbers forbid the others.

    reach2  (n,) squared distance that costs as much as the gate, for the ways that measure in metres
    """
    for i in range(state.shape[0]):
        side, spread = 0 if i < ours else 1, spread_of(p[i], r_xy, r_theta)
        for j in range(pose.shape[0]):
            cost[i, j] = FAR
            if team[j] == side and (label[j] < 0 or label[j] == i - side * ours):
                if way == LIKELIEST:
                    cost[i, j] = unlikeliness(state[i], p[i], pose[j], r_xy, spread)
                else:
                    dx, dy = pose[j, 0] - state[i, 0], pose[j, 1] - state[i, 1]
                    cost[i, j] = gate * (dx * dx + dy * dy) / reach2[i]


@kernel
def associate(way: int, cost: Floats, gate: float, partner: Ints, owner: Ints, work: Floats, slots: Ints) -> None:
    """Fill partner (n,) with each track's detection and owner (m,) the other way round; -1: none.

    work    (4, n + m + 1) scratch
    slots   (2, n + m + 1) scratch
    """
    for i in range(partner.shape[0]):
        partner[i] = -1
    for j in range(owner.shape[0]):
        owner[j] = -1
    if way == IN_TURN:
        in_turn(cost, gate, partner, owner)
    elif way == GREEDY:
        greedy(cost, gate, partner, owner)
    elif not undisputed(cost, gate, partner, owner):
        assign(cost, gate, partner, owner, work, slots)


@kernel
def in_turn(cost: Floats, gate: float, partner: Ints, owner: Ints) -> None:
    """Let one track after another take the nearest detection that is left [MI20, sec. II]."""
    for i in range(cost.shape[0]):
        best = gate
        for j in range(cost.shape[1]):
            if owner[j] < 0 and cost[i, j] < best:
                best, partner[i] = cost[i, j], j
        if partner[i] >= 0:
            owner[partner[i]] = i


@kernel
def greedy(cost: Floats, gate: float, partner: Ints, owner: Ints) -> None:
    """Pair free tracks with free detections (-1), cheapest first, none above the gate."""
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
def undisputed(cost: Floats, gate: float, partner: Ints, owner: Ints) -> bool:
    """Say whether every track got its cheapest detection; where two want the same, all are left without."""
    for i in range(cost.shape[0]):
        best, found = gate, -1
        for j in range(cost.shape[1]):
            if cost[i, j] < best:
                best, found = cost[i, j], j
        if found >= 0:
            if owner[found] >= 0:
                for k in range(i):
                    partner[k] = -1
                for j in range(cost.shape[1]):
                    owner[j] = -1
                return False
            partner[i], owner[found] = found, i
    return True


@kernel
def assign(cost: Floats, gate: float, partner: Ints, owner: Ints, work: Floats, slots: Ints) -> None:
    """Fill the assignment of least total cost, where a track may go without for the gate's cost [Jonker1987].

    Columns behind the detections stand for going without; column 0 is where a search begins, rows count from 1.
    """
    n, m = cost.shape
    columns = m + n + 1
    u, v, least, row_of, came = work[0], work[1], work[2], slots[0], slots[1]
    for j in range(columns):
        u[j], v[j], row_of[j] = 0.0, 0.0, 0
    for i in range(1, n + 1):
        row_of[0] = i
        column = _augment(cost, gate, columns, u, v, least, work[3], row_of, came)
        while column != 0:
            row_of[column] = row_of[came[column]]
            column = came[column]
    for j in range(1, m + 1):
        i = row_of[j] - 1
        if i >= 0 and cost[i, j - 1] < gate:
            partner[i], owner[j - 1] = j - 1, i


@kernel
def _augment(
    cost: Floats, gate: float, columns: int, u: Floats, v: Floats, least: Floats, used: Floats, row_of: Ints, came: Ints
) -> int:
    """Return the free column that the cheapest way from column 0 leads to; ``came`` holds that way."""
    m = cost.shape[1]
    for j in range(columns):
        least[j], used[j] = math.inf, 0.0
    column = 0
    while row_of[column] != 0:
        used[column] = 1.0
        i, step, following = row_of[column] - 1, math.inf, column
        for j in range(1, columns):
            if used[j] == 0.0:
                price = min(cost[i, j - 1], FAR) if j <= m else gate  # NaN: as far as can be
                ahead = price - u[i] - v[j]
                if ahead < least[j]:
                    least[j], came[j] = ahead, column
                if least[j] < step:
                    step, following = least[j], j
        for j in range(columns):
            if used[j] != 0.0:
                u[row_of[j] - 1] += step
                v[j] -= step
            else:
                least[j] -= step
        column = following
    return column
