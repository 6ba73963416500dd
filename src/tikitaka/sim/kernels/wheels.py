"""Driving: where a robot would be after dt if it met nothing.

While every tyre holds, the wheels' rates follow from the body's velocity (u, v, w), and the motion is the reduced form
of [Klancar, Eqs. 6-10], here with any number of wheels and, on omni wheels, with a sideways speed. Two methods: on
tyres, as long as no motor changes its piece, `cruising`; else Runge-Kutta of order four (`roll`), and the way by
Simpson's rule, with the heading of mid-step. Where the tyres cannot hold, or the body's velocity does not fit the
wheels (after a push), `skids` takes over, on tyres `drifts`.

u, v, w     forward and leftward speed of the geometric centre [m/s], yaw rate [rad/s]; all in the body frame
a, b, r     their accelerations
m, d        mass; how far the mass centre lies ahead of the geometric centre
rx, ry, rw  row rho of a wheel: its rate is rho . (u, v, w)
t, g        torque of a motor, damping taken off: t - g rate
c, n        cosine and sine of the heading
"""

from tikitaka.geom.jit import kernel
from tikitaka.sim.kernels.chassis import (
    BW,
    BX,
    BY,
    FIT,
    HOLD,
    KINEMATIC,
    LONGEST,
    MASS,
    OFFSET,
    RADIUS,
    RW,
    RX,
    RY,
    TYRES,
    WHEEL_INERTIA,
    WW,
    XW,
    XX,
    XY,
    YW,
    YY,
    Floats,
    cos_sin,
    piece,
    put,
    still,
)  # fmt: skip
from tikitaka.sim.kernels.cruising import cruise, seen
from tikitaka.sim.kernels.drifts import drift
from tikitaka.sim.kernels.skids import skid

STEP = 1.0 / 180.0  # [s] chosen, the longest: slipping is of first order, and so is rolling where a motor changes


@kernel
def gather(
    e: int, i: int, aim: Floats, u: float, v: float, w: float, wheels: Floats
) -> tuple[float, float, float, float, float, float, float, float, float]:
    """Return what the motors do near this velocity: force t - k (u, v, w), as t and the upper half of k."""
    tx, ty, tw, xx, xy, xw, yy, yw, ww = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for k in range(wheels.shape[0]):
        rx, ry, rw = wheels[k, RX], wheels[k, RY], wheels[k, RW]
        _, t, g = piece(aim[e, i, k], rx * u + ry * v + rw * w, wheels)
        tx, ty, tw = tx + t * rx, ty + t * ry, tw + t * rw
        xx, xy, xw = xx + g * rx * rx, xy + g * rx * ry, xw + g * rx * rw
        yy, yw, ww = yy + g * ry * ry, yw + g * ry * rw, ww + g * rw * rw
    return tx, ty, tw, xx, xy, xw, yy, yw, ww


@kernel
def respond(
    u: float, v: float, w: float, fx: float, fy: float, fw: float, chassis: Floats
) -> tuple[float, float, float]:
    """Return (du/dt, dv/dt, dw/dt) under the wheels' forces."""
    m, d = chassis[MASS], chassis[OFFSET]
    fx, fy, fw = fx + m * w * (v + d * w), fy - m * w * u, fw - m * d * w * u
    return (
        chassis[XX] * fx + chassis[XY] * fy + chassis[XW] * fw,
        chassis[XY] * fx + chassis[YY] * fy + chassis[YW] * fw,
        chassis[XW] * fx + chassis[YW] * fy + chassis[WW] * fw,
    )


