"""Wheels that slip: body and wheels move on their own, and each tyre drags at most with its grip, against its slip.

One implicit step, so that it ends in rolling without chatter and adds no energy: the velocity at its end makes
``1/2 |V - V0|^2_M + sum of grip h slip`` smallest. A slipping tyre is a damper of strength grip / slip, and its slip is
found by repetition; one that holds is a damper strong enough to hold. On tyres it is first tried whether the two hold
the robot sideways together. All in the body frame at the end of the step, into which the mass centre's velocity is
turned: momentum changes by the tyres' forces alone.

u, v, w  velocity of the geometric centre at the end [m/s], [m/s], [rad/s]; w0: yaw rate at the start
rim      speed of a wheel's rim at the end if it did not touch the ground [m/s]
q        slip speed that one newton second along the wheel takes away, the body held still [1/kg]
p, b     impulse along the wheel; the largest that its grip gives in the step, grip * h [N s]
z        slip speed [m/s]
"""

import math

from tikitaka.geom.jit import kernel
from tikitaka.geom.vectors import clamp
from tikitaka.sim.kernels.chassis import (
    ARM,
    DAMPING,
    FEED,
    GAIN,
    GIVE,
    GRIP,
    INERTIA,
    INV_INERTIA,
    INV_MASS,
    LIMIT,
    MASS,
    OFFSET,
    RADIUS,
    SIDE_ARM,
    SLOPE,
    STALL,
    TYRES,
    UX,
    UY,
    WHEEL_INERTIA,
    Floats,
    cos_sin,
    put,
)  # fmt: skip

STUCK = 1e-5  # [m/s] chosen: a tyre that holds creeps slower than this; below `chassis.FIT`
CLOSE = 0.05  # chosen: part of its slip by which a settled tyre may still change
ROUNDS = 6  # at most, chosen: most settle in 2 to 4; what is missing then is 2 % of the grip, seldom 10 %
INNER = 3  # steps of Newton's method for a tyre's slip, from below
TINY = 1e-30  # against division by zero
SLIPS, PUSHES, RIMS, GIVES = 6, 10, 14, 18  # columns of ``ahead`` that keep z, p, rim, q of up to four wheels meanwhile


@kernel
def spin_free(aim: float, rate: float, p: float, wheels: Floats, k: int, h: float) -> tuple[float, float]:
    """Return (rim, q) of wheel k after h seconds; p [N s] is about what the ground takes from it.

    The torque belongs to the rate at the end of the step, so that no gain is too high for it.
    """
    r, inertia, mu = wheels[k, RADIUS], wheels[k, WHEEL_INERTIA], wheels[k, DAMPING]
    stall, slope, limit = wheels[k, STALL], wheels[k, SLOPE], wheels[k, LIMIT]
    heavy, push = inertia + h * (wheels[k, GAIN] + mu), wheels[k, FEED] * aim
    end = (inertia * rate + h * push - r * p) / heavy
    tau, line = push - wheels[k, GAIN] * end, slope * end
    sign = 1.0 if tau > min(limit, stall - line) else -1.0 if tau < max(-limit, -stall - line) else 0.0
    if sign != 0.0:  # the controller asks for more than the motor has
        push, heavy = sign * limit, inertia + h * mu
        end = (inertia * rate + h * push - r * p) / heavy
        if stall - sign * slope * end < limit:
            push, heavy = sign * stall, heavy + h * slope
    return (inertia * rate + h * push) / heavy * r, r * r / heavy


