"""A robot's numbers in the kernels' order, its motors, and cheap turns. `sim.drive` fills the arrays.

chassis  (14,)    one robot, columns below
wheels   (w, 21)  one row a wheel, columns below; motors are alike. On tyres row 0 is left, row 1 right
rate     turning rate of a wheel [rad/s]; where it rolls, rho . (u, v, w)
u, v, w  forward and leftward speed of the geometric centre [m/s], yaw rate [rad/s]; all in the body frame

A motor gives ``feed aim - gain rate``, cut to what its voltage allows (+-stall - slope rate) and to its torque limit.
So its torque is made of five straight pieces.
"""

import math

import numpy as np
from numpy.typing import NDArray

from tikitaka.geom.jit import kernel

Floats = NDArray[np.float64]

# chassis: [1/kg], [1/(kg m^2)] about the mass centre, mass centre ahead of the geometric centre [m], [kg], [kg m^2]
INV_MASS, INV_INERTIA, OFFSET, MASS, INERTIA = range(5)
XX, XY, XW, YY, YW, WW = range(5, 11)  # inverse of the generalised mass of (u, v, w), rolling wheels included
LONGEST, TYRES, KINEMATIC = range(11, 14)  # longest step [s]; 1: wheels hold sideways too; 1: perfect wheels
CHASSIS_SIZE = 14

UX, UY, ARM, SIDE_ARM = range(4)  # drive direction; lever of a force along it, and across it [m]
RX, RY, RW = range(4, 7)  # rho: (ux, uy, arm) / radius
RADIUS, WHEEL_INERTIA, DAMPING, GRIP, HOLD = range(7, 12)  # [m], [kg m^2], [N m s], mu N [N], (mu N radius)^2
FEED, GAIN, STALL, SLOPE, LIMIT = range(12, 17)  # [N m s], [N m s], [N m], [N m s], [N m]
GIVE = 17  # inverse mass of the body for a force along the wheel [1/kg]
BX, BY, BW = range(18, 21)  # least squares: body velocity for each rad/s of this wheel
WHEEL_SIZE = 21

FIT = 1e-4  # [m/s] chosen: a body this near to its wheels' speed rolls; above the rounding of float32
REST = 1e-15  # [m/s], [rad/s] chosen: slower is at rest, or it would creep on in ever smaller numbers
SMALL = 0.3  # [rad] up to here `small_turn` is good to 2e-15
HALF_PI_HIGH, HALF_PI_LOW = 1.5707963267341256, 6.077100506506192e-11  # pi / 2; the first has 33 bits: 2 x it is exact


@kernel
def piece(aim: float, rate: float, wheels: Floats) -> tuple[float, float, float]:
    """Return (number, t, g): near this rate a wheel's torque, damping taken off, is t - g * rate [N m]."""
    push, mu, stall, limit = wheels[0, FEED] * aim, wheels[0, DAMPING], wheels[0, STALL], wheels[0, LIMIT]
    tau, line = push - wheels[0, GAIN] * rate, wheels[0, SLOPE] * rate
    high, low = min(limit, stall - line), max(-limit, -stall - line)
    if low <= tau <= high:
        return 0.0, push, wheels[0, GAIN] + mu
    if tau > high:
        if high < limit:
            return 1.0, stall, wheels[0, SLOPE] + mu
        return 2.0, limit, mu
    if low > -limit:
        return 3.0, -stall, wheels[0, SLOPE] + mu
    return 4.0, -limit, mu


@kernel
def pull(aim: float, rate: float, wheels: Floats, k: int) -> tuple[float, float, float, float]:
    """Return (speed, gain, low, high): wheel k pushes the ground by clamp(gain * (speed - v), low, high) [N].

    Here v is the speed [m/s] of the tyre's patch along the wheel, which rolls and does not accelerate. Exact between
    the bounds; these hold at ``rate``, and shift by slope * (rate - v / radius) / radius where the voltage is short.
    """
    r, mu = wheels[k, RADIUS], wheels[k, DAMPING]
    stiff, line, lost = wheels[k, GAIN] + mu, wheels[k, SLOPE] * rate, mu * rate
    low = max(-wheels[k, LIMIT], -wheels[k, STALL] - line)
    high = min(wheels[k, LIMIT], wheels[k, STALL] - line)
    return wheels[k, FEED] * aim / stiff * r, stiff / (r * r), (low - lost) / r, (high - lost) / r


@kernel
def cos_sin(a: float) -> tuple[float, float]:
    """Return cosine and sine, good to 2e-15; for headings it takes two thirds as long as asking the library twice."""
    b = abs(a)
    if b > 3.9:
        return math.cos(a), math.sin(a)
    k = (1.0 if b > 0.785 else 0.0) + (1.0 if b > 2.355 else 0.0)  # quarter turns
    r = (b - k * HALF_PI_HIGH) - k * HALF_PI_LOW
    q = r * r
    p = q * q
    c = 1.0 / 40320.0 - q * (1.0 / 3628800.0) + p * (1.0 / 479001600.0 - q * (1.0 / 87178291200.0))
    n = 1.0 / 362880.0 - q * (1.0 / 39916800.0) + p * (1.0 / 6227020800.0 - q * (1.0 / 1307674368000.0))
    c = 1.0 - 0.5 * q + p * (1.0 / 24.0 - q * (1.0 / 720.0)) + p * p * (c + p * p * (1.0 / 20922789888000.0))
    n = r * (1.0 - q * (1.0 / 6.0) + p * (1.0 / 120.0 - q * (1.0 / 5040.0)) + p * p * n)
    keep, swap = 1.0 - k, k * (2.0 - k)  # 1, 0, -1 and 0, 1, 0; no branch, which the processor would guess wrong
    flip = -1.0 if a < 0.0 else 1.0
    return keep * c - swap * n, flip * (keep * n + swap * c)


@kernel
def small_turn(a: float) -> tuple[float, float]:
    """Return cosine and sine of at most SMALL."""
    q = a * a
    p = q * q
    c = 1.0 - 0.5 * q + p * (1.0 / 24.0 - q * (1.0 / 720.0)) + p * p * (1.0 / 40320.0 - q * (1.0 / 3628800.0))
    n = (
        1.0
        - q * (1.0 / 6.0)
        + p * (1.0 / 120.0 - q * (1.0 / 5040.0))
        + p * p * (1.0 / 362880.0 - q * (1.0 / 39916800.0))
    )
    return c, a * n


@kernel
def still(x: float) -> float:
    """Return the speed, or 0 where it is too small to matter."""
    return 0.0 if abs(x) < REST else x


@kernel
def put(s: int, i: int, ahead: Floats, x: float, y: float, theta: float, vx: float, vy: float, omega: float) -> None:
    """Write where robot i is and how it moves."""
    ahead[s, i, 0] = x
    ahead[s, i, 1] = y
    ahead[s, i, 2] = theta
    ahead[s, i, 3] = vx
    ahead[s, i, 4] = vy
    ahead[s, i, 5] = omega
