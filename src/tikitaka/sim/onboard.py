"""What robots sense by themselves and tell their team: the light barrier at the dribbler, and the wheels' encoders."""

import math
from dataclasses import dataclass

import numpy as np

from tikitaka.sim.light_barrier import BarrierParams, sense
from tikitaka.sim.pitch import State
from tikitaka.types import Feedback, Floats, Ints


@dataclass(frozen=True, slots=True)
class OnboardParams:
    """What a league's robots have."""

    dt: float  # between two ticks
    barrier: BarrierParams | None = None  # None: they have no light barrier
    encoder: int = 0  # counts a turn of a wheel; 0: they have none


def feel(params: OnboardParams, state: State, before: State | None, team: int) -> Feedback | None:
    """Return what the robots of a team tell at a tick, None where they cannot tell anything."""
    if params.barrier is None and not params.encoder:
        return None
    n = len(state.pose) // 2
    rows = slice(team * n, (team + 1) * n)
    last = state.spin if before is None else before.spin
    wheels = _counted(params, 0.5 * (last[rows] + state.spin[rows])) if params.encoder else None
    return Feedback(None if params.barrier is None else _barriers(params.barrier, state, rows), wheels)


def _barriers(params: BarrierParams, state: State, rows: slice) -> Ints:
    """Return what each one's barrier says; only those near the ball are asked, the others see none."""
    said = np.zeros(rows.stop - rows.start, np.int64)
    away = state.pose[rows, :2] - state.ball[:2]
    near = params.mouth + params.ball_radius + params.reach
    for i in np.flatnonzero(np.sum(away * away, axis=1) < near * near).tolist():
        said[i] = sense(params, state, rows.start + i).output
    return said


def _counted(params: OnboardParams, rates: Floats) -> Floats:
    """Return wheel rates as whole counts within a tick tell them."""
    step = 2.0 * math.pi / (params.encoder * params.dt)
    return np.asarray(np.round(rates / step) * step, np.float64)
