"""Our own way to avoid: what each robot in trouble may do, weighed against everybody's motion, two robots at a time.

Every robot has OPTIONS: go on, keep the last detour, go slower for a while, go by a point beside the meeting place,
back off. Each is rolled out. The pair that meets first chooses both of its options together, given what all others do;
then the next pair, until nobody meets or ROUNDS are over.

tracks   (m, OPTIONS, s, 2)  where everybody is; those that are not ours have one option
spans    (m, OPTIONS)        how far from where it is now a robot gets
costs    (n, OPTIONS)        seconds until the robot has arrived
options  (n, OPTIONS, 5)     as in `rolling`
chosen   (m,)                option of each robot
rules    (8,)                columns below
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.avoid.kernels import rolling
from tikitaka.avoid.kernels.rolling import BY, BY_X, BY_Y, CAP, UNTIL
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, dot, norm, unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

TOUCH, ROOM, GROW, GROW_OTHERS, PART, KEEP, EDGE_X, EDGE_Y = 0, 1, 2, 3, 4, 5, 6, 7  # of rules
RULES, OPTIONS, ROUNDS = 8, 16, 12
GO_ON, KEPT = 0, 1
HIT = 10.0  # [s] chosen: what a collision costs; one at the end of the horizon half of it
GIVE, START = 0.004, 0.25  # [m, s] chosen: robots that touch may press so much, and part so much later
NEAR = 1.0  # [s] chosen: what no room at all costs
OUT = 5.0  # [s] chosen: what leaving the pitch costs
ASIDE = (0.7, 1.4)  # of TOUCH: chosen, how far beside the meeting place points lie
SLOWER = (0.7, 0.4, 0.0)  # of the speed; chosen
AFTER = 0.15  # [s] chosen: a robot goes slower until so long after the meeting
BACK = 1.5  # of TOUCH: chosen, how far a robot backs off


@kernel
def nearest_pass(ax: float, ay: float, bx: float, by: float) -> float:
    """Return how near the origin a point comes that goes from a to b."""
    dx, dy = bx - ax, by - ay
    d = dot(dx, dy, dx, dy)
    s = clamp(-dot(ax, ay, dx, dy) / d, 0.0, 1.0) if d > 0.0 else 0.0
    return norm(ax + s * dx, ay + s * dy)


@kernel
def clash(a: Floats, b: Floats, spans: float, rules: Floats, grow: float, dt: float) -> tuple[float, float]:
    """Return what two motions (s, 2) cost for coming too near, and when they first do; infinity: never.

    Robots that are too near now are only asked to part, at rules[PART].
    """
    steps = a.shape[0]
    x, y = b[0, 0] - a[0, 0], b[0, 1] - a[0, 1]
    now = norm(x, y)
    worst, first = 0.0, np.inf
    if not now < spans + rules[TOUCH] + rules[ROOM] + grow * dt * steps:
        return worst, first
    for s in range(1, steps):
        px, py = b[s, 0] - a[s, 0], b[s, 1] - a[s, 1]
        t = s * dt
        slack = now - GIVE + rules[PART] * max(t - START, 0.0)
        touch = min(rules[TOUCH], slack)
        room = min(rules[TOUCH] + rules[ROOM] + grow * t, slack)
        hop = room + abs(px - x) + abs(py - y)
        d = nearest_pass(x, y, px, py) if px * px + py * py < hop * hop else room
        x, y = px, py
        if d >= room:
            continue
        late = 1.0 - 0.5 * s / steps
        lacks = (room - d) / (room - touch) if d >= touch else 1.0 - d / rules[TOUCH]
        cost = HIT * late * (1.0 + lacks) if d < touch else NEAR * late * lacks * lacks
        if d < touch and first == np.inf:
            first = t
        worst = max(worst, cost)
    return worst, first


@kernel
def outside(track: Floats, rules: Floats) -> float:
    """Return what it costs that a motion leaves the pitch."""
    far_x, far_y = max(rules[EDGE_X], abs(track[0, 0])), max(rules[EDGE_Y], abs(track[0, 1]))
    for s in range(1, track.shape[0]):
        if abs(track[s, 0]) > far_x or abs(track[s, 1]) > far_y:
            return OUT
    return 0.0


@kernel
def span(track: Floats) -> float:
    """Return how far from its first place a motion gets."""
    far = 0.0
    for s in range(1, track.shape[0]):
        x, y = track[s, 0] - track[0, 0], track[s, 1] - track[0, 1]
        far = max(far, x * x + y * y)
    return math.sqrt(far)


@kernel
def growth(j: int, n: int, rules: Floats) -> float:
    """Return how fast the room around robot j grows with time."""
    return float(rules[GROW] if j < n else rules[GROW_OTHERS])


@kernel
def fill_options(
    pose: Floats, top: float, when: float, track: Floats, other: Floats, kept: Floats, rules: Floats, dt: float,
    options: Floats,
) -> None:  # fmt: skip
    """Fill what a robot may do about a meeting: given its own and the other's motion (s, 2), and its last detour."""
    for c in range(OPTIONS):
        options[c, BY], options[c, CAP], options[c, UNTIL] = 0.0, top, when + AFTER
    options[KEPT, BY], options[KEPT, BY_X], options[KEPT, BY_Y] = kept[BY], kept[BY_X], kept[BY_Y]
    options[KEPT, CAP], options[KEPT, UNTIL] = kept[CAP], kept[UNTIL]
    s = min(max(int(when / dt), 1), track.shape[0] - 1)
    ux, uy = unit(track[s, 0] - pose[0], track[s, 1] - pose[1])
    c = 2
    for slower in SLOWER:
        options[c, CAP] = slower * top
        c += 1
    for aside in ASIDE:
        for side in (-1.0, 1.0):
            for slower in (1.0, 0.5):
                options[c, BY], options[c, CAP] = 1.0, slower * top
                options[c, BY_X] = track[s, 0] - side * aside * rules[TOUCH] * uy
                options[c, BY_Y] = track[s, 1] + side * aside * rules[TOUCH] * ux
                c += 1
    bx, by = unit(pose[0] - other[0, 0], pose[1] - other[0, 1])
    for side in (-1.0, 0.0, 1.0):
        options[c, BY] = 1.0
        options[c, BY_X] = pose[0] + BACK * rules[TOUCH] * (bx - side * by)
        options[c, BY_Y] = pose[1] + BACK * rules[TOUCH] * (by + side * bx)
        c += 1


