"""All robots from one time to another, with or without their covariance, through collisions.

told, told_time   (k, n, 5), (k,) body velocities (and kicks) that our robots were told, and since when; oldest first
drive             (7,) see `driving.go`
doubts            (5,) see `params.Doubts`
noise             (4,) densities of white acceleration: ours, theirs, turning; and of one that does not obey
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.estimate.kernels.driving import STEP, obey
from tikitaka.estimate.kernels.kalman import drift, shake
from tikitaka.estimate.kernels.pairing import LENGTH, RADIUS
from tikitaka.estimate.kernels.piling import NOBODY, OFF, collide
from tikitaka.estimate.kernels.recalling import FORGET, NOTE, RECALL, is_noted, note, recall
from tikitaka.geom.angles import wrap
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, norm

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

OURS_Q, THEIRS_Q, TURN_Q, HELD_Q = range(4)
TURNED, UNSURE, WORRY, FADE, MISSED = range(5)
DOUBT = 0.5  # chosen: share of a collision's change of velocity that is not foreseen
TWIST = 10.0  # [rad/m] chosen: turn that a push off the centre gives
FRESH, THEIR_FRESH = 0.1, 0.03  # [s] chosen: who was seen no longer ago goes straight on if it does not obey
# After that velocities are forgotten. As measured on `rookie`s robots in 40 matches: docs/estimator.md.
TIRED, TURN_TIRED = 0.24, 0.05  # [s] time constants
CALM = 0.18  # share of the noise that is left: accelerations undo each other in the long run
WANDER = 4.0  # [rad^2/s] random walk of a heading
FASTEST = 0.5  # [(m/s)^2] chosen: variance of a velocity that nobody has seen, at most
GHOST = 0.15  # [m] chosen: who is less sure of its place than this is in nobody's way
TROUBLED = 3.0  # chosen: trouble beyond which a heading may be unsure


@kernel
def drive_on(
    state: Floats, p: Floats, i: int, told: Floats, told_time: Floats, drive: Floats, t: float, end: float,
    small: Floats, spread: bool,
) -> None:  # fmt: skip
    """Move our robot i from t to end under the commands that acted then; they are in the order of their times."""
    h = told_time.shape[0]
    first = h - 1
    while first > 0 and told_time[first] > t:
        first -= 1
    for k in range(first, h):
        stop = min(end, told_time[k + 1]) if k + 1 < h else end
        if stop > t:
            steps = math.ceil((stop - t) / STEP)
            dt = (stop - t) / steps
            for _ in range(steps):
                obey(state, p, told[k, i, 0], told[k, i, 1], told[k, i, 2], drive, dt, small, spread)
            t = stop


@kernel
def coast(state: Floats, p: Floats, dt: float, spread: bool) -> None:
    """Move a robot on at constant velocity."""
    if spread:
        drift(state, p, dt)
    else:
        for axis in range(3):
            state[axis] += dt * state[axis + 3]
    state[2] = wrap(state[2])


@kernel
def tire(state: Floats, p: Floats, dt: float, spread: bool) -> None:
    """Move a robot on that nobody has seen for long: its velocity fades, and what is known of it too."""
    for a in range(3):
        tau = TIRED if a < 2 else TURN_TIRED
        g = math.exp(-dt / tau)
        way = tau * (1.0 - g)
        state[a] += way * state[a + 3]
        state[a + 3] *= g
        if spread:
            for j in range(6):
                p[a, j] += way * p[a + 3, j]
                p[a + 3, j] *= g
            for j in range(6):
                p[j, a] += way * p[j, a + 3]
                p[j, a + 3] *= g
    state[2] = wrap(state[2])
    if spread:
        p[2, 2] += WANDER * dt


@kernel
def bound(p: Floats, i: int, most: float) -> None:
    """Scale one number's row and column of a covariance so that its variance is no more than that."""
    if p[i, i] > most:
        g = math.sqrt(most / p[i, i])
        for j in range(6):
            p[i, j] *= g
        for j in range(6):
            p[j, i] *= g


@kernel
def move_one(
    state: Floats, p: Floats, i: int, ours: int, held: bool, told: Floats, told_time: Floats,
    drive: Floats, noise: Floats, doubts: Floats, trouble: float, unseen: float, t: float, end: float,
    small: Floats, spread: bool,
) -> None:  # fmt: skip
    """Move robot i from t to end: ours obey unless they are held, theirs drive straight on.

    trouble  0 for a robot that moves as foreseen; noise grows with it
    unseen   for how long nobody has seen it
    """
    obeys, lost = i < ours and not held, unseen > (FRESH if i < ours else THEIR_FRESH)
    if obeys:
        drive_on(state, p, i, told, told_time, drive, t, end, small, spread)
    elif lost:
        tire(state, p, end - t, spread)
    else:
        coast(state, p, end - t, spread)
    if spread:
        q = noise[OURS_Q] if obeys else noise[HELD_Q] if i < ours else noise[THEIRS_Q]
        if lost:
            q, trouble = (q, trouble) if obeys else (CALM * q, 0.0)
            bound(p, 3, FASTEST)
            bound(p, 4, FASTEST)
        shake(p, 0, 3, q * (1.0 + trouble), end - t)
        shake(p, 1, 4, q * (1.0 + trouble), end - t)
        shake(p, 2, 5, noise[TURN_Q] * (1.0 + trouble), end - t)
        p[2, 2] += doubts[TURNED] * trouble * (end - t)


