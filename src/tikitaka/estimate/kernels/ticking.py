"""One tick in one crossing: what we told is kept, the picture taken in, and all of it predicted to now.

What comes in stays as it is; what has a 1 at its name is filled, what has a 0 is scratch. Arrays that go together are
tuples within this module; `tick` takes them one by one, which costs less.

told        told (k, n, 5) and told_time (k,), see `moving`
rules       drive, noise, doubts, model, shape, boards: see `params`
ball_rules  law, skin, tune, hull, camera, segments: see `ball.BallParams.tables`
belief      state, p, held, since (3, h, n) of seen, trouble and back, cost, nis, tentative: see `belief.Belief`
ball        mean, covariance, memory, path: see `ball.BallTrack`
prices1     (2, n) price and rival; who1 (2, n) partner and touched
robots1     (n, 6) all robots at now; age1 (n,) for how long each was not seen
room0       rows (3, h, n, 6) of guesses moved on, as they were, and where a step begins; p (h, n, 6, 6);
            pushed (2, n, 7), see `piling`: work, shaken; offers, pairs, small, price (h, n, m), work (4, n + m + 1);
            ways, see `recalling`
who0        partner, touched and same (3, h, n), see `sharing`; owner (h + 1, m), the last row: nobody took it;
            slots (2, n + m + 1)
ball0       old (3, 8, 9), the last for a ball, and work: see `following`
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.counting import bad_rows, count
from tikitaka.estimate.kernels.driving import remember
from tikitaka.estimate.kernels.finding import find, mark_taken
from tikitaka.estimate.kernels.following import follow
from tikitaka.estimate.kernels.guessing import PARENT
from tikitaka.estimate.kernels.kicking import SEEN, TIME
from tikitaka.estimate.kernels.moving import move_all
from tikitaka.estimate.kernels.naming import exchange, labelled, welcome
from tikitaka.estimate.kernels.packing import unpack
from tikitaka.estimate.kernels.recalling import FORGET
from tikitaka.estimate.kernels.robots import GATE, LOST, follow_all
from tikitaka.estimate.kernels.rolling import VX, VY, X, Y, Z
from tikitaka.estimate.kernels.travelling import travel
from tikitaka.estimate.kernels.weighing import explain, weigh
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Several = tuple[Floats, ...]
Ball = tuple[float, float, float, float, float, float]  # x, y, vx, vy, height, for how long it was not seen

LONGEST = 0.5  # [s] chosen: robots that nobody sees are not predicted further
MOST_ROWS = 128  # of one kind in a picture; what is more is nonsense
NOTHING, NOT_SIMPLE = -math.inf, math.nan  # no picture came; several, or strange ones, or not the newest


@kernel
def time_of(robot_time: Floats, ball_time: Floats, pose: Floats, balls: Floats, last: float, now: float) -> float:
    """Return when the one picture was taken that all rows belong to, if it is newer than the last; see the names."""
    n, k = robot_time.shape[0], ball_time.shape[0]
    if n == 0 and k == 0:
        return NOTHING
    t: float = robot_time[0] if n > 0 else ball_time[0]
    same = last < t <= now and math.isfinite(t)
    for i in range(n):
        same = same and robot_time[i] == t
    for i in range(k):
        same = same and ball_time[i] == t
    return t if same and bad_rows(pose, MOST_ROWS) + bad_rows(balls, MOST_ROWS) == 0 else NOT_SIMPLE


@kernel
def acting(told_time: Floats, t: float) -> int:
    """Return which of the commands acted at t; before all of them the oldest."""
    k = 0
    while k + 1 < told_time.shape[0] and told_time[k + 1] <= t:
        k += 1
    return k


@kernel
def copy(a: Floats, b: Floats) -> None:
    """Fill b with what a holds."""
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[i, j]


@kernel
def copy_row(a: Floats, b: Floats) -> None:
    """Fill b with what a holds."""
    for i in range(a.shape[0]):
        b[i] = a[i]


@kernel
def look(
    guesses: int, most: int, way: int, mode: int, last: float, t: float, told: Floats, told_time: Floats,
    rules: Several, belief: Several, pose: Floats, team: Ints, label: Ints, belief1: Several, prices1: Floats,
    who1: Ints, room0: Several, who0: Ints, owner0: Ints, slots0: Ints,
) -> tuple[int, int]:  # fmt: skip
    """Fill the robots' belief after a picture; return how many guesses it holds, and how many tracks were found."""
    drive, noise, doubts, model, shape, boards = rules
    state, p, held, since, cost, nis, tentative = belief
    state1, p1, held1, since1, cost1, nis1, tentative1 = belief1
    rows0, p0, pushed0, offers0, pairs0, small0, price0, work0, ways0 = room0
    began = max(last, t - LONGEST) if last > -math.inf else t
    for h in range(guesses):
        copy(state[h], rows0[0, h])
        for i in range(state.shape[1]):
            copy(p[h, i], p0[h, i])
    copy(nis, nis1)
    copy(tentative, tentative1)
    kept = weigh(
        guesses, most, way, mode, began, t, rows0[0], p0, held, since[0], since[1], cost, told, told_time, drive, noise,
        doubts, model, shape, boards, pose, team, label, rows0[1], price0, who0[0], owner0, offers0, work0, slots0,
        small0, rows0[2, 0], pushed0[0], pairs0, pushed0[1], who0[1], ways0,
    )  # fmt: skip
    follow_all(
        kept, began, t, offers0, who0[0], pose, rows0[1], who0[1], rows0[0], p0, held, since[0], since[1],
        state1, p1, held1, since1[0], since1[1], cost1, told, told_time, drive, noise, doubts, model, small0, nis1,
        who0[2], owner0[owner0.shape[0] - 1], work0[0],
    )  # fmt: skip
    found, free = min(kept, 0), owner0[owner0.shape[0] - 1]
    if mark_taken(kept, offers0, who0[0], free) > 0:
        found = find(kept, state1, p1, held1, since1[0], pose, team, label, free, t, model, tentative1)
    explain(offers0, who0[0], price0, model[GATE], who1[0], prices1[0], prices1[1])
    for i in range(state.shape[1]):
        who1[1, i] = who0[1, int(offers0[0, PARENT]), i]
    if welcome(kept, held.shape[1], t, model[LOST], offers0, since, since1) and not labelled(team, label):
        kept = exchange(kept, most, last, t, state1, p1, held1, since1, cost1)
    return kept, found