@kernel
def prepare(
    i: int, j: int, when: float, pose: Floats, velocity: Floats, xy: Floats, count: Ints, end: Floats, top: Floats,
    kept: Floats, limits: Floats, rules: Floats, options: Floats, tracks: Floats, spans: Floats, costs: Floats,
) -> None:  # fmt: skip
    """Fill and roll out the options of robot i, which meets robot j at a time."""
    fill_options(
        pose[i], top[i], when, tracks[i, GO_ON], tracks[j, GO_ON], kept[i], rules, limits[rolling.STEP], options[i]
    )
    had = kept[i, BY] != 0.0 or kept[i, UNTIL] > 0.0
    for c in range(1, OPTIONS):
        if c == KEPT and not had:
            costs[i, c] = np.inf
            continue
        args = (pose[i], velocity[i], xy[i], count[i], end[i], top[i], options[i, c], limits, tracks[i, c])
        costs[i, c] = rolling.roll(*args) + outside(tracks[i, c], rules)
        spans[i, c] = span(tracks[i, c])
    costs[i, KEPT if had else GO_ON] -= rules[KEEP]


@kernel
def against_others(
    i: int, c: int, j: int, n: int, chosen: Ints, rules: Floats, dt: float, tracks: Floats, spans: Floats
) -> float:
    """Return what option c of robot i costs for coming near anybody but robot j."""
    total = 0.0
    for k in range(chosen.shape[0]):
        if k not in (i, j):
            total += clash(
                tracks[i, c], tracks[k, chosen[k]], spans[i, c] + spans[k, chosen[k]], rules, growth(k, n, rules), dt
            )[0]
    return total


@kernel
def choose_pair(
    i: int,
    j: int,
    n: int,
    rules: Floats,
    dt: float,
    tracks: Floats,
    spans: Floats,
    costs: Floats,
    sums: Floats,
    chosen: Ints,
) -> None:
    """Choose the options of robots i and j together, or of i alone where j cannot be changed (one option)."""
    both = j < n and costs[j, KEPT + 1] < np.inf
    for c in range(OPTIONS):
        sums[0, c] = (
            costs[i, c] + against_others(i, c, j, n, chosen, rules, dt, tracks, spans)
            if costs[i, c] < np.inf
            else np.inf
        )
        if both:
            free = costs[j, c] < np.inf
            sums[1, c] = costs[j, c] + against_others(j, c, i, n, chosen, rules, dt, tracks, spans) if free else np.inf
    best, first, second = np.inf, chosen[i], chosen[j]
    for c in range(OPTIONS):
        for e in range(OPTIONS if both else 1):
            mine = sums[0, c] + (sums[1, e] if both else 0.0)
            if mine >= best:
                continue
            option = e if both else chosen[j]
            total = (
                mine
                + clash(
                    tracks[i, c], tracks[j, option], spans[i, c] + spans[j, option], rules, growth(j, n, rules), dt
                )[0]
            )
            if total < best:
                best, first, second = total, c, option
    chosen[i], chosen[j] = first, second


