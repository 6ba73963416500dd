"""A robot's wheels, motors and tyres as named numbers, and as the arrays that the kernels read."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tikitaka.errors import ContractError
from tikitaka.geom.drive import body_matrix
from tikitaka.sim.kernels import chassis as c
from tikitaka.types import Floats
from tikitaka.types.limits import LEAST, MOST, expect, expect_array

GRAVITY = 9.81  # [m/s^2]
MAX_WHEELS = 4  # as many as the kernels keep room for
HEAVIEST = 1e18  # [kg] or [kg m^2] chosen: what weighs as much as a mountain stands as one
UNIT = 1e-6  # by which the length of a direction may be off
SOONEST = 1e-6  # [s] chosen: a tick is 30,000 steps then, which takes milliseconds a robot
PACE = 1.0  # chosen: a step is at most the fastest time constant; Runge-Kutta is stable up to 2.8
ROOM = 24  # columns of the kernels' array ``ahead``: pose, velocity, two of others, and four for each of four wheels


_RULES = (
    (LEAST, HEAVIEST, ("mass", "inertia")),
    (LEAST, MOST, ("wheel_radius",)),
    (0.0, MOST, ("wheel_inertia", "wheel_damping", "traction")),
    (-MOST, MOST, ("offset",)),
)


@dataclass(frozen=True, slots=True)
class Motor:
    """A motor with its gear, seen at the wheel, and the wheel-speed controller on the robot.

    The controller asks for ``gain * (aim - rate)`` and what the wheel's damping takes at the rate aimed at, so that in
    free driving no error stays. It gets at most what the full voltage gives at this rate and what the current allows.
    """

    stall_torque: float  # [N m] at the full voltage
    no_load_speed: float  # [rad/s] at the full voltage
    torque_limit: float  # [N m] at the largest current
    gain: float  # [N m s]

    def __post_init__(self) -> None:
        above = (LEAST, MOST, ("stall_torque", "no_load_speed"))
        expect(self, (above, (0.0, MOST, ("torque_limit", "gain"))), "motor.")


@dataclass(frozen=True, slots=True)
class DriveParams:
    """How a robot moves; all wheels are alike and carry the same part of its weight."""

    mass: float
    inertia: float  # about the mass centre
    xy: Floats  # (w, 2) where the wheels stand in the body frame
    direction: Floats  # (w, 2) unit vectors: where they push when they turn forward
    tyres: bool  # wheels hold sideways too; omni wheels do not
    wheel_radius: float
    wheel_inertia: float  # about the axle, rotor and gear included
    wheel_damping: float  # [N m s]
    traction: float  # friction coefficient of a tyre
    motor: Motor
    offset: float = 0.0  # mass centre ahead of the geometric centre
    kinematic: bool = False  # perfect wheels: the commanded velocity at once
    chassis: Floats = field(init=False, repr=False)  # (CHASSIS_SIZE,)
    wheels: Floats = field(init=False, repr=False)  # (w, WHEEL_SIZE)

    def __post_init__(self) -> None:
        _check(self)
        object.__setattr__(self, "wheels", _wheels(self))
        object.__setattr__(self, "chassis", _chassis(self))
        if not (self.kinematic or self.chassis[c.LONGEST] >= SOONEST):
            rule = f"{SOONEST:g} s or more; got {self.chassis[c.LONGEST]:.3g} s"
            instead = "make mass, inertia or wheel_inertia larger, or motor.gain smaller"
            raise ContractError(f"drive's wheels must settle in {rule}: {instead}")


def differential_wheels(half_track: float) -> tuple[Floats, Floats]:
    """Return (xy, direction) of a left and a right wheel, in the order of `geom.drive.differential_matrix`."""
    return np.array([(0.0, half_track), (0.0, -half_track)]), np.array([(1.0, 0.0), (1.0, 0.0)])


def omni_wheels(angles: Sequence[float], distance: float) -> tuple[Floats, Floats]:
    """Return (xy, direction) of wheels on a circle that push counter-clockwise, like `geom.drive.wheel_matrix`."""
    a = np.asarray(angles, dtype=np.float64)
    out = np.stack([np.cos(a), np.sin(a)], axis=1)
    return distance * out, np.stack([-out[:, 1], out[:, 0]], axis=1)


def by_torque(params: DriveParams) -> DriveParams:
    """Return the same robot without controller and motor limits: its commands are torques [N m], not rates."""
    plain = replace(params)
    plain.wheels[:, c.FEED] = 1.0
    plain.wheels[:, [c.GAIN, c.SLOPE]] = 0.0
    plain.wheels[:, [c.STALL, c.LIMIT]] = np.inf
    plain.chassis[c.LONGEST] = np.inf  # nothing is stiff without a controller
    return plain


def mass_matrix(params: DriveParams) -> Floats:
    """Return the body's (3, 3) mass for (u, v, w) of its geometric centre, wheels' own inertia left out."""
    m, md = params.mass, params.mass * params.offset
    return np.array([(m, 0.0, 0.0), (0.0, m, md), (0.0, md, params.inertia + md * params.offset)])


def rows(params: DriveParams) -> Floats:
    """Return the (w, 3) matrix that turns (u, v, w) into speeds of the wheels' patches [m/s]."""
    (x, y), (ux, uy) = params.xy.T, params.direction.T
    return np.stack([ux, uy, x * uy - y * ux], axis=1)