@kernel
def look_for_ball(
    t: float, balls: Floats, robots: Floats, told: Floats, told_time: Floats, ball_rules: Several, ball1: Several,
    ball0: Several,
) -> None:  # fmt: skip
    """Take a picture's ball detections into the ball's track; robots as they were then."""
    law, skin, tune, hull, camera, segments = ball_rules
    mean1, covariance1, memory1, path1 = ball1
    old, work = ball0
    kicks = told[acting(told_time, t), :, 3:]
    follow(
        mean1, covariance1, memory1, path1, t, balls, robots, kicks, law, segments, hull, skin, tune, camera, old, work
    )


@kernel
def foretell(
    mode: int, last: float, now: float, told: Floats, told_time: Floats, rules: Several, state: Floats, p: Floats,
    held: Floats, seen: Floats, trouble: Floats, robots1: Floats, age1: Floats, room0: Several, slots0: Ints,
) -> None:  # fmt: skip
    """Fill where the robots of one guess, of time ``last``, are now."""
    drive, noise, doubts, _, shape, boards = rules
    rows0, _, pushed0, _, pairs0, small0, _, _, ways0 = room0
    copy(state, robots1)
    for i in range(age1.shape[0]):
        age1[i] = max(0.0, now - seen[i])  # a clock may have been set back
    end = min(now, last + LONGEST)
    if end > last > -math.inf:
        move_all(
            mode, robots1, p, held, trouble, seen, told, told_time, drive, noise, doubts, shape, boards, last, end,
            rows0[2, 0], small0, pushed0[0], pairs0, pushed0[1], slots0[1], slots0[0], ways0, FORGET, spread=False,
        )  # fmt: skip


@kernel
def foretell_ball(last: float, now: float, robots: Floats, ball_rules: Several, ball: Several, ball0: Several) -> Ball:
    """Return the ball at now; robots are of time ``last``."""
    law, skin, _, hull, _, segments = ball_rules
    mean, p, memory, _ = ball
    old, work = ball0
    x = old[2, 0]
    copy_row(mean, x)
    dt = now - memory[TIME]
    if 0.0 < dt < math.inf:
        travel(x, p, dt, memory[TIME] - last, law, segments, robots, hull, skin, work, spread=False)
    return x[X], x[Y], x[VX], x[VY], x[Z], max(0.0, now - memory[SEEN])