@kernel
def soonest(
    n: int, free: Bools, rules: Floats, dt: float, tracks: Floats, spans: Floats, chosen: Ints, done: Bools
) -> tuple[int, int, float]:
    """Return the two robots that meet first of those pairs that are not done, the one that can be changed first."""
    a, b, when = -1, -1, np.inf
    for i in range(n):
        for j in range(chosen.shape[0]):
            if j == i or (j < i and j < n) or done[i, j] or not (free[i] or (j < n and free[j])):
                continue
            cost, t = clash(
                tracks[i, chosen[i]],
                tracks[j, chosen[j]],
                spans[i, chosen[i]] + spans[j, chosen[j]],
                rules,
                growth(j, n, rules),
                dt,
            )
            if cost > 0.0 and min(t, 1e3) < when:
                a, b, when = i, j, min(t, 1e3)
    if a >= 0 and not free[a]:
        a, b = b, a
    return a, b, when


@kernel
def choose_all(
    pose: Floats, velocity: Floats, xy: Floats, count: Ints, end: Floats, top: Floats, free: Bools, kept: Floats,
    limits: Floats, rules: Floats, options: Floats, tracks: Floats, spans: Floats, costs: Floats, sums: Floats,
    done: Bools, chosen: Ints,
) -> None:  # fmt: skip
    """Choose an option for every robot; see the legend above."""
    n, m, dt = free.shape[0], pose.shape[0], limits[rolling.STEP]
    for i in range(m):
        chosen[i] = GO_ON
        for j in range(m):
            done[i, j] = False
        if i < n and count[i] > 1:
            options[i, GO_ON, BY], options[i, GO_ON, CAP], options[i, GO_ON, UNTIL] = 0.0, top[i], 0.0
            args = (pose[i], velocity[i], xy[i], count[i], end[i], top[i], options[i, GO_ON], limits, tracks[i, GO_ON])
            costs[i, GO_ON] = rolling.roll(*args)
            costs[i, KEPT + 1] = np.inf
        else:
            rolling.coast(pose[i], velocity[i], dt, tracks[i, GO_ON])
            if i < n:
                costs[i, GO_ON], costs[i, KEPT + 1] = 0.0, np.inf
        spans[i, GO_ON] = span(tracks[i, GO_ON])
    for _ in range(ROUNDS):
        i, j, when = soonest(n, free, rules, dt, tracks, spans, chosen, done)
        if i < 0:
            break
        done[i, j], done[j, i] = True, True
        when = min(when, dt * (tracks.shape[2] - 1))
        if costs[i, KEPT + 1] == np.inf:
            prepare(i, j, when, pose, velocity, xy, count, end, top, kept, limits, rules, options, tracks, spans, costs)
        if j < n and free[j] and costs[j, KEPT + 1] == np.inf:
            prepare(j, i, when, pose, velocity, xy, count, end, top, kept, limits, rules, options, tracks, spans, costs)
        choose_pair(i, j, n, rules, dt, tracks, spans, costs, sums, chosen)


@kernel
def apply(
    pose: Floats, free: Bools, chosen: Ints, options: Floats, kept: Floats, dt: float, xy: Floats,
    time: Floats, count: Ints, status: Ints, reason: Ints, max_speed: Floats,
) -> None:  # fmt: skip
    """Write the chosen options into the plans, and remember them for the next tick, ``dt`` later."""
    for i in range(free.shape[0]):
        c = chosen[i]
        if not free[i] or c == GO_ON:
            kept[i, BY], kept[i, UNTIL] = 0.0, 0.0
            continue
        o = options[i, c]
        if o[UNTIL] > 0.0:
            if o[CAP] <= 0.0:
                status[i], reason[i] = 0, 10  # PlanReason.BLOCKED
            max_speed[i] = min(max_speed[i], o[CAP])
        x, y = o[BY_X], o[BY_Y]
        if o[BY] != 0.0:
            for k in range(min(count[i], xy.shape[1] - 1), 1, -1):
                xy[i, k, 0], xy[i, k, 1], time[i, k] = xy[i, k - 1, 0], xy[i, k - 1, 1], time[i, k - 1]
            count[i] = min(count[i] + 1, xy.shape[1])
            xy[i, 1, 0], xy[i, 1, 1], time[i, 1] = x, y, 0.5 * (time[i, 0] + time[i, min(2, count[i] - 1)])
        passed = norm(x - pose[i, 0], y - pose[i, 1]) < rolling.PASSED
        kept[i, BY], kept[i, BY_X], kept[i, BY_Y] = 0.0 if passed else o[BY], x, y
        kept[i, CAP], kept[i, UNTIL] = o[CAP], max(o[UNTIL] - dt, 0.0)
