"""Counting what happens in a match: collisions, swapped identities, what is done with the ball, and who stands."""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.angles import turn
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel
def new_collisions(touched: NDArray[np.uint8], last: Ints, tick: int, apart: int) -> tuple[int, int, int]:
    """Return how many pairs touch that had been apart for so many ticks: of blue, of yellow, one of each.

    ``last`` keeps when each pair touched.
    """
    n, blue, yellow, mixed = touched.shape[0] // 2, 0, 0, 0
    for i in range(2 * n):
        for j in range(i + 1, 2 * n):
            if touched[i, j] != 0:
                if tick - last[i, j] > apart:
                    blue += j < n
                    yellow += i >= n
                    mixed += i < n <= j
                last[i, j] = tick
    return blue, yellow, mixed


@kernel
def new_swaps(blue: Floats, yellow: Floats, truth: Floats, holds: Ints, astray: Ints, hull: float, lasting: int) -> int:
    """Return how many tracks have gone over to another robot for good.

    ``holds`` keeps whom each one follows, ``astray`` for how many ticks it has been with another. Yellow's belief is in
    its own frame, half a turn from that of the truth.
    """
    count, n = 0, blue.shape[0]
    for team in range(2):
        for i in range(n):
            x, y = (blue[i, 0], blue[i, 1]) if team == 0 else (-yellow[i, 0], -yellow[i, 1])
            best, found, own = math.inf, -1, holds[team, i]
            for j in range(n):
                d = norm(x - truth[team * n + j, 0], y - truth[team * n + j, 1])
                if d < best:
                    best, found = d, j
            away = norm(x - truth[team * n + own, 0], y - truth[team * n + own, 1])
            astray[team, i] = astray[team, i] + 1 if found != own and best < 0.5 * hull and away > hull else 0
            if astray[team, i] >= lasting:
                holds[team, i], astray[team, i] = found, 0
                count += 1
    return count


HOLDER, LEFT_X, LEFT_Y, SHOT = 0, 1, 2, 3  # columns of what is remembered of the ball
POSSESSION, PASSES, SHOTS, SAVES = 0, 1, 2, 3  # columns of the counts


@kernel
def watch_ball(ball: Floats, toucher: int, pose: Floats, facts: Floats, memory: Floats, counts: Ints) -> None:
    """Count possession, completed passes, shots on goal and saves, a row a team; ``facts`` as in `statistics`."""
    near, far, brake, half_length, half_goal, area_x, area_y, touching = facts
    if toucher < 0:
        memory[HOLDER], memory[SHOT] = -1.0, -1.0
        return
    n, x, y, holder = pose.shape[0] // 2, ball[0], ball[1], int(memory[HOLDER])
    if holder >= 0 and holder // n != toucher // n and norm(x - pose[holder, 0], y - pose[holder, 1]) < touching:
        toucher = holder  # both have it between them: it is still his
    team = toucher // n
    counts[team, POSSESSION] += 1
    if toucher != holder and holder >= 0:
        if holder // n == team and norm(x - memory[LEFT_X], y - memory[LEFT_Y]) > far:
            counts[team, PASSES] += 1
        own = x if team == 1 else -x  # how far it is towards the goal of whoever touched it
        if memory[SHOT] == 1.0 - team and own > half_length - area_x and abs(y) < area_y:
            counts[team, SAVES] += 1
    if toucher != holder or norm(x - pose[toucher, 0], y - pose[toucher, 1]) < near:
        memory[HOLDER], memory[LEFT_X], memory[LEFT_Y], memory[SHOT] = toucher, x, y, -1.0
    elif memory[SHOT] < 0.0 and on_goal(ball, team, brake, half_length, half_goal):
        memory[SHOT] = team
        counts[team, SHOTS] += 1


@kernel
def on_goal(ball: Floats, team: int, brake: float, half_length: float, half_goal: float) -> bool:
    """Say whether a ball that rolls freely will cross the goal line that a team attacks, between the posts."""
    way = 1.0 if team == 0 else -1.0
    x, vx = way * ball[0], way * ball[2]
    if vx <= 0.0 or x >= half_length:
        return False
    t = (half_length - x) / vx
    dx, dy = half_length - x, ball[3] * t
    return bool(abs(ball[1] + dy) < half_goal and vx * vx + ball[3] * ball[3] > 2.0 * brake * norm(dx, dy))


@kernel
def watch_stands(pose: Floats, ball: Floats, tick: int, wide: Floats, rest: Floats, longest: Ints) -> None:
    """Count for how many ticks each robot and, in the last row, the ball have stood at the longest.

    ``wide``: what a robot moves [m] and turns [rad], and the ball moves, that does not stand; ``rest`` (2n + 1, 4):
    since which place and tick each one stands.
    """
    n = pose.shape[0]
    for i in range(n + 1):
        x, y = (pose[i, 0], pose[i, 1]) if i < n else (ball[0], ball[1])
        theta = pose[i, 2] if i < n else 0.0
        far = norm(x - rest[i, 0], y - rest[i, 1])
        stays = far < (wide[0] if i < n else wide[2]) and abs(turn(theta, rest[i, 2])) < wide[1]
        if rest[i, 3] < 0.0 or not stays:
            rest[i, 0], rest[i, 1], rest[i, 2], rest[i, 3] = x, y, theta, tick
        longest[i] = max(longest[i], tick - int(rest[i, 3]))