@kernel
def solve(
    a: float, b: float, c: float, d: float, e: float, f: float, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """Return the solution of the symmetric positive system with rows (a, b, c), (b, d, e), (c, e, f)."""
    over = 1.0 / a
    b1, c1 = b * over, c * over
    d, e, f = d - b1 * b, e - b1 * c, f - c1 * c
    y, z = y - b1 * x, z - c1 * x
    e1 = e / d
    z = (z - e1 * y) / (f - e1 * e)
    y = (y - e * z) / d
    return (x - b * y - c * z) * over, y, z


@kernel
def mass_speed(s: int, i: int, ahead: Floats, d: float, turn: float) -> tuple[float, float]:
    """Return the mass centre's velocity at the start in the frame that is turned on by ``turn``."""
    c, n = cos_sin(ahead[s, i, 2] + turn)
    cd, nd = cos_sin(turn)
    vx, vy, dw = ahead[s, i, 3], ahead[s, i, 4], d * ahead[s, i, 5]
    return c * vx + n * vy + nd * dw, c * vy - n * vx + cd * dw


@kernel
def balance(
    e: int, i: int, aim: Floats, s: int, ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats,
    h: float, turn: float, held: bool,
) -> tuple[float, float, float]:  # fmt: skip
    """Return (u, v, w) after a step that turns the robot by ``turn``, each tyre a damper for the slip guessed."""
    m, d = chassis[MASS], chassis[OFFSET]
    uc, vc = mass_speed(s, i, ahead, d, turn)
    xx, yy, ww, xy, xw, yw = m, m, chassis[INERTIA] + m * d * d, 0.0, 0.0, m * d
    fx, fy, fw = m * uc, m * vc, chassis[INERTIA] * ahead[s, i, 5] + m * d * vc
    for k in range(wheels.shape[0]):
        ux, uy, arm, b = wheels[k, UX], wheels[k, UY], wheels[k, ARM], wheels[k, GRIP] * h
        rim, q = spin_free(aim[e, i, k], spin_ahead[s, i, k], ahead[s, i, PUSHES + k], wheels, k, h)
        ahead[s, i, RIMS + k], ahead[s, i, GIVES + k] = rim, q
        z = ahead[s, i, SLIPS + k]
        c = b / (z + q * b)
        xx, xy, xw = xx + c * ux * ux, xy + c * ux * uy, xw + c * ux * arm
        yy, yw, ww = yy + c * uy * uy, yw + c * uy * arm, ww + c * arm * arm
        fx, fy, fw = fx + c * ux * rim, fy + c * uy * rim, fw + c * arm * rim
        if chassis[TYRES] > 0.0:  # they drive straight ahead and stand beside the centre
            yy += b / STUCK if held else b / z
    return solve(xx, xy, xw, yy, yw, ww, fx, fy, fw)


@kernel
def settle(
    s: int, i: int, ahead: Floats, wheels: Floats, h: float, u: float, v: float, w: float, sideways: bool
) -> bool:
    """Say whether no tyre's slip changed much; each gets a new guess of it, and of the impulse along the wheel."""
    done = True
    for k in range(wheels.shape[0]):
        b, old, q = wheels[k, GRIP] * h, ahead[s, i, SLIPS + k], ahead[s, i, GIVES + k]
        x, qb = ahead[s, i, RIMS + k] - wheels[k, UX] * u - wheels[k, UY] * v - wheels[k, ARM] * w, q * b
        p = x * b / (old + qb)
        if sideways:  # x = along (1 + q b / z), z^2 = along^2 + v^2: the wheel gives way at once, the body does not
            new = max(STUCK, abs(v), abs(x) - qb)
            for _ in range(INNER):
                f, g = 1.0 / new, 1.0 / (new + qb)
                f2, g2 = v * v * f * f, x * x * g * g
                new += 0.5 * (f2 + g2 - 1.0) / (f2 * f + g2 * g)
            p = x * b / (new + qb)
        else:
            new = max(STUCK, abs(x) * old / (old + qb) + (q + wheels[k, GIVE]) * (abs(p) - b))
            if new > STUCK:
                p = b if p > 0.0 else -b
        done = done and abs(new - old) <= CLOSE * old
        ahead[s, i, SLIPS + k], ahead[s, i, PUSHES + k] = new, clamp(p, -b, b)
    return done


@kernel
def repeat(
    e: int, i: int, aim: Floats, s: int, ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats,
    h: float, w: float, held: bool,
) -> tuple[float, float, float]:  # fmt: skip
    """Return (v, w, turn) when the tyres have settled; the given w is a first guess."""
    v, turn, sideways = 0.0, 0.0, not held and chassis[TYRES] > 0.0
    for _ in range(ROUNDS):
        turn = 0.5 * h * (ahead[s, i, 5] + w)
        u, v, w = balance(e, i, aim, s, ahead, spin_ahead, chassis, wheels, h, turn, held)
        if settle(s, i, ahead, wheels, h, u, v, w, sideways):
            break
    return v, w, turn


@kernel
def load(s: int, i: int, ahead: Floats, wheels: Floats, h: float, v: float) -> tuple[float, float]:
    """Return what tyres that should hold must give sideways, and what they can [N s]; v: at which they creep."""
    need, room = 0.0, 0.0
    for k in range(wheels.shape[0]):
        b, p = wheels[k, GRIP] * h, ahead[s, i, PUSHES + k]
        need += b * abs(v) / STUCK
        room += math.sqrt(b * b - p * p)
    return need, room


@kernel
def apply(
    s: int, i: int, ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats, h: float, v: float, turn: float,
    share: float,
) -> None:  # fmt: skip
    """Give body and wheels their impulses, none beyond its grip; share: of what is left sideways, -1: tyres slip."""
    d, w0 = chassis[OFFSET], ahead[s, i, 5]
    uc, vc = mass_speed(s, i, ahead, d, turn)
    fx, fy, fw = 0.0, 0.0, 0.0
    for k in range(wheels.shape[0]):
        ux, uy, b, p = wheels[k, UX], wheels[k, UY], wheels[k, GRIP] * h, ahead[s, i, PUSHES + k]
        room = math.sqrt(b * b - p * p)
        q = clamp(-v * (share * room / max(abs(v), TINY) if share >= 0.0 else b / ahead[s, i, SLIPS + k]), -room, room)
        fx, fy, fw = fx + ux * p - uy * q, fy + uy * p + ux * q, fw + wheels[k, ARM] * p + wheels[k, SIDE_ARM] * q
        spin_ahead[s, i, k] = (ahead[s, i, RIMS + k] - ahead[s, i, GIVES + k] * p) / wheels[k, RADIUS]
    w = w0 + (fw - d * fy) * chassis[INV_INERTIA]
    u, v = uc + fx * chassis[INV_MASS], vc + fy * chassis[INV_MASS] - d * w
    theta, half = ahead[s, i, 2] + turn, 0.5 * h
    c, n = cos_sin(theta)
    px, py = c * u - n * v, n * u + c * v
    x, y = ahead[s, i, 0] + half * (ahead[s, i, 3] + px), ahead[s, i, 1] + half * (ahead[s, i, 4] + py)
    put(s, i, ahead, x, y, theta, px, py, w)


@kernel
def skid(
    e: int, i: int, aim: Floats, s: int, ahead: Floats, spin_ahead: Floats, chassis: Floats, wheels: Floats, h: float
) -> None:
    """Move ``ahead`` and ``spin_ahead`` on by h seconds with tyres that may slip."""
    w, v, turn, tyres, d, grip = ahead[s, i, 5], 0.0, 0.0, chassis[TYRES], chassis[OFFSET], 0.0
    uc, vc = mass_speed(s, i, ahead, d, h * w)
    for k in range(wheels.shape[0]):
        along = wheels[k, UX] * uc + wheels[k, UY] * (vc - d * w) + wheels[k, ARM] * w
        ahead[s, i, SLIPS + k] = max(STUCK, abs(along - wheels[k, RADIUS] * spin_ahead[s, i, k]))
        ahead[s, i, PUSHES + k] = 0.0
        grip += wheels[k, GRIP] * h
    # a push that is far beyond the grip of tyres is not tried to be held
    over = tyres * max(0.0, abs(vc - d * w) - 1.5 * grip * chassis[INV_MASS])
    share = -1.0
    if over == 0.0:
        v, w, turn = repeat(e, i, aim, s, ahead, spin_ahead, chassis, wheels, h, w, tyres > 0.0)
        need, room = load(s, i, ahead, wheels, h, tyres * v)
        over, share = max(0.0, need - room) * chassis[INV_MASS], need / max(room, TINY)
    if over > 0.0:
        share = -1.0
        for k in range(wheels.shape[0]):
            ahead[s, i, SLIPS + k] += over
        v, w, turn = repeat(e, i, aim, s, ahead, spin_ahead, chassis, wheels, h, w, held=False)
    apply(s, i, ahead, spin_ahead, chassis, wheels, h, v, turn, share)
