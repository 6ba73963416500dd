"""What one robot has to drive around, from what the team knows.

facts       (8,) see the places below
fixed       (f, 6) what never moves: the FIELD first, then our own area and theirs where they are barred
rows        (m, 6) the obstacles of one robot, filled; see `shapes`
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import norm
from tikitaka.plan.kernels.shapes import CAPSULE, CIRCLE

Floats = NDArray[np.float64]

HULL, BALL, REACH, MARGIN_TIME, MARGIN_MOST, OTHERS_MORE, KEEP_OFF, BARRED = range(8)  # places in facts
PLAY, AVOID, APPROACH = 0, 1, 2  # types.BallUse
OWN_AREA = 1  # its row in fixed, where areas are barred


@kernel
def circle(rows: Floats, m: int, x: float, y: float, r: float) -> int:
    """Add a circle; return how many obstacles there are."""
    rows[m, 0], rows[m, 1], rows[m, 2], rows[m, 3], rows[m, 4], rows[m, 5] = x, y, x, y, r, CIRCLE
    return m + 1


@kernel
def margin(facts: Floats, v: Floats, w: Floats) -> float:
    """Return how far two robots stay apart: more, the faster they move against each other [ERForce, sec. 3.1]."""
    least: float = min(norm(v[0] - w[0], v[1] - w[1]) * facts[MARGIN_TIME], facts[MARGIN_MOST])
    return least


@kernel
def robots(
    rows: Floats, m: int, pose: Floats, velocity: Floats, skip: int, own: Floats, more: float, facts: Floats,
    tx: float, ty: float, contact: bool,
) -> int:  # fmt: skip
    """Add the robots of a team but number ``skip``; with ``contact``, but those who stand at the target t, too."""
    for k in range(pose.shape[0]):
        x, y = pose[k, 0], pose[k, 1]
        if k == skip or not (math.isfinite(x) and math.isfinite(y)):
            continue
        r = 2.0 * facts[HULL] + margin(facts, own, velocity[k]) + more
        if not (contact and norm(tx - x, ty - y) < r + facts[HULL]):
            m = circle(rows, m, x, y, r)
    return m


@kernel
def cone(rows: Floats, m: int, bx: float, by: float, theta: float, facts: Floats) -> int:
    """Add what keeps a robot off the ball but with its flat mouth from behind [ERForce, sec. 3.1].

    A capsule across the direction of the mouth, whose straight side leaves the shoot radius where the round hull would
    come as near, and a circle ahead whose rim passes at the shoot radius behind the ball and at the hull's beside it.
    """
    ux, uy, reach, hull = math.cos(theta), math.sin(theta), facts[REACH], facts[HULL] + facts[BALL]
    d = max(0.5 * (hull * hull - reach * reach) / reach, 0.0)
    s = math.sqrt(max(hull * hull - reach * reach, 0.0))
    rows[m, 0], rows[m, 1], rows[m, 2], rows[m, 3] = bx - s * uy, by + s * ux, bx + s * uy, by - s * ux
    rows[m, 4], rows[m, 5] = reach, CAPSULE
    return circle(rows, m + 1, bx + d * ux, by + d * uy, d + reach)


@kernel
def may_touch(contact: bool, use: int, tx: float, ty: float, bx: float, by: float, facts: Floats) -> bool:
    """Say whether a robot may touch an opponent at its target: by its own wish, or because it goes for the ball.

    A keeper that may then touches a mate there, too: it has to be where it wants to.
    """
    return contact or (use != AVOID and norm(tx - bx, ty - by) < 2.0 * facts[HULL] + facts[BALL])


@kernel
def gather(
    i: int, ours: Floats, our_velocity: Floats, theirs: Floats, their_velocity: Floats, bx: float, by: float,
    tx: float, ty: float, theta: float, use: int, contact: bool, keeper: bool, facts: Floats, fixed: Floats,
    rows: Floats,
) -> int:  # fmt: skip
    """Fill all obstacles of robot i; return how many there are."""
    m = 0
    for k in range(fixed.shape[0]):
        if not (facts[BARRED] > 0.0 and keeper and k == OWN_AREA):
            for c in range(6):
                rows[m, c] = fixed[k, c]
            m += 1
    known = math.isfinite(bx) and math.isfinite(by)
    touch, own = may_touch(contact, use, tx, ty, bx, by, facts), our_velocity[i]
    m = robots(rows, m, ours, our_velocity, i, own, 0.0, facts, tx, ty, touch and keeper)
    m = robots(rows, m, theirs, their_velocity, -1, own, facts[OTHERS_MORE], facts, tx, ty, touch)
    if known and facts[KEEP_OFF] > 0.0:
        return circle(rows, m, bx, by, facts[HULL] + facts[KEEP_OFF])
    if known and use == APPROACH and math.isfinite(theta):
        return cone(rows, m, bx, by, theta, facts)
    return circle(rows, m, bx, by, facts[HULL] + facts[BALL]) if known and use == AVOID else m
