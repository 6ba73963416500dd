"""Our own way to avoid in one crossing: out of goals, choices for all, what was chosen, and a guard against strangers.

Symbols as in `choosing` and `learning`; `guard` (2,): distance at which strangers are kept away, for how long [m, s]
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.avoid.kernels.applying import apply
from tikitaka.avoid.kernels.choosing import choose_all
from tikitaka.avoid.kernels.dodging import PARTIAL
from tikitaka.avoid.kernels.halfplanes import reciprocal
from tikitaka.avoid.kernels.learning import STRENGTH, derate, learn
from tikitaka.avoid.kernels.options import GO_ON
from tikitaka.avoid.kernels.rolling import ARCS, OMNI, SPEED
from tikitaka.avoid.kernels.weighing import EDGE_X, EDGE_Y
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@kernel
def leave_goal(
    i: int, edge: float, half: float, touch: float, pose: Floats, xy: Floats, time: Floats, count: Ints, status: Ints
) -> None:
    """Lead robot i, if it is in a goal and its way goes through the goal's side, out by the middle of its mouth."""
    x, y, k = pose[i, 0], pose[i, 1], min(1, count[i] - 1)
    if not (abs(x) > edge and abs(y) < half):
        return
    mouth, tx, ty = math.copysign(edge, x), xy[i, k, 0], xy[i, k, 1]
    if abs(tx) < edge and abs(y + (ty - y) * (mouth - x) / (tx - x)) > half - 0.5 * touch:
        time[i, 1] = time[i, k]
        xy[i, 0, 0], xy[i, 0, 1], xy[i, 1, 0], xy[i, 1, 1] = x, y, mouth - math.copysign(touch, mouth), 0.0
        count[i], status[i] = 2, PARTIAL


@kernel
def only_strangers(n: int, free: Bools, sees: Bools, aim: Floats, xy: Floats, status: Ints) -> None:
    """Let our robots see nobody of ours, aim at where they now go, and those that brake be left alone."""
    for i in range(n):
        free[i] = free[i] and status[i] != 0
        aim[i, 0], aim[i, 1] = xy[i, 1, 0], xy[i, 1, 1]
        for j in range(n):
            sees[i, j] = False


@kernel
def learn_all(
    dt: float, pose: Floats, velocity: Floats, free: Bools, chosen: Ints, tracks: Floats, kept: Floats, own: Floats,
    xy: Floats, count: Ints, might: Floats,
) -> None:  # fmt: skip
    """Learn how strong our robots on tyres are; of a detour we do not know well enough how it will be driven."""
    for i in range(free.shape[0]):
        if own[i, OMNI] == 0.0:
            straight = free[i] and count[i] > 1 and chosen[i] == GO_ON and kept[i, ARCS] == 0.0
            last = xy[i, max(count[i] - 1, 0)]
            learn(straight, pose[i], velocity[i], tracks[i, chosen[i]], last[0], last[1], own[i], dt, might[i])


@kernel
def go(
    pose: Floats, velocity: Floats, now: float, free: Bools, sees: Bools, reach: Floats, aim: Floats, half: float,
    dt: float, limits: Floats, rules: Floats, guard: Floats, top: Floats, own: Floats, options: Floats,
    tracks: Floats, spans: Floats, boxes: Floats, met: Floats, doing: Ints, costs: Floats, sums: Floats, when: Floats,
    chosen: Ints, lines: Floats, kept: Floats, might: Floats, xy: Floats, time: Floats, count: Ints, status: Ints,
    reason: Ints, max_speed: Floats, end: Floats,
) -> None:  # fmt: skip
    """Change the plans, the speeds and what is kept; the table of everybody, ``free`` and ``aim`` are used up.

    half    half the width of a goal
    own     (n + 1, 7) limits of each robot, and of a sound one: scratch
    """
    n = free.shape[0]
    derate(1.0, limits, own[n])
    for i in range(n):
        derate(might[i, STRENGTH], limits, own[i])
        if free[i]:
            leave_goal(i, rules[EDGE_X], half, reach[i], pose, xy, time, count, status)
        top[i] = limits[SPEED] if limits[SPEED] < max_speed[i] else max_speed[i]
    choose_all(
        pose, velocity, xy, count, end, top, free, sees, reach, kept, own, rules, options, tracks, spans, boxes,
        met, doing, costs, sums, when, chosen,
    )  # fmt: skip
    learn_all(dt, pose, velocity, free, chosen, tracks, kept, own, xy, count, might)
    apply(
        pose, velocity, free, chosen, options, own, kept, dt, xy, time, count, status, reason, max_speed, end
    )  # fmt: skip
    only_strangers(n, free, sees, aim, xy, status)
    reciprocal(
        pose, velocity, now, free, sees, reach, aim, end, guard[0], guard[1], limits, rules[EDGE_X], rules[EDGE_Y],
        lines, xy, time, count, status, reason, max_speed,
    )  # fmt: skip
