"""Packets on their way to robots.

Arrays are indexed [slot, robot, ...]; a packet stands in the slot of the tick at which it was sent.

flying  (d, n, w + 3)  packets of the last d ticks: wheel speeds, kick, dribble, lift
due     (d, n)         tick at which each is heard; NEVER: lost
held    (n, w + 3)     what each robot heard last
told    (n, 2)         tick at which that was sent, and heard; NEVER: nothing yet
wheels  (n, w)         sent at this tick, with kick, dribble and lift (n,); acts_...: what robots do at this tick
counts  (2,)           packets lost so far, and how often a robot stood still at a tick: it had heard nothing for long
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.random import uniform
from tikitaka.sim.kernels.instants import delay

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

NEVER = -1
FIRST_STREAM = 1 << 16  # beyond those of all cameras
SENT, HEARD = range(2)
LOST, SILENT = range(2)


@kernel
def send(
    i: int, k0: int, k1: int, tick: int, latency: float, jitter: float, loss: float,
    wheels: Floats, kick: float, dribble: bool, lift: float, flying: Floats, due: Ints, counts: Ints,
) -> None:  # fmt: skip
    """Put robot i's packet on its way, to be heard at the tick nearest to its time; latency and jitter are in ticks."""
    depth, stream, w = due.shape[0], FIRST_STREAM + 2 * i, wheels.shape[1]
    slot = tick % depth
    late = math.floor(delay(k0, k1, tick, stream + 1, latency, jitter) + 0.5)
    if uniform(k0, k1, tick, stream) < loss or late >= depth:
        due[slot, i] = NEVER
        counts[LOST] += 1
    else:
        due[slot, i] = tick + int(late)
    for q in range(w):
        flying[slot, i, q] = wheels[i, q]
    flying[slot, i, w], flying[slot, i, w + 1], flying[slot, i, w + 2] = kick, dribble, lift


@kernel
def hear(i: int, tick: int, flying: Floats, due: Ints, held: Floats, told: Ints) -> None:
    """Give robot i the newest packet that has reached it; one that was overtaken comes too late."""
    depth = due.shape[0]
    for back in range(depth):
        sent = tick - back
        if sent <= told[i, SENT]:
            return
        slot = sent % depth
        if due[slot, i] != NEVER and due[slot, i] <= tick:
            for q in range(held.shape[1]):
                held[i, q] = flying[slot, i, q]
            told[i, SENT], told[i, HEARD] = sent, tick
            return


@kernel
def carry(
    k0: int, k1: int, tick: int, latency: float, jitter: float, loss: float, patience: int,
    wheels: Floats, kick: Floats, dribble: Flags, lift: Floats, flying: Floats, due: Ints, held: Floats, told: Ints,
    counts: Ints, acts_wheels: Floats, acts_kick: Floats, acts_dribble: Flags, acts_lift: Floats,
) -> None:  # fmt: skip
    """Send this tick's packets and fill in what robots do: what they heard last, or stop after ``patience`` ticks."""
    w = wheels.shape[1]
    for i in range(wheels.shape[0]):
        send(i, k0, k1, tick, latency, jitter, loss, wheels, kick[i], dribble[i], lift[i], flying, due, counts)
        hear(i, tick, flying, due, held, told)
        deaf = told[i, HEARD] == NEVER or tick - told[i, HEARD] >= patience
        counts[SILENT] += deaf and told[i, HEARD] != NEVER
        for q in range(w):
            acts_wheels[i, q] = 0.0 if deaf else held[i, q]
        acts_kick[i], acts_lift[i] = 0.0 if deaf else held[i, w], 0.0 if deaf else held[i, w + 2]
        acts_dribble[i] = not deaf and held[i, w + 1] != 0.0
