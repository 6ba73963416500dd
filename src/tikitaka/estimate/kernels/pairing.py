"""Which robots may meet each other or the boards on their ways through a step, and when they do.

work     (n, 7)   pose and velocity on the way, and since when; the velocity is the mean over the step until they meet
body     (11,)    the columns BODY below, the same for all robots
boards   (k, 6)   solid boxes: x, y, cosine and sine of their heading, half length, half width
pairs    (m, 4)   robot; other robot, or -1 - board; when they meet; the gap that counts as meeting
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.response import Touch, box_touch, closing, disc_box_touch, disc_touch
from tikitaka.estimate.kernels.sweeping import NEVER, disc_box_meeting, disc_meeting, meeting
from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]

LENGTH, WIDTH, RADIUS, MASS, INERTIA = 0, 1, 2, 3, 4  # BODY: half sizes; a radius > 0 makes discs of the robots
BOUNCE, FRICTION, BOARD_BOUNCE, BOARD_FRICTION, CLEAR_X, CLEAR_Y = 5, 6, 7, 8, 9, 10  # clear: no board reaches in there
FIRST, SECOND, WHEN, LEVEL = 0, 1, 2, 3
FASTEST = 1e3  # [m/s, rad/s] chosen: what seems to move faster than this is nowhere
QUIET = 0.01  # [m/s] chosen: bodies that touch and come together more slowly may sink in a little first
SLOP = 1e-4  # [m] chosen: bodies that rest on each other may sink in by so much before they meet again


@kernel
def begin(i: int, old: Floats, track: Floats, dt: float, work: Floats) -> None:
    """Put robot i at the beginning of its way; one that is not finite or absurdly fast is nowhere and meets nobody."""
    x, y, theta = old[i, 0], old[i, 1], old[i, 2]
    ux, uy, o = (track[i, 0] - x) / dt, (track[i, 1] - y) / dt, turn(track[i, 2], theta) / dt
    speed = abs(ux) + abs(uy) + abs(o) + abs(track[i, 3]) + abs(track[i, 4]) + abs(track[i, 5])
    work[i, 0] = x if speed < FASTEST else math.nan
    work[i, 1], work[i, 2], work[i, 3], work[i, 4], work[i, 5], work[i, 6] = y, theta, ux, uy, o, 0.0


@kernel
def go_on(i: int, t: float, work: Floats) -> None:
    """Move robot i along its way until t."""
    left = t - work[i, 6]
    work[i, 0] += left * work[i, 3]
    work[i, 1] += left * work[i, 4]
    work[i, 2] += left * work[i, 5]
    work[i, 6] = t


@kernel
def reach_of(body: Floats) -> float:
    """Return how far a robot's outline is from its centre at most."""
    if body[RADIUS] > 0.0:
        return float(body[RADIUS])
    return math.sqrt(float(body[LENGTH] * body[LENGTH] + body[WIDTH] * body[WIDTH]))


@kernel
def candidates(dt: float, body: Floats, boards: Floats, work: Floats, pairs: Floats) -> int:
    """Return how many pairs may meet at all in the step; pairs says when they do."""
    count: int = min(work.shape[1], 0)
    for i in range(work.shape[0]):
        count = neighbours(i, i, 0.0, dt, body, boards, work, pairs, count)
    return count


