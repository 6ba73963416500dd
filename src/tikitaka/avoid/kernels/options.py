"""What a robot in trouble may do: go on, keep its last detour, go slower for a while, go by a point, back off."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.avoid.kernels import rolling
from tikitaka.avoid.kernels.gathering import within
from tikitaka.avoid.kernels.rolling import ARCS, BY, BY_X, BY_Y, CAP, UNTIL, WAITED
from tikitaka.avoid.kernels.weighing import EDGE_X, EDGE_Y, KEEP, fill_boxes, outside, span
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm, unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

OPTIONS = 16
GO_ON, KEPT, LEFT, BACKWARD = 0, 1, 9, 13  # options; from LEFT on robots pass on the left, from BACKWARD they back off
SLOWER = (0.7, 0.4, 0.0)  # of the speed; chosen
ASIDE = (0.7, 1.3, 2.1)  # of the touching distance: chosen, how far beside the meeting place points lie
HALF = 1.3  # the same, of those that are passed at half the speed
BEYOND = 0.7  # of the touching distance: chosen, so much farther than where they touch
WRONG_SIDE = 0.15  # [s] chosen: what it costs to pass one on the left whose plans we do not know [Austro, sec. 3.3.1]
IMPATIENCE = 2.0  # chosen: what a second more costs for every second that a robot has waited
IN_VAIN = 3.0  # [s] chosen: what it costs to wait for one that stays
BACK = 1.5  # of the touching distance: chosen, how far a robot backs off
CLOSE = 3.0  # touching distances: chosen, from whom is farther away nobody backs off
AFTER = 0.15  # [s] chosen: a robot goes slower until so long after the meeting


@kernel
def set_by(c: int, x: float, y: float, arcs: float, cap: float, pose: Floats, rules: Floats, options: Floats) -> None:
    """Fill option c: by the point (x, y), or the nearest to it between the walls."""
    options[c, BY], options[c, ARCS], options[c, CAP] = 1.0, arcs, cap
    options[c, BY_X], options[c, BY_Y] = within(x, y, pose, rules[EDGE_X], rules[EDGE_Y])


@kernel
def fill_options(
    pose: Floats, top: float, when: float, track: Floats, other: Floats, kept: Floats, touch: float, rules: Floats,
    dt: float, options: Floats,
) -> None:  # fmt: skip
    """Fill what a robot may do about a meeting: given its own and the other's motion (s, 2), and its last detour."""
    for c in range(2, OPTIONS):
        options[c, BY], options[c, CAP], options[c, UNTIL], options[c, ARCS] = 0.0, top, when + AFTER, 0.0
        options[c, BY_X], options[c, BY_Y] = 0.0, 0.0
    for k in range(options.shape[1]):
        options[KEPT, k] = kept[k]
    s = min(max(int(when / dt), 1), track.shape[0] - 1)
    x, y = track[s, 0], track[s, 1]
    ux, uy = unit(x - pose[0], y - pose[1])
    x, y = x + BEYOND * touch * ux, y + BEYOND * touch * uy
    c = 2
    for slower in SLOWER:
        options[c, CAP] = slower * top
        c += 1
    for side in (-touch, touch):
        for aside in ASIDE:
            set_by(c, x - side * aside * uy, y + side * aside * ux, 1.0, top, pose, rules, options)
            c += 1
        set_by(c, x - side * HALF * uy, y + side * HALF * ux, 1.0, 0.5 * top, pose, rules, options)
        c += 1
    bx, by = unit(pose[0] - other[0, 0], pose[1] - other[0, 1])
    if bx == 0.0 and by == 0.0:
        bx, by = math.cos(pose[2]), math.sin(pose[2])
    for side in (-1.0, 0.0, 1.0):
        gx, gy = pose[0] + BACK * touch * (bx - side * by), pose[1] + BACK * touch * (by + side * bx)
        set_by(c, gx, gy, 0.0, top, pose, rules, options)
        c += 1


@kernel
def go_on(
    i: int, pose: Floats, velocity: Floats, xy: Floats, count: Ints, end: Floats, top: Floats, kept: Floats,
    limits: Floats, options: Floats, tracks: Floats, spans: Floats, boxes: Floats, costs: Floats,
) -> None:  # fmt: skip
    """Roll out what robot i does if nobody is in the way; who comes from a detour turns back in an arc."""
    o = options[i, GO_ON]
    o[BY], o[CAP], o[UNTIL], o[ARCS] = 0.0, top[i], 0.0, kept[i, ARCS]
    costs[i, KEPT + 1], costs[i, GO_ON] = np.inf, 0.0
    if count[i] > 1:
        args = (pose[i], velocity[i], xy[i], count[i], end[i], top[i], o, limits[i], tracks[i, GO_ON])
        costs[i, GO_ON] = rolling.roll(*args)
    else:
        rolling.coast(pose[i], velocity[i], limits[i, rolling.STEP], tracks[i, GO_ON])
    spans[i, GO_ON] = span(tracks[i, GO_ON])
    fill_boxes(tracks[i, GO_ON], limits[i, rolling.STEP], boxes[i, GO_ON])


@kernel
def prepare(
    i: int, j: int, when: float, touch: float, pose: Floats, velocity: Floats, xy: Floats, count: Ints, end: Floats,
    top: Floats, kept: Floats, limits: Floats, rules: Floats, options: Floats, tracks: Floats, spans: Floats,
    boxes: Floats, doing: Ints, costs: Floats,
) -> None:  # fmt: skip
    """Fill and roll out the options of robot i, which meets robot j at a time; once is enough."""
    if costs[i, KEPT + 1] < np.inf:
        return
    args = (kept[i], touch, rules, limits[i, rolling.STEP], options[i])
    fill_options(pose[i], top[i], when, tracks[i, GO_ON], tracks[j, GO_ON], *args)
    had = kept[i, BY] != 0.0 or kept[i, UNTIL] > 0.0
    stranger = j >= count.shape[0]
    near = norm(pose[j, 0] - pose[i, 0], pose[j, 1] - pose[i, 1]) < CLOSE * touch
    for c in range(OPTIONS):
        for k in range(doing.shape[2]):
            doing[i, c, k] = -1
    for c in range(1, OPTIONS):
        if (c == KEPT and not had) or (c >= BACKWARD and not near):
            costs[i, c] = np.inf
            continue
        rolls = (pose[i], velocity[i], xy[i], count[i], end[i], top[i], options[i, c], limits[i], tracks[i, c])
        costs[i, c] = rolling.roll(*rolls) + outside(tracks[i, c], rules)
        spans[i, c] = span(tracks[i, c])
        fill_boxes(tracks[i, c], limits[i, rolling.STEP], boxes[i, c])
        if options[i, c, BY] == 0.0:
            costs[i, c] += IMPATIENCE * kept[i, WAITED] + (IN_VAIN if spans[j, GO_ON] < touch else 0.0)
        if stranger and LEFT <= c < BACKWARD:
            costs[i, c] += WRONG_SIDE
    costs[i, KEPT if had else GO_ON] -= rules[KEEP]
