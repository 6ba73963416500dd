"""The wishes of a whole team: who plays the ball, who keeps, and places for all others.

notes   (NOTES,) what is remembered of the game: see the names below
roles   (n,)  what each robot does: 0 keeps, 1 plays the ball, 2 + k has the k-th place
style   how a team plays, see `placing`
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.decide.kernels.guarding import guard
from tikitaka.decide.kernels.helping import FIGHT, call_mate, fought_for, help_out
from tikitaka.decide.kernels.kicking import bring, meeting, play_ball
from tikitaka.decide.kernels.lanes import crowd
from tikitaka.decide.kernels.leaving import crowded, leave_areas
from tikitaka.decide.kernels.minding import make_up_mind
from tikitaka.decide.kernels.placing import (
    IN_THE_WAY,
    LEAVES,
    PACE,
    PASSES,
    PRESS,
    SUPPORT,
    place_others,
    send_others,
)
from tikitaka.decide.kernels.pushing import push
from tikitaka.decide.kernels.rolling import at, roll_out
from tikitaka.decide.kernels.running import flat, run_up
from tikitaka.decide.kernels.sparing import stay_out, sweep
from tikitaka.decide.kernels.striking import RING
from tikitaka.decide.kernels.table import (
    BARRED,
    CAREFUL,
    HALF_X,
    KICK,
    PITCH,
    PLAY,
    REACH,
    SPEED,
)
from tikitaka.decide.kernels.timing import to_ball
from tikitaka.decide.kernels.yielding import give_way, let_pass
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, dot, norm, unit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

(
    ATTACKER,
    MARK_X,
    MARK_Y,
    SINCE,
    TAKER,
    SET,
    FORWARD,
    OURS,
    FOUGHT_SINCE,
    LOOKED,
    CALLED,
    CALLED_AT,
    SET_AT,
    STRIKING,
    RUN_SINCE,
    RUN_Y,
    RUNNING,
    CROWD_SINCE,
) = range(18)
NOTES = 18

STILL = 0.03  # [m] a ball that stays within this lies still
LOYALTY = 0.25  # [s] chosen: another robot must be sooner by this to take over the ball
AROUND = 0.2  # chosen: share of the top speed at which a robot drives around the ball
SURE = 0.15  # [s] chosen: by which we must be sooner at the ball than they to have it
WAITS = 1.2  # [s] chosen: so long the ball is left to a mate who was called
FEW = 3  # a team of so few has nobody to spare
LEFT = 3.0  # [s] chosen: after that a ball which nobody wants may be touched again
LOOK = 0.4  # [s] chosen: so often supporters look for a better place
HAS_IT = 1.5  # [s] chosen: by which another robot must be sooner than the one with the ball in its mouth


@kernel
def stuck(pose: Floats, ball: Floats, time: float, notes: Floats, p: Floats) -> float:
    """Return for how long the ball has lain still though our player is at it."""
    i = max(0, int(notes[ATTACKER]))
    away = norm(pose[i, 0] - ball[0], pose[i, 1] - ball[1]) > 1.3 * p[REACH]
    if away or norm(ball[0] - notes[MARK_X], ball[1] - notes[MARK_Y]) > STILL:
        notes[MARK_X], notes[MARK_Y], notes[SINCE] = ball[0], ball[1], time
    return float(time - notes[SINCE])


@kernel
def choose(pose: Floats, v: Floats, theirs: Floats, way: Floats, held: Flags, last: int, barred: int, p: Floats) -> int:
    """Return who plays the ball: the soonest behind it; the last one while nobody is clearly sooner."""
    best, least = 0, math.inf
    circle = RING * p[REACH] / (AROUND * p[SPEED])  # [s] for each radian around the ball
    for i in range(1, pose.shape[0]):
        t = to_ball(pose[i], v[i], way, p[REACH], p)
        bx, by = at(way, t)
        dx, dy = unit(p[HALF_X] - bx, -by)
        ux, uy = unit(bx - pose[i, 0], by - pose[i, 1])
        t += circle * math.acos(clamp(dot(ux, uy, dx, dy), -1.0, 1.0))
        t += IN_THE_WAY * crowd(pose[i, 0], pose[i, 1], bx, by, pose, i, theirs, p)
        t -= LOYALTY if i == last else 0.0
        t -= HAS_IT if held[i] else 0.0
        t += 9.0 if i == barred else 0.0
        if t < least:
            best, least = i, t
    return best


@kernel
def taken_by(pose: Floats, theirs: Floats, ball: Floats, time: float, dead: bool, notes: Floats, p: Floats) -> int:
    """Return who has taken a kick and may not touch the ball before somebody else has, -1: nobody."""
    i = int(notes[TAKER])
    if dead or i < 0 or p[BARRED] <= 0.0:
        return -1
    others = 0
    for k in range(pose.shape[0]):
        others += k != i and norm(pose[k, 0] - ball[0], pose[k, 1] - ball[1]) < 1.3 * p[REACH]
    for j in range(theirs.shape[0]):
        others += norm(theirs[j, 0] - ball[0], theirs[j, 1] - ball[1]) < 1.3 * p[REACH]
    if others > 0 or time - notes[SET_AT] > LEFT:
        notes[TAKER] = -1.0
        return -1
    return i


@kernel
def look_around(
    pose: Floats, v: Floats, theirs: Floats, their_v: Floats, way: Floats, time: float, style: Floats, notes: Floats,
    p: Floats,
) -> tuple[bool, bool]:  # fmt: skip
    """Return whether our player is at the ball before any opponent, and whether it is time to look for places."""
    if style[SUPPORT] <= 0.0:
        return False, False
    mine, soonest = to_ball(pose, v, way, p[REACH], p), math.inf
    for j in range(theirs.shape[0]):
        soonest = min(soonest, to_ball(theirs[j], their_v[j], way, p[REACH], p))
    ours = mine < soonest + (SURE if notes[OURS] > 0.0 else -SURE)
    look = abs(time - notes[LOOKED]) > LOOK
    notes[OURS], notes[LOOKED] = 1.0 if ours else 0.0, time if look else notes[LOOKED]
    return ours, look


@kernel
def together(
    pose: Floats, theirs: Floats, ball: Floats, time: float, taker: int, style: Floats, p: Floats, plan: Floats,
    notes: Floats, target: Floats, end_speed: Floats, max_speed: Floats, kick: Floats, dribble: Flags, use: Ints,
    contact: Flags,
) -> None:  # fmt: skip
    """Call the mate who is to have a pass; send a second robot where the ball is fought for."""
    mate = call_mate(pose, ball, taker, plan, p, target, max_speed)
    if mate > 0:
        notes[CALLED], notes[CALLED_AT] = mate, time
    if taker < 1 or not fought_for(pose, theirs, ball, taker, p):
        notes[FOUGHT_SINCE] = time
    elif p[KICK] > 0.0 and style[PRESS] > 0.0 and time - notes[FOUGHT_SINCE] > FIGHT / style[PRESS]:
        help_out(pose, ball, taker, p, target, end_speed, max_speed, kick, dribble, use, contact)


@kernel
def pick(
    pose: Floats, v: Floats, theirs: Floats, ball: Floats, way: Floats, held: Flags, time: float, dead: bool,
    may_touch: bool, bringing: bool, notes: Floats, p: Floats,
) -> tuple[int, int, bool]:  # fmt: skip
    """Return who is nearest to playing the ball, who does (-1: nobody may), and whether the ball is in their half."""
    last = int(notes[ATTACKER])
    if norm(ball[2], ball[3]) > 1.0 and 0.0 <= time - notes[CALLED_AT] < WAITS:
        last = int(notes[CALLED])
    player = choose(pose, v, theirs, way, held, last, taken_by(pose, theirs, ball, time, dead, notes, p), p)
    notes[ATTACKER] = player
    forward = ball[0] > (-0.1 if notes[FORWARD] > 0.0 else 0.1) * p[HALF_X]
    notes[FORWARD] = 1.0 if forward else 0.0
    taker = player if may_touch or bringing else -1
    if taker > 0 and dead and may_touch:
        notes[TAKER], notes[SET_AT] = taker, time
    return player, taker, forward


@kernel
def send_player(
    i: int, pose: Floats, v: Floats, theirs: Floats, their_v: Floats, ball: Floats, way: Floats, still: float,
    time: float, dead: bool, penalty: bool, bringing: bool, sx: float, sy: float, held: bool, style: Floats, p: Floats,
    notes: Floats, plan: Floats, old: Floats, target: Floats, end_speed: Floats, max_speed: Floats, kick: Floats,
    lift: Floats, dribble: Flags, use: Ints,
) -> None:  # fmt: skip
    """Fill the wish of the robot that plays the ball, with its kicker or with its body."""
    if bringing:
        bring(i, pose, ball, held, sx, sy, p, target, end_speed, max_speed, dribble, use)
        return
    if not penalty:
        notes[RUN_SINCE] = -1.0
    elif style[LEAVES] > 0.0 and flat(p):
        run_up(i, pose, v, theirs, ball, time, p, notes, target, end_speed)
        return
    if p[KICK] <= 0.0:
        many = pose.shape[0] > FEW
        bold, spare, crosses = style[PRESS] > 0.0, style[LEAVES] > 0.0 and many, style[PASSES] > 0.0 and many
        push(
            i, pose, v, theirs, their_v, ball, way, still, bold, spare, crosses, p, p[PITCH:], notes, target, end_speed
        )  # fmt: skip
        return
    meets = meeting(pose[i], v[i], ball, way, p)
    bx, by = (way[meets, 0], way[meets, 1]) if meets >= 0 else (ball[0], ball[1])
    make_up_mind(i, bx, by, pose, v, theirs, their_v, style[PASSES] > 0.0, dead, p, plan, old)
    play_ball(
        i, meets, pose, v, theirs, ball, way, held, plan, p, target, end_speed, kick, lift, dribble, use
    )  # fmt: skip


@kernel
def keep_clear(
    pose: Floats, v: Floats, ball: Floats, way: Floats, time: float, taker: int, p: Floats, notes: Floats,
    target: Floats, end_speed: Floats, max_speed: Floats,
) -> None:  # fmt: skip
    """Change wishes so that mates do not hinder who plays the ball, nor crowd a goal area, and the keeper sweeps it."""
    few = pose.shape[0] <= FEW
    if taker > 0:
        give_way(pose, taker, p, target, max_speed)
    if crowded(pose, ball, time, notes, p) or few:
        leave_areas(pose, ball, way, taker, few, p, target, end_speed, max_speed)
    sweep(pose, ball, p, target, end_speed)
    if not few:
        for i in range(1, pose.shape[0]):
            if i != taker:
                stay_out(i, p, target)
        let_pass(pose, v, taker, p, max_speed)


@kernel
def play(
    pose: Floats, v: Floats, theirs: Floats, their_v: Floats, ball: Floats, time: float, may_touch: bool, dead: bool,
    penalty: bool, bringing: bool, walls: bool, sx: float, sy: float, held: Flags, style: Floats, p: Floats,
    way: Floats, posts: Floats, cost: Floats, work: Floats, links: Ints, rows: Ints, used: Flags, spots: Floats,
    notes: Floats, plan: Floats, old: Floats, roles: Ints, target: Floats, end_speed: Floats, max_speed: Floats,
    kick: Floats, lift: Floats, dribble: Flags, use: Ints, contact: Flags, keeper: Flags,
) -> int:  # fmt: skip
    """Fill every robot's wish and return who plays the ball, -1: nobody."""
    n = pose.shape[0]
    roll_out(ball[0], ball[1], ball[2], ball[3], p, way)
    still = stuck(pose, ball, time, notes, p)
    guard(pose, v, ball, way, theirs, their_v, p[CAREFUL] > 0.0, p, target, end_speed, kick, lift)
    keeper[0], contact[0], use[0], roles[0] = True, True, PLAY, 0
    if n < 2:
        return 0 if may_touch else -1
    player, taker, forward = pick(pose, v, theirs, ball, way, held, time, dead, may_touch, bringing, notes, p)
    if taker > 0:
        roles[taker], contact[taker], use[taker] = 1, True, PLAY
        send_player(
            taker, pose, v, theirs, their_v, ball, way, still, time, dead, penalty, bringing, sx, sy, held[taker],
            style, p, notes, plan, old, target, end_speed, max_speed, kick, lift, dribble, use,
        )  # fmt: skip
    m = n - 1 - (1 if taker > 0 else 0)
    if m > 0:
        bx, by = at(way, 0.3)
        ours, look = look_around(pose[player], v[player], theirs, their_v, way, time, style, notes, p)
        place_others(m, bx, by, pose[player], theirs, their_v, ours, forward, look, walls, style, p, used, spots, posts)
        pace = 1.0 if p[CAREFUL] > 0.0 and not ours else style[PACE]
        send_others(
            pose, v, theirs, bx, by, taker, m, pace, p, posts, cost, work, links, rows, roles, target,
            max_speed, use,
        )  # fmt: skip
    if not bringing:
        together(
            pose, theirs, ball, time, taker, style, p, plan, notes, target, end_speed, max_speed, kick, dribble, use,
            contact,
        )  # fmt: skip
    if style[LEAVES] > 0.0 and p[BARRED] <= 0.0 and not dead:
        keep_clear(pose, v, ball, way, time, taker, p, notes, target, end_speed, max_speed)
    return taker