@kernel
def neighbours(
    i: int, below: int, t: float, dt: float, body: Floats, boards: Floats, work: Floats, pairs: Floats, count: int
) -> int:
    """Return the number of pairs after those of robot i with lower numbered robots, and with boards, are added.

    Two discs around them that are swept from t to dt must overlap as seen along x and along y.
    """
    reach, half = reach_of(body), 0.5 * (dt - t)
    hx, hy = half * work[i, 3], half * work[i, 4]
    x, y = work[i, 0] + (t - work[i, 6]) * work[i, 3] + hx, work[i, 1] + (t - work[i, 6]) * work[i, 4] + hy
    room_x, room_y = abs(hx) + 2.0 * reach, abs(hy) + 2.0 * reach
    for j in range(below):
        gone = t - work[j, 6] + half
        if (
            abs(work[j, 0] + gone * work[j, 3] - x) < room_x + half * abs(work[j, 3])
            and abs(work[j, 1] + gone * work[j, 4] - y) < room_y + half * abs(work[j, 4])
            and i != j
        ):
            count = add_pair(i, j, t, dt, body, boards, work, pairs, count)
    if abs(x) + abs(hx) < body[CLEAR_X] and abs(y) + abs(hy) < body[CLEAR_Y]:
        return count
    for b in range(boards.shape[0]):
        dx, dy, c, s = x - boards[b, 0], y - boards[b, 1], boards[b, 2], boards[b, 3]
        if (
            abs(dx * c + dy * s) < boards[b, 4] + abs(hx * c + hy * s) + reach
            and abs(dy * c - dx * s) < boards[b, 5] + abs(hy * c - hx * s) + reach
        ):
            count = add_pair(i, -1 - b, t, dt, body, boards, work, pairs, count)
    return count


@kernel
def add_pair(
    i: int, j: int, t: float, dt: float, body: Floats, boards: Floats, work: Floats, pairs: Floats, count: int
) -> int:
    """Return the number of pairs with this one, if it is new and there is room; bodies that overlap may stay so."""
    if count >= pairs.shape[0]:
        return count
    for k in range(count):
        first, second = int(pairs[k, FIRST]), int(pairs[k, SECOND])
        if (first == i and second == j) or (first == j and second == i):
            return count
    pairs[count, FIRST], pairs[count, SECOND], pairs[count, LEVEL] = i, j, 0.0
    when = meeting_of(i, j, 0.0, t, dt, body, boards, work)
    if when <= t:
        touch = touch_of(i, j, t, body, boards, work)
        if not come_together(i, j, touch, 0.0, t, boards, work):
            pairs[count, LEVEL] = touch[0] - SLOP
            when = meeting_of(i, j, pairs[count, LEVEL], t, dt, body, boards, work)
    pairs[count, WHEN] = when
    return count + 1


@kernel
def come_together(i: int, j: int, touch: Touch, least: float, t: float, boards: Floats, work: Floats) -> bool:
    """Return whether two bodies that touch or overlap come nearer yet, faster than ``least``, at a point of contact."""
    _, nx, ny, count, x1, y1, x2, y2 = touch
    x, y = work[i, 0] + (t - work[i, 6]) * work[i, 3], work[i, 1] + (t - work[i, 6]) * work[i, 4]
    if j < 0:
        dx, dy, other = boards[-1 - j, 0] - x, boards[-1 - j, 1] - y, (0.0, 0.0, 0.0)
    else:
        gone = t - work[j, 6]
        dx, dy = work[j, 0] + gone * work[j, 3] - x, work[j, 1] + gone * work[j, 4] - y
        other = (work[j, 3], work[j, 4], work[j, 5])
    own = (work[i, 3], work[i, 4], work[i, 5])
    if closing(own, other, nx, ny, x1, y1, dx, dy) > least:
        return True
    return count > 1 and closing(own, other, nx, ny, x2, y2, dx, dy) > least


@kernel
def look_again(
    i: int, j: int, t: float, dt: float, body: Floats, boards: Floats, work: Floats, pairs: Floats, count: int
) -> int:
    """Return the number of pairs after robots i and j have got new ways at t: new pairs, and new times for the old."""
    for k in range(count):
        first, second = int(pairs[k, FIRST]), int(pairs[k, SECOND])
        if first in (i, j) or second == i or (second == j and j >= 0):
            pairs[k, WHEN] = meet_again(first, second, pairs[k, LEVEL], t, dt, body, boards, work)
    count = neighbours(i, work.shape[0], t, dt, body, boards, work, pairs, count)
    if j >= 0:
        count = neighbours(j, work.shape[0], t, dt, body, boards, work, pairs, count)
    return count


