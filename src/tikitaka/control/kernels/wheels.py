"""From a body velocity that is wanted at the end of a tick to wheel speeds that lead there, within all limits.

The motors follow a command with a lag, and with so much torque: what to ask for so that the body is where it should be
at the end of the tick is solved here. With perfect wheels that is the velocity itself.

effort  (w, 4)  share of a motor's torque that a unit of body acceleration takes; the last column is torques that work
                against each other and move nothing, which four omni wheels have: they help motors that have no more
bounds  (k, 3)  what the motors can give, helped so: no row times the accelerations may be above 1, either way
lead    (3, 3)  inverse of what the body makes good of a velocity error within a tick, while no motor gives its most
x       how long a motor gives its most, in time constants; D the tick in the same unit
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.control.kernels.table import (
    ACCELERATION,
    GRIP,
    KNEE,
    SETTLE,
    TURN_ACCELERATION,
    WHEEL,
)  # fmt: skip
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, clip_norm

Floats = NDArray[np.float64]

HOLDS = 0.95  # chosen: share of the grip that is used
STEERS = 0.15  # chosen: share of the torque that a robot which brakes and turns keeps for turning
TURNS = 0.25  # chosen: the same of an omni robot, whether it brakes or not
IDLE, STILL = 0.1, 1.5  # [m/s], [rad/s] chosen: slower is as good as at rest
DRIVES = 0.5  # chosen: share that one at rest keeps for driving: a wall that holds it lets it go then
INSISTS_OMNI, INSISTS_TYRES = 1.5, 4.0  # chosen: who must brake harder than it can asks for so much more, at most
ROLLS = 0.3  # chosen: share of the grip that a turn may take for that; with more the tyres would slide
_ROUNDS = 5  # of Newton's method; good to 1e-3


@kernel
def share_differential(ax: float, aw: float, u: float, w: float, effort: Floats, limits: Floats) -> tuple[float, float]:
    """Return the accelerations that wheels and tyres allow: who brakes, brakes first; all others turn first."""
    across, grip = u * w, HOLDS * limits[GRIP]
    ax = clamp(ax, -limits[ACCELERATION], limits[ACCELERATION])
    hold = math.sqrt(max(grip * grip - across * across, 0.01 * grip * grip))
    ax, aw = clamp(ax, -hold, hold), clamp(aw, -limits[TURN_ACCELERATION], limits[TURN_ACCELERATION])
    along, around = abs(effort[0, 0]), abs(effort[0, 2])
    if along * abs(ax) + around * abs(aw) <= 1.0:
        return ax, aw
    if ax * u < 0.0:
        ax = clamp(ax, -(1.0 - STEERS) / along, (1.0 - STEERS) / along)
        most = (1.0 - along * abs(ax)) / around
        return ax, clamp(aw, -most, most)
    drives = min(along * abs(ax), DRIVES) if abs(u) < IDLE and abs(w) < STILL else 0.0
    aw = clamp(aw, -(1.0 - drives) / around, (1.0 - drives) / around)
    most = max(1.0 - around * abs(aw), 0.0) / along
    return clamp(ax, -most, most), aw


@kernel
def load(k: int, ax: float, ay: float, aw: float, effort: Floats) -> float:
    """Return the share of its torque that motor k gives for accelerations of the body."""
    return float(effort[k, 0] * ax + effort[k, 1] * ay + effort[k, 2] * aw)


@kernel
def part_of(ax: float, ay: float, aw: float, bx: float, by: float, bw: float, bounds: Floats) -> float:
    """Return how much of accelerations a, at most all, motors can give beside b, which they can."""
    part = 1.0
    for k in range(bounds.shape[0]):
        part = min(part, fill(load(k, ax, ay, aw, bounds), load(k, bx, by, bw, bounds)))
    return part


@kernel
def fill(more: float, have: float) -> float:
    """Return how much of more, at most all, can be added to have so that it is no more than 1, either way."""
    if more == 0.0 or abs(have + more) <= 1.0:
        return 1.0
    return max((1.0 - math.copysign(have, have * more)) / abs(more), 0.0)


@kernel
def strain(ax: float, ay: float, aw: float, effort: Floats) -> float:
    """Return how much of the torques against each other it takes, at least, so that no motor gives more than it can."""
    low, high = -np.inf, np.inf
    for k in range(effort.shape[0]):
        n = effort[k, 3]
        if n != 0.0:
            y, r = load(k, ax, ay, aw, effort) / n, abs(1.0 / n)
            low, high = max(low, -r - y), min(high, r - y)
    if low > high:
        return 0.5 * (low + high)
    return clamp(0.0, low, high)


@kernel
def share_omni(
    ax: float, ay: float, aw: float, effort: Floats, bounds: Floats, limits: Floats
) -> tuple[float, float, float]:
    """Return the accelerations, scaled down until every wheel can give its part: a share for turning comes first."""
    ax, ay = clip_norm(ax, ay, min(limits[ACCELERATION], HOLDS * limits[GRIP]))
    aw = clamp(aw, -limits[TURN_ACCELERATION], limits[TURN_ACCELERATION])
    most = 0.0
    for k in range(effort.shape[0]):
        most = max(most, abs(effort[k, 2] * aw))
    first = aw * min(1.0, TURNS / most) if most > 0.0 else 0.0
    part = part_of(ax, ay, 0.0, 0.0, 0.0, first, bounds)
    ax, ay = part * ax, part * ay
    return ax, ay, first + (aw - first) * part_of(0.0, 0.0, aw - first, ax, ay, first, bounds)


@kernel
def insist(can: float, wanted: float, most: float) -> float:
    """Return by how much more than it can a robot that brakes is to ask for, of what it wants.

    A speed that is believed too high would have its motors brake less than they can; so they surely give their most.
    """
    return clamp(wanted / can, 1.0, most) if can > 0.0 else 1.0


@kernel
def overdrive(error: float, limits: Floats) -> float:
    """Return the error of a wheel's rate to ask for, so that a motor that gives its most does as a linear one would.

    A motor gives its most while the error is above the knee, then the error fades: 1 + x - exp(x - D) knees are made
    good. A linear one makes good 1 - exp(-D) of the error.
    """
    settle, knee = limits[SETTLE], limits[KNEE]
    y = abs(error) / knee * (1.0 - math.exp(-settle))
    if abs(error) <= knee:
        return error
    if y >= settle:
        return math.copysign(knee * (1.0 + y), error)
    x = y - 1.0 + math.exp(-settle)
    for _ in range(_ROUNDS):
        fades = math.exp(x - settle)
        x += (y - 1.0 - x + fades) / max(1.0 - fades, 0.05)
    return math.copysign(knee * (1.0 + min(x, settle)), error)


@kernel
def outdo(error: float, sweep: float, knee: float) -> float:
    """Return the error to ask for, on average over a tick in which the rate that fits the body sweeps by +- so much.

    A robot that turns or speeds up changes its wheels' rates within the tick, and motors that hold one rate give their
    most one way, then the other. Exact for none and for all of the torque [the mean of a cut ramp]; between them near.
    """
    sweep, full = abs(sweep), min(abs(error) / knee, 1.0)
    return error * max(1.0, sweep / knee) + math.copysign(full * full * min(sweep, knee), error)


@kernel
def aim(
    vx: float, vy: float, w: float, ax: float, ay: float, aw: float, tense: float, effort: Floats, matrix: Floats,
    lead: Floats, limits: Floats, dt: float, wheels: Floats,
) -> None:  # fmt: skip
    """Fill the wheel speeds that take the body from a velocity by accelerations for a tick; all in the body frame.

    tense   how much of the torques against each other; with any, some motor gives its most and rates change evenly
    """
    dx, dy, dw, knee = ax * dt, ay * dt, aw * dt, limits[KNEE]
    ex = lead[0, 0] * dx + lead[0, 1] * dy + lead[0, 2] * dw
    ey = lead[1, 0] * dx + lead[1, 1] * dy + lead[1, 2] * dw
    ew = lead[2, 0] * dx + lead[2, 1] * dy + lead[2, 2] * dw
    for k in range(matrix.shape[0]):
        now = matrix[k, 0] * vx + matrix[k, 1] * vy + matrix[k, 2] * w
        sweep = 0.5 * w * dt * (matrix[k, 0] * vy - matrix[k, 1] * vx)
        if tense == 0.0:
            error = overdrive(matrix[k, 0] * ex + matrix[k, 1] * ey + matrix[k, 2] * ew, limits)
            wheels[k] = now + outdo(error, sweep, knee)
        else:
            half = 0.5 * (matrix[k, 0] * dx + matrix[k, 1] * dy + matrix[k, 2] * dw)
            torque = load(k, ax, ay, aw, effort) + tense * effort[k, 3]
            wheels[k] = now + half + outdo(knee * torque, sweep + half, knee)
    saturate(wheels, limits[WHEEL])


@kernel
def saturate(wheels: Floats, limit: float) -> None:
    """Scale all wheels of a robot so that none is above the limit: slower, in the same direction."""
    top = 0.0
    for k in range(wheels.shape[0]):
        top = max(top, abs(wheels[k]))
    if top > limit:
        for k in range(wheels.shape[0]):
            wheels[k] *= limit / top