def _check(p: DriveParams) -> None:
    """Raise where a value can never work."""
    expect(p, _RULES, "drive.")
    for name in ("xy", "direction"):
        expect_array(f"drive.{name}", getattr(p, name), ("w", 2))
    if p.xy.shape != p.direction.shape or not 2 <= len(p.xy) <= MAX_WHEELS:
        shapes = f"{p.xy.shape} and {p.direction.shape}"
        raise ContractError(f"xy and direction must be (w, 2) with w in [2, {MAX_WHEELS}]; got {shapes}")
    if (np.abs(np.sum(p.direction**2, axis=1) - 1.0) > 2.0 * UNIT).any():
        raise ContractError(f"drive.direction must be unit vectors; got {p.direction.tolist()}")
    if p.tyres and not _is_axle(p.xy, p.direction):
        raise ContractError(f"on tyres the wheels stand left and right of the centre; got {p.xy.tolist()}")
    if not (np.abs(rows(p)[:, 2]) >= LEAST).any():
        raise ContractError(f"drive.xy must let some wheel turn the robot about its centre; got {p.xy.tolist()}")


def _is_axle(xy: Floats, direction: Floats) -> bool:
    return bool(np.array_equal(xy, [(0.0, xy[0, 1]), (0.0, -xy[0, 1])]) and (direction == (1.0, 0.0)).all())


def _wheels(p: DriveParams) -> Floats:
    along = rows(p)
    give, slope = np.linalg.inv(mass_matrix(p)), p.motor.stall_torque / p.motor.no_load_speed
    table = np.empty((len(p.xy), c.WHEEL_SIZE))
    table[:, [c.UX, c.UY, c.ARM]], table[:, c.SIDE_ARM] = along, np.sum(p.xy * p.direction, axis=1)
    table[:, [c.RX, c.RY, c.RW]] = along / p.wheel_radius
    table[:, c.RADIUS], table[:, c.WHEEL_INERTIA], table[:, c.DAMPING] = (
        p.wheel_radius,
        p.wheel_inertia,
        p.wheel_damping,
    )
    table[:, c.GRIP] = p.traction * p.mass * GRAVITY / len(p.xy)
    table[:, c.HOLD] = (table[:, c.GRIP] * p.wheel_radius) ** 2
    table[:, c.FEED], table[:, c.GAIN] = p.motor.gain + p.wheel_damping, p.motor.gain
    table[:, c.STALL], table[:, c.SLOPE], table[:, c.LIMIT] = p.motor.stall_torque, slope, p.motor.torque_limit
    table[:, c.GIVE] = np.einsum("ki,ij,kj->k", along, give, along)
    table[:, [c.BX, c.BY, c.BW]] = body_matrix(along / p.wheel_radius).T
    return table


def _chassis(p: DriveParams) -> Floats:
    rho = rows(p) / p.wheel_radius
    free = [0, 2] if p.tyres else [0, 1, 2]
    loaded = mass_matrix(p) + p.wheel_inertia * rho.T @ rho  # [Klancar, Eqs. 6-10], wheels slaved to the body
    inverse = np.zeros((3, 3))
    inverse[np.ix_(free, free)] = np.linalg.inv(loaded[np.ix_(free, free)])
    stiffest = max(p.motor.gain, p.motor.stall_torque / p.motor.no_load_speed) + p.wheel_damping
    fastest = np.abs(np.linalg.eigvals(inverse @ (stiffest * rho.T @ rho))).max()  # [1/s]
    upper = inverse[np.triu_indices(3)]
    heads = (1.0 / p.mass, 1.0 / p.inertia, p.offset, p.mass, p.inertia)
    return np.array((*heads, *upper, PACE / fastest, p.tyres, p.kinematic), dtype=np.float64)