@kernel
def doubt(p: Floats, dv: float, dw: float, dt: float) -> None:
    """Make a track less sure of itself after a collision that changed its velocity by dv and dw."""
    v, w = DOUBT * DOUBT * dv * dv, DOUBT * DOUBT * (dw * dw + dv * dv * TWIST * TWIST)
    for axis in range(3):
        q = v if axis < 2 else w
        p[axis, axis] += q * dt * dt
        p[axis, axis + 3] += q * dt
        p[axis + 3, axis] += q * dt
        p[axis + 3, axis + 3] += q


@kernel
def keep_in(state: Floats, body: Floats, boards: Floats) -> None:
    """Put a robot that is anywhere back between the walls, which are the first boards."""
    if boards.shape[0] >= 2:
        reach = max(body[LENGTH], body[RADIUS])
        x, y = boards[1, 0] - boards[1, 4] - reach, boards[0, 1] - boards[0, 5] - reach
        state[0], state[1] = clamp(state[0], -x, x), clamp(state[1], -y, y)


@kernel
def go_or_recall(
    k: int, i: int, state: Floats, p: Floats, held: Floats, trouble: Floats, seen: Floats, told: Floats,
    told_time: Floats, drive: Floats, noise: Floats, doubts: Floats, t: float, end: float, small: Floats, ways: Floats,
    how: int, spread: bool,
) -> None:  # fmt: skip
    """Move robot i on by step k, or recall where that led when it was noted; for the names see `move_all`."""
    lost = trouble[i] > TROUBLED and p[i, 2, 2] > doubts[UNSURE] * doubts[UNSURE]  # who knows where it drives
    off = 1.0 if lost or (i < held.shape[0] and held[i] != 0.0) else 0.0
    noted = how != FORGET and k < ways.shape[1] and i < held.shape[0]
    if noted and how == RECALL and is_noted(ways[0, k, i], state[i], p[i], off, trouble[i], seen[i]):
        recall(ways[1, k, i], state[i], p[i])
        return
    if noted and how == NOTE:
        note(ways[0, k, i], state[i], p[i])
        ways[0, k, i, 42], ways[0, k, i, 43], ways[0, k, i, 44] = off, trouble[i], seen[i]
    move_one(
        state[i], p[i], i, held.shape[0], off != 0.0, told, told_time, drive, noise, doubts, trouble[i], t - seen[i], t,
        end, small, spread,
    )  # fmt: skip
    if noted and how == NOTE:
        note(ways[1, k, i], state[i], p[i])


@kernel
def move_all(
    mode: int, state: Floats, p: Floats, held: Floats, trouble: Floats, seen: Floats, told: Floats, told_time: Floats,
    drive: Floats, noise: Floats, doubts: Floats, body: Floats, boards: Floats, t: float, end: float, old: Floats,
    small: Floats, work: Floats, pairs: Floats, shaken: Floats, met: Ints, touched: Ints, ways: Floats, how: int,
    spread: bool,
) -> None:  # fmt: skip
    """Move all robots from t to end, in steps so short that who pushes whom is followed; old (n, 6) is scratch.

    small   (3, 6, 6) scratch
    ways    see `recalling`, how they are used, too
    work, pairs, shaken, met  see `piling.collide`; touched (n,) is what was met last
    """
    steps = math.ceil((end - t) / STEP)
    dt = (end - t) / max(steps, 1)
    for i in range(state.shape[0]):
        touched[i] = NOBODY
    for k in range(steps):
        for i in range(state.shape[0]):
            for q in range(6):
                old[i, q] = state[i, q]
            go_or_recall(
                k, i, state, p, held, trouble, seen, told, told_time, drive, noise, doubts, t + k * dt,
                t + (k + 1) * dt, small, ways, how, spread,
            )  # fmt: skip
        if mode == OFF:
            continue
        for i in range(state.shape[0]):
            old[i, 3], old[i, 4], old[i, 5] = state[i, 3], state[i, 4], state[i, 5]
            if p[i, 0, 0] + p[i, 1, 1] > 2.0 * GHOST * GHOST:
                keep_in(state[i], body, boards)
                old[i, 0] = math.nan
        collide(old, state, dt, body, boards, mode, work, pairs, shaken, met)
        for i in range(state.shape[0]):
            touched[i] = met[i] if met[i] != NOBODY else touched[i]
            if spread and met[i] != NOBODY:  # blows that undo one another leave no doubt, so not what shaken says
                dv = norm(state[i, 3] - old[i, 3], state[i, 4] - old[i, 4])
                doubt(p[i], dv, abs(state[i, 5] - old[i, 5]), dt)