@kernel
def meet_again(i: int, j: int, level: float, t: float, dt: float, body: Floats, boards: Floats, work: Floats) -> float:
    """Return when two bodies meet after t; at once if they have met, still touch and come together again."""
    if level < 0.0:
        touch = touch_of(i, j, t, body, boards, work)
        if touch[0] <= level + 1.5 * SLOP and come_together(i, j, touch, QUIET, t, boards, work):
            return t
    return meeting_of(i, j, level, t, dt, body, boards, work)


@kernel
def next_event(pairs: Floats, count: int) -> int:
    """Return the pair that meets first, -1 where none does any more."""
    best, when = -1, NEVER
    for k in range(count):
        if pairs[k, WHEN] < when:
            best, when = k, pairs[k, WHEN]
    return best


@kernel
def meeting_of(i: int, j: int, level: float, t: float, dt: float, body: Floats, boards: Floats, work: Floats) -> float:
    """Return when robot i meets robot j, or board -1 - j, on their ways after t."""
    gone = t - work[i, 6]
    x, y, theta = work[i, 0] + gone * work[i, 3], work[i, 1] + gone * work[i, 4], work[i, 2] + gone * work[i, 5]
    ux, uy, o, h, w = work[i, 3], work[i, 4], work[i, 5], body[LENGTH], body[WIDTH]
    r, end = body[RADIUS], dt - t
    if j < 0:
        b = -1 - j
        dx, dy, c, s = boards[b, 0] - x, boards[b, 1] - y, boards[b, 2], boards[b, 3]
        lb, wb = boards[b, 4], boards[b, 5]
        if r > 0.0:
            return t + disc_box_meeting(-dx, -dy, ux, uy, r, c, s, lb, wb, level, end)
        return t + meeting(dx, dy, theta, math.atan2(s, c), -ux, -uy, o, 0.0, h, w, lb, wb, level, end)
    gone = t - work[j, 6]
    dx, dy = work[j, 0] + gone * work[j, 3] - x, work[j, 1] + gone * work[j, 4] - y
    ux, uy = work[j, 3] - ux, work[j, 4] - uy
    if r > 0.0:
        return t + disc_meeting(dx, dy, ux, uy, max(0.0, 2.0 * r + level), end)
    other = work[j, 2] + gone * work[j, 5]
    return t + meeting(dx, dy, theta, other, ux, uy, o, work[j, 5], h, w, h, w, level, end)


@kernel
def touch_of(i: int, j: int, t: float, body: Floats, boards: Floats, work: Floats) -> Touch:
    """Return how robot i touches robot j, or board -1 - j, at t."""
    gone = t - work[i, 6]
    x, y, theta = work[i, 0] + gone * work[i, 3], work[i, 1] + gone * work[i, 4], work[i, 2] + gone * work[i, 5]
    c, s, h, w, r = math.cos(theta), math.sin(theta), body[LENGTH], body[WIDTH], body[RADIUS]
    if j < 0:
        b = -1 - j
        dx, dy, cb, sb = boards[b, 0] - x, boards[b, 1] - y, boards[b, 2], boards[b, 3]
        lb, wb = boards[b, 4], boards[b, 5]
        return disc_box_touch(dx, dy, r, cb, sb, lb, wb) if r > 0.0 else box_touch(dx, dy, c, s, h, w, cb, sb, lb, wb)
    gone = t - work[j, 6]
    dx, dy = work[j, 0] + gone * work[j, 3] - x, work[j, 1] + gone * work[j, 4] - y
    if r > 0.0:
        return disc_touch(dx, dy, r, r)
    other = work[j, 2] + gone * work[j, 5]
    return box_touch(dx, dy, c, s, h, w, math.cos(other), math.sin(other), h, w)
