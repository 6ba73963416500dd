"""The wishes of a whole team: who plays the ball, who keeps, and places for all others.

notes   (NOTES,) what is remembered of the game: see the names below
roles   (n,)  what each robot does: 0 keeps, 1 plays the ball, 2 + k has the k-th place
style   (STYLES,) how a team plays: see the names below
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels import posting
from tikitaka.decide.kernels.assigning import assign
from tikitaka.decide.kernels.guarding import guard
from tikitaka.decide.kernels.kicking import make_up_mind, play_ball
from tikitaka.decide.kernels.lanes import crowd
from tikitaka.decide.kernels.pushing import push
from tikitaka.decide.kernels.rolling import at, roll_out
from tikitaka.decide.kernels.striking import RING
from tikitaka.decide.kernels.table import (
    AVOID,
    BARRED,
    HALF_X,
    KICK,
    OMNI,
    PITCH,
    PLAY,
    REACH,
    SPEED,
)
from tikitaka.decide.kernels.timing import to_ball, to_place
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, dot, norm, unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

ATTACKER, MARK_X, MARK_Y, SINCE, TAKER, SET, FORWARD = range(7)
NOTES = 7
PASSES, KEEN, PRESS, MARKS, SUPPORT = range(5)
STYLES = 5

STILL = 0.03  # [m] a ball that stays within this lies still
LOYALTY = 0.2  # [s] chosen: another robot must be sooner by this to take over the ball
PACE = 0.2  # chosen: share of the top speed at which a robot drives around the ball
EASY = 0.6  # chosen: share of the top speed at which the others drive
STAYS = 0.15  # [s] chosen: another place must be nearer by this
IN_THE_WAY = 0.12  # [s] chosen: cost of a robot in the straight way to a place [Austro, future work]


@kernel
def remember(ball: Floats, time: float, notes: Floats) -> float:
    """Return for how long the ball has lain still."""
    if norm(ball[0] - notes[MARK_X], ball[1] - notes[MARK_Y]) > STILL:
        notes[MARK_X], notes[MARK_Y], notes[SINCE] = ball[0], ball[1], time
    return float(time - notes[SINCE])


@kernel
def choose(pose: Floats, v: Floats, theirs: Floats, way: Floats, last: int, barred: int, p: Floats) -> int:
    """Return who plays the ball: the soonest behind it; the last one while nobody is clearly sooner."""
    best, least = 0, math.inf
    circle = RING * p[REACH] / (PACE * p[SPEED])  # [s] for each radian around the ball
    for i in range(1, pose.shape[0]):
        t = to_ball(pose[i], v[i], way, p[REACH], p)
        bx, by = at(way, t)
        dx, dy = unit(p[HALF_X] - bx, -by)
        ux, uy = unit(bx - pose[i, 0], by - pose[i, 1])
        t += circle * math.acos(clamp(dot(ux, uy, dx, dy), -1.0, 1.0))
        t += IN_THE_WAY * crowd(pose[i, 0], pose[i, 1], bx, by, pose, i, theirs, p)
        t -= LOYALTY if i == last else 0.0
        t += 9.0 if i == barred else 0.0
        if t < least:
            best, least = i, t
    return best


@kernel
def place_others(
    m: int, bx: float, by: float, theirs: Floats, forward: bool, style: Floats, p: Floats, used: Flags, posts: Floats
) -> None:
    """Fill m places: defenders first, then those between, then supporters."""
    defenders = 1 if p[BARRED] <= 0.0 and m < 6 else 2 if m < 6 else 3
    if m == 1:
        defenders = 0 if forward else 1
    marks = (m - defenders) // 2 if style[MARKS] > 0.0 else 0
    for j in range(theirs.shape[0]):
        used[j] = False
    wings = m - defenders - marks
    for k in range(m):
        found = False
        if k < defenders:
            x, y = posting.shadow(k, defenders, bx, by, p)
        elif k < defenders + marks:
            x, y, found = posting.marker(theirs, bx, by, used, p)
        if k >= defenders and not found:
            x, y = posting.wing(k - defenders, wings + marks, bx, by, p)
            x, y = posting.off_ball(x, y, bx, by, p)
        posts[k, 0], posts[k, 1], posts[k, 2] = x, y, 1.5 if k < defenders else 1.0
    posting.tidy(posts, m, p)


@kernel
def send_others(
    pose: Floats, v: Floats, theirs: Floats, bx: float, by: float, player: int, m: int, p: Floats,
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
        max_speed[i] = EASY * p[SPEED]


@kernel
def play(
    pose: Floats, v: Floats, theirs: Floats, their_v: Floats, ball: Floats, time: float, may_touch: bool, held: Flags,
    style: Floats, p: Floats, way: Floats, posts: Floats, cost: Floats, work: Floats, links: Ints, rows: Ints,
    used: Flags, notes: Floats, plan: Floats, old: Floats, roles: Ints, target: Floats, end_speed: Floats,
    max_speed: Floats, kick: Floats, lift: Floats, dribble: Flags, use: Ints, contact: Flags, keeper: Flags,
) -> int:  # fmt: skip
    """Fill every robot's wish and return who plays the ball, -1: nobody."""
    n, pitch = pose.shape[0], p[PITCH:]
    roll_out(ball[0], ball[1], ball[2], ball[3], p, way)
    still = remember(ball, time, notes)
    guard(pose, v, ball, way, theirs, their_v, p, target, end_speed, kick, lift)
    keeper[0], contact[0], use[0], roles[0] = True, True, PLAY, 0
    if n < 2:
        return 0
    player = choose(pose, v, theirs, way, int(notes[ATTACKER]), int(notes[TAKER]), p)
    notes[ATTACKER] = player
    forward = ball[0] > (-0.1 if notes[FORWARD] > 0.0 else 0.1) * p[HALF_X]
    notes[FORWARD] = 1.0 if forward else 0.0
    taker = player if may_touch else -1
    if taker > 0:
        roles[taker], contact[taker], use[taker] = 1, True, PLAY
        if p[KICK] > 0.0:
            make_up_mind(taker, ball[0], ball[1], pose, v, theirs, their_v, style[PASSES] > 0.0, p, plan, old)
            play_ball(
                taker, pose, v, theirs, ball, way, held[taker], plan, p, target, end_speed, kick, lift, dribble, use
            )
        else:
            push(taker, pose, v, theirs, their_v, ball, way, still, style[KEEN] > 0.0, p, pitch, target, end_speed)
    m = n - 1 - (1 if taker > 0 else 0)
    if m > 0:
        bx, by = at(way, 0.3)
        place_others(m, bx, by, theirs, forward, style, p, used, posts)
        send_others(pose, v, theirs, bx, by, taker, m, p, posts, cost, work, links, rows, roles, target, max_speed, use)
    return taker
