"""Whatever overlap the impulses have left: pushed out, or the motion taken back."""

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.contacts import find_contacts
from tikitaka.sim.kernels.gaps import INV_BALL, INV_MASS
from tikitaka.sim.kernels.impulses import SKIN

Floats = NDArray[np.float64]

SLOP = 1e-9  # [m] overlap that counts as touching
PUSH_ROUNDS = 8


@kernel
def shift(e: int, who: int, dx: float, dy: float, pose: Floats, ball: Floats) -> None:
    """Move a body."""
    if who == pose.shape[1]:
        ball[e, 0] += dx
        ball[e, 1] += dy
    elif who >= 0:
        pose[e, who, 0] += dx
        pose[e, who, 1] += dy


@kernel
def push_apart(
    e: int, pose: Floats, ball: Floats, walls: Floats, posts: Floats, body: Floats, play: Floats, contacts: Floats
) -> bool:
    """Say whether no overlap is left after moving overlapping bodies apart, the light ones further."""
    n = pose.shape[1]
    for _ in range(PUSH_ROUNDS):
        k = find_contacts(e, pose, ball, walls, posts, body, play, contacts)
        clear = True
        for s in range(k):
            if contacts[s, 6] >= -SLOP:
                continue
            clear = False
            a, b = int(contacts[s, 0]), int(contacts[s, 1])
            wa = 0.0 if a < 0 else body[INV_MASS]
            wb = play[INV_BALL] if b == n else body[INV_MASS]
            step = (0.5 * SKIN - contacts[s, 6]) / (wa + wb)
            shift(e, a, -step * wa * contacts[s, 2], -step * wa * contacts[s, 3], pose, ball)
            shift(e, b, step * wb * contacts[s, 2], step * wb * contacts[s, 3], pose, ball)
        if clear:
            return True
    return False


@kernel
def restore(e: int, who: int, pose: Floats, velocity: Floats, ball: Floats, old_pose: Floats, old_ball: Floats) -> None:
    """Put a body back where the substep found it, at rest."""
    if who == pose.shape[1]:
        ball[e, 0], ball[e, 1], ball[e, 2], ball[e, 3] = old_ball[0], old_ball[1], 0.0, 0.0
    elif who >= 0:
        for q in range(3):
            pose[e, who, q] = old_pose[who, q]
            velocity[e, who, q] = 0.0


@kernel
def undo_overlaps(
    e: int, pose: Floats, velocity: Floats, ball: Floats, old_pose: Floats, old_ball: Floats,
    walls: Floats, posts: Floats, body: Floats, play: Floats, contacts: Floats,
) -> None:  # fmt: skip
    """Take back the motion of bodies that still overlap, and of those that then do.

    The poses at the start had no overlap, so this ends with none: at the worst with nobody moved.
    """
    for _ in range(pose.shape[1] + 2):
        k = find_contacts(e, pose, ball, walls, posts, body, play, contacts)
        clear = True
        for s in range(k):
            if contacts[s, 6] < -SLOP:
                clear = False
                for q in range(2):
                    restore(e, int(contacts[s, q]), pose, velocity, ball, old_pose, old_ball)
        if clear:
            return
