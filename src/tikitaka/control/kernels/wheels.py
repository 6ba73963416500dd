"""From a body velocity that is wanted at the end of a tick to wheel speeds that lead there, within all limits.

The motors follow a command with a lag, and with so much torque: what to ask for so that the body is where it should be
at the end of the tick is solved here. With perfect wheels that is the velocity itself.

effort  (w, 3)  share of a motor's torque that a unit of body acceleration takes
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
from tikitaka.geom.vectors import clamp, clip_norm, dot

Floats = NDArray[np.float64]

HOLDS = 0.95  # chosen: share of the grip that is used
STEERS = 0.15  # chosen: share of the torque that a robot which brakes and turns keeps for turning
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
def share_omni(
    ax: float, ay: float, aw: float, ux: float, uy: float, effort: Floats, limits: Floats
) -> tuple[float, float, float]:
    """Return the accelerations, scaled down until every wheel can give its part; who brakes, brakes first."""
    ax, ay = clip_norm(ax, ay, min(limits[ACCELERATION], HOLDS * limits[GRIP]))
    aw = clamp(aw, -limits[TURN_ACCELERATION], limits[TURN_ACCELERATION])
    alone, most = 1e-9, 1.0
    for k in range(effort.shape[0]):
        along = effort[k, 0] * ax + effort[k, 1] * ay
        alone, most = max(alone, abs(along)), max(most, abs(along + effort[k, 2] * aw))
    if dot(ax, ay, ux, uy) >= 0.0:
        return ax / most, ay / most, aw / most
    room = 1.0 - STEERS if most > 1.0 else 1.0
    less = min(room / alone, 1.0)
    ax, ay, rest = less * ax, less * ay, 1.0
    for k in range(effort.shape[0]):
        along, around = effort[k, 0] * ax + effort[k, 1] * ay, effort[k, 2] * aw
        if abs(along + around) > 1.0:
            rest = min(rest, max(1.0 - math.copysign(along, along * around), 0.0) / abs(around))
    return ax, ay, rest * aw


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
def aim(
    vx: float, vy: float, w: float, ax: float, ay: float, aw: float, matrix: Floats, lead: Floats, limits: Floats,
    dt: float, wheels: Floats,
) -> None:  # fmt: skip
    """Fill the wheel speeds that take the body from a velocity by accelerations for a tick; all in the body frame."""
    dx, dy, dw = ax * dt, ay * dt, aw * dt
    ex = lead[0, 0] * dx + lead[0, 1] * dy + lead[0, 2] * dw
    ey = lead[1, 0] * dx + lead[1, 1] * dy + lead[1, 2] * dw
    ew = lead[2, 0] * dx + lead[2, 1] * dy + lead[2, 2] * dw
    for k in range(matrix.shape[0]):
        now = matrix[k, 0] * vx + matrix[k, 1] * vy + matrix[k, 2] * w
        wheels[k] = now + overdrive(matrix[k, 0] * ex + matrix[k, 1] * ey + matrix[k, 2] * ew, limits)
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
