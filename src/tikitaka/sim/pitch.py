"""The simulated pitch: State and Commands in, the next State out, and no overlap left."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tikitaka.errors import ContractError
from tikitaka.sim import arrays
from tikitaka.sim.kernels import motion, overlaps
from tikitaka.sim.orders import FLOAT, fitting
from tikitaka.sim.params import Params
from tikitaka.types import Commands, Floats
from tikitaka.types.limits import shape_of

MAX_OVERLAP = 1e-9  # [m] that a start may have: rounding


@dataclass(frozen=True, slots=True)
class State:
    """The truth at one tick; blue's robots are the first rows."""

    tick: int
    pose: Floats  # (n, 3) x, y, theta
    velocity: Floats  # (n, 3) vx, vy, omega in the field frame
    spin: Floats  # (n, w) [rad/s] wheel rates
    ball: Floats  # (8,) x, y, vx, vy, z, vz, and the velocity of pure rolling
    charge: Floats  # (n,) [s] until the kicker is ready
    touched: NDArray[np.uint8]  # (n, n) who pushed whom since the last tick
    hits: Floats  # (k, 4) impacts since the last tick: time after it, the two bodies, closing speed
    toucher: int  # robot that touched the ball last; -1: nobody yet
    mended: int  # command values so far that were clamped, or zeroed because they were no numbers


def start(params: Params) -> State:
    """Return an empty moment: everybody at the centre, to be placed by the referee."""
    n, w = params.robots, len(params.robot.drive.wheels)
    still = np.zeros((n, 3))
    none = np.zeros((0, 4))
    ball = np.zeros(arrays.BALL_COLUMNS)
    return State(0, still, still.copy(), np.zeros((n, w)), ball, np.zeros(n), np.zeros((n, n), np.uint8), none, -1, 0)


def place(state: State, pose: Floats, ball_xy: Floats) -> State:
    """Return the state with robots and ball put somewhere, at rest."""
    ball = np.zeros(arrays.BALL_COLUMNS)
    ball[:2] = ball_xy[:2]
    still, spin = np.zeros_like(pose), np.zeros_like(state.spin)
    return replace(state, pose=pose.copy(), velocity=still, spin=spin, ball=ball, toucher=-1)


def closest(params: Params, state: State) -> tuple[int, int, float]:
    """Return the two bodies with the smallest gap, and the gap, negative where they overlap; see `State.hits`."""
    boards, edges, hull, rim, bins, play = params.fixed[:6]
    ahead, _, _, _, pairs = params.scratch
    moving = (state.pose[None], state.velocity[None], state.spin[None], state.ball[None])
    return overlaps.closest(0, 0, *moving, boards, edges, hull, rim, bins, play, ahead, pairs)


def check(params: Params, state: State) -> State:
    """Return the state; raise where shapes are wrong, numbers not finite, bodies overlap or leave the pitch."""
    _check_state(params, state)
    for name in ("pose", "velocity", "spin", "ball", "charge"):
        rows = getattr(state, name)
        if not np.isfinite(rows).all():
            row = int(np.argwhere(~np.isfinite(rows))[0, 0])
            who, got = (f" of robot {row}", rows[row]) if rows.ndim > 1 else ("", rows)
            raise ContractError(f"{name}{who} must be finite; got {got.tolist()}")
    refuse_below(state.ball[4])
    a, b, gap = closest(params, state)
    if gap < -MAX_OVERLAP:
        raise ContractError(overlap(a, b, gap, params.robots))
    return state


def refuse_below(z: float) -> None:
    """Raise where a ball of this height lies below the ground."""
    if z < -MAX_OVERLAP:
        raise ContractError(f"the ball's z, column 4, must be at least 0 m: 0 is on the ground; got {z:g}")


def overlap(a: int, b: int, gap: float, n: int) -> str:
    """Return what is wrong with two bodies of a pitch with n robots that overlap."""
    who = "the ball" if b == n else f"robot {b}"
    what = "a wall or a goal" if a < 0 else f"robot {a}"
    return f"{who} must not overlap {what}; got an overlap of {-1e3 * gap:.3g} mm"


def step(params: Params, state: State, commands: Commands) -> State:
    """Return the pitch one tick later; ``state`` is not touched."""
    _check_state(params, state)
    n, s, shapes = params.robots, state, params.shapes
    c = fitting(commands, shapes[2], shapes[4])
    pose, velocity, spin, ball, charge = s.pose.copy(), s.velocity.copy(), s.spin.copy(), s.ball.copy(), s.charge.copy()
    touched, hits = np.empty((n, n), np.uint8), np.empty((arrays.MAX_HITS, 4))
    counts = np.array((0, s.toucher, s.mended))
    wheels, kick, lift = c.wheels.copy(), c.kick.copy(), np.zeros(n) if c.lift is None else c.lift.copy()
    motion.step(
        0, 0, pose[None], velocity[None], spin[None], ball[None], charge[None], touched[None], hits[None], counts[None],
        wheels[None], kick[None], lift[None], c.dribble[None].view(np.uint8), *params.fixed, *params.scratch,
    )  # fmt: skip
    found, toucher, mended = counts.tolist()
    return State(s.tick + 1, pose, velocity, spin, ball, charge, touched, hits[:found], toucher, mended)


def _check_state(params: Params, state: State) -> None:
    """Raise where a part of the state has another shape, or other numbers than float64."""
    wanted = params.shapes
    try:
        pose, velocity, spin, ball, charge = state.pose, state.velocity, state.spin, state.ball, state.charge
        shapes = (pose.shape, velocity.shape, spin.shape, ball.shape, charge.shape)
        if shapes == wanted and FLOAT == pose.dtype == velocity.dtype == spin.dtype == ball.dtype == charge.dtype:
            return
    except AttributeError:  # no arrays: said below
        pass
    if not isinstance(state, State):
        raise ContractError(f"state must be State; got {type(state).__name__}")
    for name, shape in zip(("pose", "velocity", "spin", "ball", "charge"), wanted, strict=True):
        part = getattr(state, name)
        if not isinstance(part, np.ndarray) or part.shape != shape or part.dtype != FLOAT:
            raise ContractError(f"state.{name} must be {shape} of float64; got {shape_of(part)}")