@kernel
def think(
    t: float, now: float, until: float, last: float, guesses: int, most: int, way: int, mode: int, told: Floats,
    told_time: Floats, counts: Floats, rules: Several, ball_rules: Several, belief: Several, ball: Several,
    pose: Floats, team: Ints, label: Ints, balls: Floats, belief1: Several, ball1: Several, prices1: Floats,
    who1: Ints, robots1: Floats, age1: Floats, room0: Several, who0: Ints, owner0: Ints, slots0: Ints, ball0: Several,
) -> tuple[float, int, int, Ball]:  # fmt: skip
    """Return t, how many guesses a picture of that time left, how many tracks it found, and the ball at ``until``."""
    state, p, held, since = belief[0], belief[1], belief[2], belief[3]
    kept, found = min(guesses, 0), min(guesses, 0)
    if not t > NOTHING:
        foretell(
            mode, last, until, told, told_time, rules, state[0], p[0], held[0], since[0, 0], since[1, 0], robots1, age1,
            room0, slots0,
        )  # fmt: skip
        return t, kept, found, foretell_ball(last, until, state[0], ball_rules, ball, ball0)
    kept, found = look(
        guesses, most, way, mode, last, t, told, told_time, rules, belief, pose, team, label, belief1, prices1, who1,
        room0, who0, owner0, slots0,
    )  # fmt: skip
    state, p, held, since, nis = belief1[0], belief1[1], belief1[2], belief1[3], belief1[5]
    copy_row(ball[0], ball1[0])
    copy(ball[1], ball1[1])
    copy_row(ball[2], ball1[2])
    copy(ball[3], ball1[3])
    look_for_ball(t, balls, state[0], told, told_time, ball_rules, ball1, ball0)
    count(counts, who1[0], nis, pose.shape[0], found, kept, now - t)
    foretell(
        mode, t, until, told, told_time, rules, state[0], p[0], held[0], since[0, 0], since[1, 0], robots1, age1, room0,
        slots0,
    )  # fmt: skip
    return t, kept, found, foretell_ball(t, until, state[0], ball_rules, ball1, ball0)


@kernel
def tick(
    fresh: bool, t: float, now: float, tick_before: float, last: float, guesses: int, many: int, most: int, way: int,
    mode: int, drive: Floats, noise: Floats, doubts: Floats, model: Floats, shape: Floats, boards: Floats,
    inverse: Floats, law: Floats, skin: Floats, tune: Floats, hull: Floats, camera: Floats, segments: Floats,
    rows0: Floats, p0: Floats, pushed0: Floats, offers0: Floats, pairs0: Floats, small0: Floats, who0: Ints,
    old0: Floats, ball_work0: Floats, ways0: Floats, price0: Floats, work0: Floats, owner0: Ints, slots0: Ints,
    numbers: Floats, told: Floats, told_time: Floats, counts: Floats, wheels: Floats, kick: Floats, lift: Floats,
    robot_time: Floats, ball_time: Floats, pose: Floats, team: Ints, label: Ints, balls: Floats, told1: Floats,
    told_time1: Floats, counts1: Floats, numbers1: Floats, who1: Ints, robots1: Floats, age1: Floats,
) -> tuple[float, int, int, Ball]:  # fmt: skip
    """Return what `think` does; ``numbers`` are those of ``many`` guesses, of which some count, see `packing`.

    fresh: ``told``, ``counts`` are of the tick before, and the rows say when they were seen: t comes back, and if that
    is NOT_SIMPLE no more has been done. Else t says it, ``told1`` and ``counts1`` are of now, and all is foretold until
    ``tick_before`` instead of now.
    """
    if fresh:
        remember(told, told_time, told1, told_time1, inverse, wheels, kick, lift, tick_before)
        copy_row(counts, counts1)
        t = time_of(robot_time, ball_time, pose, balls, last, now)
        if math.isnan(t):
            return t, min(guesses, 0), min(guesses, 0), (t, t, t, t, t, t)
    before, after = unpack(numbers, many, age1.shape[0]), unpack(numbers1, rows0.shape[1], age1.shape[0])
    return think(
        t, now, now if fresh else tick_before, last, guesses, most, way, mode, told1, told_time1, counts1,
        (drive, noise, doubts, model, shape, boards), (law, skin, tune, hull, camera, segments),
        before[:7], before[7:11], pose, team, label, balls, after[:7], after[7:11], after[11], who1, robots1, age1,
        (rows0, p0, pushed0, offers0, pairs0, small0, price0, work0, ways0), who0, owner0, slots0, (old0, ball_work0),
    )  # fmt: skip
