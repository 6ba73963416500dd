"""Packets on their way to robots.

Arrays are indexed [env, slot, robot, ...]; a packet stands in the slot of the tick at which it was sent.

fresh   (e, n, p)     what is sent at this tick: wheel speeds, kick, dribble, lift
flying  (e, d, n, p)  packets of the last d ticks
due     (e, d, n)     tick at which each is heard; NEVER: lost
held    (e, n, p)     what each robot heard last
told    (e, n, 2)     tick at which that was sent, and heard; NEVER: nothing yet
counts  (e, 2)        packets lost so far, and robots that stood still at a tick because they had heard nothing for long
acting  (e, n, p)     what the robots do at this tick
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel
from tikitaka.geom.random import uniform
from tikitaka.sim.kernels.instants import delay

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

NEVER = -1
FIRST_STREAM = 1 << 16  # beyond those of all cameras
SENT, HEARD = range(2)
LOST, SILENT = range(2)


@kernel
def send(
    e: int, i: int, k0: int, k1: int, tick: int, latency: float, jitter: float, loss: float,
    fresh: Floats, flying: Floats, due: Ints, counts: Ints,
) -> None:  # fmt: skip
    """Put robot i's packet on its way, to be heard at the tick nearest to its time; latency and jitter are in ticks."""
    depth, stream = due.shape[1], FIRST_STREAM + 2 * i
    slot = tick % depth
    late = math.floor(delay(k0, k1, tick, stream + 1, latency, jitter) + 0.5)
    if uniform(k0, k1, tick, stream) < loss or late >= depth:
        due[e, slot, i] = NEVER
        counts[e, LOST] += 1
    else:
        due[e, slot, i] = tick + int(late)
    for q in range(fresh.shape[2]):
        flying[e, slot, i, q] = fresh[e, i, q]


@kernel
def hear(e: int, i: int, tick: int, flying: Floats, due: Ints, held: Floats, told: Ints) -> None:
    """Give robot i the newest packet that has reached it; one that was overtaken comes too late."""
    depth = due.shape[1]
    for back in range(depth):
        sent = tick - back
        if sent <= told[e, i, SENT]:
            return
        slot = sent % depth
        if due[e, slot, i] != NEVER and due[e, slot, i] <= tick:
            for q in range(held.shape[2]):
                held[e, i, q] = flying[e, slot, i, q]
            told[e, i, SENT], told[e, i, HEARD] = sent, tick
            return


@kernel
def carry(
    e: int, k0: int, k1: int, tick: int, latency: float, jitter: float, loss: float, patience: int,
    fresh: Floats, flying: Floats, due: Ints, held: Floats, told: Ints, counts: Ints, acting: Floats,
) -> None:  # fmt: skip
    """Send this tick's packets and fill in what robots do: what they heard last, or stop after ``patience`` ticks."""
    for i in range(fresh.shape[1]):
        send(e, i, k0, k1, tick, latency, jitter, loss, fresh, flying, due, counts)
        hear(e, i, tick, flying, due, held, told)
        deaf = told[e, i, HEARD] == NEVER or tick - told[e, i, HEARD] >= patience
        counts[e, SILENT] += deaf and told[e, i, HEARD] != NEVER
        for q in range(held.shape[2]):
            acting[e, i, q] = 0.0 if deaf else held[e, i, q]