@kernel
def check(
    e: int, i: int, aim: Floats, u: float, v: float, w: float, a: float, b: float, r: float,
    chassis: Floats, wheels: Floats,
) -> float:  # fmt: skip
    """Return on which pieces the motors are, as one number; -1 where rolling needs more than the tyres can give."""
    side, pieces = 0.0, 0.0
    if chassis[TYRES] > 0.0:
        side = 0.5 * chassis[MASS] * wheels[0, RADIUS] * (b + chassis[OFFSET] * r + w * u)
    for k in range(wheels.shape[0]):
        rx, ry, rw = wheels[k, RX], wheels[k, RY], wheels[k, RW]
        rate = rx * u + ry * v + rw * w
        number, t, g = piece(aim[e, i, k], rate, wheels)
        f = t - g * rate - wheels[k, WHEEL_INERTIA] * (rx * a + ry * b + rw * r)
        if f * f + side * side > wheels[k, HOLD]:
            return -1.0
        pieces = 5.0 * pieces + number
    return pieces


@kernel
def fits(s: int, i: int, u: float, v: float, w: float, spin_ahead: Floats, chassis: Floats, wheels: Floats) -> bool:
    """Say whether the body moves as the wheels turn."""
    if chassis[TYRES] > 0.0 and abs(v) > FIT:
        return False
    for k in range(wheels.shape[0]):
        rate = wheels[k, RX] * u + wheels[k, RY] * v + wheels[k, RW] * w
        if abs(rate - spin_ahead[s, i, k]) * wheels[k, RADIUS] > FIT:
            return False
    return True


@kernel
def roll(
    e: int, i: int, c: float, n: float, aim: Floats, s: int, ahead: Floats, spin_ahead: Floats, chassis: Floats,
    wheels: Floats, h: float,
) -> bool:  # fmt: skip
    """Say whether the wheels roll for h seconds; if so move ``ahead`` on by them."""
    theta, vx, vy, w = ahead[s, i, 2], ahead[s, i, 3], ahead[s, i, 4], ahead[s, i, 5]
    u, v = c * vx + n * vy, c * vy - n * vx
    if not fits(s, i, u, v, w, spin_ahead, chassis, wheels):
        return False
    v = 0.0 if chassis[TYRES] > 0.0 else v
    for kinks in range(2):  # first as if no motor changed its piece meanwhile
        before, after, a, b, r, f = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        u1, v1, w1, um, vm, half, turn = u, v, w, u, v, 0.5 * h * w, h * w
        for k in range(4):  # Runge-Kutta; speeds and heading of mid-step by the cubic through the stages
            pu, pv, pw, inner = u + f * a, v + f * b, w + f * r, k % 3 != 0
            if k == 0 or kinks == 1:
                tx, ty, tw, xx, xy, xw, yy, yw, ww = gather(e, i, aim, pu, pv, pw, wheels)
            fx, fy = tx - xx * pu - xy * pv - xw * pw, ty - xy * pu - yy * pv - yw * pw
            a, b, r = respond(pu, pv, pw, fx, fy, tw - xw * pu - yw * pv - ww * pw, chassis)
            if not inner:
                before, after = after, check(e, i, aim, pu, pv, pw, a, b, r, chassis, wheels)
                if after < 0.0:
                    return False
            f, g = (h if k == 2 else 0.5 * h), h * (1.0 / 3.0 if inner else 1.0 / 6.0)
            u1, v1, w1 = u1 + g * a, v1 + g * b, w1 + g * r
            g = h * (1.0 / 6.0 if inner else 5.0 / 24.0 if k == 0 else -1.0 / 24.0)
            um, vm = um + g * a, vm + g * b
            half += h * h * (1.0 / 32.0 if inner else 7.0 / 96.0 if k == 0 else -1.0 / 96.0) * r
            turn += h * h * (0.0 if k == 3 else 1.0 / 6.0) * r
        if before == after:
            break
    cm, nm = cos_sin(half)
    ce, ne = cos_sin(turn)
    px, py, g = ce * u1 - ne * v1, ne * u1 + ce * v1, h * (1.0 / 6.0)
    dx, dy = g * (u + 4.0 * (cm * um - nm * vm) + px), g * (v + 4.0 * (nm * um + cm * vm) + py)
    x, y = ahead[s, i, 0] + c * dx - n * dy, ahead[s, i, 1] + n * dx + c * dy
    put(s, i, ahead, x, y, theta + turn, still(c * px - n * py), still(n * px + c * py), still(w1))
    for k in range(wheels.shape[0]):
        spin_ahead[s, i, k] = wheels[k, RX] * u1 + wheels[k, RY] * v1 + wheels[k, RW] * w1
    return True


