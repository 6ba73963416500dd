"""How strong our robots are: what share of its acceleration each shows when it brakes.

Motors may give less than is believed. A robot on tyres that is asked for more than it has drives with both motors at
their most, and does not turn as it was told. So a robot that drives straight on, and is to brake, is looked at again
LOOK later: is it where the roll-out of its strength said?

might   (n, MIGHT) strength; ticks until the next look; where the robot would be then if it did not brake, and how far
        from there it was said to be; where it goes
track   (s, 2) where the robot is to be, see `rolling`
"""

import numpy as np
from numpy.typing import NDArray

from tikitaka.avoid.kernels.rolling import ACCELERATION, LIMITS, STEP, TURN_ACCELERATION
from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp, dot, norm

Floats = NDArray[np.float64]

STRENGTH, WAIT, X, Y, BRAKED_X, BRAKED_Y, GOAL_X, GOAL_Y = range(8)
MIGHT = 8
LOOK = 0.2  # [s] chosen: as long as the way of a weak robot differs by more than a camera's noise
HARD = 0.5  # chosen: share of the brakes that is worth a look
SAME = 0.01  # [m] chosen: a target that moved farther is another one
SOUND = 1.05  # chosen: share of what the derated roll-outs say that a robot shows whose strength is right
HELD = 0.3  # chosen: who shows less is held by something, which tells nothing of its motors
TRUST, MOST = 0.3, 0.2  # chosen: share of what was seen that is believed, and what differs more is taken for this
WEAKEST, STRONGEST = 0.5, 1.25  # chosen: above 1 it takes more than one look until a robot counts as weak


@kernel
def derate(strength: float, limits: Floats, own: Floats) -> None:
    """Fill the limits of a robot of such a strength."""
    for k in range(LIMITS):
        own[k] = limits[k]
    own[ACCELERATION] *= min(strength, 1.0)
    own[TURN_ACCELERATION] *= min(strength, 1.0)


@kernel
def begin_look(
    pose: Floats, velocity: Floats, track: Floats, x: float, y: float, own: Floats, dt: float, might: Floats
) -> None:
    """Remember where a robot that goes to (x, y) is to be LOOK later, if it is to brake until then."""
    ticks = round(LOOK / dt)
    t = ticks * dt
    k = min(int(t / own[STEP]), track.shape[0] - 2)
    part = t / own[STEP] - k
    px, py = pose[0] + t * velocity[0], pose[1] + t * velocity[1]
    bx = track[k, 0] + part * (track[k + 1, 0] - track[k, 0]) - px
    by = track[k, 1] + part * (track[k + 1, 1] - track[k, 1]) - py
    if dot(bx, by, velocity[0], velocity[1]) < 0.0 and norm(bx, by) > HARD * 0.5 * own[ACCELERATION] * t * t:
        might[WAIT], might[X], might[Y], might[BRAKED_X], might[BRAKED_Y] = ticks, px, py, bx, by
        might[GOAL_X], might[GOAL_Y] = x, y


@kernel
def judged(strength: float, shown: float) -> float:
    """Return the strength of a robot that has shown such a share of what the roll-out of its strength said."""
    if shown < HELD:
        return strength
    return clamp(strength * (1.0 + TRUST * clamp(shown - SOUND, -MOST, MOST)), WEAKEST, STRONGEST)


@kernel
def learn(
    straight: bool, pose: Floats, velocity: Floats, track: Floats, x: float, y: float, own: Floats, dt: float,
    might: Floats,
) -> None:  # fmt: skip
    """Look at a robot that goes straight on to (x, y), or does not; its track is what it is to do from now on."""
    if not straight or (might[WAIT] > 0.0 and norm(x - might[GOAL_X], y - might[GOAL_Y]) > SAME):
        might[WAIT] = 0.0
    elif might[WAIT] > 0.0:
        might[WAIT] -= 1.0
        if might[WAIT] == 0.0:
            bx, by = might[BRAKED_X], might[BRAKED_Y]
            shown = dot(pose[0] - might[X], pose[1] - might[Y], bx, by) / dot(bx, by, bx, by)
            might[STRENGTH] = judged(might[STRENGTH], shown)
    if straight and might[WAIT] == 0.0:
        begin_look(pose, velocity, track, x, y, own, dt, might)
