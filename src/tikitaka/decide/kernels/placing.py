"""Jobs and places for those who do not play the ball, and who takes which: the least time in all.

style   (STYLES,) how a team plays: see the names below
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels import posting
from tikitaka.decide.kernels.assigning import assign
from tikitaka.decide.kernels.lanes import crowd
from tikitaka.decide.kernels.mapping import SPOTS, look_for_places
from tikitaka.decide.kernels.table import AVOID, BARRED, CAREFUL, KICK, OMNI, SPEED
from tikitaka.decide.kernels.timing import to_place
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

PASSES, PRESS, MARKS, SUPPORT, PACE, WIDTH, BACK, LEAVES = range(8)
STYLES = 8

FEW = 2  # chosen: of so few nobody is sent before their goal
WALL = 2  # chosen: robots in a wall at a free kick
STAYS = 0.15  # [s] chosen: another place must be nearer by this
IN_THE_WAY = 0.12  # [s] chosen: cost of a robot in the straight way to a place [Austro, future work]


@kernel
def count_jobs(m: int, ours: bool, forward: bool, style: Floats, p: Floats) -> tuple[int, int, int, int]:
    """Return how many defend our area, cover who fights for the ball, mark, and look for a pass."""
    barred = p[BARRED] > 0.0
    defenders = 3 if m > 6 else 2 if barred and m > 3 else 1
    if m == 1:
        return (0 if forward else 1), 0, 0, 0
    if style[SUPPORT] <= 0.0 or not barred:
        return min(defenders, m), 0, 0, 0
    if ours:
        return defenders, 0, 0, min(SPOTS, max(1, m - defenders - 1))
    if p[CAREFUL] > 0.0 and not forward:
        defenders = min(3, m - 1)
    marks = (m - defenders - 1) // 2 if style[MARKS] > 0.0 else 0
    return defenders, 1, marks, 0


@kernel
def place_others(
    m: int, bx: float, by: float, player: Floats, theirs: Floats, their_v: Floats, ours: bool, forward: bool,
    look: bool, walls: bool, style: Floats, p: Floats, used: Flags, spots: Floats, posts: Floats,
) -> None:  # fmt: skip
    """Fill m places: defenders first, then markers, then supporters, then those behind the ball."""
    defenders, covers, marks, supporters = count_jobs(m, ours, forward, style, p)
    if supporters > 0 and look:
        look_for_places(bx, by, supporters, theirs, their_v, p, spots)
    for j in range(theirs.shape[0]):
        used[j] = False
    wings, wing = m - defenders - covers - supporters, 0
    for k in range(m):
        found = False
        if k < defenders:
            x, y = posting.shadow(k, defenders, bx, by, p)
            if style[LEAVES] > 0.0 and p[BARRED] <= 0.0:
                x, y = posting.far_side(x, y, bx, by, player[0], player[1], p)
        elif k < defenders + covers:
            x, y = posting.cover(bx, by, p)
            found = True
        elif k < defenders + covers + marks:
            x, y, found = posting.marker(theirs, bx, by, used, p)
        elif k < defenders + covers + marks + supporters:
            s = k - defenders - covers - marks
            x, y = spots[s, 0], spots[s, 1]
            found = True
        if k >= defenders and not found:
            x, y = posting.wing(wing, wings, bx, by, style[WIDTH], style[BACK], p)
            x, y = posting.off_ball(x, y, bx, by, p)
            wing += 1
        posts[k, 0], posts[k, 1], posts[k, 2] = x, y, 1.5 if k < defenders else 1.0
    if style[PASSES] > 0.0 and p[KICK] <= 0.0 and m > FEW and posting.on_wing(bx, by, p):
        posts[defenders, 0], posts[defenders, 1] = posting.waits(bx, by, p)
    walls = walls and bx < 0.0 and style[MARKS] > 0.0
    for k in range(min(WALL, m - defenders) if walls else 0):
        posts[defenders + k, 0], posts[defenders + k, 1] = posting.free_kick_wall(k, WALL, bx, by, p)
    posting.tidy(posts, m, posting.SHOULDER if walls else posting.ROOM, p)


@kernel
def send_others(
    pose: Floats, v: Floats, theirs: Floats, bx: float, by: float, player: int, m: int, pace: float, p: Floats,
    posts: Floats, cost: Floats, work: Floats, links: Ints, rows: Ints, roles: Ints, target: Floats, max_speed: Floats,
    use: Ints,
) -> None:  # fmt: skip
    """Fill the wishes of those without the ball: places for the least time in all, old ones where that hardly pays."""
    r = 0
    for i in range(1, pose.shape[0]):
        if i == player:
            continue
        rows[r] = i
        for k in range(m):
            x, y = posts[k, 0], posts[k, 1]
            t = to_place(pose[i], v[i], x, y, 0.0, p)
            t += IN_THE_WAY * crowd(pose[i, 0], pose[i, 1], x, y, pose, i, theirs, p)
            cost[r, k] = posts[k, 2] * t - (STAYS if roles[i] == k + 2 else 0.0)
        r += 1
    assign(cost, m, work, links)
    for k in range(m):
        i = rows[links[0, k + 1] - 1]
        roles[i] = k + 2
        target[i, 0], target[i, 1] = posts[k, 0], posts[k, 1]
        target[i, 2] = math.nan if p[OMNI] <= 0.0 else math.atan2(by - pose[i, 1], bx - pose[i, 0])
        use[i] = AVOID
        max_speed[i] = pace * p[SPEED]