@kernel
def arc(
    e: int, i: int, pose: Floats, aim: Floats, s: int, ahead: Floats, spin_ahead: Floats, wheels: Floats, dt: float
) -> None:
    """Write the end of the exact arc that perfect wheels drive; the body's velocity on it is constant."""
    u, v, w, theta = 0.0, 0.0, 0.0, pose[e, i, 2]
    for k in range(wheels.shape[0]):
        u += wheels[k, BX] * aim[e, i, k]
        v += wheels[k, BY] * aim[e, i, k]
        w += wheels[k, BW] * aim[e, i, k]
        spin_ahead[s, i, k] = aim[e, i, k]
    half = 0.5 * w * dt
    ch, nh = cos_sin(half)
    chord = dt * (nh / half if abs(half) > 1e-3 else 1.0 - half * half * (1.0 - 0.05 * half * half) * (1.0 / 6.0))
    c, n = cos_sin(theta + half)
    x, y = pose[e, i, 0] + chord * (c * u - n * v), pose[e, i, 1] + chord * (n * u + c * v)
    c, n = c * ch - n * nh, n * ch + c * nh
    put(s, i, ahead, x, y, theta + w * dt, c * u - n * v, n * u + c * v, w)


@kernel
def creep(
    e: int, i: int, c: float, n: float, pose: Floats, velocity: Floats, spin: Floats, aim: Floats, s: int,
    ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats, dt: float,
) -> bool:  # fmt: skip
    """Do the same as `drive` in all cases that are not the common one."""
    if chassis[KINEMATIC] > 0.0:
        arc(e, i, pose, aim, s, ahead, spin_ahead, wheels, dt)
        return False
    x, y, theta = pose[e, i, 0], pose[e, i, 1], pose[e, i, 2]
    put(s, i, ahead, x, y, theta, velocity[e, i, 0], velocity[e, i, 1], velocity[e, i, 2])
    for k in range(wheels.shape[0]):
        spin_ahead[s, i, k] = spin[e, i, k]
    slipped, left, least = False, dt, 1e-6 * dt  # no piece for what rounding leaves over in float32
    while left > least:
        h = min(left, chassis[LONGEST], STEP)
        if not roll(e, i, c, n, aim, s, ahead, spin_ahead, chassis, wheels, h):
            if chassis[TYRES] > 0.0:
                drift(e, i, c, n, aim, s, ahead, spin_ahead, chassis, wheels, h)
            else:
                skid(e, i, c, n, aim, s, ahead, spin_ahead, chassis, wheels, h)
            slipped = True
        left -= h
        if left > least:
            c, n = cos_sin(ahead[s, i, 2])
    return slipped


@kernel
def drive(
    e: int, i: int, c: float, n: float, pose: Floats, velocity: Floats, spin: Floats, aim: Floats, s: int,
    ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats, dt: float,
) -> bool:  # fmt: skip
    """Say whether a tyre slipped while robot i moved by dt; where it is then stands in ``ahead``, ``spin_ahead``.

    ahead (s, n, 24): x, y, theta (not wrapped), vx, vy, omega, then room to work in. ``aim`` (e, n, w) are the rates
    that the wheels shall have, finite. The rest is only read.
    """
    if cruise(i, c, n, seen(e, i, pose, velocity, spin, aim), s, ahead, spin_ahead, chassis, wheels, dt):
        return False
    return creep(e, i, c, n, pose, velocity, spin, aim, s, ahead, spin_ahead, chassis, wheels, dt)
